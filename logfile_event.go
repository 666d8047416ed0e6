package main

import (
	"log/slog"
	"slices"
	"time"

	"parley/session"
)

// describeEvent is an event without what it says: its kind, its ids, its size
// in bytes as it would be stored, and how long what it ends has taken. calls
// keeps when tool calls began.
func describeEvent(ev session.Event, calls map[session.CallID]time.Time) []slog.Attr {
	attrs := []slog.Attr{slog.String("kind", knownKind(ev)), slog.String("id", safeID(string(ev.ID)))}
	id := func(name, id string) {
		if id != "" {
			attrs = append(attrs, slog.String(name, safeID(id)))
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
	if q, ok := ev.Body.(session.Ask); ok {
		id("request", string(q.Request()))
	}
	if q, ok := ev.Body.(session.Settled); ok {
		id("request", string(q.Settles()))
	}
	switch b := ev.Body.(type) {
	case session.UserMessage:
		id("message", string(b.MessageID))
	case session.AssistantMessageDelta:
		id("message", string(b.MessageID))
	case session.AssistantMessage:
		id("message", string(b.MessageID))
		attrs = append(attrs, slog.Int("calls", len(b.ToolRequests)))
	case session.PermissionRequested:
		id("call", string(b.Call()))
	case session.PermissionCompleted:
		flag("approved", b.Result.Approved())
	case session.ToolExecutionStart:
		id("call", string(b.ToolCallID))
		calls[b.ToolCallID] = ev.Time
	case session.ToolExecutionComplete:
		id("call", string(b.ToolCallID))
		attrs = append(attrs, slog.Bool("success", b.Success))
		if begin, known := calls[b.ToolCallID]; known {
			attrs = append(attrs, slog.Int64("took_ms", ev.Time.Sub(begin).Milliseconds()))
			delete(calls, b.ToolCallID)
		}
	case session.SubagentCompleted:
		id("call", string(b.ToolCallID))
		attrs = append(attrs, tookMs(b.DurationMs))
	case session.SubagentFailed:
		id("call", string(b.ToolCallID))
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

// errorTypes are the categories of session.error (reference document).
var errorTypes = []string{"authentication", "authorization", "quota", "rate_limit", "context_limit", "query", "notification"}

func errorType(t string) string {
	if slices.Contains(errorTypes, t) {
		return t
	}
	return "other"
}
