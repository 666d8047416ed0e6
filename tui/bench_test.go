package tui

import (
	"io"
	"runtime"
	"slices"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	uv "github.com/charmbracelet/ultraviolet"

	"parley/session"
	"parley/session/sessiontest"
	"parley/settings"
	"parley/timeline"
	"parley/tui/conversation"
	"parley/tui/transcript"
	"parley/tui/widget"
)

// bench is a model with a session and without a clock.
type bench struct {
	*Model
	session *scriptedSession
}

func newBench(tb testing.TB) bench {
	tb.Helper()
	m := newModel(tb.Context(), Config{Settings: settings.Defaults()}, conversation.Effects{
		After: func(time.Duration, func(time.Time) tea.Msg) tea.Cmd { return nil },
		Pump:  func(conversation.EventsMsg) tea.Cmd { return nil }, Flushed: func() uint64 { return 0 },
	})
	s := &scriptedSession{}
	m.win.Front.Session, m.win.Front.Opening = s, false
	m.display.Resize(120, 40)
	return bench{m, s}
}

// frame is what the loop does for a batch of events.
func (b bench) frame(events ...session.Event) {
	b.Update(toFront(b.Model, conversation.EventsMsg{Session: b.session, Events: events}))
	b.draw()
}

func (b bench) draw() tea.View {
	b.Model.frame.open = true
	b.Model.draw()
	return b.View()
}

// play gives the model all events, so many in a frame.
func (b bench) play(events []session.Event, each int) {
	for len(events) > 0 {
		n := min(each, len(events))
		b.frame(events[:n]...)
		events = events[n:]
	}
}

// perFrame is how many events a frame takes when 2,000 come in a second.
const perFrame = 2000 / conversation.FrameRate

// BenchmarkFrameAfterDelta is a frame after one delta, with 10 entries and with
// 100,000 above: it should not cost more for what is not on the screen.
func BenchmarkFrameAfterDelta(b *testing.B) {
	var w sessiontest.Workload
	w.Stream(sessiontest.Answer(12*2500), 12, 0)
	deltas := w.Events[2 : len(w.Events)-3]
	sizes := []int{10, 100_000}
	cost, allocs, bytes := make([]float64, 2), make([]float64, 2), make([]float64, 2)
	for b.Loop() {
		for i, size := range sizes {
			m := newBench(b)
			var before sessiontest.Workload
			before.Entries(size, 200)
			m.play(before.Events, batch)
			m.play(w.Events[:2+500], 1)
			runtime.GC()
			var from, to runtime.MemStats
			runtime.ReadMemStats(&from)
			frames := make(sessiontest.Samples, 0, len(deltas))
			for _, delta := range deltas[500:] {
				start := time.Now()
				m.frame(delta)
				frames = append(frames, time.Since(start))
			}
			runtime.ReadMemStats(&to)
			n := float64(len(frames))
			cost[i] = float64(frames.Median()) / float64(time.Microsecond)
			allocs[i], bytes[i] = float64(to.Mallocs-from.Mallocs)/n, float64(to.TotalAlloc-from.TotalAlloc)/n
		}
	}
	b.ReportMetric(cost[0], "µs-of-10")
	b.ReportMetric(cost[1], "µs-of-100000")
	b.ReportMetric(allocs[1], "allocs-of-100000")
	sessiontest.Figure(b, cost[1]/cost[0], "cost-ratio", 1.5)
	sessiontest.Figure(b, allocs[1]/allocs[0], "allocs-ratio", 1.5)
	sessiontest.Figure(b, bytes[1]/bytes[0], "bytes-ratio", 1.5)
}

// BenchmarkResize is the first right frame after a resize of 100,000 entries,
// at the end and far above it.
func BenchmarkResize(b *testing.B) {
	var w sessiontest.Workload
	w.Entries(100_000, 400)
	m := newBench(b)
	m.play(w.Events, batch)
	var end, above sessiontest.Samples
	for i := 0; b.Loop(); i++ {
		m.win.Front.Pane.End()
		m.draw()
		end = append(end, m.resized(80+i%60))
		m.win.Front.Pane.Settle(transcript.Place{Entry: m.win.Front.Timeline.Len() / 2})
		m.draw()
		above = append(above, m.resized(90+i%50))
	}
	b.ReportMetric(sessiontest.Milliseconds(above.Median()), "ms-above")
	b.ReportMetric(sessiontest.Milliseconds(max(end.Quantile(1), above.Quantile(1))), "ms-worst")
	sessiontest.Figure(b, sessiontest.Milliseconds(end.Median()), "ms", 30)
}

