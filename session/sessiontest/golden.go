package sessiontest

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/aymanbagabas/go-udiff"
)

var update = flag.Bool("update", false, "write golden files instead of comparing with them")

// Golden compares got with testdata/golden/<name>.txt, where name may hold
// slashes, and fails the test with a diff when they differ. With -update it
// writes the file instead. Line ends at the end of got do not count.
func Golden(tb testing.TB, name, got string) {
	tb.Helper()
	path := filepath.Join(Root(tb), "testdata", "golden", filepath.FromSlash(name)+".txt")
	got = strings.TrimRight(got, "\n") + "\n"
	if *update {
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			tb.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			tb.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(path)
	if err != nil {
		tb.Fatalf("%v (run the test with -update to write it)", err)
	}
	if diff := udiff.Unified("want", "got", string(want), got); diff != "" {
		tb.Errorf("%s is not as in its golden file (-update accepts this):\n%s", name, diff)
	}
}
