package keymap

import (
	"strings"
	"testing"
)

// In one context a key does one thing, every command can be reached, and every
// slash name is one word.
func TestKeysUnique(t *testing.T) {
	t.Parallel()
	keys, names, ids := map[string]string{}, map[string]string{}, map[string]bool{}
	for _, c := range Commands() {
		if ids[c.ID] || c.Title == "" || c.Context == "" {
			t.Errorf("command %q: twice, without a title or without a context", c.ID)
		}
		ids[c.ID] = true
		if len(c.Keys) == 0 && c.Slash == "" && c.ID != "complete-queue" { // which presets bind
			t.Errorf("command %q cannot be reached", c.ID)
		}
		if c.Slash != "" && c.BuiltIn {
			t.Errorf("command /%s does nothing", c.Slash)
		}
		for _, k := range c.Keys {
			if other, taken := keys[c.Context+" "+k]; taken {
				t.Errorf("key %s is both %s and %s in %s", k, other, c.ID, c.Context)
			}
			keys[c.Context+" "+k] = c.ID
			if other, taken := keys["global "+k]; taken && !c.BuiltIn {
				t.Errorf("key %s runs both %s and %s", k, other, c.ID)
			}
			if !c.BuiltIn {
				keys["global "+k] = c.ID
			}
		}
		for _, name := range append([]string{c.Slash}, c.Aliases...) {
			if other, taken := names[name]; name != "" && taken {
				t.Errorf("/%s is both %s and %s", name, other, c.ID)
			}
			names[name] = c.ID
			if strings.ContainsAny(name, " /") {
				t.Errorf("/%s is not one word", name)
			}
		}
	}
}

func TestParseCommand(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		text, name, args string
		ok               bool
	}{
		{"hello", "", "", false},
		{" /help", "", "", false},
		{"", "", "", false},
		{"/", "", "", true},
		{"/help", "help", "", true},
		{"/model  gpt-5.4 ", "model", "gpt-5.4", true},
		{"/compact keep\nthe plan", "compact", "keep\nthe plan", true},
		{"/new\nline here", "new", "line here", true},
		{"/usr/bin/env is missing", "usr/bin/env", "is missing", true},
	} {
		if name, args, ok := ParseSlash(tt.text); name != tt.name || args != tt.args || ok != tt.ok {
			t.Errorf("parseCommand(%q) = %q, %q, %t", tt.text, name, args, ok)
		}
	}
}

func TestUnknownCommandSuggests(t *testing.T) {
	t.Parallel()
	for name, meant := range map[string]string{"hlep": "/help", "quti": "/quit", "compat": "/compact", "qui": "/quit", "comp": "/compact"} {
		if got := Unknown(Commands(), name); !strings.Contains(got, "Did you mean "+meant+"?") {
			t.Errorf("unknown(%q) = %q", name, got)
		}
	}
	for _, name := range []string{"", "zzzzzzzz"} {
		if got := Unknown(Commands(), name); strings.Contains(got, "Did you mean") {
			t.Errorf("unknown(%q) = %q", name, got)
		}
	}
}

func TestPathsAreNoCommands(t *testing.T) {
	t.Parallel()
	table := append(Commands(), Command{Slash: "plugin:review"}, Command{Slash: "skills/go"})
	for name, path := range map[string]bool{
		"tmp/x/hello.go:3": true, "usr/bin/env": true, "etc/hosts,": true, "hello.go": true, "hello:3": true, "/": true,
		"": false, "zzzzzzzz": false, "help": false, "help.": false, "plugin:review": false, "plugin:reviev": false, "skills/go": false,
	} {
		if got := IsPath(table, name); got != path {
			t.Errorf("%q: a path %t", name, got)
		}
	}
}
