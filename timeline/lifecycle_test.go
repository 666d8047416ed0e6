package timeline_test

import (
	"strings"
	"testing"

	"parley/session"
	"parley/timeline"
)

func TestWhatRunsBesideTheLoopOutlivesIt(t *testing.T) {
	t.Parallel()
	f := newFeed().turn().stored(
		session.ToolUserRequested{ToolCallID: "c", ToolName: "bash"},
		session.SessionCompactionStart{CompactionAttemptID: "k"},
		session.AssistantTurnEnd{},
	).live(session.AssistantIdle{}, session.SessionIdle{}).stored(session.Abort{})
	f.want(t, "prompt go | call bash (live) | info Summarising the conversation so far (live) | boundary Interrupted")
	if s := f.Status(); s.Busy || !s.Compacting {
		t.Errorf("got %+v", s)
	}
	f.stored(session.SessionShutdown{ShutdownType: "routine"})
	f.want(t, "prompt go | call bash (cancelled) | info Summarising the conversation so far (cancelled) | boundary Interrupted")
	if s := f.Status(); !s.Ended || s.Compacting {
		t.Errorf("got %+v", s)
	}
}

func TestRewind(t *testing.T) {
	t.Parallel()
	two := func() *feed {
		f := newFeed().stored(
			session.UserMessage{Content: "one"}, session.AssistantTurnStart{}, said("a", "1"), session.AssistantTurnEnd{}, // e1 to e4
			session.UserMessage{Content: "two"}, session.AssistantTurnStart{}) // e5, e6
		f.live(delta("b", "half")).stored(session.Abort{}, // e8
			session.SessionWarning{Message: "careful"}) // e9
		return f
	}
	f := two()
	f.want(t, "prompt one | message 1 | prompt two | message half (cancelled) | boundary Interrupted | warning careful")
	f.live(session.SessionSnapshotRewind{UpToEventID: "e5", EventIDs: []session.EventID{"e5", "e6", "e8"}})
	f.want(t, "prompt one | message 1 | warning careful | boundary Rewound to before “two”")
	if i, ok := f.Find("notice:e9"); !ok || i != 3 {
		t.Errorf("the warning is found at %d, %v", i, ok)
	}
	if _, ok := f.Find("prompt:e5"); ok {
		t.Error("what was taken back is still found")
	}
	f.stored(session.UserMessage{Content: "three"}).live(delta("b", "whole"))
	f.want(t, "prompt one | message 1 | warning careful | boundary Rewound to before “two” | prompt three | message whole (live)")
	f.live(session.SessionSnapshotRewind{UpToEventID: "e1", EventIDs: []session.EventID{"e1", "e2", "e3", "e4", "e11"}})
	f.want(t, "warning careful | boundary Rewound to before “one”") // with the mark of the one before

	f = two().live(session.SessionSnapshotRewind{UpToEventID: "e5"})
	f.want(t, "prompt one | message 1 | boundary Rewound to before “two”")
	version := f.Version()
	if f.live(session.SessionSnapshotRewind{UpToEventID: "e5"}); f.Version() != version {
		t.Error("a rewind of nothing changed something")
	}
	f.stored(session.UserMessage{Content: "2"}).live(session.SessionSnapshotRewind{UpToEventID: "e12"})
	f.want(t, "prompt one | message 1 | boundary Rewound to before “2”") // one mark, of the last
	f = two().live(session.SessionSnapshotRewind{UpToEventID: "e1"})
	f.want(t, "boundary Rewound to before “one”")
	if f.stored(session.SessionModeChanged{NewMode: "plan"}); f.Len() != 1 {
		t.Errorf("a setting is no news before anything was said: %s", f.outline())
	}
}

