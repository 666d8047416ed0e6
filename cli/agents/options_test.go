package agents_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/spf13/pflag"

	"parley/cli/agents"
)

// TestResumeAny: without an id --resume lists the sessions, wherever it stands.
func TestResumeAny(t *testing.T) {
	t.Parallel()
	for line, want := range map[string]string{
		"": "", "-r": "--resume=?", "--resume": "--resume=?", "-r x": "-r x", "--resume x": "--resume x", "-r --model m": "--resume=? --model m",
		"-r -- fix": "--resume=? -- fix", "-- -r": "-- -r", "-r=x": "-r=x",
	} {
		args := strings.Fields(line)
		got := agents.ResumeAny(args)
		if got == nil || !slices.Equal(got, strings.Fields(want)) || !slices.Equal(args, strings.Fields(line)) {
			t.Errorf("%q becomes %q, want %q", line, got, want)
		}
		if strings.Contains(line, "--model") || slices.Contains(got, "--") {
			continue
		}
		var o agents.Options
		f := pflag.NewFlagSet("", pflag.ContinueOnError)
		o.Register(f)
		if err := f.Parse(got); err != nil {
			t.Fatal(err)
		}
		lists := strings.Contains(want, "?")
		if err := o.Check(f); err != nil || o.Browse != lists || lists && o.Resume != "" || !lists && line != "" && o.Resume != "x" {
			t.Errorf("%q: resumes %q, lists the sessions: %t, error %v", line, o.Resume, o.Browse, err)
		}
	}
}
