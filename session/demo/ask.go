package demo

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/google/uuid"

	"parley/session"
)

// ask is a question that is open.
type ask struct {
	kind   session.Kind
	answer chan session.Answer // holds one
}

// nobody is said for a refusal without words: a plain reject would end the
// turn.
const nobody = "Nobody could answer this question, so it was refused."

// Respond implements session.Session.
func (s *Session) Respond(_ context.Context, a session.Answer) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	q := s.asks[a.Request()]
	if q == nil {
		return fmt.Errorf("answer %s: %w", a.Request(), session.ErrSettled)
	}
	a = inWords(a, q.kind)
	switch a.(type) {
	case session.PermissionAnswer:
		if q.kind == session.KindPermissionRequested {
			break
		}
		return fmt.Errorf("answer %s: a decision is no answer to %s", a.Request(), q.kind)
	case session.UserInputAnswer:
		if q.kind == session.KindUserInputRequested {
			break
		}
		return fmt.Errorf("answer %s: a text is no answer to %s", a.Request(), q.kind)
	default:
		return fmt.Errorf("answer %s: the demo asks nothing that %T answers", a.Request(), a)
	}
	delete(s.asks, a.Request())
	q.answer <- a
	return nil
}

// inWords turns a refusal into the answer to a question that says so and lets
// the turn go on. Other answers stay.
func inWords(a session.Answer, question session.Kind) session.Answer {
	refusal, ok := a.(session.Refusal)
	if !ok {
		return a
	}
	why := refusal.Feedback
	if why == "" {
		why = nobody
	}
	if question == session.KindUserInputRequested {
		return session.UserInputAnswer{RequestID: refusal.RequestID, Text: why, Freeform: true}
	}
	return session.PermissionAnswer{RequestID: refusal.RequestID, Decision: session.Reject, Feedback: why}
}

// ask puts a question and waits for its answer.
func (t *turn) ask(question session.Ask) (session.Answer, error) {
	q := &ask{kind: question.Kind(), answer: make(chan session.Answer, 1)}
	id := question.Request()
	t.s.mu.Lock()
	t.s.asks[id] = q
	t.s.mu.Unlock()
	defer func() {
		t.s.mu.Lock()
		delete(t.s.asks, id)
		t.s.mu.Unlock()
	}()
	if err := t.emit(question); err != nil {
		return nil, err
	}
	if p, ok := question.(session.PermissionRequested); ok {
		t.question = &p
	}
	select {
	case a := <-q.answer:
		return a, t.ctx.Err()
	case <-t.ctx.Done():
		return nil, t.ctx.Err()
	}
}

// permitted asks for a call if it has to. It returns nil for a call that may
// run, otherwise the end of the call, with errRefused if that is the end of the
// turn too.
func (t *turn) permitted(c *tool) (*session.ToolExecutionComplete, error) {
	if t.allowed(c.asks) {
		return nil, nil
	}
	request := t.permission(c)
	a, err := t.ask(request)
	if err != nil {
		return nil, err
	}
	answer, _ := a.(session.PermissionAnswer)
	result, end := t.decide(answer)
	err = t.emit(session.PermissionCompleted{RequestID: request.RequestID, ToolCallID: c.id, Result: result})
	if err != nil {
		return nil, err
	}
	t.question = nil
	t.grant(c, result.Approval)
	if end != nil && end.Error.Code == rejected {
		err = errRefused
	}
	return end, err
}

// allowed reports whether all of some commands are allowed for the session.
func (t *turn) allowed(commands []string) bool {
	t.s.mu.Lock()
	defer t.s.mu.Unlock()
	return !slices.ContainsFunc(commands, func(c string) bool { return !t.s.granted[c] })
}

