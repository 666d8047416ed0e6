package tui

import (
	"cmp"
	"fmt"
	"path"
	"slices"
	"strings"
	"time"

	"parley/render"
	"parley/session"
	"parley/theme"
	"parley/timeline"
)

// item is one part of the status line. The lowest rank goes first when the
// line is too narrow.
type item struct {
	text string
	tok  theme.Token
	rank int
}

// statusLine says how the agent works and what it does now. A hint takes its
// place for a while.
func (m *Model) statusLine() string {
	width := max(0, m.width-margin-1)
	if hint := m.hinted(); hint != "" {
		return blank(margin) + m.theme.Render(theme.Accent, m.cut(hint, width))
	}
	left, right := m.statusItems(), m.contextItem()
	for total(left, right) > width && len(left) > 1 {
		lowest := 0
		for i := range left {
			if left[i].rank < left[lowest].rank {
				lowest = i
			}
		}
		left = append(left[:lowest:lowest], left[lowest+1:]...)
	}
	if total(left, right) > width {
		right.text = ""
	}
	var parts []string
	for _, i := range left {
		parts = append(parts, m.theme.Render(i.tok, m.cut(i.text, width)))
	}
	line := strings.Join(parts, m.theme.Render(theme.Status, m.dot()))
	if right.text == "" {
		return blank(margin) + line
	}
	return blank(margin) + line + blank(width-total(left, item{})-render.Width(right.text)) + m.theme.Render(right.tok, right.text)
}

// total is the width of items with their separators.
func total(left []item, right item) int {
	n := 3 * max(0, len(left)-1)
	for _, i := range left {
		n += render.Width(i.text)
	}
	if right.text != "" {
		n += render.Width(right.text) + 2
	}
	return n
}

// hinted is the hint that is to be shown now, if any.
func (m *Model) hinted() string {
	switch {
	case m.chord:
		return m.keymap.leader + " and then a key"
	case !m.aborting.IsZero() && m.now.Sub(m.aborting) >= abortPatience:
		return m.wayOut()
	case m.now.Before(m.hint.until):
		return m.hint.text
	}
	return ""
}

// chordLines are the second keys after the leader and what they do, in columns.
func (m *Model) chordLines() []string {
	type chord struct{ key, what string }
	var chords []chord
	width := 0
	for _, c := range m.commands {
		i := slices.IndexFunc(c.Keys, func(k string) bool { return strings.HasPrefix(k, m.keymap.leader+" ") })
		if i < 0 {
			continue
		}
		one := chord{strings.TrimPrefix(c.Keys[i], m.keymap.leader+" "), strings.ReplaceAll(c.ID, "-", " ")}
		width = max(width, render.Width(one.key+one.what)+1+2*columnGap)
		chords = append(chords, one)
	}
	across := max(1, (m.width-margin)/max(1, width))
	down := (len(chords) + across - 1) / across
	lines := []string{"", blank(margin) + m.theme.Render(theme.Strong, m.keymap.leader) + m.theme.Render(theme.Dim, "  and then")}
	for y := range down {
		line := blank(margin)
		for x := y; x < len(chords); x += down {
			c := chords[x]
			line += m.theme.Render(theme.Key, c.key) + " " + m.theme.Render(theme.Text, c.what) +
				blank(width-render.Width(c.key+c.what)-1)
		}
		lines = append(lines, strings.TrimRight(line, " "))
	}
	return lines
}

// wayOut says how to go on without an answer to the interrupt.
func (m *Model) wayOut() string {
	end := "/stop ends it"
	if m.info.Remote {
		end = "/stop leaves it, and the turn goes on there"
	}
	return fmt.Sprintf("not stopped after %s: %s, /new starts another, or wait", seconds(m.now.Sub(m.aborting)), end)
}

// abortPatience is how long an interrupt may take before a way out is offered
// (product/demands.md, 6).
const abortPatience = 10 * time.Second

// statusItems are the parts at the left. What the person must know of stays
// longest when the line is narrow.
func (m *Model) statusItems() []item {
	s := m.timeline.Status()
	var items []item
	add := func(text string, tok theme.Token, rank int) {
		if text != "" {
			items = append(items, item{render.SanitizeLine(text), tok, rank})
		}
	}
	add(m.activity(), theme.StatusStrong, 19)
	if m.rewording.ID != "" {
		add(m.says("rewording: {send} keeps it, esc does not"), theme.Accent, 18)
	}
	if m.config.AllowAll || s.AllowAll {
		add("allow-all: nothing asks", theme.Warning, 20)
	}
	if m.info.Demo {
		add(m.info.Agent, theme.Warning, 17)
	}
	mode, tok := m.mode(), theme.Status
	if mode == session.Autopilot {
		tok = theme.Warning
	}
	add(m.composer.editor.VimMode(), theme.StatusStrong, 16)
	add(string(mode), tok, 15)
	add(strings.TrimSpace(cmp.Or(s.Model, m.info.Model)+" "+s.Effort), theme.Status, 14)
	dir := base(m.info.Dir)
	if s.Branch != "" {
		dir += " (" + s.Branch + ")"
	}
	add(dir, theme.Status, 10)
	if n := len(m.pending) + len(m.held); n > 0 {
		add(fmt.Sprintf("%d waiting", n), theme.Accent, 12)
	}
	if s.Busy { // else it is what the agent does
		add(m.besides(), theme.Accent, 13)
	}
	add(serverTrouble(s.Catalog.Servers), theme.Warning, 11)
	if all := m.todos.items; m.layout.todo.height == 0 && finished(all) < len(all) {
		add(fmt.Sprintf("to do %d/%d", finished(all), len(all)), theme.Status, 9)
	}
	add(spent(s.Usage), theme.Status, 8)
	if s.Turns > 0 {
		add(render.Count(s.Turns, "turn"), theme.Status, 7)
	}
	if !m.info.Demo {
		add(m.info.Agent, theme.Status, 1)
	}
	return items
}

