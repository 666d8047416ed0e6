package demo

import (
	"context"
	"fmt"
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
		return fmt.Errorf("answer %s: %w", a.Request(), session.ErrResolved)
	}
	if refusal, ok := a.(session.Refusal); ok {
		a = inWords(refusal, q.kind)
	}
	if kind := answers(a); kind != q.kind {
		return fmt.Errorf("answer %s: %T is no answer to %s", a.Request(), a, q.kind)
	}
	delete(s.asks, a.Request())
	q.answer <- a
	return nil
}

// answers is the kind of question that an answer is for.
func answers(a session.Answer) session.Kind {
	switch a := a.(type) {
	case session.PermissionAnswer:
		return session.KindPermissionRequested
	case session.UserInputAnswer:
		return session.KindUserInputRequested
	case session.ElicitationAnswer:
		return session.KindElicitationRequested
	case session.ExitPlanModeAnswer:
		return session.KindExitPlanModeRequested
	case session.McpOAuthAnswer:
		return session.KindMcpOAuthRequired
	case session.SessionLimitsExhaustedAnswer:
		return session.KindSessionLimitsExhaustedRequested
	case session.Refusal:
		return a.Kind
	}
	return ""
}

// inWords turns a refusal into the answer to a question that says so and lets
// the turn go on. A form and a plan take a refusal as it is.
func inWords(refusal session.Refusal, question session.Kind) session.Answer {
	if refusal.Feedback == "" {
		refusal.Feedback = nobody
	}
	refusal.Kind = question
	switch question {
	case session.KindUserInputRequested:
		return session.UserInputAnswer{RequestID: refusal.RequestID, Text: refusal.Feedback, Freeform: true}
	case session.KindPermissionRequested:
		return session.PermissionAnswer{RequestID: refusal.RequestID, Decision: session.Reject, Feedback: refusal.Feedback}
	default:
		return refusal
	}
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

// userResponded is what the model is told with the answer to its question.
const userResponded = "User responded: "

// answer is what the user answered to a question of the model.
func (h heard) answer() string { return firstLine(strings.TrimPrefix(h.result, userResponded)) }

// askUser is the tool that asks the user a question.
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
		return success(userResponded + answer.Text), t.emit(session.UserInputCompleted{
			RequestID: request.RequestID, Answer: answer.Text, WasFreeform: answer.Freeform,
		})
	}
	return c
}

// playQuestion asks the user something.
func (t *turn) playQuestion() error {
	if err := t.call(reply{
		reasoning: "The person wants to see a question.",
		text:      "I have a question. Press the **number** of an answer, or choose *Something else* and write your own.",
		tools:     []*tool{askUser("Which of these shall the demo praise?", "tabs", "spaces", "neither")},
	}); err != nil {
		return err
	}
	return t.call(reply{hears: func(h heard) string {
		return "You answered *" + h.answer() + "*. An excellent choice, as every choice would have been."
	}})
}
