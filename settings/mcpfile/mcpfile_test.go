package mcpfile

import (
	"bytes"
	"errors"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"pgregory.net/rapid"
)

const written = `{
  "other": [1, 2.50, {"z": 1, "a": 2}],
  "mcpServers": {
    "ctx": {
      "command": "npx",
      "args": ["-y", "foo"],
      "env": {"K": "V"},
      "unknown": {"b": 1, "a": 2}
    },
    "notion": {"type": "http", "url": "https://mcp.notion.com/mcp", "headers": {"Authorization": "Bearer abc"}}
  }
}
`

// TestParse reads servers of both kinds, and says of one what is wrong with it.
func TestParse(t *testing.T) {
	t.Parallel()
	all, err := Parse([]byte(written))
	want := []Server{
		{Name: "ctx", Command: "npx", Args: []string{"-y", "foo"}, Env: map[string]string{"K": "V"}},
		{Name: "notion", Type: "http", URL: "https://mcp.notion.com/mcp", Headers: map[string]string{"Authorization": "Bearer abc"}},
	}
	if err != nil || !reflect.DeepEqual(all, want) {
		t.Errorf("%+v, %v", all, err)
	}
	if all[0].Kind() != "local" || all[0].Remote() || all[1].Kind() != "http" || !all[1].Remote() {
		t.Errorf("kinds %q %q", all[0].Kind(), all[1].Kind())
	}
	for text, want := range map[string]string{
		"{\n\"mcpServers\": {\"a\": {}}}":                                 "line 2: it has neither a command nor a url",
		"{\"mcpServers\": {\"a\":\n {\"command\": \"x\",\n\"args\": 3}}}": "line 3: args does not have the documented type",
		"{\"mcpServers\": {\"a\":\n 3}}":                                  "line 2: the server does not have the documented type",
		`{"mcpServers": {"a": {"command": "x", "url": "y"}}}`:             "line 1: it has both a command and a url",
		`{"mcpServers": {"a": {"command": "x", "type": "http"}}}`:         "line 1: a server of type http needs a url",
		`{"mcpServers": {"a": {"command": "x", "type": "ftp"}}}`:          `line 1: the type is local, stdio, http or sse, not "ftp"`,
	} {
		all, err := Parse([]byte(text))
		if err != nil || len(all) != 1 || all[0].Err == nil || all[0].Err.Error() != want {
			t.Errorf("%s: %+v, %v, want %s", text, all, err, want)
		}
	}
}

// TestBroken names the line of a mistake, and changes nothing.
func TestBroken(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"{\n// a comment\n]":                     "line 3: ",
		"{\n/* a comment\n}":                     "line 3: it ends in the middle",
		"{\n\"mcpServers\": {\n\"a\": {},,\n}}":  "line 3: ",
		"{\"mcpServers\":\n[]}":                  "line 2: it is no JSON object",
		"[]":                                     "line 1: it is no JSON object",
		"{\n\"mcpServers\": {":                   "line 2: it ends in the middle",
		"{}\n{}":                                 "line 2: invalid character '{' after top-level value",
		"{\"mcpServers\":{\"a\":{},\n\"a\":{}}}": "line 2: duplicate",
		"{\"mcpServers\":{\"a\":{\"command\":\n\"\xff\"}}}": "line 2: invalid UTF-8",
	} {
		server := Server{Name: "new", Command: "x"}
		_, parsed := Parse([]byte(text))
		_, added := Add([]byte(text), server)
		_, removed := Remove([]byte(text), "a")
		_, replaced := Replace([]byte(text), "a", []byte(`{"command":"x"}`))
		_, hidden := HideSecrets([]byte(text), nil)
		for _, err := range []error{parsed, added, removed, replaced, hidden} {
			var wrong *SyntaxError
			if !errors.As(err, &wrong) || !strings.HasPrefix(err.Error(), want) {
				t.Errorf("%q: %v, want %s", text, err, want)
			}
		}
	}
}

