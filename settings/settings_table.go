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
	Group    string // the heading that it is below
	Title    string // what it is, in a few plain words
	Kind     Kind
	Words    []string // of a Word, and of Words
	Known    []string // of a Text: the values that are not the user's own
	Meanings []string // what each of a Word's, or of Known, means, in a few words
	Min, Max int      // of a Number
	Unit     string   // of a Number
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

// Table returns the settings, in the order in which they are documented: by their groups,
// and those without a table in the file first.
func Table() []Setting {
	var rows []Setting
	d := Defaults()
	for _, g := range []struct {
		name string
		rows []Setting
	}{
		{"Appearance", appearanceRows()},
		{"Reading", readingRows()},
		{"Composer", composerRows()},
		{"Questions", questionRows()},
		{"Status line", statusRows()},
		{"Mouse", mouseRows()},
		{"Notifications", notifyRows()},
		{"Terminal", terminalRows()},
		{"Screen reader", readerRows()},
		{"Telemetry", telemetryRows()},
	} {
		for _, s := range g.rows {
			s.Group, s.Default = g.name, s.Value(d)
			if s.When == "" {
				s.When = AtOnce
			}
			rows = append(rows, s)
		}
	}
	return rows
}

func appearanceRows() []Setting {
	return []Setting{
		{
			Name: "theme", Kind: Text, at: func(s *Settings) any { return &s.Theme },
			Title: "Theme",
			Long: "The colours, by the name of a theme. `auto` is dark or light as the terminal's background is, and changes with " +
				"it. Others are named by `/theme`; a theme of your own is a file in the folder `themes` beside `settings.toml`, by " +
				"its name without `.toml`.",
		},
		{
			Name: "markdown_style", Kind: Text, at: func(s *Settings) any { return &s.MarkdownStyle },
			Known: []string{"auto", "theme", "ascii", "dark", "dracula", "light", "notty", "pink", "tokyo-night"},
			Meanings: []string{
				"as GLAMOUR_STYLE says, else the theme's own", "the theme's own", "plain characters", "for a dark background", "Dracula",
				"for a light background", "no style", "pink", "Tokyo Night",
			},
			Title: "Style of answers",
			Long: "How markdown looks: a style of Glamour's (`ascii`, `dark`, `dracula`, `light`, `notty`, `pink`, `tokyo-night`), " +
				"the theme's own (`theme`), or that of a JSON file, by its path, which may begin at the folder `themes` beside " +
				"`settings.toml`. `auto` is the style that the environment names (`GLAMOUR_STYLE`), else the theme's own.",
		},
		{
			Name: "motion", Kind: Word, at: func(s *Settings) any { return &s.Motion },
			Words: []string{"full", "none"}, Meanings: []string{"spinner and seconds", "nothing moves by itself"},
			Title: "Motion",
			Long: "`full` shows that something runs, and for how long. With `none` nothing on the screen changes as time passes: " +
				"no spinner, no counting seconds, and no timer that redraws.",
		},
		{
			Name: "screen", Kind: Word, When: NextStart, at: func(s *Settings) any { return &s.Screen },
			Words: []string{"full", Inline, Reader}, Title: "Screen",
			Meanings: []string{"the whole window", "below what the terminal has", "lines, for screen readers"},
			Long: "`inline` (`--inline`) writes what is finished into the terminal, and shows what still runs below. `reader` " +
				"(`--screen-reader`, TERM=dumb) writes and reads lines, for screen readers, braille displays and serial lines.",
		},
	}
}

func readingRows() []Setting {
	return []Setting{
		{
			Name: "density", Kind: Word, at: func(s *Settings) any { return &s.Density },
			Words: []string{"compact", "normal", "verbose"}, Meanings: []string{"a line for each step", "enough to follow", "everything"},
			Title: "How much is shown",
			Long: "`compact` keeps what was said and what failed, and a line for all else. `normal` shows what is usually enough to " +
				"follow. `verbose` shows everything, of a very long text how it begins. What failed is always shown.",
		},
		{
			Name: "times", Kind: Word, at: func(s *Settings) any { return &s.Times },
			Words: []string{"clock", "ago", "full", "off"}, Meanings: []string{"time of day", "how long ago", "date and time", "none"},
			Title: "Times of entries",
			Long: "At the right edge of the conversation: `clock` is the time of day, `ago` how long it is since, `full` the date " +
				"too, and `off` shows nothing.",
		},
		{
			Name: "follow", Kind: Word, at: func(s *Settings) any { return &s.Follow },
			Words:    []string{"bottom", "response-top", "off"},
			Meanings: []string{"follows its end", "stays at its start", "does not move"},
			Title:    "View while an answer comes",
			Long: "`bottom` follows the end of the answer. `response-top` follows until the first line of the answer is at the top, and " +
				"stays there, so that you can read from its start. `off` moves nothing; `ctrl+end` goes to the end.",
		},
	}
}

