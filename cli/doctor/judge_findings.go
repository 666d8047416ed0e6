package doctor

import (
	"fmt"
	"strings"

	"github.com/charmbracelet/colorprofile"

	"parley/render/text"
	"parley/session/copilot"
	"parley/terminal"
)

// findings are collected one after another.
type findings []finding

func (all *findings) ok(name, value string) {
	*all = append(*all, finding{Name: name, Level: levelOK, Value: value})
}

func (all *findings) note(name, value, do string) {
	*all = append(*all, finding{Name: name, Level: levelNote, Value: value, Do: do})
}

func (all *findings) problem(name, value, do string, stops bool) {
	*all = append(*all, finding{name, levelProblem, value, do, stops})
}

// terminalFindings judge the terminal.
func terminalFindings(f Facts) (all findings) {
	t := f.Terminal
	if !f.isTerminal {
		all.note("terminal", "this is not a terminal, so it was not asked", "Run `parley doctor` where you run parley, without pipes.")
		all.termNamed(t.Name, f.system)
		return all
	}
	all.termNamed(t.Name, f.system)
	program := strings.TrimSuffix(strings.ReplaceAll(t.Program, "(", " "), ")") // kitty(0.42.1)
	if t.Multiplexer != "" {
		program = strings.TrimPrefix(program+", inside "+t.Multiplexer, ", ")
	}
	if t.Far {
		program = strings.TrimPrefix(program+", over SSH", ", ")
	}
	if program != "" {
		all.ok("program", program)
	}
	switch {
	case t.Unanswered:
		all.note("answers", "it says nothing of itself when asked", "Parley takes it for a plain terminal; a newer one shows more.")
	case t.Width < 40 || t.Height < 10:
		all.note("size", Size(t), "Parley is made for 80 by 24 and more, and reads from 40 by 10 on.")
	default:
		all.ok("size", Size(t))
	}
	all.line(t)
	all.colours(t)
	switch {
	case t.Unicode && t.Console:
		all.ok("letters", "UTF-8, with marks that console fonts have")
	case t.Unicode:
		all.ok("letters", "UTF-8")
	default:
		all.note("letters", "the locale has ASCII only", "Set LANG to a UTF-8 locale, such as LANG=C.UTF-8.")
	}
	all.abilities(t, f.clipboard)
	return all
}

// Size is how large a terminal is, in words.
func Size(t terminal.Description) string {
	if t.Width == 0 {
		return "not reported"
	}
	return fmt.Sprintf("%d by %d", t.Width, t.Height)
}

// termNamed judges TERM.
func (all *findings) termNamed(name, system string) {
	const do = "Set TERM to what the terminal is, such as TERM=xterm-256color."
	switch {
	case name == "" && strings.HasPrefix(system, "windows/"):
		all.ok("TERM", "not set, as is usual on Windows")
	case name == "":
		all.problem("TERM", "not set", do, true)
	case name == "dumb":
		all.note("TERM", "dumb: the window writes and reads lines, as with --screen-reader", do)
	default:
		all.ok("TERM", name)
	}
}

// colours judges how many colours there are.
func (all *findings) colours(t terminal.Description) {
	const do = "If it has more, set TERM=xterm-256color or COLORTERM=truecolor."
	switch {
	case t.NoColour:
		all.ok("colours", "none, as NO_COLOR is set")
	case t.Colours == colorprofile.TrueColor:
		all.ok("colours", "16 million")
	case t.Colours == colorprofile.ANSI256:
		all.ok("colours", "256")
	case t.Colours == colorprofile.ANSI:
		all.note("colours", "16", do)
	default:
		all.note("colours", "none", do)
	}
}

// notices are the channels of notifications in words.
var notices = map[terminal.Channel]string{
	terminal.Bell: "the bell", terminal.OSC9: "the terminal's own (OSC 9)", terminal.OSC777: "the terminal's own (OSC 777)",
	terminal.OSC99: "the terminal's own (OSC 99)",
}

