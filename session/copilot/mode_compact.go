package copilot

import (
	"context"
	"errors"
	"fmt"

	"parley/session"
)

// SetMode implements session.ModeSetter.
func (ms *models) SetMode(ctx context.Context, m session.Mode) error {
	var set struct {
		ModeApplied bool `json:"modeApplied"`
	}
	err := ms.call(ctx, "session.mode.set", object{"mode": m}, &set)
	if err == nil && !set.ModeApplied {
		err = errors.New("the runtime did not change it")
	}
	if err != nil {
		return fmt.Errorf("set the mode to %s: %w", m, err)
	}
	return nil
}

// Compact implements session.Compacter.
func (s *Session) Compact(ctx context.Context, instructions string) error {
	p := object{}
	if instructions != "" {
		p["customInstructions"] = instructions
	}
	var done struct {
		Success bool `json:"success"`
	}
	err := s.call(ctx, "session.history.compact", p, &done)
	if err == nil && !done.Success {
		err = errors.New("the runtime kept the history as it was")
	}
	if err != nil {
		return fmt.Errorf("compact the history: %w", err)
	}
	return nil
}
