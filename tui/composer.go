package tui

import (
	"reflect"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"parley/editor"
	"parley/history/drafts"
	"parley/session"
	"parley/tui/files"
	"parley/tui/keymap"
)

// composer is where prompts are written.
type composer struct {
	editor   *editor.Editor
	recalled *recalled // an earlier prompt is shown; nil: none
	// recalling is where the user wants to go among the earlier prompts while
	// one is looked for; nil: none is.
	recalling *recalled
}

func newComposer(vim bool) composer {
	c := composer{editor: editor.New()}
	c.editor.SetVim(vim)
	c.editor.SetHighlighter(composerSpans)
	return c
}

// outgoing is a prompt on its way: as it is sent, and as it was written, for
// when it cannot be sent.
type outgoing struct {
	session.Input
	draft drafts.Draft
}

// plainDrafts are texts as drafts.
func plainDrafts(texts []string) []drafts.Draft {
	all := make([]drafts.Draft, len(texts))
	for i, text := range texts {
		all[i] = drafts.Draft{Text: text, Caret: len(text)}
	}
	return all
}

// keptDrafts bounds how many drafts with chips are kept for their way back.
const keptDrafts = 50

// chipped keeps a prompt that was sent with chips: the agent gives its text back
// only.
func (c *conversation) chipped(out outgoing) {
	if len(out.draft.Chips) == 0 {
		return
	}
	c.gone = append(c.gone, out)
	c.gone = c.gone[max(0, len(c.gone)-keptDrafts):]
}

// draftsOf are texts that come back, with the chips they were sent with.
func (c *conversation) draftsOf(texts []string) []drafts.Draft {
	all := plainDrafts(texts)
	for i, text := range texts {
		for _, out := range slices.Backward(c.gone) {
			if out.Prompt == text {
				all[i] = out.draft
				break
			}
		}
	}
	return all
}

// joined puts drafts below each other; the caret is where it is in the last.
func joined(parts ...drafts.Draft) drafts.Draft {
	var all drafts.Draft
	for _, d := range parts {
		if d.Empty() {
			continue
		}
		if !all.Empty() {
			all.Text += "\n"
		}
		for _, c := range d.Chips {
			c.At += len(all.Text)
			all.Chips = append(all.Chips, c)
		}
		all.Caret, all.Behind = len(all.Text)+d.Caret, d.Behind
		all.Text += d.Text
	}
	return all
}

// giveBack returns what could not be sent to the draft; what was typed
// meanwhile follows it.
func (c *conversation) giveBack(back ...drafts.Draft) {
	c.setDraft(joined(append(slices.Clone(back), c.composer.editor.Draft())...))
}

// setDraft puts another draft in the place of the one there is.
func (c *conversation) setDraft(d drafts.Draft) {
	c.composer.editor.SetDraft(d)
	c.composer.recalled, c.rewording = nil, rewording{}
	c.completed, c.completion = token{}, nil
	if c.pane.Browsing && !d.Empty() {
		c.leaveBlocks() // the user is to go on with it
	}
	c.journal.touch()
}

// meantCard takes a lone key out of the draft that would answer the question which
// waits, and moves to the question. It answers nothing, and nothing is sent.
func (c *conversation) meantCard() tea.Cmd {
	c.setDraft(drafts.Draft{})
	c.questions.Focus(c.now)
	c.tell("Nothing was sent: a question waits, and has the keys now.")
	return nil
}

// take empties the draft, which was dealt with, and keeps it among the prompts.
func (c *conversation) take() tea.Cmd {
	d := c.composer.editor.Draft()
	c.setDraft(drafts.Draft{})
	if c.readOnly != nil {
		return nil // what one does to read is no prompt
	}
	return c.remember(d)
}

