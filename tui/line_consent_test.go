package tui

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"pgregory.net/rapid"

	"parley/session"
)

// lineWitness judges every answer by what was on the terminal when the lines were begun that
// were typed before it. It knows nothing of how the window comes to one.
type lineWitness struct {
	*heard
	fail   func(format string, args ...any)
	asks   []*heardAsk
	typed  []meantLine
	judged int // calls of the session
	trace  []string
	counts map[string]int // answers that the user meant, by the kind of their question
}

// heardAsk is a question, and how it is known in what was said.
type heardAsk struct {
	id   string
	kind string
	mark string // is in its text and in no other, at its beginning
	end  string // and this at its end
}

// meantLine is a line that was typed, and what its author had heard when they began it.
type meantLine struct {
	text     string
	of       *heardAsk // the question that was said last; nil: none
	whole    bool      // to its end
	review   bool      // with the answers of its form
	confirms int       // how often a yes had been asked for
	asked    int       // how often when the line ended
}

// longCommand is how many lines the command of a long question has: more than are said at once.
const longCommand = 320

// lastOf is what a long text with a mark ends with.
func lastOf(mark string) string { return "last" + strings.TrimPrefix(mark, "mark") }

// shellOf asks for a command of a call that no other question is about.
func shellOf(id session.RequestID, mark, command string) session.Body {
	r, _ := asking(mark, command).Body.(session.PermissionRequested)
	r.RequestID = id
	return r
}

// kinds are the kinds of questions: each makes one, with a mark in its text.
var kinds = []struct {
	name string
	ask  func(id session.RequestID, mark string) session.Body
}{
	{"shell", func(id session.RequestID, mark string) session.Body { return shellOf(id, mark, "git push "+mark) }},
	{"danger", func(id session.RequestID, mark string) session.Body { return shellOf(id, mark, "rm -rf "+mark) }},
	{"long", func(id session.RequestID, mark string) session.Body {
		lines := []string{"echo " + mark}
		for i := range longCommand {
			lines = append(lines, fmt.Sprint("echo line ", i))
		}
		return session.PermissionRequested{RequestID: id, PermissionRequest: session.PermissionRequest{
			PermissionDetails: session.PermissionDetails{
				Kind: "shell", FullCommandText: strings.Join(append(lines, "echo "+lastOf(mark)), "\n"), CanOfferSessionApproval: true,
			},
			Commands: []session.ShellCommand{{Identifier: "echo"}},
		}}
	}},
	{"edit", func(id session.RequestID, mark string) session.Body {
		edit := session.PermissionDetails{
			Kind: "write", FileName: "/w/a.txt", CanOfferSessionApproval: true,
			Diff: "--- a/w/a.txt\n+++ b/w/a.txt\n@@ -1,2 +1,2 @@\n one\n-two\n+" + mark + "\n",
		}
		return session.PermissionRequested{RequestID: id, PermissionRequest: session.PermissionRequest{PermissionDetails: edit}}
	}},
	{"choice", func(id session.RequestID, mark string) session.Body {
		return session.UserInputRequested{RequestID: id, Question: "Which " + mark + "?", Choices: []string{"red", "green"}}
	}},
	{"free", func(id session.RequestID, mark string) session.Body {
		return session.UserInputRequested{RequestID: id, Question: "Why " + mark + "?"}
	}},
	{"trust", func(id session.RequestID, mark string) session.Body {
		return session.FolderTrustRequested{RequestID: id, Folder: "/x/" + mark}
	}},
	{"plan", func(id session.RequestID, mark string) session.Body {
		return session.ExitPlanModeRequested{
			RequestID: id, Summary: "Do it", PlanContent: "1. Do " + mark + "\n", Actions: []string{"autopilot", "interactive"},
			RecommendedAction: "interactive",
		}
	}},
	{"form", func(id session.RequestID, mark string) session.Body {
		return session.ElicitationRequested{
			RequestID: id, Message: "Fill in " + mark, RequestedSchema: []byte(`{"properties":{"why":{"type":"string"},"what":{"enum":["a","b"]}}}`),
		}
	}},
	{"confirmation", func(id session.RequestID, mark string) session.Body {
		return session.ConfirmationRequested{RequestID: id, Type: "action", Title: "Deploy?", Message: "It deploys " + mark + "."}
	}},
	{"sign-in", func(id session.RequestID, mark string) session.Body {
		return session.McpOAuthRequired{RequestID: id, ServerName: "files", ServerURL: "https://" + mark + ".example/mcp", Reason: "initial"}
	}},
	{"model", func(id session.RequestID, mark string) session.Body {
		return session.AutoModeSwitchRequested{RequestID: id, ErrorCode: mark}
	}},
	{"limit", func(id session.RequestID, mark string) session.Body {
		var n int
		_, _ = fmt.Sscanf(mark, "mark%dend", &n)
		return session.SessionLimitsExhaustedRequested{RequestID: id, UsedAICredits: float64(770000 + n), MaxAICredits: float64(770000 + n)}
	}},
}

