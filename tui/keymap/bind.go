package keymap

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"parley/settings"
	"parley/settings/didyoumean"
)

// The scopes in which a key does one thing only are the contexts of the table;
// what can be done without looking into a part is one with the composer. Text
// input has keys of its own: in a query, on a line of a question, in an answer
// of a form.
const (
	InQuery    = "Query"
	InLine     = "Line"
	InFormLine = "Form line"
)

// ownKeys are the scopes in which presses stand for other keys: those of the editor
// and of questions, which know nothing of actions.
var ownKeys = []string{InComposer, InQuestion, InForm, InQuery, InLine, InFormLine}

// parts are the scopes in which presses stand for actions.
func parts() []string {
	var scopes []string
	for _, g := range table() {
		if g.BuiltIn && !slices.Contains(ownKeys, g.Context) {
			scopes = append(scopes, g.Context)
		}
	}
	return scopes
}

// builtIn are the scopes in which keys are not those of commands.
func builtIn() []string { return slices.Concat(parts(), ownKeys) }

// leaderAction is what the first press of a chord does.
const leaderAction = "leader"

// binder makes the keys of actions of the table, a preset and the user's own
// bindings.
type binder struct {
	file    settings.Keys
	preset  map[string][]string
	table   []Command
	rows    map[string]Command // of actions
	actions []Action
	where   map[string]string // actions whose keys are not the table's: who says so
	leader  string
	wrong   []error
}

func newBinder(k settings.Keys) *binder {
	table := Commands()
	room := 2 * len(table) // most rows have one action or two
	b := &binder{file: k, rows: make(map[string]Command, room), actions: make([]Action, 0, room), where: map[string]string{}}
	preset, ok := presets[cmp.Or(k.Preset, "copilot")]
	if !ok {
		b.fail("preset", "there is no preset %q%s; the presets are %s",
			k.Preset, meantKey(k.Preset, PresetNames()), strings.Join(PresetNames(), ", "))
	}
	b.preset, b.leader = preset, leader
	lead := Action{
		Name: leaderAction, Title: "Begin a key of two presses", Context: InComposer,
		Default: []string{leader}, Keys: []string{leader},
	}
	if keys, ok := k.Bindings[leaderAction]; ok {
		lead.Keys = b.read(leaderAction, lead, keys)
		switch {
		case len(lead.Keys) == 1:
			b.leader = lead.Keys[0]
		case len(keys) != 1:
			b.fail(leaderAction, "leader takes one key: without it no key of two presses can be reached")
		}
		b.where[leaderAction] = b.place(leaderAction)
	}
	b.table = withLeader(table, b.leader)
	b.actions = append(b.actions, lead)
	at := make(map[string]int, room)
	for _, c := range b.table {
		for i := range max(1, len(c.Keys)+len(c.Twins)) {
			name := c.action(i)
			n, ok := at[name]
			if !ok {
				n, b.rows[name] = len(b.actions), c
				at[name] = n
				b.actions = append(b.actions, Action{
					Name: name, Title: c.Title, Context: c.Context,
					BuiltIn: c.BuiltIn, Fixed: fixed[name], Keeps: keptKeys[name],
				})
			}
			a := &b.actions[n]
			switch {
			case i < len(c.Keys):
				a.Keys = append(a.Keys, c.Keys[i])
				a.Default = a.Keys
			case len(c.Twins) > 0:
				a.twins = append(a.twins, c.Twins[i-len(c.Keys)])
			}
		}
	}
	return b
}

// bind applies the preset and the user's own bindings, and finds conflicts.
func (b *binder) bind() {
	if len(b.preset)+len(b.file.Bindings) == 0 {
		return // the table has no conflicts
	}
	for _, name := range slices.Sorted(maps.Keys(b.preset)) {
		b.set(name, b.preset[name], "preset "+b.file.Preset)
	}
	for _, name := range slices.Sorted(maps.Keys(b.file.Bindings)) {
		if name != leaderAction {
			b.set(name, b.file.Bindings[name], b.place(name))
		}
	}
	b.conflicts()
	slices.SortStableFunc(b.wrong, func(x, y error) int { return cmp.Compare(lineOf(x), lineOf(y)) })
}

