package timeline_test

import (
	"testing"

	"parley/session"
	"parley/timeline"
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
	checkNotices(t, map[string]noticeCase{
		"of the user":     {with(func(s *session.SkillInvoked) { s.Trigger = "user-invoked" }), "info skill: Skill “hello” loaded" + detail},
		"without trigger": {[]session.Body{skill}, "info skill: Skill “hello” loaded" + detail},
		"of the agent":    {with(func(s *session.SkillInvoked) { s.Trigger = "agent-invoked" }), "minor info skill: Skill “hello” loaded by the agent" + detail},
		"of the context":  {with(func(s *session.SkillInvoked) { s.Trigger = "context-load" }), "minor info skill: Skill “hello” loaded with the context" + detail},
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

// TestSkillTextIsInItsCall: the text of a skill that the agent loads stands in the
// call that loads it, and nowhere else.
func TestSkillTextIsInItsCall(t *testing.T) {
	t.Parallel()
	load := startOf("skill", `{"skill":"wave"}`)
	loaded := completeOf("Skill \"wave\" loaded successfully.")
	invoked := session.SkillInvoked{Name: "wave", Path: "wave/SKILL.md", Content: "Wave with both hands.\n", Trigger: "agent-invoked"}
	other := invoked
	other.Name, other.Content = "bow", "Bow low."
	const facts, whole = "From: wave/SKILL.md", "From: wave/SKILL.md\n\nWave with both hands."
	for name, tt := range map[string]struct {
		events         []session.Body
		detail, notice string
	}{
		"as the runtime sends it": {[]session.Body{load, loaded, invoked}, "Wave with both hands.", facts},
		"before the end":          {[]session.Body{load, invoked, loaded}, "Wave with both hands.", facts},
		"another skill":           {[]session.Body{load, loaded, other}, "", "From: wave/SKILL.md\n\nBow low."},
		"in another turn":         {[]session.Body{load, loaded, session.AssistantTurnEnd{}, session.AssistantTurnStart{TurnID: "1"}, invoked}, "", whole},
		"by reference":            {[]session.Body{load, loaded, session.SkillInvokedRef{Name: "wave", Path: "wave/SKILL.md", Trigger: "agent-invoked"}}, "", facts},
		"twice":                   {[]session.Body{load, loaded, invoked, invoked}, "Wave with both hands.", whole},
	} {
		f := newFeed().turn().stored(tt.events...)
		n, ok := f.At(f.Len() - 1).Body.(*timeline.Notice)
		if _, c := f.call(t); c.Detail != tt.detail || !ok || n.Detail != tt.notice || !f.At(f.Len()-1).VerboseOnly {
			t.Errorf("%s: the call has %q, the notice %+v", name, c.Detail, n)
		}
	}
}
