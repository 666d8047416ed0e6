package copilot

import (
	"cmp"
	"context"
	"slices"

	"parley/session"
)

var (
	_ session.LoadReporter  = (*Session)(nil)
	_ session.FolderTruster = (*Session)(nil)
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
	var found struct {
		Hooks []struct {
			HookType string `json:"hookType"`
			Enabled  bool   `json:"enabled"`
		} `json:"hooks"`
		Warnings []string `json:"warnings"`
		Errors   []string `json:"errors"`
	}
	if err = s.agent.call(ctx, "hooks.discover", object{"projectPaths": []string{f.dir}}, &found); err != nil {
		return loaded, err
	}
	for _, h := range found.Hooks {
		if h.Enabled && !slices.Contains(loaded.Hooks, h.HookType) {
			loaded.Hooks = append(loaded.Hooks, h.HookType)
		}
	}
	for _, c := range f.loads { // the runtime does not list those of a folder trusted for a session
		if len(found.Hooks) == 0 && c.What == "hooks" {
			loaded.Hooks = append(loaded.Hooks, c.Path)
		}
	}
	loaded.Wrong = slices.Concat(found.Errors, found.Warnings)
	return loaded, nil
}