// means are the lines that mean an answer that gives something: alone, or with a yes after it.
// known is false if none does.
func means(kind, answer string) (alone, first []string, known bool) {
	switch _, verdict, _ := strings.Cut(answer, " "); {
	case kind == "danger" && verdict == "approve-once":
		return nil, []string{"y", "1"}, true
	case verdict == "approve-once":
		return []string{"y"}, []string{"1"}, kind == "shell" || kind == "long" || kind == "edit"
	case verdict == "approve-for-session":
		return []string{"s"}, []string{"2"}, kind == "shell" || kind == "long" || kind == "edit"
	case verdict == "approve-for-location":
		return nil, []string{"l", "3"}, kind == "shell" || kind == "long" || kind == "edit"
	case verdict == "trusted=true remember=false":
		return nil, []string{"y", "1"}, true
	case verdict == "trusted=true remember=true":
		return nil, []string{"l", "2"}, true
	case verdict == "approved=true autopilot":
		return nil, []string{"1"}, true
	case verdict == "approved=true interactive":
		return []string{"2"}, []string{"2"}, true
	case verdict == "confirmed=true", verdict == "sign in=true", verdict == "yes":
		return []string{"y"}, []string{"1"}, true
	case verdict == "yes_always":
		return nil, []string{"l", "2"}, true
	case verdict == "unset 0":
		return nil, []string{"3"}, true
	}
	return nil, nil, false
}

// gives reports whether an answer gives the agent something.
func gives(answer string) bool {
	_, verdict, _ := strings.Cut(answer, " ")
	for _, no := range []string{
		"reject", "refused", "trusted=false", "approved=false", "decline", "cancel", "confirmed=false", "sign in=false", "no",
	} {
		if verdict == no || strings.HasPrefix(verdict, no+" ") {
			return false
		}
	}
	return true
}

func newLineWitness(t *testing.T, fail func(string, ...any)) *lineWitness {
	t.Helper()
	return &lineWitness{heard: newHeard(t), fail: fail, counts: map[string]int{}}
}

func (w *lineWitness) note(format string, args ...any) {
	w.trace = append(w.trace, fmt.Sprintf("%8v ", w.at.Sub(started))+fmt.Sprintf(format, args...))
}

// warnings are lines that may be about a question that was not said yet.
var warnings = regexp.MustCompile(`(?m)^Warning: .*$`)

// heardBy is what who begins a line now has heard.
func (w *lineWitness) heardBy(said string) meantLine {
	l := meantLine{confirms: strings.Count(said, saidConfirm)}
	said = warnings.ReplaceAllStringFunc(said, func(line string) string { return strings.Repeat(" ", len(line)) }) // they ask nothing
	at := -1
	for _, how := range []string{saidChoose, "Type your answer and press Enter."} {
		at = max(at, strings.LastIndex(said, how))
	}
	if at < 0 {
		return l
	}
	last := -1
	for _, a := range w.asks {
		if i := strings.LastIndex(said[:at], a.mark); i > last {
			last, l.of = i, a
		}
	}
	if l.of != nil {
		l.whole = strings.Contains(said[last:], l.of.end)
		l.review = strings.Contains(said[:at], ": your answers") // of it: no other was said since
		l.review = l.review && strings.LastIndex(said[:at], ": your answers") > strings.Index(said, l.of.mark)
	}
	return l
}

// key types a byte.
func (w *lineWitness) key(b byte) {
	if w.heard.typed == 0 {
		w.begun = w.out.Len()
	}
	before := w.out.String()[:w.begun]
	n := len(w.lines)
	w.heard.key(b)
	if len(w.lines) > n {
		l := w.heardBy(before)
		l.text, l.asked = strings.TrimSpace(w.lines[n].text), strings.Count(w.out.String(), saidConfirm)
		w.typed = append(w.typed, l)
		w.note("line %q of %+v", l.text, l.of)
	}
	w.judge()
}

// pause lets time pass.
func (w *lineWitness) pause(d time.Duration) {
	w.wait(d)
	w.judge()
}

// enter types a line, with a pause before each of its letters.
func (w *lineWitness) enter(line string, gap time.Duration) {
	for _, b := range []byte(line + "\r") {
		w.pause(gap)
		w.key(b)
	}
}

