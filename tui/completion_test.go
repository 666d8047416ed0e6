package tui

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"parley/session"
)

// inFolder gives the scenario's session a folder with files.
func (sc *scenario) inFolder(names ...string) string {
	sc.t.Helper()
	dir := sc.t.TempDir()
	for _, name := range names {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			sc.t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte("text\n"), 0o600); err != nil {
			sc.t.Fatal(err)
		}
	}
	sc.m.win.Front.Info.Dir = dir
	return dir
}

// rows are the labels of the open completions.
func (sc *scenario) rows() string {
	list := sc.m.win.Front.Composer.Completions()
	if list == nil {
		return ""
	}
	var labels []string
	for _, r := range list.Rows {
		labels = append(labels, r.Label)
	}
	return strings.Join(labels, " ")
}

func TestMentionsComplete(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ typed, keys, rows, want string }{
		{"@wor", "", "queue/worker.go", "@wor"},
		{"look at @wor", "tab", "", "look at @queue/worker.go "},
		{"look at @wor", "enter", "", "look at @queue/worker.go"}, // it matches alone
		{"look at @wor", "enter enter", "", ""},                   // sent
		{"see @que", "enter", "queue/drain.go queue/worker.go", "see @queue/"},
		{"see @READ", "enter", "", "see @README.md"},
		{"see @README.md", "enter", "", ""}, // typed whole
		{"see @e", "enter", "", ""},         // of several none begins so
		{"look at @wor", "down enter", "", "look at @queue/worker.go"},
		{"see @que", "down up tab", "queue/drain.go queue/worker.go", "see @queue/"},
		{"see @que", "", "queue/ queue/drain.go queue/worker.go", "see @que"},
		{"see @my", "tab", "", `see @"my notes.txt" `},
		{"mail ada@wor", "", "", "mail ada@wor"},
		{"@zzzz", "", "", "@zzzz"},
		{"@wor", "esc", "", "@wor"},
		{"@wor", "esc x", "", "@worx"},
		{"two\\n@wor", "tab", "", "two\n@queue/worker.go "},
	} {
		sc := newScenario(t, nil)
		sc.inFolder("queue/worker.go", "queue/drain.go", "README.md", "my notes.txt")
		sc.input(tea.PasteMsg{Content: strings.ReplaceAll(c.typed[:1], `\n`, "\n")})
		rest := c.typed[1:]
		if first, second, ok := strings.Cut(rest, `\n`); ok {
			sc.step("type", first)
			sc.step("key", "ctrl+j")
			rest = second
		}
		sc.step("type", rest)
		sc.step("key", c.keys)
		if got := sc.rows(); got != c.rows {
			t.Errorf("%q %s: rows %q, want %q", c.typed, c.keys, got, c.rows)
		}
		if sc.draft() != c.want {
			t.Errorf("%q %s: draft %q, want %q", c.typed, c.keys, sc.draft(), c.want)
		}
	}
}

// TestEnterTakesACommand: Enter runs the highlighted command, asks for the words that it
// needs, and takes what is typed whole as it stands.
func TestEnterTakesACommand(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ typed, keys, draft, sees string }{
		{"/hel", "enter", "", "Keys and commands"},
		{"/rena", "enter", "/rename ", ""},
		{"/density comp", "enter", "", "compact"},
		{"/theme colorblind", "enter", "", "The theme is colorblind now."}, // not colorblind-dark
		{"/sea", "down enter", "", ""},
		{"/zzz", "enter", "/zzz", "No command /zzz."},
		{"/perm", "enter", "", "Nothing is allowed for longer than once."},
		{"/permissions", "enter", "", "Nothing is allowed for longer than once."},
		{"/sesions", "enter", "", "Drain the queue"}, // and not /open-sessions, which has the letters
		{"/", "enter", "/", "No command /."},
		{"/mod", "esc enter", "/mod", "No command /mod."},
		{"/help. now", "enter", "/help. now", "No command /help.. Did you mean /help?"},
		{"fixes #1", "enter", "", ""}, // sent: whether 1 is the whole number cannot be known
	} {
		sc := newScenario(t, nil)
		sc.step("type", c.typed)
		sc.step("key", c.keys)
		if sc.draft() != c.draft {
			t.Errorf("%q %s: draft %q, want %q", c.typed, c.keys, sc.draft(), c.draft)
		}
		if !strings.Contains(strings.Join(sc.screen(), "\n"), c.sees) {
			t.Errorf("%q %s: not on the screen: %q\n%s", c.typed, c.keys, c.sees, strings.Join(sc.screen(), "\n"))
		}
	}
}

// TestCompletionsPage: a page of the completions is as many rows as are in view.
func TestCompletionsPage(t *testing.T) {
	t.Parallel()
	for height, want := range map[int]int{24: 12, 45: 22} {
		sc := newScenario(t, nil)
		sc.size(140, height)
		sc.step("type", "/")
		from := sc.m.win.Front.Composer.Completions().Chosen
		sc.step("key", "pgdown")
		if got := sc.m.win.Front.Composer.Completions().Chosen - from; got != want {
			t.Errorf("in %d lines a page is %d rows, not %d", height, got, want)
		}
	}
}

