package tui

import (
	"io"
	"testing"

	tea "charm.land/bubbletea/v2"
)

type quitter struct{}

func (quitter) Init() tea.Cmd { return tea.Quit }

func (q quitter) Update(tea.Msg) (tea.Model, tea.Cmd) { return q, nil }

func (quitter) View() tea.View { return tea.View{} }

// TestHurry: Bubble Tea has the clock that hurry reaches for. When this fails
// after an update, keys wait for the next frame again: look for the new name.
func TestHurry(t *testing.T) {
	t.Parallel()
	h := &hurry{tea.NewProgram(quitter{}, tea.WithInput(nil), tea.WithOutput(io.Discard))}
	if msg := h.draw(); msg != nil || h.clock() != nil {
		t.Error("there is a clock before the first frame")
	}
	if _, err := h.program.Run(); err != nil {
		t.Fatal(err)
	}
	if h.clock() == nil {
		t.Error("no clock: keys wait for the next frame")
	}
}
