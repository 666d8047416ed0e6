// Package sessions is the library of past sessions, whichever program held them: where
// they are stored (Source), what is known of each without reading it again
// (Library, an index that can be lost at any time), what the user noted about
// them (Mark), and the language in which they are looked for (Query). The logs are
// the truth, and reading them never changes or locks them.
package sessions

import (
	"time"

	"parley/session"
)

// Log is a stored session as its source lists it, before its events are read.
type Log struct {
	ID       session.ID
	Keeper   string    // who stores it: the source's
	Agent    string    // who answered, as --agent names it: "copilot", "mine"; "" if not known
	Path     string    // of the file with the events; "" if it has no file
	Size     int64     // of the events, in bytes
	Modified time.Time // of the events

	Name       string // that it was given, or that its agent made; "" for none
	Named      bool   // a user gave the name
	Dir        string // working directory
	Root       string // of the repository; "" outside of one
	Repository string // such as "owner/name"; "" if not known
	Branch     string
	Client     string // the program that held it
	Created    time.Time
	InUse      bool // a running process has it open
	Held       bool // that is a window of Parley, and no other one can continue it

	AgentSessionID string // the agent's own id of it; "" if it has none apart

	noted stamp // of the file in which a source read that; see recaller
}

// Foreign reports whether a session is stored by somebody else than a keeper, so that
// its agents cannot continue it. The keeper "" is any. What an agent keeps itself is continued by
// that agent, with a log that Parley keeps.
func (l Log) Foreign(keeper string) bool {
	if l.Keeper == AgentKeeper {
		return keeper != ParleyKeeper
	}
	return l.Keeper != "" && keeper != "" && l.Keeper != keeper
}

// stamp identifies a state of a file. The zero stamp is of none.
type stamp struct {
	Modified int64 `json:"modified,omitzero"` // Unix nanoseconds
	Size     int64 `json:"size,omitzero"`
}

// Session is a stored session as the index knows it.
type Session struct {
	Log
	Mark // what the user noted
	Facts
	Files []string // that were read or changed, each once
	// ReadProblem says why its events could not be read, or not all; "" if they were.
	ReadProblem string
}

// Facts are what is known of a session by its events.
type Facts struct {
	Title   string    `json:"title,omitzero"` // of a Digest the beginning of the first prompt
	Model   string    `json:"model,omitzero"` // used last
	Started time.Time `json:"started,omitzero"`
	Used    time.Time `json:"used,omitzero"` // of its last event
	// Parent is the session that it was copied from; "" if it was not, or nothing
	// says so.
	Parent session.ID `json:"parent,omitzero"`
	// Place is where it was held. What its source says of that is in Log, and newer.
	Place Place `json:",embed"`

	Prompts  int            `json:"prompts,omitzero"`
	Turns    int            `json:"turns,omitzero"`  // of the root agent (docs/decisions.md 14)
	Tokens   Tokens         `json:"tokens,omitzero"` // of all calls; of a Digest without those that made summaries
	Cost     float64        `json:"cost,omitzero"`   // premium requests
	Busy     time.Duration  `json:"busy,omitzero"`   // how long turns ran; of a Digest 0
	Edits    int            `json:"edits,omitzero"`  // files that were changed
	Added    int            `json:"added,omitzero"`  // lines
	Removed  int            `json:"removed,omitzero"`
	Failures int            `json:"failures,omitzero"` // tool calls and turns that failed
	Tools    map[string]int `json:"tools,omitzero"`    // how often each was called
	State    State          `json:"state,omitzero"`
	Images   bool           `json:"images,omitzero"` // the model got some
	Plan     bool           `json:"plan,omitzero"`   // there was a plan
	Agents   bool           `json:"agents,omitzero"` // there were subagents

	Copied *Facts `json:"copied,omitzero"` // what it repeats of its parent; nil for nothing
}

// Place is where a session was held, as Log has it.
type Place struct {
	Dir        string `json:"dir,omitzero"`
	Root       string `json:"root,omitzero"`
	Repository string `json:"repository,omitzero"`
	Branch     string `json:"branch,omitzero"`
}

