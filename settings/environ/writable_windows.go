package environ

import "os"

// Writable returns why files cannot be made in a folder; nil if they can. One is made: what
// Windows says of the rights to a folder does not tell.
func Writable(folder string) error {
	f, err := os.CreateTemp(folder, ".parley-")
	if err != nil {
		return err
	}
	_ = f.Close()
	return os.Remove(f.Name())
}