// judge judges the answers since the last time.
func (w *lineWitness) judge() {
	calls := w.s.calls[w.judged:]
	w.judged = len(w.s.calls)
	for _, call := range calls {
		answer, isAnswer := strings.CutPrefix(call, "answer ")
		if !isAnswer || !gives(answer) {
			continue
		}
		id, _, _ := strings.Cut(answer, " ")
		i := slices.IndexFunc(w.asks, func(a *heardAsk) bool { return a.id == id })
		for j, a := range w.asks { // one takes the place of those of its id before it
			if a.id == id {
				i = j
			}
		}
		n := w.meant(w.asks[i], answer)
		if n == 0 {
			said := w.out.String()
			w.fail("%s (%+v) was not meant:\n%s\n--- said:\n%s", call, *w.asks[i], strings.Join(w.trace, "\n"), said[max(0, len(said)-4000):])
			continue
		}
		w.counts[w.asks[i].kind]++
		w.typed = w.typed[n:]
	}
}

// meant returns how many of the lines that were typed it took to mean an answer to a question; 0:
// they do not.
func (w *lineWitness) meant(a *heardAsk, answer string) int {
	alone, first, known := means(a.kind, answer)
	for i, l := range w.typed {
		if l.of != a {
			continue
		}
		_, verdict, _ := strings.Cut(answer, " ")
		switch {
		case a.kind == "free", a.kind == "choice" && strings.HasSuffix(verdict, "freeform=true"):
			if verdict == fmt.Sprintf("%q freeform=true", l.text) {
				return i + 1
			}
		case a.kind == "choice":
			if choices := []string{"1", "2"}; slices.Contains(choices, l.text) && verdict == fmt.Sprintf("%q freeform=false", []string{"red", "green"}[slices.Index(choices, l.text)]) {
				return i + 1
			}
		case a.kind == "form":
			if l.review && l.text == "y" || l.review && l.text == "1" && w.confirmed(a, i) > 0 {
				return max(i+1, w.confirmed(a, i))
			}
		case a.kind == "limit" && verdict != "unset 0":
			if slices.Contains([]string{"1", "2"}, l.text) {
				for j, n := range w.typed[i+1:] {
					if n.of == a && strings.HasSuffix(verdict, " "+n.text) {
						return i + j + 2
					}
				}
			}
		case (l.text == "u" || l.text == "5") && a.kind == "long": // unread, with a yes
			for j, n := range w.typed[i+1:] {
				if n.of == a && n.text == "yes" {
					return i + j + 2
				}
			}
		case known && l.whole && slices.Contains(alone, l.text):
			return i + 1
		case known && l.whole && slices.Contains(first, l.text):
			if n := w.confirmed(a, i); n > 0 {
				return n
			}
		}
	}
	return 0
}

// confirmed returns how many lines there are up to the yes that was asked for after line i of a
// question; 0 if there is none.
func (w *lineWitness) confirmed(a *heardAsk, i int) int {
	for j, n := range w.typed[i+1:] {
		if n.of == a && n.text == "yes" && n.confirms > w.typed[i].confirms {
			return i + j + 2
		}
	}
	return 0
}

// ask asks a question of any kind, which may take the place of another.
func (w *lineWitness) ask(t *rapid.T) {
	n := len(w.asks)
	kind := kinds[rapid.IntRange(0, len(kinds)-1).Draw(t, "kind")]
	a := &heardAsk{id: fmt.Sprint("p", rapid.IntRange(1, 3).Draw(t, "id")), kind: kind.name, mark: fmt.Sprintf("mark%dend", n)}
	body := kind.ask(session.RequestID(a.id), a.mark)
	switch a.end = a.mark; a.kind {
	case "long":
		a.end = lastOf(a.mark)
	case "limit":
		a.mark = fmt.Sprint(770000 + n)
		a.end = a.mark
	}
	w.asks = append(w.asks, a)
	w.note("ask %+v", *a)
	w.say(session.Event{ID: session.EventID("ev-" + a.mark), Body: body})
}

// anew begins another interleaving in the same window, with nothing asked and nothing typed.
func (w *lineWitness) anew() {
	for w.m.win.Overlay != nil {
		w.enter(".", 0)
	}
	for id := range 3 {
		w.say(session.Event{Ephemeral: true, Body: session.PermissionCompleted{RequestID: session.RequestID(fmt.Sprint("p", id+1))}})
	}
	w.pause(time.Second)
	w.asks, w.typed, w.trace = nil, nil, nil
	w.out.Reset()
	w.begun, w.heard.typed = 0, 0
}

