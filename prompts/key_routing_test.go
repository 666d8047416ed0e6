package prompts

import (
	"slices"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"parley/prompts/consent"
	"parley/session"
	"parley/theme"
)

// TestModifiersSayNothing: a key that only changes others is taken by the card that
// has the focus, and is no company of a letter that answers.
func TestModifiersSayNothing(t *testing.T) {
	t.Parallel()
	for code, modifies := range map[rune]bool{
		tea.KeyCapsLock - 1: false, tea.KeyCapsLock: true, tea.KeyLeftShift: true,
		tea.KeyIsoLevel5Shift: true, tea.KeyIsoLevel5Shift + 1: false,
	} {
		w := askedWith(t, nil)
		w.q.Key(stroked("y"), w.now)
		o := w.q.Key(tea.KeyPressMsg{Code: code}, w.now.Add(100*ms))
		if !o.Taken {
			t.Errorf("%U: the card does not take it", code)
		}
		if answered := w.q.Tick(w.now.Add(consent.Alone)).Answer != nil; answered != modifies {
			t.Errorf("%U behind a letter: answered %v", code, answered)
		}
		w = askedWith(t, nil)
		w.q.Blur(w.now)
		if o := w.q.Key(tea.KeyPressMsg{Code: code}, w.now); o.Taken {
			t.Errorf("%U: a card without focus takes it", code)
		}
	}
}

// TestReleases: a card that has the focus takes them, and the same key is pressed
// anew behind one.
func TestReleases(t *testing.T) {
	t.Parallel()
	for _, released := range []bool{false, true} {
		w := askedWith(t, nil)
		w.alone("down")
		w.q.Key(tea.KeyPressMsg{Code: tea.KeyEnter, IsRepeat: true}, w.now)
		if released && !w.q.Key(tea.KeyReleaseMsg{Code: tea.KeyEnter}, w.now.Add(50*ms)).Taken {
			t.Error("the card does not take a release")
		}
		o := w.q.Key(stroked("enter"), w.now.Add(100*ms))
		if (o.Answer != nil) != released {
			t.Errorf("released %v: %+v", released, o.Answer)
		}
	}
	w := askedWith(t, nil)
	w.q.Blur(w.now)
	if w.q.Key(tea.KeyReleaseMsg{Code: tea.KeyEnter}, w.now).Taken {
		t.Error("a card without focus takes a release")
	}
}

// TestAnswerThatWasDue: a key that comes when a letter has been alone for long
// enough does not take the answer back, and goes to the draft behind it.
func TestAnswerThatWasDue(t *testing.T) {
	t.Parallel()
	w := askedWith(t, nil)
	w.q.Key(stroked("y"), w.now)
	o := w.q.Key(stroked("z"), w.now.Add(consent.Alone))
	if o.Answer == nil || !o.Taken || len(o.Draft) != 1 || o.Draft[0] != tea.Msg(stroked("z")) {
		t.Errorf("got %+v", o)
	}
}

// TestEffectThatWasDue: a key that comes when a letter has been alone for long enough
// does not take back what that asked for.
func TestEffectThatWasDue(t *testing.T) {
	t.Parallel()
	w := askedWith(t, nil)
	w.q.Key(stroked("c"), w.now)
	o := w.q.Key(stroked("down"), w.now.Add(consent.Alone))
	if o.Effect != Effect(CopyText{Text: "git push"}) || w.q.card().choices.chosen != 0 {
		t.Errorf("got %+v, row %d", o, w.q.card().choices.chosen)
	}
}

// TestKeyBehindALetterForTheDraft: a key that comes before a letter was given to the
// draft goes there behind it.
func TestKeyBehindALetterForTheDraft(t *testing.T) {
	t.Parallel()
	w := askedWith(t, nil)
	w.q.Key(stroked("y"), w.now)
	w.q.Blur(w.now)
	o := w.q.Key(stroked("z"), w.now)
	if !o.Taken || !slices.Equal(o.Draft, []tea.Msg{stroked("y"), stroked("z")}) {
		t.Errorf("got %+v", o)
	}
}

