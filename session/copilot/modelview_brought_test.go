package copilot_test

import (
	"encoding/base64"
	"io"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/go-json-experiment/json"

	"parley/session"
	"parley/session/sessiontest/llm"
)

// brought is what comes from files, folders and servers.
func brought() map[string]scene {
	a := llm.Script{"a": answer("A.")}
	scenes := map[string]scene{
		"folder": place{files: folder}.scene(a, foldered),
		"skills": place{files: skill}.scene(a, skilled),
	}
	for model, suffix := range map[string]string{"seeing": "", "blind": ", a blind model"} {
		scenes["attachments"+suffix] = place{model: model}.scene(a, attached)
		scenes["images"+suffix] = place{model: model}.scene(a, imaged)
		scenes["servers"+suffix] = place{model, servers}.scene(a, served)
	}
	return scenes
}

// pasted is an image that comes along with a prompt.
func (p *part) pasted(name string) session.Attachment {
	p.Helper()
	data := base64.StdEncoding.EncodeToString(pngImage(p.T))
	return session.Attachment{Type: "blob", Data: data, MIMEType: "image/png", DisplayName: name}
}

func attached(p *part) {
	p.write("notes.txt", "the secret word is marmalade\n")
	p.write("long.txt", "one\ntwo\nthree\nfour\n")
	p.write("sub/inner.txt", "inside\n")
	p.write("dot.png", string(pngImage(p.T)))
	p.write("paper.pdf", "%PDF-1.4\n")
	file := func(name string) session.Attachment {
		return session.Attachment{Type: "file", Path: p.path(name), DisplayName: name}
	}
	lines := file("long.txt")
	lines.LineRange = &session.LineRange{Start: 2, End: 3}
	sub := file("sub")
	sub.Type = "directory"
	for _, along := range [][]session.Attachment{
		{file("notes.txt"), lines, sub, file("dot.png"), file("none.txt"), file("paper.pdf")},
		{
			p.pasted("pasted.png"),
			{Type: "blob", Data: "aGVsbG8=", MIMEType: "text/plain", DisplayName: "pasted.txt"},
			p.pasted(""),
			{Type: "blob", Data: "JVBERi0xLjQK", MIMEType: "application/pdf", DisplayName: "paper.pdf"},
			file("dot.png"),
		},
		{file("notes.txt"), {
			Type: "selection", FilePath: p.path("notes.txt"), DisplayName: "notes.txt", Text: "secret word",
			Selection: []byte(`{"start":{"line":0,"character":4},"end":{"line":0,"character":15}}`),
		}},
		{
			{Type: "github_reference", Number: 7, Title: "Slow", ReferenceType: "pr", State: "merged", URL: "https://x.example/7"},
			file("notes.txt"),
			{Type: "github_reference", Number: 8, Title: "Why?", ReferenceType: "discussion", State: "closed", URL: "https://x.example/8"},
		},
	} {
		p.give(session.Input{Prompt: "see @@a", Display: "shown", Attachments: along})
	}
	p.ask("four @@a")
}

func imaged(p *part) {
	p.allow()
	p.write("dot.png", string(pngImage(p.T)))
	look := tool("view", object{"path": p.path("dot.png")})
	p.model.Add("look", calls(look, bash("sleep 0.1; echo x"), look)...)
	p.ask("one @@look")
	p.ask("two @@a")
}

// folder has instructions and an agent.
func folder(b *bench) {
	b.write("AGENTS.md", "MARK-agents\n")
	b.write("deep/AGENTS.md", "MARK-deep\n")
	b.write("deep/x.txt", "x\n")
	b.write(".github/agents/fox.agent.md", "---\nname: fox\ndescription: a sly one\n---\nBe sly.\n")
}

func foldered(p *part) {
	p.allow()
	p.model.Add("deep", calls(tool("view", object{"path": p.path("deep/x.txt")}))...)
	p.ask("one @@deep")
	p.ask("two @@deep")
	for _, agent := range []string{"fox", ""} {
		p.must(p.s.SelectAgent(p.Context(), agent))
		p.ask("three @@a")
	}
}

