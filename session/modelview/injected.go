package modelview

import (
	"crypto/sha256"
	"encoding/hex"
	"path"

	"parley/session"
)

// applyInjected folds in what is put into the conversation in the user's name
// and no person wrote.
func (v *View) applyInjected(ev session.Event) Outcome {
	switch b := ev.Body.(type) {
	case session.SystemNotification:
		if b.Notification.Type == "instruction_discovered" {
			return Ignored // the model gets the instruction, not the news of it
		}
		v.of(ev.Agent).say(injected(ev, Source{FromNotification, b.Notification.Type}, b.Content))
		return Applied
	case session.SessionModeNoticeDelivered:
		if b.Content == "" {
			return Ignored // it was part of the prompt
		}
		v.of(ev.Agent).say(injected(ev, Source{FromMode, string(b.Mode)}, b.Content))
		return Applied
	case session.SkillInvoked:
		v.stored.texts[contentID(b.Content)] = b.Content
		v.of(ev.Agent).skill(ev, b.Name, skillContext(b.Name, b.Path, b.Content))
		return Applied
	case session.SkillInvokedRef:
		content, ok := v.stored.texts[b.ContentID]
		if !ok {
			return Ignored // the log does not hold it yet; what was delivered will say it
		}
		v.of(ev.Agent).skill(ev, b.Name, skillContext(b.Name, b.Path, content))
		return Applied
	case session.SkillContextDelivered:
		v.of(ev.Agent).delivered(ev, b.Source, b.Content)
		return Applied
	case session.SkillContextDeliveredRef:
		v.of(ev.Agent).delivered(ev, b.Source, b.Prefix+v.stored.texts[b.ContentID]+b.Suffix)
		return Applied
	}
	return Unhandled
}

// injected is a message in the user's name that no person wrote.
func injected(ev session.Event, from Source, content string) Message {
	return Message{Role: User, Source: from, Content: text(content), At: ev.Time, Origin: origin(ev)}
}

// skill says the text of a skill.
func (c *conversation) skill(ev session.Event, name, content string) {
	c.skills["skill-"+name] = c.say(injected(ev, Source{FromSkill, name}, content))
}

// delivered says the text of a skill as the model got it, in the place of the
// one that was announced, if any.
func (c *conversation) delivered(ev session.Event, source, content string) {
	name := source
	if i := c.skills[source]; i != nil {
		delete(c.skills, source)
		i.message.Content = text(content)
		i.message.Origin = append(i.message.Origin, origin(ev)...)
		return
	}
	c.say(injected(ev, Source{FromSkill, name}, content))
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
	assets   map[string]string         // base64, by asset
	texts    map[string]string         // by content id
	commands map[session.CallID]string // that the person has running
}

func newStored() stored {
	return stored{assets: map[string]string{}, texts: map[string]string{}, commands: map[session.CallID]string{}}
}
