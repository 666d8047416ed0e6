package observe

import (
	"context"
	"errors"
	"log/slog"

	"parley/session"
	"parley/session/trace"
)

// A capability that changes something is logged; one that only reads is passed
// on, and is here only where an interface has methods of both sorts. session.As
// finds just those that the inner session has; whoever asserts instead is told
// errors.ErrUnsupported.

// act makes a call of the capability C of v that changes something, and logs
// it.
func act[C, R any](v any, log *slog.Logger, what string, call func(C) (R, error), attrs ...any) (result R, err error) {
	inner, ok := session.As[C](v)
	if !ok {
		return result, errors.ErrUnsupported
	}
	err = note(log, what, func() error { result, err = call(inner); return err }, attrs...)
	return result, err
}

// set is act for a call without a result.
func set[C any](s *loggedSession, what string, call func(C) error, attrs ...any) error {
	_, err := act(s.Session, s.log, what, func(c C) (struct{}, error) { return struct{}{}, call(c) }, attrs...)
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
func (a *loggedAgent) Inner() any { return a.Agent }

// LatestID implements session.Latest.
func (a *loggedAgent) LatestID(ctx context.Context, dir string) (session.ID, error) {
	return act(a.Agent, a.log, "latest", func(l session.Latest) (session.ID, error) { return l.LatestID(ctx, dir) })
}

// List implements session.Library.
func (a *loggedAgent) List(ctx context.Context) ([]session.Stored, error) {
	return read(ctx, a.Agent, session.Library.List)
}

// Fork implements session.Library.
func (a *loggedAgent) Fork(ctx context.Context, id session.ID, before session.EventID) (session.ID, error) {
	return act(a.Agent, a.log, "fork", func(l session.Library) (session.ID, error) { return l.Fork(ctx, id, before) },
		"of", trace.ID(string(id)), "whole", before == "")
}

// Delete implements session.Library.
func (a *loggedAgent) Delete(ctx context.Context, id session.ID) error {
	_, err := act(a.Agent, a.log, "delete", func(l session.Library) (struct{}, error) { return struct{}{}, l.Delete(ctx, id) },
		"of", trace.ID(string(id)))
	return err
}

// Inner implements session.Decorator.
func (s *loggedSession) Inner() any { return s.Session }

// SetMode implements session.ModeSetter.
func (s *loggedSession) SetMode(ctx context.Context, m session.Mode) error {
	return set(s, "set mode", func(c session.ModeSetter) error { return c.SetMode(ctx, m) }, "mode", string(knownMode(m)))
}

// SetModel implements session.ModelSetter.
func (s *loggedSession) SetModel(ctx context.Context, id, effort string) error {
	return set(s, "set model", func(c session.ModelSetter) error { return c.SetModel(ctx, id, effort) },
		"model", trace.ID(id), "effort", trace.ID(effort))
}

// Models implements session.ModelSetter.
func (s *loggedSession) Models(ctx context.Context) ([]session.Model, error) {
	return read(ctx, s.Session, session.ModelSetter.Models)
}

// Compact implements session.Compacter.
func (s *loggedSession) Compact(ctx context.Context, instructions string) error {
	return set(s, "compact", func(c session.Compacter) error { return c.Compact(ctx, instructions) }, "bytes", len(instructions))
}

// Grants implements session.GrantManager.
func (s *loggedSession) Grants(ctx context.Context) ([]session.Grant, error) {
	return read(ctx, s.Session, session.GrantManager.Grants)
}

// Revoke implements session.GrantManager.
func (s *loggedSession) Revoke(ctx context.Context, g session.Grant) error {
	scope := "other"
	switch g.Scope {
	case session.GrantSession, session.GrantLocation, session.GrantEverywhere:
		scope = string(g.Scope)
	}
	return set(s, "revoke", func(c session.GrantManager) error { return c.Revoke(ctx, g) }, "scope", scope)
}

// SetAllowAll implements session.AllowAllSetter.
func (s *loggedSession) SetAllowAll(ctx context.Context, on bool) error {
	return set(s, "set allow all", func(c session.AllowAllSetter) error { return c.SetAllowAll(ctx, on) }, "on", on)
}

// Pending implements session.Queuer.
func (s *loggedSession) Pending(ctx context.Context) ([]session.Pending, error) {
	return read(ctx, s.Session, session.Queuer.Pending)
}

// Withdraw implements session.QueueEditor.
func (s *loggedSession) Withdraw(ctx context.Context, id string) (bool, error) {
	return act(s.Session, s.log, "withdraw", func(c session.QueueEditor) (bool, error) { return c.Withdraw(ctx, id) },
		"message", trace.ID(id))
}

// Reword implements session.QueueEditor.
func (s *loggedSession) Reword(ctx context.Context, id, text string) (bool, error) {
	return act(s.Session, s.log, "reword", func(c session.QueueEditor) (bool, error) { return c.Reword(ctx, id, text) },
		"message", trace.ID(id), "bytes", len(text))
}

// Move implements session.QueueEditor.
func (s *loggedSession) Move(ctx context.Context, id string, to int) (bool, error) {
	return act(s.Session, s.log, "move", func(c session.QueueEditor) (bool, error) { return c.Move(ctx, id, to) },
		"message", trace.ID(id), "to", to)
}

// SendNow implements session.QueueEditor.
func (s *loggedSession) SendNow(ctx context.Context, id string) (bool, error) {
	return act(s.Session, s.log, "send now", func(c session.QueueEditor) (bool, error) { return c.SendNow(ctx, id) },
		"message", trace.ID(id))
}

// RewindPoints implements session.Rewinder.
func (s *loggedSession) RewindPoints(ctx context.Context) ([]session.RewindPoint, error) {
	return read(ctx, s.Session, session.Rewinder.RewindPoints)
}

// PreviewRewind implements session.Rewinder.
func (s *loggedSession) PreviewRewind(ctx context.Context, at session.EventID) ([]session.FileChange, error) {
	return read(ctx, s.Session, func(c session.Rewinder, ctx context.Context) ([]session.FileChange, error) {
		return c.PreviewRewind(ctx, at)
	})
}

// Rewind implements session.Rewinder.
func (s *loggedSession) Rewind(ctx context.Context, at session.EventID, files bool) (session.Rewound, error) {
	return act(s.Session, s.log, "rewind", func(c session.Rewinder) (session.Rewound, error) { return c.Rewind(ctx, at, files) },
		"event", trace.ID(string(at)), "files", files)
}

// Redo implements session.Rewinder.
func (s *loggedSession) Redo(ctx context.Context) (id session.ID, ok bool, err error) {
	id, err = act(s.Session, s.log, "redo", func(c session.Rewinder) (session.ID, error) {
		id, ok, err = c.Redo(ctx)
		return id, err
	})
	return id, ok, err
}

// Rename implements session.Renamer.
func (s *loggedSession) Rename(ctx context.Context, name string) error {
	return set(s, "rename", func(c session.Renamer) error { return c.Rename(ctx, name) }, "bytes", len(name))
}

// SetDir implements session.WorkdirChanger. Which folder is not logged: one that was
// mistyped may say anything.
func (s *loggedSession) SetDir(ctx context.Context, dir string) error {
	return set(s, "set folder", func(c session.WorkdirChanger) error { return c.SetDir(ctx, dir) })
}

// Dirs implements session.Directories.
func (s *loggedSession) Dirs(ctx context.Context) ([]string, error) {
	return read(ctx, s.Session, session.Directories.Dirs)
}

// AddDir implements session.Directories.
func (s *loggedSession) AddDir(ctx context.Context, dir string) error {
	return set(s, "add folder", func(c session.Directories) error { return c.AddDir(ctx, dir) })
}
