package demo

import (
	"fmt"
	"slices"
	"strings"
	"unicode"

	"github.com/google/uuid"

	"parley/session"
)

// install is how to get the real agent.
const install = "npm install -g @github/copilot"

// scene is something that the demo plays when its word is in the prompt.
type scene struct {
	word, shows string
	play        func(*turn) error
}

// scenes are what the demo can play, in the order in which their words count.
func scenes() []scene {
	return []scene{
		{"question", "a question with choices", (*turn).playQuestion},
		{"parallel", "three tools at once that only read, so nobody asks you", (*turn).playParallel},
		{"slow", "a command that runs for twenty seconds", (*turn).playSlow},
		{"error", "a request that fails, is tried again, and fails", (*turn).playError},
		{"huge", "an answer of 200 KB", func(t *turn) error { return t.playLong(200 << 10) }},
		{"long", "a long answer in markdown", func(t *turn) error { return t.playLong(6 << 10) }},
	}
}

// play plays the scene that the prompt names, or else the tour, and answers
// what was said meanwhile.
func (t *turn) play() error {
	play := (*turn).playTour
	words := strings.FieldsFunc(strings.ToLower(t.prompt.in.Prompt), func(r rune) bool { return !unicode.IsLetter(r) })
	for _, s := range scenes() {
		if slices.Contains(words, s.word) {
			play = s.play
			break
		}
	}
	if err := play(t); err != nil {
		return err
	}
	for t.steering() {
		if err := t.call(reply{text: "That was all the demo had to say."}); err != nil {
			return err
		}
	}
	return nil
}

// steering reports whether something was said that no model call has taken in.
func (t *turn) steering() bool {
	t.s.mu.Lock()
	defer t.s.mu.Unlock()
	return len(t.s.steering) > 0
}

// playTour asks for one permission and explains what was seen.
func (t *turn) playTour() error {
	c := shell("touch hello.txt && ls -la", "create an empty file in the demo's scratch folder and list it")
	asked := !t.allowed(c.asks)
	text := "This is the **demo**: no model reads what you write, and nothing leaves this machine. I will run one " +
		"harmless command in a scratch folder."
	if asked {
		text += " It waits for your permission, in the card below."
	}
	if err := t.call(reply{
		reasoning: "The person wrote something. A demo cannot know what it means, so the most useful answer is to show " +
			"what a turn looks like: thinking, an answer, a tool that needs permission, and its result.",
		text: text, tools: []*tool{c},
	}); err != nil {
		return err
	}
	return t.call(reply{text: t.tour(asked)})
}

// tour explains what was seen, which keys there are, and how to go on.
func (t *turn) tour(asked bool) string {
	var b strings.Builder
	b.WriteString("## What you just saw\n\n")
	switch {
	case t.feedback != "":
		fmt.Fprintf(&b, "You refused the command and said why: *%s*. A real agent would try another way; that is what "+
			"happens when you refuse **with a reason**. Refused without one, it stops.\n", firstLine(t.feedback))
	case asked:
		b.WriteString("- my **thinking**, then an answer, streamed as a model writes it\n" +
			"- a **tool call** that waited for you, ran for real, and printed its output\n" +
			"- this summary, from a second call of the \"model\"\n")
	default:
		b.WriteString("The command ran **without asking**: you allowed it for this session.\n")
	}
	b.WriteString("\n## Keys\n\n" +
		"| Key | What it does |\n|---|---|\n" +
		"| `Enter` | sends; while I work it *steers*: I read it at my next step |\n" +
		"| `ctrl+q` | queues a prompt for when I am done |\n" +
		"| `Esc` `Esc` | interrupts me |\n" +
		"| `y` `s` `n` | on a card: allow once, for the session, refuse and say why |\n" +
		"| `shift+Enter` or `ctrl+j` | a new line |\n" +
		"| `/` | commands; try `/help` |\n\n" +
		"## More to try\n\nPut one of these words into a prompt:\n\n")
	for _, s := range scenes() {
		fmt.Fprintf(&b, "- **%s**: %s\n", s.word, s.shows)
	}
	fmt.Fprintf(&b, "\n## The real thing\n\n```sh\n%s\n```\n\nThen start `parley` again: it finds the Copilot CLI by itself.\n", install)
	return b.String()
}

