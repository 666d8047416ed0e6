package drafts

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"pgregory.net/rapid"

	"parley/history/lock"
	"parley/session"
	"parley/session/sessiontest"
)

// noon is when the states of the tests were so.
var noon = time.Date(2026, 5, 4, 12, 0, 0, 0, time.UTC)

func equal(t *testing.T, what string, got, want any) {
	t.Helper()
	if !reflect.DeepEqual(got, want) {
		t.Errorf("%s:\n got %#v\nwant %#v", what, got, want)
	}
}

// rich is all that a draft can hold, with bytes that are no UTF-8.
func rich() Draft {
	return Draft{Text: "look at \xff this  and ", Chips: []Chip{
		{At: 14, Paste: "a paste\r\n\twith \x1b[31m and \xfe\x00 bytes"},
		{At: 20, Attachment: &session.Attachment{Type: "file", Path: "/w/a/é.go", DisplayName: "é.go", Extra: []byte(`{"later":1}`)}},
		{At: 20, Attachment: &session.Attachment{Type: "blob", DisplayName: "pasted.png", Data: strings.Repeat("QUJD", 10), MIMEType: "image/png"}},
	}}.AtEnd()
}

func mustOpen(t testing.TB, dir string) *Store {
	t.Helper()
	j, err := Open(dir, noon)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = j.Close() })
	return j
}

func mustSave(t testing.TB, j *Store, seq uint64, s State) {
	t.Helper()
	if err := j.Save(seq, s); err != nil {
		t.Fatal(err)
	}
}

func mustClose(t testing.TB, j *Store) {
	t.Helper()
	if err := j.Close(); err != nil {
		t.Fatal(err)
	}
}

func mustRecover(t testing.TB, j *Store, dir string, id session.ID) []State {
	t.Helper()
	states, err := j.Recover(dir, id)
	if err != nil {
		t.Fatal(err)
	}
	return states
}

// TestReplacedByOneThatLives: a window died between storing what it had taken over
// and removing it, and another that lives took that over in turn. A third window
// does not take the first one's again.
func TestReplacedByOneThatLives(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "drafts")
	first := mustOpen(t, dir)
	mustSave(t, first, 1, State{Dir: "/w", Unsent: []string{"a word"}})
	mustClose(t, first)
	second := mustOpen(t, dir)
	second.mu.Lock()
	err := second.save(State{Dir: "/w", Unsent: []string{"a word"}, Recovered: []string{filepath.Base(first.own)}})
	second.mu.Unlock()
	if err != nil {
		t.Fatal(err)
	}
	mustClose(t, second)
	held, err := lock.Try(filepath.Join(first.own, lockName)) // as the second had it, when the third looked
	if err != nil || held == nil {
		t.Fatal(held, err)
	}
	if states := mustRecover(t, mustOpen(t, dir), "/w", ""); len(states) != 1 {
		t.Fatalf("the third took %+v", states)
	}
	if err := held.Release(); err != nil {
		t.Fatal(err)
	}
	if states := mustRecover(t, mustOpen(t, dir), "/w", ""); len(states) != 0 {
		t.Errorf("the fourth took %+v", states)
	}
}

// left are the names in the folder of all journals.
func left(t testing.TB, dir string) []string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names
}

// typed is a state of a window in /w with a draft.
func typed(text string) State {
	return State{Dir: "/w", Session: "s1", Time: noon, Draft: Draft{Text: text, Caret: len(text)}}
}

// full is a state with everything in it.
func full() State {
	draft := rich()
	draft.Chips[0].Paste = strings.Repeat("a line of a large paste \xff\n", 10_000)
	draft.Chips[2].Attachment.Data = strings.Repeat("QUJD", 50_000)
	return State{
		Dir: "/w", Session: "s1", Time: noon, Draft: draft,
		Drafts:  map[session.ID]Draft{"s2": {Text: "for another", Caret: 3}, "s3": draft},
		Stash:   []Stashed{{Draft: Draft{Text: "aside", Caret: 1}, Time: noon.Add(time.Minute), Why: "stashed"}, {Draft: draft, Why: "cleared"}},
		Written: []byte(`{"r1":{"field":"half an answer"}}`),
		Unsent:  []string{"refused \xfe", strings.Repeat("long ", 20_000)},
	}
}