// TestProjectPaths finds the files that the agent reads.
func TestProjectPaths(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		there string // what exists
		found string
		add   string
	}{
		{"", "", "/a/b/c/.mcp.json"},
		{"/a/.mcp.json", "", "/a/b/c/.mcp.json"}, // not in a repository
		{"/a/.git", "", "/a/.mcp.json"},
		{"/a/.git /a/.mcp.json /a/.github/mcp.json", "/a/.mcp.json", "/a/.mcp.json"},
		{"/a/.git /a/.github/mcp.json /a/b/c/.mcp.json", "/a/b/c/.mcp.json /a/.github/mcp.json", "/a/b/c/.mcp.json"},
		{"/a/b/.git /a/.mcp.json", "", "/a/b/.mcp.json"},
	} {
		found, add := ProjectPaths("/a/b/c", func(path string) bool {
			return slices.Contains(strings.Fields(c.there), filepath.ToSlash(path))
		})
		if filepath.ToSlash(strings.Join(found, " ")) != c.found || filepath.ToSlash(add) != c.add {
			t.Errorf("%q: %q, %q", c.there, found, add)
		}
	}
}

// TestEdit shows where an edit goes.
func TestEdit(t *testing.T) {
	t.Parallel()
	s := Server{Name: "new", Type: "local", Command: "x", Env: map[string]string{"B": "2", "A": "1"}, Tools: []string{"*"}}
	block := func(before, unit string) string {
		return strings.NewReplacer("\n", "\n"+before, "\t", unit).Replace("\"new\": {\n\t\"type\": \"local\",\n\t\"command\": \"x\"," +
			"\n\t\"env\": {\n\t\t\"A\": \"1\",\n\t\t\"B\": \"2\"\n\t},\n\t\"tools\": [\"*\"]\n}")
	}
	for before, want := range map[string]string{
		"":                                "{\n  \"mcpServers\": {\n    " + block("    ", "  ") + "\n  }\n}\n",
		"{}\n":                            "{\n  \"mcpServers\": {\n    " + block("    ", "  ") + "\n  }\n}\n",
		"{\n\t\"x\": 1\n}\n":              "{\n\t\"x\": 1,\n\t\"mcpServers\": {\n\t\t" + block("\t\t", "\t") + "\n\t}\n}\n",
		"{\n  \"mcpServers\": {}\n}\n":    "{\n  \"mcpServers\": {\n    " + block("    ", "  ") + "\n  }\n}\n",
		"{\n  \"a\": {\"url\": \"x\"}\n}": "{\n  \"a\": {\"url\": \"x\"},\n  " + block("  ", "  ") + "\n}",
		"{\r\n \"mcpServers\": {\r\n  \"a\": {}\r\n }\r\n}": "{\r\n \"mcpServers\": {\r\n  \"a\": {},\r\n  " +
			strings.ReplaceAll(block("  ", " "), "\n", "\r\n") + "\r\n }\r\n}",
	} {
		if got, err := Add([]byte(before), s); err != nil || string(got) != want {
			t.Errorf("%q: %v\n%s\nwant\n%s", before, err, got, want)
		}
	}
	if _, err := Add([]byte(written), Server{Name: "ctx", Command: "x"}); !errors.Is(err, ErrServerExists) {
		t.Error(err)
	}
	if _, err := Remove([]byte(written), "nonesuch"); !errors.Is(err, ErrNoServer) {
		t.Error(err)
	}
	got, err := Replace([]byte(written), "ctx", []byte("\n{\"command\": \"y\"}\n"))
	before, rest, _ := strings.Cut(written, `{
      "command": "npx"`)
	_, after, _ := strings.Cut(rest, "2}\n    }")
	if err != nil || string(got) != before+`{"command": "y"}`+after {
		t.Errorf("%v\n%s", err, got)
	}
	raw, err := Raw([]byte(written), "ctx")
	if err != nil || !strings.HasSuffix(string(raw), ",\n  \"unknown\": {\"b\": 1, \"a\": 2}\n}") {
		t.Errorf("%s, %v", raw, err)
	}
	got, err = Replace([]byte(written), "ctx", bytes.Replace(raw, []byte(`"npx"`), []byte(`"bunx"`), 1))
	if err != nil || string(got) != strings.Replace(written, `"npx"`, `"bunx"`, 1) {
		t.Errorf("%v\n%s", err, got)
	}
	for _, value := range []string{"", "3", "{}", `{"command":"x"} {}`, `{"command":"x"}, "more": {}`, `{"url":"ftp://x"}`, "{\"command\":\"x\"} // y"} {
		if got, err := Replace([]byte(written), "ctx", []byte(value)); err == nil {
			t.Errorf("%q: %s", value, got)
		}
	}
	raw, err = Raw([]byte(written), "notion")
	if err != nil || !bytes.HasPrefix(raw, []byte(`{"type": "http"`)) || !bytes.HasSuffix(raw, []byte("}}")) {
		t.Errorf("%s, %v", raw, err)
	}
}

