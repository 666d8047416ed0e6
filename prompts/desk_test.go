package prompts

import (
	"strconv"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"parley/prompts/consent"
	"parley/render/text"
	"parley/session"
	"parley/theme"
)

// start is when every test begins.
var start = time.Date(2026, 11, 21, 10, 0, 0, 0, time.UTC)

// desk is a user in front of a queue: it draws after everything that happens,
// as the window does, and wakes the queue when it asked for it.
type desk struct {
	t       *testing.T
	q       *Queue
	now     time.Time
	width   int
	height  int
	th      *theme.Theme
	screen  []string
	answers []session.Answer
	effects []Effect
	draft   strings.Builder
}

func newDesk(t *testing.T) *desk {
	t.Helper()
	d := &desk{t: t, q: NewQueue(), now: start, width: 80, height: 24, th: theme.Plain()}
	d.q.Folders("/home/ada", "/home/ada/src/parley")
	d.q.WindowFocus(true, d.now)
	d.wait(time.Minute)
	return d
}

// draw is what a window does after every message.
func (d *desk) draw() {
	d.t.Helper()
	d.screen = d.q.View(d.width, d.height, d.th)
	if again := d.q.View(d.width, len(d.screen), d.th); strings.Join(again, "\n") != strings.Join(d.screen, "\n") {
		d.t.Fatalf("drawn differently at its own height:\n%s\n%s", strings.Join(d.screen, "\n"), strings.Join(again, "\n"))
	}
	if len(d.screen) > d.height {
		d.t.Fatalf("%d lines in %d", len(d.screen), d.height)
	}
	for _, l := range d.screen {
		if w := text.Width(l); w != d.width {
			d.t.Fatalf("line of %d cells in a card of %d: %q", w, d.width, l)
		}
	}
}

// take does what a window does with an outcome.
func (d *desk) take(o Outcome, msg tea.Msg) {
	if o.Answer != nil {
		d.answers = append(d.answers, o.Answer)
	}
	if o.Own != nil {
		o.Question.Answered(*o.Own)
	}
	if o.Effect != nil {
		d.effects = append(d.effects, o.Effect)
	}
	for _, m := range o.Draft {
		d.write(m)
	}
	if msg != nil && !o.Taken {
		d.q.Elsewhere(d.now)
		d.write(msg)
	}
	d.q.Draft(d.draft.Len() == 0)
}

func (d *desk) write(msg tea.Msg) {
	switch m := msg.(type) {
	case tea.KeyPressMsg:
		d.draft.WriteString(m.Text)
	case tea.PasteMsg:
		d.draft.WriteString(m.Content)
	}
}

// wait lets time pass, waking the queue when it wants to be woken.
func (d *desk) wait(t time.Duration) {
	d.t.Helper()
	end := d.now.Add(t)
	for {
		wake := d.q.Wake()
		if wake.IsZero() || wake.After(end) {
			break
		}
		d.now = consent.Later(d.now, wake)
		d.take(d.q.Tick(d.now), nil)
		d.draw()
	}
	d.now = end
}

func (d *desk) apply(body session.Body) []session.Answer {
	d.t.Helper()
	return d.event(session.Event{Body: body})
}

func (d *desk) event(ev session.Event) []session.Answer {
	d.t.Helper()
	refused := d.q.Apply(ev, d.now)
	d.draw()
	return refused
}

// paint is a terminal that answers at once.
func (d *desk) paint() { d.q.Painted(d.q.Generation(), d.now) }

// ready shows a question and waits until its card listens.
func (d *desk) ready(body session.Body) {
	d.t.Helper()
	d.apply(body)
	d.settle()
	if !d.q.consent.Armed(d.now) {
		d.t.Fatalf("the card does not listen:\n%s", d.text())
	}
}

// settle lets a user look at the screen.
func (d *desk) settle() {
	d.t.Helper()
	d.wait(20 * time.Millisecond)
	d.paint()
	d.wait(time.Second)
}

// press presses keys one after the other as a calm person does: 0.7 seconds
// apart, and as long after the last.
func (d *desk) press(keys ...string) {
	d.t.Helper()
	for _, k := range keys {
		name, times, _ := strings.Cut(k, "*") // "down*2"
		n, err := strconv.Atoi(times)
		if err != nil {
			n = 1
		}
		for range n {
			d.key(stroked(name), 700*time.Millisecond)
		}
	}
}

