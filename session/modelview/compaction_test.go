package modelview_test

import (
	"slices"
	"strings"
	"testing"

	"parley/session"
	"parley/session/modelview"
)

// TestCompaction: a summary takes the place of what was said before it was
// begun, with the prompts word by word; what was said meanwhile is kept.
func TestCompaction(t *testing.T) {
	t.Parallel()
	prompt := session.UserMessage{Content: "fix it", TransformedContent: "<now> fix it"}
	k := newTalk(system("system", "", "be good"), prompt, says("", "a"), result("a", "1"), compacts("k"), says("on it", "b"), result("b", "2"))
	before := k.Dump()
	if k.hear(session.SessionUsageInfo{}); k.Dump() != before {
		t.Error("something changed while the summary was made")
	}
	k.wantGone(t)
	k.hear(compacted("k", "S"))
	k.want(t, "", "system: be good", summaryOfWork("S", "fix it"), "assistant: on it + b=bash{}", "tool b bash: 2")
	k.wantGone(t, 2, 3, 4)

	k.hear(says("done"), user("more"), compacts("l"), says("yes"), compacted("l", "T"))
	k.want(t, "", "system: be good", summaryOfWork("T", "fix it", "more"), "assistant: yes")
	k.wantGone(t, 2, 3, 4, 6, 7, 9, 10, 11)
}

// TestCompactionForms: whatever its start says, or without a start,
// the summary stands for what it was made of.
func TestCompactionForms(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		bodies []session.Body
		want   []string
	}{
		"without a start":     {[]session.Body{compacted("k", "S")}, []string{summary("S", "go")}},
		"of an unknown start": {[]session.Body{compacts("x"), says("so"), compacted("k", "S")}, []string{summary("S", "go")}},
		"by itself": {
			[]session.Body{session.SessionCompactionComplete{Success: true, Trigger: "threshold", SummaryContent: "S"}},
			[]string{summaryOfWork("S", "go")},
		},
		"without a name":         {[]session.Body{compacts(""), says("so"), compacted("", "S")}, []string{summary("S", "go"), "assistant: so"}},
		"failed":                 {[]session.Body{compacts("k"), session.SessionCompactionComplete{CompactionAttemptID: "k", Error: "no model"}}, nil},
		"failed, with a text":    {[]session.Body{session.SessionCompactionComplete{SummaryContent: "S"}}, nil},
		"done, without a text":   {[]session.Body{session.SessionCompactionComplete{Success: true}}, nil},
		"begun":                  {[]session.Body{compacts("k")}, nil},
		"failed, then done":      {[]session.Body{compacts("k"), session.SessionCompactionComplete{CompactionAttemptID: "k"}, says("so"), compacts("l"), compacted("l", "S")}, []string{summary("S", "go")}},
		"two at once":            {[]session.Body{compacts("k"), says("a"), compacts("l"), says("b"), compacted("k", "S"), compacted("l", "T")}, []string{summary("T", "go"), "assistant: b"}},
		"the later one is first": {[]session.Body{compacts("k"), says("a"), compacts("l"), says("b"), compacted("l", "T"), compacted("k", "S")}, []string{summary("S", "go"), "assistant: b"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if c.want == nil {
				c.want = []string{"user: go", "assistant: hi"}
			}
			newTalk(user("go"), says("hi")).hear(c.bodies...).want(t, "", c.want...)
		})
	}
}

// TestCompactedCalls: a result that comes when its call is a part of a summary
// is not sent to the model.
func TestCompactedCalls(t *testing.T) {
	t.Parallel()
	k := newTalk(user("go"), session.AssistantMessage{Content: "x"}, says("", "a"), session.ToolExecutionStart{ToolCallID: "a"}, compacted("k", "S"))
	k.wantGone(t, 1, 2, 3, 4)
	k.hear(result("a", "late"), session.ToolExecutionStart{ToolCallID: "a"}, says("so"))
	k.want(t, "", summaryOfWork("S", "go"), "assistant: so")
	k.wantGone(t, 1, 2, 3, 4, 6, 7)
}

