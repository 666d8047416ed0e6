package report

import (
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode"

	"parley/session"
	"parley/session/sessiontest"
	"parley/session/trace"
	"parley/settings"
	"parley/terminal"
)

// canaries are what must not be in a report wherever it stands.
var canaries = []string{
	"hunter2-canary", "ghp_0123456789abcdefABCDEF0123456789abcd", "sk-proj-Abcdef0123456789Abcdef0123456789", "ada@example.org",
	"/home/ada/private/keys.txt", "build-host-17.internal", "AKIAIOSFODNN7EXAMPLE", "\x1b]0;owned\x07", "\u202egnp.exe",
}

// saidIn are all texts in the payload of an event that say something: in full,
// as they are decoded.
func saidIn(tb testing.TB, ev session.Event) []string {
	tb.Helper()
	line, err := session.Encode(ev)
	if err != nil {
		return nil
	}
	var event struct{ Data any }
	if err := json.Unmarshal(line, &event); err != nil {
		tb.Fatal(err)
	}
	var texts []string
	var walk func(v any)
	walk = func(v any) {
		switch v := v.(type) {
		case string:
			texts = append(texts, v)
		case []any:
			for _, e := range v {
				walk(e)
			}
		case map[string]any:
			for key, e := range v {
				texts = append(texts, key)
				walk(e)
			}
		}
	}
	walk(event.Data)
	return texts
}

// leaked is a part of a text, of a length that is no chance, that is in a report
// and not among the words a report may have; "" is none.
func leaked(report, allowed, text string) string {
	const least = 12
	for i := 0; i+least <= len(text); i++ {
		if part := text[i : i+least]; strings.Contains(report, part) && !strings.Contains(allowed, part) {
			return part
		}
	}
	return ""
}

// reportWords are what a report says by itself.
func reportWords() string {
	var b strings.Builder
	b.WriteString(account{}.compose() + "category=authentication category=authorization category=context_limit category=notification\n")
	for _, k := range session.Kinds() {
		b.WriteString("  " + string(k) + strings.Repeat(" ", 30) + "\n")
	}
	return b.String()
}

// checkClean sees that a report is plain text.
func checkClean(tb testing.TB, report string) {
	tb.Helper()
	for _, c := range canaries {
		if strings.Contains(report, c) {
			tb.Errorf("%q is in the report:\n%s", c, report)
		}
	}
	odd := func(r rune) bool { return r != '\n' && !unicode.IsPrint(r) || r == unicode.ReplacementChar }
	if i := strings.IndexFunc(report, odd); i >= 0 {
		tb.Errorf("%q is in the report:\n%s", report[i:], report)
	}
}

// poisoned is an account with canaries wherever something can be.
func poisoned(recent trace.RecentEvents) account {
	s := settings.Defaults()
	s.Theme, s.Status.Script, s.Status.Left = canaries[0], canaries, canaries
	s.Notify.Done, s.Follow = canaries[3], canaries[4]
	a := account{
		agent: "Copilot CLI " + canaries[1], settings: s, recent: recent,
		keys:     settings.Keys{Preset: canaries[0], Bindings: map[string][]string{canaries[0]: canaries, "send": canaries}},
		terminal: terminal.Description{Name: canaries[0], Program: "kitty " + canaries[2], Heard: terminal.Heard{Version: canaries[7]}},
	}
	for i, c := range canaries {
		a.env = append(a.env, fmt.Sprintf("CANARY_%d=%s", i, c), reportedVariables[i]+"="+c, c+"=1")
		a.log = append(a.log, c, fmt.Sprintf(`{"time":"2026-11-21T10:41:00Z","level":"INFO","msg":%q}`, c),
			fmt.Sprintf(`{"time":"2026-11-21T10:41:00Z","level":"INFO","msg":"event","kind":%q,"error":%q,"answer":%q,"id":%q,"folder":%q,%q:1}`, c, c, c, c, c, c))
	}
	return a
}

// TestReportHoldsNoContent makes reports of every recorded session with secrets
// put wherever there is a text.
func TestReportHoldsNoContent(t *testing.T) {
	t.Parallel()
	allowed := reportWords()
	for _, name := range sessiontest.LogNames(t) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var plain, poison trace.RecentEvents
			var texts []string
			for i, ev := range sessiontest.Log(t, name) {
				plain.Add(&ev)
				texts = append(texts, saidIn(t, ev)...)
				line, err := session.Encode(ev)
				if err != nil {
					t.Fatal(err)
				}
				poisonous := session.Decode(poisonLine(t, line, canaries[i%len(canaries)]))
				poison.Add(&poisonous)
			}
			report := account{agent: "Copilot CLI 1.0.102", recent: plain}.compose()
			checkClean(t, report)
			slices.Sort(texts)
			for _, text := range slices.Compact(texts) {
				if part := leaked(report, allowed, text); part != "" {
					t.Errorf("%q of %q is in the report", part, text)
				}
			}
			checkClean(t, poisoned(poison).compose())
		})
	}
}

