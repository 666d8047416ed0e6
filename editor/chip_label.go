package editor

import (
	"cmp"
	"fmt"
	"path/filepath"
	"strings"
	"unicode/utf8"

	"parley/history/drafts"
	"parley/render/text"
	"parley/session"
)

// label is a chip and what is drawn for it.
type label struct {
	chip  drafts.Chip
	names []string // what it is, from the most to the least that may be said
	// The first and last words of a paste.
	head, tail string

	room  int // for which it was cut last
	drawn string
	cells int
}

// labelCells is the most that a label takes: what distinguishes two pastes.
const labelCells = 72

// labelBytes is how much of a paste its words are taken from.
const labelBytes = 512

// grapheme is grapheme for lines that have chips, in rows of a width.
func (c *chips) grapheme(s string, width int) (n int, drawn string, w int) {
	l := c.find(s)
	if l == nil {
		return grapheme(s)
	}
	if room := min(max(1, width-1), labelCells); l.room != room {
		l.room = room
		l.drawn = l.cut(room, c.dots)
		l.cells = cellsOf(l.drawn)
	}
	return codeLen, l.drawn, l.cells
}

// abbreviate takes what ends cut labels.
func (e *Editor) abbreviate(dots string) {
	if dots == e.chips.dots {
		return
	}
	e.chips.dots = dots
	for _, l := range e.chips.known {
		if l != nil {
			l.room = 0
		}
	}
	for i := range e.lines {
		e.lines[i].rows = nil
	}
}

// cut returns the label in at most room cells.
func (l *label) cut(room int, dots string) string {
	if l.names == nil {
		if l.chip.Attachment != nil {
			l.nameAttachment(*l.chip.Attachment)
		} else {
			l.namePaste(l.chip.Paste)
		}
	}
	if rest := room - cellsOf(l.names[0]) - len("[: ]"); l.head != "" && rest >= 8 {
		return "[" + l.names[0] + ": " + l.words(rest, dots) + "]"
	}
	for _, name := range l.names {
		if cellsOf(name) <= room-len("[]") {
			return "[" + name + "]"
		}
	}
	short := l.names[len(l.names)-1]
	if room < len("[...]")+1 {
		return clip("["+short, room, "")
	}
	return "[" + clip(short, room-len("[]"), dots) + "]"
}

// clip cuts s to width cells by either count.
func clip(s string, width int, dots string) string {
	for n := width; n > 0; n-- {
		if t := text.Truncate(s, n, dots); cellsOf(t) <= width {
			return t
		}
	}
	return ""
}

// namePaste names a paste: "Pasted 120 lines, 4 kB".
func (l *label) namePaste(s string) {
	size := text.Size(len(s))
	lines := max(strings.Count(s, "\n"), strings.Count(s, "\r"))
	if s != "" && !strings.ContainsAny(s[len(s)-1:], "\r\n") {
		lines++
	}
	l.names = []string{"Pasted " + size, "Pasted"}
	if lines > 1 {
		l.names = []string{fmt.Sprintf("Pasted %d lines, %s", lines, size), fmt.Sprintf("Pasted %d lines", lines), "Pasted"}
	}
	l.head = oneLine(s[:min(len(s), labelBytes)])
	if len(s) > labelBytes {
		tail := s[len(s)-labelBytes/4:]
		for tail != "" && !utf8.RuneStart(tail[0]) {
			tail = tail[1:]
		}
		l.tail = oneLine(tail)
	}
}

// oneLine returns text with single spaces in the place of all others.
func oneLine(s string) string { return strings.Join(strings.Fields(text.SanitizeLine(s)), " ") }

// words returns the first and last words of a paste in at most room cells.
func (l *label) words(room int, dots string) string {
	tail := l.tail
	if tail == "" {
		if cellsOf(l.head) <= room {
			return l.head
		}
		tail = l.head
	}
	last := ""
	for {
		i := strings.LastIndexByte(tail, ' ')
		if next := strings.TrimSpace(tail[max(0, i):] + " " + last); i >= 0 && cellsOf(next) <= room/3 {
			last, tail = next, tail[:i]
			continue
		}
		break
	}
	end := " " + dots
	if last != "" {
		end += " " + last
	}
	room -= cellsOf(end)
	first := clip(l.head, room, "")
	if i := strings.LastIndexByte(first, ' '); i > 0 && len(first) < len(l.head) && l.head[len(first)] != ' ' {
		first = first[:i]
	}
	return strings.TrimSpace(first) + end
}

// nameAttachment names an attachment as the timeline does, and says what else
// is known of it: "image.png 640x480, 12 kB", "src/ folder".
func (l *label) nameAttachment(a session.Attachment) {
	name := cmp.Or(a.Reference(), a.DisplayName)
	if file := cmp.Or(a.Path, a.FilePath); name == "" && file != "" {
		name = filepath.Base(file)
	}
	name = cmp.Or(name, strings.ReplaceAll(a.Type, "_", " "))
	name = oneLine(name[:min(len(name), labelBytes)])
	if r, ok := a.Lines(); ok {
		name += fmt.Sprintf(":%d", r.Start)
		if r.End > r.Start {
			name += fmt.Sprintf("-%d", r.End)
		}
	}
	if a.Type == "directory" {
		name = strings.TrimRight(name, "/") + "/ folder"
	}
	l.names = []string{name}
	if detail := oneLine(l.chip.Detail); detail != "" {
		l.names = []string{name + " " + detail, name}
	}
}
