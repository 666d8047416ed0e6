package doctor

import (
	"fmt"
	"strings"

	"github.com/charmbracelet/colorprofile"

	"parley/render/text"
	"parley/terminal"
)

// terminalFindings judge the terminal.
func terminalFindings(f Facts) []finding {
	t := f.Terminal
	if !f.isTerminal {
		return []finding{
			{
				"terminal", levelNote, "this is not a terminal, so it was not asked",
				"Run `parley doctor` where you run parley, without pipes.", false,
			},
			termNamed(t.Name),
		}
	}
	all := []finding{termNamed(t.Name)}
	add := func(name string, l level, value, do string) { all = append(all, finding{name, l, value, do, false}) }
	program := strings.TrimSuffix(strings.ReplaceAll(t.Program, "(", " "), ")") // kitty(0.42.1)
	if t.Multiplexer != "" {
		program = strings.TrimPrefix(program+", inside "+t.Multiplexer, ", ")
	}
	if t.Far {
		program = strings.TrimPrefix(program+", over SSH", ", ")
	}
	if program != "" {
		add("program", levelOK, program, "")
	}
	switch {
	case t.Unanswered:
		add("answers", levelNote, "it says nothing of itself when asked", "Parley takes it for a plain terminal; a newer one shows more.")
	case t.Width < 40 || t.Height < 10:
		add("size", levelNote, Size(t), "Parley is made for 80 by 24 and more, and reads from 40 by 10 on.")
	default:
		add("size", levelOK, Size(t), "")
	}
	all = append(all, coloursOf(t))
	if t.Unicode {
		add("letters", levelOK, "UTF-8", "")
	} else {
		add("letters", levelNote, "the locale has ASCII only", "Set LANG to a UTF-8 locale, such as LANG=C.UTF-8.")
	}
	return append(all, abilities(t, f.clipboard)...)
}

// Size is how large a terminal is, in words.
func Size(t terminal.Description) string {
	if t.Width == 0 {
		return "not told"
	}
	return fmt.Sprintf("%d by %d", t.Width, t.Height)
}

// termNamed judges TERM.
func termNamed(name string) finding {
	const do = "Set TERM to what the terminal is, such as TERM=xterm-256color."
	switch name {
	case "":
		return finding{"TERM", levelProblem, "not set", do, true}
	case "dumb":
		return finding{"TERM", levelProblem, "dumb, which cannot show a full screen", do, true}
	}
	return finding{"TERM", levelOK, name, "", false}
}

// coloursOf judges how many colours there are.
func coloursOf(t terminal.Description) finding {
	const do = "If it has more, set TERM=xterm-256color or COLORTERM=truecolor."
	switch {
	case t.NoColour:
		return finding{"colours", levelOK, "none, as NO_COLOR is set", "", false}
	case t.Colours == colorprofile.TrueColor:
		return finding{"colours", levelOK, "16 million", "", false}
	case t.Colours == colorprofile.ANSI256:
		return finding{"colours", levelOK, "256", "", false}
	case t.Colours == colorprofile.ANSI:
		return finding{"colours", levelNote, "16", do, false}
	}
	return finding{"colours", levelNote, "none", do, false}
}

// notices are the channels of notifications in words.
var notices = map[terminal.Channel]string{
	terminal.Bell: "the bell", terminal.OSC9: "the terminal's own (OSC 9)", terminal.OSC777: "the terminal's own (OSC 777)",
	terminal.OSC99: "the terminal's own (OSC 99)",
}

// abilities judge what the terminal can do besides showing text.
func abilities(t terminal.Description, clipboard string) []finding {
	var all []finding
	add := func(name string, l level, value, do string) { all = append(all, finding{name, l, value, do, false}) }
	shade := map[terminal.Known]string{terminal.Yes: "dark", terminal.No: "light"}
	switch {
	case t.Dark != terminal.Unknown:
		add("background", levelOK, shade[t.Dark], "")
	case t.DarkByEnv != terminal.Unknown:
		add("background", levelOK, shade[t.DarkByEnv]+", says COLORFGBG", "")
	default:
		add("background", levelNote, "it does not say; the colours read on dark and on light",
			`theme = "dark" or "light" in settings.toml has more.`)
	}
	if t.Keys == terminal.Yes {
		add("keys", levelOK, "all of them (kitty keyboard protocol)", "")
	} else {
		do := "ctrl+j does it for shift+enter, ctrl+q for ctrl+enter; /terminal-setup says more."
		if t.Multiplexer == "tmux" {
			do = "In tmux: set -s extended-keys on, and set -as terminal-features 'xterm*:extkeys'."
		}
		add("keys", levelNote, "those of older terminals: no shift+enter", do)
	}
	switch {
	case clipboard != "":
		add("clipboard", levelOK, "with "+clipboard, "")
	case t.Clipboard == terminal.Yes:
		add("clipboard", levelOK, "through the terminal (OSC 52)", "")
	default:
		do := "If copies do not arrive, allow OSC 52 in the terminal's settings."
		if t.Multiplexer == "tmux" {
			do = "If copies do not arrive: set -g set-clipboard on, in tmux."
		}
		add("clipboard", levelNote, "through the terminal, which does not say whether it may", do)
	}
	switch t.FocusTold {
	case terminal.No:
		add("focus", levelNote, "it does not tell whether you look", "Notifications need that; another terminal has it.")
	case terminal.Yes:
		add("focus", levelOK, "it tells whether you look", "")
	case terminal.Unknown:
		add("focus", levelOK, "not known until it changes", "")
	}
	add("notifications", levelOK, notices[t.Notices], "")
	also := func(name string, has bool, yes, no string) {
		if has {
			no = yes
		}
		add(name, levelOK, no, "")
	}
	also("links", t.Links, "it follows them itself", "ctrl+x o opens the last one")
	also("progress", t.Progress, "in its tab or task bar", "not shown in its tab or task bar")
	pictures := map[terminal.Known]string{terminal.Yes: "shown", terminal.No: "named, not shown", terminal.Unknown: "not known"}
	add("pictures", levelOK, pictures[t.Pictures], "")
	return all
}

