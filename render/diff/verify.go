package diff

import (
	"slices"
	"strings"

	"parley/render/patch"
)

// Produces reports whether d, a change of one file, leaves after behind. With the
// text before it, every line must be accounted for; without, only those that d
// shows are held to after, and the number of lines of a file that is new. Line
// ends count as one, whatever they are, and empty lines at the end as none: a
// runtime's diffs do not say much of either.
func (d *Diff) Produces(before *string, after string) bool {
	want := textLines(after)
	if len(d.Files) == 1 && d.Files[0].Fate == patch.Created {
		before = new(string)
	}
	if before == nil {
		return d.shownIn(want)
	}
	from, next := textLines(*before), 0
	var got []string
	for _, l := range d.Lines {
		text := strings.TrimSuffix(l.Text, "\r")
		if l.Op == patch.Add {
			got = append(got, text)
			continue
		}
		if l.Old == 0 { // it is not known where
			return d.shownIn(want)
		}
		at := l.Old - 1
		if at < next || at >= len(from) && text != "" {
			return false // there is no such line
		}
		if at = min(at, len(from)); at < len(from) && from[at] != text {
			return false
		}
		got = append(got, from[next:at]...)
		if l.Op == patch.Same {
			got = append(got, text)
		}
		next = min(at+1, len(from))
	}
	return slices.Equal(trimmed(append(got, from[next:]...)), want)
}

// shownIn reports whether the lines that d keeps or adds are those of a text.
func (d *Diff) shownIn(lines []string) bool {
	next := 0
	for _, l := range d.Lines {
		if l.Op == patch.Delete {
			continue
		}
		text, at := strings.TrimSuffix(l.Text, "\r"), l.New-1
		if l.New == 0 { // it is not known where
			if at = slices.Index(lines[next:], text) + next; at < next {
				return false
			}
		}
		if at < len(lines) && lines[at] != text || at >= len(lines) && text != "" {
			return false
		}
		next = min(at+1, len(lines))
	}
	return true
}

// textLines are the lines of a text, without empty ones at its end.
func textLines(s string) []string {
	lines := strings.Split(s, "\n")
	for i, l := range lines {
		lines[i] = strings.TrimSuffix(l, "\r")
	}
	return trimmed(lines)
}

func trimmed(lines []string) []string {
	for len(lines) > 0 && lines[len(lines)-1] == "" {
		lines = lines[:len(lines)-1]
	}
	return lines
}
