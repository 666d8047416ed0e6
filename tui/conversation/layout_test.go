package conversation

import (
	"testing"

	"pgregory.net/rapid"
)

// The bands cover the screen from top to bottom without gap or overlap, and
// the composer, the rule and the status line are never squeezed out; the frame of a
// card that stands on the composer is its rule.
func TestLayoutCoversTheScreen(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		height := rapid.IntRange(tooSmallHeight, 200).Draw(t, "height")
		size := rapid.IntRange(0, 250)
		l := arrange(height, wants{
			card: size.Draw(t, "card"), list: size.Draw(t, "list"), pending: size.Draw(t, "pending"),
			composer: size.Draw(t, "composer"), full: rapid.Bool().Draw(t, "full"), thumbnails: rapid.IntRange(0, 4).Draw(t, "thumbnails"),
			tabs: rapid.IntRange(0, 2).Draw(t, "tabs"),
		})
		y := 0
		for _, b := range []band{l.tabs, l.Timeline, l.pending, l.air, l.Card, l.list, l.Rule, l.thumbnails, l.Composer, l.status} {
			if b.Y != y || b.Height < 0 {
				t.Fatalf("%+v: band %+v should begin at %d", l, b, y)
			}
			y += b.Height
		}
		if y != height {
			t.Fatalf("%+v covers %d of %d lines", l, y, height)
		}
		if l.Composer.Height < 1 || l.status.Height != 1 || l.Rule.Height == 0 && (l.Card.Height == 0 || l.list.Height > 0) {
			t.Fatalf("%+v has no room to write", l)
		}
	})
}
