package main

import (
	"bufio"
	"bytes"
	"encoding/base64"
	"image"
	"image/png"
	"io"
	"os"
	"testing"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// mcpWork are the tools of the MCP server that work for a while, fail, or bring
// what is no text.
var mcpWork = map[string]func(token jsontext.Value, about string) object{
	"climb": climb,
	"break": func(_ jsontext.Value, about string) object {
		return object{"isError": true, "content": []object{{"type": "text", "text": "the " + about + " is stuck"}}}
	},
	"paint": func(_ jsontext.Value, about string) object {
		return object{"content": []object{
			{"type": "text", "text": "painted: " + about},
			{"type": "image", "mimeType": "image/png", "data": base64.StdEncoding.EncodeToString(canvas())},
		}}
	},
}

// climb reports a step for each line that comes through a named pipe.
func climb(token jsontext.Value, pipe string) object {
	in, err := os.Open(pipe)
	if err != nil {
		return content(err.Error())
	}
	defer func() { _ = in.Close() }()
	n := 0
	for lines := bufio.NewScanner(in); lines.Scan(); n++ {
		params, err := json.Marshal(object{"progressToken": token, "progress": n + 1, "total": 4, "message": lines.Text()})
		if err != nil {
			return content(err.Error())
		}
		if json.MarshalWrite(os.Stdout, mcpMessage{JSONRPC: "2.0", Method: "notifications/progress", Params: params}) != nil {
			break
		}
		_, _ = io.WriteString(os.Stdout, "\n")
	}
	return content("the top")
}

// canvas is a picture of 40 by 30, as a PNG.
func canvas() []byte {
	var b bytes.Buffer
	_ = png.Encode(&b, image.NewGray(image.Rect(0, 0, 40, 30))) // a buffer takes all
	return b.Bytes()
}

// TestMCPProgress shows each step that a server's tool reports in place of the
// one before, and then what it returned.
func TestMCPProgress(t *testing.T) {
	t.Parallel()
	s := playForms(t, launch{width: 100, height: 40, args: []string{"--allow-all"}})
	s.pipe("steps")
	s.model.Add("climb", calling(call("asker-climb", object{"about": s.path("steps")})), said("It is up."))
	s.say("climb @@climb")
	s.row("● mcp", "asker climb")
	pipe, err := os.OpenFile(s.path("steps"), os.O_WRONLY, 0) // waits for the server
	if err != nil {
		t.Fatal(err)
	}
	for _, step := range []struct{ text, share, before string }{{"first rung", "25%", "0%"}, {"second rung", "50%", "first rung"}, {"third rung", "75%", "second rung"}} {
		if _, err := pipe.WriteString(step.text + "\n"); err != nil {
			t.Fatal(err)
		}
		s.row(step.share, step.text)
		s.waitGone(step.before)
		s.wait("using asker climb", textBusy)
	}
	if err := pipe.Close(); err != nil {
		t.Fatal(err)
	}
	s.idle("It is up.", "    received: the top")
	s.row("✓ mcp", "asker climb")
	s.waitGone("third rung")
	s.leave()
}

// TestMCPErrorAndImage shows why a server's tool failed, at every density, and of
// a picture what it is.
func TestMCPErrorAndImage(t *testing.T) {
	t.Parallel()
	s := playForms(t, launch{width: 100, height: 40, args: []string{"--allow-all"}})
	s.turn("both", call("asker-break", object{"about": "ladder"}), call("asker-paint", object{"about": "a wall"}))
	s.over("both", "    [picture · image/png · 40×30 · 84 bytes]", "    painted: a wall")
	broken := func() {
		t.Helper()
		s.row("✗ mcp", "asker break", "failed")
		s.wait("the ladder is stuck")
	}
	broken()
	s.row("✓ mcp", "asker paint")
	s.row("─ 2 tool calls", "1 failed")
	s.command("/density compact")
	s.wait("Density: compact")
	s.waitGone("    painted: a wall")
	broken()
	s.told("tool", "the ladder is stuck", "painted: a wall")
	s.leave()
}
