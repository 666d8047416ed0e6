package prompts

import (
	"slices"
	"strings"
	"testing"

	"parley/session"
)

// find gives the desk's queue the files that it asks for: those in which the typed text is.
func (d *desk) find(names ...string) {
	d.t.Helper()
	query, ok := d.q.SoughtFiles()
	if !ok {
		return
	}
	var found []string
	for _, name := range names {
		if strings.Contains(name, query) {
			found = append(found, "@"+name)
		}
	}
	d.q.FilesFound(query, found, false, d.now)
	d.draw()
}

// written is the text of the open field.
func (d *desk) written() string {
	d.t.Helper()
	f := d.q.openField()
	if f == nil {
		d.t.Fatalf("nothing is written on:\n%s", d.text())
	}
	return f.text()
}

// fileFields are how the fields of cards are opened.
var fileFields = map[string]struct {
	body session.Body
	keys []string
}{
	"a note":         {shell("git push", "git push"), []string{"tab"}},
	"a refusal":      {shell("git push", "git push"), []string{"n"}},
	"a plan":         {session.ExitPlanModeRequested{RequestID: "p", Summary: "Do it", Actions: []string{"interactive"}}, []string{"n"}},
	"an answer":      {session.UserInputRequested{RequestID: "q", Question: "Which?"}, nil},
	"another answer": {session.UserInputRequested{RequestID: "q", Question: "Which?", Choices: []string{"a"}}, []string{"2"}},
	"a form": {session.ElicitationRequested{RequestID: "f", RequestedSchema: []byte(
		`{"properties":{"why":{"type":"string"},"how":{"type":"string"}}}`,
	)}, []string{"tab"}},
}

// TestFilesComplete: in every field Tab puts the best match in the place of what was typed
// behind the @, and again the next one, in the middle of a line too.
func TestFilesComplete(t *testing.T) {
	t.Parallel()
	files := []string{"lvl/levels.go", "lvl/levels_test.go", "main.go"}
	for name, field := range fileFields {
		d := newDesk(t)
		d.ready(field.body)
		d.press(field.keys...)
		d.typed("see  now")
		d.press("left*4")
		d.typed("@lev")
		d.find(files...)
		for _, c := range []struct{ key, text, hint string }{
			{"", "see @lev now", "tab @lvl/levels.go (1 of 2)"},
			{"tab", "see @lvl/levels.go now", "tab next: @lvl/levels_test.go (2 of 2)"},
			{"tab", "see @lvl/levels_test.go now", "tab next: @lvl/levels.go (1 of 2)"},
			{"tab", "see @lvl/levels.go now", "tab next: @lvl/levels_test.go (2 of 2)"},
			{"space", "see @lvl/levels.go  now", ""},
		} {
			if c.key != "" {
				d.press(c.key)
				d.find(files...)
			}
			if d.written() != c.text || !strings.Contains(d.text(), c.hint) || c.hint == "" && strings.Contains(d.text(), " of 2)") {
				t.Errorf("%s, %s: %q, want %q and %q\n%s", name, c.key, d.written(), c.text, c.hint, d.text())
			}
		}
		d.typed("@mai")
		d.find(files...)
		if d.press("tab"); d.written() != "see @lvl/levels.go @main.go now" {
			t.Errorf("%s: the only match: %q", name, d.written())
		}
		d.none()
	}
}

// TestFilesCompleteWhenFound: Tab before the files are known takes the best as soon as they
// are, unless something else was typed by then, and leaves the field in no case.
func TestFilesCompleteWhenFound(t *testing.T) {
	t.Parallel()
	for typed, want := range map[string]string{"": "@main.go ", "x": "@mx", "backspace": "@"} {
		d := newDesk(t)
		d.ready(shell("git push", "git push"))
		d.press("n", "@", "m")
		query, ok := d.q.SoughtFiles()
		if _, again := d.q.SoughtFiles(); !ok || again || query != "m" {
			t.Fatalf("sought %q %t, and again %t", query, ok, again)
		}
		if d.press("tab"); !strings.Contains(d.text(), "tab looks for files") {
			t.Errorf("it is not said that files are looked for:\n%s", d.text())
		}
		if typed != "" {
			d.press(typed)
			d.q.SoughtFiles()
		}
		d.q.FilesFound("m", []string{"@main.go"}, false, d.now)
		if d.draw(); d.written() != want {
			t.Errorf("after %q: %q, want %q", typed, d.written(), want)
		}
		d.none()
	}
}

