package demo

import (
	"fmt"
	"slices"

	"github.com/google/uuid"

	"parley/session"
)

// grant is a thing that can be allowed for the session: a command, an address,
// writing files. The demo forgets it with the session, whatever the approval
// was for.
type grant struct{ Kind, Name string }

// The kinds of grants. They are those of approvals; of addresses and paths
// there is more in an answer than an approval.
const (
	grantCommand = "commands"
	grantRead    = "read"
	grantWrite   = "write"
	grantMCP     = "mcp" // named "server/tool"
	grantCustom  = "custom-tool"
	grantMemory  = "memory"
	grantURL     = "url"  // named by the domain
	grantPath    = "path" // named by the path
)

// permit is one question about a call. It is not asked when all that it needs
// was granted.
type permit struct {
	Needs   []grant
	Request session.PermissionRequest
	Prompt  session.PromptRequest
}

// permitted asks for a call if it has to. It returns nil for a call that may
// run, otherwise the end of the call.
func (t *turn) permitted(c *tool) *session.ToolExecutionComplete {
	for _, p := range c.permits {
		if t.allowed(p) {
			continue
		}
		if end := t.permit(c, p); end != nil {
			return end
		}
	}
	return nil
}

// permit asks one question about a call.
func (t *turn) permit(c *tool, p permit) *session.ToolExecutionComplete {
	p.Request.ToolCallID, p.Prompt.ToolCallID = c.id, c.id
	request := session.PermissionRequested{
		RequestID: session.RequestID(uuid.NewString()), PermissionRequest: p.Request, PromptRequest: &p.Prompt,
		PermissionMode: session.Manual, AgentMode: t.s.currentMode(), OwnerSessionID: t.s.About.ID,
	}
	a, err := t.ask(request)
	t.must(err)
	answer, _ := a.(session.PermissionAnswer)
	result, end := t.decide(p, answer)
	t.emit(session.PermissionCompleted{RequestID: request.RequestID, ToolCallID: c.id, Result: result})
	t.question = nil
	return end
}

// allowed reports whether the user need not be asked.
func (t *turn) allowed(permits ...permit) bool {
	t.s.Mu.Lock()
	defer t.s.Mu.Unlock()
	if t.s.allowAll {
		return true
	}
	for _, p := range permits {
		if slices.ContainsFunc(p.Needs, func(g grant) bool { return !t.s.granted[g] }) {
			return false
		}
	}
	return true
}

// The runtime's words for a refusal: how the question ends, and the codes of
// the call's error with and without a reason.
const (
	denied         = session.DeniedByUser
	deniedWithWord = "denied"
	rejected       = "rejected"
)

// decide is what an answer means for a call: how the question ends, and the end
// of the call unless it may run. What is allowed for longer is remembered.
// Whatever does not clearly allow the call refuses it.
func (t *turn) decide(p permit, a session.PermissionAnswer) (session.PermissionResult, *session.ToolExecutionComplete) {
	if kind := approved(p, a); kind != "" {
		t.remember(p, a)
		result := session.PermissionResult{Kind: kind}
		if kind != "approved" {
			result.Approval = a.Approval
		}
		return result, nil
	}
	end := failure("failure", fmt.Sprintf("The decision %q is not one for this question.", a.Decision))
	if a.Decision == session.Reject {
		end = failure(rejected, "The user rejected this tool call.")
		if a.Feedback != "" {
			end = failure(deniedWithWord, refusedWith+a.Feedback)
		}
	}
	return session.PermissionResult{Kind: denied, Feedback: a.Feedback}, &end
}

// approved is how the runtime calls the end of a question that an answer
// allows; "" when it does not. An approval that covers nothing of the question
// counts once, as in the runtime.
func approved(p permit, a session.PermissionAnswer) string {
	covers := slices.ContainsFunc(p.Needs, func(g grant) bool { return covered(a, g) })
	address := p.Request.Kind == "url"
	switch a.Decision {
	case session.ApproveOnce:
		return "approved"
	case session.ApproveForSession, session.ApproveForLocation:
		switch {
		case !covers || address || p.Prompt.Kind == "path":
			return "approved"
		case a.Decision == session.ApproveForLocation:
			return "approved-for-location"
		}
		return "approved-for-session"
	case session.ApprovePermanently:
		if address && covers {
			return "approved"
		}
	case session.ApproveReadOnlyForSession:
		// The runtime remembers none of it.
		if slices.Equal(a.Directories, p.Prompt.ReadOnlyDirectories) && p.Prompt.Kind == "path" {
			return "approved-read-only-for-session"
		}
	case session.Reject:
	}
	return ""
}

// covered reports whether an answer allows a thing for longer than once.
func covered(a session.PermissionAnswer, g grant) bool {
	switch g.Kind {
	case grantURL:
		return a.Decision != session.ApproveOnce && a.Domain == g.Name
	case grantPath:
		return a.Decision == session.ApproveForSession && a.Approval == nil
	}
	if a.Decision != session.ApproveForSession && a.Decision != session.ApproveForLocation ||
		a.Approval == nil || a.Approval.Kind != g.Kind {
		return false
	}
	tool := ""
	if a.Approval.ToolName != nil {
		tool = *a.Approval.ToolName
	}
	switch g.Kind {
	case grantCommand:
		return slices.Contains(a.Approval.CommandIdentifiers, g.Name)
	case grantMCP:
		return g.Name == a.Approval.ServerName+"/"+tool
	case grantCustom:
		return g.Name == tool
	case grantRead, grantWrite, grantMemory:
		return true
	}
	return false
}

// remember grants what an answer covers of a question.
func (t *turn) remember(p permit, a session.PermissionAnswer) {
	t.s.Mu.Lock()
	defer t.s.Mu.Unlock()
	for _, g := range p.Needs {
		if covered(a, g) {
			t.s.granted[g] = true
		}
	}
}
