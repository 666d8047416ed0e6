package demo

import (
	"cmp"
	"slices"
	"strings"
	"text/template"

	"parley/session"
	"parley/session/local"
	"parley/session/modelview"
)

// speaker is the model of the demo: what it says in one model call, by its line
// and the messages that it is sent. It is a pure function, so that nothing but
// what modelview says reaches it.
type speaker func(messages []modelview.Message, line reply) reply

// reply is what one model call answers; of a line, what it is to answer.
type reply struct {
	reasoning, text string
	// say makes the text of what the model was sent; nil leaves it as it is.
	say *template.Template
	// opens says that the last that was heard is what is answered, and nothing
	// was said meanwhile.
	opens bool
	tools []*tool
}

// speak is the pretended model.
func speak(messages []modelview.Message, line reply) reply {
	h := readInput(messages)
	for _, c := range line.tools {
		h.permits = append(h.permits, c.permits...)
	}
	if line.say != nil {
		line.text = scenes().text(line.say, h)
	}
	if !line.opens && len(h.meanwhile) > 0 {
		line.text = scenes().text(scenes().named("meanwhile"), strings.Join(h.meanwhile, "* and *")) + line.text
	}
	return line
}

// infer is one model call of an agent: the model is sent what it sees now, and
// then what is asked for apart from the conversation.
func (s *Session) infer(agent session.AgentID, line reply, side ...modelview.Message) reply {
	return s.cfg.model(append(s.Log.Messages(agent), side...), line)
}

// sideMessage is a message that is sent to the model and not stored.
func sideMessage(text string) modelview.Message {
	return modelview.Message{Role: modelview.User, Content: []modelview.Part{{Text: text}}}
}

// modelInput is what the pretended model finds in the messages that it is sent. Its
// methods are what the texts of the scenes are made of.
type modelInput struct {
	instructions string
	prompt       string // the last that the user wrote
	over         string // the notification that came since; "" for none
	mode         session.Mode
	meanwhile    []string // what the user has written since the model spoke, a line each
	said         string   // what it said last
	result       string   // of the call that ended last
	messages     int      // but for the instructions
	permits      []permit // that the calls of the line need
}

func readInput(messages []modelview.Message) modelInput {
	h := modelInput{mode: session.Interactive}
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
			h.addUser(m)
		}
	}
	return h
}

// addUser adds what was said in the user's name.
func (h *modelInput) addUser(m modelview.Message) {
	switch m.Source.Kind {
	case modelview.FromUser:
		h.prompt, h.over = written(m), ""
		h.meanwhile = append(h.meanwhile, local.FirstLine(h.prompt))
	case modelview.FromNotification:
		h.over = m.Text()
	case modelview.FromMode:
		h.mode = session.Mode(m.Source.Name)
	case modelview.FromSender, modelview.FromSkill, modelview.FromShell, modelview.FromCall, modelview.FromTool,
		modelview.FromSummary, modelview.FromClear: // nothing that the demo answers
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

// scene is what the model does about what it hears: it plays the scene that the
// prompt names, or else a small one that lists which there are.
func (h modelInput) scene() []step {
	if h.over != "" {
		return scenes().steps("over")
	}
	if steps, ok := scenes().asked(h.prompt); ok {
		return steps
	}
	return scenes().steps("hello")
}

// allows reports whether the model was informed that the user is not asked for these.
func (h modelInput) allows(permits ...permit) bool {
	if strings.Contains(h.instructions, allAllowed) {
		return true
	}
	for _, p := range permits {
		if slices.ContainsFunc(p.Needs, func(g grant) bool { return !strings.Contains(h.instructions, listed(g.what())) }) {
			return false
		}
	}
	return true
}

// What the model learns of what the user decided. The runtime's words are
// those of a refused call; a question that never reached the user is the
// demo's own.
const (
	refusedWith = "The user rejected this tool call. User feedback: "
	unseen      = "The question was refused without the user: "
	planFollows = "\n\nThe plan is:\n\n"
)

// Allowed reports whether the calls of the line need permission and have it.
func (h modelInput) Allowed() bool { return len(h.permits) > 0 && h.allows(h.permits...) }

// Asked is what the user asked last.
func (h modelInput) Asked() string { return local.FirstLine(h.prompt) }

// Exchanged is how many messages there were before the last.
func (h modelInput) Exchanged() int { return h.messages - 1 }

// Kilobytes is the size that the prompt asks for.
func (h modelInput) Kilobytes() int { return hugeSize(h.prompt) }

// ResultAfter is what the result of the last call says between two texts; "" if it does
// not begin with the first.
func (h modelInput) ResultAfter(before string, after ...string) string {
	text, _ := strings.CutPrefix(h.result, before)
	if text == h.result {
		return ""
	}
	return local.FirstLine(strings.TrimSuffix(text, strings.Join(after, "")))
}

// Is reports whether the result of the last call is this.
func (h modelInput) Is(result string) bool { return h.result == result }

// Ends reports whether what the model said last ends with this.
func (h modelInput) Ends(text string) bool { return strings.HasSuffix(h.said, text) }

// Why is why the user refused the last call; "" if it was not refused with a reason.
func (h modelInput) Why() string {
	why, refused := strings.CutPrefix(h.result, refusedWith)
	if !refused {
		return ""
	}
	return cmp.Or(local.FirstLine(why), " ")
}

// Unseen is why the last question was refused without the user; "" if it was not.
func (h modelInput) Unseen() string {
	why, refused := strings.CutPrefix(h.result, unseen)
	if !refused {
		return ""
	}
	why, _, _ = strings.Cut(why, planFollows)
	return strings.Join(strings.Fields(why), " ")
}

// Refused is what the text about a question that was refused without the user is
// made of.
func (h modelInput) Refused(what, instead string) any {
	return struct{ What, Unseen, Instead string }{what, h.Unseen(), instead}
}

// PlanText is the plan in the result of the last call.
func (h modelInput) PlanText() string {
	_, text, _ := strings.Cut(h.result, planFollows)
	return text
}

// Over is the name of what has ended in the background.
func (h modelInput) Over() string {
	what, _, _ := strings.Cut(strings.TrimPrefix(h.over, notified), hasEnded)
	return what
}

// The parts of the instructions that the pretended model looks for.
const allAllowed = "\nNothing needs permission.\n"

func listed(what string) string { return "\n- " + what + "\n" }

// instructions is the system message of the demo: what it is, what of the
// session it has to know, and what needs no permission.
func (s *Session) instructions() string {
	s.Mu.Lock()
	defer s.Mu.Unlock()
	return scenes().text(scenes().named("instructions"), struct {
		Model, Folder, Agent string
		AllowAll             bool
		Grants               []session.Grant
	}{s.model, s.scratch, s.selected, s.allowAll, s.grants()})
}

// instruct gives an agent its instructions.
func instruct(text string) session.SystemMessage {
	return session.SystemMessage{Role: string(modelview.System), Content: text}
}
