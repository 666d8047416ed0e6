// Command bare is the least that a Bubble Tea program at Parley's frame rate
// does: it shows a line and waits. Parley's idle cost is compared with its own.
package main

import (
	"fmt"
	"os"

	tea "charm.land/bubbletea/v2"
)

type bare struct{}

func (bare) Init() tea.Cmd { return nil }

func (b bare) Update(tea.Msg) (tea.Model, tea.Cmd) { return b, nil }

func (bare) View() tea.View { return tea.View{Content: "bare", AltScreen: true} }

func main() {
	if _, err := tea.NewProgram(bare{}, tea.WithFPS(120)).Run(); err != nil {
		_, _ = fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
