package tui

import (
	"cmp"
	"fmt"
	"math"
	"strings"

	tea "charm.land/bubbletea/v2"

	"parley/render"
	"parley/session"
	"parley/theme"
)

// fact is one line of a report.
type fact struct{ name, value string }

// facts draws names and values in two columns; one without a name is a heading.
func (m *Model) facts(all []fact, width int) []string {
	name := 0
	for _, f := range all {
		name = max(name, render.Width(render.SanitizeLine(f.name)))
	}
	name = min(name, width/2)
	var lines []string
	for _, f := range all {
		switch {
		case f.value == "" && f.name == "":
			lines = append(lines, "")
		case f.name == "":
			lines = append(lines, blank(margin)+m.theme.Render(theme.Heading, m.cut(f.value, width)))
		default:
			label := m.cut(f.name, name)
			lines = append(lines, blank(margin)+m.theme.Render(theme.Dim, label)+blank(name-render.Width(label)+columnGap)+
				m.theme.Render(theme.Text, m.cut(f.value, max(0, width-name-columnGap))))
		}
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
func (m *Model) showSession(string) tea.Cmd {
	m.openPanel(&panel{title: "Session", lines: func(m *Model, width int) []string {
		s := m.timeline.Status()
		turns := ""
		if s.Turns > 0 {
			turns = fmt.Sprint(s.Turns)
		}
		where := short(m.info.Dir, m.config.Home)
		all := known(
			fact{"name", s.Title}, fact{"id", string(m.info.ID)}, fact{"agent", m.info.Agent}, fact{"handled by", s.Persona},
			fact{"model", strings.TrimSpace(cmp.Or(s.Model, m.info.Model) + " " + s.Effort)}, fact{"mode", string(m.mode())},
			fact{"folder", where}, fact{"repository", s.Repository}, fact{"branch", s.Branch}, fact{"turns", turns},
		)
		if id := m.current(); id != "" {
			all = append(all, fact{"go on with it", "parley --resume " + string(id)})
		}
		if s.AllowAll || m.config.AllowAll {
			all = append(all, fact{"permissions", "everything is allowed, nothing asks"})
		}
		return m.facts(all, width)
	}})
	return nil
}

// showVersion says what this is.
func (m *Model) showVersion(string) tea.Cmd {
	m.tell("Parley %s%s%s", m.config.Version, m.dot(), m.info.Agent)
	return nil
}

// showContext shows what fills the model's context.
func (m *Model) showContext(string) tea.Cmd {
	s, ok := session.As[session.ContextTeller](m.session)
	if !ok {
		m.tell("This agent does not tell what fills the context.")
		return nil
	}
	return ask(m, "look at the context", s.ContextUse, func(m *Model, use *session.ContextUse) tea.Cmd {
		if !m.opens(use != nil, "There is nothing in the context before the first turn.", "The context is here: /context shows it.") {
			return nil
		}
		m.openPanel(&panel{title: "Context", lines: func(m *Model, width int) []string { return m.contextLines(use, width) }})
		return nil
	})
}

// contextLines draws the parts of the context with a bar each.
func (m *Model) contextLines(use *session.ContextUse, width int) []string {
	lines := m.facts(known(
		fact{"model", use.Model},
		fact{"used", fmt.Sprintf("%s of %s, %s", grouped(use.Total), grouped(use.Limit), percent(use.Total, use.Limit))},
		fact{"summarised", compactionAt(use)},
	), width)
	lines = append(lines, "", blank(margin)+m.bar(use.Total, use.Limit, min(60, width)), "")
	name := 0
	for _, p := range use.Parts {
		name = max(name, 2*p.Depth+render.Width(render.SanitizeLine(p.Name)))
	}
	name = min(name, width/2)
	bar := max(0, min(30, width-name-24))
	for _, p := range use.Parts {
		label := m.cut(blank(2*p.Depth)+p.Name, name)
		count := grouped(p.Tokens)
		lines = append(lines, blank(margin)+m.theme.Render(theme.Text, label)+blank(name-render.Width(label)+columnGap)+
			blank(9-len(count))+m.theme.Render(theme.Dim, count)+"  "+
			m.theme.Render(theme.Dim, fmt.Sprintf("%6s", percent(p.Tokens, use.Limit)))+"  "+m.bar(p.Tokens, use.Limit, bar))
	}
	return lines
}

func compactionAt(use *session.ContextUse) string {
	if use.Compaction <= 0 {
		return ""
	}
	return "by itself from " + grouped(use.Compaction) + " tokens on"
}

// bar draws a share of a whole.
func (m *Model) bar(part, whole, width int) string {
	if whole <= 0 || width <= 0 {
		return ""
	}
	full := min(width, int(math.Ceil(float64(part)*float64(width)/float64(whole))))
	on, off := m.theme.Glyph(theme.MarkBar), m.theme.Glyph(theme.MarkBarRest)
	return m.theme.Render(theme.Accent, strings.Repeat(on, full)) + m.theme.Render(theme.Rule, strings.Repeat(off, width-full))
}

// percent writes a share.
func percent(part, whole int) string {
	if whole <= 0 {
		return ""
	}
	return fmt.Sprintf("%.1f %%", float64(part)*100/float64(whole))
}

// grouped writes a number with its thousands apart.
func grouped(n int) string {
	s := fmt.Sprint(n)
	for i := len(s) - 3; i > 0 && s[i-1] != '-'; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

// showUsage shows what the session used.
func (m *Model) showUsage(string) tea.Cmd {
	s, ok := session.As[session.UsageTeller](m.session)
	if !ok {
		m.tell("This agent does not tell what it used.")
		return nil
	}
	return ask(m, "look at the usage", s.Usage, func(m *Model, u session.Usage) tea.Cmd {
		if m.elsewhere() {
			m.tell("The usage is here: /usage shows it.")
			return nil
		}
		m.openPanel(&panel{title: "Usage", lines: func(m *Model, width int) []string { return m.facts(m.usageFacts(u), width) }})
		return nil
	})
}

func (m *Model) usageFacts(u session.Usage) []fact {
	cost := ""
	if u.CostUnit != "" {
		cost = strings.TrimSuffix(strings.TrimRight(fmt.Sprintf("%.2f", u.Cost), "0"), ".") + " " + u.CostUnit
	}
	since := ""
	if !u.Started.IsZero() {
		since = u.Started.In(m.zone).Format("2006-01-02 15:04")
	}
	all := known(
		fact{"since", since}, fact{"prompts", fmt.Sprint(u.Requests)}, fact{"cost", cost},
		fact{"waited for models", seconds(u.APITime)},
		fact{"lines changed", fmt.Sprintf("+%d -%d in %s", u.Added, u.Removed, render.Count(len(u.Files), "file"))},
	)
	for _, t := range u.Models {
		all = append(all, fact{}, fact{"", t.Model})
		all = append(all, known(fact{"calls", fmt.Sprint(t.Requests)}, fact{"tokens in", grouped(t.Tokens.InputTokens)},
			fact{"of them cached", grouped(t.Tokens.CacheReadTokens)}, fact{"tokens out", grouped(t.Tokens.OutputTokens)})...)
	}
	if len(u.Quotas) > 0 {
		all = append(all, fact{}, fact{"", "Plan"})
	}
	for _, q := range u.Quotas {
		value := fmt.Sprintf("%g used, without limit", q.Used)
		if q.Limit > 0 {
			value = fmt.Sprintf("%g of %g used", q.Used, q.Limit)
		}
		if !q.Resets.IsZero() {
			value += ", resets " + q.Resets.In(m.zone).Format("2006-01-02")
		}
		all = append(all, fact{q.Name, value})
	}
	return all
}
