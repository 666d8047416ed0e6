package tui

import (
	"testing"

	tea "charm.land/bubbletea/v2"
)

// TestSameView: whatever the window changes of a view is drawn soon, its title and its
// progress without a letter of the text too.
func TestSameView(t *testing.T) {
	t.Parallel()
	view := func() tea.View {
		return tea.View{
			Content: "text", WindowTitle: "title", MouseMode: tea.MouseModeCellMotion,
			Cursor: tea.NewCursor(1, 2), ProgressBar: tea.NewProgressBar(tea.ProgressBarDefault, 99),
		}
	}
	if !sameView(view(), view()) {
		t.Error("a view differs from itself")
	}
	for name, change := range map[string]func(v *tea.View){
		"text":        func(v *tea.View) { v.Content = "texts" },
		"title":       func(v *tea.View) { v.WindowTitle = "" },
		"mouse":       func(v *tea.View) { v.MouseMode = tea.MouseModeNone },
		"cursor":      func(v *tea.View) { v.Cursor.X++ },
		"no cursor":   func(v *tea.View) { v.Cursor = nil },
		"progress":    func(v *tea.View) { v.ProgressBar.Value++ },
		"no progress": func(v *tea.View) { v.ProgressBar = nil },
	} {
		v := view()
		if change(&v); sameView(v, view()) || sameView(view(), v) {
			t.Errorf("%s: the same", name)
		}
	}
}