// serverTrouble says which MCP servers cannot be used.
func serverTrouble(all []timeline.Part) string {
	down, locked := 0, 0
	for _, p := range all {
		switch p.Status {
		case "failed", "needs-reconnect":
			down++
		case "needs-auth":
			locked++
		}
	}
	switch {
	case down > 0:
		return render.Count(down, "server") + " down"
	case locked > 0:
		return render.Count(locked, "server") + " to sign in to"
	}
	return ""
}

const (
	// nanoCredits is how many of the runtime's units an AI credit has.
	nanoCredits = 1e9
	// leastSpent is the least cost that is told: less is written as nothing.
	leastSpent = 0.005
)

// spent is what the session has cost so far, since it was opened here; "" for
// nothing.
func spent(u timeline.Usage) string {
	switch {
	case u.NanoAIU/nanoCredits >= leastSpent:
		return amount(u.NanoAIU/nanoCredits) + " credits"
	case u.Cost >= leastSpent:
		return amount(u.Cost) + " premium"
	}
	return ""
}

// amount writes a number that need not be whole.
func amount(f float64) string {
	return strings.TrimSuffix(strings.TrimRight(fmt.Sprintf("%.2f", f), "0"), ".")
}

// activity is what the agent does now and for how long.
func (m *Model) activity() string {
	s := m.timeline.Status()
	elapsed := func(since time.Time) string {
		switch {
		case since.IsZero() || m.now.Before(since):
			return ""
		case m.still(): // a count that stands still is wrong
			return " since " + since.In(m.zone).Format("15:04")
		}
		return " " + seconds(m.now.Sub(since))
	}
	switch {
	case m.opening:
		return m.spinner() + " starting"
	case m.lost:
		return m.says("lost, {send} reconnects")
	case m.session == nil:
		return "ended"
	case m.questions.Len() > 0 && len(m.card) == 0 && !m.covered():
		return m.theme.Glyph(theme.MarkQuestion) + " waiting for you: enlarge the window"
	case m.questions.Len() > 0:
		return m.theme.Glyph(theme.MarkQuestion) + " waiting for you"
	case !m.aborting.IsZero():
		return m.spinner() + " cancelling" + elapsed(m.aborting)
	case s.Busy || s.Compacting:
		doing := s.Doing
		if doing == "" {
			doing = "working"
		}
		return m.spinner() + " " + m.cut(doing, max(8, m.width/3)) + elapsed(s.DoingSince)
	case len(m.shells) > 0:
		return m.spinner() + " running your command"
	}
	return m.runsBesides()
}

// spinner is the one thing that moves, and only while something runs and the
// window has the focus.
func (m *Model) spinner() string {
	frames := m.theme.Spinner()
	if !m.focused || m.still() {
		return frames[0]
	}
	return frames[m.spin%len(frames)]
}

// contextItem is how full the model's context is, once this agent has told it.
func (m *Model) contextItem() item {
	s := m.timeline.Status()
	if s.ContextLimit <= 0 || !m.metered {
		return item{}
	}
	percent := s.ContextTokens * 100 / s.ContextLimit
	tok := theme.Status
	if percent >= 80 {
		tok = theme.Warning
	}
	return item{text: fmt.Sprintf("ctx %d %%", percent), tok: tok}
}

// seconds writes a duration as people say it.
func seconds(d time.Duration) string {
	s := int(d / time.Second)
	if s < 60 {
		return fmt.Sprintf("%d s", s)
	}
	return fmt.Sprintf("%d m %02d s", s/60, s%60)
}

// second is the time now, cut to whole seconds, so that what is drawn with it
// changes once a second. It is zero, which is no time, where nothing may change
// by itself.
func (m *Model) second() time.Time {
	if m.still() {
		return time.Time{}
	}
	return m.now.Truncate(time.Second)
}

// base is the last element of a path.
func base(dir string) string {
	if dir == "" {
		return ""
	}
	return path.Base(dir)
}

// short writes a path below the home directory with a tilde.
func short(dir, home string) string {
	if rest, ok := strings.CutPrefix(dir, home); ok && home != "" && (rest == "" || rest[0] == '/') {
		return "~" + rest
	}
	return dir
}
