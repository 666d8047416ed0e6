package tui

import (
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"parley/history/drafts"
	prompthistory "parley/history/prompts"
	"parley/render/text"
	"parley/session"
	"parley/theme"
	"parley/tui/widget"
)

// recalled is an earlier prompt in the place of the draft.
type recalled struct {
	draft  drafts.Draft // what was typed before
	prefix string       // what earlier prompts must begin with
	n      int          // which of them is shown, 0 is the newest
	text   uint64       // version of the editor then: another text is a draft of its own
}

// place is where the user is, for prompts and files used there before.
func (c *conversation) place() prompthistory.Place {
	s := c.timeline.Status()
	return prompthistory.Place{Session: c.info.ID, Dir: c.info.Dir, Repository: s.Repository}
}

// recallKey goes through the prompts sent before. The editor has the arrows
// first, and leaves them at the edges of the draft.
func (m *conversation) recallKey(name string) tea.Cmd {
	normal := m.composer.editor.VimMode() == "NORMAL"
	switch {
	case name == "up" || name == "ctrl+p" || normal && name == "k":
		if m.composer.editor.Empty() && m.composer.recalled == nil {
			if cmd, ok := m.takeBackLast(); ok {
				return cmd
			}
		}
		return m.recall(1)
	case name == "down" || name == "ctrl+n" || normal && name == "j":
		return m.recall(-1)
	}
	return nil
}

// recall shows the prompt that many steps further back, or forward, which is
// read outside the loop; after the newest comes what was typed. Steps that are
// asked for meanwhile add up.
func (c *conversation) recall(steps int) tea.Cmd {
	in := &c.composer
	if in.recalling != nil {
		in.recalling.n += steps
		return nil
	}
	r := recalled{draft: in.editor.Draft(), prefix: in.editor.Text(), n: -1}
	if in.recalled != nil && in.recalled.text == in.editor.Version() {
		r = *in.recalled
	} else if steps < 0 {
		return nil
	}
	r.n, r.text = r.n+steps, in.editor.Version()
	in.recalling = &r
	return c.findRecalled(r)
}

// recalledMsg ends the search for an earlier prompt.
type recalledMsg struct {
	wanted recalled
	prompt prompthistory.Prompt
	found  bool
}

func (c *conversation) findRecalled(r recalled) tea.Cmd {
	prompts, at := c.prompts, c.place()
	return c.own(func() tea.Msg {
		if r.n < 0 {
			return recalledMsg{wanted: r}
		}
		p, ok := prompts.Older(r.prefix, at, r.n)
		return recalledMsg{r, p, ok}
	})
}

// recallFound shows the prompt that was found, unless the draft is another one
// by now, and goes on to where the user went meanwhile.
func (c *conversation) recallFound(msg recalledMsg) tea.Cmd {
	in, r := &c.composer, msg.wanted
	asked := in.recalling
	in.recalling = nil
	if asked == nil || in.editor.Version() != r.text {
		return nil
	}
	switch {
	case msg.found:
		c.showRecalled(msg.prompt.Draft, &r)
	case r.n < 0:
		if in.recalled != nil {
			c.setDraft(r.draft)
		}
		return nil
	case r.n == 0 && r.prefix != "":
		c.tell("No earlier prompt begins like this; {history} searches.")
		return nil
	default:
		return nil // the oldest is shown
	}
	if further := asked.n - r.n; further != 0 {
		return c.recall(further)
	}
	return nil
}

func (c *conversation) showRecalled(d drafts.Draft, r *recalled) {
	c.setDraft(d)
	r.text = c.composer.editor.Version()
	c.composer.recalled = r
	c.completed = c.token() // no list opens over it
}

// remember keeps a prompt that was sent, outside the loop.
func (c *conversation) remember(d drafts.Draft) tea.Cmd {
	if d.Empty() {
		return nil
	}
	at := c.place()
	add := c.prompts.Adding(prompthistory.Prompt{Draft: d, Time: c.now, Session: at.Session, Dir: at.Dir, Repository: at.Repository})
	return func() tea.Msg { return keptMsg{add()} }
}

// keptMsg ends what is done for the prompts' sake.
type keptMsg struct{ err error }

// loadPrompts reads the prompts sent before.
func (sh *shared) loadPrompts() tea.Cmd {
	prompts := sh.prompts
	return func() tea.Msg { return keptMsg{prompts.Load()} }
}

// previewText draws the beginning of a text, and says how much follows.
func (sh *shared) previewText(s string, width, height int) []string {
	room := max(1, width-2*widget.Margin-1)
	var lines []string
	for line := range strings.SplitSeq(s, "\n") {
		if len(lines) > height {
			break
		}
		for _, l := range text.Wrap(text.SanitizeLine(line[:min(len(line), room*height*4)]), room) {
			lines = append(lines, widget.Indent+sh.theme.Render(theme.Dim, l))
		}
	}
	if len(lines) > height {
		lines = lines[:height]
		lines[height-1] = widget.Indent + sh.theme.Render(theme.Dim, sh.theme.Glyph(theme.MarkFolded))
	}
	return lines
}

// takeBackLast takes the prompt that was queued last back into the draft; not
// ok means that none can be.
func (m *conversation) takeBackLast() (tea.Cmd, bool) {
	if n := len(m.held); n > 0 {
		d := m.held[n-1].draft
		m.held = m.held[:n-1]
		m.setDraft(d)
		return nil, true
	}
	q, ok := session.As[session.QueueEditor](m.session)
	if !ok {
		return nil, false
	}
	for _, p := range slices.Backward(m.pending) {
		if p.ID != "" {
			return m.withdraw(q, p), true
		}
	}
	return nil, false
}