// Tokens are those of all model calls of a session.
type Tokens struct{ In, Out, CacheRead, CacheWrite int }

// Total is what went in and came out.
func (t Tokens) Total() int { return t.In + t.Out }

func (t Tokens) plus(more Tokens) Tokens {
	return Tokens{
		In: clamp(t.In + more.In), Out: clamp(t.Out + more.Out),
		CacheRead: clamp(t.CacheRead + more.CacheRead), CacheWrite: clamp(t.CacheWrite + more.CacheWrite),
	}
}

func (t Tokens) atLeast(o Tokens) Tokens {
	return Tokens{max(t.In, o.In), max(t.Out, o.Out), max(t.CacheRead, o.CacheRead), max(t.CacheWrite, o.CacheWrite)}
}

// State is how a session stands after its last event.
type State string

// The states.
const (
	Done        State = "done"        // the last turn ended by itself
	Failed      State = "failed"      // with an error
	Interrupted State = "interrupted" // by the user, or by the end of its program
)

// Mark is what the user noted about a session. It is kept apart from the index
// and from the session.
type Mark struct {
	Name     string    `json:"name,omitzero"` // in place of the session's own (docs/decisions.md 24)
	Tags     []string  `json:"tags,omitzero"` // sorted, each once, without blanks
	Pinned   bool      `json:"pinned,omitzero"`
	Archived bool      `json:"archived,omitzero"`
	Deleted  time.Time `json:"deleted,omitzero"` // when; zero is not. It is removed when the window is left.
}

// Scope is which sessions are looked through, seen from a folder.
type Scope uint8

// The scopes, in the order in which one key goes through them.
const (
	InFolder Scope = iota
	InRepository
	Everywhere
)

// Order is how what was found is sorted.
type Order uint8

// The orders, in the order in which one key goes through them.
const (
	ByRelevance Order = iota // where words are looked for; else ByUsed. Pinned ones come first in each.
	ByUsed
	ByStarted
	ByTitle
	ByCost
)

// Request is what is looked for.
type Request struct {
	Query Query
	Scope Scope
	Dir   string // the folder that the scope is seen from
	Root  string // of its repository; "" for none
	Order Order
	Limit int // 0 is all
	// Archived and Deleted say whether those are found, too.
	Archived, Deleted bool
}

// Found is the answer to a Request.
type Found struct {
	Sessions []Hit
	Total    int // without the limit
	// Indexing is how far the index is; zero values where it is complete.
	Indexing Progress
	// Asking is that the agent has not said yet which sessions it keeps.
	Asking bool
	// Warnings is what the user should know, a line each: a folder that could not
	// be read, an index that was damaged and is built anew.
	Warnings []string
}

// Hit is a session that was found.
type Hit struct {
	Session
	Score float64 // more is better; only where words are looked for
	// Excerpt is a line with the first hit in it, and Spans the byte ranges of the
	// hits; "" without a hit.
	Excerpt string
	Spans   [][2]int
}

// Progress is how far an index is.
type Progress struct {
	Done, All   int // sessions
	Bytes, Size int64
}

// Busy reports whether there is something left.
func (p Progress) Busy() bool { return p.Done < p.All }

// Known is what the sessions have, for completion: each value once, the one of
// the session used last first.
type Known struct{ Repositories, Dirs, Branches, Models, Agents, Tools, Tags []string }

// Stats are sums over sessions.
type Stats struct {
	All          Sum
	Days         []Share // by local day, as 2026-11-21, the earliest first, those without sessions too
	Repositories []Share // the one with the most sessions first
	Models       []Share
	Tools        []Share // Sum.Calls of each, the most first
}

// Share is the part of a sum that belongs to something.
type Share struct {
	Name string
	Sum
}

// Sum is added up over sessions.
type Sum struct {
	Sessions, Prompts, Turns, Calls, Failures int
	Added, Removed                            int
	Tokens                                    Tokens
	Cost                                      float64
	Busy                                      time.Duration
}