// TestLinesAfterCompletion: the lines of a file and punctuation that are typed behind a completed
// mention belong to it, and not behind its blank; words, and what comes after a move, do not.
func TestLinesAfterCompletion(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ before, typed, want string }{
		{"@m", ":3-9", "@main.go:3-9"},
		{"@m", ":3 x", "@main.go:3 x"},
		{"(@m", "),", "(@main.go),"},
		{"@m", "x:", "@main.go x:"},
		{"@m", "left right :", "@main.go :"},
		{"@m", "-", "@main.go -"},
	} {
		for name, field := range fileFields {
			d := newDesk(t)
			d.ready(field.body)
			d.press(field.keys...)
			for _, r := range c.before {
				d.press(string(r))
				d.find("main.go")
			}
			d.press("tab")
			for _, key := range typedKeys(c.typed) {
				d.press(key)
				d.find("main.go")
			}
			if d.written() != c.want {
				t.Errorf("%s, %q then %q: %q, want %q", name, c.before, c.typed, d.written(), c.want)
			}
		}
	}
}

// typedKeys are letters, and the names of keys.
func typedKeys(typed string) []string {
	var keys []string
	for word := range strings.FieldsSeq(strings.ReplaceAll(typed, " x", " space x")) {
		if slices.Contains([]string{"left", "right", "space"}, word) {
			keys = append(keys, word)
			continue
		}
		keys = append(keys, strings.Split(word, "")...)
	}
	return keys
}

// TestNoFilesNoCompletion: where nothing matches, Tab does what it does elsewhere, and so it
// does on a word that has to be typed. What was typed whole is no match of its own.
func TestNoFilesNoCompletion(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		keys  []string
		found []string
	}{
		"nothing matches": {[]string{"tab", "@", "m"}, nil},
		"typed whole":     {[]string{"tab", "@", "m"}, []string{"@m"}},
		"no mention":      {[]string{"tab", "a", "@", "m"}, []string{"@main.go"}},
	} {
		d := newDesk(t)
		d.ready(shell("git push", "git push"))
		d.press(c.keys...)
		query, _ := d.q.SoughtFiles()
		d.q.FilesFound(query, c.found, false, d.now)
		if d.draw(); strings.Contains(d.text(), "tab @") {
			t.Errorf("%s: tab completes:\n%s", name, d.text())
		}
		if d.press("tab"); d.q.openField() != nil {
			t.Errorf("%s: tab does not leave the line:\n%s", name, d.text())
		}
	}
	d := newDesk(t)
	d.ready(shell("git push", "git push"))
	d.press("tab", "@", "m")
	d.q.FilesFound("m", []string{"@main.go"}, false, d.now)
	if d.press("enter"); d.q.card().note.field.text() != "@m" {
		t.Errorf("enter took a completion: %q", d.q.card().note.field.text())
	}
}

// TestFoldersComplete: a folder is completed so that more of its path can follow, in quotes
// too.
func TestFoldersComplete(t *testing.T) {
	t.Parallel()
	for folder, want := range map[string]string{"@lvl/": "@lvl/x", `@"my files/"`: `@"my files/x"`} {
		for _, others := range [][]string{nil, {"@other.go"}} {
			d := newDesk(t)
			d.ready(shell("git push", "git push"))
			d.press("n", "@", "l")
			query, _ := d.q.SoughtFiles()
			d.q.FilesFound(query, append([]string{folder}, others...), false, d.now)
			if d.press("tab", "x"); d.written() != want {
				t.Errorf("%s among %d others: %q, want %q", folder, len(others), d.written(), want)
			}
			if query, ok := d.q.SoughtFiles(); !ok || "@"+query != strings.ReplaceAll(want, `"`, "") {
				t.Errorf("%s: then %q is looked for", folder, query)
			}
		}
	}
}

// TestCompletionHint: what Tab takes is said on one line whatever the name is, as far as
// there is room, and that there are more than are counted.
func TestCompletionHint(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	d.width = 60
	d.ready(shell("git push", "git push"))
	d.press("n", "@", "m")
	query, _ := d.q.SoughtFiles()
	d.q.FilesFound(query, []string{`@"` + strings.Repeat("long/", 30) + "\x1b[2J\u202em.go\"", "@m.go"}, true, d.now)
	d.draw()
	last := d.screen[len(d.screen)-1]
	if !strings.Contains(last, "tab @") || !strings.Contains(last, "(1 of 2+)") || !strings.Contains(last, "esc back") {
		t.Errorf("hint %q", last)
	}
	if slices.ContainsFunc([]rune(last), func(r rune) bool { return r == 0x1b || r == 0x202e }) {
		t.Errorf("hint %q is not safe", last)
	}
}
