package demo

import (
	"fmt"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/uuid"

	"parley/session"
)

// demoPage is the page that the demo asks the person to open.
const demoPage = "https://docs.github.com/copilot/how-tos/copilot-cli"

// link is a tool of an MCP server that asks the person to open a page.
func link(name, message string) *tool {
	c := mcp(name, "ask to open a page", map[string]any{})
	c.run = func(t *turn, c *tool) (session.ToolExecutionComplete, error) { return t.openPage(c, message) }
	return c
}

// openPage asks the person to open a page.
func (t *turn) openPage(c *tool, message string) (session.ToolExecutionComplete, error) {
	request := session.ElicitationRequested{
		RequestID: session.RequestID(uuid.NewString()), ToolCallID: c.id, ElicitationSource: demoServer,
		ElicitationID: uuid.NewString(), Message: message, Mode: session.URLMode, URL: demoPage,
	}
	a, err := t.ask(request)
	if err != nil {
		return session.ToolExecutionComplete{}, err
	}
	done := session.ElicitationCompleted{RequestID: request.RequestID, Action: session.Decline}
	switch a := a.(type) {
	case session.Refusal:
		t.feedback = a.Feedback
	case session.ElicitationAnswer:
		done.Action = a.Action
	}
	t.answer = string(done.Action)
	return success(fmt.Sprintf("The person ended the question with %q.", done.Action)), t.emit(done)
}

// playLink asks the person to open a page.
func (t *turn) playLink() error {
	t.feedback, t.answer = "", ""
	if err := t.call(reply{
		text:  "A tool asks you to open a **page**. The card shows the whole address; nothing is opened before you press `y`.",
		tools: []*tool{link("show_page", "There is more to read about the Copilot CLI on this page.")},
	}); err != nil {
		return err
	}
	return t.call(reply{text: t.pageOutcome("The page is open in your browser, and the tool was told so.")})
}

// pageOutcome is what is said after the question for a page.
func (t *turn) pageOutcome(opened string) string {
	switch {
	case t.feedback != "":
		return notShown("The question", t.feedback, "in plain words")
	case t.answer != string(session.Accept):
		return "Nothing was opened. A real tool goes on without, or gives up."
	}
	return opened
}

// playSignIn asks whether to sign in to an MCP server, and then for its page.
func (t *turn) playSignIn() error {
	t.feedback, t.answer = "", ""
	c := mcp("list_notes", "list the notes", map[string]any{})
	c.run = func(t *turn, c *tool) (session.ToolExecutionComplete, error) {
		request := session.McpOAuthRequired{
			RequestID: session.RequestID(uuid.NewString()), ServerName: demoServer, ServerURL: "https://notes.example.org/mcp",
			Reason: "initial", WWWAuthenticateParams: jsontext.Value(`{"scope":"notes.read"}`),
		}
		a, err := t.ask(request)
		if err != nil {
			return session.ToolExecutionComplete{}, err
		}
		done := session.McpOAuthCompleted{RequestID: request.RequestID, Outcome: "cancelled"}
		switch a := a.(type) {
		case session.Refusal:
			t.feedback = a.Feedback
		case session.McpOAuthAnswer:
			if a.SignIn {
				done.Outcome = "token"
			}
		}
		if err := t.emit(done); err != nil {
			return session.ToolExecutionComplete{}, err
		}
		if done.Outcome == "cancelled" {
			return failure("failure", "The server needs a sign-in."), nil
		}
		return t.openPage(c, "Sign in on this page to go on. (It is a page to read: the demo has no server.)")
	}
	if err := t.call(reply{
		text:  "A server wants you to **sign in**. Nothing is opened by `y`: the address comes next, and you decide again.",
		tools: []*tool{c},
	}); err != nil {
		return err
	}
	return t.call(reply{text: t.pageOutcome("A real server would now let me in, and would not ask again.")})
}

// The credits of the limit that the demo pretends to have reached.
const creditsUsed, creditsLimit = 12.5, 12

// playLimit asks whether the session may use more than its limit.
func (t *turn) playLimit() error {
	if err := t.call(reply{
		text: "I pretend to have used all that this session may use. The card offers **more**, or to stop.",
	}); err != nil {
		return err
	}
	request := session.SessionLimitsExhaustedRequested{
		RequestID: session.RequestID(uuid.NewString()), UsedAICredits: creditsUsed, MaxAICredits: creditsLimit,
	}
	a, err := t.ask(request)
	if err != nil {
		return err
	}
	done := session.SessionLimitsExhaustedCompleted{RequestID: request.RequestID}
	text := "You kept the limit. A real agent stops here."
	switch a := a.(type) {
	case session.Refusal:
		text = "The question was refused: *" + firstLine(a.Feedback) + "* A real agent stops at its limit."
	case session.SessionLimitsExhaustedAnswer:
		switch a.Action {
		case session.LimitAdd:
			text = fmt.Sprintf("The limit would be %g credits now, and the agent would go on.", creditsLimit+a.Credits)
		case session.LimitSet:
			text = fmt.Sprintf("The limit would be %g credits now, and the agent would go on.", a.Credits)
		case session.LimitUnset:
			text = "There would be no limit any more, and the agent would go on."
		}
	}
	if err := t.emit(done); err != nil {
		return err
	}
	return t.call(reply{text: text})
}
