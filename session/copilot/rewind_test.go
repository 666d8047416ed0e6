package copilot_test

import (
	"errors"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"parley/session"
	"parley/session/copilot"
	"parley/session/sessiontest"
	"parley/session/sessiontest/llm"
)

// writer is a bench whose prompt @@write makes new.txt, changes old.txt and
// removes gone.txt.
func writer(t *testing.T) *bench {
	t.Helper()
	b := near(t, nil)
	for name, steps := range (llm.Script{
		"a": {{Text: "A."}},
		"write": {{Calls: []llm.Call{
			{Name: "create", Args: object{"path": b.path("deep/new.txt"), "file_text": "new\n"}},
			{Name: "edit", Args: object{"path": b.path("old.txt"), "old_str": "two", "new_str": "TWO\nand a half"}},
			bash("rm " + b.path("gone.txt")),
		}}, {Text: "Written."}},
	}) {
		b.model.Add(name, steps...)
	}
	b.write("old.txt", "one\ntwo\n")
	b.must(os.Chmod(b.path("old.txt"), 0o640))
	b.write("gone.txt", "still here\n")
	b.must(os.Mkdir(b.path("deep"), 0o755))
	return b
}

var (
	filesBefore = map[string]string{"old.txt": "one\ntwo\n", "gone.txt": "still here\n"}
	filesAfter  = map[string]string{"old.txt": "one\nTWO\nand a half\n", "deep/new.txt": "new\n"}
)

// holds checks the files of the working folder.
func (b *bench) holds(want map[string]string) {
	b.Helper()
	got := map[string]string{}
	b.must(filepath.WalkDir(b.dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := os.ReadFile(path)
		name, _ := filepath.Rel(b.dir, path)
		got[name] = string(text)
		return err
	}))
	if !maps.Equal(got, want) {
		b.Errorf("the files are %q, want %q", got, want)
	}
}

// stored are the sessions of the working folder that the runtime has in its state
// directory.
func (b *bench) stored() []session.ID {
	b.Helper()
	logs, err := filepath.Glob(filepath.Join(b.home, "session-state", "*", "events.jsonl"))
	b.must(err)
	var ids []session.ID
	for _, l := range logs {
		if text, err := os.ReadFile(l); err != nil || !strings.Contains(string(text), b.dir) {
			continue // one of another test, which may have just gone
		}
		ids = append(ids, session.ID(filepath.Base(filepath.Dir(l))))
	}
	return ids
}

// title is the name under which a session is listed.
func (b *bench) title(id session.ID) string {
	b.Helper()
	s, _ := b.listed(b.agent, id)
	return s.Title
}

// rewound checks what a rewind did, and that its event came.
func (b *bench) rewound(s *copilot.Session, r *sessiontest.Reader, at session.EventID, files bool, restored, skipped []string) {
	b.Helper()
	done, err := s.Rewind(b.Context(), at, files)
	b.must(err)
	slices.Sort(done.Restored)
	if done.Events == 0 || !slices.Equal(done.Restored, restored) || !slices.Equal(done.Skipped, skipped) {
		b.Errorf("rewound %+v", done)
	}
	if e := next[session.SessionSnapshotRewind](r); e.UpToEventID != at || e.EventsRemoved != done.Events {
		b.Errorf("got %+v of %+v", e, done)
	}
}

// redo takes a rewind back and continues with the session it leads to.
func (b *bench) redo(s *copilot.Session, want ...string) (*copilot.Session, *sessiontest.Reader) {
	b.Helper()
	id, ok, err := s.Redo(b.Context())
	b.must(err)
	if !ok {
		b.Fatal("there is nothing to take back")
	}
	b.must(s.Close(b.Context()))
	again, r := b.resume(id)
	next[session.SessionResume](r)
	if got := said(r.Seen()); !slices.Equal(got, want) {
		b.Errorf("it continues after %q, want %q", got, want)
	}
	return again, r
}

func (b *bench) nothingToRedo(s *copilot.Session) {
	b.Helper()
	if id, ok, err := s.Redo(b.Context()); id != "" || ok || err != nil {
		b.Errorf("taken back: %q, %t, %v", id, ok, err)
	}
}

