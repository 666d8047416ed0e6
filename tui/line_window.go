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

	"parley/prompts/consent"
	"parley/render/text"
	"parley/terminal/lines"
	"parley/tui/conversation"
	"parley/tui/keymap"
	"parley/tui/narrator"
)

// What is drawn for a terminal that only gets more lines is never on a screen: cards,
// panels and lists are drawn whole, to be said.
const lineWidth, lineHeight = 100, 150

// lineWindow is the model as the program runs it where lines are said and read: nothing is
// drawn in place. What cards, panels and lists say is said once, and again where it changed.
type lineWindow struct {
	model    *Model
	terminal *lines.Terminal
	panicGuard

	entries  narrator.Entries
	prompt   string // sent last
	question saidText
	cover    saidText
	confirms uint64 // the Say that asked for a yes; 0: none did
	focused  uint64 // the card that got the focus, by its generation
	sending  bool   // Enter comes after an answer that was written
	waiting  []lines.Line
	hint     string
	busy     bool
	work     int // how often the agent has begun to work
	greeted  bool
}

// saidText is a drawing that is said.
type saidText struct {
	narrator.Drawing
	asked uint64 // the Say that said the last of it
}

// lineMsg is a line that the user typed, keyMsg a key.
type (
	lineMsg lines.Line
	keyMsg  lines.Key
	// enterMsg is Enter after an answer that was written to the question that is said.
	enterMsg struct{ of any }
	// stillMsg is the time to say that the agent still works, on what it was then.
	stillMsg struct{ work int }
)

