package terminal

import (
	"slices"
	"strings"
	"time"

	"github.com/charmbracelet/colorprofile"
)

// Known is whether something is so, as far as can be found out.
type Known uint8

// String is for people.
func (k Known) String() string {
	return [...]string{"not known", "no", "yes"}[min(k, Yes)]
}

// KnownAs is the Known of what is certain.
func KnownAs(yes bool) Known {
	if yes {
		return Yes
	}
	return No
}

// Heard is what a terminal has said of itself.
type Heard struct {
	Version     string        // its name and version (XTVERSION); "" if it did not say
	Dark        Known         // its background is
	Keys        Known         // it speaks the kitty keyboard protocol
	Clipboard   Known         // it lets a program set the clipboard (OSC 52)
	Sync        Known         // it shows a frame at once (mode 2026)
	Graphemes   Known         // it counts the cells of a letter of several parts as one (mode 2027)
	FocusEvents Known         // it reports when its window gets or loses the focus (mode 1004)
	RoundTrip   time.Duration // it takes to answer; 0 is not known
	Unanswered  bool          // it was asked, and said nothing at all
}

// Description is what is known of the terminal around Parley: by its variables, and
// by what it said.
type Description struct {
	Heard
	Name          string // TERM
	Program       string // as it calls itself, with its version; "" if it does not
	Width, Height int    // in cells; 0 if it is none
	Colours       colorprofile.Profile
	NoColour      bool  // NO_COLOR is set
	DarkByEnv     Known // its background is, by the environment
	Unicode       bool  // by the locale
	Console       bool  // it is that of Linux
	Multiplexer   string
	Far           bool // at the other end of SSH
	Notices       Channel
	Progress      bool
	Images        Known
	Links         bool // by its name
	LowBandwidth  bool // little is written to it
	ByRoundTrip   bool // which depends on how long it takes to answer
}

// Describe is what the settings and the environment make of a terminal that has
// said so much.
func (e Environment) Describe(heard Heard, width, height int) Description {
	t := Description{
		Heard: heard, Name: e.Get("TERM"), Width: width, Height: height,
		Program: strings.TrimSpace(e.Get("TERM_PROGRAM") + " " + e.Get("TERM_PROGRAM_VERSION")),
		Colours: e.Colours(), NoColour: e.Get("NO_COLOR") != "", Unicode: e.Unicode(), Console: e.Console(),
		Multiplexer: e.Multiplexer(), Far: e.Get("SSH_CONNECTION") != "" || e.Get("SSH_TTY") != "",
		Notices: e.Channel(AutoChannel), Progress: e.ShowsProgress(), Links: e.followsLinks(),
	}
	if dark, known := e.Background(); known {
		t.DarkByEnv = KnownAs(dark)
	}
	switch {
	case heard.Version != "":
		t.Program = heard.Version
	case t.Program == "" && e.Get("KITTY_WINDOW_ID") != "":
		t.Program = "kitty"
	case t.Program == "" && e.Get("VTE_VERSION") != "":
		t.Program = "VTE " + e.Get("VTE_VERSION")
	case t.Program == "" && e.Get("WT_SESSION") != "":
		t.Program = "Windows Terminal"
	}
	if t.Clipboard == Unknown && t.Multiplexer == "" && e.setsClipboard() {
		t.Clipboard = Yes
	}
	t.LowBandwidth, t.ByRoundTrip = e.LowBandwidth(heard.RoundTrip), e.Prefer.LowBandwidth == "auto"
	may := e.MayShowImages() && !t.LowBandwidth
	t.Images = KnownAs(may && ShowsImages(heard.Version))
	if may && heard.Version == "" && !heard.Unanswered {
		t.Images = Unknown
	}
	return t
}

// setsClipboard reports whether the terminal is one that lets programs set the
// clipboard (OSC 52) as it comes, by what their documentation says.
func (e Environment) setsClipboard() bool {
	name, program := e.Get("TERM"), e.Get("TERM_PROGRAM")
	return e.Get("KITTY_WINDOW_ID") != "" || e.Get("WT_SESSION") != "" || program == "ghostty" || program == "WezTerm" ||
		name == "xterm-kitty" || name == "xterm-ghostty" || name == "wezterm" || name == "alacritty" || strings.HasPrefix(name, "foot")
}

// followsLinks reports whether the terminal is known to follow links (OSC 8) by
// itself, as all do that let programs set the clipboard. Others show their text,
// and the address where it is another one.
func (e Environment) followsLinks() bool {
	return e.setsClipboard() || e.Get("VTE_VERSION") != "" || e.Get("KONSOLE_VERSION") != "" ||
		slices.Contains([]string{"iTerm.app", "vscode", "WarpTerminal", "Hyper", "rio"}, e.Get("TERM_PROGRAM"))
}

// What can be known.
const (
	Unknown Known = iota
	No
	Yes
)
