package demo

import (
	_ "embed"
	"fmt"
	"strconv"
	"strings"
	"sync"
	"unicode"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"parley/session"
)

// script is all that the demo can play. It is data: scenes.json.
type script struct {
	Texts    map[string]string // that others include; see text
	Tools    map[string]toolSpec
	Families []family
}

// family is scenes that belong together. The one without a name has those that
// no prompt names.
type family struct {
	Name   string
	Scenes []scene
}

// scene is something that the demo plays when its word is in a short prompt.
type scene struct {
	Word, Shows string
	Steps       []step
}

// step is one thing that happens in a scene: a call of the model, another
// scene, or something that happens in between.
type step struct {
	Think, Say string   // of the model; see text
	Tools      []string // that it calls
	Play       string   // another scene
	Cut        bool     // a call of the model is cut off; what is said next is its second attempt
	Fail       string   // and there is no second one: the turn ends with this error
	action
}

// action is what happens in a tool, or between two calls of the model: a question,
// or else a change of the todos, events and a pause. In its events and texts stand
// $CALL, $REQUEST, $UUID, $SCRATCH, $MODEL, $PLAN and $ANSWER.
type action struct {
	Todos   []session.Todo
	Events  []jsontext.Value
	Wait    int            // in paces
	Ask     jsontext.Value // an event
	Answers map[string]string
	Fails   []string // of Answers: those that stop what asked
}

// toolSpec is a tool that a scene calls. In its arguments and its permission stand
// $FROM and $TO, the texts of an edit, and what stands in an action.
type toolSpec struct {
	Name, Title, Intention string
	Server, ServerTool     string
	Arguments              jsontext.Value
	Permission             jsontext.Value // a permit; none: it only reads
	command
	View       string   // a file of the scratch folder
	Edit       []string // the two texts of which one is put in the place of the other, by the permit
	Background string   // what is pretended to continue when the turn has ended
	Agent      *agentSpec
	Run        []action
	Result     string // "" is what the user answered last
}

// agentSpec is what a sub-agent does. Without an answer it fails.
type agentSpec struct {
	Name, Prompt, Answer string
	Tools                []string
}

//go:embed scenes.json
var scenesJSON []byte

// scenes is the script of the demo, read once.
var scenes = sync.OnceValue(func() *script { return readScript(usesCmd()) })

// readScript reads the script with its commands for sh or for cmd.exe.
func readScript(cmd bool) *script {
	s := &script{}
	if err := json.Unmarshal(scenesJSON, s, json.MatchCaseInsensitiveNames(true)); err != nil {
		panic(err) // it is part of this package
	}
	for name, c := range s.Tools {
		if c.Shell != "" {
			s.Tools[name] = c.runs(cmd)
		}
	}
	return s
}

// values returns what stands for a name in a text, with the arguments that stand behind it.
type values func(name string, args []string) string

// text fills in a text of the script. {{NAME|ARGUMENT}} is an argument of its own, by its
// number, another text of the script, or what value returns; and {{if NAME}}, {{else if NAME}},
// {{else}} and {{end}} choose by whether that is empty.
func (s *script) text(t string, value values, args ...string) string {
	get := func(what string) string {
		given := strings.Split(what, "|")
		name := given[0]
		if i, err := strconv.Atoi(name); err == nil {
			return args[i-1]
		}
		if text, ok := s.Texts[name]; ok {
			return s.text(text, value, given[1:]...)
		}
		switch name {
		case "families":
			return s.families()
		case "install":
			return install
		}
		return value(name, given[1:])
	}
	var b strings.Builder
	shown, chosen := true, false
	for more := true; more; {
		var before, what string
		before, t, more = strings.Cut(t, "{{")
		if shown {
			b.WriteString(before)
		}
		what, t, _ = strings.Cut(t, "}}")
		otherwise, isElse := strings.CutPrefix(what, "else")
		condition, isIf := strings.CutPrefix(strings.TrimSpace(otherwise), "if ")
		switch {
		case what == "end":
			shown = true
		case isIf || isElse:
			chosen = chosen && isElse
			shown = !chosen && (!isIf || get(condition) != "")
			chosen = chosen || shown
		case shown && more:
			b.WriteString(get(what))
		}
	}
	return b.String()
}

// families lists the scenes.
func (s *script) families() string {
	var b strings.Builder
	for _, f := range s.Families[:len(s.Families)-1] {
		var all []string
		for _, sc := range f.Scenes {
			all = append(all, fmt.Sprintf("**%s** (%s)", sc.Word, sc.Shows))
		}
		b.WriteString("- " + f.Name + ": " + strings.Join(all, ", ") + "\n")
	}
	return b.String()
}

// install is how to get the real agent.
const install = "npm install -g @github/copilot"

// shortPrompt is how many words a prompt may have for one of them to name a
// scene. In a longer one they mean what they say.
const shortPrompt = 5

// asked returns the scene that a prompt names. One word in the singular or the
// plural is enough; the scenes count in their order.
func (s *script) asked(prompt string) (steps []step, ok bool) {
	singular := func(word string) string { return strings.TrimSuffix(word, "s") }
	words := strings.FieldsFunc(strings.ToLower(prompt), func(r rune) bool { return !unicode.IsLetter(r) && r != '-' })
	if len(words) > shortPrompt {
		return nil, false
	}
	said := map[string]bool{}
	for _, w := range words {
		said[singular(w)] = true
	}
	for _, f := range s.Families[:len(s.Families)-1] {
		for _, sc := range f.Scenes {
			if said[singular(sc.Word)] {
				return sc.Steps, true
			}
		}
	}
	return nil, false
}

// steps is the scene of that word.
func (s *script) steps(word string) []step {
	for _, f := range s.Families {
		for _, sc := range f.Scenes {
			if sc.Word == word {
				return sc.Steps
			}
		}
	}
	panic("no scene " + word) // it is named in this package
}

// The sizes of long answers, in KB. More than the largest is of no use.
const (
	hugeAnswer  = 200
	largestHuge = 20_000
)

// hugeSize is the first number in a prompt, in KB.
func hugeSize(prompt string) int {
	numbers := strings.FieldsFunc(prompt, func(r rune) bool { return r < '0' || r > '9' })
	if len(numbers) == 0 {
		return hugeAnswer
	}
	n, err := strconv.Atoi(numbers[0])
	if err != nil {
		n = largestHuge // it has more digits than a number can have
	}
	return min(max(n, 1), largestHuge)
}

// prose is markdown of at least size bytes: every kind of block, over and over.
func (s *script) prose(size int) string {
	var b strings.Builder
	for n := 1; b.Len() < size; n++ {
		b.WriteString(s.text(s.Texts["part"], nil, strconv.Itoa(n), strconv.Itoa(n*n)))
	}
	return b.String() + "That is all.\n"
}
