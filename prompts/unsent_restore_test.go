package prompts

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/go-json-experiment/json"
	"pgregory.net/rapid"

	"parley/session"
	"parley/session/sessiontest"
	"parley/theme"
)

// stored is what a queue writes, as JSON.
func stored(t interface{ Fatalf(string, ...any) }, q *Queue) []byte {
	raw, err := json.Marshal(q.Written())
	if err != nil {
		t.Fatalf("not JSON: %v", err)
	}
	return raw
}

// TestContentKeepsItsHash: unsent text that an earlier version stored is found.
func TestContentKeepsItsHash(t *testing.T) {
	t.Parallel()
	if got, want := contentOf(session.PermissionRequested{RequestID: "r1"}), "127dbecc140955202f979a2b108e15cb47fc13560a2b6fe55da9df91e32c7b7f"; got != want {
		t.Errorf("%s, not %s", got, want)
	}
}

// crash is a user in front of a new queue, after the program was killed: with
// what was stored, and nothing else.
func (d *desk) crash() *desk {
	d.t.Helper()
	var w Written
	if err := json.Unmarshal(stored(d.t, d.q), &w); err != nil {
		d.t.Fatal(err)
	}
	if want := d.q.Written(); !reflect.DeepEqual(w, want) {
		d.t.Fatalf("stored as\n%+v\nand not as\n%+v", w, want)
	}
	next := newDesk(d.t)
	next.height = d.height
	next.q.Restore(w)
	return next
}

// as is a question or an answer under another id.
func as[T any](id session.RequestID, of T) T {
	v := reflect.New(reflect.ValueOf(of).Type()).Elem()
	v.Set(reflect.ValueOf(of))
	v.FieldByName("RequestID").Set(reflect.ValueOf(id))
	return v.Interface().(T)
}

// begunMark is on a row whose line holds something.
const begunMark = "(unfinished)"

// TestTextsComeBack: words on a question come back with it, under its id or
// another, wait in their line until the user opens that, and are sent then as
// they would have been before.
func TestTextsComeBack(t *testing.T) {
	t.Parallel()
	refused := session.PermissionAnswer{RequestID: "r1", Decision: session.Reject, Feedback: "words"}
	for name, c := range map[string]struct {
		body  session.Body
		write string // keys that lead to the line
		open  string // keys that lead there again
		send  string
		shows string // before it is opened
		want  session.Answer
	}{
		"feedback": {shell("git push", "git push"), "n", "n", "enter", begunMark, refused},
		"feedback, line closed": {shell("git push", "git push"), "n W esc n", "n", "enter", begunMark, session.PermissionAnswer{
			RequestID: "r1", Decision: session.Reject, Feedback: "Wwords",
		}},
		"note": {shell("git push", "git push"), "tab", "tab", "enter y", "from before, not sent yet", session.PermissionAnswer{
			RequestID: "r1", Decision: session.ApproveOnce, Note: "words",
		}},
		"kept note": {shell("git push", "git push"), "tab W enter tab", "tab", "esc y", "from before, not sent yet", session.PermissionAnswer{
			RequestID: "r1", Decision: session.ApproveOnce, Note: "Wwords",
		}},
		"answer": {
			session.UserInputRequested{RequestID: "r1", Question: "Which?", Choices: []string{"red", "green"}},
			"3", "3", "enter", begunMark,
			session.UserInputAnswer{RequestID: "r1", Text: "words", Freeform: true},
		},
		"free answer": {
			session.UserInputRequested{RequestID: "r1", Question: "Why?"},
			"tab", "tab", "enter", begunMark,
			session.UserInputAnswer{RequestID: "r1", Text: "words", Freeform: true},
		},
		"plan": {aPlan("r1", planText), "n", "f", "enter", begunMark, session.ExitPlanModeAnswer{RequestID: "r1", Feedback: "words"}},
		"comment": {
			change(3, 0), "c", "c", "enter n enter", "begun at x.go:1, not kept",
			session.PermissionAnswer{RequestID: "r1", Decision: session.Reject, Feedback: "x.go:1: words\n> +line 0 "},
		},
		"kept comment": {
			change(3, 0), "c W enter c", "n", "enter", "1 from before, sent when you refuse",
			session.PermissionAnswer{RequestID: "r1", Decision: session.Reject, Feedback: "x.go:1: W\n> +line 0 "},
		},
	} {
		for _, id := range []session.RequestID{"r1", "r2"} {
			d := newDesk(t)
			d.height = 40
			d.ready(c.body)
			d.press(strings.Fields(c.write)...)
			d.typed("words")
			d.wait(time.Second)
			next := d.crash()
			next.ready(as(id, c.body))
			if !strings.Contains(next.text(), c.shows) || strings.Contains(next.text(), "words") {
				t.Errorf("%s: not waiting on the card:\n%s", name, next.text())
			}
			if again := next.q.Written().Lines(); !slices.Equal(again, d.q.Written().Lines()) {
				t.Errorf("%s: after a crash it is %q", name, again)
			}
			next.press("enter", "enter")
			next.none()
			next.press(strings.Fields(c.open)...)
			next.none()
			next.press(strings.Fields(c.send)...)
			if got, want := next.answer(), as(id, c.want); !reflect.DeepEqual(got, want) {
				t.Errorf("%s as %s: got %+v, want %+v", name, id, got, want)
			}
			if rest := next.q.Written(); !rest.Empty() {
				t.Errorf("%s: still there after it was sent: %+v", name, rest)
			}
		}
	}
}