func TestRewindPoints(t *testing.T) {
	b := writer(t)
	s, r := b.open()
	if points, err := s.RewindPoints(t.Context()); err != nil || len(points) != 0 {
		t.Errorf("before the first prompt: %+v, %v", points, err)
	}
	var at []session.EventID
	for _, prompt := range []string{"@@a first", "@@write second", "@@a third"} {
		at = append(at, b.turn(s, r, prompt))
	}
	points, err := s.RewindPoints(t.Context())
	b.must(err)
	for i, want := range []session.RewindPoint{
		{Event: at[0], Prompt: "@@a first", Files: true, FileCount: 3, Added: 3, Removed: 2},
		{Event: at[1], Prompt: "@@write second", Files: true, FileCount: 3, Added: 3, Removed: 2},
		{Event: at[2], Prompt: "@@a third"},
	} {
		if points[i].Time.IsZero() {
			t.Error("a prompt has no time")
		}
		if points[i].Time = want.Time; points[i] != want {
			t.Errorf("point %+v, want %+v", points[i], want)
		}
	}
	files, err := s.PreviewRewind(t.Context(), at[0])
	if want := []session.FileChange{
		{Path: b.path("deep/new.txt"), Change: "created", Added: 1, Compared: true},
		{Path: b.path("gone.txt"), Change: "deleted", Removed: 1, Compared: true},
		{Path: b.path("old.txt"), Change: "modified", Added: 2, Removed: 1, Compared: true},
	}; err != nil || !slices.Equal(files, want) {
		t.Errorf("preview %+v, %v; want %+v", files, err, want)
	}
	if files, err = s.PreviewRewind(t.Context(), at[2]); err != nil || len(files) != 0 {
		t.Errorf("preview %+v, %v", files, err)
	}
	b.holds(filesAfter)
	for _, files := range []bool{true, false} {
		_, err = s.Rewind(t.Context(), "no-such-prompt", files)
		says(t, err, "rewind the session", "no-such-prompt")
	}
	b.nothingToRedo(s)
	if ids := b.stored(); len(ids) != 1 {
		t.Errorf("%d sessions are stored", len(ids))
	}
}

func TestRewindTheConversation(t *testing.T) {
	b := writer(t)
	s, r := b.open()
	id := s.Info().ID
	first := b.turn(s, r, "@@a first")
	second := b.turn(s, r, "@@write second")
	b.rewound(s, r, second, false, nil, nil)
	b.holds(filesAfter)
	if points, err := s.RewindPoints(t.Context()); err != nil || len(points) != 1 || points[0].Event != first {
		t.Errorf("points %+v, %v", points, err)
	}
	list, err := b.agent.List(t.Context())
	b.must(err)
	list = slices.DeleteFunc(list, func(s session.Stored) bool { return s.Dir != b.dir })
	if len(list) != 1 || list[0].ID != id {
		t.Errorf("the copy is listed: %+v", list)
	}
	if latest, err := b.agent.LatestID(t.Context(), b.dir); err != nil || latest != id {
		t.Errorf("the latest is %q, %v", latest, err)
	}
	again, r2 := b.redo(s, "@@a first", "@@write second")
	if again.Info().ID == id {
		t.Error("it has the id of what was rewound")
	}
	if got := b.title(again.Info().ID); got != "@@a first" {
		t.Errorf("it continues as %q", got)
	}
	if slices.Contains(b.stored(), id) {
		t.Error("what was rewound is still there, though the copy has all of it")
	}
	b.holds(filesAfter)
	b.nothingToRedo(again)
	b.turn(again, r2, "@@a third")
	if m := b.model.Requests(); !strings.Contains(string(m[len(m)-1].Raw), "Written.") {
		t.Error("the model does not know what was taken back")
	}
	b.must(again.Close(t.Context()))
	if ids := b.stored(); len(ids) != 1 || !slices.Contains(ids, again.Info().ID) {
		t.Errorf("stored are %v", ids)
	}
}

// TestRewindOfAnyName: the copy that a rewind keeps can have no name with quotes, and the
// session that continues has it again.
func TestRewindOfAnyName(t *testing.T) {
	b := writer(t)
	s, r := b.open()
	b.turn(s, r, `@@a "first"`)
	second := b.turn(s, r, "@@a second")
	b.rewound(s, r, second, false, nil, nil)
	again, _ := b.redo(s, `@@a "first"`, "@@a second")
	if got := b.title(again.Info().ID); got != `@@a "first"` {
		t.Errorf("it continues as %q", got)
	}
}

