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
	Timestamp string          `json:"timestamp"`
	Agent     session.AgentID `json:"agentId"`
	Ephemeral bool            `json:"ephemeral"`
	Data      T               `json:"data"`
	at        time.Time
}

// decode reads JSON as writers of other languages write it.
func decode(raw []byte, to any) error {
	return json.Unmarshal(raw, to, jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
}

// taker takes an event of one kind, and reports whether it is one.
type taker func(d *Digest, line []byte, text func(Text)) bool

// by is the taker of events with the payload T. A member of the wrong type counts as
// missing. What was streamed is not taken: what is stored has it again.
func by[T any](take func(d *Digest, ev *event[T], text func(Text))) taker {
	return func(d *Digest, line []byte, text func(Text)) bool {
		var ev event[T]
		if err := decode(line, &ev); err != nil && !fits(line, &ev) {
			return false
		}
		if ev.Ephemeral {
			return true
		}
		ev.at = stamped(ev.Timestamp)
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

// fits reads what fits of a line that has members of the wrong type, and reports
// whether it is an event with a payload.
func fits[T any](line []byte, ev *event[T]) bool {
	var whole struct {
		Data jsontext.Value `json:"data"`
	}
	return decode(line, &whole) == nil && whole.Data.Kind() == jsontext.KindBeginObject && session.ReadWhatFits(line, ev)
}

// stamped is a time as logs have it; zero where it is none.
func stamped(text string) time.Time {
	t, _ := session.ParseTime(text)
	return t
}

// takers are what takes events, by their kinds. The other kinds are noise here: it
// is not even looked whether they are whole.
var takers = map[string]taker{
	"user.message":                by(takePrompt),
	"assistant.message":           by(takeAnswer),
	"assistant.turn_start":        by(takeTurnStart),
	"assistant.turn_end":          by(takeTurnEnd),
	"abort":                       by(takeAbort),
	"tool.user_requested":         by(takeRequested),
	"tool.execution_start":        by(takeCall),
	"tool.execution_complete":     by(takeResult),
	"session.error":               by(takeError),
	"session.compaction_complete": by(takeCompaction),
	"session.task_complete":       by(takeTaskComplete),
	"subagent.started":            by(takeAgent),
	"subagent.failed":             by(takeAgentFailed),
	"session.usage_record":        by(takeUsage),
	"session.usage_checkpoint":    by(takeCheckpoint),
	"session.shutdown":            by(takeShutdown),
	"session.start":               by(takeStart),
	"session.resume":              by(takeResume),
	"session.context_changed":     by(takeContext),
	"session.model_change":        by(takeModel),
	"session.info":                by(takeNotice),
	"session.warning":             by(takeNotice),
	"session.plan_changed":        by(takePlan),
	"session.mode_changed":        by(takeMode),
}

// takerOf finds what takes events of a kind; nil for noise.
func takerOf(kind []byte) taker { return takers[string(kind)] }

// said gives a text as far as it is kept, if there is any.
func said(text func(Text), kind TextKind, s string) {
	if s = strings.TrimSpace(s); s != "" {
		text(Text{kind, s[:boundary(s, min(len(s), maxSaid))]})
	}
}

// shown gives the beginning and the end of what may be long.
func shown(text func(Text), kind TextKind, s string) {
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
