package timeline_test

import (
	"encoding/base64"
	"slices"
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"

	"parley/session"
	"parley/timeline"
)

// ended runs a call of a tool to its end.
func ended(t *testing.T, tool, args string, end session.ToolExecutionComplete) (*timeline.Entry, *timeline.ToolCall) {
	t.Helper()
	return newFeed().turn().stored(startOf(tool, args), end).call(t)
}

// TestShownResult: the fuller form of a result is what the user sees, whatever
// the tool is called, unless it repeats what the call's arguments say.
func TestShownResult(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		tool, args, content, detailed, want string
	}{
		"content alone":          {"grep", `{}`, "short", "", "short"},
		"the same twice":         {"grep", `{}`, "short", "short", "short"},
		"fuller":                 {"grep", `{}`, "short", "long\nlong", "long\nlong"},
		"of a command":           {"bash", `{"command":"x"}`, "short", "long", "long"},
		"of a tool unheard of":   {"frobnicate", `{}`, "short", "long", "long"},
		"a client's own":         {"get_weather", `{}`, "cloudy", "LOGGED", "LOGGED"},
		"a query":                {"sql", `{"query":"select 1"}`, "1 row", "SQL: select 1\n\n1 row", "1 row"},
		"a query with more":      {"sql", `{"query":"select 1"}`, "1 row", "SQL: select 1\n\n1 row\n|1|", "1 row\n|1|"},
		"another's query":        {"sql", `{"query":"select 1"}`, "1 row", "a table", "a table"},
		"a prompt":               {"task", `{"prompt":"go"}`, "started", "Prompt to explore agent (1):\ngo", "started"},
		"an agent's answer":      {"task", `{"prompt":"go"}`, "short", "long\ngo", "long\ngo"},
		"of an agent's state":    {"read_agent", `{}`, "Agent is idle. agent_id: 1\n\n[Turn 0]\nfound", "<agent 1 idle>", "found"},
		"of another's read":      {"read_agent", `{}`, "short", "long", "long"},
		"nothing but the fuller": {"grep", `{}`, "", "long", "long"},
	} {
		end := completeOf(tt.content)
		end.Result.DetailedContent = tt.detailed
		_, c := ended(t, tt.tool, tt.args, end)
		if got := c.Shown(); got != tt.want || c.Result != tt.content {
			t.Errorf("%s: %q of %q", name, got, c.Result)
		}
	}
}

// TestResultReplacesTheStream: what streamed gives way to the result, so that a
// replayed log has the same entry; where there is no result it stays.
func TestResultReplacesTheStream(t *testing.T) {
	t.Parallel()
	failed := session.ToolExecutionComplete{ToolCallID: "c", Error: &session.ToolError{Message: "killed"}}
	for name, tt := range map[string]struct {
		end  session.ToolExecutionComplete
		want string
	}{
		"another text":      {completeOf("all of it"), "all of it"},
		"the same":          {completeOf("first part\n"), "first part\n"},
		"nothing":           {completeOf(""), "first part\n"},
		"no result":         {failed, "first part\n"},
		"only its blocks":   {session.ToolExecutionComplete{ToolCallID: "c", Success: true, Result: &session.ToolResult{Contents: []session.ContentBlock{{Type: "text", Text: "a block"}}}}, "a block"},
		"the error, thrice": {session.ToolExecutionComplete{ToolCallID: "c", Error: failed.Error, Result: &session.ToolResult{DetailedContent: " killed"}}, "first part\n"},
		"the error, twice":  {session.ToolExecutionComplete{ToolCallID: "c", Error: failed.Error, Result: &session.ToolResult{Content: "killed\n"}}, "first part\n"},
	} {
		for _, streamed := range []session.Body{
			session.ToolShellOutput{ToolCallID: "c", Text: "first part\n"},
			session.ToolExecutionPartialResult{ToolCallID: "c", PartialOutput: "first part\n"},
		} {
			f := newFeed().turn().stored(startOf("bash", `{"command":"make"}`)).live(streamed)
			_, c := f.call(t)
			before := c.Replaced
			if f.stored(tt.end); c.Shown() != tt.want {
				t.Errorf("%s after %s: %q", name, session.KindOf(streamed), c.Shown())
			}
			if gone := c.Output.Len() == 0; gone != (tt.want != "first part\n" || c.Result != "") || gone != (c.Replaced > before) {
				t.Errorf("%s after %s: %q is left, replaced %d times", name, session.KindOf(streamed), c.Output.String(), c.Replaced)
			}
		}
	}
}