func TestRewindWithFiles(t *testing.T) {
	b := writer(t)
	s, r := b.open()
	first := b.turn(s, r, "@@a first")
	second := b.turn(s, r, "@@write second")
	b.rewound(s, r, second, true, []string{b.path("deep/new.txt"), b.path("gone.txt"), b.path("old.txt")}, nil)
	b.holds(filesBefore)
	// Further back, without a word in between: both are taken back in turn.
	b.rewound(s, r, first, true, nil, nil)
	if points, err := s.RewindPoints(t.Context()); err != nil || len(points) != 0 {
		t.Errorf("points %+v, %v", points, err)
	}
	s, _ = b.redo(s, "@@a first")
	b.holds(filesBefore)
	s, r = b.redo(s, "@@a first", "@@write second")
	b.holds(filesAfter)
	if at, err := os.Stat(b.path("old.txt")); err != nil || at.Mode().Perm() != 0o640 {
		t.Errorf("the mode is %v, %v", at.Mode(), err)
	}
	b.nothingToRedo(s)
	b.turn(s, r, "@@a third")
	// The runtime keeps no files of copies.
	_, err := s.Rewind(t.Context(), second, true)
	says(t, err, "only the conversation can be rewound")
	b.rewound(s, r, second, false, nil, nil)
	b.holds(filesAfter)
}

// TestRewindWithoutACopy shows before and after a rewind that there is no copy of a folder
// that a command deleted.
func TestRewindWithoutACopy(t *testing.T) {
	b := writer(t)
	b.model.Add("clean", llm.Step{Calls: []llm.Call{bash("rm -rf build && rm gone.txt")}}, llm.Step{Text: "Gone."})
	b.must(os.Mkdir(b.path("build"), 0o755))
	b.write("build/out", "x\n")
	s, r := b.open()
	at := b.turn(s, r, "@@clean")
	files, err := s.PreviewRewind(t.Context(), at)
	if want := []session.FileChange{
		{Path: b.path("build"), Change: "deleted", NoCopy: true, Compared: true},
		{Path: b.path("gone.txt"), Change: "deleted", Removed: 1, Compared: true},
	}; err != nil || !slices.Equal(files, want) {
		t.Errorf("preview %+v, %v; want %+v", files, err, want)
	}
	b.rewound(
		s, r, at, true, []string{b.path("gone.txt")},
		[]string{b.path("build") + ": what it was before is not known"},
	)
	b.holds(filesBefore)
}

// TestPreviewCompares: an empty file has a copy, one that the user changed since stays, and
// one that is not there any more is said to be gone.
func TestPreviewCompares(t *testing.T) {
	b := writer(t)
	b.write("gone.txt", "")
	s, r := b.open()
	at := b.turn(s, r, "@@write")
	b.write("old.txt", "mine\n")
	b.must(os.Remove(b.path("deep/new.txt")))
	files, err := s.PreviewRewind(t.Context(), at)
	if want := []session.FileChange{
		{Path: b.path("deep/new.txt"), Change: "created", Compared: true, Foreign: true, Gone: true},
		{Path: b.path("gone.txt"), Change: "deleted", Compared: true},
		{Path: b.path("old.txt"), Change: "modified", Added: 1, Removed: 2, Compared: true, Foreign: true},
	}; err != nil || !slices.Equal(files, want) {
		t.Errorf("preview %+v, %v; want %+v", files, err, want)
	}
	b.rewound(s, r, at, true, []string{b.path("gone.txt")}, []string{
		b.path("deep/new.txt") + ": it was changed since the agent wrote it", b.path("old.txt") + ": it was changed since the agent wrote it",
	})
}

// TestRedoOfChangedFiles leaves alone what was changed before the rewind and
// since.
func TestRedoOfChangedFiles(t *testing.T) {
	b := writer(t)
	s, r := b.open()
	second := b.turn(s, r, "@@write second")
	b.write("deep/new.txt", "mine\n")
	b.rewound(
		s, r, second, true, []string{b.path("gone.txt"), b.path("old.txt")},
		[]string{b.path("deep/new.txt") + ": it was changed since the agent wrote it"},
	)
	b.write("old.txt", "mine too\n")
	id, ok, err := s.Redo(t.Context())
	says(t, err, "the conversation is back", b.path("old.txt")+": it was changed since the rewind")
	if !ok || id == "" || strings.Contains(err.Error(), "new.txt") || strings.Contains(err.Error(), "gone.txt") {
		t.Errorf("taken back: %q, %t, %v", id, ok, err)
	}
	b.holds(map[string]string{"old.txt": "mine too\n", "deep/new.txt": "mine\n"})
}

