package files

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
)

// Create writes a new file that only its owner reads. One that is there already is
// left as it is and is an error.
func Create(path, text string) error {
	return Make(path, func(w io.Writer) error {
		_, err := io.WriteString(w, text)
		return err
	})
}

// Make is Create with what writes the file. One that could not be written whole is
// removed.
func Make(path string, write func(io.Writer) error) error {
	if name := filepath.Base(path); !filepath.IsLocal(name) { // Windows takes "a:b" for a hidden part of a, CON for the console
		return fmt.Errorf("make the file: %q is no name for one", name)
	}
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return fmt.Errorf("make the file: %w", err)
	}
	if err = write(f); err != nil {
		_ = f.Close()
		_ = os.Remove(path)
		return fmt.Errorf("write the file: %w", err)
	}
	if err := f.Close(); err != nil {
		return fmt.Errorf("write the file: %w", err)
	}
	return nil
}
