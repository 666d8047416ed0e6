package observe

import (
	"context"
	"errors"

	"parley/session"
	"parley/session/trace"
)

// A capability that changes something is reported; one that only reads is passed
// on, and is here only where an interface has methods of both sorts. session.As
// finds just those that the inner session has; a call after a type assertion
// instead returns errors.ErrUnsupported.

// act makes a call of the capability C of v that changes something, and reports
// it.
func act[C, R any](v any, called func(Call), what string, call func(C) (R, error), attrs ...any) (result R, err error) {
	inner, ok := session.As[C](v)
	if !ok {
		return result, errors.ErrUnsupported
	}
	err = timed(called, what, func() error { result, err = call(inner); return err }, attrs...)
	return result, err
}

// set is act for a call without a result.
func set[C any](s *observedSession, what string, call func(C) error, attrs ...any) error {
	_, err := act(s.Session, s.called, what, func(c C) (struct{}, error) { return struct{}{}, call(c) }, attrs...)
	return err
}

// read passes on a call of the capability C of v that only reads.
func read[C, R any](ctx context.Context, v any, call func(C, context.Context) (R, error)) (result R, err error) {
	inner, ok := session.As[C](v)
	if !ok {
		return result, errors.ErrUnsupported
	}
	return call(inner, ctx)
}

// Inner implements session.Decorator.
func (a *observedAgent) Inner() any { return a.Agent }

// LatestID implements session.Latest.
func (a *observedAgent) LatestID(ctx context.Context, dir string, except ...session.ID) (session.ID, error) {
	return act(a.Agent, a.called, "latest", func(l session.Latest) (session.ID, error) { return l.LatestID(ctx, dir, except...) })
}

// List implements session.Library.
func (a *observedAgent) List(ctx context.Context) ([]session.Stored, error) {
	return read(ctx, a.Agent, session.Library.List)
}

// Fork implements session.Library.
func (a *observedAgent) Fork(ctx context.Context, id session.ID, before session.EventID) (session.ID, error) {
	return act(a.Agent, a.called, "fork", func(l session.Library) (session.ID, error) { return l.Fork(ctx, id, before) },
		"of", trace.ID(string(id)), "whole", before == "")
}

// Delete implements session.Library.
func (a *observedAgent) Delete(ctx context.Context, id session.ID) error {
	_, err := act(a.Agent, a.called, "delete", func(l session.Library) (struct{}, error) { return struct{}{}, l.Delete(ctx, id) },
		"of", trace.ID(string(id)))
	return err
}

// Inner implements session.Decorator.
func (s *observedSession) Inner() any { return s.Session }

// SetMode implements session.ModeSetter.
func (s *observedSession) SetMode(ctx context.Context, m session.Mode) error {
	return set(s, "set mode", func(c session.ModeSetter) error { return c.SetMode(ctx, m) }, "mode", string(knownMode(m)))
}

// SetModel implements session.ModelSetter.
func (s *observedSession) SetModel(ctx context.Context, id, effort string) error {
	return set(s, "set model", func(c session.ModelSetter) error { return c.SetModel(ctx, id, effort) },
		"model", trace.ID(id), "effort", trace.ID(effort))
}

// Models implements session.ModelSetter.
func (s *observedSession) Models(ctx context.Context) ([]session.Model, error) {
	return read(ctx, s.Session, session.ModelSetter.Models)
}

// Options implements session.OptionSetter.
func (s *observedSession) Options(ctx context.Context) ([]session.Option, error) {
	return read(ctx, s.Session, session.OptionSetter.Options)
}

// SetOption implements session.OptionSetter.
func (s *observedSession) SetOption(ctx context.Context, id, value string) error {
	return set(s, "set option", func(c session.OptionSetter) error { return c.SetOption(ctx, id, value) },
		"option", trace.ID(id), "value", trace.ID(value))
}

// Compact implements session.Compacter.
func (s *observedSession) Compact(ctx context.Context, instructions string) error {
	return set(s, "compact", func(c session.Compacter) error { return c.Compact(ctx, instructions) }, "bytes", len(instructions))
}

// Grants implements session.GrantManager.
func (s *observedSession) Grants(ctx context.Context) ([]session.Grant, error) {
	return read(ctx, s.Session, session.GrantManager.Grants)
}

