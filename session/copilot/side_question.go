package copilot

import (
	"context"
	"fmt"

	"parley/session"
)

var _ session.SideQuestionAsker = (*Session)(nil)

// AskAside implements session.SideQuestionAsker. It can be used during a turn. The
// ui.ephemeral_query events report the answer as it comes. At the end of ctx the
// runtime continues it, to no effect.
func (s *Session) AskAside(ctx context.Context, question string) (string, error) {
	var said struct {
		Answer string `json:"answer"`
	}
	if err := s.call(ctx, "session.ui.ephemeralQuery", object{"question": question}, &said); err != nil {
		return "", fmt.Errorf("ask on the side: %w", err)
	}
	return said.Answer, nil
}
