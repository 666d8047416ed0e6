package render_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode"

	"github.com/charmbracelet/x/ansi"
	"github.com/go-json-experiment/json/jsontext"
	"pgregory.net/rapid"

	"parley/render"
	"parley/render/text"
	"parley/session"
	"parley/session/sessiontest"
	"parley/theme"
	"parley/timeline"
)

// bodies has one body of each kind, with text in every field.
func bodies(text string) map[string]timeline.Body {
	exit := 3
	tool := &timeline.ToolCall{
		Name: "edit", Title: text, Status: text, Result: text, Detail: text, Error: text, ErrorCode: text,
		Feedback: text, ExitCode: &exit, Images: []timeline.Image{{Name: text, MIMEType: text, Bytes: 1, Width: 1, Height: 1}},
		Dir: text, Blocks: []timeline.Block{{Kind: text, Name: text, URI: text, Description: text, MIMEType: text, Bytes: 1, Data: text}, {Kind: "audio"}},
	}
	use := timeline.Usage{Requests: 2, Input: 12_000, Output: 900, CacheRead: 800, CacheWrite: 7, Reasoning: 6, Cost: 0.5, NanoAIU: 2e9}
	tool.ArgumentText.Set(`{"path":"` + text)
	tool.Output.Set(text)
	return map[string]timeline.Body{
		"Prompt": &timeline.Prompt{
			Text: text, Source: "", Attachments: []session.Attachment{{Type: "file", Path: text, DisplayName: text}, {Type: "blob", DisplayName: text, MIMEType: "image/" + text}},
		},
		"Message":   message(text),
		"Reasoning": reasoning(text),
		"ToolCall":  tool,
		"Notice": &timeline.Notice{
			Level: timeline.Error, Category: text, Text: text, URL: text, Next: text, StatusCode: 500, Retry: 1,
			RetryAt: began.Add(time.Minute), Detail: text,
		},
		"AnsweredQuestion": &timeline.AnsweredQuestion{Question: text, Answer: text},
		"Divider":          &timeline.Divider{Text: text},
		"Summary": &timeline.Summary{
			Files: []timeline.FileChange{{Path: text, Kind: text, Added: 1, Removed: 2}}, Added: 1, Removed: 2,
			Calls: 3, Commands: 2, Failures: 1, Turns: 1, Usage: use, Took: time.Minute,
		},
		"SessionEnd": &timeline.SessionEnd{
			Failed: true, Reason: text, Took: time.Hour, Thinking: time.Minute, Premium: 1.5, Added: 1, Removed: 2,
			Files: []string{text, text}, Models: []timeline.ModelUse{{Model: text, Usage: use}, {Model: text}, {Usage: use}},
		},
		"Unrecognised": &timeline.Unrecognised{Kind: session.Kind(text), Raw: jsontext.Value(text), Reason: text},
	}
}

// subagent has text in every field.
func subagent(text string, s timeline.State) *timeline.Subagent {
	return &timeline.Subagent{
		ID: session.AgentID(text), Name: text, Title: text, Description: text, Model: text, Background: true, State: s,
		At: began, Activity: text, Calls: 3, Tokens: 12_000, Error: text, Timeline: timeline.New(),
	}
}

