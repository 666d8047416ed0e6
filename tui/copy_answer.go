package tui

import (
	"context"

	tea "charm.land/bubbletea/v2"

	"parley/render"
	"parley/tui/picker"
	"parley/tui/widget"
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

// openLink opens the last address that was said.
func (c *navigator) openLink(string) tea.Cmd {
	links := c.timeline.Links()
	if len(links) == 0 {
		c.tell("There are no links yet.")
		return nil
	}
	rows := make([]widget.Row, len(links))
	for i, l := range links {
		rows[i] = widget.Row{Value: l, Label: l}
	}
	p := &picker.Picker{List: widget.List{Rows: rows}, Title: "Open a link", Pick: doing(func(r widget.Row) tea.Cmd {
		return c.openAddress(r.Value)
	})}
	p.More = []picker.Key{{Action: "list-copy", Title: "copy", Do: doing(func(r widget.Row) tea.Cmd {
		c.closeOverlays()
		return c.copyText(r.Value)
	})}}
	c.pick(p, links[0])
	return nil
}