// TestEscapeBeforeTheCardListens: it closes a line at once, which answers nothing,
// and where no line is open it goes elsewhere, as other keys do.
func TestEscapeBeforeTheCardListens(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name, key string
		line      bool
		focused   bool // behind the key
	}{
		{"a line", "esc", true, true},
		{"a line", "ctrl+c", true, false},
		{"rows", "esc", false, true},
		{"rows", "ctrl+c", false, true},
	} {
		w := askedWith(t, nil)
		if tt.line {
			w.alone("n")
		}
		w.q.Resize(w.now)
		o := w.q.Key(stroked(tt.key), w.now)
		if o.Taken != tt.line || w.q.Focused() != tt.focused || w.q.card().writing() {
			t.Errorf("%s on %s: taken %v, focus %v, writing %v", tt.key, tt.name, o.Taken, w.q.Focused(), w.q.card().writing())
		}
	}
}

// recorder is a dialog that keeps the names of the keys that reach it.
type recorder struct {
	dialog
	pressed []string
}

func (r *recorder) press(k tea.KeyPressMsg) result {
	r.pressed = append(r.pressed, KeyName(k))
	return r.dialog.press(k)
}

// TestKeysOfTheQueue: a key that leaves a line or a question, or goes to another
// question, reaches no dialog, but for a bracket that is written.
func TestKeysOfTheQueue(t *testing.T) {
	t.Parallel()
	for _, key := range []string{"esc", "ctrl+c", "[", "]"} {
		for _, before := range []string{"down", "?", "n"} {
			w := askedWith(t, nil)
			w.q.Apply(question("other", ""), w.now)
			r := &recorder{dialog: w.q.dialogs[0]}
			w.q.dialogs[0], w.q.shown = r, r
			w.alone(before)
			w.alone(key)
			written := before == "n" && stroked(key).Text != ""
			if reached := slices.Contains(r.pressed, key); reached != written {
				t.Errorf("%s behind %s reaches the dialog: %v", key, before, reached)
			}
		}
	}
}

// TestOnlyQuestionHasNoOther: a bracket is typed where there is no question to go to.
func TestOnlyQuestionHasNoOther(t *testing.T) {
	t.Parallel()
	for _, bracket := range []string{"[", "]"} {
		d := newDesk(t)
		d.ready(shell("git push", "git push"))
		if d.press(bracket); d.draft.String() != bracket || d.q.Focused() {
			t.Errorf("%s: draft %q, focus %v", bracket, d.draft.String(), d.q.Focused())
		}
	}
}

// TestGoneToAnotherQuestion: of the question that the user goes away from, no row
// stays chosen, and its fields do not take letters when the user is back.
func TestGoneToAnotherQuestion(t *testing.T) {
	t.Parallel()
	there := func(d *desk) {
		for _, key := range []string{"]", "["} {
			d.press(key)
			d.settle()
		}
	}
	d := newDesk(t)
	d.event(asked("a", ""))
	d.event(asked("b", ""))
	d.settle()
	d.press("down")
	there(d)
	d.press("enter")
	d.none()

	d = newDesk(t)
	d.apply(asking(three))
	d.event(asked("b", ""))
	d.settle()
	there(d)
	if d.press("a"); d.draft.String() != "a" {
		t.Errorf("the form takes a letter: draft %q\n%s", d.draft.String(), d.text())
	}
}