// TestStoreComesBack: everything in a state comes back byte for byte, from a
// window that was closed as from one that died.
func TestStoreComesBack(t *testing.T) {
	t.Parallel()
	for _, died := range []bool{false, true} {
		dir := filepath.Join(t.TempDir(), "state", "drafts")
		j := mustOpen(t, dir)
		mustSave(t, j, 1, full())
		if died {
			_ = j.lock.Release() // as the system does for a process that ends
		} else {
			mustClose(t, j)
		}
		next := mustOpen(t, dir)
		states := mustRecover(t, next, "/w", "")
		if len(states) != 1 {
			t.Fatalf("%d states", len(states))
		}
		got := states[0]
		equal(t, "adopted", got.Recovered, []string{filepath.Base(j.own)})
		got.Recovered = nil
		want := full()
		equal(t, "state", got, want)
		mustSave(t, next, 1, State{Recovered: states[0].Recovered})
		equal(t, "left", left(t, dir), []string{filepath.Base(next.own)})
		for _, file := range []string{dir, next.own} {
			info, err := os.Stat(file)
			if err != nil {
				t.Fatal(err)
			}
			if sessiontest.Unix {
				equal(t, "rights", info.Mode().Perm(), fs.FileMode(0o700))
			}
		}
	}
}

// TestStoreRecovers: which window gets what, and that none gets what a window that
// is alive holds.
func TestStoreRecovers(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	leave := func(s State) {
		j := mustOpen(t, dir)
		mustSave(t, j, 1, s)
		mustClose(t, j)
	}
	at := func(n int, s State) State { s.Time = noon.Add(time.Duration(n) * time.Minute); return s }
	leave(at(1, typed("same folder, another session")))
	leave(at(3, State{Dir: "/x", Session: "s9", Draft: Draft{Text: "session"}}))
	leave(at(2, State{Dir: "/x", Session: "s1", Drafts: map[session.ID]Draft{"s9": {Text: "held"}}}))
	leave(at(4, State{Dir: "/x", Session: "s1", Unsent: []string{"of others"}}))
	leave(at(5, State{Dir: "/x", Unsent: []string{"without a session"}}))
	alive := mustOpen(t, dir)
	mustSave(t, alive, 1, typed("alive"))

	j := mustOpen(t, dir)
	var got []string
	for _, s := range mustRecover(t, j, "/w", "s9") {
		got = append(got, s.Draft.Text+s.Drafts["s9"].Text+strings.Join(s.Unsent, ""))
	}
	equal(t, "adopted", got, []string{"session", "held", "same folder, another session"})
	equal(t, "again", mustRecover(t, j, "/w", "s9"), []State(nil))
	other := mustOpen(t, dir)
	equal(t, "held for the other", mustRecover(t, other, "/w", "s9"), []State(nil))
	equal(t, "without a session", len(mustRecover(t, other, "/x", "")), 2)
	mustClose(t, j) // without having saved what it took over
	equal(t, "given back", len(mustRecover(t, other, "/w", "s9")), 3)
}

