package text

import "testing"

func TestNumbers(t *testing.T) {
	t.Parallel()
	for got, want := range map[string]string{
		Number(0): "0", Number(-999): "-999", Number(1000): "1 000", Number(-1_234_567): "-1 234 567",
		Tokens(0): "0", Tokens(950): "950", Tokens(1000): "1 k", Tokens(1540): "1.5 k", Tokens(9_949): "9.9 k", Tokens(9_950): "10 k",
		Tokens(14_000): "14 k", Tokens(999_499): "999 k", Tokens(999_500): "1 M", Tokens(1_240_000): "1.2 M", Tokens(45_600_000): "46 M",
		Tokens(2_000_000_000): "2 000 M", CountAmount(1, "request"): "1 request", CountAmount(0.333, "request"): "0.33 requests",
		CountAmount(20, "request"): "20 requests", Count(1200, "line"): "1 200 lines",
	} {
		if got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

func TestCountAndSize(t *testing.T) {
	t.Parallel()
	for got, want := range map[string]string{
		Count(1, "match"): "1 match", Count(3, "match"): "3 matches", Count(0, "line"): "0 lines",
		Size(1): "1 byte", Size(999): "999 bytes", Size(1600): "2 kB", Size(12_345_678): "12.3 MB",
	} {
		if got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