// TestPageIsReadBeforeItAnswers: a page that the user goes to answers nothing before
// it was drawn, however they got there.
func TestPageIsReadBeforeItAnswers(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name, before, key string
		turns             bool
	}{
		{"to the review", "a tab*2", "tab", true},
		{"back by a key", "a tab*3", "shift+tab", true},
		{"back by esc", "a tab*3", "esc", true},
		{"back by a row", "a tab*3 down*2", "enter", true},
		{"what esc asks", "a", "esc", true},
		{"to another field", "a", "tab", false},
		{"to another row", "a tab*3", "down", false},
	} {
		d := filled(t, three)
		for name := range strings.FieldsSeq(tt.before) {
			d.press(name)
			d.settle()
		}
		d.q.Key(stroked(tt.key), d.now)
		d.q.Tick(d.now.Add(2 * time.Second))
		if armed := d.q.consent.Armed(d.now.Add(2 * time.Second)); armed == tt.turns {
			t.Errorf("%s: listens %v\n%s", tt.name, armed, d.text())
		}
	}
}

// TestEditorThatOnlyShows: what is saved in an editor that only shows a text is
// written nowhere.
func TestEditorThatOnlyShows(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	d.ready(shell("git push", "git push"))
	d.press("n", "ctrl+g")
	d.q.Edited("mine", d.now)
	d.press("esc")
	for _, key := range []string{"e", "down"} {
		d.press(key)
		if d.q.Edited("not mine", d.now); d.q.card().writing() || d.q.Written().Lines()[0] != "mine" {
			t.Errorf("%s: written %q", key, d.q.Written().Lines())
		}
	}
	if e, ok := d.effects[1].(OpenEditor); !ok || !e.ReadOnly {
		t.Errorf("not the case that is tested: %+v", d.effects)
	}
}

// TestKeysOfEachPlace: the rows of a card, its line, the choices of a form and its
// lines have the user's keys for each, and the letters that end a form have none.
func TestKeysOfEachPlace(t *testing.T) {
	t.Parallel()
	place := func(name string) Bindings { return Bindings{Shown: map[string]string{"place": name}} }
	keys := &Keys{Card: place("card"), Line: place("line"), Form: place("form"), FormLine: place("form line")}
	form := func(schema string) session.Body { return asking(schema) }
	for _, tt := range []struct {
		name  string
		ask   session.Body
		keys  []string
		press string
		want  string
	}{
		{"the rows of a card", shell("ls", "ls"), nil, "y", "card"},
		{"x of a card", shell("ls", "ls"), nil, "x", ""},
		{"d of a card", shell("ls", "ls"), nil, "d", "card"},
		{"the line of a card", shell("ls", "ls"), []string{"n"}, "y", "line"},
		{"a line of a form", form(three), []string{"tab"}, "a", "form line"},
		{"a choice of a form", form(three), []string{"tab", "tab"}, "a", "form"},
		{"the review of a form", form(three), []string{"tab", "tab", "tab", "tab"}, "y", "card"},
		{"d of a review", form(three), []string{"tab", "tab", "tab", "tab"}, "d", ""},
		{"x of a review", form(three), []string{"tab", "tab", "tab", "tab"}, "x", ""},
	} {
		d := newDesk(t)
		d.height = 40
		d.ready(tt.ask)
		d.press(tt.keys...)
		d.q.Bind(keys)
		if got := d.q.bindings(stroked(tt.press)).Shown["place"]; got != tt.want {
			t.Errorf("%s: %q, want %q\n%s", tt.name, got, tt.want, d.text())
		}
	}
}

// TestLineKeepsItsKeys: where a line is written, what prints is written and Enter
// ends it, whatever the user's keys are, and no other key writes.
func TestLineKeepsItsKeys(t *testing.T) {
	t.Parallel()
	for _, enter := range []tea.KeyPressMsg{{Code: tea.KeyEnter}, {Code: tea.KeyKpEnter}} {
		w := newWitness(t.Fatalf, theme.Plain())
		keys := bound(map[string]string{"f1": "x", "o": "backspace", "enter": "f1", "kpenter": "f1"})
		keys.Card = Bindings{}
		w.q.Bind(keys)
		w.q.Apply(session.Event{Body: shell("git push", "git push")}, w.now)
		w.listen()
		for _, name := range []string{"n", "n", "f1", "o"} {
			w.alone(name)
		}
		o := w.q.Key(enter, w.now)
		if a, ok := o.Answer.(session.PermissionAnswer); !ok || a.Feedback != "no" {
			t.Errorf("%s: answered %+v", enter.Keystroke(), o.Answer)
		}
	}
}