// key presses one key and waits.
func (d *desk) key(msg tea.Msg, pause time.Duration) {
	d.t.Helper()
	d.take(d.q.Key(msg, d.now), msg)
	d.draw()
	d.wait(pause)
}

// typed writes as fast as people write.
func (d *desk) typed(text string) {
	d.t.Helper()
	for _, r := range text {
		d.key(stroked(string(r)), 80*time.Millisecond)
	}
}

func (d *desk) text() string { return strings.Join(d.screen, "\n") }

// answer is the only answer so far.
func (d *desk) answer() session.Answer {
	d.t.Helper()
	if len(d.answers) != 1 {
		d.t.Fatalf("%d answers: %v\n%s", len(d.answers), d.answers, d.text())
	}
	return d.answers[0]
}

// none checks that nothing was answered.
func (d *desk) none() {
	d.t.Helper()
	if len(d.answers) != 0 {
		d.t.Fatalf("answered: %v", d.answers)
	}
}

var namedKeys = map[string]tea.KeyPressMsg{
	"enter": {Code: tea.KeyEnter}, "esc": {Code: tea.KeyEscape}, "tab": {Code: tea.KeyTab},
	"shift+tab": {Code: tea.KeyTab, Mod: tea.ModShift}, "up": {Code: tea.KeyUp}, "down": {Code: tea.KeyDown},
	"left": {Code: tea.KeyLeft}, "right": {Code: tea.KeyRight}, "home": {Code: tea.KeyHome}, "end": {Code: tea.KeyEnd},
	"pgup": {Code: tea.KeyPgUp}, "pgdown": {Code: tea.KeyPgDown}, "backspace": {Code: tea.KeyBackspace},
	"delete": {Code: tea.KeyDelete}, "shift+enter": {Code: tea.KeyEnter, Mod: tea.ModShift},
	"alt+enter": {Code: tea.KeyEnter, Mod: tea.ModAlt}, "space": {Code: tea.KeySpace, Text: " "},
	"shift+up": {Code: tea.KeyUp, Mod: tea.ModShift}, "shift+down": {Code: tea.KeyDown, Mod: tea.ModShift},
	"ctrl+enter": {Code: tea.KeyEnter, Mod: tea.ModCtrl}, "shift": {Code: tea.KeyLeftShift}, "f1": {Code: tea.KeyF1},
}

// stroked is the press of a key by its name.
func stroked(name string) tea.KeyPressMsg {
	if k, ok := namedKeys[name]; ok {
		return k
	}
	if rest, ok := strings.CutPrefix(name, "ctrl+"); ok {
		return tea.KeyPressMsg{Code: []rune(rest)[0], Mod: tea.ModCtrl}
	}
	if rest, ok := strings.CutPrefix(name, "alt+"); ok {
		return tea.KeyPressMsg{Code: []rune(rest)[0], Mod: tea.ModAlt}
	}
	r := []rune(name)[0]
	if r >= 'A' && r <= 'Z' {
		return tea.KeyPressMsg{Code: r + 'a' - 'A', ShiftedCode: r, Mod: tea.ModShift, Text: name}
	}
	return tea.KeyPressMsg{Code: r, Text: name}
}

func shell(command string, identifiers ...string) session.PermissionRequested {
	r := session.PermissionRequested{
		RequestID: "r1",
		PermissionRequest: session.PermissionRequest{
			PermissionDetails: session.PermissionDetails{Kind: "shell", ToolCallID: "call1", FullCommandText: command, Intention: "publish the branch", CanOfferSessionApproval: true},
		},
		PromptRequest: &session.PromptRequest{
			PermissionDetails:  session.PermissionDetails{Kind: "commands", ToolCallID: "call1", FullCommandText: command, Intention: "publish the branch", CanOfferSessionApproval: true},
			CommandIdentifiers: identifiers,
		},
	}
	for _, id := range identifiers {
		r.PermissionRequest.Commands = append(r.PermissionRequest.Commands, session.ShellCommand{Identifier: id})
		r.PermissionRequest.CommandSegments = append(r.PermissionRequest.CommandSegments, session.CommandSegment{
			Identifier: id, FullCommandText: command, WorkingDirectory: "/home/ada/src/parley",
		})
	}
	return r
}

// choiceDialog is the card in front.
func (q *Queue) card() *choiceDialog { return q.dialogs[q.front].(*choiceDialog) }

const ms = time.Millisecond

// at is a time after start.
func at(d time.Duration) time.Time { return start.Add(d) }