// TestRedoEndsWithAPrompt says something new behind a rewind.
func TestRedoEndsWithAPrompt(t *testing.T) {
	b := writer(t)
	s, r := b.open()
	b.turn(s, r, "@@a first")
	second := b.turn(s, r, "@@write second")
	b.rewound(s, r, second, true, []string{b.path("deep/new.txt"), b.path("gone.txt"), b.path("old.txt")}, nil)
	if n := len(b.stored()); n != 2 {
		t.Fatalf("%d sessions are stored, one of them the copy", n)
	}
	b.turn(s, r, "@@a third")
	b.nothingToRedo(s)
	b.holds(filesBefore)
	b.must(s.Close(t.Context())) // behind it nothing of the copy is under way
	b.stop()
	if ids := b.stored(); !slices.Equal(ids, []session.ID{s.Info().ID}) {
		t.Errorf("stored are %v", ids)
	}
	b.connect()
}

// TestCopiesGoAtTheEnd leaves a session, and then an agent, without a redo.
func TestCopiesGoAtTheEnd(t *testing.T) {
	b := writer(t)
	s, r := b.open()
	b.turn(s, r, "@@a first")
	second := b.turn(s, r, "@@a second")
	b.rewound(s, r, second, false, nil, nil)
	b.must(s.Close(t.Context()))
	if ids := b.stored(); !slices.Equal(ids, []session.ID{s.Info().ID}) {
		t.Errorf("behind the session are stored %v", ids)
	}
	s, r = b.resume(s.Info().ID)
	next[session.SessionResume](r)
	b.nothingToRedo(s)
	second = b.turn(s, r, "@@a second")
	b.rewound(s, r, second, false, nil, nil)
	b.restart()
	if ids := b.stored(); !slices.Equal(ids, []session.ID{s.Info().ID}) {
		t.Errorf("behind the agent are stored %v", ids)
	}
}

func TestRewindWhileAtWork(t *testing.T) {
	b := writer(t)
	hold := llm.NewGate()
	t.Cleanup(hold.Open)
	b.model.Add("busy", llm.Step{Text: "One two three.", Hold: hold, HoldAfter: 1})
	s, r := b.open()
	first := b.turn(s, r, "@@a first")
	b.send(s, "@@busy")
	<-hold.Reached()
	_, err := s.RewindPoints(t.Context())
	says(t, err, "at work")
	for _, files := range []bool{true, false} {
		_, err = s.Rewind(t.Context(), first, files)
		says(t, err, "rewind the session", "at work")
	}
	b.nothingToRedo(s)
	hold.Open()
	next[session.SessionIdle](r)
	if n := len(b.stored()); n != 1 {
		t.Errorf("%d sessions are stored", n)
	}
	b.rewound(s, r, first, false, nil, nil)
}

// TestRedoOfADeletedCopy deletes the copy behind the agent's back.
func TestRedoOfADeletedCopy(t *testing.T) {
	b := writer(t)
	s, r := b.open()
	b.turn(s, r, "@@a first")
	second := b.turn(s, r, "@@a second")
	b.rewound(s, r, second, false, nil, nil)
	for _, id := range b.stored() {
		if id != s.Info().ID {
			b.must(b.agent.Delete(t.Context(), id))
		}
	}
	_, ok, err := s.Redo(t.Context())
	if says(t, err, "take the rewind back", "was deleted"); ok {
		t.Error("it was taken back")
	}
	b.nothingToRedo(s)
}

func TestRewindOfAClosedSession(t *testing.T) {
	b := on(t, answers())
	s, r := b.open()
	first := b.turn(s, r, "@@a")
	b.must(s.Close(t.Context()))
	if _, err := s.Rewind(t.Context(), first, false); !errors.Is(err, copilot.ErrClosed) {
		t.Errorf("rewound: %v", err)
	}
	b.nothingToRedo(s)
}

// TestRedoAfterCommand: a command of the user's leaves a rewind to be taken back, and what
// was rewound is kept then, since the copy has no such command.
func TestRedoAfterCommand(t *testing.T) {
	b := writer(t)
	s, r := b.open()
	id := s.Info().ID
	b.turn(s, r, "@@a first")
	second := b.turn(s, r, "@@write second")
	b.rewound(s, r, second, false, nil, nil)
	b.must(s.RunShell(t.Context(), "true"))
	again, _ := b.redo(s, "@@a first", "@@write second")
	if got := b.title(id); got != "rewound: @@a first" {
		t.Errorf("what was rewound is called %q", got)
	}
	b.must(again.Close(t.Context()))
}
