package timeline

import "strings"

// lineLimit is how much of a foreign text goes into a line of ours, in bytes.
const lineLimit = 400

// oneLine makes a text one line: runs of white space become one space, and a
// long text is cut.
func oneLine(s string) string {
	cut := false
	if len(s) > 4*lineLimit {
		s, cut = s[:4*lineLimit], true
	}
	s = strings.Join(strings.Fields(strings.ToValidUTF8(s, "")), " ")
	if len(s) > lineLimit {
		s, cut = strings.ToValidUTF8(s[:lineLimit], ""), true
	}
	if cut {
		s += "…"
	}
	return s
}

// words makes a name such as "cap_reached" readable.
func words(s string) string {
	return oneLine(strings.NewReplacer("_", " ", "-", " ").Replace(s))
}

// quoted puts a name into quotation marks.
func quoted(s string) string { return "“" + oneLine(s) + "”" }