// TestWhereARewindWent: to before a prompt is named by its first words.
func TestWhereARewindWent(t *testing.T) {
	t.Parallel()
	for prompt, want := range map[string]string{
		"Mend it.\n\nAll of it.":      "Rewound to before “Mend it. …”",
		strings.Repeat("longer ", 20): "Rewound to before “" + strings.Repeat("longer ", 8) + "long…”",
		strings.Repeat("ü", 60):       "Rewound to before “" + strings.Repeat("ü", 60) + "”",
	} {
		newFeed().stored(session.UserMessage{Content: prompt}).live(session.SessionSnapshotRewind{UpToEventID: "e1"}).want(t, "boundary "+want)
	}
	newFeed().stored(session.UserMessage{Attachments: []session.Attachment{{Type: "file"}}}).
		live(session.SessionSnapshotRewind{UpToEventID: "e1"}).want(t, "boundary Rewound to before a prompt")
	newFeed().stored(said("m", "hi")).live(session.SessionSnapshotRewind{UpToEventID: "e1"}).
		want(t, "boundary Rewound to an earlier point")
}

// TestRewindRemark: what was not put back is said behind the mark of the rewind, whichever
// of both comes first.
func TestRewindRemark(t *testing.T) {
	t.Parallel()
	remark := session.SessionWarning{WarningType: "rewind", Message: "a.txt stays"}
	rewind := session.SessionSnapshotRewind{UpToEventID: "e1", EventIDs: []session.EventID{"e1"}}
	for _, both := range [][]session.Body{{remark, rewind}, {rewind, remark}} {
		f := newFeed().stored(session.UserMessage{Content: "one"})
		f.live(both...).want(t, "boundary Rewound to before “one” | warning a.txt stays")
	}
}

// TestRanCommandSince: commands after a prompt count, those before it, refused ones and
// those that wait to be allowed do not.
func TestRanCommandSince(t *testing.T) {
	t.Parallel()
	command, ended := startOf("bash", `{"command":"make"}`), completeOf("moved to the background")
	for name, tc := range map[string]struct {
		since session.EventID
		more  []session.Body // from e3 on
		want  bool
	}{
		"nothing":       {"e1", nil, false},
		"a command":     {"e1", []session.Body{command, ended}, true},
		"one that runs": {"e1", []session.Body{command}, true},
		"of the user":   {"e1", []session.Body{session.ToolUserRequested{ToolCallID: "c", ToolName: "bash"}, ended}, true},
		"a search":      {"e1", []session.Body{startOf("grep", `{}`), ended}, false},
		"asked":         {"e1", []session.Body{command, asks("q")}, false},
		"refused":       {"e1", []session.Body{command, asks("q"), answered("q", session.DeniedByUser, "")}, false},
		"before it":     {"e5", []session.Body{command, ended, session.UserMessage{Content: "two"}}, false},
	} {
		f := newFeed().stored(session.UserMessage{Content: "one"}, session.AssistantTurnStart{}) // e1, e2
		if got := f.stored(tc.more...).RanCommandSince(tc.since); got != tc.want {
			t.Errorf("%s: %t", name, got)
		}
	}
}

func TestResumeSeparates(t *testing.T) {
	t.Parallel()
	f := newFeed().turn().stored(session.SessionResume{SelectedModel: "b", AlreadyInUse: true})
	f.want(t, "prompt go | boundary Resumed, after the agent ended in the middle of a turn | warning Another process has this session open. "+
		"Both write to the same log, and neither sees the other's turns.")
	if s := f.Status(); s.Busy || s.Model != "b" {
		t.Errorf("got %+v", s)
	}
	f = newFeed().turn().stored(session.SessionResume{AlreadyInUse: true, SessionWasActive: true})
	f.want(t, "prompt go | boundary Joined the running session")
	if !f.Status().Busy {
		t.Error("a window that joins ends nothing")
	}
}

func TestResumeSaysWithWhat(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		b    session.SessionResume
		want string
	}{
		{session.SessionResume{}, "Resumed"},
		{session.SessionResume{EventCount: 1, SelectedModel: "a"}, "Resumed"},
		{session.SessionResume{EventCount: 1200}, "Resumed"},
		{session.SessionResume{EventCount: 9, SelectedModel: "b"}, "Resumed, with b in place of a"},
	} {
		newFeed().stored(session.SessionStart{SelectedModel: "a"}, tt.b).want(t, "boundary "+tt.want)
	}
}