// TestContents: texts that only the blocks of a result hold are shown, and each
// once.
func TestContents(t *testing.T) {
	t.Parallel()
	text := func(s string) session.ContentBlock { return session.ContentBlock{Type: "text", Text: s} }
	document := func(s string) session.ContentBlock {
		return session.ContentBlock{Type: "resource", Resource: &session.EmbeddedResource{URI: "mem://x", MIMEType: "text/plain", Text: s}}
	}
	for name, tt := range map[string]struct {
		content, detailed string
		blocks            []session.ContentBlock
		want              string
	}{
		"only blocks":           {"", "", []session.ContentBlock{text("one\n"), text("two")}, "one\ntwo"},
		"said already":          {"one two", "", []session.ContentBlock{text("one"), text("two")}, "one two"},
		"said in another order": {"one two", "", []session.ContentBlock{text("two"), text("one")}, "one two"},
		"said in the fuller":    {"short", "one two", []session.ContentBlock{text("two"), text("short")}, "one two"},
		"one of them said":      {"one", "", []session.ContentBlock{text("one"), text("three")}, "one\nthree"},
		"behind the fuller":     {"short", "long", []session.ContentBlock{text("three")}, "long\nthree"},
		"before a change":       {"ok", "--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n", []session.ContentBlock{text("Edited x")}, "Edited x\n--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b"},
		"a terminal":            {"", "", []session.ContentBlock{{Type: "terminal", Text: "ok\n"}}, "ok"},
		"a shell's preview":     {"", "", []session.ContentBlock{{Type: "shell_exit", OutputPreview: "1\n2\n", OutputFilePath: "/tmp/o"}}, "1\n2\nAll of the output is in /tmp/o"},
		"a preview of the same": {"Saved to: /tmp/o\n1\n2\n3\n", "", []session.ContentBlock{{Type: "shell_exit", OutputPreview: "1\n2\n", OutputFilePath: "/tmp/o"}}, "Saved to: /tmp/o\n1\n2\n3\n"},
		"a document":            {"", "", []session.ContentBlock{document("its text")}, "its text"},
		"a document, said":      {"its text", "", []session.ContentBlock{document("its text")}, "its text"},
		"of an unknown kind":    {"", "", []session.ContentBlock{{Type: "chart", Text: "bars"}}, "bars"},
		"nothing in them":       {"", "", []session.ContentBlock{{}, text(""), text(" \n"), {Type: "resource"}}, ""},
		"a thousand":            {"", "", slices.Repeat([]session.ContentBlock{text("x"), text("y")}, 500), strings.TrimSuffix(strings.Repeat("x\ny\n", 500), "\n")},
	} {
		_, c := ended(t, "tst-do", `{}`, session.ToolExecutionComplete{ToolCallID: "c", Success: true, Result: &session.ToolResult{
			Content: tt.content, DetailedContent: tt.detailed, Contents: tt.blocks,
		}})
		if got := c.Shown(); got != tt.want {
			t.Errorf("%s: %q, want %q", name, got, tt.want)
		}
		if c.Result != tt.content {
			t.Errorf("%s: the model saw %q", name, c.Result)
		}
	}
}

// TestTerminals: how and where a command ended stands in a block where nothing
// else has it; what is not 0 is a failure.
func TestTerminals(t *testing.T) {
	t.Parallel()
	code := func(kind string, n int) session.ContentBlock {
		return session.ContentBlock{Type: kind, Text: "out", ExitCode: &n, Cwd: "/w/sub"}
	}
	for name, tt := range map[string]struct {
		tool   string
		shell  *int
		blocks []session.ContentBlock
		want   int
		state  timeline.State
	}{
		"of a shell":              {"bash", nil, []session.ContentBlock{code("terminal", 3)}, 3, timeline.Failed},
		"of any tool":             {"tst-run", nil, []session.ContentBlock{code("terminal", 3)}, 3, timeline.Failed},
		"that went well":          {"bash", nil, []session.ContentBlock{code("terminal", 0)}, 0, timeline.Done},
		"one of two failed":       {"bash", nil, []session.ContentBlock{code("terminal", 2), code("terminal", 0)}, 2, timeline.Failed},
		"the end has it, too":     {"bash", ptr(1), []session.ContentBlock{code("shell_exit", 1)}, 1, timeline.Failed},
		"a command that was shot": {"stop_bash", nil, []session.ContentBlock{code("shell_exit", 143)}, -1, timeline.Done},
	} {
		end := session.ToolExecutionComplete{ToolCallID: "c", Success: true, Result: &session.ToolResult{Contents: tt.blocks}}
		if tt.shell != nil {
			end.ShellExecution = &session.ShellExecution{ExitCode: tt.shell}
		}
		e, c := ended(t, tt.tool, `{}`, end)
		got := -1
		if c.ExitCode != nil {
			got = *c.ExitCode
		}
		if got != tt.want || e.State != tt.state || c.Dir != "/w/sub" || !strings.HasPrefix(c.Shown(), "out") {
			t.Errorf("%s: exit %d, %v in %q: %q", name, got, e.State, c.Dir, c.Shown())
		}
	}
}

