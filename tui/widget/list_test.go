package widget

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"parley/render/text"
	"parley/theme"
)

func numbered(n int) *List {
	l := &List{}
	for i := range n {
		l.Rows = append(l.Rows, Row{Value: fmt.Sprint(i), Label: fmt.Sprintf("row %d", i), Detail: strings.Repeat("detail ", 20)})
	}
	return l
}

// A list that has more than fits shows it at its edges and says where one is, takes no
// row for it, and is never wider than it may be.
func TestListShowsWhereOneIs(t *testing.T) {
	t.Parallel()
	th := theme.Plain()
	above, below := th.Glyph(theme.MarkAbove), th.Glyph(theme.MarkBelow)
	for _, c := range []struct {
		rows, chosen, height int
		position             string
		above, below         bool
	}{
		{65, 0, 12, "1 of 65", false, true},
		{65, 11, 12, "12 of 65", true, true},
		{65, 64, 12, "65 of 65", true, false},
		{65, -1, 12, "65", false, true},
		{12, 3, 12, "", false, false},
		{65, 30, 1, "31 of 65", true, false},
		{65, 30, 2, "31 of 65", true, true},
		{0, -1, 3, "", false, false},
	} {
		for _, width := range []int{80, 20, 3} {
			l := numbered(c.rows)
			l.Chosen = c.chosen
			lines := l.View(width, c.height, th)
			if len(lines) != min(c.rows, c.height) || l.Position(c.height) != c.position {
				t.Errorf("%+v: %d lines, position %q", c, len(lines), l.Position(c.height))
			}
			for i, line := range lines {
				if text.Width(line) > width {
					t.Errorf("%+v: line %d is wider than %d: %q", c, i, width, line)
				}
			}
			if len(lines) == 0 || width < 20 {
				continue
			}
			if got := strings.HasSuffix(lines[0], above); got != c.above {
				t.Errorf("%+v: more above is marked: %t\n%s", c, got, strings.Join(lines, "\n"))
			}
			if got := strings.HasSuffix(lines[len(lines)-1], below); got != c.below {
				t.Errorf("%+v: more below is marked: %t\n%s", c, got, strings.Join(lines, "\n"))
			}
			if row := fmt.Sprintf("row %d ", c.chosen); c.chosen >= 0 && !strings.Contains(strings.Join(lines, "\n"), row) && width == 80 {
				t.Errorf("%+v: %s is not in view", c, row)
			}
		}
	}
}

// The marks are letters where a terminal shows no more, and the rows in view are named
// as a range.
func TestScroll(t *testing.T) {
	t.Parallel()
	in := Scroll{First: 3, Shown: 2, All: 1200}
	lines := []string{"  a", "  " + strings.Repeat("b", 40)}
	in.Mark(theme.Plain(theme.ASCII()), lines, 10)
	if !slices.Equal(lines, []string{"  a      ^", "  bbbbbbbv"}) {
		t.Errorf("%q", lines)
	}
	if in.Rows() != "4-5 of 1 200" && in.Rows() != "4-5 of 1,200" || (Scroll{Shown: 5, All: 5}).Rows() != "" {
		t.Errorf("%q", in.Rows())
	}
}

// Groups have headings, of which none stands alone, and the chosen row is always in view.
func TestListGroups(t *testing.T) {
	t.Parallel()
	th := theme.Plain()
	l := numbered(9)
	for i := range l.Rows {
		l.Rows[i].Group = "Group " + string(rune('A'+i/3))
	}
	if all := l.View(60, 20, th); len(all) != 12 || l.Lines() != 12 || all[4] != "  Group B" || !strings.Contains(all[5], "row 3") {
		t.Errorf("\n%s", strings.Join(all, "\n"))
	}
	for height := 1; height < 12; height++ {
		for l.Chosen = 0; l.Chosen < len(l.Rows); l.Chosen++ {
			shown := l.View(60, height, th)
			if s := strings.Join(shown, "\n"); len(shown) != height || !strings.Contains(s, fmt.Sprintf("row %d ", l.Chosen)) {
				t.Errorf("row %d in %d lines:\n%s", l.Chosen, height, s)
			}
			if strings.Contains(shown[height-1], "Group") {
				t.Errorf("a heading without a row:\n%s", strings.Join(shown, "\n"))
			}
		}
	}
	if found := Match(l.Rows, "row"); len(found) != 9 || found[0].Group != "" {
		t.Errorf("what is found has no groups: %+v", found[0])
	}
}

// What is typed is found at the start of a label first, then in its words, in the label,
// and in what else there is to know; letters here and there only if nothing else matches.
func TestMatchRanks(t *testing.T) {
	t.Parallel()
	rows := []Row{
		{Label: "background", Detail: "Let it run"},
		{Label: "theme", Detail: "Choose the colours"},
		{Label: "list-dirs", Detail: "Folders"},
		{Label: "diff", Detail: "What has changed"},
		{Label: "session", Terms: "status"},
		{Label: "add-dir"},
		{Label: "di"},
	}
	for typed, want := range map[string]string{
		"di":         "di diff list-dirs add-dir",
		"DI":         "di diff list-dirs add-dir",
		"col":        "theme",
		"olours":     "theme",
		"stat":       "session",
		"ground":     "background",
		"bgd":        "background",
		"what ch":    "diff",
		"diff what":  "diff",
		"diff which": "",
		"zzz":        "",
	} {
		var got []string
		for _, r := range Match(rows, typed) {
			got = append(got, r.Label)
			for _, m := range r.Marks {
				if m[0] < 0 || m[1] > len(r.Label) || m[0] >= m[1] {
					t.Errorf("%q: marks %v of %q", typed, r.Marks, r.Label)
				}
			}
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%q finds %q, want %q", typed, got, want)
		}
	}
}