// TestRestored draws questions with what was written on them before, and fits
// them into any window.
func TestRestored(t *testing.T) {
	t.Parallel()
	var b strings.Builder
	for _, c := range []struct {
		title, keys string
		body        session.Body
	}{
		{"a note and a refusal", "tab o n e enter n t w o", shell("git push", "git push")},
		{"comments", "c o n e enter v j c t w o tab n n o", change(3, 0)},
		{"an answer", "tab m i n e", session.UserInputRequested{RequestID: "r1", Question: "Why?"}},
		{"a plan", "f l e s s", aPlan("r1", "# Do it\n")},
		{"a form", "tab a d a tab 1", asking(three)},
	} {
		d := newDesk(t)
		d.height = 40
		d.ready(c.body)
		d.press(strings.Fields(c.keys)...)
		d = d.crash()
		d.th, d.width, d.height = theme.Probe(), 60, 24
		d.ready(c.body)
		fmt.Fprintf(&b, "-- %s\n%s\n", c.title, theme.Reveal(d.text()))
		d.th = theme.Plain()
		for d.width = 20; d.width <= 100; d.width += 7 {
			for d.height = range 30 {
				d.draw() // checks that it fits
				card, ok := d.q.dialogs[0].(*choiceDialog)
				if ok && card.choices.shown == 0 && card.direct == nil && d.height >= 12 && d.width >= 40 {
					t.Errorf("%s at %dx%d: no row in view:\n%s", c.title, d.width, d.height, d.text())
				}
			}
		}
	}
	sessiontest.Golden(t, "prompts/restored", b.String())
}

