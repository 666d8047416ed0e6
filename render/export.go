package render

import (
	"bufio"
	"cmp"
	"fmt"
	"io"
	"strings"
	"time"

	"parley/render/text"
	"parley/theme"
	"parley/timeline"
)

// ExportFormat is a form in which a conversation leaves the program.
type ExportFormat uint8

// The formats of an export.
const (
	ExportMarkdown ExportFormat = iota // a document with headings, folded results and diffs
	ExportText                         // what the timeline shows, expanded, without colours
	ExportHTML                         // one page that needs nothing else, with folded results and diffs
	ExportJSONL                        // the stored events, one line each
)

// ExportFormats are the formats by the ends of names of files.
func ExportFormats() map[string]ExportFormat {
	return map[string]ExportFormat{
		".md": ExportMarkdown, ".markdown": ExportMarkdown, ".txt": ExportText,
		".html": ExportHTML, ".htm": ExportHTML, ".jsonl": ExportJSONL,
	}
}

// ExportOptions say what is exported, what it is headed by and how it shows
// times and paths. What is empty is left out.
type ExportOptions struct {
	Format ExportFormat
	Range  Range
	// Redact is applied to every text before anything is made of it; nil keeps all.
	Redact func(string) string
	// Untimed leaves out when anything was and how long it took, but for ExportJSONL.
	Untimed bool
	// Log opens the stored events, for ExportJSONL alone; nil without stored events.
	Log func() (io.ReadCloser, error)

	Title    string         // of the session
	Agent    string         // the program that held it
	Model    string         // that was used last
	Dir      string         // working directory; paths below it are shown relative
	Home     string         // home directory, shown as ~
	Location *time.Location // of all times; nil is UTC
}

// exportWidth is the number of columns of an export as text.
const exportWidth = 100

// Exported is what WriteExport wrote.
type Exported struct {
	Bytes      int64
	Unreadable int // lines of the log that are no JSON, and were left out
}

// WriteExport writes a conversation as a document, an entry at a time. It is made
// safe (docs/decisions.md 17): control characters are removed, hidden ones are
// visible, and nothing that an agent or a tool wrote leaves the place it has in
// the document. Stored events are written as they are. The same timeline and
// options give the same bytes.
func WriteExport(w io.Writer, t *timeline.Timeline, o ExportOptions) (Exported, error) {
	counted := &counter{w: w}
	out := bufio.NewWriter(counted) // it keeps the first error for Flush
	unreadable, err := o.write(out, t)
	if err == nil {
		err = out.Flush()
	}
	if err != nil {
		return Exported{}, fmt.Errorf("export the session: %w", err)
	}
	return Exported{counted.n, unreadable}, nil
}

func (o ExportOptions) write(out *bufio.Writer, t *timeline.Timeline) (unreadable int, err error) {
	o.Title, o.Agent, o.Model, o.Dir = o.redacted(o.Title), o.redacted(o.Agent), o.redacted(o.Model), o.redacted(o.Dir)
	switch o.Format {
	case ExportText:
		return 0, exportText(out, t, o)
	case ExportJSONL:
		return exportEvents(out, t, o)
	case ExportMarkdown:
		return 0, exportPage(out, t, o, &markdownPage{})
	case ExportHTML:
		return 0, exportPage(out, t, o, &htmlPage{})
	}
	return 0, fmt.Errorf("there is no format %d", o.Format)
}

// counter counts what is written.
type counter struct {
	w io.Writer
	n int64
}

// Write implements io.Writer.
func (c *counter) Write(p []byte) (int, error) {
	n, err := c.w.Write(p)
	c.n += int64(n)
	return n, err
}

// Export returns what WriteExport writes, for a text that is never too large and
// needs no log; "" if there is nothing in the range.
func Export(t *timeline.Timeline, o ExportOptions) string {
	var b strings.Builder
	_, _ = WriteExport(&b, t, o) // a builder takes everything
	return b.String()
}

// options are those with which entries are drawn for an export.
func (o ExportOptions) options(width int) Options {
	return Options{
		Width: width, Theme: theme.Plain(), Fold: Whole, Times: TimesClock,
		Location: o.Location, Home: o.Home, Dir: o.Dir,
	}
}

func (o ExportOptions) title() string {
	return cmp.Or(text.SanitizeCompact(o.Title), "Conversation")
}

type exportFact struct {
	name, value string
	code        bool // it is no word, but something to copy
}

// on is the value as markup of a page.
func (f exportFact) on(p page) string {
	if f.code {
		return p.code(f.value)
	}
	return p.text(f.value)
}

// facts are the lines under the title.
func (o ExportOptions) facts() []exportFact {
	turns := ""
	if !o.Range.Whole() {
		turns = o.Range.String()
	}
	var out []exportFact
	for _, f := range []exportFact{
		{name: "Agent", value: text.SanitizeCompact(o.Agent)},
		{name: "Model", value: text.SanitizeCompact(o.Model)},
		{name: "Folder", value: text.SanitizeCompact(shortPath(o.Dir, Options{Home: o.Home})), code: true},
		{name: "Turns", value: turns},
	} {
		if f.value != "" {
			out = append(out, f)
		}
	}
	return out
}

// moment formats a time with its date, and with its zone in a layout of time.Format.
func (o ExportOptions) moment(t time.Time, zone string) string {
	return local(t, Options{Location: o.Location}).Format("2006-01-02 15:04" + zone)
}

// exportText writes the head, and the timeline as Print writes it, whole but for
// what is shown for completeness. Events that could not be read stay folded: the
// words for why come from a library that varies them from run to run.
func exportText(out *bufio.Writer, t *timeline.Timeline, o ExportOptions) error {
	entries, err := exportEntries(t, o)
	if err != nil {
		return err
	}
	lines := []string{o.title()}
	for _, f := range o.facts() {
		lines = append(lines, f.name+": "+f.value)
	}
	write(out, append(lines, ""))
	options := o.options(exportWidth)
	printEach(out, entries, func(e *timeline.Entry) Options {
		draw := options
		if u, ok := e.Body.(*timeline.Unrecognised); ok && u.Reason != "" {
			draw.Fold = Folded
		}
		return draw
	})
	return nil
}
