package tui

import (
	"context"
	"errors"
	"io"
	"strings"
	"time"
	"unicode/utf8"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/term"

	"parley/history/drafts"
	"parley/prompts/consent"
	"parley/terminal/lines"
	"parley/tui/composer"
	"parley/tui/conversation"
	"parley/tui/keymap"
)

// lineWindow is the model as the program runs it where lines are said and read: nothing is
// drawn in place.
type lineWindow struct {
	panicGuard
	lineSpeaker

	sending   bool // Enter comes after an answer that was written
	waiting   []lines.Line
	continued bool         // the draft is the lines before the next one
	kept      drafts.Draft // what was the draft before a line that is not sent yet
}

// lineMsg is a line that the user typed, keyMsg a key.
type (
	lineMsg lines.Line
	keyMsg  lines.Key
	// enterMsg is Enter after an answer that was written to the question that is said.
	enterMsg struct{ of any }
	// stillMsg is the time to say that the agent still works, on what it was then.
	stillMsg struct{ work int }
	// followMsg has the model follow what was done to its question.
	followMsg struct{}
)

// runLines runs the model where lines are said and read, until the user leaves it or ctx ends.
func runLines(ctx context.Context, c Config) (*Model, error) {
	t, in, lend, back, err := lineTerminal(c)
	if err != nil {
		return nil, err
	}
	defer back()
	ctx, hide := context.WithCancel(ctx)
	defer hide()
	c.LowBandwidth = "on" // nothing moves, and little is drawn
	m := newModel(ctx, c, saying(outside(ctx, c, nil, func() {}, lend), t))
	w := &lineWindow{panicGuard: panicGuard{end: hide}, lineSpeaker: lineSpeaker{model: m, terminal: t}}
	m.display.Resize(cardWidth, lineHeight)
	program := tea.NewProgram(w, tea.WithContext(ctx), tea.WithoutSignalHandler(), tea.WithInput(nil),
		tea.WithOutput(io.Discard), tea.WithoutRenderer(), tea.WithEnvironment(c.Env))
	t.Say("Parley starts.")
	t.Read(in, lines.Typed{
		Line: func(l lines.Line) { program.Send(lineMsg(l)) }, Key: func(k lines.Key) { program.Send(keyMsg(k)) }, Ended: hide,
	})
	_, err = program.Run()
	if crash := w.panic.Load(); crash != nil {
		return m, crash
	}
	if errors.Is(err, tea.ErrProgramKilled) {
		return m, nil
	}
	return m, err
}

// saying are the effects of a window whose output is what a terminal says.
func saying(e conversation.Effects, t *lines.Terminal) conversation.Effects {
	e.Flushed, e.Written = t.Said, func() uint64 { return 0 }
	e.Ring = func(string) { t.Ring() }
	return e
}

// Init implements tea.Model.
func (w *lineWindow) Init() tea.Cmd { return w.guard(w.model.Init()) }

// View implements tea.Model.
func (w *lineWindow) View() tea.View { return tea.View{} }

// Update implements tea.Model.
func (w *lineWindow) Update(msg tea.Msg) (_ tea.Model, cmd tea.Cmd) {
	defer func() { w.crashed(recover()) }()
	switch msg := msg.(type) {
	case tea.WindowSizeMsg, tea.ColorProfileMsg, tea.EnvMsg: // what is drawn has its own
	case lineMsg:
		cmd = w.take(lines.Line(msg))
	case keyMsg:
		cmd = w.key(lines.Key(msg))
	case enterMsg:
		cmd = w.written(msg)
	case stillMsg:
		cmd = w.still(msg)
	default:
		_, cmd = w.model.Update(msg)
	}
	return w, w.guard(tea.Batch(cmd, w.focus(), w.say(w.sending)))
}

// input gives the model what a user of a screen would do.
func (w *lineWindow) input(msg tea.Msg) tea.Cmd {
	_, cmd := w.model.Update(conversation.InputMsg{At: w.model.win.Config.Now(), Msg: msg})
	return cmd
}