// TestDropped: a text that closes with its card comes out once, for the draft or
// as dropped.
func TestDropped(t *testing.T) {
	t.Parallel()
	settled := session.PermissionCompleted{RequestID: "r1"}
	write := func() *desk {
		d := newDesk(t)
		d.ready(shell("git push", "git push"))
		d.press("n")
		d.typed("words")
		d.wait(time.Second)
		next := d.crash()
		next.ready(shell("git push", "git push"))
		return next
	}
	words := []Dropped{{"question", "words"}}
	d := write() // not looked at, and settled elsewhere
	d.apply(settled)
	if got := d.q.Dropped(); !slices.Equal(got, words) || len(d.q.Unsent()) > 0 {
		t.Errorf("settled elsewhere: %+v", got)
	}
	d = write() // not looked at, and allowed
	d.press("y")
	if got := d.q.Dropped(); !slices.Equal(got, words) || len(d.q.Unsent()) > 0 || d.answer().(session.PermissionAnswer).Note != "" {
		t.Errorf("allowed: %+v, answered %+v", got, d.answers)
	}
	d = write() // looked at
	d.press("n", "esc", "y")
	if got := d.q.Unsent(); !slices.Equal(got, []string{"words"}) || len(d.q.Dropped()) > 0 {
		t.Errorf("looked at: %q", got)
	}
	if !d.q.Written().Empty() || len(d.q.Dropped())+len(d.q.Unsent()) > 0 {
		t.Error("it came out twice")
	}
	d = newDesk(t) // comments
	d.height = 40
	d.ready(change(3, 0))
	d.press("c", "a", "enter", "v", "j", "c", "b")
	d = d.crash()
	d.height = 40
	d.ready(change(3, 0))
	d.apply(settled)
	if got := d.q.Unsent(); !slices.Equal(got, []string{"x.go:1: a\n> +line 0 "}) {
		t.Errorf("kept comment: %q", got)
	}
	if got := d.q.Dropped(); !slices.Equal(got, []Dropped{{"question", "x.go:2: b"}}) {
		t.Errorf("begun comment: %+v", got)
	}
}

// TestDroppedForms: a form that the user dismissed gives what they wrote
// away once, and fills itself in again; so does one that closed by itself, for
// the draft.
func TestDroppedForms(t *testing.T) {
	t.Parallel()
	const text = "name: ada\nsure: Yes"
	for _, end := range []string{"x", "d", "y", "", "esc x"} {
		d := filled(t, three)
		d.press("a", "d", "a", "tab", "1")
		if !strings.HasPrefix(end, "esc") {
			d.press("tab*2")
		}
		d.settle()
		for i, key := range strings.Fields(end) {
			if i > 0 {
				d.settle()
			}
			d.press(key)
		}
		if end == "" {
			d.apply(session.ElicitationCompleted{RequestID: "r1"})
		}
		var dropped []Dropped
		switch end {
		case "":
			dropped = []Dropped{{UnsentForm, text}}
		case "y":
		default:
			dropped = []Dropped{{"form", text}}
		}
		if got, more := d.q.Dropped(), d.q.Unsent(); !slices.Equal(got, dropped) || len(more) > 0 {
			t.Errorf("%q: dropped %+v, unsent %q", end, got, more)
		}
		if got := d.q.Written(); len(got.Lines()) > 0 || got.Empty() {
			t.Errorf("%q: remembered %+v", end, got)
		}
		d.apply(session.ElicitationCompleted{RequestID: "r1"})
		if got := d.q.Written(); got.Empty() != (end == "y") {
			t.Errorf("%q: after it was confirmed: %+v", end, got)
		}
		d = d.crash()
		d.ready(as("r2", asking(three)))
		if got := d.form().record(false).Answers; len(got) != 2 != (end == "y") {
			t.Errorf("%q: back are %+v", end, got)
		}
		d.apply(session.Abort{})
		if got, more := d.q.Dropped(), d.q.Unsent(); len(got)+len(more) > 0 {
			t.Errorf("%q: again: dropped %+v, unsent %q", end, got, more)
		}
	}
}

