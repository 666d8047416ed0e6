package copilot_test

import (
	"slices"
	"strings"
	"testing"

	"parley/session"
	"parley/session/copilot"
	"parley/session/sessiontest"
	"parley/session/sessiontest/llm"
)

// listed is a session of the list.
func (b *bench) listed(a *copilot.Agent, id session.ID) (s session.Stored, ok bool) {
	b.Helper()
	list, err := a.List(b.Context())
	b.must(err)
	i := slices.IndexFunc(list, func(s session.Stored) bool { return s.ID == id })
	if i < 0 {
		return s, false
	}
	return list[i], true
}

// turn sends a prompt and reads to the end of what it does.
func (b *bench) turn(s session.Session, r *sessiontest.Reader, prompt string) session.EventID {
	b.Helper()
	b.send(s, prompt)
	ev := r.Until("the prompt", func(ev session.Event) bool {
		_, ok := ev.Body.(session.UserMessage)
		return ok && ev.Agent == "" && !ev.Replayed
	})
	for {
		ev := r.Until("a question or the end", func(ev session.Event) bool {
			switch ev.Body.(type) {
			case session.PermissionRequested, session.SessionIdle:
				return !ev.Replayed
			}
			return false
		})
		q, asked := ev.Body.(session.PermissionRequested)
		if !asked {
			break
		}
		b.respond(s, session.PermissionAnswer{RequestID: q.RequestID, Decision: session.ApproveOnce})
	}
	return ev.ID
}

// said are the prompts in a session's history.
func said(events []session.Event) []string {
	var texts []string
	for _, u := range sessiontest.All[session.UserMessage](events) {
		texts = append(texts, u.Content)
	}
	return texts
}

func TestLibrary(t *testing.T) {
	b := alone(t, llm.Script{"a": {{Text: "A."}}, "b": {{Text: "B."}}})
	b.git()
	ctx := t.Context()
	if list, err := b.agent.List(ctx); err != nil || len(list) != 0 {
		t.Fatalf("before the first session: %+v, %v", list, err)
	}
	s, r := b.open()
	id := s.Info().ID
	if _, ok := b.listed(b.agent, id); ok {
		t.Error("a session without a prompt is listed")
	}
	first := b.turn(s, r, "@@a first")
	second := b.turn(s, r, "@@b second")
	other, r2 := b.open()
	b.turn(other, r2, "@@a elsewhere")
	b.must(other.Rename(ctx, "  The other one "))
	if got := next[session.SessionTitleChanged](r2); got.Title != "The other one" {
		// The first title is the prompt itself.
		if got = next[session.SessionTitleChanged](r2); got.Title != "The other one" {
			t.Errorf("renamed to %q", got.Title)
		}
	}
	list, err := b.agent.List(ctx)
	b.must(err)
	if len(list) != 2 || list[0].ID != other.Info().ID || list[1].ID != id {
		t.Fatalf("listed %+v", list)
	}
	if l := list[0]; l.Title != "The other one" || l.Dir != b.dir || l.Repository != b.dir || l.Branch != "main" ||
		l.InUse || l.Client != "parley" || l.Started.IsZero() || l.Used.Before(l.Started) {
		t.Errorf("stored %+v", l)
	}
	if list[1].Title != "@@a first" {
		t.Errorf("the title is %q", list[1].Title)
	}

	whole, err := b.agent.Fork(ctx, id, "")
	b.must(err)
	part, err := b.agent.Fork(ctx, id, second)
	b.must(err)
	for fork, want := range map[session.ID][]string{whole: {"@@a first", "@@b second"}, part: {"@@a first"}} {
		c, rc := b.resume(fork)
		next[session.SessionResume](rc)
		if got := said(rc.Seen()); !slices.Equal(got, want) {
			t.Errorf("the copy has %q, want %q", got, want)
		}
		if l, ok := b.listed(b.agent, fork); !ok || !strings.Contains(l.Title, "@@a first") {
			t.Errorf("the copy is listed as %+v", l)
		}
		says(t, b.agent.Delete(ctx, fork), "delete session "+string(fork), "open here")
		b.turn(c, rc, "@@b in the copy")
		b.must(c.Close(ctx))
		b.must(b.agent.Delete(ctx, fork))
		if _, ok := b.listed(b.agent, fork); ok {
			t.Error("it is listed after it was deleted")
		}
		says(t, b.agent.Delete(ctx, fork), "delete session "+string(fork), "nothing of it is stored")
	}
	_, err = b.agent.Fork(ctx, "5b0e4f6c-0000-4000-8000-000000000000", "")
	says(t, err, "copy session", "nothing of it is stored")
	_, err = b.agent.Fork(ctx, id, "no-such-event")
	says(t, err, "copy session "+string(id))
	empty, err := b.agent.Fork(ctx, id, first)
	b.must(err)
	c, rc := b.resume(empty)
	b.turn(c, rc, "@@b from the start")
	if got := said(rc.Seen()); len(got) != 1 {
		t.Errorf("the copy from the start has %q", got)
	}
	b.turn(s, r, "@@a third") // the original continues
}

// TestLibraryInUse looks at sessions that another process has open.
func TestLibraryInUse(t *testing.T) {
	b := alone(t, answers())
	s, r := b.open()
	b.turn(s, r, "@@a")
	id := s.Info().ID
	if l, ok := b.listed(b.agent, id); !ok || l.InUse {
		t.Errorf("at home: %+v", l)
	}
	second := *b
	second.start()
	if l, ok := b.listed(second.agent, id); !ok || !l.InUse {
		t.Errorf("elsewhere: %+v", l)
	}
	says(t, second.agent.Delete(t.Context(), id), "in use")
	b.turn(s, r, "@@a")
}

// TestDeleteWhatAnotherWindowHas tries to delete a session that another client
// of the same runtime has open.
func TestDeleteWhatAnotherWindowHas(t *testing.T) {
	b := on(t, answers())
	s, r := b.open()
	b.turn(s, r, "@@a")
	second := *b
	second.start()
	says(t, second.agent.Delete(t.Context(), s.Info().ID), "open in another window")
	b.turn(s, r, "@@a")
	b.must(s.Close(t.Context()))
	b.must(second.agent.Delete(t.Context(), s.Info().ID))
}

func TestRename(t *testing.T) {
	b := on(t, answers())
	s, _ := b.open()
	for name, want := range map[string]string{
		"":                       "at least one character",
		" \t\n":                  "at least one character",
		strings.Repeat("é", 101): "may have 100 characters, this one has 101",
		"one\ntwo":               "one line",
		"red \x1b[31m":           "control characters",
	} {
		says(t, s.Rename(t.Context(), name), "rename the session", want)
	}
	b.must(s.Rename(t.Context(), strings.Repeat("é", 100)))
}