// press presses a key by its name.
func (w *lineWindow) press(key string) tea.Cmd { return w.input(keymap.Stroke(key)) }

// letters types a text, a letter at a time.
func (w *lineWindow) letters(s string) tea.Cmd {
	var cmds []tea.Cmd
	for _, r := range s {
		cmds = append(cmds, w.input(tea.KeyPressMsg{Code: r, Text: string(r)}))
	}
	return tea.Batch(cmds...)
}

// key takes a key that is no letter.
func (w *lineWindow) key(k lines.Key) tea.Cmd {
	if k == lines.EndOfText {
		return w.model.win.Quit("")
	}
	w.continued = false
	cmd := w.press("ctrl+c")
	w.putBack()
	return cmd
}

// keyWords are the words for keys, each on a line of its own.
var keyWords = map[string]string{
	".": "esc", ".up": "up", ".down": "down", ".left": "left", ".right": "right", ".tab": "tab", ".space": "space",
	".more": "pgdown", ".back": "pgup", ".enter": "enter",
}

// take takes a line that the user typed.
func (w *lineWindow) take(l lines.Line) tea.Cmd {
	q, over := w.model.win.Front.Questions, w.model.win.Overlay
	switch {
	case w.sending:
		w.waiting = append(w.waiting, l)
		return nil
	case over == nil && q.Len() > 0 && strings.TrimSpace(l.Text) == ".question":
		w.focused, w.question = 0, saidText{} // it is said again
		return nil
	case over == nil && strings.TrimSpace(l.Text) == "/status":
		w.status()
		return nil
	case over != nil && (w.cover.Of != over || l.Heard < w.cover.asked),
		over == nil && q.Focused() && (w.question.Of != q.Generation() || l.Heard < w.question.asked):
		return w.keep(l.Text)
	case over != nil:
		return w.choose(l.Text)
	case q.Focused():
		return w.answer(l)
	}
	if _, named := keyWords[strings.TrimSpace(l.Text)]; named {
		w.terminal.Say("Nothing takes that key now.")
		return nil
	}
	return w.send(l.Text)
}

// choose takes a line for what lies over the conversation.
func (w *lineWindow) choose(line string) tea.Cmd {
	if key, ok := keyWords[strings.TrimSpace(line)]; ok {
		return w.press(key)
	}
	if line == "" {
		return w.press("enter")
	}
	return w.letters(line)
}

