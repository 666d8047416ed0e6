package render_test

import (
	"strings"
	"testing"

	"parley/render"
	"parley/session/modelview"
	"parley/theme"
)

// TestMessageHeadCalls: a head names no more than eight calls, and says so.
func TestMessageHeadCalls(t *testing.T) {
	t.Parallel()
	for calls, more := range map[int]string{8: "", 9: "and 1 more call", 50: "and 42 more calls"} {
		m := modelview.Message{Role: modelview.Assistant, Calls: make([]modelview.Call, calls)}
		for i := range m.Calls {
			m.Calls[i].Name = "view"
		}
		head := render.MessageHead(m, 1, 1, 200, theme.Plain())
		if got := strings.Count(head, "view"); got != 8 || !strings.Contains(head, more) || strings.Contains(head, "more") != (more != "") {
			t.Errorf("of %d calls %d are named: %q", calls, got, head)
		}
	}
}

// TestMessageHeadRole: what a program says in the user's name does not look as
// if the user had said it.
func TestMessageHeadRole(t *testing.T) {
	t.Parallel()
	th := theme.Probe()
	m := modelview.Message{Role: modelview.User}
	if head := render.MessageHead(m, 1, 1, 80, th); !strings.Contains(head, th.Render(theme.Mention, "user     ")) {
		t.Errorf("a person's: %q", head)
	}
	m.Source.Kind = modelview.FromNotification
	if head := render.MessageHead(m, 1, 1, 80, th); !strings.Contains(head, th.Render(theme.Dim, "user     ")) {
		t.Errorf("a notification: %q", head)
	}
}

// TestMessageHeadExcerpt: only of a command that a user ran the head shows
// what is behind "Command:".
func TestMessageHeadExcerpt(t *testing.T) {
	t.Parallel()
	m := modelview.Message{Role: modelview.User, Content: []modelview.Part{{Text: "This is how\n\nCommand:\nmake\n"}}}
	for kind, want := range map[modelview.SourceKind]string{modelview.FromUser: "  This is how  ", modelview.FromShell: "  make  "} {
		m.Source.Kind = kind
		if head := render.MessageHead(m, 1, 1, 80, theme.Plain()); !strings.Contains(head, want) {
			t.Errorf("source %q: no %q in %q", kind, want, head)
		}
	}
}

// TestMessageTextMost: of a long text so much is shown and the rest is counted;
// without a measure all of it.
func TestMessageTextMost(t *testing.T) {
	t.Parallel()
	rows := func(most int) string {
		text := render.NewMessageText(modelview.Message{
			Role: modelview.Assistant, Reasoning: "0123456789", Content: []modelview.Part{{Text: "01234567é9"}},
			Calls: []modelview.Call{{Name: "f", Arguments: []byte(`{"a":[0,1]}`)}, {Name: "g", Arguments: []byte(`[0]`)}, {Name: "h", Arguments: []byte(`{"a":[]}`)}},
		}, most)
		return strings.Join(text.Rows(0, text.Layout(40), theme.Plain()), "\n")
	}
	const some = "reasoning\n  012345678\n  1 byte more are not shown\n\n01234567\n3 bytes more are not shown\n\n" +
		"calls f\n  {\"a\":[0,1\n  2 bytes more are not shown\n\ncalls g\n  [\n    0\n  ]\n\ncalls h\n  {\"a\":[]}"
	if got := rows(9); got != some {
		t.Errorf("of 9 bytes: %q, want %q", got, some)
	}
	for _, most := range []int{0, 11} {
		if got := rows(most); strings.Contains(got, "not shown") || !strings.Contains(got, "01234567é9") {
			t.Errorf("of %d bytes: %q", most, got)
		}
	}
}

// TestHugeMessageBounded: what is not shown costs nothing.
func TestHugeMessageBounded(t *testing.T) {
	t.Parallel()
	const most = 10_000
	for name, piece := range map[string]string{"control characters": "\x1b", "a line": "x", "deep arguments": "["} {
		m := modelview.Message{
			Role: modelview.Tool, Content: []modelview.Part{{Text: strings.Repeat(piece, 2_000_000)}},
			Calls: []modelview.Call{{Name: "f", Arguments: []byte(strings.Repeat(piece, 2_000_000))}},
		}
		text := render.NewMessageText(m, most)
		rows := text.Layout(80)
		if all := strings.Join(text.Rows(0, rows, theme.Plain()), "\n"); rows > 2*most*5/75+20 ||
			strings.Count(all, "2.0 MB more are not shown") != 2 {
			t.Errorf("%s: %d rows", name, rows)
		}
	}
}
