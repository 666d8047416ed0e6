package widget

import "testing"

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
	} {
		if got := ShortFile(c[0], c[1], c[2]); got != c[3] {
			t.Errorf("%s from %q and %q is %s, want %s", c[0], c[1], c[2], got, c[3])
		}
	}
}
