package demo

import (
	"fmt"
	"slices"
	"strings"

	"parley/session"
	"parley/session/modelview"
)

// speaker is the model of the demo: what it says in one model call, by its line
// and the messages that it is sent. It is a pure function, so that nothing but
// what modelview says reaches it.
type speaker func(messages []modelview.Message, line reply) reply

// reply is what one model call answers; of a line, what it is to answer.
type reply struct {
	reasoning, text string
	// hears makes the text of what the model heard; nil leaves it as it is.
	hears func(heard) string
	// opens says that the last that was heard is what is answered, and nothing
	// was said meanwhile.
	opens bool
	tools []*tool
}

// speak is the pretended model.
func speak(messages []modelview.Message, line reply) reply {
	h := listen(messages)
	if line.hears != nil {
		line.text = line.hears(h)
	}
	if !line.opens && len(h.meanwhile) > 0 {
		line.text = fmt.Sprintf("You said meanwhile: *%s*. The demo cannot act on it, but a real agent takes it into "+
			"account from here on.\n\n%s", strings.Join(h.meanwhile, "* and *"), line.text)
	}
	return line
}

// infer is one model call of an agent: the model is sent what it sees now, and
// then what is asked for beside the conversation.
func (s *Session) infer(agent session.AgentID, line reply, beside ...modelview.Message) reply {
	return s.cfg.model(append(s.out.messages(agent), beside...), line)
}

// beside is a message that is sent to the model and not kept.
func beside(text string) modelview.Message {
	return modelview.Message{Role: modelview.User, Content: []modelview.Part{{Text: text}}}
}

// heard is what the pretended model finds in the messages that it is sent.
type heard struct {
	instructions string
	prompt       string // the last that the user wrote
	over         string // the notification that came since; "" for none
	mode         session.Mode
	meanwhile    []string // what the user has written since the model spoke, a line each
	said         string   // what it said last
	result       string   // of the call that ended last
	messages     int      // but for the instructions
}

func listen(messages []modelview.Message) heard {
	h := heard{mode: session.Interactive}
	for _, m := range messages {
		h.messages++
		switch m.Role {
		case modelview.System, modelview.Developer:
			h.messages--
			h.instructions += m.Text()
		case modelview.Assistant:
			h.said, h.meanwhile = m.Text(), nil
		case modelview.Tool:
			h.result = m.Text()
		case modelview.User:
			h.hear(m)
		}
	}
	return h
}

// hear takes in what was said in the user's name.
func (h *heard) hear(m modelview.Message) {
	switch m.Source.Kind {
	case modelview.FromPerson:
		h.prompt, h.over = written(m), ""
		h.meanwhile = append(h.meanwhile, firstLine(h.prompt))
	case modelview.FromNotification:
		h.over = m.Text()
	case modelview.FromMode:
		h.mode = session.Mode(m.Source.Name)
	case modelview.FromSender, modelview.FromSkill, modelview.FromShell, modelview.FromCall, modelview.FromTool,
		modelview.FromSummary, modelview.FromNewStart: // nothing that the demo answers
	}
}

// written is what the user wrote of a prompt, without what came along.
func written(m modelview.Message) string {
	text := m.Content[0].Text
	if i := strings.LastIndex(text, "</ide_selection>\n\n"); i >= 0 {
		text = text[i+len("</ide_selection>\n\n"):]
	}
	if i := strings.LastIndex(text, "\n\n<tagged_files>"); i >= 0 {
		text = text[:i]
	}
	return strings.TrimRight(text, "\n")
}

// allows reports whether the model was told that nobody is asked for these.
func (h heard) allows(permits ...permit) bool {
	if strings.Contains(h.instructions, allAllowed) {
		return true
	}
	for _, p := range permits {
		if slices.ContainsFunc(p.needs, func(g grant) bool { return !strings.Contains(h.instructions, listed(g.what())) }) {
			return false
		}
	}
	return true
}

// What the model is told of what the user decided. The runtime's words are
// those of a refused call; a question that never reached the user is the
// demo's own.
const (
	refusedWith = "The user rejected this tool call. User feedback: "
	unseen      = "The question was refused without the person: "
)

// outcome is what is said after a call that may have been refused.
func (h heard) outcome(done string) string {
	why, refused := strings.CutPrefix(h.result, refusedWith)
	if !refused {
		return done
	}
	return "You refused it and said why: *" + firstLine(why) + "*. A real agent would try another way; that is what " +
		"happens when you refuse **with a reason**. Refused without one, it stops."
}

// The parts of the instructions that the pretended model looks for.
const allAllowed = "\nNothing needs permission.\n"

func listed(what string) string { return "\n- " + what + "\n" }

// instructions is the system message of the demo: what it is, what of the
// session it has to know, and what needs no permission.
func (s *Session) instructions() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	var b strings.Builder
	b.WriteString("You are the demo of Parley, a chat program for coding agents. No model reads this: a script answers, by what it " +
		"finds in these messages, and says so. Nothing leaves the machine.\n\n")
	fmt.Fprintf(&b, "You answer as %s. Your commands run in %s, a scratch folder that is removed with the session.\n", s.model, s.scratch)
	if s.persona != "" {
		fmt.Fprintf(&b, "The person chose the custom agent %q.\n", s.persona)
	}
	switch grants := s.grants(); {
	case s.allowAll:
		b.WriteString(allAllowed)
	case len(grants) == 0:
		b.WriteString("\nTools that only read need no permission. Ask for everything else.\n")
	default:
		b.WriteString("\nBeside tools that only read, these need no permission:\n")
		for _, g := range grants {
			b.WriteString(listed(g.What))
		}
	}
	return b.String()
}

// instruct gives an agent its instructions.
func instruct(text string) session.SystemMessage {
	return session.SystemMessage{Role: string(modelview.System), Content: text}
}