// kinds are the names of all bodies, read from the source of package timeline.
func kinds(t *testing.T) []string {
	t.Helper()
	file, err := parser.ParseFile(token.NewFileSet(), filepath.Join(sessiontest.Root(t), "timeline", "entry.go"), nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, d := range file.Decls {
		f, ok := d.(*ast.FuncDecl)
		if !ok || f.Name.Name != "entry" || f.Recv == nil {
			continue
		}
		if star, ok := f.Recv.List[0].Type.(*ast.StarExpr); ok {
			if id, ok := star.X.(*ast.Ident); ok {
				names = append(names, id.Name)
			}
		}
	}
	if len(names) < 8 {
		t.Fatalf("found only %v", names)
	}
	return names
}

// TestEveryEntryDrawn: each kind of entry has lines, in all its states.
func TestEveryEntryDrawn(t *testing.T) {
	t.Parallel()
	all := bodies("some text")
	for _, name := range kinds(t) {
		b, ok := all[name]
		if !ok {
			t.Errorf("no sample of %s: add it to bodies and draw it", name)
			continue
		}
		for s := timeline.Live; s <= timeline.Cancelled; s++ {
			lines := drawn(render.NewCache(100), entry(s, time.Second, b), options(80, theme.Plain()))
			if len(lines) == 0 || strings.TrimSpace(strings.Join(lines, "")) == "" {
				t.Errorf("%s in state %d draws nothing", name, s)
			}
		}
	}
}

// TestEveryEntryCopied: each kind of entry has text to copy, as it came.
func TestEveryEntryCopied(t *testing.T) {
	t.Parallel()
	const raw = "raw \x1b[31m text\u202e"
	all := bodies(raw)
	for _, name := range kinds(t) {
		b, ok := all[name]
		if !ok {
			t.Errorf("no sample of %s", name)
			continue
		}
		if got := timeline.Source(entry(timeline.Done, 0, b)); !strings.Contains(got, raw) {
			t.Errorf("%s: copying gives %q", name, got)
		}
	}
}

// hostileText is text as no one would want it.
func hostileText() *rapid.Generator[string] {
	piece := rapid.OneOf(
		rapid.SampledFrom([]string{
			"\x1b[31m", "\x1b]0;title\x07", "\x1b]8;;http://x\x07", "\x1b[2J", "\x9b5n", "\u009b31m", "\r", "\n", "\t", "\b\b", "\x00",
			"👩‍👩‍👧", "日本語", "e\u0301", "\u202e", "\u200b", "🇩🇪", "```\n", "- ", "| a | b |\n|--|--|\n", "**", "@@ -1,2 +1,3 @@\n", "+add\n",
			"-del\n", " same\n", "diff --git a/x b/x\n", `{"a":`, `[1,{"b":2}]`, `"`, "}", "\n\n", "    ", "http://x.y/z", "<!--", "&#27;", "\xff",
		}),
		rapid.String(),
		rapid.StringMatching(`[a-z ]{0,80}`),
	)
	return rapid.Map(rapid.SliceOfN(piece, 0, 24), func(p []string) string { return strings.Join(p, "") })
}

// check draws an entry and holds every line to the promises: it fits, and it
// has no control character that is not ours.
func check(t rapid.TB, e *timeline.Entry, o render.Options) {
	for _, l := range drawn(render.NewCache(1000), e, o) {
		if w := text.Width(l); w > o.Width {
			t.Fatalf("%T, width %d: line of %d cells: %q", e.Body, o.Width, w, l)
		}
		bare := l
		if o.Theme.Name != "plain" {
			bare = ansi.Strip(l)
		}
		if i := strings.IndexFunc(bare, unicode.IsControl); i >= 0 {
			t.Fatalf("%T, width %d: control character in %q", e.Body, o.Width, l)
		}
	}
	for _, l := range render.Space(entry(timeline.Done, 0, message("x")), &timeline.Entry{ID: "n", At: began.Add(50 * time.Hour), Body: e.Body}, o) {
		if text.Width(l) > o.Width {
			t.Fatalf("width %d: space of %d cells: %q", o.Width, text.Width(l), l)
		}
	}
	_ = render.Foldable(e)
}

// TestAnyTextAnyWidth: whatever the text and the width, every line fits and
// holds no control character of the text.
func TestAnyTextAnyWidth(t *testing.T) {
	t.Parallel()
	themes := []*theme.Theme{theme.Plain(), theme.Dark(), theme.Plain(theme.ASCII())}
	rapid.Check(t, func(t *rapid.T) {
		text := hostileText().Draw(t, "text")
		o := options(rapid.IntRange(1, 200).Draw(t, "width"), themes[rapid.IntRange(0, len(themes)-1).Draw(t, "theme")])
		o.Fold = render.Fold(rapid.IntRange(0, int(render.Bounded)).Draw(t, "fold"))
		o.Times = render.Times(rapid.IntRange(0, int(render.TimesFull)).Draw(t, "times"))
		state := timeline.State(rapid.IntRange(0, int(timeline.Cancelled)).Draw(t, "state"))
		name := rapid.SampledFrom([]string{"edit", "bash", "view", "grep", "task", "sql", "apply_patch", text}).Draw(t, "tool")
		for _, b := range bodies(text) {
			if c, ok := b.(*timeline.ToolCall); ok {
				c.Name = name
				c.Arguments = jsontext.Value(text)
				c.Waiting = o.Fold == render.Whole
				if rapid.Bool().Draw(t, "sub-agent") {
					c.Agent = subagent(text, timeline.State(rapid.IntRange(0, int(timeline.Cancelled)).Draw(t, "agent")))
				}
			}
			if n, ok := b.(*timeline.Notice); ok {
				n.Level = timeline.Level(rapid.IntRange(0, int(timeline.Error)).Draw(t, "level"))
			}
			check(t, entry(state, time.Second, b), o)
		}
	})
}

// FuzzDraw is the same for what a fuzzer thinks of.
func FuzzDraw(f *testing.F) {
	f.Add("plain", 80, false)
	f.Add("\x1b]0;x\x07@@ -1 +1 @@\n+\x9bm", 7, true)
	f.Add(editDiff, 30, true)
	f.Add(answer, 1, false)
	f.Fuzz(func(t *testing.T, text string, width int, expanded bool) {
		o := options(1+abs(width)%200, theme.Plain())
		o.Fold = whole(expanded)
		for _, b := range bodies(text) {
			if c, ok := b.(*timeline.ToolCall); ok {
				c.Arguments = jsontext.Value(text)
			}
			check(t, entry(timeline.Done, 0, b), o)
			if c, ok := b.(*timeline.ToolCall); ok {
				c.Agent = subagent(text, timeline.Live)
				check(t, entry(timeline.Live, 0, b), o)
			}
		}
	})
}

func abs(n int) int { return max(n, -(n + 1)) }

// TestCacheIsInvisible: through any series of changes, a cache that was used
// all along gives what a new one gives.
func TestCacheIsInvisible(t *testing.T) {
	t.Parallel()
	dark, light := theme.Dark(), theme.Light()
	rapid.Check(t, func(t *rapid.T) {
		kept := render.NewCache(rapid.IntRange(1, 200).Draw(t, "limit"))
		o := options(40, dark)
		msg, think, tool := message(""), reasoning(""), call("bash", `{"command":"make"}`, "", nil)
		entries := []*timeline.Entry{entry(timeline.Live, 0, msg), entry(timeline.Live, 0, think), entry(timeline.Live, 0, tool)}
		for i, e := range entries {
			e.ID = timeline.EntryID(rune('a' + i))
		}
		touch := func(e *timeline.Entry) { e.Version++ }
		grow := func(to *timeline.Text, s string) {
			to.Append(s)
			for _, e := range entries {
				touch(e)
			}
		}
		t.Repeat(map[string]func(*rapid.T){
			"message": func(t *rapid.T) { grow(&msg.Text, hostileText().Draw(t, "text")) },
			"thought": func(t *rapid.T) { grow(&think.Text, hostileText().Draw(t, "text")) },
			"output":  func(t *rapid.T) { grow(&tool.Output, strings.Repeat(hostileText().Draw(t, "text"), 20)) },
			"replaced": func(t *rapid.T) {
				tool.Output.Set(hostileText().Draw(t, "text"))
				tool.Replaced++
				touch(entries[2])
			},
			"retried": func(t *rapid.T) {
				msg.Text.Set(hostileText().Draw(t, "text"))
				touch(entries[0])
			},
			"width": func(t *rapid.T) { o.Width = rapid.IntRange(1, 100).Draw(t, "width") },
			"fold":  func(t *rapid.T) { o.Fold = render.Fold(rapid.IntRange(0, int(render.Bounded)).Draw(t, "fold")) },
			"agent": func(t *rapid.T) {
				if tool.Agent = nil; rapid.Bool().Draw(t, "is one") {
					tool.Agent = subagent(hostileText().Draw(t, "text"), timeline.Live)
				}
				touch(entries[2])
			},
			"second": func(*rapid.T) { o.Now = o.Now.Add(time.Second) },
			"theme": func(*rapid.T) {
				if o.Theme = light; rapid.Bool().Draw(t, "dark") {
					o.Theme = dark
				}
			},
			"done": func(*rapid.T) {
				for _, e := range entries {
					e.State, e.End = timeline.Done, began.Add(time.Minute)
					touch(e)
				}
			},
			"": func(t *rapid.T) {
				for i, e := range entries {
					got := drawn(kept, e, o)
					markdown := i == 0 || i == 2 && tool.Agent != nil // an agent's output is its answer
					if markdown && e.State == timeline.Live {
						continue // while it is live, markdown may lag behind its text
					}
					if want := drawn(render.NewCache(100), e, o); !slices.Equal(got, want) {
						t.Fatalf("%T:\ngot  %q\nwant %q", e.Body, got, want)
					}
				}
			},
		})
	})
}
