package render_test

import (
	"strings"
	"testing"
	"time"

	"parley/render"
	"parley/timeline"
)

// TestExportResults: what sub-agents, summaries, the end of a session and
// images look like in a document.
func TestExportResults(t *testing.T) {
	t.Parallel()
	done := timeline.Subagent{Title: "Explore", Model: "gpt-5.4-mini", Calls: 14, Tokens: 48_200, End: began.Add(62 * time.Second)}
	failed := done
	failed.State, failed.Error = timeline.Failed, "No model"
	shown := func(c *timeline.ToolCall) {
		c.Images = []timeline.Image{{Name: "a`b.png", MIMEType: "image/png", Bytes: 2000, Width: 4, Height: 3}}
	}
	for _, tc := range []struct {
		name string
		e    *timeline.Entry
		want string
	}{
		{"sub-agent", entry(timeline.Done, 62*time.Second, running(done, result("It is *here*.", ""))), "" +
			"✓ **agent** `Explore` Find all uses of the queue · gpt-5.4-mini · 14 calls · 48 k tokens · 1 m 02 s\n\n" +
			"<details><summary>Task</summary>\n\n```\nLook for every use of the queue package.\nReport file and line.\n```\n\n</details>\n\n" +
			"<details><summary>Answer, 1 line</summary>\n\n```\nIt is *here*.\n```\n\n</details>"},
		{"failed sub-agent", entry(timeline.Failed, 62*time.Second, running(failed, nil)), "" +
			"✗ **agent** `Explore` Find all uses of the queue · failed · gpt-5.4-mini · 14 calls · 48 k tokens · 1 m 02 s\n\n" +
			"<details open><summary>Failure</summary>\n\n```\nNo model\n```\n\n</details>\n\n" +
			"<details><summary>Task</summary>\n\n```\nLook for every use of the queue package.\nReport file and line.\n```\n\n</details>"},
		{"summary", entry(timeline.Done, 0, &work), "" +
			"**Summary:** 3 files · 3 commands · 1 failed · +26 −1 204 · 14 k tokens · 0.33 requests · 12 s\n\n" +
			"- edit `queue/worker_test.go` +6 −4\n- create `notes.md` +20\n- delete `/tmp/old.txt` −1 200"},
		{"closing", entry(timeline.Done, 0, &ended), "" +
			"*Session ended* 3 files changed · +120 −14 · 4.33 premium requests · 1 h 02 m · 2026-11-21 10:41\n\n" +
			"- `claude-haiku-4.5` 1 request · 4 k in · 200 out\n" +
			"- `gpt-5.4` 31 requests · 1.2 M in · 1.1 M cached · 18 k out · 6.1 k thinking · 4 premium requests\n" +
			"- `gpt-5.4-mini` 12 requests · 80 k in · 62 k cached · 3.1 k out · 0.33 premium requests\n\n" +
			"- `queue/worker.go`\n- `queue/worker_test.go`\n- `~/notes.md`"},
		{"failure", entry(timeline.Failed, 0, &timeline.SessionEnd{Failed: true, Reason: "out of <memory>"}), "" +
			"*Session failed* · 2026-11-21 10:41\n\n<details open><summary>Reason</summary>\n\n```\nout of <memory>\n```\n\n</details>"},
		{"image", entry(timeline.Done, 0, call("view", `{"path":"/tmp/x"}`, "", shown)), "" +
			"✓ **read** `/tmp/x`\n\nAttached: ``image a`b.png · image/png · 4×3 · 2 kB``"},
		{"detail", entry(timeline.Done, 0, &timeline.Notice{Text: "Summarised", Detail: "# All\n```"}), "" +
			"**Note:** Summarised\n\n<details><summary>Details</summary>\n\n````\n# All\n```\n````\n\n</details>"},
	} {
		if got := strings.Join(render.ExportEntry(tc.e, exported(render.ExportMarkdown)), "\n\n"); got != tc.want {
			t.Errorf("%s:\ngot  %q\nwant %q", tc.name, got, tc.want)
		}
	}
}
