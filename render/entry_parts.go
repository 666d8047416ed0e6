package render

import (
	"strings"

	"parley/render/text"
	"parley/theme"
	"parley/timeline"
)

// doc is the parsed form of one entry. It lives as long as the entry is near
// the screen and is extended as the entry grows, so that a long text is parsed
// once and not once a frame.
type doc interface {
	// parts brings the doc up to date with e and returns the parts it is
	// drawn in, top to bottom. It is called when e or fold changed, and may
	// cost what e grew by. Fold is Folded, Line or Whole.
	parts(e *timeline.Entry, fold Fold) []part
}

// part is a run of units of one entry that are drawn alike.
type part struct {
	kind  partKind
	units int
	// clock is how often the drawing changes with Options.Now.
	clock clockwork
	// stamp distinguishes drawings of a unit: it changes whenever what the unit
	// is drawn from does. Nil means that it never does.
	stamp func(unit int) uint64
	draw  func(unit int, o Options) []string
	// source is the text that a unit is drawn from (Cache.Source); nil: there is
	// no one text.
	source func(unit int) string
	// text is what the units are runs of, if they are; tail says that its end
	// says more than its beginning.
	text string
	tail bool
}

// clockwork is how often a drawing changes with Options.Now.
type clockwork uint8

const (
	never  clockwork = iota
	minute           // only where Options.Times is TimesAgo
	second
)

// partKind distinguishes the parts of one entry.
type partKind uint8

const (
	partHead partKind = iota
	partText
	partArguments
	partDiff
	partOutput
	partFoot
	partDetail
	partHidden partKind = 1 << 7 // with the kind of what it stands for
)

// at returns a stamp that is the same for all units.
func at(v uint64) func(int) uint64 { return func(int) uint64 { return v } }

// newDoc returns an empty doc for an entry. The set of bodies is closed; a
// test checks that each is named here.
func newDoc(e *timeline.Entry) doc {
	switch b := e.Body.(type) {
	case *timeline.Prompt:
		return docOf(b, promptParts)
	case *timeline.Message:
		return &messageDoc{body: b}
	case *timeline.Reasoning:
		return docOf(b, reasoningParts)
	case *timeline.ToolCall:
		return &toolDoc{call: b}
	case *timeline.Notice:
		return docOf(b, noticeParts)
	case *timeline.AnsweredQuestion:
		return shortDoc(b, never, drawAnsweredQuestion)
	case *timeline.Divider:
		return shortDoc(b, minute, drawDivider)
	case *timeline.Summary:
		return docOf(b, summaryParts)
	case *timeline.SessionEnd:
		return docOf(b, sessionEndParts)
	case *timeline.Unrecognised:
		return docOf(b, unrecognisedParts)
	}
	return bodyDoc(func(*timeline.Entry, Fold) []part { return nil })
}

// bodyDoc is the doc of an entry of which nothing is parsed.
type bodyDoc func(e *timeline.Entry, fold Fold) []part

func (d bodyDoc) parts(e *timeline.Entry, fold Fold) []part { return d(e, fold) }

// docOf returns the doc of an entry with a body that has parts.
func docOf[B any](b B, parts func(e *timeline.Entry, b B, fold Fold) []part) doc {
	return bodyDoc(func(e *timeline.Entry, fold Fold) []part { return parts(e, b, fold) })
}

// shortDoc returns the doc of an entry that is short and is drawn at once.
func shortDoc[B any](b B, clock clockwork, draw func(e *timeline.Entry, b B, o Options) []string) doc {
	return docOf(b, func(e *timeline.Entry, b B, _ Fold) []part { return []part{shortPart(e, b, clock, draw)} })
}

// shortPart is the head of an entry, which is drawn at once.
func shortPart[B any](e *timeline.Entry, b B, clock clockwork, draw func(e *timeline.Entry, b B, o Options) []string) part {
	return part{
		kind: partHead, units: 1, clock: clock, stamp: at(e.Version),
		draw:   func(_ int, o Options) []string { return draw(e, b, o) },
		source: func(int) string { return text.Sanitize(timeline.Source(e)) },
	}
}

// textPart is a long text, of which each run is drawn alone once it was made safe.
func textPart(e *timeline.Entry, kind partKind, s string, draw func(i int, run string, o Options) []string) part {
	return part{
		kind: kind, units: text.Chunks(s), text: s, stamp: at(e.Version),
		draw:   func(i int, o Options) []string { return draw(i, text.Sanitize(text.Chunk(s, i)), o) },
		source: func(i int) string { return text.Sanitize(text.ChunkWithEnd(s, i)) },
	}
}

// nested puts lines further in, below the line that they belong to.
func nested(o Options, lines []string) []string {
	n := text.Nested(o.Width)
	return text.HangingIndent(text.Spaces(n), lines, n)
}

// besideMargin puts a mark into the margin of lines.
func besideMargin(o Options, tok theme.Token, m theme.Mark, lines []string) []string {
	return text.HangingIndent(text.MarginMark(o.Theme, o.Width, tok, m), lines, text.Margin(o.Width))
}

// cutText is a text that may be too long to be drawn whole, safe and without blanks
// around it.
func cutText(s string) string {
	return strings.TrimSpace(text.Sanitize(text.CutBytes(s, 16*text.ChunkBytes)))
}

// drawReason draws why something ended as it did, nested. Of many lines it shows
// the first ones, unless all is shown.
func drawReason(o Options, tok theme.Token, s string) []string {
	lines := text.WrapStyled(o.Theme, tok, s, o.Width-text.Nested(o.Width))
	if rest := len(lines) - errorLines; rest > 0 && o.Fold != Whole {
		lines = append(lines[:errorLines], text.FoldedLines(o.Theme, o.Width, rest, 0, "more"))
	}
	return nested(o, lines)
}
