package sessions

import (
	"strings"
	"time"
	"unicode/utf8"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"parley/session"
)

// Text is something in a log that can be found.
type Text struct {
	Kind TextKind
	Text string
}

// TextKind says what a Text is.
type TextKind string

// The kinds of texts.
const (
	Prompt    TextKind = "prompt" // of the user
	Answer    TextKind = "answer"
	Reasoning TextKind = "reasoning"
	Command   TextKind = "command" // that ran in a shell
	File      TextKind = "file"    // a path, each once
	Input     TextKind = "input"   // what else a tool was given
	Output    TextKind = "output"  // of a tool
	Failure   TextKind = "error"
	Question  TextKind = "question" // of the agent to the user
	Summary   TextKind = "summary"  // of the conversation, or of a task
	Notice    TextKind = "notice"
)

// The bounds of a text, in bytes: of what is said only the beginning is kept, of
// what a tool gets and gives the beginning and the end.
const (
	maxSaid   = 256 << 10
	maxOutput = 2 << 10
	maxTitle  = 200
	maxFiles  = 4096
)

// event is a line of a log whose payload is read as T.
type event[T any] struct {
	Timestamp string
	Agent     session.AgentID
	Ephemeral bool
	Data      T
	at        time.Time
}

// UnmarshalJSONFrom implements json.UnmarshalerFrom. What all events have is found without
// the search for the members of any struct, which took a twentieth of the reading of a log.
func (e *event[T]) UnmarshalJSONFrom(d *jsontext.Decoder) error {
	if d.PeekKind() != jsontext.KindBeginObject {
		return json.UnmarshalDecode(d, &struct{}{})
	}
	_, err := d.ReadToken()
	for err == nil && d.PeekKind() == jsontext.KindString {
		var name jsontext.Value
		if name, err = d.ReadValue(); err == nil {
			err = e.readMember(d, name)
		}
	}
	if err == nil {
		_, err = d.ReadToken()
	}
	return err
}

func (e *event[T]) readMember(d *jsontext.Decoder, name jsontext.Value) error {
	switch string(name) {
	case `"timestamp"`:
		if d.PeekKind() == jsontext.KindString {
			t, err := d.ReadToken()
			e.Timestamp = t.String()
			return err
		}
		return json.UnmarshalDecode(d, &e.Timestamp)
	case `"agentId"`:
		return json.UnmarshalDecode(d, &e.Agent)
	case `"ephemeral"`:
		return json.UnmarshalDecode(d, &e.Ephemeral)
	case `"data"`:
		return json.UnmarshalDecode(d, &e.Data)
	}
	return d.SkipValue()
}

// skipped is in the place of a member that is not read: most of what is stored is of no use here.
type skipped struct{}

// UnmarshalJSONFrom implements json.UnmarshalerFrom.
func (*skipped) UnmarshalJSONFrom(d *jsontext.Decoder) error { return d.SkipValue() }

// decode reads JSON as writers of other languages write it.
func decode(raw []byte, to any) error {
	return json.Unmarshal(raw, to, jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
}

// eventHandler takes an event of one kind, and reports whether it is one.
type eventHandler func(d *Digest, line []byte, text func(Text)) bool

// handler is the taker of events with the payload T. A member of the wrong type counts as
// missing. What was streamed is not taken: what is stored has it again.
func handler[T any](take func(d *Digest, ev *event[T], text func(Text))) eventHandler {
	return func(d *Digest, line []byte, text func(Text)) bool {
		var ev event[T]
		if err := decode(line, &ev); err != nil && !readPartly(line, &ev) {
			return false
		}
		if ev.Ephemeral {
			return true
		}
		ev.at = parseTime(ev.Timestamp)
		if !ev.at.IsZero() {
			d.Used = ev.at
			if d.Started.IsZero() {
				d.Started = ev.at
			}
		}
		take(d, &ev, text)
		return true
	}
}

// readPartly reads what fits of a line that has members of the wrong type, and reports
// whether it is an event with a payload.
func readPartly[T any](line []byte, ev *event[T]) bool {
	var whole struct {
		Data jsontext.Value `json:"data"`
	}
	return decode(line, &whole) == nil && whole.Data.Kind() == jsontext.KindBeginObject && session.ReadWhatFits(line, ev)
}

// parseTime is a time as logs have it; zero if it is none.
func parseTime(text string) time.Time {
	t, _ := session.ParseTime(text)
	return t
}

// eventHandlers are what takes events, by their kinds. The other kinds are noise here: it
// is not even looked whether they are whole.
var eventHandlers = map[string]eventHandler{
	"user.message":                handler(takePrompt),
	"assistant.message":           handler(takeAnswer),
	"assistant.turn_start":        handler(takeTurnStart),
	"assistant.turn_end":          handler(takeTurnEnd),
	"abort":                       handler(takeAbort),
	"tool.user_requested":         handler(takeRequested),
	"tool.execution_start":        handler(takeCall),
	"tool.execution_complete":     handler(takeResult),
	"permission.requested":        handler(takePermissionRequested),
	"permission.completed":        handler(takePermissionCompleted),
	"session.error":               handler(takeError),
	"session.compaction_complete": handler(takeCompaction),
	"session.task_complete":       handler(takeTaskComplete),
	"subagent.started":            handler(takeAgent),
	"subagent.failed":             handler(takeAgentFailed),
	"session.usage_record":        handler(takeUsage),
	"session.usage_checkpoint":    handler(takeCheckpoint),
	"session.shutdown":            handler(takeShutdown),
	"session.start":               handler(takeStart),
	"session.resume":              handler(takeResume),
	"session.context_changed":     handler(takeContext),
	"session.model_change":        handler(takeModel),
	"session.info":                handler(takeNotice),
	"session.warning":             handler(takeNotice),
	"session.plan_changed":        handler(takePlan),
	"session.mode_changed":        handler(takeMode),
}

// handlerOf finds what takes events of a kind; nil for noise.
func handlerOf(kind []byte) eventHandler { return eventHandlers[string(kind)] }

// addSaid gives a text as far as it is kept, if there is any.
func addSaid(text func(Text), kind TextKind, s string) {
	if s = strings.TrimSpace(s); s != "" {
		text(Text{kind, s[:boundary(s, min(len(s), maxSaid))]})
	}
}

// addShortened gives the beginning and the end of what may be long.
func addShortened(text func(Text), kind TextKind, s string) {
	if s = strings.TrimSpace(s); len(s) > 2*maxOutput {
		from := len(s) - maxOutput
		for from < len(s) && !utf8.RuneStart(s[from]) {
			from++
		}
		s = s[:boundary(s, maxOutput)] + "\n…\n" + s[from:]
	}
	if s != "" {
		text(Text{kind, s})
	}
}

// boundary is the last place at or before n where a rune begins.
func boundary(s string, n int) int {
	for n > 0 && n < len(s) && !utf8.RuneStart(s[n]) {
		n--
	}
	return n
}

// titleOf is the first line of a prompt that says something.
func titleOf(prompt string) string {
	for line := range strings.Lines(prompt) {
		if line = strings.Join(strings.Fields(line), " "); line != "" {
			if cut := boundary(line, min(len(line), maxTitle)); cut < len(line) {
				return line[:cut] + "…"
			}
			return line
		}
	}
	return ""
}
