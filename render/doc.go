package render

import (
	"parley/timeline"
)

// doc is the parsed form of one entry. It lives as long as the entry is near
// the screen and is extended as the entry grows, so that a long text is parsed
// once and not once a frame.
type doc interface {
	// parts brings the doc up to date with e and returns the parts it is
	// drawn in, top to bottom. It is called when e or expanded changed, and
	// may cost what e grew by.
	parts(e *timeline.Entry, expanded bool) []part
}

// part is a run of units of one entry that are drawn alike.
type part struct {
	kind  partKind
	units int
	// timed says that the drawing shows Options.Now.
	timed bool
	// stamp tells drawings of a unit apart: it changes whenever what the unit
	// is drawn from does. Nil means that it never does.
	stamp func(unit int) uint64
	draw  func(unit int, o Options) []string
}

// partKind tells the parts of one entry apart.
type partKind uint8

const (
	partHead partKind = iota
	partText
	partArguments
	partDiff
	partOutput
	partFoot
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
		return single(drawNotice)
	case *timeline.Receipt:
		return single(drawReceipt)
	case *timeline.Boundary:
		return single(drawBoundary)
	case *timeline.Unrecognised:
		return single(drawUnrecognised)
	}
	return single(drawNothing)
}

// single is the doc of an entry that is short and is drawn at once.
type single func(e *timeline.Entry, o Options) []string

func (draw single) parts(e *timeline.Entry, _ bool) []part {
	if blank(e) {
		return nil
	}
	return []part{{
		kind: partHead, units: 1, stamp: at(e.Version),
		draw: func(_ int, o Options) []string { return draw(e, o) },
	}}
}

func drawNothing(*timeline.Entry, Options) []string { return nil }