// TestCheck refuses what is hostile or cannot be.
func TestCheck(t *testing.T) {
	t.Parallel()
	for _, s := range []Server{
		{Name: "", Command: "x"},
		{Name: "-rf", Command: "x"},
		{Name: "../x", Command: "x"},
		{Name: "a b", Command: "x"},
		{Name: "a\x1b[2J", Command: "x"},
		{Name: "é", Command: "x"},
		{Name: strings.Repeat("a", 65), Command: "x"},
		{Name: "a"},
		{Name: "a", Command: "x", URL: "https://x.example"},
		{Name: "a", Command: "x\x00y"},
		{Name: "a", Command: "x", Args: []string{"\xff"}},
		{Name: "a", Command: "x", Env: map[string]string{"A=B": "c"}},
		{Name: "a", URL: "file:///etc/passwd"},
		{Name: "a", URL: "https://"},
		{Name: "a", URL: "https://x.example", Headers: map[string]string{"A": "b\r\nC: d"}},
		{Name: "a", URL: "https://x.example", Headers: map[string]string{"A:": "b"}},
	} {
		if s.Check() == nil {
			t.Errorf("%+v may be added", s)
		}
	}
}

// TestHideSecrets hides what is in env and headers, says what of it has changed, and
// hides nothing else.
func TestHideSecrets(t *testing.T) {
	t.Parallel()
	changed := strings.Replace(strings.Replace(written, `"V"`, `"W"`, 1), `"npx"`, `"bunx"`, 1)
	got, err := HideSecrets([]byte(changed), []byte(written))
	want := strings.NewReplacer(`"W"`, `"*** (changed)"`, `"Bearer abc"`, `"***"`).Replace(changed)
	if err != nil || string(got) != want {
		t.Errorf("%v\n%s", err, got)
	}
	got, err = HideSecrets([]byte(`{"mcpServers": {"a": {"env": ["K=V"], "headers": null}, "b": 3}}`), nil)
	if err != nil || string(got) != `{"mcpServers": {"a": {"env": "***", "headers": null}, "b": 3}}` {
		t.Errorf("%v\n%s", err, got)
	}
}

