package prompts

import (
	"fmt"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"pgregory.net/rapid"

	"parley/session"
	"parley/theme"
)

// happen is one step of a random interleaving.
func (w *witness) happen(t *rapid.T, id int) {
	letters := []string{"y", "s", "l", "n", "o", "P", "j", "k", "v", "?", "1", "2", "3", "[", "]", "a", "e", "t", "/", "G", "+", "@"}
	keys := append([]string{"enter", "up", "down", "tab", "esc", "ctrl+c", "pgdown", "shift", "f1", "backspace"}, letters...)
	name := func(from []string) tea.KeyPressMsg { return stroked(rapid.SampledFrom(from).Draw(t, "key")) }
	switch what := rapid.IntRange(0, 20).Draw(t, "what"); what {
	case 0, 1: // a burst of typing
		for range rapid.IntRange(1, 5).Draw(t, "letters") {
			w.press(name(letters))
			w.pass(time.Duration(rapid.IntRange(5, 600).Draw(t, "gap"))*ms, rapid.Bool().Draw(t, "ticks"))
		}
	case 2, 3, 4, 5: // a single key after a pause of any length
		w.press(name(keys))
	case 6, 7, 8, 9: // a user who looks and answers, more or less patiently
		if w.q.Len() == 0 {
			w.askOne(t, 100+id)
		}
		w.pass(0, true)
		if rapid.IntRange(0, 2).Draw(t, "focus key") > 0 {
			w.focusKey()
		}
		w.draw()
		w.pass(10*ms, true)
		w.painted()
		w.pass(time.Duration(rapid.IntRange(300, 900).Draw(t, "pause"))*ms, true)
		for range rapid.IntRange(1, 5).Draw(t, "keys") {
			w.press(name([]string{"y", "s", "l", "n", "1", "2", "down", "enter", "]", "pgdown", "pgdown", "+"}))
			if w.reading {
				w.fileRead()
			}
			w.draw()
			w.pass(time.Duration(rapid.IntRange(150, 900).Draw(t, "after"))*ms, true)
		}
	case 10:
		w.note("paste")
		written, front := w.own(), w.front
		o := w.q.Key(tea.PasteMsg{Content: "y"}, w.now)
		w.judgeLine(o, written, front)
		if o.Taken && len(o.Draft) == 0 { // on a line that a key of the card has opened
			w.reached, w.typed = true, true
		}
		w.take(o, tea.PasteMsg{Content: "y"}, nil, w.front)
	case 11: // a key held down, reported as such or not
		k := name([]string{"y", "enter", "down", "a"})
		for i := range rapid.IntRange(2, 5).Draw(t, "repeats") {
			k.IsRepeat = i > 0 && rapid.Bool().Draw(t, "reported")
			w.press(k)
			w.pass(33*ms, true)
		}
	case 12:
		if n := len(w.presses); n > 0 {
			w.note("release")
			code := w.presses[n-1].code
			for i := range w.presses { // a key that is up ends every press of it
				w.presses[i].released = w.presses[i].released || w.presses[i].code == code
			}
			w.take(w.q.Key(tea.KeyReleaseMsg{Code: code}, w.now), nil, nil, w.front)
		}
	case 13:
		w.width, w.height = rapid.IntRange(30, 120).Draw(t, "width"), rapid.IntRange(20, 60).Draw(t, "height")
		w.note("resize to %dx%d", w.width, w.height)
		w.moved()
		clear(w.read) // what was read of it, it was in another size
		w.q.Sized(w.width, w.height, w.now)
		w.look()
	case 14:
		w.away = !w.away && rapid.Bool().Draw(t, "away")
		w.note("window away %v", w.away)
		if !w.away {
			w.focusIn = w.now
		}
		w.q.WindowFocus(!w.away, w.now)
		w.look()
	case 15:
		w.focusKey()
	case 16:
		switch {
		case rapid.Bool().Draw(t, "blur"):
			w.note("blur, draft sent")
			w.q.Blur(w.now)
			w.cleared = time.Time{}
		case !w.draftEmpty:
			w.note("draft sent")
			w.cleared = w.now
		}
		w.draftEmpty = true
		w.q.Draft(true)
		w.look()
	case 17:
		w.settleOne(t)
	case 18, 19:
		w.fill(t, id)
	case 20:
		w.answerOwn(t, id)
	}
	w.pass(0, true) // the window wakes the queue when it asks for it
	if w.reading && rapid.Bool().Draw(t, "file") {
		w.fileRead()
	}
	w.filesFound(t)
	if rapid.IntRange(0, 3).Draw(t, "ask") == 0 {
		w.askOne(t, id)
	}
}

