package demo

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"parley/session"
)

// Models implements session.ModelSetter.
func (s *Session) Models(context.Context) ([]session.Model, error) {
	var all []session.Model
	for _, m := range pretended().Models {
		all = append(all, m.Model)
	}
	return all, nil
}

// SetModel implements session.ModelSetter. The change holds at once.
func (s *Session) SetModel(_ context.Context, id, effort string) error {
	return s.Change("set the model", func() error {
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
		s.Log.Put(session.SessionModelChange{
			NewModel: id, PreviousModel: s.model, ReasoningEffort: effort, PreviousReasoningEffort: s.effort, Source: "sdk",
		})
		s.model, s.effort = id, effort
		return nil
	})
}

// SetMode implements session.ModeSetter. The demo does nothing by itself in any
// mode; it only shows that the mode has changed.
func (s *Session) SetMode(_ context.Context, m session.Mode) error {
	if m != session.Interactive && m != session.Plan && m != session.Autopilot {
		return fmt.Errorf("set the mode: there is no mode %q; the modes are interactive, plan and autopilot", m)
	}
	return s.Change("set the mode", func() error {
		if s.mode != m {
			s.Log.Put(session.SessionModeChanged{PreviousMode: s.mode, NewMode: m})
			s.mode = m
		}
		return nil
	})
}

// SetAllowAll implements session.AllowAllSetter. What is asked already stays
// open.
func (s *Session) SetAllowAll(_ context.Context, on bool) error {
	return s.Change("allow all", func() error {
		if s.allowAll == on {
			return nil
		}
		change := session.SessionPermissionsChanged{PreviousMode: session.Manual, Mode: session.AllowAll}
		if !on {
			change.PreviousMode, change.Mode = change.Mode, change.PreviousMode
		}
		s.allowAll = on
		s.Log.Put(change)
		return nil
	})
}

// Todos implements session.TodoLister.
func (s *Session) Todos(context.Context) ([]session.Todo, error) {
	return cloned(s.Session, &s.todos), nil
}

// ReadPlan implements session.PlanManager.
func (s *Session) ReadPlan(context.Context) (string, error) {
	return s.record.now().plan, nil
}

// WritePlan implements session.PlanManager. An empty plan is none.
func (s *Session) WritePlan(_ context.Context, markdown string) error {
	return s.Change("write the plan", func() error {
		if strings.TrimSpace(markdown) == "" {
			markdown = ""
		}
		plan := s.record.now().plan
		operation := "update"
		switch {
		case markdown == plan:
			return nil
		case plan == "":
			operation = "create"
		case markdown == "":
			operation = "delete"
		}
		s.Log.Put(session.SessionPlanChanged{Operation: operation})
		return s.record.change(func(k *sessionData) { k.plan = markdown })
	})
}

// drafted is the plan that the agent works with: the one that is written, or
// else its own, which is written from now on.
func (s *Session) drafted() (plan string) {
	_ = s.record.change(func(k *sessionData) {
		k.plan = cmp.Or(k.plan, pretended().Plan)
		plan = k.plan
	})
	return plan
}
