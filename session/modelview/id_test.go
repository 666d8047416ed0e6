package modelview_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"parley/session"
	"parley/session/modelview"
)

// ids are those of what an agent's model sees.
func (k *talk) ids(agent session.AgentID) (ids []modelview.ID) {
	for _, m := range k.Of(agent) {
		ids = append(ids, m.ID)
	}
	return ids
}

// TestIDs: a message keeps its id while others come and go.
func TestIDs(t *testing.T) {
	t.Parallel()
	seen := result("b", "2")
	seen.Result.BinaryResultsForLLM = []session.BinaryResult{{Data: image, MIMEType: "image/png"}, {Data: image, MIMEType: "image/png"}}
	k := newTalk(system("system", "", "be good"), user("go"), says("", "a", "b"))
	keeps := func(what string, places []int, bodies ...session.Body) {
		t.Helper()
		old := k.ids("")
		k.hear(bodies...)
		now := k.ids("")
		for i, place := range places {
			switch {
			case place >= 0 && now[place] != old[i]:
				t.Errorf("%s: message %d was %v and is %v", what, i+1, old[i], now[place])
			case place < 0 && slices.Contains(now, old[i]):
				t.Errorf("%s: there still is a message %v\n%s", what, old[i], k.Dump())
			}
		}
	}
	keeps("a result with images", []int{0, 1, 2}, seen)
	keeps("a result before it", []int{0, 1, 2, 4, 5, 6}, result("a", "1"))
	keeps("the results again", []int{0, 1, 2, 3, 4, 5, 6}, result("a", "1"), seen)
	keeps("another result", []int{0, 1, 2, -1, 4, 5, 6}, result("a", "one"))
	keeps("the system message again", []int{0, 1, 2, 3, 4, 5, 6}, system("system", "", "be good"))
	keeps("another system message", []int{-1, 1, 2, 3, 4, 5, 6}, system("system", "", "be bad"))
	keeps("a system message more", []int{0, 2, 3, 4, 5, 6, 7}, system("developer", "", "x"))
	keeps("a compaction", []int{0, 1, -1, -1, -1, -1, -1, -1}, compacted("k", "S"))
	keeps("a truncation", []int{0, 1, 2}, says("hi"), session.SessionTruncation{MessagesRemovedDuringTruncation: 1}, user("so"))
	keeps("another compaction", []int{0, 1, -1, -1}, compacted("l", "S"))
}

// TestIDsOfWhatChanges: what says something else than before is another message.
func TestIDsOfWhatChanges(t *testing.T) {
	t.Parallel()
	announced := session.SkillInvoked{Name: "hello", Path: "/s/SKILL.md", Content: "x"}
	said := newTalk(announced).Messages()[0].Text()
	thought := session.AssistantMessage{Content: "so", ReasoningText: "hm"}
	for name, c := range map[string]struct {
		before, then session.Body
		keeps        bool
	}{
		"a skill delivered as announced": {announced, session.SkillContextDelivered{Source: "skill-hello", Content: said}, true},
		"a skill delivered otherwise":    {announced, session.SkillContextDelivered{Source: "skill-hello", Content: "y"}, false},
		"an answer without its thinking": {thought, session.SessionResume{}, false},
		"an answer that had none":        {says("so"), session.SessionResume{}, true},
	} {
		k := newTalk(c.before)
		old := k.ids("")
		if now := k.hear(c.then).ids(""); slices.Equal(old, now) != c.keeps || len(now) != 1 {
			t.Errorf("%s: it was %v and is %v", name, old, now)
		}
	}
}

// content is what a message says, without what may differ where that is reported
// again.
func content(m modelview.Message) string {
	m.ID, m.At, m.Origin = modelview.ID{}, time.Time{}, nil
	blobs := ""
	m.Content = slices.Clone(m.Content)
	for i, p := range m.Content {
		if p.Blob != nil {
			blobs += fmt.Sprintf(" %+v", *p.Blob)
			m.Content[i].Blob = nil
		}
	}
	return fmt.Sprintf("%+v", m) + blobs
}

// TestIDsHold: whatever happens in a session, no two messages have one id, what
// has an id says the same at any time, and what is still there keeps it.
func TestIDsHold(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		events := scene(rt, "before")
		var back []session.Event
		for _, ev := range events {
			if ev.Kind() == session.KindUserMessage {
				back = append(back, session.Event{ID: "back", Body: session.SessionSnapshotRewind{UpToEventID: ev.ID}})
			}
		}
		if len(back) > 0 {
			events = append(events, rapid.SampledFrom(back).Draw(rt, "back"))
		}
		events = append(append(events, session.Event{ID: "resume", Body: session.SessionResume{}}), scene(rt, "after")...)
		v := modelview.New()
		said := map[session.AgentID]map[modelview.ID]string{}
		there := map[session.AgentID]map[string][]modelview.ID{}
		for _, ev := range events {
			v.Apply(ev)
			old := there
			there = map[session.AgentID]map[string][]modelview.ID{}
			for _, agent := range append(v.Agents(), "") {
				if said[agent] == nil {
					said[agent] = map[modelview.ID]string{}
				}
				now, unique := map[string][]modelview.ID{}, map[modelview.ID]bool{}
				for _, m := range v.Of(agent) {
					text, known := content(m), said[agent][m.ID]
					if unique[m.ID] || known != "" && known != text {
						rt.Fatalf("after %s: %v says %s\nand %s", ev.ID, m.ID, text, known)
					}
					unique[m.ID], said[agent][m.ID] = true, text
					now[text] = append(now[text], m.ID)
				}
				switch ev.Body.(type) {
				case session.SessionSnapshotRewind, session.SessionCompactionComplete, session.SessionContextCleared:
				default: // nothing of the same text comes for what goes
					for text, ids := range now {
						if was := old[agent][text]; len(was) == 1 && len(ids) == 1 && was[0] != ids[0] {
							rt.Fatalf("after %s: %v is now %v: %s", ev.ID, was[0], ids[0], text)
						}
					}
				}
				there[agent] = now
			}
		}
	})
}
