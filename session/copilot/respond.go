package copilot

import (
	"context"
	"errors"
	"fmt"

	"github.com/google/uuid"

	"parley/session"
)

// nobody is said for a refusal without words. A plain reject would end the
// turn (decisions, number 6).
const nobody = "Nobody could answer this question, so it was refused."

// reply is one of the runtime's ways to answer a question.
type reply struct {
	method string
	params object // without sessionId and requestId
}

// Respond implements session.Session.
func (s *Session) Respond(ctx context.Context, answer session.Answer) error {
	var r reply
	var err error
	switch a := answer.(type) {
	case session.FolderTrustAnswer:
		return s.answerTrust(ctx, a)
	case session.PermissionAnswer:
		r, err = s.permission(ctx, a)
	case session.UserInputAnswer:
		r = reply{"session.ui.handlePendingUserInput", object{
			"response": object{"answer": a.Text, "wasFreeform": a.Freeform},
		}}
	case session.ElicitationAnswer:
		r, err = elicitation(a)
	case session.ExitPlanModeAnswer:
		r = reply{"session.ui.handlePendingExitPlanMode", object{"response": exitPlanMode(a)}}
	case session.Refusal:
		if a.Kind == session.KindFolderTrustRequested {
			return s.answerTrust(ctx, session.FolderTrustAnswer{RequestID: a.RequestID})
		}
		r, err = refusal(a)
	default:
		err = fmt.Errorf("no way to send a %T", answer)
	}
	if err == nil {
		err = s.settle(ctx, answer.Request(), r)
	}
	if err != nil && !errors.Is(err, session.ErrSettled) {
		return fmt.Errorf("answer %s: %w", answer.Request(), err)
	}
	return err
}

// settle sends an answer. The runtime takes the first one.
func (s *Session) settle(ctx context.Context, id session.RequestID, r reply) error {
	r.params["requestId"] = id
	var taken struct {
		Success bool `json:"success"`
	}
	if err := s.call(ctx, r.method, r.params, &taken); err != nil {
		return err
	}
	if !taken.Success {
		return session.ErrSettled
	}
	return nil
}

// permission puts a decision into the runtime's words. It refuses to send what
// the runtime would take for another decision than the one that was made.
func (s *Session) permission(ctx context.Context, a session.PermissionAnswer) (reply, error) {
	result := object{"kind": a.Decision}
	switch a.Decision {
	case session.ApproveOnce:
	case session.ApproveForSession:
		switch {
		case a.Approval != nil:
			result["approval"] = approval(*a.Approval)
		case a.Domain != "":
			result["domain"] = a.Domain
		}
	case session.ApproveForLocation:
		if a.Approval == nil {
			return reply{}, errors.New("an approval for the location must say what it covers")
		}
		var at struct {
			LocationKey string `json:"locationKey"`
		}
		where := object{"workingDirectory": s.info.Dir}
		if err := s.call(ctx, "session.permissions.locations.resolve", where, &at); err != nil {
			return reply{}, fmt.Errorf("find the location of %s: %w", s.info.Dir, err)
		}
		result["approval"], result["locationKey"] = approval(*a.Approval), at.LocationKey
	case session.ApprovePermanently:
		if a.Domain == "" {
			return reply{}, errors.New("a permanent approval must name an address")
		}
		result["domain"] = a.Domain
	case session.ApproveReadOnlyForSession:
		if len(a.Directories) == 0 {
			return reply{}, errors.New("a read-only approval must name directories")
		}
		result["directories"] = a.Directories
	case session.Reject:
		if a.Feedback != "" {
			result["feedback"] = a.Feedback
		}
	default:
		return reply{}, fmt.Errorf("%q is no decision", a.Decision)
	}
	return reply{"session.permissions.handlePendingPermissionRequest", object{"result": result}}, nil
}

// approval is the wire form of what is remembered. A nil tool of an MCP server,
// written as null, covers all of its tools.
func approval(a session.Approval) object {
	o := object{"kind": a.Kind}
	switch a.Kind {
	case "commands":
		o["commandIdentifiers"] = a.CommandIdentifiers
	case "mcp":
		o["serverName"], o["toolName"] = a.ServerName, a.ToolName
	case "custom-tool":
		o["toolName"] = a.ToolName
	}
	return o
}

