package timeline

import (
	"cmp"
	"slices"
	"strings"

	"parley/session"
)

// skills are the texts that skills put into the conversation.
type skills struct{ *turns }

func (s *skills) apply(ev session.Event) ApplyResult {
	switch b := ev.Body.(type) {
	case session.SkillInvoked:
		return s.skill(ev, b)
	case session.SkillInvokedRef:
		return s.skill(ev, session.SkillInvoked{
			Name: b.Name, Path: b.Path, AllowedTools: b.AllowedTools, Source: b.Source, PluginName: b.PluginName,
			PluginVersion: b.PluginVersion, Description: b.Description, Trigger: b.Trigger,
		})
	case session.SkillContextDelivered:
		name := strings.TrimPrefix(b.Source, "skill-")
		return s.verboseNotice(ev, &Notice{
			Category: "skill",
			Text:     "The model was given the text of skill " + quoted(name),
			Detail:   strings.TrimSpace(b.Content),
		})
	}
	return Unhandled
}

// skill shows that the text of a skill was put into the conversation. One that the
// agent loads by itself has a tool call that says so. What it may do without
// asking is always shown, since it undoes what questions stand for.
func (s *skills) skill(ev session.Event, b session.SkillInvoked) ApplyResult {
	n := &Notice{Category: "skill", Text: "Skill " + quoted(b.Name) + " loaded"}
	switch b.Trigger {
	case "agent-invoked":
		n.Text += " by the agent"
	case "context-load":
		n.Text += " with the context"
	}
	if len(b.AllowedTools) > 0 {
		n.Text += ". It may use " + oneLine(strings.Join(b.AllowedTools, ", ")) + " without asking."
	}
	text := b.Content
	if s.skillText(b.Name, text) {
		text = ""
	}
	plugin := strings.TrimSpace(b.PluginName + " " + b.PluginVersion)
	n.Detail = paragraphs(
		joinLines(b.Description, labelled("From", b.Path), labelled("Plugin", plugin), labelled("Source", b.Source)),
		text,
	)
	if len(b.AllowedTools) == 0 && cmp.Or(b.Trigger, "user-invoked") != "user-invoked" {
		return s.verboseNotice(ev, n)
	}
	return s.notice(ev, n)
}

// skillText gives the call that loads a skill the text of that. It reports
// whether there is one: the notice about the skill then need not show it.
func (s *skills) skillText(name, text string) bool {
	if text = strings.TrimSpace(text); text == "" {
		return false
	}
	for _, e := range slices.Backward(s.turn.skills) {
		c, ok := e.Body.(*ToolCall)
		if ok && e.pos >= 0 && c.Detail == "" && arguments(c.Arguments)["skill"] == name {
			c.Detail = text
			s.touch(e)
			return true
		}
	}
	return false
}
