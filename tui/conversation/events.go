package conversation

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"parley/prompts"
	"parley/prompts/consent"
	"parley/session"
	"parley/tui/composer"
	"parley/tui/files"
	"parley/tui/transcript"
)

// events folds a batch of events into the projections.
func (c *Conversation) events(msg EventsMsg) tea.Cmd {
	if msg.Session != c.Session {
		return nil // of a session that was left
	}
	c.win.Pass(msg.At)
	answering := c.Questions.Focused()
	growing := c.ReadOnly.growing()
	if c.ReadOnly != nil {
		c.past.readOn(msg.Events)
	}
	var before transcript.Snapshot
	if c.win.Config.Settings.Follow != "bottom" {
		before = c.Pane.Snapshot()
	}
	was, stopped := c.Timeline.Status(), !c.Aborting.IsZero()
	var cmds []tea.Cmd
	why := "The question closed"
	seen := slices.Collect(maps.Keys(c.Answers.asked))
	for _, ev := range msg.Events {
		if c.known(ev) {
			continue
		}
		cmd, elsewhere := c.follow(ev, seen)
		cmds = append(cmds, cmd)
		if elsewhere != "" {
			why = elsewhere
			c.ShowHint("%s", why)
		}
	}
	if answering && !c.Questions.Focused() {
		c.Input.noSendBefore = c.win.Now.Add(noSendTime)
	}
	c.Draft.reclaimFrom(c.Questions, why+"; what you wrote is in the composer.")
	if growing && !c.ReadOnly.growing() {
		c.past.wholeRead()
	}
	if c.win.Config.Settings.Follow != "off" {
		c.Pane.Resettle()
	}
	if n := len(msg.Events); n > 0 && !msg.Events[n-1].Replayed {
		c.Pane.FollowOutput(c.win.Config.Settings.Follow, before)
		cmds = append(cmds, c.Attention.turnOver(was.Busy, was.Since, stopped))
	}
	if msg.Ended {
		return tea.Batch(append(cmds, c.ended())...)
	}
	return tea.Batch(append(cmds, c.own(c.win.Pump(msg)))...)
}

// noSendTime is how long Enter sends nothing after a question closed under the
// user's fingers: it was meant for the question.
const noSendTime = consent.Quiet

// known reports whether an event of the history is on the timeline already,
// as after a reconnection, and remembers it.
func (c *Conversation) known(ev session.Event) bool {
	if ev.Ephemeral || ev.ID == "" {
		return false
	}
	return c.stored.add(ev.ID) && ev.Replayed
}

// eventSet is which events there were. A resume replays all of a session, so that
// none may be forgotten; of each there are sixteen bytes, which is less than the
// timeline holds of any, whatever ids an agent gives.
type eventSet map[[16]byte]struct{}

// add puts an event into the set, and reports whether it was in it.
func (s eventSet) add(id session.EventID) (before bool) {
	sum := sha256.Sum256([]byte(id))
	key := [16]byte(sum[:])
	_, before = s[key]
	s[key] = struct{}{}
	return before
}

// event folds one event.
func (c *Conversation) event(ev session.Event) tea.Cmd {
	c.Timeline.Apply(ev)
	c.ModelView.Apply(ev)
	c.Recent.Add(&ev)
	c.Answers.note(ev)
	if id, ok := c.Answers.permitted(ev); ok {
		return c.respond(session.PermissionAnswer{RequestID: id, Decision: session.ApproveOnce})
	}
	if command, id, ok := c.Commands.QueuedCommand(ev); ok {
		return c.Commands.carryOut(command, id)
	}
	cmds := make([]tea.Cmd, 0, 2) // that many are of each event, and mostly nil
	cards := c.Questions.Len()
	c.UpdateDraftState()
	for _, refusal := range c.Questions.Apply(ev, c.win.Now) {
		cmds = append(cmds, c.respond(refusal))
		if ask, ok := ev.Body.(session.Ask); ok {
			c.Warn("refused", prompts.Notice(ask))
		}
	}
	cmds = append(cmds, c.followLists(ev, cards))
	if ev.Replayed {
		return tea.Batch(cmds...)
	}
	cmds = append(cmds, c.account.unanswered(ev), c.past.reportDamage())
	root := ev.Agent == ""
	switch b := ev.Body.(type) {
	case session.SessionContextChanged:
		if root {
			c.Work(b.Cwd)
			c.checkout = files.Checkout{}
			cmds = append(cmds, c.Commands.readSlashes(), c.readCheckout())
		}
	case session.FolderTrustCompleted:
		cmds = append(cmds, c.first.read(), c.Commands.readSlashes())
	case session.CommandsChanged:
		cmds = append(cmds, c.Commands.readSlashes())
	case session.UserMessage, session.PendingMessagesModified:
		c.Queue.Pending = c.Queue.Pending.after(ev)
		cmds = append(cmds, c.Queue.readPending())
	case session.SessionModeChanged:
		c.Wanted = c.Wanted[slices.Index(c.Wanted, b.NewMode)+1:]
	case session.AssistantTurnStart, session.AssistantIdle, session.SessionIdle:
		if root {
			c.Aborting = time.Time{}
			if _, begins := ev.Body.(session.AssistantTurnStart); !begins {
				cmds = append(cmds, c.readCheckout(), c.Queue.sendNotes())
			}
			if c.Timeline.Status().Turns == 1 {
				c.win.Journal.Touch() // it can be resumed from now on
			}
		}
	case session.Abort:
		if root {
			c.interrupted()
		}
	case session.ToolExecutionComplete:
		c.Queue.Notes.end(b.ToolCallID)
		cmds = append(cmds, c.Queue.sendNotes())
	}
	return tea.Batch(cmds...)
}

