package timeline_test

import (
	"testing"

	"parley/session"
	"parley/timeline"
)

func asks(id session.RequestID) session.PermissionRequested {
	return session.PermissionRequested{RequestID: id, PermissionRequest: session.PermissionRequest{
		PermissionDetails: session.PermissionDetails{Kind: "shell", ToolCallID: "c", FullCommandText: "make", Intention: "Build it"},
	}}
}

func answered(id session.RequestID, kind, feedback string) session.PermissionCompleted {
	return session.PermissionCompleted{
		RequestID: id, ToolCallID: "c", Result: session.PermissionResult{Kind: kind, Feedback: feedback},
	}
}

// TestPermissionOfACall: one call may ask twice, and it waits until both
// questions are settled. Its clock starts with the last yes.
func TestPermissionOfACall(t *testing.T) {
	t.Parallel()
	f := newFeed().stored(startOf("bash", "{}"), asks("p"), asks("q"))
	e, c := f.call(t)
	if !c.Waiting || c.Intention != "Build it" || f.Status().Waiting != 2 {
		t.Errorf("got %+v", c)
	}
	f.stored(answered("p", "approved", ""))
	if !c.Waiting || f.Status().Activity != "waiting for you" {
		t.Error("the second question is still open")
	}
	f.stored(answered("q", "approved-for-session", ""))
	if c.Waiting || !e.At.Equal(clock(5)) || f.Status().Waiting != 0 {
		t.Errorf("waiting %v, since %v", c.Waiting, e.At)
	}
	f = newFeed().stored(startOf("bash", "{}"), asks("p"), answered("p", "denied-interactively-by-user", " use ls "))
	if e, c := f.call(t); e.State != timeline.Refused || c.RefusedBy != timeline.RefusedByUser || c.Feedback != "use ls" || c.Waiting {
		t.Errorf("refused: %v %+v", e.State, c)
	}
}

// TestWhoRefused: who refused is on the call, in the summary of its turn, and on
// the receipt where there is no call. Only what the user refused is theirs.
func TestWhoRefused(t *testing.T) {
	t.Parallel()
	rules := []session.PermissionRule{{Kind: "shell", Argument: "rm"}, {Kind: "write"}}
	for _, tt := range []struct {
		result  session.PermissionResult
		by      timeline.Refuser
		reason  string
		receipt string
	}{
		{session.PermissionResult{Kind: "denied-interactively-by-user"}, timeline.RefusedByUser, "", "Refused by you"},
		{
			session.PermissionResult{Kind: "denied-interactively-by-user", Feedback: "use ls"},
			timeline.RefusedByUser, "use ls", "Refused by you: use ls",
		},
		{
			session.PermissionResult{Kind: "denied-by-rules", Rules: rules},
			timeline.RefusedByRule, "shell(rm), write", "Refused by a rule: shell(rm), write",
		},
		{
			session.PermissionResult{Kind: "denied-no-approval-rule-and-could-not-request-from-user"},
			timeline.RefusedUnasked, "", "Refused, no user to ask",
		},
		{
			session.PermissionResult{Kind: "denied-by-content-exclusion-policy", Message: "It is excluded.", Path: "/a"},
			timeline.RefusedByPolicy, "It is excluded.", "Refused by a content policy: It is excluded.",
		},
		{
			session.PermissionResult{Kind: "denied-by-permission-request-hook", Reason: "not now"},
			timeline.RefusedByHook, "not now", "Refused by a hook: not now",
		},
		{session.PermissionResult{Kind: "something-new"}, timeline.UnknownRefuser, "", "Refused"},
	} {
		completed := session.PermissionCompleted{RequestID: "p", Result: tt.result}
		f := newFeed().turn().stored(startOf("bash", "{}"), asks("p"), completed, session.AssistantTurnEnd{})
		if e, c := f.call(t); e.State != timeline.Refused || c.RefusedBy != tt.by || c.Feedback != tt.reason {
			t.Errorf("%s: %v by %d, %q", tt.result.Kind, e.State, c.RefusedBy, c.Feedback)
		}
		var want timeline.Refusals
		want[tt.by] = 1
		if s, _ := f.summaries(); len(s) != 1 || s[0].Refused != want {
			t.Errorf("%s: the summaries are %+v", tt.result.Kind, s)
		}
		f = newFeed().stored(
			session.PermissionRequested{RequestID: "p", PermissionRequest: session.PermissionRequest{PermissionDetails: session.PermissionDetails{Kind: "url", URL: "x"}}}, completed)
		f.want(t, "question Fetch x? "+tt.receipt+" (refused)")
	}
}

