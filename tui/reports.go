package tui

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
	"unicode/utf8"

	"charm.land/bubbles/v2/progress"
	tea "charm.land/bubbletea/v2"

	"parley/render/text"
	"parley/session"
	"parley/theme"
	"parley/timeline"
	"parley/tui/widget"
)

// fact is one line of a report.
type fact struct{ name, value string }

// drawFacts draws names and values in two columns; one without a name is a heading.
func drawFacts(th *theme.Theme, all []fact, width int) []string {
	name := 0
	for _, f := range all {
		name = max(name, text.Width(text.SanitizeLine(f.name)))
	}
	name = min(name, width/2)
	var lines []string
	for _, f := range all {
		switch {
		case f.value == "" && f.name == "":
			lines = append(lines, "")
		case f.name == "":
			lines = append(lines, widget.Indent+th.Render(theme.Heading, widget.Cut(th, f.value, width)))
		default:
			label := widget.Cut(th, f.name, name)
			lead := th.Render(theme.Dim, label) + widget.Blank(name-text.Width(label)+widget.ColumnGap)
			for _, part := range inLines(th, f.value, max(0, width-name-widget.ColumnGap)) {
				lines = append(lines, widget.Indent+text.Truncate(lead+th.Render(theme.Text, part), width, ""))
				lead = widget.Blank(name + widget.ColumnGap)
			}
		}
	}
	return lines
}

// mostWrapped is how many lines a value takes at most.
const mostWrapped = 6

// inLines breaks a text into lines that fit. A long one ends with an ellipsis.
func inLines(th *theme.Theme, s string, width int) []string {
	if width <= 0 {
		return []string{""}
	}
	lines := text.Wrap(widget.Clip(s, mostWrapped*width), width)
	if len(lines) > mostWrapped {
		rest := lines[mostWrapped-1] + " " + lines[mostWrapped]
		lines = append(lines[:mostWrapped-1], widget.Cut(th, rest, width))
	}
	return lines
}

// known leaves out facts without a value.
func known(all ...fact) []fact {
	var out []fact
	for _, f := range all {
		if f.value != "" {
			out = append(out, f)
		}
	}
	return out
}

// showSession says what this session is.
func (m *conversation) showSession(string) tea.Cmd {
	m.openPanel(&panel{title: "Session", lines: func(width int) []string { return drawFacts(m.theme, m.sessionFacts(), width) }})
	return nil
}

// sessionFacts are what this session is, where it works and with what.
func (c *conversation) sessionFacts() []fact {
	s, home, dir := c.timeline.Status(), c.config.Home, c.info.Dir
	if c.readOnly != nil { // where it worked last, and not where it began
		dir = cmp.Or(s.Dir, dir)
	}
	all := known(
		fact{"name", s.Title}, fact{"id", string(c.info.ID)}, fact{"agent", c.info.Agent}, fact{"handled by", personaText(s.Persona)},
		fact{"its tools", personaTools(s.Persona)},
		fact{"model", strings.TrimSpace(cmp.Or(s.Model, c.info.Model) + " " + s.Effort)}, fact{"mode", string(c.mode())},
		fact{"folder", widget.ShortPath(dir, home)}, fact{"git root", widget.ShortPath(s.GitRoot, home)},
		fact{"repository", s.Repository}, fact{"branch", s.Branch}, fact{"turns", turnsText(s)},
		fact{"in context", some(s.ContextMessages, "message")}, checkpointFact(s.Checkpoint, home),
		fact{"objective", s.Objective},
	)
	if id := c.current(); id != "" {
		all = append(all, fact{"go on with it", c.goOnWith(id)})
	}
	all = append(all, known(fact{"tools", c.toolsText(s.Catalog)})...)
	if s.AllowAll || c.config.AllowAll {
		all = append(all, fact{"permissions", "everything is allowed, nothing asks"})
	}
	return append(all, catalogFacts(s.Catalog)...)
}

