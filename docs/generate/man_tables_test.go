package generate

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"parley/history/sessions"
	"parley/settings"
	"parley/tui/keymap"
)

// manPages are the manual pages and what stands between their marks.
func manPages(program *cobra.Command) (map[string]map[string]string, error) {
	past, _, err := program.Find([]string{pastSessions})
	if err != nil {
		return nil, fmt.Errorf("find the commands about past sessions: %w", err)
	}
	return map[string]map[string]string{
		"docs/man/parley.1": {
			"description": roffHelp(program.Long), "options": manOptions(program), "commands": manCommands(program),
			"examples": roffVerbatim(program.Example),
		},
		"docs/man/parley-sessions.1": {
			"description": roffHelp(past.Long), "options": manOptions(past), "commands": manCommands(past),
			"examples": roffVerbatim(past.Example), "filters": manFilters(),
		},
		"docs/man/parley.toml.5": {"settings": manSettings()},
		"docs/man/parley-keys.7": {"keys": manKeys(), "presets": manPresets(), "commands": manSlashCommands()},
	}, nil
}

// manOptions lists the flags of a command.
func manOptions(cmd *cobra.Command) string {
	var b strings.Builder
	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		if f.Name == "help" && cmd.HasParent() {
			return // every command has it
		}
		value, usage := pflag.UnquoteUsage(f)
		value, _, _ = strings.Cut(value, "[=")
		tag := roffBold("--" + f.Name)
		if f.Shorthand != "" {
			tag = roffBold("-"+f.Shorthand) + ", " + tag
		}
		switch optional, inBrackets := strings.CutPrefix(value, "["); {
		case f.Value.Type() == "bool":
		case inBrackets:
			optional = strings.TrimSuffix(optional, "]")
			tag += ` [\fI` + roffChars(optional) + `\fR]`
			usage = strings.ReplaceAll(usage, value, optional)
		case f.NoOptDefVal != "":
			tag += `[=\fI` + roffChars(value) + `\fR]`
		default:
			tag += ` \fI` + roffChars(value) + `\fR`
		}
		if !slices.Contains([]string{"", "false", "0", "[]"}, f.DefValue) && !strings.Contains(usage, "default") {
			usage += " (default: " + f.DefValue + ")"
		}
		b.WriteString(roffItem(tag, sentence(usage)))
	})
	return b.String()
}

// sentence is a usage as a sentence.
func sentence(usage string) string { return strings.ToUpper(usage[:1]) + usage[1:] + "." }

// manCommands describes the commands below one, and those below them; past sessions have a page
// of their own.
func manCommands(of *cobra.Command) string {
	var b strings.Builder
	for _, cmd := range of.Commands() {
		usage := strings.TrimSuffix(cmd.UseLine(), " [flags]")
		fmt.Fprintf(&b, ".SS \"%s\"\n", roffChars(usage))
		if cmd.Name() == pastSessions {
			b.WriteString(roffText(cmd.Short) + ".\nSee\n.BR parley\\-sessions (1).\n")
			continue
		}
		help := cmd.Long
		if help == "" {
			help = cmd.Short + "."
		}
		b.WriteString(roffHelp(help) + manOptions(cmd))
		if cmd.Example != "" {
			b.WriteString(".PP\nExamples:\n" + roffVerbatim(cmd.Example))
		}
		b.WriteString(manCommands(cmd))
	}
	return b.String()
}

// manFilters lists the filters of the query language.
func manFilters() string {
	var b strings.Builder
	for _, f := range sessions.Fields() {
		tag := roffBold(f.Name + ":")
		for _, also := range f.Also {
			tag += ", " + roffBold(also+":")
		}
		text := f.Title
		var values []string
		for _, v := range f.Values {
			values = append(values, "`"+v.Name+"`")
		}
		if f.Kind != sessions.Choices && len(values) > 0 {
			text += ", such as " + strings.Join(values, ", ")
		}
		b.WriteString(roffItem(tag, sentence(text)))
		for _, v := range f.Values {
			if f.Kind == sessions.Choices {
				b.WriteString(".RS\n" + roffItem(roffBold(f.Name+":"+v.Name), sentence(v.Title)) + ".RE\n")
			}
		}
	}
	return b.String()
}

// manSettings describes every setting, below the tables of the file.
func manSettings() string {
	var b strings.Builder
	b.WriteString(".SS At the top\n")
	table := ""
	for _, s := range settings.Table() {
		in, key, ok := strings.Cut(s.Name, ".")
		if !ok {
			in, key = "", s.Name
		}
		if in != table {
			table = in
			fmt.Fprintf(&b, ".SS [%s]\n", roffChars(table))
		}
		manSetting(&b, s, key, "It takes effect "+string(s.When)+".")
	}
	b.WriteString(".SS [agents.NAME]\nAgents that you name yourself, a table each; \\fBparley \\-\\-agent NAME\\fR chats with one.\n" +
		"They are read when Parley starts.\n")
	for _, s := range settings.AgentTable() {
		manSetting(&b, s, s.Name, "")
	}
	return b.String()
}

// manSetting describes a setting.
func manSetting(b *strings.Builder, s settings.Setting, key, when string) {
	tag := roffBold(key)
	if s.Default != nil {
		tag = roffBold(key + " = " + settings.TOML(s.Default))
	}
	b.WriteString(roffItem(tag, "**"+s.Title+".** "+strings.ReplaceAll(s.Long, "\n\n", "\n.IP\n")))
	value := allowed(s)
	b.WriteString(".IP\n" + roffText("Value: "+value+".") + "\n")
	if when != "" {
		b.WriteString(roffText(when) + "\n")
	}
}

// manKeys lists the actions and their keys.
func manKeys() string {
	var b strings.Builder
	actions, _ := keymap.Actions(settings.Keys{})
	context := ""
	for _, a := range actions {
		if a.Context != context {
			context = a.Context
			fmt.Fprintf(&b, ".SS %s\n", roffChars(context))
		}
		b.WriteString(roffItem(manKeyList(a.Keys), a.Title+" (`"+a.Name+"`)."))
	}
	return b.String()
}

// manPresets lists what each preset changes.
func manPresets() string {
	var b strings.Builder
	for _, name := range keymap.PresetNames()[1:] {
		fmt.Fprintf(&b, ".SS %s\n", roffChars(name))
		actions, _ := keymap.Actions(settings.Keys{Preset: name})
		for _, a := range actions {
			if a.Changed() {
				b.WriteString(".TP\n" + roffBold(a.Name) + "\n" + manKeyList(a.Keys) + " in place of " + manKeyList(a.Default) + "\n")
			}
		}
	}
	return b.String()
}

// manKeyList are keys, one after the other.
func manKeyList(keys []string) string {
	if len(keys) == 0 {
		return "no key"
	}
	bold := make([]string, len(keys))
	for i, k := range keys {
		bold[i] = roffBold(k)
	}
	return strings.Join(bold, ", ")
}

// manSlashCommands lists the slash commands.
func manSlashCommands() string {
	var b strings.Builder
	for _, c := range keymap.Commands() {
		if c.Slash == "" {
			continue
		}
		tag := roffBold("/" + c.Slash)
		if c.Args != "" {
			tag += ` \fI` + roffChars(c.Args) + `\fR`
		}
		text := c.Title + "."
		for _, a := range c.Aliases {
			text += " Also `/" + a + "`."
		}
		b.WriteString(roffItem(tag, text))
	}
	return b.String()
}
