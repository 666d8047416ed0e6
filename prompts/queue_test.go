package prompts

import (
	"strings"
	"testing"
	"time"

	"parley/prompts/consent"
	"parley/session"
)

// asked is a shell question with an id, from an agent.
func asked(id session.RequestID, agent session.AgentID) session.Event {
	r := shell("git push", "git push")
	r.RequestID, r.PermissionRequest.ToolCallID, r.PromptRequest.ToolCallID = id, session.CallID("call-"+id), session.CallID("call-"+id)
	return session.Event{Agent: agent, Body: r}
}

func question(id session.RequestID, agent session.AgentID) session.Event {
	return session.Event{Agent: agent, Body: session.UserInputRequested{RequestID: id, Question: "?", ToolCallID: session.CallID("call-" + id)}}
}

// TestEndings: what closes which cards (docs/decisions.md 9).
func TestEndings(t *testing.T) {
	t.Parallel()
	trust := session.Event{Body: session.FolderTrustRequested{RequestID: "trust", Folder: "/x"}}
	for _, tc := range []struct {
		name string
		end  session.Event
		left string
	}{
		{"settled", session.Event{Body: session.PermissionCompleted{RequestID: "p"}}, "q ps qs trust"},
		{"settled by another kind of event", session.Event{Body: session.UserInputCompleted{RequestID: "q"}}, "p ps qs trust"},
		{"settled, unknown", session.Event{Body: session.PermissionCompleted{RequestID: "x"}}, "p q ps qs trust"},
		{"its call ended", session.Event{Body: session.ToolExecutionComplete{ToolCallID: "call-ps"}}, "p q qs trust"},
		{"another call ended", session.Event{Body: session.ToolExecutionComplete{ToolCallID: "call-x"}}, "p q ps qs trust"},
		{"a call without an id ended", session.Event{Body: session.ToolExecutionComplete{}}, "p q ps qs trust"},
		{"abort", session.Event{Body: session.Abort{}}, "trust"},
		{"abort of a sub-agent", session.Event{Agent: "sub", Body: session.Abort{}}, "p q trust"},
		{"the root is idle", session.Event{Body: session.AssistantIdle{}}, "p ps qs trust"},
		{"a sub-agent is idle", session.Event{Agent: "sub", Body: session.AssistantIdle{}}, "p q ps qs trust"},
		{"the end", session.Event{Body: session.SessionShutdown{}}, ""},
		{"trusted elsewhere", session.Event{Body: session.FolderTrustCompleted{RequestID: "trust"}}, "p q ps qs"},
		{"anything else", session.Event{Body: session.AssistantTurnEnd{}}, "p q ps qs trust"},
	} {
		d := newDesk(t)
		for _, ev := range []session.Event{asked("p", ""), question("q", ""), asked("ps", "sub"), question("qs", "sub"), trust} {
			d.event(ev)
		}
		d.event(tc.end)
		var left []string
		for _, c := range d.q.dialogs {
			left = append(left, string(c.about().request))
		}
		if got := strings.Join(left, " "); got != tc.left {
			t.Errorf("%s: left %q, want %q", tc.name, got, tc.left)
		}
	}
}

// TestNotAsked: history opens nothing (docs/decisions.md 10), nor does a question that
// a hook has settled, nor the same one again.
func TestNotAsked(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	replayed := asked("p", "")
	replayed.Replayed = true
	d.event(replayed)
	old := session.Event{Replayed: true, Body: session.ElicitationRequested{RequestID: "e"}}
	if got := d.event(old); len(got) != 0 {
		t.Errorf("history is refused: %v", got)
	}
	hook := asked("h", "")
	r := hook.Body.(session.PermissionRequested)
	r.ResolvedByHook = true
	hook.Body = r
	d.event(hook)
	if d.q.Len() != 0 {
		t.Fatalf("%d cards", d.q.Len())
	}
	d.event(asked("p", ""))
	d.event(asked("p", ""))
	if d.q.Len() != 1 {
		t.Errorf("%d cards for one question", d.q.Len())
	}
}

