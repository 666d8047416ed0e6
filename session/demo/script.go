package demo

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
)

// install is how to get the real agent.
const install = "npm install -g @github/copilot"

// scene is something that the demo plays when its word is in a short prompt.
type scene struct {
	word, shows string
	play        func(*turn) error
}

// family is scenes that belong together.
type family struct {
	name   string
	scenes []scene
}

// families are what the demo can play, in the order in which the words count.
func families() []family {
	return []family{
		{"Everything", []scene{
			{"tour", "what a newcomer should see, in two minutes", (*turn).playTour},
		}},
		{"Permission cards", []scene{
			{"permissions", "all of these", (*turn).playPermissions},
			{"write", "a change to a file, with its diff", (*turn).playWrite},
			{"read", "a file", (*turn).playRead},
			{"path", "a file outside the folder", (*turn).playPath},
			{"url", "an address", (*turn).playURL},
			{"mcp", "a tool of a server", (*turn).playMCP},
			{"memory", "something to remember", (*turn).playMemory},
			{"custom", "a tool of a client", (*turn).playCustom},
			{"danger", "a command that deletes", (*turn).playDanger},
		}},
		{"Questions", []scene{
			{"question", "choices, or your own words", (*turn).playQuestion},
			{"form", "fields to fill in", (*turn).playForm},
			{"plan", "a plan to approve", (*turn).playPlan},
			{"link", "a page to open", (*turn).playLink},
			{"sign-in", "a server that wants you to sign in", (*turn).playSignIn},
			{"limit", "a session that has used all it may", (*turn).playLimit},
		}},
		{"Work", []scene{
			{"parallel", "three tools at once, which only read", (*turn).playParallel},
			{"slow", "a command of twenty seconds", (*turn).playSlow},
			{"progress", "a tool that says how far it is", (*turn).playProgress},
			{"agent", "two sub-agents, one of which fails", (*turn).playAgent},
			{"background", "a command and a sub-agent that go on", (*turn).playBackground},
			{"todos", "a list of what is to do", (*turn).playTodos},
		}},
		{"Trouble", []scene{
			{"notices", "information, warning, error", (*turn).playNotices},
			{"retry", "a request that fails once", (*turn).playRetry},
			{"error", "a request that fails for good", (*turn).playError},
		}},
		{"Text", []scene{
			{"huge", "200 KB, or as many as you say: `huge 1000`", (*turn).playHuge},
			{"long", "a long answer in markdown", (*turn).playLong},
		}},
	}
}

// shortPrompt is how many words a prompt may have for one of them to name a
// scene. In a longer one they mean what they say.
const shortPrompt = 5

// named returns the scene that a prompt names. One word in the singular or the
// plural is enough.
func named(prompt string) (scene, bool) {
	singular := func(word string) string { return strings.TrimSuffix(word, "s") }
	words := strings.FieldsFunc(strings.ToLower(prompt), func(r rune) bool { return !unicode.IsLetter(r) && r != '-' })
	if len(words) > shortPrompt {
		return scene{}, false
	}
	for _, f := range families() {
		for _, s := range f.scenes {
			if slices.ContainsFunc(words, func(w string) bool { return singular(w) == singular(s.word) }) {
				return s, true
			}
		}
	}
	return scene{}, false
}

// script is what the model does about what it hears: it plays the scene that
// the prompt names, or else a small one that tells which there are.
func (h heard) script() func(*turn) error {
	if h.over != "" {
		return (*turn).playOver
	}
	if s, ok := named(h.prompt); ok {
		return s.play
	}
	return (*turn).playHello
}

// play plays a scene, and answers what was said meanwhile.
func (t *turn) play() error {
	if err := listen(t.s.out.messages("")).script()(t); err != nil {
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

// hello is the command of the small scene.
func (t *turn) hello() *tool {
	return t.shell("touch hello.txt && ls -la", "create an empty file in the demo's scratch folder and list it")
}

// playHello asks for one permission and explains what was seen.
func (t *turn) playHello() error {
	c := t.hello()
	greet := func(h heard) string {
		text := "This is the **demo**: no model reads what you write, and nothing leaves this machine. I will run one " +
			"harmless command in a scratch folder."
		if h.allows(c.permits...) {
			return text
		}
		return text + waits
	}
	if err := t.call(reply{
		reasoning: "The person wrote something. A demo cannot know what it means, so the most useful answer is to show " +
			"what a turn looks like: thinking, an answer, a tool that needs permission, and its result.",
		hears: greet, tools: []*tool{c},
	}); err != nil {
		return err
	}
	return t.call(reply{hears: heard.explanation})
}

// waits is said of a call that needs permission.
const waits = " It waits for your permission, in the card below: press `y`."

// explanation says what was seen, which keys there are, and how to go on.
func (h heard) explanation() string {
	var b strings.Builder
	b.WriteString("## What you just saw\n\n")
	switch {
	case h.outcome("") != "":
		b.WriteString(h.outcome("") + "\n")
	case strings.HasSuffix(h.said, waits):
		b.WriteString("- my **thinking**, then an answer, streamed as a model writes it\n" +
			"- a **tool call** that waited for you, ran for real, and printed its output\n" +
			"- this summary, from a second call of the \"model\"\n")
	default:
		b.WriteString("The command ran **without asking**: you allowed it.\n")
	}
	b.WriteString("\n## Keys\n\n" + keys + "\n" + words() + "\n" + realThing())
	return b.String()
}

// keys are the keys that a newcomer needs.
const keys = "| Key | What it does |\n|---|---|\n" +
	"| `Enter` | sends; while I work it *steers*: I read it at my next step |\n" +
	"| `ctrl+q` | queues a prompt for when I am done |\n" +
	"| `Esc` `Esc` | interrupts me |\n" +
	"| `y` `s` `n` | on a card: allow once, for the session, refuse and say why |\n" +
	"| `shift+Enter` or `ctrl+j` | a new line |\n" +
	"| `ctrl+o` `ctrl+t` | show tool output, and thinking, whole |\n" +
	"| `/` | commands; try `/help` |\n"

// words lists what a prompt can name.
func words() string {
	var b strings.Builder
	b.WriteString("## More to try\n\nSend one of these words:\n\n")
	for _, f := range families() {
		var shown []string
		for _, s := range f.scenes {
			shown = append(shown, fmt.Sprintf("**%s** (%s)", s.word, s.shows))
		}
		fmt.Fprintf(&b, "- %s: %s\n", f.name, strings.Join(shown, ", "))
	}
	return b.String()
}

// realThing says how to get the real agent.
func realThing() string {
	return fmt.Sprintf("## The real thing\n\n```sh\n%s\n```\n\nThen start `parley` again: it finds the Copilot CLI by itself.\n", install)
}
