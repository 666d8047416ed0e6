package sessions_test

import (
	"slices"
	"testing"

	"parley/history/sessions"
)

// TestTextsOfResults: what only the blocks of a result say is found, and how a
// command ended that only they say; blocks that cannot be read hide nothing.
func TestTextsOfResults(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		start, result string
		want          []sessions.Text
		failures      int
	}{
		"blocks": {
			`{"toolName":"tst-do"}`, `{"content":"short","contents":[{"type":"text","text":"from a block"}]}`,
			[]sessions.Text{{Kind: sessions.Output, Text: "short\nfrom a block"}},
			0,
		},
		"a terminal": {
			`{"toolName":"run"}`, `{"contents":[{"type":"terminal","text":"boom","exitCode":3}]}`,
			[]sessions.Text{{Kind: sessions.Output, Text: "boom"}},
			1,
		},
		"blocks of another shape": {
			`{"toolName":"run"}`, `{"content":"short","contents":{"type":"text"}}`,
			[]sessions.Text{{Kind: sessions.Output, Text: "short"}},
			0,
		},
		"kin of the runtime's tools": {
			`{"toolName":"execute_command","arguments":{"cmd":"make all"}}`, `{"content":"ok"}`,
			[]sessions.Text{{Kind: sessions.Command, Text: "make all"}, {Kind: sessions.Output, Text: "ok"}},
			0,
		},
		"a path by another name": {
			`{"toolName":"read_file","arguments":{"filePath":"auth.ts"}}`, `{"content":"ok"}`,
			[]sessions.Text{{Kind: sessions.File, Text: "auth.ts"}, {Kind: sessions.Output, Text: "ok"}},
			0,
		},
	} {
		d, texts := digest(t, []byte(`{"type":"tool.execution_start","data":`+c.start[:len(c.start)-1]+`,"toolCallId":"c"}}`+"\n"+
			`{"type":"tool.execution_complete","data":{"toolCallId":"c","success":true,"result":`+c.result+`}}`+"\n"))
		for _, want := range c.want {
			if !slices.Contains(texts, want) {
				t.Errorf("%s: no %v in %v", name, want, texts)
			}
		}
		if d.Failures != c.failures {
			t.Errorf("%s: %d failures", name, d.Failures)
		}
	}
}
