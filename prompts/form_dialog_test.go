package prompts

import (
	"fmt"
	"reflect"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"pgregory.net/rapid"

	"parley/session"
	"parley/theme"
)

// oneOf is the schema of a form with one property.
func oneOf(property string) string { return `{"type":"object","properties":{"a":` + property + `}}` }

const three = `{"properties":{"name":{"type":"string","maxLength":40},"sure":{"type":"boolean"},"note":{"type":"string"}},"required":["name"]}`

// TestFormAnswers fills in every kind of field by keys and compares the whole
// answer.
func TestFormAnswers(t *testing.T) {
	t.Parallel()
	type content = map[string]any
	for _, tc := range []struct {
		schema, keys string
		want         content
	}{
		// One field: Enter submits.
		{oneOf(`{"type":"string"}`), "h i enter", content{"a": "hi"}},
		{oneOf(`{"type":"string"}`), "h i ctrl+enter", content{"a": "hi"}},
		{oneOf(`{"type":"string"}`), "h shift+enter i ctrl+enter", content{"a": "h\ni"}},
		{oneOf(`{"type":"string"}`), `h \ enter i enter x tab y`, content{"a": "h\ni\nx"}},
		{oneOf(`{"type":"string","maxLength":9}`), `h \ enter`, content{"a": `h\`}},
		{oneOf(`{"type":"string","minLength":2}`), "h enter i enter", content{"a": "hi"}},
		{oneOf(`{"type":"string","default":"hi"}`), "! enter", content{"a": "hi!"}},
		{oneOf(`{"type":"string","default":"hi"}`), "enter y", content{"a": "hi"}},
		{oneOf(`{"type":"string"}`), "enter y", content{}},
		{oneOf(`{"type":"string","format":"email"}`), "a @ b . c enter", content{"a": "a@b.c"}},
		{oneOf(`{"type":"integer","minimum":1,"maximum":9}`), "1 2 enter backspace enter", content{"a": int64(1)}},
		{oneOf(`{"type":"number"}`), "1 . 5 enter", content{"a": 1.5}},
		{oneOf(`{"type":"boolean"}`), "space enter", content{"a": true}},
		{oneOf(`{"type":"boolean"}`), "space space enter", content{"a": false}},
		{oneOf(`{"type":"boolean"}`), "2 enter", content{"a": false}},
		{oneOf(`{"type":"boolean"}`), "down*2 enter", content{"a": false}},
		{oneOf(`{"type":"boolean"}`), "n enter", content{"a": false}},
		{oneOf(`{"type":"boolean","default":true}`), "enter y", content{"a": true}},
		{oneOf(`{"enum":["r","g","b"]}`), "3 enter", content{"a": "b"}},
		{oneOf(`{"enum":["r","g","b"]}`), "up space enter", content{"a": "b"}},
		{oneOf(`{"enum":["r","g","b"],"default":"r"}`), "down enter", content{"a": "g"}},
		{oneOf(`{"enum":["r","g","b"],"default":"r"}`), "backspace enter y", content{}},
		{oneOf(`{"enum":["red","green","grey"]}`), "g g enter", content{"a": "grey"}},
		{oneOf(`{"type":"array","items":{"enum":["x","y","z"]},"maxItems":2}`), "1 2 3 enter 1 enter", content{"a": []string{"y", "z"}}},
		{oneOf(`{"type":"array","items":{"enum":["x","y","z"]}}`), "down space down*2 space enter", content{"a": []string{"x", "z"}}},
		{oneOf(`{"type":"object"}`), `{ " b " : 1 } enter`, content{"a": map[string]any{"b": 1.0}}},
		{``, `x enter`, content{"answer": "x"}},
		{`{"type":"object","properties":{}}`, "y", content{}},
		// More than one: the review submits.
		{three, "a d a enter 1 enter o enter k tab y", content{"name": "ada", "sure": true, "note": "o\nk"}},
		{three, "a d a ctrl+enter tab o ctrl+enter down enter", content{"name": "ada", "note": "o"}},
		{three, "a tab*3 2 b tab*3 1 enter", content{"name": "ab"}},
		{three, "a tab*3 down*2 enter b tab*3 y", content{"name": "ab"}},
		{three, "tab*3 y a tab*3 y", content{"name": "a"}},
		{three, "a tab*3 esc shift+tab*2 b tab*3 y", content{"name": "ab"}},
		{three, "a tab*3 shift+tab x tab y", content{"name": "a", "note": "x"}},
		{three, "a down*4 x tab y", content{"name": "a", "note": "x"}},
		{three, "a tab*2 x up*4 b tab*3 y", content{"name": "ab", "note": "x"}},
		{three, "a esc 1 b tab*3 y", content{"name": "ab"}},
		{three, "a tab*3 esc*2 down enter shift+tab*2 b tab*3 y", content{"name": "ab"}},
	} {
		d := newDesk(t)
		d.height = 40
		d.ready(asking(tc.schema))
		if tc.schema != `{"type":"object","properties":{}}` {
			d.press("tab")
		}
		for _, key := range strings.Fields(tc.keys) {
			d.press(key)
			d.settle()
			if d.q.Len() > 0 && !d.q.Focused() { // left waiting
				d.q.Focus(d.now)
				d.draw()
				d.wait(time.Second)
			}
		}
		want := session.ElicitationAnswer{RequestID: "r1", Action: session.Accept, Content: tc.want}
		if strings.HasSuffix(tc.keys, "x tab y") && len(d.answers) == 0 {
			d.press("y")
		}
		if got := d.answer(); !reflect.DeepEqual(got, want) {
			t.Errorf("%s, %s:\n got %#v\nwant %#v", tc.schema, tc.keys, got, want)
		}
		if d.q.Len() != 0 || !d.q.Wake().IsZero() {
			t.Errorf("%s, %s: not at rest", tc.schema, tc.keys)
		}
	}
}

// TestFormEnds: to submit, to decline and to cancel are three answers.
func TestFormEnds(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		schema, keys string
		want         session.ElicitationAction
	}{
		{three, "tab*3 d", session.Decline},
		{three, "tab*3 x", session.Cancel},
		{three, "tab*3 2 enter", session.Decline},
		{three, "tab*3 down*3 enter", session.Cancel},
		{three, "a tab*3 3 enter", session.Decline},
		{three, "a esc d", session.Decline},
		{three, "a esc x", session.Cancel},
		{three, "a esc down*3 enter", session.Decline},
		{oneOf(`{"type":"string"}`), "tab d", session.Decline},
		{oneOf(`{"type":"string"}`), "h esc x", session.Cancel},
	} {
		d := filled(t, tc.schema)
		for _, key := range strings.Fields(tc.keys) {
			d.press(key)
			d.settle()
		}
		want := session.ElicitationAnswer{RequestID: "r1", Action: tc.want}
		if got := d.answer(); !reflect.DeepEqual(got, want) {
			t.Errorf("%s, %s: got %+v", tc.schema, tc.keys, got)
		}
	}
}

// TestFormKeeps presses what must not answer; the form stays, with what was
// written.
func TestFormKeeps(t *testing.T) {
	t.Parallel()
	text := oneOf(`{"type":"string"}`)
	for _, tc := range []struct{ name, schema, keys, waits string }{
		{"fields submit nothing", three, "a enter enter enter enter enter", ""},
		{"nor does ctrl+enter", three, "a ctrl+enter*5", ""},
		{"a proposal needs a review", oneOf(`{"type":"string","default":"x"}`), "enter enter", ""},
		{"a proposed choice, too", oneOf(`{"type":"boolean","default":true}`), "enter enter", ""},
		{"no row is chosen", three, "a tab*3 enter", ""},
		{"what is wrong stays", oneOf(`{"type":"string","minLength":3}`), "a enter enter", ""},
		{"what is needed stays", three, "tab*3 y enter", ""},
		{"letters are written", text, "y d x n", ""},
		{"a choice takes letters", oneOf(`{"enum":["a"]}`), "y d x n", ""},
		{"ctrl+d quits nothing", oneOf(`{"enum":["a"]}`), "ctrl+d ctrl+d", ""},
		{"nor on the rows", three, "a tab*3 ctrl+d", ""},
		{"esc on an empty form", three, "tab esc", ""},
		{"esc twice on an empty form", three, "tab esc esc", "waits"},
		{"esc twice on another", three, "a esc esc", "waits"},
		{"ctrl+c", three, "a ctrl+c", "waits"},
		{"leave it waiting", three, "a esc down*2 enter", "waits"},
		{"leave it waiting, by digit", three, "a esc 2", "waits"},
	} {
		d := filled(t, tc.schema)
		for _, key := range strings.Fields(tc.keys) {
			d.press(key)
			d.settle()
		}
		d.none()
		if d.q.Len() != 1 || d.q.Focused() != (tc.waits == "") || d.draft.Len() > 0 {
			t.Errorf("%s: %d forms, focused %v, draft %q\n%s", tc.name, d.q.Len(), d.q.Focused(), d.draft.String(), d.text())
		}
	}
}

// TestFormTyping: a form that comes up while the user types takes nothing of
// it, and typing on a form that is not focused is for the draft.
func TestFormTyping(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	d.typed("yes, ")
	d.apply(asking(three))
	d.settle()
	d.typed("do it")
	if d.draft.String() != "yes, do it" || !strings.Contains(d.text(), "keys go to your draft: ctrl+x p to answer") {
		t.Errorf("draft %q\n%s", d.draft.String(), d.text())
	}
	d = newDesk(t)
	d.ready(asking(three))
	d.typed("just go on")
	if d.draft.String() != "just go on" || d.q.Focused() {
		t.Errorf("draft %q, focused %v", d.draft.String(), d.q.Focused())
	}
	// A burst that ends on the rows goes to the draft, but for what was written.
	d = filled(t, three)
	d.typed("ada")
	for _, key := range []string{"tab", "tab", "tab", "y", "e", "s"} {
		d.key(stroked(key), 80*time.Millisecond)
	}
	d.wait(time.Second)
	d.none()
	if d.draft.String() != "yes" {
		t.Errorf("draft %q\n%s", d.draft.String(), d.text())
	}
	// Enter that is held down goes one field further, not to the end.
	d = filled(t, three)
	d.typed("ada")
	d.key(stroked("enter"), 400*time.Millisecond)
	for range 20 {
		d.key(tea.KeyPressMsg{Code: tea.KeyEnter, IsRepeat: true}, 30*time.Millisecond)
	}
	if f := d.form(); f.at != 1 || f.current != filling {
		t.Errorf("at field %d, page %d", f.at, f.current)
	}
}

// form is the form in front.
func (d *desk) form() *form { return d.q.dialogs[d.q.front].(*form) }

// TestFormPaste: a paste is exact wherever it goes, and submits nothing.
func TestFormPaste(t *testing.T) {
	t.Parallel()
	pasted := "tab\there\r\nand \u202e a \x1b[31mcolour\n\n"
	for _, property := range []string{`{"type":"string"}`, `{"type":"string","maxLength":100}`, `{"type":"string","format":"uuid"}`} {
		d := filled(t, oneOf(property))
		d.key(tea.PasteMsg{Content: pasted}, time.Second)
		d.none()
		d.press("tab", "down", "enter") // hidden characters of the user's own are no danger
		d.settle()
		if len(d.answers) == 0 {
			d.press("y")
		}
		if got := d.answer().(session.ElicitationAnswer).Content["a"]; got != pasted {
			t.Errorf("%s: got %q", property, got)
		}
	}
	d := filled(t, oneOf(`{"enum":["y"]}`))
	d.key(tea.PasteMsg{Content: "y\n"}, time.Second)
	d.none()
	if d.draft.String() != "y\n" {
		t.Errorf("a paste on a choice: draft %q", d.draft.String())
	}
}

func TestFormEditor(t *testing.T) {
	t.Parallel()
	d := filled(t, three)
	d.press("a")
	o := d.q.Key(stroked("ctrl+g"), d.now)
	if e, ok := o.Effect.(OpenEditor); !ok || e.Text != "a" || e.ReadOnly || e.Name == "" {
		t.Fatalf("ctrl+g: %+v", o)
	}
	d.press("tab")
	d.q.Edited("ada\n", d.now) // an answer of one line
	d.press("tab")
	d.q.Key(stroked("ctrl+g"), d.now)
	d.press("tab")
	d.q.Edited("one\ntwo\n", d.now) // while the review is shown
	d.draw()
	if !strings.Contains(d.text(), "two") {
		t.Errorf("the review does not follow:\n%s", d.text())
	}
	d.settle()
	d.press("y")
	want := map[string]any{"name": "ada", "note": "one\ntwo\n"}
	if got := d.answer().(session.ElicitationAnswer).Content; !reflect.DeepEqual(got, want) {
		t.Errorf("got %#v", got)
	}
	// An editor that outlives its form.
	d = filled(t, three)
	d.press("tab", "1", "shift+tab")
	d.q.Key(stroked("ctrl+g"), d.now)
	d.apply(session.ElicitationCompleted{RequestID: "r1"})
	d.q.Dropped()
	d.q.Edited("late", d.now)
	if got := d.q.Dropped(); len(got) != 1 || got[0] != (Dropped{UnsentForm, "name: late"}) {
		t.Errorf("dropped %q", got)
	}
	d.ready(asking(three))
	if got := fmt.Sprint(d.form().replies()); got != "[{late []} { [0]} { []}]" {
		t.Errorf("back %s", got)
	}
}

// TestFormMemory: what was written comes back with the same form, however it
// was closed, unless it was submitted; then only if it could not be delivered.
func TestFormMemory(t *testing.T) {
	t.Parallel()
	again := func(id session.RequestID, schema string) session.ElicitationRequested {
		r := asking(schema)
		r.RequestID = id
		return r
	}
	ended := []session.Body{
		session.ElicitationCompleted{RequestID: "r1"}, session.Abort{}, session.AssistantIdle{}, session.SessionShutdown{},
	}
	for i, tc := range []struct {
		end    string // keys, or an event by number
		next   session.ElicitationRequested
		back   bool
		unsent string
	}{
		{"x", again("r2", three), true, ""},
		{"d", again("r2", three), true, ""},
		{"y", again("r2", three), false, ""},
		{"y", again("r1", three), true, ""},
		{"x", again("r2", oneOf(`{"type":"string"}`)), false, ""},
		{"0", again("r2", three), true, "name: ada\nsure: Yes"},
		{"1", again("r2", three), true, "name: ada\nsure: Yes"},
		{"2", again("r2", three), true, "name: ada\nsure: Yes"},
		{"3", again("r2", three), true, "name: ada\nsure: Yes"},
	} {
		d := filled(t, three)
		d.press("a", "d", "a", "tab", "1", "tab*2")
		d.settle()
		if n := strings.Index("0123", tc.end); n >= 0 {
			d.apply(ended[n])
		} else {
			d.press(tc.end)
			d.answer()
		}
		kept := ""
		for _, dropped := range d.q.Dropped() {
			if dropped.Why == UnsentForm {
				kept += dropped.Text
			}
		}
		if kept != tc.unsent {
			t.Errorf("%d: unsent %q", i, kept)
		}
		d.apply(tc.next)
		f := d.form()
		if got := f.entries[0].field.text() == "ada"; got != tc.back {
			t.Errorf("%d: back %v\n%s", i, got, d.text())
		}
		if !tc.back {
			continue
		}
		if got := f.schema.Properties[1].Words(f.entries[1].reply()); got != "Yes" {
			t.Errorf("%d: sure is %q", i, got)
		}
		if !strings.Contains(d.text(), "What you wrote here before is back.") {
			t.Errorf("%d: nothing is said\n%s", i, d.text())
		}
	}
	// What the schema proposes is not what the user wrote, and the memory is bounded.
	d := newDesk(t)
	d.ready(asking(oneOf(`{"type":"string","default":"x"}`)))
	d.apply(session.Abort{})
	if got := d.q.Unsent(); len(got) > 0 || len(d.q.forms.forms) > 0 {
		t.Errorf("unsent %q, %d forms", got, len(d.q.forms.forms))
	}
	for i := range 2 * mostForms {
		d.q.forms.keep(WrittenForm{Key: fmt.Sprint(i), Answers: []WrittenAnswer{{Text: "x"}}})
	}
	if n := len(d.q.forms.forms); n != mostForms || d.q.forms.recall("0", "").Key != "" || d.q.forms.recall(fmt.Sprint(2*mostForms-1), "").Key == "" {
		t.Errorf("%d forms", n)
	}
}

// TestFormSurvives: answers are there however the user moves, resizes, leaves
// and comes back.
func TestFormSurvives(t *testing.T) {
	t.Parallel()
	moves := []string{
		"tab", "shift+tab", "up", "down", "pgup", "pgdown", "esc", "ctrl+c", "left", "right", "home", "end", "shift+down", "f1", "ctrl+p",
	}
	rapid.Check(t, func(rt *rapid.T) {
		d := filled(t, survey)
		d.press("a", "d", "a", "tab", "x", "tab", "l", "enter", "m", "tab", "backspace", "tab*2", "2", "tab", "2", "tab*2", "1", "3")
		want := fmt.Sprintf("%+v", d.form().replies())
		for range rapid.IntRange(1, 30).Draw(rt, "steps") {
			switch what := rapid.IntRange(0, 9).Draw(rt, "what"); what {
			case 0:
				d.width, d.height = rapid.IntRange(20, 120).Draw(rt, "width"), rapid.IntRange(5, 40).Draw(rt, "height")
				d.q.Resize(d.now)
				d.draw()
			case 1:
				d.q.Focus(d.now)
				d.draw()
				d.settle()
			case 2:
				d.q.Blur(d.now)
				d.draw()
			default:
				d.press(rapid.SampledFrom(moves).Draw(rt, "key"))
			}
		}
		d.none()
		if got := fmt.Sprintf("%+v", d.form().replies()); got != want {
			rt.Fatalf("got %s\nwant %s", got, want)
		}
	})
}

// TestFormShownAgain holds that the fields, which come back when the form loses the focus
// on the page that Esc opens, take no Enter before they were on the screen.
func TestFormShownAgain(t *testing.T) {
	t.Parallel()
	d := filled(t, oneOf(`{"type":"string"}`))
	d.press("a", "esc")
	d.q.Blur(d.now)
	d.draw()
	d.q.Focus(d.now)
	d.draw()
	d.wait(300 * time.Millisecond)
	d.key(stroked("b"), 150*time.Millisecond)
	d.key(stroked("enter"), time.Second)
	d.none()
	d.press("enter")
	d.answer()
}

// TestFormSizes draws forms of every shape at every size, and finds each field,
// with its input and what is wrong with it, on the smallest screens.
func TestFormSizes(t *testing.T) {
	t.Parallel()
	var options []string
	for i := range 200 {
		options = append(options, fmt.Sprintf(`"option %d"`, i))
	}
	schemas := map[string]string{
		"survey": survey, "three": three, "opaque": `{"type":"object","allOf":[` + strings.Repeat(`{"minProperties":1},`, 60) + `{}]}`,
		"many options": oneOf(`{"enum":[` + strings.Join(options, ",") + `]}`),
		"long texts":   oneOf(`{"type":"string","title":"` + strings.Repeat("long title ", 40) + `","description":"` + strings.Repeat("word ", 500) + `","minLength":3}`),
		"wide":         oneOf(`{"type":"boolean","title":"題名が長い場合はどうなる","description":"👩‍👩‍👧 \u202e x"}`),
	}
	for name, schema := range schemas {
		d := filled(t, schema)
		for _, size := range [][2]int{{60, 10}, {20, 5}, {21, 6}, {33, 8}, {140, 12}, {60, 40}, {19, 40}, {60, 4}} {
			d.width, d.height = size[0], size[1]
			d.q.Resize(d.now)
			d.draw()
			d.settle()
			if tooSmall := size[0] < leastWidth || size[1] < leastHeight; tooSmall != (len(d.screen) == 0) {
				t.Fatalf("%s at %v: %d lines", name, size, len(d.screen))
			}
			f := d.form()
			for range f.entries {
				d.press("a", "1", "down")
				if len(d.screen) > 0 && f.current == filling && f.drawn.input != f.at {
					t.Fatalf("%s at %v: the input of field %d is not in sight:\n%s", name, size, f.at, d.text())
				}
				if x, y, ok := d.q.Cursor(); ok && len(d.screen) > 0 && (x < 2 || x >= d.width-1 || y < 1 || y >= len(d.screen)-1) {
					t.Fatalf("%s at %v: caret at %d, %d", name, size, x, y)
				}
				d.press("tab")
				if f.current != filling {
					d.press("shift+tab")
				}
			}
			for range 30 {
				d.press("pgdown")
			}
			for range 30 {
				d.press("pgup")
			}
		}
		d.none()
	}
}

// TestFormCaret: the caret is where the next letter will be.
func TestFormCaret(t *testing.T) {
	t.Parallel()
	for _, size := range [][2]int{{80, 24}, {60, 10}, {20, 5}} {
		d := filled(t, three)
		d.width, d.height = size[0], size[1]
		d.press("o", "n", "tab*2", "w", "o", "r", "d")
		x, y, ok := d.q.Cursor()
		if !ok {
			t.Fatalf("%v: no caret\n%s", size, d.text())
		}
		row := []rune(d.screen[y])
		if got := string(row[x-4 : x]); got != "word" {
			t.Errorf("%v: before the caret is %q\n%s", size, got, d.text())
		}
		d.q.Blur(d.now)
		d.draw()
		if _, _, ok := d.q.Cursor(); ok {
			t.Errorf("%v: a caret without the focus", size)
		}
	}
}

// TestFormOptions: of many options those around the cursor are in sight.
func TestFormOptions(t *testing.T) {
	t.Parallel()
	var options []string
	for i := range 100 {
		options = append(options, fmt.Sprintf(`"option %d."`, i))
	}
	d := filled(t, `{"properties":{"b":{"enum":[`+strings.Join(options, ",")+`]},"c":{"type":"string"}}}`)
	d.height = 12
	for i := range 100 {
		d.press("down")
		if !strings.Contains(d.text(), fmt.Sprintf("option %d.", i)) {
			t.Fatalf("option %d is not in sight:\n%s", i, d.text())
		}
	}
	d.press("down")
	if d.form().at != 1 {
		t.Error("the arrows stop at the last option")
	}
}

// TestFormRoles draws a form with the roles of its text.
func TestFormRoles(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	d.th, d.width = theme.Probe(), 50
	d.ready(asking(three))
	d.press("tab", "tab", "1")
	got := theme.Reveal(d.text())
	for _, want := range []string{"[accent]❯", "[strong]sure", "[success]✓", "[selected]Yes", "[border-armed]", "[dim]required"} {
		if !strings.Contains(got, want) {
			t.Errorf("no %s in\n%s", want, got)
		}
	}
}

// TestRequiredIsSaid: Enter does not pass a field that is required and empty, and says so
// under it; Tab moves to the next field.
func TestRequiredIsSaid(t *testing.T) {
	t.Parallel()
	d := filled(t, three)
	d.press("enter")
	if f := d.form(); f.at != 0 || !strings.Contains(d.text(), "An answer is required") {
		t.Errorf("at field %d:\n%s", f.at, d.text())
	}
	d.press("tab")
	if f := d.form(); f.at != 1 {
		t.Errorf("tab stays at field %d:\n%s", f.at, d.text())
	}
	d.press("shift+tab", "a")
	if strings.Contains(d.text(), "is required") {
		t.Errorf("it still says so:\n%s", d.text())
	}
}
