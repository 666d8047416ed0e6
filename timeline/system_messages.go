package timeline

import (
	"cmp"
	"strconv"
	"strings"
	"time"

	"github.com/go-json-experiment/json"

	"parley/render/text"
	"parley/session"
)

// systemMessage shows a prompt that the user did not write. The runtime sends
// it in every turn, and it is shown when it is another than the last.
func (ns *notices) systemMessage(ev session.Event, b session.SystemMessage) ApplyResult {
	key := b.Role + "\x00" + b.Name
	last := ns.prompts[key]
	shown := last != nil && last.pos >= 0
	if shown && noticeOf(last).Detail == b.Content || strings.TrimSpace(b.Content) == "" {
		return Ignored
	}
	n := &Notice{Category: cmp.Or(b.Role, "system"), Detail: b.Content}
	n.Text = "System prompt"
	if b.Role == "developer" {
		n.Text = "Developer prompt"
	}
	if b.Name != "" {
		n.Text += " " + quoted(b.Name)
	}
	if shown {
		n.Text += ", changed"
	}
	n.Text += ", " + text.Size(len(b.Content))
	ns.prompts[key] = ns.addVerboseOnly(ev, entryID("notice", string(ev.ID)), n, Done)
	return Applied
}

// systemNotification shows in one line what happened in the background.
func (ns *notices) systemNotification(ev session.Event, b session.SystemNotification) ApplyResult {
	n := b.Notification
	note := &Notice{Category: n.Type}
	content := untagged(b.Content, "system_notification")
	name, notice := cmp.Or(n.DisplayName, n.AgentType, "A sub-agent"), ns.notice
	switch n.Type {
	case "shell_completed", "shell_detached_completed":
		ns.status.backgroundEnded(false, n.ShellID)
		note.Text = "Background command " + quoted(cmp.Or(n.Description, n.ShellID)) + " has finished"
		if n.ExitCode != nil && *n.ExitCode != 0 {
			note.Level = Warning
			note.Text += " with exit code " + strconv.Itoa(*n.ExitCode)
		}
	case "agent_idle":
		note.Category, note.Text = "agent", "Agent "+quoted(name)+" has finished"
	case "agent_completed":
		ns.status.backgroundEnded(true, string(n.AgentID))
		note.Category, note.Text = "agent", "Agent "+quoted(name)+" has finished"
		if n.Status == "failed" {
			note.Level, note.Text = Warning, "Agent "+quoted(name)+" has failed"
			if name == ns.failed { // the line about it says why
				notice = ns.verboseNotice
			}
		}
	case "new_inbox_message":
		note.Text = withReason("Message from "+quoted(cmp.Or(n.SenderName, n.SenderType, "another agent")), n.Summary)
	case "instruction_discovered":
		note.Text = "Instructions found: " + oneLine(cmp.Or(n.SourcePath, n.Description))
		note.Detail = instructionDetail(n)
	case "workflow_completed":
		ns.workflowNotification(note, n)
	default:
		note.Text = oneLine(content)
		note.Detail = unlessRepeated(content, note.Text)
		return ns.notice(ev, note)
	}
	if strings.Contains(content, "\n") { // one line of it says what ours does
		note.Detail = paragraphs(note.Detail, content)
	}
	note.Detail = paragraphs(note.Detail, n.Prompt)
	return notice(ev, note)
}

// instructionDetail says what led to instructions being found.
func instructionDetail(n session.Notification) string {
	description, why := "", ""
	if n.SourcePath != "" {
		description = n.Description
	}
	if n.TriggerFile != "" {
		why = "Found when the agent used " + cmp.Or(n.TriggerTool, "a tool") + " on " + n.TriggerFile + "."
	}
	return joinLines(description, why)
}

// handoff begins what continues a session of another place.
func (ns *notices) handoff(ev session.Event, b session.SessionHandoff) ApplyResult {
	text := "Handed over from another session"
	if b.SourceType != "" {
		text = "Handed over from a " + humanize(b.SourceType) + " session"
	}
	if b.Host != "" {
		text += " on " + oneLine(b.Host)
	}
	var repo struct {
		Owner  string `json:"owner"`
		Name   string `json:"name"`
		Branch string `json:"branch"`
	}
	if json.Unmarshal(b.Repository, &repo) == nil && repo.Name != "" {
		text += ", " + oneLine(strings.TrimPrefix(repo.Owner+"/"+repo.Name, "/"))
		if repo.Branch != "" {
			text += " (" + oneLine(repo.Branch) + ")"
		}
	}
	ns.add(ev, entryID("handoff", string(ev.ID)), &Divider{Text: text}, Done)
	if detail := paragraphs(b.Summary, b.Context); detail != "" {
		ns.notice(ev, &Notice{Category: "handoff", Text: "What was done there", Detail: detail})
	}
	return Applied
}

// milliseconds is a length of time as the wire has it; what is no length of
// time is 0.
func milliseconds(n float64) time.Duration {
	const most = float64(1 << 62)
	if ns := n * float64(time.Millisecond); ns > 0 && ns < most {
		return time.Duration(ns)
	}
	return 0
}