// Revoke implements session.GrantManager.
func (s *observedSession) Revoke(ctx context.Context, g session.Grant) error {
	scope := "other"
	switch g.Scope {
	case session.GrantSession, session.GrantLocation, session.GrantEverywhere:
		scope = string(g.Scope)
	}
	return set(s, "revoke", func(c session.GrantManager) error { return c.Revoke(ctx, g) }, "scope", scope)
}

// SetAllowAll implements session.AllowAllSetter.
func (s *observedSession) SetAllowAll(ctx context.Context, on bool) error {
	return set(s, "set allow all", func(c session.AllowAllSetter) error { return c.SetAllowAll(ctx, on) }, "on", on)
}

// Pending implements session.Queuer.
func (s *observedSession) Pending(ctx context.Context) ([]session.Pending, error) {
	return read(ctx, s.Session, session.Queuer.Pending)
}

// Withdraw implements session.QueueEditor.
func (s *observedSession) Withdraw(ctx context.Context, id string) (bool, error) {
	return act(s.Session, s.called, "withdraw", func(c session.QueueEditor) (bool, error) { return c.Withdraw(ctx, id) },
		"message", trace.ID(id))
}

// Reword implements session.QueueEditor.
func (s *observedSession) Reword(ctx context.Context, id, text string) (bool, error) {
	return act(s.Session, s.called, "reword", func(c session.QueueEditor) (bool, error) { return c.Reword(ctx, id, text) },
		"message", trace.ID(id), "bytes", len(text))
}

// Move implements session.QueueEditor.
func (s *observedSession) Move(ctx context.Context, id string, to int) (bool, error) {
	return act(s.Session, s.called, "move", func(c session.QueueEditor) (bool, error) { return c.Move(ctx, id, to) },
		"message", trace.ID(id), "to", to)
}

// SendNow implements session.QueueEditor.
func (s *observedSession) SendNow(ctx context.Context, id string) (bool, error) {
	return act(s.Session, s.called, "send now", func(c session.QueueEditor) (bool, error) { return c.SendNow(ctx, id) },
		"message", trace.ID(id))
}

// RewindPoints implements session.Rewinder.
func (s *observedSession) RewindPoints(ctx context.Context) ([]session.RewindPoint, error) {
	return read(ctx, s.Session, session.Rewinder.RewindPoints)
}

// PreviewRewind implements session.Rewinder.
func (s *observedSession) PreviewRewind(ctx context.Context, at session.EventID) ([]session.FileChange, error) {
	return read(ctx, s.Session, func(c session.Rewinder, ctx context.Context) ([]session.FileChange, error) {
		return c.PreviewRewind(ctx, at)
	})
}

// Rewind implements session.Rewinder.
func (s *observedSession) Rewind(ctx context.Context, at session.EventID, files bool) (session.Rewound, error) {
	return act(s.Session, s.called, "rewind", func(c session.Rewinder) (session.Rewound, error) { return c.Rewind(ctx, at, files) },
		"event", trace.ID(string(at)), "files", files)
}

// Redo implements session.Rewinder.
func (s *observedSession) Redo(ctx context.Context) (id session.ID, ok bool, err error) {
	id, err = act(s.Session, s.called, "redo", func(c session.Rewinder) (session.ID, error) {
		id, ok, err = c.Redo(ctx)
		return id, err
	})
	return id, ok, err
}

// Rename implements session.Renamer.
func (s *observedSession) Rename(ctx context.Context, name string) error {
	return set(s, "rename", func(c session.Renamer) error { return c.Rename(ctx, name) }, "bytes", len(name))
}

// SetDir implements session.WorkdirChanger. Which folder is not logged: one that was
// mistyped may say anything.
func (s *observedSession) SetDir(ctx context.Context, dir string) error {
	return set(s, "set folder", func(c session.WorkdirChanger) error { return c.SetDir(ctx, dir) })
}

// Dirs implements session.Directories.
func (s *observedSession) Dirs(ctx context.Context) ([]string, error) {
	return read(ctx, s.Session, session.Directories.Dirs)
}

// AddDir implements session.Directories.
func (s *observedSession) AddDir(ctx context.Context, dir string) error {
	return set(s, "add folder", func(c session.Directories) error { return c.AddDir(ctx, dir) })
}
