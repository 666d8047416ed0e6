package timeline

import (
	"cmp"
	"regexp"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json"

	"parley/render/text"
	"parley/session"
)

// notices are lines from the runtime, and the prompts that it adds for the model.
type notices struct {
	*toolCalls
	prompts map[string]*Entry // the last system prompt of each role and name
}

func (ns *notices) apply(ev session.Event) ApplyResult {
	switch b := ev.Body.(type) {
	case session.SessionInfo:
		return ns.sessionInfo(ev, b)
	case session.SessionWarning:
		return ns.notice(ev, &Notice{Level: Warning, Category: b.WarningType, Text: b.Message, URL: b.URL, Next: remedy(b.Remediation)})
	case session.SessionError:
		return ns.sessionError(ev, b)
	case session.SessionManagedSettingsEnforced:
		return ns.notice(ev, &Notice{
			Level: Warning, Category: "managed_settings", Text: b.Message, Detail: labelled("Setting", b.Setting),
		})
	case session.SessionAutopilotStopped:
		return ns.autopilotStopped(ev, b.Reason)
	case session.SystemMessage:
		return ns.systemMessage(ev, b)
	case session.SystemNotification:
		return ns.systemNotification(ev, b)
	case session.SessionModeNoticeDelivered:
		return ns.verboseNotice(ev, &Notice{
			Category: "mode",
			Text:     "The model was told that it works in " + humanize(string(b.Mode)) + " mode",
			Detail:   strings.TrimSpace(b.Content),
		})
	case session.ToolSearchActivated:
		if len(b.ToolNames) == 0 {
			return Ignored
		}
		return ns.verboseNotice(ev, &Notice{Category: "tools", Text: "Tools found and added: " + oneLine(strings.Join(b.ToolNames, ", "))})
	case session.SessionHandoff:
		return ns.handoff(ev, b)
	case session.SessionCustomNotification:
		return ns.customNotification(ev, b)
	case session.McpAppToolCallComplete:
		return ns.appCall(ev, b)
	case session.CommandQueued: // whoever carries it out, or leaves it out, says so too
		return ns.verboseNotice(ev, &Notice{Category: "command", Text: "The agent's queue has come to the command " + quoted(b.Command)})
	case session.References:
		return ns.references(ev, b)
	case session.AgentError:
		return ns.agentError(ev, b)
	case session.Unknown:
		return ns.unknown(ev, b)
	}
	return Unhandled
}

// notice adds a line. One without words would be an empty line, so it is
// left out.
func (l *entryList) notice(ev session.Event, n *Notice) ApplyResult {
	n.Text = strings.TrimSpace(n.Text)
	if n.Text == "" {
		return Ignored
	}
	s := Done
	if n.Level == Error {
		s = Failed
	}
	l.add(ev, entryID("notice", string(ev.ID)), n, s)
	return Applied
}

// verboseNotice adds a line that is shown only where everything is.
func (l *entryList) verboseNotice(ev session.Event, n *Notice) ApplyResult {
	l.addVerboseOnly(ev, entryID("notice", string(ev.ID)), n, Done)
	return Applied
}