func composerRows() []Setting {
	return []Setting{
		{
			Name: "vim", Kind: Switch, at: func(s *Settings) any { return &s.Vim },
			Title: "Vim keys",
			Long:  "The draft has vim's modes and keys. Without it, it has those of readline. `/vim` changes it for this window only.",
		},
		{
			Name: "busy_enter", Kind: Word, at: func(s *Settings) any { return &s.BusyEnter },
			Words: []string{"steer", "queue"}, Meanings: []string{"sends it for the next step", "waits for its end"},
			Title: "Enter while the agent works",
			Long: "`steer` sends the prompt for the agent's next step in the turn that runs; the agent reads it after the " +
				"turn if no step follows. `queue` lets it wait for the end of the turn, as `ctrl+q` always does.",
		},
		{
			Name: "interrupt", Kind: Word, at: func(s *Settings) any { return &s.Interrupt },
			Words: []string{"double", "single"}, Meanings: []string{"pressed twice", "pressed once"},
			Title: "Esc to interrupt the agent",
			Long: "`double` asks for a second press, so that one that was meant to close something stops nothing. `single` " +
				"needs one; with vim's keys, where esc leaves what is typed too, it is two all the same.",
		},
	}
}

func questionRows() []Setting {
	return []Setting{
		{
			Name: "reads", Kind: Word, When: NextStart, at: func(s *Settings) any { return &s.Reads },
			Words: []string{"trusted", "ask"}, Meanings: []string{"allowed", "asked each time"},
			Title: "Reading in trusted folders",
			Long: "With `trusted`, a session of the Copilot CLI in a trusted folder reads there, in folders that you added, and in the " +
				"CLI's folder for temporary files without asking, as in the CLI's own window. With `ask` it asks for every read. " +
				"Reads elsewhere are always asked.",
		},
	}
}

func statusRows() []Setting {
	return []Setting{
		{
			Name: "status.left", Kind: Words, Words: StatusItems(), at: func(s *Settings) any { return &s.Status.Left },
			Title: "Left side of the status line",
			Long: "What is shown there, in this order. Items that have nothing to show are left out, and if there is no room the least " +
				"important go first. What you must know of (such as `activity` and `allow-all`) is shown even if the list leaves it out.",
		},
		{
			Name: "status.right", Kind: Words, Words: StatusItems(), at: func(s *Settings) any { return &s.Status.Right },
			Title: "Right side of the status line",
			Long:  "As for `status.left`; the last one stands at the edge.",
		},
		{
			Name: "status.script", Kind: List, at: func(s *Settings) any { return &s.Status.Script },
			Title: "Program for the status line",
			Long: "A program with its arguments. The first line that it prints is the item `script`. It gets JSON about the session " +
				"on its standard input. It is started directly, not by a shell. An empty list is none.",
		},
		{
			Name: "status.script_timeout", Kind: Number, Min: 10, Max: 60_000, Unit: "ms",
			at:    func(s *Settings) any { return &s.Status.ScriptTimeout },
			Title: "Time limit of that program",
			Long:  "In milliseconds. A program that takes longer is ended; what it printed before stays, marked with a ~.",
		},
	}
}

func mouseRows() []Setting {
	return []Setting{
		{
			Name: "mouse.wheel", Kind: Switch, at: func(s *Settings) any { return &s.Mouse.Wheel },
			Title: "Wheel scrolls",
			Long:  "With all three of the mouse off, the mouse is left to the terminal, which then selects text as it always does.",
		},
		{
			Name: "mouse.click", Kind: Switch, at: func(s *Settings) any { return &s.Mouse.Click },
			Title: "Click focuses and folds",
			Long:  "A click gives the focus, folds and unfolds. It never answers a question.",
		},
		{
			Name: "mouse.select", Kind: Switch, at: func(s *Settings) any { return &s.Mouse.Select },
			Title: "Drag selects text",
			Long: "What is selected can be copied. Without it, dragging is the terminal's own where it has a key for that, such as " +
				"shift.",
		},
	}
}