// TestBlocksOfCalls: what a result has in addition to texts and images is there with
// its name, its type and its size, and its bytes where they came.
func TestBlocksOfCalls(t *testing.T) {
	t.Parallel()
	wav := base64.StdEncoding.EncodeToString([]byte("RIFF...."))
	for name, tt := range map[string]struct {
		before []session.Body
		result session.ToolResult
		want   []timeline.Block
	}{
		"a sound": {
			nil,
			session.ToolResult{Contents: []session.ContentBlock{{Type: "audio", MIMEType: "audio/wav", Data: wav}}},
			[]timeline.Block{{Kind: "audio", MIMEType: "audio/wav", Bytes: 8, Data: wav}},
		},
		"a sound, sent twice": {nil, session.ToolResult{
			Contents:            []session.ContentBlock{{Type: "audio", MIMEType: "audio/wav", Data: wav}},
			BinaryResultsForLLM: []session.BinaryResult{{Type: "resource", MIMEType: "audio/wav", Data: wav, Description: "a bell"}},
		}, []timeline.Block{{Kind: "resource", Name: "a bell", MIMEType: "audio/wav", Bytes: 8, Data: wav}}},
		"a stored sound": {
			[]session.Body{session.SessionBinaryAsset{AssetID: "sha256:1", Type: "resource", MIMEType: "audio/wav", Data: wav}},
			session.ToolResult{BinaryResultsForLLM: []session.BinaryResult{{Type: "resource", MIMEType: "audio/wav", AssetID: "sha256:1", ByteLength: 8}}},
			[]timeline.Block{{Kind: "resource", MIMEType: "audio/wav", Bytes: 8, Data: wav}},
		},
		"the bytes of an image, as a sound": {nil, session.ToolResult{Contents: []session.ContentBlock{
			{Type: "image", MIMEType: "image/png", Data: wav}, {Type: "audio", MIMEType: "audio/wav", Data: wav},
		}}, []timeline.Block{{Kind: "audio", MIMEType: "audio/wav", Bytes: 8, Data: wav}}},
		"a document": {nil, session.ToolResult{Contents: []session.ContentBlock{
			{Type: "resource", Resource: &session.EmbeddedResource{URI: "mem://x", MIMEType: "text/plain", Text: "x"}},
			{Type: "resource", Resource: &session.EmbeddedResource{URI: "mem://y", MIMEType: "application/pdf", Blob: wav}},
		}}, []timeline.Block{
			{Kind: "resource", URI: "mem://x", MIMEType: "text/plain"},
			{Kind: "resource", URI: "mem://y", MIMEType: "application/pdf", Bytes: 8, Data: wav},
		}},
		"a link": {nil, session.ToolResult{Contents: []session.ContentBlock{
			{Type: "resource_link", URI: "https://example.com/a.png", Name: "a", Title: "A", Description: "of a", MIMEType: "image/png", Size: ptr(7)},
		}}, []timeline.Block{{Kind: "resource_link", URI: "https://example.com/a.png", Name: "A", Description: "of a", MIMEType: "image/png", Bytes: 7}}},
		"of an unknown kind":  {nil, session.ToolResult{Contents: []session.ContentBlock{{Type: "video", MIMEType: "video/mp4", Data: wav}}}, []timeline.Block{{Kind: "video", MIMEType: "video/mp4", Bytes: 8, Data: wav}}},
		"with nothing in it":  {nil, session.ToolResult{Contents: []session.ContentBlock{{Type: "audio"}, {Type: "resource"}}}, []timeline.Block{{Kind: "audio"}, {Kind: "resource"}}},
		"of a negative size":  {nil, session.ToolResult{Contents: []session.ContentBlock{{Type: "resource_link", Size: ptr(-7)}}}, []timeline.Block{{Kind: "resource_link"}}},
		"texts and images":    {nil, session.ToolResult{Contents: []session.ContentBlock{{Type: "text", Text: "x"}, {Type: "terminal"}, {Type: "image", Data: wav}}}, nil},
		"bytes that are none": {nil, session.ToolResult{Contents: []session.ContentBlock{{Type: "audio", Data: "!"}}}, []timeline.Block{{Kind: "audio", Data: "!"}}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := newFeed().stored(tt.before...).stored(startOf("tst-do", "{}"), session.ToolExecutionComplete{ToolCallID: "c", Success: true, Result: &tt.result})
			if _, c := f.call(t); !slices.Equal(c.Blocks, tt.want) {
				t.Errorf("got %+v\nwant %+v", c.Blocks, tt.want)
			}
		})
	}
}