// runLines runs the model where lines are said and read, until the user leaves it or ctx ends.
func runLines(ctx context.Context, c Config) (*Model, error) {
	t, lend, back, err := lineTerminal(c)
	if err != nil {
		return nil, err
	}
	defer back()
	ctx, hide := context.WithCancel(ctx)
	defer hide()
	c.LowBandwidth = "on" // nothing moves, and little is drawn
	m := newModel(ctx, c, saying(outside(ctx, c, nil, func() {}, lend), t))
	w := &lineWindow{model: m, terminal: t, panicGuard: panicGuard{end: hide}}
	m.display.Resize(lineWidth, lineHeight)
	program := tea.NewProgram(w, tea.WithContext(ctx), tea.WithoutSignalHandler(), tea.WithInput(nil),
		tea.WithOutput(io.Discard), tea.WithoutRenderer(), tea.WithEnvironment(c.Env))
	t.Read(c.In, lines.Typed{
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
	return w, w.guard(tea.Batch(cmd, w.say()))
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
	return w.press("ctrl+c")
}

// keys are the words for keys, each on a line of its own.
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
	case over != nil && (w.cover.Of != over || l.Heard < w.cover.asked),
		over == nil && q.Focused() && (w.question.Of != q.Generation() || l.Heard < w.question.asked):
		return w.keep(l.Text)
	case over != nil:
		return w.choose(l.Text)
	case q.Focused():
		return w.answer(l)
	case q.Len() > 0 && strings.TrimSpace(l.Text) == ".question":
		q.Focus(w.model.win.Config.Now())
		w.question = saidText{}
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

// send takes a line as a prompt or a command, or as a part of one.
func (w *lineWindow) send(line string) tea.Cmd {
	front := w.model.win.Front
	part, more := strings.CutSuffix(line, `\`)
	switch {
	case line == "" && front.Composer.Empty():
		return nil
	case line == "":
		return w.press("enter")
	case more:
		front.Draft.Insert(part + "\n")
		return nil
	}
	w.prompt = front.Composer.Text() + line
	return tea.Batch(w.input(tea.PasteMsg{Content: line}), w.press("enter"))
}

// written ends the answer that was written, and takes the lines that came meanwhile.
func (w *lineWindow) written(msg enterMsg) tea.Cmd {
	var cmds []tea.Cmd
	q := w.model.win.Front.Questions
	if w.question.Of == msg.of && q.Generation() == msg.of && q.Writing() {
		cmds = append(cmds, w.press("enter"))
	}
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
	w.model.win.Front.Draft.Insert(line)
	w.terminal.Say("Your line was begun before that was said. It is kept as the draft, and answers nothing.")
	return nil
}

// sayYes asks for the word that confirms.
const sayYes = "Type yes and press Enter to confirm."

// answer takes a line as the answer to the question that was said.
func (w *lineWindow) answer(l lines.Line) tea.Cmd {
	q := w.model.win.Front.Questions
	word := strings.TrimSpace(l.Text)
	key, named := keyWords[word]
	switch now := w.model.win.Config.Now(); {
	case !q.Listens(now):
		w.terminal.Say("Too quick. Type it again.")
	case key == "enter" && q.Confirms():
		w.terminal.Say(sayYes)
	case named:
		return w.press(key)
	case q.Writing():
		w.sending = true
		of := w.question.Of
		return tea.Batch(w.letters(l.Text), w.model.win.After(consent.Quiet+consent.Alone, func(time.Time) tea.Msg { return enterMsg{of} }))
	case q.Confirms() && w.confirms > 0 && l.Heard >= w.confirms && strings.EqualFold(word, "yes"):
		cmd := w.press("enter")
		if q.Confirms() { // it came too soon to count
			w.confirms = 0
		}
		return cmd
	case utf8.RuneCountInString(word) == 1:
		return w.letters(word)
	case word == "":
		w.terminal.Say("A question waits: type the number or the letter of a choice.")
	default:
		w.model.win.Front.Draft.Insert(l.Text)
		w.terminal.Say("That is no choice. It is kept as the draft; the question waits for the number or the letter of a choice.")
	}
	return nil
}

// say says what is new.
func (w *lineWindow) say() tea.Cmd {
	front := w.model.win.Front
	places := narrator.Places{Home: w.model.win.Config.Home, Dir: front.Info.Dir, Zone: w.model.win.Zone}
	w.terminal.Say(w.entries.Next(front.Timeline, w.prompt, places)...)
	w.sayCover()
	w.sayQuestion()
	if hint := text.Unstyled(front.Hinted()); hint != w.hint {
		if w.hint = hint; hint != "" {
			w.terminal.Say(hint)
		}
	}
	if !w.greeted && front.Session != nil {
		w.greeted = true
		w.terminal.Say("Parley, " + front.Info.Agent + ". Type what should be done and press Enter. /help has the commands.")
	}
	busy := front.Busy()
	if busy == w.busy {
		return nil
	}
	if w.busy = busy; !busy {
		w.terminal.Say("Ready.")
		return nil
	}
	w.work++
	return w.stillLater()
}

// stillTime is how often it is said that the agent still works.
const stillTime = 30 * time.Second

func (w *lineWindow) stillLater() tea.Cmd {
	msg := stillMsg{w.work}
	return w.model.win.After(stillTime, func(time.Time) tea.Msg { return msg })
}

// still says that the agent still works, if it does and waits for no answer.
func (w *lineWindow) still(msg stillMsg) tea.Cmd {
	front := w.model.win.Front
	if !front.Busy() || msg.work != w.work {
		return nil
	}
	w.draw()
	if facts := w.model.display.View.Facts; front.Questions.Len() == 0 && facts.Moves() {
		w.terminal.Say("Working: " + facts.Doing() + ". Ctrl+c interrupts.")
	}
	return w.stillLater()
}

// draw draws the window as it is now, not as it was when a frame was due.
func (w *lineWindow) draw() {
	w.model.frame.open = true
	w.model.draw()
}

// sayQuestion says the card in front, and what changes on it.
func (w *lineWindow) sayQuestion() {
	q := w.model.win.Front.Questions
	if q.Len() == 0 {
		w.question, w.confirms = saidText{}, 0
		return
	}
	if w.focused != q.Generation() { // also where there is a draft, and whatever is kept as one later
		w.focused = q.Generation()
		q.Focus(w.model.win.Now)
	}
	if !q.Listens(w.model.win.Now) { // it is said as it is then
		return
	}
	first := w.question.Of != q.Generation()
	w.draw()
	w.sayDrawing(&w.question, q.Generation(), w.model.display.View.Card)
	if first {
		w.terminal.Ring()
		w.terminal.Say("Type a choice, or your answer, and press Enter. " +
			"A line with . leaves the question waiting; .tab and .more are those keys.")
	}
	switch confirms := q.Confirms(); {
	case !confirms:
		w.confirms = 0
	case w.confirms == 0:
		w.terminal.Say(sayYes)
		w.confirms = w.terminal.Asked()
	}
}

// sayCover says what lies over the conversation, and what changes on it.
func (w *lineWindow) sayCover() {
	o := w.model.win.Overlay
	if o == nil {
		w.cover = saidText{}
		return
	}
	o.SetFacts(w.model.tabs.overlayFacts())
	drawn, _ := o.View(lineWidth, lineHeight)
	w.sayDrawing(&w.cover, o, drawn)
}

// sayDrawing says what is new in a drawing.
func (w *lineWindow) sayDrawing(of *saidText, what any, drawn []string) {
	fresh := of.Next(what, drawn)
	w.terminal.Say(fresh...)
	if len(fresh) > 0 {
		of.asked = w.terminal.Asked()
	}
}

// lineTerminal makes a terminal say and give lines, and returns what lends it to another program.
func lineTerminal(c Config) (t *lines.Terminal, lend func(run func() error) error, back func(), err error) {
	if !term.IsTerminal(c.In.Fd()) {
		return lines.NewTerminal(c.Out, false, c.Now), func(run func() error) error { return run() }, func() {}, nil
	}
	letters, err := lines.ByLetter(c.In)
	if err != nil {
		return nil, nil, nil, err
	}
	return lines.NewTerminal(c.Out, letters.Echoed(), c.Now), letters.Lend, letters.Close, nil
}
