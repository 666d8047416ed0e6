package files

import (
	"fmt"
	"os"
)

// Create writes a new file. One that is there already is left as it is and is
// an error.
func Create(path, text string) error {
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return fmt.Errorf("make the file: %w", err)
	}
	if _, err = f.WriteString(text); err != nil {
		_ = f.Close()
		return fmt.Errorf("write the file: %w", err)
	}
	if err := f.Close(); err != nil {
		return fmt.Errorf("write the file: %w", err)
	}
	return nil
}
