package timeline

import (
	"cmp"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"parley/session"
)

func (t *Timeline) applyNotice(ev session.Event) Outcome {
	switch b := ev.Body.(type) {
	case session.SessionInfo:
		return t.sessionInfo(ev, b)
	case session.SessionWarning:
		return t.notice(ev, &Notice{
			Level:    Warning,
			Category: b.WarningType,
			Text:     b.Message,
			URL:      b.URL,
			Next:     remedy(b.Remediation),
		})
	case session.SessionError:
		return t.sessionError(ev, b)
	case session.ModelCallFailure:
		t.retry.statusCode = b.StatusCode
		return Applied
	case session.SystemNotification:
		return t.systemNotification(ev, b)
	case session.SessionMcpServerStatusChanged:
		return t.serverStatus(ev, b.ServerName, b.Status, b.Error)
	case session.SessionMcpServerNeedsReconnect:
		return t.serverStatus(ev, b.ServerName, "needs-reconnect", "")
	case session.SessionManagedSettingsEnforced:
		return t.notice(ev, &Notice{Level: Warning, Category: b.Setting, Text: b.Message})
	case session.SessionAutopilotStopped:
		return t.autopilotStopped(ev, b.Reason)
	case session.HookEnd:
		return t.hookEnd(ev, b)
	case session.Unknown:
		return t.unknown(ev, b)
	}
	return Unhandled
}

// notice adds a line. One without words would be an empty line, so there is
// none.
func (t *Timeline) notice(ev session.Event, n *Notice) Outcome {
	n.Text = strings.TrimSpace(n.Text)
	if n.Text == "" {
		return Ignored
	}
	s := Done
	if n.Level == Error {
		s = Failed
	}
	t.add(ev, entryID("notice", string(ev.ID)), n, s)
	return Applied
}

// sessionInfo shows a remark. Three kinds of them repeat what other entries
// tell better: that the model is called again, that the turn was interrupted,
// and that a tool made a file.
func (t *Timeline) sessionInfo(ev session.Event, b session.SessionInfo) Outcome {
	switch b.InfoType {
	case "model_retry":
		return t.retrying(ev, retryMessage(b.Message), false)
	case "cancellation", "file_created":
		return Ignored
	}
	return t.notice(ev, &Notice{Category: b.InfoType, Text: b.Message, URL: b.URL, Next: b.Tip})
}

// sessionError tells why a request failed. It tells of the retries too, so
// their line goes.
func (t *Timeline) sessionError(ev session.Event, b session.SessionError) Outcome {
	if e := t.retry.entry; e != nil && t.retry.turn == t.turn.key && b.ErrorType != "notification" {
		t.remove(e)
		t.retry = retry{}
	}
	return t.notice(ev, &Notice{
		Level:      Error,
		Category:   b.ErrorType,
		Text:       cmp.Or(strings.TrimSpace(b.Message), "The request failed, and the agent did not say why."),
		URL:        b.URL,
		Next:       remedy(b.Remediation),
		StatusCode: b.StatusCode,
	})
}

// remedy reads what to do about a problem: a text, or an object with one.
func remedy(v jsontext.Value) string {
	var text string
	if json.Unmarshal(v, &text) == nil {
		return strings.TrimSpace(text)
	}
	var o struct {
		Message     string `json:"message"`
		Text        string `json:"text"`
		Description string `json:"description"`
		Command     string `json:"command"`
	}
	if json.Unmarshal(v, &o) != nil {
		return ""
	}
	return strings.TrimSpace(cmp.Or(o.Message, o.Text, o.Description, o.Command))
}

// retry is the one line about the model being called again and again.
type retry struct {
	entry      *Entry
	turn       session.EventID // the key of the turn it belongs to
	reason     string
	attempt    int  // how often it was called again
	counted    bool // a turn_retry counted this attempt: the info about it must not
	statusCode int  // of the last failed call
}

// retrying notes that the model is called again. The runtime tells it twice, by
// assistant.turn_retry and, for some reasons, by a session.info; either makes
// the line, and the second about the same attempt only gives it better words.
func (t *Timeline) retrying(ev session.Event, reason string, turnRetry bool) Outcome {
	r := &t.retry
	if r.entry != nil && (r.entry.pos < 0 || r.turn != t.turn.key) {
		*r = retry{statusCode: r.statusCode}
	}
	if turnRetry || !r.counted {
		r.attempt++
	}
	r.counted = turnRetry
	if r.reason = cmp.Or(reason, r.reason); r.reason == "" {
		r.reason = retryReason("")
	}
	t.phase = thinking
	if r.entry == nil {
		r.turn = t.turn.key
		r.entry = t.add(ev, entryID("retry", string(cmp.Or(r.turn, ev.ID))), &Notice{}, Live)
	}
	t.reopen(r.entry)
	n, _ := r.entry.Body.(*Notice)
	*n = Notice{Level: Warning, Category: "retry", StatusCode: r.statusCode, Retry: r.attempt + 1}
	n.Text = r.reason + " Trying again."
	t.touch(r.entry)
	return Applied
}

