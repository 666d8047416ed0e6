package prompts

import (
	"reflect"
	"slices"
	"strings"
	"testing"

	"parley/session"
	"parley/theme"
)

// required is all that must be on the screen before a card approves, as text.
func required(t *testing.T, q *Queue) string {
	t.Helper()
	c, th := q.card(), theme.Plain()
	q.View(100, 40, th)
	b, n := c.body(96, th, c.alertLines(96, th), c.known(96, th), 0)
	return strings.Join(b.rows(0, n), "\n") + "\n" + c.title
}

// unsaid are the fields of a permission question that mean nothing to a user,
// or that Parley says in its own words.
var unsaid = map[string]bool{
	"Kind": true, "ToolCallID": true, "ShellType": true, "ApprovalKey": true, "PermissionRecommendation": true,
	"AssistedApproval": true, "Extra": true, "Commands": true, "CommandSegments": true, "CommandIdentifiers": true,
	"ReadOnlyDirectories": true, // in the row that remembers them
}

// fill puts a text of its own into a field, and returns it; not ok for fields
// that hold no text.
func fill(v reflect.Value, mark string) bool {
	switch {
	case v.Kind() == reflect.String:
		v.SetString(mark)
	case v.Type() == reflect.TypeFor[[]string]():
		v.Set(reflect.ValueOf([]string{mark}))
	case v.Kind() == reflect.Slice && v.Type().Elem().Kind() == reflect.Uint8:
		v.SetBytes([]byte(`{"a":"` + mark + `"}`))
	case v.Type() == reflect.TypeFor[[]session.WorkflowPhase]():
		v.Set(reflect.ValueOf([]session.WorkflowPhase{{Title: mark}}))
	case v.Type() == reflect.TypeFor[[]session.PossibleURL]():
		v.Set(reflect.ValueOf([]session.PossibleURL{{URL: mark}}))
	default:
		return false
	}
	return true
}

// textFields are the fields of a form of a question that hold text.
func textFields(form reflect.Type) []reflect.StructField {
	return slices.DeleteFunc(reflect.VisibleFields(form), func(f reflect.StructField) bool {
		return unsaid[f.Name] || !fill(reflect.New(form).Elem().FieldByIndex(f.Index), "")
	})
}

// TestNothingIsLeftOut: whatever a question holds, of whatever kind, is on its
// card, and must be read before it is approved.
func TestNothingIsLeftOut(t *testing.T) {
	t.Parallel()
	const mark = "https://marked.example/x"
	asked, shown := reflect.TypeFor[session.PermissionRequest](), reflect.TypeFor[session.PromptRequest]()
	for _, kind := range []string{
		"shell", "write", "read", "url", "mcp", "custom-tool", "memory", "hook", "extension-management",
		"extension-permission-access", "extension-env-access", "workflow", "teleport", "path",
	} {
		check := func(form reflect.Type, f reflect.StructField) {
			r := session.PermissionRequested{RequestID: "r1", PermissionRequest: session.PermissionRequest{PermissionDetails: session.PermissionDetails{Kind: kind}}}
			if form == shown || kind == "path" {
				r.PromptRequest = &session.PromptRequest{PermissionDetails: session.PermissionDetails{Kind: kind}}
			}
			r.PermissionRequest.RequestSandboxBypass = true // else its reason says nothing
			to := reflect.ValueOf(&r.PermissionRequest).Elem()
			if form == shown {
				to = reflect.ValueOf(r.PromptRequest).Elem()
			}
			fill(to.FieldByIndex(f.Index), mark)
			q := NewQueue()
			q.Apply(session.Event{Body: r}, start)
			if !strings.Contains(required(t, q), mark) {
				t.Errorf("%s.%s of kind %s is not on the card", form.Name(), f.Name, kind)
			}
		}
		for _, form := range []reflect.Type{asked, shown} {
			for _, f := range textFields(form) {
				check(form, f)
			}
		}
	}
}

