package render_test

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	goldtext "github.com/yuin/goldmark/text"
	"pgregory.net/rapid"

	"parley/render"
	"parley/render/text"
	"parley/session"
	"parley/session/sessiontest"
	"parley/timeline"
)

// exported is a head with all there is to say.
func exported(f render.ExportFormat) render.ExportOptions {
	return render.ExportOptions{
		Format: f, Title: "Fix the flaky test", Agent: "Copilot CLI", Model: "gpt-5",
		Dir: "/home/ada/src/parley", Home: "/home/ada",
	}
}

// formats are the formats of an export by the folders of their goldens.
func formats() map[string]render.ExportFormat {
	return map[string]render.ExportFormat{"markdown": render.ExportMarkdown, "text": render.ExportText, "html": render.ExportHTML}
}

// allLogs are logs, and those that were written by hand.
func allLogs(t *testing.T) map[string]*timeline.Timeline {
	t.Helper()
	out := map[string]*timeline.Timeline{}
	for _, name := range sessiontest.LogNames(t) {
		out[name] = reduced(sessiontest.Log(t, name))
	}
	return out
}

func reduced(events []session.Event) *timeline.Timeline {
	tl := timeline.New()
	for _, ev := range events {
		tl.Apply(ev)
	}
	return tl
}

// TestExportLogs exports every recorded log.
func TestExportLogs(t *testing.T) {
	t.Parallel()
	for name, tl := range allLogs(t) {
		for format, f := range formats() {
			got := render.Export(tl, exported(f))
			checkExport(t, f, got, "")
			if f != render.ExportHTML || slices.Contains(htmlGoldens, name) {
				sessiontest.Golden(t, "render/export/"+format+"/"+name, styleless(got))
			}
			if again := render.Export(reduced(sessiontest.Log(t, name)), exported(f)); again != got {
				t.Errorf("%s: the same log gives another %s", name, format)
			}
		}
	}
}

// TestExportHead: what is not known is left out, and times are shown where they
// are read.
func TestExportHead(t *testing.T) {
	t.Parallel()
	tl := reduced([]session.Event{{ID: "1", Time: began, Body: session.UserMessage{Content: "go"}}})
	east := time.FixedZone("EAST", 2*60*60)
	for _, c := range []struct {
		name string
		o    render.ExportOptions
		want string
	}{
		{"nothing", render.ExportOptions{}, "# Conversation\n\n---\n\n## Prompt 1 · 2026-11-21 10:41 UTC\n\n> go\n"},
		{
			"a place",
			render.ExportOptions{Location: east, Dir: "/srv/x"},
			"# Conversation\n\n- Folder: `/srv/x`\n\n---\n\n## Prompt 1 · 2026-11-21 12:41 EAST\n\n> go\n",
		},
		{
			"hostile",
			render.ExportOptions{Title: "a *b*\n# c <d>\u202e", Model: "\x1b[31mm_x_", Dir: "/a`b"},
			"# a \\*b\\* \\# c &lt;d>⟦U+202E⟧\n\n- Model: m_x\\_\n- Folder: ``/a`b``\n\n---\n\n## Prompt 1 · 2026-11-21 10:41 UTC\n\n> go\n",
		},
		{"text", render.ExportOptions{Format: render.ExportText, Title: "T", Agent: "A"}, "T\nAgent: A\n\n▌ go" + strings.Repeat(" ", 91) + "10:41\n"},
	} {
		if got := render.Export(tl, c.o); got != c.want {
			t.Errorf("%s:\ngot  %q\nwant %q", c.name, got, c.want)
		}
	}
}

