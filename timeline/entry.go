// Package timeline is the projection of a session's log to what the user
// sees: a pure reducer from events to entries. It knows no clock, no styles and
// no Bubble Tea; the same events give the same timeline, live or replayed.
package timeline

import (
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"parley/session"
)

// EntryID names an entry for as long as the timeline lives. It comes from the
// event, message or call that made the entry, so that a replayed log gives the
// same ids and a scroll anchor survives removals around it.
type EntryID string

// Entry is one thing on the timeline.
type Entry struct {
	ID     EntryID
	Origin []session.EventID // the stored events it was made from
	// Events are what made and changed it, and what came with it, oldest first; nil
	// in a copy.
	Events records
	Agent  session.AgentID
	At     time.Time // when it began
	End    time.Time // when it reached a final state; zero before
	// Version grows with every change of the entry and is never reused.
	Version uint64
	State   State
	// VerboseOnly entries are shown only at the verbose density: they report for
	// completeness what is reported elsewhere or wanted by few.
	VerboseOnly bool
	Body        Body

	pos       int  // index in the timeline, kept by it; -1 when it was taken out
	listed    bool // in the list of entries that may be live
	confirmed bool // a complete event stands behind it; else a retry voids it
}

// State is where an entry is in its life.
type State uint8

// The states of an entry.
const (
	Live      State = iota // still growing or running
	Done                   // complete
	Failed                 // ended with an error
	Refused                // a user or a rule said no
	Cancelled              // aborted before its end
)

// String implements fmt.Stringer.
func (s State) String() string {
	return [...]string{"live", "done", "failed", "refused", "cancelled", "?"}[min(int(s), 5)]
}

// Final reports whether the entry will not run or grow any more.
func (s State) Final() bool { return s != Live }

// Body is what an entry is: one of a closed set.
type Body interface{ entry() }

// Prompt is what the user, or something acting as the user, wrote.
type Prompt struct {
	Text        string
	Sent        string // what the model was sent for it, such as for a command; "" is the text
	Attachments []session.Attachment
	Mode        session.Mode
	Delivery    string // idle, queued, steering
	Source      string // "" is the user
}

// Message is text of the assistant, in markdown.
type Message struct {
	MessageID   session.MessageID
	Text        Text
	Attachments []session.Attachment // images, sounds and documents in it
}

// Reasoning is the model's thinking: a block of reasoning, or a message of the
// phase "thinking".
type Reasoning struct {
	ReasoningID session.ReasoningID
	MessageID   session.MessageID // of a message
	Text        Text

	isMessage bool // it is a message
}

// ToolCall is one call of a tool from its request to its result.
type ToolCall struct {
	CallID    session.CallID
	Name      string // the tool's name, such as "bash"
	Title     string // the agent's own title for it, if any
	Intention string // why the agent makes it, in its own words; "" if it did not say
	Server    string // MCP server, "" for built-in tools
	Tool      string // the tool's name on its MCP server
	Arguments jsontext.Value
	// ArgumentText is the raw JSON text of arguments still being streamed.
	ArgumentText Text
	Status       string // last progress message
	// Output is live output: appended (tool.shell_output) or replaced
	// (partialOutput), never both. A result takes its place.
	Output Text
	// Replaced counts the times Output was replaced; a drawer that keeps a
	// position in Output starts again when it changes.
	Replaced      int
	Result        string // what the model saw
	Detail        string // fuller result for display, such as a diff; "" if it is the Result
	Unreported    bool   // it has succeeded, and the agent does not say what came of it
	Error         string
	ErrorCode     string // denied, rejected, failure, ...; see ErrorText
	ExitCode      *int   // of a shell command that ran
	Edits         []session.FileEdit
	UserRequested bool // by the user, not by the model
	Waiting       bool // a question about this call, or one it asks, is open
	Answered      bool // all that is known of its end is that there was an answer
	RefusedBy     Refuser
	Feedback      string // why the call was refused; what the user said, if it was the user
	Dir           string // where its command ended, as far as a terminal said so
	Images        []Image
	Blocks        []Block
	// Agent is the sub-agent that the call runs; nil for other calls. The entry
	// is live for as long as the sub-agent works, also when it does so in the
	// background and the call has returned.
	Agent *Subagent

	activity      string // what the call does, in words, for the status
	blockingShell bool   // a shell command that the turn waits for
	started       bool
	unanswered    bool       // a question whether it may run was not answered: it has not run
	ended         bool       // its own end came: State is no guess
	sync          bool       // it says that it waits for its sub-agent
	form          outputForm // of its partial output
	returnedAt    time.Time  // when it returned while its sub-agent worked; zero for never
	repeats       int        // how often the same partial output came, while the form is unknown
	chunks        []chunk

	interaction  *interaction // that it counts for; nil while it does not
	counted      contribution // what it adds there
	filesCounted bool         // what it did to files was added there
	unrequested  bool         // no message of its turn has asked for it yet
}