// submit sends the draft. While a turn runs it steers that turn, or waits for its
// end where the settings say so.
func (m *conversation) submit(string) tea.Cmd {
	if m.composer.editor.TakeBackslash() {
		return m.edited()
	}
	if m.now.Before(m.hush) {
		return nil
	}
	if m.lost && !m.composer.slash() {
		return m.request(reconnectAndSend{})
	}
	if m.config.Settings.BusyEnter == "queue" {
		return m.sendDraft(session.Enqueue)
	}
	return m.sendDraft(session.Immediate)
}

// enqueue sends the draft to be dealt with after the running turn.
func (m *conversation) enqueue(string) tea.Cmd {
	if m.now.Before(m.hush) { // its key may be tab or enter
		return nil
	}
	return m.sendDraft(session.Enqueue)
}

func (m *conversation) sendDraft(busy session.Delivery) tea.Cmd {
	if m.rewording.ID != "" {
		return m.reworded()
	}
	d := m.composer.editor.Draft()
	text := d.Prompt()
	switch {
	case len(d.Chips) == 0 && m.questions.AnswerKey(strings.TrimSpace(text)):
		return m.meantCard()
	case begins(d, "/"):
		return m.command(d)
	case m.readOnly != nil:
		return m.keepDraft(!d.Empty())
	case begins(d, "!"):
		return m.runDraft(d)
	}
	if strings.TrimSpace(text) == "" {
		return nil
	}
	status := m.timeline.Status()
	out := outgoing{session.Input{Prompt: text, Delivery: session.Enqueue}, d}
	if status.Busy {
		out.Delivery = busy
	}
	switch {
	case m.session == nil && !m.opening:
		m.tell("The session has ended: /new starts another. The draft stays.")
		return nil
	case out.Delivery == session.Immediate && status.RunningShell && !m.again("steer", "send"):
		m.tell("Steering moves the running command to the background: {send} again, or {queue}")
		return nil
	}
	keep := m.take()
	m.chipped(out)
	m.toEnd()
	m.wrote = true
	if m.session == nil {
		m.held = append(m.held, out)
		return keep
	}
	return tea.Batch(keep, m.send(out))
}

// begins reports whether a draft begins with a sign that was typed: what is
// inside a chip is no command, and nothing that nobody could read runs.
func begins(d drafts.Draft, sign string) bool {
	return strings.HasPrefix(d.Text, sign) && (len(d.Chips) == 0 || d.Chips[0].At > 0)
}

// attached is a prompt with the files that it mentions. It looks at the file
// system, and runs outside the loop.
func attached(out outgoing, dir, home string) session.Input {
	in := out.Input
	in.Attachments = slices.Concat(in.Attachments, draftAttachments(out.draft, dir, home, files.Stat))
	return in
}

// command runs a slash command. One that is unknown, or that nothing is there
// for, stays in the composer; until the agent's own are known it may be one of these.
func (m *conversation) command(d drafts.Draft) tea.Cmd {
	name, args, _ := keymap.ParseSlash(d.Prompt())
	all := m.slashes()
	c, ok := keymap.Find(all, name)
	switch {
	case ok:
	case m.opening || m.listing:
		m.early = d.Prompt()
		m.tell("/%s runs once the agent has said which commands it has.", m.cut(name, keymap.LongestName))
		return nil
	default:
		m.warn("command", keymap.Unknown(all, name))
		m.toEnd()
		return nil
	}
	if !m.can(c) {
		return nil
	}
	keep := m.take()
	if draft := draftHandler(c.ID); draft != nil {
		return tea.Batch(keep, draft(m, after(d, len(d.Text)-len(strings.TrimLeft(d.Text[1+len(name):], " \n")))))
	}
	return tea.Batch(keep, m.run(c, args))
}

// after is what follows n bytes of a draft's text.
func after(d drafts.Draft, n int) drafts.Draft {
	d.Text, d.Chips = d.Text[n:], slices.Clone(d.Chips)
	for i := range d.Chips {
		d.Chips[i].At = max(0, d.Chips[i].At-n)
	}
	d.Caret, d.Behind = len(d.Text), 0
	return d
}

