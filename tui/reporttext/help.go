package reporttext

import (
	"slices"
	"strings"

	"parley/render/text"
	"parley/theme"
	"parley/tui/keymap"
	"parley/tui/widget"
)

// DrawHelp draws the table of commands with their keys.
func DrawHelp(th *theme.Theme, commands []keymap.Command, width int) []string {
	const widest = 30
	keys := max(8, min(widest, width/2))
	var lines []string
	context := ""
	for _, c := range commands {
		if c.Context != context {
			if context != "" {
				lines = append(lines, "")
			}
			context = c.Context
			lines = append(lines, widget.Indent+th.Render(theme.Heading, context))
		}
		b := c.Binding()
		if !b.Enabled() {
			continue
		}
		left, right := reach(b.Keys(), keys), text.Wrap(b.Help().Desc, max(8, width-keys-2))
		for i := range max(len(left), len(right)) {
			key, s := "", ""
			if i < len(left) {
				key = widget.Cut(th, left[i], keys)
			}
			if i < len(right) {
				s = right[i]
			}
			lines = append(lines, strings.TrimRight(widget.Indent+th.Render(theme.Key, key)+
				widget.Blank(keys-text.Width(key)+2)+th.Render(theme.Text, s), " "))
		}
	}
	return lines
}

func reach(parts []string, width int) []string {
	lines := parts[:1:1]
	for _, p := range parts[1:] {
		if last := len(lines) - 1; text.Width(lines[last]+"  "+p) <= width {
			lines[last] += "  " + p
		} else {
			lines = append(lines, p)
		}
	}
	return lines
}

// terminalSetup is what terminals need to be set for the keys that they do not
// send by themselves.
const terminalSetup = `A few keys have no code of their own in older terminals: **shift+enter**, **ctrl+enter**, **alt** with
letters on a Mac. Each has a twin that works everywhere: **ctrl+j** or a backslash before enter for a new line, **{queue}**
to queue, and {palette} for any command.

* kitty, Ghostty, WezTerm, foot, Alacritty, iTerm2 and Windows Terminal send them: Parley asks for the kitty keyboard protocol.
* tmux: ` + "`set -s extended-keys on`" + ` and ` + "`set -as terminal-features 'xterm*:extkeys'`" + `. For copying through tmux:
  ` + "`set -g set-clipboard on`" + `.
* Terminal on a Mac and iTerm2: let Option be the Meta key, in the profile's keys.
* VS Code: bind shift+enter to send ` + "`\\u001b\\r`" + ` in keybindings.json.
* The mouse scrolls, folds and selects; with shift, or Option on a Mac, the terminal has it, with {mouse} for good.

Nothing is changed for you.`

// TerminalSetup returns, as markdown, what terminals need to be set for all the keys.
func TerminalSetup(keys *keymap.Map) string {
	text := terminalSetup
	if !slices.Contains(keys.Keys("newline"), "ctrl+j") {
		text = strings.Replace(text, "**ctrl+j** or a", "a", 1)
	}
	return keys.Fill(text)
}
