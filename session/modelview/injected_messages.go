package modelview

import (
	"crypto/sha256"
	"encoding/hex"
	"path"
	"slices"
	"strings"

	"parley/session"
)

// applyInjected folds in what is put into the conversation in the user's name
// and no user wrote.
func (v *View) applyInjected(ev session.Event) ApplyResult {
	switch b := ev.Body.(type) {
	case session.SystemNotification:
		if b.Notification.Type == "instruction_discovered" {
			return Ignored // the model gets the instruction, not the news of it
		}
		v.conversation(ev.Agent).add(v.events, injected(ev, Source{FromNotification, b.Notification.Type}, b.Content))
		return Applied
	case session.SessionModeNoticeDelivered:
		if b.Content == "" {
			return Ignored // it was part of the prompt
		}
		v.conversation(ev.Agent).add(v.events, injected(ev, Source{FromMode, string(b.Mode)}, b.Content))
		return Applied
	case session.SkillInvoked:
		v.stored.texts[contentID(b.Content)] = b.Content
		if b.Trigger == byUser {
			return v.userSkill(ev)
		}
		v.conversation(ev.Agent).announceSkill(v.events, ev, b.Name, skillContext(b.Name, b.Path, b.Content))
		return Applied
	case session.SkillInvokedRef:
		if b.Trigger == byUser {
			return v.userSkill(ev)
		}
		content, ok := v.stored.texts[b.ContentID]
		if !ok {
			return Ignored // the log does not hold it yet, and what was delivered will say it
		}
		v.conversation(ev.Agent).announceSkill(v.events, ev, b.Name, skillContext(b.Name, b.Path, content))
		return Applied
	case session.SkillContextDelivered:
		v.conversation(ev.Agent).deliverSkill(v.events, ev, b.Source, b.Content)
		return Applied
	case session.SkillContextDeliveredRef:
		v.conversation(ev.Agent).deliverSkill(v.events, ev, b.Source, b.Prefix+v.stored.texts[b.ContentID]+b.Suffix)
		return Applied
	}
	return Unhandled
}

// injected is a message in the user's name that no user wrote.
func injected(ev session.Event, from Source, content string) Message {
	return Message{Role: User, Source: from, Content: text(content), At: ev.Time, Origin: origin(ev)}
}

// byUser is the trigger of a skill whose text is a part of the prompt.
const byUser = "user-invoked"

// userSkill notes a skill that the user asked for. It comes before the prompt
// that holds its text, and goes out of the context with what stands there.
func (v *View) userSkill(ev session.Event) ApplyResult {
	if c := v.agents[ev.Agent]; c != nil {
		c.add(v.events, Message{Origin: origin(ev)})
	}
	return Ignored
}

// announceSkill says the text of a skill.
func (c *conversation) announceSkill(at uint64, ev session.Event, name, content string) {
	i := c.add(at, injected(ev, Source{FromSkill, name}, content))
	i.skill = &announcement{message: i.message}
	c.skills[name] = i
}

// deliverSkill says the text of a skill as the model got it, in the place of the
// one that was announced, if any.
func (c *conversation) deliverSkill(at uint64, ev session.Event, source, content string) {
	name := strings.TrimPrefix(source, "skill-")
	i := c.skills[name]
	delete(c.skills, name)
	if i == nil || i.removed {
		c.add(at, injected(ev, Source{FromSkill, name}, content))
		return
	}
	i.skill.delivered = at
	if i.message.Text() != content {
		i.message.ID, i.message.Content = ID{Event: at}, text(content)
	}
	i.message.Origin = slices.Concat(i.message.Origin, origin(ev))
}

// skillContext is the text of a skill as the model gets it.
func skillContext(name, file, content string) string {
	return "<skill-context name=\"" + name + "\">\nBase directory for this skill: " + path.Dir(file) + "\n\n" + content +
		"\n</skill-context>"
}

// contentID is the name under which stored logs refer to a text.
func contentID(content string) string {
	sum := sha256.Sum256([]byte(content))
	return "sha256:" + hex.EncodeToString(sum[:])
}

// storedContent is what events say once and others refer to.
type storedContent struct {
	assets    map[string]string                            // base64, by asset
	texts     map[string]string                            // by content id
	requested map[session.CallID]session.ToolUserRequested // calls of the user that run
}
