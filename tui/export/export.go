// Package export writes a conversation to a file, once its secrets were looked for, and
// the images, sounds and documents of a block.
package export

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"path"
	"strings"
	"time"

	"parley/history/secrets"
	"parley/prompts/consent"
	"parley/render"
	"parley/render/text"
	"parley/session"
	"parley/theme"
	"parley/timeline"
	"parley/tui/panel"
	"parley/tui/widget"
)

// Destination is what of a conversation is written, and where to.
type Destination struct {
	Turns  render.Range
	Name   string // of the file, as the user wrote it
	Format render.ExportFormat
}

// ParseDestination reads the turns and the path of an export, either of which may be
// missing; name is the file then. The error is the end of a sentence.
func ParseDestination(args, name string) (Destination, error) {
	var d Destination
	args = strings.TrimSpace(args)
	first, rest, _ := strings.Cut(args, " ")
	turns, err := render.ParseRange(first)
	switch {
	case err == nil:
		d.Turns, args = turns, strings.TrimSpace(rest)
	case path.Ext(first) == "" && strings.Trim(first, "0123456789-") == "":
		return d, err
	}
	d.Name = cmp.Or(args, name)
	var ok bool
	if d.Format, ok = render.ExportFormats()[strings.ToLower(path.Ext(d.Name))]; !ok {
		return d, fmt.Errorf("the name must end in .md, .html, .txt or .jsonl")
	}
	return d, nil
}

// FileName is the name of a file for a session of a title, on a day.
func FileName(title string, day time.Time) string {
	title = strings.Trim(strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= '0' && r <= '9' {
			return r
		}
		return '-'
	}, strings.ToLower(secrets.Hide(title))), "-")
	return fmt.Sprintf("parley-%s-%s.md", cmp.Or(title[:min(len(title), 40)], "session"), day.Format(time.DateOnly))
}

// Export is an export on its way: what is written, and the secrets in it.
type Export struct {
	Timeline *timeline.Timeline
	Options  render.ExportOptions
	Name     string // of the file, with its whole path
	Err      error  // why secrets could not be looked for

	redactor secrets.Redactor
	found    []secrets.Leak
	asked    time.Time // when writing the secrets was asked for; zero if it was not
}

// Search looks for secrets in everything that would be written, and reads the log first if
// there is no timeline. It blocks, and returns the export with Err set if it failed.
func (x *Export) Search(ctx context.Context) *Export {
	if x.Timeline == nil {
		log, err := x.Options.Log()
		if err == nil {
			defer log.Close()
			x.Timeline, err = timelineOf(log)
		}
		if x.Err = err; err != nil {
			return x
		}
	}
	x.Err = x.redactor.Scan(ctx, func(each func(int, string)) error { return render.ExportTexts(x.Timeline, x.Options, each) })
	x.found = x.redactor.Found()
	x.Options.Redact = x.redactor.Redact
	return x
}

// Secrets is how many were found.
func (x *Export) Secrets() int { return len(x.found) }

// Clean reports whether all of it was searched and there is no secret in it.
func (x *Export) Clean() bool { return len(x.found) == 0 && x.redactor.Unsearched() == 0 }

// KeepSecrets reports whether the secrets are written too, which is so once it was asked
// for twice; a key that is held down asks once.
func (x *Export) KeepSecrets(now time.Time) bool {
	if x.asked.IsZero() || now.Sub(x.asked) < consent.Quiet {
		x.asked = now
		return false
	}
	x.Options.Redact = nil
	return true
}

// Write writes a file that is not there yet. It blocks.
//
// A file of that name that is there already is left as it is: the next free one of
// name-2, name-3 and so on is taken, and Name is that.
func (x *Export) Write() (done render.Exported, err error) {
	x.Name, err = makeFree(x.Name, func(w io.Writer) (err error) {
		done, err = render.WriteExport(w, x.Timeline, x.Options)
		return err
	})
	return done, err
}

// Draw draws the secrets, a line each, and what the keys do with them.
func (x *Export) Draw(th *theme.Theme, home string, width int) []string {
	var lines []string
	say := func(s string) {
		for _, l := range text.Wrap(s, min(width, panel.TextWidth)) {
			lines = append(lines, widget.Indent+l)
		}
	}
	name := text.SanitizeLine(widget.ShortPath(x.Name, home))
	if n := len(x.found); n > 0 {
		say(fmt.Sprintf("%s found in %s:", text.Count(n, "secret"), name))
	}
	lines = append(lines, "")
	kinds := 0
	for _, l := range x.found {
		kinds = max(kinds, text.Width(l.Kind))
	}
	for _, l := range x.found {
		where := "in the title"
		if l.Turn > 0 {
			where = fmt.Sprintf("turn %d", l.Turn)
		}
		kind := l.Kind + widget.Blank(kinds-text.Width(l.Kind))
		line := fmt.Sprintf("  %s  %s  %s", kind, text.SanitizeLine(l.Masked), th.Render(theme.Dim, where))
		lines = append(lines, widget.Indent+text.Truncate(line, width, th.Glyph(theme.MarkEllipsis)))
	}
	if rest := x.redactor.Unsearched(); rest > 0 {
		say(fmt.Sprintf("It is too long to be looked through: %s of its text were not, and stay as they are.", text.Size(rest)))
	}
	lines = append(lines, "")
	if x.asked.IsZero() {
		say("Redacted, [redacted: what it was] stands in the place of each.")
	} else {
		say("k again writes them as they are. Whoever reads the file can use them.")
	}
	return lines
}

// timelineOf reads a log. Lines that are no events are left out.
func timelineOf(log io.Reader) (*timeline.Timeline, error) {
	t := timeline.New()
	for ev, err := range session.ReadLog(log) {
		if bad := (*session.LineError)(nil); err != nil && !errors.As(err, &bad) {
			return nil, err
		} else if err == nil {
			t.Apply(ev)
		}
	}
	return t, nil
}