// TestStoreKeepsUntilSaved: what was taken over stays on the disk until a
// state that has it is stored, not just any state.
func TestStoreKeepsUntilSaved(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	first := mustOpen(t, dir)
	mustSave(t, first, 1, typed("precious"))
	mustClose(t, first)

	second := mustOpen(t, dir)
	mustRecover(t, second, "/w", "")
	mustSave(t, second, 1, typed("typed before it came")) // was on its way
	_ = second.lock.Release()                             // it dies
	for _, lock := range second.taken {
		_ = lock.Release()
	}
	third := mustOpen(t, dir)
	equal(t, "both", len(mustRecover(t, third, "/w", "")), 2)
	mustClose(t, third)

	// A window that dies after it stored what it took over, and before it removed
	// that, leaves both: it comes back once.
	again := mustOpen(t, dir)
	states := mustRecover(t, again, "/w", "")
	s := typed("all of it")
	for _, st := range states {
		s.Recovered = append(s.Recovered, st.Recovered...)
	}
	for name, lock := range again.taken {
		_ = lock.Release()
		delete(again.taken, name)
	}
	mustSave(t, again, 1, s)
	mustClose(t, again)
	equal(t, "left", len(left(t, dir)), 3)
	last := mustOpen(t, dir)
	states = mustRecover(t, last, "/w", "")
	equal(t, "once", []string{states[0].Draft.Text, fmt.Sprint(len(states))}, []string{"all of it", "1"})
	equal(t, "left", len(left(t, dir)), 2)
}

// TestStoreWrites: older states are ignored, the same content is not written
// again, and long texts are written once and removed when no draft needs them.
func TestStoreWrites(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	j := mustOpen(t, dir)
	file := filepath.Join(j.own, stateName)
	stat := func(file string) fs.FileInfo {
		info, err := os.Stat(file)
		if err != nil {
			t.Fatal(err)
		}
		return info
	}
	mustSave(t, j, 5, typed("five"))
	five := stat(file)
	mustSave(t, j, 4, typed("four"))
	s := typed("five")
	s.Time = noon.Add(time.Hour)
	mustSave(t, j, 6, s)
	if !os.SameFile(five, stat(file)) {
		t.Error("the same content, or an older one, was written")
	}
	mustSave(t, j, 7, typed("seven"))
	if os.SameFile(five, stat(file)) {
		t.Error("a state was changed in place")
	}
	s = full()
	mustSave(t, j, 8, s)
	files := left(t, j.own)
	equal(t, "files", len(files), 3+2) // paste, image and unsent; the lock and the state
	paste := stat(filepath.Join(j.own, files[0]))
	s.Draft.Text += "x"
	mustSave(t, j, 9, s)
	equal(t, "files", left(t, j.own), files)
	if !os.SameFile(paste, stat(filepath.Join(j.own, files[0]))) {
		t.Error("a long text was written again")
	}
	s.Unsent = nil
	mustSave(t, j, 10, s)
	equal(t, "files", len(left(t, j.own)), 2+2)
	mustSave(t, j, 11, typed(""))
	equal(t, "files", left(t, j.own), []string{lockName})
	mustClose(t, j)
	mustClose(t, j)
	equal(t, "left", left(t, dir), []string(nil))
	if err := j.Save(12, s); !errors.Is(err, os.ErrClosed) {
		t.Errorf("Save after Close: %v", err)
	}
	if _, err := j.Recover("/w", ""); !errors.Is(err, os.ErrClosed) {
		t.Errorf("Recover after Close: %v", err)
	}
}