func (b bench) resized(width int) time.Duration {
	start := time.Now()
	b.Update(tea.WindowSizeMsg{Width: width, Height: 40})
	b.draw()
	return time.Since(start)
}

// BenchmarkAnswer is a mixed answer in deltas of 12 bytes, 2,000 of them a
// second, from events to views.
func BenchmarkAnswer(b *testing.B) {
	sizes := []int{100 << 10, 200 << 10, 1 << 20}
	used := make([]sessiontest.Samples, len(sizes))
	for b.Loop() {
		for i, size := range sizes {
			used[i] = append(used[i], answerCost(b, sessiontest.Answer(size), perFrame))
		}
	}
	per100KB := func(i int) float64 {
		return sessiontest.Milliseconds(used[i].Median()) * (100 << 10) / float64(sizes[i])
	}
	sessiontest.Figure(b, used[1].Median().Seconds(), "cpu-s/200KB", 0.8)
	sessiontest.Figure(b, used[2].Median().Seconds(), "cpu-s/1MB", 4)
	b.ReportMetric(per100KB(0), "cpu-ms/100KB-at-100KB")
	b.ReportMetric(per100KB(2), "cpu-ms/100KB-at-1MB")
	sessiontest.Figure(b, per100KB(2)/per100KB(0), "ratio", 1.3)
}

// answerCost is the processor time that an answer takes.
func answerCost(tb testing.TB, text string, each int) time.Duration {
	tb.Helper()
	var w sessiontest.Workload
	w.Stream(text, 12, 0)
	m := newBench(tb)
	runtime.GC()
	before := sessiontest.CPU(tb)
	m.play(w.Events, each)
	return sessiontest.CPU(tb) - before
}

// BenchmarkToolOutput is a tool that writes 100,000 lines, in chunks as a pipe
// gives them, and line by line.
func BenchmarkToolOutput(b *testing.B) {
	var chunks, lines sessiontest.Samples
	for b.Loop() {
		chunks = append(chunks, outputCost(b, 1024, perFrame))
		lines = append(lines, outputCost(b, 7, batch))
	}
	sessiontest.Figure(b, chunks.Median().Seconds(), "cpu-s/100000-lines", 0.3)
	b.ReportMetric(lines.Median().Seconds(), "cpu-s/100000-chunks")
}

func outputCost(tb testing.TB, bytes, each int) time.Duration {
	tb.Helper()
	var w sessiontest.Workload
	w.Output(100_000, bytes)
	m := newBench(tb)
	runtime.GC()
	before := sessiontest.CPU(tb)
	m.play(w.Events, each)
	return sessiontest.CPU(tb) - before
}

// BenchmarkTranscript is what a transcript of 10 MB keeps in memory after it
// was looked at from end to start.
func BenchmarkTranscript(b *testing.B) {
	var held sessiontest.Samples
	var before, after runtime.MemStats
	for b.Loop() {
		m := newBench(b)
		m.draw()
		runtime.GC()
		runtime.ReadMemStats(&before)
		func() {
			var w sessiontest.Workload
			w.Entries(3*(10<<20)/(2*4000), 4000)
			m.play(w.Events, batch)
		}()
		for range 2000 {
			m.win.Front.Pane.Scroll(-20)
			m.draw()
		}
		runtime.GC()
		runtime.ReadMemStats(&after)
		held = append(held, time.Duration(after.HeapAlloc-min(before.HeapAlloc, after.HeapAlloc)))
		runtime.KeepAlive(m)
	}
	sessiontest.Figure(b, float64(held.Median())/(1<<20), "MB", 120)
}

// searched is what a key of a search takes.
type searched struct {
	bench
	longest time.Duration // turn of the loop, with its frame
	first   time.Duration // from the key to the first frame with an answer
}

// press gives the model a key and does all that follows from it. It returns how
// long that took.
func (b *searched) press(press tea.KeyPressMsg) time.Duration {
	start := time.Now()
	b.first, b.longest = 0, 0
	b.turn(start, conversation.InputMsg{At: start, Msg: press})
	return time.Since(start)
}