func TestKeyNames(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		key    tea.KeyPressMsg
		name   string
		single bool
	}{
		{stroked("a"), "a", true},
		{stroked("A"), "A", true},
		{stroked("?"), "?", true},
		{stroked("space"), "space", false},
		{stroked("enter"), "enter", false},
		{stroked("ctrl+a"), "ctrl+a", false},
		{tea.KeyPressMsg{Code: 'a', Text: "a", Mod: tea.ModAlt}, "alt+a", false},
		{tea.KeyPressMsg{Code: 'a', Text: "ab"}, "ab", false},
	} {
		if got := KeyName(tt.key); got != tt.name {
			t.Errorf("%q, want %q", got, tt.name)
		}
		if got := single(tt.key); got != tt.single {
			t.Errorf("%s: single %v", tt.name, got)
		}
	}
	if k := DefaultKeys(); k.Focus != "ctrl+x p" || k.Turn != "tab" {
		t.Errorf("got %+v", k)
	}
	if got := (Bindings{}).arrows("↑↓"); got != "↑↓" {
		t.Errorf("the arrows are shown as %q", got)
	}
	if got := (Bindings{Shown: map[string]string{"up": "p", "down": "n"}}).arrows("↑↓"); got != "p n" {
		t.Errorf("the user's keys in place of the arrows are shown as %q", got)
	}
}

// TestRolesOfTheUsersKeys: a letter that stands for Enter must come alone as one that
// answers, and a key that stands for nothing is only what is typed.
func TestRolesOfTheUsersKeys(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		press string
		want  consent.Role
	}{
		{"enter", consent.Chooses},
		{"z", consent.Answers},
		{"o", consent.Answers},
		{"n", consent.Answers},
		{"u", consent.Moves},
		{"f1", consent.Moves},
		{"down", consent.Moves},
		{"y", consent.Unused},      // stands for nothing
		{"ctrl+y", consent.Unused}, // no letter, for a key that answers
	} {
		w := askedWith(t, map[string]string{"z": "enter", "o": "y", "y": "", "u": "down", "f1": "up", "ctrl+y": "enter"})
		w.alone("down")
		if got := w.q.roleOf(stroked(tt.press)); got != tt.want {
			t.Errorf("%s: role %d, want %d", tt.press, got, tt.want)
		}
	}
}

// TestKeysThatStandForNothing: where letters are written or choose, such a key is
// taken and does nothing; elsewhere it is not the card's.
func TestKeysThatStandForNothing(t *testing.T) {
	t.Parallel()
	free := session.UserInputRequested{RequestID: "r1", Question: "Why?"}
	for _, tt := range []struct {
		name  string
		ask   session.Body
		keys  string
		press string
		taken bool
	}{
		{"a line", shell("ls", "ls"), "n", "backspace", true},
		{"a line that opened by itself", free, "", "ctrl+j", true},
		{"a choice of a form", asking(three), "tab tab", "1", true},
		{"a form that waits", asking(three), "", "tab", true},
		{"the review of a form", asking(three), "tab tab tab tab", "down", false},
		{"rows", shell("ls", "ls"), "", "down", false},
		{"another key on the rows", shell("ls", "ls"), "", "f1", false},
	} {
		d := newDesk(t)
		d.height = 40
		d.ready(tt.ask)
		for name := range strings.FieldsSeq(tt.keys) {
			d.press(name)
			d.settle()
		}
		before := d.text()
		d.q.Bind(bound(map[string]string{tt.press: ""}))
		o := d.q.Key(stroked(tt.press), d.now)
		d.draw()
		if o.Taken != tt.taken || len(o.Draft) > 0 || !d.q.Focused() {
			t.Errorf("%s: %s: taken %v, for the draft %v, focus %v", tt.name, tt.press, o.Taken, o.Draft, d.q.Focused())
		}
		d.q.Bind(DefaultKeys())
		d.settle()
		if got := d.text(); got != before {
			t.Errorf("%s: %s changed\n%s\nto\n%s", tt.name, tt.press, before, got)
		}
	}
}