// TestStoreDamage: what cannot be read is set aside and never deleted, what is
// newer or of another program is left alone, what is empty is removed, and the rest comes.
func TestStoreDamage(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, state string
		after       string // what is there afterwards: "same", "damaged", "gone"
		errors      bool
	}{
		{"garbage", "garbage", "damaged", true},
		{"empty file", "", "damaged", true},
		{"cut", `{"version":1,"state":{"dir":"/w","draft":{"te`, "damaged", true},
		{"no version", `{"state":{"dir":"/w"}}`, "damaged", true},
		{"of another shape", `{"version":1,"state":{"dir":"/w","draft":[]}}`, "damaged", true},
		{"a text that is missing", `{"version":1,"state":{"dir":"/w","draft":{"text":{"file":"` + strings.Repeat("ab", 32) + `"}}}}`, "damaged", true},
		{"a text elsewhere", `{"version":1,"state":{"dir":"/w","draft":{"text":{"file":"../../lock"}}}}`, "damaged", true},
		{"newer", `{"version":2,"time":1,"state":[]}`, "same", false},
		{"empty state", `{"version":1,"state":{"dir":"/w"}}`, "gone", false},
		{"no state", "none", "gone", false},
		{"a folder", "folder", "same", true},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			good := mustOpen(t, dir)
			mustSave(t, good, 1, typed("good"))
			mustClose(t, good)
			if err := os.MkdirAll(filepath.Join(dir, removingPrefix+"20260504-120000-2", "x"), 0o700); err != nil {
				t.Fatal(err)
			}
			const name = "20260504-120000-1"
			folder := filepath.Join(dir, name)
			if err := os.MkdirAll(filepath.Join(dir, "somebody's"), 0o700); err != nil {
				t.Fatal(err)
			}
			err := os.Mkdir(folder, 0o700)
			switch c.state {
			case "none":
			case "folder":
				err = errors.Join(err, os.Mkdir(filepath.Join(folder, stateName), 0o700))
			default:
				err = errors.Join(err, os.WriteFile(filepath.Join(folder, stateName), []byte(c.state), 0o600))
			}
			if err != nil {
				t.Fatal(err)
			}
			j := mustOpen(t, dir)
			states, err := j.Recover("/w", "")
			if len(states) != 1 || states[0].Draft.Text != "good" {
				t.Errorf("states %v", states)
			}
			if (err != nil) != c.errors || err != nil && !strings.Contains(err.Error(), name) {
				t.Errorf("error %v", err)
			}
			if err != nil && regexp.MustCompile(`jsontext|unmarshal`).MatchString(err.Error()) {
				t.Errorf("words of the decoder: %v", err)
			}
			is := map[string]bool{"same": exists(folder), "damaged": exists(filepath.Join(dir, damagedPrefix+name))}
			if is["same"] != (c.after == "same") || is["damaged"] != (c.after == "damaged") {
				t.Errorf("afterwards %v, want %s", is, c.after)
			}
			if exists(filepath.Join(dir, removingPrefix+"20260504-120000-2")) {
				t.Error("what another window was removing is still there")
			}
			if !exists(filepath.Join(dir, "somebody's")) {
				t.Error("a folder of another program is gone")
			}
			if c.errors && c.after == "damaged" {
				if _, err := mustOpen(t, dir).Recover("/none", ""); err != nil {
					t.Errorf("said again: %v", err)
				}
			}
		})
	}
}

