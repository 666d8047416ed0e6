package conversation

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"time"

	tea "charm.land/bubbletea/v2"

	"parley/history/sessions"
	"parley/render"
	"parley/render/text"
	"parley/session"
	"parley/theme"
	"parley/tui/export"
	"parley/tui/overlay"
	"parley/tui/panel"
	"parley/tui/picker"
	"parley/tui/widget"
)

// exported is what an export says of the session.
func (c *exports) exported(f render.ExportFormat) render.ExportOptions {
	s := c.Timeline.Status()
	return render.ExportOptions{
		Format: f, Title: cmp.Or(s.Title, widget.Base(c.Info.Dir)), Agent: c.Info.Agent, Model: cmp.Or(s.Model, c.Info.Model),
		Dir: c.Info.Dir, Home: c.win.Config.Home, Made: c.win.Now, Location: c.win.Zone,
	}
}

// export writes the conversation, or some turns of it, to a file that is not
// there yet.
func (c *exports) export(args string) tea.Cmd {
	if c.Timeline.Len() == 0 {
		return c.ShowHint("There is nothing to write yet.")
	}
	to, err := export.ParseDestination(args, c.exportName(c.Timeline.Status().Title))
	if err != nil {
		return c.ShowHint("Not written: %s.", err)
	}
	o := c.exported(to.Format)
	o.Range = to.Turns
	if id := c.Info.ID; id != "" && c.win.Config.Sessions != nil {
		o.Log = c.win.storedLog(id)
	}
	return c.searchExport(&export.Export{Timeline: c.Timeline.Copy(), Options: o, Name: c.absolute(to.Name)})
}

// exportName is the name of a file if none is given.
func (c *exports) exportName(title string) string {
	return export.FileName(title, c.win.Now.In(c.win.Zone))
}

// searchExport looks for secrets in an export before it is written.
func (c *exports) searchExport(x *export.Export) tea.Cmd {
	c.Hint = Hint{seekingText, c.win.Now.Add(time.Minute)} // a key takes it away, as any hint
	return ask(c.core, "export the session", func(ctx context.Context) (*export.Export, error) { return x.Search(ctx), nil }, c.exportFound)
}

// seekingText is shown while secrets are looked for, which may take half a minute.
const seekingText = "Looking for secrets in what is written"

// storedLog opens the events of a session that is stored. It blocks.
func (w *Window) storedLog(id session.ID) func() (io.ReadCloser, error) {
	ctx, lib := w.Ctx, w.Config.Sessions
	return func() (io.ReadCloser, error) { return lib.Read(ctx, id) }
}

// exportFound writes what holds no secrets, and shows those of what does: the
// user decides what leaves.
func (c *exports) exportFound(x *export.Export) tea.Cmd {
	if c.Hint.text == seekingText {
		c.Hint = Hint{}
	}
	if x.Err != nil {
		c.Fail("export the session", x.Err, "")
		c.Pane.ToEnd()
		return nil
	}
	if x.Clean() {
		return c.writeExport(x)
	}
	if !c.inFront() || c.win.Pressed != c.win.Asking {
		return c.ShowHint("Not written yet: it holds %s; export it again to see them.", text.Count(x.Secrets(), "secret"))
	}
	c.OpenPanel(&panel.Panel{
		Title: "Before it is written", Text: func(th *theme.Theme, width int) []string { return x.Draw(th, c.win.Config.Home, width) },
		More: []panel.Key{
			onKey("enter", "writes it redacted", func() tea.Cmd {
				c.CloseOverlays()
				return c.writeExport(x)
			}),
			onKey("k", "keeps them", func() tea.Cmd {
				if !x.KeepSecrets(c.win.Now) {
					return nil
				}
				c.CloseOverlays()
				return c.writeExport(x)
			}),
			onKey("q", "", c.forgetExport),
			onKey("esc", "", c.forgetExport),
		},
	})
	return nil
}

func (c *exports) forgetExport() tea.Cmd {
	c.CloseOverlays()
	return c.ShowHint("Nothing was written.")
}

// writeExport writes the file and says what became of it.
func (c *exports) writeExport(x *export.Export) tea.Cmd {
	wanted := x.Name
	return ask(c.core, "write the export", func(context.Context) (render.Exported, error) {
		return x.Write()
	}, func(done render.Exported) tea.Cmd {
		s := fmt.Sprintf("Written to %s (%s).", widget.ShortPath(x.Name, c.win.Config.Home), text.Size(int(done.Bytes)))
		if x.Name != wanted {
			s += " There is a " + widget.Base(wanted) + " already."
		}
		switch n := x.Secrets(); {
		case n > 0 && x.Options.Redact != nil:
			s += " " + text.Count(n, "secret") + " redacted."
		case n > 0:
			s += " It holds " + text.Count(n, "secret") + "."
		}
		if done.Unreadable > 0 {
			s += " " + text.Count(done.Unreadable, "line") + " of the log could not be read and left out."
		}
		c.AddNotice(session.SessionInfo{Message: s})
		c.Pane.ToEnd()
		return nil
	})
}

// ExportStored asks where a past session is to be written, and what of it.
func (c *exports) ExportStored(s sessions.Session) tea.Cmd {
	title := s.Title
	name := c.exportName(title)
	p := &picker.Picker{Title: "Export", Lead: ">"}
	state := func(typed string) widget.Row {
		d, err := export.ParseDestination(typed, name)
		if err != nil {
			return widget.Row{Value: "export", Label: "not yet", Off: err.Error()}
		}
		return widget.Row{Value: "export", Label: "write " + text.SanitizeLine(widget.ShortPath(c.absolute(d.Name), c.win.Config.Home))}
	}
	p.Rows = []widget.Row{state(name)}
	p.Search = func(typed string) overlay.Request {
		p.Show([]widget.Row{state(typed)})
		return nil
	}
	p.Pick = Doing(func(widget.Row) tea.Cmd {
		to, err := export.ParseDestination(p.Query.Text(), name)
		if err != nil {
			return nil // such a row cannot be picked
		}
		return c.ExportPast(s, title, to)
	})
	c.Pick(p.Filter(name), "")
	return nil
}

// ExportPast reads a past session and exports it.
func (c *exports) ExportPast(s sessions.Session, title string, to export.Destination) tea.Cmd {
	return c.searchExport(&export.Export{Name: c.absolute(to.Name), Options: render.ExportOptions{
		Format: to.Format, Range: to.Turns, Title: title, Agent: s.Agent, Model: s.Model, Dir: s.Dir, Home: c.win.Config.Home,
		Made: c.win.Now, Location: c.win.Zone, Log: c.win.storedLog(s.ID),
	}})
}

// copyAnswer copies the source of what the agent said: the last answer, its
// last code, or all.
func (c *exports) copyAnswer(what string) tea.Cmd {
	answer, ok := c.Timeline.LastAnswer()
	switch what {
	case "all":
		all, o := c.Timeline.Copy(), c.exported(render.ExportMarkdown)
		return ask(c.core, "copy the conversation", func(context.Context) (string, error) { return render.Export(all, o), nil },
			c.copyText)
	case "code":
		for answer := range c.Timeline.Answers() {
			if codes := render.Codes(answer); len(codes) > 0 {
				return c.copyText(codes[len(codes)-1])
			}
		}
		return c.ShowHint("There is no code in the answers.")
	case "", "answer":
		if !ok {
			return c.ShowHint("There is no answer yet.")
		}
		return c.copyText(answer)
	}
	return c.ShowHint("/copy takes answer, code or all.")
}
