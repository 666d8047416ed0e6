package timeline

import (
	"strconv"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

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

// humanize makes a name such as "cap_reached" readable.
func humanize(s string) string {
	return oneLine(strings.NewReplacer("_", " ", "-", " ").Replace(s))
}

// quoted puts a name into quotation marks.
func quoted(s string) string { return "“" + oneLine(s) + "”" }

// withReason adds a reason to a line of ours, if there is one.
func withReason(text, reason string) string {
	if reason = oneLine(reason); reason == "" {
		return text
	}
	return text + ": " + reason
}

// paragraphs puts texts that say anything below each other, with an empty line
// between them.
func paragraphs(texts ...string) string {
	var out []string
	for _, s := range texts {
		if s = strings.Trim(s, "\r\n"); strings.TrimSpace(s) != "" {
			out = append(out, s)
		}
	}
	return strings.Join(out, "\n\n")
}

// labelled writes a fact under its name; "" if the fact is empty.
func labelled(label, s string) string {
	if s = strings.TrimSpace(s); s == "" {
		return ""
	}
	return label + ": " + s
}

// unlessRepeated returns a text if it says more than a line that was made of it.
func unlessRepeated(text, line string) string {
	if flat := oneLine(text); strings.Contains(line, flat) && !strings.HasSuffix(flat, "…") {
		return ""
	}
	return strings.TrimSpace(text)
}

// untagged takes a text out of its tags.
func untagged(s, tag string) string {
	s = strings.TrimSpace(s)
	inner, open := strings.CutPrefix(s, "<"+tag+">")
	if inner, closed := strings.CutSuffix(inner, "</"+tag+">"); open && closed {
		return strings.TrimSpace(inner)
	}
	return s
}

// readableValue writes a value for a user: a text as it is, an object in lines.
func readableValue(v jsontext.Value) string {
	var text string
	switch {
	case len(v) == 0 || v.Kind() == jsontext.KindNull:
		return ""
	case json.Unmarshal(v, &text) == nil:
		return text
	}
	v = v.Clone()
	_ = v.Indent(jsontext.WithIndent("  ")) // what is no JSON is shown as it is
	return string(v)
}

// compactJSON is a JSON text without its white space; what is no JSON stays as it is.
func compactJSON(v jsontext.Value) string {
	v = v.Clone()
	_ = v.Compact()
	return string(v)
}

// number writes a number without a fraction that is none.
func number(n float64) string { return strconv.FormatFloat(n, 'f', -1, 64) }