// pendingAnswers are the open questions of a session as they came, and what becomes of the
// answers to them.
type pendingAnswers struct {
	*core
	draft *promptDraft
	queue *promptQueue
	asked map[session.RequestID]session.Event // the open questions as they came
	heard bool                                // the session took a prompt since it was opened
}

// note keeps the open questions as they came, and whether the session has heard
// of this window.
func (c *pendingAnswers) note(ev session.Event) {
	if ev.Replayed {
		return
	}
	switch b := ev.Body.(type) {
	case session.Ask:
		c.asked[b.Request()] = ev
	case session.Resolved:
		delete(c.asked, b.Resolves())
	case session.UserMessage:
		c.heard = true
	}
}

// permitted reports whether ev asks for what the command line permits. What an
// earlier run of the session asked for is not: no user saw it there. Nor is what
// could not be read whole, for a rule would be about a part of it.
func (c *pendingAnswers) permitted(ev session.Event) (session.RequestID, bool) {
	if ev.Replayed || len(ev.Unreadable) > 0 || !c.heard || c.win.Config.Permit == nil {
		return "", false
	}
	p, ok := ev.Body.(session.PermissionRequested)
	return p.RequestID, ok && !p.ResolvedByHook && c.win.Config.Permit(p)
}

// interrupted takes the end of a turn that was cut short: what was meant for it, and what
// waited behind it, will not be sent, and is drafts again.
func (c *Conversation) interrupted() {
	c.Aborting = time.Time{}
	steering, queued := c.Queue.takePending()
	c.Draft.giveBackInterrupted(c.Composer.Drafts(steering...), c.Composer.Drafts(queued...))
	c.Answers.ReclaimNotes()
}

// reclaim puts texts that were not sent into the draft and says so.
func (c *promptDraft) reclaim(why string, texts []string) {
	if len(texts) == 0 {
		return
	}
	c.giveBack(c.Composer.Drafts(texts...)...)
	c.ShowHint("%s", why)
}

// reclaimFrom takes back what was written on questions that closed: what the
// user had before them into the draft, the rest onto the stash.
func (c *promptDraft) reclaimFrom(q *prompts.Queue, why string) {
	for _, d := range q.Dropped() {
		c.win.Stash(composer.Plain(d.Text)[0], d.Why)
		if d.Why == prompts.UnsentForm {
			c.ShowHint("The form closed; {history} finds what you filled in.")
		}
	}
	c.reclaim(why, q.Unsent())
}

// ReclaimNotes puts the notes that were not sent into the draft.
func (c *pendingAnswers) ReclaimNotes() {
	texts := c.queue.Notes.texts()
	c.queue.Notes = nil
	c.draft.reclaim("The note was not sent; it is in the composer.", texts)
}

// KeepNote keeps the note of a yes until the approved call has completed: sooner,
// it could move a running command to the background (docs/decisions.md 5).
func (c *pendingAnswers) KeepNote(a session.Answer) {
	if p, ok := a.(session.PermissionAnswer); ok && p.Note != "" && p.Decision.Approves() {
		c.queue.Notes = append(c.queue.Notes, HeldNote{Call: c.call(p.RequestID), Text: p.Note})
	}
}

