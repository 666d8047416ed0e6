package tui

import (
	"context"
	"runtime"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"parley/render/text"
	"parley/terminal"
	"parley/theme"
	"parley/tui/files"
	"parley/tui/panel"
	"parley/tui/widget"
)

// Browser is the command line that opens an address here; nil where no browser
// can be reached.
func (c Config) Browser() []string { return c.Environment().Browser(runtime.GOOS, "") }

// ClipboardTool is the program that takes a text for the clipboard of the
// desktop; "" where only the terminal can.
func (c Config) ClipboardTool() string { return files.Writer(c.Env, runtime.GOOS) }

// Examination draws what was found out about Parley and what is around it, in
// lines of a width.
type Examination func(width int, th *theme.Theme) []string

// listen notes what the terminal says of itself, whoever asked.
func (w *windowState) listen(msg tea.Msg) {
	h := &w.said
	switch msg := msg.(type) {
	case tea.TerminalVersionMsg:
		h.Version = text.SanitizeLine(msg.Name)
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
	case inputMsg:
		switch msg.Msg.(type) {
		case tea.FocusMsg, tea.BlurMsg:
			h.FocusTold = terminal.Yes
		}
	}
}

// terminal is what is known of the terminal that the window is in.
func (w *windowState) terminal() terminal.Description {
	h := w.said
	if h.Keys == terminal.Unknown && (h.Dark != terminal.Unknown || h.Sync != terminal.Unknown || h.Graphemes != terminal.Unknown) {
		h.Keys = terminal.No // it was asked at the same time as these
	}
	return w.config.Environment().Describe(h, w.width, w.height)
}

// showDoctor shows what was found out about Parley and what is around it.
func (c *reports) showDoctor(string) tea.Cmd {
	if c.win.config.Doctor == nil {
		c.showHint("Nothing can be examined here.")
		return nil
	}
	c.showHint("Looking at the terminal, the agent, folders and files.")
	look, config, known := c.win.config.Doctor, c.win.config, c.win.terminal()
	return ask(c.core, "look at what is around Parley", func(ctx context.Context) (Examination, error) {
		return look(ctx, config, known)
	}, func(found Examination) tea.Cmd {
		if c.opens(true, "", "The doctor has looked: /doctor shows it.") {
			c.hint = hint{}
			c.openPanel(&panel.Panel{Title: "Doctor", Text: func(th *theme.Theme, width int) []string {
				lines := found(width, th)
				for i, l := range lines {
					if l != "" {
						lines[i] = widget.Indent + l
					}
				}
				return lines
			}})
		}
		return nil
	})
}
