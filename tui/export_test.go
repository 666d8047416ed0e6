package tui

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"parley/history/sessions"
	"parley/render/text"
	"parley/session"
	"parley/tui/conversation"
	"parley/tui/panel"
)

// oneLog is a library of a single session.
type oneLog struct {
	conversation.Library
	events string
	err    error
}

func (l oneLog) Read(context.Context, session.ID) (io.ReadCloser, error) {
	return io.NopCloser(strings.NewReader(l.events)), l.err
}

// leaked is a token put together here, so that no scanner of the sources finds it.
var leaked = "ghp_" + "q7Zk" + "2Rw9" + "Xb4T" + "m1Vc" + "8Yd6" + "Lf3N" + "h5Js" + "0PgQ" + "uEaK"

// storedTurns are three turns as they are stored, the second with a secret.
func storedTurns() string {
	var lines []string
	for i, text := range []string{"the moon", "clone with " + leaked, "the tide"} {
		n := string(rune('1' + i))
		content, _ := json.Marshal(text)
		lines = append(lines,
			`{"type":"user.message","data":{"content":`+string(content)+`},"id":"u`+n+`","timestamp":"2026-11-21T10:0`+n+`:00.000Z","parentId":null}`,
			`{"type":"assistant.message","data":{"messageId":"m`+n+`","content":"Answer `+n+`."},"id":"a`+n+`","timestamp":"2026-11-21T10:0`+n+`:05.000Z","parentId":"u`+n+`"}`)
	}
	return strings.Join(lines, "\n") + "\n"
}

// threeTurns is a scenario with those turns said, and stored.
func threeTurns(t *testing.T, turns string) *scenario {
	t.Helper()
	sc := newScenario(t, nil)
	sc.size(100, 30)
	sc.m.win.Config.Sessions = oneLog{events: turns}
	sc.m.win.Front.Info.ID = "s1"
	for ev, err := range session.ReadLog(strings.NewReader(turns)) {
		if err != nil {
			t.Fatal(err)
		}
		sc.say(ev)
	}
	return sc
}

func (sc *scenario) written(path string) string {
	sc.t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		sc.t.Fatalf("%v\n%s", err, strings.Join(sc.screen(), "\n"))
	}
	mode := os.FileMode(0o600)
	if runtime.GOOS == "windows" { // where the folder keeps others out
		mode = 0o666
	}
	if info, err := os.Stat(path); err != nil || info.Mode().Perm() != mode {
		sc.t.Errorf("%s: mode %v, %v", path, info.Mode(), err)
	}
	return string(data)
}

// TestExportFormats writes one turn without a secret in each format at once.
func TestExportFormats(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]string{
		"a.md": "## Prompt 3 ", "a.HTML": "<h2 id=\"turn-3\">", "a.txt": "▌ the tide", "a.jsonl": `{"type":"user.message","data":{"content":"the tide"}`,
	} {
		sc := threeTurns(t, storedTurns())
		path := filepath.Join(t.TempDir(), name)
		sc.command("/export 3 " + path)
		text := sc.written(path)
		if !strings.Contains(text, want) || strings.Contains(text, "moon") || strings.Contains(text, leaked) {
			t.Errorf("%s holds %q", name, text)
		}
		if screen := strings.Join(sc.screen(), "\n"); !strings.Contains(screen, "Written to") {
			t.Errorf("%s: nothing said:\n%s", name, screen)
		}
	}
}

// TestExportSameBytes: the same turns, exported later, give the same bytes.
func TestExportSameBytes(t *testing.T) {
	t.Parallel()
	for _, end := range []string{".md", ".html", ".txt", ".jsonl"} {
		sc := threeTurns(t, storedTurns())
		dir := t.TempDir()
		first, later := filepath.Join(dir, "first"+end), filepath.Join(dir, "later"+end)
		sc.command("/export 3 " + first)
		sc.wait(26 * time.Hour)
		sc.command("/export 3 " + later)
		if got, want := sc.written(later), sc.written(first); got != want {
			t.Errorf("%s: a day later it is\n%s\nand was\n%s", end, got, want)
		}
	}
}

