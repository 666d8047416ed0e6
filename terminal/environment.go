// Package terminal is what a terminal can do and says: what is known of it without
// asking, what it answers, pastes as they are, images, titles and notifications.
package terminal

import (
	"cmp"
	"strings"

	"parley/settings"
	"parley/settings/environ"
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
