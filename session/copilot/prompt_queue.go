package copilot

import (
	"context"
	"errors"
	"strings"

	"parley/session"
)

// promptQueue are the prompts that wait in the runtime.
type promptQueue struct{ *link }

// Pending implements session.Queuer. Prompts that steer the running turn cannot
// be changed any more: they have no id (docs/protocol.md, section 8.2).
func (q promptQueue) Pending(ctx context.Context) ([]session.Pending, error) {
	var queued struct {
		Items    []session.Pending `json:"items"`
		Steering []string          `json:"steeringMessages"`
	}
	err := q.call(ctx, "session.queue.pendingItems", nil, &queued)
	pending := make([]session.Pending, 0, len(queued.Steering)+len(queued.Items))
	for _, text := range queued.Steering { // these are first to reach the model
		pending = append(pending, session.Pending{Text: text, Steering: true})
	}
	return append(pending, queued.Items...), attempt(err, "read the queue")
}

// Withdraw implements session.QueueEditor.
func (q promptQueue) Withdraw(ctx context.Context, id string) (bool, error) {
	done, err := q.editQueue(ctx, "removeAt", "removed", object{"id": id})
	return done, attempt(err, "take the prompt back")
}

// Reword implements session.QueueEditor. The new text is both what the model
// gets and what is shown.
func (q promptQueue) Reword(ctx context.Context, id, text string) (bool, error) {
	done, err := q.editQueue(ctx, "updateText", "updated", object{"id": id, "prompt": text, "displayPrompt": text})
	if err == nil && !done {
		done, err = q.waits(ctx, id) // it had that text before
	}
	return done, attempt(err, "change the waiting prompt")
}

// Move implements session.QueueEditor.
func (q promptQueue) Move(ctx context.Context, id string, to int) (bool, error) {
	done, err := q.editQueue(ctx, "moveItem", "changed", object{"id": id, "toPosition": to})
	if err == nil && !done {
		done, err = q.waits(ctx, id) // it was there before
	}
	return done, attempt(err, "move the waiting prompt")
}

// SendNow implements session.QueueEditor. It reports false where the prompt does not wait any
// more. Where no turn runs it starts one.
func (q promptQueue) SendNow(ctx context.Context, id string) (bool, error) {
	done, err := q.editQueue(ctx, "sendNow", "steered", object{"id": id})
	return done, attempt(err, "send the waiting prompt now")
}

// editQueue calls a method of the queue and returns the yes or no of its
// answer. A prompt that does not wait any more is a no.
func (q promptQueue) editQueue(ctx context.Context, method, answer string, params object) (bool, error) {
	done, err := ask[bool](ctx, q, "session.queue."+method, params, answer)
	var refused *callError
	if errors.As(err, &refused) && strings.Contains(refused.message, "unknown queue item") {
		return false, nil
	}
	return done, err
}

// waits reports whether a prompt is in the queue.
func (q promptQueue) waits(ctx context.Context, id string) (bool, error) {
	pending, err := q.Pending(ctx)
	for _, p := range pending {
		if p.ID == id && id != "" {
			return true, nil
		}
	}
	return false, err
}
