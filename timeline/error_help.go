package timeline

import (
	"cmp"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"parley/session"
)

// remedy reads what to do about a problem: the name of an action, which each
// client puts into its own words, a text, or an object with one.
func remedy(v jsontext.Value) string {
	var text string
	if json.Unmarshal(v, &text) == nil {
		return cmp.Or(remedies[text], strings.TrimSpace(text))
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

// signIn is what to do where signing in is all that helps.
const signIn = "Sign in: /login in the window, or `copilot login` in a shell."

// checkKey is what may help beside signing in.
const checkKey = " With a provider of your own, check its key."

// noAccount reports whether an error is how the runtime says that there is no account at all.
func noAccount(e session.SessionError) bool {
	return e.ErrorType != "notification" && strings.Contains(strings.ToLower(e.Message), "no github oauth token")
}

// errorText is what an error says, of which a missing account is said in plain words.
func errorText(e session.SessionError) string {
	if noAccount(e) {
		return "No account is signed in, so the prompt was not answered."
	}
	return cmp.Or(unnumbered(e.Message, e.StatusCode), "The request failed, and the agent did not say why.")
}

// SignInHelps reports whether an error says that there is no account to answer
// with. The runtime reports that as a failed query too. An error of the type
// notification is about something else.
func SignInHelps(e session.SessionError) bool {
	return e.ErrorType == "authentication" || noAccount(e) ||
		e.ErrorType != "notification" && strings.Contains(strings.ToLower(e.Message), "not authenticated")
}

// unacknowledged reports whether an error says that a part of the runtime did not take an
// event of another in time, as of a change of very many lines: what it waits for is lost,
// and each prompt after it fails too.
func unacknowledged(e session.SessionError) bool {
	return strings.Contains(strings.ToLower(e.Message), "session host did not acknowledge")
}

// remedies are the actions of the runtime (RemediationAction of its schema) in
// words.
var remedies = map[string]string{
	"sign_in":                signIn + checkKey,
	"switch_account":         "Sign in with another account: /login in the window, or `copilot login` in a shell.",
	"show_account":           "See which account is signed in: run `copilot` in a shell.",
	"review_sandbox_policy":  "Look at what the sandbox permits, with /sandbox, and permit what was named if it should be.",
	"allow_sandbox_outbound": "Let the sandbox reach the network, with /sandbox, if it should.",
	"rewind_conversation":    "Go back to before the prompt that was blocked, with /rewind.",
}

// nextStep is what to do about an error of which the runtime does not say it.
func nextStep(e session.SessionError) string {
	switch {
	case noAccount(e):
		return signIn
	case SignInHelps(e):
		return signIn + checkKey
	case unacknowledged(e):
		return "Restart the agent with /restart, which resumes this session, then ask for what it was doing in smaller parts."
	}
	switch e.ErrorType {
	case "rate_limit":
		if e.EligibleForAutoSwitch {
			return "Continue with another model when you are asked, or wait and send the prompt again."
		}
	case "query", "":
		return queryStep(e)
	}
	return nextSteps[e.ErrorType]
}

// nextSteps are what to do about the types of errors that say enough.
var nextSteps = map[string]string{
	"authorization": "The account may not use this. Choose another model with /model, or ask who manages the account.",
	"policy":        "A policy forbids it. Reword the prompt, or ask who manages the account.",
	"rate_limit":    "Wait a while and send the prompt again, or choose another model with /model.",
	"quota":         quotaStep,
	"context_limit": contextStep,
}

// What a provider of models answers (RFC 9110, section 15).
const (
	badRequest      = 400
	paymentRequired = 402
	notFound        = 404
	tooLarge        = 413
	tooManyRequests = 429
	serverError     = 500
)

const (
	quotaStep   = "Wait until the quota begins anew, or choose another model with /model. /usage shows what is used."
	contextStep = "Make room with /compact, or start a new session with /new."
)

// queryStep is what to do about a request that the provider of the model did
// not answer. The runtime reports a full context and a used-up quota as this too
// (docs/protocol.md, section 6.4).
func queryStep(e session.SessionError) string {
	message := strings.ToLower(e.Message)
	switch {
	case e.StatusCode == paymentRequired:
		return quotaStep
	case e.StatusCode == notFound:
		return "Choose another model with /model."
	case strings.Contains(message, "context") && strings.Contains(message, "length"),
		strings.Contains(message, "context") && strings.Contains(message, "token"),
		e.StatusCode == tooLarge:
		return contextStep
	case e.StatusCode >= badRequest && e.StatusCode < serverError:
		return "Go back with /rewind and send another prompt, or choose another model with /model."
	}
	return "Send the prompt again in a while, or choose another model with /model."
}

// errorDetail is what helps to look into an error.
func errorDetail(e session.SessionError) string {
	said := ""
	if noAccount(e) {
		said = e.Message // of which the text has nothing
	}
	return paragraphs(said, joinLines(
		labelled("Code", e.ErrorCode),
		labelled("Provider's type", e.ProviderErrorType),
		labelled("Provider's parameter", e.ProviderErrorParam),
		labelled("Provider's request", e.ProviderCallID),
		labelled("Service's request", e.ServiceRequestID),
	), e.Stack)
}
