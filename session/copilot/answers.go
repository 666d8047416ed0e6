package copilot

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/google/uuid"

	"parley/session"
)

// interests are the questions the runtime asks only those who have said that
// they listen (docs/protocol.md, section 7). Without the second one a queued
// command vanishes.
var interests = []session.Kind{
	session.KindExitPlanModeRequested,
	session.KindCommandQueued,
	session.KindMcpOAuthRequired,
	session.KindAutoModeSwitchRequested,
	session.KindSessionLimitsExhaustedRequested,
}

// reply is one of the runtime's ways to answer a question.
type reply struct {
	method string
	params object // without sessionId and requestId
}

// replies are how each kind of question is answered: the method, the member of its
// parameters that has the answer, and the one that declines. Where words fit, the
// model gets them and the turn continues.
var replies = map[session.Kind]struct {
	method, member string
	decline        func(why string) any
}{
	session.KindPermissionRequested: {
		"session.permissions.handlePendingPermissionRequest", "result",
		func(why string) any { return object{"kind": session.Reject, "feedback": why} },
	},
	session.KindUserInputRequested: {
		"session.ui.handlePendingUserInput", "response",
		func(why string) any { return object{"answer": why, "wasFreeform": true} },
	},
	session.KindElicitationRequested: {
		"session.ui.handlePendingElicitation", "result",
		func(string) any { return object{"action": session.Decline} },
	},
	session.KindExitPlanModeRequested: {
		"session.ui.handlePendingExitPlanMode", "response",
		func(why string) any { return object{"approved": false, "feedback": why} },
	},
	session.KindExternalToolRequested: {
		"session.tools.handlePendingToolCall", "result",
		func(why string) any { return object{"textResultForLlm": why, "resultType": "failure", "error": why} },
	},
	session.KindCommandExecute: {
		"session.commands.handlePendingCommand", "error",
		func(why string) any { return why },
	},
	session.KindCommandQueued: {
		"session.commands.respondToQueuedCommand", "result",
		func(string) any { return object{"handled": false} },
	},
	session.KindSamplingRequested: {
		"session.ui.handlePendingSampling", "", nil, // no response is a rejection
	},
	session.KindMcpOAuthRequired: {
		"session.mcp.oauth.handlePendingRequest", "result",
		func(string) any { return object{"kind": "cancelled"} },
	},
	session.KindMcpHeadersRefreshRequired: {
		"session.mcp.headers.handlePendingHeadersRefreshRequest", "result",
		func(string) any { return object{"kind": "none"} },
	},
	session.KindAutoModeSwitchRequested: {
		"session.ui.handlePendingAutoModeSwitch", "response",
		func(string) any { return session.SwitchNo },
	},
	session.KindSessionLimitsExhaustedRequested: {
		"session.ui.handlePendingSessionLimitsExhausted", "response",
		func(string) any { return object{"action": session.LimitCancel} },
	},
}

// replyTo is the reply to a question of a kind, with its answer.
func replyTo(kind session.Kind, answer any) reply {
	return reply{replies[kind].method, object{replies[kind].member: answer}}
}

// Respond implements session.Session.
func (s *Session) Respond(ctx context.Context, answer session.Answer) error {
	var r reply
	var err error
	switch a := answer.(type) {
	case session.FolderTrustAnswer:
		return s.answerTrust(ctx, a)
	case session.PermissionAnswer:
		return answered(a.RequestID, s.answerPermission(ctx, a))
	case session.UserInputAnswer:
		r = replyTo(session.KindUserInputRequested, object{"answer": a.Text, "wasFreeform": a.Freeform})
	case session.ElicitationAnswer:
		if r, err = elicitation(a); err == nil && s.opened(a.RequestID, a.Action) {
			return nil
		}
	case session.ExitPlanModeAnswer:
		r = replyTo(session.KindExitPlanModeRequested, exitPlanMode(a))
	case session.AutoModeSwitchAnswer:
		r, err = autoModeSwitch(a)
	case session.SessionLimitsExhaustedAnswer:
		r, err = sessionLimits(a)
	case session.McpOAuthAnswer:
		return answered(a.RequestID, s.answerSignIn(ctx, a))
	case session.Refusal:
		switch {
		case a.Kind == session.KindFolderTrustRequested:
			return s.answerTrust(ctx, session.FolderTrustAnswer{RequestID: a.RequestID})
		case a.Kind == session.KindElicitationRequested && s.opened(a.RequestID, session.Decline):
			return nil
		}
		r, err = refusal(a)
	case session.ConfirmationAnswer:
		err = session.ErrResolved // the runtime asks for none
	default:
		err = fmt.Errorf("no way to send a %T", answer)
	}
	if err == nil {
		err = s.settle(ctx, answer.Request(), r)
	}
	return answered(answer.Request(), err)
}

