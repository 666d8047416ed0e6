package sse

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"time"

	"github.com/go-json-experiment/json"

	"parley/session"
)

// currentModel is the model that the next request names.
func (s *Session) currentModel() string {
	s.Mu.Lock()
	defer s.Mu.Unlock()
	return s.model
}

// SetModel implements session.ModelSetter. It counts from the next request on.
// Which models there are only the endpoint knows, so any name is taken.
func (s *Session) SetModel(_ context.Context, id, effort string) error {
	return s.Change("set the model", func() error {
		switch {
		case s.cfg.Protocol != OpenAI:
			return errors.New("this agent chooses its model itself")
		case id == "":
			return errors.New("the model has no name")
		}
		if s.model != id || s.effort != effort {
			s.setModel(id, effort)
		}
		return nil
	})
}

// setModel changes the model. The caller holds mu.
func (s *Session) setModel(id, effort string) {
	s.Log.Put(session.SessionModelChange{
		NewModel: id, PreviousModel: s.model, ReasoningEffort: effort, PreviousReasoningEffort: s.effort, ProviderID: s.client.id,
	})
	s.model, s.effort = id, effort
}

// answersWith reports which model answers, where the agent chooses it.
func (s *Session) answersWith(model string) {
	s.Mu.Lock()
	defer s.Mu.Unlock()
	if s.cfg.Protocol != OpenAI && s.answering != model {
		s.answering = model
		s.Log.Put(session.SessionAutoModeResolved{ChosenModel: model})
	}
}

// Models implements session.ModelSetter: what GET BASE/models lists. It is empty
// where the endpoint does not say.
func (s *Session) Models(ctx context.Context) ([]session.Model, error) {
	if s.cfg.Protocol != OpenAI {
		return nil, nil
	}
	ids, err := s.client.models(ctx)
	if err != nil {
		return nil, fmt.Errorf("list the models: %w", err)
	}
	models := make([]session.Model, len(ids))
	for i, id := range ids {
		models[i] = session.Model{ID: id, Name: id}
	}
	return models, nil
}

// patience is how long the list of models is waited for.
const patience = 10 * time.Second

// choose takes the first model that is offered where none was named. An endpoint
// that does not say may have a default.
func (s *Session) choose() {
	if s.cfg.Protocol != OpenAI || s.currentModel() != "" {
		return
	}
	ids, err := s.client.models(s.Life)
	if err != nil || len(ids) == 0 {
		return
	}
	s.Mu.Lock()
	defer s.Mu.Unlock()
	if s.model == "" {
		s.setModel(ids[0], s.effort)
	}
}

// models asks an endpoint for the names of its models. One that has no such list
// has none.
func (c *client) models(ctx context.Context) ([]string, error) {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	resp, err := c.send(ctx, http.MethodGet, "/models", nil)
	if err != nil {
		return nil, errors.New(c.unreachable(err, "").Message)
	}
	defer resp.close()
	switch {
	case slices.Contains([]int{http.StatusNotFound, http.StatusMethodNotAllowed, http.StatusNotImplemented}, resp.StatusCode):
		return nil, nil
	case resp.StatusCode != http.StatusOK:
		return nil, c.refused(resp)
	}
	content, err := io.ReadAll(io.LimitReader(resp, c.cfg.Limits.Body))
	if err != nil {
		return nil, errors.New(c.unreachable(err, "").Message)
	}
	var list struct {
		Data []struct {
			ID string `json:"id"`
		} `json:"data"`
	}
	if err := json.Unmarshal(content, &list, lenient()); err != nil {
		return nil, nil // what is no list has no models
	}
	var ids []string
	seen := map[string]bool{}
	for _, m := range list.Data {
		if m.ID != "" && !seen[m.ID] {
			seen[m.ID] = true
			ids = append(ids, m.ID)
		}
	}
	return ids, nil
}