// fill is a user who goes into a form and fills it in, more or less patiently.
func (w *witness) fill(t *rapid.T, id int) {
	if w.q.Len() == 0 {
		w.askForm(t, 200+id)
	}
	w.pass(0, true)
	w.focusKey()
	w.draw()
	w.painted()
	w.pass(time.Duration(rapid.IntRange(300, 900).Draw(t, "pause"))*ms, true)
	keys := []string{
		"a", "a", "b", "y", "d", "x", "1", "2", "3", "4", "enter", "enter", "ctrl+enter", "tab", "tab", "shift+tab", "down", "down", "up",
		"esc", "space", "backspace", "@",
	}
	names := rapid.SliceOfN(rapid.SampledFrom(keys), 1, 8).Draw(t, "names")
	if rapid.Bool().Draw(t, "straight") { // to the rows, and one of them
		names = []string{"tab", "tab", "tab", rapid.SampledFrom([]string{"esc", "tab", "up"}).Draw(t, "to")}
		for range rapid.IntRange(0, 4).Draw(t, "rows") {
			names = append(names, "down")
		}
		names = append(names, rapid.SampledFrom([]string{"enter", "y", "d", "x"}).Draw(t, "row"))
	}
	for _, name := range names {
		w.press(stroked(name))
		w.draw()
		if rapid.Bool().Draw(t, "confirmed") {
			w.painted()
		}
		w.pass(time.Duration(rapid.SampledFrom([]int{20, 150, 300, 500, 900, 1500}).Draw(t, "after"))*ms, true)
		w.filesFound(t)
	}
}

// answerOwn is a user who sees a question without choices and writes an answer,
// more or less patiently; the window may change meanwhile.
func (w *witness) answerOwn(t *rapid.T, id int) {
	if w.q.Len() == 0 {
		w.note("ask in words")
		w.q.Apply(session.Event{Body: session.UserInputRequested{
			RequestID: session.RequestID(fmt.Sprintf("free%d", 300+id)), Question: "Why?",
		}}, w.now)
		w.look()
	}
	w.pass(0, true)
	w.draw()
	if rapid.Bool().Draw(t, "confirmed") {
		w.painted()
	}
	w.pass(time.Duration(rapid.IntRange(300, 1500).Draw(t, "pause"))*ms, true)
	w.draw()
	for range rapid.IntRange(1, 5).Draw(t, "letters") {
		w.press(stroked(rapid.SampledFrom([]string{"a", "y", "1", "backspace", "space", "[", "@", "tab"}).Draw(t, "letter")))
		w.draw()
		w.pass(time.Duration(rapid.IntRange(20, 500).Draw(t, "gap"))*ms, true)
		w.filesFound(t)
		switch rapid.IntRange(0, 9).Draw(t, "meanwhile") {
		case 0:
			w.note("resize")
			w.moved()
			w.q.Resize(w.now)
			w.look()
		case 1:
			w.note("a key elsewhere")
			w.elsewhere = append(w.elsewhere, w.now)
			w.q.Elsewhere(w.now)
			w.look()
		}
	}
	w.press(stroked("enter"))
}

// askForm asks for one answer, or for three.
func (w *witness) askForm(t *rapid.T, id int) {
	r := session.ElicitationRequested{
		RequestID:       session.RequestID(fmt.Sprintf("form1.%d", id)),
		RequestedSchema: []byte(`{"properties":{"why":{"type":"string","maxLength":50}}}`),
	}
	if rapid.Bool().Draw(t, "three") {
		r.RequestID = session.RequestID(fmt.Sprintf("form3.%d", id))
		r.RequestedSchema = []byte(`{"properties":{"why":{"type":"string"},"sure":{"type":"boolean"},"what":{"enum":["a","b"]}}}`)
	}
	w.note("ask for a form %s", r.RequestID)
	w.q.Apply(session.Event{Body: r}, w.now)
	w.look()
	w.pass(0, true)
}

// painted is a terminal that confirms what is on the screen.
func (w *witness) painted() {
	w.q.Painted(w.q.Generation(), w.now)
	if !w.drawn.IsZero() && w.confirmed.IsZero() {
		w.confirmed = w.now
	}
}

// filesFound gives a question the files that it looks for, at any time.
func (w *witness) filesFound(t *rapid.T) {
	if !rapid.Bool().Draw(t, "files") {
		return
	}
	found := rapid.SliceOfN(rapid.SampledFrom([]string{"@a.go", "@y", `@"my files/"`}), 0, 3).Draw(t, "found")
	w.note("files found for %q: %q", w.sought, found)
	w.q.FilesFound(w.sought, found, false, w.now)
	w.look()
}

