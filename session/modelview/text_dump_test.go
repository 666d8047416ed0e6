package modelview

import (
	"cmp"
	"encoding/base64"
	"fmt"
	"hash/fnv"
	"io"
	"strings"
	"unicode"

	"parley/session"
)

// dumpLines is how many lines of one text a dump shows. The rest is reported by its
// size and a checksum, so that two dumps are equal only if the texts are.
const dumpLines = 24

// Dump writes the view as stable, readable text, for goldens and failures:
// the messages of the session's own model, then those of each sub-agent's. Calls
// and sub-agents are numbered. It holds no clock times, no bytes of images, and
// no control characters.
func (v *View) Dump() string {
	var b strings.Builder
	dumpMessages(&b, v.Messages())
	for i, agent := range v.Agents() {
		fmt.Fprintf(&b, "sub-agent %d\n", i+1)
		var inner strings.Builder
		dumpMessages(&inner, v.Of(agent))
		for line := range strings.Lines(inner.String()) {
			b.WriteString(strings.TrimRight("    | "+line, " \n") + "\n")
		}
	}
	return b.String()
}

// dumpMessages writes a request's messages, and what they take together.
func dumpMessages(w *strings.Builder, all []Message) {
	size := 0
	calls := map[session.CallID]int{}
	for i, m := range all {
		for _, c := range m.Calls {
			if calls[c.ID] == 0 {
				calls[c.ID] = len(calls) + 1
			}
		}
		fmt.Fprintf(w, "%d %s\n", i+1, dumpHead(m, calls))
		dumpBody(w, m, calls)
		size += m.Size()
	}
	fmt.Fprintf(w, "messages %d, %d bytes\n", len(all), size)
}

func dumpHead(m Message, calls map[session.CallID]int) string {
	head := dumpLine(string(m.Role))
	if m.Name != "" {
		head += " " + dumpLine(m.Name)
	}
	if m.Source != (Source{}) {
		head += ", from " + dumpLine(string(m.Source.Kind))
		if m.Source.Name != "" {
			head += " " + dumpLine(m.Source.Name)
		}
	}
	if m.CallID != "" {
		head += fmt.Sprintf(", of call %d %s", calls[m.CallID], dumpLine(m.ToolName))
	}
	if m.Interrupted {
		head += ", interrupted"
	}
	head += fmt.Sprintf(", %d bytes", m.Size())
	if len(m.Content) != 1 {
		head += fmt.Sprintf(", parts %d", len(m.Content))
	}
	if len(m.Calls) > 0 {
		head += fmt.Sprintf(", calls %d", len(m.Calls))
	}
	return head
}

func dumpBody(w *strings.Builder, m Message, calls map[session.CallID]int) {
	dumpText(w, "thinking", m.Reasoning)
	for _, p := range m.Content {
		dumpText(w, "", p.Text)
		if b := p.Blob; b != nil {
			bytes := base64.RawStdEncoding.DecodedLen(len(strings.TrimRight(b.Data, "=")))
			dumpText(w, "data", fmt.Sprintf("%s, %d bytes", cmp.Or(b.MIMEType, "?"), bytes))
		}
	}
	for _, b := range m.ExtraFields {
		dumpText(w, b.Key, string(b.Value))
	}
	for _, c := range m.Calls {
		dumpText(w, fmt.Sprintf("call %d %s", calls[c.ID], dumpLine(c.Name)), cmp.Or(string(c.Arguments), "(no arguments)"))
	}
}

// dumpText writes a labelled text. A text of several lines follows its label.
func dumpText(w *strings.Builder, label, s string) {
	if s == "" {
		return
	}
	if label != "" {
		label += ": "
	}
	lines := strings.SplitN(strings.TrimSuffix(s, "\n"), "\n", dumpLines+1)
	for i, line := range lines {
		if i == dumpLines {
			h := fnv.New32a()
			_, _ = io.WriteString(h, s)
			fmt.Fprintf(w, "    … %d more lines, %d bytes, checksum %08x\n",
				strings.Count(line, "\n")+1, len(s), h.Sum32())
			return
		}
		if i > 0 {
			label = strings.Repeat(" ", len(label))
		}
		fmt.Fprintln(w, strings.TrimRight("    "+label+dumpLine(line), " "))
	}
}

// dumpLine replaces what does not print, so that a dump is safe to show.
func dumpLine(s string) string {
	var b strings.Builder
	for _, r := range s {
		if r == '\t' || unicode.IsPrint(r) {
			b.WriteRune(r)
		} else {
			fmt.Fprintf(&b, "<U+%04X>", r)
		}
	}
	return b.String()
}
