package settings

import (
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
)

// Kind is what the value of a setting is, and its Go type.
type Kind string

// The kinds.
const (
	Switch Kind = "switch" // true or false: a bool
	Word   Kind = "word"   // one of Words: a string
	Text   Kind = "text"   // any text but none: a string
	Words  Kind = "words"  // any of Words, each once: a []string
	List   Kind = "list"   // texts: a []string
	Number Kind = "number" // a whole number from Min to Max: an int
)

// When says when a change of a setting takes effect.
type When string

// The moments.
const (
	AtOnce    When = "at once"
	NextStart When = "when Parley starts the next time"
)

// Setting is a row of the table of settings: what one may be, and what it does.
// The documentation, the schema for editors, the checks of a file and what
// `parley config show` prints are made of these.
type Setting struct {
	Name     string // as in the file; "notify.done" is done in the table [notify]
	Kind     Kind
	Words    []string // of a Word, and of Words
	Min, Max int      // of a Number
	Short    string   // what it says, in a line
	Long     string   // what it does, in plain words
	When     When
	Default  any
	at       func(*Settings) any // where its value is
}

// Value is the value of the setting, of the type of its kind.
func (s Setting) Value(of Settings) any {
	value := reflect.ValueOf(s.at(&of)).Elem().Interface()
	if list, ok := value.([]string); ok {
		return append([]string{}, list...)
	}
	return value
}

// set puts a value in that the kind of the setting has.
func (s Setting) set(of *Settings, value any) {
	if list, ok := value.([]string); ok {
		value = slices.Clone(list)
	}
	to := reflect.ValueOf(s.at(of)).Elem()
	to.SetZero()
	if v := reflect.ValueOf(value); v.IsValid() && v.Type() == to.Type() {
		to.Set(v)
	}
}

// table and key are the two parts of the name; there is no table for those at
// the top.
func (s Setting) split() (table, key string) {
	if table, key, ok := strings.Cut(s.Name, "."); ok {
		return table, key
	}
	return "", s.Name
}

// Find is the row of a name.
func Find(name string) (Setting, bool) {
	rows := Table()
	i := slices.IndexFunc(rows, func(s Setting) bool { return s.Name == name })
	if i < 0 {
		return Setting{}, false
	}
	return rows[i], true
}

// Table returns the settings, in the order in which they are documented.
func Table() []Setting {
	rows := slices.Concat(general(), agentRows(), statusRows(), mouseRows(), notifyRows(), terminalRows())
	d := Defaults()
	for i := range rows {
		rows[i].Default = rows[i].Value(d)
		if rows[i].When == "" {
			rows[i].When = AtOnce
		}
	}
	return rows
}

func general() []Setting {
	return []Setting{
		{
			Name: "vim", Kind: Switch, at: func(s *Settings) any { return &s.Vim },
			Short: "edit drafts as in vim",
			Long:  "The draft has vim's modes and keys. Without it, it has those of readline. `/vim` changes it for this window only.",
		},
		{
			Name: "motion", Kind: Word, Words: []string{"full", "none"}, at: func(s *Settings) any { return &s.Motion },
			Short: "whether anything on the screen changes by itself",
			Long: "`full` shows that something runs, and for how long. With `none` nothing on the screen changes as time passes: " +
				"no spinner, no counting seconds, and no timer that redraws.",
		},
		{
			Name: "times", Kind: Word, Words: []string{"clock", "ago", "full", "off"}, at: func(s *Settings) any { return &s.Times },
			Short: "how the time of an entry is shown",
			Long: "At the right edge of the conversation: `clock` is the time of day, `ago` how long it is since, `full` the date " +
				"too, and `off` shows nothing.",
		},
		{
			Name: "density", Kind: Word, Words: []string{"compact", "normal", "verbose"}, at: func(s *Settings) any { return &s.Density },
			Short: "how much of the conversation is shown",
			Long: "`compact` keeps what was said and what failed, and a line for all else. `normal` shows what is usually enough to " +
				"follow. `verbose` shows everything, of a very long text how it begins. What failed is always shown.",
		},
		{
			Name: "theme", Kind: Text, at: func(s *Settings) any { return &s.Theme },
			Short: "the colours, by the name of a theme",
			Long: "`auto` is dark or light as the terminal's background is, and changes with it. Others are named by `/theme`; a theme " +
				"of your own is a file in the folder `themes` beside `settings.toml`, by its name without `.toml`.",
		},
		{
			Name: "markdown_style", Kind: Text, at: func(s *Settings) any { return &s.MarkdownStyle },
			Short: "how answers look, by the name or the file of a Glamour style",
			Long: "A standard style of Glamour (`ascii`, `dark`, `dracula`, `light`, `notty`, `pink`, `tokyo-night`) or the path of a " +
				"JSON file with one, which is looked for in the folder `themes` beside `settings.toml`. `theme` is the theme's own " +
				"look. `auto` is the style that the environment names (`GLAMOUR_STYLE`), or the theme's own; any other value wins " +
				"over the environment.",
		},
		{
			Name: "follow", Kind: Word, Words: []string{"bottom", "response-top", "off"}, at: func(s *Settings) any { return &s.Follow },
			Short: "what stays in view while an answer comes",
			Long: "`bottom` follows the end of the answer. `response-top` follows until the first line of the answer is at the top, and " +
				"stays there, so that you can read from its start. `off` moves nothing; `ctrl+end` goes to the end.",
		},
	}
}

