package tui

import (
	tea "charm.land/bubbletea/v2"

	"parley/theme"
)

// markdownStyle is the style that markdown is drawn in, and why it is not another.
type markdownStyle struct {
	*theme.MarkdownStyle        // nil is the theme's own
	wrong                string // what is wrong with the one that was chosen
}

// markdownStyleMsg is that style as it was read again.
type markdownStyleMsg markdownStyle

// markdownChoice is what the settings and the environment say.
func (c Config) markdownChoice() theme.MarkdownChoice {
	return theme.MarkdownChoice{
		Setting: c.Settings.MarkdownStyle, Environment: c.env(theme.MarkdownEnv), Themes: c.Themes, Home: c.Home,
	}
}

// readMarkdownStyle reads the style that is chosen.
func readMarkdownStyle(choice theme.MarkdownChoice) markdownStyle {
	style, err := choice.Load()
	if err != nil {
		return markdownStyle{wrong: err.Error()}
	}
	return markdownStyle{MarkdownStyle: style}
}

// loadMarkdownStyle reads the style again: the settings name another, or its file
// has changed.
func (w *windowState) loadMarkdownStyle() tea.Cmd {
	choice := w.config.markdownChoice()
	return func() tea.Msg { return markdownStyleMsg(readMarkdownStyle(choice)) }
}

// markdownStyled takes the style. One with mistakes costs a notice, once, and
// never the look.
func (m *Model) markdownStyled(msg markdownStyleMsg) {
	before := &m.win.look.markdown
	told := before.wrong == msg.wrong
	before.wrong = msg.wrong
	switch {
	case msg.wrong != "" && !told && before.MarkdownStyle == nil:
		m.front.tellTheme(msg.wrong, "Answers have the look of the theme.")
	case msg.wrong != "" && !told:
		m.front.tellTheme(msg.wrong, "Answers look as before.")
	case msg.wrong == "" && !before.Equal(msg.MarkdownStyle):
		before.MarkdownStyle = msg.MarkdownStyle
		m.dress()
	}
}