// Subagent is an agent that works for another, inside one of its calls. What it
// says and does is a timeline of its own (docs/protocol.md, section 6.6).
type Subagent struct {
	ID          session.AgentID
	Name        string // its kind, such as "explore"
	Title       string // its name for people
	Description string
	Model       string // "" while it is not known
	Background  bool
	State       State
	At, End     time.Time // when it began and ended; zero for not known
	Activity    string    // what it does now, in words; "" once it has ended
	Calls       int       // of tools
	Tokens      int       // that it used so far, as far as it is known
	Error       string
	Timeline    *Timeline // never nil
}

// Image is an image that was shown to the model.
type Image struct {
	Name          string
	MIMEType      string
	Bytes         int
	Width, Height int    // pixels; 0 where they are not known
	Data          string // base64; "" where only its facts are known
}

// Block is a part of a result that is neither a text of the call nor an image:
// a sound, a document, the address of one.
type Block struct {
	Kind        string // "audio", "resource", "resource_link", or what else the agent calls it
	Name        string
	URI         string
	Description string
	MIMEType    string
	Bytes       int    // 0 where it is not known
	Data        string // base64; "" if there is nothing of it to save
}

// Level is the weight of a notice.
type Level uint8

// The levels, in rising weight.
const (
	Info Level = iota
	Success
	Warning
	Error
)

// Notice is a line from the runtime or from Parley itself: session.info,
// session.warning, session.error and their like.
type Notice struct {
	Level      Level
	Category   string // infoType, warningType, errorType
	Text       string
	URL        string
	Next       string    // what to do about it (remediation)
	StatusCode int       // of the upstream request; 0 if none
	Retry      int       // the attempt being made, counted from 1; 0 if none is
	RetryAt    time.Time // when it is made; zero if it is not known
	Detail     string    // more of it, which is folded away: a summary, a prompt

	links []string // that Detail holds
}

// AnsweredQuestion is a question that was asked and how it ended.
type AnsweredQuestion struct {
	Question string
	Answer   string // "" when it ended without one
}

// Divider separates parts of a log: the start, a resume, an abort, a rewind,
// the end.
type Divider struct {
	Text string

	abort  bool
	rewind bool // what was after it before was taken back
}

// Summary says what one prompt led to, once the agent has stopped: the turns
// from that prompt to the next.
type Summary struct {
	Files          []FileChange // in the order of their first change
	Added, Removed int          // lines, of all files
	Calls          int          // of tools, by the agent and its sub-agents
	Commands       int          // those of them that ran a shell command: what was refused did not
	Agents         int          // those of them that ran a sub-agent
	Failures       int          // those of them that failed
	Refused        Refusals     // those of them that were refused
	Turns          int          // calls of the model by the root agent
	Usage          Usage        // all zero where the log does not hold it: what the agent replays does not
	Took           time.Duration
}

// FileChange is what was done to one file.
type FileChange struct {
	Path           string
	Kind           string // create, edit or delete
	Added, Removed int    // lines
}

// Usage is what requests to models used: those of the root agent, whose turns are its
// model calls, of its sub-agents and of compactions.
type Usage struct {
	Requests                                        int
	Input, Output, CacheRead, CacheWrite, Reasoning int     // tokens: read, written, read from the cache, put into it, spent on reasoning
	Cost                                            float64 // premium requests
	NanoAIU                                         float64 // AI units, in billionths
	APITime                                         time.Duration
}

// NanoAIUPerCredit is how many units of NanoAIU an AI credit has.
const NanoAIUPerCredit = 1e9

// SessionEnd is the card that ends a session: session.shutdown.
type SessionEnd struct {
	Failed         bool
	Reason         string // of a failure
	Took           time.Duration
	Thinking       time.Duration // spent waiting for models
	Premium        float64       // premium requests
	Added, Removed int           // lines
	Files          []string
	Models         []ModelUse // by name
}

// ModelUse is what one model was used for.
type ModelUse struct {
	Model string
	Usage Usage
}

// Unrecognised stands for the stored events of one type that Parley does not
// know or could not read.
type Unrecognised struct {
	Kind   session.Kind
	Raw    jsontext.Value // of the last of them
	Count  int
	Reason string // why a known type could not be read; "" for an unknown type
}

func (*Prompt) entry()           {}
func (*Message) entry()          {}
func (*Reasoning) entry()        {}
func (*ToolCall) entry()         {}
func (*Notice) entry()           {}
func (*AnsweredQuestion) entry() {}
func (*Divider) entry()          {}
func (*Summary) entry()          {}
func (*SessionEnd) entry()       {}
func (*Unrecognised) entry()     {}
