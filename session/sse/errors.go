package sse

import (
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"
	"unicode"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"parley/session"
)

// fault is an error as the user is shown it.
type fault struct{ session.SessionError }

// Error implements error.
func (f *fault) Error() string { return f.Message }

// again is what to do where nothing but another try helps.
const again = "Send the prompt again: the up arrow on an empty line brings it back."

// remedy is what to do, as an event holds it.
func remedy(text string) jsontext.Value {
	v, err := jsontext.AppendQuote(nil, text)
	if err != nil {
		return nil
	}
	return v
}

// failure is that there is no answer, or none that can be used.
func failure(message string) *fault {
	return &fault{session.SessionError{ErrorType: "query", Message: message, Remediation: remedy(again)}}
}

// brokenOff is the end of an answer that was not its end.
func brokenOff(why string) *fault { return failure(why + " What came of the answer is kept.") }

// unreachable reports a request that failed below HTTP, or of an answer that
// broke off.
func (c *client) unreachable(err error, asked session.MessageID) session.SessionError {
	e := session.SessionError{ErrorType: "query", OriginatingMessageID: asked, Remediation: remedy(again)}
	var away *redirectError
	var operation *net.OpError
	switch {
	case errors.As(err, &away):
		e.Message = "The agent did not answer itself: " + away.Error() + "."
		e.Remediation = remedy("If that is where it is now, use that address.")
	case errors.Is(err, errFirst):
		e.Message = fmt.Sprintf("The agent has not begun to answer within %v.", c.cfg.Limits.First)
	case errors.Is(err, errIdle):
		e.Message = fmt.Sprintf("The answer stopped: nothing has come for %v. What came of it is kept.", c.cfg.Limits.Idle)
	case errors.As(err, &operation) && operation.Op == "dial":
		e.Message = fmt.Sprintf("There is no connection to %s: %s.", c.base.Host, plain(operation.Err.Error()))
		e.Remediation = remedy("See whether the agent runs and the address is right, and send the prompt again.")
	case errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, io.EOF), errors.As(err, &operation):
		e.Message = "The connection to the agent was lost. What came of the answer is kept."
	default:
		if address, ok := errors.AsType[*url.Error](err); ok {
			err = address.Err // without the address, whose query may hold secrets
		}
		e.Message = "The request failed: " + plain(err.Error()) + "."
	}
	return e
}

// plain is a text from elsewhere in one line without control characters, cut.
func plain(text string) string {
	text = strings.Join(strings.FieldsFunc(text, func(r rune) bool { return unicode.IsSpace(r) || unicode.IsControl(r) }), " ")
	return strings.TrimRight(cut(strings.ToValidUTF8(text, "�"), 300), ".")
}

// cut is the beginning of a text.
func cut(text string, most int) string {
	if runes := []rune(text); len(runes) > most {
		return string(runes[:most]) + "…"
	}
	return text
}

// mostError is how much of a refusal is read.
const mostError = 64 << 10

// refused reads why the agent did not take a request.
func (c *client) refused(resp *response) error {
	content, _ := io.ReadAll(io.LimitReader(resp, mostError)) // as much as there is
	status, said := resp.StatusCode, errorOf([]byte(c.redact(string(content))))
	if status == http.StatusUnauthorized {
		c.forgetToken()
	}
	if after, ok := retryAfter(resp.Header, c.cfg.Now()); ok &&
		(status == http.StatusTooManyRequests || status == http.StatusServiceUnavailable) {
		return &busy{status: status, after: after, message: said.Message}
	}
	r, known := refusals[status]
	switch {
	case status == http.StatusUnauthorized && c.cfg.Token == nil:
		r.what = "The agent wants a token, and the settings name none"
	case status == http.StatusNotFound:
		r.what += c.shown
	case known:
	case status >= http.StatusInternalServerError:
		r = refusal{"query", "The agent has failed", again}
	case status >= http.StatusMultipleChoices && status < http.StatusBadRequest:
		r = refusal{"query", "The agent sends the request elsewhere, and does not say where", again}
	default:
		r = refusal{"query", "The agent refused the request", again}
	}
	return &fault{session.SessionError{
		ErrorType: r.errorType, StatusCode: status, ErrorCode: said.code(), ProviderErrorType: said.Type,
		Message:     r.what + ": " + said.words(resp.Header.Get("Content-Type")),
		Remediation: remedy(r.remedy), ServiceRequestID: resp.Header.Get("X-Request-Id"),
	}}
}

