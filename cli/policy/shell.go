package policy

import (
	"path"
	"slices"
	"strings"

	"parley/render/text"
)

// commandStart is where a command can begin in a command line of a shell.
const commandStart = "(?:^|[\\n;&|(){}!`]|\\b(?:then|do|else|elif|if|while|until|coproc)\\s|\\btime\\s+(?:-p\\s+)?(?:--\\s+)?)\\s*" +
	`(?:(?:builtin|command)\s+(?:-\S*\s+)*)?`

// assignment is the beginning of one.
const assignment = `[A-Za-z_]\w*(?:\[|\+?=)`

// What makes a command run another program than it names. The texts are
// matched without regard to quotes, so that they find too much rather than too
// little.
var (
	// assigns is an assignment before a command, or in place of one.
	assigns = text.Regexp(commandStart + assignment + `|\$\{!?\w+:?=`)
	// assignsLater is an assignment behind a redirection, which may stand
	// before a command as well.
	assignsLater = text.Regexp("(?s)[<>].*[\\s;&|(){}!`]" + assignment)
	// redefines are the builtins and keywords that set a variable, an alias,
	// a function or an option.
	redefines = text.Regexp(commandStart + `(?:export|alias|unalias|declare|typeset|local|readonly|unset|set|setenv|shopt|` +
		`source|\.|hash|enable|trap|read|readarray|mapfile|for|foreach|select|let|getopts|function)(?:\s|$)|\bprintf\s+-v`)
	// redefinesWith is env with an assignment.
	redefinesWith = text.Regexp("(?:^|[\\s;&|(){}!`/])env\\s[^;&|\\n]*=")
	// defines is the beginning of a function.
	defines = text.Regexp(commandStart + `[^\s(){};&|<>]+\s*\(\s*\)`)
	// assignsPowerShell is an assignment of PowerShell.
	assignsPowerShell = text.Regexp(`(?i)\$\{?env:|` + commandStart + `\$[\w:{}]+\s*[-+*/%?]*=` +
		`|\b(?:set|new)-(?:alias|item|variable)\b`)
)

// joined takes continued lines together, and unquoted takes off all quotes.
var (
	joined   = strings.NewReplacer("\\\r\n", "", "\\\n", "")
	unquoted = strings.NewReplacer(`\`, "", `"`, "", "'", "", "^", "")
)

// changesEnvironment reports whether a command line may set a variable, an
// alias or a function for one of its commands. Such a command need not be the
// program that its name says. Only the whole text shows it: what the
// runtime takes for the commands leaves these out.
func changesEnvironment(text string) bool {
	text = joined.Replace(text)
	plain := unquoted.Replace(text)
	return assigns().MatchString(text) || assignsLater().MatchString(text) || assignsPowerShell().MatchString(text) ||
		redefines().MatchString(plain) || redefinesWith().MatchString(plain) || defines().MatchString(plain)
}

// runners run the program that their arguments name.
var runners = []string{
	".", "ash", "bash", "builtin", "busybox", "chroot", "chrt", "command", "coproc", "csh", "dash", "doas", "entr", "env", "eval", "exec",
	"find", "fish", "flock", "gdb", "ionice", "ksh", "ltrace", "nice", "nohup", "nsenter", "parallel", "powershell", "pwsh", "rsh",
	"runuser", "script", "setsid", "sh", "source", "ssh", "stdbuf", "strace", "su", "sudo", "taskset", "tcsh", "time", "timeout", "trap",
	"unshare", "watch", "xargs", "zsh",
}

// runs reports whether a command of this name runs other programs.
func runs(name string) bool {
	words := strings.Fields(unquoted.Replace(name))
	return len(words) > 0 && slices.Contains(runners, strings.TrimSuffix(strings.ToLower(path.Base(words[0])), ".exe"))
}

// lacksShell decides about a command line: every command in it must be
// permitted, also one that only reads. A rule names a command as the runtime
// does, such as "git push", or is the whole text of it. Of what runs other
// programs, and of an agent that does not name the commands, only the whole text of the command
// line says what it does.
func (p Policy) lacksShell(w request) string {
	rules := p.of(KindShell)
	if slices.ContainsFunc(rules, func(r rule) bool { return r.arg == "" }) {
		return ""
	}
	whole := slices.ContainsFunc(rules, func(r rule) bool { return !r.prefix && r.arg == w.text })
	if w.unparsed && !whole {
		return "no --allow-tool permits " + named(KindShell, w.text) +
			", and a command of this agent is permitted by its whole text only"
	}
	for _, c := range w.commands {
		words := strings.Fields(c.name)
		if whole && len(words) > 0 && strings.Contains(w.text, words[0]) {
			continue
		}
		if runs(c.name) {
			return "no --allow-tool permits " + named(KindShell, w.text) +
				", and a command that runs others is permitted by its whole text only"
		}
		if !slices.ContainsFunc(rules, c.permittedBy) {
			return "no --allow-tool permits " + named(KindShell, c.name)
		}
	}
	return ""
}

// command is one program of a command line.
type command struct {
	// name is what a rule names: the runtime's identifier, or what it has a
	// rule match in its place, such as "git -C" for git in another folder.
	name  string
	exact bool     // the runtime has another name matched, so no beginning of it will do
	texts []string // each time it is called, with its arguments
}

// permittedBy reports whether a rule permits the command: by its name, by the
// beginning of that, or by exactly what is called, every time.
func (c command) permittedBy(r rule) bool {
	switch {
	case c.name == "":
		return false
	case !r.prefix:
		other := func(text string) bool { return text != r.arg }
		return r.arg == c.name || len(c.texts) > 0 && !slices.ContainsFunc(c.texts, other)
	case c.exact || strings.ContainsAny(c.name, "\n;&|<>()$`"):
		return false
	}
	return r.arg == c.name || strings.HasPrefix(c.name, r.arg+" ")
}
