package timeline_test

import (
	"errors"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"parley/session"
	"parley/timeline"
)

// TestRetriesAreOneLine: the runtime reports each retry twice; a user reads one
// line, which says how it ended.
func TestRetriesAreOneLine(t *testing.T) {
	t.Parallel()
	again := func(f *feed) {
		f.live(
			session.ModelCallFailure{StatusCode: http.StatusInternalServerError},
			session.AssistantTurnRetry{Reason: "api_error"},
			session.SessionInfo{InfoType: "model_retry", Message: "Request failed due to a transient API error. Retrying..."})
	}
	f := newFeed().turn()
	again(f)
	again(f)
	f.want(t, "prompt go | warning Request failed due to a transient API error. Trying again. (live)")
	n, ok := f.At(1).Body.(*timeline.Notice)
	if !ok || n.Retry != 3 || n.StatusCode != http.StatusInternalServerError || f.Status().Retry != 3 {
		t.Errorf("got %+v", f.At(1).Body)
	}

	f.live(delta("m", "half"))
	f.want(t, "prompt go | info Request failed due to a transient API error. It continued after 2 retries. | message half (live)")
	again(f)
	f.want(t, "prompt go | warning Request failed due to a transient API error. Trying again. (live)")

	f.stored(session.AssistantTurnEnd{}, session.SessionError{ErrorType: "query", Message: "Retried 5 times."})
	f.want(t, "prompt go | error Retried 5 times. (failed)")
}

func TestHowRetriesEnd(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		then func(*feed)
		want string
	}{
		"interrupted": {
			func(f *feed) { f.stored(session.Abort{}) },
			"prompt go | warning The model's rate limit is reached. (cancelled) | boundary Interrupted",
		},
		"nothing more": {
			func(f *feed) { f.stored(session.AssistantTurnEnd{}).live(session.AssistantIdle{}) },
			"prompt go | warning The model's rate limit is reached. Trying again. (failed)",
		},
		"another turn's retry is another line": {func(f *feed) {
			f.live(delta("m", "ok")).stored(said("m", "ok"), session.AssistantTurnEnd{}, session.AssistantTurnStart{}).
				live(session.SessionInfo{InfoType: "model_retry", Message: "Retrying..."})
		}, "prompt go | info The model's rate limit is reached. It continued after one retry. | message ok | warning The model could not be reached. Trying again. (live)"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := newFeed().turn().live(session.AssistantTurnRetry{Reason: "rate_limit"})
			tt.then(f)
			f.want(t, tt.want)
		})
	}
}

func TestAbortIsShownOnce(t *testing.T) {
	t.Parallel()
	f := newFeed().turn().stored(session.Abort{Reason: "user_abort"}).
		live(session.SessionInfo{InfoType: "cancellation", Message: "Operation cancelled by user"}).
		stored(session.Abort{Reason: "user_abort"})
	f.want(t, "prompt go | boundary Interrupted")

	f = newFeed().turn().stored(startOf("bash", "{}"), session.ToolExecutionComplete{
		ToolCallID: "c", Error: &session.ToolError{Message: "The user rejected this tool call.", Code: "rejected"},
	}, session.AssistantTurnEnd{}, session.Abort{Reason: "user_initiated"})
	f.want(t, "prompt go | call bash (refused) | boundary Stopped, because you refused a call")

	newFeed().stored(session.Abort{Reason: "power_cut"}).want(t, "boundary Interrupted: power cut")
	newFeed().turn().stored(session.Abort{Reason: "user_initiated"}, session.Abort{Reason: "power_cut"}, session.Abort{Reason: "power_cut"}).
		want(t, "prompt go | boundary Interrupted | boundary Interrupted: power cut")
}

func TestUnknownEvents(t *testing.T) {
	t.Parallel()
	f := newFeed().stored(
		session.Unknown{Type: "a.b"}, session.Unknown{Type: "a.b"},
		session.Unknown{Type: "session.fusion_handoff"},
		session.Unknown{Type: "model.messages_snapshot"},
		session.Unknown{Type: session.KindAbort, Reason: errors.New("bad reason")},
	).live(session.Unknown{Type: "c.d"}, session.Unknown{Type: session.KindModelCallFailure, Reason: errors.New("internal")})
	f.want(t, "unrecognised a.b ×2 | unrecognised abort ×1")
	if u, ok := f.At(1).Body.(*timeline.Unrecognised); !ok || u.Reason != "bad reason" {
		t.Errorf("got %+v", f.At(1).Body)
	}
}

