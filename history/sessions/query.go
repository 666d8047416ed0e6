package sessions

import "time"

// Query is what a line of the query language asks for: all of it must hold.
//
//	tide moon            both words, or words that begin so, in any order
//	"tide table"         these words beside each other
//	-moon -tool:bash     not this
//	repo:tide            part of the repository's name, or of its root
//	branch: dir: model: agent: tag: title: id:   part of it
//	file:table.go        a file that was read or changed
//	tool:bash            a tool that was called
//	after:2026-11-01 before:today after:7d   when it was used last
//	cost:>1.5 tokens:>10k turns:<3 lines:>100 duration:>10m
//	is:failed is:pinned is:archived is:open is:interrupted is:deleted is:named is:fork
//	has:edits has:errors has:images has:plan has:agents has:tags
type Query struct {
	Words   []Word
	Filters []Filter
}

// Word is something to find in the texts of a session.
type Word struct {
	Text   string
	Exact  bool // it was quoted: these words beside each other, whole
	Not    bool
	Prefix bool // longer words that begin so count
}

// Filter is a condition on what is known of a session.
type Filter struct {
	Field string // as it is written: "repo", "cost"
	Value string // text; "" where Number or Time hold it
	Op    Op
	// Number is the value of a count, of an amount, or of a duration in seconds.
	Number float64
	Time   time.Time
	Not    bool
}

// Op is how a filter compares.
type Op uint8

// The comparisons.
const (
	Is Op = iota // for text: holds it, in capitals or not
	Less
	AtMost
	More
	AtLeast
)