// call is what a permission question is about; "" if it did not say.
func (c *pendingAnswers) call(r session.RequestID) session.CallID {
	p, _ := c.asked[r].Body.(session.PermissionRequested)
	return p.Call()
}

// responded takes the end of an answer. One that could not be delivered leaves
// the question open, and what was written in it with the user.
func (c *pendingAnswers) responded(msg RespondedMsg) tea.Cmd {
	here := msg.Session == c.Session
	answer, permission := msg.Answer.(session.PermissionAnswer)
	if here && msg.stays != nil {
		c.Wanted = nil
		c.Fail("leave autopilot", msg.stays, c.win.says("It may continue by itself: {interrupt} stops it."))
	}
	if msg.Err == nil {
		if here && permission {
			c.queue.Notes.end("") // no call to wait for
			return c.queue.sendNotes()
		}
		return nil
	}
	settled := errors.Is(msg.Err, session.ErrResolved)
	texts := words(msg.Answer)
	if c.queue.Notes.withdraw(answer.Note) {
		texts = append(texts, answer.Note)
	}
	if settled || !here { // the form does not open again
		texts = append(texts, filled(msg.Answer)...)
	}
	c.draft.reclaim("What you wrote is in the composer.", texts)
	switch {
	case !here:
		return nil
	case settled:
		return c.ShowHint("That question was already settled elsewhere.")
	}
	if ev, ok := c.asked[msg.Answer.Request()]; ok {
		c.UpdateDraftState()
		c.Questions.Apply(ev, c.win.Now)
	}
	what := "Nothing was approved by it"
	if errors.Is(msg.Err, session.ErrUnanswered) {
		what = "It is not known whether it arrived"
	}
	c.Fail("deliver the answer", msg.Err, what+"; the question is open again.")
	return nil
}

// words are what the user wrote in an answer, but for its note.
func words(a session.Answer) []string {
	text := ""
	switch a := a.(type) {
	case session.PermissionAnswer:
		text = a.Feedback
	case session.UserInputAnswer:
		if a.Freeform {
			text = a.Text
		}
	case session.ExitPlanModeAnswer:
		text = a.Feedback
	case session.ElicitationAnswer, session.FolderTrustAnswer, session.McpOAuthAnswer, session.ConfirmationAnswer,
		session.AutoModeSwitchAnswer, session.SessionLimitsExhaustedAnswer, session.Refusal:
	}
	if text == "" {
		return nil
	}
	return []string{text}
}

// noteOf is the note of an answer.
func noteOf(a session.Answer) []string {
	if p, ok := a.(session.PermissionAnswer); ok && p.Note != "" {
		return []string{p.Note}
	}
	return nil
}

// filled is what a form was filled in with, a line for each answer.
func filled(a session.Answer) []string {
	form, ok := a.(session.ElicitationAnswer)
	if !ok || len(form.Content) == 0 {
		return nil
	}
	shown := form.Shown()
	lines := make([]string, 0, len(shown))
	for _, name := range slices.Sorted(maps.Keys(shown)) {
		lines = append(lines, fmt.Sprintf("%s: %v", name, shown[name]))
	}
	return []string{strings.Join(lines, "\n")}
}

// follow folds one event, and says so when it ends an open question that
// another client answered: an answer of this window closes its card at once. A
// question that was withdrawn, or that an interrupt of this window ends, was
// not answered, and one that is not among those that could be seen is no
// news.
func (c *Conversation) follow(ev session.Event, seen []session.RequestID) (cmd tea.Cmd, elsewhere string) {
	ended, ok := ev.Body.(session.Resolved)
	if !ok {
		return c.event(ev), ""
	}
	ask, _ := c.Answers.asked[ended.Resolves()].Body.(session.Ask)
	open := c.Questions.Len()
	cmd = c.event(ev)
	completed, permission := ended.(session.PermissionCompleted)
	if c.Questions.Len() == open || !slices.Contains(seen, ended.Resolves()) ||
		permission && completed.Result.Kind == "cancelled" || !c.Aborting.IsZero() {
		return cmd, ""
	}
	const width = 60
	return cmd, "Answered elsewhere: " + c.win.Cut(prompts.Topic(ask), width)
}

// EventsMsg is what a session said since the last one.
type EventsMsg struct {
	Session session.Session
	Events  []session.Event
	At      time.Time
	Ended   bool // the session is over; no more will come
}
