package terminal

import (
	"os"
	"path/filepath"
	"testing"
)

// Each line of the first frame begins in the first column: the terminal is raw by then.
func TestFirstFrameIsNoStaircase(t *testing.T) {
	t.Parallel()
	file, err := os.Create(filepath.Join(t.TempDir(), "out"))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	(&Output{File: file}).First("one\ntwo")
	if got, err := os.ReadFile(file.Name()); err != nil || string(got) != "\x1b[?1049h\x1b[Hone\r\ntwo" {
		t.Errorf("%q, %v", got, err)
	}
}

// The terminal keeps its title while the window has one, and gets it back.
func TestTitleComesBack(t *testing.T) {
	t.Parallel()
	var o Output
	got := ""
	for _, p := range []string{"a", "\x1b]2;one\ab", "\x1b]2;two\a", "\x1b]2;\a", "x\x1b]2;\a", "\x1b]2;three\ay\x1b]2;\az"} {
		got += string(o.named([]byte(p)))
	}
	const want = "a\x1b[22;2t\x1b]2;one\ab\x1b]2;two\a\x1b]2;\a\x1b[23;2tx\x1b]2;\a\x1b[22;2t\x1b]2;three\ay\x1b]2;\a\x1b[23;2tz"
	if got != want {
		t.Errorf("got  %q\nwant %q", got, want)
	}
}