// TestAddRemove: a server that is added is read as it was, changes no other byte, and
// removing it gives the text back; the same JSON where the object of the servers had white
// space alone in it.
func TestAddRemove(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		before := drawFile(t)
		s := drawServer(t)
		added, err := Add(before, s)
		if err != nil {
			t.Fatalf("%+v in %s: %v", s, before, err)
		}
		all, err := Parse(added)
		if err != nil || !reflect.DeepEqual(all[len(all)-1], s) {
			t.Fatalf("%+v, %v, want %+v in\n%s", all, err, s, added)
		}
		for _, each := range all {
			raw, err := Raw(added, each.Name)
			if err != nil {
				t.Fatal(err)
			}
			if same, err := Replace(added, each.Name, raw); err == nil && !bytes.Equal(same, added) {
				t.Fatalf("%s is replaced by itself:\n%s\n%s", each.Name, added, same)
			}
		}
		after, err := Remove(added, s.Name)
		if err != nil {
			t.Fatal(err)
		}
		if bytes.Equal(after, before) {
			return
		}
		standard := func(text []byte) jsontext.Value {
			plain, err := standardize(text)
			if err != nil {
				t.Fatal(err)
			}
			return plain
		}
		if kept := bytes.Count(after, []byte(comment)); kept != bytes.Count(before, []byte(comment)) {
			t.Fatalf("%q, then %q, then %q", before, added, after)
		}
		was, is := standard(before), standard(after)
		if was.Canonicalize() != nil || is.Canonicalize() != nil || !bytes.Equal(was, is) || len(all) > 1 {
			t.Fatalf("%q, then %q, then %q", before, added, after)
		}
	})
}

// comment is one with what else would be the end of something.
const comment = `/* ,"}{:" */`

// drawFile draws a text with servers, over one line or several, also with comments.
func drawFile(t *rapid.T) []byte {
	names := rapid.SliceOfNDistinct(rapid.String(), 0, 4, func(s string) string { return "0" + s })
	servers, other := map[string]any{}, map[string]any{}
	for _, name := range names.Draw(t, "servers") {
		servers["0"+name+"/"] = map[string]any{"command": rapid.String().Draw(t, "command"), "x": []int{1}}
	}
	for _, name := range names.Draw(t, "others") {
		other["other"+name] = rapid.SampledFrom([]any{1.5, nil, "}", map[string]any{"mcpServers": 1}}).Draw(t, "value")
	}
	other["mcpServers"] = servers
	text, err := json.Marshal(other)
	if err != nil {
		t.Fatal(err)
	}
	value := jsontext.Value(text)
	switch rapid.IntRange(0, 4).Draw(t, "form") {
	case 1:
		err = value.Indent(jsontext.WithIndent("  "))
	case 2:
		err = value.Indent(jsontext.WithIndent("\t"))
	case 3:
		err = value.Indent(jsontext.WithIndent(" "))
		value = jsontext.Value(strings.ReplaceAll(string(value)+"\n", "\n", "\r\n"))
	case 4:
		err = value.Indent(jsontext.WithIndent("  "))
		value = jsontext.Value(strings.ReplaceAll(string(value), "\n", comment+" // "+comment+"\n"))
	}
	if err != nil {
		t.Fatal(err)
	}
	return value
}

// drawServer draws a server that may be added, with hostile texts in it.
func drawServer(t *rapid.T) Server {
	texts := rapid.StringOf(rapid.RuneFrom([]rune("a\"\\\n\x1b</>é\u202e}{:,= $`")))
	s := Server{Name: rapid.StringMatching(`[A-Za-z0-9_][A-Za-z0-9_.-]{0,63}`).Draw(t, "name")}
	if rapid.Bool().Draw(t, "remote") {
		s.Type, s.URL = "http", "https://example.org/"+rapid.StringMatching(`[a-z?&=]*`).Draw(t, "path")
		s.Headers = map[string]string{"X-A": rapid.StringMatching(`[ -~]*`).Draw(t, "header")}
		return s
	}
	s.Command = "x" + texts.Draw(t, "command")
	s.Args = rapid.SliceOfN(texts, 1, 4).Draw(t, "args")
	s.Env = map[string]string{"K" + strings.ReplaceAll(texts.Draw(t, "variable"), "=", ""): texts.Draw(t, "value")}
	return s
}

// commented is a file as people write it, with servers that are not used now in comments.
const commented = `// of the team
{
  "mcpServers": {
    // first
    "a": {
      "command": "x", // the program
      "args": ["1", "//2",],
      "env": {
        "K": "V", // was "swordfish"
        /* "L": "swordfish" */
      },
    }, // a is good
    // "off": {"command": "y", "env": {"K": "swordfish"}},
    /* b */ "b": {"command": "z"} // b's
    // none more
  },
}
// end`

