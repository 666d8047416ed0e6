package settingslist_test

import (
	"testing"

	"parley/settings"
)

// TestMeanings: each value to choose from is explained.
func TestMeanings(t *testing.T) {
	t.Parallel()
	for _, s := range settings.Table() {
		if n := len(s.Words) + len(s.Known); s.Meanings != nil && len(s.Meanings) != n || s.Kind == settings.Word && s.Meanings == nil {
			t.Errorf("%s: %d values, %d meanings", s.Name, n, len(s.Meanings))
		}
	}
}
