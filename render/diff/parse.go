package diff

import (
	"strconv"
	"strings"

	"parley/render/text"
)

// Parse reads a unified diff, git's or plain, or a patch in the form
// "*** Update File:". It follows the counts of the hunk headers as far as they
// go and the signs of the lines where they do not, because a runtime's diffs
// are meant for eyes and not for patch: "create file mode", a context line too
// many. Nothing it does not understand is lost: it becomes a note of its file.
// ok is false when s changes no file.
func Parse(s string) (d *Diff, ok bool) {
	p := diffReader{d: &Diff{}}
	for s != "" {
		var line string
		line, s, _ = strings.Cut(s, "\n")
		p.line(line, s)
	}
	if len(p.d.hunks) == 0 && !p.stated {
		return nil, false
	}
	p.endFile()
	p.d.finish()
	return p.d, true
}

// diffReader is where Parse is in the text.
type diffReader struct {
	d             *Diff
	notes         []string // said before the first file
	stated        bool     // a header names a file and what becomes of it
	named         bool     // the names of the file are known for good
	paired        bool     // the line before was "---", and this one is "+++"
	old           string   // the name in it
	body          bool     // inside a hunk
	numbered      bool     // its lines have numbers
	before, after int      // the numbers of the next line
	left, right   int      // lines that the hunk still promises
	mode          string   // the old one, until the new one is known
}

// hunkHeader has the first line and the number of lines on both sides.
var hunkHeader = text.Regexp(`^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@`)

func (p *diffReader) line(l, rest string) {
	promised := p.body && (p.left > 0 || p.right > 0)
	head := strings.TrimSuffix(l, "\r")
	switch {
	case strings.HasPrefix(l, "@@"):
		p.hunk(head)
	case strings.HasPrefix(l, "diff --git "):
		p.begin()
		p.stated = true
		p.file().name = gitName(strings.TrimPrefix(head, "diff --git "))
	case !promised && strings.HasPrefix(l, "*** ") && p.patch(head):
	case !promised && strings.HasPrefix(l, "--- ") && strings.HasPrefix(rest, "+++ "):
		if p.body || p.named || len(p.d.files) == 0 {
			p.begin()
		}
		p.old, p.paired = fileName(head[4:]), true
	case p.paired:
		p.name(fileName(head[4:]))
	case !p.body:
		p.header(head)
	default:
		p.content(l)
	}
}

// content reads one line of a hunk.
func (p *diffReader) content(l string) {
	switch {
	case strings.HasPrefix(l, `\ `) && len(p.d.lines) > 0:
		p.d.lines[len(p.d.lines)-1].open = true
	case strings.HasPrefix(l, "+"):
		p.add(diffLine{op: diffAdd, new: p.after, text: l[1:]}, 0, 1)
	case strings.HasPrefix(l, "-"):
		p.add(diffLine{op: diffDel, old: p.before, text: l[1:]}, 1, 0)
	default:
		p.add(diffLine{old: p.before, new: p.after, text: strings.TrimPrefix(l, " ")}, 1, 1)
	}
}

// add appends one line of a hunk and counts it on its sides.
func (p *diffReader) add(l diffLine, before, after int) {
	p.d.lines = append(p.d.lines, l)
	p.left, p.right = p.left-before, p.right-after
	if p.numbered {
		p.before, p.after = p.before+before, p.after+after
	}
}

// file is the file that is being read; there is always one.
func (p *diffReader) file() *diffFile {
	if len(p.d.files) == 0 {
		p.begin()
	}
	return &p.d.files[len(p.d.files)-1]
}

// begin ends a file and begins the next.
func (p *diffReader) begin() {
	p.endFile()
	p.d.files = append(p.d.files, diffFile{hunk: len(p.d.hunks), from: len(p.d.lines), notes: p.notes})
	p.notes, p.named, p.mode = nil, false, ""
}

// endFile ends the hunks of a file. The runtime takes the empty text after the
// last line end for a line; it is none.
func (p *diffReader) endFile() {
	if n := len(p.d.lines) - 1; p.body && n >= p.d.hunks[len(p.d.hunks)-1].from {
		if last := p.d.lines[n]; last.op == diffSame && last.text == "" {
			p.d.lines = p.d.lines[:n]
		}
	}
	p.body = false
}

// hunk begins one. Without numbers in its header its lines have none.
func (p *diffReader) hunk(l string) {
	first := p.file().hunk == len(p.d.hunks)
	before, after, known := p.before, p.after, p.numbered
	if first {
		before, after, known = 1, 1, true
	}
	p.body, p.numbered = true, false
	p.before, p.after, p.left, p.right = 0, 0, 0, 0
	h := diffHunk{from: len(p.d.lines), skipped: -1, section: strings.TrimSpace(strings.TrimPrefix(l, "@@"))}
	if m := hunkHeader().FindStringSubmatch(l); m != nil {
		h.section = strings.TrimSpace(l[len(m[0]):])
		p.before, p.left, p.after, p.right = number(m[1]), number(m[2]), number(m[3]), number(m[4])
		p.numbered = p.before > 0 || p.after > 0
		switch {
		case !known || !p.numbered:
		case p.left > 0:
			h.skipped = max(0, p.before-before)
		case p.right > 0:
			h.skipped = max(0, p.after-after)
		}
	}
	p.d.hunks = append(p.d.hunks, h)
}