// TestExportAnswers: an answer stays as it is, but for what would change the
// document around it.
func TestExportAnswers(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, text, want string }{
		{"markdown", "Some **bold** text, `code <b>` and [a link](https://example.com/x?a=1&b=2).\n\n- one\n- two\n", "Some **bold** text, `code <b>` and [a link](https://example.com/x?a=1&b=2).\n\n- one\n- two"},
		{"comparison", "if a < b && c > d then 1 <2", "if a < b && c > d then 1 <2"},
		{"almost a tag", "a <b and \\<c and <d", "a &lt;b and \\<c and &lt;d"},
		{"code", "```html\n<script>&#27;</script>\n```", "```html\n<script>&#27;</script>\n```"},
		{"indented code", "\n\n    <b>\n\ntext", "    <b>\n\ntext"},
		{"the end of what holds it", "a\n\n</details>\n\nb", "a\n\n&lt;/details>\n\nb"},
		{"a block", "<div onclick=\"x\">\n*a* <b>b</b>\n</div>", "&lt;div onclick=\"x\">\n*a* &lt;b>b&lt;/b>\n&lt;/div>"},
		{"a comment", "<!-- a\n\nb", "&lt;!-- a\n\nb"},
		{"a tag on two lines", "a <b\nc=\"<d\"> e", "a &lt;b\nc=\"&lt;d\"> e"},
		{"code that was in HTML", "<!--\n```\n-->\n<b>\n```\n<script>", "&lt;!--\n```\n-->\n&lt;b>\n```\n&lt;script>"},
		{"an open fence", "```go\nfunc f() {", "```go\nfunc f() {\n```"},
		{"a longer one", "  ~~~~~\n~~~\n", "  ~~~~~\n~~~\n~~~~~"},
		{"a fence alone", "```", "```\n```"},
		{"a fence in a list", "- a\n  ```\n  b", "- a\n  ```\n  b"},
		{"a closed fence", "```\na\n```", "```\na\n```"},
		{"an image", "![a](https://example.com/a.png) \\![b](c) \\\\![d](e) `![f](g)`", "\\![a](https://example.com/a.png) \\![b](c) \\\\\\![d](e) `![f](g)`"},
		{"a link that runs", "[a](JavaScript:b) [c](java&#115;cript:d) <javascript:e> [f](data:text/html,g)", "\\[a](JavaScript:b) \\[c](java&#115;cript:d) &lt;javascript:e> \\[f](data:text/html,g)"},
		{"a definition that runs", "[a]\n\n[a]: javascript:b", "\\[a]\n\n\\[a]: javascript:b"},
		{"references", "&lt; &amp; &#65; &#27;[31m &#x202E; &#150; &zwj; \\&#27; &#0; &nope;", "&lt; &amp; &#65; ⟦ESC⟧[31m ⟦U+202E⟧ ⟦U+0096⟧ ⟦U+200D⟧ \\&#27; &#0; &nope;"},
		{"control characters", "a\x1b[31mb\x07\u202ec\r\nd", "ab⟦U+202E⟧c\nd"},
	} {
		tl := reduced([]session.Event{{ID: "1", Time: began, Body: session.AssistantMessage{MessageID: "m", Content: c.text}}})
		got := render.Export(tl, render.ExportOptions{})
		if want := "# Conversation\n\n---\n\n" + c.want + "\n"; got != want {
			t.Errorf("%s:\ngot  %q\nwant %q", c.name, got, want)
		}
		checkExport(t, render.ExportMarkdown, got, "")
	}
}

// TestExportPrompts: a user's words are a quotation with their line ends.
func TestExportPrompts(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, text, want string }{
		{"lines", "one\ntwo  \n\nthree", "> one\\\n> two\n>\n> three"},
		{"code", "look:\n```\na <b>\n\tc\n```\nx <i>", "> look:\n> ```\n> a <b>\n> \tc\n> ```\n> x &lt;i>"},
		{"an open fence", "```\na\n", "> ```\n> a"},
		{"a tab", "\t<b>", "> \t&lt;b>"},
		{"a tab in a paragraph", "a\n\t<!-- b", "> a\\\n> \t&lt;!-- b"},
		{"a quotation", "> a\nb", "> > a\\\n> b"},
		{"a list", "- a\n- b", "> - a\n> - b"},
	} {
		tl := reduced([]session.Event{{ID: "1", Body: session.UserMessage{Content: c.text}}})
		got := render.Export(tl, render.ExportOptions{})
		if want := "# Conversation\n\n---\n\n## Prompt 1\n\n" + c.want + "\n"; got != want {
			t.Errorf("%s:\ngot  %q\nwant %q", c.name, got, want)
		}
		checkExport(t, render.ExportMarkdown, got, "")
	}
}

// lastWords end every hostile conversation: they must stand as a paragraph of
// their own, whatever came before them.
const lastWords = "These are the last words of this conversation"

