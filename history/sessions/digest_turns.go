package sessions

import (
	"cmp"
	"strings"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"parley/session"
)

// turns is where the conversation stands: the turns since the user's last
// prompt, as the timeline sums them up.
type turns struct {
	Earlier      time.Duration    `json:"past,omitzero"` // how long the earlier prompts took
	Prompt       time.Time        `json:"prompt,omitzero"`
	Last         time.Time        `json:"last,omitzero"` // of what belongs to the prompt
	Away         time.Duration    `json:"away,omitzero"`
	Waited       session.UserWait `json:"waited,omitzero"`
	Prompted     bool             `json:"begun,omitzero"` // there was a prompt
	TurnStarted  bool             `json:"turned,omitzero"`
	ProcessEnded bool             `json:"gone,omitzero"` // the process it ran in has ended
	Running      bool             `json:"running,omitzero"`
	Aborted      bool             `json:"aborted,omitzero"`
	Failed       bool             `json:"failed,omitzero"`

	Mode      session.Mode `json:"mode,omitzero"`      // of the session
	Asked     session.Mode `json:"asked,omitzero"`     // the mode of the prompt
	Completed bool         `json:"completed,omitzero"` // the agent said that its task is complete, in its last turn
}

// longestWork is how long prompts may have taken: a clock that was wrong could make
// more than can be added up.
const longestWork = 365 * 24 * time.Hour

func (k *turns) currentTime() time.Duration {
	if !k.Prompted || !k.TurnStarted {
		return 0
	}
	return max(0, min(k.Last.Sub(k.Prompt)-k.Away-k.Waited.Total, longestWork))
}

// resume notes that the agent works on the prompt at a time.
func (k *turns) resume(at time.Time) {
	if k.ProcessEnded && k.Prompted {
		k.Away = max(k.Away, k.Away+at.Sub(k.Last))
	}
	k.ProcessEnded = false
}

func (k *turns) extendTo(at time.Time) {
	if at.After(k.Last) {
		k.Last = at
	}
}

// busy is how long the agent worked on what it was asked.
func (k *turns) busy() time.Duration { return min(k.Earlier+k.currentTime(), longestWork) }

// permission is what is read of a session.PermissionRequested or PermissionCompleted.
type permission struct {
	RequestID session.RequestID `json:"requestId"`
}

func takePermissionRequested(d *Digest, ev *event[permission], _ func(Text)) {
	d.Talk.Waited.Requested(ev.Data.RequestID, ev.at)
}

func takePermissionCompleted(d *Digest, ev *event[permission], _ func(Text)) {
	d.Talk.Waited.Completed(ev.Data.RequestID, ev.at)
}

// updateState sets what follows from where the conversation stands.
func (d *Digest) updateState() {
	k := &d.Talk
	switch {
	case k.Running || k.Aborted:
		d.State = Interrupted
	case k.Failed:
		d.State = Failed
	case d.Turns > 0:
		d.State = Done
	}
}

// fromUser reports whether a message is one that the user wrote, or had
// written before by a command or a schedule.
func fromUser(m *session.UserMessage) bool {
	if m.IsAutopilotContinuation || strings.TrimSpace(m.Content) == "" && len(m.Attachments) == 0 {
		return false
	}
	return m.Source == "" || strings.HasPrefix(m.Source, "command-") || strings.HasPrefix(m.Source, "schedule-")
}

// isAutopilotNudge reports whether a message without a source is autopilot's, as the
// timeline does.
func (k *turns) isAutopilotNudge(m *session.UserMessage) bool {
	return m.Nudges() && cmp.Or(m.AgentMode, k.Mode, k.Asked) == session.Autopilot &&
		k.TurnStarted && !k.Running && !k.Aborted && !k.Completed
}

// prompt is what is read of a session.UserMessage.
type prompt struct {
	session.UserMessage
	TransformedContent               skipped `json:"transformedContent"`
	TurnID                           skipped `json:"turnId"`
	InteractionID                    skipped `json:"interactionId"`
	ParentAgentTaskID                skipped `json:"parentAgentTaskId"`
	SupportedNativeDocumentMIMETypes skipped `json:"supportedNativeDocumentMimeTypes"`
}

