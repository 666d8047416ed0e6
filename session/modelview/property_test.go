package modelview_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"parley/session"
	"parley/session/modelview"
	"parley/session/sessiontest"
)

// corpus returns the events of all recorded and hand-written logs, log by log.
func corpus(t testing.TB) [][]session.Event {
	t.Helper()
	var logs [][]session.Event
	for _, name := range sessiontest.LogNames(t) {
		logs = append(logs, sessiontest.Log(t, name))
	}
	return logs
}

// apply applies an event and says what is wrong with what came of it.
func apply(v *modelview.View, ev session.Event) string {
	version := v.Version()
	switch out := v.Apply(ev); {
	case out == modelview.Unhandled:
		return fmt.Sprintf("%s is unhandled", ev.Kind())
	case (out == modelview.Applied) != (v.Version() > version):
		return fmt.Sprintf("%s is %v, and the version went from %d to %d", ev.Kind(), out, version, v.Version())
	}
	return unsound(v)
}

// TestAnyOrder feeds logs shuffled, with events missing and events twice, alone
// and mixed with each other.
func TestAnyOrder(t *testing.T) {
	t.Parallel()
	logs := corpus(t)
	rapid.Check(t, func(rt *rapid.T) {
		log := rapid.IntRange(0, len(logs)-1)
		events := slices.Clone(logs[log.Draw(rt, "log")])
		if rapid.Bool().Draw(rt, "mixed") {
			events = append(events, logs[log.Draw(rt, "other")]...)
		}
		for range rapid.IntRange(0, 40).Draw(rt, "moves") {
			i := rapid.IntRange(0, len(events)-1).Draw(rt, "i")
			j := rapid.IntRange(0, len(events)-1).Draw(rt, "j")
			switch rapid.IntRange(0, 3).Draw(rt, "move") {
			case 0:
				events[i], events[j] = events[j], events[i]
			case 1:
				events = slices.Insert(events, j, events[i])
			case 2:
				slices.Reverse(events[min(i, j):max(i, j)])
			case 3:
				if len(events) > 1 {
					events = slices.Delete(events, i, i+1)
				}
			}
		}
		v := modelview.New()
		for _, ev := range events {
			if complaint := apply(v, ev); complaint != "" {
				rt.Fatal(complaint)
			}
		}
	})
}

// TestKindsInAnyOrder feeds the samples of all kinds shuffled, some of them
// twice and some as if they came from a sub-agent, with ids that meet.
func TestKindsInAnyOrder(t *testing.T) {
	t.Parallel()
	var samples []session.Event
	for _, line := range sessiontest.Events(t) {
		samples = append(samples, session.Decode(line))
	}
	slices.SortFunc(samples, func(a, b session.Event) int { return strings.Compare(string(a.Kind()), string(b.Kind())) })
	rapid.Check(t, func(rt *rapid.T) {
		v := modelview.New()
		for _, ev := range rapid.SliceOfN(rapid.SampledFrom(samples), 1, 80).Draw(rt, "events") {
			ev.Agent = rapid.SampledFrom([]session.AgentID{"", "", "a", "b"}).Draw(rt, "agent")
			ev.ID = rapid.SampledFrom([]session.EventID{"", "1", "2", "3", ev.ID}).Draw(rt, "id")
			if complaint := apply(v, ev); complaint != "" {
				rt.Fatal(complaint)
			}
		}
	})
}

