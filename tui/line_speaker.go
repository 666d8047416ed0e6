package tui

import (
	"regexp"
	"slices"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"parley/render/text"
	"parley/settings"
	"parley/terminal/lines"
	"parley/tui/conversation"
	"parley/tui/narrator"
	"parley/tui/status"
)

// What is drawn for a terminal that only gets more lines is never on a screen: cards,
// panels and lists are drawn whole, to be said.
// Lines of questions are not broken.
const lineWidth, lineHeight, cardWidth = 100, 150, 5000

// lineSpeaker says what a window shows, in lines. What cards, panels and lists say is said
// once, and again where it changed.
type lineSpeaker struct {
	model    *Model
	terminal *lines.Terminal

	entries  narrator.Entries
	prompt   string // sent last
	question saidText
	cover    saidText
	answered string // what the user typed as the answer that is being given
	confirms bool   // a yes was asked for
	focused  uint64 // the card that got the focus, by its generation
	hint     string
	resuming string
	busy     bool
	progress int // after how many seconds it is said that the agent still works
	work     int // how often the agent, or that time, has begun
	greeted  bool
}

// sayYes asks for the word that confirms.
const sayYes = "Type yes and press Enter to confirm."

// sayChoice says what a question takes.
const sayChoice = "A question waits: type the number or the letter of a choice."

// saidText is a drawing that is said.
type saidText struct {
	narrator.Drawing
	asked uint64 // the Say that said the last of it
}

// say says what is new. Where answering, a part of a question that is what the user typed as
// its answer is not.
func (w *lineSpeaker) say(answering bool) tea.Cmd {
	front := w.model.win.Front
	places := narrator.Places{Home: w.model.win.Config.Home, Dir: front.Info.Dir, Zone: w.model.win.Zone}
	prefer := w.model.win.Config.Settings.Reader
	sentences := prefer.Answers == settings.Sentences
	w.terminal.Say(w.entries.Next(front.Timeline, front.ShownID(), w.prompt, sentences, places)...)
	w.sayCover()
	w.sayQuestion()
	if !answering { // what is said next is of another field
		w.answered = ""
	}
	if hint := text.Unstyled(front.Hinted()); hint != w.hint {
		if w.hint = hint; hint != "" {
			w.terminal.Say(hint)
		}
	}
	if resuming := conversation.Resuming(front); resuming != w.resuming {
		if w.resuming = resuming; resuming != "" {
			w.terminal.Say(resuming)
		}
	}
	if !w.greeted && front.Session != nil {
		w.greeted = true
		w.terminal.Say("Parley, " + front.Info.Agent + ". Type what should be done and press Enter. /help has the commands.")
	}
	busy := front.Busy()
	if w.busy && !busy {
		w.terminal.Say("Ready.")
	}
	if busy == w.busy && prefer.Progress == w.progress {
		return nil
	}
	w.busy, w.progress = busy, prefer.Progress
	w.work++
	return w.stillLater()
}

// stillLater has it said later that the agent still works, if it does.
func (w *lineSpeaker) stillLater() tea.Cmd {
	if !w.busy || w.progress == 0 {
		return nil
	}
	msg := stillMsg{w.work}
	return w.model.win.After(time.Duration(w.progress)*time.Second, func(time.Time) tea.Msg { return msg })
}

// status says what the status line knows, an item a line.
func (w *lineSpeaker) status() {
	facts := w.model.statusFacts(w.model.display.View.StatusFacts())
	facts.ActivityShown = false
	w.terminal.Say(status.Spoken(facts)...)
}

// still says that the agent still works, if it does and waits for no answer.
func (w *lineSpeaker) still(msg stillMsg) tea.Cmd {
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
func (w *lineSpeaker) draw() {
	w.model.frame.open = true
	w.model.draw()
}

// focus gives a question that comes in front the focus, also where there is a draft. What is
// kept as one later does not take it.
func (w *lineSpeaker) focus() tea.Cmd {
	q := w.model.win.Front.Questions
	if q.Len() == 0 || w.focused == q.Generation() {
		return nil
	}
	q.Focus(w.model.win.Now)
	w.focused = q.Generation()
	return w.follow()
}

func (w *lineSpeaker) follow() tea.Cmd {
	_, cmd := w.model.Update(followMsg{})
	return cmd
}

// sayQuestion says the card in front, and what changes on it.
func (w *lineSpeaker) sayQuestion() {
	q := w.model.win.Front.Questions
	if q.Len() == 0 {
		w.question, w.confirms = saidText{}, false
		return
	}
	if !q.Ready() { // it is said as it is then
		return
	}
	first := w.question.Of != q.Generation()
	if first || w.model.frame.dirty {
		w.draw()
	}
	said := w.fresh(&w.question, q.Generation(), w.model.display.View.Card, narrator.Plain)
	switch {
	case first && q.Writing():
		said = append(said, "Type your answer and press Enter.")
	case first:
		said = append(said, "Type the letter or the number of a choice and press Enter.")
	}
	switch confirms := q.Confirms(); {
	case !confirms:
		w.confirms = false
	case !w.confirms || len(said) > 0: // for the row that is chosen now
		said, w.confirms = append(said, sayYes), true
	}
	if first {
		w.terminal.Ring()
	}
	w.sayOf(&w.question, said)
}

// sayCover says what lies over the conversation, and what changes on it.
func (w *lineSpeaker) sayCover() {
	o := w.model.win.Overlay
	if o == nil {
		w.cover = saidText{}
		return
	}
	o.SetFacts(w.model.tabs.overlayFacts())
	first := w.cover.Of != o
	drawn, _ := o.View(lineWidth, lineHeight)
	said := w.fresh(&w.cover, o, drawn, narrator.Spoken)
	if len(said) > 0 && narrator.Continues(drawn) {
		said = append(said, "There is more: a line with .more continues.")
	}
	if first {
		said = append(said, "A line filters or chooses, an empty line is Enter, .down and .up move, a line with . closes.")
	}
	w.sayOf(&w.cover, said)
}

// saysAnswer reports whether a row of a form is what the user typed as the answer, alone or
// behind its name.
func (w *lineSpeaker) saysAnswer(row string) bool {
	name, ok := strings.CutSuffix(row, "  "+w.answered)
	return row == w.answered || ok && len(name) > 1 && !choice.MatchString(row)
}

// choice begins a row that can be chosen, or one that says what is wrong.
var choice = regexp.MustCompile(`^(?:> )?\S\s`)

// fresh returns what is new in a drawing, as said says a line.
func (w *lineSpeaker) fresh(of *saidText, what any, drawn []string, said func(string) string) []string {
	fresh := of.Next(what, drawn, said)
	if w.answered != "" {
		fresh = slices.DeleteFunc(fresh, w.saysAnswer)
	}
	return fresh
}

// sayOf says lines of a drawing, at once.
func (w *lineSpeaker) sayOf(of *saidText, lines []string) {
	if len(lines) > 0 {
		w.terminal.Say(lines...)
		of.asked = w.terminal.Asked()
	}
}