// TestEndOfAPermissionThatSaysNothing: an end that does not say how a question
// was answered is neither a yes nor a no.
func TestEndOfAPermissionThatSaysNothing(t *testing.T) {
	t.Parallel()
	f := newFeed().stored(startOf("bash", "{}"), asks("p"), answered("p", "", ""))
	if e, c := f.call(t); e.State != timeline.Live || c.Waiting {
		t.Errorf("%v %+v", e.State, c)
	}
	f = newFeed().stored(
		session.PermissionRequested{RequestID: "p", PermissionRequest: session.PermissionRequest{PermissionDetails: session.PermissionDetails{Kind: "url", URL: "x"}}},
		session.PermissionCompleted{RequestID: "p"})
	f.want(t, "question Fetch x? Answered")
}

// TestOnlyTheUserStops: a turn that stopped after a rule refused a call is not
// said to have stopped because the user did.
func TestOnlyTheUserStops(t *testing.T) {
	t.Parallel()
	for kind, want := range map[string]string{
		"denied-interactively-by-user": "Stopped, because you refused a call", "denied-by-rules": "Interrupted",
	} {
		f := newFeed().turn().stored(startOf("bash", "{}"), asks("p"), answered("p", kind, ""),
			session.ToolExecutionComplete{ToolCallID: "c", Error: &session.ToolError{Message: "no", Code: "rejected"}}, session.Abort{})
		f.want(t, "prompt go | call bash (refused) | boundary "+want)
	}
}

func TestRefusedCall(t *testing.T) {
	t.Parallel()
	for _, kind := range []string{
		"denied-interactively-by-user", "denied-by-rules", "denied-by-permission-request-hook", "something-new",
	} {
		f := newFeed().stored(startOf("bash", "{}"), asks("p"), answered("p", kind, " use ls "))
		e, c := f.call(t)
		if e.State != timeline.Refused || c.Feedback != "use ls" || c.Waiting {
			t.Errorf("%s: %v %+v", kind, e.State, c)
		}
		f.stored(session.ToolExecutionComplete{ToolCallID: "c", Error: &session.ToolError{Message: "no", Code: "denied"}})
		if e.State != timeline.Refused || c.Error != "no" || !e.End.Equal(clock(3)) {
			t.Errorf("%s: %v %+v", kind, e.State, c)
		}
	}
}

func TestPermissionEdges(t *testing.T) {
	t.Parallel()
	hooked := asks("p")
	hooked.ResolvedByHook = true
	f := newFeed().stored(startOf("bash", "{}"), hooked)
	if _, c := f.call(t); c.Waiting || f.Status().Waiting != 0 {
		t.Error("a hook has answered")
	}
	f = newFeed().stored(startOf("bash", "{}"), asks("p"), session.Abort{}, answered("p", "cancelled", ""))
	if e, c := f.call(t); c.Waiting || e.State != timeline.Cancelled || f.Status().Waiting != 0 {
		t.Errorf("after an abort: %v %+v", e.State, c)
	}
	f = newFeed().stored(startOf("bash", "{}"))
	ev := f.next(asks("p"))
	ev.Replayed = true
	f.Apply(ev)
	if _, c := f.call(t); c.Waiting || f.Status().Waiting != 0 {
		t.Error("a question of the past asks nothing")
	}
	f = newFeed().stored(startOf("bash", "{}"), asks("p")).live(session.AssistantIdle{})
	if e, c := f.call(t); !c.Waiting || e.State != timeline.Live {
		t.Error("an open permission outlives the idle agent")
	}
}