// skill is one that the model loads, and the user.
func skill(b *bench) {
	b.write(".github/skills/wave/SKILL.md", "---\nname: wave\ndescription: waves\n---\nWave with both hands.\n")
}

func skilled(p *part) {
	p.allow()
	p.model.Add("wave", calls(tool("skill", object{"skill": "wave"}), bash("echo x"))...)
	p.ask("one @@wave")
	p.ask("two @@a")
	p.ask("three @@wave")
	got, err := p.s.Invoke(p.Context(), "wave", "the gate @@a")
	p.must(err)
	p.give(*got.Prompt)
	p.ask("four @@a")
}

// servers are one that gives things.
func servers(b *bench) {
	file, err := json.Marshal(object{"mcpServers": object{"giver": object{"type": "http", "url": gives(b.T).URL}}})
	b.must(err)
	b.write(".mcp.json", string(file))
}

func served(p *part) {
	p.allow()
	p.model.Add("call", []llm.Step{
		{Calls: []llm.Call{tool("giver-image", nil), tool("giver-file", nil), tool("giver-failure", nil), tool("giver-shape", nil)}},
		{Calls: []llm.Call{tool("giver-nothing", nil), tool("giver-sound", nil)}},
		{Text: "A."},
	}...)
	p.ask("one @@call")
	p.ask("two @@a")
}

// gives is an MCP server over HTTP whose tools give what they are named for.
func gives(t *testing.T) *httptest.Server {
	t.Helper()
	dot := base64.StdEncoding.EncodeToString(pngImage(t))
	results := map[string]object{
		"image": {"content": []object{{"type": "text", "text": "a dot"}, {"type": "image", "data": dot, "mimeType": "image/png"}, {"type": "text", "text": "and another"}, {"type": "image", "data": dot, "mimeType": "image/png"}}},
		"file": {"content": []object{
			{"type": "resource", "resource": object{"uri": "file:///a.txt", "mimeType": "text/plain", "text": "inside"}},
			{"type": "resource", "resource": object{"uri": "file:///a.bin", "mimeType": "application/octet-stream", "blob": "AAEC"}},
			{"type": "resource", "resource": object{"uri": "file:///a.pdf", "mimeType": "application/pdf", "blob": "JVBERi0xLjQK"}},
			{"type": "resource", "resource": object{"uri": "file:///a.png", "mimeType": "image/png", "blob": dot}},
			{"type": "resource_link", "uri": "file:///b.txt", "name": "b"},
		}},
		"sound":   {"content": []object{{"type": "audio", "data": "AAEC", "mimeType": "audio/wav"}}},
		"failure": {"isError": true, "content": []object{{"type": "text", "text": "it broke"}, {"type": "text", "text": "badly"}}},
		"shape":   {"content": []object{{"type": "text", "text": "{}"}}, "structuredContent": object{"a": 1}},
		"nothing": {"content": []object{}},
	}
	list := make([]object, 0, len(results))
	for name := range results {
		list = append(list, object{"name": name, "description": "gives it", "inputSchema": object{"type": "object", "properties": object{}}})
	}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var call message
		raw, err := io.ReadAll(r.Body)
		if r.Method != http.MethodPost || err != nil || json.Unmarshal(raw, &call, json.RejectUnknownMembers(false)) != nil {
			http.Error(w, "what?", http.StatusMethodNotAllowed)
			return
		}
		result := object{}
		switch call.Method {
		case "initialize":
			result = object{
				"protocolVersion": "2025-06-18", "capabilities": object{"tools": object{}},
				"serverInfo": object{"name": "giver", "version": "1"},
			}
		case "tools/list":
			result = object{"tools": list}
		case "tools/call":
			var params struct {
				Name string `json:"name"`
			}
			if json.Unmarshal(call.Params, &params, json.RejectUnknownMembers(false)) == nil {
				result = results[params.Name]
			}
		default:
			if call.ID == nil {
				w.WriteHeader(http.StatusAccepted)
				return
			}
		}
		write(w, http.StatusOK, message{JSONRPC: "2.0", ID: call.ID, Result: result})
	}))
	t.Cleanup(server.Close)
	return server
}
