package render

import (
	"parley/render/text"
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
	// stamp tells drawings of a unit apart: it changes whenever what the unit
	// is drawn from does. Nil means that it never does.
	stamp func(unit int) uint64
	draw  func(unit int, o Options) []string
	// source is the text that a unit is drawn from (Cache.Source); nil: there is
	// no one text.
	source func(unit int) string
	// text is what the units are runs of, if they are; tail says that its end
	// tells more than its beginning.
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

// partKind tells the parts of one entry apart.
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
	switch e.Body.(type) {
	case *timeline.Prompt:
		return promptDoc{}
	case *timeline.Message:
		return &messageDoc{}
	case *timeline.Reasoning:
		return reasoningDoc{}
	case *timeline.ToolCall:
		return &toolDoc{}
	case *timeline.Notice:
		return noticeDoc{}
	case *timeline.AnsweredQuestion:
		return single{draw: drawReceipt}
	case *timeline.Divider:
		return single{draw: drawBoundary, clock: minute}
	case *timeline.Summary:
		return summaryDoc{}
	case *timeline.SessionEnd:
		return closingDoc{}
	case *timeline.Unrecognised:
		return unrecognisedDoc{}
	}
	return single{draw: drawNothing}
}

// single is the doc of an entry that is short and is drawn at once.
type single struct {
	draw  func(e *timeline.Entry, o Options) []string
	clock clockwork
}

func (s single) parts(e *timeline.Entry, _ Fold) []part {
	if blank(e) {
		return nil
	}
	return []part{{
		kind: partHead, units: 1, clock: s.clock, stamp: at(e.Version),
		draw:   func(_ int, o Options) []string { return s.draw(e, o) },
		source: func(int) string { return text.Sanitize(timeline.Source(e)) },
	}}
}

func drawNothing(*timeline.Entry, Options) []string { return nil }