func TestLongForeignTextIsCutInLines(t *testing.T) {
	t.Parallel()
	f := newFeed().stored(session.SystemNotification{
		Content:      strings.Repeat("é\n ", 2000),
		Notification: session.Notification{Type: "unclassified"},
	})
	n, ok := f.At(0).Body.(*timeline.Notice)
	if !ok || len(n.Text) > 410 || strings.ContainsAny(n.Text, "\n\uFFFD") || !strings.HasSuffix(n.Text, "…") {
		t.Errorf("got %q", n.Text)
	}
}

func TestEmptyNoticesAreNone(t *testing.T) {
	t.Parallel()
	newFeed().stored(
		session.SessionInfo{}, session.SessionWarning{Message: " "},
		session.SystemNotification{Content: "<system_notification></system_notification>"},
	).want(t, "")
}

func TestRemedies(t *testing.T) {
	t.Parallel()
	for raw, want := range map[string]string{
		`"Sign in."`:                    "Sign in.",
		`{"message":"Sign in."}`:        "Sign in.",
		`{"command":"gh auth login"}`:   "gh auth login",
		`"rewind_conversation"`:         "Go back to before the prompt that was blocked, with /rewind.",
		`"teleport"`:                    "teleport",
		`{"steps":["a"]}`:               "",
		`[1]`:                           "",
		``:                              "",
		`{"message":"a","message":"b"}`: "",
	} {
		f := newFeed().stored(session.SessionWarning{Message: "no", Remediation: []byte(raw)})
		if n, ok := f.At(0).Body.(*timeline.Notice); !ok || n.Next != want {
			t.Errorf("%s: %+v", raw, f.At(0).Body)
		}
	}
	for _, action := range []string{
		"sign_in", "switch_account", "show_account", "review_sandbox_policy", "allow_sandbox_outbound", "rewind_conversation",
	} {
		f := newFeed().stored(session.SessionError{Message: "no", Remediation: []byte(`"` + action + `"`)})
		if n, ok := f.At(0).Body.(*timeline.Notice); !ok || n.Next == action || n.Next == "" {
			t.Errorf("%s has no words of ours: %+v", action, f.At(0).Body)
		}
	}
}

// TestErrorsSayWhatToDo: also where the runtime does not, and it reports most
// things as a failed query.
func TestErrorsSayWhatToDo(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		err  session.SessionError
		says string // a part of the next step; "" is none
	}{
		"authentication":    {session.SessionError{ErrorType: "authentication"}, "Sign in"},
		"not signed in":     {session.SessionError{ErrorType: "query", Message: "Execution failed: InvalidArg, No GitHub OAuth token or Copilot HMAC key provided"}, "/login"},
		"no login at all":   {session.SessionError{Message: "Not authenticated"}, "copilot login"},
		"authorization":     {session.SessionError{ErrorType: "authorization"}, "/model"},
		"policy":            {session.SessionError{ErrorType: "policy"}, "Reword"},
		"quota":             {session.SessionError{ErrorType: "quota"}, "/usage"},
		"rate limit":        {session.SessionError{ErrorType: "rate_limit"}, "Wait"},
		"and a question":    {session.SessionError{ErrorType: "rate_limit", EligibleForAutoSwitch: true}, "when you are asked"},
		"context limit":     {session.SessionError{ErrorType: "context_limit"}, "/compact"},
		"a full context":    {session.SessionError{ErrorType: "query", StatusCode: 400, Message: "400 maximum context length is 8192 tokens"}, "/compact"},
		"too large":         {session.SessionError{ErrorType: "query", StatusCode: 413}, "/compact"},
		"a used-up quota":   {session.SessionError{ErrorType: "query", StatusCode: 402}, "/usage"},
		"no such model":     {session.SessionError{ErrorType: "query", StatusCode: 404}, "/model"},
		"a bad request":     {session.SessionError{ErrorType: "query", StatusCode: 400}, "/rewind"},
		"a server's error":  {session.SessionError{ErrorType: "query", StatusCode: 500}, "in a while"},
		"a stuck runtime":   {session.SessionError{ErrorType: "query", Message: "Session host did not acknowledge 'permission.requested' within 5 seconds"}, "/restart"},
		"a broken line":     {session.SessionError{ErrorType: "query"}, "in a while"},
		"what it says":      {session.SessionError{ErrorType: "query", Remediation: []byte(`"Ask Ann."`)}, "Ask Ann."},
		"somebody's notice": {session.SessionError{ErrorType: "notification"}, ""},
	} {
		f := newFeed().stored(tt.err)
		n, ok := f.At(0).Body.(*timeline.Notice)
		if !ok || !strings.Contains(n.Next, tt.says) || (tt.says == "") != (n.Next == "") {
			t.Errorf("%s: %+v", name, f.At(0).Body)
		}
	}
}

