package copilot

import (
	"errors"
	"io"
	"os"
	"runtime"
	"testing"

	"github.com/muesli/cancelreader"
)

func TestOutput(t *testing.T) {
	t.Parallel()
	canceled := cancelreader.ErrCanceled
	if runtime.GOOS == "windows" { // where the file is closed
		canceled = os.ErrClosed
	}
	for name, tc := range map[string]struct {
		end  func(in *os.File, out *output)
		want error
	}{
		"it ends":      {func(in *os.File, _ *output) { _ = in.Close() }, io.EOF},
		"is cancelled": {func(_ *os.File, out *output) { out.cancel() }, canceled},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			pipe, in, err := os.Pipe()
			if err != nil {
				t.Fatal(err)
			}
			defer in.Close()
			out, err := newOutput(pipe)
			if err != nil {
				t.Fatal(err)
			}
			if _, err := in.WriteString("said"); err != nil {
				t.Fatal(err)
			}
			b := make([]byte, 10)
			if n, err := out.Read(b); err != nil || string(b[:n]) != "said" {
				t.Fatalf("read %q, %v", b[:n], err)
			}
			ended := make(chan error)
			go func() {
				_, err := out.Read(b)
				ended <- err
			}()
			tc.end(in, out)
			if err := <-ended; !errors.Is(err, tc.want) {
				t.Errorf("ended with %v, not %v", err, tc.want)
			}
		})
	}
}
