package sessions_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"parley/history/sessions"
	"parley/session"
)

func corpusNow() time.Time { return time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC) }

// TestCorpus writes a small one twice: it is the same, has the size that was asked
// for, and every line of it is an event of a known shape.
func TestCorpus(t *testing.T) {
	t.Parallel()
	c := corpusConfig{Seed: 7, Sessions: 6, Bytes: 2 << 20, Now: corpusNow()}
	one, two := t.TempDir(), t.TempDir()
	for _, home := range []string{one, two} {
		if err := writeCorpus(home, c); err != nil {
			t.Fatal(err)
		}
	}
	logs, err := filepath.Glob(filepath.Join(one, "session-state", "*", "events.jsonl"))
	if err != nil || len(logs) != c.Sessions {
		t.Fatalf("%d logs, %v", len(logs), err)
	}
	var all int64
	bytes, lines := map[session.Kind]int64{}, map[session.Kind]int{}
	for _, path := range logs {
		rel, _ := filepath.Rel(one, path)
		a, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if b, err := os.ReadFile(filepath.Join(two, rel)); err != nil || string(a) != string(b) {
			t.Errorf("%s is another the second time (%v)", rel, err)
		}
		all += int64(len(a))
		f, err := os.Open(path)
		if err != nil {
			t.Fatal(err)
		}
		for ev, err := range session.ReadLog(f) {
			if err != nil {
				t.Fatal(err)
			}
			if u, unknown := ev.Body.(session.Unknown); unknown {
				t.Fatalf("%s: %v", u.Type, u.Reason)
			}
			line, _ := session.Encode(ev)
			bytes[ev.Kind()] += int64(len(line))
			lines[ev.Kind()]++
		}
		_ = f.Close()
	}
	if all < c.Bytes || all > c.Bytes+c.Bytes/4 {
		t.Errorf("%d bytes instead of %d", all, c.Bytes)
	}
	for kind, n := range bytes {
		t.Logf("%-26s %5d lines %5.1f %%", kind, lines[kind], 100*float64(n)/float64(all))
	}
	if share := float64(lines["system.message"]) / float64(lines["assistant.turn_start"]); share < 0.2 || share > 0.4 {
		t.Errorf("%.2f system messages for a call of the model", share)
	}
}

// TestCorpusTimes looks whether many sessions are spread over the time that they
// should be, the newest first, and have names of one line.
func TestCorpusTimes(t *testing.T) {
	t.Parallel()
	home := t.TempDir()
	c := corpusConfig{Seed: 7, Sessions: 400, Bytes: 4 << 20, Now: time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)}
	if err := writeCorpus(home, c); err != nil {
		t.Fatal(err)
	}
	logs, err := sessions.Copilot(home, nil).List(t.Context())
	if err != nil || len(logs) != c.Sessions {
		t.Fatalf("%d sessions, %v", len(logs), err)
	}
	for i, log := range logs {
		if want := c.Now.Add(-corpusAge / 400 * time.Duration(i)); !log.Modified.Equal(want) {
			t.Errorf("session %d was used at %v, not %v", i, log.Modified, want)
		}
		if log.Name == "" || strings.ContainsAny(log.Name, "\\\n") {
			t.Errorf("session %d is called %q", i, log.Name)
		}
	}
}

// BenchmarkWriteCorpus prints how fast a corpus is written.
func BenchmarkWriteCorpus(b *testing.B) {
	c := corpusConfig{Seed: 7, Sessions: 100, Bytes: 100 << 20, Now: corpusNow()}
	b.SetBytes(c.Bytes)
	for b.Loop() {
		if err := writeCorpus(b.TempDir(), c); err != nil {
			b.Fatal(err)
		}
	}
}
