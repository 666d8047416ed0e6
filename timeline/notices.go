package timeline

import (
	"cmp"
	"strconv"
	"strings"

	"parley/session"
)

// noted is what notices are compared with.
type noted struct {
	prompts   map[string]*Entry  // the last prompt of each role and name
	hook      *Entry             // the hook that began last
	hooks     map[EntryID]string // what the running hooks are called
	workflows map[EntryID]string // the names of the runs
	plugins   *Entry             // the line about required plugins
	limit     string             // what the session may spend, as it was told last
	remote    bool               // it can be steered from elsewhere
	broken    string             // the name of the sub-agent whose failure has a line and was told last
	created   map[string]*Entry  // the remarks that files were made, by path
	assets    map[string]string  // pictures of stored logs by asset, in base64; with those of sub-agents
}

func (t *Timeline) applyNotice(ev session.Event) ApplyResult {
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
		return t.callFailed(ev, b)
	case session.SessionMcpServerStatusChanged:
		return t.serverStatus(ev, b.ServerName, b.Status, b.Error)
	case session.SessionMcpServerNeedsReconnect:
		return t.serverStatus(ev, b.ServerName, "needs-reconnect", "")
	case session.SessionManagedSettingsEnforced:
		return t.notice(ev, &Notice{
			Level: Warning, Category: "managed_settings", Text: b.Message, Detail: labelled("Setting", b.Setting),
		})
	case session.SessionAutopilotStopped:
		return t.autopilotStopped(ev, b.Reason)
	case session.SessionBinaryAsset:
		return t.binaryAsset(b)
	case session.Unknown:
		return t.unknown(ev, b)
	}
	for _, apply := range [...]func(session.Event) ApplyResult{
		t.applySystem, t.applySkill, t.applyHook, t.applyBesides, t.applyOutcome,
	} {
		if out := apply(ev); out != Unhandled {
			return out
		}
	}
	return Unhandled
}

// notice adds a line. One without words would be an empty line, so there is
// none.
func (t *Timeline) notice(ev session.Event, n *Notice) ApplyResult {
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

// minor adds a line that is shown only where everything is.
func (t *Timeline) minor(ev session.Event, n *Notice) ApplyResult {
	t.addMinor(ev, entryID("notice", string(ev.ID)), n, Done)
	return Applied
}

// addMinor adds a minor entry. It stands between two changes of a setting
// without keeping them apart.
func (t *Timeline) addMinor(ev session.Event, id EntryID, n *Notice, s State) *Entry {
	changes := t.changes
	t.changes = nil
	e := t.add(ev, id, n, s)
	t.changes = changes
	e.VerboseOnly = true
	return e
}

// noticeOf returns the body of an entry that is a notice.
func noticeOf(e *Entry) *Notice {
	n, _ := e.Body.(*Notice)
	return n
}

// sessionInfo shows a remark, unless another entry shows the same: that the model
// is called again, that the turn was interrupted, that a call made a file.
func (t *Timeline) sessionInfo(ev session.Event, b session.SessionInfo) ApplyResult {
	n := &Notice{Category: b.InfoType, Text: b.Message, URL: b.URL, Next: b.Tip}
	switch b.InfoType {
	case "model_retry":
		t.retry.wait = retryWait(b.Message)
		return t.retrying(ev, retryMessage(b.Message), toldByInfo)
	case "cancellation":
		if last := there(t.turn.cancelled); t.turn.aborted || last != nil && noticeOf(last).Text == strings.TrimSpace(b.Message) {
			return Ignored
		}
		out := t.notice(ev, n)
		if out == Applied {
			t.turn.cancelled = t.newest()
		}
		return out
	case "file_created":
		return t.fileCreated(ev, n)
	}
	return t.notice(ev, n)
}

// sessionError tells why a request failed. It tells of the retries too, so
// their line goes.
func (t *Timeline) sessionError(ev session.Event, b session.SessionError) ApplyResult {
	if e := t.retry.entry; e != nil && t.retry.turn == t.turn.key && b.ErrorType != "notification" {
		t.remove(e)
		t.retry = retry{}
	}
	return t.notice(ev, &Notice{
		Level:      Error,
		Category:   b.ErrorType,
		Text:       cmp.Or(unnumbered(b.Message, b.StatusCode), "The request failed, and the agent did not say why."),
		URL:        b.URL,
		Next:       cmp.Or(remedy(b.Remediation), nextStep(b)),
		StatusCode: b.StatusCode,
		Detail:     errorDetail(b),
	})
}

// unnumbered takes the status off the front of a message, which the line has
// anyway.
func unnumbered(message string, status int) string {
	message = strings.TrimSpace(message)
	return strings.TrimSpace(cmp.Or(strings.TrimPrefix(message, strconv.Itoa(status)+" "), message))
}

// serverStatus tells of an MCP server that does not work, once until it works
// again, which is told too, or was turned off: each attempt to connect goes
// through "pending" and is no news.
func (t *Timeline) serverStatus(ev session.Event, server, status, reason string) ApplyResult {
	before := t.servers[server]
	if status == "pending" || status == before {
		return Ignored
	}
	t.servers[server] = status
	n := &Notice{Level: Warning, Category: "mcp", Text: "MCP server " + quoted(server)}
	switch status {
	case "failed":
		n.Text = because(n.Text+" does not work", reason)
		n.Detail = more(reason, n.Text)
	case "needs-auth":
		n.Text += " wants you to sign in"
	case "needs-reconnect":
		n.Text += " has lost its connection"
	case "connected":
		switch before {
		case "failed", "needs-reconnect":
			n.Level, n.Text = Success, n.Text+" is connected again"
		case "needs-auth":
			n.Level, n.Text = Success, n.Text+" is connected now"
		default:
			return Ignored
		}
	default:
		return Ignored
	}
	return t.notice(ev, n)
}

func (t *Timeline) autopilotStopped(ev session.Event, reason string) ApplyResult {
	switch reason {
	case "task_complete":
		return Ignored // session.task_complete has said it
	case "cap_reached":
		return t.notice(ev, &Notice{Category: "autopilot", Text: "Autopilot has reached its limit of turns and stopped"})
	}
	return t.notice(ev, &Notice{Category: "autopilot", Text: "Autopilot has stopped: " + words(reason)})
}
