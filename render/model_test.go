package render_test

import (
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"unicode"

	"github.com/charmbracelet/x/ansi"
	"github.com/go-json-experiment/json"
	"pgregory.net/rapid"

	"parley/render"
	"parley/render/text"
	"parley/session"
	"parley/session/modelview"
	"parley/session/sessiontest"
	"parley/theme"
	"parley/timeline"
)

// projected is a log and both of its projections.
type projected struct {
	view     *modelview.View
	timeline *timeline.Timeline
}

func project(events []session.Event) projected {
	p := projected{modelview.New(), timeline.New()}
	for _, ev := range events {
		p.view.Apply(ev)
		p.timeline.Apply(ev)
	}
	return p
}

func (p projected) printed(t rapid.TB, width int, th *theme.Theme) string {
	t.Helper()
	var b strings.Builder
	if err := render.PrintModel(&b, p.view, p.timeline, render.Options{Width: width, Theme: th}); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// everything is a conversation with all that a message can be.
func everything() projected {
	const dot = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
	at := func(id string, b session.Body) session.Event {
		return session.Event{ID: session.EventID(id), Time: began, Body: b}
	}
	ask := func(id, tool, arguments string) session.ToolRequest {
		return session.ToolRequest{ToolCallID: session.CallID(id), Name: tool, Arguments: []byte(arguments)}
	}
	result := func(id, content string, binary ...session.BinaryResult) session.ToolExecutionComplete {
		return session.ToolExecutionComplete{
			ToolCallID: session.CallID(id), Success: true, Result: &session.ToolResult{Content: content, BinaryResultsForLLM: binary},
		}
	}
	return project([]session.Event{
		at("1", session.SystemMessage{Role: "system", Content: "You help with a small queue.\n\n# Style\n* Be brief.\n"}),
		at("2", session.SystemMessage{Role: "developer", Name: "house rules", Content: "Never push on a Friday."}),
		at("3", session.UserMessage{
			Content:                          "Why does the test fail?",
			SupportedNativeDocumentMIMETypes: []string{"application/pdf"},
			TransformedContent:               "<current_datetime>2026-11-21T10:41:00Z</current_datetime>\n\nWhy does the test fail?",
			Attachments: []session.Attachment{
				{Type: "blob", DisplayName: "screen.png", MIMEType: "image/png", Data: dot},
				{Type: "blob", DisplayName: "report.pdf", MIMEType: "application/pdf", Data: "JVBERi0="},
			},
		}),
		at("4", session.AssistantMessage{
			Content: "I read the worker, and run it.", ReasoningText: "The test sleeps. It should wait for the worker.",
			ToolRequests: []session.ToolRequest{
				ask("call_1", "view", `{"path":"queue/worker.go","range":[1,120],"deep":{"a":{"b":null}}}`),
				ask("call_2", "apply_patch", `"*** Begin Patch\n+\twait()\n*** End Patch"`),
				ask("call_3", "bash", `{"command":`),
			},
		}),
		at("5", result("call_1", "package queue\n\n\tfunc Drain() {}\n",
			session.BinaryResult{MIMEType: "image/png", Data: dot, Description: "worker.png"},
			session.BinaryResult{MIMEType: "image/png", AssetID: "lost"})),
		at("6", result("call_2", "Done.\u202e \x1b[31mred\x1b[0m")),
		at("7", session.SystemNotification{
			Content:      "<system_notification>\nShell command \"soak\" has completed.\n</system_notification>",
			Notification: session.Notification{Type: "shell_completed"},
		}),
		at("8", session.SkillInvoked{Name: "wave", Path: "/skills/wave/SKILL.md", Content: "Wave with both hands."}),
		at("9", session.UserMessage{Content: "Go on until it is done.", Source: "autopilot"}),
		at("10", session.AssistantMessage{}),
	})
}

// viewed are the captures whose model views are compared with goldens: sub-agents, steering,
// images, an interrupted call, a skill, a compaction.
var viewed = []string{
	"subagent_task_background", "queue_and_steering", "mcp_tool_image_resource", "abort_tool_running", "skill_invoked",
	"hand/compaction",
}

// TestModelGoldens are the list of the messages of a view and the print of them.
func TestModelGoldens(t *testing.T) {
	t.Parallel()
	views := map[string]projected{"everything": everything(), "nothing": project(nil)}
	for _, name := range viewed {
		views[filepath.Base(name)] = project(sessiontest.Log(t, name))
	}
	for name, p := range views {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var b strings.Builder
			for _, width := range []int{40, 80, 120} {
				fmt.Fprintf(&b, "--- %d, the list\n", width)
				for i, m := range p.view.Messages() {
					b.WriteString(render.MessageHead(m, i+1, len(p.view.Messages()), width, theme.Plain()) + "\n")
				}
				fmt.Fprintf(&b, "--- %d, the print\n%s", width, p.printed(t, width, theme.Plain()))
			}
			sessiontest.Golden(t, "render/model/"+name, b.String())
		})
	}
}

