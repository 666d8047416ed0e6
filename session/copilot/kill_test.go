package copilot_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"parley/session"
	"parley/session/copilot"
	"parley/session/sessiontest"
	"parley/session/sessiontest/llm"
)

// The runtime is killed at so many points, each of which takes a start of it;
// in make soak at as many as a release must stand.
const (
	killPoints     = 6
	soakKillPoints = 100
)

// killScript streams reasoning and words, runs a tool that is allowed, streams
// again, and asks for what is never allowed.
func killScript() llm.Script {
	return llm.Script{
		"run": {
			{
				Reasoning: "First I look around.", Text: strings.Repeat("One thing after the other. ", 10),
				Calls: []llm.Call{bash("for i in 1 2 3 4 5 6 7 8; do echo step $i; sleep 0.02; done")},
			},
			{Text: strings.Repeat("So far, so good. ", 8), Calls: []llm.Call{bash("touch forbidden.txt")}},
			{Text: "Done."},
		},
		"a": {{Text: "A."}},
	}
}

// victim is one run that was killed.
type victim struct {
	id     session.ID
	dir    string
	events int
	said   error // by Wait
}

// TestKilledAnywhere kills the real CLI at points all over a run: each time the
// session ends and says why, nothing was approved, no process is left (nor a
// goroutine, see TestMain), and afterwards the session can be resumed, or it is said
// why not.
func TestKilledAnywhere(t *testing.T) {
	t.Parallel()
	points := sessiontest.Soak(t, killPoints, soakKillPoints)
	b := setup(t, killScript())
	b.cfg.Path = cli(t) // npm's script, which can be killed without the real program
	length := b.killAt(scratch(t), 1<<30, false).events
	random := rand.New(rand.NewPCG(3, uint64(points)))
	victims := make([]victim, points)
	t.Run("point", func(t *testing.T) {
		for i := range victims {
			from, to := i*length/points, (i+1)*length/points
			at, dir := from+random.IntN(to-from+1), scratch(b.T)
			t.Run(fmt.Sprintf("%d of %d", at, length), func(t *testing.T) {
				t.Parallel()
				lane := *b
				lane.T = t
				victims[i] = lane.killAt(dir, at, i%2 == 0)
			})
		}
	})
	if found := left(func() []string { return processes(t, ofHome(b.home)) }); len(found) > 0 {
		t.Errorf("processes are left:\n%s", strings.Join(found, "\n\n"))
	}
	b.start()
	resumed := 0
	for _, v := range victims {
		if b.revive(v) {
			resumed++
		}
	}
	t.Logf("of %d sessions %d were resumed", points, resumed)
	if resumed == 0 {
		t.Error("not one session could be resumed")
	}
}

// killAt runs the script in dir and kills the runtime at the event of that
// number, or where it asks for what is not allowed: the whole group, or only the
// process that was started.
func (b *bench) killAt(dir string, at int, group bool) victim {
	b.Helper()
	cfg := b.cfg
	cfg.Dir = dir
	agent, err := copilot.Open(b.Context(), cfg)
	b.must(err)
	pid := agent.Pid()
	b.Cleanup(func() {
		if err := agent.Close(context.WithoutCancel(b.Context())); err != nil {
			b.Errorf("close: %v", err)
		}
		gone(b.T, pid)
	})
	s, err := agent.Open(b.Context(), session.Options{})
	b.must(err)
	v := victim{id: s.Info().ID, dir: dir}
	r := sessiontest.Read(b, s)
	b.send(s, "@@run")
	allowed := false
	r.Until("the point", func(ev session.Event) bool {
		v.events++
		q, asked := ev.Body.(session.PermissionRequested)
		forbidden := asked && strings.Contains(q.PromptRequest.FullCommandText, "forbidden")
		if asked && !forbidden && v.events < at {
			allowed = true
			b.respond(s, session.PermissionAnswer{RequestID: q.RequestID, Decision: session.ApproveOnce})
		}
		return forbidden || v.events >= at
	})
	if group {
		pid = -pid
	}
	b.must(sessiontest.Signal(pid, syscall.SIGKILL))
	r.Rest()
	v.said = s.Wait()
	says(b.T, v.said, "ended unexpectedly (signal: killed)", "resume the session to continue")
	if err := s.Send(b.Context(), session.Input{Prompt: "@@a"}); !errors.Is(err, copilot.ErrClosed) {
		b.Errorf("Send: %v", err)
	}
	for _, done := range sessiontest.All[session.PermissionCompleted](r.Seen()) {
		if done.Result.Approved() && !allowed {
			b.Errorf("approved without an answer: %+v", done)
		}
	}
	v.unharmed(b.T)
	return v
}

// unharmed checks that what was never allowed was not done.
func (v victim) unharmed(t *testing.T) {
	t.Helper()
	if _, err := os.Lstat(filepath.Join(v.dir, "forbidden.txt")); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("killed after %d events, it was done all the same: %v", v.events, err)
	}
}

// revive resumes a session and has a turn in it, in which what was asked before
// is refused. It reports whether that is possible; if not, the error says why.
func (b *bench) revive(v victim) bool {
	b.Helper()
	s, err := b.agent.Resume(b.Context(), v.id, session.Options{})
	if err != nil {
		says(b.T, err, string(v.id), "nothing of it is stored", "start a new one")
		return false
	}
	r := sessiontest.Read(b, s)
	b.send(s, "@@a")
	r.Until("the answer", func(ev session.Event) bool {
		q, asked := ev.Body.(session.PermissionRequested)
		if asked && !ev.Replayed {
			b.respond(s, session.Refusal{RequestID: q.RequestID, Kind: session.KindOf(q)})
		}
		m, ok := ev.Body.(session.AssistantMessage)
		return ok && m.Content == "A."
	})
	v.unharmed(b.T)
	b.must(s.Close(b.Context()))
	return true
}