// CommandHandled implements session.CommandHost.
func (s *Session) CommandHandled(ctx context.Context, id session.RequestID) error {
	return answered(id, s.settle(ctx, id, replyTo(session.KindCommandQueued, object{"handled": true})))
}

// answered says which answer an error is about.
func answered(id session.RequestID, err error) error {
	if err != nil && !errors.Is(err, session.ErrResolved) {
		return fmt.Errorf("answer %s: %w", id, err)
	}
	return err
}

// settle sends an answer. The runtime takes the first one.
func (s *Session) settle(ctx context.Context, id session.RequestID, r reply) error {
	r.params["requestId"] = id
	taken, err := ask[bool](ctx, s, r.method, r.params, "success")
	if err == nil && !taken {
		err = session.ErrResolved
	}
	return err
}

// answerPermission sends a decision, and has the runtime remember an address
// that is allowed for longer.
func (s *Session) answerPermission(ctx context.Context, a session.PermissionAnswer) error {
	r, err := s.permission(ctx, a)
	if err != nil {
		return err
	}
	if a.Domain == "" || a.Approval != nil || a.Decision != session.ApproveForSession && a.Decision != session.ApprovePermanently {
		return s.settle(ctx, a.RequestID, r)
	}
	return s.allowAddress(ctx, a, r)
}

// allowAddress sends the approval of an address for the session or for good.
// The runtime's own decisions for that cannot be taken back one by one, so that
// it is a rule, which is withdrawn again where the question was settled
// otherwise.
func (s *Session) allowAddress(ctx context.Context, a session.PermissionAnswer, r reply) error {
	allow := addressRule(a.Domain)
	if err := s.grants.modifyRules(ctx, "add", allow); err != nil {
		return err
	}
	if err := s.settle(ctx, a.RequestID, r); err != nil {
		back, cancel := context.WithTimeout(context.WithoutCancel(ctx), compareGrace)
		defer cancel()
		if undo := s.grants.modifyRules(back, "remove", allow); undo != nil {
			s.grants.ledger.add(a.RequestID, allow) // so that it can be seen
			err = errors.Join(err, undo)
		}
		return err
	}
	if a.Decision == session.ApproveForSession {
		s.grants.ledger.add(a.RequestID, allow)
		return nil
	}
	if err := s.agent.editAddresses(ctx, "add-item", a.Domain); err != nil {
		s.grants.ledger.add(a.RequestID, allow)
		s.warn("permissions", fmt.Sprintf("%s is allowed for this session only: %v", a.Domain, err))
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
			result["kind"] = session.ApproveOnce // the rest is a rule
		}
	case session.ApproveForLocation:
		if a.Approval == nil {
			return reply{}, errors.New("an approval for the location must say what it covers")
		}
		key, err := s.grants.locationKey(ctx)
		if err != nil {
			return reply{}, err
		}
		result["approval"], result["locationKey"] = approval(*a.Approval), key
	case session.ApprovePermanently:
		if a.Domain == "" {
			return reply{}, errors.New("a permanent approval must name an address")
		}
		result["kind"] = session.ApproveOnce // the rest is a rule and a setting
	case session.ApproveReadOnlyForSession:
		if len(a.Directories) == 0 {
			return reply{}, errors.New("a read-only approval must name directories")
		}
		result["directories"] = a.Directories
	case session.Reject:
		optional(result, "feedback", a.Feedback)
	default:
		return reply{}, fmt.Errorf("%q is no decision", a.Decision)
	}
	return replyTo(session.KindPermissionRequested, result), nil
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
	return replyTo(session.KindElicitationRequested, result), nil
}

func autoModeSwitch(a session.AutoModeSwitchAnswer) (reply, error) {
	switch a.Response {
	case session.SwitchYes, session.SwitchAlways, session.SwitchNo:
		return replyTo(session.KindAutoModeSwitchRequested, a.Response), nil
	}
	return reply{}, fmt.Errorf("%q does not say whether to switch the model", a.Response)
}

