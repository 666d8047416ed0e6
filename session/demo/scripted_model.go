package demo

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

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
	// say is a text of the script that replaces the text; "" leaves it as it is.
	say string
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
	if line.say != "" {
		line.text = scenes().text(line.say, h.value)
	}
	if !line.opens && len(h.meanwhile) > 0 {
		line.text = scenes().text(scenes().Texts["meanwhile"], h.value, strings.Join(h.meanwhile, "* and *")) + line.text
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
// values are what the texts of the scenes are made of.
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

// value is what stands for a name in what the model says. What is not so is empty.
func (h modelInput) value(name string, args []string) string {
	isSo := func(so bool) string { return strings.Repeat("yes", map[bool]int{true: 1}[so]) }
	switch name {
	case "allowed": // the calls of the line need permission and have it
		return isSo(len(h.permits) > 0 && h.allows(h.permits...))
	case "asked": // what the user asked last
		return local.FirstLine(h.prompt)
	case "exchanged": // how many messages there were before the last
		return strconv.Itoa(h.messages - 1)
	case "next": // what was said meanwhile names a scene
		return isSo(slices.ContainsFunc(h.meanwhile, func(said string) bool { _, ok := scenes().asked(said); return ok }))
	case "prose": // of so many kilobytes, or of as many as the prompt asks for
		return scenes().prose(hugeSize(strings.Join(args, "")+" "+h.prompt) << 10)
	case "result after": // what the result of the last call says between two texts
		text, ok := strings.CutPrefix(h.result, args[0])
		if !ok {
			return ""
		}
		return local.FirstLine(strings.TrimSuffix(text, strings.Join(args[1:], "")))
	case "result is":
		return isSo(h.result == args[0])
	case "said at the end": // of what the model said last
		return isSo(strings.HasSuffix(h.said, args[0]))
	case "why": // the user refused the last call with a reason
		why, refused := strings.CutPrefix(h.result, refusedWith)
		if !refused {
			return ""
		}
		return cmp.Or(local.FirstLine(why), " ")
	case "unseen question": // why the last question was refused without the user
		why, refused := strings.CutPrefix(h.result, unseen)
		if !refused {
			return ""
		}
		why, _, _ = strings.Cut(why, planFollows)
		return strings.Join(strings.Fields(why), " ")
	case "plan": // in the result of the last call
		_, text, _ := strings.Cut(h.result, planFollows)
		return text
	case "over": // what has ended in the background
		what, _, _ := strings.Cut(strings.TrimPrefix(h.over, notified), hasEnded)
		return what
	}
	panic("no text " + name) // it is named in this package
}

// The parts of the instructions that the pretended model looks for.
const allAllowed = "\nNothing needs permission.\n"

func listed(what string) string { return "\n- " + what + "\n" }

// instructions is the system message of the demo: what it is, what of the
// session it has to know, and what needs no permission.
func (s *Session) instructions() string {
	s.Mu.Lock()
	defer s.Mu.Unlock()
	facts := map[string]string{"model": s.model, "folder": s.scratch}
	if s.selected != "" {
		facts["agent"] = strconv.Quote(s.selected)
	}
	if s.allowAll {
		facts["all allowed"] = allAllowed
	}
	for _, g := range s.grants() {
		facts["grants"] += listed(g.What)
	}
	return scenes().text(scenes().Texts["instructions"], func(name string, _ []string) string { return facts[name] })
}

// instruct gives an agent its instructions.
func instruct(text string) session.SystemMessage {
	return session.SystemMessage{Role: string(modelview.System), Content: text}
}
