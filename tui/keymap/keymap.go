// Package keymap is what can be done and by which keys: the table of commands, the
// presets, and a user's own bindings of them. An action is one thing that keys do,
// and has a name; the parts of the window ask for the action that a press is for and
// never for a key, so that every key can be the user's own.
package keymap

import (
	"cmp"
	"slices"
	"strings"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"parley/settings"
)

// Action is one thing that keys do, as a file of keys names it. A row of the
// table of commands is one, or several.
type Action struct {
	Name    string
	Title   string   // that of its row
	Context string   // where its keys work
	Keys    []string // the user's
	Default []string // the table's
	BuiltIn bool     // it is done by the part that has the keys
	Fixed   string   // why it keeps the keys it has; "" if it can have others
	Keeps   string   // a key that it must keep; "" is none
	twins   []string // of its row; they do nothing any more when it has other keys
}

// Changed reports whether the action has other keys than the table says.
func (a Action) Changed() bool {
	return len(a.Keys) != len(a.Default) ||
		slices.ContainsFunc(a.Keys, func(k string) bool { return !slices.Contains(a.Default, k) })
}

// Actions are all actions with the keys of a user, in the order of the table
// of commands, and what is wrong with these keys; then they are the table's own.
func Actions(k settings.Keys) ([]Action, []error) {
	km, wrong := New(k)
	return km.Actions, wrong
}

// Check returns what is wrong with a user's keys: where, and what to write in
// its place.
func Check(k settings.Keys) []error {
	if k.Preset == "" && len(k.Bindings) == 0 {
		return nil // every start that changes nothing comes here
	}
	_, wrong := New(k)
	return wrong
}

// Map is what keys do: the table of commands with the user's keys, and
// for the parts that have their keys built in, which of these a press stands
// for. It never changes.
type Map struct {
	Commands []Command
	Leader   string
	Actions  []Action
	byName   map[string]Action
	// acts are, by the scope, what the keys of a part of the window do.
	acts map[string]map[string]string
	own  map[string]Bindings // by the scope of the editor and of questions
}

// Bindings are a user's keys where the keys are not those of actions: for the editor
// and for questions, which have theirs built in.
type Bindings struct {
	// Meant is the built-in key that a press stands for, by Name of the press. The
	// zero key is none: the press does nothing any more.
	Meant map[string]tea.KeyPressMsg
	// Shown is the user's key for a built-in one; "" is none. A key that is not in it
	// is its own.
	Shown map[string]string
}

// New makes the user's keys of the table. With keys that cannot be, it
// returns the table's own, and what is wrong with each.
func New(k settings.Keys) (*Map, []error) {
	b := newBinder(k)
	b.bind()
	if len(b.wrong) > 0 {
		own, _ := New(settings.Keys{Path: k.Path})
		return own, b.wrong
	}
	km := &Map{
		Commands: b.table, Leader: b.leader, Actions: b.actions,
		byName: make(map[string]Action, len(b.actions)), acts: b.acts(), own: map[string]Bindings{},
	}
	for _, a := range b.actions {
		km.byName[a.Name] = a
	}
	if !slices.ContainsFunc(b.actions, Action.Changed) {
		return km, nil // nothing stands for anything else
	}
	for i, c := range km.Commands {
		km.Commands[i].Keys = km.keysOf(c)
	}
	for _, scope := range ownKeys {
		km.own[scope] = b.built(scope)
	}
	return km, nil
}

// keysOf are the user's keys of a row: as the table has them, if they are
// these.
func (km *Map) keysOf(c Command) []string {
	var keys, names []string
	changed := false
	for i := range max(1, len(c.Keys)) {
		name := c.action(i)
		if slices.Contains(names, name) {
			continue
		}
		a := km.byName[name]
		names, keys, changed = append(names, name), append(keys, a.Keys...), changed || a.Changed()
	}
	if !changed {
		return c.Keys
	}
	return keys
}

// action is the name of what a key of the row does, by its place among the keys and
// the twins behind them; without keys, of what the row does.
func (c Command) action(i int) string {
	if len(c.Acts) == 0 {
		return c.ID
	}
	return c.ID + "." + c.Acts[i%len(c.Acts)]
}

// Action is what a press does in a part of the window; "" is nothing.
func (km *Map) Action(scope string, press tea.KeyPressMsg) string {
	return km.acts[scope][Name(press)]
}

