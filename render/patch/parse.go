package patch

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
func Parse(s string) (p *Patch, ok bool) {
	r := reader{p: &Patch{}}
	for s != "" {
		var line string
		line, s, _ = strings.Cut(s, "\n")
		r.line(line, s)
	}
	if len(r.p.Hunks) == 0 && !r.stated {
		return nil, false
	}
	r.endFile()
	r.p.Count()
	return r.p, true
}

// reader is where Parse is in the text.
type reader struct {
	p             *Patch
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

func (r *reader) line(l, rest string) {
	promised := r.body && (r.left > 0 || r.right > 0)
	head := strings.TrimSuffix(l, "\r")
	switch {
	case strings.HasPrefix(l, "@@"):
		r.hunk(head)
	case strings.HasPrefix(l, "diff --git "):
		r.begin()
		r.stated = true
		r.file().Name = gitName(strings.TrimPrefix(head, "diff --git "))
	case !promised && strings.HasPrefix(l, "*** ") && r.patch(head):
	case !promised && strings.HasPrefix(l, "--- ") && strings.HasPrefix(rest, "+++ "):
		if r.body || r.named || len(r.p.Files) == 0 {
			r.begin()
		}
		r.old, r.paired = fileName(head[4:]), true
	case r.paired:
		r.name(fileName(head[4:]))
	case !r.body:
		r.header(head)
	default:
		r.content(l)
	}
}

// content reads one line of a hunk.
func (r *reader) content(l string) {
	switch {
	case strings.HasPrefix(l, `\ `) && len(r.p.Lines) > 0:
		r.p.Lines[len(r.p.Lines)-1].Open = true
	case strings.HasPrefix(l, "+"):
		r.add(Line{Op: Add, New: r.after, Text: l[1:]}, 0, 1)
	case strings.HasPrefix(l, "-"):
		r.add(Line{Op: Delete, Old: r.before, Text: l[1:]}, 1, 0)
	default:
		r.add(Line{Old: r.before, New: r.after, Text: strings.TrimPrefix(l, " ")}, 1, 1)
	}
}

// add appends one line of a hunk and counts it on its sides.
func (r *reader) add(l Line, before, after int) {
	r.p.Lines = append(r.p.Lines, l)
	r.left, r.right = r.left-before, r.right-after
	if r.numbered {
		r.before, r.after = r.before+before, r.after+after
	}
}

// file is the file that is being read; there is always one.
func (r *reader) file() *File {
	if len(r.p.Files) == 0 {
		r.begin()
	}
	return &r.p.Files[len(r.p.Files)-1]
}

// begin ends a file and begins the next.
func (r *reader) begin() {
	r.endFile()
	r.p.Files = append(r.p.Files, File{Hunk: len(r.p.Hunks), From: len(r.p.Lines), Notes: r.notes})
	r.notes, r.named, r.mode = nil, false, ""
}

// endFile ends the hunks of a file. The runtime takes the empty text after the
// last line end for a line; it is none.
func (r *reader) endFile() {
	if n := len(r.p.Lines) - 1; r.body && n >= r.p.Hunks[len(r.p.Hunks)-1].From {
		if last := r.p.Lines[n]; last.Op == Same && last.Text == "" {
			r.p.Lines = r.p.Lines[:n]
		}
	}
	r.body = false
}

// hunk begins one. Without numbers in its header its lines have none.
func (r *reader) hunk(l string) {
	first := r.file().Hunk == len(r.p.Hunks)
	before, after, known := r.before, r.after, r.numbered
	if first {
		before, after, known = 1, 1, true
	}
	r.body, r.numbered = true, false
	r.before, r.after, r.left, r.right = 0, 0, 0, 0
	h := Hunk{From: len(r.p.Lines), Skipped: -1, Section: strings.TrimSpace(strings.TrimPrefix(l, "@@"))}
	if m := hunkHeader().FindStringSubmatch(l); m != nil {
		h.Section = strings.TrimSpace(l[len(m[0]):])
		r.before, r.left, r.after, r.right = number(m[1]), number(m[2]), number(m[3]), number(m[4])
		r.numbered = r.before > 0 || r.after > 0
		switch {
		case !known || !r.numbered:
		case r.left > 0:
			h.Skipped = max(0, r.before-before)
		case r.right > 0:
			h.Skipped = max(0, r.after-after)
		}
	}
	r.p.Hunks = append(r.p.Hunks, h)
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
func (r *reader) name(name string) {
	f, old := r.file(), r.old
	f.Old, r.named, r.paired = "", true, false
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
		f.Name, f.Fate = old, Deleted
	case none(old):
		f.Name, f.Fate = name, Created
	default:
		f.Name = name
		if old != name {
			f.Old = old
		}
	}
}

// devNull is the name of no file.
const devNull = "/dev/null"

// indexLine matches the hashes of git, and the mode when it does not change.
var indexLine = text.Regexp(`^index [0-9a-f]+\.\.[0-9a-f]+( \d{6})?$`)

// usualMode is the mode of a file that is not executable.
const usualMode = "100644"

// header reads a line of a file's header. What it does not know is a note.
func (r *reader) header(l string) {
	switch {
	case l == "" || indexLine().MatchString(l):
		return
	case len(r.p.Files) == 0:
		r.notes = append(r.notes, l)
		return
	}
	f := r.file()
	key, value := headerKey(l)
	switch key {
	case "new file", "create file":
		f.Fate = Created
		if value = strings.TrimPrefix(value, "mode "); value != usualMode {
			f.note("mode " + value)
		}
	case "deleted file":
		f.Fate = Deleted
	case "old mode":
		r.mode = value
	case "new mode":
		f.note("mode " + r.mode + " to " + value)
	case "rename from":
		f.Old = value
	case "copy from":
		f.Old = value
		f.note("a copy")
	case "rename to", "copy to":
		f.Name = value
	case "similarity", "dissimilarity":
	default:
		f.note(l)
	}
}

func (f *File) note(s string) { f.Notes = append(f.Notes, s) }

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
func (r *reader) patch(l string) bool {
	switch l {
	case "*** Begin Patch", "*** End Patch", "*** End of File":
		if l != "*** End of File" {
			r.endFile()
		}
		return true
	}
	key, name, ok := strings.Cut(strings.TrimPrefix(l, "*** "), ": ")
	switch {
	case !ok:
		return false
	case key == "Move to" && len(r.p.Files) > 0 && !r.body:
		r.file().Old, r.file().Name = r.file().Name, name
		return true
	case key != "Update File" && key != "Add File" && key != "Delete File":
		return false
	}
	r.begin()
	r.stated = true
	r.file().Name, r.named = name, true
	switch key {
	case "Add File":
		r.file().Fate = Created
		r.p.Hunks = append(r.p.Hunks, Hunk{From: len(r.p.Lines)})
		r.body, r.numbered, r.before, r.after, r.left, r.right = true, true, 0, 1, 0, 0
	case "Delete File":
		r.file().Fate = Deleted
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