// toolsText is when the tools were updated, and for which model.
func (sh *shared) toolsText(c timeline.Catalog) string {
	text := ""
	if !c.ToolsAt.IsZero() {
		text += " at " + c.ToolsAt.In(sh.zone).Format("15:04")
	}
	if c.ToolsModel != "" {
		text += " for " + c.ToolsModel
	}
	if text == "" {
		return ""
	}
	return "updated" + text
}

// some is a number of something, or nothing for none.
func some(n int, noun string) string {
	if n == 0 {
		return ""
	}
	return text.Count(n, noun)
}

// personaText is a custom agent, with its internal name where that is another.
func personaText(p timeline.Persona) string {
	if p.Name == "" || p.Name == p.Title {
		return p.Title
	}
	return p.Title + " (" + p.Name + ")"
}

// personaTools are the tools that a custom agent may use.
func personaTools(p timeline.Persona) string {
	switch {
	case p.Title == "":
		return ""
	case p.Tools == nil:
		return "all"
	default:
		return cmp.Or(strings.Join(p.Tools, ", "), "none")
	}
}

// checkpointFact is where the conversation before the last compaction is kept.
func checkpointFact(c timeline.Checkpoint, home string) fact {
	name := "checkpoint"
	if c.Number > 0 {
		name += " " + text.Number(c.Number)
	}
	return fact{name, widget.ShortPath(c.Path, home)}
}

// catalogFacts are what the session has to work with, as far as it was told.
func catalogFacts(c timeline.Catalog) []fact {
	var all []fact
	list := func(heading string, parts []timeline.Part) {
		if len(parts) == 0 {
			return
		}
		all = append(all, fact{}, fact{"", heading})
		for _, p := range parts {
			value := cmp.Or(p.Status, "not known")
			if p.Tools > 0 {
				value += ", " + text.Count(p.Tools, "tool")
			}
			if p.Error != "" {
				value += ": " + widget.FirstLine(p.Error)
			}
			all = append(all, fact{p.Name, value})
		}
	}
	words := known(fact{"skills", strings.Join(c.Skills, ", ")}, fact{"custom agents", strings.Join(c.Agents, ", ")})
	if len(words) > 0 {
		all = append(append(all, fact{}), words...)
	}
	list("MCP servers", c.Servers)
	list("Extensions", c.Extensions)
	return all
}

// showVersion says what this is.
func (c *conversation) showVersion(string) tea.Cmd {
	c.tell("Parley %s%s%s", c.config.Version, c.dot(), c.info.Agent)
	return nil
}

// showContext shows what the model sees, at once, and how full its context is as
// soon as the agent has said so. One that cannot be asked has told it in its
// events, if at all.
func (m *conversation) showContext(string) tea.Cmd {
	known := m.inContext(m.contextTold())
	if known && m.inspecting() == nil {
		m.inspect(m.contextTold())
	}
	s, ok := session.As[session.ContextReporter](m.session)
	if !ok && !known {
		m.tell(emptyContext)
	}
	if !ok {
		return nil
	}
	look := func(ctx context.Context) (*session.ContextUse, error) {
		use, err := s.ContextUse(ctx)
		if known {
			err = nil // there is something to look at without it
		}
		return use, err
	}
	return ask(m, "look at the context", look, func(use *session.ContextUse) tea.Cmd {
		switch in := m.inspecting(); {
		case in != nil:
			in.SetFacts(m.overlayFacts())
			in.fill(use)
		case known: // and closed meanwhile
		case m.opens(m.inContext(use), emptyContext, "The context is here: /context shows it."):
			m.inspect(use)
		}
		return nil
	})
}

// emptyContext says that there is nothing to inspect.
const emptyContext = "There is nothing in the context before the first turn."

// inContext reports whether something is known to be in the context.
func (c *conversation) inContext(use *session.ContextUse) bool {
	return use != nil || len(c.modelView.Messages()) > 0
}

