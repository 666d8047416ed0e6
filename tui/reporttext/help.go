package reporttext

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"parley/render/text"
	"parley/theme"
	"parley/tui/keymap"
	"parley/tui/widget"
)

// essentials are the keys that matter first, by their actions or as they are typed, with
// what they do.
func essentials() [][2]string {
	return [][2]string{
		{"send", "send the prompt"},
		{"newline", "new line"},
		{"interrupt", "stop (twice), or {cancel}"},
		{"queue", "send when it is done"},
		{"cycle-mode", "change the mode"},
		{"/", "commands"},
		{"@", "mention a file"},
		{"!", "run a shell command"},
		{"complete", "answer, or read back"},
		{"expand", "show blocks whole"},
		{"search", "search the text"},
		{"history", "earlier prompts"},
		{"diff", "review changes"},
		{"resume", "past sessions"},
		{"cancel", "twice when idle: quit"},
	}
}

// The essential keys stand in two columns from a width on, and in no wider ones than needed.
const twoColumns, widestColumn = 72, 46

// drawEssentials draws the keys that matter first.
func drawEssentials(th *theme.Theme, keys *keymap.Map, width int) []string {
	all, name := essentials(), 0
	for i := range all {
		all[i][0] = cmp.Or(keys.KeyFor(all[i][0]), all[i][0])
		all[i][1] = keys.Fill(all[i][1])
		name = max(name, text.Width(all[i][0]))
	}
	across := 1
	if width >= twoColumns {
		across = 2
	}
	down, column := (len(all)+across-1)/across, min(width/across, widestColumn)
	lines := []string{widget.Indent + th.Render(theme.Heading, widget.Cut(th, "The keys that matter first", width))}
	for y := range down {
		line := widget.Indent
		for x := y; x < len(all); x += down {
			line += widget.Blank(widget.Margin + x/down*column - text.Width(line))
			what := widget.Cut(th, all[x][1], max(0, column-name-2*widget.ColumnGap))
			gap := widget.Blank(name - text.Width(all[x][0]) + widget.ColumnGap)
			line += th.Render(theme.Key, all[x][0]) + gap + th.Render(theme.Text, what)
		}
		lines = append(lines, text.Truncate(line, width+widget.Margin, ""))
	}
	return append(lines, "")
}

// filtered are those that match a query, in their order.
func filtered[T any](all []T, query string, row func(T) widget.Row) []T {
	rows := make([]widget.Row, len(all))
	for i, v := range all {
		rows[i] = row(v)
		rows[i].Value = strconv.Itoa(i)
	}
	found := make(map[string]bool, len(all))
	for _, r := range widget.Match(rows, query) {
		found[r.Value] = true
	}
	var out []T
	for i, v := range all {
		if found[strconv.Itoa(i)] {
			out = append(out, v)
		}
	}
	return out
}

// Selection is what of the table of commands is shown.
type Selection struct {
	Context string // stands first; "" for the keys that matter first
	Query   string // "" shows all of it
}

// DrawHelp draws the table of commands with their keys, or what of it matches a query.
func DrawHelp(th *theme.Theme, keys *keymap.Map, commands []keymap.Command, s Selection, width int) []string {
	const widest = 30
	column := max(8, min(widest, width/2))
	var lines []string
	if s.Query == "" && s.Context == "" {
		lines = drawEssentials(th, keys, width)
	}
	commands = slices.DeleteFunc(slices.Clone(commands), func(c keymap.Command) bool { return !c.Binding().Enabled() })
	slices.SortStableFunc(commands, func(a, b keymap.Command) int {
		switch {
		case a.Context == s.Context && b.Context != s.Context:
			return -1
		case a.Context != s.Context && b.Context == s.Context:
			return 1
		}
		return 0
	})
	context := ""
	for _, c := range filtered(commands, s.Query, helpRow) {
		if c.Context != context {
			if context != "" {
				lines = append(lines, "")
			}
			context = c.Context
			lines = append(lines, widget.Indent+th.Render(theme.Heading, context))
		}
		b := c.Binding()
		left, right := reach(b.Keys(), column), text.Wrap(b.Help().Desc, max(8, width-column-2))
		for i := range max(len(left), len(right)) {
			key, s := "", ""
			if i < len(left) {
				key = widget.Cut(th, left[i], column)
			}
			if i < len(right) {
				s = right[i]
			}
			lines = append(lines, strings.TrimRight(widget.Indent+th.Render(theme.Key, key)+
				widget.Blank(column-text.Width(key)+2)+th.Render(theme.Text, s), " "))
		}
	}
	return orNothing(th, lines)
}

// helpRow is a command as a query finds it.
func helpRow(c keymap.Command) widget.Row {
	names := append([]string{c.ID, c.Context}, c.Aliases...)
	return widget.Row{Label: c.Title, Detail: strings.Join(c.Binding().Keys(), " "), Terms: strings.Join(names, " ")}
}

// orNothing is a text, or says that nothing matches.
func orNothing(th *theme.Theme, lines []string) []string {
	if len(lines) == 0 {
		return []string{widget.Indent + th.Render(theme.Dim, "Nothing matches.")}
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
