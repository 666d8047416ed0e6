package report

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"time"

	"parley/render/text"
	"parley/session"
)

const (
	// logTail is how much of the end of a log file is read, in bytes.
	logTail = 64 << 10
	// mostLogLines is how many lines of it are reported.
	mostLogLines = 60
)

// readTail reads the last lines of a file.
func readTail(name string) ([]string, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, fmt.Errorf("read the log file: %w", err)
	}
	defer f.Close()
	info, err := f.Stat()
	if err == nil && !info.Mode().IsRegular() {
		err = errors.New("it is no file")
	}
	var text []byte
	start := int64(0)
	if err == nil {
		start = max(0, info.Size()-logTail)
		text, err = io.ReadAll(io.NewSectionReader(f, start, logTail))
	}
	if err != nil {
		return nil, fmt.Errorf("read the log file: %w", err)
	}
	lines := strings.Split(strings.TrimSpace(string(text)), "\n")
	if start > 0 {
		lines = lines[1:] // the first is a part of one
	}
	return lines[max(0, len(lines)-mostLogLines):], nil
}

// logWords are the words that a log of ours is made of (logfile.go and its
// neighbours). Whatever else stands in a file that is given as a log is none of
// them, and not shown.
var logWords = text.Regexp(`^(?:(?:` + strings.Join([]string{
	"start", "open", "resume", "end", "session", "ended", "event", "send", "respond", "abort", "close", "telemetry", "set", "mode", "model",
	"compact", "revoke", "allow", "all", "rename", "folder", "add", "run", "shell", "cancel", "task", "remove", "background", "write",
	"plan", "select", "agent", "enable", "skill", "MCP", "server", "servers", "restart", "reload", "latest", "fork", "delete", "withdraw",
	"reword", "move", "now", "rewind", "redo", "invoke", "ask", "aside", "trust", "hold", "command", "handled",
	"interactive", "autopilot", "permission", "approve-once", "approve-for-session", "approve-for-location", "approve-permanently",
	"reject", "text", "form", "accept", "decline", "approved", "true", "false", "trusted", "sign", "in", "switch", "yes", "always", "no",
	"limit", "unset", "refusal", "other", "location", "confirmation", "accepted", "option",
	"panic", "settled", "closed", "unreachable", "cancelled", "deadline", "not", "found", "permitted", "file", "read", "stat", "runtime",
	"version", "protocol", "connection", "token", "the", "signal", "exit", "code", `-?\d{1,3}`,
	"authentication", "authorization", "quota", "rate_limit", "context_limit", "query", "notification",
}, "|") + `)(?:,? |$))+$`)

// logLines are lines of a log file with what is safe to show of each.
func logLines(lines []string) []string {
	var out []string
	others := 0
	for _, l := range lines {
		if shown, ok := logLine(l); ok {
			out = append(out, shown)
		} else if l != "" {
			others++
		}
	}
	if others > 0 {
		out = append(out, "("+text.Count(others, "line")+" that Parley did not write)")
	}
	return out
}

// logLine is one of them; not ok says that it is none of ours.
func logLine(line string) (shown string, ok bool) {
	var entry map[string]any
	if err := json.Unmarshal([]byte(line), &entry); err != nil {
		return "", false
	}
	stamp, _ := entry["time"].(string)
	at, err := time.Parse(time.RFC3339Nano, stamp)
	what, _ := entry["msg"].(string)
	if err != nil || !logWords().MatchString(what) {
		return "", false
	}
	shown = at.UTC().Format("15:04:05.000") + "  " + what
	for _, key := range loggedKeys {
		value := ""
		switch v := entry[key].(type) {
		case bool, float64:
			value = fmt.Sprint(v)
		case string:
			if key == "kind" && slices.Contains(session.Kinds(), session.Kind(v)) || key != "kind" && logWords().MatchString(v) {
				value = v
			}
		}
		if value != "" {
			shown += " " + key + "=" + value
		}
	}
	return shown, true
}

// loggedKeys are what is reported of a line, in this order. Names, ids, models and
// folders are not.
var loggedKeys = []string{
	"kind", "error", "answer", "category", "mode", "scope", "bytes", "attachments", "immediate", "call", "calls", "success", "approved",
	"ephemeral", "replayed", "aborted", "status", "attempt", "took_ms", "ms", "demo", "in_use", "on", "whole", "files", "to", "default",
}