// TestErrorsOfProviders plays the recorded errors as they came. While the model
// is called again one line says how often and with which status; the error in
// the end says its status, as far as the runtime reports it, and what to do.
func TestErrorsOfProviders(t *testing.T) {
	t.Parallel()
	for name, status := range map[string]int{
		"error_http_400": 400, "error_http_400_context": 400, "error_http_402": 402, "error_http_403": 403, "error_http_429_forever": 429,
		"error_http_429_once_then_ok": 429, "error_http_500_once_then_ok": 500, "error_sse_error_chunk": 0,
		"error_stream_broken_in_tool_args": 0, "error_stream_broken_once": 0,
	} {
		f, retries, failed := newFeed(), 0, false
		for _, ev := range readLog(t, name) {
			if ev.Kind() == session.KindModelCallFailure { // the recording has not what is in it
				ev.Body = session.ModelCallFailure{StatusCode: status, RetryAttempt: retries}
			}
			f.Apply(ev)
			var last *timeline.Notice
			if f.Len() > 0 {
				last, _ = f.At(f.Len() - 1).Body.(*timeline.Notice)
			}
			switch ev.Body.(type) {
			case session.ModelCallFailure:
				doing := fmt.Sprintf("waiting to try again (attempt %d)", retries+2)
				if again := f.Status().Activity == doing; again != (retries < 5 && (status == 0 || status == 429 || status == 500)) {
					t.Errorf("%s, failure %d: %q", name, retries+1, f.Status().Activity)
				}
			case session.AssistantTurnRetry:
				retries++
				doing := fmt.Sprintf("trying again (attempt %d)", retries+1)
				if last == nil || last.Retry != retries+1 || last.StatusCode != status || f.Status().Activity != doing {
					t.Errorf("%s, retry %d: %+v, %q", name, retries, last, f.Status().Activity)
				}
			case session.SessionError:
				failed = true
				if last == nil || last.Level != timeline.Error || last.StatusCode != status || last.Next == "" {
					t.Errorf("%s: %+v", name, last)
				}
			}
		}
		if retries == 0 && !failed || f.Status().Retry != 0 {
			t.Errorf("%s: %d retries, failed %t, %+v", name, retries, failed, f.Status())
		}
	}
}

func TestErrorsKeepTheirFacts(t *testing.T) {
	t.Parallel()
	f := newFeed().stored(session.SessionError{
		ErrorType: "query", Message: "no", ErrorCode: "model_overloaded", ProviderErrorType: "server_error", ProviderErrorParam: "max_tokens",
		ProviderCallID: "1:2", ServiceRequestID: "3", Stack: "at a\nat b",
	})
	const want = "Code: model_overloaded\nProvider's type: server_error\nProvider's parameter: max_tokens\nProvider's request: 1:2\nService's request: 3\n\nat a\nat b"
	if n, ok := f.At(0).Body.(*timeline.Notice); !ok || n.Detail != want {
		t.Errorf("got %q", f.At(0).Body)
	}
}