// TestModelColours: the words of the user and of the model stand out, and what
// was hidden does.
func TestModelColours(t *testing.T) {
	t.Parallel()
	th := theme.Probe()
	out := everything().printed(t, 80, th)
	for tok, text := range map[theme.Token]string{
		theme.Strong: "assistant", theme.Mention: "user", theme.Dim: "system", theme.Output: "tool", theme.Hidden: "⟦U+202E⟧",
		theme.Thinking: "The test sleeps. It should wait for the worker.", theme.Warning: "interrupted",
	} {
		if !strings.Contains(out, th.Render(tok, text)) {
			t.Errorf("%q is not drawn as %v", text, tok)
		}
	}
}

// TestPrintModel prints the view of every log at every kind of width: all that
// the model sees is there, in its order, and nothing that is hidden is raw.
func TestPrintModel(t *testing.T) {
	t.Parallel()
	for _, pattern := range []string{"*.jsonl", "hand/*.jsonl"} {
		paths, err := filepath.Glob(filepath.Join(sessiontest.Root(t), "testdata", "sessions", pattern))
		if err != nil || len(paths) < 10 {
			t.Fatal(err, len(paths))
		}
		for _, path := range paths {
			name := filepath.Join(filepath.Dir(pattern), strings.TrimSuffix(filepath.Base(path), ".jsonl"))
			t.Run(name, func(t *testing.T) {
				t.Parallel()
				p := project(sessiontest.Log(t, name))
				for _, width := range []int{4, 5, 11, 24, 39, 40, 59, 60, 80, 140} {
					checkModel(t, p, width)
					if coloured := ansi.Strip(p.printed(t, width, theme.Dark())); coloured != p.printed(t, width, theme.Plain()) {
						t.Errorf("width %d: without its colours it is another text:\n%s", width, coloured)
					}
				}
			})
		}
	}
}

// checkModel holds a print and a list to their promises.
func checkModel(t rapid.TB, p projected, width int) {
	t.Helper()
	plain := p.printed(t, width, theme.Plain())
	for l := range strings.Lines(p.printed(t, width, theme.Dark())) {
		if l = strings.TrimSuffix(l, "\n"); text.Width(l) > width || strings.ContainsFunc(ansi.Strip(l), unicode.IsControl) {
			t.Errorf("width %d: in colour %q", width, l)
		}
	}
	fits := func(l string) {
		t.Helper()
		if text.Width(l) > width || strings.ContainsFunc(l, unicode.IsControl) || text.SanitizeShowHidden(l) != l {
			t.Errorf("width %d: %q", width, l)
		}
	}
	for l := range strings.Lines(plain) {
		fits(strings.TrimSuffix(l, "\n"))
	}
	rest := bare(plain)
	all := [][]modelview.Message{p.view.Messages()}
	for _, id := range p.view.Agents() {
		all = append(all, p.view.Of(id))
	}
	for _, messages := range all {
		for i, m := range messages {
			head := render.MessageHead(m, i+1, len(messages), width, theme.Plain())
			fits(head)
			if width >= 40 && !strings.HasSuffix(head, text.Size(m.Size())) {
				t.Errorf("width %d: no size in %q", width, head)
			}
			for _, s := range texts(t, m) {
				at := strings.Index(rest, bare(text.SanitizeShowHidden(s)))
				if at < 0 {
					t.Fatalf("width %d: message %d lacks %q in\n%s", width, i+1, s, plain)
				}
				rest = rest[at:]
			}
		}
	}
}

// texts are all texts of a message.
func texts(t rapid.TB, m modelview.Message) []string {
	t.Helper()
	out := []string{m.Reasoning}
	for _, p := range m.Content {
		if out = append(out, p.Text); p.Blob != nil {
			out = append(out, p.Blob.MIMEType)
		}
	}
	for _, c := range m.Calls {
		arguments := string(c.Arguments)
		if strings.HasPrefix(arguments, `"`) {
			if err := json.Unmarshal(c.Arguments, &arguments); err != nil {
				arguments = string(c.Arguments)
			}
		}
		out = append(out, c.Name, arguments)
	}
	return out
}

// bare is a text without its blanks.
func bare(s string) string { return strings.Join(strings.Fields(s), "") }

