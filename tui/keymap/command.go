package keymap

import (
	"cmp"
	_ "embed"
	"fmt"
	"slices"
	"strings"
	"sync"

	"parley/settings/didyoumean"
	"parley/theme"

	"charm.land/bubbles/v2/key"
	"github.com/go-json-experiment/json"
)

// The contexts of keys, in the order in which help shows them.
const (
	InComposer = "Composer"
	InList     = "List"
	InBlock    = "Block"
	InSearch   = "Search"
	InViewer   = "Edits"
	InContext  = "Context"
	InDetails  = "Details"
	InSessions = "Sessions"
	InPreview  = "Preview"
	InQuestion = "Question"
	InForm     = "Form"
	InSession  = "Session"
	InAgent    = "Agent"        // its own commands; they are not in the table
	InPrompts  = "Prompt files" // of the user and the folder; they are not in the table
)

// Command is one thing a user can do. The table of commands, slash_commands.json, is
// the only place where keys and slash names are written down; completion, help and
// docs/commands.md derive from it.
type Command struct {
	ID      string   // stable, for settings
	Title   string   // what it does, in the imperative
	Short   string   // the same in a few words, for the list of keys after the leader
	Keys    []string // as key presses print themselves; "ctrl+x p" is two presses
	Slash   string   // name after the slash; "" has none
	Aliases []string // further slash names
	Args    string   // hint for the words after the name
	Context string   // where its keys work
	Choices []string // the words that Args can be, where they are known
	// Required is true of a command of the agent that does nothing without words.
	Required bool
	// Twins are keys that are not shown: what else a terminal sends for one of Keys,
	// and what is usual elsewhere.
	Twins []string
	// Acts are what the keys and then the twins do, where they do not all do the same,
	// one for each and around again: each is an action by itself, called ID.act.
	Acts []string
	// BuiltIn is true where the focused part has the key built in, and the row is
	// there to be read.
	BuiltIn bool
	// Queued is true when an agent may have it carried out from its queue: without
	// words it shows something, or changes how the conversation is shown, and
	// nothing else. It must not answer, permit, send, write or end anything.
	Queued bool
	// Live is true when it is for the session, and needs one.
	Live bool
	// Reads is true when a live one is also for a session that is only read.
	Reads bool
	// Always is true when its keys work whatever has the focus. None of these
	// commands answers a question.
	Always bool
	// Held is true when holding its key does it again and again. The others
	// count a key that is held down once.
	Held bool
	// Edits is true when the editor has the key built in, too.
	Edits bool
}

//go:embed slash_commands.json
var slashCommands []byte

// commandGroup is rows of the table whose keys work in one place.
type commandGroup struct {
	Context  string
	BuiltIn  bool // the part of the window with the focus has the keys of all rows built in
	Commands []Command
}

// table is the table of commands, read once.
var table = sync.OnceValue(func() (groups []commandGroup) {
	if err := json.Unmarshal(slashCommands, &groups, json.MatchCaseInsensitiveNames(true), json.RejectUnknownMembers(true)); err != nil {
		panic(err) // it is part of this package
	}
	return groups
})

// Commands returns the table of commands.
func Commands() []Command {
	var all []Command
	for _, g := range table() {
		for _, c := range g.Commands {
			c.Context, c.BuiltIn = g.Context, g.BuiltIn || c.BuiltIn
			if words := strings.Trim(c.Args, "[]"); strings.Contains(words, "|") {
				c.Choices = strings.Split(words, "|")
			}
			if c.ID == "theme" {
				c.Choices = theme.Names()
			}
			all = append(all, c)
		}
	}
	return all
}

// NeedsWords reports whether the command does nothing without words after its
// name. What may be left out stands in brackets.
func (c Command) NeedsWords() bool {
	if c.Context == InAgent || c.Context == InPrompts {
		return c.Required
	}
	return c.Args != "" && !strings.HasPrefix(c.Args, "[")
}

// Binding is what reaches the command, and what it does; it is not enabled where
// the user has neither a key nor a name for it.
func (c Command) Binding() key.Binding {
	var name []string
	if c.Slash != "" {
		name = []string{"/" + c.Slash}
	}
	keys := slices.Concat(name, c.Keys) // nil without either
	return key.NewBinding(key.WithKeys(keys...), key.WithHelp(strings.Join(keys, "  "), c.Title))
}

// leader starts the chords of two key presses.
const leader = "ctrl+x"

// ByKey are the keys that work wherever the focus is, by what they run.
func ByKey(table []Command) map[string]Command {
	keys := map[string]Command{}
	for _, c := range table {
		for _, k := range c.Keys {
			if !c.BuiltIn {
				keys[k] = c
			}
		}
	}
	return keys
}

// Find finds a command by its name or an alias.
func Find(table []Command, name string) (Command, bool) {
	i := slices.IndexFunc(table, func(c Command) bool {
		return c.Slash != "" && (c.Slash == name || slices.Contains(c.Aliases, name))
	})
	if i < 0 {
		return Command{}, false
	}
	return table[i], true
}

