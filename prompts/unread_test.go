package prompts

import (
	"slices"
	"strings"
	"testing"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"parley/session"
	"parley/session/sessiontest"
)

// withWrong returns a line for each member of an object, however deep, in which
// that member has a value that it may not have.
func withWrong(t *testing.T, raw jsontext.Value, wrong string) []jsontext.Value {
	t.Helper()
	var o map[string]jsontext.Value
	if json.Unmarshal(raw, &o) != nil {
		return nil
	}
	var out []jsontext.Value
	put := func(name string, v jsontext.Value) {
		was := o[name]
		o[name] = v
		line, err := json.Marshal(o, json.Deterministic(true))
		if err != nil {
			t.Fatal(err)
		}
		o[name] = was
		out = append(out, line)
	}
	for name, v := range o {
		if name != "type" && name != "requestId" {
			put(name, jsontext.Value(wrong))
		}
		for _, inner := range withWrong(t, v, wrong) {
			put(name, inner)
		}
	}
	return out
}

// TestUnreadQuestionsAreNotApproved: whatever member of whatever question has a
// type that it may not have, the card says so, and no key gives another answer
// than a refusal.
func TestUnreadQuestionsAreNotApproved(t *testing.T) {
	t.Parallel()
	seen := map[session.Kind]int{}
	for kind, line := range sessiontest.Events(t) {
		if ask, ok := session.Decode(line).Body.(session.Ask); !ok || NewQueue().open(session.Event{}, ask) == nil {
			continue
		}
		for _, wrong := range []string{`5`, `"x"`, `[{}]`} {
			for _, spoiled := range withWrong(t, line, wrong) {
				ev := session.Decode(spoiled)
				ev.Replayed = false
				unread := unreadOf(ev)
				if len(unread) == 0 {
					continue
				}
				seen[kind]++
				checkUnread(t, ev, unread)
			}
		}
	}
	for _, kind := range []session.Kind{
		session.KindPermissionRequested, session.KindUserInputRequested, session.KindElicitationRequested,
		session.KindExitPlanModeRequested, session.KindMcpOAuthRequired, session.KindSessionLimitsExhaustedRequested,
	} {
		if seen[kind] == 0 {
			t.Errorf("no %s was spoiled", kind)
		}
	}
}

func checkUnread(t *testing.T, ev session.Event, unread []session.Unreadable) {
	t.Helper()
	q := NewQueue()
	q.Apply(ev, start)
	c := q.card()
	if c == nil || !strings.HasPrefix(c.alerts[0], "Could not be read: ") || !strings.Contains(c.alerts[0], unread[0].Reason) {
		t.Errorf("%s: it does not say that %s could not be read", ev.Kind(), unread[0].Path)
		return
	}
	if c.note != nil || c.unseen != nil || c.direct != nil || len(c.choices.rows) != 1 {
		t.Errorf("%s: there is more than a refusal: %+v", ev.Kind(), c.choices.rows)
	}
	r, ok := c.choices.rows[0].answer.(session.Refusal)
	if !ok || c.choices.rows[0].opens != nil || r.Kind != ev.Kind() || r.Feedback == "" {
		t.Errorf("%s: it is answered with %+v", ev.Kind(), c.choices.rows[0])
	}
}

// TestUnreadQuestion presses the keys that approve on such a card.
func TestUnreadQuestion(t *testing.T) {
	t.Parallel()
	spoiled := func(line string) session.Event { return session.Decode([]byte(line)) }
	for name, ev := range map[string]session.Event{
		"command": spoiled(`{"type":"permission.requested","data":{"requestId":"r1","permissionRequest":` +
			`{"kind":"shell","intention":"List","fullCommandText":["rm","-rf","/"]}}}`),
		"plan":     spoiled(`{"type":"exit_plan_mode.requested","data":{"requestId":"r1","summary":"x","planContent":7,"actions":["interactive"]}}`),
		"question": spoiled(`{"type":"user_input.requested","data":{"requestId":"r1","question":{},"choices":["Yes","No"]}}`),
		"choices":  spoiled(`{"type":"user_input.requested","data":{"requestId":"r1","question":"Which?","choices":["a",5]}}`),
		"form": spoiled(`{"type":"elicitation.requested","data":{"requestId":"r1","message":[],` +
			`"requestedSchema":{"type":"object","properties":{}}}}`),
	} {
		d := newDesk(t)
		d.width, d.height = 100, 40
		d.event(ev)
		d.settle()
		if !strings.Contains(d.text(), "Could not be read") {
			t.Fatalf("%s: the card does not say it:\n%s", name, d.text())
		}
		for _, key := range []string{"y", "1", "2", "s", "l", "u", "P", "enter", "tab", "space", "enter"} {
			d.press(key)
		}
		d.none()
		d.draft.Reset()
		d.q.Draft(true)
		d.q.Focus(d.now)
		d.draw()
		d.settle()
		d.press("n")
		if r, ok := d.answer().(session.Refusal); !ok || r.RequestID != "r1" || !strings.Contains(r.Feedback, "could not be read") {
			t.Errorf("%s: refused with %+v", name, r)
		}
	}
}

// TestUnreadTakesThePlace: a question that comes again with the same id, and
// cannot be read then, is not approved by what was shown before.
func TestUnreadTakesThePlace(t *testing.T) {
	t.Parallel()
	const line = `{"type":"permission.requested","data":{"requestId":"r1","permissionRequest":{"kind":"shell","fullCommandText":"ls","warning":W}}}`
	d := newDesk(t)
	d.event(session.Decode([]byte(strings.ReplaceAll(line, "W", `""`))))
	d.settle()
	d.event(session.Decode([]byte(strings.ReplaceAll(line, "W", `["it deletes all"]`))))
	d.settle()
	d.press("y")
	d.none()
	if d.q.Len() != 1 || !slices.ContainsFunc(d.q.card().alerts, func(s string) bool { return strings.Contains(s, "warning") }) {
		t.Errorf("%d cards:\n%s", d.q.Len(), d.text())
	}
}

// TestWrongWord: a letter that cannot become yes is shown as wrong at once, and esc
// clears the line before it closes it.
func TestWrongWord(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	d.ready(longQuestions()["shell"])
	d.press("u")
	d.typed("y")
	if strings.Contains(d.text(), "only yes") {
		t.Errorf("the first letter of yes is wrong:\n%s", d.text())
	}
	d.typed("yes")
	if !strings.Contains(d.text(), "only yes allows it; esc clears it") {
		t.Errorf("yyes is not shown as wrong:\n%s", d.text())
	}
	d.press("enter")
	d.none()
	d.press("esc")
	if c := d.q.card(); c.open == nil || c.open.field.text() != "" || strings.Contains(d.text(), "only yes") {
		t.Errorf("esc does not clear the line:\n%s", d.text())
	}
	if d.press("esc"); d.q.card().open != nil {
		t.Errorf("esc does not close the empty line:\n%s", d.text())
	}
}
