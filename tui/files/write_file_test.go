package files

import (
	"os"
	"path/filepath"
	"testing"
)

// TestCreateNames: a name under which Windows makes no file of that name is an error there.
func TestCreateNames(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"a.md", "a:b.md", "CON.md"} {
		dir := t.TempDir()
		err := Create(filepath.Join(dir, name), "text")
		made, _ := os.ReadDir(dir)
		taken := filepath.Separator == '/' || name == "a.md"
		if (err == nil) != taken || (len(made) == 1 && made[0].Name() == name) != taken {
			t.Errorf("%s: %v, made %v", name, err, made)
		}
	}
}
