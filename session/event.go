// Package session says what an agent says and how to answer it: the typed
// event log, the questions an agent asks, and the ports behind which an agent
// lives. A session is an append-only log of events; everything Parley shows is
// a projection of that log.
//
// The vocabulary is that of the Copilot CLI (docs/protocol.md): a wire type such as
// "tool.execution_start" is the Go type ToolExecutionStart.
package session

import (
	"reflect"
	"time"

	"github.com/go-json-experiment/json/jsontext"
)

// The identifiers of the event log. All are opaque: compare them, never parse
// them.
type (
	// ID names a session.
	ID string
	// EventID names one event; unique in its session, so that live events and
	// stored history can be merged by it.
	EventID string
	// AgentID names a sub-agent. Empty is the root agent.
	AgentID string
	// CallID names one tool call.
	CallID string
	// MessageID names one message; it joins deltas with the complete message.
	MessageID string
	// ReasoningID joins reasoning deltas with the complete block.
	ReasoningID string
	// RequestID names a question the agent waits on; it joins an Ask, its
	// Answer and the event that resolves it.
	RequestID string
)

// Kind is the wire type of an event, such as "assistant.message_delta".
type Kind string

// Event is one immutable fact of a session: an envelope and a typed body.
type Event struct {
	ID     EventID
	Parent EventID // the last persisted event before this one; "" for the first. Gaps are normal.
	Time   time.Time
	Agent  AgentID // "" is the root agent
	// Ephemeral events are streamed and never stored: deltas, progress.
	Ephemeral bool
	// Replayed marks an event that comes from stored history and not from the
	// running agent. It is not part of the wire form. A replayed question is
	// never opened as a dialog (docs/decisions.md 10).
	Replayed bool
	Body     Body
	// Extra is an object of the envelope's members that this version does not
	// know; nil for none.
	Extra jsontext.Value
	// Unreadable are the members that do not have the documented type.
	Unreadable []Unreadable
	// Wire is the event as it came, with the white space and the order it had; nil
	// for increments and for events that did not come over a wire.
	Wire jsontext.Value
}

// Increment reports whether events of kind k carry a part of what a later event
// has whole, or a count: there are thousands of them in a session.
func (k Kind) Increment() bool {
	switch k {
	case KindAssistantMessageDelta, KindAssistantReasoningDelta, KindAssistantStreamingDelta, KindAssistantToolCallDelta,
		KindToolExecutionPartialResult, KindToolShellOutput, KindToolExecutionProgress, KindHookProgress:
		return true
	default:
		return false
	}
}

// Kind returns the wire type of the event's body; "" for an event without one.
func (e Event) Kind() Kind { return KindOf(e.Body) }

// Body is the payload of an event: one of a closed set of types, or Unknown. The
// kind of an event is derived from the type, so the two cannot disagree.
type Body interface{ sealed() }

// KindOf returns the wire type of a payload; "" for nil.
func KindOf(b Body) Kind {
	switch b := b.(type) { // those of which a session has most need no look-up
	case AssistantMessageDelta:
		return KindAssistantMessageDelta
	case AssistantReasoningDelta:
		return KindAssistantReasoningDelta
	case AssistantStreamingDelta:
		return KindAssistantStreamingDelta
	case AssistantToolCallDelta:
		return KindAssistantToolCallDelta
	case ToolExecutionPartialResult:
		return KindToolExecutionPartialResult
	case ToolShellOutput:
		return KindToolShellOutput
	case ToolExecutionProgress:
		return KindToolExecutionProgress
	case AssistantTurnStart:
		return KindAssistantTurnStart
	case AssistantTurnEnd:
		return KindAssistantTurnEnd
	case ToolExecutionStart:
		return KindToolExecutionStart
	case ToolExecutionComplete:
		return KindToolExecutionComplete
	case Unknown:
		return b.Type
	default:
		return codecs().kinds[reflect.TypeOf(b)]
	}
}

// body is embedded by every payload. It seals the set and keeps the members of the
// wire form that have no field, so that a log can be written back without loss:
// those that nothing reads, and those that this version does not know.
type body struct {
	Extra jsontext.Value `json:",embed"`
}

func (body) sealed() {}

// Unknown is an event whose type this version does not know, or whose payload
// does not have the documented shape. Raw is its "data" as it came; with a
// Reason of ErrEnvelope it is the whole line.
type Unknown struct {
	Type   Kind
	Raw    jsontext.Value
	Reason error // why a known type did not decode; nil for an unknown type
}

func (Unknown) sealed() {}