// TestTruncation: the oldest answers go, each with the results of its calls;
// what was said in the user's name stays.
func TestTruncation(t *testing.T) {
	t.Parallel()
	drop := func(n int) session.SessionTruncation {
		return session.SessionTruncation{MessagesRemovedDuringTruncation: n}
	}
	talk := func() *talk {
		return newTalk(system("system", "", "be good"), user("one"), says("", "a", "b"), result("a", "1"), result("b", "2"),
			notification("agent_idle", "idle"), user("two"), says("so"), user("three"))
	}
	prompts := []string{"user: one", "user (notification agent_idle): idle", "user: two", "user: three"}
	some := slices.Insert(slices.Clone(prompts), 3, "assistant: so")
	all := slices.Insert(slices.Clone(some), 1, "assistant: a=bash{} + b=bash{}", "tool a bash: 1", "tool b bash: 2")
	for name, c := range map[string]struct {
		n    int
		want []string
	}{
		"none":                     {0, all},
		"fewer than none":          {-3, all},
		"an answer and its result": {3, some},
		"an answer, in part":       {1, some},
		"two answers":              {4, prompts},
		"more than there are":      {99, prompts},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			talk().hear(drop(c.n)).want(t, "", append([]string{"system: be good"}, c.want...)...)
		})
	}
	k := talk().hear(drop(3))
	k.wantGone(t, 3, 4, 5)
	k.hear(drop(1)).want(t, "", append([]string{"system: be good"}, prompts...)...)
	k.wantGone(t, 3, 4, 5, 8)
	k.hear(session.SessionSnapshotRewind{UpToEventID: "e9"}).want(t, "", append([]string{"system: be good"}, all[:len(all)-1]...)...)
	k.wantGone(t)
	k.hear(drop(1)).want(t, "", append([]string{"system: be good"}, some[:len(some)-1]...)...)
	k.wantGone(t, 3, 4, 5)

	k = newTalk(user("one"), says("hi"), compacted("k", "S"), user("two"), says("so"), drop(1))
	k.want(t, "", summary("S", "one"), "user: two")
	k.wantGone(t, 1, 2, 5)

	// A summary of what is left does not stand for work that was dropped.
	newTalk(user("one"), says("", "a"), result("a", "1"), drop(2), compacted("k", "S")).want(t, "", summary("S", "one"))
}

// TestLost: the inspector says so when something is out of the context.
func TestLost(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		then []session.Body
		want bool
	}{
		"nothing happened":          {nil, false},
		"compacted":                 {[]session.Body{compacted("k", "S")}, true},
		"truncated":                 {[]session.Body{session.SessionTruncation{MessagesRemovedDuringTruncation: 1}}, true},
		"cleared":                   {[]session.Body{session.SessionContextCleared{}}, true},
		"instructed otherwise":      {[]session.Body{system("system", "", "be good"), system("system", "", "be bad")}, false},
		"compacted, and taken back": {[]session.Body{user("more"), compacted("k", "S"), session.SessionSnapshotRewind{UpToEventID: "e3"}}, false},
	} {
		k := newTalk(user("go"), says("hi")).hear(c.then...)
		if got := k.HasRemoved(""); got != c.want {
			t.Errorf("%s: lost is %v", name, got)
		}
		if k.agent("A", user("look")).HasRemoved("A") || k.HasRemoved("B") {
			t.Errorf("%s: an agent of whom nothing is lost has", name)
		}
	}
	if newTalk(compacted("k", "S"), session.SessionContextCleared{}, session.SessionContextCleared{}).HasRemoved("") {
		t.Error("something is lost where nothing was said")
	}
}

func TestContextCleared(t *testing.T) {
	t.Parallel()
	k := newTalk(system("system", "", "be good"), user("one"), says("", "a"), result("a", "1"), session.SessionContextCleared{InitialMessage: "start over"})
	k.want(t, "", "system: be good", "user (new beginning): start over")
	k.wantGone(t, 2, 3, 4)
	k.hear(session.SessionContextCleared{}).want(t, "", "system: be good")
	k.wantGone(t, 2, 3, 4, 5)

	// What was cleared away does not come back by a summary.
	k.hear(user("two"), says("so"), compacted("k", "S")).want(t, "", "system: be good", summary("S", "two"))
}

