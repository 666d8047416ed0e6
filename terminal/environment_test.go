package terminal

import (
	"fmt"
	"testing"
)

// Where there is no screen to show a browser on, none is started.
func TestBrowser(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		system string
		env    []string
		want   string
	}{
		{"linux", nil, "[]"},
		{"linux", []string{"DISPLAY=:0", "SSH_TTY=/dev/pts/1"}, "[xdg-open u]"},
		{"freebsd", []string{"DISPLAY=:0"}, "[xdg-open u]"},
		{"darwin", nil, "[open u]"},
		{"darwin", []string{"SSH_CONNECTION=a"}, "[]"},
		{"windows", nil, "[rundll32 url.dll,FileProtocolHandler u]"},
	} {
		if got := fmt.Sprint(Environment{Vars: c.env}.Browser(c.system, "u")); got != c.want {
			t.Errorf("%s %v: %s, want %s", c.system, c.env, got, c.want)
		}
	}
}
