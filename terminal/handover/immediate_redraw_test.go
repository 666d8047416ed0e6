package handover

import (
	"io"
	"testing"
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
