package prompts

import (
	"fmt"
	"strings"
	"testing"

	"parley/session"
	"parley/session/sessiontest"
)

// survey is a form with a field of every kind, as the runtime passes it on
// (docs/protocol.md, section 7.3).
const survey = `{"type":"object","properties":{
	"name":{"type":"string","title":"Name","description":"Your name","minLength":2,"maxLength":20},
	"email":{"type":"string","format":"email"},
	"notes":{"type":"string","title":"Notes"},
	"age":{"type":"integer","minimum":0,"maximum":120,"default":30},
	"score":{"type":"number"},
	"agree":{"type":"boolean","title":"Agree","default":false},
	"color":{"type":"string","enum":["r","g","b"],"enumNames":["Red","Green","Blue"]},
	"size":{"type":"string","oneOf":[{"const":"s","title":"Small"},{"const":"l","title":"Large"}]},
	"tags":{"type":"array","items":{"type":"string","enum":["x","y","z"]},"minItems":1,"maxItems":2}},
	"required":["name","color"]}`

func asking(schema string) session.ElicitationRequested {
	return session.ElicitationRequested{
		RequestID: "r1", ElicitationSource: "notes", Message: "What should the note be like?", RequestedSchema: []byte(schema),
	}
}

// filled shows a form and goes into it.
func filled(t *testing.T, schema string) *desk {
	t.Helper()
	d := newDesk(t)
	d.height = 40
	d.ready(asking(schema))
	d.press("tab")
	return d
}

// TestForms draws the pages of a form at three widths.
func TestForms(t *testing.T) {
	t.Parallel()
	for _, width := range []int{60, 80, 140} {
		d := newDesk(t)
		d.width, d.height = width, 30
		var b strings.Builder
		show := func(title string, keys ...string) {
			d.press(keys...)
			d.settle()
			fmt.Fprintf(&b, "-- %s\n%s\n", title, d.text())
		}
		d.event(session.Event{Agent: "agent-1", Body: session.SubagentStarted{AgentDisplayName: "explorer"}})
		d.event(session.Event{Agent: "agent-1", Body: asking(survey)})
		fmt.Fprintf(&b, "-- not listening yet\n%s\n", d.text())
		d.settle()
		show("listening")
		show("the first field", "tab")
		show("what is wrong with it", "a", "enter")
		show("the next field", "d", "a", "enter")
		show("another error", "n", "o", "tab")
		show("text of many lines", "o", "n", "e", "enter", "t", "w", "o")
		show("a number", "tab", "backspace*2", "2", "0", "0", "enter")
		show("a choice", "tab*2", "space")
		show("options", "tab", "down*2")
		show("any of several", "enter", "tab", "1", "2", "3")
		show("review with errors", "tab")
		show("the first error again", "y")
		show("what Esc asks", "esc")
		show("mended", "1", "backspace*2", "a", "@", "b", ".", "c", "tab*2", "backspace", "tab*5", "3", "tab")
		show("submitted", "y")
		d.answer()
		sessiontest.Golden(t, fmt.Sprintf("prompts/form_%d", width), b.String())
	}
}

// TestOddForms draws forms that are not like the others: with one field, with
// none, with what is not understood, on the smallest screens.
func TestOddForms(t *testing.T) {
	t.Parallel()
	var b strings.Builder
	show := func(title, schema string, width, height int, keys ...string) {
		d := newDesk(t)
		d.width, d.height = width, height
		r := asking(schema)
		if title == "from the agent" {
			r.ElicitationSource = ""
		}
		d.ready(r)
		d.press(keys...)
		d.settle()
		fmt.Fprintf(&b, "-- %s, %dx%d\n%s\n", title, width, height, d.text())
	}
	show("from the agent", oneOf(`{"type":"string","title":"Why?"}`), 60, 24, "tab", "b", "e", "c")
	show("a proposal is reviewed", oneOf(`{"type":"string","default":"as it was"}`), 60, 24, "tab", "enter")
	show("a yes or no", oneOf(`{"type":"boolean","title":"Go on?"}`), 60, 24, "tab", "space")
	show("no fields", `{"type":"object","properties":{}}`, 60, 24)
	show("no schema", ``, 60, 24, "tab")
	show("not understood", oneOf(`{"type":"object","title":"Where","properties":{"x":{"type":"number"}},"required":["x"]}`), 60, 24, "tab", "h", "e", "r", "e", "enter")
	show("a pattern of another dialect", oneOf(`{"type":"string","pattern":"^(?!x)"}`), 60, 24, "tab")
	show("the answers do not fit together", `{"properties":{"a":{"type":"string"},"b":{"type":"string"}},"dependentRequired":{"a":["b"]}}`, 60, 24, "tab", "x", "tab", "tab")
	show("hidden characters", oneOf(`{"type":"string","title":"a\u202eb","default":"x\u200by"}`), 60, 24, "tab", "tab")
	show("little room", survey, 60, 10, "tab", "a", "d", "a", "tab")
	show("little room, options", survey, 60, 10, "tab*7", "down*2")
	show("little room, review", three, 60, 10, "tab", "a", "tab*3")
	show("least room", survey, 20, 5, "tab", "a", "d", "a")
	show("least room, options", survey, 20, 5, "tab*7", "down*2")
	show("least room, review", three, 20, 5, "tab", "a", "tab*3")
	sessiontest.Golden(t, "prompts/form_odd", b.String())
}
