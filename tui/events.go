package tui

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
	"parley/tui/transcript"
)

// events folds a batch of events into the projections.
func (c *conversation) events(msg eventsMsg) tea.Cmd {
	if msg.session != c.session {
		return nil // of a session that was left
	}
	c.win.pass(msg.at)
	answering := c.questions.Focused()
	if c.readOnly != nil {
		c.past.readOn(msg.events)
	}
	var stood transcript.Stand
	if c.win.config.Settings.Follow != "bottom" {
		stood = c.pane.Stand()
	}
	was, stopped := c.timeline.Status(), !c.aborting.IsZero()
	var cmds []tea.Cmd
	why := "The question closed"
	seen := slices.Collect(maps.Keys(c.answers.asked))
	for _, ev := range msg.events {
		if c.known(ev) {
			continue
		}
		cmd, elsewhere := c.follow(ev, seen)
		cmds = append(cmds, cmd)
		if elsewhere != "" {
			why = elsewhere
			c.showHint("%s", why)
		}
	}
	if answering && !c.questions.Focused() {
		c.input.noSendBefore = c.win.now.Add(noSendTime)
	}
	c.draft.reclaimFrom(c.questions, why+"; what you wrote is in the composer.")
	if c.readOnly != nil && c.readOnly.whole && !was.Ended {
		c.past.wholeRead()
	}
	if c.win.config.Settings.Follow != "off" {
		c.pane.Resettle()
	}
	if n := len(msg.events); n > 0 && !msg.events[n-1].Replayed {
		c.pane.Came(c.win.config.Settings.Follow, stood)
		cmds = append(cmds, c.attention.turnOver(was.Busy, was.Since, stopped))
	}
	if msg.ended {
		return tea.Batch(append(cmds, c.ended())...)
	}
	return tea.Batch(append(cmds, c.own(c.win.pump(c.session)))...)
}

// noSendTime is how long Enter sends nothing after a question closed under the
// user's fingers: it was meant for the question.
const noSendTime = consent.Quiet

