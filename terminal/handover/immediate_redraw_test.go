package handover

import (
	"io"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	tea "charm.land/bubbletea/v2"
)

type quitter struct{}

func (quitter) Init() tea.Cmd { return tea.Quit }

func (q quitter) Update(tea.Msg) (tea.Model, tea.Cmd) { return q, nil }

func (quitter) View() tea.View { return tea.View{} }

// TestRedraw: Bubble Tea has the clock that Redraw reaches for. When this fails
// after an update, keys wait for the next frame again: look for the new name.
func TestRedraw(t *testing.T) {
	t.Parallel()
	r := &Redraw{Program: tea.NewProgram(quitter{}, tea.WithInput(nil), tea.WithOutput(io.Discard)), Frame: time.Millisecond}
	if msg := r.Now(); msg != nil || r.clock() != nil {
		t.Error("there is a clock before the first frame")
	}
	if _, err := r.Program.Run(); err != nil {
		t.Fatal(err)
	}
	if r.clock() == nil {
		t.Error("no clock: keys wait for the next frame")
	}
}

// counter is a program whose view is how many messages it got.
type counter struct {
	n       int
	changed func()
}

func (*counter) Init() tea.Cmd { return nil }

func (c *counter) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	if _, ok := msg.(time.Time); ok {
		c.n++
		c.changed()
	}
	return c, nil
}

func (c *counter) View() tea.View { return tea.NewView(strconv.Itoa(c.n)) }

// TestRest: the clock rests while nothing happens, what comes then is drawn soon, and the
// clock hardly ticks any more after that.
func TestRest(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		const frame = 8 * time.Millisecond
		r := &Redraw{Frame: frame}
		drawn := make(chan string, 100)
		r.Program = tea.NewProgram(&counter{changed: r.Changed}, tea.WithInput(nil), tea.WithoutSignalHandler(), tea.WithFPS(120),
			tea.WithOutput(writes(func(p string) { drawn <- p; r.Wrote() })), tea.WithWindowSize(20, 2),
			tea.WithFilter(func(_ tea.Model, msg tea.Msg) tea.Msg { r.Wake(); return msg }))
		done := make(chan error, 1)
		go func() { _, err := r.Program.Run(); done <- err }()
		for n := range 5 {
			time.Sleep(10 * time.Second)
			if paceOf(r) != restTime {
				t.Fatal("the clock does not rest")
			}
			for len(drawn) > 0 {
				<-drawn
			}
			sent := time.Now()
			r.Program.Send(sent)
			for text := ""; !strings.Contains(text, strconv.Itoa(n+1)); {
				text = <-drawn
			}
			if took := time.Since(sent); took > soon {
				t.Errorf("drawn after %v", took)
			}
			if synctest.Wait(); paceOf(r) != settleTime {
				t.Errorf("the clock ticks every %v after a write", paceOf(r))
			}
		}
		r.Program.Quit()
		if err := <-done; err != nil {
			t.Error(err)
		}
	})
}

// TestKeyAndWrite: the end of a write that may be of the view before does not slow the clock
// while a key is drawn.
func TestKeyAndWrite(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		ticker := time.NewTicker(restTime)
		r := &Redraw{Frame: 8 * time.Millisecond, ticks: ticker, pace: restTime, quiet: time.NewTimer(restTime)}
		defer ticker.Stop()
		go r.Now()
		synctest.Wait()
		r.Wrote()
		for range 10 {
			began := time.Now()
			if <-ticker.C; time.Since(began) > atOnce {
				t.Fatalf("ticked after %v", time.Since(began))
			}
		}
		time.Sleep(fastTime)
		if synctest.Wait(); paceOf(r) != settleTime {
			t.Errorf("the clock ticks every %v after the key", paceOf(r))
		}
		r.Changed()
		r.Wake()
		if paceOf(r) != soon {
			t.Errorf("a view waits for %v", paceOf(r))
		}
	})
}

// paceOf is the time between two ticks of the clock now.
func paceOf(r *Redraw) time.Duration {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.pace
}

// writes is an output.
type writes func(string)

func (w writes) Write(p []byte) (int, error) { w(string(p)); return len(p), nil }