// TestFormsComeBack: a form that was half filled is as it was after a crash,
// is reviewed, and sends then what it would have sent.
func TestFormsComeBack(t *testing.T) {
	t.Parallel()
	d := filled(t, survey)
	d.press("a", "d", "a", "tab", "x", "tab", "l", "enter", "m", "tab", "backspace", "tab*2", "2", "tab", "2", "tab*2", "1", "3")
	want := fmt.Sprintf("%+v", d.form().replies())
	for range 3 { // one crash after the other
		d = d.crash()
		d.ready(asking(survey))
		if got := fmt.Sprintf("%+v", d.form().replies()); got != want {
			t.Fatalf("got %s\nwant %s", got, want)
		}
		d.press("enter", "enter")
		d.none()
	}
	one := oneOf(`{"type":"string"}`)
	d = filled(t, one)
	d.press("h", "i")
	d = d.crash()
	d.ready(as("r9", asking(one)))
	d.q.Focus(d.now)
	d.draw()
	d.settle()
	d.press("enter") // to the review
	d.none()
	d.settle()
	d.press("y")
	if got := fmt.Sprint(d.answer()); got != "{r9 accept map[a:hi] []}" {
		t.Errorf("sent %s", got)
	}
	d = filled(t, one)
	d.press("h", "i")
	d = d.crash()
	d.ready(asking(oneOf(`{"type":"string","title":"A"}`)))
	if f := d.form(); f.resumed || f.entries[0].field.text() != "" || !slices.Equal(d.q.Written().Lines(), []string{"a: hi"}) {
		t.Errorf("another schema was filled in: %+v, left %q", f.entries, d.q.Written().Lines())
	}
}

// TestUndeliveredForm: answers that could not be delivered come back with the
// very same request after a crash, and with no other.
func TestUndeliveredForm(t *testing.T) {
	t.Parallel()
	for id, back := range map[session.RequestID]bool{"r1": true, "r2": false} {
		d := filled(t, three)
		d.press("a", "tab*3")
		d.settle()
		d.press("y")
		d.answer()
		d = d.crash()
		d.ready(as(id, asking(three)))
		if got := d.form().entries[0].field.text() == "a"; got != back {
			t.Errorf("%s: back %v", id, got)
		}
	}
}

// TestWrittenIsExact: any text of any size survives, and many do not grow
// without bound.
func TestWrittenIsExact(t *testing.T) {
	t.Parallel()
	for _, text := range []string{strings.Repeat("0123456789abcde\n", 5<<16), "\xff\x00\u2028\r\n\x1b[201~ 漢字 👩‍👩‍👧", "</script>\\\""} {
		d := newDesk(t)
		d.ready(session.UserInputRequested{RequestID: "r1", Question: "Why?"})
		d.q.Focus(d.now)
		d.q.Key(tea.PasteMsg{Content: text}, d.now)
		want := d.q.card().open.field.text()
		d = d.crash()
		d.apply(session.UserInputRequested{RequestID: "r1", Question: "Why?"})
		d.q.Focus(d.now)
		if got := d.q.card().open.field.text(); got != want || len(got) < len(text)-1 {
			t.Errorf("%d bytes came back as %d", len(want), len(got))
		}
	}
	var w Written
	for i := range 500 {
		w.Forms = append(w.Forms, WrittenForm{Key: fmt.Sprint(i), Answers: []WrittenAnswer{{Text: "x"}}})
		w.Texts = append(w.Texts, WrittenText{Content: fmt.Sprint(i), Text: fmt.Sprint(i)})
	}
	q := NewQueue()
	q.Restore(w)
	if got := q.Written(); len(got.Forms) != mostForms || len(got.Texts) != mostTexts || got.Texts[mostTexts-1].Text != "499" {
		t.Errorf("%d forms, %d texts", len(got.Forms), len(got.Texts))
	}
}

// TestRevision: it changes with everything that is written, and with nothing
// that the time or the screen does.
func TestRevision(t *testing.T) {
	t.Parallel()
	d := filled(t, three)
	pasted := d.q.Revision()
	if d.key(tea.PasteMsg{Content: "b"}, time.Second); d.q.Revision() == pasted {
		t.Error("a paste changed what is written")
	}
	for _, key := range []string{"a", "backspace", "tab", "1", "tab*2"} {
		before, was := d.q.Revision(), fmt.Sprint(d.q.Written())
		d.press(key)
		if was != fmt.Sprint(d.q.Written()) && d.q.Revision() == before {
			t.Errorf("%s changed what is written", key)
		}
	}
	before := d.q.Revision()
	d.wait(time.Minute)
	d.q.Resize(d.now)
	d.draw()
	d.paint()
	d.q.WindowFocus(false, d.now)
	d.q.WindowFocus(true, d.now)
	d.event(session.Event{Body: session.AssistantTurnStart{}})
	if d.q.Revision() != before {
		t.Error("it changes by itself")
	}
	d.apply(session.Abort{})
	if d.q.Revision() == before {
		t.Error("a form closed unnoticed")
	}
}