// TestOrder: questions are shown as they came, and [ and ] move between them.
func TestOrder(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	for _, id := range []session.RequestID{"a", "b", "c"} {
		d.event(asked(id, ""))
	}
	d.settle()
	front := func(want session.RequestID, position string) {
		t.Helper()
		if got := d.q.dialogs[d.q.front].about().request; got != want || !strings.Contains(d.text(), position) {
			t.Fatalf("%s is in front, want %s at %s:\n%s", got, want, position, d.text())
		}
	}
	front("a", "1 of 3")
	gen := d.q.Generation()
	d.press("]")
	front("b", "2 of 3")
	if d.q.Generation() == gen {
		t.Error("another card without a new generation")
	}
	d.settle()
	d.press("[")
	d.settle()
	d.press("[")
	front("c", "3 of 3")
	d.settle()
	d.event(session.Event{Body: session.PermissionCompleted{RequestID: "a"}})
	front("c", "2 of 2")
	d.press("y")
	front("b", "1 of 1")
	if got := d.answer().Request(); got != "c" {
		t.Errorf("answered %s", got)
	}
	// The next card needs a key of its own, even when the first is held down.
	d.key(stroked("y"), 0)
	d.wait(300 * time.Millisecond)
	if len(d.answers) != 1 {
		t.Error("the second card was answered by a key meant for the first")
	}
}

// TestSettledUnderTheFinger: the key was for a card that is gone; the next one
// does not get it.
func TestSettledUnderTheFinger(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	d.event(asked("a", ""))
	d.event(asked("b", ""))
	d.settle()
	d.key(stroked("y"), 100*time.Millisecond)
	d.event(session.Event{Body: session.PermissionCompleted{RequestID: "a"}})
	d.settle()
	d.none()
	if d.draft.String() != "y" {
		t.Errorf("draft %q", d.draft.String())
	}
}

// TestGeneration: what must be painted anew has a new generation, what the
// user does to a card has not.
func TestGeneration(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	d.ready(shell("git push", "git push"))
	gen := d.q.Generation()
	d.press("down", "?", "v", "v", "tab", "a", "esc", "n", "x", "enter")
	if len(d.answers) != 1 || d.q.Generation() != gen {
		t.Errorf("answers %v, generation %d after %d", d.answers, d.q.Generation(), gen)
	}
	d = newDesk(t)
	d.ready(shell("git push", "git push"))
	gen = d.q.Generation()
	d.width = 60 // the window did not say so
	d.draw()
	d.key(stroked("y"), time.Second)
	d.none()
	if d.q.Generation() == gen {
		t.Error("another width without a new generation")
	}
	gen = d.q.Generation()
	d.q.Resize(d.now)
	if d.q.Generation() == gen {
		t.Error("a resize without a new generation")
	}
	d.q.Painted(gen, d.now)
	if d.q.consent.Armed(d.now.Add(time.Hour)) {
		t.Error("painted by an old frame")
	}
}

// TestNeverDrawn: a card that was not drawn never listens, however long it
// waits and whatever the terminal says.
func TestNeverDrawn(t *testing.T) {
	t.Parallel()
	q := NewQueue()
	q.Apply(asked("a", ""), at(0))
	q.Painted(q.Generation(), at(10*ms))
	q.Tick(at(time.Minute))
	if o := q.Key(stroked("y"), at(2*time.Minute)); o.Answer != nil || len(o.Draft) != 1 {
		t.Errorf("%+v", o)
	}
	if o := q.Tick(at(3 * time.Minute)); o.Answer != nil || !o.Wake.IsZero() {
		t.Errorf("%+v", o)
	}
}

