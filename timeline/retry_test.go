package timeline_test

import (
	"net/http"
	"testing"

	"parley/session"
	"parley/timeline"
)

// TestRetryBeginsWithTheFailure: the wait for the next attempt is reported when it
// begins, and only where the runtime makes one.
func TestRetryBeginsWithTheFailure(t *testing.T) {
	t.Parallel()
	const failed, limit, broke = "The request to the model failed.", "The model's rate limit is reached.", "The answer broke off."
	for name, tt := range map[string]struct {
		failure session.ModelCallFailure
		before  session.Body
		want    string // "" for no line
	}{
		"the provider's fault":      {session.ModelCallFailure{StatusCode: http.StatusInternalServerError, FailureKind: "api"}, nil, failed},
		"overloaded":                {session.ModelCallFailure{StatusCode: http.StatusServiceUnavailable}, nil, failed},
		"too many":                  {session.ModelCallFailure{StatusCode: http.StatusTooManyRequests, RetryAttempt: 4}, nil, limit},
		"the connection":            {session.ModelCallFailure{FailureKind: "transport"}, nil, failed},
		"the connection, in a text": {session.ModelCallFailure{FailureKind: "transport"}, delta("m", "half"), broke},
		"the last time":             {session.ModelCallFailure{StatusCode: http.StatusTooManyRequests, RetryAttempt: 5}, nil, ""},
		"a bad request":             {session.ModelCallFailure{StatusCode: http.StatusBadRequest}, nil, ""},
		"not signed in":             {session.ModelCallFailure{StatusCode: http.StatusUnauthorized}, nil, ""},
		"not paid":                  {session.ModelCallFailure{StatusCode: http.StatusPaymentRequired}, nil, ""},
		"not allowed":               {session.ModelCallFailure{StatusCode: http.StatusForbidden}, nil, ""},
		"too large":                 {session.ModelCallFailure{StatusCode: http.StatusRequestEntityTooLarge}, nil, ""},
		"of a server":               {session.ModelCallFailure{StatusCode: http.StatusInternalServerError, Initiator: "mcp-sampling"}, nil, ""},
		"while it stops":            {session.ModelCallFailure{FailureKind: "transport"}, session.Abort{}, ""},
		"while it sums up":          {session.ModelCallFailure{StatusCode: http.StatusInternalServerError}, session.SessionCompactionStart{}, ""},
		"after the turn":            {session.ModelCallFailure{StatusCode: http.StatusInternalServerError}, session.AssistantIdle{}, ""},
	} {
		f := newFeed().turn()
		if tt.before != nil {
			f.live(tt.before)
		}
		f.live(tt.failure)
		n, ok := f.At(f.Len() - 1).Body.(*timeline.Notice)
		ok = ok && n.Category == "retry"
		s := f.Status()
		switch {
		case tt.want == "" && (ok || s.Retry != 0):
			t.Errorf("%s: %+v, %q", name, n, s.Activity)
		case tt.want == "":
		case !ok, n.Text != tt.want+" Waiting to try again, no time given.", n.Retry != 2, n.StatusCode != tt.failure.StatusCode, !n.RetryAt.IsZero(),
			s.Activity != "waiting to try again (attempt 2)":
			t.Errorf("%s: %s, %+v, %q", name, f.outline(), n, s.Activity)
		}
	}
}

// TestRetryIsCountedOnce: one attempt is reported by up to three events, of which
// any may be missing.
func TestRetryIsCountedOnce(t *testing.T) {
	t.Parallel()
	failure := session.ModelCallFailure{StatusCode: http.StatusInternalServerError}
	retry := session.AssistantTurnRetry{Reason: "streaming_error"}
	info := session.SessionInfo{InfoType: "model_retry", Message: "It broke. Retrying..."}
	refused := session.ModelCallFailure{StatusCode: http.StatusUnauthorized}
	for name, tt := range map[string]struct {
		events  []session.Body
		attempt int
		text    string
		waits   bool // for an attempt of which nothing says when it is made
	}{
		"all":                  {[]session.Body{failure, retry, info, failure, retry, info}, 3, "It broke.", false},
		"no info":              {[]session.Body{failure, retry, failure, retry, failure}, 4, "The answer broke off.", true},
		"only failures":        {[]session.Body{failure, failure}, 3, "The request to the model failed.", true},
		"only the retry":       {[]session.Body{retry, retry}, 3, "The answer broke off.", false},
		"only the info":        {[]session.Body{info, info}, 3, "It broke.", false},
		"no retry":             {[]session.Body{failure, info, failure}, 3, "It broke.", true},
		"another status":       {[]session.Body{failure, retry, info, session.ModelCallFailure{StatusCode: http.StatusTooManyRequests}}, 3, "The model's rate limit is reached.", true},
		"an unexpected retry":  {[]session.Body{failure, refused, retry}, 3, "The answer broke off.", false},
		"a first without help": {[]session.Body{refused, retry}, 2, "The answer broke off.", false},
	} {
		f := newFeed().turn().live(tt.events...)
		next := " Trying again."
		if tt.waits {
			next = " Waiting to try again, no time given."
		}
		f.want(t, "prompt go | warning "+tt.text+next+" (live)")
		if n := f.Status().Retry; n != tt.attempt {
			t.Errorf("%s: attempt %d, want %d", name, n, tt.attempt)
		}
	}
}

// TestRetryOfSubagent: the line about a sub-agent says that it tries again.
func TestRetryOfSubagent(t *testing.T) {
	t.Parallel()
	f := task(newFeed(), "sync").agent("A", session.AssistantTurnStart{ParentToolCallID: "c"},
		session.ModelCallFailure{StatusCode: http.StatusInternalServerError, ParentToolCallID: "c"})
	if a := f.sub(t); a.Activity != "waiting to try again (attempt 2)" || f.Status().Retry != 0 {
		t.Errorf("it does %q; the session is at attempt %d", a.Activity, f.Status().Retry)
	}
	f.want(t, "prompt go | call task (live)")
}