// known reports whether an event of the history is on the timeline already,
// as after a reconnection, and remembers it.
func (c *conversation) known(ev session.Event) bool {
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
func (c *conversation) event(ev session.Event) tea.Cmd {
	c.timeline.Apply(ev)
	c.modelView.Apply(ev)
	c.recent.Add(&ev)
	c.answers.note(ev)
	if id, ok := c.answers.permitted(ev); ok {
		return c.own(respond(c.win.ctx, c.session, session.PermissionAnswer{RequestID: id, Decision: session.ApproveOnce}))
	}
	if command, id, ok := c.commands.queuedCommand(ev); ok {
		return c.commands.carryOut(command, id)
	}
	var cmds []tea.Cmd
	cards := c.questions.Len()
	c.updateDraftState()
	for _, refusal := range c.questions.Apply(ev, c.win.now) {
		cmds = append(cmds, c.own(respond(c.win.ctx, c.session, refusal)))
		if ask, ok := ev.Body.(session.Ask); ok {
			c.warn("refused", prompts.Notice(ask))
		}
	}
	cmds = append(cmds, c.followLists(ev, cards))
	if ev.Replayed {
		return tea.Batch(cmds...)
	}
	c.account.unanswered(ev)
	root := ev.Agent == ""
	switch b := ev.Body.(type) {
	case session.SessionContextChanged:
		if root {
			c.work(b.Cwd)
		}
	case session.CommandsChanged:
		cmds = append(cmds, c.own(readSlashes(c.win.ctx, c.session)))
	case session.PendingMessagesModified:
		cmds = append(cmds, c.own(readPending(c.win.ctx, c.session)))
	case session.SessionModeChanged:
		c.wanted = c.wanted[slices.Index(c.wanted, b.NewMode)+1:]
	case session.AssistantTurnStart, session.AssistantIdle, session.SessionIdle:
		if root {
			c.aborting = time.Time{}
		}
	case session.Abort:
		if root {
			c.interrupted()
		}
	case session.ToolExecutionComplete:
		for _, note := range c.answers.notes.take(b.ToolCallID) {
			cmds = append(cmds, c.queue.sendText(note, session.Immediate))
		}
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
	notes heldNotes                           // of approvals, to send when their calls have completed
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
	if ev.Replayed || len(ev.Unreadable) > 0 || !c.heard || c.win.config.Permit == nil {
		return "", false
	}
	p, ok := ev.Body.(session.PermissionRequested)
	return p.RequestID, ok && !p.ResolvedByHook && c.win.config.Permit(p)
}

// interrupted takes the end of a turn that was cut short: what waited behind it
// will not be sent, and is a draft again.
func (c *conversation) interrupted() {
	c.aborting = time.Time{}
	var texts []string
	for _, p := range c.queue.pending {
		texts = append(texts, p.Text)
	}
	c.queue.pending = nil
	c.draft.reclaim("Interrupted; queued prompts are in the composer.", texts)
	c.answers.reclaimNotes()
}

// reclaim puts texts that were not sent into the draft and says so.
func (c *promptDraft) reclaim(why string, texts []string) {
	if len(texts) == 0 {
		return
	}
	c.giveBack(c.composer.Drafts(texts...)...)
	c.showHint("%s", why)
}

// reclaimFrom takes back what was written on questions that closed: what the
// user had before them into the draft, the rest onto the stash.
func (c *promptDraft) reclaimFrom(q *prompts.Queue, why string) {
	for _, d := range q.Dropped() {
		c.win.stash(composer.Plain(d.Text)[0], d.Why)
	}
	c.reclaim(why, q.Unsent())
}

func (c *pendingAnswers) reclaimNotes() {
	texts := c.notes.texts()
	c.notes = nil
	c.draft.reclaim("The note was not sent; it is in the composer.", texts)
}

// keepNote keeps the note of a yes until the approved call has completed: sooner,
// it could move a running command to the background (decision 5).
func (c *pendingAnswers) keepNote(a session.Answer) {
	if p, ok := a.(session.PermissionAnswer); ok && p.Note != "" && p.Decision.Approves() {
		c.notes = append(c.notes, heldNote{c.call(p.RequestID), p.Note})
	}
}

// call is what a permission question is about; "" if it did not say.
func (c *pendingAnswers) call(r session.RequestID) session.CallID {
	p, _ := c.asked[r].Body.(session.PermissionRequested)
	return p.Call()
}

// responded takes the end of an answer. One that could not be delivered leaves
// the question open, and what was written in it with the user.
func (c *pendingAnswers) responded(msg respondedMsg) tea.Cmd {
	here := msg.session == c.session
	answer, permission := msg.answer.(session.PermissionAnswer)
	if msg.err == nil {
		if here && permission && c.call(answer.RequestID) == "" && c.notes.withdraw(answer.Note) { // no call to wait for
			return c.queue.sendText(answer.Note, session.Immediate)
		}
		return nil
	}
	settled := errors.Is(msg.err, session.ErrResolved)
	texts := words(msg.answer)
	if c.notes.withdraw(answer.Note) {
		texts = append(texts, answer.Note)
	}
	if settled || !here { // the form does not open again
		texts = append(texts, filled(msg.answer)...)
	}
	c.draft.reclaim("What you wrote is in the composer.", texts)
	switch {
	case !here:
		return nil
	case settled:
		c.showHint("That question was already settled elsewhere.")
		return nil
	}
	if ev, ok := c.asked[msg.answer.Request()]; ok {
		c.updateDraftState()
		c.questions.Apply(ev, c.win.now)
	}
	what := "Nothing was approved by it"
	if errors.Is(msg.err, session.ErrUnanswered) {
		what = "It is not known whether it arrived"
	}
	c.fail("deliver the answer", msg.err, what+"; the question is open again.")
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
	lines := make([]string, 0, len(form.Content))
	for _, name := range slices.Sorted(maps.Keys(form.Content)) {
		lines = append(lines, fmt.Sprintf("%s: %v", name, form.Content[name]))
	}
	return []string{strings.Join(lines, "\n")}
}

// follow folds one event, and says so when it ends an open question that
// another client answered: an answer of this window closes its card at once. A
// question that was withdrawn, or that an interrupt of this window ends, was
// not answered, and one that is not among those that could be seen is no
// news.
func (c *conversation) follow(ev session.Event, seen []session.RequestID) (cmd tea.Cmd, elsewhere string) {
	ended, ok := ev.Body.(session.Resolved)
	if !ok {
		return c.event(ev), ""
	}
	ask, _ := c.answers.asked[ended.Resolves()].Body.(session.Ask)
	open := c.questions.Len()
	cmd = c.event(ev)
	completed, permission := ended.(session.PermissionCompleted)
	if c.questions.Len() == open || !slices.Contains(seen, ended.Resolves()) ||
		permission && completed.Result.Kind == "cancelled" || !c.aborting.IsZero() {
		return cmd, ""
	}
	const width = 60
	return cmd, "Answered elsewhere: " + c.win.cut(prompts.Topic(ask), width)
}