func takePrompt(d *Digest, ev *event[prompt], text func(Text)) {
	if ev.Agent != "" {
		return
	}
	k, b := &d.Talk, &ev.Data.UserMessage
	if k.isAutopilotNudge(b) {
		b.IsAutopilotContinuation = true
	}
	if !fromUser(b) || b.Delivery == session.DeliveredSteering && k.Prompted {
		k.resume(ev.at)
	} else {
		*k = turns{
			Earlier: k.busy(), Prompt: ev.at, Last: ev.at, Prompted: true, Running: k.Running, Aborted: k.Aborted, Failed: k.Failed,
			Mode: k.Mode, Asked: b.AgentMode,
		}
		d.forgetEnded()
	}
	if fromUser(b) {
		d.Prompts++
		if d.Title == "" {
			d.Title = titleOf(b.Content)
		}
		addSaid(text, Prompt, b.Content)
		for _, a := range b.Attachments {
			d.Images = d.Images || strings.HasPrefix(a.MIMEType, "image/") || a.Type == "image"
			for _, path := range []string{a.Path, a.FilePath} {
				d.addFile(text, path, false)
			}
			if a.Path == "" && a.FilePath == "" {
				addSaid(text, Input, a.DisplayName)
			}
		}
	}
	d.updateState()
}

// answer is what is read of a session.AssistantMessage: that is most of a log.
type answer struct {
	Model         string `json:"model"`
	Content       string `json:"content"`
	ReasoningText string `json:"reasoningText"`
	Phase         string `json:"phase"`
	ToolRequests  []struct {
		ToolCallID session.CallID `json:"toolCallId"`
		Name       string         `json:"name"`
		Arguments  jsontext.Value `json:"arguments"`
	} `json:"toolRequests"`
}

func takeAnswer(d *Digest, ev *event[answer], text func(Text)) {
	b := &ev.Data
	if ev.Agent == "" {
		d.Talk.resume(ev.at)
		d.Talk.extendTo(ev.at)
		d.setModel(b.Model)
		d.updateState()
	}
	addSaid(text, Reasoning, b.ReasoningText)
	if b.Phase == session.PhaseThinking {
		addSaid(text, Reasoning, b.Content)
	} else {
		addSaid(text, Answer, b.Content)
	}
	for _, r := range b.ToolRequests {
		d.callOf(r.ToolCallID, r.Name, r.Arguments, false, text)
	}
}

func takeTurnStart(d *Digest, ev *event[struct {
	Model string `json:"model"`
}], _ func(Text),
) {
	if ev.Agent != "" {
		return
	}
	d.Turns++
	k := &d.Talk
	k.resume(ev.at)
	k.extendTo(ev.at)
	k.TurnStarted, k.Running, k.Aborted, k.Failed, k.Completed = true, true, false, false, false
	d.setModel(ev.Data.Model)
	d.updateState()
}

func takeTurnEnd(d *Digest, ev *event[struct{}], _ func(Text)) {
	if ev.Agent == "" {
		d.Talk.Running = false
		d.Talk.extendTo(ev.at)
		d.updateState()
	}
}

func takeAbort(d *Digest, ev *event[struct{}], _ func(Text)) {
	d.Talk.Waited.Stop(ev.at)
	if ev.Agent == "" {
		d.Talk.Running, d.Talk.Aborted = false, true
		d.Talk.extendTo(ev.at)
		d.interruptCalls()
		d.updateState()
	}
}

func takeError(d *Digest, ev *event[session.SessionError], text func(Text)) {
	addSaid(text, Failure, ev.Data.Message)
	if ev.Agent != "" || ev.Data.ErrorType == "notification" {
		return
	}
	d.Failures++
	d.Talk.Failed = true
	d.updateState()
}

// setModel notes the model that was used last.
func (d *Digest) setModel(id string) {
	if id != "" {
		d.Model = id
	}
}