// agentRows are what the agent gets to know, and when.
func agentRows() []Setting {
	return []Setting{
		{
			Name: "busy_enter", Kind: Word, Words: []string{"steer", "queue"}, at: func(s *Settings) any { return &s.BusyEnter },
			Short: "what enter does with a prompt while the agent works",
			Long: "`steer` gives it to the agent right away, in the turn that runs. `queue` lets it wait for the end of the turn, as " +
				"`ctrl+q` always does.",
		},
		{
			Name: "interrupt", Kind: Word, Words: []string{"double", "single"}, at: func(s *Settings) any { return &s.Interrupt },
			Short: "how often esc is pressed to interrupt a turn",
			Long: "`double` asks for a second press, so that one that was meant to close something stops nothing. `single` " +
				"needs one; with vim's keys, where esc leaves what is typed too, it is two all the same.",
		},
		{
			Name: "reads", Kind: Word, Words: []string{"trusted", "ask"}, When: NextStart, at: func(s *Settings) any { return &s.Reads },
			Short: "which reads the Copilot CLI asks for",
			Long: "With `trusted`, a session in a trusted folder reads there, and in folders that you added, without asking, as in the " +
				"CLI's own window; so it does in the CLI's folder for temporary files. With `ask` it asks for every read. Reads " +
				"elsewhere are always asked, and what was read is in the conversation.",
		},
	}
}

func statusRows() []Setting {
	return []Setting{
		{
			Name: "status.left", Kind: Words, Words: StatusItems(), at: func(s *Settings) any { return &s.Status.Left },
			Short: "what the status line shows at its left, in this order",
			Long: "Items that have nothing to show are left out, and if there is no room the least important go first. What you " +
				"must know of (such as `activity` and `allow-all`) is shown even if the list leaves it out.",
		},
		{
			Name: "status.right", Kind: Words, Words: StatusItems(), at: func(s *Settings) any { return &s.Status.Right },
			Short: "what the status line shows at its right, in this order",
			Long:  "As for `status.left`; the last one stands at the edge.",
		},
		{
			Name: "status.script", Kind: List, at: func(s *Settings) any { return &s.Status.Script },
			Short: "a program with its arguments that prints the item `script`",
			Long: "The first line that it prints is the item. It gets JSON about the session on its standard input. It is started " +
				"directly, not by a shell. An empty list is none.",
		},
		{
			Name: "status.script_timeout", Kind: Number, Min: 10, Max: 60_000, at: func(s *Settings) any { return &s.Status.ScriptTimeout },
			Short: "how many milliseconds that program may take",
			Long:  "One that takes longer is ended; what it printed before stays, marked with a ~.",
		},
	}
}

