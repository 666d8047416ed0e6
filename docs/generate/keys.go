package generate

import (
	"fmt"
	"strings"

	"parley/settings"
	"parley/tui/keymap"
)

const keysIntroduction = `# Keys

Every action below can have other keys. Name it in ` + "`keys.toml`" + `, beside ` + "`settings.toml`" + ` (` + "`~/.config/parley`" + `, or
` + "`$XDG_CONFIG_HOME/parley`" + `). An open window takes the keys up when the file changes; if something in it is wrong, it says
what and where, and the keys before stay. ` + "`parley keys`" + ` lists the keys as they are, ` +
	"`parley keys --check`" + ` looks for mistakes,
and ` + "`/keys`" + ` shows them in the window. ` + "`make docs`" + ` writes this file from the table of commands.

` + "```toml" + `
preset = "claude"            # copilot (the default), claude, codex or gemini

[bindings]
todo-band = "ctrl+t"
reasoning = "ctrl+x r"       # two presses: the leader, and a key
words.back = ["alt+b", "ctrl+left"]
interrupt = []               # no key
` + "```" + `

**Keys.** A key is what it writes (` + "`a`, `G`, `?`" + `), or one of enter, tab, esc, space, backspace, delete, insert, up, down,
left, right, home, end, pgup, pgdown and f1 to f12, after any of ctrl+, alt+, shift+ and super+. Two presses are the leader
and a key, as in ` + "`ctrl+x r`" + `; with another ` + "`leader`" + ` all of them begin with that.

**What cannot be.** One key does one thing where it works: two actions on one key are refused, and both are named. ctrl+i,
ctrl+m, ctrl+[ and ctrl+h are tab, enter, esc and backspace to most terminals. Where you write, letters are written. ctrl+c
always cancels, and esc always leaves a question. What answers a question is a single letter or sign, because only that is
safe from being typed by accident; enter sends forms. No key changes what is allowed without asking.
`

// keysDocument is docs/keys.md.
func keysDocument() string {
	var b strings.Builder
	b.WriteString(keysIntroduction)
	actions, _ := keymap.Actions(settings.Keys{})
	context := ""
	for _, a := range actions {
		if a.Context != context {
			context = a.Context
			fmt.Fprintf(&b, "\n## %s\n\n| action | keys | what its row does |\n|---|---|---|\n", context)
		}
		fmt.Fprintf(&b, "| `%s` | %s | %s |\n", a.Name, codes(a.Keys), cell(a.Title))
	}
	b.WriteString("\n## Presets\n\nWhat differs from copilot, whose keys are those above.\n")
	for _, name := range keymap.PresetNames()[1:] {
		fmt.Fprintf(&b, "\n### %s\n\n| action | keys | in place of |\n|---|---|---|\n", name)
		actions, _ := keymap.Actions(settings.Keys{Preset: name})
		for _, a := range actions {
			if a.Changed() {
				fmt.Fprintf(&b, "| `%s` | %s | %s |\n", a.Name, codes(a.Keys), codes(a.Default))
			}
		}
	}
	return b.String()
}

// codes are keys as a cell of a table shows them.
func codes(keys []string) string {
	if len(keys) == 0 {
		return "none"
	}
	quoted := make([]string, len(keys))
	for i, k := range keys {
		quoted[i] = "`" + cell(k) + "`"
	}
	return strings.Join(quoted, " ")
}