// scene draws a session: prompts, answers with calls, results in some order,
// and all else that changes what a model sees, of the root and two sub-agents.
// Ids of calls meet often, those of events and compactions, which begin with the
// scene's own name, never.
func scene(rt *rapid.T, name string) []session.Event {
	compactions := 0
	attempt := func() string { return fmt.Sprint(name, rapid.IntRange(0, compactions).Draw(rt, "attempt")) }
	call := rapid.SampledFrom([]session.CallID{"a", "b", "c", "d", "e"})
	word := rapid.SampledFrom([]string{"one", "two", "three"})
	bodies := []func() session.Body{
		func() session.Body { return user(word.Draw(rt, "prompt")) },
		func() session.Body { return user(word.Draw(rt, "prompt")) },
		func() session.Body {
			return says(word.Draw(rt, "answer"), rapid.SliceOfN(call, 0, 3).Draw(rt, "calls")...)
		},
		func() session.Body { return session.ToolExecutionStart{ToolCallID: call.Draw(rt, "start")} },
		func() session.Body { return result(call.Draw(rt, "of"), word.Draw(rt, "result")) },
		func() session.Body {
			r := result(call.Draw(rt, "of"), "seen")
			r.Result.BinaryResultsForLLM = []session.BinaryResult{{Data: image, MIMEType: "image/png"}}
			return r
		},
		func() session.Body {
			return system(rapid.SampledFrom([]string{"system", "developer"}).Draw(rt, "role"), "", word.Draw(rt, "text"))
		},
		func() session.Body { return notification("shell_completed", word.Draw(rt, "news")) },
		func() session.Body { return session.Abort{Reason: "user_initiated"} },
		func() session.Body { return session.AssistantMessageDelta{MessageID: "m", DeltaContent: "half"} },
		func() session.Body {
			compactions++
			return compacts(fmt.Sprint(name, compactions))
		},
		func() session.Body { return compacted(attempt(), "S") },
		func() session.Body {
			by := rapid.SampledFrom([]string{"", "user-invoked"}).Draw(rt, "trigger")
			return session.SkillInvoked{Name: "hello", Path: "/s/SKILL.md", Content: word.Draw(rt, "skill"), Trigger: by}
		},
		func() session.Body {
			return session.SkillContextDelivered{Source: "skill-hello", Content: word.Draw(rt, "skill")}
		},
		func() session.Body {
			return session.SessionTruncation{MessagesRemovedDuringTruncation: rapid.IntRange(0, 4).Draw(rt, "dropped")}
		},
		func() session.Body { return session.SessionContextCleared{InitialMessage: word.Draw(rt, "first")} },
	}
	var events []session.Event
	for i := range rapid.IntRange(1, 40).Draw(rt, "events") {
		b := rapid.SampledFrom(bodies).Draw(rt, "body")()
		_, delta := b.(session.AssistantMessageDelta)
		events = append(events, session.Event{
			ID: session.EventID(fmt.Sprint(name, "-e", i)), Body: b, Ephemeral: delta,
			Agent: rapid.SampledFrom([]session.AgentID{"", "", "", "A", "B"}).Draw(rt, "agent"),
		})
	}
	return events
}

// same says how two views differ in what they show of a log's events.
func same(a, b *modelview.View, events []session.Event) string {
	if x, y := a.Dump(), b.Dump(); x != y {
		return fmt.Sprintf("one is\n%s\nthe other\n%s", x, y)
	}
	for _, ev := range events {
		if a.Removed(ev.ID) != b.Removed(ev.ID) {
			return fmt.Sprintf("%s %s is gone: %v and %v\n%s", ev.ID, ev.Kind(), a.Removed(ev.ID), b.Removed(ev.ID), a.Dump())
		}
	}
	return ""
}

// TestScenesAreSound: whatever happens in a session, what is sent is sound at
// any time, and nothing that is sent is out of context.
func TestScenesAreSound(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		v := modelview.New()
		for _, ev := range scene(rt, "scene") {
			if complaint := apply(v, ev); complaint != "" {
				rt.Fatal(complaint)
			}
			for _, agent := range append(v.Agents(), "") {
				for _, m := range v.Of(agent) {
					for _, id := range m.Origin {
						if v.Removed(id) {
							rt.Fatalf("%s is gone, and %q is there\n%s", id, m.Text(), v.Dump())
						}
					}
				}
			}
		}
	})
}

// TestRewindIsAsIfNeverSaid: a log in which the user went back equals the one
// without what was taken back, which is all that is stored. What instructs the
// model is apart: the runtime repeats it when it changes.
func TestRewindIsAsIfNeverSaid(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		live := slices.DeleteFunc(scene(rt, "before"), func(ev session.Event) bool { return ev.Kind() == "system.message" })
		kept := live
		for i, ev := range live {
			if ev.Kind() != session.KindUserMessage || ev.Agent != "" || rapid.IntRange(0, 3).Draw(rt, "not to here") > 0 {
				continue
			}
			back := session.SessionSnapshotRewind{UpToEventID: ev.ID}
			if rapid.Bool().Draw(rt, "named") {
				for _, ev := range live[i:] {
					back.EventIDs = append(back.EventIDs, ev.ID)
				}
			}
			kept = live[:i:i]
			live = append(slices.Clip(live), session.Event{ID: "back", Ephemeral: true, Body: back})
			break
		}
		after := scene(rt, "after")
		live, kept = append(slices.Clip(live), after...), append(slices.Clip(kept), after...)
		if complaint := same(project(live), project(kept), kept); complaint != "" {
			for _, ev := range live {
				rt.Logf("%s %s %+v", ev.ID, ev.Agent, ev.Body)
			}
			rt.Fatal(complaint)
		}
	})
}