func mouseRows() []Setting {
	return []Setting{
		{
			Name: "mouse.wheel", Kind: Switch, at: func(s *Settings) any { return &s.Mouse.Wheel },
			Short: "the wheel scrolls the conversation",
			Long:  "With all three of the mouse off, the mouse is left to the terminal, which then selects text as it always does.",
		},
		{
			Name: "mouse.click", Kind: Switch, at: func(s *Settings) any { return &s.Mouse.Click },
			Short: "a click gives the focus, folds and unfolds",
			Long:  "A click never answers a question.",
		},
		{
			Name: "mouse.select", Kind: Switch, at: func(s *Settings) any { return &s.Mouse.Select },
			Short: "dragging selects text, to copy it",
			Long:  "Without it, dragging is the terminal's own where it has a key for that, such as shift.",
		},
	}
}

func notifyRows() []Setting {
	channels := []string{"auto", "off", "bell", "osc9", "osc777", "osc99"}
	const how = "While the window has not the focus. `auto` is the best that the terminal is known to have, `bell` the bell, `osc9`, " +
		"`osc777` and `osc99` are notifications as iTerm2, rxvt and kitty know them, `off` is nothing."
	return []Setting{
		{
			Name: "notify.needs_you", Kind: Word, Words: channels, at: func(s *Settings) any { return &s.Notify.NeedsYou },
			Short: "how the terminal notifies you that a question waits", Long: how,
		},
		{
			Name: "notify.done", Kind: Word, Words: channels, at: func(s *Settings) any { return &s.Notify.Done },
			Short: "how the terminal notifies you that a turn has ended", Long: how,
		},
		{
			Name: "notify.error", Kind: Word, Words: channels, at: func(s *Settings) any { return &s.Notify.Error },
			Short: "how the terminal shows that the agent stopped", Long: how,
		},
		{
			Name: "notify.after", Kind: Number, Max: 86_400, at: func(s *Settings) any { return &s.Notify.After },
			Short: "how many seconds a turn must have taken for its end to be news",
			Long:  "You are not notified of the end of a shorter turn. With 0 you are notified of every one.",
		},
	}
}

func terminalRows() []Setting {
	return []Setting{
		{
			Name: "terminal.title", Kind: Switch, at: func(s *Settings) any { return &s.Terminal.Title },
			Short: "the title of the terminal's window shows the session and whether it needs you",
			Long:  "Without it the title is left as it is.",
		},
		{
			Name: "terminal.progress", Kind: Switch, at: func(s *Settings) any { return &s.Terminal.Progress },
			Short: "the terminal's tab or the task bar shows that a turn runs",
			Long:  "In terminals that are known to show it (OSC 9;4).",
		},
		{
			Name: "terminal.pictures", Kind: Switch, When: NextStart, at: func(s *Settings) any { return &s.Terminal.Pictures },
			Short: "images are shown themselves",
			Long: "In terminals that are known to show them: kitty and Ghostty. Elsewhere, and without it, an image is a line that " +
				"names it.",
		},
		{
			Name: "terminal.links", Kind: Switch, at: func(s *Settings) any { return &s.Terminal.Links },
			Short: "the terminal can follow the links in the text",
			Long:  "Links are marked for the terminal (OSC 8), which opens them its own way. Without it they are text.",
		},
		{
			Name: "telemetry.agent", Kind: Switch, When: NextStart, at: func(s *Settings) any { return &s.Telemetry.Agent },
			Short: "the agent exports telemetry, too",
			Long: "The OpenTelemetry variables of the environment (`OTEL_...`) are passed on to the agent's own process. Without it " +
				"they are for Parley alone.",
		},
	}
}

// words are names in a sentence: each as it is written in the file.
func words(names []string) string { return strings.Join(names, ", ") }

// TOML is a value as a file of settings has it, in one line.
func TOML(value any) string {
	switch v := value.(type) {
	case bool:
		return strconv.FormatBool(v)
	case int:
		return strconv.Itoa(v)
	case string:
		return quote(v)
	case []string:
		items := make([]string, len(v))
		for i, item := range v {
			items[i] = quote(item)
		}
		return "[" + strings.Join(items, ", ") + "]"
	}
	return ""
}

// quote writes a basic string (TOML 1.0, string), which is one of JSON with another
// control character.
func quote(s string) string {
	text, _ := jsontext.AppendQuote(nil, s) // what is not UTF-8 is replaced
	return strings.ReplaceAll(string(text), "\x7f", `\u007F`)
}
