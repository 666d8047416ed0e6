package files

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"sync"
	"testing"
	"time"

	"parley/session/sessiontest"
)

// queries are what people type, a letter at a time and whole, and what is
// worst: letters that are everywhere and hardly ever together.
var queries = []string{
	"", "e", "s", "z", "/", "t.", "se", "src", "ts", "cet", "tse", "app", "main", "index", "comp", "compo", "test", "model.go",
	"Session", "SeCo", "src/", "src/s", "s/e", "a/b/c", "ser/ind", "tests/api", "controller", "userservice", "nothing-like", "qqq",
	"eeeee", "etaoin", "a-b-c-d", "reader.test", "serviceser", "packages/c", "x.tsx", "stsx", "rtnmes", "aeiou", "srcapp", "third_part",
}

// BenchmarkFind is a completion among 200,000 files: the median of each query,
// of which the worst counts.
func BenchmarkFind(b *testing.B) {
	x := index(tree(200_000), maxEntries)
	frecency := map[string]float64{}
	for i := range 500 {
		frecency[string(x.paths[i*(x.Len()/500)])] = float64(i%40) / 4
	}
	took := make([]sessiontest.Samples, len(queries))
	for b.Loop() {
		for i, query := range queries {
			start := time.Now()
			x.Find(query, frecency, 50)
			took[i] = append(took[i], time.Since(start))
		}
	}
	worst, sum := 0, time.Duration(0)
	for i := range queries {
		sum += took[i].Median()
		if took[i].Median() > took[worst].Median() {
			worst = i
		}
	}
	if testing.Verbose() {
		for i, query := range queries {
			b.Logf("%8.2f ms  %q", sessiontest.Milliseconds(took[i].Median()), query)
		}
	}
	b.ReportMetric(float64(x.Len()), "entries")
	b.ReportMetric(sessiontest.Milliseconds(sum)/float64(len(queries)), "ms-mean")
	sessiontest.Figure(b, sessiontest.Milliseconds(took[worst].Median()), fmt.Sprintf("ms-worst-%q", queries[worst]), 50)
}

// BenchmarkRead is the reading of a checkout of 200,000 files, beside what git
// alone takes, and what the walk without it does.
func BenchmarkRead(b *testing.B) {
	git, err := exec.LookPath("git")
	if err != nil {
		b.Skip("there is no git here")
	}
	dir := b.TempDir()
	for _, path := range slices.Compact(slices.Sorted(slices.Values(tree(205_000)))) {
		at := filepath.Join(dir, path)
		if err := errors.Join(os.MkdirAll(filepath.Dir(at), 0o755), os.WriteFile(at, nil, 0o644)); err != nil {
			b.Fatal(err)
		}
	}
	for _, args := range [][]string{{"init", "-q"}, {"add", "."}} {
		cmd := exec.CommandContext(b.Context(), git, args...)
		cmd.Dir = dir
		if out, err := cmd.CombinedOutput(); err != nil {
			b.Fatalf("%v: %s", err, out)
		}
	}
	var read, lists, walked sessiontest.Samples
	for b.Loop() {
		start := time.Now()
		if x, err := Read(b.Context(), dir, false); err != nil || x.Len() < 200_000 {
			b.Fatal(x.Len(), err)
		}
		read = append(read, time.Since(start))
		start = time.Now()
		var all sync.WaitGroup
		for _, args := range [][]string{{"-t", "-s"}, {"--others", "--exclude-standard"}, {"--deleted"}} {
			all.Go(func() {
				if _, err := lsFiles(b.Context(), git, dir, args...); err != nil {
					b.Error(err)
				}
			})
		}
		all.Wait()
		lists = append(lists, time.Since(start))
		start = time.Now()
		l := &listing{limit: maxEntries}
		if err := l.walk(b.Context(), dir); err != nil {
			b.Fatal(err)
		}
		walked = append(walked, time.Since(start))
	}
	b.ReportMetric(sessiontest.Milliseconds(lists.Median()), "ms-of-git")
	b.ReportMetric(sessiontest.Milliseconds(walked.Median()), "ms-without-git")
	sessiontest.Figure(b, sessiontest.Milliseconds(read.Median()-lists.Median()), "ms-over-git", 500)
}