// goOn ends the line about retries, because the turn goes on.
func (t *Timeline) goOn(ev session.Event) {
	r := &t.retry
	if r.entry == nil || r.entry.State != Live {
		return
	}
	times := "one retry"
	if r.attempt > 1 {
		times = strconv.Itoa(r.attempt) + " retries"
	}
	if n, ok := r.entry.Body.(*Notice); ok {
		n.Level, n.Retry, n.Text = Info, 0, r.reason+" It went on after "+times+"."
	}
	t.seal(ev, r.entry, Done)
}

// endRetry ends a line about retries that nothing came after.
func (t *Timeline) endRetry(ev session.Event) {
	if e := t.retry.entry; e != nil && e.State == Live {
		t.seal(ev, e, Failed)
	}
}

func retryReason(reason string) string {
	switch reason {
	case "rate_limit":
		return "The model's rate limit is reached."
	case "api_error":
		return "The request to the model failed."
	case "streaming_error":
		return "The answer broke off."
	case "transient_auth_error":
		return "Signing in to the model failed."
	case "":
		return "The model could not be reached."
	}
	return "The model could not be reached (" + words(reason) + ")."
}

// retryMessage takes the promise of a retry off the runtime's words: it would
// stay true in the line long after the retry.
func retryMessage(message string) string {
	message = strings.TrimRight(strings.TrimSpace(message), ".… ")
	message = strings.TrimRight(strings.TrimSuffix(message, "Retrying"), ". ")
	if message == "" {
		return ""
	}
	return message + "."
}

// systemNotification tells in one line what happened in the background.
func (t *Timeline) systemNotification(ev session.Event, b session.SystemNotification) Outcome {
	n := b.Notification
	note := &Notice{Category: n.Type}
	name := cmp.Or(n.DisplayName, n.AgentType, "A sub-agent")
	switch n.Type {
	case "shell_completed", "shell_detached_completed":
		note.Text = "Background command " + quoted(cmp.Or(n.Description, n.ShellID)) + " has finished"
		if n.ExitCode != nil && *n.ExitCode != 0 {
			note.Level = Warning
			note.Text += " with exit code " + strconv.Itoa(*n.ExitCode)
		}
	case "agent_idle":
		note.Text = "Agent " + quoted(name) + " has finished and waits"
	case "agent_completed":
		note.Text = "Agent " + quoted(name) + " has finished"
		if n.Status == "failed" {
			note.Level, note.Text = Warning, "Agent "+quoted(name)+" has failed"
		}
	case "new_inbox_message":
		note.Text = "Message from " + quoted(cmp.Or(n.SenderName, n.SenderType, "another agent"))
		if s := oneLine(n.Summary); s != "" {
			note.Text += ": " + s
		}
	case "instruction_discovered":
		note.Text = "Instructions found: " + cmp.Or(n.SourcePath, n.Description)
	case "workflow_completed":
		note.Text = "Workflow has finished"
	default:
		note.Text = notificationText(b.Content)
	}
	return t.notice(ev, note)
}

// notificationText takes a notification out of its tags and makes it one line.
func notificationText(s string) string {
	s = strings.TrimSpace(s)
	s = strings.TrimPrefix(s, "<system_notification>")
	s = strings.TrimSuffix(s, "</system_notification>")
	return oneLine(s)
}

// serverStatus tells of an MCP server that does not work, once until it works
// again or was turned off: each attempt to connect goes through "pending" and
// is no news.
func (t *Timeline) serverStatus(ev session.Event, server, status, reason string) Outcome {
	switch status {
	case "pending", t.servers[server]:
		return Ignored
	}
	t.servers[server] = status
	n := &Notice{Level: Warning, Category: "mcp"}
	switch status {
	case "failed":
		n.Text = "MCP server " + quoted(server) + " does not work"
		if reason = oneLine(reason); reason != "" {
			n.Text += ": " + reason
		}
	case "needs-auth":
		n.Text = "MCP server " + quoted(server) + " wants you to sign in"
	case "needs-reconnect":
		n.Text = "MCP server " + quoted(server) + " has lost its connection"
	default:
		return Ignored
	}
	return t.notice(ev, n)
}

func (t *Timeline) autopilotStopped(ev session.Event, reason string) Outcome {
	switch reason {
	case "task_complete":
		return Ignored // session.task_complete has said it
	case "cap_reached":
		return t.notice(ev, &Notice{Category: "autopilot", Text: "Autopilot has reached its limit of turns and stopped"})
	}
	return t.notice(ev, &Notice{Category: "autopilot", Text: "Autopilot has stopped: " + words(reason)})
}

// hookEnd tells of a hook that failed. One that worked has shown its effect.
func (t *Timeline) hookEnd(ev session.Event, b session.HookEnd) Outcome {
	if b.Success {
		return Ignored
	}
	n := &Notice{Level: Warning, Category: "hook", Text: "Hook " + quoted(b.HookType) + " failed"}
	if b.Error != nil && oneLine(b.Error.Message) != "" {
		n.Text += ": " + oneLine(b.Error.Message)
	}
	return t.notice(ev, n)
}