func TestTaskComplete(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		b    session.SessionTaskComplete
		want string
	}{
		{session.SessionTaskComplete{}, "success Task complete"},
		{session.SessionTaskComplete{Success: ptr(true)}, "success Task complete"},
		{session.SessionTaskComplete{Success: ptr(false)}, "warning Task not complete"},
		{session.SessionTaskComplete{Outcome: "blocked", Reason: "no access"}, "warning Task blocked: no access"},
		{session.SessionTaskComplete{Summary: "All **done**."}, "success Task complete | message All **done**."},
		{session.SessionTaskComplete{Summary: "Half.", Success: ptr(false)}, "warning Task not complete | message Half."},
		{session.SessionTaskComplete{Summary: " \n"}, "success Task complete"},
	} {
		newFeed().stored(tt.b).want(t, tt.want)
	}
}

// TestTaskCompleteIsShownOnce: the call that said so is for those who want all.
func TestTaskCompleteIsShownOnce(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		done  session.ToolExecutionComplete
		minor bool
	}{
		"one that worked": {completeOf("Done."), true},
		"one that failed": {session.ToolExecutionComplete{ToolCallID: "c", Error: &session.ToolError{Message: "no"}}, false},
	} {
		f := newFeed().turn().stored(startOf("task_complete", `{"summary":"Done."}`), tt.done, session.HookEnd{HookType: "postToolUse", Success: true},
			session.AssistantTurnEnd{}, session.SessionTaskComplete{})
		if e, _ := f.call(t); e.VerboseOnly != tt.minor {
			t.Errorf("%s: minor is %t", name, e.VerboseOnly)
		}
	}
	f := newFeed().turn().stored(startOf("bash", `{}`), completeOf("ok"), session.SessionTaskComplete{})
	if e, _ := f.call(t); e.VerboseOnly {
		t.Error("another call is minor")
	}
}

func TestCallsEndWithTheirProcess(t *testing.T) {
	t.Parallel()
	f := newFeed().turn().stored(startOf("bash", "{}"))
	f.n += 50
	f.stored(session.SessionResume{})
	if e, _ := f.call(t); !e.End.Equal(clock(3)) {
		t.Errorf("it ran until %v", e.End)
	}
}

func TestSummaryIsNotSaidTwice(t *testing.T) {
	t.Parallel()
	newFeed().turn().stored(said("m", "All done."), session.SessionTaskComplete{Summary: "All done."}).
		want(t, "prompt go | message All done. | success Task complete")
	newFeed().turn().stored(said("m", "Look:"), session.SessionTaskComplete{Summary: "All done."}).
		want(t, "prompt go | message Look: | success Task complete | message All done.")
	done := session.SessionTaskComplete{Summary: "All **done**:\n\n- the north gate\n"}
	newFeed().turn().stored(said("m", "\nAll **done**:\n- the north gate"), session.AssistantTurnEnd{},
		session.UserMessage{IsAutopilotContinuation: true, Source: "autopilot"}, session.AssistantTurnStart{TurnID: "1"},
		startOf("task_complete", "{}"), completeOf(done.Summary), done).
		want(t, "prompt go | message \nAll **done**:\n- the north gate | call task_complete | success Task complete")
	newFeed().turn().stored(said("m", done.Summary), session.AssistantTurnEnd{}, session.UserMessage{Content: "Again."}, session.AssistantTurnStart{}, done).
		want(t, "prompt go | message "+done.Summary+" | prompt Again. | success Task complete | message "+done.Summary)
}

