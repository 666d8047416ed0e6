// Package terminal is what a terminal can do and says: what is known of it without
// asking, what it answers, pastes as they are, images, titles and notifications.
package terminal

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/charmbracelet/colorprofile"

	"parley/settings"
	"parley/settings/environ"
	"parley/theme"
)

// Environment is what a terminal lets be known of itself without being asked, and what
// the user wants of it.
type Environment struct {
	Vars   []string          // the environment, as os.Environ returns it
	Prefer settings.Terminal // what the user wants shown
	// Lines is true where it only ever gets more lines: ASCII, without colours.
	Lines bool
	// Inline is true where the window is below what the terminal has: it has no images there.
	Inline bool
	spared bool // little is written to it
}

// SlowAnswer is how long a terminal may take to answer before the line to it counts as slow.
const SlowAnswer = 150 * time.Millisecond

// LowBandwidth reports whether little is to be written to the terminal, which takes so long
// to answer; 0 is not known.
func (e Environment) LowBandwidth(roundTrip time.Duration) bool {
	return e.Prefer.LowBandwidth == "on" || e.Prefer.LowBandwidth == "auto" && roundTrip > SlowAnswer
}

// Spared is the environment in which little is written to the terminal: no images, which
// are large, no links, whose addresses are written twice, and of the colours those that are
// written as one number.
func (e Environment) Spared() Environment {
	e.spared, e.Prefer.Pictures, e.Prefer.Links = true, false, false
	return e
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

// Glyphs are the options of a theme for the glyphs that the terminal can show, and
// whether it slants them. To the terminfo entry of screen, which tmux follows where TERM
// names it, the sequence for italics is that of standout, and consoles have another
// colour for it.
func (e Environment) Glyphs() []theme.Option {
	var options []theme.Option
	switch {
	case e.Lines:
		options = append(options, theme.Spoken())
	case !e.Unicode():
		options = append(options, theme.ASCII())
	case e.Console():
		options = append(options, theme.Console())
	}
	if strings.HasPrefix(e.Get("TERM"), "screen") || e.Console() || e.withoutColours() {
		options = append(options, theme.Upright())
	}
	return options
}

// Colours is which colours the terminal has, without asking it.
func (e Environment) Colours() colorprofile.Profile { return e.LimitColours(colorprofile.Env(e.Vars)) }

// LimitColours returns those of some colours that the terminal has by its name.
func (e Environment) LimitColours(profile colorprofile.Profile) colorprofile.Profile {
	forced, _ := strconv.ParseBool(e.Get("CLICOLOR_FORCE"))
	switch {
	case e.Lines:
		return colorprofile.NoTTY
	case forced:
		return profile
	case e.withoutColours():
		return min(profile, colorprofile.ASCII)
	case e.spared || strings.HasPrefix(e.Get("TERM"), "screen"): // also on a terminal with more, as in screen.xterm-kitty
		return min(profile, colorprofile.ANSI256)
	}
	return profile
}

// withoutColours reports whether the terminal is one of those that have none: DEC's, and
// the variants of others that are called so in terminfo.
func (e Environment) withoutColours() bool {
	name := e.Get("TERM")
	digits, dec := strings.CutPrefix(name, "vt")
	return dec && digits != "" && strings.Trim(digits[:1], "0123456789") == "" && !strings.HasSuffix(name, "color") ||
		strings.HasSuffix(name, "-m") || strings.HasSuffix(name, "-mono")
}

// MarksPrompts reports whether the terminal can be given marks at prompts (OSC 133): one that does not know them leaves them out,
// but for the Linux console and GNU screen.
func (e Environment) MarksPrompts() bool { return !e.Console() && e.Multiplexer() != "screen" }

// Reflow is what a terminal of this name and version (XTVERSION) does when its width changes. Most break the lines that they
// are too narrow for; xterm, screen and Linux' console cut them.
func (e Environment) Reflow(version string) Reflow {
	switch {
	case e.Multiplexer() == "tmux":
		return ReflowAll
	case e.Multiplexer() == "screen", e.Console(), strings.HasPrefix(version, "XTerm("):
		return NoReflow
	case strings.HasPrefix(version, "xterm.js("), e.Get("TERM_PROGRAM") == "vscode":
		return ReflowAround
	case e.lowersCursor(version):
		return ReflowLow
	}
	return ReflowLines
}

// lowersCursor reports whether the terminal is a kitty before 0.38. It is taken for one until it has said its version.
func (e Environment) lowersCursor(version string) bool {
	var major, minor int
	if n, _ := fmt.Sscanf(version, "kitty(%d.%d", &major, &minor); n == 2 {
		return major == 0 && minor < 38
	}
	return version == "" && e.Get("TERM") == "xterm-kitty"
}

// HoldsEscape reports whether Escape reaches the window only with the next key while the
// window has the mouse, as in GNU screen. Version is how the terminal calls itself: in
// tmux TERM may be that of screen.
func (e Environment) HoldsEscape(version string) bool {
	return e.Multiplexer() == "screen" && !strings.HasPrefix(version, "tmux")
}

// ErasesToOwn reports whether the terminal erases to its own background whatever is set
// (no bce in terminfo), as GNU screen does.
func (e Environment) ErasesToOwn() bool { return e.Multiplexer() == "screen" }

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
