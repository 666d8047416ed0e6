package sessions

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"parley/session/sessiontest"
)

// playIndex indexes the sessions of a folder, and says when it has begun: it is
// another window, or one that is killed.
func playIndex(dir, _ string) error {
	l, err := Open(Config{Sources: []Source{Copilot(filepath.Join(dir, "home"), nil)}, Index: filepath.Join(dir, "cache", "sessions.db")})
	if err != nil {
		return err
	}
	ended, look := make(chan error, 1), time.NewTicker(time.Millisecond)
	defer look.Stop()
	go func() { ended <- l.Refresh(context.Background()) }()
	for said := false; ; {
		select {
		case err := <-ended:
			if !said {
				fmt.Println("begun") //nolint:forbidigo // to the test that waits for it
			}
			return errors.Join(err, l.Close())
		case <-look.C:
			if p := l.Progress(); !said && p.Done > 0 && p.Busy() {
				said = true
				fmt.Println("begun") //nolint:forbidigo // likewise
			}
		}
	}
}

// stockedHome writes sessions as the Copilot CLI does.
func stockedHome(t *testing.T, dir string, n int) {
	t.Helper()
	for i := range n {
		folder := filepath.Join(dir, "home", "session-state", fmt.Sprintf("00000000-0000-4000-8000-%012d", i))
		if err := os.MkdirAll(folder, 0o700); err != nil {
			t.Fatal(err)
		}
		var log strings.Builder
		log.WriteString(asked(fmt.Sprintf("the tide and word%d", i)))
		for j := range 100 {
			log.WriteString(answered(strings.Repeat(fmt.Sprintf("ebb%d moon%d ", i, j), 40)))
		}
		name := filepath.Join(folder, "events.jsonl")
		if err := os.WriteFile(name, []byte(log.String()), 0o600); err != nil {
			t.Fatal(err)
		}
		at := noon().Add(time.Duration(i) * time.Minute)
		if err := os.Chtimes(name, at, at); err != nil {
			t.Fatal(err)
		}
	}
}

func homeLibrary(t *testing.T, dir, cache string) *Library {
	t.Helper()
	return openedIn(t, cache, Copilot(filepath.Join(dir, "home"), nil))
}

// TestProcessesIndex lets several processes index the same sessions at once, while
// this one looks for something.
func TestProcessesIndex(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	stockedHome(t, dir, 60)
	var processes []*sessiontest.Process
	for range 3 {
		processes = append(processes, sessiontest.Start(t, "index", dir, ""))
	}
	l := homeLibrary(t, dir, filepath.Join(dir, "cache"))
	for range 20 {
		if found := mustFind(t, l, ""); found.Total != 60 {
			t.Errorf("found %d", found.Total)
		}
		mustFind(t, l, "ebb1 moon")
	}
	mustRefresh(t, l)
	for _, p := range processes {
		p.End(t)
	}
	mustRefresh(t, l)
	same(t, l, anew(t, Copilot(filepath.Join(dir, "home"), nil)), []string{"tide", "word7", "ebb59", "moon99"})
	if p := l.Progress(); p.Busy() || p.All != 60 {
		t.Errorf("at the end: %+v", p)
	}
}

// TestIndexIsWholeOnceItIsThere looks at the file of an index from the moment on at
// which it has its name: a reader opens it without the lock of its writer.
func TestIndexIsWholeOnceItIsThere(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	stockedHome(t, dir, 1)
	l := homeLibrary(t, dir, filepath.Join(dir, "cache"))
	seen := make(chan error, 1)
	go func() {
		for t.Context().Err() == nil {
			all := l.index.files.generations()
			if len(all) == 0 {
				continue
			}
			head, err := os.ReadFile(l.index.files.generation(all[0]))
			if err == nil && (len(head) < 64 || head[63] != version) { // the last byte of SQLite's user_version
				err = fmt.Errorf("the file is there with %d bytes and is no index yet", len(head))
			}
			seen <- err
			return
		}
	}()
	mustRefresh(t, l)
	if err := <-seen; err != nil {
		t.Error(err)
	}
}

// TestKilledWhileIndexing kills a process that indexes, again and again; what is
// left of its index is continued.
func TestKilledWhileIndexing(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	stockedHome(t, dir, 60)
	for range 4 {
		p := sessiontest.Start(t, "index", dir, "")
		if _, err := p.Out.ReadString('\n'); err != nil {
			t.Fatalf("%v: %s", err, p.Errors)
		}
		if err := p.Process.Kill(); err != nil && !errors.Is(err, os.ErrProcessDone) {
			t.Fatal(err)
		}
		_ = p.Wait() // it was killed
		found := mustFind(t, homeLibrary(t, dir, filepath.Join(dir, "cache")), "")
		if found.Warnings != nil {
			t.Errorf("trouble: %q", found.Warnings)
		}
	}
	l := homeLibrary(t, dir, filepath.Join(dir, "cache"))
	mustRefresh(t, l)
	same(t, l, anew(t, Copilot(filepath.Join(dir, "home"), nil)), []string{"tide", "word7", "ebb59", "moon99"})
}
