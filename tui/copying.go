package tui

import (
	"cmp"
	"fmt"
	"path"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"parley/render"
	"parley/session"
	"parley/tui/files"
)

// copyAnswer copies the source of what the agent said: the last answer, its
// last code, or all.
func (m *Model) copyAnswer(what string) tea.Cmd {
	answer, ok := m.timeline.LastAnswer()
	switch what {
	case "all":
		return m.copyText(render.Export(m.timeline, m.exported(render.ExportMarkdown)))
	case "code":
		for answer := range m.timeline.Answers() {
			if codes := render.Codes(answer); len(codes) > 0 {
				return m.copyText(codes[len(codes)-1])
			}
		}
		m.tell("There is no code in the answers.")
		return nil
	case "", "answer":
		if !ok {
			m.tell("There is no answer yet.")
			return nil
		}
		return m.copyText(answer)
	}
	m.tell("/copy takes answer, code or all.")
	return nil
}

// exported is what an export says of the session.
func (m *Model) exported(f render.ExportFormat) render.ExportOptions {
	s := m.timeline.Status()
	return render.ExportOptions{
		Format: f, Title: cmp.Or(s.Title, base(m.info.Dir)), Agent: m.info.Agent, Model: cmp.Or(s.Model, m.info.Model),
		Dir: m.info.Dir, Home: m.config.Home, Made: m.now, Location: m.zone,
	}
}

// export writes the conversation to a file that is not there yet.
func (m *Model) export(args string) tea.Cmd {
	if m.timeline.Len() == 0 {
		m.tell("There is nothing to write yet.")
		return nil
	}
	name := strings.TrimSpace(args)
	if name == "" {
		title := strings.Trim(strings.Map(func(r rune) rune {
			if r >= 'a' && r <= 'z' || r >= '0' && r <= '9' {
				return r
			}
			return '-'
		}, strings.ToLower(m.timeline.Status().Title)), "-")
		name = fmt.Sprintf("parley-%s-%s.md", cmp.Or(title[:min(len(title), 40)], "session"), m.now.In(m.zone).Format(time.DateOnly))
	}
	format := render.ExportMarkdown
	switch path.Ext(name) {
	case ".md", ".markdown":
	case ".txt":
		format = render.ExportText
	default:
		m.tell("Not written: the name must end in .md or .txt.")
		return nil
	}
	name = m.absolute(name)
	text := render.Export(m.timeline, m.exported(format))
	on, pressed := m.session, m.pressed
	return func() tea.Msg {
		return resultMsg{on, "write " + name, files.Create(name, text), pressed, func(m *Model) tea.Cmd {
			m.say(session.SessionInfo{Message: fmt.Sprintf("Written to %s (%s).", short(name, m.config.Home), bytesOf(len(text)))})
			m.toEnd()
			return nil
		}}
	}
}

// bytesOf writes a size.
func bytesOf(n int) string {
	switch {
	case n >= 1<<20:
		return fmt.Sprintf("%.1f MB", float64(n)/(1<<20))
	case n >= 1<<10:
		return fmt.Sprintf("%.1f KB", float64(n)/(1<<10))
	}
	return fmt.Sprintf("%d bytes", n)
}

// openLink opens the last address that was said.
func (m *Model) openLink(string) tea.Cmd {
	links := m.timeline.Links()
	if len(links) == 0 {
		m.tell("No link was said.")
		return nil
	}
	rows := make([]row, len(links))
	for i, l := range links {
		rows[i] = row{value: l, label: l}
	}
	p := &picker{list: list{rows: rows}, title: "Open a link", onPick: func(m *Model, r row) tea.Cmd { return m.openAddress(r.value) }}
	p.keys = []pickerKey{{key: "c", title: "copy", run: func(m *Model, r row) tea.Cmd {
		m.closeOverlays()
		return m.copyText(r.value)
	}}}
	m.pick(p, links[0])
	return nil
}

// mouse is how much of the mouse the window wants.
func (m *Model) mouse() tea.MouseMode {
	if m.noMouse {
		return tea.MouseModeNone
	}
	return tea.MouseModeCellMotion
}

// toggleMouse gives the mouse to the terminal, to select with, or takes it back.
func (m *Model) toggleMouse(string) tea.Cmd {
	m.noMouse = !m.noMouse
	if m.noMouse {
		m.tell("The terminal has the mouse now: select as you like; {mouse} takes it back.")
	} else {
		m.tell("The wheel scrolls and a click goes to the question; shift and drag selects.")
	}
	return nil
}