func TestContextIsCountedAndCut(t *testing.T) {
	t.Parallel()
	f := newFeed().stored(
		session.SessionTruncation{MessagesRemovedDuringTruncation: 1},
		session.SessionTruncation{},
		session.SessionCompactionStart{CompactionAttemptID: "k", Trigger: "model_switch"},
		session.SessionCompactionStart{CompactionAttemptID: "k"},
		session.SessionCompactionComplete{CompactionAttemptID: "k", Success: true, MessagesRemoved: 1234, PostCompactionTokens: 7},
		session.SessionCompactionStart{}, session.SessionCompactionComplete{Success: true},
	)
	f.want(t, "warning The oldest messages no longer fit: the model does not see them any more | "+
		"warning The oldest messages no longer fit: the model does not see them any more | "+
		"info The conversation so far was summarised: 1 234 messages fewer | info The conversation so far was summarised")
	if n := f.Status().ContextTokens; n != 7 {
		t.Errorf("%d tokens", n)
	}
}

func TestSchedules(t *testing.T) {
	t.Parallel()
	newFeed().stored(
		session.SessionScheduleCreated{ID: 1, Prompt: "a", IntervalMs: 7200000},
		session.SessionScheduleCreated{ID: 2, Prompt: "b\nc", SelfPaced: true},
		session.SessionScheduleCreated{ID: 3, At: 1772442000000},
		session.SessionScheduleCreated{ID: 4, Prompt: "d"},
	).want(t, "info Schedule 1: every 2h, a | info Schedule 2: when the agent finds it time, b c | "+
		"info Schedule 3: at 2026-03-02 09:00 UTC | info Schedule 4: once, d")
}

func TestSettingsAreShownOnce(t *testing.T) {
	t.Parallel()
	mode := func(from, to session.Mode) session.Body {
		return session.SessionModeChanged{PreviousMode: from, NewMode: to}
	}
	f := newFeed().stored(mode(session.Interactive, session.Plan))
	f.want(t, "")
	f.stored(session.UserMessage{Content: "go"}, mode(session.Plan, session.Autopilot), mode(session.Autopilot, session.Interactive))
	f.want(t, "prompt go | info Mode changed from plan to interactive")
	id := f.At(1).ID
	f.stored(session.SessionModelChange{NewModel: "m", PreviousModel: "l"}, mode(session.Interactive, session.Plan))
	f.want(t, "prompt go | info Model changed from l to m")
	if _, ok := f.Find(id); ok {
		t.Error("a mode that is as it was is still shown")
	}
	f.stored(session.UserMessage{Content: "on"}, session.SessionModelChange{NewModel: "m", ReasoningEffort: "high"},
		session.SessionModelChange{NewModel: "m"})
	f.want(t, "prompt go | info Model changed from l to m | prompt on")
	if len(f.At(1).Origin) != 1 || f.At(1).State != timeline.Done {
		t.Errorf("got %+v", f.At(1))
	}
}

// TestProcessEndsInTurn: a turn that was open when its process ended is named where the session
// is resumed; one that was over, or was aborted, is not.
func TestProcessEndsInTurn(t *testing.T) {
	t.Parallel()
	const cut = "Resumed, after the agent ended in the middle of a turn"
	resume := session.SessionResume{}
	newFeed().turn().stored(resume, resume).want(t, "prompt go | boundary "+cut+" | boundary Resumed")
	newFeed().turn().stored(said("a", "1"), resume).want(t, "prompt go | message 1 | boundary "+cut)
	newFeed().turn().stored(said("a", "1"), session.AssistantTurnEnd{}, resume).want(t, "prompt go | message 1 | boundary Resumed")
	newFeed().turn().stored(session.SessionShutdown{}, resume, resume).want(t, "prompt go | boundary "+cut+" | boundary Resumed")
	newFeed().turn().stored(session.AssistantTurnEnd{}, session.SessionShutdown{}, resume).want(t, "prompt go | boundary Resumed")
	newFeed().turn().stored(session.SessionResume{SessionWasActive: true}).want(t, "prompt go | boundary Joined the running session")
	newFeed().turn().stored(session.Abort{}, resume).want(t, "prompt go | boundary Interrupted | boundary Resumed")
}
