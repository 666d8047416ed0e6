package e2e

import (
	"bufio"
	"bytes"
	"encoding/base64"
	"image"
	"image/png"
	"io"
	"os"

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

// canvas is an image of 40 by 30, as a PNG.
func canvas() []byte {
	var b bytes.Buffer
	_ = png.Encode(&b, image.NewGray(image.Rect(0, 0, 40, 30))) // a buffer takes all
	return b.Bytes()
}

// showsItsWork has the server's tools work: each step that one reports stands in the
// place of the one before, until it returns; why one failed is shown, and of an image
// what it is.
func (s *stage) showsItsWork() {
	s.t.Helper()
	s.pipe("steps")
	s.turn("climb", call("asker-climb", object{"about": s.path("steps")}))
	s.answer("y", "Call this tool?", "climb (asker)")
	s.row("● mcp", "asker climb")
	pipe, err := os.OpenFile(s.path("steps"), os.O_WRONLY, 0) // waits for the server
	if err != nil {
		s.t.Fatal(err)
	}
	for _, step := range []struct{ text, share, before string }{
		{"first rung", "25%", "0%"}, {"second rung", "50%", "first rung"}, {"third rung", "75%", "second rung"},
	} {
		if _, err := pipe.WriteString(step.text + "\n"); err != nil {
			s.t.Fatal(err)
		}
		s.row(step.share, step.text)
		s.waitGone(step.before)
		s.wait("using asker climb", textBusy)
	}
	if err := pipe.Close(); err != nil {
		s.t.Fatal(err)
	}
	s.over("climb", "    received: the top")
	s.row("✓ mcp", "asker climb")
	s.waitGone("third rung")

	s.turn("both", call("asker-break", object{"about": "ladder"}), call("asker-paint", object{"about": "a wall"}))
	s.answer("y", "Call this tool?", "1 of 2")
	s.answer("y", "Call this tool?", "1 of 1")
	s.over("both", "    [image · image/png · 40×30 · 84 bytes]", "    painted: a wall", "the ladder is stuck")
	s.row("✗ mcp", "asker break", "failed")
	s.row("✓ mcp", "asker paint")
	s.row("─ 2 tool calls", "1 failed")
	s.requested("tool", "the ladder is stuck", "painted: a wall")
}