// TestPendingWorkAsksAgain: after a resume the backend reports the question that
// is still open once more, with its old id.
func TestPendingWorkAsksAgain(t *testing.T) {
	t.Parallel()
	f := newFeed().turn()
	for _, b := range []session.Body{startOf("bash", "{}"), asks("p")} {
		ev := f.next(b)
		ev.Replayed = true
		f.Apply(ev)
	}
	f.stored(session.SessionResume{})
	if s := f.Status(); s.Busy || s.Waiting != 0 {
		t.Errorf("after the resume: %+v", s)
	}
	f.stored(asks("p"))
	e, c := f.call(t)
	if e.State != timeline.Live || !c.Waiting || f.Status().Activity != "waiting for you" {
		t.Errorf("%v %+v", e.State, f.Status())
	}
	f.stored(answered("p", "approved", ""), startOf("bash", `{"command":"make"}`))
	if s := f.Status(); !s.Busy || s.Activity != "running make" {
		t.Errorf("after the answer: %+v", s)
	}
}

// TestBornByItsQuestion: a question that comes first says enough to show.
func TestBornByItsQuestion(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		request     session.PermissionRequest
		name, doing string
	}{
		{session.PermissionRequest{PermissionDetails: session.PermissionDetails{Kind: "shell", FullCommandText: "make"}}, "bash", "running make"},
		{session.PermissionRequest{PermissionDetails: session.PermissionDetails{Kind: "write", FileName: "a.go"}}, "edit", "editing a.go"},
		{session.PermissionRequest{PermissionDetails: session.PermissionDetails{Kind: "read", Path: "a.go"}}, "view", "reading a.go"},
		{session.PermissionRequest{PermissionDetails: session.PermissionDetails{Kind: "url", URL: "https://x"}}, "web_fetch", "fetching https://x"},
		{session.PermissionRequest{PermissionDetails: session.PermissionDetails{Kind: "mcp", ServerName: "s", ToolName: "s-t", Args: []byte("{}")}}, "s-t", "using s s-t"},
	} {
		tt.request.ToolCallID = "c"
		f := newFeed().turn().stored(session.PermissionRequested{RequestID: "p", PermissionRequest: tt.request})
		_, c := f.call(t)
		f.stored(answered("p", "approved", ""), session.ToolExecutionStart{ToolCallID: "c"})
		if got := f.Status().Activity; c.Name != tt.name || got != tt.doing {
			t.Errorf("%s: %q %q", tt.request.Kind, c.Name, got)
		}
	}
}

// A call waits for the user from the plan it asks about to the choice, as one that asks
// a question does.
func TestPlanWaits(t *testing.T) {
	t.Parallel()
	f := newFeed().turn().stored(startOf("exit_plan_mode", "{}"))
	_, c := f.call(t)
	f.live(session.ExitPlanModeRequested{RequestID: "q", Summary: "A.", ToolCallID: "c"})
	if !c.Waiting {
		t.Error("the call does not wait while its plan is open")
	}
	f.live(session.ExitPlanModeCompleted{RequestID: "q", SelectedAction: "autopilot"})
	if c.Waiting {
		t.Error("the call waits after the choice")
	}
}

