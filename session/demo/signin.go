package demo

import (
	"fmt"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/uuid"

	"parley/session"
)

// demoPage is the page that the demo asks the user to open.
const demoPage = "https://docs.github.com/copilot/how-tos/copilot-cli"

// link is a tool of an MCP server that asks the user to open a page.
func link(name, message string) *tool {
	c := mcp(name, "ask to open a page", map[string]any{})
	c.run = func(t *turn, c *tool) (session.ToolExecutionComplete, error) { return t.openPage(c, message) }
	return c
}

// openPage asks the user to open a page.
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
	result := ""
	switch a := a.(type) {
	case session.Refusal:
		result = unseen + a.Feedback
	case session.ElicitationAnswer:
		done.Action = a.Action
		result = ended(a.Action)
	}
	return success(result), t.emit(done)
}

// ended is what the model is told of a question for a page that was answered.
func ended(with session.ElicitationAction) string {
	return fmt.Sprintf("The person ended the question with %q.", with)
}

// playLink asks the user to open a page.
func (t *turn) playLink() error {
	if err := t.call(reply{
		text:  "A tool asks you to open a **page**. The card shows the whole address; nothing is opened before you press `y`.",
		tools: []*tool{link("show_page", "There is more to read about the Copilot CLI on this page.")},
	}); err != nil {
		return err
	}
	return t.call(reply{hears: pageOutcome("The page is open in your browser, and the tool was told so.")})
}

// pageOutcome is what is said after the question for a page.
func pageOutcome(opened string) func(heard) string {
	return func(h heard) string {
		if why, refused := strings.CutPrefix(h.result, unseen); refused {
			return notShown("The question", why, "in plain words")
		}
		if h.result == ended(session.Accept) {
			return opened
		}
		return "Nothing was opened. A real tool goes on without, or gives up."
	}
}

// playSignIn asks whether to sign in to an MCP server, and then for its page.
func (t *turn) playSignIn() error {
	c := mcp("list_notes", "list the notes", map[string]any{})
	c.run = func(t *turn, c *tool) (session.ToolExecutionComplete, error) {
		request := session.McpOAuthRequired{
			RequestID: session.RequestID(uuid.NewString()), ServerName: demoServer, ServerURL: "https://notes.example.org/mcp",
			Reason: "initial", WWWAuthenticateParams: jsontext.Value(`{"scope":"notes.read"}`),
		}
		done := session.McpOAuthCompleted{RequestID: request.RequestID, Outcome: "cancelled"}
		a, err := t.ask(request)
		if err != nil { // the turn is over, but an abort alone does not end a sign-in
			t.s.out.put(done)
			return session.ToolExecutionComplete{}, err
		}
		result := "The server needs a sign-in."
		switch a := a.(type) {
		case session.Refusal:
			result = unseen + a.Feedback
		case session.McpOAuthAnswer:
			if a.SignIn {
				done.Outcome = "token"
			}
		}
		if err := t.emit(done); err != nil {
			return session.ToolExecutionComplete{}, err
		}
		if done.Outcome == "cancelled" {
			return failure("failure", result), nil
		}
		return t.openPage(c, "Sign in on this page to go on. (It is a page to read: the demo has no server.)")
	}
	if err := t.call(reply{
		text:  "A server wants you to **sign in**. Nothing is opened by `y`: the address comes next, and you decide again.",
		tools: []*tool{c},
	}); err != nil {
		return err
	}
	return t.call(reply{hears: pageOutcome("A real server would now let me in, and would not ask again.")})
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
	told, goesOn := "You kept the limit. A real agent stops here.", false
	switch a := a.(type) {
	case session.Refusal:
		told = "The question about the limit was refused: " + firstLine(a.Feedback) + " A real agent stops at its limit."
	case session.SessionLimitsExhaustedAnswer:
		goesOn = true
		switch a.Action {
		case session.LimitAdd:
			told = fmt.Sprintf("The limit would be %g credits now.", creditsLimit+a.Credits)
		case session.LimitSet:
			told = fmt.Sprintf("The limit would be %g credits now.", a.Credits)
		case session.LimitUnset:
			told = "There would be no limit any more."
		default:
			goesOn = false
		}
	}
	// The model hears nothing of it: it is called again, or it is not.
	if err := t.emit(done, session.SessionInfo{InfoType: "notification", Message: told}); err != nil || !goesOn {
		return err
	}
	return t.call(reply{text: "I have room again, and go on."})
}