// TestReadOnlyTools: whether a tool of a server only reads is on its card and
// under why. Only the request itself can say that it does.
func TestReadOnlyTools(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		request session.PermissionRequest
		prompt  *session.PromptRequest
		reads   bool
	}{
		"reads":               {session.PermissionRequest{PermissionDetails: session.PermissionDetails{Kind: "mcp", ReadOnly: true}}, nil, true},
		"reads, with prompt":  {session.PermissionRequest{PermissionDetails: session.PermissionDetails{Kind: "mcp", ReadOnly: true}}, &session.PromptRequest{PermissionDetails: session.PermissionDetails{Kind: "mcp"}}, true},
		"changes":             {session.PermissionRequest{PermissionDetails: session.PermissionDetails{Kind: "mcp"}}, nil, false},
		"only the prompt":     {session.PermissionRequest{}, &session.PromptRequest{PermissionDetails: session.PermissionDetails{Kind: "mcp", ReadOnly: true}}, true},
		"the prompt, but not": {session.PermissionRequest{PermissionDetails: session.PermissionDetails{Kind: "mcp"}}, &session.PromptRequest{PermissionDetails: session.PermissionDetails{Kind: "mcp", ReadOnly: true}}, false},
	} {
		q := NewQueue()
		q.Apply(session.Event{Body: session.PermissionRequested{RequestID: "r1", PermissionRequest: c.request, PromptRequest: c.prompt}}, start)
		card := required(t, q)
		if reads, may := strings.Contains(card, "only reads, as the server says"), strings.Contains(card, "may change things"); reads != c.reads || may == c.reads {
			t.Errorf("%s: reads %t, may change %t:\n%s", name, reads, may, card)
		}
		q.card().why = true
		view := strings.Join(q.View(100, 60, theme.Plain()), "\n")
		if yes, no := strings.Contains(view, "yes, as the server says"), strings.Contains(view, "read only no"); yes != c.reads || no == c.reads {
			t.Errorf("%s: under why, yes %t, no %t:\n%s", name, yes, no, view)
		}
	}
	q := NewQueue()
	q.Apply(session.Event{Body: shell("ls", "ls")}, start)
	if strings.Contains(required(t, q), "effect") {
		t.Error("a command is no tool of a server")
	}
}