// TestPathsAreSent: a draft that begins with a path is a prompt, and not a command.
func TestPathsAreSent(t *testing.T) {
	t.Parallel()
	for _, typed := range []string{"/tmp/x/hello.go:3: ?", "/tmp/x", "/hello.go", "/hello:3 why?"} {
		sc := newScenario(t, nil)
		sc.step("type", typed)
		sc.step("key", "enter")
		if got := sc.sends(); len(got) != 1 || !strings.HasSuffix(got[0], strconv.Quote(typed)) || sc.draft() != "" {
			t.Errorf("%q: sent %v, draft %q\n%s", typed, got, sc.draft(), strings.Join(sc.screen(), "\n"))
		}
	}
}

func TestIssuesComplete(t *testing.T) {
	t.Parallel()
	sc := newScenario(t, nil)
	sc.step("type", "fixes #1")
	if sc.rows() != "#12 Drain before close" {
		t.Fatalf("rows %q", sc.rows())
	}
	sc.step("key", "tab")
	if sc.draft() != "fixes #12 " {
		t.Errorf("draft %q", sc.draft())
	}
	sc.step("type", "and C#")
	if sc.rows() != "" {
		t.Errorf("rows %q", sc.rows())
	}
}

// A large paste is one chip that is sent whole and expands in its place; paths
// become attachments, and what is no path stays text.
func TestPastes(t *testing.T) {
	t.Parallel()
	sc := newScenario(t, nil)
	dir := sc.inFolder("an image.png", "b.txt")
	long := strings.Repeat("func main() {}\r\n", 20)
	sc.input(tea.PasteMsg{Content: long})
	if d := sc.m.win.Front.Composer.Draft(); len(d.Chips) != 1 || d.Text != "" || sc.draft() != long {
		t.Errorf("draft %+v", d)
	}
	sc.step("key", "ctrl+o")
	if d := sc.m.win.Front.Composer.Draft(); len(d.Chips) != 0 || d.Text != long {
		t.Errorf("expanded: %d chips, %q", len(d.Chips), d.Text)
	}
	sc.step("key", "ctrl+_")
	if len(sc.m.win.Front.Composer.Draft().Chips) != 1 {
		t.Error("expanding cannot be undone")
	}
	sc.step("key", "ctrl+c")
	sc.input(tea.PasteMsg{Content: "one\rtwo\rthree"})
	if sc.draft() != "one\ntwo\nthree" {
		t.Errorf("lines as terminals send them: %q", sc.draft())
	}
	sc.step("key", "ctrl+c")
	sc.input(tea.PasteMsg{Content: "'" + filepath.Join(dir, "an image.png") + "' " + filepath.Join(dir, "b.txt")})
	sc.wait(time.Millisecond)
	if got := sc.m.win.Front.Composer.Draft().Attachments(); len(got) != 2 {
		t.Errorf("attachments %+v, draft %q", got, sc.draft())
	}
	sc.step("key", "ctrl+c")
	sc.input(tea.PasteMsg{Content: long})
	sc.input(tea.PasteMsg{Content: filepath.Join(dir, "b.txt")})
	sc.step("key", "home")
	sc.input(tea.PasteMsg{Content: filepath.Join(dir, "an image.png")})
	sc.wait(time.Millisecond)
	if d := sc.m.win.Front.Composer.Draft(); d.Prompt() != "[an image.png] "+long+"[b.txt] " || len(d.Chips) != 3 || d.Text != "  " {
		t.Errorf("beside a chip: draft %q, %+v", d.Prompt(), d)
	}
	sc.step("key", "ctrl+c")
	sc.input(tea.PasteMsg{Content: "/no/such/file"})
	if sc.draft() != "/no/such/file" {
		t.Errorf("draft %q", sc.draft())
	}
	sc.step("key", "ctrl+c")
	sc.step("type", "/attach b.txt")
	sc.step("key", "enter")
	if got := sc.m.win.Front.Composer.Draft().Attachments(); len(got) != 1 || got[0].DisplayName != "b.txt" {
		t.Errorf("attachments %+v", got)
	}
}

// TestFilesCompleteOnCards: a file is completed on a line of a card as in the draft, also
// where Tab comes before the files are known, and the draft is not touched by it.
func TestFilesCompleteOnCards(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ typed, keys, field, sees string }{
		{"see @wor", "", "see @wor", "tab @queue/worker.go (1 of 1)"},
		{"see @wor", "tab", "see @queue/worker.go ", ""},
		{"see @que", "tab tab", "see @queue/drain.go", "tab next: @queue/worker.go (3 of 3)"},
		{"see @log", "", "see @log", ""}, // git ignores it
		{"see @my", "tab", `see @"my notes.txt" `, ""},
	} {
		sc := newScenario(t, nil)
		dir := sc.inFolder("queue/worker.go", "queue/drain.go", "README.md", "my notes.txt", "app.log", ".gitignore")
		if err := os.WriteFile(filepath.Join(dir, ".gitignore"), []byte("*.log\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		sc.say(session.Event{Ephemeral: true, Body: session.UserInputRequested{RequestID: "q", Question: "Which?"}})
		sc.wait(2 * time.Second)
		sc.step("type", c.typed)
		sc.step("key", c.keys)
		screen := strings.Join(sc.screen(), "\n")
		if !strings.Contains(screen, c.sees) || c.sees == "" && strings.Contains(screen, "tab @") {
			t.Errorf("%q %s: not on the screen: %q\n%s", c.typed, c.keys, c.sees, screen)
		}
		got := sc.m.win.Front.Questions.Written().Texts
		if len(got) != 1 || got[0].Text != c.field || sc.draft() != "" || sc.rows() != "" {
			t.Errorf("%q %s: written %v, want %q; draft %q, completions %q", c.typed, c.keys, got, c.field, sc.draft(), sc.rows())
		}
	}
}
