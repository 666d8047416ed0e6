package prompts

import (
	"fmt"
	"strconv"
	"strings"
	"testing"

	"parley/session"
)

// manyPaths is a command of so many lines, each with a path.
func manyPaths(n int) session.Body {
	var lines, paths []string
	for i := range n {
		lines = append(lines, fmt.Sprintf("gofmt -w part%d.go", i))
		paths = append(paths, fmt.Sprintf("/home/ada/src/a-project/with/a/long/name/of/a/folder/part%d.go", i))
	}
	return session.PermissionRequested{RequestID: "r1", PermissionRequest: session.PermissionRequest{
		PermissionDetails: session.PermissionDetails{Kind: "shell", FullCommandText: strings.Join(lines, "\n"), Intention: "Format"},
		PossiblePaths:     paths,
	}}
}

// TestEndReadsManyPaths: End stops where the command ends if that is not in view at the end of
// the card; what was on the screen is not to be read again, whichever way the user came to it.
func TestEndReadsManyPaths(t *testing.T) {
	t.Parallel()
	for _, keys := range []string{"end end", "G G", "end pgdown", "home end end", "end end pgup"} {
		d := newDesk(t)
		d.width, d.height = 80, 24
		d.apply(manyPaths(20))
		d.settle()
		seen := ""
		for key := range strings.FieldsSeq(keys) {
			d.press(key)
			seen += d.text()
		}
		for i := range 20 {
			if path := fmt.Sprintf("/folder/part%d.go", i); !d.q.card().locked() && !strings.Contains(seen, path) {
				t.Errorf("%s: %s was never on the screen", keys, path)
			}
		}
		if !strings.Contains(seen, "gofmt -w part19.go") || d.q.card().locked() {
			t.Errorf("%s: %d lines are to be read:\n%s", keys, d.q.card().scroll.unseen(), d.text())
		}
	}
}

// TestReadFromTheEnd: of what is between what was read from the start and what was read from the
// end, no line counts.
func TestReadFromTheEnd(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	d.width, d.height = 80, 24
	d.apply(manyPaths(60))
	d.settle()
	d.press("end", "end")
	s := &d.q.card().scroll
	between := s.unseen()
	if between == 0 || between != s.required-s.seen.gap()-s.height {
		t.Fatalf("%d of %d lines are unseen: %+v", between, s.required, s)
	}
	d.press("pgup")
	if got, want := s.unseen(), between-(s.height-1); got != want {
		t.Errorf("a page up leaves %d lines, want %d", got, want)
	}
	for range 5 {
		d.press("pgup")
	}
	if d.q.card().locked() {
		t.Errorf("all was on the screen, and %d lines are left: %+v", s.unseen(), s)
	}
}

// TestReadUpwards: of something dangerous each line counts that was on the screen, whatever
// way the user goes, and no other; a key that is refused forgets nothing.
func TestReadUpwards(t *testing.T) {
	t.Parallel()
	r := longShell(90, session.PermissionDetails{Intention: "log"})
	r.PermissionRequest.HasWriteFileRedirection = true
	for _, keys := range []string{
		"end v end pgup*12", "end pgup*20", "v end pgup*3 home pgdown*12", "pgdown*2 end pgup*20",
		"v end pgup y pgup y pgup y pgup y pgup*8", "end up*40 v end pgup*12", "v / 4 4 enter pgup*8 end pgup*8",
	} {
		d := newDesk(t)
		d.ready(r)
		c := d.q.card()
		seen := map[int]bool{}
		look := func() {
			for i := range 90 {
				if strings.Contains(d.text(), fmt.Sprintf("echo line %d ", i)) {
					seen[i] = true
				}
			}
			if got, want := c.scroll.unseen(), 90-len(seen); got != want && len(c.scroll.seen) > 0 && c.scroll.required == 90 {
				t.Fatalf("%s: %d lines are to be read, want %d:\n%s", keys, got, want, d.text())
			}
		}
		look()
		for key := range strings.FieldsSeq(keys) {
			key, times, _ := strings.Cut(key, "*")
			n, _ := strconv.Atoi(times)
			for range max(n, 1) {
				d.press(key)
				look()
			}
		}
		if len(seen) < 90 || c.locked() {
			t.Errorf("%s: %d lines were on the screen, and %d are to be read:\n%s", keys, len(seen), c.scroll.unseen(), d.text())
		}
		d.none()
	}
}
