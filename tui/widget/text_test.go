package widget

import (
	"path/filepath"
	"testing"
)

// TestShortFile: a path is shortened by a whole folder only, and one elsewhere stays whole.
func TestShortFile(t *testing.T) {
	t.Parallel()
	for _, c := range [][4]string{
		{"/src/app/a.go", "/src/app", "/home/ada", "a.go"},
		{"/src/app/a.go", "/src/app/", "/home/ada", "a.go"},
		{"/src/app2/a.go", "/src/app", "/home/ada", "/src/app2/a.go"},
		{"/home/ada/a.go", "/src/app", "/home/ada", "~/a.go"},
		{"/etc/a", "", "", "/etc/a"},
		{"/src/app//etc/a", "/src/app", "/home/ada", "/src/app//etc/a"},
		{`C:\src\app\sub\a.go`, `C:\src\app`, `C:\Users\ada`, `sub\a.go`},
		{`c:/src/app/a.go`, `C:\src\app\`, `C:\Users\ada`, "a.go"}, // as some agents write it
		{`C:\Users\ada\a.go`, `C:\src\app`, `C:\Users\ada`, `~\a.go`},
		{`C:\Users\adam\a.go`, `C:\src\app`, `C:\Users\ada`, `C:\Users\adam\a.go`},
		{`\\host\share\a.go`, `\\host\share`, "", "a.go"},
		{`/src\a.go`, "/src", "", `/src\a.go`},
	} {
		if got := ShortFile(c[0], c[1], c[2]); got != c[3] {
			t.Errorf("%s from %q and %q is %s, want %s", c[0], c[1], c[2], got, c[3])
		}
	}
}

func TestBase(t *testing.T) {
	t.Parallel()
	for path, want := range map[string]string{"": "", filepath.FromSlash("/src/app"): "app", "/src/app/": "app"} {
		if got := Base(path); got != want {
			t.Errorf("%q: %q, want %q", path, got, want)
		}
	}
}
