package render_test

import (
	"strings"
	"time"

	"parley/render"
	"parley/timeline"
)

const authDiff = "--- a/auth.ts\n+++ b/auth.ts\n@@ -1,3 +1,3 @@\n import x\n-check(user)\n+check(user, token)\n export y\n"

// resultSamples are calls by what their results hold: the fuller form, blocks,
// codes of errors.
func resultSamples() []sample {
	done := func(name, arguments string, edit func(*timeline.ToolCall)) *timeline.Entry {
		return entry(timeline.Done, 300*time.Millisecond, call(name, arguments, "", edit))
	}
	server := func(edit func(*timeline.ToolCall)) func(*timeline.ToolCall) {
		return func(c *timeline.ToolCall) {
			c.Server, c.Tool = "tst", "do"
			edit(c)
		}
	}
	blocks := server(func(c *timeline.ToolCall) {
		c.Images = []timeline.Image{{MIMEType: "image/png", Bytes: 70, Width: 1, Height: 1}}
		c.Blocks = []timeline.Block{
			{Kind: "audio", MIMEType: "audio/wav", Bytes: 12_000, Data: "UklGRg=="},
			{Kind: "resource", URI: "mem://notes", MIMEType: "text/plain"},
			{Kind: "resource_link", Name: "The manual", URI: "https://example.com/manual", Description: "of the thing", Bytes: 70_000},
			{Kind: "video_clip", MIMEType: "video/mp4"},
			{},
		}
		c.Detail = "the text of the notes"
	})
	terminal := func(c *timeline.ToolCall) {
		code := 3
		c.Detail, c.ExitCode, c.Dir = "boom", &code, "/home/ada/src/parley/queue"
	}
	fenced := "I changed one line:\n\n```diff\n" + authDiff + "```\nThe tests pass."
	many := func(c *timeline.ToolCall) { c.Blocks = make([]timeline.Block, 2000) }
	hostile := server(func(c *timeline.ToolCall) {
		c.Blocks = []timeline.Block{{
			Kind: "re\x1b[31msource", Name: "a\nb\u202egnp", URI: "mem://\x1b]0;title\x07x", MIMEType: strings.Repeat("long/", 60), Description: "\x9b31m",
		}}
		c.Dir, c.ErrorCode, c.Error = "/tmp/\x1b[2J\nx", "E\x1b[31m\nX", "no \x1b[5m luck"
	})
	return []sample{
		{"fuller result", done("grep", `{"pattern":"x"}`, result("short", "long 1\nlong 2")), render.Folded},
		{"fuller result, whole", done("grep", `{"pattern":"x"}`, result("short", "long 1\nlong 2")), render.Whole},
		{"fuller result of a command", done("bash", `{"command":"ls"}`, result("short", "long")), render.Folded},
		{"fuller result of a server", done("tst-do", `{}`, server(result("short", "long"))), render.Folded},
		{"fuller result of an edit", done("edit_file", `{"path":"auth.ts","old_str":"a","new_str":"b"}`, result("short", "two places were changed")), render.Folded},
		{"edit_file", done("edit_file", `{"path":"auth.ts"}`, result("ok", authDiff)), render.Folded},
		{"edit_file, planned", done("edit_file", `{"path":"auth.ts","oldString":"a","newString":"b"}`, result("ok", "")), render.Folded},
		{"read_file", done("read_file", `{"filePath":"/home/ada/src/parley/auth.ts"}`, result("import x\ncheck(user)\nexport y", "")), render.Folded},
		{"list_directory", done("list_directory", `{"path":"src"}`, result("a\nb", "")), render.Folded},
		{"delete_file", done("delete_file", `{"path":"a.ts"}`, result("deleted", "")), render.Folded},
		{"change by a server", done("tst-do", `{"path":"auth.ts"}`, server(result("ok", authDiff))), render.Folded},
		{"change by a server, whole", done("tst-do", `{"path":"auth.ts"}`, server(result("ok", authDiff))), render.Whole},
		{"change among words", done("tst-do", `{}`, server(result("ok", fenced))), render.Folded},
		{"change found by a search", done("grep", `{"pattern":"x"}`, result("ok", authDiff)), render.Folded},
		{"blocks", done("tst-do", `{}`, blocks), render.Folded},
		{"a great many blocks", done("frob", `{}`, many), render.Folded},
		{"terminal", entry(timeline.Failed, time.Second, call("run", `{}`, "", terminal)), render.Folded},
		{"code of an error", entry(timeline.Failed, 0, call("fetch", `{"url":"http://x"}`, "", func(c *timeline.ToolCall) { c.Error, c.ErrorCode = "no route", "EHOSTUNREACH" })), render.Folded},
		{"code alone", entry(timeline.Failed, 0, call("fetch", `{"url":"http://x"}`, "", func(c *timeline.ToolCall) { c.ErrorCode = "EHOSTUNREACH" })), render.Folded},
		{"kept elsewhere", done("bash", `{"command":"seq 1 20000"}`, result("Output too large to read at once (106.3 KB). Saved to: /tmp/out.txt\n\nPreview (first 500 chars):\n1\n2\n3\n4", "")), render.Folded},
		{"hostile", entry(timeline.Failed, 0, call("tst-do", `{}`, "", hostile)), render.Folded},
	}
}
