package report

import (
	"fmt"
	"reflect"
	"runtime"
	"slices"
	"strings"

	"github.com/charmbracelet/colorprofile"

	"parley/cli/doctor"
	"parley/cli/process"
	"parley/history/prompts"
	"parley/render/text"
	"parley/session/trace"
	"parley/settings"
	"parley/settings/environ"
	"parley/terminal"
	"parley/theme"
	"parley/tui/keymap"
)

// account is what a report holds. Nothing in it is taken over as it is: what is
// not of a known form is left out.
type account struct {
	agent    string
	terminal terminal.Description
	settings settings.Settings
	keys     settings.Keys
	env      []string
	recent   trace.RecentEvents
	mistaken []string // the user's files that have mistakes, by their own names
	log      []string // the last lines of the log file, as they stand there
}

// reportTop says what a report is.
const reportTop = `# A report about Parley

It holds no prompt, answer, command, file name, address or secret.
Add what you did, what you expected, and what happened instead.
`

// text is the report, in Markdown.
func (a account) text() string { return withoutSecrets(a.compose()) }

// compose writes the report of what is safe to show.
func (a account) compose() string {
	var b strings.Builder
	b.WriteString(reportTop)
	list := func(title string, items []string) {
		if len(items) > 0 {
			fmt.Fprintf(&b, "\n## %s\n\n- %s\n", title, strings.Join(items, "\n- "))
		}
	}
	block := func(title string, lines []string) {
		if len(lines) > 0 {
			fmt.Fprintf(&b, "\n## %s\n\n```\n%s\n```\n", title, strings.Join(lines, "\n"))
		}
	}
	list("Versions", []string{
		"Parley " + process.Version(), runtime.Version() + " " + runtime.GOOS + "/" + runtime.GOARCH, "agent: " + knownAgent(a.agent),
	})
	list("Terminal", terminalLines(a.terminal))
	list("Settings other than the defaults", append(settingLines(a.settings), keyLines(a.keys)...))
	list("Files with mistakes, which do not count", a.mistaken)
	unset := func(name string) bool { return environ.Get(a.env, name) == "" }
	if names := slices.DeleteFunc(slices.Clone(reportedVariables), unset); len(names) > 0 {
		list("Variables that are set", []string{strings.Join(names, ", ")})
	}
	notes := a.recent.Notes()
	lines := make([]string, len(notes))
	for i, n := range notes {
		lines[i] = noteLine(n)
	}
	block("The last events", lines)
	block("The end of the log file", logLines(a.log))
	return b.String()
}

// withoutSecrets leaves out lines that look as if they held a secret. No line
// does unless what is above is mistaken.
func withoutSecrets(text string) string {
	if _, private := prompts.Private(text); !private {
		return text
	}
	lines := strings.Split(text, "\n")
	for i, l := range lines {
		if _, private := prompts.Private(strings.TrimSpace(l)); private {
			lines[i] = "(a line that looks like a secret was left out)"
		}
	}
	return strings.Join(lines, "\n")
}

// versionEnd is how the name of an agent ends that has its version.
var versionEnd = text.Regexp(` (?:\d{1,4}\.){1,3}\d{1,6}(?:-\d{1,4})?$`)

// knownAgent is an agent and its version; of a log that is played, not which.
func knownAgent(name string) string {
	for _, known := range []string{"GitHub Copilot CLI", "Copilot CLI", "demo", "replay"} {
		if name == known || strings.HasPrefix(name, known+" ") {
			return known + versionEnd().FindString(name[len(known):])
		}
	}
	if name == "" {
		return "none was found"
	}
	return "another"
}

// terminalNames are programs that show terminals, by how they call themselves.
var terminalNames = text.Regexp(`(?i)^(?:kitty|ghostty|wezterm|foot|alacritty|iterm2?(?:\.app)?|apple_terminal|vscode|` +
	`warpterminal|windows terminal|vte|konsole|xterm|rxvt(?:-unicode)?|urxvt|contour|rio|hyper|tabby|mintty|putty|linux|st|tmux|screen|` +
	`zellij|libvterm|vt\d{3})\b`)

// terminalVersion is a version in what a terminal calls itself.
var terminalVersion = text.Regexp(`[ (](\d{1,8}(?:\.\d{1,6}){0,3})(?:[) -]|$)`)

// knownTerminal is the name of a terminal and its version.
func knownTerminal(name string) string {
	if name == "" {
		return "not reported"
	}
	known := terminalNames().FindString(name)
	if known == "" {
		return "another"
	}
	if v := terminalVersion().FindStringSubmatch(name); v != nil {
		known += " " + v[1]
	}
	return known
}

// termEnd is how a TERM continues behind the name of a terminal.
var termEnd = text.Regexp(`^(?:-(?:kitty|ghostty|direct|256color|16color|88color|color|mono|extra|m))*$`)

// knownTerm is a TERM.
func knownTerm(name string) string {
	if known := terminalNames().FindString(name); known != "" && termEnd().MatchString(name[len(known):]) {
		return name
	}
	return knownTerminal(name)
}

