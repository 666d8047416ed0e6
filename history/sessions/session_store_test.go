package sessions_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"strconv"
	"strings"
	"testing"
	"time"

	"parley/history/sessions"
	"parley/session"
	"parley/session/sessiontest"
)

// begun puts a session on a keeper, in which something was said, and lets go of
// it.
func begun(t *testing.T, s *sessions.Store, id session.ID, prompt string) {
	t.Helper()
	r, err := s.Begin(session.Stored{
		ID: id, Dir: "/src/app: #1", Client: "parley", Agent: "sse:http://x", Started: time.Date(2026, 11, 22, 8, 0, 0, 5, time.UTC),
	})
	if err != nil {
		t.Fatal(err)
	}
	for i, b := range []session.Body{
		session.SessionStart{SessionID: id}, session.UserMessage{Content: prompt}, session.AssistantMessage{Content: "so"},
	} {
		if err := r.Append(session.Event{ID: session.EventID(string(id) + strconv.Itoa(i)), Body: b}); err != nil {
			t.Fatal(err)
		}
	}
	if err := errors.Join(r.Describe("A \"title\"\nof: two lines", true), r.Close()); err != nil {
		t.Fatal(err)
	}
}

func TestKeeper(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "sessions")
	s := sessions.StoreIn(dir)
	if all, err := s.List(t.Context()); len(all) > 0 || err != nil {
		t.Errorf("no folder lists %v, %v", all, err)
	}
	begun(t, s, "one", "hello")
	kept, r, err := s.Take(t.Context(), "one", "mine")
	if err != nil {
		t.Fatal(err)
	}
	want := session.Stored{
		ID: "one", Title: "A \"title\"\nof: two lines", Dir: "/src/app: #1", Client: "parley", Agent: "sse:http://x",
		Started: time.Date(2026, 11, 22, 8, 0, 0, 5, time.UTC), Used: kept.Used,
	}
	if !reflect.DeepEqual(kept.Stored, want) || !kept.Named || len(kept.Events) != 3 || kept.Events[1].ID != "one1" {
		t.Errorf("got %+v\nwant %+v", kept, want)
	}
	if _, _, err := s.Take(t.Context(), "one", "mine"); err == nil || !strings.Contains(err.Error(), "open in another window") {
		t.Errorf("it was taken twice: %v", err)
	}
	if err := s.Remove(t.Context(), "one"); err == nil {
		t.Error("it was removed while it is open")
	}
	if all, _ := s.List(t.Context()); len(all) != 1 || !all[0].InUse {
		t.Errorf("listed is %+v", all)
	}
	if err := errors.Join(r.Append(session.Event{ID: "3", Body: session.AssistantMessage{Content: "more"}}), r.Close(), r.Close()); err != nil {
		t.Error(err)
	}
	if kept, err := s.Read(t.Context(), "one"); err != nil || len(kept.Events) != 4 || kept.InUse {
		t.Errorf("got %+v, %v", kept, err)
	}
	if err := r.Append(session.Event{ID: "4", Body: session.AssistantMessage{}}); err == nil {
		t.Error("a record takes events after it was closed")
	}
	if err := s.Remove(t.Context(), "one"); err != nil {
		t.Error(err)
	}
	if _, err := s.Read(t.Context(), "one"); err == nil {
		t.Error("it is still there")
	}
}

// TestKeeperIsPrivate: only the user reads what was said.
func TestKeeperIsPrivate(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "state", "sessions")
	begun(t, sessions.StoreIn(dir), "one", "hello")
	err := filepath.WalkDir(filepath.Dir(dir), func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := d.Info()
		if err == nil && sessiontest.Unix && info.Mode().Perm()&0o077 != 0 {
			t.Errorf("%s is %v", path, info.Mode())
		}
		if strings.HasSuffix(path, ".lock") || strings.HasSuffix(path, ".new") {
			t.Errorf("%s is left", path)
		}
		return err
	})
	if err != nil {
		t.Error(err)
	}
}

// TestKeeperKeepsNothingUnsaid: a session in which nothing was said leaves
// nothing.
func TestKeeperKeepsNothingUnsaid(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "sessions")
	r, err := sessions.StoreIn(dir).Begin(session.Stored{ID: "one"})
	if err == nil {
		err = errors.Join(r.Append(session.Event{ID: "0", Body: session.SessionStart{}}), r.Describe("x", false), r.Close())
	}
	if _, missing := os.Stat(dir); err != nil || !errors.Is(missing, fs.ErrNotExist) {
		t.Errorf("%v, %v", err, missing)
	}
}