// TestDrawnLate: a card that a slow machine draws after the queue has looked for
// it, and whose flush was not seen, asks for its time by itself.
func TestDrawnLate(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	d.q.Apply(session.Event{Body: shell("git push", "git push")}, d.now)
	for range 3 { // looks for it in vain
		d.now = d.now.Add(consent.Flush)
		d.q.Tick(d.now)
	}
	if wake := d.q.Wake(); !wake.IsZero() {
		t.Fatalf("a card that was not drawn wants to be woken at %v", wake)
	}
	d.draw()
	d.wait(2 * consent.Quiet)
	if !d.q.consent.Armed(d.now) {
		t.Errorf("the card does not listen:\n%s", d.text())
	}
}

// TestEmpty: a queue without questions takes part in nothing.
func TestEmpty(t *testing.T) {
	t.Parallel()
	q := NewQueue()
	if q.Focus(at(0)) || q.Focused() || q.Full() || q.Len() != 0 || q.View(80, 24, nil) != nil {
		t.Error("a card from nowhere")
	}
	if _, _, ok := q.Cursor(); ok {
		t.Error("a caret from nowhere")
	}
	for _, k := range []string{"y", "enter", "esc"} {
		if o := q.Key(stroked(k), at(time.Hour)); o.Taken || o.Answer != nil || len(o.Draft) != 0 || !o.Wake.IsZero() {
			t.Errorf("%s: %+v", k, o)
		}
	}
	q.Blur(at(0))
	q.Resize(at(0))
	q.WindowFocus(false, at(0))
	q.Elsewhere(at(0))
	q.Draft(false)
	q.Painted(0, at(0))
}

// TestSuspension: after the window or the program came back, the card listens
// only after a while.
func TestSuspension(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	d.ready(shell("git push", "git push"))
	d.q.WindowFocus(false, d.now)
	d.key(stroked("y"), time.Second)
	d.none()
	d.q.Focus(d.now)
	d.q.WindowFocus(true, d.now)
	d.draw()
	d.wait(300 * time.Millisecond)
	d.key(stroked("enter"), time.Second)
	d.none()
	d.press("y")
	d.answer()
}

// TestUnseen: Enter does not confirm what the screen has not shown yet, though
// the loop was late and took both keys at once.
func TestUnseen(t *testing.T) {
	t.Parallel()
	for _, body := range []session.Body{requests()["shell_rm"], requests()["shell"]} {
		for _, first := range []string{"y", "n"} {
			d := newDesk(t)
			d.ready(body)
			d.q.Key(stroked(first), d.now)
			if body, ok := body.(session.PermissionRequested); ok && first == "y" && body.PermissionRequest.FullCommandText != "rm -rf build" {
				continue // answered by the letter alone
			} else if first == "n" { // its line opens later
				d.q.View(d.width, d.height, d.th)
			}
			if o := d.q.Key(stroked("enter"), d.now.Add(time.Second)); o.Answer != nil {
				t.Errorf("%s and enter: %+v", first, o.Answer)
			}
			d.now = d.now.Add(time.Second)
			d.draw()
			d.wait(time.Second)
			d.press("enter")
			d.answer()
		}
	}
}

// TestWake: at rest nothing wants to be woken, and the queue says when the card
// will listen.
func TestWake(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	if !d.q.Wake().IsZero() {
		t.Error("an empty queue wants to be woken")
	}
	d.apply(shell("git push", "git push"))
	d.wait(20 * time.Millisecond)
	d.paint()
	if got := d.q.Wake(); !got.Equal(d.now.Add(400 * time.Millisecond)) {
		t.Errorf("wakes after %v", got.Sub(d.now))
	}
	d.wait(time.Second)
	d.q.Elsewhere(d.now)
	if got := d.q.Wake(); !got.Equal(d.now.Add(400 * time.Millisecond)) {
		t.Errorf("wakes after %v", got.Sub(d.now))
	}
	d.wait(time.Minute)
	if !d.q.Wake().IsZero() || !d.q.consent.Armed(d.now) {
		t.Error("not at rest")
	}
}