// agentFindings judge the Copilot CLI.
func agentFindings(a AgentFacts) []finding {
	if a.url {
		return []finding{{"Copilot CLI", levelOK, "one that runs already, by --copilot-url", "", false}}
	}
	switch {
	case a.missing:
		return []finding{{
			"Copilot CLI", levelNote, "not found, so the demo answers",
			"Install it with `npm install -g @github/copilot`, or name it with --copilot-path.", false,
		}}
	case a.trouble != "":
		return []finding{{"Copilot CLI", levelProblem, a.trouble, "Correct the path, or leave it out.", true}}
	}
	all := []finding{{"Copilot CLI", levelOK, a.path, "", false}}
	add := func(name string, l level, value, do string, stops bool) {
		all = append(all, finding{name, l, value, do, stops})
	}
	switch {
	case a.broken != "":
		do := "Install it anew with `npm install -g @github/copilot`."
		if a.script && a.node == "" {
			do = "It is a script for node, which is not on the PATH: install node 22 or later."
		}
		add("version", levelProblem, "it does not run: "+a.broken, do, true)
	default:
		add("version", levelOK, a.Version, "", false)
	}
	if a.script && a.node != "" {
		add("node", levelOK, a.node, "", false)
	}
	switch {
	case a.provider != "":
		add("provider", levelProblem, a.provider, "Correct the variable, or leave it out.", true)
	case a.ownModel:
		add("sign-in", levelOK, "not needed: COPILOT_PROVIDER_BASE_URL names the model", "", false)
	case a.token != "":
		add("sign-in", levelOK, "a token is in "+a.token, "", false)
	case a.account != "":
		add("sign-in", levelOK, "signed in as "+a.account+", say the CLI's own settings", "", false)
	default:
		add(
			"sign-in", levelNote, "not signed in, as far as can be seen from here",
			"Run `copilot login`, or /login in the window. The CLI takes an account of `gh` too.", false,
		)
	}
	return all
}

// folderFindings judge the folders.
func folderFindings(folders []folderFacts) []finding {
	var all []finding
	for _, d := range folders {
		f := finding{Name: d.name, Level: levelOK, Value: d.path}
		switch {
		case d.path == "":
			f.Level, f.Value, f.Do = levelProblem, "nowhere, as there is no home folder", "Set HOME."
		case d.trouble != "":
			f.Level, f.Value = levelProblem, d.path+": "+d.trouble
			f.Do, f.Stops = "Move away what is there; until then "+d.loss+".", d.needed
		case !d.exists && d.writable:
			f.Value += " (made when it is needed)"
		case !d.exists:
			f.Level, f.Value, f.Do = levelProblem, d.path+" is not there and cannot be made", "Make it; until then "+d.loss+"."
			f.Stops = d.needed
		case !d.writable:
			f.Level, f.Value, f.Do = levelProblem, d.path+" cannot be written to", "Make it writable (chmod u+w); until then "+d.loss+"."
			f.Stops = d.needed
		case d.files > 0:
			f.Value += ", " + d.sizeText()
		}
		all = append(all, f)
	}
	return all
}

// sizeText is how much is in a folder.
func (d folderFacts) sizeText() string {
	if d.more {
		return "more than " + text.Count(d.files, "file")
	}
	return text.Count(d.files, "file") + ", " + text.Bytes(d.bytes)
}

// fileFindings judge the user's own files.
func fileFindings(files []FileFacts) []finding {
	var all []finding
	for _, file := range files {
		switch {
		case file.Mistake != "" && file.needed:
			all = append(all, finding{file.Name, levelProblem, file.Mistake, "Correct it; Parley does not start with it.", true})
		case file.Mistake != "":
			all = append(all, finding{file.Name, levelProblem, file.Mistake, "Correct it; until then it does not count.", false})
		case file.found:
			all = append(all, finding{file.Name, levelOK, file.path, "", false})
		default:
			all = append(all, finding{file.Name, levelOK, "none (defaults)", "", false})
		}
	}
	return all
}

// programFindings judge the programs that Parley starts for the user.
func programFindings(f Facts) []finding {
	var all []finding
	add := func(name, found, none, do string) {
		if found != "" {
			all = append(all, finding{name, levelOK, found, "", false})
			return
		}
		all = append(all, finding{name, levelNote, none, do, false})
	}
	add("editor", f.editor, f.editorTrouble, "Set EDITOR to an editor that is installed, such as EDITOR=vim.")
	add("browser", f.browser, "none can be reached from here", "Links are copied instead of opened.")
	add("git", f.git, "not found", "Install git: ignored files and branches are known by it.")
	return all
}