// poisonLine puts a text behind every text of an event but its type and time.
func poisonLine(tb testing.TB, line []byte, with string) []byte {
	tb.Helper()
	var event map[string]any
	if err := json.Unmarshal(line, &event); err != nil {
		tb.Fatal(err)
	}
	var walk func(v any) any
	walk = func(v any) any {
		switch v := v.(type) {
		case string:
			return v + with
		case []any:
			for i := range v {
				v[i] = walk(v[i])
			}
		case map[string]any:
			for key := range v {
				v[key] = walk(v[key])
			}
		}
		return v
	}
	for key, v := range event {
		if key != "type" && key != "timestamp" {
			event[key] = walk(v)
		}
	}
	out, err := json.Marshal(event)
	if err != nil {
		tb.Fatal(err)
	}
	return out
}

// FuzzReport makes reports of any event, any log line, any name of a terminal
// and any variable, with a text in each that must not come out.
func FuzzReport(f *testing.F) {
	f.Add("assistant.message", "content", `{"msg":"event"}`, "kitty(0.42)")
	f.Add("session.error", "errorType", `{"time":"2026-11-21T10:41:00Z","msg":"send","error":"closed"}`, "ghostty 1.2.0")
	f.Add("tool.execution_start", "toolCallId", `{"time":"2026-11-21T10:41:00Z","msg":"event","kind":"abort"}`, "vt100")
	const mark = "QUUXQUUXQUUX"
	f.Fuzz(func(t *testing.T, kind, key, log, terminal string) {
		if strings.Contains(kind, mark) {
			return
		}
		line, err := json.Marshal(map[string]any{
			"type": kind, "id": key + mark, "timestamp": "2026-11-21T10:41:00Z", "agentId": mark,
			"data": map[string]any{key: mark, "content": mark, "toolCallId": mark, "requestId": mark, "messageId": mark, mark: key},
		})
		if err != nil {
			t.Fatal(err)
		}
		var r trace.RecentEvents
		for _, text := range [][]byte{line, []byte(log)} {
			ev := session.Decode(text)
			r.Add(&ev)
		}
		a := poisoned(r)
		a.log = append(a.log, log, strings.ReplaceAll(log, "event", mark), `{"time":"2026-11-21T10:41:00Z","msg":"event","`+key+`":"`+mark+`"}`)
		a.terminal.Program, a.terminal.Name, a.env = terminal+mark, mark+terminal, []string{key + "=" + mark}
		report := a.compose()
		checkClean(t, report)
		if strings.Contains(report, mark) {
			t.Errorf("the text is in the report:\n%s", report)
		}
	})
}

// TestReportWithoutSecrets is the net below: a line that looks like a secret goes.
func TestReportWithoutSecrets(t *testing.T) {
	t.Parallel()
	got := withoutSecrets("# one\n- token ghp_0123456789abcdefABCDEF0123456789abcd\n two\n")
	if want := "# one\n(a line that looks like a secret was left out)\n two\n"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if text := (account{env: []string{"GH_TOKEN=x", "TERM=xterm"}, agent: "demo"}).compose(); withoutSecrets(text) != text {
		t.Error("a report without secrets lost a line")
	}
}

func TestKnownNames(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]string{
		"":                                       "not reported",
		"kitty(0.42.1)":                          "kitty 0.42.1",
		"ghostty 1.2.0":                          "ghostty 1.2.0",
		"XTerm(398)":                             "XTerm 398",
		"iTerm.app 3.6.6":                        "iTerm.app 3.6.6",
		"WezTerm 20240203-110809-5046fc22":       "WezTerm 20240203",
		"xterm-256color":                         "xterm",
		"vscode 1.105.1":                         "vscode 1.105.1",
		"of my own 1.0":                          "another",
		"kitty of ada on build-host-17.internal": "kitty",
	} {
		if got := knownTerminal(name); got != want {
			t.Errorf("the terminal %q is %q, want %q", name, got, want)
		}
	}
	for name, want := range map[string]string{
		"xterm-kitty": "xterm-kitty", "tmux-256color": "tmux-256color", "xterm-of-ada": "xterm", "ada": "another", "": "not reported",
	} {
		if got := knownTerm(name); got != want {
			t.Errorf("the TERM %q is %q, want %q", name, got, want)
		}
	}
	for name, want := range map[string]string{
		"": "none was found", "Copilot CLI 1.0.102": "Copilot CLI 1.0.102", "GitHub Copilot CLI 1.0.102-3": "GitHub Copilot CLI 1.0.102-3",
		"demo": "demo", "replay of secrets.jsonl": "replay", "demonstration": "another", "Copilot CLI at ada's": "Copilot CLI", "my agent": "another",
	} {
		if got := knownAgent(name); got != want {
			t.Errorf("the agent %q is %q, want %q", name, got, want)
		}
	}
}

