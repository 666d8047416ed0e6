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
func (v *View) applyInjected(ev session.Event) Outcome {
	switch b := ev.Body.(type) {
	case session.SystemNotification:
		if b.Notification.Type == "instruction_discovered" {
			return Ignored // the model gets the instruction, not the news of it
		}
		v.of(ev.Agent).say(v.events, injected(ev, Source{FromNotification, b.Notification.Type}, b.Content))
		return Applied
	case session.SessionModeNoticeDelivered:
		if b.Content == "" {
			return Ignored // it was part of the prompt
		}
		v.of(ev.Agent).say(v.events, injected(ev, Source{FromMode, string(b.Mode)}, b.Content))
		return Applied
	case session.SkillInvoked:
		v.stored.texts[contentID(b.Content)] = b.Content
		if b.Trigger == byPerson {
			return v.named(ev)
		}
		v.of(ev.Agent).announced(v.events, ev, b.Name, skillContext(b.Name, b.Path, b.Content))
		return Applied
	case session.SkillInvokedRef:
		if b.Trigger == byPerson {
			return v.named(ev)
		}
		content, ok := v.stored.texts[b.ContentID]
		if !ok {
			return Ignored // the log does not hold it yet, and what was delivered will say it
		}
		v.of(ev.Agent).announced(v.events, ev, b.Name, skillContext(b.Name, b.Path, content))
		return Applied
	case session.SkillContextDelivered:
		v.of(ev.Agent).delivered(v.events, ev, b.Source, b.Content)
		return Applied
	case session.SkillContextDeliveredRef:
		v.of(ev.Agent).delivered(v.events, ev, b.Source, b.Prefix+v.stored.texts[b.ContentID]+b.Suffix)
		return Applied
	}
	return Unhandled
}

// injected is a message in the user's name that no user wrote.
func injected(ev session.Event, from Source, content string) Message {
	return Message{Role: User, Source: from, Content: text(content), At: ev.Time, Origin: origin(ev)}
}

// byPerson is the trigger of a skill whose text is a part of the prompt.
const byPerson = "user-invoked"

// named notes a skill that the user asked for. It is told before the prompt
// that holds its text, and goes out of the context with what stands there.
func (v *View) named(ev session.Event) Outcome {
	if c := v.agents[ev.Agent]; c != nil {
		c.say(v.events, Message{Origin: origin(ev)})
	}
	return Ignored
}

// announced says the text of a skill.
func (c *conversation) announced(at uint64, ev session.Event, name, content string) {
	i := c.say(at, injected(ev, Source{FromSkill, name}, content))
	i.skill = &announcement{message: i.message}
	c.skills[name] = i
}

// delivered says the text of a skill as the model got it, in the place of the
// one that was announced, if any.
func (c *conversation) delivered(at uint64, ev session.Event, source, content string) {
	name := strings.TrimPrefix(source, "skill-")
	i := c.skills[name]
	delete(c.skills, name)
	if i == nil || i.out {
		c.say(at, injected(ev, Source{FromSkill, name}, content))
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

// stored is what events say once and others refer to.
type stored struct {
	assets    map[string]string                            // base64, by asset
	texts     map[string]string                            // by content id
	requested map[session.CallID]session.ToolUserRequested // calls of the user that run
}

func newStored() stored {
	return stored{assets: map[string]string{}, texts: map[string]string{}, requested: map[session.CallID]session.ToolUserRequested{}}
}
