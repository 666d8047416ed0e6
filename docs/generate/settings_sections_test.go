package generate

import (
	"fmt"
	"strings"

	"parley/settings"
)

// settingSections describe every setting.
func settingSections() string {
	var b strings.Builder
	table := ""
	heading := func(name string) {
		if name == "" {
			b.WriteString("\n## At the top\n")
			return
		}
		fmt.Fprintf(&b, "\n## [%s]\n", name)
	}
	heading(table)
	for _, s := range settings.Table() {
		in, key, ok := strings.Cut(s.Name, ".")
		if !ok {
			in, key = "", s.Name
		}
		if in != table {
			table = in
			heading(table)
		}
		fmt.Fprintf(&b, "\n### `%s`\n\n**%s.** %s\n\n", s.Name, s.Title, s.Long)
		fmt.Fprintf(&b, "* Value: %s.\n* Default: `%s = %s`\n* Takes effect %s.\n", allowed(s), key, settings.TOML(s.Default), s.When)
	}
	b.WriteString("\n## [agents.NAME]\n\nAgents that you name yourself, a table each; `parley --agent NAME` chats with one. " +
		"They are read when Parley starts.\n")
	for _, s := range settings.AgentTable() {
		fmt.Fprintf(&b, "\n### `agents.NAME.%s`\n\n**%s.** %s\n\n* Value: %s.\n", s.Name, s.Title, s.Long, allowed(s))
		if s.Default != nil {
			fmt.Fprintf(&b, "* Default: `%s = %s`\n", s.Name, settings.TOML(s.Default))
		}
	}
	return b.String()
}

// allowed says what a setting may be.
func allowed(s settings.Setting) string {
	words := make([]string, len(s.Words))
	for i, word := range s.Words {
		words[i] = "`" + settings.TOML(word) + "`"
		if s.Meanings != nil {
			words[i] += " (" + s.Meanings[i] + ")"
		}
	}
	switch s.Kind {
	case settings.Switch:
		return "`true` or `false`"
	case settings.Word:
		return "one of " + strings.Join(words, ", ")
	case settings.Text:
		return "a text"
	case settings.Words:
		return "a list of any of " + strings.Join(words, ", ")
	case settings.List:
		return "a list of texts"
	case settings.Pairs, settings.Variables:
		return "a table of texts"
	case settings.Values:
		return "a table of any values"
	case settings.Number:
	}
	return fmt.Sprintf("a whole number from %d to %d", s.Min, s.Max)
}
