package demo

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"parley/session"
)

// The models of the demo that tests and flags name. They differ in nothing but
// their pace, and no more do the others.
const (
	Fast = "demo-fast"
	Slow = "demo-slow"
)

// slowness is how many times the pace of the others that of Slow takes.
const slowness = 4

// model is a model that the demo pretends to offer.
type model struct {
	session.Model
	cost float64 // of a prompt, in pretended requests
}

// catalogue is the models, in their order. The first is the one of a session
// that asks for none.
func catalogue() []model {
	efforts := []string{"low", "medium", "high"}
	return []model{
		{session.Model{
			ID: Fast, Name: "Demo Fast", Vendor: "Parley", Category: "versatile",
			ContextTokens: 128_000, PromptTokens: 112_000, OutputTokens: 16_000, Price: "free",
		}, 0},
		{session.Model{
			ID: Slow, Name: "Demo Slow", Vendor: "Parley", Category: "powerful", Efforts: efforts, DefaultEffort: "medium",
			ContextTokens: 200_000, PromptTokens: 168_000, OutputTokens: 32_000, Vision: true, Price: "1x",
		}, 1},
		{session.Model{
			ID: "demo-deep", Name: "Demo Deep", Vendor: "Pretend Labs", Category: "powerful",
			Efforts: append(slices.Clone(efforts), "xhigh"), DefaultEffort: "high",
			ContextTokens: 400_000, PromptTokens: 272_000, OutputTokens: 128_000, Vision: true, Price: "3x",
			Warning: "Each prompt would count three times. The demo only pretends: nothing is counted.",
		}, 3},
		{session.Model{
			ID: "demo-mini", Name: "Demo Mini", Vendor: "Pretend Labs", Category: "lightweight", Efforts: efforts[:2], DefaultEffort: "low",
			ContextTokens: 64_000, PromptTokens: 48_000, OutputTokens: 16_000, Price: "0.33x",
		}, 0.33},
		{session.Model{
			ID: "demo-wide", Name: "Demo Wide (preview)", Vendor: "Sample Models", Category: "versatile",
			ContextTokens: 1_000_000, PromptTokens: 936_000, OutputTokens: 64_000, Vision: true, Price: "0.25x",
		}, 0.25},
		{session.Model{
			ID: "demo-vault", Name: "Demo Vault", Vendor: "Sample Models", Category: "powerful",
			ContextTokens: 256_000, PromptTokens: 224_000, OutputTokens: 32_000, Price: "10x",
			Disabled: "Your pretended organisation has switched it off.",
		}, 10},
	}
}

// modelOf is the model of that id that can be chosen.
func modelOf(id string) (model, error) {
	var names []string
	for _, m := range catalogue() {
		switch {
		case m.ID == id && m.Disabled == "":
			return m, nil
		case m.ID == id:
			return model{}, fmt.Errorf("%s cannot be chosen: %s", id, m.Disabled)
		case m.Disabled == "":
			names = append(names, m.ID)
		}
	}
	return model{}, fmt.Errorf("the demo has no model %q; its models are %s", id, strings.Join(names, ", "))
}

// modelOr is the model of that id, or the first if there is none to choose.
func modelOr(id string) model {
	if m, err := modelOf(id); err == nil {
		return m
	}
	return catalogue()[0]
}

// Models implements session.ModelSetter.
func (s *Session) Models(context.Context) ([]session.Model, error) {
	var all []session.Model
	for _, m := range catalogue() {
		all = append(all, m.Model)
	}
	return all, nil
}

// SetModel implements session.ModelSetter. The change holds at once.
func (s *Session) SetModel(_ context.Context, id, effort string) error {
	return s.change("set the model", func() error {
		m, err := modelOf(id)
		switch {
		case err != nil:
			return err
		case effort == "":
			effort = m.DefaultEffort
		case m.Efforts == nil:
			return fmt.Errorf("%s does not let the effort be chosen", id)
		case !slices.Contains(m.Efforts, effort):
			return fmt.Errorf("%s has no effort %q; it has %s", id, effort, strings.Join(m.Efforts, ", "))
		}
		if s.model == id && s.effort == effort {
			return nil
		}
		s.out.put(session.SessionModelChange{
			NewModel: id, PreviousModel: s.model, ReasoningEffort: effort, PreviousReasoningEffort: s.effort, Source: "sdk",
		})
		s.model, s.effort = id, effort
		return nil
	})
}

// change runs what changes the session, under mu, unless the session was
// closed. The words say what was attempted.
func (s *Session) change(what string, do func() error) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	err := ErrClosed
	if s.ending.Err() == nil {
		err = do()
	}
	if err != nil {
		return fmt.Errorf("%s: %w", what, err)
	}
	return nil
}

// errNone is the error of a call about something that is not there.
var errNone = errors.New("there is none of that name")
