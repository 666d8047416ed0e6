package tui

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"path"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"parley/history/secrets"
	"parley/history/sessions"
	"parley/prompts/consent"
	"parley/render"
	"parley/render/text"
	"parley/session"
	"parley/theme"
	"parley/timeline"
	"parley/tui/files"
	"parley/tui/overlay"
	"parley/tui/panel"
	"parley/tui/picker"
	"parley/tui/widget"
)

// exported is what an export says of the session.
func (c *exports) exported(f render.ExportFormat) render.ExportOptions {
	s := c.timeline.Status()
	return render.ExportOptions{
		Format: f, Title: cmp.Or(s.Title, widget.Base(c.info.Dir)), Agent: c.info.Agent, Model: cmp.Or(s.Model, c.info.Model),
		Dir: c.info.Dir, Home: c.config.Home, Made: c.now, Location: c.zone,
	}
}

// export writes the conversation, or some turns of it, to a file that is not
// there yet.
func (c *exports) export(args string) tea.Cmd {
	if c.timeline.Len() == 0 {
		c.tell("There is nothing to write yet.")
		return nil
	}
	to, err := c.destination(args, c.timeline.Status().Title)
	if err != nil {
		c.tell("Not written: %s.", err)
		return nil
	}
	o := c.exported(to.format)
	o.Range = to.turns
	if id := c.info.ID; id != "" && c.config.Sessions != nil {
		o.Log = c.storedLog(id)
	}
	x := &exporting{timeline: c.timeline.Copy(), options: o, name: c.absolute(to.name)}
	c.seekingSecrets()
	return ask(c.core, "export the session", x.search, c.exportFound)
}

// seekingSecrets says that secrets are looked for, which may take half a minute; a key
// takes it away, as any hint.
func (c *exports) seekingSecrets() { c.hint = hint{seekingText, c.now.Add(time.Minute)} }

const seekingText = "Looking for secrets in what is written"

// soughtSecrets takes that away, as they were looked for.
func (c *exports) soughtSecrets() {
	if c.hint.text == seekingText {
		c.hint = hint{}
	}
}

// storedLog opens the events of a session that is stored. It blocks.
func (sh *shared) storedLog(id session.ID) func() (io.ReadCloser, error) {
	ctx, lib := sh.ctx, sh.config.Sessions
	return func() (io.ReadCloser, error) { return lib.Read(ctx, id) }
}

// destination is what is asked for behind /export.
type destination struct {
	turns  render.Range
	name   string
	format render.ExportFormat
}

// destination reads the turns and the path of an export, either of which may be
// missing. The error is the end of a sentence.
func (sh *shared) destination(args, title string) (destination, error) {
	var d destination
	args = strings.TrimSpace(args)
	first, rest, _ := strings.Cut(args, " ")
	turns, err := render.ParseRange(first)
	switch {
	case err == nil:
		d.turns, args = turns, strings.TrimSpace(rest)
	case path.Ext(first) == "" && strings.Trim(first, "0123456789-") == "":
		return d, err
	}
	if d.name = args; args == "" {
		d.name = sh.exportName(title)
	}
	var ok bool
	if d.format, ok = render.ExportFormats()[strings.ToLower(path.Ext(d.name))]; !ok {
		return d, fmt.Errorf("the name must end in .md, .html, .txt or .jsonl")
	}
	return d, nil
}

// exportName is the name of a file where none is given.
func (sh *shared) exportName(title string) string {
	title = strings.Trim(strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= '0' && r <= '9' {
			return r
		}
		return '-'
	}, strings.ToLower(title)), "-")
	return fmt.Sprintf("parley-%s-%s.md", cmp.Or(title[:min(len(title), 40)], "session"), sh.now.In(sh.zone).Format(time.DateOnly))
}

// exporting is an export on its way: what is written, and the secrets in it.
type exporting struct {
	timeline *timeline.Timeline
	options  render.ExportOptions
	name     string
	redactor secrets.Redactor
	found    []secrets.Leak
	err      error     // why they could not be looked for
	kept     time.Time // when keeping them was asked for; zero if it was not
}

// search looks for secrets in everything that would be written. It blocks.
func (x *exporting) search(ctx context.Context) (*exporting, error) {
	x.err = x.redactor.Scan(ctx, func(each func(int, string)) error { return render.ExportTexts(x.timeline, x.options, each) })
	x.found = x.redactor.Found()
	return x, nil
}

// exportFound writes what holds no secrets, and shows those of what does: the
// user decides what leaves.
func (c *exports) exportFound(x *exporting) tea.Cmd {
	c.soughtSecrets()
	if x.err != nil {
		c.fail("export the session", x.err, "")
		c.toEnd()
		return nil
	}
	x.options.Redact = x.redactor.Redact
	if len(x.found) == 0 && x.redactor.Unsearched() == 0 {
		return c.writeExport(x)
	}
	if !c.inFront() || c.pressed != c.asking {
		c.tell("Not written yet: it holds %s; export it again to see them.", text.Count(len(x.found), "secret"))
		return nil
	}
	c.openPanel(&panel.Panel{
		Title: "Before it is written", Text: func(th *theme.Theme, width int) []string { return x.lines(c.core, width) },
		More: []panel.Key{
			onKey("enter", "writes it redacted", func() tea.Cmd {
				c.closeOverlays()
				return c.writeExport(x)
			}),
			onKey("k", "keeps them", func() tea.Cmd { return c.keepSecrets(x) }),
			onKey("q", "", func() tea.Cmd { return c.forgetExport() }),
			onKey("esc", "", func() tea.Cmd { return c.forgetExport() }),
		},
	})
	return nil
}

