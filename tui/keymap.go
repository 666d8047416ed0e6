package tui

import (
	"slices"
	"strings"

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
}

// Changed reports whether the action has other keys than the table says.
func (a Action) Changed() bool {
	return len(a.Keys) != len(a.Default) ||
		slices.ContainsFunc(a.Keys, func(k string) bool { return !slices.Contains(a.Default, k) })
}

// Actions are all actions with the keys of a user, in the order of the table
// of commands, and what is wrong with these keys; then they are the table's own.
func Actions(k settings.Keys) ([]Action, []error) {
	km, wrong := newKeymap(k)
	return km.actions, wrong
}

// CheckKeys says what is wrong with a user's keys: where, and what to write in
// its place.
func CheckKeys(k settings.Keys) []error {
	if k.Preset == "" && len(k.Bindings) == 0 {
		return nil // every start that changes nothing comes here
	}
	_, wrong := newKeymap(k)
	return wrong
}

// keymap says what keys do: the table of commands with the user's keys, and
// for the parts that have their keys built in, which of these a press stands
// for. It never changes.
type keymap struct {
	commands []Command
	leader   string
	actions  []Action
	byName   map[string]Action
	// acts are, by the scope, what the keys of a part of the window do.
	acts map[string]map[string]string
	// meant are, by the scope, the keys of the editor and of questions that presses
	// stand for; "" is none any more. shown are the user's keys for these; "" is
	// none.
	meant, shown map[string]map[string]string
}

// newKeymap makes the user's keys of the table. With keys that cannot be, it
// returns the table's own, and what is wrong with each.
func newKeymap(k settings.Keys) (*keymap, []error) {
	b := newBinder(k)
	b.bind()
	if len(b.wrong) > 0 {
		own, _ := newKeymap(settings.Keys{Path: k.Path})
		return own, b.wrong
	}
	km := &keymap{
		commands: b.table, leader: b.leader, actions: b.actions,
		byName: make(map[string]Action, len(b.actions)), acts: b.acts(),
		meant: map[string]map[string]string{}, shown: map[string]map[string]string{},
	}
	for _, a := range b.actions {
		km.byName[a.Name] = a
	}
	if !slices.ContainsFunc(b.actions, Action.Changed) {
		return km, nil // nothing stands for anything else
	}
	for i, c := range km.commands {
		km.commands[i].Keys = km.keysOf(c)
	}
	for _, scope := range ownKeys {
		km.meant[scope], km.shown[scope] = b.built(scope)
	}
	return km, nil
}

// keysOf are the user's keys of a row: as the table has them, if they are
// these.
func (km *keymap) keysOf(c Command) []string {
	var keys, names []string
	changed := false
	for _, name := range c.actions() {
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

// actions are the names of what each key of the row does; without keys, of what
// the row does.
func (c Command) actions() []string {
	if len(c.Acts) == 0 {
		return slices.Repeat([]string{c.ID}, max(1, len(c.Keys)))
	}
	names := make([]string, 0, len(c.Acts))
	for _, act := range c.Acts {
		names = append(names, c.ID+"."+act)
	}
	return names
}

// action is what a press does in a part of the window; "" is nothing.
func (km *keymap) action(scope string, press tea.KeyPressMsg) string {
	return km.acts[scope][keyName(press)]
}

// press is what a press is to the editor and to questions, which have their keys
// built in; not ok means that it is nothing there any more.
func (km *keymap) press(scope string, press tea.KeyPressMsg) (as tea.KeyPressMsg, ok bool) {
	key, bound := km.meant[scope][keyName(press)]
	switch {
	case !bound:
		return press, true
	case key == "":
		return press, false
	}
	as = stroke(key)
	as.IsRepeat = press.IsRepeat
	return as, true
}

// show names the first keys of actions, which are separated by blanks; "" if they
// have none.
func (km *keymap) show(actions string) string {
	var keys []string
	for name := range strings.FieldsSeq(actions) {
		if key := firstKey(km.byName[name]); key != "" {
			keys = append(keys, key)
		}
	}
	return strings.Join(keys, " ")
}

// keyFor is how the user gets to an action: its first key, or else its
// command; "" if there is neither.
func (km *keymap) keyFor(name string) string {
	if keys := km.byName[name].Keys; len(keys) > 0 {
		return keys[0]
	}
	for _, c := range km.commands {
		if c.ID == name && c.Slash != "" {
			return "/" + c.Slash
		}
	}
	return ""
}

// own are, in a scope of the editor or of questions, the keys of theirs that presses
// stand for, by what a press writes or else is called; the zero key is none. shown
// are the user's keys for them; "" is none. A key that is not in it is its own.
func (km *keymap) own(scope string) (meant map[string]tea.KeyPressMsg, shown map[string]string) {
	meant = make(map[string]tea.KeyPressMsg, len(km.meant[scope]))
	for key, as := range km.meant[scope] {
		meant[key] = tea.KeyPressMsg{}
		if as != "" {
			meant[key] = stroke(as)
		}
	}
	return meant, km.shown[scope]
}

// keys are the keys of an action.
func (km *keymap) keys(action string) []string { return km.byName[action].Keys }

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