// conversation has a text in every place that an agent, a tool or a user can
// put one, and ends in lastWords.
func conversation(words func() string) []session.Event {
	raw := func() jsontext.Value {
		v, err := json.Marshal(map[string]string{"command": words(), "path": words(), "old_str": words(), "new_str": words()}, json.Deterministic(true))
		if err != nil {
			v = jsontext.Value(`{}`)
		}
		return v
	}
	bodies := []session.Body{
		session.SessionResume{},
		session.UserMessage{Content: "x" + words(), Attachments: []session.Attachment{{Type: "file", DisplayName: words()}}},
		session.AssistantTurnStart{TurnID: "0"},
		session.AssistantMessage{MessageID: "m1", Content: "x" + words(), ReasoningText: words()},
		session.AssistantMessage{MessageID: "m2", Content: words()},
	}
	for _, tool := range []string{"bash", "edit", "view", "frobnicate", "apply_patch", "task"} {
		id := session.CallID("call-" + tool)
		bodies = append(bodies,
			session.ToolExecutionStart{ToolCallID: id, ToolName: tool, Arguments: raw(), McpServerName: map[string]string{"task": words()}[tool]},
			session.ToolExecutionComplete{ToolCallID: id, Success: tool != "view", Result: &session.ToolResult{Content: words(), DetailedContent: words()}},
			session.AssistantMessage{MessageID: session.MessageID("after " + tool), Content: words()},
		)
	}
	for i, end := range []session.Body{
		session.SubagentCompleted{ToolCallID: "agent-0"}, session.SubagentFailed{ToolCallID: "agent-1", Error: words()},
	} {
		id := session.CallID("agent-" + strconv.Itoa(i))
		bodies = append(bodies,
			session.ToolExecutionStart{ToolCallID: id, ToolName: "task", Arguments: raw()},
			session.SubagentStarted{ToolCallID: id, AgentName: words(), AgentDisplayName: words(), AgentDescription: words()},
			end,
			session.ToolExecutionComplete{ToolCallID: id, Success: i == 0, Result: &session.ToolResult{Content: words()}},
		)
	}
	bodies = append(bodies,
		session.UserMessage{Content: words(), Source: words()},
		session.SessionWarning{WarningType: words(), Message: words(), URL: words()},
		session.SessionError{ErrorType: words(), Message: words()},
		session.UserInputRequested{RequestID: "r", Question: words()}, session.UserInputCompleted{RequestID: "r", Answer: words()},
		session.Unknown{Type: session.Kind("x." + words()), Raw: raw()},
		session.AssistantMessage{MessageID: "m3", Content: words()},
		session.ToolExecutionComplete{ToolCallID: "call-image", Success: true, Result: &session.ToolResult{Content: words(), BinaryResultsForLLM: []session.BinaryResult{
			{Type: "image", Description: words(), MIMEType: "image/" + words(), Data: "AAAA"},
		}}},
		session.AssistantTurnEnd{TurnID: "0"}, session.AssistantIdle{},
		session.SessionShutdown{ShutdownType: "error", ErrorReason: words(), CodeChanges: session.CodeChanges{FilesModified: []string{words()}}, ModelMetrics: map[string]session.ModelMetric{
			words(): {Requests: session.ModelRequests{Count: 1}},
		}},
		session.SessionInfo{InfoType: "notification", Message: lastWords},
	)
	var events []session.Event
	for i, b := range bodies {
		events = append(events, session.Event{ID: session.EventID(rune('a' + i)), Time: began, Body: b})
	}
	return events
}

// checkExport holds a document to its promises: nothing hidden in it, no markup
// but ours, every fold closed, and the end still outside of all that is before.
func checkExport(t rapid.TB, f render.ExportFormat, doc, end string) {
	if safe := text.Sanitize(doc); safe != doc {
		t.Fatalf("not safe:\n%q", doc)
	}
	if strings.Contains(doc, "\t") && f == render.ExportText || !strings.HasSuffix(doc, "\n") {
		t.Fatalf("not a text:\n%q", doc)
	}
	if !strings.Contains(doc, end) {
		t.Fatalf("the end is not there:\n%s", doc)
	}
	switch f {
	case render.ExportMarkdown:
		checkMarkup(t, doc, end)
	case render.ExportHTML:
		checkPage(t, doc)
	default: // no markup
	}
}

// ours is all HTML that an export has.
var ours = regexp.MustCompile(`^<details( open)?><summary>[^<>&]+</summary>\n$|^</details>\n$`)

// checkMarkup parses a document as a reader's program would.
func checkMarkup(t rapid.TB, doc, end string) {
	src := []byte(doc)
	root := goldmark.New(goldmark.WithExtensions(extension.GFM)).Parser().Parse(goldtext.NewReader(src))
	open := 0
	_ = ast.Walk(root, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if !entering {
			return ast.WalkContinue, nil
		}
		switch n := n.(type) {
		case *ast.RawHTML, *ast.Image:
			t.Fatalf("%s in:\n%q", n.Kind(), doc)
		case *ast.HTMLBlock:
			tag := string(n.Lines().Value(src))
			if !ours.MatchString(tag) || n.HasClosure() || n.Parent() != root {
				t.Fatalf("HTML %q in:\n%q", tag, doc)
			}
			if open++; strings.HasPrefix(tag, "</") {
				open -= 2
			}
			if open < 0 || open > 1 {
				t.Fatalf("folds that do not close in:\n%q", doc)
			}
		}
		return ast.WalkContinue, nil
	})
	if open != 0 {
		t.Fatalf("an open fold in:\n%q", doc)
	}
	if end != "" && (root.LastChild().Kind() != ast.KindParagraph || strings.TrimSpace(string(root.LastChild().Lines().Value(src))) != "**Note:** "+end) {
		t.Fatalf("the end stands in something else:\n%q", doc)
	}
}

