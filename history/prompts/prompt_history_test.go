package prompts

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"strconv"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"pgregory.net/rapid"

	"parley/history/drafts"
	"parley/session"
	"parley/session/sessiontest"
)

// noon is when the first prompt of a test was sent; the n-th is n seconds later.
var noon = time.Date(2026, 5, 4, 12, 0, 0, 0, time.UTC)

func sent(n int, text string) Prompt {
	return Prompt{Draft: drafts.Draft{Text: text}, Time: noon.Add(time.Duration(n) * time.Second), Session: "s1", Dir: "/w/a", Repository: "/w"}
}

// found are the texts that a search of everything finds.
func found(p *History, query string) []string {
	var out []string
	for _, h := range p.Search(query, Everywhere, Place{}, 0) {
		out = append(out, h.Prompt.Prompt())
	}
	return out
}

func mustAdd(t interface {
	Helper()
	Fatal(args ...any)
}, p *History, prompts ...Prompt,
) {
	t.Helper()
	for _, q := range prompts {
		if err := p.Add(q); err != nil {
			t.Fatal(err)
		}
	}
}

func mustLoad(t *testing.T, file string) *History {
	t.Helper()
	p := Open(file)
	if err := p.Load(); err != nil {
		t.Fatal(err)
	}
	return p
}

func equal(t *testing.T, what string, got, want any) {
	t.Helper()
	if !reflect.DeepEqual(got, want) {
		t.Errorf("%s:\n got %#v\nwant %#v", what, got, want)
	}
}

// rich is a prompt with all that a draft can hold, and bytes that are no UTF-8.
func rich() Prompt {
	p := sent(1, "look at \xff this  and ")
	p.Chips = []drafts.Chip{
		{At: 14, Paste: "a paste\r\n\twith \x1b[31m and \xfe\x00 bytes"},
		{At: 20, Attachment: &session.Attachment{Type: "file", Path: "/w/a/é.go", DisplayName: "é.go", Extra: []byte(`{"later":1}`)}},
		{At: 20, Attachment: &session.Attachment{Type: "blob", DisplayName: "pasted.png", Data: strings.Repeat("QUJD", 10), MIMEType: "image/png"}},
	}
	p.Draft = p.AtEnd()
	return p
}

// TestPromptsComeBack: a prompt is found at once, and is the same byte for byte
// from the file and from memory, with its pastes and attachments.
func TestPromptsComeBack(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "state", "parley", "prompts.jsonl")
	p, memory := Open(file), Open("")
	want := rich()
	for _, p := range []*History{p, memory} {
		mustAdd(t, p, want)
	}
	reloaded := mustLoad(t, file)
	if err := p.Load(); err != nil { // it reads its own line
		t.Fatal(err)
	}
	for name, p := range map[string]*History{"own": p, "memory": memory, "file": reloaded} {
		hits := p.Search("paste this", Everywhere, Place{}, 0)
		if len(hits) != 1 {
			t.Fatalf("%s: %d hits", name, len(hits))
		}
		got := hits[0].Prompt
		for i, c := range got.Chips {
			if c.Attachment != nil && i == 1 {
				equal(t, name+" extra", string(c.Attachment.Extra), `{"later":1}`)
			}
		}
		equal(t, name, got, want)
		older, ok := p.Older("look", Place{}, 0)
		equal(t, name+" older", older, want)
		if _, more := p.Older("look", Place{}, 1); !ok || more {
			t.Errorf("%s: older %v, more %v", name, ok, more)
		}
	}
	info, err := os.Stat(file)
	if err != nil {
		t.Fatal(err)
	}
	folder, err := os.Stat(filepath.Dir(file))
	if err != nil {
		t.Fatal(err)
	}
	if !sessiontest.Unix {
		return
	}
	equal(t, "rights of the file and its folder", []fs.FileMode{info.Mode().Perm(), folder.Mode().Perm()}, []fs.FileMode{0o600, 0o700})
}

// TestOwnPromptsAreNewest: what this window sent before it read the file is
// newer than what is in the file, and stays so when it is read.
func TestOwnPromptsAreNewest(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "prompts.jsonl")
	mustAdd(t, Open(file), sent(1, "first"), sent(2, "second"))
	p := Open(file)
	mustAdd(t, p, sent(3, "third"), sent(4, "first"))
	equal(t, "before", found(p, ""), []string{"first", "third"})
	for range 2 {
		if err := p.Load(); err != nil {
			t.Fatal(err)
		}
		equal(t, "after", found(p, ""), []string{"first", "third", "second"})
	}
	mustAdd(t, p, sent(5, "fifth"))
	mustAdd(t, Open(file), sent(6, "of another window"))
	if err := p.Load(); err != nil {
		t.Fatal(err)
	}
	equal(t, "with another's", found(p, ""), []string{"of another window", "fifth", "first", "third", "second"})
	if len(p.index.added) != 0 || len(p.index.entries) != 6 {
		t.Errorf("%d added, %d entries", len(p.index.added), len(p.index.entries))
	}
}

