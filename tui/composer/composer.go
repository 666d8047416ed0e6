// Package composer is where prompts are written: a text editor with completions of
// commands, files and issues, prompts that were sent before, pastes and attachments. It
// knows nothing of the window. It is given Facts, and asks with Requests.
package composer

import (
	"context"
	"time"

	tea "charm.land/bubbletea/v2"

	"parley/editor"
	"parley/history/drafts"
	prompthistory "parley/history/prompts"
	"parley/session"
	"parley/tui/keymap"
)

// Composer is the draft of one conversation. Whoever changes it through the editor calls
// Edited then.
type Composer struct {
	*editor.Editor

	ctx      context.Context
	prompts  *prompthistory.History
	facts    Facts
	requests []Request
	changed  bool

	recalled *recalled // an earlier prompt is shown; nil: none
	// recalling is where the user wants to go among the earlier prompts while
	// one is looked for; nil: none is.
	recalling *recalled

	list      *completions // that are shown; nil if none are
	token     token        // that they complete, or did before they were closed
	eager     token        // to be completed as soon as it is known with what
	dismissed token        // that was being completed when the list was closed
	workspace workspace

	sent []Outgoing // with chips, the newest last

	images   []drafts.Chip // of images in the draft
	imagesOf uint64        // the version of the draft that they are of
}

// Facts are what the composer decides by.
type Facts struct {
	Now       time.Time
	Place     prompthistory.Place // for prompts and files that were used there
	Dir, Home string              // where the agent works; the user's own folder
	Env       []string
	Commands  []keymap.Command  // slash commands
	Completer session.Completer // nil if the agent completes nothing
	Covered   bool              // a list lies over the draft: nothing is completed
	Rows      int               // of a list of completions that are in view at most
}

// Request is what the composer asks the window for: a Hint or a Submit.
type Request interface{ request() }

// Hint asks to show a line for a while. {name} in Format is the user's key for that
// action, and %s, if it is there, the Detail.
type Hint struct{ Format, Detail string }

// Submit asks to send the draft.
type Submit struct{}

func (Hint) request()   {}
func (Submit) request() {}

// Msg is the end of a job of the composer, which Receive takes.
type Msg interface{ receive(c *Composer) tea.Cmd }

// New returns an empty composer. Its jobs end with ctx.
func New(ctx context.Context, prompts *prompthistory.History, vim bool) Composer {
	c := Composer{Editor: editor.New(), ctx: ctx, prompts: prompts}
	c.SetVim(vim)
	c.SetHighlighter(highlight)
	return c
}

// SetFacts is called before Edited, Receive, and what a key or a paste does.
func (c *Composer) SetFacts(f Facts) { c.facts = f }

// Requests returns what was asked for since it was called last.
func (c *Composer) Requests() []Request {
	r := c.requests
	c.requests = nil
	return r
}

// Changed reports whether the draft may have changed since it was called last.
func (c *Composer) Changed() bool {
	changed := c.changed
	c.changed = false
	return changed
}

// Receive takes the end of a job.
func (c *Composer) Receive(msg Msg) tea.Cmd { return msg.receive(c) }

// SetDraft puts another draft in the place of the one there is.
func (c *Composer) SetDraft(d drafts.Draft) {
	c.Editor.SetDraft(d)
	c.recalled, c.token, c.list, c.changed = nil, token{}, nil, true
}

// Insert puts text at the caret.
func (c *Composer) Insert(text string) {
	c.Editor.Insert(text)
	c.changed = true
}

// Edited follows a change of the draft: it opens, changes or closes the completions.
func (c *Composer) Edited() tea.Cmd {
	c.changed = true
	return c.complete()
}

// IsCommand reports whether the draft is a slash command.
func (c *Composer) IsCommand() bool { return c.Line(0, 0, 1) == "/" }

// firstLine is the first line of the draft, with spaces for chips.
func (c *Composer) firstLine() string { return c.Line(0, 0, c.LineLen(0)) }

func (c *Composer) hint(format, detail string) { c.requests = append(c.requests, Hint{format, detail}) }
