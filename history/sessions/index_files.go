package sessions

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"parley/history/lock"

	"github.com/rogpeppe/go-internal/robustio"
)

// indexFiles are the names of an index. A damaged index is not made anew under its old
// name, since another process that has it open would remove the new one's journal
// when it closes: it is followed by one of the next generation.
type indexFiles struct{ base string }

func (f indexFiles) lock() string { return f.base + ".lock" }

func (f indexFiles) generation(n int) string { return f.base + "." + strconv.Itoa(n) + ".db" }

// generations are those that exist, the earliest first.
func (f indexFiles) generations() []int { return f.numbers(".db") }

// numbers are those of the generations of which there is a file that ends so.
func (f indexFiles) numbers(end string) []int {
	names, _ := filepath.Glob(escapeGlob(f.base) + ".*" + end) // the pattern is well formed
	var all []int
	for _, name := range names {
		middle, _, _ := strings.Cut(strings.TrimPrefix(name, f.base+"."), ".")
		if n, err := strconv.Atoi(middle); err == nil && n >= 0 && strings.HasPrefix(name, f.generation(n)) {
			all = append(all, n)
		}
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// make makes the file of a generation, with its tables, under another name first:
// readers take no lock, and one that finds an empty file and its writer would both
// make a journal for it, which ends with an error for one of them. The lock is held.
func (f indexFiles) make(ctx context.Context, n int) error {
	f.remove(n)
	unfinished := f.generation(n) + unfinishedEnd
	file, err := os.OpenFile(unfinished, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600) // SQLite gives its other files the same rights
	if err != nil {
		return fmt.Errorf("make the index: %w", err)
	}
	_ = file.Close() // nothing was written
	db, err := openDatabase(ctx, unfinished)
	if err != nil {
		return err
	}
	if err := db.close(); err != nil { // which ends the journal
		return fmt.Errorf("make the index: %w", err)
	}
	if err := robustio.Rename(unfinished, f.generation(n)); err != nil {
		return fmt.Errorf("make the index: %w", err)
	}
	return nil
}

// unfinishedEnd follows the name of a generation that is being made.
const unfinishedEnd = ".new"

// remove removes a generation; a process that has it open keeps it until then.
func (f indexFiles) remove(n int) {
	for _, suffix := range []string{"", "-wal", "-shm", unfinishedEnd, unfinishedEnd + "-wal", unfinishedEnd + "-shm"} {
		_ = os.Remove(f.generation(n) + suffix) // what cannot be removed costs room, no more
	}
}

// tidy removes what is not needed any more: what there is of all generations but the
// one that is used, which is the last, and the files of older versions, those that were not written for a month or
// all. A program of such a version that has them open after all makes them anew. The lock
// is held.
func (f indexFiles) tidy(used int, all bool) {
	for _, n := range f.numbers(".db*") { // of one that was deleted while it was open, other files may be left
		if n != used {
			f.remove(n)
		}
	}
	root := strings.TrimSuffix(f.base, strconv.Itoa(version))
	for v := 1; v < version; v++ {
		if old := (indexFiles{root + strconv.Itoa(v)}); all || old.unusedForAMonth() {
			old.removeAll()
		}
	}
}

// unusedForAMonth reports whether there are files, of which none was written for a month.
func (f indexFiles) unusedForAMonth() bool {
	const month = 30 * 24 * time.Hour
	all, _ := filepath.Glob(escapeGlob(f.base) + ".*") // the pattern is well formed
	return len(all) > 0 && !slices.ContainsFunc(all, func(name string) bool {
		info, err := os.Lstat(name)
		return err != nil || time.Since(info.ModTime()) < month
	})
}

// removeAll removes an index, unless somebody is writing to it.
func (f indexFiles) removeAll() {
	held, err := lock.Try(f.lock())
	if held == nil || err != nil {
		return
	}
	for _, n := range f.generations() {
		f.remove(n)
	}
	_ = held.Remove() // as in remove
}

func escapeGlob(path string) string {
	return strings.NewReplacer(`\`, `\\`, `*`, `\*`, `?`, `\?`, `[`, `\[`).Replace(path)
}