func TestLoadDamaged(t *testing.T) {
	t.Parallel()
	good := func(text string) string { line, _ := encode(sent(1, text)); return string(line) }
	for _, c := range []struct {
		name, content string
		want          []string
		damaged       int
	}{
		{"empty", "", nil, 0},
		{"good", good("a") + good("b"), []string{"b", "a"}, 0},
		{"garbage", good("a") + "garbage\n" + good("b"), []string{"b", "a"}, 1},
		{"blank lines", "\n\n" + good("a") + "\n", []string{"a"}, 0},
		{"torn in the middle", good("a")[:20] + "\n" + good("b"), []string{"b"}, 1},
		{"two in one line", strings.TrimSpace(good("a")) + good("b") + good("c"), []string{"c"}, 1},
		{"zeros", good("a") + strings.Repeat("\x00", 5000) + "\n" + good("b"), []string{"b", "a"}, 1},
		{"no prompt", `{"text":"","session":"x"}` + "\n[]\nnull\n" + good("b"), []string{"b"}, 3},
		{"newer", `{"version":2,"text":"later"}` + "\n" + good("b"), []string{"b"}, 0},
		{"newer of another shape", `{"version":2,"text":{"runs":[]}}` + "\n" + good("b"), []string{"b"}, 0},
		{"unfinished", good("a") + good("b")[:10], []string{"a"}, 0},
		{"too long", good("a") + strings.Repeat("x", maxRecord+1) + "\n" + good("b"), []string{"b", "a"}, 1},
		{"chips anywhere", `{"text":"ab","chips":[{"at":9,"paste":"x"},{"at":-3,"paste":"y"}]}` + "\n", []string{"abxy"}, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			file := filepath.Join(t.TempDir(), "prompts.jsonl")
			if err := os.WriteFile(file, []byte(c.content), 0o600); err != nil {
				t.Fatal(err)
			}
			p := Open(file)
			for i := range 2 {
				var damage *DamagedError
				err := p.Load()
				if errors.As(err, &damage) && i == 0 {
					equal(t, "damaged", damage.Lines, c.damaged)
				} else if err != nil || c.damaged > 0 && i == 0 {
					t.Errorf("Load %d: %v", i, err)
				}
				equal(t, "found", found(p, ""), c.want)
			}
			// What is added to such a file is read by others.
			mustAdd(t, p, sent(2, "added"))
			other := Open(file)
			_ = other.Load()
			equal(t, "with one added", found(other, ""), append([]string{"added"}, c.want...))
		})
	}
}

// TestUnfinishedLine: half a line is read once its other half is there.
func TestUnfinishedLine(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "prompts.jsonl")
	line, err := encode(sent(1, "a"))
	if err != nil {
		t.Fatal(err)
	}
	p := Open(file)
	for i := range line {
		if err := os.WriteFile(file, line[:i+1], 0o600); err != nil {
			t.Fatal(err)
		}
		if err := p.Load(); err != nil {
			t.Fatal(err)
		}
		if i < len(line)-1 && len(found(p, "")) > 0 {
			t.Fatalf("found after %d of %d bytes", i, len(line))
		}
	}
	equal(t, "found", found(p, ""), []string{"a"})
}

// TestReplacedFile: a file that somebody emptied or replaced is read anew.
func TestReplacedFile(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "prompts.jsonl")
	p := Open(file)
	mustAdd(t, p, sent(1, "a"), rich())
	if err := p.Load(); err != nil {
		t.Fatal(err)
	}
	if err := os.Truncate(file, 0); err != nil {
		t.Fatal(err)
	}
	equal(t, "texts that are known", found(p, ""), []string{rich().Prompt(), "a"})
	if err := p.Load(); err != nil {
		t.Fatal(err)
	}
	equal(t, "emptied", found(p, ""), []string(nil))
	mustAdd(t, p, sent(1, "b"))
	if err := os.Rename(file, file+".old"); err != nil {
		t.Fatal(err)
	}
	mustAdd(t, p, sent(1, "c"))
	if err := p.Load(); err != nil {
		t.Fatal(err)
	}
	equal(t, "replaced", found(p, ""), []string{"c"})
}