// can reports whether there is a session for a command that needs one, and says
// so if not.
func (c *conversation) can(command keymap.Command) bool {
	switch {
	case command.Live && !command.Reads && c.readOnly != nil:
		c.onlyRead()
		return false
	case !command.Live || c.session != nil:
		return true
	case c.opening:
		c.tell("The session is starting: try again in a moment.")
	default:
		c.tell("The session has ended: {send} reconnects, /new starts another.")
	}
	return false
}

// do runs a command with the words after it.
func (m *conversation) do(c keymap.Command, args string) tea.Cmd {
	if !m.can(c) {
		return nil
	}
	return m.run(c, args)
}

// run runs a command of the table, or of the agent, for which it can be run. One that
// is the window's is asked for.
func (m *conversation) run(c keymap.Command, args string) tea.Cmd {
	if c.Context != keymap.InAgent {
		if handle := m.commandHandlers[c.ID]; handle != nil {
			return handle(m, args)
		}
		m.request(runInWindow{c, args})
		return nil
	}
	i := slices.IndexFunc(m.theirs, func(t session.SlashCommand) bool { return t.Name == c.Slash })
	if i < 0 {
		return nil // the agent has it no more
	}
	return m.invoke(m.theirs[i], args)
}

// slash reports whether the draft is a command.
func (c *composer) slash() bool { return c.editor.Line(0, 0, 1) == "/" }

// firstLine is the first line of the draft, with spaces for chips.
func (c *composer) firstLine() string { return c.editor.Line(0, 0, c.editor.LineLen(0)) }

// stash puts the draft away, or takes the one put away last back.
func (c *conversation) stash(string) tea.Cmd {
	if !c.composer.editor.Empty() {
		c.putAway("stashed")
		c.tell("Draft stashed; {stash} restores it.")
		return nil
	}
	n := len(c.aside)
	if n == 0 {
		c.tell("Nothing is stashed.")
		return nil
	}
	last := c.aside[n-1]
	c.aside = c.aside[:n-1]
	c.setDraft(last.Draft)
	if n > 1 {
		c.tell("%d more stashed; {history} shows them", n-1)
	}
	return nil
}

// stashLimit bounds what is put away.
const stashLimit = 100

// putAway empties the draft and keeps it on the stash. It can be undone, too.
func (c *conversation) putAway(why string) {
	if r := c.composer.recalled; r == nil || r.text != c.composer.editor.Version() { // else it is in the history
		c.keepAside(c.composer.editor.Draft(), why)
	}
	c.setDraft(drafts.Draft{})
}

// keepAside puts a draft on the stash. One that is on it already moves to its
// top.
func (sh *shared) keepAside(d drafts.Draft, why string) {
	sh.shelve(drafts.Stashed{Draft: d, Time: sh.now, Why: why})
}

// shelve is keepAside for a draft that was put away before.
func (sh *shared) shelve(put drafts.Stashed) {
	if put.Draft.Empty() {
		return
	}
	sh.takeAside(put.Draft)
	sh.aside = append(sh.aside, put)
	if extra := len(sh.aside) - stashLimit; extra > 0 {
		sh.aside = slices.Delete(sh.aside, 0, extra)
	}
	sh.journal.touch()
}

// takeAside takes a draft off the stash.
func (sh *shared) takeAside(d drafts.Draft) {
	sh.aside = slices.DeleteFunc(sh.aside, func(s drafts.Stashed) bool {
		return s.Draft.Text == d.Text && reflect.DeepEqual(s.Draft.Chips, d.Chips)
	})
	sh.journal.touch()
}

// setVim switches vim's way of editing on or off.
func (m *Model) setVim(args string) tea.Cmd {
	m.vim = args == "on" || args != "off" && !m.vim
	for _, c := range m.all {
		c.composer.editor.SetVim(m.vim)
	}
	if m.vim {
		m.front.tell("Vim editing is on; vim = true in settings.toml keeps it so.")
	} else {
		m.front.tell("Vim editing is off.")
	}
	return nil
}
