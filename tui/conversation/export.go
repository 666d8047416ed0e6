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
	"parley/tui/panel"
	"parley/tui/widget"
)

// exported is what an export says of the session.
func (c *exports) exported(f render.ExportFormat) render.ExportOptions {
	s := c.Timeline.Status()
	return render.ExportOptions{
		Format: f, Title: cmp.Or(s.Title, widget.Base(c.Info.Dir)), Agent: c.Info.Agent, Model: cmp.Or(s.Model, c.Info.Model),
		Dir: c.Info.Dir, Home: c.win.Config.Home, Location: c.win.Zone,
	}
}

// export writes the conversation, or some turns of it, to a file that is not
// there yet.
func (c *exports) export(args string) tea.Cmd {
	if c.Timeline.Len() == 0 {
		return c.ShowHint("There is nothing to write yet.")
	}
	to, err := export.ParseDestination(args, c.NameFor(c.Timeline.Status().Title))
	if err != nil {
		return c.ShowHint("Not written: %s.", err)
	}
	o := c.exported(to.Format)
	o.Range = to.Turns
	if id := c.Info.ID; id != "" && c.win.Config.Sessions != nil {
		o.Log = c.win.storedLog(id)
	}
	return c.searchExport(&export.Export{Timeline: c.Timeline.Copy(), Options: o, Name: lastingPath(c.core, to.Name)})
}

// NameFor is the name of the file for a session of a title, if none is given.
func (c *exports) NameFor(title string) string {
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
	layer(c.core, &panel.Panel{
		Title: "Before it is written", Text: func(th *theme.Theme, width int) []string { return x.Draw(th, c.win.Config.Home, width) },
		More: []panel.Key{
			onKey("enter", "write it redacted", func() tea.Cmd {
				return tea.Batch(closeOverlay(c.core), c.writeExport(x))
			}),
			onKey("k", "keep them", func() tea.Cmd {
				if !x.KeepSecrets(c.win.Now) {
					return nil
				}
				return tea.Batch(closeOverlay(c.core), c.writeExport(x))
			}),
			onKey("q", "", c.forgetExport),
			onKey("esc", "", c.forgetExport),
		},
	})
	return nil
}

func (c *exports) forgetExport() tea.Cmd {
	return tea.Batch(closeOverlay(c.core), c.ShowHint("Nothing was written."))
}

// writeExport writes the file and says what became of it.
func (c *exports) writeExport(x *export.Export) tea.Cmd {
	wanted := x.Name
	return ask(c.core, "write the export", func(context.Context) (render.Exported, error) {
		return x.Write()
	}, func(done render.Exported) tea.Cmd {
		path := widget.ShortPath(x.Name, c.win.Config.Home)
		s := fmt.Sprintf(" (%s).", text.Size(int(done.Bytes)))
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
		const written = "Written to "
		c.AddNotice(session.SessionInfo{InfoType: render.ExportNotice, Message: written + path + s})
		c.Pane.ToEnd()
		if c.win.Overlay != nil { // the notice is behind it, and the hint has one line
			room := c.win.Width - widget.Margin - 1 - text.Width(written+s)
			c.ShowHint("%s", written+text.CutMiddle(c.win.Theme, text.SanitizeLine(path), max(leastName, room))+s)
		}
		return nil
	})
}

// ExportPast reads a past session, and writes it, or turns of it, to the file that the user
// wrote.
func (c *exports) ExportPast(s sessions.Session, args string) tea.Cmd {
	to, err := export.ParseDestination(args, c.NameFor(s.Title))
	if err != nil {
		return c.ShowHint("Not written: %s.", err)
	}
	return c.searchExport(&export.Export{Name: lastingPath(c.core, to.Name), Options: render.ExportOptions{
		Format: to.Format, Range: to.Turns, Title: s.Title, Agent: s.Agent, Model: s.Model, Dir: s.Dir, Home: c.win.Config.Home,
		Location: c.win.Zone, Log: c.win.storedLog(s.ID),
	}})
}

// copyAnswer copies the source of what the agent said: the last answer, its
// last code, or all.
func (c *exports) copyAnswer(what string) tea.Cmd {
	answer, running, ok := c.Timeline.LastAnswer()
	switch what {
	case "all":
		all, o := c.Timeline.Copy(), c.exported(render.ExportMarkdown)
		o.Untimed = true
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
		if running {
			return copyPart(c.core, answer, " of the answer so far")
		}
		return c.copyText(answer)
	}
	return c.ShowHint("/copy takes answer, code or all.")
}