// fileRead gives a question the file that it asked for.
func (w *witness) fileRead() {
	w.note("file read")
	w.reading = false
	_, file := editOf()
	before := w.q.Generation()
	w.q.FileRead(file, nil, w.now)
	if w.q.Generation() != before {
		w.moved()
	}
	w.look()
}

func (w *witness) focusKey() {
	w.note("focus")
	if w.q.Focus(w.now) {
		w.intended = true
	}
	w.look()
	w.went, w.asked = w.q.Focused(), w.q.Focused()
	form := strings.HasPrefix(string(w.front), "form1") && w.typed && w.page == ""
	if form || strings.HasPrefix(string(w.front), "free") { // its only line opens with the focus
		w.reached = true
	}
}

// asksOf is the event of a question. One that is called unread came with a member
// that could not be read.
func asksOf(ask session.Ask) session.Event {
	ev := session.Event{Body: ask}
	if strings.HasPrefix(string(ask.Request()), "unread") {
		ev.Unreadable = []session.Unreadable{{Path: "/data/permissionRequest/warning", Value: []byte("5"), Reason: "it should not be a number"}}
	}
	return ev
}

func (w *witness) askOne(t *rapid.T, id int) {
	if rapid.IntRange(0, 5).Draw(t, "form") == 0 {
		w.askForm(t, id)
		return
	}
	r := shell("git push", "git push")
	r.RequestID = session.RequestID(fmt.Sprintf("shell%d", id))
	var body session.Ask = r
	switch rapid.IntRange(0, 12).Draw(t, "kind") {
	case 12:
		r := shell("make it")
		r.RequestID, r.Options = session.RequestID(fmt.Sprintf("options%d", id)), agentOptions()
		body = r
	case 11:
		r, _ := editOf()
		r.RequestID = session.RequestID(fmt.Sprintf("edit%d", id))
		body = r
	case 10:
		body = session.FolderTrustRequested{RequestID: session.RequestID(fmt.Sprintf("trust%d", id)), Folder: "/x"}
	case 9:
		r.RequestID = session.RequestID(fmt.Sprintf("unread%d", id))
		body = r
	case 8:
		body = session.ExitPlanModeRequested{
			RequestID: session.RequestID(fmt.Sprintf("documented%d", id)), Summary: "Do it", PlanContent: "1. Do it\n",
			Actions: []string{planReject, "teleport", planApprove, planEdit}, RecommendedAction: planReject,
		}
	case 6:
		body = session.ExitPlanModeRequested{
			RequestID: session.RequestID(fmt.Sprintf("plan%d", id)), Summary: "Do it", PlanContent: "1. Do it\n",
			Actions: []string{planAutopilot, planInteractive}, RecommendedAction: planAutopilot,
		}
	case 7:
		body = session.SessionLimitsExhaustedRequested{
			RequestID: session.RequestID(fmt.Sprintf("limit%d", id)), UsedAICredits: 10, MaxAICredits: 10,
		}
	case 5:
		var lines []string
		for i := range longLines {
			lines = append(lines, fmt.Sprintf("echo line%d.", i))
		}
		r := shell(strings.Join(lines, "\n"), "echo")
		r.RequestID = session.RequestID(fmt.Sprintf("long%d", id))
		body = r
	case 0:
		r := shell("rm -rf /", "rm")
		r.RequestID = session.RequestID(fmt.Sprintf("danger%d", id))
		body = r
	case 1:
		body = session.UserInputRequested{
			RequestID: session.RequestID(fmt.Sprintf("question%d", id)), Question: "Which?", Choices: []string{"red", "green"},
		}
	case 2:
		body = session.UserInputRequested{RequestID: session.RequestID(fmt.Sprintf("free%d", id)), Question: "Why?"}
	}
	w.note("ask %T", body)
	w.q.Apply(asksOf(body), w.now)
	w.look()
	w.pass(0, true)
}

func (w *witness) settleOne(t *rapid.T) {
	if w.q.Len() == 0 {
		return
	}
	c := w.q.dialogs[rapid.IntRange(0, w.q.Len()-1).Draw(t, "settled")]
	w.note("settled %s", c.about().request)
	w.q.Apply(session.Event{Body: session.PermissionCompleted{RequestID: c.about().request}}, w.now)
	w.look()
}

