package modelview_test

import (
	"testing"

	"parley/session"
	"parley/session/modelview"
)

// TestResults: results stand behind the message that asked, in the order in
// which it did, whatever the order in which they came.
func TestResults(t *testing.T) {
	t.Parallel()
	asks := "assistant: two + a=bash{} + b=bash{} + c=bash{}"
	k := newTalk(user("go"), says("two", "a", "b", "c"), result("c", "3"), result("a", "1"))
	k.want(t, "", "user: go", asks, "tool a bash: 1", "tool c bash: 3") // b still runs
	k.hear(result("b", "2"), says("done"))
	k.want(t, "", "user: go", asks, "tool a bash: 1", "tool b bash: 2", "tool c bash: 3", "assistant: done")
	k.wantGone(t)
}

func TestResultsOfEachKind(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		complete session.ToolExecutionComplete
		want     []string
	}{
		"what the model is sent, not the user": {
			session.ToolExecutionComplete{Success: true, Result: &session.ToolResult{Content: "short", DetailedContent: "long"}},
			[]string{"tool c bash: short"},
		},
		"an error": {
			session.ToolExecutionComplete{Error: &session.ToolError{Message: "no such tool", Code: "failure"}},
			[]string{"tool c bash: no such tool"},
		},
		"an error with a result": {
			session.ToolExecutionComplete{Error: &session.ToolError{Message: "x"}, Result: &session.ToolResult{Content: "y"}},
			[]string{"tool c bash: y"},
		},
		"nothing": {session.ToolExecutionComplete{}, []string{"tool c bash: "}},
		"an image": {
			session.ToolExecutionComplete{Result: &session.ToolResult{Content: "seen", BinaryResultsForLLM: []session.BinaryResult{
				{Data: image, MIMEType: "image/png", Description: "a dot"},
				{AssetID: "sha256:x", MIMEType: "image/png"},
				{AssetID: "unknown", MIMEType: "image/png"},
				{Data: image, MIMEType: "application/pdf"},
			}}},
			[]string{
				"tool c bash: seen",
				"user (tool bash): a dot <image/png " + image + ">",
				"user (tool bash): Here is an image: <image/png STORED>",
				"user (tool bash): Here is an image: <image/png >",
			},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c.complete.ToolCallID = "c"
			k := newTalk(session.SessionBinaryAsset{AssetID: "sha256:x", Data: "STORED", MIMEType: "image/png"}, says("", "c"))
			k.hear(c.complete)
			k.want(t, "", append([]string{"assistant: c=bash{}"}, c.want...)...)
		})
	}
}

// TestImagesStandBehindAllResults: no message may come between a call and the
// results, so what only the user can hold comes after the last of them.
func TestImagesStandBehindAllResults(t *testing.T) {
	t.Parallel()
	seen := func(id session.CallID) session.ToolExecutionComplete {
		r := result(id, "seen "+string(id))
		r.Result.BinaryResultsForLLM = []session.BinaryResult{{Data: image, MIMEType: "image/png", Description: string(id)}}
		return r
	}
	k := newTalk(says("", "a", "b", "c"), seen("a"), result("b", "text"), seen("c"), user("thanks"))
	k.want(t, "", "assistant: a=bash{} + b=bash{} + c=bash{}", "tool a bash: seen a", "tool b bash: text", "tool c bash: seen c",
		"user (tool bash): a <image/png "+image+">", "user (tool bash): c <image/png "+image+">", "user: thanks")
}

// TestInterrupted: a call whose result can no longer come is answered, by the
// words of the runtime.
func TestInterrupted(t *testing.T) {
	t.Parallel()
	asks, cut := "assistant: a=bash{} + b=bash{}", "tool b bash, interrupted: "+interrupted
	for name, c := range map[string]struct {
		then []session.Body
		want []string
	}{
		"it still runs":    {nil, nil},
		"stopped":          {[]session.Body{session.Abort{Reason: "user_initiated"}}, []string{cut}},
		"a prompt":         {[]session.Body{user("well?")}, []string{cut, "user: well?"}},
		"another answer":   {[]session.Body{says("so")}, []string{cut, "assistant: so"}},
		"it came too late": {[]session.Body{user("well?"), result("b", "2")}, []string{"tool b bash: 2", "user: well?"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			k := newTalk(says("", "a", "b"), result("a", "1")).hear(c.then...)
			k.want(t, "", append([]string{asks, "tool a bash: 1"}, c.want...)...)
		})
	}
	m := newTalk(says("", "a"), session.Abort{}).Messages()[1]
	if m.At.IsZero() || len(m.Origin) != 1 || m.Origin[0] != "e1" {
		t.Errorf("an interrupted call is of %v at %v", m.Origin, m.At)
	}
}

// TestCallIDsTwiceInAMessage: no service takes two results of one id.
func TestCallIDsTwiceInAMessage(t *testing.T) {
	t.Parallel()
	asks := "assistant: a=bash{} + b=bash{} + a=bash{}"
	k := newTalk(says("", "a", "b", "a"), result("a", "1"))
	k.want(t, "", asks, "tool a bash: 1")
	k.hear(user("go"), user("on"), session.SessionSnapshotRewind{UpToEventID: "e4"})
	k.want(t, "", asks, "tool a bash: 1", "tool b bash, interrupted: "+interrupted, "user: go")
}

// TestNotificationWhileACallRuns: what is reported meanwhile does not end a call.
func TestNotificationWhileACallRuns(t *testing.T) {
	t.Parallel()
	k := newTalk(says("", "a"), notification("agent_idle", "idle"), result("a", "1"))
	k.want(t, "", "assistant: a=bash{}", "tool a bash: 1", "user (notification agent_idle): idle")
}

func TestSteering(t *testing.T) {
	t.Parallel()
	steer := session.UserMessage{Content: "use ls", Delivery: session.DeliveredSteering}
	k := newTalk(user("go"), says("", "a"), result("a", "moved to background"), steer, says("fine"))
	k.want(t, "", "user: go", "assistant: a=bash{}", "tool a bash: moved to background", "user: use ls", "assistant: fine")
}

// TestStrangersResults: the result of a call that the model did not make is not
// in its conversation.
func TestStrangersResults(t *testing.T) {
	t.Parallel()
	k := newTalk(user("go"))
	if out := k.Apply(k.next(result("x", "out"))); out != modelview.Ignored {
		t.Errorf("a result of nothing is %v", out)
	}
	k.want(t, "", "user: go")
}

// TestCallIDsUsedAgain: some providers count calls again for each answer.
func TestCallIDsUsedAgain(t *testing.T) {
	t.Parallel()
	k := newTalk(says("", "call_0"), result("call_0", "1"), says("", "call_0"), result("call_0", "2"))
	k.want(t, "", "assistant: call_0=bash{}", "tool call_0 bash: 1", "assistant: call_0=bash{}", "tool call_0 bash: 2")
}