// TestForeignContent: what was said about a change that is another one now goes
// along with the answer, and what fits nowhere stays.
func TestForeignContent(t *testing.T) {
	t.Parallel()
	comment := WrittenText{
		Request: "r1", Kind: session.KindPermissionRequested, Content: "other", Line: LineComment, At: 1, Place: "x.go:2", Kept: true, Text: "why?",
	}
	stranger := WrittenText{Request: "r1", Kind: session.KindExitPlanModeRequested, Line: LineAnswer, Text: "no"}
	beyond := comment
	beyond.Line, beyond.Text = "elsewhere", "x"
	d := newDesk(t)
	d.height = 40
	d.q.Restore(Written{Texts: []WrittenText{comment, stranger, beyond}})
	d.ready(change(3, 0))
	d.press("n")
	if got := d.q.card().open.field.text(); got != "x.go:2: why?" {
		t.Errorf("on the line is %q", got)
	}
	if got := d.q.Written().Lines(); !slices.Equal(got, []string{"no", "x.go:2: x", "x.go:2: why?"}) {
		t.Errorf("left: %q", got)
	}
}

// TestRestoredLate: what is read after a question came waits on it too, but
// not where the user writes already.
func TestRestoredLate(t *testing.T) {
	t.Parallel()
	write := func(body session.Body, keys ...string) Written {
		d := newDesk(t)
		d.height = 40
		d.ready(body)
		d.press(keys...)
		return d.q.Written()
	}
	for name, c := range map[string]struct {
		body       session.Body
		keys, here string
		back, left string
	}{
		"not begun":      {shell("git push", "git push"), "n o l d", "", "old", ""},
		"begun":          {shell("git push", "git push"), "n o l d", "n n e w", "new", "old"},
		"open and empty": {shell("git push", "git push"), "n o l d", "n", "", "old"},
		"a comment":      {change(3, 0), "c o l d enter", "c", "", "x.go:1: old"},
		"a form":         {asking(three), "tab o l d", "", "name: old", ""},
		"a begun form":   {asking(three), "tab o l d", "tab n e w", "name: new", "name: old"},
		"a review":       {asking(three), "tab o l d", "tab tab tab tab", "", "name: old"},
	} {
		d := newDesk(t)
		d.height = 40
		d.ready(c.body)
		d.press(strings.Fields(c.here)...)
		d.q.Restore(write(c.body, strings.Fields(c.keys)...))
		d.draw()
		d.settle()
		here := Written{Texts: slices.Clone(d.q.earlier), Forms: slices.Clone(d.q.forms.forms)}.Lines()
		if got := strings.Join(here, "|"); got != c.left {
			t.Errorf("%s: still waits: %q", name, got)
		}
		var want []string
		for _, text := range []string{c.left, c.back} {
			if text != "" {
				want = append(want, text)
			}
		}
		if got := d.q.Written().Lines(); !slices.Equal(got, want) {
			t.Errorf("%s: written is %q, want %q", name, got, want)
		}
		d.none()
	}
}

