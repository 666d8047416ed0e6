package tui

import (
	"cmp"
	"reflect"
	"strings"

	tea "charm.land/bubbletea/v2"

	"parley/prompts"
	"parley/settings"
)

// keyring is what keys do now.
type keyring struct {
	keymap   *keymap
	commands []Command          // the table
	keys     map[string]Command // those that run, by their keys
	cards    *prompts.Keys      // what all questions look at
	unfold   string             // how all of an entry is shown

	stops, stopsTwice string // which key stops what runs, where one press does and where it takes two; "" without a key
}

// bind takes the keys of a user, and reports what is wrong with them; then
// those that were bound before stay.
func (m *Model) bind(k settings.Keys) []error {
	km, wrong := newKeymap(k)
	if wrong != nil && m.keymap != nil {
		return wrong
	}
	if m.cards == nil {
		m.cards = &prompts.Keys{}
	}
	m.keymap, m.commands, m.keys, *m.cards = km, km.commands, bindings(km.commands), km.cards()
	m.unfold = m.says("{expand} shows all")
	m.stops, m.stopsTwice = "", ""
	if key := m.keyFor("interrupt"); key != "" {
		m.stops, m.stopsTwice = key+" stops", key+" "+key+" stops"
	}
	return wrong
}

// rebind takes keys that have changed while the window is open. A question that
// is shown is shown anew before it listens.
func (m *Model) rebind(before, now settings.Keys) {
	if reflect.DeepEqual(before, now) {
		return
	}
	if wrong := m.bind(now); wrong != nil {
		m.config.Keys = before
		texts := make([]string, 0, len(wrong))
		for _, err := range wrong {
			texts = append(texts, err.Error()+".")
		}
		m.warn("keys", strings.Join(texts, "\n")+" What was set before stays.")
		return
	}
	m.chord, m.armed = false, armed{}
	m.questions.Resize(m.now)
}

// keyFor is how the user gets to an action: its first key, or its command.
func (m *Model) keyFor(name string) string { return m.keymap.keyFor(name) }

// named is a text with the user's key for each {action} in it. percent is what
// stands for a percent sign in it.
func (m *Model) named(text, percent string) string {
	var b strings.Builder
	for {
		before, rest, begun := strings.Cut(text, "{")
		b.WriteString(before)
		name, after, ended := strings.Cut(rest, "}")
		if !begun || !ended {
			return b.String()
		}
		key := cmp.Or(m.keyFor(name), "no key")
		b.WriteString(strings.ReplaceAll(key, "%", percent))
		text = after
	}
}

// says is a text with the user's keys.
func (m *Model) says(text string) string { return m.named(text, "%") }

// inQuery is what a press is where a query is written: what is typed, or a key of
// the editor's.
func (m *Model) inQuery(press tea.KeyPressMsg) tea.KeyPressMsg {
	as, ok := m.keymap.press(inQuery, press)
	if !ok {
		return tea.KeyPressMsg{}
	}
	return as
}

// completes is the key of the completions that a key of the table stands for.
// Esc always closes them.
func (m *Model) completes(press tea.KeyPressMsg) string {
	name := keyName(press)
	as, ok := m.keymap.press(inComposer, press)
	c := m.keys[name]
	switch {
	case name == "esc":
		return name
	case c.ID == "complete" || c.ID == "complete-queue":
		return "tab"
	case c.ID == "send":
		return "enter"
	case !ok || name == "tab" || name == "enter" || name == "ctrl+y" && c.run != nil && c.ID != "show-plan":
		return ""
	}
	return as.Keystroke()
}