// happen is one step.
func (w *lineWitness) happen(t *rapid.T) {
	words := []string{"y", "y", "1", "2", "3", "s", "l", "u", "yes", "yes", "n", "v", "?", "[", "]", ".", "", ".enter", ".tab", ".down", ".more", ".question", "hello", "5"}
	gap := func() time.Duration {
		return time.Duration(rapid.SampledFrom([]int{0, 20, 150, 300, 700, 3500}).Draw(t, "gap")) * time.Millisecond
	}
	switch rapid.IntRange(0, 16).Draw(t, "step") {
	case 0, 1:
		w.ask(t)
	case 2:
		w.note("settle")
		w.say(session.Event{Ephemeral: true, Body: session.PermissionCompleted{RequestID: session.RequestID(fmt.Sprint("p", rapid.IntRange(1, 3).Draw(t, "id")))}})
	case 3:
		w.say(session.Event{Body: session.AssistantMessage{MessageID: session.MessageID(fmt.Sprint("m", len(w.trace))), Content: "y"}})
	case 4: // a user who fills in a form, if that is asked
		w.ask(t)
		for _, line := range []string{"a", "1", "", "y"} {
			w.pause(time.Duration(rapid.IntRange(900, 2500).Draw(t, "listens")) * time.Millisecond)
			w.enter(line, 30*time.Millisecond)
		}
	case 5, 6, 7: // a user who listens, and types what may be meant
		if w.m.win.Front.Questions.Len() == 0 {
			w.ask(t)
		}
		for range rapid.IntRange(1, 4).Draw(t, "lines") {
			w.pause(time.Duration(rapid.SampledFrom([]int{100, 700, 900, 1200, 2500}).Draw(t, "listens")) * time.Millisecond)
			w.enter(rapid.SampledFrom([]string{"y", "y", "1", "1", "2", "s", "yes", "yes", "yes", "3", "", ".more", ".more", "u", "l", "5"}).Draw(t, "line"),
				time.Duration(rapid.SampledFrom([]int{30, 30, 300}).Draw(t, "pace"))*time.Millisecond)
		}
	case 8: // a line, and something in the middle of it
		line := rapid.SampledFrom(words).Draw(t, "line") + "\r"
		at := rapid.IntRange(0, len(line)-1).Draw(t, "at")
		for i, b := range []byte(line) {
			if i == at {
				w.ask(t)
			}
			w.pause(gap())
			w.key(b)
		}
	case 9:
		w.enter(rapid.SampledFrom(words).Draw(t, "line"), gap())
	case 10:
		for range rapid.IntRange(1, 4).Draw(t, "letters") {
			w.key(rapid.SampledFrom([]byte("y1s\r\r\x7f.n")).Draw(t, "letter"))
			w.pause(gap())
		}
	case 11:
		w.note("ctrl+c")
		w.key(0x03)
	case 12:
		w.update(tea.WindowSizeMsg{Width: rapid.IntRange(1, 200).Draw(t, "width"), Height: rapid.IntRange(1, 60).Draw(t, "height")})
	case 13: // something lies over the question
		w.enter(".", 0)
		w.pause(gap())
		w.enter(rapid.SampledFrom([]string{"/help", "/model", "/settings", "/resume", "/tasks"}).Draw(t, "panel"), 0)
	case 14:
		w.say(session.Event{Ephemeral: true, Body: rapid.SampledFrom([]session.Body{
			session.SessionIdle{}, session.Abort{}, session.AssistantIdle{},
		}).Draw(t, "end")})
	case 15:
		w.pause(gap())
	case 16: // a yes that is begun before or after it is asked for
		w.ask(t)
		w.pause(1500 * time.Millisecond)
		w.enter(rapid.SampledFrom([]string{"y", "1", "l", "2"}).Draw(t, "line"), 30*time.Millisecond)
		w.pause(time.Duration(rapid.SampledFrom([]int{50, 150, 300, 1000}).Draw(t, "soon")) * time.Millisecond)
		w.enter("yes", 500*time.Millisecond)
	}
}

// TestNoLineAnswersWithoutIntent runs some thousand random interleavings of questions of every
// kind that come, go and take the place of others, of lines that were begun before and after,
// of letters, keys, panels, sizes and the end of what is typed: nothing is given to the agent
// but by a line that means it and was begun when the question had been said whole, and where
// that is asked for by a yes that was begun after.
func TestNoLineAnswersWithoutIntent(t *testing.T) {
	t.Parallel()
	const each = 100
	runs, counts := 0, map[string]int{}
	rapid.Check(t, func(rt *rapid.T) {
		w := newLineWitness(t, rt.Fatalf)
		for range each {
			runs++
			w.anew()
			for range rapid.IntRange(1, 4).Draw(rt, "steps") {
				w.happen(rt)
			}
		}
		w.pause(5 * time.Second)
		for kind, n := range w.counts {
			counts[kind] += n
		}
	})
	t.Logf("%d interleavings, answers that were meant: %v", runs, counts)
	if testing.Short() {
		return
	}
	if runs < 10_000 {
		t.Errorf("only %d interleavings", runs)
	}
	for _, k := range kinds {
		if counts[k.name] == 0 {
			t.Errorf("no answer to a question of the kind %s: the test sees too few to judge", k.name)
		}
	}
}