// TestAUsersLetterRepeats: a letter that stands for Enter and is held down answers
// nothing, and a key that does so leaves no field.
func TestAUsersLetterRepeats(t *testing.T) {
	t.Parallel()
	w := askedWith(t, map[string]string{"z": "enter"})
	w.alone("down")
	held := stroked("z")
	held.IsRepeat = true
	if o := w.q.Key(held, w.now); o.Answer != nil {
		t.Errorf("answered %+v", o.Answer)
	}
	if o := w.q.Tick(w.now.Add(consent.Quiet)); o.Answer != nil {
		t.Errorf("answered %+v later", o.Answer)
	}
	d := filled(t, three)
	d.q.Bind(bound(map[string]string{"f1": "enter"}))
	d.press("tab")
	d.key(tea.KeyPressMsg{Code: tea.KeyF1, IsRepeat: true}, time.Second)
	if f := d.form(); f.at != 1 {
		t.Errorf("went to field %d", f.at)
	}
	if d.press("f1"); d.form().at != 2 {
		t.Errorf("not the case that is tested: field %d", d.form().at)
	}
}

// TestQuickOnACard: a letter that answers, right behind keys that the card took, answers
// nothing. Where the user had gone to the card it is not for the draft, and the card says that
// it was too quick; what shows that they type takes all of it back.
func TestQuickOnACard(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		went        bool
		typed, want string // the draft
	}{
		{true, "Gvvf", ""},
		{true, "Gvvfoo", "Gvvfoo"},
		{false, "Gvvf", "Gvvf"},
	} {
		d := newDesk(t)
		d.ready(session.ExitPlanModeRequested{RequestID: "p", Summary: "Do it", PlanContent: "One.", Actions: []string{"interactive"}})
		if c.went {
			d.q.Focus(d.now)
			d.draw()
			d.settle()
		}
		for _, letter := range c.typed {
			d.key(stroked(string(letter)), 40*time.Millisecond)
		}
		says := strings.Contains(d.text(), "too quick: press f again, alone")
		if d.draft.String() != c.want || says != (c.want == "") {
			t.Errorf("%q, went there %t: draft %q\n%s", c.typed, c.went, d.draft.String(), d.text())
		}
		d.wait(time.Minute)
		d.none()
	}
}

// TestLetterThatDidNotCountChoosesNothing: in the full view, where a letter that came with
// another is lost, Enter later does not answer with the row that it would have chosen.
func TestLetterThatDidNotCountChoosesNothing(t *testing.T) {
	t.Parallel()
	for _, full := range []bool{false, true} {
		for _, gaps := range [][]int{{13}, {150}, {586, 151}} {
			w := newWitness(t.Fatalf, theme.Plain())
			w.q.Apply(asksOf(shell("git push", "git push")), w.now)
			w.look()
			w.focusKey()
			w.draw()
			w.painted()
			w.pass(time.Second, true)
			if full {
				w.press(stroked("v"))
				w.draw()
				w.painted()
				w.pass(time.Second, true)
			}
			keys := []string{"s", "s"}[2-len(gaps):]
			for i, gap := range gaps {
				w.press(stroked(keys[i]))
				w.draw()
				w.pass(time.Duration(gap)*ms, true)
			}
			w.press(stroked("+"))
			w.draw()
			w.pass(778*ms, true)
			w.draw()
			w.press(stroked("enter"))
			if w.answers > 0 || w.q.Len() == 0 {
				t.Errorf("full view %v: s, %v ms, + and enter answered", full, gaps)
			}
		}
	}
}
