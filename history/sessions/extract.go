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

// by is the taker of events with the payload T. What was streamed is told again
// by what is stored.
func by[T any](take func(d *Digest, ev *event[T], text func(Text))) taker {
	return func(d *Digest, line []byte, text func(Text)) bool {
		var ev event[T]
		if err := decode(line, &ev); err != nil {
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

// stamped is a time as logs have it; zero where it is none, or one that JSON could
// not hold.
func stamped(text string) time.Time {
	t, err := time.Parse(time.RFC3339, text)
	t = t.UTC()
	if err != nil || t.Year() < 0 || t.Year() > 9999 {
		return time.Time{}
	}
	return t
}

// takerOf finds what takes events of a kind. The other kinds are noise here: it
// is not even looked whether they are whole.
func takerOf(kind []byte) taker {
	switch string(kind) {
	case "user.message":
		return by(takePrompt)
	case "assistant.message":
		return by(takeAnswer)
	case "assistant.turn_start":
		return by(takeTurnStart)
	case "assistant.turn_end":
		return by(takeTurnEnd)
	case "abort":
		return by(takeAbort)
	case "tool.user_requested":
		return by(takeRequested)
	case "tool.execution_start":
		return by(takeCall)
	case "tool.execution_complete":
		return by(takeResult)
	case "session.error":
		return by(takeError)
	case "session.compaction_complete":
		return by(takeCompaction)
	case "session.task_complete":
		return by(takeTaskComplete)
	case "subagent.started":
		return by(takeAgent)
	case "subagent.failed":
		return by(takeAgentFailed)
	}
	return lifeTaker(kind)
}

// lifeTaker is takerOf for what is about the session and not said in it.
func lifeTaker(kind []byte) taker {
	switch string(kind) {
	case "session.usage_record":
		return by(takeUsage)
	case "session.usage_checkpoint":
		return by(takeCheckpoint)
	case "session.shutdown":
		return by(takeShutdown)
	case "session.start":
		return by(takeStart)
	case "session.resume":
		return by(takeResume)
	case "session.context_changed":
		return by(takeContext)
	case "session.model_change":
		return by(takeModel)
	case "session.info", "session.warning":
		return by(takeNotice)
	case "session.plan_changed":
		return by(takePlan)
	case "session.mode_changed":
		return by(takeMode)
	}
	return nil
}

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
