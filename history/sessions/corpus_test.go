package sessions_test

import (
	"strings"
	"testing"
	"time"

	"parley/history/sessions"
	"parley/history/sessions/corpus"
)

// TestCorpusTimes looks whether many sessions are spread over the time that they
// should be, the newest first, and have names of one line.
func TestCorpusTimes(t *testing.T) {
	t.Parallel()
	home := t.TempDir()
	c := corpus.Config{Seed: 7, Sessions: 400, Bytes: 4 << 20, Now: time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)}
	if err := corpus.Write(home, c); err != nil {
		t.Fatal(err)
	}
	logs, err := sessions.Copilot(home, nil).List(t.Context())
	if err != nil || len(logs) != c.Sessions {
		t.Fatalf("%d sessions, %v", len(logs), err)
	}
	for i, log := range logs {
		if want := c.Now.Add(-corpus.Shelf / 400 * time.Duration(i)); !log.Modified.Equal(want) {
			t.Errorf("session %d was used at %v, not %v", i, log.Modified, want)
		}
		if log.Name == "" || strings.ContainsAny(log.Name, "\\\n") {
			t.Errorf("session %d is called %q", i, log.Name)
		}
	}
}
