package conversation

import (
	"cmp"
	"context"
	"errors"
	"slices"

	tea "charm.land/bubbletea/v2"

	"parley/history/drafts"
	"parley/history/secrets"
	"parley/history/sessions"
	"parley/render/text"
	"parley/session"
	"parley/tui/composer"
	"parley/tui/widget"
)

// LeaveFor leaves the session for another one, which works in a folder; "" is a new session.
// It returns what closes the one that is left, and opens the other then. The agent that reads
// is closed by left, which is nil for a live session.
func (c *Conversation) LeaveFor(id session.ID, dir string, left tea.Cmd) tea.Cmd {
	if c.Session != nil && left == nil {
		left = Close(c.win.Ctx, c.Session, CloseTimeout)
	}
	c.Before = c.Resumable()
	c.abandon("The session was left; what you wrote is in the composer.")
	c.Session, c.Opening, c.AgentCommands, c.PromptFiles, c.Commands.listing, c.Commands.early = nil, true, nil, nil, false, ""
	c.failed = ""
	c.Resume, c.Continued, c.dir = id, false, dir
	c.Reset()
	return After(left, c.Open())
}

// After is a command that runs another one first, unless that is nil.
func After(first, then tea.Cmd) tea.Cmd {
	return func() tea.Msg {
		if first != nil {
			first()
		}
		return then()
	}
}

// ResumeRead continues the session that was read, where it is, after left has ended the
// reading: what is on the screen stays, and so does the draft.
func (c *Conversation) ResumeRead(left tea.Cmd) tea.Cmd {
	c.Resume, c.dir = cmp.Or(c.Info.ID, c.Resume), c.Info.Dir
	c.Session, c.Disconnected, c.Opening, c.Continued = nil, false, true, false
	c.Info.ReadOnly, c.Info.Agent = false, c.Backend.Name
	c.Pane.ToEnd()
	return After(left, c.Open())
}

// Close takes back what was written in a conversation that the window closes, and keeps its
// draft for the session.
func (c *Conversation) Close() {
	c.abandon("The session was left; what you wrote stays with it.")
	c.shell.stopShells()
	c.Queue.giveBackEarly()
	for _, p := range c.Queue.Sending {
		if !p.back {
			c.win.Stash(p.Draft, "on its way")
		}
	}
	if d := c.Composer.Draft(); !d.Empty() {
		if c.Info.ID == "" {
			c.win.Stash(d, "not sent")
		} else {
			c.win.KeepDraftOf(c.Info.ID, d)
		}
		c.Draft.SetDraft(drafts.Draft{})
	}
}

// Untouched reports whether there was no session yet, and nothing was written.
func (c *Conversation) Untouched() bool {
	return !c.hadSession && !c.Wrote && !c.Talked && c.Before == "" && c.Composer.Empty()
}

// ReadInstead reads a session that could not be opened because another window writes it, where
// neither would see what is said to the other, or because the agent does not accept its log,
// if it can be read. What waited to be sent is in the draft again. Of a session that is read already it returns why it could not be
// resumed.
func (c *Conversation) ReadInstead(id session.ID, failed error) (cmd tea.Cmd, err error) {
	_, held := errors.AsType[*session.HeldError](failed)
	switch {
	case c.ReadOnly != nil && c.ReadOnly.refused != nil: // which is why it was to be read
		return nil, c.ReadOnly.refused
	case c.ReadOnly != nil || c.win.Config.Sessions == nil || c.win.Config.Reading == nil,
		!held && !errors.Is(failed, session.ErrDamaged):
		return nil, failed
	}
	c.Queue.giveBackEarly()
	c.ReadOnly, c.Resume = &PastSession{refused: failed}, id
	c.Info.ID, c.Info.ReadOnly, c.Agent, c.Opening = id, true, nil, true
	c.Disconnected = false
	return c.Open(), nil
}

