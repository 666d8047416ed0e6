package prompts

import (
	"path"
	"slices"
	"strings"
)

// wrappers are the programs that run what comes after them, with the letters of
// their options that take a value.
var wrappers = map[string]string{
	"sudo": "ugpCcrtTUDRh", "doas": "uC", "env": "uCS", "xargs": "InPLdEsa", "nice": "n", "ionice": "cnp", "timeout": "ks", "time": "of",
	"nohup": "", "exec": "a", "command": "", "builtin": "", "stdbuf": "ioe", "setsid": "", "busybox": "",
}

// shells run the text that they are given, interpreters a program in another
// language, fetchers get what is at an address.
var (
	shells       = []string{"sh", "bash", "zsh", "dash", "ksh", "ash", "fish"}
	interpreters = []string{"python", "perl", "ruby", "node", "php", "iex", "invoke-expression"}
	fetchers     = []string{"curl", "wget", "aria2c", "fetch", "iwr", "irm", "invoke-webrequest", "invoke-restmethod"}
)

// keywords may stand before a command.
var keywords = []string{"then", "do", "else", "elif", "if", "while", "until", "!", "coproc"}

// program is what a command runs: its name and arguments, without what is written
// before it to run it otherwise.
type program struct {
	through []string // the names of that
	name    string
	args    []string
}

// program finds out what a command runs.
func (c shellCommand) program() program {
	var p program
	for _, w := range c.words {
		p.args = append(p.args, w.text)
	}
	for len(p.args) > 0 && (slices.Contains(keywords, p.args[0]) || assigns(p.args[0])) {
		p.args = p.args[1:]
	}
	for len(p.args) > 0 {
		p.name, p.args = programName(p.args[0]), p.args[1:]
		values, wraps := wrappers[p.name]
		if !wraps {
			break
		}
		rest := afterOptions(p.args, values)
		if p.name == "timeout" && len(rest) > 0 {
			rest = rest[1:] // how long
		}
		for len(rest) > 0 && assigns(rest[0]) {
			rest = rest[1:]
		}
		if len(rest) == 0 {
			break
		}
		p.through, p.args = append(p.through, p.name), rest
	}
	return p
}

func programName(called string) string {
	return strings.TrimSuffix(path.Base(strings.ToLower(called)), ".exe")
}

// assigns reports whether a word sets a variable.
func assigns(word string) bool {
	name, _, ok := strings.Cut(word, "=")
	return ok && name != "" && strings.Trim(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_+") == ""
}

// afterOptions leaves out the options before the first word that is none. Those of
// the letters in values take the next word with them.
func afterOptions(args []string, values string) []string {
	for len(args) > 0 && len(args[0]) > 1 && args[0][0] == '-' {
		option := args[0]
		args = args[1:]
		if option == "--" {
			break
		}
		if len(option) == 2 && strings.Contains(values, option[1:]) && len(args) > 0 {
			args = args[1:]
		}
	}
	return args
}

// has reports whether an option is there, by its name or by its letter, alone or
// among others.
func (p program) has(letter, name string) bool {
	return slices.ContainsFunc(p.args, func(a string) bool {
		long := strings.HasPrefix(a, "--")
		return name != "" && a == "--"+name || letter != "" && !long && len(a) > 1 && a[0] == '-' && strings.Contains(a[1:], letter)
	})
}

// operands are the arguments that are no options.
func (p program) operands() []string {
	var out []string
	for i, a := range p.args {
		if a == "--" {
			return append(out, p.args[i+1:]...)
		}
		if len(a) < 2 || a[0] != '-' {
			out = append(out, a)
		}
	}
	return out
}

func (p program) git() program {
	args := p.args
	for len(args) > 0 && strings.HasPrefix(args[0], "-") {
		if slices.Contains([]string{"-C", "-c", "--git-dir", "--work-tree", "--namespace", "--exec-path"}, args[0]) && len(args) > 1 {
			args = args[1:]
		}
		args = args[1:]
	}
	if len(args) == 0 {
		return program{}
	}
	return program{name: args[0], args: args[1:]}
}

// code is the text of commands that a program is given as an argument.
func (p program) code() string {
	switch {
	case slices.Contains(shells, p.name) || p.name == "su":
		for i, a := range p.args {
			if strings.HasPrefix(a, "-") && !strings.HasPrefix(a, "--") && strings.Contains(a, "c") && i+1 < len(p.args) {
				return p.args[i+1]
			}
		}
	case p.name == "eval":
		return strings.Join(p.args, " ")
	case p.name == "ssh":
		if rest := afterOptions(p.args, "BbcDEeFIiJLlmOopQRSWw"); len(rest) > 1 {
			return strings.Join(rest[1:], " ")
		}
	}
	return ""
}

// called are the commands that find runs with what it finds.
func (p program) called() []shellCommand {
	if p.name != "find" {
		return nil
	}
	var out []shellCommand
	within := false
	for _, a := range p.args {
		switch {
		case slices.Contains([]string{"-exec", "-execdir", "-ok", "-okdir"}, a):
			out, within = append(out, shellCommand{from: len(out)}), true
		case a == ";" || a == "+":
			within = false
		case within:
			c := &out[len(out)-1]
			c.words = append(c.words, shellWord{text: a})
		}
	}
	return out
}

// fed reports whether a program runs what comes as its input.
func (p program) fed() bool {
	shell := slices.Contains(shells, p.name)
	if !p.runsCode() {
		return false
	}
	for _, a := range p.args {
		switch {
		case a == "-" || a == "/dev/stdin":
			return true
		case !strings.HasPrefix(a, "-"):
			return false
		case strings.HasPrefix(a, "--"):
		case shell && strings.Contains(a, "s"):
			return true
		case shell && strings.Contains(a, "c"), !shell && strings.ContainsAny(a, "cmenpr"):
			return false
		}
	}
	return true
}

// runsCode reports whether a program is a shell or the interpreter of a language.
func (p program) runsCode() bool {
	return slices.Contains(shells, p.name) || slices.Contains(interpreters, strings.TrimRight(p.name, ".0123456789"))
}
