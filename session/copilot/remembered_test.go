package copilot_test

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"parley/session"
	"parley/session/copilot"
	"parley/session/sessiontest"
	"parley/session/sessiontest/llm"
)

// remembered is one kind of question, one decision about it, and what is asked
// about afterwards: by the same call and a similar one in this session, and by
// the same call in another session in the same folder.
type remembered struct {
	kind     string
	decision session.Decision
	question []string // all that the call asks about, at first
	same     []string
	similar  []string
	later    []string
}

// TestWhatIsRemembered holds the runtime to what the cards say it remembers.
func TestWhatIsRemembered(t *testing.T) {
	const onceOnly, forSession, forLocation = session.ApproveOnce, session.ApproveForSession, session.ApproveForLocation
	shell, write, read := []string{"commands"}, []string{"write"}, []string{"read"}
	mcp, custom, address := []string{"mcp"}, []string{"custom-tool"}, []string{"url", "commands"}
	pathRead, pathWrite, pathShell := []string{"path", "read"}, []string{"path", "write"}, []string{"path"}
	for _, row := range []remembered{
		{"shell", onceOnly, shell, shell, shell, shell},
		{"shell", forSession, shell, nil, nil, shell}, // similar: other arguments
		{"shell", forLocation, shell, nil, nil, nil},
		{"write", onceOnly, write, write, write, write},
		{"write", forSession, write, nil, nil, write}, // similar: another file
		{"write", forLocation, write, nil, nil, nil},
		{"read", onceOnly, read, read, read, read},
		{"read", forSession, read, nil, nil, read},
		{"read", forLocation, read, nil, nil, nil},
		{"mcp", onceOnly, mcp, mcp, mcp, mcp},
		{"mcp", forSession, mcp, nil, mcp, mcp}, // similar: another tool of the server
		{"mcp", forLocation, mcp, nil, mcp, nil},
		{"custom-tool", onceOnly, custom, custom, custom, custom},
		{"custom-tool", forSession, custom, nil, custom, custom},
		{"custom-tool", forLocation, custom, nil, custom, nil},
		{"url", onceOnly, address, address, address, address},
		{"url", forSession, address, shell, shell, address}, // similar: another page of the host
		{"path to read", onceOnly, pathRead, pathRead, pathRead, pathRead},
		{"path to read", forSession, pathRead, read, pathRead, pathRead}, // similar: another file of the folder
		{"path to read", session.ApproveReadOnlyForSession, pathRead, pathRead, pathRead, pathRead},
		{"path to write", forSession, pathWrite, write, pathWrite, pathWrite},
		{"path of a command", onceOnly, pathShell, pathShell, pathShell, pathShell},
		{"path of a command", forSession, pathShell, nil, pathShell, pathShell},
	} {
		t.Run(row.kind+" "+string(row.decision), func(t *testing.T) { row.check(t) })
	}
}

func (row remembered) check(t *testing.T) {
	t.Helper()
	b := on(t, nil)
	b.stage(row.kind)
	open := func() (session.Session, *sessiontest.Reader) {
		s, r := b.open()
		if row.kind == "mcp" {
			trust := next[session.FolderTrustRequested](r)
			b.respond(s, session.FolderTrustAnswer{RequestID: trust.RequestID, Trusted: true})
		}
		if row.kind == "custom-tool" {
			b.bringTools(s)
		}
		return s, r
	}
	decide := func(q session.PermissionRequested) session.PermissionAnswer {
		switch {
		case q.PromptRequest.Kind != row.question[0]:
			return once(q)
		case row.decision == session.ApproveReadOnlyForSession:
			return session.PermissionAnswer{Decision: row.decision, Directories: q.PromptRequest.ReadOnlyDirectories}
		}
		return approve(row.decision)(q)
	}
	expect := func(what string, got, want []string) {
		t.Helper()
		if !slices.Equal(got, want) && len(got)+len(want) > 0 {
			t.Errorf("%s asks about %v, want %v", what, got, want)
		}
	}
	s, r := open()
	expect("the call", b.play(s, r, "first", decide), row.question)
	expect("the same call", b.play(s, r, "first", once), row.same)
	expect("a similar call", b.play(s, r, "similar", once), row.similar)
	s, r = open()
	expect("another session", b.play(s, r, "first", once), row.later)
}

// stage adds the scripts "first" and "similar", each with a call that asks about
// a kind, and what they need.
func (b *bench) stage(kind string) {
	b.Helper()
	call := func(name string, args map[string]any) llm.Call { return llm.Call{Name: name, Args: args} }
	file := func(dir, name string) string {
		path := filepath.Join(dir, name)
		b.must(os.WriteFile(path, []byte("x\n"), 0o600))
		return path
	}
	edit := func(path string) llm.Call {
		return call("edit", map[string]any{"path": path, "old_str": "x", "new_str": "x "})
	}
	view := func(path string) llm.Call { return call("view", map[string]any{"path": path}) }
	var first, similar llm.Call
	switch kind {
	case "shell":
		first, similar = bash("touch one"), bash("touch two")
	case "write":
		first, similar = edit(file(b.dir, "one")), edit(file(b.dir, "two"))
	case "read":
		first, similar = view(file(b.dir, "one")), view(file(b.dir, "two"))
	case "mcp":
		b.mcpFolder()
		first, similar = call("asker-quiet", nil), call("asker-silent", nil)
	case "custom-tool":
		first, similar = call("paint", nil), call("draw", nil)
	case "url":
		first, similar = bash("curl -s "+b.model.URL+"/one"), bash("curl -s "+b.model.URL+"/two")
	case "path to read":
		far := outside(b.T)
		first, similar = view(file(far, "one")), view(file(far, "two"))
	case "path to write":
		far := outside(b.T)
		first, similar = edit(file(far, "one")), edit(file(far, "two"))
	case "path of a command":
		far := outside(b.T)
		first, similar = bash("cat "+file(far, "one")), bash("cat "+file(far, "two"))
	}
	b.model.Add("first", llm.Step{Calls: []llm.Call{first}}, llm.Step{Text: "Done."})
	b.model.Add("similar", llm.Step{Calls: []llm.Call{similar}}, llm.Step{Text: "Done."})
}

// bringTools gives the session the tools paint and draw, as another client may,
// which fail at once.
func (b *bench) bringTools(s session.Session) {
	b.Helper()
	tool := func(name string) object {
		return object{"name": name, "description": "makes an image", "parameters": object{"type": "object", "properties": object{}}}
	}
	b.must(copilot.Call(b.Context(), s.(*copilot.Session), "session.resume", object{
		"streaming": true, "observePromptEvents": true, "requestPermission": true, "enableScriptSafety": true,
		"provider": b.cfg.Provider, "model": b.cfg.Model, "workingDirectory": b.dir,
		"tools":    []object{tool("paint"), tool("draw")},
		"commands": []object{{"name": "dance", "description": "dances"}},
	}))
}
