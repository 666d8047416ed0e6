package timeline_test

import (
	"testing"

	"parley/session"
)

func TestSkills(t *testing.T) {
	t.Parallel()
	skill := session.SkillInvoked{Name: "hello", Path: "skills/hello/SKILL.md", Content: "Say hello.\n"}
	with := func(change func(*session.SkillInvoked)) []session.Body {
		s := skill
		change(&s)
		return []session.Body{s}
	}
	const detail = " {From: skills/hello/SKILL.md//Say hello.}"
	checkTold(t, map[string]tell{
		"of the person":  {with(func(s *session.SkillInvoked) { s.Trigger = "user-invoked" }), "info skill: Skill “hello” loaded" + detail},
		"by nobody":      {[]session.Body{skill}, "info skill: Skill “hello” loaded" + detail},
		"of the agent":   {with(func(s *session.SkillInvoked) { s.Trigger = "agent-invoked" }), "minor info skill: Skill “hello” loaded by the agent" + detail},
		"of the context": {with(func(s *session.SkillInvoked) { s.Trigger = "context-load" }), "minor info skill: Skill “hello” loaded with the context" + detail},
		"what it may do": {
			with(func(s *session.SkillInvoked) { s.Trigger, s.AllowedTools = "agent-invoked", []string{"view", "bash"} }),
			"info skill: Skill “hello” loaded by the agent. It may use view, bash without asking." + detail,
		},
		"of a plugin": {
			with(func(s *session.SkillInvoked) {
				s.PluginName, s.PluginVersion, s.Description = "greet", "1.0", "Greets."
			}),
			"info skill: Skill “hello” loaded {Greets./From: skills/hello/SKILL.md/Plugin: greet 1.0//Say hello.}",
		},
		"by reference": {
			[]session.Body{session.SkillInvokedRef{Name: "hello", ContentID: "c1", Trigger: "user-invoked"}},
			"info skill: Skill “hello” loaded",
		},
		"its text": {
			[]session.Body{session.SkillContextDelivered{Content: "<skill>a</skill>\n", Source: "skill-hello"}},
			"minor info skill: The model was given the text of skill “hello” {<skill>a</skill>}",
		},
		"its text by reference": {[]session.Body{session.SkillContextDeliveredRef{ContentID: "c1", Source: "skill-hello"}}, ""},
	})
}