func elicitation(a session.ElicitationAnswer) (reply, error) {
	result := object{"action": a.Action}
	switch a.Action {
	case session.Accept:
		if a.Content != nil {
			result["content"] = a.Content
		}
	case session.Decline, session.Cancel:
	default:
		return reply{}, fmt.Errorf("%q does not end a form", a.Action)
	}
	return reply{"session.ui.handlePendingElicitation", object{"result": result}}, nil
}

func exitPlanMode(a session.ExitPlanModeAnswer) object {
	o := object{"approved": a.Approved}
	if a.Approved && a.Action != "" {
		o["selectedAction"] = a.Action
	}
	if a.Approved && a.AutoApproveEdits {
		o["autoApproveEdits"] = true
	}
	if a.Feedback != "" {
		o["feedback"] = a.Feedback
	}
	return o
}

// refusal declines a question in the way its kind has for it. Where words fit,
// the model gets them and the turn goes on.
func refusal(a session.Refusal) (reply, error) {
	why := a.Feedback
	if why == "" {
		why = nobody
	}
	switch a.Kind {
	case session.KindPermissionRequested:
		return reply{"session.permissions.handlePendingPermissionRequest", object{
			"result": object{"kind": session.Reject, "feedback": why},
		}}, nil
	case session.KindUserInputRequested:
		return reply{"session.ui.handlePendingUserInput", object{
			"response": object{"answer": why, "wasFreeform": true},
		}}, nil
	case session.KindElicitationRequested:
		return reply{"session.ui.handlePendingElicitation", object{"result": object{"action": session.Decline}}}, nil
	case session.KindExitPlanModeRequested:
		return reply{"session.ui.handlePendingExitPlanMode", object{
			"response": object{"approved": false, "feedback": why},
		}}, nil
	case session.KindExternalToolRequested:
		return reply{"session.tools.handlePendingToolCall", object{
			"result": object{"textResultForLlm": why, "resultType": "failure", "error": why},
		}}, nil
	case session.KindCommandExecute:
		return reply{"session.commands.handlePendingCommand", object{"error": why}}, nil
	case session.KindCommandQueued:
		return reply{"session.commands.respondToQueuedCommand", object{"result": object{"handled": false}}}, nil
	case session.KindSamplingRequested:
		return reply{"session.ui.handlePendingSampling", object{}}, nil // no response is a rejection
	case session.KindMcpOAuthRequired:
		return reply{"session.mcp.oauth.handlePendingRequest", object{"result": object{"kind": "cancelled"}}}, nil
	case session.KindMcpHeadersRefreshRequired:
		return reply{"session.mcp.headers.handlePendingHeadersRefreshRequest", object{"result": object{"kind": "none"}}}, nil
	case session.KindAutoModeSwitchRequested:
		return reply{"session.ui.handlePendingAutoModeSwitch", object{"response": "no"}}, nil
	case session.KindSessionLimitsExhaustedRequested:
		return reply{"session.ui.handlePendingSessionLimitsExhausted", object{
			"response": object{"action": "cancel"},
		}}, nil
	default:
		return reply{}, fmt.Errorf("no way to refuse %q", a.Kind)
	}
}

// askTrust asks about the folder, if it holds anything to load and is not
// trusted.
func (s *Session) askTrust() {
	if s.folder.trusted || len(s.folder.loads) == 0 {
		return
	}
	id := session.RequestID(uuid.NewString())
	s.mu.Lock()
	s.trustAsked = id
	s.mu.Unlock()
	s.queue.add(own(session.FolderTrustRequested{RequestID: id, Folder: s.folder.dir, Loads: s.folder.loads}))
}

// answerTrust settles the question about the folder. If what it holds cannot be
// loaded, the question is open again.
func (s *Session) answerTrust(ctx context.Context, a session.FolderTrustAnswer) error {
	select {
	case <-s.done:
		return fmt.Errorf("answer %s: %w", a.RequestID, ErrClosed)
	default:
	}
	s.mu.Lock()
	open := a.RequestID != "" && a.RequestID == s.trustAsked
	if open {
		s.trustAsked = ""
	}
	s.mu.Unlock()
	if !open {
		return session.ErrSettled
	}
	if a.Trusted {
		if err := s.trust(ctx, a.Remember); err != nil {
			s.mu.Lock()
			s.trustAsked = a.RequestID
			s.mu.Unlock()
			return err
		}
	}
	s.queue.add(own(session.FolderTrustCompleted{RequestID: a.RequestID, Trusted: a.Trusted}))
	return nil
}
