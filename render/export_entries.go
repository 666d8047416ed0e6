package render

import (
	"iter"
	"time"

	"parley/render/text"
	"parley/timeline"
)

// exportEntries are the entries of a timeline that are in the range, redacted,
// each with how many prompts there were so far. What is shown for completeness is
// not.
func exportEntries(t *timeline.Timeline, o ExportOptions) (iter.Seq2[int, *timeline.Entry], error) {
	prompts := 0
	for _, e := range all(t) {
		if prompt(e) {
			prompts++
		}
	}
	r, err := o.Range.in(prompts)
	return func(yield func(int, *timeline.Entry) bool) {
		n := 0
		for _, e := range all(t) {
			if prompt(e) {
				n++
			}
			if e.VerboseOnly || blank(e) || isExportNotice(e) || !r.has(n) {
				continue
			}
			if o.Redact != nil || o.Untimed {
				e = e.Copy(o.redacted)
			}
			if o.Untimed {
				untime(e)
			}
			if !yield(n, e) {
				return
			}
		}
	}, err
}

// untime takes out of a copy of an entry when it was and how long it took.
func untime(e *timeline.Entry) {
	e.At, e.End = time.Time{}, time.Time{}
	switch b := e.Body.(type) {
	case *timeline.ToolCall:
		if b.Agent != nil {
			b.Agent.At, b.Agent.End = time.Time{}, time.Time{}
			for _, inner := range all(b.Agent.Timeline) {
				untime(inner)
			}
		}
	case *timeline.Summary:
		b.Took = 0
	case *timeline.SessionEnd:
		b.Took, b.Thinking = 0, 0
	default: // it has no other times
	}
}

// ExportNotice is the category of the notice that an export was written. No export has
// it: the next one would differ by it.
const ExportNotice = "export"

// isExportNotice reports whether e is such a notice. It is never stored, as one of the agent's
// may be.
func isExportNotice(e *timeline.Entry) bool {
	n, ok := e.Body.(*timeline.Notice)
	return ok && n.Category == ExportNotice && len(e.Origin) == 0
}

// ExportTexts gives every text of which an export is made to each, with the turn
// it is from: what to look through before it leaves. It is not in order of lines,
// and the same text may come often.
func ExportTexts(t *timeline.Timeline, o ExportOptions, each func(turn int, text string)) error {
	for _, text := range []string{o.Title, o.Agent, o.Model, o.Dir} {
		each(0, text)
	}
	if o.Format == ExportJSONL {
		return eachLine(t, o, func(turn int, line []byte) error {
			memberTexts(line, func(text string) { eachForm(text, func(text string) { each(turn, text) }) })
			return nil
		})
	}
	o.Redact = nil
	entries, err := exportEntries(t, o)
	if err != nil {
		return err
	}
	for turn, e := range entries {
		e.Copy(func(text string) string {
			eachForm(text, func(text string) { each(turn, text) })
			return text
		})
		switch b := e.Body.(type) {
		case *timeline.ToolCall:
			memberTexts(b.Arguments, func(text string) { each(turn, text) })
		case *timeline.Unrecognised:
			memberTexts(b.Raw, func(text string) { each(turn, text) })
		default: // it has no JSON
		}
	}
	return nil
}

// redacted is a text after it was redacted: as it is, and as it is shown, since
// escape sequences between its letters keep a secret from being known.
func (o ExportOptions) redacted(text string) string {
	if o.Redact == nil || text == "" {
		return text
	}
	for _, shown := range shownForms(text) {
		if safe := o.Redact(shown); safe != shown {
			return safe
		}
	}
	return o.Redact(text)
}

func eachForm(text string, each func(string)) {
	each(text)
	for _, shown := range shownForms(text) {
		each(shown)
	}
}

// shownForms are what becomes of a text with control characters: among words, and
// as the output of a program.
func shownForms(s string) []string {
	safe := text.Sanitize(s)
	if safe == s {
		return nil
	}
	return []string{safe, text.OutputText(s)}
}

// prompt reports whether an entry is one of those that are counted.
func prompt(e *timeline.Entry) bool {
	_, ok := e.Body.(*timeline.Prompt)
	return ok && !e.VerboseOnly && !blank(e)
}
