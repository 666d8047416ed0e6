package timeline_test

import (
	"testing"

	"parley/session"
	"parley/session/sessiontest"
	"parley/timeline"
)

func reduce(events []session.Event) *timeline.Timeline {
	tl := timeline.New()
	for _, ev := range events {
		tl.Apply(ev)
	}
	return tl
}

func TestGoldens(t *testing.T) {
	t.Parallel()
	for _, name := range sessiontest.LogNames(t) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			tl := reduce(sessiontest.Log(t, name))
			for i := range tl.Len() {
				if e := tl.At(i); e.Version == 0 {
					t.Errorf("entry %d was never touched", i)
				}
			}
			sessiontest.Golden(t, "timeline/"+name, tl.Dump())
		})
	}
}
