package conversation

import (
	"context"

	tea "charm.land/bubbletea/v2"

	"parley/theme"
	"parley/tui/panel"
	"parley/tui/widget"
)

// showDoctor shows what was found out about Parley and what is around it.
func (c *reports) showDoctor(string) tea.Cmd {
	if c.win.Config.Doctor == nil {
		return c.ShowHint("Nothing can be examined here.")
	}
	c.ShowHint("Looking at the terminal, the agent, folders and files.")
	look, config, known := c.win.Config.Doctor, c.win.Config, c.win.Terminal()
	return ask(c.core, "look at what is around Parley", func(ctx context.Context) (Examination, error) {
		return look(ctx, config, known)
	}, func(found Examination) tea.Cmd {
		if c.Opens(true, "", "The doctor has looked: /doctor shows it.") {
			c.Hint = Hint{}
			c.OpenPanel(&panel.Panel{Title: "Doctor", Text: func(th *theme.Theme, width int) []string {
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