// NotOpened says why no session could be opened, and what to do. The one before may be in
// another tab.
func (c *Conversation) NotOpened(err error, elsewhere bool) {
	c.Disconnected = true
	const again = "Enter tries again and sends what is in the composer"
	what, next := "start the agent", again+", /quit leaves."
	switch wanted := c.Resume; {
	case c.ReadOnly != nil:
		what, next = "open the session to read it", "Enter tries again, /close goes back. The draft stays."
	case wanted == "" || wanted == c.Current():
	case wanted == c.Before:
		next = "Enter tries again, /quit leaves. The draft stays."
	case elsewhere:
		what, next = "resume that session", again+", /close goes to the next tab."
	case c.Before != "":
		what, next = "resume that session", "Enter goes back to the one before, /new starts another. The draft stays."
		c.Resume = c.Before
		c.Draft.ReturnTo(c.Before)
	case c.hadSession:
		what, next = "resume that session", again+", /new starts another, /resume opens one that is stored."
	}
	if lost := (*session.FolderError)(nil); errors.As(err, &lost) {
		next = "Make it again and press enter; /cwd PATH chooses another one. The draft stays."
	}
	if errors.Is(err, session.ErrNotStored) && c.Before == "" {
		next = "/new starts another, /resume opens one that is stored, /quit leaves. The draft stays."
	}
	if c.Agent != nil && silent(err) {
		next += " " + endsSilent
	}
	if len(c.Queue.Early) > 0 {
		c.Queue.giveBackEarly()
		c.ShowHint("Queued prompts are in the composer.")
	}
	if c.failed == err.Error() {
		c.ShowHint("Still not possible: %s", err)
	} else {
		c.Fail(what, err, next)
	}
	c.failed = err.Error()
}

// Undelivered keeps what the user wrote that a message to a closed conversation has not
// delivered, and drops what its result owns.
func (w *Window) Undelivered(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case ResultMsg:
		return msg.drop(w.Ctx)
	case SentMsg:
		if w.removeFromStash(msg.Prompt.Draft); msg.Err != nil && !msg.Prompt.back {
			w.Stash(msg.Prompt.Draft, "not sent")
		}
	case RespondedMsg:
		if msg.Err != nil {
			for _, d := range composer.Plain(slices.Concat(words(msg.Answer), filled(msg.Answer), noteOf(msg.Answer))...) {
				w.Stash(d, "not sent")
			}
		}
	}
	return nil
}

// resumption is the session that is being resumed, as the library knows it.
type resumption struct {
	title string // "" is not known
	asked bool   // the library was asked
}

// find asks the library which session is about to be resumed.
func (r *resumption) find(c *core) tea.Cmd {
	lib, id, dir, keeper := c.win.Config.Sessions, c.Resume, c.win.Config.in(c.dir).Options.Dir, c.Backend.Keeper
	*r = resumption{asked: lib == nil}
	if lib == nil || c.ReadOnly != nil || id == "" && !c.Continued {
		return nil
	}
	return fetch(c, func(ctx context.Context) (title string, err error) {
		var s sessions.Session
		if id != "" {
			s, err = lib.Get(ctx, id)
		} else {
			_ = lib.Refresh(ctx) // what was used last may not be known yet
			s, err = lastIn(ctx, lib, dir, keeper)
		}
		return secrets.Hide(s.Title), err
	}, func(title string, _ error) tea.Cmd { // without a title it is resumed all the same
		if c.Resume == id {
			*r = resumption{title: widget.FirstLine(title), asked: true}
		}
		return nil
	})
}

// lastIn is the session of a folder that was used last, of those of a keeper.
func lastIn(ctx context.Context, lib Library, dir, keeper string) (last sessions.Session, err error) {
	found, err := lib.Find(ctx, sessions.Request{Scope: sessions.InFolder, Dir: dir, Order: sessions.ByUsed, Archived: true})
	for _, h := range found.Sessions { // pinned ones come first
		if !h.Foreign(keeper) && h.Used.After(last.Used) {
			last = h.Session
		}
	}
	return last, err
}

// says which session is being resumed; "" if none is.
func (r *resumption) says(c *core) string {
	title := cmp.Or(r.title, string(c.Resume))
	switch {
	case !c.Opening || c.ReadOnly != nil || c.Resume == "" && !c.Continued:
		return ""
	case title == "":
		return "Looking for the last session of this folder."
	}
	const around = "Resuming “”."
	return "Resuming “" + c.win.Cut(title, max(leastName, c.win.Width-widget.Margin-1-text.Width(around))) + "”."
}

// Resuming says which session a conversation resumes, once the library was asked for its
// title; "" if it resumes none.
func Resuming(c *Conversation) string {
	if !c.first.resumed.asked {
		return ""
	}
	return c.first.resumed.says(c.first.core)
}