// TestPromptsWithoutFile: where nothing can be written, the error says what and
// why, and the prompt is there in this window.
func TestPromptsWithoutFile(t *testing.T) {
	t.Parallel()
	blocked := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(blocked, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	p := Open(filepath.Join(blocked, "prompts.jsonl"))
	err := p.Add(rich())
	if err == nil || !strings.Contains(err.Error(), blocked) || sessiontest.Unix && !strings.Contains(err.Error(), "not a directory") {
		t.Errorf("Add: %v", err)
	}
	if err := p.Load(); sessiontest.Unix && (err == nil || !strings.Contains(err.Error(), blocked)) {
		t.Errorf("Load: %v", err)
	}
	got, _ := p.Older("", Place{}, 0)
	equal(t, "kept in memory", got, rich())
	if _, err := os.Stat("/dev/full"); err == nil && sessiontest.Unix { // a disk that is full, where the system has one
		p := Open("/dev/full")
		if err := p.Add(sent(1, "a")); err == nil || !strings.Contains(err.Error(), "no space left") {
			t.Errorf("a full disk: %v", err)
		}
		equal(t, "found", found(p, ""), []string{"a"})
	}
	long := sent(1, strings.Repeat(". ", maxRecord/2))
	if err := Open(filepath.Join(t.TempDir(), "p")).Add(long); err == nil || !strings.Contains(err.Error(), "longer than 64 MB") {
		t.Errorf("too long: %v", err)
	}
}

// TestAdding: searches wait until every prompt that was announced before them is
// added, however long that takes.
func TestAdding(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		p := Open("")
		first, second := p.Adding(sent(1, "the first")), p.Adding(sent(2, "the second"))
		older, all := "", []string(nil)
		var searches sync.WaitGroup
		searches.Go(func() { q, _ := p.Older("the", Place{}, 1); older = q.Prompt() })
		searches.Go(func() { all = found(p, "") })
		for _, add := range []func() error{second, first} {
			synctest.Wait()
			if older != "" || all != nil {
				t.Errorf("found %q and %q before all were added", older, all)
			}
			if err := add(); err != nil {
				t.Fatal(err)
			}
		}
		searches.Wait()
		if older != "the second" || len(all) != 2 {
			t.Errorf("found %q, and all %q", older, all)
		}
	})
}

// TestPrivateIsNotKept: neither in the file nor in memory.
func TestPrivateIsNotKept(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "prompts.jsonl")
	p := Open(file)
	pasted := sent(1, "why is this refused: ")
	pasted.Chips = []drafts.Chip{{At: len(pasted.Text), Paste: "\npassword: hunter2\ntoken: abcdef\n"}}
	attached := sent(1, "read this")
	attached.Chips = []drafts.Chip{{Attachment: &session.Attachment{Type: "selection", Text: "DB_PASSWORD=hunter22"}}}
	mustAdd(t, p, sent(1, " forget this"), sent(1, "password: hunter2"), pasted, attached, Prompt{})
	equal(t, "found", found(p, ""), []string(nil))
	if _, err := os.Stat(file); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("there is a file: %v", err)
	}
}

// TestCallersKeepTheirDrafts: the chips of one caller do not change with those of another.
func TestCallersKeepTheirDrafts(t *testing.T) {
	t.Parallel()
	p, mine := Open(""), rich()
	mustAdd(t, p, mine)
	mine.Chips[0] = drafts.Chip{}
	got, _ := p.Older("", Place{}, 0)
	got.Chips[0] = drafts.Chip{}
	got, _ = p.Older("", Place{}, 0)
	equal(t, "kept", got, rich())
}

// TestLoadAnyDamage: whatever happens to some lines, the others are read.
func TestLoadAnyDamage(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	rapid.Check(t, func(t *rapid.T) {
		file := filepath.Join(dir, "prompts.jsonl")
		var content []byte
		var want []string
		texts := rapid.SliceOfNDistinct(rapid.StringMatching(`[a-z\n"]{1,20}`), 1, 20, rapid.ID).Draw(t, "texts")
		for i, text := range texts {
			line, err := encode(sent(i, text))
			if err != nil {
				t.Fatal(err)
			}
			last := len(line) - 1
			switch rapid.IntRange(0, 6).Draw(t, "damage") {
			case 0: // torn off, and ended by who came next
				line = append(line[:rapid.IntRange(0, last-1).Draw(t, "at")], '\n')
			case 1: // a byte that no JSON has
				line[rapid.IntRange(0, last-1).Draw(t, "at")] = rapid.SampledFrom([]byte{0, 0xff, 1}).Draw(t, "byte")
			case 2: // something before it
				line = append([]byte(rapid.SampledFrom([]string{"x", "{", `"`, "]"}).Draw(t, "before")), line...)
			default:
				want = append([]string{text}, want...)
			}
			content = append(content, line...)
		}
		if err := os.WriteFile(file, content, 0o600); err != nil {
			t.Fatal(err)
		}
		p := Open(file)
		var damage *DamagedError
		if err := p.Load(); err != nil && !errors.As(err, &damage) {
			t.Fatal(err)
		}
		if got := found(p, ""); !reflect.DeepEqual(got, want) {
			t.Fatalf("got %q, want %q", got, want)
		}
	})
}