// line judges the line to the terminal.
func (all *findings) line(t terminal.Description) {
	value := "low-bandwidth mode is " + map[bool]string{true: "on", false: "off"}[t.LowBandwidth]
	if t.RoundTrip > 0 {
		value = fmt.Sprintf("it answers in %d ms; %s", max(t.RoundTrip.Milliseconds(), 1), value)
	}
	switch slow := t.RoundTrip > terminal.SlowAnswer; {
	case t.LowBandwidth && t.ByRoundTrip:
		all.note("line", value, "terminal.low_bandwidth = \"off\" in settings.toml turns it off.")
	case slow && !t.LowBandwidth:
		all.note("line", value, "terminal.low_bandwidth = \"auto\" in settings.toml turns it on.")
	default:
		all.ok("line", value)
	}
}

// abilities judge what the terminal can do other than show text.
func (all *findings) abilities(t terminal.Description, clipboard string) {
	shade := map[terminal.Known]string{terminal.Yes: "dark", terminal.No: "light"}
	inTmux := func(do, otherwise string) string {
		if t.Multiplexer == "tmux" {
			return do
		}
		return otherwise
	}
	switch {
	case t.Dark != terminal.Unknown:
		all.ok("background", shade[t.Dark])
	case t.DarkByEnv != terminal.Unknown && t.Console:
		all.ok("background", shade[t.DarkByEnv]+", as of the Linux console")
	case t.DarkByEnv != terminal.Unknown:
		all.ok("background", shade[t.DarkByEnv]+", by COLORFGBG")
	default:
		all.note("background", "the terminal does not say; the colours read on dark and on light",
			inTmux("tmux 3.4 and later answer. Else set theme = \"dark\" or \"light\" in settings.toml.",
				"Set theme = \"dark\" or \"light\" in settings.toml for more colours."))
	}
	if t.Graphemes == terminal.Yes {
		all.ok("emoji", "joined ones are one letter (mode 2027)")
	} else {
		all.ok("emoji", "joined ones are drawn in parts, so that columns stay aligned")
	}
	if t.Keys == terminal.Yes {
		all.ok("keys", "all of them (kitty keyboard protocol)")
	} else {
		all.note("keys", "those of older terminals: no shift+enter",
			inTmux("In tmux: set -s extended-keys on, and set -as terminal-features 'xterm*:extkeys'.",
				"ctrl+j does it for shift+enter, ctrl+q for ctrl+enter; /terminal-setup says more."))
	}
	switch {
	case clipboard != "":
		all.ok("clipboard", "with "+clipboard)
	case t.Console:
		all.note("clipboard", "none: the Linux console has no clipboard", "Copy inside tmux, which keeps what is copied.")
	case t.Clipboard == terminal.Yes:
		all.ok("clipboard", "through the terminal (OSC 52)")
	default:
		all.note("clipboard", "through the terminal, which does not say whether it may",
			inTmux("If copies do not arrive: set -g set-clipboard on, in tmux.",
				"If copies do not arrive, allow OSC 52 in the terminal's settings."))
	}
	switch t.FocusEvents {
	case terminal.No:
		all.note("focus", "it does not report whether it has the focus", "Notifications need that; another terminal has it.")
	case terminal.Yes:
		all.ok("focus", "it reports whether it has the focus")
	case terminal.Unknown:
		all.ok("focus", "not known until it changes")
	}
	all.ok("notifications", notices[t.Notices])
	all.ok("links", map[bool]string{true: "it follows them itself", false: "ctrl+x o opens the last one"}[t.Links])
	all.ok("progress", map[bool]string{true: "in its tab or task bar", false: "not shown in its tab or task bar"}[t.Progress])
	images := map[terminal.Known]string{terminal.Yes: "shown", terminal.No: "named, not shown", terminal.Unknown: "not known"}
	all.ok("images", images[t.Images])
}

