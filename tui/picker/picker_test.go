package picker

import (
	"testing"

	tea "charm.land/bubbletea/v2"

	"parley/theme"
	"parley/tui/keymap"
	"parley/tui/overlay"
	"parley/tui/widget"
)

// The mark before what is typed may be pressed to begin the filter, and writes nothing.
// What is searched for may begin with it.
func TestFilterMarkBegins(t *testing.T) {
	t.Parallel()
	for want, search := range map[string]func(string) overlay.Request{
		"ti/m":   nil,
		"//ti/m": func(string) overlay.Request { return nil },
	} {
		p := (&Picker{List: widget.List{Rows: []widget.Row{{Value: "times", Label: "Times of entries"}}}, Search: search}).Filter("")
		p.SetFacts(overlay.Facts{Theme: theme.Plain(), Keys: &keymap.Map{}, Width: 80, Height: 24})
		p.Start("")
		for _, r := range "//ti/m" {
			p.Key(tea.KeyPressMsg{Code: r, Text: string(r)})
		}
		if got := p.Query.Text(); got != want {
			t.Errorf("the filter is %q, not %q", got, want)
		}
	}
}
