package composer

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"parley/history/drafts"
	prompthistory "parley/history/prompts"
	"parley/session"
	"parley/tui/keymap"
)

// typing is a composer in a folder with files.
func typing(t *testing.T, names ...string) *Composer {
	t.Helper()
	dir := t.TempDir()
	for _, name := range names {
		if err := os.WriteFile(filepath.Join(dir, name), nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	c := New(t.Context(), prompthistory.Open(""), false)
	c.SetFacts(Facts{Dir: dir, Commands: keymap.Commands(), Now: time.Now()})
	return &c
}

// write types a text, and returns what is looked for then.
func (c *Composer) write(text string) tea.Cmd {
	c.Insert(text)
	return c.Edited()
}

// finish runs a job, and those that follow it.
func (c *Composer) finish(cmd tea.Cmd) {
	if cmd == nil {
		return
	}
	switch msg := cmd().(type) {
	case tea.BatchMsg:
		for _, cmd := range msg {
			c.finish(cmd)
		}
	case Msg:
		c.finish(c.Receive(msg))
	}
}

// A search that comes late does not open over another word, one that was closed stays
// so, and a command without a name for its number asks to be sent.
func TestLateFilesStayAway(t *testing.T) {
	t.Parallel()
	c := typing(t, "a.go", "ab.go")
	late := c.write("@a")
	c.write(" b")
	if c.finish(late); c.Completions() != nil {
		t.Error("a list opened for a word that was left")
	}
	c = typing(t, "a.go", "ab.go")
	if c.finish(c.write("@a")); len(c.Completions().Rows) != 2 {
		t.Fatalf("%+v", c.Completions())
	}
	late = c.write("b")
	c.CompletionKey("esc")
	if c.finish(late); c.Completions() != nil {
		t.Error("it opened again")
	}
	c = typing(t, "a.go")
	late = c.write("@a")
	if !c.CompleteWhenFound() {
		t.Error("no file is looked for")
	}
	if c.finish(late); c.Text() != "@a.go " || c.SearchesFiles() {
		t.Errorf("draft %q", c.Text())
	}
}

// Enter takes a command that is meant, and asks to send it unless it needs words.
func TestEnterAsksToSend(t *testing.T) {
	t.Parallel()
	for typed, want := range map[string]bool{"/hel": true, "/rena": false} {
		c := typing(t)
		c.write(typed)
		if _, taken := c.CompletionKey("enter"); !taken {
			t.Errorf("%s: not taken", typed)
		}
		got := false
		for _, r := range c.Requests() {
			_, submit := r.(Submit)
			got = got || submit
		}
		if got != want || !c.IsCommand() || !c.Changed() || c.Changed() {
			t.Errorf("%s: asks to send %t, draft %q", typed, got, c.Text())
		}
	}
}

// TestIgnoredFiles offers what .gitignore names on request, and no longer.
func TestIgnoredFiles(t *testing.T) {
	t.Parallel()
	c := typing(t, "out.log", "out.go")
	if err := os.WriteFile(filepath.Join(c.facts.Dir, ".gitignore"), []byte("*.log\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	c.finish(c.write("@out"))
	offered := func() (values []string) {
		for _, r := range c.Completions().Rows {
			values = append(values, r.Value)
		}
		return values
	}
	for _, want := range []string{"[@out.go]", "[@out.go @out.log]", "[@out.go]"} {
		if got := fmt.Sprint(offered()); got != want {
			t.Errorf("%s are offered, want %s", got, want)
		}
		cmd, _ := c.ToggleIgnored()
		c.finish(cmd)
	}
}

func TestCompleteFindsByLetters(t *testing.T) {
	t.Parallel()
	if got := commandRows(keymap.Commands(), "mdl"); len(got) == 0 || got[0].Value != "/model" {
		t.Errorf("commandRows(mdl) = %v", got)
	}
	if got := commandRows(keymap.Commands(), "sesions"); len(got) < 2 || got[0].Value != "/resume" {
		t.Errorf("commandRows(sesions) = %v", got)
	}
	for _, c := range keymap.Commands() { // what runs is what is marked
		for _, name := range c.Aliases {
			if got := commandRows(keymap.Commands(), name); len(got) == 0 || got[0].Value != "/"+c.Slash {
				t.Errorf("/%s runs /%s, and the menu begins with %v", name, c.Slash, got)
			}
		}
	}
	if got := commandRows(keymap.Commands(), "zzz"); len(got) != 0 {
		t.Errorf("commandRows(zzz) = %v", got)
	}
	all := 0
	for _, c := range keymap.Commands() {
		if c.Slash != "" {
			all++
		}
	}
	if got := commandRows(keymap.Commands(), ""); len(got) != all {
		t.Errorf("complete of nothing lists %d of %d", len(got), all)
	}
}

// What a user enters most is first in the menu; what is typed is found in names first, then
// in what commands do.
func TestMenuByUse(t *testing.T) {
	t.Parallel()
	c := typing(t)
	first := func(typed string) (rows []string) {
		c.SetDraft(drafts.Draft{})
		c.write(typed)
		if c.Completions() != nil {
			for _, r := range c.Completions().Rows {
				rows = append(rows, r.Value)
			}
		}
		return append(rows, "", "")
	}
	if got := first("/"); got[0] != "/model" || got[1] != "/diff" {
		t.Errorf("a new user sees %q", got)
	}
	for range 4 {
		if msg, ok := c.Remember(drafts.Draft{Text: "/find a word"})().(PromptsMsg); !ok || msg.Err != nil {
			t.Fatal(msg)
		}
	}
	if got := first("/"); got[0] != "/search" || got[1] != "/model" {
		t.Errorf("who searches most sees %q", got)
	}
	if got := first("/folder"); got[0] != "/attach" && got[0] != "/add-dir" && got[0] != "/cwd" {
		t.Errorf("/folder finds %q", got)
	}
	if got := first("/dir"); got[0] != "/list-dirs" && got[0] != "/add-dir" {
		t.Errorf("/dir finds %q", got)
	}
}

// What a prompt mentions goes with it, as far as it is there.
func TestMentionsAreAttached(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "a.go"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	out := Outgoing{session.Input{Prompt: "p"}, Plain("see @a.go:2-3, @none.go and @" + dir)[0]}
	in := out.Attached(dir, "")
	if len(in.Attachments) != 2 || in.Attachments[0].LineRange == nil || in.Attachments[1].Type != "directory" {
		t.Errorf("attachments %+v", in.Attachments)
	}
}

// What follows a command keeps its chips.
func TestAfter(t *testing.T) {
	t.Parallel()
	d := After(drafts.Draft{Text: "/plan draw ", Chips: []drafts.Chip{{At: 11, Paste: "x"}}}, len("/plan "))
	if d.Text != "draw " || d.Chips[0].At != 5 || d.Prompt() != "draw x" {
		t.Errorf("%+v", d)
	}
}

// What is not found is hinted at, with its cause.
func TestHints(t *testing.T) {
	t.Parallel()
	c := typing(t)
	c.finish(c.Attach("/no/such/file"))
	c.finish(c.Attach(""))
	c.write("nobody wrote this")
	c.finish(c.Recall(1))
	var got []string
	for _, r := range c.Requests() {
		if h, ok := r.(Hint); ok {
			got = append(got, h.Format+h.Detail)
		}
	}
	if len(got) != 3 || !strings.HasPrefix(got[0], "Not attached: %s") || !strings.Contains(got[0], "/no/such/file") {
		t.Errorf("%q", got)
	}
}

// TestLinesAfterCompletion: the lines of a file and punctuation that are typed behind a completed
// mention belong to it, also where more text follows; those behind a command do not.
func TestLinesAfterCompletion(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct{ before, after, typed, want string }{
		{"@tabl", "", ":3-9", "@table.go:3-9"},
		{"see @tabl", " too", ":3-9", "see @table.go:3-9 too"},
		{"(@tabl", "", ").", "(@table.go)."},
		{"@tabl", "", "x:", "@table.go x:"},
		{"/atta", "", ".", "/attach ."},
	} {
		c := typing(t, "table.go")
		c.Insert(tc.before + tc.after)
		c.SetOffset(len(tc.before))
		c.finish(c.Edited())
		cmd, taken := c.CompletionKey("tab")
		if c.finish(cmd); !taken {
			t.Fatalf("%s: nothing is completed", tc.before)
		}
		for _, r := range tc.typed {
			c.Update(tea.KeyPressMsg{Code: r, Text: string(r)})
			c.finish(c.Edited())
		}
		if c.Text() != tc.want {
			t.Errorf("%q, tab, %q: %q, want %q", tc.before+tc.after, tc.typed, c.Text(), tc.want)
		}
	}
}