// send takes a line as a prompt or a command, or as a part of one. What was kept as the draft
// is no part of it: an empty line sends that.
func (w *lineWindow) send(line string) tea.Cmd {
	front := w.model.win.Front
	part, more := strings.CutSuffix(line, `\`)
	if front.Composer.IsCommand() && front.Composer.Text() == w.prompt { // there was none of that name
		front.Draft.SetDraft(drafts.Draft{})
		w.putBack()
	}
	if line == "" && front.Composer.Empty() {
		return nil
	}
	if line != "" && !w.continued {
		w.kept = composer.Join(w.kept, front.Composer.Draft())
		front.Draft.SetDraft(drafts.Draft{})
	}
	if w.continued = more; more {
		front.Draft.Insert(part + "\n")
		return nil
	}
	var pasted tea.Cmd
	if line != "" {
		w.prompt = front.Composer.Text() + line
		pasted = w.input(tea.PasteMsg{Content: line})
	}
	front.Composer.CloseCompletions() // they were not said
	cmd := tea.Batch(pasted, w.press("enter"))
	w.putBack()
	return cmd
}

// putBack gives the draft what was kept as one, once nothing else is in it.
func (w *lineWindow) putBack() {
	if w.model.win.Front.Composer.Empty() {
		w.drafted(w.kept)
		w.kept = drafts.Draft{}
	}
}

// drafted adds to the draft, which an empty line sends.
func (w *lineWindow) drafted(d drafts.Draft) {
	if !d.Empty() {
		front := w.model.win.Front
		front.Draft.SetDraft(composer.Join(front.Composer.Draft(), d))
	}
}

// written ends the answer that was written, and takes the lines that came meanwhile.
func (w *lineWindow) written(msg enterMsg) tea.Cmd {
	var cmds []tea.Cmd
	q := w.model.win.Front.Questions
	if w.question.Of == msg.of && q.Generation() == msg.of && q.Writing() {
		key := "enter"
		if q.FillsForm() { // where Enter begins another line of some fields
			key = "tab"
		}
		cmds = append(cmds, w.press(key))
	}
	w.sayQuestion() // what the lines that wait would be for, if it is another field
	w.answered = ""
	waiting := w.waiting
	w.sending, w.waiting = false, nil
	for _, l := range waiting {
		cmds = append(cmds, w.take(l))
	}
	return tea.Batch(cmds...)
}

// keep keeps a line that was begun before what it would now be for was said.
func (w *lineWindow) keep(line string) tea.Cmd {
	if line == "" {
		return nil
	}
	w.drafted(drafts.Draft{Text: line})
	w.terminal.Say("Your line was begun before that was said. It is kept as the draft, and answers nothing.")
	return nil
}

// answer takes a line as the answer to the question that was said.
func (w *lineWindow) answer(l lines.Line) tea.Cmd {
	q := w.model.win.Front.Questions
	word := strings.TrimSpace(l.Text)
	key, named := keyWords[word]
	switch now := w.model.win.Config.Now(); {
	case !q.Listens(now):
		w.terminal.Say("Too quick. Type it again.")
	case key == "enter":
		return w.enter()
	case named:
		cmd := w.press(key)
		if q.Len() > 0 && !q.Focused() {
			w.terminal.Say("The question waits. A line with .question comes back to it.")
		}
		return cmd
	case q.Writing():
		w.sending, w.answered = true, l.Text
		if l.Text != "" { // an empty line keeps what is there
			q.Write(l.Text, now)
		}
		of := w.question.Of
		return tea.Batch(w.follow(), w.model.win.After(consent.Quiet+consent.Alone, func(time.Time) tea.Msg { return enterMsg{of} }))
	case q.Confirms() && strings.EqualFold(word, "yes"):
		cmd := w.press("enter")
		if q.Confirms() { // it came too soon to count
			w.confirms = false
		}
		return cmd
	case utf8.RuneCountInString(word) == 1:
		return w.letters(word)
	case word == "" && q.FillsForm():
		return w.press("enter")
	case word == "":
		w.terminal.Say(sayChoice)
	default:
		w.drafted(drafts.Draft{Text: l.Text})
		w.terminal.Say("That is no choice. It is kept as the draft; the question waits for the number or the letter of a choice.")
	}
	return nil
}

// enter takes a line with .enter. It answers with no row that was chosen.
func (w *lineWindow) enter() tea.Cmd {
	switch q := w.model.win.Front.Questions; {
	case q.Confirms():
		w.terminal.Say(sayYes)
	case q.Writing(), q.FillsForm():
		return w.press("enter")
	default:
		w.terminal.Say(sayChoice)
	}
	return nil
}

// lineTerminal makes a terminal say and give lines, and returns what reads it and what lends it to another program.
func lineTerminal(c Config) (t *lines.Terminal, in io.Reader, lend func(run func() error) error, back func(), err error) {
	if !term.IsTerminal(c.In.Fd()) {
		return lines.NewTerminal(c.Out, false, lines.Real(c.Now)), c.In, func(run func() error) error { return run() }, func() {}, nil
	}
	letters, err := lines.ByLetter(c.In)
	if err != nil {
		return nil, nil, nil, nil, err
	}
	return lines.NewTerminal(c.Out, letters.Echoed(), lines.Real(c.Now)), letters, letters.Lend, letters.Close, nil
}