// TestErrorText: the code stands next to the message, unless that says it or it
// only says that the call did not work.
func TestErrorText(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ message, code, want string }{
		{"no such file", "ENOENT", "no such file (ENOENT)"},
		{"ENOENT: no such file", "ENOENT", "ENOENT: no such file"},
		{"no such file", "failure", "no such file"},
		{"no", "denied", "no"},
		{"no", "rejected", "no"},
		{"no", "", "no"},
		{"", "E_TIMEOUT", "E_TIMEOUT"},
		{"", "failure", ""},
		{"first\r\nsecond", "E1", "first (E1)\nsecond"},
	} {
		_, c := ended(t, "grep", `{}`, session.ToolExecutionComplete{ToolCallID: "c", Error: &session.ToolError{Message: tt.message, Code: tt.code}})
		if got := c.ErrorText(); got != tt.want {
			t.Errorf("%q, %q: %q, want %q", tt.message, tt.code, got, tt.want)
		}
	}
}

// TestResultsOfTheWrongShape: a result that is not of the documented shape costs
// what cannot be read of it, and the call still ends.
func TestResultsOfTheWrongShape(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct{ result, want string }{
		"null":                    {`null`, ""},
		"a text":                  {`"done"`, "done"},
		"empty":                   {`{}`, ""},
		"content that is none":    {`{"content":7,"detailedContent":"fuller"}`, "fuller"},
		"fuller that is none":     {`{"content":"short","detailedContent":{"a":1}}`, "short"},
		"contents that are none":  {`{"content":"short","contents":"text"}`, "short"},
		"null blocks":             {`{"content":"short","contents":[null,{"type":"text","text":"block"}]}`, "short\nblock"},
		"blocks without a type":   {`{"contents":[{"text":"block"}]}`, "block"},
		"blocks with more":        {`{"contents":[{"type":"text","text":"block","new":[1]}]}`, "block"},
		"blocks of wrong types":   {`{"contents":[{"type":"terminal","text":"block","exitCode":"three","cwd":7}]}`, "block"},
		"a block that is no text": {`{"content":"short","contents":[{"type":"text","text":{"a":1}}]}`, "short"},
		"a resource that is none": {`{"content":"short","contents":[{"type":"resource","resource":"mem://x"}]}`, "short"},
	} {
		ev := session.Decode([]byte(`{"type":"tool.execution_complete","data":{"toolCallId":"c","success":true,"result":` + tt.result + `},"id":"e","timestamp":"2026-03-02T09:00:01Z","parentId":null}`))
		f := newFeed().turn().stored(startOf("tst-do", `{}`))
		f.Apply(ev)
		if e, c := f.call(t); e.State != timeline.Done || c.Shown() != tt.want {
			t.Errorf("%s: %v %q, want %q", name, e.State, c.Shown(), tt.want)
		}
	}
}

// TestErrorsOfTheWrongShape: an error that is not of the documented shape says what
// can be read of it, and the call still fails.
func TestErrorsOfTheWrongShape(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct{ err, want string }{
		"null":                 {`null`, ""},
		"a text":               {`"no route"`, "no route"},
		"a number":             {`7`, ""},
		"a list":               {`["no route"]`, ""},
		"empty":                {`{}`, ""},
		"a message of another": {`{"message":7,"code":"E1"}`, "E1"},
		"a code of another":    {`{"message":"no route","code":{}}`, "no route"},
	} {
		ev := session.Decode([]byte(`{"type":"tool.execution_complete","data":{"toolCallId":"c","success":false,"error":` + tt.err + `},"id":"e","timestamp":"2026-03-02T09:00:01Z","parentId":null}`))
		f := newFeed().turn().stored(startOf("tst-do", `{}`))
		f.Apply(ev)
		if e, c := f.call(t); e.State != timeline.Failed || c.ErrorText() != tt.want {
			t.Errorf("%s: %v %q, want %q", name, e.State, c.ErrorText(), tt.want)
		}
	}
}

// TestFamilyOfACall: a tool of an MCP server is none of the built-in ones.
func TestFamilyOfACall(t *testing.T) {
	t.Parallel()
	for want, c := range map[session.ToolFamily]timeline.ToolCall{
		session.RunCommand: {Name: "bash"},
		session.EditFile:   {Name: "edit_file"},
		session.OtherTool:  {Name: "bash", Server: "tst"},
	} {
		if got := c.Family(); got != want {
			t.Errorf("%s of %q: %d", c.Name, c.Server, got)
		}
	}
	spoof := timeline.ToolCall{Name: "bash", Server: "tst", Arguments: jsontext.Value(`{"command":"rm"}`)}
	if spoof.Command() != "" {
		t.Error("a server's tool ran a command")
	}
}
