package prompts

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"parley/editor"
	"parley/history/mentions"
	"parley/render/text"
	"parley/theme"
)

// fileCompletion completes the file that is mentioned at the caret of a field: Tab puts
// the best match in the place of what was typed, and again the next one. Which files
// there are, others know: Queue.SoughtFiles asks, Queue.FilesFound answers.
type fileCompletion struct {
	of     mention
	sought bool     // the files were asked for
	known  bool     // and came
	found  []string // as they are mentioned, the best first, without what was typed
	more   bool     // there are others
	taken  int      // which of them stands in the text, counted from 1; 0: what was typed
	wanted bool     // Tab was pressed before they came
}

// mention is the part of a line that names a file, as byte offsets in it.
type mention struct {
	line, from, to int
	query          string // what was typed of the path
}

// mentionReach bounds how far from the caret a mention may begin and end.
const mentionReach = 1024

// mention returns the mention that the caret of the field is in or behind.
func (f *field) mention() (m mention, ok bool) {
	if f.editor == nil || f.masked || f.secret {
		return m, false
	}
	line, at := f.editor.CaretLine()
	if c := &f.files; c.taken > 0 && line == c.of.line && at == c.of.to-inQuotes(c.found[c.taken-1]) &&
		f.editor.Line(line, c.of.from, c.of.to) == c.found[c.taken-1] {
		return c.of, true
	}
	start := max(0, at-mentionReach)
	query, from, to, ok := mentions.At(f.editor.Line(line, start, at+mentionReach), at-start)
	return mention{line, start + from, start + to, query}, ok
}

// soughtFiles returns what was typed of a path for which files are to be found. It asks
// for each once.
func (f *field) soughtFiles() (query string, ok bool) {
	m, ok := f.mention()
	switch {
	case !ok:
		f.files = fileCompletion{}
		return "", false
	case m != f.files.of:
		f.files = fileCompletion{of: m}
	}
	ok = !f.files.sought
	f.files.sought = true
	return m.query, ok
}

// filesFound takes the files for what was typed, if that is still at the caret, and
// reports whether it changed the text.
func (f *field) filesFound(query string, found []string, more bool) bool {
	c := &f.files
	m, ok := f.mention()
	if !ok || m != c.of || query != m.query || c.taken > 0 {
		return false
	}
	typed := f.editor.Line(m.line, m.from, m.to)
	c.found = slices.DeleteFunc(slices.Clone(found), func(one string) bool { return one == typed })
	c.known, c.more = true, more
	if !c.wanted || len(c.found) == 0 {
		return false
	}
	f.complete()
	return true
}

// completes reports whether Tab completes what is at the caret.
func (f *field) completes() bool {
	m, ok := f.mention()
	return ok && m == f.files.of && f.files.sought && (!f.files.known || len(f.files.found) > 0)
}

// complete does it, or as soon as the files are known. The only match is followed by a
// space, unless it is a folder: more can follow that.
func (f *field) complete() {
	c := &f.files
	if c.wanted = !c.known; c.wanted {
		return
	}
	next, to := c.found[c.taken%len(c.found)], c.of.to
	only := len(c.found) == 1 && !c.more
	if only && !isFolder(next) {
		editor.CompleteInLine(f.editor, c.of.line, c.of.from, to, next, true)
		return
	}
	f.editor.ReplaceInLine(c.of.line, c.of.from, to, next)
	if !only {
		_, c.of.to = f.editor.CaretLine()
		c.taken = c.taken%len(c.found) + 1
	}
	f.editor.SetOffset(f.editor.Offset() - inQuotes(next))
}

func isFolder(mention string) bool { return strings.HasSuffix(strings.TrimSuffix(mention, `"`), "/") }

// inQuotes is how many bytes before the end of a mention more of its path can follow.
func inQuotes(mention string) int {
	if strings.HasSuffix(mention, `/"`) {
		return 1
	}
	return 0
}

// completionHint says what Tab puts at the caret, in so many cells.
func (f *field) completionHint(width int, th *theme.Theme) []keyHint {
	c := &f.files
	switch {
	case !f.completes(), !c.known && !c.wanted:
		return nil
	case !c.known:
		return []keyHint{{"tab", "looks for files"}}
	}
	before, more := "", ""
	if c.taken > 0 {
		before = "next: "
	}
	if c.more {
		more = "+"
	}
	n := c.taken % len(c.found)
	count := fmt.Sprintf(" (%d of %d%s)", n+1, len(c.found), more)
	name := text.CutMiddle(th, text.SanitizeLine(c.found[n]), max(width-text.Width(before+count), 1))
	return []keyHint{{"tab", before + name + count}}
}

// SoughtFiles returns what the user typed of the path of a file on the open line, for
// which FilesFound is to be called; each is asked for once.
func (q *Queue) SoughtFiles() (query string, ok bool) {
	if f := q.openField(); f != nil {
		return f.soughtFiles()
	}
	return "", false
}

// FilesFound takes the files that may be meant by what SoughtFiles returned, as they are
// mentioned: the best first, and whether there are others. It answers nothing, and
// changes the text only if the user asked for that before they were known.
func (q *Queue) FilesFound(query string, found []string, more bool, at time.Time) {
	q.begin(at)
	if f := q.openField(); f != nil && f.filesFound(query, found, more) {
		q.changed = true
		q.written++
	}
}

// openField is the field that is written on; nil if none is.
func (q *Queue) openField() *field {
	if !q.Focused() {
		return nil
	}
	return q.dialogs[q.front].openField()
}
