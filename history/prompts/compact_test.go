package prompts

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"parley/history/drafts"
	"parley/session/sessiontest"
)

// bounded is a window on a file of prompts with bounds of a test's own.
func bounded(file string, b bounds) *History {
	p := Open(file)
	p.bounds = b
	return p
}

// TestPromptsAreCut: a file that has become long keeps the newest prompts, whatever
// the size of the largest, and so does what is in memory. Other windows see it.
func TestPromptsAreCut(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "prompts.jsonl")
	b := bounds{lines: 30, bytes: 1 << 20, kept: 12, long: 1 << 10, shortBytes: 1 << 20, bigBytes: 5 << 10}
	other := bounded(file, b)
	p := bounded(file, b)
	for i := range 31 {
		q := sent(i, fmt.Sprintf("prompt %d", i))
		if i%5 == 0 {
			q.Chips = []drafts.Chip{{Paste: strings.Repeat("x", 2<<10)}}
		}
		mustAdd(t, p, q)
		if i == 20 {
			if err := other.Load(); err != nil {
				t.Fatal(err)
			}
		}
	}
	for _, p := range []*History{p, other} {
		if err := p.Load(); err != nil {
			t.Fatal(err)
		}
		all := found(p, "")
		equal(t, "kept", len(all), 12) // the third of the large ones has no room
		equal(t, "in memory", len(p.index.entries)+len(p.index.added), 12)
		equal(t, "the newest", strings.HasSuffix(all[0], "xprompt 30"), true)
		equal(t, "large ones", len(p.Search("xxx", Everywhere, Place{}, 0)), 2)
		equal(t, "the oldest", all[11], "prompt 18")
	}
	if info, err := os.Stat(file); err != nil || sessiontest.Unix && info.Mode().Perm() != 0o600 || info.Size() > 8<<10 {
		t.Errorf("the file: %v, %v", info, err)
	}
	old, err := os.ReadFile(file + ".old")
	if err != nil || strings.Count(string(old), "\n") != 31-12 || !strings.Contains(string(old), `"prompt 17"`) {
		t.Errorf("what was cut off: %.300q, %v", old, err)
	}
	mustAdd(t, p, sent(40, "after that"))
	equal(t, "the next one", found(mustLoad(t, file), "")[0], "after that")
}

// TestPromptsAreCutByBytes: a few large prompts are too much as well.
func TestPromptsAreCutByBytes(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "prompts.jsonl")
	p := bounded(file, bounds{lines: 30, bytes: 8 << 10, kept: 10, long: 1 << 10, shortBytes: 4 << 10, bigBytes: 4 << 10})
	for i := range 12 {
		q := sent(i, fmt.Sprintf("prompt %d ", i))
		q.Chips = []drafts.Chip{{At: len(q.Text), Paste: strings.Repeat("y", 1200)}}
		mustAdd(t, p, q)
	}
	if err := p.Load(); err != nil {
		t.Fatal(err)
	}
	equal(t, "kept", len(found(p, "")), 3)
}

// TestNothingIsLostInACut: what is added while other windows write the file anew is
// in it.
func TestNothingIsLostInACut(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "prompts.jsonl")
	always := bounds{lines: 0, bytes: 0, kept: 1 << 20, long: 1 << 20, shortBytes: 1 << 30, bigBytes: 1 << 30}
	var all sync.WaitGroup
	const windows, each = 4, 40
	for w := range windows {
		p := bounded(file, always)
		for half := range 2 {
			all.Go(func() {
				for i := range each {
					if err := p.Add(sent(i, fmt.Sprintf("%d %d %d", w, half, i))); err != nil {
						t.Error(err)
					}
					if err := p.Load(); err != nil {
						t.Error(err)
					}
				}
			})
		}
	}
	all.Wait()
	equal(t, "found", len(found(mustLoad(t, file), "")), windows*2*each)
	if _, err := os.Stat(file + tempSuffix); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a file that took no place is left: %v", err)
	}
}

// TestAddedDuringACut: to store what is kept may take a disk seconds, so prompts are
// added meanwhile, and are in the file that takes the place of the old one. Another
// window does not cut it too.
func TestAddedDuringACut(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "prompts.jsonl")
	b := bounds{kept: 1, long: 1 << 10, shortBytes: 1 << 10}
	p := bounded(file, b)
	mustAdd(t, p, sent(1, "one"), sent(2, "two"))
	c, err := beginCut(file)
	if err != nil {
		t.Fatal(err)
	}
	if err := c.copy(b); err != nil {
		t.Fatal(err)
	}
	mustAdd(t, p, sent(3, "three"))
	if other, err := beginCut(file); other != nil || err != nil {
		t.Errorf("two cut it: %v, %v", other, err)
	}
	if err := errors.Join(c.replace(), c.close()); err != nil {
		t.Fatal(err)
	}
	equal(t, "found", found(mustLoad(t, file), ""), []string{"three", "two"})
	if _, err := os.Stat(file + tempSuffix); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the new file is left: %v", err)
	}
}

// TestCutLeavesTheFile: where the file cannot be written anew, all of it stays.
func TestCutLeavesTheFile(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "prompts.jsonl")
	p := bounded(file, bounds{kept: 1, shortBytes: 1 << 10, long: 1 << 10})
	mustAdd(t, p, sent(1, "one"), sent(2, "two"))
	if err := os.Mkdir(file+tempSuffix, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := p.Load(); err == nil || !strings.Contains(err.Error(), "prompt history") {
		t.Errorf("it was cut: %v", err)
	}
	equal(t, "found", found(p, ""), []string{"two", "one"})
}

// TestCutThatTakesNoPlace: what a cut that was given up has cut off is still in the file, and
// not in the one beside it too.
func TestCutThatTakesNoPlace(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "prompts.jsonl")
	const before = "cut off earlier\n"
	if err := errors.Join(os.WriteFile(file, []byte("a\nb\nc\n"), 0o600), os.WriteFile(file+oldSuffix, []byte(before), 0o600)); err != nil {
		t.Fatal(err)
	}
	c, err := beginCut(file)
	if err != nil {
		t.Fatal(err)
	}
	if err := c.copy(bounds{kept: 1, long: 10, shortBytes: 100}); err != nil {
		t.Fatal(err)
	}
	if old, err := os.ReadFile(file + oldSuffix); err != nil || string(old) != before+"a\nb\n" {
		t.Errorf("cut off is %q, %v", old, err)
	}
	if err := c.close(); err != nil {
		t.Fatal(err)
	}
	if old, err := os.ReadFile(file + oldSuffix); err != nil || string(old) != before {
		t.Errorf("left is %q, %v", old, err)
	}
}
