package timeline_test

import (
	"errors"
	"net/http"
	"strings"
	"testing"

	"parley/session"
	"parley/timeline"
)

// TestRetriesAreOneLine: the runtime tells each retry twice; a person reads one
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
	f.want(t, "prompt go | info Request failed due to a transient API error. It went on after 2 retries. | message half (live)")
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
			"prompt go | warning The model's rate limit is reached. Trying again. (cancelled) | boundary Interrupted",
		},
		"nothing more": {
			func(f *feed) { f.stored(session.AssistantTurnEnd{}).live(session.AssistantIdle{}) },
			"prompt go | warning The model's rate limit is reached. Trying again. (failed)",
		},
		"another turn's retry is another line": {func(f *feed) {
			f.live(delta("m", "ok")).stored(said("m", "ok"), session.AssistantTurnEnd{}, session.AssistantTurnStart{}).
				live(session.SessionInfo{InfoType: "model_retry", Message: "Retrying..."})
		}, "prompt go | info The model's rate limit is reached. It went on after one retry. | message ok | warning The model could not be reached. Trying again. (live)"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := newFeed().turn().live(session.AssistantTurnRetry{Reason: "rate_limit"})
			tt.then(f)
			f.want(t, tt.want)
		})
	}
}

func TestAbortIsToldOnce(t *testing.T) {
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
		`{"steps":["a"]}`:               "",
		`[1]`:                           "",
		``:                              "",
		`{"message":"a","message":"b"}`: "",
	} {
		f := newFeed().stored(session.SessionError{Message: "no", Remediation: []byte(raw)})
		if n, ok := f.At(0).Body.(*timeline.Notice); !ok || n.Next != want {
			t.Errorf("%s: %+v", raw, f.At(0).Body)
		}
	}
}