// number reads a number of a hunk header. A count that is not there is 1.
func number(s string) int {
	if s == "" {
		return 1
	}
	n, _ := strconv.Atoi(s)
	return min(max(0, n), 1<<30)
}

// name is the name after the change; with the one before it says what becomes
// of the file. A runtime puts "a" and "b" before any path, git "a/" and "b/"
// before those it gives, and others nothing.
func (p *diffReader) name(name string) {
	f, old := p.file(), p.old
	f.old, p.named, p.paired = "", true, false
	before, given := strings.CutPrefix(old, "a")
	after, taken := strings.CutPrefix(name, "b")
	if given && taken && (before != "" && before == after || before == devNull || after == devNull) {
		old, name = strings.TrimPrefix(before, "/"), strings.TrimPrefix(after, "/")
	}
	old, name = strings.TrimPrefix(old, "a/"), strings.TrimPrefix(name, "b/")
	none := func(s string) bool { return s == devNull || "/"+s == devNull }
	switch {
	case none(name) && none(old): // no name at all
	case none(name):
		f.name, f.fate = old, fateDeleted
	case none(old):
		f.name, f.fate = name, fateNew
	default:
		f.name = name
		if old != name {
			f.old = old
		}
	}
}

// devNull is the name of no file.
const devNull = "/dev/null"

// indexLine matches the hashes of git, and the mode when it does not change.
var indexLine = text.Regexp(`^index [0-9a-f]+\.\.[0-9a-f]+( \d{6})?$`)

// usualMode is the mode of a file that nobody runs.
const usualMode = "100644"

// header reads a line of a file's header. What it does not know is a note.
func (p *diffReader) header(l string) {
	switch {
	case l == "" || indexLine().MatchString(l):
		return
	case len(p.d.files) == 0:
		p.notes = append(p.notes, l)
		return
	}
	f := p.file()
	key, value := headerKey(l)
	switch key {
	case "new file", "create file":
		f.fate = fateNew
		if value = strings.TrimPrefix(value, "mode "); value != usualMode {
			f.note("mode " + value)
		}
	case "deleted file":
		f.fate = fateDeleted
	case "old mode":
		p.mode = value
	case "new mode":
		f.note("mode " + p.mode + " to " + value)
	case "rename from":
		f.old = value
	case "copy from":
		f.old = value
		f.note("a copy")
	case "rename to", "copy to":
		f.name = value
	case "similarity", "dissimilarity":
	default:
		f.note(l)
	}
}

func (f *diffFile) note(s string) { f.notes = append(f.notes, s) }

// headerKey cuts a line of a header into its key and the rest.
func headerKey(l string) (key, value string) {
	key, value, _ = strings.Cut(l, " ")
	switch key {
	case "old", "new", "create", "deleted", "rename", "copy":
		second, rest, _ := strings.Cut(value, " ")
		return key + " " + second, rest
	}
	return key, value
}

// patch reads a line between the files of a patch, and says whether it is one.
func (p *diffReader) patch(l string) bool {
	switch l {
	case "*** Begin Patch", "*** End Patch", "*** End of File":
		if l != "*** End of File" {
			p.endFile()
		}
		return true
	}
	key, name, ok := strings.Cut(strings.TrimPrefix(l, "*** "), ": ")
	switch {
	case !ok:
		return false
	case key == "Move to" && len(p.d.files) > 0 && !p.body:
		p.file().old, p.file().name = p.file().name, name
		return true
	case key != "Update File" && key != "Add File" && key != "Delete File":
		return false
	}
	p.begin()
	p.stated = true
	p.file().name, p.named = name, true
	switch key {
	case "Add File":
		p.file().fate = fateNew
		p.d.hunks = append(p.d.hunks, diffHunk{from: len(p.d.lines)})
		p.body, p.numbered, p.before, p.after, p.left, p.right = true, true, 0, 1, 0, 0
	case "Delete File":
		p.file().fate = fateDeleted
	}
	return true
}

// fileName is the name in a "---" or "+++" line, without the time that follows
// a tab and git's quotes.
func fileName(s string) string {
	s, _, _ = strings.Cut(s, "\t")
	return unquoted(s)
}

// unquoted takes off the quotes that git puts around unusual names.
func unquoted(s string) string {
	if u, err := strconv.Unquote(s); err == nil && strings.HasPrefix(s, `"`) {
		return u
	}
	return s
}

// gitName is the name in "diff --git", which a file has that has no other
// names: its two halves are the same one with a prefix each.
func gitName(s string) string {
	if half := len(s) / 2; len(s)%2 == 1 && s[half] == ' ' {
		before, after := unquoted(s[:half]), unquoted(s[half+1:])
		if name := strings.TrimPrefix(after, "b/"); strings.TrimPrefix(before, "a/") == name {
			return name
		}
	}
	return s
}
