package replay_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"

	"parley/session"
	"parley/session/local"
	"parley/session/replay"
	"parley/session/sessiontest"
)

// shelf are logs by session, and how often each was closed.
type shelf map[session.ID]*stored

type stored struct {
	io.Reader
	closed int
}

func (s *stored) Close() error {
	s.closed++
	return nil
}

func (s shelf) open(_ context.Context, id session.ID) (io.ReadCloser, error) {
	if log := s[id]; log != nil {
		return log, nil
	}
	return nil, errors.New("there is no such session")
}

// reads opens a session to be read; the agent is closed with the test.
func reads(t *testing.T, log io.Reader) (*replay.Reader, session.Session, *stored) {
	t.Helper()
	on := &stored{Reader: log}
	r := replay.NewReader(shelf{"one": on}.open)
	t.Cleanup(func() {
		if err := r.Close(context.Background()); err != nil {
			t.Error(err)
		}
	})
	s, err := r.Resume(t.Context(), "one", session.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return r, s, on
}

// toEnd reads a log to its end.
func toEnd(t *testing.T, s session.Session) []session.Event {
	t.Helper()
	r := sessiontest.Read(t, s)
	r.Until("the end of the log", func(ev session.Event) bool {
		_, over := ev.Body.(session.SessionShutdown)
		return over && ev.Ephemeral
	})
	return r.Seen()
}

const (
	begun = `{"type":"session.start","id":"e0","timestamp":"2026-11-20T09:00:00Z","data":{"sessionId":"one","version":1,` +
		`"selectedModel":"gpt-5.4","context":{"cwd":"/home/ada/tide"}}}` + "\n"
	asked  = `{"type":"user.message","id":"e1","timestamp":"2026-11-20T09:00:01Z","data":{"content":"hi"}}` + "\n"
	turned = `{"type":"assistant.turn_start","id":"e2","timestamp":"2026-11-20T09:00:02Z","data":{"turnId":"0"}}` + "\n"
	wished = `{"type":"permission.requested","id":"e3","data":{"requestId":"p1","permissionRequest":{"kind":"shell"}}}` + "\n"
	noise  = `{"type":"model.call_start","id":"n","data":{}}` + "\n"
)

// What is read is of the past: all of it is marked so, nothing is settled that the
// log did not settle, and one event closes what was left open.
func TestRead(t *testing.T) {
	t.Parallel()
	_, s, on := reads(t, strings.NewReader(begun+asked+turned+noise+wished))
	if i := s.Info(); i.ID != "one" || !i.ReadOnly || i.Demo || i.Dir != "/home/ada/tide" || i.Model != "gpt-5.4" {
		t.Errorf("info: %+v", i)
	}
	seen := toEnd(t, s)
	if want := "session.start\nuser.message\nassistant.turn_start\npermission.requested\nsession.shutdown\n"; kinds(seen) != want {
		t.Errorf("events:\n%s", kinds(seen))
	}
	for i, ev := range seen {
		if !ev.Replayed || ev.ID == "" {
			t.Errorf("event %d, %s: replayed %t, id %q", i, ev.Kind(), ev.Replayed, ev.ID)
		}
	}
	if at := seen[3].Time; !at.Equal(seen[2].Time) {
		t.Errorf("an event without a time has %v", at)
	}
	if err := s.Send(t.Context(), session.Input{Prompt: "x"}); !errors.Is(err, replay.ErrReadOnly) {
		t.Errorf("Send: %v", err)
	}
	yes := session.PermissionAnswer{RequestID: "p1", Decision: session.ApproveOnce}
	if err := s.Respond(t.Context(), yes); !errors.Is(err, session.ErrResolved) {
		t.Errorf("Respond: %v", err)
	}
	if err := s.Abort(t.Context()); err != nil {
		t.Errorf("Abort: %v", err)
	}
	if err := s.Close(t.Context()); err != nil || on.closed != 1 {
		t.Errorf("Close: %v; the log was closed %d times", err, on.closed)
	}
	if err := s.Wait(); err != nil {
		t.Errorf("Wait: %v", err)
	}
	if err := s.Abort(t.Context()); err == nil {
		t.Error("Abort works on a closed session")
	}
	if _, open := <-s.Events(); open {
		t.Error("events continue")
	}
}

func TestReadDamage(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		log  io.Reader
		want string // kinds and texts
	}{
		"one bad line":   {strings.NewReader(asked + "{nonsense\n" + turned), "user.message, Line 2 of the log is skipped: , assistant.turn_start"},
		"many bad lines": {strings.NewReader(asked + strings.Repeat("\x00\xff\n", 900) + turned), "user.message, Lines 2 to 901 of the log are skipped; of the first: , assistant.turn_start"},
		"half a line":    {strings.NewReader(asked + turned[:40]), "user.message, The last line of the log, 2, is not whole: it was not written to its end, or still is."},
		"empty":          {strings.NewReader(""), "The log of this session is empty."},
		"only noise":     {strings.NewReader(noise), "The log of this session is empty."},
		"failing": {
			io.MultiReader(strings.NewReader(asked), failing{}),
			"user.message, The log cannot be read any further: read line 2: the disk is gone",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, s, _ := reads(t, c.log)
			var got []string
			for _, ev := range toEnd(t, s) {
				switch b := ev.Body.(type) {
				case session.SessionWarning:
					got = append(got, b.Message)
				case session.SessionInfo:
					got = append(got, b.Message)
				case session.SessionError:
					got = append(got, b.Message)
				case session.SessionShutdown:
				default:
					got = append(got, string(ev.Kind()))
				}
			}
			want := strings.Split(c.want, ", ")
			if strings.Join(got, ", ") != c.want && len(got) != len(want) {
				t.Fatalf("got %q", got)
			}
			if all := strings.Join(got, ", "); all != c.want {
				for i := range want {
					if !strings.HasPrefix(got[i], want[i]) {
						t.Errorf("got %q, want %q first", got[i], want[i])
					}
				}
			}
		})
	}
}