// refusal is what a status of HTTP means for a user.
type refusal struct{ errorType, what, remedy string }

var refusals = map[int]refusal{
	http.StatusUnauthorized: {
		"authentication", "The agent does not accept the token",
		"See to the token that the settings name for this agent, and send the prompt again.",
	},
	http.StatusForbidden: {
		"authorization", "The agent does not allow this", "Ask who runs the agent, or use another token.",
	},
	http.StatusNotFound: {
		"query", "There is no agent, or no such model, at ",
		"See whether the address is right, and choose another model with /model.",
	},
	http.StatusTooManyRequests: {
		"rate_limit", "The agent takes no more requests for now", "Wait a while and send the prompt again.",
	},
	http.StatusRequestEntityTooLarge: {
		"context_limit", "The conversation is too long for the agent", "Start a new session with /new.",
	},
}

// said is an error object of an agent (OpenAI API reference, errors).
type said struct {
	Message string         `json:"message"`
	Type    string         `json:"type"`
	Code    jsontext.Value `json:"code"`
	raw     string
}

// code is the code, a text or a number.
func (s said) code() string {
	var text string
	if json.Unmarshal(s.Code, &text) == nil {
		return plain(text)
	}
	if string(s.Code) == "null" {
		return ""
	}
	return plain(string(s.Code))
}

// words are what the agent says about an error.
func (s said) words(contentType string) string {
	switch {
	case s.Message != "":
		return plain(s.Message) + "."
	case s.raw != "":
		return fmt.Sprintf("it sent %s that begins with “%s”.", kindOf(contentType), excerpt(s.raw))
	}
	return "it does not say why."
}

// errorOf reads an error in the shapes that are in use: {"error":{...}},
// {"error":"..."}, {"message":"..."}, {"detail":"..."}.
func errorOf(content []byte) said {
	var o struct {
		Error   jsontext.Value `json:"error"`
		Message string         `json:"message"`
		Detail  jsontext.Value `json:"detail"`
	}
	s := said{raw: plain(string(content))}
	if json.Unmarshal(content, &o, lenient()) != nil {
		return s
	}
	var text string
	switch {
	case json.Unmarshal(o.Error, &text) == nil:
		s.Message = text
	case len(o.Error) > 0:
		_ = json.Unmarshal(o.Error, &s, lenient()) // what is not there stays empty
	case o.Message != "":
		s.Message = o.Message
	case json.Unmarshal(o.Detail, &text) == nil:
		s.Message = text
	}
	return s
}

// excerpt is as much of a text as a sentence has room for.
func excerpt(text string) string { return cut(text, 80) }

// kindOf names a type of content in a sentence.
func kindOf(contentType string) string {
	kind, _, _ := strings.Cut(contentType, ";")
	switch kind = strings.ToLower(strings.TrimSpace(kind)); kind {
	case "text/html":
		return "an HTML page"
	case "":
		return "something without a type"
	}
	return "content of the type " + plain(kind)
}

// busy is a refusal that says when to come back.
type busy struct {
	status  int
	after   time.Duration
	message string
}

// Error implements error.
func (b *busy) Error() string {
	if b.status == http.StatusTooManyRequests {
		return "The agent takes no more requests for now."
	}
	return "The agent is not available for now."
}

// fault is the refusal if it is not waited for any longer.
func (b *busy) fault() error {
	e := session.SessionError{
		ErrorType: "rate_limit", StatusCode: b.status, Message: b.Error(),
		Remediation: remedy(fmt.Sprintf("Wait %v. Then: %s", b.after.Round(time.Second), again)),
	}
	if b.message != "" {
		e.Message += " It says: " + plain(b.message) + "."
	}
	return &fault{e}
}

// retryAfter reads when to come back (RFC 9110, section 10.2.3).
func retryAfter(h http.Header, now time.Time) (time.Duration, bool) {
	value := strings.TrimSpace(h.Get("Retry-After"))
	if value == "" {
		return 0, false
	}
	if n, err := strconv.ParseFloat(value, 64); err == nil && n >= 0 && n < 1e9 {
		return time.Duration(n * float64(time.Second)), true
	}
	at, err := http.ParseTime(value)
	if err != nil {
		return 0, false
	}
	return max(at.Sub(now), 0), true
}
