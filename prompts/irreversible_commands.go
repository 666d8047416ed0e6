package prompts

import (
	"path"
	"slices"
	"strings"
	"unicode"
)

// mark is that a command does what cannot be taken back, that it runs code from the
// network, or that a host in it may not be what it looks like. It is words on a card: a
// marked command takes a second key, and what an answer approves stays the same.
type mark struct{ name, why string }

// marker collects the marks of command lines, each once.
type marker struct {
	home  string // the user's
	marks []mark
	part  bool // a part of the command lines was left out
}

func (m *marker) add(name, why string) {
	if k := (mark{name, why}); !slices.Contains(m.marks, k) {
		m.marks = append(m.marks, k)
	}
}

func (m *marker) text(text string, depth int) {
	if text == "" {
		return
	}
	commands, whole := shellCommands(text, depth)
	m.part = m.part || !whole
	m.commands(commands, depth)
}

// commands marks a list of them, and what each of them runs in turn.
func (m *marker) commands(list []shellCommand, depth int) {
	if depth >= shellDepth {
		m.part = m.part || len(list) > 0
		return
	}
	fetched, last := "", -1 // by which command, and where it is
	for i, c := range list {
		p := c.program()
		language := strings.TrimRight(p.name, ".0123456789") // of python3.11
		for _, name := range append(p.through, p.name) {
			if slices.Contains(deputies, name) {
				m.add(name, "runs commands with more rights.")
			}
		}
		m.program(p)
		for _, name := range c.writesTo {
			m.device("> /dev/…", name)
		}
		for _, w := range c.words {
			m.hosts(w.text)
		}
		given := fetches(c.given)
		if last >= c.from {
			given = fetched
		}
		if given != "" && p.fed() {
			m.add(given+" | "+language, "runs code straight from the network.")
		}
		if slices.Contains(shells, p.name) && p.fed() {
			m.text(c.here, depth+1)
		}
		runs := p.runsCode() || slices.Contains([]string{"eval", "source", "."}, p.name)
		for _, w := range c.words {
			if by := fetches(w.runs); runs && by != "" {
				m.add(language+" $("+by+")", "runs code straight from the network.")
			}
			m.commands(w.runs, depth+1)
		}
		m.commands(c.given, depth+1)
		m.text(p.code(), depth+1)
		m.commands(p.called(), depth+1)
		if slices.Contains(fetchers, p.name) {
			fetched, last = p.name, i
		}
	}
}

// hosts marks the hosts of addresses in a word that may not be what they look like: those
// behind "://", and those of user@host.
func (m *marker) hosts(word string) {
	for part := range strings.FieldsFuncSeq(word, func(r rune) bool { return unicode.IsSpace(r) || strings.ContainsRune(`"'()<>,;|`, r) }) {
		if odd := oddHost("https://" + hostIn(part)); odd != "" {
			m.add("", odd)
		}
	}
}