// playQuestion asks the person something.
func (t *turn) playQuestion() error {
	if err := t.call(reply{
		reasoning: "The person wants to see a question.",
		tools:     []*tool{askUser("Which of these shall the demo praise?", "tabs", "spaces", "neither")},
	}); err != nil {
		return err
	}
	return t.call(reply{text: fmt.Sprintf("You answered *%s*. An excellent choice, as every choice would have been.", firstLine(t.answer))})
}

// playParallel runs three tools that only read.
func (t *turn) playParallel() error {
	tools := []*tool{
		shellReading("ls -la", "list the scratch folder"),
		view("notes.md"),
		shellReading("wc -l *", "count the lines of its files"),
	}
	if err := t.call(reply{text: "I look at three things at once. They only read, so you are not asked.", tools: tools}); err != nil {
		return err
	}
	return t.call(reply{text: "All three are done. Their output is folded; `ctrl+o` shows it."})
}

// playSlow runs a command long enough to be interrupted.
func (t *turn) playSlow() error {
	if err := t.call(reply{
		text:  "I count to twenty, a line each second. `Esc` `Esc` stops me.",
		tools: []*tool{shell("sh count.sh", "count slowly")},
	}); err != nil {
		return err
	}
	return t.call(reply{text: "Done counting."})
}

// playError fails like a model's provider that has trouble: one call is cut off
// while it streams and tried again, then there is no more to try.
func (t *turn) playError() error {
	if err := t.start(); err != nil {
		return err
	}
	model := t.s.currentModel()
	cut := reply{text: "This answer will be cut off in the"}
	if err := t.stream("", session.MessageID(uuid.NewString()), cut); err != nil {
		return err
	}
	t.streaming = false
	failed := session.ModelCallFailure{
		Model: model, StatusCode: 503, RetryAttempt: 1, FailureKind: "api",
		ErrorMessage: "The demo's model is overloaded.",
	}
	if err := t.emit(failed,
		session.AssistantTurnRetry{TurnID: t.id(), Model: model, Reason: "api_error"},
		session.SessionInfo{InfoType: "model_retry", Message: "Request failed due to a transient API error. Retrying..."},
	); err != nil {
		return err
	}
	if err := t.s.wait(t.ctx, 60); err != nil {
		return err
	}
	failed.RetryAttempt = 2
	if err := t.emit(failed); err != nil {
		return err
	}
	if err := t.finish(); err != nil {
		return err
	}
	if err := t.emit(session.SessionError{
		ErrorType: "query", StatusCode: 503, OriginatingMessageID: t.prompt.id,
		Message: "The demo failed on purpose, after one retry. Send another prompt to go on.",
	}); err != nil {
		return err
	}
	return errFailed
}

// playLong answers at length.
func (t *turn) playLong(size int) error {
	return t.call(reply{reasoning: "The person wants a lot of text.", text: prose(size)})
}

// prose is markdown of at least size bytes: every kind of block, over and over.
func prose(size int) string {
	var b strings.Builder
	for n := 1; b.Len() < size; n++ {
		fmt.Fprintf(&b, "## Part %d\n\nThis is paragraph text with **strong**, *emphasised* and `code` words, a "+
			"[link](https://example.org/%d), wide characters (日本語, 한국어) and an emoji 🎉. It goes on for a while, so "+
			"that it has to be wrapped on any screen, and then it ends.\n\n", n, n)
		fmt.Fprintf(&b, "- item %d of a list\n- another one\n  - with one below it\n\n1. first\n2. second\n\n", n)
		fmt.Fprintf(&b, "```go\n// part%d adds its arguments.\nfunc part%d(a, b int) int {\n\treturn a + b + %d\n}\n```\n\n", n, n, n)
		fmt.Fprintf(&b, "| name | value |\n|---|---:|\n| part | %d |\n| square | %d |\n\n> A quotation, for good measure.\n\n", n, n*n)
	}
	b.WriteString("That is all.\n")
	return b.String()
}