// TestPromptsConcurrent: windows of this process and searches at once; every
// prompt is there once.
func TestPromptsConcurrent(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "prompts.jsonl")
	var all sync.WaitGroup
	const windows, each = 3, 40
	for w := range windows {
		p := Open(file)
		for half := range 2 {
			all.Go(func() {
				for i := range each {
					q := rich()
					q.Text = fmt.Sprintf("%d %d %d %s", w, half, i, q.Text)
					if err := p.Add(q); err != nil {
						t.Error(err)
					}
					if i%3 == 0 {
						if err := p.Load(); err != nil {
							t.Error(err)
						}
					}
				}
			})
		}
		all.Go(func() {
			for range each {
				p.Search("paste", InRepository, Place{Dir: "/w/a", Repository: "/w"}, 10)
				p.Older("", Place{Session: "s1"}, 5)
				p.Mentions(Place{}, noon)
			}
		})
	}
	all.Wait()
	p := mustLoad(t, file)
	equal(t, "found", len(p.Search("", Everywhere, Place{}, 0)), windows*2*each)
	equal(t, "lines", len(p.index.entries), windows*2*each)
}

// playAdd adds as many prompts as its argument says, one after another.
func playAdd(dir, argument string) error {
	p := Open(filepath.Join(dir, "prompts.jsonl"))
	n, err := strconv.Atoi(argument)
	for i := range n {
		q := sent(i, fmt.Sprintf("%d of %d", i, os.Getpid()))
		q.Chips = []drafts.Chip{{Paste: strings.Repeat("a large paste ", i*30)}}
		err = errors.Join(err, p.Add(q))
	}
	return err
}

// TestTwoProcessesAdd: lines of several processes do not mix, and each prompt
// is there.
func TestTwoProcessesAdd(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	const each = 30
	a, b := sessiontest.Start(t, "add", dir, strconv.Itoa(each)), sessiontest.Start(t, "add", dir, strconv.Itoa(each))
	p := Open(filepath.Join(dir, "prompts.jsonl"))
	for range 20 {
		if err := p.Load(); err != nil {
			t.Error(err)
		}
	}
	a.End(t)
	b.End(t)
	if err := p.Load(); err != nil {
		t.Error(err)
	}
	equal(t, "found", len(p.Search("", Everywhere, Place{}, 0)), 2*each)
}

// FuzzRecord: a line of any bytes is read or refused, and what was read is
// written as one line that reads the same.
func FuzzRecord(f *testing.F) {
	line, err := encode(rich())
	if err != nil {
		f.Fatal(err)
	}
	f.Add(line)
	f.Add([]byte(`{"text":"a","time":"2026-01-02T03:04:05+02:00","session":"s","dir":"/w","chips":[{"at":7,"attachment":{"type":"file","x":[1]}}]}`))
	f.Add([]byte(`{"text":{"base64":"/w=="},"repository":"\ud800"}`))
	f.Add([]byte(`{"text":{"file":"/etc/passwd"},"version":1}`))
	f.Fuzz(func(t *testing.T, line []byte) {
		p, err := decode(line)
		if err != nil {
			return
		}
		if p.Caret < 0 || p.Caret > len(p.Text) {
			t.Fatal("the caret is nowhere")
		}
		p.Draft = p.AtEnd()
		out, err := encode(p)
		if err != nil {
			t.Fatal(err)
		}
		if bytes.Count(out, []byte("\n")) != 1 {
			t.Fatalf("not one line: %q", out)
		}
		again, err := decode(out)
		if err != nil {
			t.Fatal(err)
		}
		again.Draft = again.AtEnd()
		if twice, err := encode(again); err != nil || !bytes.Equal(out, twice) || again.Prompt() != p.Prompt() {
			t.Fatalf("%q then %q, %v", out, twice, err)
		}
	})
}
