package modelview_test

import (
	"fmt"
	"slices"

	"parley/session"
	"parley/session/modelview"
)

// unsound says what is wrong with the messages of a view; "" for nothing.
func unsound(v *modelview.View) string {
	agents := v.Agents()
	if slices.Contains(agents, "") {
		return "the session's own model is among the sub-agents"
	}
	for _, agent := range append(agents, "") {
		all := v.Of(agent)
		if complaint := unsoundRequest(all); complaint != "" {
			return fmt.Sprintf("of agent %q: %s\n%s", agent, complaint, v.Dump())
		}
	}
	return ""
}

// unsoundRequest says why no service would take these messages, or why they are
// not what Message promises.
func unsoundRequest(all []modelview.Message) string {
	ids := map[modelview.ID]bool{}
	prompts := map[string]bool{} // each role and name once
	var open []session.CallID    // calls that may be answered yet, in their order
	var left []session.CallID    // calls whose answer would come too late
	answering := false           // nothing but answers came since they were asked for
	for i, m := range all {
		complain := func(format string, args ...any) string {
			return fmt.Sprintf("message %d, of role %q: ", i+1, m.Role) + fmt.Sprintf(format, args...)
		}
		if ids[m.ID] {
			return complain("there are two of the id %v", m.ID)
		}
		ids[m.ID] = true
		switch m.Role {
		case modelview.System, modelview.Developer:
			key := string(m.Role) + " " + m.Name
			if len(prompts) < i || prompts[key] {
				return complain("it comes after the conversation began, or there are two of the name %q", m.Name)
			}
			prompts[key] = true
		case modelview.Tool:
			at := slices.Index(open, m.CallID)
			if at < 0 || !answering {
				return complain("it answers %q, which was not asked for just before, or is answered", m.CallID)
			}
			open, left = open[at+1:], append(left, open[:at]...)
		case modelview.User:
			// What is reported while a call runs does not end it, a prompt does.
			if len(open)+len(left) > 0 && (m.Source.Kind == modelview.FromUser || m.Source.Kind == modelview.FromSender) {
				return complain("it leaves %q without an answer", append(left, open...))
			}
			answering = false
		case modelview.Assistant:
			if len(open)+len(left) > 0 {
				return complain("it leaves %q without an answer", append(left, open...))
			}
			answering = true
			for _, c := range m.Calls {
				if !slices.Contains(open, c.ID) {
					open = append(open, c.ID)
				}
			}
		default:
			return complain("no such role")
		}
		if complaint := unsoundParts(m); complaint != "" {
			return complain("%s", complaint)
		}
	}
	return ""
}

// unsoundParts says what is wrong with one message alone.
func unsoundParts(m modelview.Message) string {
	size := len(m.Name) + len(m.Reasoning)
	for _, p := range m.Content {
		size += len(p.Text)
		if p.Blob != nil {
			size += len(p.Blob.Data)
		}
	}
	for _, c := range m.Calls {
		size += len(c.Name) + len(c.Arguments)
	}
	for _, b := range m.ExtraFields {
		size += len(b.Key) + len(b.Value)
	}
	switch {
	case size != m.Size():
		return fmt.Sprintf("its size is %d, and its parts take %d", m.Size(), size)
	case len(m.Content) == 0 && len(m.Calls) == 0:
		return "it says nothing"
	case m.Source != (modelview.Source{}) && m.Role != modelview.User:
		return fmt.Sprintf("it has the source %v", m.Source)
	case m.Role != modelview.Tool && (m.CallID != "" || m.ToolName != "" || m.Interrupted):
		return fmt.Sprintf("it answers %q of %q", m.CallID, m.ToolName)
	case m.Role != modelview.Assistant && len(m.Calls) > 0:
		return fmt.Sprintf("it asks for %d calls", len(m.Calls))
	case m.Role == modelview.Tool && len(m.Content) != 1:
		return fmt.Sprintf("a result has %d parts", len(m.Content))
	}
	return ""
}