// TestStoreFails: where nothing can be written, the error says what and why,
// what was stored stays, and the next Save that can be done is done.
func TestStoreFails(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	if _, err := Open("", noon); err == nil || !strings.Contains(err.Error(), "XDG_STATE_HOME") {
		t.Errorf("without a home: %v", err)
	}
	blocked := filepath.Join(dir, "file")
	if err := os.WriteFile(blocked, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := Open(filepath.Join(blocked, "drafts"), noon); err == nil || !strings.Contains(err.Error(), blocked) {
		t.Errorf("a file in the way: %v", err)
	}
	j := mustOpen(t, filepath.Join(dir, "drafts"))
	mustSave(t, j, 1, typed("stored"))
	inTheWay := filepath.Join(j.own, stateName+newSuffix)
	if err := os.MkdirAll(filepath.Join(inTheWay, "x"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := j.Save(2, typed("not stored")); err == nil || !strings.Contains(err.Error(), inTheWay) {
		t.Errorf("Save: %v", err)
	}
	if err := j.Save(3, State{Draft: Draft{Text: "x"}, Written: []byte("no JSON")}); err == nil {
		t.Error("a state with what is no JSON was stored")
	}
	stored, err := read(j.own)
	equal(t, "stored", []any{stored.Draft.Text, err}, []any{"stored", nil})
	if err := os.RemoveAll(inTheWay); err != nil {
		t.Fatal(err)
	}
	mustSave(t, j, 2, typed("not stored"))
	stored, err = read(j.own)
	equal(t, "stored", []any{stored.Draft.Text, err}, []any{"not stored", nil})

	var none *Store
	states, err := none.Recover("/w", "s1")
	if err := errors.Join(err, none.Save(1, full()), none.Close()); err != nil || states != nil {
		t.Errorf("the nil journal: %v", err)
	}
}

// TestStoreRaces: many windows open, adopt, save and close at once; each draft
// is always with exactly one of them, or on the disk.
func TestStoreRaces(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	const windows, rounds = 6, 15
	var all sync.WaitGroup
	for w := range windows {
		all.Go(func() {
			for round := range rounds {
				j, err := Open(dir, noon)
				if err != nil {
					t.Error(err)
					return
				}
				states, err := j.Recover("/w", "")
				if err != nil {
					t.Error(err)
				}
				s := State{Dir: "/w", Unsent: []string{fmt.Sprintf("%d %d", w, round)}}
				for _, st := range states {
					s.Unsent = append(s.Unsent, st.Unsent...)
					s.Recovered = append(s.Recovered, st.Recovered...)
				}
				if err := errors.Join(j.Save(1, s), j.Close()); err != nil {
					t.Error(err)
				}
			}
		})
	}
	all.Wait()
	var unsent []string
	for _, s := range mustRecover(t, mustOpen(t, dir), "/w", "") {
		unsent = append(unsent, s.Unsent...)
	}
	slices.Sort(unsent)
	equal(t, "texts", len(slices.Compact(slices.Clone(unsent))), windows*rounds)
	equal(t, "twice", len(unsent), windows*rounds)
}

// TestStoreIsItsLastState: after any states, the last one comes back.
func TestStoreIsItsLastState(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	text := rapid.OneOf(
		rapid.SampledFrom([]string{"", "a", "\xff", strings.Repeat("p", longText), strings.Repeat("\xfe", longText)}), rapid.String(),
	)
	rapid.Check(t, func(t *rapid.T) {
		j, err := Open(dir, noon)
		if err != nil {
			t.Fatal(err)
		}
		var want State
		for seq := range rapid.IntRange(1, 5).Draw(t, "states") {
			want = State{Dir: "/w", Time: noon, Draft: Draft{Text: text.Draw(t, "text")}, Unsent: rapid.SliceOfN(text, 0, 2).Draw(t, "unsent")}
			if n := rapid.IntRange(0, 2).Draw(t, "chips"); n > 0 {
				want.Draft.Chips = slices.Repeat([]Chip{{Paste: text.Draw(t, "paste")}}, n)
			}
			if err := j.Save(uint64(seq), want); err != nil {
				t.Fatal(err)
			}
		}
		if err := j.Close(); err != nil {
			t.Fatal(err)
		}
		next, err := Open(dir, noon)
		if err != nil {
			t.Fatal(err)
		}
		states, err := next.Recover("/w", "")
		if err != nil {
			t.Fatal(err)
		}
		if want.Empty() {
			if len(states) != 0 {
				t.Fatalf("states %v", states)
			}
		} else if len(states) != 1 || states[0].Draft.Prompt() != want.Draft.Prompt() || !slices.Equal(states[0].Unsent, want.Unsent) {
			t.Fatalf("got %v, want %v", states, want)
		} else if err := next.Save(0, State{Recovered: states[0].Recovered}); err != nil {
			t.Fatal(err)
		}
		if err := next.Close(); err != nil {
			t.Fatal(err)
		}
	})
	equal(t, "left", left(t, dir), []string(nil))
}

// TestLockedByUnknown: what cannot be locked belongs to a window that is alive.
func TestLockedByUnknown(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	j := mustOpen(t, dir)
	mustSave(t, j, 1, typed("x"))
	mustClose(t, j)
	lock := filepath.Join(j.own, lockName)
	if err := errors.Join(os.Remove(lock), os.Mkdir(lock, 0o700)); err != nil {
		t.Fatal(err)
	}
	equal(t, "adopted", mustRecover(t, mustOpen(t, dir), "/w", ""), []State(nil))
	equal(t, "there", exists(filepath.Join(j.own, stateName)), true)
}