// terminalLines are what the terminal is and can.
func terminalLines(t terminal.Description) []string {
	colours := map[colorprofile.Profile]string{
		colorprofile.TrueColor: "16 million", colorprofile.ANSI256: "256", colorprofile.ANSI: "16",
	}[t.Colours]
	if colours == "" || t.NoColour {
		colours = "none"
	}
	yes := map[bool]string{true: "yes", false: "no"}
	lines := []string{
		"TERM: " + knownTerm(t.Name), "program: " + knownTerminal(t.Program),
		fmt.Sprintf("size: %s, colours: %s, UTF-8: %s", doctor.Size(t), colours, yes[t.Unicode]),
	}
	if t.Multiplexer != "" || t.Far {
		lines = append(lines, "between: "+strings.TrimSpace(t.Multiplexer+map[bool]string{true: " SSH"}[t.Far]))
	}
	return append(lines,
		fmt.Sprintf("dark: %s, kitty keys: %s, clipboard: %s, focus: %s, images: %s",
			t.Dark, t.Keys, t.Clipboard, t.FocusEvents, t.Images),
		fmt.Sprintf("notifications: %s, progress: %s, links: %s, frames: %s, graphemes: %s",
			t.Notices, yes[t.Progress], yes[t.Links], t.Sync, t.Graphemes))
}

// settingLines are the settings that differ from the defaults. What may be a
// text of the user's own is not shown.
func settingLines(now settings.Settings) []string {
	var lines []string
	for _, s := range settings.Table() {
		value := s.Value(now)
		if reflect.DeepEqual(value, s.Value(settings.Defaults())) {
			continue
		}
		shown := settings.TOML(value)
		theirs := s.Kind == settings.List || s.Kind == settings.Text && !slices.Contains(theme.Names(), fmt.Sprint(value))
		if theirs || s.Check(value) != "" {
			shown = "(your own)"
		}
		lines = append(lines, s.Name+" = "+shown)
	}
	return lines
}

// keyLines are the keys that differ, by the actions that they are for.
func keyLines(k settings.Keys) []string {
	var lines []string
	if slices.Contains(keymap.PresetNames(), k.Preset) && k.Preset != "copilot" {
		lines = append(lines, "keys: "+k.Preset)
	}
	var bound []string
	for _, c := range keymap.Commands() {
		if _, own := k.Bindings[c.ID]; own {
			bound = append(bound, c.ID)
		}
	}
	if len(bound) > 0 {
		lines = append(lines, "keys of your own: "+strings.Join(bound, ", "))
	}
	return lines
}

// reportedVariables are those that change what Parley or the agent does. Only
// whether they are set is reported.
var reportedVariables = []string{
	"ALACRITTY_WINDOW_ID", "CI", "COLORFGBG", "COLORTERM", "COLUMNS", "COPILOT_ALLOW_ALL", "COPILOT_CACHE_HOME", "COPILOT_CLI_PATH",
	"COPILOT_CONNECTION_TOKEN", "COPILOT_EDITOR", "COPILOT_GITHUB_TOKEN", "COPILOT_HOME", "COPILOT_MODEL", "COPILOT_OFFLINE",
	"COPILOT_PKG_CACHE_HOME",
	"COPILOT_PROVIDER_API_KEY", "COPILOT_PROVIDER_BASE_URL", "COPILOT_PROVIDER_HEADERS", "COPILOT_PROVIDER_TYPE", "ConEmuANSI",
	"DISPLAY", "EDITOR", "GH_HOST", "GH_TOKEN", "GITHUB_TOKEN", "GLAMOUR_STYLE", "HTTPS_PROXY", "HTTP_PROXY", "KITTY_WINDOW_ID",
	"KONSOLE_VERSION",
	"LANG", "LC_ALL", "LC_CTYPE", "LC_TERMINAL", "LC_TERMINAL_VERSION", "LINES", "NODE_EXTRA_CA_CERTS", "NODE_OPTIONS", "NO_COLOR",
	"NO_PROXY", "OTEL_EXPORTER_OTLP_ENDPOINT", "OTEL_SDK_DISABLED", "SSH_CONNECTION", "SSH_TTY", "STY", "TERM", "TERM_PROGRAM",
	"TERM_PROGRAM_VERSION", "TMPDIR", "TMUX", "TZ", "VISUAL", "VTE_VERSION", "WAYLAND_DISPLAY", "WSL_DISTRO_NAME", "WT_SESSION",
	"XDG_CACHE_HOME", "XDG_CONFIG_HOME", "XDG_STATE_HOME", "ZELLIJ", "https_proxy", "http_proxy", "no_proxy",
}

// noteLine is an event in one line.
func noteLine(n trace.Note) string {
	kind := n.Kind
	if n.Count > 1 {
		kind += " x" + text.Number(n.Count)
	}
	line := fmt.Sprintf("%s  %-30s", n.Time.UTC().Format("15:04:05.000"), kind)
	for _, a := range n.Attrs {
		line += " " + a.String()
	}
	return strings.TrimRight(line, " ")
}