// agentFindings judge the Copilot CLI.
func agentFindings(a AgentFacts) (all findings) {
	switch {
	case a.url:
		all.ok("Copilot CLI", "one that runs already, by --copilot-url")
		return all
	case a.missing:
		all.note("Copilot CLI", "not found, so the demo answers",
			"Install it with `npm install -g @github/copilot`, or name it with --copilot-path.")
		return all
	case a.trouble != "":
		all.problem("Copilot CLI", a.trouble, "Correct the path, or leave it out.", true)
		return all
	}
	all.ok("Copilot CLI", a.path)
	switch {
	case a.broken == "" && copilot.TooOld(a.Version):
		all.problem("version", fmt.Sprintf("%s; Parley needs %s or later", a.Version, copilot.MinVersion),
			"Update it with `npm install -g @github/copilot@latest`.", true)
	case a.broken == "":
		all.ok("version", a.Version)
	case a.remedy != "":
		all.problem("version", "it does not run: "+a.broken, "To make it run, "+a.remedy+".", true)
	case a.script && a.node == "":
		all.problem("version", "it does not run: "+a.broken,
			"It is a script for node, which is not on the PATH: install node 22 or later.", true)
	default:
		all.problem("version", "it does not run: "+a.broken, "Install it anew with `npm install -g @github/copilot`.", true)
	}
	if a.script && a.node != "" {
		all.ok("node", a.node)
	}
	switch {
	case a.provider != "":
		all.problem("provider", a.provider, "Correct the variable, or leave it out.", true)
	case a.ownModel:
		all.ok("sign-in", "not needed: COPILOT_PROVIDER_BASE_URL names the model")
	case a.token != "":
		all.ok("sign-in", "a token is in "+a.token)
	case a.account != "":
		all.ok("sign-in", "signed in as "+a.account+", say the CLI's own settings")
	default:
		all.note("sign-in", "not signed in, as far as can be seen from here",
			"Run `copilot login`, or /login in the window. The CLI takes an account of `gh` too.")
	}
	return all
}

// folderFindings judge the folders.
func folderFindings(folders []folderFacts) (all findings) {
	for _, d := range folders {
		switch until := "; until then " + d.loss + "."; {
		case d.path == "" && d.name == workFolder:
			all.problem(d.name, "it was deleted", "Change to a folder that exists.", true)
		case d.path == "":
			all.problem(d.name, "nowhere, as there is no home folder", "Set "+d.variable+until, false)
		case d.trouble != "":
			all.problem(d.name, d.path+": "+d.trouble, "Move away what is there"+until, d.needed)
		case !d.exists && d.writable:
			all.ok(d.name, d.path+" (made when it is needed)")
		case !d.exists:
			all.problem(d.name, d.path+" is not there and cannot be made", "Make it"+until, d.needed)
		case !d.writable:
			all.problem(d.name, d.path+" cannot be written to", "Make it writable (chmod u+w)"+until, d.needed)
		case d.files > 0:
			all.ok(d.name, d.path+", "+d.sizeText())
		default:
			all.ok(d.name, d.path)
		}
	}
	return all
}

// sizeText is how much is in a folder.
func (d folderFacts) sizeText() string {
	if d.more {
		return "more than " + text.Count(d.files, "file")
	}
	return text.Count(d.files, "file") + ", " + text.Size(d.bytes)
}

// fileFindings judge the user's own files.
func fileFindings(files []FileFacts) (all findings) {
	for _, file := range files {
		switch {
		case file.Mistake != "" && file.needed:
			all.problem(file.Name, file.Mistake, "Correct it; Parley does not start with it.", true)
		case file.Mistake != "":
			all.problem(file.Name, file.Mistake, "Correct it; until then it does not count.", false)
		case file.found:
			all.ok(file.Name, file.path)
		default:
			all.ok(file.Name, "none (defaults)")
		}
	}
	return all
}

// systemFindings are what the operating system cannot do that Parley does elsewhere.
func systemFindings(system string) (all findings) {
	switch name, _, _ := strings.Cut(system, "/"); name {
	case "linux":
	case "windows":
		all.note("suspending", "Windows suspends no program, so ctrl+z does nothing", "Open another tab or window for a shell.")
		all.note("a crash", "leaves the console as the window had it",
			"Run `parley doctor --reset` in it, and then `parley --continue`.")
	default:
		all.note("leftovers", "a command of the Copilot CLI may run on if the CLI is killed",
			"Look for it with ps: what belongs to the CLI is found on Linux only.")
	}
	return all
}

// programFindings judge the programs that Parley starts for the user.
func programFindings(f Facts) (all findings) {
	for _, p := range []struct{ name, found, missing, do string }{
		{"editor", f.editor, f.editorTrouble, "Set EDITOR to an editor that is installed, such as EDITOR=vim."},
		{"browser", f.browser, "none can be reached from here", "Links are copied instead of opened."},
		{"git", f.git, "not found", "Install git: ignored files and branches are known by it."},
	} {
		if p.found != "" {
			all.ok(p.name, p.found)
		} else {
			all.note(p.name, p.missing, p.do)
		}
	}
	return all
}
