package tui

import (
	"context"
	"runtime"
	"strings"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"
	"github.com/charmbracelet/x/ansi"

	"parley/render"
	"parley/theme"
	"parley/tui/files"
)

// Known is whether something is so, as far as anybody can tell.
type Known uint8

// What can be known.
const (
	Unknown Known = iota
	No
	Yes
)

// String is for people.
func (k Known) String() string {
	return [...]string{"not known", "no", "yes"}[min(k, Yes)]
}

// knownAs is what can be told for sure.
func knownAs(yes bool) Known {
	if yes {
		return Yes
	}
	return No
}

// Heard is what a terminal has said of itself.
type Heard struct {
	Version    string // its name and version (XTVERSION); "" if it did not say
	Dark       Known  // its background is
	Keys       Known  // it speaks the kitty keyboard protocol
	Clipboard  Known  // it lets a program set the clipboard (OSC 52)
	Sync       Known  // it shows a frame at once (mode 2026)
	Graphemes  Known  // it counts the cells of a letter of several parts as one (mode 2027)
	FocusTold  Known  // it tells when its window gets or loses the focus (mode 1004)
	Unanswered bool   // it was asked, and said nothing at all
}

// Terminal is what is known of the terminal around Parley: by its variables, and
// by what it said.
type Terminal struct {
	Heard
	Name          string // TERM
	Program       string // as it calls itself, with its version; "" if it does not
	Width, Height int    // in cells; 0 if it is none
	Colours       colorprofile.Profile
	NoColour      bool  // NO_COLOR is set
	DarkByEnv     Known // its background is, says COLORFGBG
	Unicode       bool  // by the locale
	Multiplexer   string
	Far           bool // at the other end of SSH
	Notices       Channel
	Progress      bool
	Pictures      Known
	Links         bool // by its name
}

// Terminal is what the settings and the environment make of a terminal that has
// said so much.
func (c Config) Terminal(heard Heard, width, height int) Terminal {
	t := Terminal{
		Heard: heard, Name: c.env("TERM"), Width: width, Height: height,
		Program: strings.TrimSpace(c.env("TERM_PROGRAM") + " " + c.env("TERM_PROGRAM_VERSION")),
		Colours: colorprofile.Env(c.Env), NoColour: c.env("NO_COLOR") != "", Unicode: c.unicode(),
		Multiplexer: c.multiplexer(), Far: c.env("SSH_CONNECTION") != "" || c.env("SSH_TTY") != "",
		Notices: c.channel(AutoChannel), Progress: c.showsProgress(), Links: c.followsLinks(),
	}
	if dark, said := theme.Background(c.env("COLORFGBG")); said {
		t.DarkByEnv = knownAs(dark)
	}
	switch {
	case heard.Version != "":
		t.Program = heard.Version
	case t.Program == "" && c.env("KITTY_WINDOW_ID") != "":
		t.Program = "kitty"
	case t.Program == "" && c.env("VTE_VERSION") != "":
		t.Program = "VTE " + c.env("VTE_VERSION")
	case t.Program == "" && c.env("WT_SESSION") != "":
		t.Program = "Windows Terminal"
	}
	if t.Clipboard == Unknown && t.Multiplexer == "" && c.setsClipboard() {
		t.Clipboard = Yes
	}
	t.Pictures = knownAs(c.mayShowPictures() && showsPictures(heard.Version))
	if c.mayShowPictures() && heard.Version == "" && !heard.Unanswered {
		t.Pictures = Unknown
	}
	return t
}

// setsClipboard reports whether the terminal is one that lets programs set the
// clipboard (OSC 52) as it comes, by what their documentation says.
func (c Config) setsClipboard() bool {
	name, program := c.env("TERM"), c.env("TERM_PROGRAM")
	return c.env("KITTY_WINDOW_ID") != "" || c.env("WT_SESSION") != "" || program == "ghostty" || program == "WezTerm" ||
		name == "xterm-kitty" || name == "xterm-ghostty" || name == "wezterm" || name == "alacritty" || strings.HasPrefix(name, "foot")
}

// followsLinks reports whether the terminal is known to follow links (OSC 8) by
// itself. Others show their text, and the address where it is another one.
func (c Config) followsLinks() bool {
	name, program := c.env("TERM"), c.env("TERM_PROGRAM")
	switch program {
	case "iTerm.app", "WezTerm", "ghostty", "vscode", "WarpTerminal", "Hyper", "rio":
		return true
	}
	return c.env("KITTY_WINDOW_ID") != "" || c.env("WT_SESSION") != "" || c.env("VTE_VERSION") != "" || c.env("KONSOLE_VERSION") != "" ||
		name == "xterm-kitty" || name == "xterm-ghostty" || name == "wezterm" || name == "alacritty" || strings.HasPrefix(name, "foot")
}

// Editor is the command line of the user's editor, with the whole path of its
// program.
func (c Config) Editor() ([]string, error) { return findEditor(c) }

// Browser is the command line that opens an address here; nil where no browser
// can be reached.
func (c Config) Browser() []string { return c.browser(runtime.GOOS, "") }

// ClipboardTool is the program that takes a text for the clipboard of the
// desktop; "" where only the terminal can.
func (c Config) ClipboardTool() string { return files.Writer(c.Env, runtime.GOOS) }

// Examination draws what was found out about Parley and what is around it, in
// lines of a width.
type Examination func(width int, th *theme.Theme) []string

// listen notes what the terminal says of itself, whoever asked.
func (m *Model) listen(msg tea.Msg) {
	h := &m.said
	switch msg := msg.(type) {
	case tea.TerminalVersionMsg:
		h.Version = render.SanitizeLine(msg.Name)
	case tea.BackgroundColorMsg:
		h.Dark = knownAs(msg.IsDark())
	case tea.KeyboardEnhancementsMsg:
		h.Keys = knownAs(msg.SupportsKeyDisambiguation())
	case tea.ModeReportMsg:
		has := knownAs(msg.Value != ansi.ModeNotRecognized)
		switch msg.Mode {
		case ansi.ModeSynchronizedOutput:
			h.Sync = has
		case ansi.ModeUnicodeCore:
			h.Graphemes = has
		}
	case inputMsg:
		switch msg.Msg.(type) {
		case tea.FocusMsg, tea.BlurMsg:
			h.FocusTold = Yes
		}
	}
}

// terminal is what is known of the terminal that the window is in.
func (m *Model) terminal() Terminal {
	h := m.said
	if h.Keys == Unknown && (h.Dark != Unknown || h.Sync != Unknown || h.Graphemes != Unknown) {
		h.Keys = No // it was asked at the same time as these
	}
	return m.config.Terminal(h, m.width, m.height)
}

// showDoctor shows what was found out about Parley and what is around it.
func (m *Model) showDoctor(string) tea.Cmd {
	if m.config.Doctor == nil {
		m.tell("Nothing can be examined here.")
		return nil
	}
	m.tell("Looking at the terminal, the agent, folders and files.")
	look, c, known := m.config.Doctor, m.config, m.terminal()
	return ask(m, "look at what is around Parley", func(ctx context.Context) (Examination, error) {
		return look(ctx, c, known)
	}, func(m *Model, found Examination) tea.Cmd {
		if m.opens(true, "", "The doctor has looked: /doctor shows it.") {
			m.hint = hint{}
			m.openPanel(&panel{title: "Doctor", lines: func(m *Model, width int) []string {
				lines := found(width, m.theme)
				for i, l := range lines {
					if l != "" {
						lines[i] = blank(margin) + l
					}
				}
				return lines
			}})
		}
		return nil
	})
}