// keepSecrets writes the secrets too, when it was asked for twice; a key that is
// held down is asking once.
func (c *exports) keepSecrets(x *exporting) tea.Cmd {
	if x.kept.IsZero() || c.now.Sub(x.kept) < consent.Quiet {
		x.kept = c.now
		return nil
	}
	x.options.Redact = nil
	c.closeOverlays()
	return c.writeExport(x)
}

func (c *exports) forgetExport() tea.Cmd {
	c.closeOverlays()
	c.tell("Nothing was written.")
	return nil
}

// lines are the secrets, a line each, and what the keys do with them.
func (x *exporting) lines(c *core, width int) []string {
	var lines []string
	say := func(s string) {
		for _, l := range text.Wrap(c.says(s), min(width, panel.TextWidth)) {
			lines = append(lines, widget.Indent+l)
		}
	}
	name := text.SanitizeLine(widget.ShortPath(x.name, c.config.Home))
	if n := len(x.found); n > 0 {
		say(fmt.Sprintf("%s found in %s:", text.Count(n, "secret"), name))
	}
	lines = append(lines, "")
	kinds := 0
	for _, l := range x.found {
		kinds = max(kinds, text.Width(l.Kind))
	}
	for _, l := range x.found {
		where := "in the title"
		if l.Turn > 0 {
			where = fmt.Sprintf("turn %d", l.Turn)
		}
		kind := l.Kind + widget.Blank(kinds-text.Width(l.Kind))
		line := fmt.Sprintf("  %s  %s  %s", kind, text.SanitizeLine(l.Masked), c.theme.Render(theme.Dim, where))
		lines = append(lines, widget.Indent+text.Truncate(line, width, c.theme.Glyph(theme.MarkEllipsis)))
	}
	if rest := x.redactor.Unsearched(); rest > 0 {
		say(fmt.Sprintf("It is too long to be looked through: %s of its text were not, and stay as they are.", text.Bytes(rest)))
	}
	lines = append(lines, "")
	if x.kept.IsZero() {
		say("Redacted, [redacted: what it was] stands in the place of each.")
	} else {
		say("k again writes them as they are. Whoever reads the file can use them.")
	}
	return lines
}

// writeExport writes the file and says what became of it.
func (c *exports) writeExport(x *exporting) tea.Cmd {
	return ask(c.core, "write "+x.name, func(context.Context) (render.Exported, error) {
		var done render.Exported
		err := files.Make(x.name, func(w io.Writer) (err error) {
			done, err = render.WriteExport(w, x.timeline, x.options)
			return err
		})
		return done, err
	}, func(done render.Exported) tea.Cmd {
		s := fmt.Sprintf("Written to %s (%s).", widget.ShortPath(x.name, c.config.Home), text.Bytes(int(done.Bytes)))
		switch n := len(x.found); {
		case n > 0 && x.options.Redact != nil:
			s += " " + text.Count(n, "secret") + " redacted."
		case n > 0:
			s += " It holds " + text.Count(n, "secret") + "."
		}
		if done.Unreadable > 0 {
			s += " " + text.Count(done.Unreadable, "line") + " of the log could not be read and left out."
		}
		c.say(session.SessionInfo{Message: s})
		c.toEnd()
		return nil
	})
}

// exportStored asks where a past session is to be written, and what of it.
func (c *exports) exportStored(s sessions.Session) tea.Cmd {
	title := s.Title
	p := &picker.Picker{Title: "Export", Lead: ">"}
	state := func(typed string) widget.Row {
		d, err := c.destination(typed, title)
		if err != nil {
			return widget.Row{Value: "export", Label: "not yet", Off: err.Error()}
		}
		return widget.Row{Value: "export", Label: "write " + text.SanitizeLine(widget.ShortPath(c.absolute(d.name), c.config.Home))}
	}
	name := c.exportName(title)
	p.Rows = []widget.Row{state(name)}
	p.Search = func(typed string) overlay.Request {
		p.Show([]widget.Row{state(typed)})
		return nil
	}
	p.Pick = doing(func(widget.Row) tea.Cmd {
		to, err := c.destination(p.Query.Text(), title)
		if err != nil {
			return nil // such a row cannot be picked
		}
		return c.exportPast(s, title, to)
	})
	c.pick(p.Filter(name), "")
	return nil
}

// exportPast reads a past session and exports it.
func (c *exports) exportPast(s sessions.Session, title string, to destination) tea.Cmd {
	x := &exporting{name: c.absolute(to.name), options: render.ExportOptions{
		Format: to.format, Range: to.turns, Title: title, Agent: s.Agent, Model: s.Model, Dir: s.Dir, Home: c.config.Home,
		Made: c.now, Location: c.zone, Log: c.storedLog(s.ID),
	}}
	c.seekingSecrets()
	return ask(c.core, "export the session", func(ctx context.Context) (*exporting, error) {
		log, err := x.options.Log()
		if err == nil {
			defer log.Close()
			x.timeline, err = timelineOf(log)
		}
		if x.err = err; err != nil {
			return x, nil // it is told with them
		}
		return x.search(ctx)
	}, c.exportFound)
}

// timelineOf reads a log. Lines that are no events are left out.
func timelineOf(log io.Reader) (*timeline.Timeline, error) {
	t := timeline.New()
	for ev, err := range session.ReadLog(log) {
		if bad := (*session.LineError)(nil); err != nil && !errors.As(err, &bad) {
			return nil, err
		} else if err == nil {
			t.Apply(ev)
		}
	}
	return t, nil
}
