package replay_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"parley/session"
	"parley/session/replay"
	"parley/session/sessiontest"
)

// noon is when every replay begins.
var noon = time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)

// clock is a clock that advances only when it is waited for. It keeps the pauses.
type clock struct {
	mu     sync.Mutex
	now    time.Time
	pauses []time.Duration
	stuck  time.Duration // a pause this long never ends; 0: each ends
	left   int           // how many pauses end; negative: all
}

func newClock() *clock { return &clock{now: noon, left: -1} }

func (c *clock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

func (c *clock) After(d time.Duration) <-chan time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.pauses = append(c.pauses, d)
	over := make(chan time.Time, 1)
	if c.left != 0 && (c.stuck == 0 || d < c.stuck) {
		c.left--
		c.now = c.now.Add(d)
		over <- c.now
	}
	return over
}

func (c *clock) pass(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = c.now.Add(d)
}

// line is an event of a log, so many milliseconds after its start.
type line struct {
	ms   int
	body session.Body
}

// write makes a log of lines, with ids of their own.
func write(t *testing.T, name string, lines ...line) string {
	t.Helper()
	var b bytes.Buffer
	for i, l := range lines {
		text, err := session.Encode(session.Event{
			ID:   session.EventID(fmt.Sprintf("%s-%d", name, i)),
			Time: time.Date(2025, 1, 1, 0, 0, 0, l.ms*1e6, time.UTC), Body: l.body,
		})
		if err != nil {
			t.Fatal(err)
		}
		b.Write(append(text, '\n'))
	}
	return save(t, name+".jsonl", b.String())
}

func save(t *testing.T, name, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// agent opens a replay that is closed with the test.
func agent(t *testing.T, path string, speed float64, c *clock) *replay.Agent {
	t.Helper()
	a, err := replay.Open(t.Context(), replay.Config{Path: path, Speed: speed, Now: c.Now, After: c.After})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := a.Close(context.Background()); err != nil {
			t.Error(err)
		}
	})
	return a
}

