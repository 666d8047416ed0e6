package panel

import (
	"testing"

	tea "charm.land/bubbletea/v2"

	"parley/theme"
	"parley/tui/keymap"
	"parley/tui/overlay"
)

// The text is drawn again only if something that it is made of has changed.
func TestFilterDrawsOnce(t *testing.T) {
	t.Parallel()
	drawn, source, width := 0, 0, 80
	draw := func(*theme.Theme, string, int) []string { drawn++; return []string{"a line"} }
	p := NewFilter("Keys", &Filter{Draw: draw, Source: func() any { return source }})
	facts := overlay.Facts{Theme: theme.Dark(), Keys: &keymap.Map{}, Width: 80, Height: 24}
	frame := func() {
		p.SetFacts(facts)
		p.View(width, 24)
	}
	for i, change := range []func(){
		func() {},
		func() { width = 60 },
		func() { facts.Theme = theme.Light() },
		func() { facts.Keys = &keymap.Map{} },
		func() { source++ },
		func() { p.Key(tea.KeyPressMsg{Code: 'x', Text: "x"}) },
		func() { p.Paste("y") },
	} {
		change()
		for range 3 {
			frame()
		}
		if drawn != i+1 {
			t.Fatalf("drawn %d times after %d changes", drawn, i)
		}
	}
}

// The mark before what is typed may be pressed to begin with, and writes nothing; later it
// is a character as any other.
func TestFilterMarkBegins(t *testing.T) {
	t.Parallel()
	f := &Filter{Draw: func(*theme.Theme, string, int) []string { return nil }}
	p := NewFilter("Keys", f)
	p.SetFacts(overlay.Facts{Theme: theme.Plain(), Keys: &keymap.Map{}, Width: 80, Height: 24})
	for _, r := range "//re/w" {
		p.Key(tea.KeyPressMsg{Code: r, Text: string(r)})
	}
	if got := f.query.Text(); got != "re/w" {
		t.Errorf("the filter is %q", got)
	}
}
