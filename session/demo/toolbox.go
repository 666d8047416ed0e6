package demo

import (
	"context"
	"fmt"
	"slices"

	"parley/session"
)

// personas are the custom agents that the demo pretends to have.
func personas() []session.CustomAgent {
	return []session.CustomAgent{
		{
			ID: "poet", Name: "poet", DisplayName: "Poet", Description: "Answers in verse, or would if a model were behind it",
			Source: "user", Tools: []string{"view"}, UserInvocable: true,
		},
		{
			ID: "reviewer", Name: "reviewer", DisplayName: "Reviewer", Description: "Reads changes and says what it would ask about them",
			Source: "project", Model: Slow, UserInvocable: true,
		},
	}
}

// CustomAgents implements session.AgentPicker.
func (s *Session) CustomAgents(context.Context) (agents []session.CustomAgent, selected string, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return personas(), s.persona, nil
}

// SelectAgent implements session.AgentPicker. The demo says the same whoever
// says it.
func (s *Session) SelectAgent(_ context.Context, name string) error {
	return s.change("select an agent", func() error {
		all := personas()
		i := slices.IndexFunc(all, func(a session.CustomAgent) bool { return a.Name == name })
		switch {
		case name != "" && i < 0:
			return fmt.Errorf("agent %q: %w", name, errNone)
		case name == s.persona:
			return nil
		case name == "":
			s.out.put(session.SubagentDeselected{})
		default:
			s.out.put(session.SubagentSelected{AgentName: name, AgentDisplayName: all[i].DisplayName, Tools: all[i].Tools})
		}
		s.persona = name
		return nil
	})
}

// quietSkill is a skill that is off at first.
const quietSkill = "haiku"

// Skills implements session.SkillManager.
func (s *Session) Skills(context.Context) ([]session.Skill, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.skills(), nil
}

// skills is Skills for who holds mu.
func (s *Session) skills() []session.Skill {
	all := []session.Skill{
		{Name: "tidy", Description: "Tidy up a folder, file by file", Source: "project"},
		{Name: quietSkill, Description: "Sum up the conversation in a haiku", Source: "user"},
	}
	for i := range all {
		sk := &all[i]
		sk.Command, sk.Path, sk.Enabled = sk.Name, "/demo/skills/"+sk.Name+"/SKILL.md", !s.off[sk.Name]
	}
	return all
}

// EnableSkill implements session.SkillManager. The command of a skill comes and
// goes with it.
func (s *Session) EnableSkill(_ context.Context, name string, on bool) error {
	return s.change("switch a skill", func() error {
		if !slices.ContainsFunc(s.skills(), func(k session.Skill) bool { return k.Name == name }) {
			return fmt.Errorf("skill %q: %w", name, errNone)
		}
		if s.off[name] == !on {
			return nil
		}
		s.off[name] = !on
		var loaded session.SessionSkillsLoaded
		for _, k := range s.skills() {
			loaded.Skills = append(loaded.Skills, session.SkillInfo{
				Name: k.Name, CommandName: k.Command, Description: k.Description, Source: k.Source, Path: k.Path,
				UserInvocable: true, Enabled: k.Enabled,
			})
		}
		s.out.put(loaded)
		var changed session.CommandsChanged
		for _, c := range s.commands() {
			changed.Commands = append(changed.Commands, session.CommandInfo{Name: c.Name, Description: c.Description})
		}
		s.out.put(changed)
		return nil
	})
}

// SetAllowAll implements session.AllowAllSetter. What is asked already stays
// open.
func (s *Session) SetAllowAll(_ context.Context, on bool) error {
	return s.change("allow all", func() error {
		if s.allowAll == on {
			return nil
		}
		change := session.SessionPermissionsChanged{PreviousMode: session.Manual, Mode: session.AllowAll}
		if !on {
			change.PreviousMode, change.Mode = change.Mode, change.PreviousMode
		}
		s.allowAll = on
		s.out.put(change)
		return nil
	})
}
