package transcript

import (
	"slices"

	"parley/render"
	"parley/timeline"
)

// visible are the entries that draw something by the density alone, in their
// order: a run of many that are hidden costs a frame nothing then.
type visible struct {
	of      *timeline.Timeline
	density render.Density
	version uint64 // of the timeline, when it was looked at
	looked  int    // how many entries were
	list    []int32
}

// refresh looks at the entries that changed since the last time.
func (v *visible) refresh(t *timeline.Timeline, d render.Density) {
	if v.of != t || v.density != d {
		*v = visible{of: t, density: d, list: v.list[:0]}
	}
	if v.version == t.Version() && v.looked == t.Len() {
		return
	}
	from := min(v.looked, t.Stable(v.version))
	n, _ := slices.BinarySearch(v.list, int32(from))
	v.list = v.list[:n]
	for i := from; i < t.Len(); i++ {
		if e := t.At(i); render.Shown(e, render.Options{Fold: render.FoldOf(e, d)}) {
			v.list = append(v.list, int32(i))
		}
	}
	v.version, v.looked = t.Version(), t.Len()
}

// above is the nearest of them before entry i; -1 is none.
func (v *visible) above(t *timeline.Timeline, d render.Density, i int) int {
	v.refresh(t, d)
	n, _ := slices.BinarySearch(v.list, int32(i))
	if n == 0 {
		return -1
	}
	return int(v.list[n-1])
}

// below is the nearest of them after entry i; Len is none.
func (v *visible) below(t *timeline.Timeline, d render.Density, i int) int {
	v.refresh(t, d)
	n, _ := slices.BinarySearch(v.list, int32(i+1))
	if n == len(v.list) {
		return t.Len()
	}
	return int(v.list[n])
}
