package tui

import (
	"slices"
	"testing"
	"testing/synctest"
	"time"

	tea "charm.land/bubbletea/v2"

	"parley/session"
	"parley/settings"
	"parley/tui/conversation"
)

// streaming is a session whose events a test writes itself.
type streaming struct {
	scriptedSession
	events chan session.Event
}

func (s *streaming) Events() <-chan session.Event { return s.events }

func still() time.Time { return started }

// Every event arrives once, in order, in batches that are bounded, and the
// sender is held back meanwhile.
func TestPumpDeliversAll(t *testing.T) {
	t.Parallel()
	s := &streaming{events: make(chan session.Event, 64)}
	const total = 3*batch + 17
	go func() {
		defer close(s.events)
		for i := range total {
			s.events <- numbered(i)
		}
	}()
	var got []session.EventID
	for {
		msg := pump(conversation.EventsMsg{Session: s}, still)().(conversation.EventsMsg)
		if len(msg.Events) > batch || msg.Session != session.Session(s) || !msg.At.Equal(started) {
			t.Fatalf("batch of %d of %v at %v", len(msg.Events), msg.Session, msg.At)
		}
		for _, ev := range msg.Events {
			got = append(got, ev.ID)
		}
		if msg.Ended {
			break
		}
	}
	if len(got) != total || slices.Index(got, numbered(total-1).ID) != total-1 {
		t.Errorf("%d events of %d arrived", len(got), total)
	}
}

// One event does not wait for company.
func TestPumpDoesNotWaitForMore(t *testing.T) {
	t.Parallel()
	s := &streaming{events: make(chan session.Event, 1)}
	s.events <- numbered(1)
	if msg := pump(conversation.EventsMsg{Session: s}, still)().(conversation.EventsMsg); len(msg.Events) != 1 || msg.Ended {
		t.Errorf("%+v", msg)
	}
}

// While events come one by one, the first is taken soon, and those after it thirty times a
// second; where they come faster than they are taken, a message holds many.
func TestPumpPaces(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := &streaming{events: make(chan session.Event, 64)}
		last := conversation.EventsMsg{Session: s}
		next := func() (events int, waited time.Duration) {
			began := time.Now()                                    //nolint:forbidigo // the clock of the bubble, as below
			last = pump(last, time.Now)().(conversation.EventsMsg) //nolint:forbidigo // likewise
			return len(last.Events), time.Since(began)             //nolint:forbidigo // likewise
		}
		go func() {
			for i := range 30 {
				s.events <- numbered(i)
				time.Sleep(10 * time.Millisecond) //nolint:forbidigo // likewise
			}
		}()
		if n, waited := next(); n != 1 || waited > gather {
			t.Errorf("%d events after %v at first", n, waited)
		}
		for range 8 {
			if n, waited := next(); n != 3 || waited != streamTime {
				t.Errorf("%d events after %v", n, waited)
			}
		}
		time.Sleep(time.Second) //nolint:forbidigo // likewise
		next()
		go func() {
			for i := range 2 * batch {
				if i == batch+1 {
					time.Sleep(linger / 2) //nolint:forbidigo // likewise
				}
				s.events <- numbered(i)
			}
		}()
		synctest.Wait()
		if n, waited := next(); n != batch || waited != 0 {
			t.Errorf("%d events of many after %v", n, waited)
		}
		if n, waited := next(); n != batch || waited != linger/2 {
			t.Errorf("%d events of a sender that paused after %v", n, waited)
		}
	})
}

// The view is built for the first change at once, and once more for all that came
// during the frame, however many that were. In low-bandwidth mode the first key is drawn
// at once.
func TestFrameIsBuiltOncePerFrame(t *testing.T) {
	t.Parallel()
	low := frame{open: true, low: true}
	drawn := 0
	for _, input := range []bool{false, true, true} {
		low.touch(input)
		low.draw(func() tea.View { drawn++; return tea.View{} }, 0)
	}
	if drawn != 2 {
		t.Errorf("%d views in low-bandwidth mode", drawn)
	}
	f := frame{open: true}
	built := 0
	view := func() { f.draw(func() tea.View { built++; return tea.View{} }, 0) }
	for range 100 {
		f.touch(false)
		view()
	}
	if built != 1 {
		t.Fatalf("%d views were built within a frame", built)
	}
	for range 100 {
		f.touch(true)
		view()
	}
	if built != 1 {
		t.Fatalf("%d views were built within a frame in which keys came", built)
	}
	f.next(0)
	view()
	if built != 2 {
		t.Fatalf("%d views were built in two frames", built)
	}
	f.next(0)
	view()
	if built != 2 || f.timed {
		t.Errorf("an idle window builds views or keeps a timer: %d, %+v", built, f)
	}
}

// Nothing ticks when nothing runs.
func TestIdleWindowIsSilent(t *testing.T) {
	t.Parallel()
	sc := newScenario(t, nil)
	sc.step("type", "hello")
	sc.step("key", "ctrl+c")
	sc.wait(time.Minute)
	if len(sc.timers) != 0 {
		t.Errorf("%d timers run in an idle window", len(sc.timers))
	}
	sc.say(session.Event{ID: "u", Time: sc.at, Body: session.UserMessage{Content: "go"}}, session.Event{ID: "t", Time: sc.at, Body: session.AssistantTurnStart{}})
	if len(sc.timers) == 0 {
		t.Error("no timer while a turn runs")
	}
	sc.say(session.Event{ID: "i", Time: sc.at, Ephemeral: true, Body: session.AssistantIdle{}}, session.Event{ID: "j", Time: sc.at, Ephemeral: true, Body: session.SessionIdle{}})
	sc.wait(time.Minute)
	if len(sc.timers) != 0 {
		t.Errorf("%d timers run after the turn", len(sc.timers))
	}
}

// A flood of events costs what is on the screen, not what came before.
func BenchmarkEventBatch(b *testing.B) {
	s := &scriptedSession{}
	m := newModel(b.Context(), Config{Settings: settings.Defaults()}, conversation.Effects{
		After: func(time.Duration, func(time.Time) tea.Msg) tea.Cmd { return nil },
		Pump:  func(conversation.EventsMsg) tea.Cmd { return nil }, Flushed: func() uint64 { return 0 },
	})
	m.win.Front.Session, m.win.Front.Opening = s, false
	m.display.Resize(120, 40)
	delta := session.Event{Ephemeral: true, Body: session.AssistantMessageDelta{MessageID: "a", DeltaContent: "some words of an answer "}}
	b.ReportAllocs()
	for b.Loop() {
		m.Update(toFront(m, conversation.EventsMsg{Session: s, Events: []session.Event{delta, delta, delta, delta}}))
		m.frame.open = true
		m.draw()
		m.View()
	}
}
