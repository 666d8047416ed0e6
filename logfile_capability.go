package main

import (
	"context"
	"errors"
	"log/slog"

	"parley/session"
)

// The optional capabilities of a session that are logged, as bits.
const (
	canSetMode = 1 << iota
	canSetModel
	canCompact
)

type (
	loggedModes struct {
		session.ModeSetter
		log *slog.Logger
	}
	loggedModels struct {
		session.ModelSetter
		log *slog.Logger
	}
	loggedCompacter struct {
		session.Compacter
		log *slog.Logger
	}
)

// SetMode implements session.ModeSetter.
func (l loggedModes) SetMode(ctx context.Context, m session.Mode) error {
	return note(l.log, "set mode", func() error { return l.ModeSetter.SetMode(ctx, m) }, "mode", string(knownMode(m)))
}

// SetModel implements session.ModelSetter.
func (l loggedModels) SetModel(ctx context.Context, id, effort string) error {
	return note(l.log, "set model", func() error { return l.ModelSetter.SetModel(ctx, id, effort) }, "model", safeID(id))
}

// Compact implements session.Compacter.
func (l loggedCompacter) Compact(ctx context.Context, instructions string) error {
	return note(l.log, "compact", func() error { return l.Compacter.Compact(ctx, instructions) }, "bytes", len(instructions))
}

// Grants implements session.GrantKeeper, for whatever session: one more set of
// types would double those below. Reading is not worth a line.
func (s *loggedSession) Grants(ctx context.Context) ([]session.Grant, error) {
	if k, ok := s.Session.(session.GrantKeeper); ok {
		return k.Grants(ctx)
	}
	return nil, errors.ErrUnsupported
}

// Revoke implements session.GrantKeeper.
func (s *loggedSession) Revoke(ctx context.Context, g session.Grant) error {
	k, ok := s.Session.(session.GrantKeeper)
	if !ok {
		return errors.ErrUnsupported
	}
	scope := "other"
	switch g.Scope {
	case session.GrantSession, session.GrantLocation, session.GrantEverywhere:
		scope = string(g.Scope)
	}
	return note(s.log, "revoke", func() error { return k.Revoke(ctx, g) }, "scope", scope)
}

// capable is the session with just the capabilities that the inner one has.
func (s *loggedSession) capable() session.Session {
	inner, log, can := s.Session, s.log, 0
	var (
		modes   session.ModeSetter
		models  session.ModelSetter
		compact session.Compacter
	)
	if c, ok := inner.(session.ModeSetter); ok {
		can, modes = can|canSetMode, loggedModes{c, log}
	}
	if c, ok := inner.(session.ModelSetter); ok {
		can, models = can|canSetModel, loggedModels{c, log}
	}
	if c, ok := inner.(session.Compacter); ok {
		can, compact = can|canCompact, loggedCompacter{c, log}
	}
	queue, _ := inner.(session.Queuer) // reading the queue is not worth a line
	return combined(s, can, modes, models, compact, queue)
}

type (
	modeSetter  = session.ModeSetter
	modelSetter = session.ModelSetter
	compacter   = session.Compacter
	queuer      = session.Queuer
)

// combined is s with the capabilities of can, and no others: a type of its own
// for each of the sixteen sets, because a method cannot be taken from a type.
func combined(s *loggedSession, can int, m modeSetter, d modelSetter, c compacter, q queuer) session.Session {
	if q != nil {
		return combinedWithQueue(s, can, m, d, c, q)
	}
	switch can {
	case canSetMode:
		return struct {
			*loggedSession
			modeSetter
		}{s, m}
	case canSetModel:
		return struct {
			*loggedSession
			modelSetter
		}{s, d}
	case canSetMode | canSetModel:
		return struct {
			*loggedSession
			modeSetter
			modelSetter
		}{s, m, d}
	case canCompact:
		return struct {
			*loggedSession
			compacter
		}{s, c}
	case canSetMode | canCompact:
		return struct {
			*loggedSession
			modeSetter
			compacter
		}{s, m, c}
	case canSetModel | canCompact:
		return struct {
			*loggedSession
			modelSetter
			compacter
		}{s, d, c}
	case canSetMode | canSetModel | canCompact:
		return struct {
			*loggedSession
			modeSetter
			modelSetter
			compacter
		}{s, m, d, c}
	}
	return s
}

func combinedWithQueue(s *loggedSession, can int, m modeSetter, d modelSetter, c compacter, q queuer) session.Session {
	switch can {
	case canSetMode:
		return struct {
			*loggedSession
			modeSetter
			queuer
		}{s, m, q}
	case canSetModel:
		return struct {
			*loggedSession
			modelSetter
			queuer
		}{s, d, q}
	case canSetMode | canSetModel:
		return struct {
			*loggedSession
			modeSetter
			modelSetter
			queuer
		}{s, m, d, q}
	case canCompact:
		return struct {
			*loggedSession
			compacter
			queuer
		}{s, c, q}
	case canSetMode | canCompact:
		return struct {
			*loggedSession
			modeSetter
			compacter
			queuer
		}{s, m, c, q}
	case canSetModel | canCompact:
		return struct {
			*loggedSession
			modelSetter
			compacter
			queuer
		}{s, d, c, q}
	case canSetMode | canSetModel | canCompact:
		return struct {
			*loggedSession
			modeSetter
			modelSetter
			compacter
			queuer
		}{s, m, d, c, q}
	}
	return struct {
		*loggedSession
		queuer
	}{s, q}
}
