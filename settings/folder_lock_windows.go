package settings

import (
	"path/filepath"

	"github.com/gofrs/flock"
)

// folderLock is the lock of who writes in a folder: on a file there, since Windows locks no
// folder.
func folderLock(dir string) *flock.Flock { return flock.New(filepath.Join(dir, ".lock")) }