func (b *searched) turn(start time.Time, msg tea.Msg) {
	begun := time.Now()
	_, cmd := b.Update(msg)
	b.draw()
	b.longest = max(b.longest, time.Since(begun))
	if _, ok := msg.(conversation.Message); ok && b.first == 0 {
		b.first = time.Since(start)
	}
	b.follow(start, cmd)
}

func (b *searched) follow(start time.Time, cmd tea.Cmd) {
	if cmd == nil {
		return
	}
	switch msg := cmd().(type) {
	case tea.BatchMsg:
		for _, c := range msg {
			b.follow(start, c)
		}
	case conversation.Message:
		b.turn(start, msg)
	}
}

// BenchmarkSearch10MB is a search through a transcript of 10 MB, letter by
// letter: from a key to the frame with its answer, which is what was found so
// far where an expression takes longer, and how long the loop was busy at most.
func BenchmarkSearch10MB(b *testing.B) {
	m := &searched{bench: newBench(b)}
	var w sessiontest.Workload
	w.Entries(3*(10<<20)/(2*4000), 4000)
	m.play(w.Events, batch)
	bytes := 0
	for i := range m.win.Front.Timeline.Len() {
		bytes += len(timeline.Source(m.win.Front.Timeline.At(i)))
	}
	queries := []string{"single writer", "Only", "e", "render 0.1", "zebra", "päge", `wr.ter|drain\(`}
	var answers, whole, loops []sessiontest.Samples // by the key
	for b.Loop() {
		m.win.Front.Pane.End()
		m.draw()
		n := 0
		key := func(press tea.KeyPressMsg) {
			took := m.press(press)
			if n == len(answers) {
				answers, whole, loops = append(answers, nil), append(whole, nil), append(loops, nil)
			}
			answers[n], whole[n], loops[n] = append(answers[n], m.first), append(whole[n], took), append(loops[n], m.longest)
			n++
		}
		for _, query := range queries {
			m.win.Front.Blocks.Do(m.win.Front.Nav.Search(""))
			for _, r := range query {
				key(tea.KeyPressMsg{Code: r, Text: string(r)})
			}
			for range 5 {
				key(tea.KeyPressMsg{Code: tea.KeyDown})
			}
			m.win.Front.Nav.CloseSearch(false)
		}
	}
	b.ReportMetric(float64(bytes)/(1<<20), "MB")
	b.ReportMetric(slowest(whole), "ms-to-the-end")
	sessiontest.Figure(b, slowest(answers), "ms-slowest-key", 50)
	sessiontest.Figure(b, slowest(loops), "ms-slowest-turn", 1000/conversation.FrameRate)
}

// slowest is the longest that any of the keys takes in the middle of its rounds.
func slowest(keys []sessiontest.Samples) float64 {
	worst := time.Duration(0)
	for _, rounds := range keys {
		worst = max(worst, rounds.Median())
	}
	return sessiontest.Milliseconds(worst)
}

// BenchmarkSelection is a frame at the end of 100,000 entries of which all are
// selected, from the first to what is on the screen.
func BenchmarkSelection(b *testing.B) {
	var w sessiontest.Workload
	w.Entries(100_000, 200)
	m := newBench(b)
	m.play(w.Events, batch)
	var without, with sessiontest.Samples
	frame := func(s *sessiontest.Samples) {
		start := time.Now()
		m.frame(session.Event{Ephemeral: true, Body: session.AssistantMessageDelta{MessageID: "live", DeltaContent: "word "}})
		*s = append(*s, time.Since(start))
	}
	all := transcript.Mark{Spot: m.win.Front.Pane.Spot(transcript.Place{Entry: 0}), Column: widget.Margin}
	for b.Loop() {
		for range 200 {
			m.win.Front.Pane.Selection = transcript.Selection{}
			frame(&without)
			last := transcript.Place{Entry: m.win.Front.Timeline.Len() - 1}
			end := transcript.Mark{Spot: m.win.Front.Pane.Spot(last), Column: transcript.LineEnd}
			m.win.Front.Pane.Selection = transcript.Selection{On: true, From: all, To: end}
			frame(&with)
		}
	}
	b.ReportMetric(float64(with.Median())/float64(time.Microsecond), "µs-selected")
	sessiontest.Figure(b, float64(with.Median())/float64(without.Median()), "cost-ratio", 1.5)
}