type failing struct{}

func (failing) Read([]byte) (int, error) { return 0, errors.New("the disk is gone") }

// A log whose reader goes away is not read on, and nothing waits for it.
func TestReadIsLeft(t *testing.T) {
	t.Parallel()
	var log bytes.Buffer
	for range 10_000 {
		log.WriteString(asked)
	}
	r, s, on := reads(t, &log)
	<-s.Events()
	if err := s.Close(t.Context()); err != nil || on.closed != 1 {
		t.Fatalf("Close: %v; the log was closed %d times", err, on.closed)
	}
	if log.Len() == 0 {
		t.Error("all of it was read")
	}
	if err := r.Close(t.Context()); err != nil {
		t.Error(err)
	}
	if _, err := r.Resume(t.Context(), "one", session.Options{}); !errors.Is(err, local.ErrClosed) {
		t.Errorf("Resume on a closed agent: %v", err)
	}
}

// The log may grow meanwhile: what is there when its end is reached is shown.
func TestReadGrows(t *testing.T) {
	t.Parallel()
	from, to := io.Pipe()
	go func() { // as whoever writes it does
		for _, part := range []string{asked[:20], asked[20:], turned} {
			_, _ = to.Write([]byte(part))
		}
		_ = to.Close()
	}()
	_, s, _ := reads(t, from)
	if got := kinds(toEnd(t, s)); got != "user.message\nassistant.turn_start\nsession.shutdown\n" {
		t.Errorf("events:\n%s", got)
	}
}

func TestReadNothing(t *testing.T) {
	t.Parallel()
	r, _, _ := reads(t, strings.NewReader(begun))
	if _, err := r.Resume(t.Context(), "two", session.Options{}); err == nil || !strings.Contains(err.Error(), "no such session") {
		t.Errorf("Resume of what is not there: %v", err)
	}
	if _, err := r.Open(t.Context(), session.Options{}); !errors.Is(err, replay.ErrReadOnly) {
		t.Errorf("Open: %v", err)
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := r.Resume(ended, "one", session.Options{}); !errors.Is(err, context.Canceled) {
		t.Errorf("Resume with a context that has ended: %v", err)
	}
}

// A panic of what the log comes from ends the session and not the program.
func TestReadPanics(t *testing.T) {
	t.Parallel()
	on := &stored{Reader: io.MultiReader(strings.NewReader(asked+turned), panicking{})}
	r := replay.NewReader(shelf{"one": on}.open)
	s, err := r.Resume(t.Context(), "one", session.Options{})
	if err != nil {
		t.Fatal(err)
	}
	sessiontest.Read(t, s).Rest()
	var crash *session.PanicError
	if err := s.Wait(); !errors.As(err, &crash) {
		t.Errorf("Wait: %v", err)
	}
}

type panicking struct{}

func (panicking) Read([]byte) (int, error) { panic("no more") }

// BenchmarkRead is how fast a log goes through: it is read once, a line at a time.
func BenchmarkRead(b *testing.B) {
	var log bytes.Buffer
	for i := range 10_000 {
		fmt.Fprintf(&log, `{"type":"user.message","id":"e%d","timestamp":"2026-11-20T09:00:01Z","data":{"content":%q}}`+"\n", i, strings.Repeat("tide ", 100))
	}
	b.SetBytes(int64(log.Len()))
	b.ReportAllocs()
	for b.Loop() {
		r := replay.NewReader(shelf{"one": {Reader: bytes.NewReader(log.Bytes())}}.open)
		s, err := r.Resume(b.Context(), "one", session.Options{})
		if err != nil {
			b.Fatal(err)
		}
		for ev := range s.Events() {
			if ev.Ephemeral {
				break
			}
		}
		if err := r.Close(b.Context()); err != nil {
			b.Fatal(err)
		}
	}
}