// TestTwoStories: a question whose fields contradict each other shows both, and is
// dangerous.
func TestTwoStories(t *testing.T) {
	t.Parallel()
	write := func(diff, contents string) session.PermissionRequest {
		return session.PermissionRequest{PermissionDetails: session.PermissionDetails{Kind: "write", FileName: "/w/a.sh", Diff: diff, NewFileContents: contents, CanOfferSessionApproval: true}}
	}
	const change = "--- a/w/a.sh\n+++ b/w/a.sh\n@@ -1,2 +1,2 @@\n one\n-two\n+2\n"
	const made = "--- a/dev/null\n+++ b/w/a.sh\n@@ -1,0 +1,1 @@\n+hello\n"
	for name, c := range map[string]struct {
		request session.PermissionRequest
		prompt  *session.PromptRequest
		shows   string // "" where there is one story only
	}{
		"a change":              {write(change, "one\n2\n"), nil, ""},
		"a change, longer file": {write(change, "one\n2\nthree\n"), nil, ""},
		"without a line end":    {write(made, "hello"), nil, ""},
		"other contents":        {write(change, "one\nrm -rf ~\n"), nil, "rm -rf ~"},
		"more contents":         {write(made, "hello\ncurl evil\n"), nil, "curl evil"},
		"less contents":         {write(change, "one\n"), nil, "contents"},
		"no diff, and contents": {write("looks fine", "rm -rf ~\n"), nil, "rm -rf ~"},
		"another file": {
			session.PermissionRequest{PermissionDetails: session.PermissionDetails{Kind: "write", FileName: "/w/a.sh", Diff: change, FileEdits: []session.FileEditChange{
				{After: &session.FileVersion{Path: "/w/a.sh", Content: "one\n2\n"}},
				{After: &session.FileVersion{Path: "/w/b.sh", Content: "rm -rf ~\n"}},
			}}}, nil, "rm -rf ~",
		},
		"more than the change": {
			session.PermissionRequest{
				PermissionDetails: session.PermissionDetails{Kind: "write", FileName: "/w/a.sh", Diff: change, NewFileContents: "one\n2\nrm -rf ~\n", FileEdits: []session.FileEditChange{{Before: &session.FileVersion{Path: "/w/a.sh", Content: "one\ntwo\n"}}}},
			}, nil, "rm -rf ~",
		},
		"a part of another line": {shellRequest("ls", "curl evil"), nil, "curl evil"},
		"a part of the line":     {shellRequest("ls && git  push", "git push"), nil, ""},
		"a command behind a path": {
			session.PermissionRequest{PermissionDetails: session.PermissionDetails{Kind: "shell", FullCommandText: "curl evil"}},
			&session.PromptRequest{PermissionDetails: session.PermissionDetails{Kind: "read", Path: "/w/a"}}, "curl evil",
		},
		"arguments twice": {
			session.PermissionRequest{PermissionDetails: session.PermissionDetails{Kind: "mcp", ServerName: "s", ToolName: "t", Args: []byte(`{"a":"one"}`), ToolArgs: []byte(`{"a":"other"}`)}},
			nil, "other",
		},
	} {
		q := NewQueue()
		q.Apply(session.Event{Body: session.PermissionRequested{RequestID: "r1", PermissionRequest: c.request, PromptRequest: c.prompt}}, start)
		if danger := q.card().danger; danger != (c.shows != "") {
			t.Errorf("%s: danger %v\n%s", name, danger, required(t, q))
		}
		if !strings.Contains(required(t, q), c.shows) {
			t.Errorf("%s: %q is not on the card\n%s", name, c.shows, required(t, q))
		}
	}
}

func shellRequest(command string, parts ...string) session.PermissionRequest {
	r := session.PermissionRequest{PermissionDetails: session.PermissionDetails{Kind: "shell", FullCommandText: command}}
	for _, p := range parts {
		r.CommandSegments = append(r.CommandSegments, session.CommandSegment{FullCommandText: p})
	}
	return r
}

// TestDiffHeaders: what the header of a change says in addition to the names is shown,
// also where it is a change of one file.
func TestDiffHeaders(t *testing.T) {
	t.Parallel()
	for header, shows := range map[string]string{
		"old mode 100644\nnew mode 100755\n": "100755",
		"and also: send ~/.ssh away\n":       "send ~/.ssh away",
		"create file mode 120000\n":          "120000",
	} {
		r := session.PermissionRequested{RequestID: "r1", PermissionRequest: session.PermissionRequest{
			PermissionDetails: session.PermissionDetails{Kind: "write", FileName: "/w/a", Diff: "diff --git a/w/a b/w/a\n" + header + "--- a/w/a\n+++ b/w/a\n@@ -1 +1 @@\n-a\n+b\n"},
		}}
		q := NewQueue()
		q.Apply(session.Event{Body: r}, start)
		if got := required(t, q); !strings.Contains(got, shows) {
			t.Errorf("%q: not shown\n%s", header, got)
		}
	}
}

// TestInternalMembers: bookkeeping of the runtime is no detail of a card whose kind is
// known; what else is not known is, and all of a kind that is not.
func TestInternalMembers(t *testing.T) {
	t.Parallel()
	for kind, shows := range map[string]bool{"shell": false, "teleport": true} {
		d := session.PermissionDetails{Kind: kind, FullCommandText: "ls", Extra: []byte(`{"_permissionRequestSessionId":"s1","mood":"calm"}`)}
		w := merge(session.PermissionRequested{RequestID: "r1", PermissionRequest: session.PermissionRequest{PermissionDetails: d}})
		if !strings.Contains(w.rest, "calm") || strings.Contains(w.rest, "_permissionRequestSessionId") != shows {
			t.Errorf("%s: the details are %q", kind, w.rest)
		}
	}
}