func sessionLimits(a session.SessionLimitsExhaustedAnswer) (reply, error) {
	response := object{"action": a.Action}
	switch a.Action {
	case session.LimitAdd:
		response["additionalAiCredits"] = a.Credits
	case session.LimitSet:
		response["maxAiCredits"] = a.Credits
	case session.LimitUnset, session.LimitCancel:
		a.Credits = 1 // none are needed
	default:
		return reply{}, fmt.Errorf("%q is nothing to do about a limit", a.Action)
	}
	if math.IsNaN(a.Credits) || math.IsInf(a.Credits, 0) || a.Credits <= 0 {
		return reply{}, fmt.Errorf("%v credits are no limit", a.Credits)
	}
	return replyTo(session.KindSessionLimitsExhaustedRequested, response), nil
}

func exitPlanMode(a session.ExitPlanModeAnswer) object {
	o := object{"approved": a.Approved}
	optional(o, "selectedAction", a.Action)
	optional(o, "autoApproveEdits", a.Approved && a.AutoApproveEdits)
	optional(o, "feedback", a.Feedback)
	return o
}

// refusal declines a question in the way its kind has for it.
func refusal(a session.Refusal) (reply, error) {
	way, known := replies[a.Kind]
	switch {
	case a.Kind == session.KindConfirmationRequested:
		return reply{}, session.ErrResolved // the runtime asks for none
	case !known:
		return reply{}, fmt.Errorf("no way to refuse %q", a.Kind)
	case way.decline == nil:
		return reply{way.method, object{}}, nil
	}
	return replyTo(a.Kind, way.decline(cmp.Or(a.Feedback, session.DefaultRefusal))), nil
}

// trustQuestion is a question about a folder that is open; without an id no
// question is open.
type trustQuestion struct {
	id     session.RequestID
	folder folder
}

// askTrust asks about the folder, if it is not trusted and there is anything to load or
// start in it.
func (s *Session) askTrust() {
	f := s.where()
	if !f.trusted && len(f.loads)+len(f.own) > 0 {
		s.questionTrust(f)
	}
}

// questionTrust asks whether a folder is trusted.
func (s *Session) questionTrust(f folder) {
	id := session.RequestID(uuid.NewString())
	s.swapTrust(trustQuestion{id, f})
	s.queue.add(own(session.FolderTrustRequested{RequestID: id, Folder: f.dir, Loads: slices.Concat(f.loads, f.own)}))
}

// AskTrust implements session.FolderTruster.
func (s *Session) AskTrust(ctx context.Context) error {
	s.mu.Lock()
	open := s.trustAsked.id != ""
	s.mu.Unlock()
	if open || s.where().trusted {
		return nil
	}
	f := s.agent.inspect(ctx, s.where().dir)
	if f.trusted { // by another window
		return attempt(s.trust(ctx, f, false), "load what %s brings along", f.dir)
	}
	s.questionTrust(f)
	return nil
}

// swapTrust puts a question about the folder in the place of the one that is open,
// and returns that.
func (s *Session) swapTrust(next trustQuestion) (before trustQuestion) {
	s.mu.Lock()
	defer s.mu.Unlock()
	before, s.trustAsked = s.trustAsked, next
	return before
}

// answerTrust settles the question about the folder. If what it holds cannot be
// loaded, the question is open again.
func (s *Session) answerTrust(ctx context.Context, a session.FolderTrustAnswer) error {
	if err := s.closed(); err != nil {
		return attempt(err, "answer %s", a.RequestID)
	}
	s.mu.Lock()
	q := s.trustAsked
	open := a.RequestID != "" && a.RequestID == q.id
	if open {
		s.trustAsked = trustQuestion{}
	}
	s.mu.Unlock()
	if !open {
		return session.ErrResolved
	}
	var err error
	if a.Trusted {
		err = s.trust(ctx, q.folder, a.Remember)
	} else {
		s.agent.keepTrust(q.folder, false)
	}
	if err != nil && !errors.Is(err, session.ErrResolved) {
		s.swapTrust(q)
		return err
	}
	s.queue.add(own(session.FolderTrustCompleted{
		RequestID: a.RequestID, Trusted: a.Trusted && err == nil, Remembered: a.Trusted && a.Remember && err == nil,
	}))
	return err
}
