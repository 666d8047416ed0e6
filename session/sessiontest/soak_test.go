package sessiontest

import "testing"

func TestSoak(t *testing.T) {
	for form, want := range map[string]int{"": 20, "short": 30, "long": 100} {
		t.Setenv("PARLEY_SOAK", form)
		if got := Soak(t, 20, 100); got != want {
			t.Errorf("%q: %d, want %d", form, got, want)
		}
	}
}
