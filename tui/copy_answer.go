package tui

import (
	"context"

	tea "charm.land/bubbletea/v2"

	"parley/render"
)

// copyAnswer copies the source of what the agent said: the last answer, its
// last code, or all.
func (c *exports) copyAnswer(what string) tea.Cmd {
	answer, ok := c.timeline.LastAnswer()
	switch what {
	case "all":
		all, o := c.timeline.Copy(), c.exported(render.ExportMarkdown)
		return ask(c.core, "copy the conversation", func(context.Context) (string, error) { return render.Export(all, o), nil },
			c.copyText)
	case "code":
		for answer := range c.timeline.Answers() {
			if codes := render.Codes(answer); len(codes) > 0 {
				return c.copyText(codes[len(codes)-1])
			}
		}
		c.tell("There is no code in the answers.")
		return nil
	case "", "answer":
		if !ok {
			c.tell("There is no answer yet.")
			return nil
		}
		return c.copyText(answer)
	}
	c.tell("/copy takes answer, code or all.")
	return nil
}
