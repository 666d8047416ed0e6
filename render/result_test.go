package render_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"parley/render"
	"parley/render/diff"
	"parley/theme"
	"parley/timeline"
)

// TestFullerResult: what the user sees of any tool is the fuller form of its
// result, as its family folds it, and whole where all is shown.
func TestFullerResult(t *testing.T) {
	t.Parallel()
	folded := map[string]bool{ // whether the family shows something of it unasked
		"bash": true, "read_bash": true, "list_bash": true, "stop_bash": false, "view": false, "read_file": false, "grep": false, "glob": false,
		"list_dir": false, "web_fetch": false, "web_search": true, "edit": true, "edit_file": true, "create_file": true, "delete_file": true,
		"apply_patch": true, "sql": false, "update_todo": true, "report_intent": false, "skill": false, "ask_user": true,
		"exit_plan_mode": false, "task_complete": false, "read_agent": true, "list_agents": true, "task": true,
		"semantic_code_search": false, "fetch_copilot_cli_documentation": false, "frobnicate": true, "tst-do": true,
	}
	for tool, shown := range folded {
		c := call(tool, `{"x":1}`, "", result("SHORT", "FULLER"))
		if tool == "tst-do" {
			c.Server, c.Tool = "tst", "do"
		}
		e := entry(timeline.Done, time.Second, c)
		seen := map[string]string{}
		for _, d := range densities {
			o := options(80, theme.Plain())
			o.Fold = render.FoldOf(e, d)
			seen[d.String()] = strings.Join(drawn(render.NewCache(100), e, o), "\n")
		}
		seen["markdown"] = strings.Join(render.ExportEntry(e, exported(render.ExportMarkdown)), "\n")
		seen["HTML"] = strings.Join(render.ExportEntry(e, exported(render.ExportHTML)), "\n")
		seen["source"] = timeline.Source(e)
		for where, text := range seen {
			want := (where != "compact" || tool == "ask_user") && (where != "normal" || shown)
			if strings.Contains(text, "FULLER") != want || strings.Contains(text, "SHORT") {
				t.Errorf("%s, %s: %q", tool, where, text)
			}
		}
	}
}

// TestChangesOfAnyTool: a diff in a result is drawn as one, whatever the tool is
// called, with its counts; what stands around it stays text.
func TestChangesOfAnyTool(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		tool, detail, text string
		rest               string
		ok                 bool
	}{
		"alone":                 {"tst-do", authDiff, authDiff, "", true},
		"of git":                {"tst-do", "diff --git a/x b/x\nindex 1..2 100644\n" + authDiff, "diff --git a/x b/x\nindex 1..2 100644\n" + authDiff, "", true},
		"without names":         {"tst-do", "@@ -1 +1 @@\n-a\n+b\n", "@@ -1 +1 @@\n-a\n+b\n", "", true},
		"of two files":          {"tst-do", authDiff + "--- a/y\n+++ b/y\n@@ -1 +1 @@\n-a\n+b\n", authDiff + "--- a/y\n+++ b/y\n@@ -1 +1 @@\n-a\n+b\n", "", true},
		"among words":           {"tst-do", "Look:\n" + authDiff + "Done.\n", authDiff, "Look:\nDone.", true},
		"in a fence":            {"tst-do", "Look:\n```diff\n" + authDiff + "```\nDone.\n", authDiff, "Look:\nDone.", true},
		"with wrong counts":     {"tst-do", "@@ -1,9 +1,9 @@\n-a\n+b\nDone.", "@@ -1,9 +1,9 @@\n-a\n+b\nDone.", "", true},
		"a removed header":      {"tst-do", "@@ -1,2 +1 @@\n--- a/x\n-b\n+c\nDone.", "@@ -1,2 +1 @@\n--- a/x\n-b\n+c\n", "Done.", true},
		"numbers are missing":   {"edit_file", "@@\n-a\n+b\n", "@@\n-a\n+b\n", "", true},
		"no header of a hunk":   {"tst-do", "@@ -x +y @@\n@@count = 0\n", "", "", false},
		"class variables":       {"read_file", "class A\n@@count = 0\n@@ - 1\n", "", "", false},
		"words":                 {"tst-do", "nothing was changed", "", "", false},
		"nothing":               {"tst-do", "", "", "", false},
		"a line that continues": {"tst-do", "see @@ -1 +1 @@ there", "", "", false},
		"a header in mid-line":  {"tst-do", "x @@ -1 +1 @@\n@@ -1 +1 @@\n+a", "@@ -1 +1 @@\n+a", "x @@ -1 +1 @@", true},
	} {
		c := call(tc.tool, `{"path":"auth.ts"}`, "", result("ok", tc.detail))
		_, text, rest, ok := diff.OfCall(c)
		if ok != tc.ok || ok && (text != tc.text || rest != tc.rest) {
			t.Errorf("%s: %v\n%q\n%q", name, ok, text, rest)
		}
	}
	for _, tool := range []string{"edit", "edit_file", "frobnicate", "bash", "ask_user", "tst-do"} {
		c := call(tool, `{"path":"auth.ts"}`, "", result("ok", authDiff))
		if tool == "tst-do" {
			c.Server, c.Tool = "tst", "do"
		}
		e := entry(timeline.Done, 0, c)
		for _, fold := range []render.Fold{render.Folded, render.Whole} {
			o := options(80, theme.Plain())
			o.Fold = fold
			lines := drawn(render.NewCache(100), e, o)
			if !strings.HasSuffix(strings.TrimRight(lines[0], " "), "+1 −1") || !slices.Contains(lines, "     2 − check(user)") {
				t.Errorf("%s: %q", tool, lines)
			}
		}
		if text := strings.Join(render.ExportEntry(e, exported(render.ExportMarkdown)), "\n"); !strings.Contains(text, "Change, +1 −1") || !strings.Contains(text, "```diff") {
			t.Errorf("%s: %q", tool, text)
		}
	}
}