// TestExportSecrets: what would leave is shown first; Enter write it redacted,
// k twice as it is, and Esc nothing. A held key is pressed once.
func TestExportSecrets(t *testing.T) {
	t.Parallel()
	for _, format := range []string{".md", ".html", ".txt", ".jsonl"} {
		for _, c := range []struct {
			name string
			keys []string
			have bool // the file is written
			open bool // with the secret
			says string
		}{
			{"redacted", []string{"enter"}, true, false, "1 secret redacted."},
			{"kept", []string{"k", "wait", "k"}, true, true, "It holds 1 secret."},
			{"held", []string{"k", "k"}, false, false, "k again writes them as they are"},
			{"left", []string{"esc"}, false, false, "Nothing was written."},
			{"left late", []string{"k", "wait", "q"}, false, false, "Nothing was written."},
		} {
			sc := threeTurns(t, storedTurns())
			path := filepath.Join(t.TempDir(), "talk"+format)
			sc.command("/export " + path)
			for _, want := range []string{"1 secret found in", "github pat", "ghp_…", "turn 2"} {
				if screen := strings.Join(sc.screen(), "\n"); !strings.Contains(screen, want) {
					t.Fatalf("%s %s: no %q:\n%s", format, c.name, want, screen)
				}
			}
			if _, err := os.Stat(path); err == nil {
				t.Fatal("it was written before anybody said so")
			}
			for _, k := range c.keys {
				if k == "wait" {
					sc.wait(time.Second)
					continue
				}
				sc.step("key", k)
			}
			// Where lines break depends on how long the path is.
			if screen := strings.Join(sc.screen(), "\n"); !strings.Contains(strings.Join(strings.Fields(screen), " "), c.says) {
				t.Errorf("%s %s: no %q:\n%s", format, c.name, c.says, screen)
			}
			if _, err := os.Stat(path); !c.have {
				if err == nil {
					t.Errorf("%s %s: it was written", format, c.name)
				}
				continue
			}
			text := sc.written(path)
			if strings.Contains(text, leaked) != c.open || strings.Contains(text, "[redacted: github pat]") == c.open || !strings.Contains(text, "tide") {
				t.Errorf("%s %s: %q", format, c.name, text)
			}
		}
	}
}

// TestExportRefuses: what is wrong is said, and nothing is written over.
func TestExportRefuses(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	there := filepath.Join(dir, "there.md")
	if err := os.WriteFile(there, []byte("mine"), 0o600); err != nil {
		t.Fatal(err)
	}
	_, err := os.Open(filepath.Join(dir, "no", "x.html"))
	missing := errors.Unwrap(err).Error() // as each system words it
	for args, want := range map[string]string{
		"x.pdf":                                "must end in .md, .html, .txt or .jsonl",
		"5-3 x.md":                             "turns 5 to 3 are none: write 3-5",
		"0":                                    `"0" are no turns`,
		"9 " + filepath.Join(dir, "x.md"):      "there is no turn 9",
		"1 " + there:                           "there-2.md (",
		"1 " + filepath.Join(dir, "no/x.html"): missing,
	} {
		sc := threeTurns(t, storedTurns())
		sc.command("/export " + args)
		screen := strings.Join(strings.Fields(strings.ReplaceAll(strings.Join(sc.screen(), ""), "\n", "")), " ")
		if !strings.Contains(screen, want) {
			t.Errorf("%q: no %q:\n%s", args, want, strings.Join(sc.screen(), "\n"))
		}
		if strings.Contains(screen, "Send the prompt again") || strings.Contains(screen, "Looking for secrets") {
			t.Errorf("%q: it says what is not so:\n%s", args, strings.Join(sc.screen(), "\n"))
		}
	}
	if data, _ := os.ReadFile(there); string(data) != "mine" {
		t.Errorf("it was written over: %q", data)
	}
	if _, err := os.Stat(filepath.Join(dir, "there-2.md")); err != nil {
		t.Error(err)
	}
	sc := threeTurns(t, storedTurns())
	sc.m.win.Config.Sessions = nil
	sc.command("/export " + filepath.Join(dir, "x.jsonl"))
	if screen := strings.Join(sc.screen(), "\n"); !strings.Contains(screen, "the log of this session is not on this machine") {
		t.Errorf("without a log:\n%s", screen)
	}
	if _, err := os.Stat(filepath.Join(dir, "x.jsonl")); err == nil {
		t.Error("an empty file was left")
	}
}

