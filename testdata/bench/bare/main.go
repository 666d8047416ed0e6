// Command bare is the least that a Bubble Tea program at Parley's frame rate
// does: it shows a line and what is typed. Parley's idle cost and the time from
// a key to the screen are compared with its own.
package main

import (
	"fmt"
	"os"

	tea "charm.land/bubbletea/v2"
)

type bare struct{ typed string }

func (bare) Init() tea.Cmd { return nil }

func (b bare) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	if key, ok := msg.(tea.KeyPressMsg); ok {
		b.typed += key.Text
		if key.String() == "ctrl+u" {
			b.typed = ""
		}
	}
	return b, nil
}

func (b bare) View() tea.View { return tea.View{Content: "bare\n❯ " + b.typed, AltScreen: true} }

func main() {
	if _, err := tea.NewProgram(bare{}, tea.WithFPS(120)).Run(); err != nil {
		_, _ = fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
