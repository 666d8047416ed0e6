package prompts

import (
	"path"
	"path/filepath"
	"slices"
	"strings"

	"parley/render/text"
)

// The programs whose operands are paths: all of them, or those after the first. The
// operands of namers are names of their own unless they are written as paths.
var (
	filers = []string{
		"cat", "cd", "cmp", "cp", "diff", "du", "file", "find", "head", "install", "less", "ln", "ls", "md5sum", "mkdir", "more",
		"mv", "nl", "pushd", "readlink", "realpath", "rm", "rmdir", "rsync", "scp", "sha256sum", "shred", "sort", "source", "stat",
		"tac", "tail", "tee", "touch", "tree", "truncate", "unlink", "unzip", "wc", "zip", ".",
	}
	seconds = []string{"awk", "chgrp", "chmod", "chown", "egrep", "fgrep", "grep", "jq", "rg", "sed"}
	namers  = []string{
		"apt", "apt-get", "brew", "docker", "echo", "gh", "glab", "kubectl", "make", "npm", "npx", "pip", "pip3", "pnpm", "podman",
		"printf", "systemctl", "yarn",
	}
)

// fileLike reports whether a word has an ending, as names of files have, and is no
// address.
func fileLike(word string) bool {
	ending := path.Ext(word)
	letters := len(ending) > 1 && len(ending) < 9
	for i, r := range ending[min(1, len(ending)):] {
		letters = letters && (r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || i > 0 && r >= '0' && r <= '9')
	}
	return letters && len(path.Base(word)) > len(ending) && !strings.ContainsAny(word, " :@")
}

// pathsOf are the words of some commands that are paths, as far as that can be seen
// by what they are written for.
func pathsOf(list []shellCommand, depth int, into map[string]bool) {
	if depth >= shellDepth {
		return
	}
	for _, c := range list {
		p := c.program()
		for _, words := range [][]string{c.writesTo, c.reads, p.paths()} {
			for _, w := range words {
				into[w] = true
			}
		}
		for _, w := range c.words {
			pathsOf(w.runs, depth+1, into)
		}
		pathsOf(c.given, depth+1, into)
		inner, _ := shellCommands(p.code(), depth+1)
		pathsOf(inner, depth+1, into)
		pathsOf(p.called(), depth+1, into)
	}
}

func (p program) paths() []string {
	o := p.operands()
	switch {
	case p.name == "git":
		return p.git().gitPaths()
	case slices.Contains(filers, p.name):
		return o
	case slices.Contains(seconds, p.name):
		return o[min(len(o), 1):]
	case p.runsCode():
		if p.code() == "" {
			return o[:min(len(o), 1)]
		}
		return nil
	case slices.Contains(namers, p.name):
		return nil
	}
	return slices.DeleteFunc(o, func(w string) bool {
		return strings.Contains(w, "://") || !strings.Contains(w, "/") && !fileLike(w)
	})
}

// gitPaths are the arguments of a command of git that are paths: what it names
// as well are remotes, branches and commits.
func (p program) gitPaths() []string {
	if i := slices.Index(p.args, "--"); i >= 0 {
		return p.args[i+1:]
	}
	if slices.Contains([]string{"add", "apply", "clean", "mv", "restore", "rm"}, p.name) {
		return p.operands()
	}
	return nil
}

// named splits what the runtime lists as paths into those that are paths in the
// command, and the other names that the command does not show anyway: it
// lists every word, also subcommands, branches and the patterns of packages.
func (w *permissionRequest) named() (paths, others []string) {
	if w.command == "" || w.kind == kindPath {
		return w.paths, nil
	}
	commands, _ := shellCommands(w.command, 0)
	written := map[string]bool{}
	pathsOf(commands, 0, written)
	for _, name := range w.paths {
		first, _, _ := strings.Cut(filepath.ToSlash(name), "/") // a path whatever the program makes of it begins with one of these
		asPath := slices.Contains([]string{".", "..", "~"}, first) || text.WholePath(name)
		switch {
		case path.Base(name) == "..." && packages(commands, name):
			paths = append(paths, path.Dir(name))
		case asPath || written[name] || written["./"+name] || written[path.Clean(name)]:
			paths = append(paths, name)
		case !strings.Contains(w.command, name):
			others = append(others, name)
		}
	}
	return paths, others
}

// goPrograms are those to which ... means every folder below.
var goPrograms = []string{"go", "golangci-lint", "gotestsum", "govulncheck", "staticcheck"}

// packages reports whether a name with ... is only given to programs of Go, so that it is
// no file.
func packages(list []shellCommand, name string) bool {
	given := false
	for _, c := range list {
		inIt := slices.ContainsFunc(c.words, func(w shellWord) bool { return strings.Contains(w.text, name) })
		if slices.Contains(goPrograms, c.program().name) {
			given = given || inIt
			inIt = slices.Contains(c.writesTo, name) || slices.Contains(c.reads, name)
		} else {
			written := map[string]bool{}
			pathsOf([]shellCommand{c}, 0, written)
			inIt = inIt || written[name]
		}
		if inIt {
			return false
		}
	}
	return given
}