// TestComments reads what the agent reads: comments, and commas before a closing bracket.
// Those outside of what is changed stay.
func TestComments(t *testing.T) {
	t.Parallel()
	all, err := Parse([]byte(commented))
	want := []Server{
		{Name: "a", Command: "x", Args: []string{"1", "//2"}, Env: map[string]string{"K": "V"}},
		{Name: "b", Command: "z"},
	}
	if err != nil || !reflect.DeepEqual(all, want) {
		t.Fatalf("%+v, %v", all, err)
	}
	replaced := func(old, by string) string {
		if !strings.Contains(commented, old) {
			t.Fatalf("%q is not there", old)
		}
		return strings.Replace(commented, old, by, 1)
	}
	a, _, _ := strings.Cut(commented[strings.Index(commented, "\n    \"a\""):], "\n    // \"off\"")
	const c = "\n    \"c\": {\n      \"command\": \"w\"\n    }"
	add := func(text []byte) ([]byte, error) { return Add(text, Server{Name: "c", Command: "w"}) }
	remove := func(name string) func([]byte) ([]byte, error) {
		return func(text []byte) ([]byte, error) { return Remove(text, name) }
	}
	for _, e := range []struct {
		does   string
		do     func(text []byte) ([]byte, error)
		before string
		after  string
	}{
		{"adds", add, commented, replaced(`} // b's`, `}, // b's`+c)},
		{"adds behind a comma", add, replaced(`} // b's`, `}, // b's`), replaced(`} // b's`, `}, // b's`+c+",")},
		{"adds the first", add, "{\n  \"mcpServers\": {\n    // none\n  }\n}", "{\n  \"mcpServers\": {\n    // none" + c + "\n  }\n}"},
		{"removes", remove("a"), commented, replaced(a, "")},
		{"removes the last", remove("b"), commented, strings.Replace(replaced(` "b": {"command": "z"} // b's`, ""), "}, // a is", "} // a is", 1)},
		{"removes all", remove("b"), "{\"mcpServers\": {\n // it\n \"b\": {\"url\": \"x\"},\n}}", "{\"mcpServers\": {\n // it\n}}"},
		{"removes before a bracket", remove("b"), "{\"mcpServers\": { // it\n \"b\": {\"url\": \"x\"}}}", "{\"mcpServers\": { // it\n }}"},
		{"removes from a line", remove("a"), `{"a": {"url": "x"}, /* b */ "b": {"url": "x"}}`, `{/* b */ "b": {"url": "x"}}`},
	} {
		got, err := e.do([]byte(e.before))
		if err != nil || string(got) != e.after {
			t.Errorf("%s: %v\n%s\nwant\n%s", e.does, err, got, e.after)
		}
		if _, err := Parse(got); err != nil {
			t.Errorf("%s: %v\n%s", e.does, err, got)
		}
	}
	raw, err := Raw([]byte(commented), "a")
	if err != nil || !strings.Contains(string(raw), "\n  \"command\": \"x\", // the program\n") {
		t.Errorf("%v\n%s", err, raw)
	}
	got, err := Replace([]byte(commented), "a", bytes.Replace(raw, []byte("the program"), []byte("a program"), 1))
	if err != nil || string(got) != replaced("the program", "a program") {
		t.Errorf("%v\n%s", err, got)
	}
	shown, err := HideSecrets([]byte(commented), nil)
	for _, want := range []string{`"K": "***", // ***`, "/* *** */", `// "off": {"command": "***", "env": {"K": "***"}},`, "// the program", "// b's"} {
		if err != nil || !bytes.Contains(shown, []byte(want)) || bytes.Contains(shown, []byte("swordfish")) {
			t.Errorf("%v, without %s:\n%s", err, want, shown)
		}
	}
}
