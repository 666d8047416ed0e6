package status

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"parley/settings"
)

// However the items are switched and moved, each stays once, what is shown is what
// the settings then say, and a step and the step back are none.
func TestOrderMoves(t *testing.T) {
	t.Parallel()
	all := settings.StatusItems()
	names := rapid.SliceOfDistinct(rapid.SampledFrom(all), rapid.ID[string])
	rapid.Check(t, func(rt *rapid.T) {
		var l Line
		left := names.Draw(rt, "left")
		right := slices.DeleteFunc(names.Draw(rt, "right"), func(name string) bool { return slices.Contains(left, name) })
		l.Arrange(settings.Status{Left: left, Right: right})
		o := l.Order()
		if !SameSides(o.Sides(), l.Sides()) {
			rt.Fatalf("it opens with %v, shown is %v", o.Sides(), l.Sides())
		}
		for range rapid.IntRange(1, 20).Draw(rt, "steps") {
			name, by := rapid.SampledFrom(o.names).Draw(rt, "name"), rapid.SampledFrom([]int{-1, 0, 1}).Draw(rt, "by")
			before, was, side := o.Sides(), slices.Clone(o.names), o.left
			if by == 0 {
				o.Toggle(name)
			} else {
				o.Move(name, by)
				if !slices.Equal(was, o.names) || o.left != side {
					o.Move(name, -by)
					if !slices.Equal(was, o.names) || o.left != side || !SameSides(o.Sides(), before) {
						rt.Fatalf("%s by %d and back: %v, was %v", name, by, o.Sides(), before)
					}
					o.Move(name, by)
				}
			}
			if sorted := slices.Sorted(slices.Values(o.names)); !slices.Equal(sorted, slices.Sorted(slices.Values(all))) {
				rt.Fatalf("%q", o.names)
			}
			l.Arrange(o.Sides())
			if !SameSides(l.Sides(), o.Sides()) {
				rt.Fatalf("shown is %v, chosen %v", l.Sides(), o.Sides())
			}
		}
	})
}
