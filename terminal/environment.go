// Package terminal is what a terminal can do and says: what is known of it without
// asking, what it answers, pastes as they are, images, titles and notifications.
package terminal

import (
	"cmp"
	"fmt"
	"strings"

	"parley/settings"
	"parley/settings/environ"
	"parley/theme"
)

// Environment is what a terminal lets be known of itself without being asked, and what
// the user wants of it.
type Environment struct {
	Vars   []string          // the environment, as os.Environ returns it
	Prefer settings.Terminal // what the user wants shown
}

// Get returns a variable; "" if it is not set.
func (e Environment) Get(name string) string { return environ.Get(e.Vars, name) }

// Unicode reports whether the locale has more letters than ASCII (POSIX: the
// first of LC_ALL, LC_CTYPE and LANG that is set decides). No locale at all is
// what many containers have, on terminals that show everything.
func (e Environment) Unicode() bool {
	locale := strings.ToLower(cmp.Or(e.Get("LC_ALL"), e.Get("LC_CTYPE"), e.Get("LANG")))
	return locale == "" || strings.Contains(locale, "utf-8") || strings.Contains(locale, "utf8") || locale == "c" || locale == "posix"
}

// Multiplexer is the program between the window and the terminal: tmux, screen,
// zellij, or "" for none.
func (e Environment) Multiplexer() string {
	name := e.Get("TERM")
	switch {
	case e.Get("TMUX") != "" || strings.HasPrefix(name, "tmux"):
		return "tmux"
	case e.Get("ZELLIJ") != "":
		return "zellij"
	case e.Get("STY") != "" || strings.HasPrefix(name, "screen"):
		return "screen"
	}
	return ""
}

// Console reports whether the terminal is the Linux console, or GNU screen on it.
func (e Environment) Console() bool {
	return e.Get("TERM") == "linux" || strings.HasPrefix(e.Get("TERM"), "linux-") || e.Get("TERM") == "screen.linux"
}

// Glyphs are the options of a theme for the glyphs that the terminal can show.
func (e Environment) Glyphs() []theme.Option {
	switch {
	case !e.Unicode():
		return []theme.Option{theme.ASCII()}
	case e.Console():
		return []theme.Option{theme.Console()}
	}
	return nil
}

// Background reports whether the terminal's background is dark, as far as that is
// known without asking: by COLORFGBG, and that of the Linux console is.
func (e Environment) Background() (dark, known bool) {
	if dark, known = theme.Background(e.Get("COLORFGBG")); known {
		return dark, known
	}
	return e.Console(), e.Console()
}

// HidesBackground reports whether asking for the background is in vain: tmux
// reports that of the terminal around it from version 3.4 on.
func (e Environment) HidesBackground() bool {
	var major, minor int
	_, err := fmt.Sscanf(strings.TrimPrefix(e.Get("TERM_PROGRAM_VERSION"), "next-"), "%d.%d", &major, &minor)
	return e.Get("TERM_PROGRAM") == "tmux" && err == nil && (major < 3 || major == 3 && minor < 4)
}

// Browser is the command line that opens an address on a system; nil where the
// user could not see what it opens.
func (e Environment) Browser(system, address string) []string {
	far := e.Get("SSH_CONNECTION") != "" || e.Get("SSH_TTY") != ""
	switch {
	case system == "windows" && !far:
		return []string{"rundll32", "url.dll,FileProtocolHandler", address}
	case system == "darwin" && !far:
		return []string{"open", address}
	case system == "windows" || system == "darwin":
		return nil
	case e.Get("WAYLAND_DISPLAY") != "" || e.Get("DISPLAY") != "":
		return []string{"xdg-open", address}
	}
	return nil
}

// BellCharacter is the character that rings it.
const BellCharacter = "\a"