func play(t *testing.T, path string, speed float64, c *clock) (session.Session, *sessiontest.Reader) {
	t.Helper()
	s, err := agent(t, path, speed, c).Open(t.Context(), session.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return s, sessiontest.Read(t, s)
}

// kinds are those of events, in order.
func kinds(events []session.Event) string {
	var b strings.Builder
	for _, ev := range events {
		fmt.Fprintln(&b, ev.Kind())
	}
	return b.String()
}

func TestPauses(t *testing.T) {
	t.Parallel()
	path := write(t, "log", line{0, session.UserMessage{Content: "hi"}}, line{1000, session.AssistantTurnStart{TurnID: "0"}},
		line{500, session.SessionInfo{}}, line{600, session.AssistantTurnEnd{TurnID: "0"}},
		line{8 * 3600 * 1000, session.SessionIdle{}}, line{8 * 3600 * 1000, session.SessionInfo{}})
	for _, c := range []struct {
		speed float64
		want  []time.Duration
	}{
		{1, []time.Duration{time.Second, 100 * time.Millisecond, replay.LongestPause}},
		{10, []time.Duration{100 * time.Millisecond, 10 * time.Millisecond, replay.LongestPause / 10}},
		{0.5, []time.Duration{2 * time.Second, 200 * time.Millisecond, 2 * replay.LongestPause}},
		{0, nil},
	} {
		t.Run(fmt.Sprint(c.speed), func(t *testing.T) {
			t.Parallel()
			k := newClock()
			_, r := play(t, path, c.speed, k)
			at := r.Until("the last event", func(ev session.Event) bool { return ev.ID == "log-5" }).Time
			if fmt.Sprint(k.pauses) != fmt.Sprint(c.want) {
				t.Errorf("pauses: %v, want %v", k.pauses, c.want)
			}
			if want := k.Now(); c.speed > 0 && !at.Equal(want) {
				t.Errorf("the last event has the time %v, it was played at %v", at, want)
			}
			if want := time.Date(2025, 1, 1, 8, 0, 0, 0, time.UTC); c.speed == 0 && !at.Equal(want) {
				t.Errorf("the last event has the time %v, the log says %v", at, want)
			}
			for _, ev := range r.Seen() {
				if ev.Replayed {
					t.Errorf("%s is marked as replayed", ev.Kind())
				}
			}
		})
	}
}

// Without a clock of its own, a replay takes the time of the real one.
func TestRealClock(t *testing.T) {
	t.Parallel()
	path := write(t, "log", line{0, session.UserMessage{}}, line{1000, session.SessionInfo{}}, line{9000, session.SessionIdle{}})
	synctest.Test(t, func(t *testing.T) {
		a, err := replay.Open(t.Context(), replay.Config{Path: path, Speed: 2})
		if err != nil {
			t.Fatal(err)
		}
		s, err := a.Open(t.Context(), session.Options{})
		if err != nil {
			t.Fatal(err)
		}
		began := time.Now()
		r := sessiontest.Read(t, s)
		at := r.Until("the end", func(ev session.Event) bool { return ev.Kind() == session.KindSessionIdle }).Time
		if took := time.Since(began); took != 2*time.Second || !at.Equal(time.Now()) {
			t.Errorf("took %v, the last event has the time %v", took, at)
		}
		if err := a.Close(t.Context()); err != nil {
			t.Error(err)
		}
		r.Rest()
	})
}

// Lost time is made up for, but not more than a moment of it.
func TestCatchUp(t *testing.T) {
	t.Parallel()
	var lines []line
	for i := range 300 {
		lines = append(lines, line{i * 100, session.SessionInfo{Message: fmt.Sprint(i)}})
	}
	k := newClock()
	_, r := play(t, write(t, "log", lines...), 1, k)
	r.Until("the first event", func(session.Event) bool { return true })
	k.pass(time.Hour) // no event is read; the replay stands still at its limit
	r.Until("the last event", func(ev session.Event) bool { return ev.ID == "log-299" })
	var total time.Duration
	for _, p := range k.pauses {
		total += p
	}
	if want := 299 * 100 * time.Millisecond; total > want || total < want-time.Second {
		t.Errorf("paused for %v, want a little less than %v", total, want)
	}
}

// Every recorded log arrives whole and in order, without noise, and ends idle.
func TestLogs(t *testing.T) {
	t.Parallel()
	for _, path := range sessiontest.Logs(t) {
		t.Run(filepath.Base(path), func(t *testing.T) {
			t.Parallel()
			var want []session.EventID
			for _, ev := range sessiontest.Log(t, strings.TrimSuffix(filepath.Base(path), ".jsonl")) {
				if !ev.Kind().Noise() {
					want = append(want, ev.ID)
				}
			}
			s, r := play(t, path, 0, newClock())
			r.Until("the end", func(ev session.Event) bool { return ev.ID == want[len(want)-1] })
			if err := s.Close(t.Context()); err != nil {
				t.Fatal(err)
			}
			r.Rest()
			var got []session.EventID
			for _, ev := range r.Seen() {
				if !strings.HasPrefix(string(ev.ID), string(s.Info().ID)) {
					got = append(got, ev.ID)
				}
			}
			if fmt.Sprint(got) != fmt.Sprint(want) {
				t.Errorf("got %d events, want %d", len(got), len(want))
			}
		})
	}
}

func TestInfo(t *testing.T) {
	t.Parallel()
	start := line{0, session.SessionStart{SelectedModel: "gpt-5.4", Context: &session.WorkingContext{Cwd: "/home/ada"}}}
	path := write(t, "chat", start, line{1, session.SessionIdle{}})
	s, _ := play(t, path, 0, newClock())
	if i := s.Info(); i.Agent != "replay of chat.jsonl" || i.Model != "gpt-5.4" || i.Dir != "/home/ada" ||
		i.Mode != session.Interactive || !i.Demo {
		t.Errorf("%+v", i)
	}
	folder := filepath.Join(t.TempDir(), "1234-5678")
	if err := os.Mkdir(folder, 0o700); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(folder, "events.jsonl"), text, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{folder, filepath.Join(folder, "events.jsonl")} {
		if s, _ := play(t, path, 0, newClock()); s.Info().Agent != "replay of 1234-5678" {
			t.Errorf("%+v", s.Info())
		}
	}
}

func TestOpenFails(t *testing.T) {
	t.Parallel()
	empty := t.TempDir()
	for _, c := range []struct {
		path  string
		speed float64
		want  string
	}{
		{filepath.Join(empty, "gone.jsonl"), 1, "there is no log"},
		{empty, 1, "holds no events.jsonl"},
		{os.DevNull, 1, "is no file that can be replayed"},
		{write(t, "a", line{0, session.SessionIdle{}}), -1, "the speed of a replay is"},
		{write(t, "b", line{0, session.SessionIdle{}}), 1e-9, "the speed of a replay is"},
	} {
		_, err := replay.Open(t.Context(), replay.Config{Path: c.path, Speed: c.speed})
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s at %v: %v, want %q", c.path, c.speed, err, c.want)
		}
	}
	a := agent(t, save(t, "blank.jsonl", "\n\n"), 1, newClock())
	if _, err := a.Open(t.Context(), session.Options{}); err == nil || !strings.Contains(err.Error(), "holds no events") {
		t.Errorf("an empty log: %v", err)
	}
	if _, err := a.Resume(t.Context(), "x", session.Options{}); !errors.Is(err, replay.ErrNotStored) {
		t.Errorf("resume: %v", err)
	}
}

// Broken lines are reported with their numbers, in their place.
func TestBrokenLines(t *testing.T) {
	t.Parallel()
	path := save(t, "log.jsonl", `{"type":"user.message","data":{"content":"hi"},"id":"1"}

nonsense
{"type":"session.info","data":{"message":"between"}}
[1]
{"type":"assistant.turn_end","id":"2","timestamp":"2026-01-01T00:00:00Z"}
{"type":"assis`)
	_, r := play(t, path, 0, newClock())
	r.Until("the end", func(ev session.Event) bool { return ev.Kind() == session.KindSessionIdle })
	want := "user.message\nsession.warning\nsession.info\nsession.warning\nassistant.turn_end\nsession.warning\nsession.idle\n"
	if got := kinds(r.Seen()); got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
	for i, n := range []string{"Line 3 of log.jsonl", "Line 5", "Line 7"} {
		if w := sessiontest.All[session.SessionWarning](r.Seen())[i]; !strings.HasPrefix(w.Message, n) {
			t.Errorf("warning %d: %q, want %q", i, w.Message, n)
		}
	}
	ids := map[session.EventID]bool{}
	for _, ev := range r.Seen() {
		if ev.ID == "" || ids[ev.ID] || ev.Time.IsZero() {
			t.Errorf("%s has the id %q and the time %v", ev.Kind(), ev.ID, ev.Time)
		}
		ids[ev.ID] = true
	}
}
