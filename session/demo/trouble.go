package demo

import (
	"github.com/google/uuid"

	"parley/session"
)

// cutOff begins a model call that is cut off while it streams, and says that it
// is tried again, as when a model's provider has trouble.
func (t *turn) cutOff() error {
	if err := t.start(); err != nil {
		return err
	}
	cut := t.infer(reply{text: "This answer will be cut off in the"})
	if err := t.stream("", session.MessageID(uuid.NewString()), cut); err != nil {
		return err
	}
	t.streaming = false
	model := t.s.currentModel()
	if err := t.emit(t.overloaded(0),
		session.AssistantTurnRetry{TurnID: t.id(), Model: model, Reason: "api_error"},
		session.SessionInfo{InfoType: "model_retry", Message: "Request failed due to a transient API error. Retrying..."},
	); err != nil {
		return err
	}
	return t.s.wait(t.ctx, 60)
}

// lastRetry is the attempt after which the runtime gives up.
const lastRetry = 5

// overloaded is a model call that failed; attempt counts those before it.
func (t *turn) overloaded(attempt int) session.ModelCallFailure {
	return session.ModelCallFailure{
		Model: t.s.currentModel(), StatusCode: 503, RetryAttempt: attempt, FailureKind: "api",
		ErrorMessage: "The demo's model is overloaded.",
	}
}

// playRetry fails once and then succeeds.
func (t *turn) playRetry() error {
	if err := t.cutOff(); err != nil {
		return err
	}
	return t.respond(reply{text: "The first attempt was cut off and taken back; this is the second. The model never saw the first."})
}

// playError fails, is tried again, and fails: there is no more to try.
func (t *turn) playError() error {
	if err := t.cutOff(); err != nil {
		return err
	}
	if err := t.emit(t.overloaded(lastRetry)); err != nil {
		return err
	}
	if err := t.finish(); err != nil {
		return err
	}
	if err := t.emit(session.SessionError{
		ErrorType: "query", StatusCode: 503, OriginatingMessageID: t.prompt.id,
		Message: "The demo failed on purpose, after one retry. Send another prompt to go on.",
	}); err != nil {
		return err
	}
	return errFailed
}

// notices are remarks that the model does not see: one of each level.
func notices() []session.Body {
	return []session.Body{
		session.SessionInfo{
			InfoType: "notification", Message: "This is an information: something happened that you may want to know.",
			Tip: "The model does not see notices; they are for you.",
		},
		session.SessionWarning{
			WarningType: "policy", Message: "This is a warning, with an address where there is more to read.",
			URL: "https://docs.github.com/copilot/how-tos/copilot-cli",
		},
		session.SessionError{ErrorType: "notification", Message: "This is an error that stops nothing."},
	}
}

// playNotices shows remarks.
func (t *turn) playNotices() error {
	if err := t.call(reply{text: "Three notices follow: an information, a warning and an error."}); err != nil {
		return err
	}
	if err := t.emit(notices()...); err != nil {
		return err
	}
	return t.call(reply{text: "Each level has its own mark, so that you can tell them apart without colours."})
}
