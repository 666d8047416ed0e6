package keymap

import (
	"cmp"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"
)

// letterOnly are the actions that answer, open the line an answer is written on,
// or hand the screen or the clipboard over: they are done by a letter or sign
// that comes alone (docs/decisions.md 1), or by the table's own key.
var letterOnly = []string{
	"approve", "approve-session", "approve-location", "approve-permanently", "approve-unseen", "refuse",
	"choose.take", "question-plan.refuse", "question-copy", "question-editor",
}

// fixed are the actions whose keys stay, and why.
var fixed = map[string]string{
	"choose.number":  "the numbers follow the rows; they stay, or are removed with []",
	"form-end":       "it may send an answer, and what sends is enter, which is never part of a word",
	"form-end-lines": "it may send an answer, and what sends is enter, which is never part of a word",
	"allow-all":      "no key changes what is allowed without asking; /allow-all does, and says so",
	"mention":        "the sign is typed; there is no other",
	"issue":          "the sign is typed; there is no other",
	"shell":          "the sign is typed; there is no other",
}

// scrolling are the keys with which a question is read, and those that would
// leave or change something elsewhere.
var scrolling = []string{"pgup", "pgdown", "shift+up", "shift+down", "home", "end", "ctrl+d"}

// refuses returns why a key cannot be bound to an action; "" if it can.
func (b *binder) refuses(a Action, key string) string {
	c := b.rows[a.Name]
	_, second, chord := strings.Cut(key, " ")
	switch {
	case slices.Contains(a.Default, key):
		return ""
	case a.Fixed != "":
		return a.Fixed
	case key == "ctrl+c":
		return "it cancels, wherever one is"
	case chord && (c.BuiltIn || a.Name == leaderAction || second == "esc" || second == "ctrl+c"):
		return "two presses run a command, and esc and ctrl+c take the first back"
	case chord:
		return ""
	case c.Context == InQuestion && c.BuiltIn:
		return refusedByQuestion(a.Name, key)
	case c.Context == InSearch || c.Context == InForm || slices.Contains(b.scopes(a), InComposer): // letters are written there
		return refusedByWriting(a.Name, key)
	}
	return ""
}

// refusedByQuestion returns why a key cannot be bound to an action of questions.
func refusedByQuestion(name, key string) string {
	switch {
	case slices.Contains(letterOnly, name) && (!printsName(key) || key == "space"):
		return "it answers a question, and only a single letter or sign that comes alone does that"
	case key == "esc":
		return "it leaves a question, and never does anything else there"
	case slices.Contains(scrolling, key):
		return "it scrolls a question, so that all of it can be read"
	case key == "d" || key == "x":
		return "it declines or cancels a form"
	case key == "enter" || key == "tab":
		return "it belongs to what is chosen and written"
	case name == "edit-answer" && printsName(key):
		return "it is typed there"
	}
	return ""
}

// refusedByWriting returns why a key cannot be bound to an action where one writes.
func refusedByWriting(name, key string) string {
	switch {
	case printsName(key):
		return "it is typed there"
	case key == "esc":
		return "it closes what is open"
	case key == "delete" || strings.HasSuffix(key, "backspace"):
		return "it deletes"
	case name == leaderAction && (key == "enter" || key == "tab"):
		return "it is needed by itself"
	}
	return ""
}

// keptKeys are the keys that actions must keep, so that there is always a way.
var keptKeys = map[string]string{"cancel": "ctrl+c", "leave-question": "esc", "form-end": "enter"}

// scopes are where one key of the action can do nothing else.
func (b *binder) scopes(a Action) []string {
	c := b.rows[a.Name]
	switch {
	case a.Name == leaderAction || c.Always:
		return builtIn()
	case !c.BuiltIn:
		return []string{InComposer}
	}
	switch c.ID {
	case "other-question", "leave-question":
		return []string{InQuestion, InForm}
	case "note":
		return []string{InQuestion, InLine}
	case "edit-answer":
		return []string{InQuestion, InForm, InLine, InFormLine}
	case "form-step":
		return []string{InForm, InFormLine}
	}
	return []string{c.Context}
}

// acts are what keys do, by the part. A key that the user bound is no twin of
// another.
func (b *binder) acts() map[string]map[string]string {
	acts := map[string]map[string]string{}
	for _, scope := range parts() {
		acts[scope] = map[string]string{}
	}
	for _, twins := range []bool{true, false} {
		for _, a := range b.actions {
			keys := a.Keys
			if twins {
				keys = a.twins
			}
			if !a.BuiltIn || acts[a.Context] == nil || twins && a.Changed() {
				continue
			}
			for _, key := range keys {
				acts[a.Context][key] = a.Name
			}
		}
	}
	return acts
}

// built are the user's keys in a scope, as far as they differ from the built-in ones.
func (b *binder) built(scope string) Bindings {
	meant, shown := map[string]tea.KeyPressMsg{}, map[string]string{}
	var editing []string // the rows of what edits, wherever one writes
	if scope == InQuery || scope == InLine || scope == InFormLine {
		editing = []string{"newline", "undo", "words", "line-ends", "letters", "kill", "yank", "case", "delete"}
	}
	var here []Action
	for _, a := range b.actions {
		c := b.rows[a.Name]
		in := slices.Contains(b.scopes(a), scope) && (c.BuiltIn || c.Edits) && a.Name != leaderAction
		if a.Changed() && len(a.Default) > 0 && (in || slices.Contains(editing, c.ID)) {
			here = append(here, a)
		}
	}
	for _, a := range here {
		for _, key := range slices.Concat(a.Default, a.twins) {
			if !slices.Contains(a.Keys, key) {
				meant[key] = tea.KeyPressMsg{}
			}
		}
		for _, key := range a.Default {
			if shown[key] = firstKey(a); slices.Contains(a.Keys, key) {
				shown[key] = key
			}
		}
	}
	for _, a := range here {
		for _, key := range a.Keys {
			if !slices.Contains(a.Default, key) {
				meant[key] = Stroke(a.Default[len(a.Default)-1])
			}
		}
	}
	return Bindings{meant, shown}
}

// conflicts finds keys that are bound to two actions in one scope. What the
// table itself has twice is distinguished by what is there: a draft, or none.
func (b *binder) conflicts() {
	reported := map[string]bool{}
	for _, scope := range builtIn() {
		owner := map[string]Action{}
		for _, a := range b.actions {
			if !slices.Contains(b.scopes(a), scope) {
				continue
			}
			keys := a.Keys
			if a.Name == "choose.number" && len(keys) > 0 {
				keys = slices.Concat(keys, a.twins)
			}
			for _, key := range keys {
				o, taken := owner[key]
				owner[key] = a
				both := slices.Contains(o.Default, key) && slices.Contains(a.Default, key)
				if id := key + " " + o.Name + " " + a.Name; taken && !both && !reported[id] {
					reported[id] = true
					b.conflict(key, scope, o, a)
				}
			}
		}
	}
}

// conflict reports that a key is bound to two actions, and where that is said.
func (b *binder) conflict(key, scope string, one, other Action) {
	says := func(a Action) string { return cmp.Or(b.where[a.Name], "default") }
	at := other.Name
	if b.file.Lines[one.Name] > b.file.Lines[other.Name] {
		at = one.Name
	}
	b.fail(at, "%s is bound to both %s (%s) and %s (%s) in %s; give one of them another key, or none: []",
		key, one.Name, says(one), other.Name, says(other), scope)
}