// BenchmarkReadSession opens a log of 100,000 events: a batch of them is a frame.
func BenchmarkReadSession(b *testing.B) {
	var w sessiontest.Workload
	w.Entries(100_000, 200)
	var longest time.Duration
	for b.Loop() {
		m := newBench(b)
		m.win.Front.ReadOnly = &conversation.PastSession{}
		for events := w.Events; len(events) > 0; {
			n := min(batch, len(events))
			start := time.Now()
			m.frame(slices.Clone(events[:n])...)
			longest = max(longest, time.Since(start))
			events = events[n:]
		}
	}
	b.ReportMetric(float64(longest)/float64(time.Millisecond), "ms/longest-frame")
	b.ReportMetric(float64(b.Elapsed())/float64(b.N*len(w.Events)), "ns/event")
}

// screen does with a view what Bubble Tea does.
type screen struct {
	cells uv.ScreenBuffer
	out   *uv.TerminalRenderer
}

func newScreen() *screen {
	s := &screen{uv.NewScreenBuffer(120, 40), uv.NewTerminalRenderer(io.Discard, []string{"TERM=xterm-256color", "COLORTERM=truecolor"})}
	s.out.SetFullscreen(true)
	s.out.Resize(120, 40)
	return s
}

func (s *screen) show(content string) {
	s.cells.Clear()
	uv.NewStyledString(content).Draw(s.cells, s.cells.Bounds())
	s.out.Render(s.cells.RenderBuffer)
	_ = s.out.Flush()
}

// BenchmarkRedraw is what a change costs from the message to the renderer's bytes, in a
// conversation of 200 KB, and the share of it that is not Bubble Tea's.
func BenchmarkRedraw(b *testing.B) {
	history := func(b *testing.B) bench {
		b.Helper()
		m := newBench(b)
		var w sessiontest.Workload
		w.Stream(sessiontest.Answer(200<<10), 4000, 0)
		w.Stream(sessiontest.Answer(4000), 12, 0)
		m.play(w.Events[:len(w.Events)-3], batch)
		return m
	}
	at := time.Date(2026, 11, 21, 10, 41, 0, 0, time.UTC)
	for _, c := range []struct {
		name string
		do   func(m bench, i int)
	}{
		{"key", func(m bench, i int) {
			at = at.Add(time.Second)
			m.Update(conversation.InputMsg{At: at, Msg: tea.KeyPressMsg{Code: 'x', Text: "x"}})
			if i%60 == 59 {
				m.Update(conversation.InputMsg{At: at, Msg: tea.KeyPressMsg{Code: 'u', Mod: tea.ModCtrl}})
			}
		}},
		{"delta", func(m bench, i int) {
			text := "word "
			if i%20 == 19 {
				text = "\n\n"
			}
			m.Update(toFront(m.Model, conversation.EventsMsg{Session: m.session, Events: []session.Event{
				{Ephemeral: true, Body: session.AssistantMessageDelta{MessageID: "live", DeltaContent: text}},
			}}))
		}},
		{"page", func(m bench, i int) {
			at = at.Add(time.Second)
			m.Update(conversation.InputMsg{At: at, Msg: tea.KeyPressMsg{Code: tea.KeyPgUp}})
			if i%50 == 49 {
				m.Update(conversation.InputMsg{At: at, Msg: tea.KeyPressMsg{Code: tea.KeyEnd, Mod: tea.ModCtrl}})
			}
		}},
	} {
		b.Run(c.name, func(b *testing.B) {
			m, s := history(b), newScreen()
			b.ReportAllocs()
			var own, theirs time.Duration
			for i := 0; b.Loop(); i++ {
				start := time.Now()
				c.do(m, i)
				content := m.draw().Content
				drawn := time.Now()
				s.show(content)
				own, theirs = own+drawn.Sub(start), theirs+time.Since(drawn)
			}
			b.ReportMetric(float64(own.Nanoseconds())/float64(b.N), "ns-parley/op")
			b.ReportMetric(float64(theirs.Nanoseconds())/float64(b.N), "ns-bubbletea/op")
		})
	}
}
