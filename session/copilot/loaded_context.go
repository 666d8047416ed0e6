package copilot

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"parley/session"
)

var (
	_ session.LoadReporter  = (*Session)(nil)
	_ session.FolderTruster = (*Session)(nil)
	_ session.HookLister    = (*Session)(nil)
)

// FolderTrusted implements session.FolderTruster.
func (s *Session) FolderTrusted() bool { return s.where().trusted }

// Loaded implements session.LoadReporter. Of a folder that may hold something and is not
// trusted, nothing is loaded, and instructions of the user's neither.
func (s *Session) Loaded(ctx context.Context) (session.Loaded, error) {
	loaded, err := s.loaded(ctx)
	return loaded, attempt(err, "find out what is loaded")
}

func (s *Session) loaded(ctx context.Context) (loaded session.Loaded, err error) {
	f := s.where()
	if !f.trusted {
		loaded.Held = f.held()
	}
	skills, err := equipment{s.link}.skills(ctx)
	for _, k := range skills {
		if k.Enabled && k.Source != "builtin" {
			loaded.Skills = append(loaded.Skills, k.Name)
		}
	}
	if err != nil || !f.trusted && len(f.loads) > 0 {
		return loaded, err
	}
	type source struct {
		Label      string `json:"label"`
		SourcePath string `json:"sourcePath"`
	}
	sources, err := ask[[]source](ctx, s, "session.instructions.getSources", nil, "sources")
	for _, from := range sources {
		loaded.Instructions = append(loaded.Instructions, cmp.Or(from.SourcePath, from.Label))
	}
	if err != nil || !f.trusted {
		return loaded, err
	}
	hooks, err := s.hooks(ctx)
	for _, h := range hooks.All {
		if name := cmp.Or(h.Event, h.Source); h.Enabled && !slices.Contains(loaded.Hooks, name) {
			loaded.Hooks = append(loaded.Hooks, name)
		}
	}
	loaded.Wrong = hooks.Wrong
	return loaded, err
}

// held is what the folder would bring along.
func (f folder) held() (h session.Held) {
	for _, l := range f.loads {
		skill, isSkill := strings.CutPrefix(l.What, aSkill)
		switch {
		case l.Path == ".": // a list that could not be read
		case isSkill:
			h.Skills = append(h.Skills, skill)
		case l.What == theInstructions:
			h.Instructions = append(h.Instructions, l.Path)
		case l.What == theHooks, l.What == theSettings:
			h.Hooks = append(h.Hooks, l.Path)
		}
	}
	return h
}

// Hooks implements session.HookLister. In a folder that is not trusted none runs.
func (s *Session) Hooks(ctx context.Context) (session.Hooks, error) {
	hooks, err := s.hooks(ctx)
	return hooks, attempt(err, "list the hooks")
}

func (s *Session) hooks(ctx context.Context) (hooks session.Hooks, err error) {
	f := s.where()
	if !f.trusted {
		return hooks, nil
	}
	var found struct {
		Hooks []struct {
			HookType string `json:"hookType"`
			Source   string `json:"source"`
			Origin   string `json:"origin"`
			Enabled  bool   `json:"enabled"`
		} `json:"hooks"`
		Warnings []string `json:"warnings"`
		Errors   []string `json:"errors"`
	}
	if err = s.agent.call(ctx, "hooks.discover", object{"projectPaths": []string{f.dir}}, &found); err != nil {
		return hooks, err
	}
	for _, h := range found.Hooks {
		hooks.All = append(hooks.All, session.Hook{Event: h.HookType, Source: h.Source, Origin: h.Origin, Enabled: h.Enabled})
	}
	for _, c := range f.loads { // the runtime does not list those of a folder trusted for a session
		listed := slices.ContainsFunc(hooks.All, func(h session.Hook) bool { return h.Origin == "repository" })
		if c.What == "hooks" && !listed {
			hooks.All = append(hooks.All, session.Hook{Source: c.Path, Enabled: true})
		}
	}
	hooks.Wrong = slices.Concat(found.Errors, found.Warnings)
	return hooks, nil
}