func TestReceipts(t *testing.T) {
	t.Parallel()
	plan := func(c session.ExitPlanModeCompleted) []session.Body {
		c.RequestID = "q"
		return []session.Body{session.ExitPlanModeRequested{RequestID: "q", Summary: "A."}, c}
	}
	form := func(action session.ElicitationAction, content string) []session.Body {
		return []session.Body{
			session.ElicitationRequested{RequestID: "q", Message: "Which?"},
			session.ElicitationCompleted{RequestID: "q", Action: action, Content: []byte(content)},
		}
	}
	for name, tt := range map[string]struct {
		events []session.Body
		want   string
	}{
		"question": {[]session.Body{
			session.UserInputRequested{RequestID: "q", Question: "Red?"},
			session.UserInputCompleted{RequestID: "q", Answer: "blue"},
		}, "question Red? blue"},
		"no question":    {[]session.Body{session.UserInputCompleted{RequestID: "q", Answer: "blue"}}, ""},
		"form":           {form(session.Accept, `{"n":1.5,"b":false,"a":["x","y"]}`), "question Which? a: x, y; b: no; n: 1.5"},
		"form, odd":      {form(session.Accept, `[1]`), "question Which? Accepted"},
		"form, declined": {form(session.Decline, ""), "question Which? Declined (refused)"},
		"question, only its end": {[]session.Body{
			session.UserInputRequested{RequestID: "q", Question: "Red?"}, session.UserInputCompleted{RequestID: "q"},
		}, "question Red? Answered"},
		"question, withdrawn": {[]session.Body{
			session.UserInputRequested{RequestID: "q", Question: "Red?"}, session.UserInputCompleted{RequestID: "q", Withdrawn: true},
		}, "question Red?  (cancelled)"},
		"command of a queue": {
			[]session.Body{session.CommandQueued{RequestID: "q", Command: "/help"}, session.CommandCompleted{RequestID: "q"}},
			"info The agent's queue has come to the command “/help”",
		},
		"form, only its end":       {form("", ""), "question Which? Answered"},
		"form, ended in a new way": {form("later", ""), "question Which? Answered"},
		"form, cancelled":          {form(session.Cancel, ""), "question Which?  (cancelled)"},
		"plan": {
			plan(session.ExitPlanModeCompleted{Approved: ptr(true), SelectedAction: "exit_only"}),
			"question Carry out the plan? A. Yes, but wait for me",
		},
		"plan, new": {
			plan(session.ExitPlanModeCompleted{SelectedAction: "in_the_cloud"}),
			"question Carry out the plan? A. Answered: in_the_cloud",
		},
		"plan, new and approved": {
			plan(session.ExitPlanModeCompleted{SelectedAction: "in_the_cloud", Approved: ptr(true)}),
			"question Carry out the plan? A. Yes: in_the_cloud",
		},
		"plan, approve": {plan(session.ExitPlanModeCompleted{SelectedAction: "approve"}), "question Carry out the plan? A. Yes"},
		"plan, reject":  {plan(session.ExitPlanModeCompleted{SelectedAction: "reject"}), "question Carry out the plan? A. No (refused)"},
		"plan, edit": {
			plan(session.ExitPlanModeCompleted{SelectedAction: "edit", Feedback: "shorter"}),
			"question Carry out the plan? A. No, changes asked for: shorter (refused)",
		},
		"plan, bare":    {plan(session.ExitPlanModeCompleted{}), "question Carry out the plan? A. Answered"},
		"plan, refused": {plan(session.ExitPlanModeCompleted{Approved: ptr(false)}), "question Carry out the plan? A. No (refused)"},
		"plan, of a call": {
			[]session.Body{
				startOf("exit_plan_mode", "{}"),
				session.ExitPlanModeRequested{RequestID: "q", Summary: "A.", ToolCallID: "c"},
				session.ExitPlanModeCompleted{RequestID: "q", SelectedAction: "autopilot"},
			},
			"call exit_plan_mode (live) | question Carry out the plan? Yes, on autopilot",
		},
		"plan, of a call, refused": {
			[]session.Body{
				startOf("exit_plan_mode", "{}"),
				session.ExitPlanModeRequested{RequestID: "q", Summary: "A.", ToolCallID: "c"},
				session.ExitPlanModeCompleted{RequestID: "q", Approved: ptr(false), Feedback: "shorter"},
				session.ToolExecutionComplete{
					ToolCallID: "c", Success: true, Result: &session.ToolResult{Content: "Plan not approved. User feedback:\n\nshorter"},
				},
			},
			"call exit_plan_mode (refused) | question Carry out the plan? No, changes asked for: shorter (refused)",
		},
		"form, of the agent's own call": {
			append([]session.Body{startOf("ask_user", "{}")}, session.ElicitationRequested{RequestID: "q", Message: "Which?", ToolCallID: "c"},
				session.ElicitationCompleted{RequestID: "q", Action: session.Accept}),
			"call ask_user (live)",
		},
		"form, of a server's call": {
			append([]session.Body{startOf("tst-form", "{}")}, session.ElicitationRequested{RequestID: "q", Message: "Which?", ToolCallID: "c"},
				session.ElicitationCompleted{RequestID: "q", Action: session.Accept}),
			"call tst-form (live) | question Which? Accepted",
		},
		"folder": {[]session.Body{
			session.FolderTrustRequested{RequestID: "q", Folder: "/w"}, session.FolderTrustCompleted{RequestID: "q"},
		}, "question Trust the folder /w? Not trusted (refused)"},
		"folder, for this session": {[]session.Body{
			session.FolderTrustRequested{RequestID: "q", Folder: "/w"}, session.FolderTrustCompleted{RequestID: "q", Trusted: true},
		}, "question Trust the folder /w? Trusted for this session"},
		"folder, for good": {[]session.Body{
			session.FolderTrustRequested{RequestID: "q", Folder: "/w"},
			session.FolderTrustCompleted{RequestID: "q", Trusted: true, Remembered: true},
		}, "question Trust the folder /w? Trusted for good"},
		"confirmation": {[]session.Body{
			session.ConfirmationRequested{RequestID: "q", Title: "Turn it off", Message: "Really?"},
			session.ConfirmationCompleted{RequestID: "q", State: session.Accepted},
		}, "question Turn it off\nReally? Accepted"},
		"confirmation, dismissed": {[]session.Body{
			session.ConfirmationRequested{RequestID: "q", Title: "Turn it off"},
			session.ConfirmationCompleted{RequestID: "q", State: session.Dismissed},
		}, "question Turn it off Dismissed (refused)"},
		"confirmation, of nothing": {[]session.Body{
			session.ConfirmationRequested{RequestID: "q", Type: "action"},
			session.ConfirmationCompleted{RequestID: "q", State: session.Dismissed},
		}, "question A confirmation without words Dismissed (refused)"},
		"confirmation, withdrawn": {[]session.Body{
			session.ConfirmationRequested{RequestID: "q", Title: "Turn it off"},
			session.ConfirmationCompleted{RequestID: "q", State: session.Withdrawn},
		}, "question Turn it off  (cancelled)"},
		"asked and interrupted": {[]session.Body{
			session.UserInputRequested{RequestID: "q", Question: "Red?"},
			session.Abort{},
			session.UserInputCompleted{RequestID: "q", Answer: "late"},
		}, "boundary Interrupted"},
		"asked and idle": {[]session.Body{
			session.UserInputRequested{RequestID: "q", Question: "Red?"},
			session.AssistantIdle{},
			session.UserInputCompleted{RequestID: "q", Answer: "late"},
		}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := newFeed().live(tt.events...)
			f.want(t, tt.want)
			if w := f.Status().Waiting; w != 0 {
				t.Errorf("%d questions are open", w)
			}
		})
	}
}

// TestAFormOfACall: a call that asks with a form waits for its answer, but not in
// history, where none can be given.
func TestAFormOfACall(t *testing.T) {
	t.Parallel()
	for _, replayed := range []bool{false, true} {
		f := newFeed().turn().stored(startOf("ask_user", `{"question":"Which?"}`))
		ev := f.next(session.ElicitationRequested{RequestID: "r", ToolCallID: "c", Message: "Which?"})
		ev.Replayed = replayed
		f.Apply(ev)
		if _, c := f.call(t); c.Waiting == replayed {
			t.Errorf("replayed %v: waiting %v", replayed, c.Waiting)
		}
	}
}