// stored returns what the runtime keeps of a live log (docs/protocol.md, section
// 9): no ephemeral events, no system message that is like the one before, no
// result of a failed MCP tool, images once and apart, and nothing that was
// taken back.
func stored(events []session.Event) []session.Event {
	var log []session.Event
	assets := map[string]bool{}
	keep := func(data, mimeType string) (asset string) {
		sum := sha256.Sum256([]byte(data))
		asset = "sha256:" + hex.EncodeToString(sum[:])
		if !assets[asset] {
			assets[asset] = true
			log = append(log, session.Event{Body: session.SessionBinaryAsset{AssetID: asset, MIMEType: mimeType, Data: data}})
		}
		return asset
	}
	prompts := map[session.AgentID]string{}
	for _, ev := range events {
		if r, ok := ev.Body.(session.SessionSnapshotRewind); ok {
			from := slices.IndexFunc(log, func(ev session.Event) bool { return ev.ID == r.UpToEventID })
			if from >= 0 && len(r.EventIDs) == 0 {
				log = log[:from]
			}
			log = slices.DeleteFunc(log, func(ev session.Event) bool { return slices.Contains(r.EventIDs, ev.ID) })
		}
		if m, ok := ev.Body.(session.SystemMessage); ok && m.Name == "" && m.Role == "system" {
			if prompts[ev.Agent] == m.Content {
				continue
			}
			prompts[ev.Agent] = m.Content
		}
		if ev.Ephemeral {
			continue
		}
		ev.Replayed = true
		ev.Body = storedForm(ev.Body, keep)
		log = append(log, ev)
	}
	return log
}

// storedForm is the payload of an event as a stored log has it.
func storedForm(b session.Body, keep func(data, mimeType string) string) session.Body {
	switch b := b.(type) {
	case session.UserMessage:
		b.Attachments = slices.Clone(b.Attachments)
		for i, a := range b.Attachments {
			if a.Data != "" && strings.HasPrefix(a.MIMEType, "image/") {
				b.Attachments[i].Extra = fmt.Appendf(nil, `{"assetId":%q}`, keep(a.Data, a.MIMEType))
				b.Attachments[i].Data = ""
			}
		}
		return b
	case session.ToolExecutionComplete:
		if b.Result == nil {
			return b
		}
		r := *b.Result
		r.Contents, r.BinaryResultsForLLM = nil, slices.Clone(r.BinaryResultsForLLM)
		for i, p := range r.BinaryResultsForLLM {
			if p.Data != "" {
				r.BinaryResultsForLLM[i].AssetID, r.BinaryResultsForLLM[i].Data = keep(p.Data, p.MIMEType), ""
			}
		}
		b.Result = &r
		if b.Error != nil && !b.IsUserRequested {
			b.Result = nil
		}
		return b
	}
	return b
}

// TestReplayEqualsLive: a log without what is not stored gives the same view.
func TestReplayEqualsLive(t *testing.T) {
	t.Parallel()
	for _, name := range sessiontest.LogNames(t) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			live := sessiontest.Log(t, name)
			log := stored(live)
			if complaint := same(project(live), project(log), log); complaint != "" {
				t.Error(complaint)
			}
		})
	}
}

// TestWrittenAndReadAgain: a log that was written and read again gives the same
// view.
func TestWrittenAndReadAgain(t *testing.T) {
	t.Parallel()
	again := func(events []session.Event) ([]session.Event, error) {
		var read []session.Event
		for _, ev := range events {
			line, err := session.Encode(ev)
			if err != nil {
				return nil, err
			}
			read = append(read, session.Decode(line))
		}
		return read, nil
	}
	logs := corpus(t)
	rapid.Check(t, func(rt *rapid.T) {
		events := scene(rt, "scene")
		if rapid.Bool().Draw(rt, "recorded") {
			events = logs[rapid.IntRange(0, len(logs)-1).Draw(rt, "log")]
		}
		read, err := again(events)
		if err != nil {
			rt.Fatal(err)
		}
		if complaint := same(project(events), project(read), events); complaint != "" {
			rt.Fatal(complaint)
		}
	})
}

// FuzzApply takes any lines as a log.
func FuzzApply(f *testing.F) {
	var all bytes.Buffer
	for _, line := range sessiontest.Events(f) {
		f.Add(line)
		all.Write(line)
		all.WriteByte('\n')
	}
	f.Add(all.Bytes())
	f.Add([]byte("{\n\x00\xff"))
	f.Fuzz(func(t *testing.T, log []byte) {
		v := modelview.New()
		for line := range bytes.Lines(log) {
			if complaint := apply(v, session.Decode(line)); complaint != "" {
				t.Fatalf("%s, after %q", complaint, line)
			}
		}
		if i := strings.IndexFunc(v.Dump(), func(r rune) bool { return r < ' ' && r != '\t' && r != '\n' || r == 0x7f }); i >= 0 {
			t.Fatalf("the dump holds a control character at %d", i)
		}
	})
}