func TestSettingLines(t *testing.T) {
	t.Parallel()
	if lines := settingLines(settings.Defaults()); len(lines) > 0 {
		t.Errorf("the defaults differ: %q", lines)
	}
	s := settings.Defaults()
	s.Vim, s.Density, s.Notify.After, s.Notify.Done, s.Mouse.Click = true, "compact", 9, "osc9", false
	s.Theme, s.Status.Script, s.Status.Left = "of-ada", []string{"/home/ada/bin/status"}, []string{"mode", "model"}
	want := []string{
		"theme = (your own)", `density = "compact"`, "vim = true", `status.left = ["mode", "model"]`, "status.script = (your own)",
		"mouse.click = false", `notify.done = "osc9"`, "notify.after = 9",
	}
	if got := settingLines(s); !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	keys := keyLines(settings.Keys{Preset: "claude", Bindings: map[string][]string{"send": {"f2"}, "of mine": nil}})
	if want := []string{"keys: claude", "keys of your own: send"}; !slices.Equal(keys, want) {
		t.Errorf("%q, want %q", keys, want)
	}
}

func TestLogLines(t *testing.T) {
	t.Parallel()
	got := logLines([]string{
		`{"time":"2026-11-21T10:41:00.5Z","level":"INFO","msg":"start","parley":"0.1.0","go":"go1.26"}`,
		`{"time":"2026-11-21T10:41:01Z","level":"INFO","msg":"open","mode":"plan","folder":"secret","agent":"Copilot CLI 1","model":"own","ms":12.5}`,
		`{"time":"2026-11-21T10:41:02Z","level":"INFO","msg":"event","session":"x","kind":"user.message","id":"secret","bytes":12}`,
		`{"time":"2026-11-21T10:41:03Z","level":"ERROR","msg":"send","error":"runtime ended, exit code 1","ms":1}`,
		`{"time":"2026-11-21T10:41:03Z","level":"INFO","msg":"respond","answer":"permission approve-once","request":"secret"}`,
		`{"time":"2026-11-21T10:41:04Z","level":"INFO","msg":"my secret","bytes":12}`,
		"no JSON", "",
	})
	want := []string{
		"10:41:00.500  start", "10:41:01.000  open mode=plan ms=12.5", "10:41:02.000  event kind=user.message bytes=12",
		"10:41:03.000  send error=runtime ended, exit code 1 ms=1", "10:41:03.000  respond answer=permission approve-once",
		"(2 lines that Parley did not write)",
	}
	if !slices.Equal(got, want) {
		t.Errorf("got %q\nwant %q", got, want)
	}
}

// TestLogWordsAreAll holds the words of a log to what the logging code writes.
func TestLogWordsAreAll(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("../observe/*.go")
	calls, err2 := filepath.Glob("../../session/observe/*.go") // the names of calls
	if err != nil || err2 != nil || len(files) < 3 || len(calls) < 3 {
		t.Fatalf("%q, %q, %v", files, calls, errors.Join(err, err2))
	}
	files = append(files, calls...)
	seen := 0
	check := func(e ast.Expr) {
		if lit, ok := e.(*ast.BasicLit); ok && lit.Kind == token.STRING {
			text, _ := strconv.Unquote(lit.Value)
			text = strings.NewReplacer("%t", "true", "%d", "9").Replace(text)
			if seen++; text != "" && !strings.HasSuffix(text, " ") && !logWords().MatchString(text) {
				t.Errorf("%q is logged, and a report would leave it out", text)
			}
		}
	}
	for _, name := range files {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range file.Decls {
			f, ok := d.(*ast.FuncDecl)
			if !ok {
				continue
			}
			says := slices.Contains([]string{"category", "runtimeCategory", "runtimeEnd", "answerKind"}, f.Name.Name)
			ast.Inspect(f, func(n ast.Node) bool {
				switch n := n.(type) {
				case *ast.ReturnStmt:
					for _, e := range n.Results {
						if call, ok := e.(*ast.CallExpr); ok && says && len(call.Args) > 0 {
							e = call.Args[0] // of Sprintf
						}
						if says {
							check(e)
						}
					}
				case *ast.CallExpr:
					switch called := n.Fun.(type) {
					case *ast.Ident:
						if at := map[string]int{"timed": 1, "set": 1, "act": 2}[called.Name]; at > 0 && len(n.Args) > at {
							check(n.Args[at])
						}
					case *ast.SelectorExpr:
						if slices.Contains([]string{"Info", "Error", "opened"}, called.Sel.Name) && len(n.Args) > 0 {
							check(n.Args[0])
						}
					}
				}
				return true
			})
		}
	}
	if seen < 50 {
		t.Errorf("only %d texts were found", seen)
	}
}

func TestReadTail(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "log")
	var b strings.Builder
	for i := range 3000 {
		fmt.Fprintf(&b, "line %d, and more of it to be long enough\n", i)
	}
	if err := os.WriteFile(file, []byte(b.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	lines, err := readTail(file)
	if err != nil || len(lines) != mostLogLines || !strings.HasPrefix(lines[len(lines)-1], "line 2999,") {
		t.Errorf("%v, %d lines, the last %q", err, len(lines), lines[len(lines)-1:])
	}
	for _, other := range []string{t.TempDir(), filepath.Join(t.TempDir(), "none")} {
		if _, err := readTail(other); err == nil {
			t.Errorf("%s was read", other)
		}
	}
}