// contextTold is how the context is filled as the events told it; nil if they
// did not since the session was opened.
func (c *conversation) contextTold() *session.ContextUse {
	s := c.timeline.Status()
	if !c.metered || s.ContextLimit <= 0 {
		return nil
	}
	use := &session.ContextUse{Model: cmp.Or(s.Model, c.info.Model), Limit: s.ContextLimit, Total: s.ContextTokens}
	for _, p := range []session.ContextPart{
		{Name: "system prompt", Tokens: s.SystemTokens},
		{Name: "tools", Tokens: s.ToolTokens},
		{Name: "conversation", Tokens: s.ConversationTokens},
	} {
		if p.Tokens > 0 {
			use.Parts = append(use.Parts, p)
		}
	}
	return use
}

// useFacts say how full the context is.
func (in *inspector) useFacts(use *session.ContextUse, width int) []string {
	lines := drawFacts(in.Theme, known(
		fact{"model", use.Model},
		fact{"used", fmt.Sprintf("%s of %s, %s", text.Number(use.Total), text.Number(use.Limit), percent(use.Total, use.Limit))},
		fact{"of it", in.split(use)},
		fact{"in context", some(in.timeline.Status().ContextMessages, "message")},
		fact{"summarised", compactionAt(use)},
	), width)
	return append(lines, "", widget.Indent+drawBar(in.Theme, use.Total, use.Limit, min(60, width)), "")
}

// contextParts draws the parts of the context with a bar each.
func contextParts(th *theme.Theme, use *session.ContextUse, width int) []string {
	lines := make([]string, 0, len(use.Parts)+1)
	name := 0
	for _, p := range use.Parts {
		name = max(name, 2*p.Depth+text.Width(text.SanitizeLine(p.Name)))
	}
	name = min(name, width/2)
	bar := max(0, min(30, width-name-24))
	for _, p := range use.Parts {
		label := widget.Cut(th, widget.Blank(2*p.Depth)+p.Name, name)
		count := text.Number(p.Tokens)
		lines = append(lines, widget.Indent+th.Render(theme.Text, label)+widget.Blank(name-text.Width(label)+widget.ColumnGap)+
			widget.Blank(9-len(count))+th.Render(theme.Dim, count)+"  "+
			th.Render(theme.Dim, fmt.Sprintf("%6s", percent(p.Tokens, use.Limit)))+"  "+drawBar(th, p.Tokens, use.Limit, bar))
	}
	if len(lines) > 0 {
		lines = append(lines, "")
	}
	return lines
}

// split says what the context is filled with, as the events told it, where the agent
// itself names other parts.
func (in *inspector) split(use *session.ContextUse) string {
	if in.ContextUse == nil || slices.Equal(in.ContextUse.Parts, use.Parts) {
		return ""
	}
	parts := make([]string, len(in.ContextUse.Parts))
	for i, p := range in.ContextUse.Parts {
		parts[i] = p.Name + " " + text.Tokens(p.Tokens)
	}
	return strings.Join(parts, widget.Dot(in.Theme))
}

func compactionAt(use *session.ContextUse) string {
	if use.Compaction <= 0 {
		return ""
	}
	return "by itself from " + text.Number(use.Compaction) + " tokens on"
}

// drawBar draws a share of a whole: anything above nothing fills a cell.
func drawBar(th *theme.Theme, part, whole, width int) string {
	if whole <= 0 || width <= 0 {
		return ""
	}
	full := min(width, int(math.Ceil(float64(part)*float64(width)/float64(whole))))
	bar := progress.New(progress.WithWidth(width), progress.WithoutPercentage(),
		progress.WithFillCharacters(glyphRune(th, theme.MarkBar), glyphRune(th, theme.MarkBarRest)),
		progress.WithColors(th.Style(theme.Accent).GetForeground()))
	bar.EmptyColor = th.Style(theme.Rule).GetForeground()
	return bar.ViewAs(float64(full) / float64(width))
}

// glyphRune is a glyph of one character.
func glyphRune(th *theme.Theme, mark theme.Mark) rune {
	r, _ := utf8.DecodeRuneInString(th.Glyph(mark))
	return r
}

// percent writes a share.
func percent(part, whole int) string {
	if whole <= 0 {
		return ""
	}
	return fmt.Sprintf("%.1f %%", float64(part)*100/float64(whole))
}