// TestModelAnyText: whatever a message holds and whatever the width, its lines
// fit and hold nothing that is not shown.
func TestModelAnyText(t *testing.T) {
	t.Parallel()
	guards := map[int]*sessiontest.Guard{}
	for seed := range uint64(120) {
		h := sessiontest.NewHostile(seed)
		m := modelview.Message{
			Role: modelview.Role(h.Text()), Name: h.Text(), Source: modelview.Source{Kind: modelview.SourceKind(h.Text()), Name: h.Text()},
			Content: []modelview.Part{
				{Text: h.Text()},
				{Text: h.Text(), Blob: &modelview.Blob{Data: h.Text(), MIMEType: h.Text()}},
				{Blob: &modelview.Blob{MIMEType: "image/" + h.Text(), Data: h.Text()}},
			},
			Reasoning: h.Text(), ToolName: h.Text(), CallID: session.CallID(h.Text()), Interrupted: seed%5 == 0,
			Calls: []modelview.Call{{ID: session.CallID(h.Text()), Name: h.Text(), Arguments: []byte(h.Text())}, {Name: h.Text()}},
		}
		width := 4 + int(seed)%7*23
		if guards[width] == nil {
			guards[width] = sessiontest.NewGuard(width, 50)
		}
		for _, th := range []*theme.Theme{theme.Plain(), theme.Dark(), theme.Plain(theme.ASCII())} {
			content := render.NewMessageText(m, 0)
			lines := append(content.Rows(0, content.Layout(width), th), render.MessageHead(m, 1, 20, width, th))
			if found := guards[width].Draw(strings.Join(lines, "\n")); found != "" {
				t.Errorf("seed %d, width %d: %s", seed, width, found)
			}
			for _, l := range lines {
				if text.Width(l) > width {
					t.Errorf("seed %d: %d cells in a width of %d: %q", seed, text.Width(l), width, l)
				}
			}
		}
	}
}

// TestPrintModelHostile is TestPrintModel for conversations of texts that no user
// wants to have on a screen.
func TestPrintModelHostile(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		text := func(what string) string { return hostileText().Draw(t, what) }
		checkModel(t, project([]session.Event{
			{ID: "1", Body: session.SystemMessage{Role: "system", Name: text("name"), Content: text("system")}},
			{ID: "2", Body: session.UserMessage{Content: text("prompt"), Source: text("source")}},
			{ID: "3", Body: session.AssistantMessage{Content: text("answer"), ReasoningText: text("thought"), ToolRequests: []session.ToolRequest{
				{ToolCallID: "c", Name: text("tool"), Arguments: []byte(text("arguments"))},
			}}},
			{ID: "4", Body: session.ToolExecutionComplete{ToolCallID: "c", Result: &session.ToolResult{Content: text("result")}}},
			{ID: "5", Agent: "a", Body: session.UserMessage{Content: text("task")}},
		}), rapid.IntRange(4, 200).Draw(t, "width"))
	})
}

// TestHugeMessage: a megabyte costs a pass when it is opened, and then what is
// on the screen.
func TestHugeMessage(t *testing.T) { // not parallel: it counts allocations
	message := func(size int) modelview.Message {
		words := strings.Repeat("words of a long result\twith \u202e in it\n", size/40)
		return modelview.Message{
			Role: modelview.Tool, Content: []modelview.Part{{Text: words}},
			Calls: []modelview.Call{{Name: "bash", Arguments: []byte(`{"command":"` + strings.Repeat("x ", size/2) + `"}`)}},
		}
	}
	frame := func(size int) float64 {
		m := message(size)
		text := render.NewMessageText(m, 0)
		return testing.AllocsPerRun(20, func() {
			rows := text.Layout(80)
			text.Rows(rows/2, rows/2+20, theme.Dark())
			render.MessageHead(m, 1, 1, 80, theme.Dark())
		})
	}
	const noise = 20 // a pool that the collector emptied
	if little, much := frame(8<<10), frame(1<<20); much > little+noise {
		t.Errorf("%.0f allocations for a frame of a short message, %.0f for one of a megabyte", little, much)
	}
}

// TestDeepArguments: arguments that nest without measure are shown as they came.
func TestDeepArguments(t *testing.T) {
	t.Parallel()
	for _, depth := range []int{20, 30, 9_000, 100_000} {
		raw := strings.Repeat("[", depth) + strings.Repeat("]", depth)
		m := modelview.Message{Role: modelview.Assistant, Calls: []modelview.Call{{Name: "f", Arguments: []byte(raw)}}}
		text := render.NewMessageText(m, 0)
		rows := text.Layout(80)
		if got := bare(strings.Join(text.Rows(0, rows, theme.Plain()), "")); !strings.HasSuffix(got, raw) {
			t.Errorf("depth %d: the arguments are not whole", depth)
		}
		if rows > 2*depth+10 {
			t.Errorf("depth %d: %d rows", depth, rows)
		}
	}
}

// BenchmarkMessageText opens and lays out messages of 100 KB and of 1 MB: the
// second takes ten times as long.
func BenchmarkMessageText(b *testing.B) {
	for _, size := range []int{100 << 10, 1 << 20} {
		m := modelview.Message{Content: []modelview.Part{{Text: strings.Repeat("You do what you are told. ", size/26)}}}
		b.Run(fmt.Sprint(size>>10, "KB"), func(b *testing.B) {
			for b.Loop() {
				render.NewMessageText(m, 0).Layout(80)
			}
		})
	}
}

// TestPrintModelFails: an error of the writer is reported with what was attempted.
func TestPrintModelFails(t *testing.T) {
	t.Parallel()
	p := everything()
	err := render.PrintModel(failing{}, p.view, p.timeline, render.Options{Width: 80})
	if err == nil || !strings.Contains(err.Error(), "print the model's context: disk full") || errors.Unwrap(err) == nil {
		t.Errorf("got %v", err)
	}
}
