package copilot_test

import (
	"fmt"
	"slices"
	"testing"

	"parley/session"
	"parley/session/copilot"
	"parley/session/sessiontest/llm"
)

// queued returns what waits, and the ids by text.
func (b *bench) queued(s *copilot.Session) (texts []string, id map[string]string) {
	b.Helper()
	pending, err := s.Pending(b.Context())
	b.must(err)
	id = map[string]string{}
	for _, p := range pending {
		text := p.Text
		if p.Steering {
			text = "steering " + text
			if p.ID != "" {
				b.Errorf("steering can be changed by %q", p.ID)
			}
		} else if p.ID == "" {
			b.Errorf("%q cannot be changed", p.Text)
		}
		texts, id[p.Text] = append(texts, text), p.ID
	}
	return texts, id
}

// TestEditQueue takes back, rewords, moves and sends at once prompts that wait
// for the end of a turn.
func TestEditQueue(t *testing.T) {
	hold := llm.NewGate()
	t.Cleanup(hold.Open)
	script := llm.Script{"busy": {{Text: "One two three.", Calls: []llm.Call{bash("echo four")}, Hold: hold, HoldAfter: 1}}}
	for _, name := range []string{"a", "b", "c", "d", "e"} {
		script[name] = []llm.Step{{Text: "Done " + name + "."}}
	}
	b := on(t, script)
	s, r := b.open()
	b.send(s, "@@busy")
	<-hold.Reached()
	for _, name := range []string{"a", "b", "c", "d"} {
		b.must(s.Send(t.Context(), session.Input{Prompt: "do @@" + name, Display: "do " + name, Delivery: session.Enqueue}))
	}
	shows := func(want ...string) map[string]string {
		t.Helper()
		texts, id := b.queued(s)
		if !slices.Equal(texts, want) {
			t.Fatalf("the queue holds %q, want %q", texts, want)
		}
		return id
	}
	edited := func(want bool) func(bool, error) {
		return func(got bool, err error) {
			t.Helper()
			if got != want || err != nil {
				t.Errorf("edited %t, %v; want %t", got, err, want)
			}
		}
	}
	id := shows("do a", "do b", "do c", "do d")
	ctx := t.Context()
	edited(true)(s.Withdraw(ctx, id["do a"]))
	edited(false)(s.Withdraw(ctx, id["do a"]))
	shows("do b", "do c", "do d")
	edited(true)(s.Move(ctx, id["do d"], 0))
	edited(true)(s.Move(ctx, id["do d"], 0)) // where it is already
	shows("do d", "do b", "do c")
	edited(true)(s.Move(ctx, id["do d"], 99))
	shows("do b", "do c", "do d")
	edited(false)(s.Move(ctx, id["do a"], 0))
	edited(true)(s.Reword(ctx, id["do c"], "rather @@e"))
	edited(true)(s.Reword(ctx, id["do c"], "rather @@e"))
	edited(false)(s.Reword(ctx, id["do a"], "rather @@e"))
	id = shows("do b", "rather @@e", "do d")
	edited(true)(s.SendNow(ctx, id["do d"]))
	edited(false)(s.SendNow(ctx, id["do d"]))
	shows("steering do d", "do b", "rather @@e")
	hold.Open()
	var got []string
	for range 4 {
		u := next[session.UserMessage](r)
		got = append(got, fmt.Sprintf("%s %s", u.Delivery, u.Content))
	}
	want := []string{"idle @@busy", "steering do d", "queued do b", "queued rather @@e"}
	if !slices.Equal(got, want) {
		t.Errorf("delivered %q, want %q", got, want)
	}
	next[session.AssistantIdle](r)
	var played []string
	for _, req := range b.model.Requests() {
		if n := len(played); n == 0 || played[n-1] != req.Script {
			played = append(played, req.Script)
		}
	}
	if want := []string{"busy", "d", "b", "e"}; !slices.Equal(played, want) {
		t.Errorf("the model was asked %q, want %q", played, want)
	}
	edited(false)(s.SendNow(ctx, id["do b"]))
}

// TestPromptBesideBackgroundWork starts prompts while a shell command runs in the background: one
// sent to the idle agent, and those that were queued behind a turn, one after the other.
func TestPromptBesideBackgroundWork(t *testing.T) {
	hold := llm.NewGate()
	t.Cleanup(hold.Open)
	b := on(t, llm.Script{
		"go":   {{Calls: []llm.Call{spawned("sleep 600", false)}}, {Text: "Started."}},
		"busy": {{Text: "One two three.", Hold: hold, HoldAfter: 1}},
		"a":    {{Text: "Done a."}},
		"b":    {{Text: "Done b."}},
	})
	s, r := allowing(b)
	b.send(s, "@@go")
	next[session.AssistantIdle](r)
	starts := func(want string) {
		t.Helper()
		if u := next[session.UserMessage](r); u.Content != want || u.Delivery == session.DeliveredSteering {
			t.Fatalf("%s: %q began, want %q", u.Delivery, u.Content, want)
		}
	}
	b.must(s.Send(t.Context(), session.Input{Prompt: "@@busy", Delivery: session.Enqueue}))
	starts("@@busy")
	<-hold.Reached()
	for _, prompt := range []string{"do @@a", "do @@b"} {
		b.must(s.Send(t.Context(), session.Input{Prompt: prompt, Delivery: session.Enqueue}))
	}
	if texts, _ := b.queued(s); !slices.Equal(texts, []string{"do @@a", "do @@b"}) {
		t.Errorf("during the turn the queue holds %q", texts)
	}
	hold.Open()
	starts("do @@a")
	starts("do @@b")
	next[session.AssistantIdle](r)
	running := func(k session.Task) bool { return k.Status == "running" }
	b.must(s.CancelTask(t.Context(), b.task(s, "runs", running).ID))
}

// TestQueueOfAModelChange shows what waits that is no prompt.
func TestQueueOfAModelChange(t *testing.T) {
	hold := llm.NewGate()
	t.Cleanup(hold.Open)
	b := on(t, llm.Script{"busy": {{Text: "One two three.", Hold: hold, HoldAfter: 1}}})
	s, r := b.open()
	b.send(s, "@@busy")
	<-hold.Reached()
	b.must(s.SetModel(t.Context(), "another-model", ""))
	texts, id := b.queued(s)
	if len(texts) != 1 {
		t.Fatalf("the queue holds %q", texts)
	}
	if done, err := s.Reword(t.Context(), id[texts[0]], "something else"); err == nil || done {
		t.Errorf("a change of the model was reworded: %t, %v", done, err)
	}
	done, err := s.Withdraw(t.Context(), id[texts[0]])
	if err != nil || !done {
		t.Errorf("withdrawn %t, %v", done, err)
	}
	hold.Open()
	next[session.SessionIdle](r)
	for _, ev := range r.Seen() {
		if _, changed := ev.Body.(session.SessionModelChange); changed {
			t.Error("the model was changed all the same")
		}
	}
}
