package copilot

import (
	"context"
	"errors"
	"fmt"

	"parley/session"
)

// SetMode implements session.ModeSetter.
func (s *Session) SetMode(ctx context.Context, m session.Mode) error {
	var set struct {
		ModeApplied bool `json:"modeApplied"`
	}
	err := s.call(ctx, "session.mode.set", object{"mode": m}, &set)
	if err == nil && !set.ModeApplied {
		err = errors.New("the runtime did not change it")
	}
	if err != nil {
		return fmt.Errorf("set the mode to %s: %w", m, err)
	}
	return nil
}

// SetModel implements session.ModelSetter. During a turn the change comes when
// the turn ends.
func (s *Session) SetModel(ctx context.Context, id, effort string) error {
	if err := s.call(ctx, "session.model.switchTo", object{"modelId": id}, nil); err != nil {
		return fmt.Errorf("change the model to %s: %w", id, err)
	}
	return nil
}

// Models implements session.ModelSetter. With a provider of the person's own
// the runtime lists none; then it is the model in use.
func (s *Session) Models(ctx context.Context) ([]session.Model, error) {
	var list struct {
		List []struct {
			ID   string `json:"id"`
			Name string `json:"name"`
		} `json:"list"`
	}
	if err := s.call(ctx, "session.model.list", object{}, &list); err != nil {
		return nil, fmt.Errorf("list the models: %w", err)
	}
	models := make([]session.Model, 0, len(list.List)+1)
	for _, m := range list.List {
		models = append(models, session.Model{ID: m.ID, Name: m.Name})
	}
	if len(models) > 0 {
		return models, nil
	}
	var current struct {
		ModelID string `json:"modelId"`
	}
	if err := s.call(ctx, "session.model.getCurrent", object{}, &current); err != nil {
		return nil, fmt.Errorf("list the models: %w", err)
	}
	if current.ModelID != "" {
		models = append(models, session.Model{ID: current.ModelID, Name: current.ModelID})
	}
	return models, nil
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

// Pending implements session.Queuer.
func (s *Session) Pending(ctx context.Context) ([]session.Pending, error) {
	var queued struct {
		Items []struct {
			ID          string `json:"id"`
			DisplayText string `json:"displayText"`
		} `json:"items"`
		Steering []string `json:"steeringMessages"`
	}
	if err := s.call(ctx, "session.queue.pendingItems", object{}, &queued); err != nil {
		return nil, fmt.Errorf("read the queue: %w", err)
	}
	pending := make([]session.Pending, 0, len(queued.Steering)+len(queued.Items))
	for i, text := range queued.Steering { // these are first to reach the model
		pending = append(pending, session.Pending{ID: fmt.Sprintf("steering/%d", i), Text: text, Steering: true})
	}
	for _, item := range queued.Items {
		pending = append(pending, session.Pending{ID: item.ID, Text: item.DisplayText})
	}
	return pending, nil
}