// mistake is what is wrong in a line of a file of keys.
type mistake struct {
	line int
	text string
}

func (m mistake) Error() string { return m.text }

func lineOf(err error) int {
	var m mistake
	_ = errors.As(err, &m)
	return m.line
}

// fail notes what is wrong with what the user said of name.
func (b *binder) fail(name, format string, args ...any) {
	text, line := fmt.Sprintf(format, args...), b.file.Lines[name]
	if line > 0 {
		text = fmt.Sprintf("%s, line %d: %s", b.file.Path, line, text)
	}
	b.wrong = append(b.wrong, mistake{line, text})
}

// place is where the user said the keys of an action.
func (b *binder) place(name string) string {
	if line := b.file.Lines[name]; line > 0 {
		return fmt.Sprintf("line %d", line)
	}
	return "your keys"
}

// set gives an action other keys.
func (b *binder) set(name string, keys []string, where string) {
	i := slices.IndexFunc(b.actions, func(a Action) bool { return a.Name == name })
	if i < 0 {
		b.unknown(name)
		return
	}
	a := &b.actions[i]
	before := len(b.wrong)
	read := b.read(name, *a, keys)
	if a.Keeps != "" && !slices.Contains(read, a.Keeps) && len(b.wrong) == before {
		b.fail(name, "%s keeps %s, so that there is always a way; add it: %s = [%q]", name, a.Keeps, name, a.Keeps)
	}
	if len(b.wrong) == before {
		a.Keys, b.where[name] = read, where
	}
}

// unknown reports that there is no such action, and which may be meant.
func (b *binder) unknown(name string) {
	names := make([]string, 0, len(b.actions))
	var parts []string
	for _, a := range b.actions {
		names = append(names, a.Name)
		if strings.HasPrefix(a.Name, name+".") {
			parts = append(parts, a.Name)
		}
	}
	like := didyoumean.Nearest(name, names)
	switch {
	case len(parts) > 0:
		b.fail(name, "%s is several actions: %s", name, strings.Join(parts, ", "))
	case like != "":
		b.fail(name, "there is no action %q; did you mean %s?", name, like)
	default:
		b.fail(name, "there is no action %q; `parley keys --list` lists them", name)
	}
}

// read reads the keys of an action, and notes those that cannot be.
func (b *binder) read(name string, a Action, texts []string) []string {
	var keys []string
	for _, text := range texts {
		key, err := b.readKey(text)
		if err != nil {
			b.fail(name, "%s: %v", name, err)
			continue
		}
		if why := b.refuses(a, key); why != "" {
			b.fail(name, "%s cannot be %s: %s", name, key, why)
			continue
		}
		if !slices.Contains(keys, key) {
			keys = append(keys, key)
		}
	}
	return keys
}

// readKey reads one press, or two of which the first is the leader.
func (b *binder) readKey(text string) (string, error) {
	presses := strings.Fields(text)
	if text == " " {
		presses = []string{" "}
	}
	switch len(presses) {
	case 1:
		return parseKey(presses[0])
	case 2:
		first := b.leader
		if presses[0] != leaderAction {
			key, err := parseKey(presses[0])
			if err != nil {
				return "", err
			}
			first = key
		}
		second, err := parseKey(presses[1])
		if err != nil {
			return "", err
		}
		if first != b.leader {
			return "", fmt.Errorf("the first of two presses is %s, the leader, not %s", b.leader, first)
		}
		return first + " " + second, nil
	}
	return "", fmt.Errorf("%q is no key: it is one press, or the leader and one press, as in \"%s k\"; %s", text, b.leader, keyGrammar)
}