// menu returns the commands that are usually used most, as long as the user's own use is not known.
func menu() []string {
	return []string{
		"model", "diff", "resume", "new", "plan", "mode", "compact", "rewind", "copy", "context", "usage", "mcp",
		"settings", "help", "theme", "grants", "allow-all", "agent", "skills", "queued", "tasks", "search", "export", "cwd",
	}
}

// ByUse sorts commands for a menu: those that are used most are first. Uses is how often
// each was used, by its id; what is not known of it, the usual order makes up for. Behind
// them are those of the session, all other commands with a name, those of the agent, and
// what only has a key.
func ByUse(all []Command, uses map[string]float64) []Command {
	const usual = 3.0 // how often the first of the menu counts as used
	first := menu()
	rank := make(map[string]float64, len(all))
	for _, c := range all {
		rank[c.ID] = uses[c.ID]
		if i := slices.Index(first, c.ID); i >= 0 {
			rank[c.ID] += usual * float64(len(first)-i) / float64(len(first))
		}
	}
	kind := func(c Command) int {
		switch {
		case c.Slash == "":
			return 3
		case c.Context == InAgent || c.Context == InPrompts:
			return 2
		case c.Context != InSession:
			return 1
		}
		return 0
	}
	sorted := slices.Clone(all)
	slices.SortStableFunc(sorted, func(a, b Command) int {
		return cmp.Or(cmp.Compare(rank[b.ID], rank[a.ID]), cmp.Compare(kind(a), kind(b)))
	})
	return sorted
}

// LongestName is how much of a command's name is repeated, in bytes.
const LongestName = 40

// Misspelt returns the command that a name is most likely a misspelling of.
func Misspelt(table []Command, name string) (Command, bool) {
	return Find(table, didyoumean.Misspelt(name, SlashNames(table)))
}

// SlashNames are the names of the commands, and their other names.
func SlashNames(table []Command) []string {
	var slashes []string
	for _, c := range table {
		if c.Slash != "" {
			slashes = append(append(slashes, c.Slash), c.Aliases...)
		}
	}
	return slashes
}

// Unknown returns that there is no such command, and which one may be meant.
func Unknown(table []Command, name string) string {
	if why := unavailable(name); why != "" {
		return fmt.Sprintf("There is no /%s here. %s", name, why)
	}
	best := didyoumean.Nearest(name, SlashNames(table))
	if i := slices.IndexFunc(table, func(c Command) bool { return name != "" && strings.HasPrefix(c.Slash, name) }); i >= 0 {
		best = table[i].Slash
	}
	if len(name) > LongestName {
		name = name[:LongestName] + "..."
	}
	text := fmt.Sprintf("No command /%s.", name)
	if best != "" {
		text += fmt.Sprintf(" Did you mean /%s?", best)
	}
	return text + " A space before / sends it."
}

// IsPath reports whether what follows the slash of a draft belongs to a path, such as
// /tmp/main.go:3, and is no command, nor a misspelling of one.
func IsPath(table []Command, name string) bool {
	if _, known := Find(table, name); known {
		return false
	}
	_, slip := Misspelt(table, name)
	return strings.Contains(name, "/") || !slip && strings.ContainsAny(name, ".:")
}

// ParseSlash splits "/name words" into the name and the words. Everything
// that begins with a slash and no path is a command, known or not, so that none
// is sent to a model by mistake (docs/decisions.md 23).
func ParseSlash(text string) (name, args string, ok bool) {
	rest, ok := strings.CutPrefix(text, "/")
	if !ok {
		return "", "", false
	}
	name, args, _ = strings.Cut(rest, " ")
	if line, more, cut := strings.Cut(name, "\n"); cut {
		name, args = line, strings.TrimSpace(more+" "+args)
	}
	return name, strings.TrimSpace(args), true
}

// unavailable returns why a command of the Copilot CLI's own window, or of another
// agent's, is none here, and what to do instead; "" where it is not known. They
// are those that no runtime runs for a client.
func unavailable(name string) string {
	switch name {
	case "user":
		return "/login and /logout change who is signed in."
	case "update", "upgrade", "changelog", "release-notes", "experimental":
		return "It is about the Copilot CLI itself: run `copilot` in a shell."
	case "a11y":
		return "/settings has what helps: motion, times, density and the theme."
	case "limits":
		return "The agent asks when a session has used up its limit."
	case "delegate", "subagents", "ide", "app", "voice", "computer", "keep-alive", "lsp", "pr", "worktree", "move":
		return "It lives in the Copilot CLI's own window, and its runtime does not offer it to others."
	case "collect-debug-logs":
		return "/report writes what happened, without content; parley --log-file FILE keeps a longer log of the same."
	case "refine", "instructions":
		return "Ask the agent for it in a prompt."
	}
	return ""
}