// markup is what documents are broken with.
func markup() *rapid.Generator[string] {
	return rapid.Map(rapid.SliceOfN(rapid.OneOf(rapid.SampledFrom([]string{
		"```", "````", "~~~", "`", "``", "\n", "\n\n", "\n    ", "\t", "> ", "- ", "1. ", "# ", "---", "===", "|a|b|\n|-|-|\n|", "<", ">", "</details>",
		"<details>", "<script>", "</script>", "<!--", "-->", "<![CDATA[", "]]>", "<?", "?>", "<!A", "<b", "='", "\"", "<pre>", "</pre>", "![", "[", "]", "](",
		")", "]: ", "javascript:", "https://x.y/", "&lt;", "&#27;", "&#x202e;", "&zwj;", "\\", "*", "_", "**", "~~", "$$", "\x1b[1m", "\u202e", "👩\u200d👩", "1\ufe0f\u20e3", "[^1]: ",
	}), rapid.StringMatching(`[a-z ]{0,8}`)), 0, 16), func(p []string) string { return strings.Join(p, "") })
}

// TestExportEveryKind: something of each kind of entry is in each format.
func TestExportEveryKind(t *testing.T) {
	t.Parallel()
	n := 0
	tl := reduced(conversation(func() string { n++; return fmt.Sprintf("word%dend", n) }))
	word := regexp.MustCompile(`word\d+end|Resumed|last words`)
	for format, f := range formats() {
		doc, seen := render.Export(tl, exported(f)), map[string]bool{}
		for i := range tl.Len() {
			e := tl.At(i)
			seen[strings.TrimPrefix(fmt.Sprintf("%T", e.Body), "*timeline.")] = true
			said := timeline.Source(e)
			switch b := e.Body.(type) {
			case *timeline.ToolCall:
				said += string(b.Arguments)
			case *timeline.Unrecognised:
				said += string(b.Kind)
			}
			words := word.FindAllString(said, -1)
			if e.VerboseOnly {
				if slices.ContainsFunc(words, func(w string) bool { return strings.Contains(doc, w) }) {
					t.Errorf("%s: what is kept for completeness is exported: %q", format, said)
				}
				continue
			}
			if len(words) == 0 || !slices.ContainsFunc(words, func(w string) bool { return strings.Contains(doc, w) }) {
				t.Errorf("%s: nothing of %T is exported: %q", format, e.Body, said)
			}
		}
		for _, name := range kinds(t) {
			if !seen[name] {
				t.Errorf("the conversation has no %s", name)
			}
		}
	}
}

// TestExportTooMuch: what cannot be made safe in time becomes code as a whole.
func TestExportTooMuch(t *testing.T) {
	t.Parallel()
	much := strings.Repeat("[a]: <b\n", 4001)
	tl := reduced(conversation(func() string { return much }))
	doc := render.Export(tl, exported(render.ExportMarkdown))
	checkExport(t, render.ExportMarkdown, doc, lastWords)
	if !strings.Contains(doc, "\n```\n[a]: <b\n") || !strings.Contains(doc, "\n> ```\n> x[a]: <b\n") {
		t.Error("it is no code")
	}
}

// TestExportHolds: whatever the texts are made of, nothing leaves its place.
func TestExportHolds(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		tl := reduced(conversation(func() string { return rapid.OneOf(markup(), hostileText()).Draw(t, "words") }))
		for _, f := range formats() {
			doc := render.Export(tl, exported(f))
			checkExport(t, f, doc, lastWords)
			if render.Export(tl, exported(f)) != doc {
				t.Fatal("the same timeline gives another document")
			}
		}
	})
}

// TestExportHostile: the same with the texts that no screen may show, in events
// of every kind.
func TestExportHostile(t *testing.T) {
	t.Parallel()
	h := sessiontest.NewHostile(11)
	for range 60 {
		events := conversation(h.Text)
		last := events[len(events)-1]
		for _, line := range sessiontest.Events(t) {
			ev := session.Decode(line)
			ev.Body = h.Spoil(ev.Body)
			events = append(events, ev)
		}
		last.ID = "the last"
		tl := reduced(append(events, last))
		for _, f := range formats() {
			checkExport(t, f, render.Export(tl, exported(f)), lastWords)
		}
	}
}
