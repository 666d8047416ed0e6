//go:build unix

package handover

import (
	"errors"
	"fmt"
	"os"
	"testing"
)

// TestAwait: how a program failed is said.
func TestAwait(t *testing.T) {
	t.Parallel()
	for script, want := range map[string]string{
		"exit 1": "editor ended with exit code 1", "kill -INT $$": "editor was ended by a signal: interrupt", "": "",
	} {
		p, err := os.StartProcess("/bin/sh", []string{"sh", "-c", script}, &os.ProcAttr{})
		if err != nil {
			t.Fatal(err)
		}
		err = await(p.Pid, "editor", func() error { return errors.New("it was not stopped") })
		if got := fmt.Sprint(err); got != want && (want != "" || err != nil) {
			t.Errorf("%q: %v, want %q", script, err, want)
		}
	}
}
