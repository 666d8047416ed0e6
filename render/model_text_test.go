package render_test

import (
	"testing"

	"parley/render"
	"parley/session/modelview"
)

// TestMessageSource: what is copied of a message is as the model gets it.
func TestMessageSource(t *testing.T) {
	t.Parallel()
	const dot = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
	for name, c := range map[string]struct {
		message modelview.Message
		want    string
	}{
		"nothing": {modelview.Message{Role: modelview.Assistant}, ""},
		"a result": {
			modelview.Message{Role: modelview.Tool, Content: []modelview.Part{{Text: "\x1b[1mred\u202e \t\r\n\n"}}},
			"\x1b[1mred\u202e \t\r\n\n",
		},
		"images": {
			modelview.Message{Role: modelview.User, Content: []modelview.Part{
				{Text: "See."},
				{Text: "[1.png]", Blob: &modelview.Blob{Data: dot, MIMEType: "image/png"}},
				{Blob: &modelview.Blob{MIMEType: "application/pdf"}},
			}},
			"See.\n[1.png]\n[image, image/png, 1×1, 70 bytes]\n[document, application/pdf, not in the log]",
		},
		"calls": {
			modelview.Message{
				Role: modelview.Assistant, Reasoning: "It sleeps.\nI look.", Content: []modelview.Part{{Text: "I look."}},
				Calls: []modelview.Call{
					{ID: "call_1", Name: "view", Arguments: []byte(`{"path":"a\tb"}`)},
					{Name: "apply_patch", Arguments: []byte(`"*** Begin\n"`)},
					{ID: "call_3", Name: "list"},
				},
			},
			"reasoning:\nIt sleeps.\nI look.\n\nI look.\n\ncalls view call_1\n{\"path\":\"a\\tb\"}\n\n" +
				"calls apply_patch\n\"*** Begin\\n\"\n\ncalls list call_3",
		},
	} {
		if got := render.MessageSource(c.message); got != c.want {
			t.Errorf("%s: got %q, want %q", name, got, c.want)
		}
	}
}
