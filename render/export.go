package render

import (
	"strings"
	"time"

	"parley/theme"
	"parley/timeline"
)

// ExportFormat is a form in which a conversation leaves the program.
type ExportFormat uint8

// The formats of Export.
const (
	ExportMarkdown ExportFormat = iota // a document with headings, folded results and diffs
	ExportText                         // what the timeline shows, expanded, without colours
)

// ExportOptions say what an export is headed by and how it tells times and
// paths. What is empty is left out.
type ExportOptions struct {
	Format   ExportFormat
	Title    string         // of the session
	Agent    string         // the program that held it
	Model    string         // that was used last
	Dir      string         // working directory; paths below it are told relative
	Home     string         // home directory, told as ~
	Made     time.Time      // when the export was made
	Location *time.Location // of all times; nil is UTC
}

// exportWidth is the number of columns of an export as text.
const exportWidth = 100

// Export returns a whole conversation as a document. It is made safe
// (product/decisions.md 17): control characters are gone, hidden ones are
// visible, and nothing that an agent or a tool wrote leaves the place it has in
// the document. The same timeline and options give the same bytes.
func Export(t *timeline.Timeline, o ExportOptions) string {
	if o.Format == ExportText {
		return exportText(t, o)
	}
	return exportMarkdown(t, o)
}

// options are those with which entries are drawn for an export.
func (o ExportOptions) options(width int) Options {
	return Options{
		Width: width, Theme: theme.Plain(), Fold: Whole, Times: TimesClock,
		Location: o.Location, Home: o.Home, Dir: o.Dir,
	}
}

// title is the first line of an export.
func (o ExportOptions) title() string {
	if title := squeeze(o.Title); title != "" {
		return title
	}
	return "Conversation"
}

// exportFact is a line of the head of an export.
type exportFact struct {
	name, value string
	code        bool // it is no word, but something to copy
}

// facts are the lines under the title.
func (o ExportOptions) facts() []exportFact {
	made := ""
	if !o.Made.IsZero() {
		made = o.moment(o.Made) + o.in(o.Made).Format(" MST")
	}
	var out []exportFact
	for _, f := range []exportFact{
		{name: "Agent", value: squeeze(o.Agent)},
		{name: "Model", value: squeeze(o.Model)},
		{name: "Folder", value: squeeze(shortPath(o.Dir, Options{Home: o.Home})), code: true},
		{name: "Made", value: made},
	} {
		if f.value != "" {
			out = append(out, f)
		}
	}
	return out
}

// in is a time in the location of the export.
func (o ExportOptions) in(t time.Time) time.Time {
	if o.Location == nil {
		return t.UTC()
	}
	return t.In(o.Location)
}

// moment tells a time with its date.
func (o ExportOptions) moment(t time.Time) string { return o.in(t).Format("2006-01-02 15:04") }

// squeeze makes text of any kind one safe line without blanks around it.
func squeeze(s string) string { return strings.Join(strings.Fields(SanitizeLine(s)), " ") }

// exportText is the head, and the timeline as Print writes it, whole but for
// what is told for completeness. Events that could not be read stay folded: the
// words for why come from a library that varies them from run to run.
func exportText(t *timeline.Timeline, o ExportOptions) string {
	var b strings.Builder
	b.WriteString(o.title() + "\n")
	for _, f := range o.facts() {
		b.WriteString(f.name + ": " + f.value + "\n")
	}
	b.WriteString("\n")
	options := o.options(exportWidth)
	_ = printEach(&b, t, func(e *timeline.Entry) Options { // a builder takes everything
		draw := options
		if u, ok := e.Body.(*timeline.Unrecognised); ok && u.Reason != "" {
			draw.Fold = Folded
		}
		if e.Minor {
			draw.Fold = Hidden
		}
		return draw
	})
	return strings.TrimRight(b.String(), "\n") + "\n"
}