// TestKeeperMends: what a program that died left is read as far as it was
// written, and what comes after is whole.
func TestKeeperMends(t *testing.T) {
	t.Parallel()
	whole := `{"type":"assistant.message","data":{"content":"whole"},"id":"w","parentId":null}`
	for name, tt := range map[string]struct {
		torn string
		want int // events after another was appended
	}{
		"half a line":              {`{"type":"assistant.mess`, 4},
		"a long half line":         {`{"type":"assistant.message","data":{"content":"` + strings.Repeat("x", 200<<10), 4},
		"a line without its end":   {whole, 5},
		"nothing":                  {"", 4},
		"noise, and then an event": {"noise\n" + whole + "\n", 5},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			s := sessions.StoreIn(dir)
			begun(t, s, "one", "hello")
			path := filepath.Join(dir, "one", "events.jsonl")
			before, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			for file, text := range map[string]string{path: string(before) + tt.torn, filepath.Join(dir, "one", "inuse.999999.lock"): "999999"} {
				if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			_, r, err := s.Take(t.Context(), "one", "mine")
			if err != nil {
				t.Fatal(err)
			}
			if err := errors.Join(r.Append(session.Event{ID: "last", Body: session.AssistantMessage{Content: "after"}}), r.Close()); err != nil {
				t.Fatal(err)
			}
			kept, err := s.Read(t.Context(), "one")
			if err != nil || len(kept.Events) != tt.want || kept.Events[len(kept.Events)-1].ID != "last" {
				t.Errorf("%d events, %v", len(kept.Events), err)
			}
		})
	}
}

// TestKeeperStaysInside: an id is a name, and never a way out of the folder.
func TestKeeperStaysInside(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	if err := os.MkdirAll(filepath.Join(dir, "other"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "other", "events.jsonl"), []byte("{}\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	s := sessions.StoreIn(filepath.Join(dir, "sessions"))
	for _, id := range []session.ID{"", ".", "..", "../other", "a/b", `..\x`, ".hidden"} {
		if _, err := s.Read(t.Context(), id); err == nil {
			t.Errorf("%q was read", id)
		}
		if err := s.Remove(t.Context(), id); err == nil {
			t.Errorf("%q was removed", id)
		}
		if _, err := s.Begin(session.Stored{ID: id}); err == nil {
			t.Errorf("%q was begun", id)
		}
	}
	if _, err := os.Stat(filepath.Join(dir, "other", "events.jsonl")); err != nil {
		t.Error(err)
	}
}

// TestOwnSessions lists and opens what a Keeper has as the library does, with what
// is stored of each, and says who answered last.
func TestOwnSessions(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "sessions")
	source, s := sessions.Own(dir), sessions.StoreIn(dir)
	begun(t, s, "one", "hello")
	logs, err := source.List(t.Context())
	if err != nil || len(logs) != 1 {
		t.Fatalf("%v, %v", logs, err)
	}
	want := sessions.Log{
		ID: "one", Keeper: sessions.ParleyKeeper, Agent: "sse:http://x", Path: filepath.Join(dir, "one", "events.jsonl"),
		Size: logs[0].Size, Modified: logs[0].Modified, Name: "A \"title\"\nof: two lines", Named: true, Dir: "/src/app: #1",
		Client: "parley", Created: time.Date(2026, 11, 22, 8, 0, 0, 5, time.UTC),
	}
	if logs[0] != want {
		t.Errorf("got  %+v\nwant %+v", logs[0], want)
	}
	log, err := source.Open(t.Context(), "one")
	if err != nil {
		t.Fatal(err)
	}
	var d sessions.Digest
	if err := errors.Join(d.Read(t.Context(), log, func(sessions.Text) {}), log.Close()); err != nil || d.Prompts != 1 {
		t.Errorf("%+v, %v", d.Facts, err)
	}
	_, r, err := s.Take(t.Context(), "one", "it's mine")
	if err != nil {
		t.Fatal(err)
	}
	if l, err := source.Log("one"); err != nil || !l.InUse || l.ResumeCommand() != `parley --agent 'it'\''s mine' --resume one` {
		t.Errorf("while it is open it is %+v, %v", l, err)
	}
	if err := r.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := source.Log("other"); !errors.Is(err, sessions.ErrNotFound) {
		t.Errorf("what is not there: %v", err)
	}
	if got := (sessions.Log{ID: "x", Keeper: sessions.CopilotKeeper, Agent: "copilot"}).ResumeCommand(); got != "parley --resume x" {
		t.Errorf("one of the Copilot CLI: %s", got)
	}
}
