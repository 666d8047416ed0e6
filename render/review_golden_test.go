package render

import (
	"fmt"
	"strings"
	"testing"

	"parley/session/sessiontest"
	"parley/theme"
)

// TestReviewGolden shows a review without colour in its forms, and the roles
// of its text.
func TestReviewGolden(t *testing.T) {
	t.Parallel()
	d := mustParse(t, reviewed)
	r := NewReview(d)
	r.Comment(4, "Log it instead: nobody looks at this list until the worker has ended, and then it is late.")
	r.Comment(9, "Is nobody reading this anymore?")
	var b strings.Builder
	show := func(title string, o ReviewOptions) {
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
			show(form.title, ReviewOptions{Width: width, Theme: theme.Plain(), Split: form.split, Wrap: form.wrap, Cursor: 4})
		}
	}
	show("scrolled", ReviewOptions{Width: 60, Theme: theme.Plain(), Left: 20, Cursor: -1})
	show("tiny", ReviewOptions{Width: 20, Theme: theme.Plain(theme.ASCII()), Wrap: true, Cursor: 1})
	show("roles", ReviewOptions{Width: 100, Theme: theme.Probe(), Cursor: 4})
	show("roles, split", ReviewOptions{Width: 140, Theme: theme.Probe(), Split: true, Wrap: true, Cursor: 1})
	sessiontest.Golden(t, "render/review", b.String())
}