// Press is what a press is to the editor and to questions, which have their keys
// built in; not ok means that it is nothing there any more.
func (km *Map) Press(scope string, press tea.KeyPressMsg) (as tea.KeyPressMsg, ok bool) {
	as, bound := km.own[scope].Meant[Name(press)]
	switch {
	case !bound:
		return press, true
	case as == tea.KeyPressMsg{}:
		return press, false
	}
	as.IsRepeat = press.IsRepeat
	return as, true
}

// Query is what a press is where a query is written: what is typed, or a key of the
// editor's; the zero press is none.
func (km *Map) Query(press tea.KeyPressMsg) tea.KeyPressMsg {
	as, ok := km.Press(InQuery, press)
	if !ok {
		return tea.KeyPressMsg{}
	}
	return as
}

// Show names the first keys of actions, which are separated by blanks; "" if they
// have none.
func (km *Map) Show(actions string) string {
	keys := make([]string, 0, 4) // on the stack
	for name := range strings.FieldsSeq(actions) {
		if key := firstKey(km.byName[name]); key != "" {
			keys = append(keys, key)
		}
	}
	return strings.Join(keys, " ")
}

// KeyFor is how the user gets to an action: its first key, or else its
// command; "" if there is neither.
func (km *Map) KeyFor(name string) string {
	if keys := km.byName[name].Keys; len(keys) > 0 {
		return keys[0]
	}
	for _, c := range km.Commands {
		if c.ID == name && c.Slash != "" {
			return "/" + c.Slash
		}
	}
	return ""
}

// Own are the user's keys in a scope of the editor or of questions.
func (km *Map) Own(scope string) Bindings { return km.own[scope] }

// Keys are the keys of an action.
func (km *Map) Keys(action string) []string { return km.byName[action].Keys }

func firstKey(a Action) string {
	if len(a.Keys) == 0 {
		return ""
	}
	return a.Keys[0]
}

// withLeader is a table whose chords begin with another key.
func withLeader(table []Command, key string) []Command {
	for i, c := range table {
		table[i].Keys = slices.Clone(c.Keys)
		for n, k := range c.Keys {
			if second, ok := strings.CutPrefix(k, leader+" "); ok {
				table[i].Keys[n] = key + " " + second
			}
		}
	}
	return table
}

// HintsOf are bindings as hints show them, of pairs of keys, which are separated by
// blanks, and what these do. Those that have no key are left out.
func HintsOf(pairs ...string) []key.Binding {
	hints := make([]key.Binding, 0, len(pairs)/2)
	for i := 0; i+1 < len(pairs); i += 2 {
		if keys := pairs[i]; keys != "" {
			var b key.Binding
			b.SetKeys(strings.Fields(keys)...)
			b.SetHelp(keys, pairs[i+1])
			hints = append(hints, b)
		}
	}
	return hints
}

// Hints are hints of actions, with the user's keys for them: pairs of actions, which
// are separated by blanks, and what they do. Arrows are drawn as such where there is
// Unicode.
func (km *Map) Hints(unicode bool, pairs ...string) []key.Binding {
	shown := slices.Clone(pairs)
	arrows := map[string]string{"up down": "↑↓", "left right": "←→", "shift+up shift+down": "shift+↑↓"}
	for i := 0; i < len(pairs); i += 2 {
		shown[i] = km.Show(pairs[i])
		if unicode {
			shown[i] = cmp.Or(arrows[shown[i]], shown[i])
		}
	}
	return HintsOf(shown...)
}

// Fill is a text with the user's key, or the command, for each {action} in it.
func (km *Map) Fill(text string) string { return km.fill(text, "%") }

// FillFormat is the same for a format of package fmt.
func (km *Map) FillFormat(format string) string { return km.fill(format, "%%") }

// fill fills a text; percent stands for a percent sign of a key.
func (km *Map) fill(text, percent string) string {
	var b strings.Builder
	b.Grow(len(text) + 16) // room for a key or two
	for {
		before, rest, open := strings.Cut(text, "{")
		action, after, closed := strings.Cut(rest, "}")
		if !open || !closed {
			b.WriteString(text)
			return b.String()
		}
		b.WriteString(before)
		key := cmp.Or(km.KeyFor(strings.TrimLeft(action, "{")), "no key")
		b.WriteString(strings.ReplaceAll(key, "%", percent))
		text = after
	}
}
