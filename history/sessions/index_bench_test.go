package sessions_test

import (
	"context"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"parley/history/sessions"
	"parley/session/sessiontest"
)

// library opens a library of a corpus whose index is in a folder.
func library(tb testing.TB, dir string, source sessions.Source) *sessions.Library {
	tb.Helper()
	l, err := sessions.Open(sessions.Config{
		Sources: []sessions.Source{source}, Index: filepath.Join(dir, "sessions.db"), Marks: filepath.Join(dir, "marks.json"),
		Now: func() time.Time { return time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC) }, Location: time.UTC,
	})
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() { _ = l.Close() })
	return l
}

func refreshed(tb testing.TB, l *sessions.Library) {
	tb.Helper()
	if err := l.Refresh(context.Background()); err != nil {
		tb.Fatal(err)
	}
}

// resident is the most memory that the process has had since it was last asked to
// forget that, in MB; 0 where the system does not say.
func resident(forget bool) float64 {
	if forget {
		_ = os.WriteFile("/proc/self/clear_refs", []byte("5"), 0o600)
	}
	status, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return 0
	}
	for line := range strings.Lines(string(status)) {
		if rest, ok := strings.CutPrefix(line, "VmHWM:"); ok {
			kb, _ := strconv.ParseFloat(strings.Fields(rest)[0], 64)
			return kb / 1024
		}
	}
	return 0
}

func folderSize(tb testing.TB, dir string) (size int64) {
	tb.Helper()
	files, err := os.ReadDir(dir)
	if err != nil {
		tb.Fatal(err)
	}
	for _, f := range files {
		info, err := f.Info()
		if err != nil {
			tb.Fatal(err)
		}
		size += info.Size()
	}
	return size
}

// BenchmarkIndexBuild reads all sessions of the corpus for the first time.
func BenchmarkIndexBuild(b *testing.B) {
	source := shelf(b)
	_, size := listed(b, source)
	var took sessiontest.Samples
	var share, memory float64
	var cpu time.Duration
	for b.Loop() {
		dir := b.TempDir()
		l := library(b, dir, source)
		before := resident(true)
		from := sessiontest.CPU(b)
		start := time.Now()
		refreshed(b, l)
		took = append(took, time.Since(start))
		cpu, memory = sessiontest.CPU(b)-from, resident(false)-before
		_ = l.Close()
		share = 100 * float64(folderSize(b, dir)) / float64(size)
	}
	mb := float64(size) / (1 << 20)
	b.ReportMetric(mb, "MB-log")
	b.ReportMetric(mb/took.Median().Seconds(), "MB/s") // at least 20: docs/decisions.md 20
	b.ReportMetric(mb/cpu.Seconds(), "MB/cpu-s")       // on a busy machine, this says more
	b.ReportMetric(share, "%-of-log")
	b.ReportMetric(memory, "MB-memory")
	sessiontest.Figure(b, took.Median().Seconds(), "s", mb/20)
}

// BenchmarkIndexUse is what is done with an index that is complete. "Another" is
// a process that has just begun: its source has read nothing yet.
func BenchmarkIndexUse(b *testing.B) {
	home := shelfHome(b)
	dir := b.TempDir()
	l := library(b, dir, sessions.Copilot(home, nil))
	refreshed(b, l)
	b.Run("refresh-nothing-new", func(b *testing.B) {
		var took sessiontest.Samples
		for b.Loop() {
			start := time.Now()
			refreshed(b, l)
			took = append(took, time.Since(start))
		}
		sessiontest.Figure(b, sessiontest.Milliseconds(took.Median()), "ms", 100)
	})
	b.Run("first-look", func(b *testing.B) {
		var took sessiontest.Samples
		for b.Loop() {
			l := library(b, dir, sessions.Copilot(home, nil))
			start := time.Now()
			if _, err := l.Find(context.Background(), sessions.Request{Scope: sessions.Everywhere, Limit: 100}); err != nil {
				b.Fatal(err)
			}
			took = append(took, time.Since(start))
			_ = l.Close()
		}
		sessiontest.Figure(b, sessiontest.Milliseconds(took.Median()), "ms", 100)
	})
	b.Run("refresh-nothing-new-by-another", func(b *testing.B) {
		var took sessiontest.Samples
		var cpu time.Duration
		for b.Loop() {
			l := library(b, dir, sessions.Copilot(home, nil))
			from, start := sessiontest.CPU(b), time.Now()
			refreshed(b, l)
			took = append(took, time.Since(start))
			cpu += sessiontest.CPU(b) - from
			_ = l.Close()
		}
		b.ReportMetric(sessiontest.Milliseconds(cpu)/float64(len(took)), "ms-cpu") // on a busy machine, this says more
		sessiontest.Figure(b, sessiontest.Milliseconds(took.Median()), "ms", 100)
	})
	for _, c := range []struct{ name, query string }{
		{"common", corpusWord(20)},
		{"rare", corpusWord(39000)},
		{"absent", "xyzzy"},
		{"words", corpusWord(3) + " " + corpusWord(40) + " " + corpusWord(400)},
		{"phrase", `"` + corpusWord(3) + " " + corpusWord(5) + `"`},
		{"path", "internal/table.go"},
		{"not", corpusWord(20) + " -" + corpusWord(21)},
		{"filters", "cost:>0 has:edits is:done"},
	} {
		b.Run("typing-"+c.name, func(b *testing.B) { typing(b, l, c.query) })
	}
}

// typing looks for each beginning of a line, as it is typed.
func typing(b *testing.B, l *sessions.Library, line string) {
	b.Helper()
	var took sessiontest.Samples
	var worst time.Duration
	at, total := "", 0
	for b.Loop() {
		for i := range len(line) {
			q, err := sessions.ParseQuery(line[:i+1], time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC))
			if err != nil {
				continue // what is typed is not whole yet
			}
			start := time.Now()
			found, err := l.Find(context.Background(), sessions.Request{Query: q, Scope: sessions.Everywhere, Limit: 100})
			if err != nil {
				b.Fatal(err)
			}
			d := time.Since(start)
			took = append(took, d)
			if total = found.Total; d > worst {
				worst, at = d, line[:i+1]
			}
		}
	}
	b.ReportMetric(sessiontest.Milliseconds(took.Median()), "ms-median")
	b.ReportMetric(float64(total), "found")
	if testing.Verbose() {
		b.Logf("slowest: %q", at)
	}
	sessiontest.Figure(b, sessiontest.Milliseconds(worst), "ms-worst", 100)
}