// TestRewind: what is taken back was never said. Real agents name the prompt to
// before which they go, and older ones each event as well.
func TestRewind(t *testing.T) {
	t.Parallel()
	ids := func(list string) (ids []session.EventID) {
		for _, id := range strings.Fields(list) {
			ids = append(ids, session.EventID(id))
		}
		return ids
	}
	back := func(to session.EventID, list string) session.SessionSnapshotRewind {
		return session.SessionSnapshotRewind{UpToEventID: to, EventIDs: ids(list)}
	}
	for _, named := range []bool{false, true} {
		list := func(s string) string {
			if named {
				return s
			}
			return ""
		}
		k := newTalk(user("one"), says("", "a"), result("a", "1"), user("two"), says("", "b"), result("b", "2"), back("e4", list("e4 e5 e6")))
		k.want(t, "", "user: one", "assistant: a=bash{}", "tool a bash: 1")
		k.wantGone(t)
		k.hear(result("b", "late"), user("three")).want(t, "", "user: one", "assistant: a=bash{}", "tool a bash: 1", "user: three")
		k.hear(back("e1", list("e1 e2 e3 e9"))).want(t, "")
		k.hear(user("four")).want(t, "", "user: four")

		// To before a compaction: what it replaced is back.
		k = newTalk(user("one"), says("hi"), user("two"), says("ho"), compacts("k"), compacted("k", "S"), user("three"), says("so"))
		k.wantGone(t, 1, 2, 3, 4)
		k.hear(back("e7", list("e7 e8"))).want(t, "", summary("S", "one", "two"))
		k.wantGone(t, 1, 2, 3, 4)
		k.hear(back("e3", list("e3 e4 e5 e6"))).want(t, "", "user: one", "assistant: hi")
		k.wantGone(t)

		// To between two compactions: the first one's summary is back.
		k = newTalk(user("one"), compacted("k", "S"), user("two"), says("ho"), compacted("l", "T"))
		k.hear(back("e3", list("e3 e4 e5"))).want(t, "", summary("S", "one"))
		k.wantGone(t, 1)

		// To before the context was cleared.
		k = newTalk(user("one"), user("two"), session.SessionContextCleared{InitialMessage: "x"}, user("three"))
		k.hear(back("e2", list("e2 e3 e4"))).want(t, "", "user: one")
		k.wantGone(t)

		// A prompt that ended a call is taken back: it is open again, as it
		// was. One that an abort ended stays so.
		k = newTalk(user("one"), says("", "a"), user("two"), back("e3", list("e3")))
		k.want(t, "", "user: one", "assistant: a=bash{}")
		k.hear(result("a", "1")).want(t, "", "user: one", "assistant: a=bash{}", "tool a bash: 1")
		k = newTalk(user("one"), says("", "a"), session.Abort{}, user("two"), back("e4", list("e4")))
		k.want(t, "", "user: one", "assistant: a=bash{}", "tool a bash, interrupted: "+interrupted)

		// What was cleared away is back, for a summary as well.
		k = newTalk(user("one"), user("two"), session.SessionContextCleared{}, back("e2", list("e2 e3")), compacted("k", "S"))
		k.want(t, "", summary("S", "one"))

		// What instructs the model stays; it is repeated when it changes.
		k = newTalk(system("system", "", "old"), user("one"), user("two"), system("system", "", "new"))
		k.hear(back("e3", list("e3 e4"))).want(t, "", "system: new", "user: one")
		k.wantGone(t, 1)
		k.hear(system("system", "", "old")).want(t, "", "system: old", "user: one")

		// A sub-agent that worked meanwhile: what its call gave back since was
		// not given back, and can be again.
		k = newTalk(user("one"), says("", "t")).agent("A", user("look"), says("", "x")).hear(user("two"))
		k.agent("A", result("x", "seen"), says("found")).hear(back("e5", list("e5 e6 e7")))
		k.want(t, "A", "user: look", "assistant: x=bash{}")
		k.agent("A", result("x", "seen again")).want(t, "A", "user: look", "assistant: x=bash{}", "tool x bash: seen again")

		// A call whose id was used again: the earlier one has it back.
		k = newTalk(user("one"), says("", "a")).agent("A", user("look"), says("", "b")).hear(user("two"))
		k.agent("A", says("", "b")).hear(back("e5", list("e5 e6")))
		k.agent("A", result("b", "seen")).want(t, "A", "user: look", "assistant: b=bash{}", "tool b bash: seen")

		// Sub-agents that were begun since were not.
		k = newTalk(user("one"), user("two"), says("", "t"))
		k.agent("A", user("look"), says("found")).hear(result("t", "found"))
		k.hear(back("e2", list("e2 e3 e4 e5 e6"))).want(t, "", "user: one")
		k.want(t, "A")
	}
}

// TestRewindOfSkills: a skill is announced and delivered as if what was taken
// back had not been.
func TestRewindOfSkills(t *testing.T) {
	t.Parallel()
	invoked := session.SkillInvoked{Name: "hello", Path: "/s/SKILL.md", Content: "x"}
	delivered := func(text string) session.Body {
		return session.SkillContextDelivered{Source: "skill-hello", Content: text}
	}
	back := func(to session.EventID) session.Body { return session.SessionSnapshotRewind{UpToEventID: to} }
	k := newTalk(user("one"), user("two"), invoked, back("e2"), delivered("y"))
	k.want(t, "", "user: one", "user (skill hello): y")
	k = newTalk(invoked, delivered("y"), user("two"), back("e3"), delivered("z"))
	k.want(t, "", "user (skill hello): y", "user (skill hello): z")
	k = newTalk(invoked, user("two"), delivered("y"), back("e2"), delivered("z"))
	k.want(t, "", "user (skill hello): z")
}

// TestRewindBringsBackItsOwn: what one conversation has cut is gone, also when
// another takes something back.
func TestRewindBringsBackItsOwn(t *testing.T) {
	t.Parallel()
	k := newTalk(system("system", "", "be good"), system("system", "", "be bad")).agent("A", user("look"), compacted("k", "S"))
	k.hear(user("one"), compacted("l", "T"), session.SessionSnapshotRewind{UpToEventID: "e5"})
	k.wantGone(t, 1, 3)
}

func TestRewindOfNothing(t *testing.T) {
	t.Parallel()
	k := newTalk(user("one"), says("hi"))
	before := k.Version()
	for _, b := range []session.SessionSnapshotRewind{{}, {UpToEventID: "x"}, {EventIDs: []session.EventID{"x", ""}}} {
		if out := k.Apply(k.next(b)); out != modelview.Ignored || k.Version() != before {
			t.Errorf("%+v is %v", b, out)
		}
	}
	k.want(t, "", "user: one", "assistant: hi")
	nameless := modelview.New()
	nameless.Apply(session.Event{Body: user("of no id")})
	nameless.Apply(session.Event{Body: session.SessionSnapshotRewind{EventsRemoved: 1}})
	if got := outline(nameless.Messages()); got != "user: of no id" {
		t.Errorf("a rewind to nowhere left %q", got)
	}
}