// TestExportMeanwhile: the entries are those of the moment, and what happens meanwhile does
// not matter to them; who has turned to something else is not asked.
func TestExportMeanwhile(t *testing.T) {
	t.Parallel()
	sc := threeTurns(t, storedTurns())
	path := filepath.Join(t.TempDir(), "x.md")
	job := sc.m.win.Front.Commands.Run("export", "1 "+path)
	sc.wait(8 * time.Second)
	if screen := strings.Join(sc.screen(), "\n"); !strings.Contains(screen, "Looking for secrets") {
		t.Errorf("nothing says what is being done:\n%s", screen)
	}
	sc.say(session.Event{ID: "late", Time: sc.at, Body: session.AssistantMessage{MessageID: "late", Content: "Too late."}})
	sc.update(job())
	if text := sc.written(path); strings.Contains(text, "Too late") || !strings.Contains(text, "the moon") {
		t.Errorf("%q", text)
	}
	job = sc.m.win.Front.Commands.Run("export", path+".txt")
	sc.step("type", "a")
	sc.update(job())
	if screen := strings.Join(sc.screen(), "\n"); !strings.Contains(screen, "export it again to see them") || conversation.Over[*panel.Panel](sc.m.win) != nil {
		t.Errorf("not shown:\n%s", screen)
	}
}

// TestExportStored writes what the log of a past session holds.
func TestExportStored(t *testing.T) {
	t.Parallel()
	stored := sessions.Session{Log: sessions.Log{ID: "s1", Agent: "copilot"}, Facts: sessions.Facts{Title: "Tides & moons"}}
	sc := threeTurns(t, storedTurns())
	name := filepath.Join(t.TempDir(), "x.html")
	sc.update(sc.m.win.Front.Exports.ExportPast(stored, "1-2 "+name)())
	if screen := strings.Join(sc.screen(), "\n"); !strings.Contains(screen, "1 secret found in") {
		t.Fatalf("not shown:\n%s", screen)
	}
	sc.step("key", "enter")
	text := sc.written(name)
	for _, want := range []string{"<h1>Tides &amp; moons</h1>", "Answer 2.", "[redacted: github pat]", "<dt>Turns</dt><dd>1-2</dd>"} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q", want)
		}
	}
	if strings.Contains(text, "the tide") {
		t.Error("the third turn was not asked for")
	}
	sc.m.win.Config.Sessions = oneLog{err: errors.New("it is gone")}
	sc.update(sc.m.win.Front.Exports.ExportPast(stored, name+".md")())
	if screen := strings.Join(sc.screen(), "\n"); !strings.Contains(screen, "it is gone") {
		t.Errorf("not shown:\n%s", screen)
	}
}

// TestExportFromTheDemo: what is written of a demo, or while one is open, is not in its folder,
// which is deleted with it.
func TestExportFromTheDemo(t *testing.T) {
	t.Parallel()
	sc := threeTurns(t, storedTurns())
	sc.m.win.Front.Info.Demo, sc.m.win.Front.Info.Dir = true, t.TempDir()
	dir := t.TempDir()
	sc.m.win.Config.Options.Dir = dir
	sc.command("/export 3 a.md")
	sc.written(filepath.Join(dir, "a.md"))
	sc.update(sc.m.win.Front.Exports.ExportPast(sessions.Session{Log: sessions.Log{ID: "s1"}}, "3 b.md")())
	sc.written(filepath.Join(dir, "b.md"))
}

// TestExportUnderAnOverlay: where the notice is covered the hint has its words whole, and what is
// cut is the middle of the path.
func TestExportUnderAnOverlay(t *testing.T) {
	t.Parallel()
	sc := threeTurns(t, storedTurns())
	sc.size(80, 24)
	dir := filepath.Join(t.TempDir(), strings.Repeat("long", 20))
	if err := os.Mkdir(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	sc.command("/help")
	sc.update(sc.m.win.Front.Exports.ExportPast(sessions.Session{Log: sessions.Log{ID: "s1"}}, "3 "+filepath.Join(dir, "the-tide.md"))())
	if said := sc.m.win.Front.Hinted(); text.Width(said) != 77 || !strings.Contains(said, "the-tide.md (") || !strings.HasSuffix(said, " bytes).") {
		t.Errorf("%d wide: %q", text.Width(said), said)
	}
}
