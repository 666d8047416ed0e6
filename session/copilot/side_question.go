package copilot

import "context"

// AskAside implements session.SideQuestionAsker. It can be used during a turn. The
// ui.ephemeral_query events report the answer as it comes. At the end of ctx the
// runtime continues it, to no effect.
func (s *Session) AskAside(ctx context.Context, question string) (string, error) {
	answer, err := ask[string](ctx, s, "session.ui.ephemeralQuery", object{"question": question}, "answer")
	return answer, attempt(err, "ask on the side")
}
