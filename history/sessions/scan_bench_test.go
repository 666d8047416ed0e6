package sessions_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"parley/history/sessions"
)

// shelf is the sessions of shelfHome.
func shelf(tb testing.TB) sessions.Source {
	tb.Helper()
	return sessions.Copilot(shelfHome(tb), nil)
}

// shelfHome is a corpus of 2,000 sessions: of 100 MB, or of 2 GB if the user who runs
// the benchmark asks for that with PARLEY_CORPUS=2GB.
func shelfHome(tb testing.TB) string {
	tb.Helper()
	c := corpusConfig{Seed: 9, Sessions: 2000, Bytes: 100 << 20, Now: time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)}
	if os.Getenv("PARLEY_CORPUS") == "2GB" {
		c.Bytes = 2 << 30
	}
	return corpusHome(tb, c)
}

func listed(tb testing.TB, s sessions.Source) (logs []sessions.Log, size int64) {
	tb.Helper()
	logs, err := s.List(context.Background())
	if err != nil {
		tb.Fatal(err)
	}
	for _, l := range logs {
		size += l.Size
	}
	return logs, size
}

// BenchmarkList lists 2,000 sessions: the first time, and when nothing has changed.
func BenchmarkList(b *testing.B) {
	home := shelfHome(b)
	b.Run("first", func(b *testing.B) {
		for b.Loop() {
			listed(b, sessions.Copilot(home, nil))
		}
	})
	b.Run("again", func(b *testing.B) {
		s := sessions.Copilot(home, nil)
		for b.Loop() {
			listed(b, s)
		}
	})
}

// BenchmarkDigestCorpus reads logs with the mix of events that real ones have, one
// after the other.
func BenchmarkDigestCorpus(b *testing.B) {
	s := shelf(b)
	logs, _ := listed(b, s)
	logs = logs[:100]
	for b.Loop() {
		var size int64
		for _, l := range logs {
			f, err := s.Open(context.Background(), l.ID)
			if err != nil {
				b.Fatal(err)
			}
			var d sessions.Digest
			if err := d.Read(context.Background(), f, func(sessions.Text) {}); err != nil {
				b.Fatal(err)
			}
			_ = f.Close()
			size += l.Size
		}
		b.SetBytes(size)
	}
}

// BenchmarkScan is what an index is compared with: every log is read, the newest
// first, by as many goroutines as there are processors, and looked through for the
// bytes of a word (as it stands, in its capitals).
func BenchmarkScan(b *testing.B) {
	logs, size := listed(b, shelf(b))
	for name, word := range map[string]string{"common": corpusWord(20), "rare": corpusWord(39000), "absent": "xyzzy"} {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(size)
			var found int
			for b.Loop() {
				found = scan(b, logs, []byte(word))
			}
			b.ReportMetric(float64(found), "sessions")
		})
	}
}

// scan counts the logs that hold a word.
func scan(tb testing.TB, logs []sessions.Log, word []byte) int {
	tb.Helper()
	var next, found atomic.Int64
	var work sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		work.Go(func() {
			buf := make([]byte, 1<<20)
			for i := next.Add(1) - 1; int(i) < len(logs); i = next.Add(1) - 1 {
				held, err := holds(logs[i].Path, word, buf)
				if err != nil {
					tb.Error(err)
				}
				if held {
					found.Add(1)
				}
			}
		})
	}
	work.Wait()
	return int(found.Load())
}

// holds reports whether a file holds a word, which may stand across two reads.
func holds(path string, word, buf []byte) (bool, error) {
	f, err := os.Open(path)
	if err != nil {
		return false, err
	}
	defer func() { _ = f.Close() }()
	kept := 0
	for {
		n, err := f.Read(buf[kept:])
		if bytes.Contains(buf[:kept+n], word) {
			return true, nil
		}
		if errors.Is(err, io.EOF) {
			return false, nil
		}
		if err != nil {
			return false, err
		}
		keep := min(kept+n, len(word)-1)
		copy(buf, buf[kept+n-keep:kept+n])
		kept = keep
	}
}
