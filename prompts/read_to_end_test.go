package prompts

import (
	"fmt"
	"slices"
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

// TestEndReadsManyPaths: End stops where a command ends if that is not in view at the end of
// the card, and at the end of the card what is harmless is read. The end of the command and
// of each fact were on the screen then.
func TestEndReadsManyPaths(t *testing.T) {
	t.Parallel()
	for _, n := range []int{5, 12, 20, 30, 60, 200} {
		for _, height := range []int{8, 11, 17, 24, 45} {
			for _, keys := range []string{"end", "G", "v end", "home end", "pgdown end", "pgdown pgup end"} {
				endReadsManyPaths(t, n, height, keys)
			}
		}
	}
}

func endReadsManyPaths(t *testing.T, n, height int, keys string) {
	t.Helper()
	d := newDesk(t)
	d.height = height
	d.ready(manyPaths(n))
	c := d.q.card()
	all := []string{fmt.Sprintf("gofmt -w part%d.go", n-1), "in        ~/", fmt.Sprintf("/folder/part%d.go", n-1), "purpose   Format", "why       not"}
	seen := d.text()
	check := func() {
		t.Helper()
		seen += d.text()
		if says := func(s string) bool { return !strings.Contains(seen, s) }; !c.locked() && slices.ContainsFunc(all, says) {
			t.Fatalf("%d, %d, %s: approving is on before all of %q were on the screen:\n%s", n, height, keys, all, d.text())
		}
	}
	for _, key := range strings.Fields(keys) {
		d.press(key)
		check()
	}
	ends := 1
	for ; ends < 9 && c.scroll.top+c.scroll.height < c.scroll.total; ends++ {
		d.press("end")
		check()
	}
	if c.locked() || height >= 17 && ends > 2 {
		t.Errorf("%d, %d, %s: %d lines are to be read after %d times End:\n%s", n, height, keys, c.scroll.unseen(), ends, d.text())
	}
	d.press("y")
	if d.decided() != session.ApproveOnce {
		t.Errorf("%d, %d, %s: not approved:\n%s", n, height, keys, d.text())
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
