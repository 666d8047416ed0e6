package conversation

import (
	"context"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/charmbracelet/x/ansi"

	"parley/history/drafts"
	prompthistory "parley/history/prompts"
	"parley/history/sessions"
	"parley/render/text"
	"parley/session"
	"parley/terminal"
	"parley/terminal/handover"
	"parley/theme"
	"parley/tui/transcript"
	"parley/tui/viewer"
	"parley/tui/widget"
)

// Pass sets the time forward, never back.
func (w *Window) Pass(t time.Time) {
	if t.After(w.Now) {
		w.Now = t
	}
}

// Window is what the conversations of a window have in common: for whom and how they
// look, what is stored in addition to sessions, and what reaches outside.
type Window struct {
	Ctx    context.Context
	Config Config
	Own    *Backend // the agent that the window was opened with

	backends []*Backend // it, and the others
	screen
	keyring
	Theme *theme.Theme
	Effects

	Width, Height int
	Now           time.Time      // the latest time a message brought
	Zone          *time.Location // clock times are shown in it
	Focused       bool           // the terminal window has the focus, as far as it reports
	Vim           bool
	Spin          Spinner
	hinting       widget.HintLine
	viewing       viewer.Layout      // how edits are shown
	said          terminal.Heard     // what the terminal said of itself
	Images        *transcript.Images // that the terminal shows itself

	prompts *prompthistory.History // those sent before, also from other windows
	Journal journal                // keeps what is not sent
	stashed []drafts.Stashed       // drafts that were put away
	Pressed uint64                 // keys so far
	Asking  uint64                 // pressed, when what has come now was asked for
	escaped time.Time              // when escape last closed something, or was one too many for that
}

// NewWindow returns a window that shows nothing yet.
func NewWindow(ctx context.Context, c Config, e Effects) *Window {
	w := &Window{
		Ctx: ctx, Config: c, Effects: e, Zone: time.UTC, Focused: true, Spin: c.Spinner(),
		Vim: c.Settings.Vim, Images: &transcript.Images{}, prompts: c.prompts(), Journal: newJournal(c),
	}
	if c.Now != nil {
		w.Now = c.Now()
		w.Zone = w.Now.Location()
	}
	w.Bind(c.Keys)
	w.Own = &Backend{Open: c.Agent, Name: c.AgentName, Flags: c.AgentFlags, Keeper: c.Keeper}
	w.backends = []*Backend{w.Own}
	for i := range c.Others {
		w.backends = append(w.backends, &c.Others[i])
	}
	return w
}

// BackendOf is the agent that can continue a session; nil if there is none here.
func (w *Window) BackendOf(s sessions.Session) *Backend {
	if len(w.Own.Flags) > 0 && w.Own.Flags[len(w.Own.Flags)-1] == s.Agent && s.Keeper == w.Own.Keeper {
		return w.Own
	}
	for _, b := range w.backends[1:] {
		if b.keeps(s) && (s.Keeper == sessions.ParleyKeeper || s.Foreign(w.Own.Keeper)) {
			return b
		}
	}
	if s.Foreign(w.Own.Keeper) {
		return nil
	}
	return w.Own
}

// otherNames are the agents beside the one that the window was opened with.
func (w *Window) otherNames() string {
	var names []string
	for _, b := range w.backends[1:] {
		names = append(names, b.Option)
	}
	return strings.Join(names, ", ")
}

// optionsOf are what sessions of an agent begin with. The model and the mode of the command line
// are meant for the one that it names.
func (w *Window) optionsOf(b *Backend) session.Options {
	o := w.Config.Options
	if b != w.Own {
		o.Model, o.Mode = "", ""
	}
	return o
}

// LowBandwidth reports whether little is to be written to the terminal.
func (w *Window) LowBandwidth() bool { return w.Config.Environment().LowBandwidth(w.said.RoundTrip) }

// Environment is what is known of the terminal without asking it, and what of it is used.
func (w *Window) Environment() terminal.Environment {
	e := w.Config.Environment()
	if w.LowBandwidth() {
		return e.Spared()
	}
	return e
}

// still reports whether nothing on the screen may change by itself, as time
// passes.
func (w *Window) still() bool { return w.Config.Settings.Motion == "none" || w.LowBandwidth() }

// RoundTripMsg is how long the terminal takes to answer.
type RoundTripMsg time.Duration

// Suspend stops the process until the shell continues it; the terminal is the shell's until then.
func (w *Window) Suspend(string) tea.Cmd {
	return w.Lend(handover.Suspend, func(error) tea.Msg { return tea.ResumeMsg{} })
}

// Quit ends the window.
func (w *Window) Quit(string) tea.Cmd { return w.Settled(tea.Quit) }

// Listen notes what the terminal says of itself, whoever asked.
func (w *Window) Listen(msg tea.Msg) {
	h := &w.said
	switch msg := msg.(type) {
	case tea.TerminalVersionMsg:
		h.Version = text.SanitizeLine(msg.Name)
	case RoundTripMsg:
		h.RoundTrip = time.Duration(msg)
	case tea.BackgroundColorMsg:
		h.Dark = terminal.KnownAs(msg.IsDark())
	case tea.KeyboardEnhancementsMsg:
		h.Keys = terminal.KnownAs(msg.SupportsKeyDisambiguation())
	case tea.ModeReportMsg:
		has := terminal.KnownAs(msg.Value != ansi.ModeNotRecognized)
		switch msg.Mode {
		case ansi.ModeSynchronizedOutput:
			h.Sync = has
		case ansi.ModeUnicodeCore:
			h.Graphemes = has
		}
	case InputMsg:
		switch msg.Msg.(type) {
		case tea.FocusMsg, tea.BlurMsg:
			h.FocusEvents = terminal.Yes
		}
	}
}

// Reflow is what the terminal does to lines when its width changes.
func (w *Window) Reflow() terminal.Reflow { return w.Config.Environment().Reflow(w.said.Version) }

// mouseHoldsEscape reports whether the window cannot have the mouse, since Escape would
// come only with the next key then.
func (w *Window) mouseHoldsEscape() bool { return w.Config.Environment().HoldsEscape(w.said.Version) }

// Terminal is what is known of the terminal that the window is in.
func (w *Window) Terminal() terminal.Description {
	h := w.said
	if h.Keys == terminal.Unknown && (h.Dark != terminal.Unknown || h.Sync != terminal.Unknown || h.Graphemes != terminal.Unknown) {
		h.Keys = terminal.No // it was asked at the same time as these
	}
	return w.Config.Environment().Describe(h, w.Width, w.Height)
}
