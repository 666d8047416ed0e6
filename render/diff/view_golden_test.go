package diff

import (
	"fmt"
	"strings"
	"testing"

	"parley/session/sessiontest"
	"parley/theme"
)

// TestViewGolden shows a view without colour in its forms, and the roles
// of its text.
func TestViewGolden(t *testing.T) {
	t.Parallel()
	d := mustParse(t, reviewed)
	r := NewView(d)
	r.Comment(4, "Log it instead: nobody looks at this list until the worker has ended, and then it is late.")
	r.Comment(9, "Is nobody reading this anymore?")
	var b strings.Builder
	show := func(title string, o Options) {
		fmt.Fprintf(&b, "== %s, %d columns\n", title, o.Width)
		for _, row := range r.Rows(0, r.Layout(o)) {
			if o.Theme.Name == "probe" {
				row = theme.Reveal(row)
			}
			b.WriteString(strings.TrimRight(row, " ") + "\n")
		}
	}
	for _, width := range []int{60, 100, 140} {
		for _, form := range []struct {
			title       string
			split, wrap bool
		}{{"unified, cut", false, false}, {"unified, wrapped", false, true}, {"split, cut", true, false}, {"split, wrapped", true, true}} {
			show(form.title, Options{Width: width, Theme: theme.Plain(), Split: form.split, Wrap: form.wrap, Cursor: 4})
		}
	}
	show("scrolled", Options{Width: 60, Theme: theme.Plain(), Left: 20, Cursor: -1})
	show("tiny", Options{Width: 20, Theme: theme.Plain(theme.ASCII()), Wrap: true, Cursor: 1})
	show("roles", Options{Width: 100, Theme: theme.Probe(), Cursor: 4})
	show("roles, split", Options{Width: 140, Theme: theme.Probe(), Split: true, Wrap: true, Cursor: 1})
	sessiontest.Golden(t, "render/diff", b.String())
}