// FuzzRestore takes in JSON of any kind: nothing panics, nothing is answered,
// and what is written again is understood.
func FuzzRestore(f *testing.F) {
	f.Add([]byte(`{"forms":[{"key":"k","request":"r1","answers":[{"field":0,"label":"name","text":"ada"},{"field":4,"picked":[1]}]}],` +
		`"texts":[{"kind":"permission.requested","line":"comment","at":1,"kept":true,"text":{"base64":"/w=="}}]}`))
	f.Add([]byte(`{"forms":[5,{"key":"x","answers":[null,{"field":-1},{"field":900,"picked":[-1,7e9]}]}],"texts":{"a":1}}`))
	f.Add([]byte(`[]`))
	f.Fuzz(func(t *testing.T, raw []byte) {
		var w Written
		_ = json.Unmarshal(raw, &w) // what is no JSON at all is no Written
		for i := range w.Texts {
			w.Texts[i].Request = "r1"
		}
		for i := range w.Forms {
			w.Forms[i].Key = keyOf(asking(survey))
		}
		w.Lines()
		q, now, th := NewQueue(), start, theme.Plain()
		q.Restore(w)
		for i, body := range []session.Body{
			asking(survey), change(3, 0), session.UserInputRequested{Question: "Why?"}, aPlan("", planText), shell("git push", "git push"),
		} {
			q.Apply(session.Event{Body: as(session.RequestID(fmt.Sprintf("r%d", i)), body)}, now)
		}
		for range 6 {
			q.Focus(now)
			for _, key := range []string{"", "enter", "]"} {
				q.View(60, 20, th)
				q.Painted(q.Generation(), now)
				now = now.Add(time.Second)
				if o := q.Tick(now); o.Answer != nil {
					t.Fatalf("answered: %+v", o)
				}
				if direct := q.dialogs[q.front].writing(); key != "" && !direct {
					if o := q.Key(stroked(key), now); o.Answer != nil {
						t.Fatalf("%s answered: %+v", key, o)
					}
				}
			}
		}
		if first := stored(t, q); len(first) > 0 {
			var again Written
			if err := json.Unmarshal(first, &again); err != nil || !reflect.DeepEqual(again, q.Written()) {
				t.Fatalf("read again: %v\n%+v\n%+v", err, again, q.Written())
			}
		}
	})
}

// TestWrittenSurvives: at any moment of any session, what the user had
// written is there again after a crash, when the same questions are asked, and
// no answer comes out by that; whatever happens next, none comes out that was
// not deliberate.
func TestWrittenSurvives(t *testing.T) {
	t.Parallel()
	th := theme.Plain()
	texts, forms, answers := 0, 0, 0
	rapid.Check(t, func(rt *rapid.T) {
		for range 4 {
			w := newWitness(rt.Fatalf, th)
			for run := range 3 {
				w.session(rt, run)
				before := w.q.Written()
				texts, forms, answers = texts+len(before.Texts), forms+len(before.Forms), answers+w.answers
				w = w.crash(rt)
			}
		}
	})
	t.Logf("%d texts and %d forms came back; %d answers", texts, forms, answers)
	if !testing.Short() && (texts < 100 || forms < 100 || answers < 20) {
		t.Errorf("%d texts, %d forms, %d answers: the test sees too few to judge", texts, forms, answers)
	}
}

// session is a user at work, until the program is killed.
func (w *witness) session(t *rapid.T, run int) {
	for id := range rapid.IntRange(1, 8).Draw(t, "steps") {
		if rapid.IntRange(0, 2).Draw(t, "scribbles") > 0 {
			w.scribble(t, 1000*run+300+id)
		} else {
			w.happen(t, 1000*run+id)
		}
		w.draw()
		w.painted()
		w.pass(time.Duration(rapid.IntRange(0, 900).Draw(t, "pause"))*ms, true)
		w.q.Unsent()
		w.q.Dropped()
	}
}

// scribble is a user who opens a line of a question and writes anything.
func (w *witness) scribble(t *rapid.T, id int) {
	if w.q.Len() == 0 || rapid.Bool().Draw(t, "another") {
		w.askOne(t, id)
	}
	if rapid.IntRange(0, 3).Draw(t, "change") == 0 {
		w.q.Apply(session.Event{Body: as(session.RequestID(fmt.Sprintf("change%d", id)), change(3, 0))}, w.now)
		w.look()
	}
	w.focusKey()
	for range rapid.IntRange(1, 4).Draw(t, "lines") {
		for _, key := range strings.Fields(rapid.SampledFrom([]string{"n", "tab", "3", "c", "j c", "esc n", "enter c", "]", "esc"}).Draw(t, "to")) {
			w.draw()
			w.painted()
			w.pass(900*ms, true)
			w.press(stroked(key))
		}
		w.pass(900*ms, true)
		w.draw()
		if w.q.Len() > 0 && w.q.dialogs[w.q.front].writing() {
			text := tea.PasteMsg{Content: rapid.OneOf(rapid.String(), rapid.Just("\xff\r\n"), rapid.Just("words")).Draw(t, "text")}
			w.note("paste %q", text.Content)
			w.reached, w.typed = true, true
			w.take(w.q.Key(text, w.now), text, nil, w.front)
		}
	}
}

