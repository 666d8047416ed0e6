package render

import (
	"testing"

	"parley/session"
	"parley/theme"
	"parley/timeline"
)

func TestTrimShell(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"oops\n<shellId: 15 completed with exit code 3>":   "oops",
		"\n<shellId: 13 completed with exit code 0>":       "",
		"out\n<exited with exit code 0>\n":                 "out",
		"<command started in background with shellId: lg>": "command started in background with shellId: lg",
		"see <b>bold</b>": "see <b>bold</b>",
		"a < b\nc > d":    "a < b\nc > d",
		"":                "",
	} {
		if got := trimShell(in); got != want {
			t.Errorf("%q becomes %q, want %q", in, got, want)
		}
	}
}

func TestFamilies(t *testing.T) {
	t.Parallel()
	for name, f := range families {
		if f.verb == "" || f.subject == nil || len(f.verb) >= verbCells {
			t.Errorf("%d: verb %q", name, f.verb)
		}
		// With and without arguments no subject panics.
		f.subject(nil, Options{})
		if f.facts != nil {
			f.facts(&timeline.ToolCall{}, nil, 0)
		}
	}
}

// TestServerToolsAreNoBuiltIns: a server cannot make its tool look like one of
// the agent's own.
func TestServerToolsAreNoBuiltIns(t *testing.T) {
	t.Parallel()
	f := familyOf(&timeline.ToolCall{Name: "view", Server: "evil", Tool: "view"}, nil)
	if f.verb != "mcp" || f.subject(nil, Options{}) != "evil view" {
		t.Errorf("verb %q, subject %q", f.verb, f.subject(nil, Options{}))
	}
}

func TestSubjects(t *testing.T) {
	t.Parallel()
	o := Options{Dir: "/src"}
	for _, tc := range []struct{ name, arguments, verb, want string }{
		{"grep", `{"pattern":"a\"b","paths":["/src/x","y"],"glob":"*.go"}`, "search", `"a\"b" in x, y (*.go)`},
		{"glob", `{"pattern":"**"}`, "find", `"**"`},
		{"apply_patch", `"*** Begin Patch\n*** Update File: /src/a.go\n@@\n-x\n+y\n"`, "edit", "a.go"},
		{"str_replace_editor", `{"command":"view","path":"/src/a.go"}`, "read", "a.go"},
		{"str_replace_editor", `{"command":"create","path":"/src/a.go"}`, "create", "a.go"},
		{"str_replace_editor", `{"command":"str_replace","path":"/src/a.go"}`, "edit", "a.go"},
		{"task", `{"description":"Find","agent_type":"explore"}`, "agent", "Find (explore)"},
		{"read_agent", `{"agent_id":"6522b43e-96d3-43ca-bd45-a61f678723b7"}`, "agent", "result of 6522b43e"},
		{"frob", `{"x":1}`, "tool", "frob  x=1"},
		{"", ``, "tool", ""},
	} {
		a := parseArguments([]byte(tc.arguments))
		f := familyOf(&timeline.ToolCall{Name: tc.name}, a)
		if got := f.subject(a, o); f.verb != tc.verb || got != tc.want {
			t.Errorf("%s %s: %s %q, want %s %q", tc.name, tc.arguments, f.verb, got, tc.verb, tc.want)
		}
	}
	for name, want := range map[string]string{"read_agent": "result of Scout", "write_agent": "message to Scout", "grep": `"x"`} {
		a := parseArguments([]byte(`{"agent_id":"6522b43e-96d3-43ca-bd45-a61f678723b7","pattern":"x"}`))
		if got := familyOf(&timeline.ToolCall{Name: name, Title: "Scout"}, a).subject(a, o); got != want {
			t.Errorf("%s of Scout: %q, want %q", name, got, want)
		}
	}
}

// TestUnreported: of a call whose agent does not say what came of it nothing is counted.
func TestUnreported(t *testing.T) {
	t.Parallel()
	for _, result := range []*session.ToolResult{nil, {}} {
		c := &timeline.ToolCall{Name: "read", Arguments: []byte(`{"path":"a.txt"}`)}
		e := &timeline.Entry{Body: c, State: c.Complete(session.ToolExecutionComplete{Success: true, Result: result}, timeline.Live)}
		facts := (&toolDoc{call: c}).facts(e, c, familyOf(c, nil), 0, Options{Theme: theme.Plain()})
		if counted := len(facts) > 0; counted != (result != nil) {
			t.Errorf("of the result %v stands %v", result, facts)
		}
	}
}

func TestFacts(t *testing.T) {
	t.Parallel()
	call := func(result string) *timeline.ToolCall { return &timeline.ToolCall{Result: result} }
	for _, tc := range []struct{ got, want string }{
		{readFacts(&timeline.ToolCall{}, arguments{{"view_range", "3, 9"}}, 7), "lines 3–9"},
		{readFacts(&timeline.ToolCall{}, arguments{{"view_range", "3, -1"}}, 7), "from line 3"},
		{readFacts(&timeline.ToolCall{}, nil, 1), "1 line"},
		{grepFacts(call("No matches found."), nil, 1), "no matches"},
		{grepFacts(call("a"), nil, 1), "1 file"},
		{grepFacts(call("a"), arguments{{"output_mode", "content"}}, 2), "2 matches"},
		{globFacts(call("No files matched the pattern."), nil, 1), "no files"},
		{globFacts(call("a"), nil, 2), "2 files"},
		{sqlFacts(call("2 row(s) inserted. Last: 2."), nil, 1), "2 rows inserted"},
		{sqlFacts(call("id title"), nil, 1), ""},
		{backgroundFacts(nil, arguments{{"mode", "async"}}, 0), "background"},
		{sizeFacts(call("abc"), nil, 1), "3 bytes"},
	} {
		if tc.got != tc.want {
			t.Errorf("got %q, want %q", tc.got, tc.want)
		}
	}
}
