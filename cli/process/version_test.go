package process

import (
	"runtime/debug"
	"testing"
)

// TestDescribe is the version of binaries built with and without a repository.
func TestDescribe(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		settings []debug.BuildSetting
		want     string
	}{
		{nil, Release},
		{[]debug.BuildSetting{{Key: "GOOS", Value: "linux"}}, Release},
		{[]debug.BuildSetting{{Key: "vcs.revision", Value: "0123456789abcdef"}, {Key: "vcs.modified", Value: "false"}}, Release + " (0123456789ab)"},
		{[]debug.BuildSetting{{Key: "vcs.revision", Value: "0123"}, {Key: "vcs.modified", Value: "true"}}, Release + " (0123, modified)"},
	} {
		if got := describe(c.settings); got != c.want {
			t.Errorf("got %q, want %q", got, c.want)
		}
	}
}