// crash is the witness of a new queue, which was asked the same again.
func (w *witness) crash(t *rapid.T) *witness {
	var stays Written
	if err := json.Unmarshal(stored(t, w.q), &stays); err != nil {
		t.Fatalf("%v", err)
	}
	next := newWitness(t.Fatalf, w.theme)
	next.now, next.trace = w.now.Add(time.Minute), append(w.trace, "crash")
	late := rapid.Bool().Draw(t, "late") // what was stored is read after the questions came
	if !late {
		next.q.Restore(stays)
	}
	for _, d := range w.q.dialogs {
		next.q.Apply(asksOf(w.q.asked[d.about().request]), next.now)
		next.look()
	}
	if late {
		next.draw()
		next.q.Restore(stays)
	}
	was, is := w.q.Written().Lines(), next.q.Written().Lines()
	slices.Sort(was)
	slices.Sort(is)
	if !slices.Equal(was, is) {
		t.Fatalf("%q came back as %q", was, is)
	}
	same := map[string]int{}
	for _, d := range w.q.dialogs {
		same[w.alike(d)]++
	}
	for i, d := range w.q.dialogs {
		again := next.q.dialogs[i]
		if old, now := w.onLines(d), next.onLines(again); same[w.alike(d)] == 1 && len(old) > 0 && !slices.Equal(old, now) {
			t.Fatalf("%s: %q came back as %q", d.about().request, old, now)
		}
		if c, ok := again.(*choiceDialog); ok && (c.open != nil || c.choices.chosen >= 0) {
			t.Fatalf("%s: a line is open, or a row chosen", d.about().request)
		}
	}
	for range 5 {
		next.draw()
		next.painted()
		next.pass(time.Second, true)
	}
	if next.answers > 0 {
		t.Fatalf("answered by itself")
	}
	return next
}

// alike distinguishes questions by what they are about.
func (w *witness) alike(d dialog) string {
	if f, ok := d.(*form); ok {
		return f.key
	}
	return w.q.content(d.about().request)
}

// onLines are the user's words on a dialog.
func (w *witness) onLines(d dialog) []string {
	var texts []string
	switch d := d.(type) {
	case *form:
		for _, a := range d.record(false).Answers {
			texts = append(texts, fmt.Sprintf("%d %q %v", a.Field, a.Text, a.Picked))
		}
	case *choiceDialog:
		for _, t := range d.texts() {
			texts = append(texts, fmt.Sprintf("%s %d %v %q", t.Line, t.At, t.Kept, t.Text))
		}
	}
	return texts
}

// TestTheSameCommentTwice: of two comments of the same words on one line, one
// kept and one begun, both are there again, in either order.
func TestTheSameCommentTwice(t *testing.T) {
	t.Parallel()
	for _, kept := range []bool{false, true} {
		q := NewQueue()
		comment := WrittenText{Request: "r1", Kind: session.KindPermissionRequested, Line: LineComment, At: 1, Text: "words", Kept: kept}
		q.Apply(session.Event{Body: as("r1", change(3, 0))}, start)
		comment.Content = q.content("r1")
		other := comment
		other.Kept = !kept
		q.Restore(Written{Texts: []WrittenText{comment, other}})
		if got := q.Written().Lines(); len(got) != 2 {
			t.Errorf("kept first %t: %q", kept, got)
		}
	}
}