// TestNoAnswerWithoutIntent runs ten thousand random interleavings of typing,
// pastes, repeats, releases, resizes, focus changes, questions that come and
// go, frames that are confirmed late or never, and time that passes with and
// without ticks.
func TestNoAnswerWithoutIntent(t *testing.T) {
	t.Parallel()
	const each = 100
	answers, longs, alone, unasked, runs, th := 0, 0, 0, 0, 0, theme.Plain()
	forms := map[string]int{}
	rapid.Check(t, func(t *rapid.T) {
		for range each {
			runs++
			w := interleaving(t, th)
			answers, longs, alone, unasked = answers+w.answers, longs+w.longs, alone+w.careful, unasked+w.unasked
			for how, n := range w.forms {
				forms[how] += n
			}
		}
	})
	t.Logf("%d answers in %d interleavings, %d of them to long questions, %d on a line that opened by itself; forms: %v", answers, runs, longs, unasked, forms)
	if runs < 10000 && !testing.Short() {
		t.Errorf("only %d interleavings", runs)
	}
	for _, how := range []string{"accept field", "accept letter", "accept enter", "decline letter", "decline enter", "cancel letter", "cancel enter"} {
		if forms[how] == 0 {
			t.Errorf("no form ended by %s: the test sees too few to judge: %v", how, forms)
		}
	}
	if alone == 0 {
		t.Error("no answer let the agent continue alone: the test sees too few to judge")
	}
	if unasked < 20 && !testing.Short() {
		t.Errorf("%d answers on lines that opened by themselves: the test sees too few to judge", unasked)
	}
	if longs == 0 {
		t.Error("no long question was approved: the test sees too few to judge")
	}
	if answers < runs/20 {
		t.Errorf("%d answers in %d interleavings: the test sees too few to judge", answers, runs)
	}
}

func interleaving(t *rapid.T, th *theme.Theme) *witness { return interleavingWith(t, th, nil) }

// interleavingWith is an interleaving with keys of the user's.
func interleavingWith(t *rapid.T, th *theme.Theme, meant map[string]string) *witness {
	w := newWitness(t.Fatalf, th)
	if meant != nil {
		w.meant = meant
		w.q.Bind(bound(meant))
		w.note("keys %v", meant)
	}
	for id := range rapid.IntRange(4, 24).Draw(t, "steps") {
		w.happen(t, id)
		if rapid.IntRange(0, 9).Draw(t, "drawn") > 0 {
			w.draw()
		}
		switch rapid.IntRange(0, 5).Draw(t, "terminal") {
		case 0, 1, 2:
			w.painted()
		case 3:
			w.q.Painted(w.q.Generation()-1, w.now)
		}
		d := rapid.SampledFrom([]time.Duration{0, 1, 40, 150, 210, 390, 410, 1500}).Draw(t, "pause")
		w.pass(d*ms, rapid.IntRange(0, 3).Draw(t, "ticks") > 0)
	}
	return w
}

// TestPatience: whatever happened before, a user who waits, looks and
// presses y is answered 200 ms later.
func TestPatience(t *testing.T) {
	t.Parallel()
	th := theme.Plain()
	rapid.Check(t, func(rt *rapid.T) {
		w := newWitness(func(string, ...any) {}, th)
		for id := range rapid.IntRange(0, 20).Draw(rt, "steps") {
			w.happen(rt, id)
			w.draw()
			w.pass(time.Duration(rapid.IntRange(0, 600).Draw(rt, "pause"))*ms, true)
		}
		w.pass(time.Second, true)
		w.q.WindowFocus(true, w.now)
		w.q.Blur(w.now)
		for w.q.Len() > 0 {
			w.q.Apply(session.Event{Body: session.PermissionCompleted{RequestID: w.q.dialogs[0].about().request}}, w.now)
		}
		r := shell("git push", "git push")
		r.RequestID = "last"
		w.q.Apply(session.Event{Body: r}, w.now)
		if rapid.Bool().Draw(rt, "focus key") || !w.draftEmpty {
			w.q.Focus(w.now)
		}
		w.look()
		w.draw()
		lost := rapid.Bool().Draw(rt, "confirmation lost")
		if !lost {
			w.pass(30*ms, true)
			w.q.Painted(w.q.Generation(), w.now)
		}
		w.pass(900*ms, true)
		if o := w.q.Key(stroked("y"), w.now); !o.Taken || o.Answer != nil || !o.Wake.Equal(w.now.Add(200*ms)) {
			rt.Fatalf("y: %+v", o)
		}
		o := w.q.Tick(w.now.Add(200 * ms))
		if a, ok := o.Answer.(session.PermissionAnswer); !ok || a.Decision != session.ApproveOnce || a.RequestID != "last" {
			rt.Fatalf("no answer: %+v", o)
		}
		if !o.Wake.IsZero() || w.q.Len() != 0 {
			rt.Fatalf("not at rest after the answer: %+v", o)
		}
	})
}
