package sessiontest

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"parley/session"
)

func TestCorpus(t *testing.T) {
	t.Parallel()
	if _, err := os.Stat(filepath.Join(Root(t), "go.mod")); err != nil {
		t.Error(err)
	}
	logs := Logs(t)
	if len(logs) < 70 {
		t.Errorf("%d logs", len(logs))
	}
	events := Events(t)
	for _, k := range session.Kinds() {
		if len(events[k]) == 0 || events[k][0] != '{' {
			t.Errorf("no sample of %s", k)
		}
	}
	// A caller may write into what it got.
	clear(events[session.KindAbort])
	if again := Events(t)[session.KindAbort]; again[0] != '{' {
		t.Error("samples are shared between calls")
	}
	log := Log(t, "abort_tool_running")
	if last := log[len(log)-1]; len(log) < 10 || last.Kind() != session.KindSessionIdle {
		t.Errorf("%d events, the last a %s", len(log), last.Kind())
	}
}

// recorder is a test that notes how it fails first.
type recorder struct {
	testing.TB
	failure string
}

func (r *recorder) Helper() {}

func (r *recorder) Errorf(format string, args ...any) {
	r.failure = cmp.Or(r.failure, fmt.Sprintf(format, args...))
}

func (r *recorder) Fatalf(format string, args ...any) { r.Errorf(format, args...) }

// TestGolden compares with testdata/golden/sessiontest/sample.txt.
func TestGolden(t *testing.T) {
	t.Parallel()
	const text = "one\ntwo\nthree\n"
	Golden(t, "sessiontest/sample", text)
	if *update {
		return
	}
	for name, got := range map[string]string{"no line end": "one\ntwo\nthree", "many line ends": text + "\n\n"} {
		r := &recorder{TB: t}
		if Golden(r, "sessiontest/sample", got); r.failure != "" {
			t.Errorf("%s: %s", name, r.failure)
		}
	}
	r := &recorder{TB: t}
	Golden(r, "sessiontest/sample", "one\n2\nthree\n")
	if !strings.Contains(r.failure, "-two") || !strings.Contains(r.failure, "+2") {
		t.Errorf("the failure shows no diff: %q", r.failure)
	}
	r = &recorder{TB: t}
	Golden(r, "sessiontest/no-such-file", text)
	if !strings.Contains(r.failure, "with -update to write it") {
		t.Errorf("the failure does not say what to do: %q", r.failure)
	}
}