// permission is the question about a command.
func (t *turn) permission(c *tool) session.PermissionRequested {
	var commands []session.ShellCommand
	var segments []session.CommandSegment
	for i, text := range strings.Split(c.command, " && ") {
		commands = append(commands, session.ShellCommand{Identifier: c.asks[i]})
		segments = append(segments, session.CommandSegment{
			Identifier: c.asks[i], FullCommandText: text, StaticTokens: strings.Fields(text), WorkingDirectory: t.s.scratch,
		})
	}
	return session.PermissionRequested{
		RequestID: session.RequestID(uuid.NewString()),
		PermissionRequest: session.PermissionRequest{
			Kind: "shell", ToolCallID: c.id, FullCommandText: c.command, ShellType: "bash", Intention: c.intention,
			Commands: commands, CommandSegments: segments, PossiblePaths: []string{}, CanOfferSessionApproval: true,
		},
		PromptRequest: &session.PromptRequest{
			Kind: "commands", ToolCallID: c.id, FullCommandText: c.command, Intention: c.intention,
			CommandIdentifiers: c.asks, CanOfferSessionApproval: true,
		},
		PermissionMode: session.Manual, AgentMode: t.s.currentMode(), OwnerSessionID: t.s.info.ID,
	}
}

// The runtime's words for a refusal: how the question ends, and the codes of
// the call's error with and without a reason.
const (
	denied         = "denied-interactively-by-user"
	deniedWithWord = "denied"
	rejected       = "rejected"
)

// decide is what an answer means for a call: how the question ends, and the end
// of the call unless it may run. Whatever does not clearly allow it refuses it.
func (t *turn) decide(a session.PermissionAnswer) (session.PermissionResult, *session.ToolExecutionComplete) {
	covers := a.Approval != nil && a.Approval.Kind == "commands"
	result := session.PermissionResult{Kind: denied, Feedback: a.Feedback}
	var end session.ToolExecutionComplete
	switch a.Decision {
	case session.ApproveForSession, session.ApproveForLocation, session.ApproveOnce:
		switch {
		case a.Decision == session.ApproveOnce || !covers: // as in the runtime
			return session.PermissionResult{Kind: "approved"}, nil
		case a.Decision == session.ApproveForLocation:
			return session.PermissionResult{Kind: "approved-for-location", Approval: a.Approval}, nil
		}
		return session.PermissionResult{Kind: "approved-for-session", Approval: a.Approval}, nil
	case session.Reject:
		end = failure(rejected, "The user rejected this tool call.")
		if a.Feedback != "" {
			end = failure(deniedWithWord, "The user rejected this tool call. User feedback: "+a.Feedback)
			t.feedback = a.Feedback
		}
	case session.ApprovePermanently, session.ApproveReadOnlyForSession:
		end = failure("failure", fmt.Sprintf("The decision %q is not one for a command.", a.Decision))
	default:
		end = failure("failure", fmt.Sprintf("There is no decision %q.", a.Decision))
	}
	return result, &end
}

// grant remembers what an approval, if there is one, covers of a call. The demo
// forgets it with the session, whatever the approval was for.
func (t *turn) grant(c *tool, a *session.Approval) {
	if a == nil {
		return
	}
	t.s.mu.Lock()
	defer t.s.mu.Unlock()
	for _, name := range a.CommandIdentifiers {
		if slices.Contains(c.asks, name) {
			t.s.granted[name] = true
		}
	}
}

// askUser is the tool that asks the person a question.
func askUser(question string, choices ...string) *tool {
	c := newTool("ask_user", "Asking user", question, map[string]any{
		"question": question, "choices": choices, "allow_freeform": true,
	})
	freeform := true
	c.run = func(t *turn, c *tool) (session.ToolExecutionComplete, error) {
		request := session.UserInputRequested{
			RequestID: session.RequestID(uuid.NewString()), Question: question, Choices: choices,
			AllowFreeform: &freeform, ToolCallID: c.id,
		}
		a, err := t.ask(request)
		if err != nil {
			return session.ToolExecutionComplete{}, err
		}
		answer, _ := a.(session.UserInputAnswer)
		t.answer = answer.Text
		return success("User responded: " + answer.Text), t.emit(session.UserInputCompleted{
			RequestID: request.RequestID, Answer: answer.Text, WasFreeform: answer.Freeform,
		})
	}
	return c
}
