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

// TestClockIsReplaced: Bubble Tea has the clock that Redraw replaces. When this fails after
// an update, changes wait for its next tick again, and it ticks while nothing happens: look
// for the new name.
func TestClockIsReplaced(t *testing.T) {
	t.Parallel()
	var r Redraw
	if r.Drive(tea.NewProgram(&counter{})); r.ticks == nil {
		t.Error("no clock: a change waits for the next frame")
	}
}

// counter is a program whose view is how many messages it got.
type counter struct {
	n      int
	redraw *Redraw
}

func (*counter) Init() tea.Cmd { return nil }

func (c *counter) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	if _, ok := msg.(int); ok {
		c.n++
	}
	return c, nil
}

func (c *counter) View() tea.View {
	c.redraw.Soon()
	return tea.NewView("<" + strconv.Itoa(c.n) + ">")
}

// counting runs a counter until the test is over. It writes to out.
func counting(t *testing.T, out io.Writer) *tea.Program {
	t.Helper()
	var r Redraw
	p := tea.NewProgram(&counter{redraw: &r}, tea.WithInput(nil), tea.WithoutSignalHandler(), tea.WithFPS(1), tea.WithOutput(out),
		tea.WithWindowSize(20, 2), tea.WithFilter(func(_ tea.Model, msg tea.Msg) tea.Msg {
			if r.Filter(msg) {
				return nil
			}
			return msg
		}))
	r.Drive(p)
	done := make(chan error, 1)
	go func() { _, err := p.Run(); done <- err }()
	t.Cleanup(func() {
		p.Quit()
		if err := <-done; err != nil {
			t.Error(err)
		}
	})
	return p
}

// TestDrawnAtOnce: a change is drawn in no time, whatever happened before.
func TestDrawnAtOnce(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var drawn strings.Builder
		p := counting(t, &drawn)
		for n := range 5 {
			time.Sleep(time.Duration(n) * 10 * time.Second) //nolint:forbidigo // by the clock of the bubble
			drawn.Reset()
			p.Send(n)
			if synctest.Wait(); !strings.Contains(drawn.String(), strconv.Itoa(n+1)) {
				t.Errorf("change %d led to %q", n+1, drawn.String())
			}
		}
	})
}
