package patch

import (
	"slices"
	"strings"

	"parley/render/text"
)

// Cut cuts a text around the first diff in it that has line numbers, and
// around the fence of markdown that this stands in. Without one, diff is "".
func Cut(s string) (before, diff, after string) {
	from := firstHunk(s)
	if from < 0 {
		return s, "", ""
	}
	to := hunksEnd(s, from)
	for from > 0 {
		above := s[:from-1]
		line := above[strings.LastIndexByte(above, '\n')+1:]
		if !diffHeader(line) {
			break
		}
		from -= len(line) + 1
	}
	before, after = s[:from], s[to:]
	head := strings.TrimRight(before, "\n")
	fence := head[strings.LastIndexByte(head, '\n')+1:]
	if closing, rest, _ := strings.Cut(after, "\n"); strings.HasPrefix(fence, "```") && strings.TrimSpace(closing) == "```" {
		before, after = strings.TrimSuffix(head, fence), rest
	}
	return before, s[from:to], after
}

// firstHunk is where the first line of the first hunk begins; -1 without one.
func firstHunk(s string) int {
	for at := 0; ; {
		i := strings.Index(s[at:], "@@ -")
		if i < 0 {
			return -1
		}
		at += i
		if (at == 0 || s[at-1] == '\n') && hunkHeader().MatchString(text.CutBytes(s[at:], hunkHeaderBytes)) {
			return at
		}
		at += len("@@ -")
	}
}

// hunkHeaderBytes is more than the numbers of a hunk's header take.
const hunkHeaderBytes = 128

// hunksEnd is where the diff ends whose first hunk begins at from: the counts of
// the headers say so as far as they go, then the first line that no diff has.
func hunksEnd(s string, from int) int {
	before, after := 0, 0
	for from < len(s) {
		line, _, _ := strings.Cut(s[from:], "\n")
		promised := before > 0 || after > 0
		switch m := hunkHeader().FindStringSubmatch(text.CutBytes(line, hunkHeaderBytes)); {
		case m != nil:
			before, after = number(m[2]), number(m[4])
		case strings.HasPrefix(line, "+"):
			after--
		case strings.HasPrefix(line, "-"):
			before--
		case strings.HasPrefix(line, `\`):
		case promised:
			before, after = before-1, after-1
		case line != "" && line != "\r" && line[0] != ' ' && !diffHeader(line):
			return from
		}
		from = min(len(s), from+len(line)+1)
	}
	return from
}

// headerLeads begin the lines above a hunk that say which file it is of, and what
// becomes of that.
var headerLeads = [...]string{
	"--- ", "+++ ", "diff --git ", "index ", "new file mode ", "deleted file mode ", "create file mode ", "old mode ", "new mode ",
	"similarity index ", "dissimilarity index ", "rename from ", "rename to ", "copy from ", "copy to ",
}

func diffHeader(line string) bool {
	return slices.ContainsFunc(headerLeads[:], func(lead string) bool { return strings.HasPrefix(line, lead) })
}
