// Package trace records what happens in a session and nothing of what is said in
// it: kinds, ids, sizes and durations, but no text, no argument, no name of a
// tool and no path.
package trace

import (
	"log/slog"
	"regexp"
	"slices"
	"sync"
	"time"

	"parley/session"
)

// Calls are the tool calls of a session. Their ids are chosen by the provider of
// the model, so each is shown as a running number.
type Calls struct {
	numbers map[session.CallID]int
	began   map[session.CallID]time.Time
}

// NewCalls returns those of a session that begins.
func NewCalls() *Calls {
	return &Calls{numbers: map[session.CallID]int{}, began: map[session.CallID]time.Time{}}
}

func (c *Calls) number(id session.CallID) int {
	if _, known := c.numbers[id]; !known {
		c.numbers[id] = len(c.numbers) + 1
	}
	return c.numbers[id]
}

// Describe is an event without what it says: its kind, its ids, its size
// in bytes as it would be stored, and how long what it ends has taken. calls
// are the tool calls of the session.
func Describe(ev session.Event, calls *Calls) []slog.Attr {
	attrs := []slog.Attr{slog.String("kind", knownKind(ev)), slog.String("id", ID(string(ev.ID)))}
	id := func(name, id string) {
		if id != "" {
			attrs = append(attrs, slog.String(name, ID(id)))
		}
	}
	call := func(id session.CallID) {
		if id != "" {
			attrs = append(attrs, slog.Int("call", calls.number(id)))
		}
	}
	flag := func(name string, on bool) {
		if on {
			attrs = append(attrs, slog.Bool(name, true))
		}
	}
	id("by", string(ev.Agent))
	flag("ephemeral", ev.Ephemeral)
	flag("replayed", ev.Replayed)
	if line, err := session.Encode(ev); err == nil {
		attrs = append(attrs, slog.Int("bytes", len(line)))
	}
	id("request", string(requestOf(ev.Body)))
	switch b := ev.Body.(type) {
	case session.UserMessage:
		id("message", string(b.MessageID))
	case session.AssistantMessageDelta:
		id("message", string(b.MessageID))
	case session.AssistantMessage:
		id("message", string(b.MessageID))
		attrs = append(attrs, slog.Int("calls", len(b.ToolRequests)))
	case session.PermissionRequested:
		call(b.Call())
	case session.PermissionCompleted:
		flag("approved", b.Result.Approved())
	case session.ToolExecutionStart:
		call(b.ToolCallID)
		calls.began[b.ToolCallID] = ev.Time
	case session.ToolExecutionComplete:
		call(b.ToolCallID)
		attrs = append(attrs, slog.Bool("success", b.Success))
		if begin, known := calls.began[b.ToolCallID]; known {
			attrs = append(attrs, slog.Int64("took_ms", ev.Time.Sub(begin).Milliseconds()))
			delete(calls.began, b.ToolCallID)
		}
	case session.SubagentCompleted:
		call(b.ToolCallID)
		attrs = append(attrs, tookMs(b.DurationMs))
	case session.SubagentFailed:
		call(b.ToolCallID)
		attrs = append(attrs, tookMs(b.DurationMs))
	case session.ModelCallFailure:
		attrs = append(attrs, slog.Int("status", b.StatusCode), slog.Int("attempt", b.RetryAttempt), tookMs(b.DurationMs))
	case session.SessionError:
		attrs = append(attrs, slog.String("category", errorType(b.ErrorType)), slog.Int("status", b.StatusCode))
	case session.SessionIdle:
		flag("aborted", b.Aborted)
	}
	return attrs
}

// plainID is what an identifier looks like that can be shown as it is: no blank,
// nothing of a path, not long.
var plainID = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9_.:-]{0,79}$`) })

// ID is an identifier, or what stands for one that looks like something else.
func ID(id string) string {
	if id == "" || plainID().MatchString(id) {
		return id
	}
	return "(odd)"
}

// requestOf is the question that an event asks or settles; "" for none.
func requestOf(b session.Body) session.RequestID {
	switch b := b.(type) {
	case session.Ask:
		return b.Request()
	case session.Resolved:
		return b.Resolves()
	}
	return ""
}

func tookMs(ms float64) slog.Attr { return slog.Int64("took_ms", int64(ms)) }

// knownKind is the kind of an event; one that Parley does not know might be
// anything.
func knownKind(ev session.Event) string {
	kind := ev.Kind()
	if _, unknown := ev.Body.(session.Unknown); unknown {
		if _, known := slices.BinarySearch(session.Kinds(), kind); !known {
			return "(unknown)"
		}
		return string(kind) + " (malformed)"
	}
	return string(kind)
}

// errorTypes are the categories of session.error.
var errorTypes = []string{"authentication", "authorization", "quota", "rate_limit", "context_limit", "query", "notification"}

func errorType(t string) string {
	if slices.Contains(errorTypes, t) {
		return t
	}
	return "other"
}
