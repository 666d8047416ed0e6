package sessions

import (
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/gofrs/flock"
)

// The Copilot CLI has two files for a session that it writes, with the number of its
// process in their names: one with the number in it, and since version 1.0.102 one
// that is locked for as long as the process runs. Both are removed at a clean end.
const (
	inUsePrefix = "inuse."
	inUseSuffix = ".lock"
	inUseHold   = ".hold"
)

// settleTime is how old a file is before it is locked to look whether that is
// possible: whoever has just made it is about to lock it.
const settleTime = 10 * time.Second

// isInUse reports whether a file in the folder of a session says that the Copilot CLI
// has it open. The state of the lock counts; without one, as of an older
// version, whether a process runs that has the number of the one that wrote the file.
func isInUse(dir string, e fs.DirEntry) bool {
	name, begins := strings.CutPrefix(e.Name(), inUsePrefix)
	number, ends := strings.CutSuffix(name, inUseSuffix)
	if !begins || !ends {
		return false
	}
	pid, err := strconv.Atoi(number)
	if err != nil || pid <= 0 {
		return false
	}
	if locked, known := isLocked(filepath.Join(dir, inUsePrefix+number+inUseHold)); known {
		return locked
	}
	return processAlive(pid)
}

// isLocked reports whether a process has a file locked. It is not known if the
// file does not exist or is new.
func isLocked(path string) (locked, known bool) {
	info, err := os.Lstat(path)
	if err != nil || !info.Mode().IsRegular() || time.Since(info.ModTime()) < settleTime {
		return false, false
	}
	file := flock.New(path, flock.SetFlag(os.O_RDONLY)) // who is there is not to be made
	free, err := file.TryRLock()
	_ = file.Close()
	return !free, err == nil
}