func notifyRows() []Setting {
	channels := []string{"auto", "off", "bell", "osc9", "osc777", "osc99"}
	meanings := []string{
		"best available", "nothing", "the bell",
		"a notification, as in iTerm2", "a notification, as in rxvt", "a notification, as in kitty",
	}
	const how = "How the terminal notifies you of it while the window does not have the focus."
	return []Setting{
		{
			Name: "notify.approval", Kind: Word, Words: channels, Meanings: meanings,
			at:    func(s *Settings) any { return &s.Notify.Approval },
			Title: "When an approval waits",
			Long:  "A permission, a plan, trust in a folder, a sign-in or a higher limit. " + how,
		},
		{
			Name: "notify.question", Kind: Word, Words: channels, Meanings: meanings,
			at:    func(s *Settings) any { return &s.Notify.Question },
			Title: "When a question waits",
			Long:  "A question of the agent, or a form. " + how,
		},
		{
			Name: "notify.done", Kind: Word, Words: channels, Meanings: meanings,
			at:    func(s *Settings) any { return &s.Notify.Done },
			Title: "When a turn has ended", Long: how,
		},
		{
			Name: "notify.error", Kind: Word, Words: channels, Meanings: meanings,
			at:    func(s *Settings) any { return &s.Notify.Error },
			Title: "When the agent has stopped", Long: how,
		},
		{
			Name: "notify.after", Kind: Number, Max: 86_400, Unit: "seconds", at: func(s *Settings) any { return &s.Notify.After },
			Title: "Shortest turn to notify of",
			Long:  "In seconds. You are not notified of the end of a shorter turn. With 0 you are notified of every one.",
		},
	}
}

func terminalRows() []Setting {
	return []Setting{
		{
			Name: "terminal.title", Kind: Switch, at: func(s *Settings) any { return &s.Terminal.Title },
			Title: "Session in the window title",
			Long:  "The title of the terminal's window shows the session and whether it needs you. Without it the title is left as it is.",
		},
		{
			Name: "terminal.progress", Kind: Switch, at: func(s *Settings) any { return &s.Terminal.Progress },
			Title: "Progress in tab or task bar",
			Long:  "That a turn runs is shown there in terminals that are known to do it (OSC 9;4).",
		},
		{
			Name: "terminal.pictures", Kind: Switch, When: NextStart, at: func(s *Settings) any { return &s.Terminal.Pictures },
			Title: "Images in the conversation",
			Long: "In terminals that are known to show them, kitty and Ghostty, also those in the draft, above it. Elsewhere, and " +
				"without it, an image is a line or a chip that names it.",
		},
		{
			Name: "terminal.links", Kind: Switch, at: func(s *Settings) any { return &s.Terminal.Links },
			Title: "Links that can be opened",
			Long:  "Links are marked for the terminal (OSC 8), which opens them its own way. Without it they are text.",
		},
		{
			Name: "terminal.low_bandwidth", Kind: Word, at: func(s *Settings) any { return &s.Terminal.LowBandwidth },
			Words: LowBandwidths(), Meanings: []string{"on a slow line", "always", "never"},
			Title: "Low-bandwidth mode",
			Long: "For a slow line, as over SSH: fewer frames while an answer comes, 256 colours, no animation or images; keys show at " +
				"once. `auto` is on if the terminal takes over 150 ms to answer at the start; tmux, screen and mosh answer " +
				"themselves: set `on` there.",
		},
	}
}

func readerRows() []Setting {
	return []Setting{
		{
			Name: "reader.answers", Kind: Word, at: func(s *Settings) any { return &s.Reader.Answers },
			Words: []string{Complete, Sentences}, Meanings: []string{"once complete", "by sentences"}, Title: "When answers are said",
			Long: "With the screen `reader`: once all has come, or each sentence as it ends, and lists, tables and code whole.",
		},
		{
			Name: "reader.progress", Kind: Number, Max: 86_400, Unit: "seconds", at: func(s *Settings) any { return &s.Reader.Progress },
			Title: "How often progress is said",
			Long:  "With the screen `reader`: after how many seconds it is said again what the agent does. 0: only on `/status`.",
		},
	}
}

func telemetryRows() []Setting {
	return []Setting{
		{
			Name: "telemetry.agent", Kind: Switch, When: NextStart, at: func(s *Settings) any { return &s.Telemetry.Agent },
			Title: "Telemetry of the agent",
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
