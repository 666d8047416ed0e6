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
type counter int

func (counter) Init() tea.Cmd { return nil }

func (c counter) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	if _, ok := msg.(time.Time); ok {
		c++
	}
	return c, nil
}

func (c counter) View() tea.View { return tea.NewView(strconv.Itoa(int(c))) }

// TestRest: the clock rests while nothing happens, and what comes then is drawn within a
// frame's time.
func TestRest(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		const frame = 8 * time.Millisecond
		r := &Redraw{Frame: frame}
		drawn := make(chan string, 100)
		r.Program = tea.NewProgram(counter(0), tea.WithInput(nil), tea.WithoutSignalHandler(), tea.WithFPS(120),
			tea.WithOutput(writes(func(p string) { drawn <- p; r.Wake() })), tea.WithWindowSize(20, 2),
			tea.WithFilter(func(_ tea.Model, msg tea.Msg) tea.Msg { r.Wake(); return msg }))
		done := make(chan error, 1)
		go func() { _, err := r.Program.Run(); done <- err }()
		resting := func() bool { r.mu.Lock(); defer r.mu.Unlock(); return r.rests }
		for n := range 5 {
			time.Sleep(10 * time.Second)
			if !resting() {
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
			if took := time.Since(sent); took > 2*frame {
				t.Errorf("drawn after %v", took)
			}
		}
		r.Program.Quit()
		if err := <-done; err != nil {
			t.Error(err)
		}
	})
}

// writes is an output.
type writes func(string)

func (w writes) Write(p []byte) (int, error) { w(string(p)); return len(p), nil }