// addVerboseOnly adds a minor entry. It stands between two changes of a setting
// without keeping them apart.
func (l *entryList) addVerboseOnly(ev session.Event, id EntryID, n *Notice, s State) *Entry {
	news := l.news
	e := l.add(ev, id, n, s)
	l.news = news
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
func (ns *notices) sessionInfo(ev session.Event, b session.SessionInfo) ApplyResult {
	n := &Notice{Category: b.InfoType, Text: b.Message, URL: b.URL, Next: b.Tip}
	switch b.InfoType {
	case "model_retry":
		ns.retry.wait = retryWait(b.Message)
		return ns.retrying(ev, retryMessage(b.Message), fromInfo)
	case "cancellation":
		if last := present(ns.turn.cancelled); ns.turn.aborted || last != nil && noticeOf(last).Text == strings.TrimSpace(b.Message) {
			return Ignored
		}
		out := ns.notice(ev, n)
		if out == Applied {
			ns.turn.cancelled = ns.newest()
		}
		return out
	case "file_created":
		return ns.fileCreated(ev, n)
	case "fork":
		if n.Text = forkMessage(b.Message); n.Text == "" {
			return Ignored
		}
	}
	return ns.notice(ev, n)
}

// forkMessage is what the runtime says of a copy of a session, without the ids in it; ""
// for the copy that continues when a rewind is undone, which is no copy for a user.
func forkMessage(s string) string {
	name, copied := forkedAs.ReplaceAllString(s, "$1$3"), forkedAs.FindStringSubmatch(s)
	switch {
	case copied == nil:
		return s
	case strings.HasPrefix(copied[2], "before rewind: "):
		return ""
	}
	return name
}

// forkedAs is such a message: the name of the original, and that of the copy.
var forkedAs = regexp.MustCompile(`^(Forked from ".*") \([-0-9a-fA-F]+\).* as "(.*)" \([-0-9a-fA-F]+\)(\.)$`)

// fileCreated shows the remark that a file was made, unless a call shows that.
func (ns *notices) fileCreated(ev session.Event, n *Notice) ApplyResult {
	path := ns.status.absolute(strings.TrimSpace(n.Text))
	if ns.writes(path) {
		return Ignored
	}
	if !strings.Contains(strings.ToLower(n.Text), "creat") { // the runtime gives the path alone
		n.Text = "File created: " + n.Text
	}
	if path == "" || ns.notice(ev, n) != Applied {
		return Ignored
	}
	ns.created[path] = ns.newest()
	return Applied
}

// writes reports whether a call makes the file at an absolute path, or has made
// it for the same prompt.
func (ns *notices) writes(path string) bool {
	for _, e := range ns.open.sweep() {
		if c, ok := e.Body.(*ToolCall); ok && c.Family().ChangesFiles() {
			if f, ok := c.written(nil); ok && ns.status.absolute(f.Path) == path {
				return true
			}
		}
	}
	if ns.interaction == nil {
		return false
	}
	_, made := ns.interaction.files[path]
	if rel := text.PathFrom(ns.status.Dir, path); !made && rel != path {
		_, made = ns.interaction.files[rel]
		_, slashed := ns.interaction.files[strings.ReplaceAll(rel, `\`, "/")] // as many agents write paths on Windows too
		made = made || slashed
	}
	return made
}

// sessionError shows why a request failed. It covers the retries too, so their
// line is removed.
func (ns *notices) sessionError(ev session.Event, b session.SessionError) ApplyResult {
	if e := ns.retry.entry; e != nil && ns.retry.turn == ns.turn.key && b.ErrorType != "notification" {
		ns.remove(e)
		ns.retry = retry{}
	}
	return ns.notice(ev, &Notice{
		Level:      Error,
		Category:   b.ErrorType,
		Text:       errorText(b),
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

func (ns *notices) autopilotStopped(ev session.Event, reason string) ApplyResult {
	switch reason {
	case "task_complete":
		return Ignored // session.task_complete has said it
	case "cap_reached":
		return ns.notice(ev, &Notice{Category: "autopilot", Text: "Autopilot has reached its limit of turns and stopped"})
	}
	return ns.notice(ev, &Notice{Category: "autopilot", Text: "Autopilot has stopped: " + humanize(reason)})
}

// customNotification is the one line about what a source of its own reports of a
// subject, such as a task of an MCP server; it shows the last of it, with the
// payload folded away. When it gets worse, a new line takes its place, since the
// old one may be far back by then.
func (ns *notices) customNotification(ev session.Event, b session.SessionCustomNotification) ApplyResult {
	var payload struct {
		Message string `json:"message"`
		Text    string `json:"text"`
		Level   string `json:"level"`
	}
	_ = json.Unmarshal(b.Payload, &payload) // its form is the source's own
	subject := oneLine(fields(b.Subject))
	if b.Subject.Kind() != '{' {
		subject = oneLine(readableValue(b.Subject))
	}
	n := &Notice{Category: "notification", Level: levelNamed(payload.Level)}
	n.Text = cmp.Or(strings.TrimSpace(oneLine(b.Source)+" "+humanize(b.Name)), "A notification")
	if subject != "" {
		n.Text += " (" + subject + ")"
	}
	n.Text = withReason(n.Text, cmp.Or(payload.Message, payload.Text))
	if b.Version != 0 {
		n.Detail = labelled("Version", strconv.Itoa(b.Version))
	}
	n.Detail = paragraphs(n.Detail, readableValue(b.Payload))
	about := b.Source + "\x00" + cmp.Or(subject, b.Name)
	if about == "\x00" {
		about = string(ev.ID) // nothing says that it is about what another is about
	}
	id := entryID("custom", about)
	e, s := ns.index[id], Done
	if n.Level == Error {
		s = Failed
	}
	if e != nil && n.Level >= Warning && n.Level > noticeOf(e).Level {
		ns.remove(e)
		e = nil
	}
	if e == nil {
		e = ns.add(ev, id, &Notice{}, s)
	}
	*noticeOf(e), e.State = *n, s
	ns.touch(e)
	return Applied
}

// levelNamed reads how grave a message of another program is.
func levelNamed(name string) Level {
	switch strings.ToLower(name) {
	case "success":
		return Success
	case "warning", "warn":
		return Warning
	case "error", "critical", "alert", "emergency":
		return Error
	}
	return Info
}

// appCall reports a tool that an interface of an MCP server has called, which
// neither the user nor the model did.
func (ns *notices) appCall(ev session.Event, b session.McpAppToolCallComplete) ApplyResult {
	n := &Notice{
		Category: "mcp",
		Text:     "An interface of MCP server " + quoted(b.ServerName) + " used its tool " + quoted(b.ToolName),
		Detail:   paragraphs(readableValue(b.Arguments), readableValue(b.Result)),
	}
	if b.Success {
		return ns.verboseNotice(ev, n)
	}
	n.Level, n.Text = Warning, n.Text+", which failed"
	if b.Error != nil {
		n.Text = withReason(n.Text, withCode(b.Error.Message, b.Error.Code))
	}
	return ns.notice(ev, n)
}
