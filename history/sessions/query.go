package sessions

import (
	"strings"
	"time"
)

// Query is what a line of the query language asks for: all of it must hold.
// Fields lists the filters, and ParseQuery says how a line is read.
//
//	tide moon            both words, or words that begin so, in any order
//	"tide table"         these words beside each other
//	"tide tab"*          the last of them begins so
//	-moon -tool:bash     not this
//	repo:tide            part of the repository's name, or of its folder
//	title:"low water"    a value with blanks
//	after:2026-11-01 before:today after:7d   when it was used last
//	cost:>1.5 tokens:>10k turns:<3 lines:>100 duration:>10m
//	is:failed has:edits
type Query struct {
	Words   []Word
	Filters []Filter
}

// Word is something to find in the texts of a session. It has a letter or a
// digit, and neither a control character nor anything that is not UTF-8.
type Word struct {
	Text   string
	Exact  bool // it was quoted: these words beside each other, whole
	Not    bool
	Prefix bool // longer words that begin as its last one count
}

// Filter is a condition on what is known of a session.
type Filter struct {
	Field string // the name in Fields, also where it was written otherwise
	Value string // text; "" if Number or Time hold it
	Op    Op
	// Number is the value of a count, of an amount, or of a duration in seconds.
	Number float64
	// Time is an instant in the location that the query was parsed in: what was
	// used at it or later is after (AtLeast), what was used earlier is before (Less).
	Time time.Time
	Not  bool
}

// Op is how a filter compares.
type Op uint8

// The comparisons.
const (
	Is Op = iota // for text: holds it, in capitals or not; for numbers: equal
	Less
	AtMost
	More
	AtLeast
)

// signs are how the comparisons are written.
var signs = [...]string{Is: "", Less: "<", AtMost: "<=", More: ">", AtLeast: ">="}

// Empty reports whether the query asks for nothing, which every session has.
func (q Query) Empty() bool { return len(q.Words) == 0 && len(q.Filters) == 0 }

// quoted is a text between quotes; a quote in it is doubled.
func quoted(text string) string { return `"` + strings.ReplaceAll(text, `"`, `""`) + `"` }

// valued is a text as the value of a filter: in quotes where it needs them.
func valued(text string) string {
	if text == "" || strings.HasPrefix(text, `"`) || strings.ContainsFunc(text, blank) {
		return quoted(text)
	}
	return text
}
