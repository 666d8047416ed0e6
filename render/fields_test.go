package render_test

import (
	"strings"
	"testing"

	"parley/render"
	"parley/session"
	"parley/theme"
	"parley/timeline"
)

// TestFieldsThatAreNotAsDocumented: a message or a notice with fields that are
// missing, null, of another type or unknown is drawn with the others, and none of
// them reaches the screen as it is.
func TestFieldsThatAreNotAsDocumented(t *testing.T) {
	t.Parallel()
	const bad = `"\u001b[2J\u001b]0;t\u0007\u202ex\u009b31m"`
	for _, tt := range []struct{ kind, data, want string }{
		{"assistant.message", `{"messageId":"m","content":"yes","phase":7,"toolRequests":{},"model":[]}`, "yes"},
		{"assistant.message", `{"messageId":null,"content":"hm","phase":"thinking","reasoningText":null}`, "∴ Thought ⋯"},
		{"assistant.message", `{"messageId":1,"content":"yes","phase":null,"more":{"phase":"thinking"}}`, "yes"},
		{"assistant.message", `{"messageId":` + bad + `,"content":"yes","phase":` + bad + `}`, "yes"},
		{"assistant.reasoning", `{"reasoningId":7,"content":"hm"}`, "∴ Thought ⋯"},
		{"assistant.reasoning", `{"reasoningId":` + bad + `,"content":` + bad + `}`, "∴ Thought ⋯"},
		{"session.info", `{"infoType":1,"message":"told","url":[],"tip":2}`, "i told"},
		{"session.info", `{"infoType":"cancellation","message":"told","turnId":0}`, "i told cancellation"},
		{"session.info", `{"infoType":"file_created","message":` + bad + `}`, "i File created: ⟦U+202E⟧x"},
		{"session.warning", `{"warningType":{},"message":"told","remediation":7}`, "▲ told"},
		{"session.warning", `{"warningType":` + bad + `,"message":"told"}`, "▲ told ⟦U+202E⟧x"},
		{"session.error", `{"errorType":false,"message":"told","statusCode":"402"}`, "■ told"},
		{"session.error", `{"errorType":"quota","message":["no"],"statusCode":402}`, "■ The request failed, and the agent did not"},
		{"session.custom_notification", `{"source":7,"name":{},"version":"1","subject":null,"payload":` + bad + `}`, "i A notification ⋯"},
		{"session.custom_notification", `{}`, "i A notification"},
		{"session.custom_notification", `{"source":` + bad + `,"name":"task","subject":{` + bad + `:` + bad + `},"payload":{"level":7}}`, "i ⟦U+202E⟧x task (⟦U+202E⟧x: ⟦U+202E⟧x) ⋯"},
		{"session.task_complete", `{"summary":7,"success":"yes","outcome":[]}`, "✓ Task complete"},
		{"session.task_complete", `{"summary":"All done.","reason":{}}`, "✓ Task complete| All done."},
		{"abort", `{"reason":{}}`, "─ Interrupted"},
		{"abort", `{"reason":` + bad + `}`, "─ Interrupted: ⟦U+202E⟧x"},
		{"parley.agent_error", `{"type":7,"message":null,"code":{},"identifier":"github/x"}`, "■ The agent met an error and did not say which. (github/x)"},
		{"parley.agent_error", `{"type":` + bad + `,"message":` + bad + `}`, "■ ⟦U+202E⟧x"},
		{"parley.references", `{"messageId":7,"items":[7,null,{"id":[]},{"metadata":{"display_name":` + bad + `,"display_icon":"i","display_url":"u"}}]}`, "i References: ⟦U+202E⟧x ⋯"},
	} {
		ev := session.Decode([]byte(`{"type":"` + tt.kind + `","id":"e","timestamp":"2026-03-02T09:00:00Z","data":` + tt.data + `}`))
		if _, unknown := ev.Body.(session.Unknown); unknown {
			t.Errorf("%s %s is not decoded: %v", tt.kind, tt.data, ev)
		}
		tl := timeline.New()
		tl.Apply(ev)
		for _, density := range []render.Density{render.Normal, render.Verbose, render.Compact} {
			var lines []string
			for i := range tl.Len() {
				e := tl.At(i)
				o := render.Options{Width: 68, Theme: theme.Plain(), Fold: render.FoldOf(e, density)}
				lines = append(lines, drawn(render.NewCache(100), e, o)...)
			}
			text := strings.Join(strings.Fields(strings.Join(lines, "|")), " ")
			if density == render.Normal && !strings.HasPrefix(text, tt.want) {
				t.Errorf("%s %s\ngives %q\nwant  %q", tt.kind, tt.data, text, tt.want)
			}
			if strings.ContainsAny(text, "\x1b\x07\u009b\u202e") {
				t.Errorf("%s %s is not safe at density %v: %q", tt.kind, tt.data, density, text)
			}
		}
	}
}