// TestRetryCountdown: the runtime's words are all that could say when the model
// is called again.
func TestRetryCountdown(t *testing.T) {
	t.Parallel()
	for message, wait := range map[string]time.Duration{
		"Rate limit reached. Retrying in 12 seconds...":                      12 * time.Second,
		"Rate limit reached. Retrying in 12s...":                             12 * time.Second,
		"Rate limit reached. Retrying in 1.5 s":                              1500 * time.Millisecond,
		"Rate limit reached. Retrying in 2 minutes":                          2 * time.Minute,
		"Rate limit reached. Retrying in 2m":                                 2 * time.Minute,
		"Rate limit reached. Retrying in 500ms":                              500 * time.Millisecond,
		"Rate limit reached. Retrying...":                                    0,
		"Rate limit reached. Retrying in a while":                            0,
		"Rate limit reached. Retrying in 0 seconds":                          0,
		"Rate limit reached. Retrying in " + strings.Repeat("9", 400) + " s": 0,
	} {
		f := newFeed().turn().live(
			session.ModelCallFailure{StatusCode: http.StatusTooManyRequests, ErrorMessage: "slow down", ErrorCode: "rate", Model: "m"},
			session.AssistantTurnRetry{Reason: "rate_limit"},
			session.SessionInfo{InfoType: "model_retry", Message: message})
		n, ok := f.At(1).Body.(*timeline.Notice)
		at := clock(f.n).Add(wait)
		if wait == 0 {
			at = time.Time{}
		}
		if !ok || !n.RetryAt.Equal(at) || n.Retry != 2 || n.Text != "Rate limit reached. Trying again." ||
			n.Detail != "slow down\n\nCode: rate\nModel: m" {
			t.Errorf("%s: %+v", message, f.At(1).Body)
		}
		if s := f.Status(); !s.RetryAt.Equal(at) || s.Activity != "trying again (attempt 2)" {
			t.Errorf("%s: %q at %v", message, s.Activity, s.RetryAt)
		}
		if f.live(session.AssistantTurnRetry{Reason: "rate_limit"}); !n.RetryAt.IsZero() || !f.Status().RetryAt.IsZero() {
			t.Errorf("the next attempt keeps the time of the last: %+v", n)
		}
	}
}

func TestServers(t *testing.T) {
	t.Parallel()
	is := func(status, reason string) session.Body {
		return session.SessionMcpServerStatusChanged{ServerName: "files", Status: status, Error: reason}
	}
	checkNotices(t, map[string]noticeCase{
		"one that works": {[]session.Body{is("pending", ""), is("connected", "")}, ""},
		"one that does not": {
			[]session.Body{is("failed", "no npx"), is("pending", ""), is("failed", "no npx")},
			"warning mcp: MCP server “files” does not work: no npx",
		},
		"and then does": {
			[]session.Body{is("failed", ""), is("pending", ""), is("connected", "")},
			"warning mcp: MCP server “files” does not work\nsuccess mcp: MCP server “files” is connected again",
		},
		"and is turned off": {
			[]session.Body{is("failed", ""), is("disabled", ""), is("connected", "")},
			"warning mcp: MCP server “files” does not work",
		},
		"one to sign in to": {
			[]session.Body{is("needs-auth", ""), is("connected", "")},
			"warning mcp: MCP server “files” wants you to sign in\nsuccess mcp: MCP server “files” is connected now",
		},
		"one that was lost": {
			[]session.Body{session.SessionMcpServerNeedsReconnect{ServerName: "files"}, is("connected", "")},
			"warning mcp: MCP server “files” has lost its connection\nsuccess mcp: MCP server “files” is connected again",
		},
		"one that did not work before": {
			[]session.Body{
				session.SessionMcpServersLoaded{Servers: []session.McpServer{
					{Name: "files", Status: "failed", Error: "no npx"}, {Name: "web", Status: "needs-auth"}, {Name: "ok", Status: "connected"},
				}},
				is("failed", "no npx"),
				session.SessionMcpServersLoaded{Servers: []session.McpServer{{Name: "files", Status: "failed", Error: "no npx"}}},
			},
			"warning mcp: MCP server “files” does not work: no npx\nwarning mcp: MCP server “web” wants you to sign in",
		},
		"a long reason": {
			[]session.Body{is("failed", "exit 1\nnpm: "+strings.Repeat("x", 500))},
			"warning mcp: MCP server “files” does not work: exit 1 npm: " + strings.Repeat("x", 388) + "…" +
				" {exit 1/npm: " + strings.Repeat("x", 500) + "}",
		},
	})
}

// TestNextStepOfARequest: the answer of a provider says what helps: another model, a
// smaller context, another prompt, or time.
func TestNextStepOfARequest(t *testing.T) {
	t.Parallel()
	for code, want := range map[int]string{
		400: "/rewind", 402: "/usage", 404: "Choose another model with /model.", 413: "/compact", 414: "/rewind", 499: "/rewind",
		399: "in a while", 500: "in a while", 503: "in a while", 0: "in a while",
	} {
		f := newFeed().stored(session.SessionError{ErrorType: "query", Message: "no", StatusCode: code})
		if n, ok := f.At(0).Body.(*timeline.Notice); !ok || !strings.Contains(n.Next, want) {
			t.Errorf("%d: %q, want %q in it", code, n.Next, want)
		}
	}
}
