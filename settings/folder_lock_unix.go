//go:build unix

package settings

import (
	"os"

	"github.com/gofrs/flock"
)

// folderLock is the lock of who writes in a folder: on the folder itself.
func folderLock(dir string) *flock.Flock { return flock.New(dir, flock.SetFlag(os.O_RDONLY)) }
