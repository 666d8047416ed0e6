package sessiontest

import (
	"slices"

	"parley/session"
)

// The part of the conformance suite about what was said and what waits to be:
// going back, stored sessions, the queue.

// rewind goes back to before the second prompt, and takes that back.
func (s *suite) rewind() {
	s.readsAnswers()
	sess, r := s.start(s.Answer)
	rewinder, ok := session.As[session.Rewinder](sess)
	if !ok {
		s.Skip("one cannot go back in this backend")
	}
	s.idle(r)
	if _, ok, err := rewinder.Redo(s.Context()); ok || err != nil {
		s.Errorf("took back a rewind that was not: %t, %v", ok, err)
	}
	s.send(sess, s.Answer)
	s.idle(r)
	points := s.points(rewinder)
	if len(points) == 0 {
		s.Skip("there is nothing to go back to")
	}
	at := points[len(points)-1].Event
	_, err := rewinder.PreviewRewind(s.Context(), at)
	s.must("preview a rewind", err)
	if _, err := rewinder.Rewind(s.Context(), "no-such-event", false); err == nil {
		s.Error("went back to an event that does not exist")
	}
	done, err := rewinder.Rewind(s.Context(), at, false)
	s.must("rewind", err)
	if done.Events == 0 || len(done.Restored) > 0 {
		s.Errorf("a rewind of the conversation alone did %+v", done)
	}
	rewound := Next[session.SessionSnapshotRewind](r)
	if rewound.UpToEventID != at && !slices.Contains(rewound.EventIDs, at) {
		s.Errorf("rewound to %s, reported is %+v", at, rewound)
	}
	after := s.points(rewinder)
	if len(after) != len(points)-1 || slices.ContainsFunc(after, func(p session.RewindPoint) bool { return p.Event == at }) {
		s.Errorf("after the rewind one can go back to %+v", after)
	}
	s.redo(sess, rewinder, len(points))
	s.sane(r.Seen())
}

// points are the prompts one can go back to.
func (s *suite) points(rewinder session.Rewinder) []session.RewindPoint {
	s.Helper()
	points, err := rewinder.RewindPoints(s.Context())
	s.must("list the prompts to go back to", err)
	for i, p := range points {
		if p.Event == "" || i > 0 && (p.Event == points[i-1].Event || p.Time.Before(points[i-1].Time)) {
			s.Errorf("point %d is %+v, of %+v", i, p, points)
		}
	}
	return points
}

// redo takes a rewind back, and reads the session that continues.
func (s *suite) redo(sess session.Session, rewinder session.Rewinder, said int) {
	s.Helper()
	id, ok, err := rewinder.Redo(s.Context())
	s.must("take a rewind back", err)
	if !ok {
		s.Fatal("a rewind was not taken back")
	}
	s.must("close", sess.Close(s.Context()))
	again, err := s.Agent.Resume(s.Context(), id, session.Options{})
	s.must("resume what was taken back", err)
	r := Read(s.T, again)
	s.send(again, s.Answer)
	s.idle(r)
	if n := len(All[session.UserMessage](r.Seen())); n != said+1 {
		s.Errorf("%d prompts of %d are there again:\n%s", n-1, said, Describe(r.Seen()))
	}
}

// library lists, copies and deletes a stored session.
func (s *suite) library() {
	s.readsAnswers()
	library, ok := session.As[session.Library](s.Agent)
	if !ok {
		s.Skip("this backend has no library")
	}
	sess, r := s.start(s.Answer)
	s.idle(r)
	id := sess.Info().ID
	s.must("close", sess.Close(s.Context()))
	if !s.stored(library, id) {
		s.Errorf("session %s is not listed", id)
	}
	fork, err := library.Fork(s.Context(), id, "")
	s.must("copy", err)
	if fork == "" || fork == id {
		s.Fatalf("the copy of %s is %q", id, fork)
	}
	again, err := s.Agent.Resume(s.Context(), fork, session.Options{})
	s.must("resume the copy", err)
	copied := Read(s.T, again)
	s.send(again, s.Answer)
	s.idle(copied)
	if n := len(All[session.UserMessage](copied.Seen())); n != 2 {
		s.Errorf("the copy began with %d prompts, want 1", n-1)
	}
	s.must("close the copy", again.Close(s.Context()))
	s.must("delete the copy", library.Delete(s.Context(), fork))
	if s.stored(library, fork) {
		s.Errorf("the copy %s is listed after it was deleted", fork)
	}
	if !s.stored(library, id) {
		s.Errorf("session %s was deleted with its copy", id)
	}
}

// stored reports whether a session is listed, and checks the list.
func (s *suite) stored(library session.Library, id session.ID) bool {
	s.Helper()
	all, err := library.List(s.Context())
	s.must("list the sessions", err)
	ids := map[session.ID]bool{}
	for i, x := range all {
		if x.ID == "" || ids[x.ID] {
			s.Errorf("two sessions have the id %q", x.ID)
		}
		ids[x.ID] = true
		if i > 0 && x.Used.After(all[i-1].Used) {
			s.Errorf("%s, used at %v, comes after %s, used at %v", x.ID, x.Used, all[i-1].ID, all[i-1].Used)
		}
	}
	return ids[id]
}

// queue changes what waits for its turn.
func (s *suite) queue() {
	s.readsAnswers()
	sess, r := s.start(s.Long)
	editor, ok := session.As[session.QueueEditor](sess)
	if !ok {
		s.Skip("what waits cannot be changed in this backend")
	}
	Next[session.AssistantMessageDelta](r)
	for _, text := range []string{"first", "second"} {
		s.must("queue a prompt", sess.Send(s.Context(), session.Input{Prompt: text, Delivery: session.Enqueue}))
	}
	waits := func(want ...string) []session.Pending {
		s.Helper()
		return s.waits(r, editor, want)
	}
	all := waits("first", "second")
	changed := func(what string, want, got bool, err error) {
		s.Helper()
		if err != nil || got != want {
			s.Errorf("%s: %t, %v, want %t", what, got, err, want)
		}
	}
	ok, err := editor.Move(s.Context(), all[1].ID, 0)
	changed("move", true, ok, err)
	waits("second", "first")
	ok, err = editor.Reword(s.Context(), all[0].ID, "changed")
	changed("reword", true, ok, err)
	all = waits("second", "changed")
	for _, want := range []bool{true, false} {
		ok, err = editor.Withdraw(s.Context(), all[0].ID)
		changed("withdraw", want, ok, err)
	}
	waits("changed")
	s.must("abort", sess.Abort(s.Context()))
	s.idle(r)
	s.sane(r.Seen())
}

// waits reads the queue, again after each event that says it has changed, until
// these prompts wait.
func (s *suite) waits(r *Reader, q session.Queuer, want []string) []session.Pending {
	s.Helper()
	for {
		all, err := q.Pending(s.Context())
		s.must("read the queue", err)
		if slices.EqualFunc(all, want, func(p session.Pending, text string) bool {
			return p.Text == text && p.ID != "" && p.MessageID != ""
		}) {
			return all
		}
		Next[session.PendingMessagesModified](r)
	}
}
