package demo_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"parley/session"
	"parley/session/sessiontest"
)

// edited is a session in which a file was changed for the second of three
// prompts, and what one can go back to.
func edited(t *testing.T) (*stage, []session.RewindPoint) {
	t.Helper()
	s := open(t, 0)
	for _, word := range []string{"parallel", "write", "long"} {
		s.send(word, "")
		if word == "write" {
			s.decide(once)
		}
		s.quiet()
	}
	return s, s.points()
}

func (s *stage) points() []session.RewindPoint {
	s.Helper()
	points, err := s.Session.(session.Rewinder).RewindPoints(s.Context())
	if err != nil {
		s.Fatal(err)
	}
	return points
}

func (s *stage) rewind(at session.EventID, files bool) session.Rewound {
	s.Helper()
	done, err := s.Session.(session.Rewinder).Rewind(s.Context(), at, files)
	if err != nil {
		s.Fatal(err)
	}
	return done
}

func TestRewindPoints(t *testing.T) {
	t.Parallel()
	s, points := edited(t)
	for i, want := range []session.RewindPoint{
		{Prompt: "parallel", Files: true, FileCount: 1, Added: 1, Removed: 1},
		{Prompt: "write", Files: true, FileCount: 1, Added: 1, Removed: 1},
		{Prompt: "long"},
	} {
		want.Event, want.Time = points[i].Event, noon()
		if points[i] != want {
			t.Errorf("%+v, want %+v", points[i], want)
		}
	}
	files, err := s.Session.(session.Rewinder).PreviewRewind(t.Context(), points[0].Event)
	if err != nil || len(files) != 1 || files[0] != (session.FileChange{Path: "hello.go", Change: "modified", Added: 1, Removed: 1, Compared: true}) {
		t.Errorf("%+v, %v", files, err)
	}
	s.send("write", "") // and back again
	s.decide(once)
	s.quiet()
	if p := s.points()[0]; p.Files {
		t.Errorf("a file that is what it was is at stake: %+v", p)
	}
}

// A rewind with files puts the file back, and redo brings all of it back in
// another session.
func TestRewindFilesAndRedo(t *testing.T) {
	t.Parallel()
	s, points := edited(t)
	changed := s.file("hello.go")
	done := s.rewind(points[1].Event, true)
	gone := sessiontest.Next[session.SessionSnapshotRewind](s.Reader)
	if len(done.Restored) != 1 || len(done.Skipped) != 0 || s.file("hello.go") == changed ||
		gone.UpToEventID != points[1].Event || gone.EventsRemoved != done.Events || len(gone.EventIDs) != done.Events {
		t.Errorf("%+v, reported %+v", done, gone)
	}
	last := map[session.EventID]bool{}
	for _, id := range gone.EventIDs {
		last[id] = true
	}
	from := false
	for _, ev := range s.Seen() {
		from = from || ev.ID == points[1].Event
		if !ev.Ephemeral && last[ev.ID] != from {
			t.Errorf("%s is gone: %t", ev.Kind(), last[ev.ID])
		}
	}
	id, ok, err := s.Session.(session.Rewinder).Redo(t.Context())
	if err != nil || !ok {
		t.Fatalf("redo: %t, %v", ok, err)
	}
	again := s.resumed(id)
	sessiontest.Next[session.SessionResume](again.Reader)
	if got := again.points(); len(got) != 3 || got[0].Added != 1 || again.file("hello.go") != changed {
		t.Errorf("%+v", got)
	}
	if _, ok, err := s.Session.(session.Rewinder).Redo(t.Context()); ok || err != nil {
		t.Errorf("redo twice: %t, %v", ok, err)
	}
}

// A rewind of the conversation leaves the files, which earlier prompts can still
// put back, and ends when something is said.
func TestRewindConversation(t *testing.T) {
	t.Parallel()
	s, points := edited(t)
	changed := s.file("hello.go")
	if done := s.rewind(points[1].Event, false); done.Restored != nil || s.file("hello.go") != changed {
		t.Errorf("%+v", done)
	}
	s.send("parallel", "")
	s.quiet()
	got := s.points()
	if len(got) != 2 || !got[0].Files || got[1].Files {
		t.Errorf("%+v", got)
	}
	if _, ok, err := s.Session.(session.Rewinder).Redo(t.Context()); ok || err != nil {
		t.Errorf("redo after something was said: %t, %v", ok, err)
	}
	if done := s.rewind(got[0].Event, true); len(done.Restored) != 1 || s.file("hello.go") == changed {
		t.Errorf("%+v", done)
	}
	if use, err := s.Session.(session.ContextReporter).ContextUse(t.Context()); use != nil || err != nil {
		t.Errorf("the context of an empty conversation is %+v, %v", use, err)
	}
}

// What the demo did not leave so is left alone, and so is what it only
// pretended to change.
func TestRewindSkips(t *testing.T) {
	t.Parallel()
	s, points := edited(t)
	if err := os.WriteFile(filepath.Join(s.Info().Dir, "hello.go"), []byte("mine"), 0o600); err != nil {
		t.Fatal(err)
	}
	if done := s.rewind(points[0].Event, true); len(done.Skipped) != 1 || done.Restored != nil || s.file("hello.go") != "mine" {
		t.Errorf("%+v", done)
	}
	old := s.resumed(s.list()[0].ID)
	sessiontest.Next[session.SessionResume](old.Reader)
	first := old.points()[0]
	if first.FileCount != 3 || first.Added != 24+31+6+58 || first.Removed != 47+1 {
		t.Errorf("%+v", first)
	}
	files, err := old.Session.(session.Rewinder).PreviewRewind(t.Context(), first.Event)
	if err != nil || len(files) != 3 || files[0].Change != "modified" || files[2].Change != "created" {
		t.Errorf("%+v, %v", files, err)
	}
	done := old.rewind(first.Event, true)
	if len(done.Skipped) != 3 || !strings.Contains(done.Skipped[0], "pretended") {
		t.Errorf("%+v", done)
	}
}

// One cannot go back while the agent works, nor to what is no prompt.
func TestRewindRefused(t *testing.T) {
	t.Parallel()
	s, points := edited(t)
	rewinder := s.Session.(session.Rewinder)
	for _, ev := range s.Seen() {
		if ev.Kind() == session.KindAssistantMessage {
			if _, err := rewinder.Rewind(t.Context(), ev.ID, false); err == nil {
				t.Error("went back to an answer")
			}
		}
	}
	s.send("question", "")
	sessiontest.Next[session.UserInputRequested](s.Reader)
	if _, err := rewinder.Rewind(t.Context(), points[0].Event, false); err == nil {
		t.Error("went back while the agent works")
	}
	s.abort()
	s.quiet()
	s.rewind(points[0].Event, false)
}