// hostIn is the host of an address that a text is, or holds behind something else; "" for
// none. What is around the host is left out, since an address that cannot be read as a whole
// may still reach it.
func hostIn(s string) string {
	if _, rest, ok := strings.Cut(s, "://"); ok {
		if end := strings.IndexAny(rest, `/?#\`); end >= 0 {
			rest = rest[:end]
		}
		host, _, _ := strings.Cut(rest[strings.LastIndex(rest, "@")+1:], ":")
		return host
	}
	user, rest, ok := strings.Cut(s, "@")
	host, _, _ := strings.Cut(rest, ":")
	if !ok || user == "" || !strings.Contains(host, ".") {
		return ""
	}
	return host
}

// fetches is the program among some that gets what is at an address; "" if none
// does.
func fetches(list []shellCommand) string {
	for _, c := range list {
		if p := c.program(); slices.Contains(fetchers, p.name) {
			return p.name
		}
	}
	return ""
}

func (m *marker) program(p program) {
	switch name, _, _ := strings.Cut(p.name, "."); name {
	case "git":
		m.git(p.git())
	case "git-filter-repo", "git-filter-branch":
		m.git(program{name: strings.TrimPrefix(p.name, "git-"), args: p.args})
	case "gh", "glab":
		if o := p.operands(); len(o) > 1 && o[0] == "repo" && o[1] == "delete" {
			m.add(name+" repo delete", "deletes a repository on the remote, for good.")
		}
	case "rm":
		m.remove(p)
	case "chmod", "chown", "chgrp":
		m.rights(p)
	case "dd":
		for _, a := range p.args {
			if to, ok := strings.CutPrefix(a, "of="); ok {
				m.device("dd of=/dev/…", to)
			}
		}
		m.destroyer(name)
	case "mkfs", "mke2fs", "mkswap", "fdisk", "sfdisk", "cfdisk", "gdisk", "sgdisk", "parted", "wipefs", "blkdiscard":
		m.add(name, "changes disks or partitions; what is on them may be lost.")
	case "shred":
		m.add(name, "overwrites files so that nothing brings them back.")
	default:
		m.destroyer(p.name)
	}
}

// destroyer marks what deletes or overwrites in general.
func (m *marker) destroyer(name string) {
	if slices.Contains(destroyers, name) {
		m.add(name, "deletes or overwrites, maybe for good.")
	}
}

// device marks what writes to a disk.
func (m *marker) device(name, to string) {
	to = path.Clean(to)
	dev, ok := strings.CutPrefix(to, "/dev/")
	first, _, _ := strings.Cut(dev, "/")
	harmless := []string{
		"null", "zero", "full", "stdout", "stderr", "stdin", "tty", "console", "fd", "pts", "shm", "tcp", "udp",
	}
	if ok && !slices.Contains(harmless, first) {
		m.add(name, "writes to a device itself; what is on it may be lost.")
	}
}

// git marks what a call of git loses, here or on the remote.
func (m *marker) git(p program) {
	switch p.name {
	case "push":
		m.push(p)
	case "reset":
		if p.has("", "hard") {
			m.add("git reset --hard", "throws away changes that are not committed.")
		}
	case "clean":
		switch {
		case p.has("n", "dry-run"):
		case p.has("x", "") || p.has("X", ""):
			m.add("git clean -x", "deletes files that git does not keep, those that it ignores as well.")
		default:
			m.add("git clean", "deletes files that git does not keep.")
		}
	case "filter-branch", "filter-repo":
		m.add("git "+p.name, "rewrites the history.")
	case "reflog":
		if o := p.operands(); len(o) > 0 && (o[0] == "expire" || o[0] == "delete") {
			m.add("git reflog "+o[0], "forgets commits that could be brought back.")
		}
	}
}

// push marks what a push overwrites or deletes on the remote.
func (m *marker) push(p program) {
	if p.has("n", "dry-run") {
		return
	}
	const deletes = "deletes a branch or a tag on the remote."
	var force, remove bool
	for _, o := range p.operands() {
		force = force || strings.HasPrefix(o, "+")
		remove = remove || len(o) > 1 && strings.HasPrefix(o, ":")
	}
	leased := slices.ContainsFunc(p.args, func(a string) bool {
		name, _, _ := strings.Cut(a, "=")
		return name == "--force-with-lease"
	})
	for _, k := range []struct {
		found     bool
		name, why string
	}{
		{force || p.has("f", "force"), "--force", "overwrites the branch on the remote; commits of others may be lost."},
		{leased, "--force-with-lease", "overwrites the branch on the remote."},
		{remove, ":branch", deletes},
		{p.has("d", "delete"), "--delete", deletes},
		{p.has("", "mirror"), "--mirror", "makes the remote the same as here: what is not here is deleted there."},
		{p.has("", "prune"), "--prune", "deletes the branches on the remote that are not here."},
	} {
		if k.found {
			m.add("git push "+k.name, k.why)
		}
	}
}

// remove marks what deletes files, by what goes with it.
func (m *marker) remove(p program) {
	recursive := p.has("r", "recursive") || p.has("R", "")
	for _, o := range p.operands() {
		if where := m.whereIs(o); recursive && where != "" {
			m.add("rm -r "+where, "deletes "+everything[where]+".")
			return
		}
	}
	m.destroyer(p.name)
}

// rights marks what gives files of a whole folder to everybody, or changes who may
// use all that there is.
func (m *marker) rights(p program) {
	if !p.has("R", "recursive") {
		return
	}
	operands := p.operands()
	for _, o := range operands {
		if where := m.whereIs(o); where != "" {
			m.add(p.name+" -R "+where, "changes who may use "+everything[where]+".")
			return
		}
	}
	if p.name == "chmod" && len(operands) > 0 && forEverybody(operands[0]) {
		mode := strings.TrimLeft(operands[0], "0")
		if mode != "777" && mode != "666" {
			mode = "a+w"
		}
		m.add("chmod -R "+mode, "lets everybody change these files.")
	}
}

// forEverybody reports whether a mode of chmod lets anybody write.
func forEverybody(mode string) bool {
	if number(mode) && len(mode) >= 3 && len(mode) <= 4 {
		return strings.Contains("2367", mode[len(mode)-1:])
	}
	for part := range strings.SplitSeq(mode, ",") {
		at := strings.IndexAny(part, "+=")
		if at >= 0 && len(part) < 12 && (strings.ContainsAny(part[:at], "ao") && strings.Contains(part[at:], "w")) {
			return true
		}
	}
	return false
}

// everything is what is in the places of whereIs, in words.
var everything = map[string]string{"/": "everything on this machine", "~": "everything in your home folder"}

// whereIs returns whether a path is the root of all files, or the user's home: "/",
// "~" or "".
func (m *marker) whereIs(name string) string {
	name = strings.TrimSuffix(strings.TrimSuffix(name, "*"), ".")
	for _, home := range []string{"$HOME", "${HOME}", m.home} {
		if rest, ok := strings.CutPrefix(name, home); home != "" && ok && (rest == "" || rest[0] == '/') {
			name = "~" + rest
		}
	}
	switch {
	case name == "":
	case path.Clean(name) == "/":
		return "/"
	case name[0] == '~' && path.Clean(name) == "~":
		return "~"
	}
	return ""
}
