package copilot

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"parley/session"
)

// TestKeepsOnlySoMuch keeps files up to the limit and names the others.
func TestKeepsOnlySoMuch(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	sized := func(name string, size int64) string {
		path := filepath.Join(dir, name)
		if err := errors.Join(os.WriteFile(path, nil, 0o600), os.Truncate(path, size)); err != nil {
			t.Fatal(err)
		}
		return path
	}
	room := keepLimit
	for _, tc := range []struct {
		path string
		want error
	}{
		{sized("huge", 1<<40), errTooLarge},
		{sized("large", keepLimit-10), nil},
		{sized("small", 20), errTooLarge},
		{sized("tiny", 10), nil},
		{filepath.Join(dir, "none"), nil},
		{dir, errNotRegular},
	} {
		c, err := readContents(tc.path, room)
		room -= len(c.text)
		if !errors.Is(err, tc.want) {
			t.Errorf("%s: %v, want %v", tc.path, err, tc.want)
		}
		if tc.want != nil {
			continue
		}
		if seen, err := look(tc.path); err != nil || !seen.equal(c) {
			t.Errorf("%s looks different: %v", tc.path, err)
		}
	}
	if _, err := look(filepath.Join(dir, "huge")); !errors.Is(err, errTooLarge) {
		t.Errorf("it was looked at as a whole: %v", err)
	}
	if room != 0 {
		t.Errorf("there is room for %d bytes", room)
	}
}

// TestRestore puts files back, but none that somebody changed.
func TestRestore(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	write := func(name, text string) {
		if text == "" {
			_ = os.Remove(filepath.Join(dir, name))
		} else if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for name, tc := range map[string]struct {
		before, rewound, now string // "" is no file
		lost                 error
		want                 error
	}{
		"modified":           {"new", "old", "old", nil, nil},
		"created":            {"new", "", "", nil, nil},
		"deleted":            {"", "old", "old", nil, nil},
		"changed since":      {"new", "old", "mine", nil, errChanged},
		"made since":         {"new", "", "mine", nil, errChanged},
		"removed since":      {"new", "old", "", nil, errChanged},
		"the rewind did nil": {"new", "new", "new", nil, errUnseen},
		"lost":               {"new", "old", "old", errTooLarge, errTooLarge},
	} {
		path := filepath.Join(dir, name)
		write(name, tc.before)
		f := keptFile{path: path, lost: tc.lost}
		before, err := readContents(path, keepLimit)
		if f.before = before; err != nil {
			t.Fatal(err)
		}
		w := undone{files: []keptFile{f, {path: "skipped"}}}
		write(name, tc.rewound)
		if w.settle([]string{path}); len(w.files) != 1 {
			t.Errorf("%s: %d files are kept", name, len(w.files))
		}
		write(name, tc.now)
		if err := w.files[0].restore(); !errors.Is(err, tc.want) {
			t.Errorf("%s: %v, want %v", name, err, tc.want)
		}
		want := tc.now
		if tc.want == nil {
			want = tc.before
		}
		got, err := os.ReadFile(path)
		if string(got) != want || (want == "") != errors.Is(err, os.ErrNotExist) {
			t.Errorf("%s: the file is %q, %v; want %q", name, got, err, want)
		}
	}
}

// TestUndo moves what can be taken back from session to session.
func TestUndo(t *testing.T) {
	t.Parallel()
	var u undo
	w := func(id session.ID, size int) undone {
		kept := keptFile{before: contents{text: make([]byte, size)}}
		return undone{copy: id, title: "of " + string(id), files: []keptFile{kept}}
	}
	u.push("s", w("one", 1))
	u.push("s", w("two", 2))
	u.push("other", w("three", 4))
	if !u.holds("one") || !u.holds("three") || u.holds("s") {
		t.Error("it does not know its copies")
	}
	first, _ := u.last("s")
	if first.copy != "two" || !u.redone("s", first) || u.redone("s", first) {
		t.Errorf("the last one is %+v", first)
	}
	if u.holds("two") || u.takeName("two") != "of two" || u.takeName("two") != "" {
		t.Error("the copy that is continued is not known as such")
	}
	if _, ok := u.last("s"); ok {
		t.Error("the session that was left can still be continued")
	}
	if rest, ok := u.last("two"); !ok || rest.copy != "one" || u.room() != keepLimit-5 {
		t.Errorf("next is %+v, with room for %d bytes", rest, u.room())
	}
	if gone := u.drop("two"); len(gone) != 1 || u.room() != keepLimit-4 || u.holds("one") {
		t.Errorf("dropped %+v, with room for %d bytes", gone, u.room())
	}
}

// TestRewindOutcomes reads the ways in which a rewind can fail, most of which
// cannot be brought about.
func TestRewindOutcomes(t *testing.T) {
	t.Parallel()
	for outcome, want := range map[string]string{
		"success":                    "",
		"session-busy":               "the agent is still at work: wait until it is done, or stop it",
		"unsupported-remote-session": "a session on another machine cannot be rewound",
		"checkpoint-cleanup-failed":  "it is rewound, but summaries of what was taken back are left in its folder: why",
		"snapshot-prune-failed":      "it is rewound, but what is kept of the files' earlier contents was not tidied up: why",
		"files-rolled-back":          "a file could not be put back, so nothing was changed: why",
		"rollback-incomplete":        "a file could not be put back, nor could all others be left as they were; the conversation is unchanged, these files were put back and stay so: a, b: why",
		"truncation-failed":          "the conversation could not be rewound; these files were put back and stay so: a, b: why",
		"something-new":              "the runtime does not allow it: something new",
	} {
		r := rewindResult{Outcome: outcome, Error: "why", RestoredFiles: []string{"a", "b"}}
		got := ""
		if err := r.failure(); err != nil {
			got = err.Error()
		}
		if got != want {
			t.Errorf("%s: %q, want %q", outcome, got, want)
		}
		if rewound := outcome == "success" || half(outcome); r.rewound() != rewound {
			t.Errorf("%s: rewound %t", outcome, r.rewound())
		}
	}
}

// half reports whether a rewind with that outcome was made, but not in full.
func half(outcome string) bool {
	return outcome == "checkpoint-cleanup-failed" || outcome == "snapshot-prune-failed"
}
