package session_test

import (
	"path/filepath"
	"testing"

	"parley/session"
)

// TestFileURL: the path of a file is the path of its address, also where it begins with a drive.
func TestFileURL(t *testing.T) {
	t.Parallel()
	for path, want := range map[string]string{
		"/tmp/a b?.txt":    "file:///tmp/a%20b%3F.txt",
		"/C:/Users/a#.txt": "file:///C:/Users/a%23.txt",
	} {
		if u := session.FileURL(path); u.String() != want {
			t.Errorf("%s is %s, want %s", path, u.String(), want)
		}
	}
	if filepath.Separator == '/' {
		return
	}
	if u := session.FileURL(`C:\Users\ä.txt`); u.String() != "file:///C:/Users/%C3%A4.txt" {
		t.Errorf("with a drive it is %s", u.String())
	}
}
