package tui

import (
	"fmt"
	"runtime"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"parley/session"
	"parley/session/sessiontest"
	"parley/settings"
	"parley/tui/conversation"
)

// longSession is a session without an end: turns of many small deltas, and
// tools that print more and more.
type longSession struct {
	at    time.Time
	turn  int
	text  int // bytes that a timeline keeps of all of it
	given int
}

// next is one turn.
func (l *longSession) next() []session.Event {
	l.turn++
	var all []session.Event
	add := func(ephemeral bool, b session.Body) {
		l.at = l.at.Add(time.Millisecond)
		all = append(all, session.Event{ID: session.EventID(fmt.Sprintf("ev%d-%d", l.turn, len(all))), Time: l.at, Ephemeral: ephemeral, Body: b})
	}
	id := fmt.Sprint(l.turn)
	prompt := "go on with part " + id
	add(false, session.UserMessage{Content: prompt, MessageID: session.MessageID("u" + id)})
	add(false, session.AssistantTurnStart{TurnID: "0"})
	var answer strings.Builder
	for i := range 300 {
		delta := fmt.Sprintf("word%d of ", i)
		if i%25 == 24 {
			delta = "the **end**.\n\n"
		}
		answer.WriteString(delta)
		add(true, session.AssistantMessageDelta{MessageID: session.MessageID("m" + id), DeltaContent: delta})
	}
	add(false, session.AssistantMessage{MessageID: session.MessageID("m" + id), Content: answer.String()})
	add(false, session.ToolExecutionStart{ToolCallID: session.CallID("c" + id), ToolName: "bash", Arguments: []byte(`{"command":"make test"}`)})
	output := ""
	for i := range 50 {
		output += fmt.Sprintf("ok  \tpackage/number/%d\t0.0%d s\n", i, i%10)
		add(true, session.ToolExecutionPartialResult{ToolCallID: session.CallID("c" + id), PartialOutput: output})
	}
	add(false, session.ToolExecutionComplete{ToolCallID: session.CallID("c" + id), Success: true, Result: &session.ToolResult{Content: output}})
	add(true, session.AssistantIdle{})
	add(true, session.SessionIdle{})
	l.text += len(prompt) + answer.Len() + 2*len(output) // what came while it ran, and the result
	l.given += len(all)
	return all
}

// A session that runs for long keeps what was said in it and little more,
// and a frame costs at its end what it cost at its start.
func TestSoak(t *testing.T) { // not parallel: it counts memory
	s := &scriptedSession{}
	m := newModel(t.Context(), Config{Settings: settings.Defaults()}, conversation.Effects{
		After: func(time.Duration, func(time.Time) tea.Msg) tea.Cmd { return nil },
		Pump:  func(conversation.EventsMsg) tea.Cmd { return nil }, Flushed: func() uint64 { return 0 },
	})
	m.win.Front.Session, m.win.Front.Opening = s, false
	m.display.Resize(120, 40)
	heap := func() uint64 {
		var stats runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&stats)
		return stats.HeapAlloc
	}
	frame := func() {
		m.Update(conversation.EventsMsg{Session: s, At: m.win.Now, Events: []session.Event{
			{Time: m.win.Now, Ephemeral: true, Body: session.AssistantMessageDelta{MessageID: "live", DeltaContent: "word "}},
		}})
		m.frame.open = true
		m.draw()
		m.View()
	}
	cost := func() float64 {
		frame() // the caches are filled
		return testing.AllocsPerRun(50, frame)
	}
	log := &longSession{at: started}
	say := func(turns int) {
		for range turns {
			events := log.next()
			for len(events) > 0 {
				n := min(len(events), batch)
				m.Update(toFront(m, conversation.EventsMsg{Session: s, Events: events[:n], At: log.at}))
				m.frame.open = true
				m.draw()
				m.View()
				events = events[n:]
			}
		}
	}
	say(30)
	before, textBefore, entriesBefore, costBefore := heap(), log.text, m.win.Front.Timeline.Len(), cost()
	for total := sessiontest.Soak(t, 150_000, 1_000_000); log.given < total; {
		say(10)
	}
	grown, text := int(heap())-int(before), log.text-textBefore
	t.Logf("%d events, %d entries, %d KB of text: the heap grew by %d KB, a frame makes %.0f allocations (%.0f at the start)",
		log.given, m.win.Front.Timeline.Len(), text>>10, grown>>10, cost(), costBefore)
	// The text is kept as it came, as it is shown, and as the model sees it.
	const anEntry = 1024 // bytes in addition to its text, in both projections
	if entries := m.win.Front.Timeline.Len() - entriesBefore; grown > 4*text+anEntry*entries {
		t.Errorf("the heap grew by %d KB for %d KB of text in %d entries", grown>>10, text>>10, entries)
	}
	if now := cost(); now > 1.5*costBefore+20 {
		t.Errorf("a frame makes %.0f allocations, at the start %.0f", now, costBefore)
	}
	runtime.KeepAlive(m)
}
