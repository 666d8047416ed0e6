package session_test

import (
	"testing"
	"time"

	"parley/session"
)

func timeOf(t *testing.T, text string) session.Event {
	t.Helper()
	return session.Decode([]byte(`{"type":"abort","id":"i","data":{"reason":"r"},"timestamp":"` + text + `"}`))
}

// TestTimestamps reads a time in each form of ISO 8601.
func TestTimestamps(t *testing.T) {
	t.Parallel()
	const want = "2026-05-01T09:00:30.25Z"
	for text, want := range map[string]string{
		"2026-05-01T09:00:30.25Z":          want,
		"2026-05-01T11:00:30.25+02:00":     want,
		"2026-05-01T11:00:30.25+0200":      want,
		"2026-05-01T11:00:30.25+02":        want,
		"2026-05-01T11:00:30,25 +02:00":    want,
		"2026-05-01T05:30:30.25-03:30":     want,
		"2026-05-01T05:30:30.25\u22120330": want,
		"2026-05-01t09:00:30.25z":          want,
		"2026-05-01 09:00:30.25Z":          want,
		"2026-05-01T09:00:30.25":           want,
		"20260501T090030.25Z":              want,
		"20260501T110030,25+0200":          want,
		"2026-121T09:00:30.25Z":            want,
		"2026121T090030.25Z":               want,
		"2026-W18-5T09:00:30.25Z":          want,
		"2026W185T090030.25Z":              want,
		"2026-05-01T09:00Z":                "2026-05-01T09:00:00Z",
		"2026-05-01T09:00":                 "2026-05-01T09:00:00Z",
		"2026-05-01T09:00.5Z":              "2026-05-01T09:00:30Z",
		"20260501T0900+0100":               "2026-05-01T08:00:00Z",
		"2026-05-01T09Z":                   "2026-05-01T09:00:00Z",
		"2026-05-01T09,5Z":                 "2026-05-01T09:30:00Z",
		"2026-05-01":                       "2026-05-01T00:00:00Z",
		"20260501":                         "2026-05-01T00:00:00Z",
		"2026-05":                          "2026-05-01T00:00:00Z",
		"2026-05-01T24:00:00Z":             "2026-05-02T00:00:00Z",
		"2026-06-30T23:59:60Z":             "2026-07-01T00:00:00Z",
		"2026-W01":                         "2025-12-29T00:00:00Z",
		"2020-W53-7":                       "2021-01-03T00:00:00Z",
		"2024-366":                         "2024-12-31T00:00:00Z",
		"2026-05-01T09:00:00.1234567891Z":  "2026-05-01T09:00:00.123456789Z",
	} {
		ev := timeOf(t, text)
		if got := ev.Time.Format(time.RFC3339Nano); got != want || len(ev.Unreadable) > 0 {
			t.Errorf("%s is read as %s, want %s; unreadable: %+v", text, got, want, ev.Unreadable)
		}
	}
}

// TestUnreadableTimes: a time that cannot be read costs the time and not the
// event.
func TestUnreadableTimes(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		"noon", "2026-13-01T00:00:00Z", "2026-02-30T00:00:00Z", "2026-05-01T25:00:00Z", "2026-05-01T24:00:01Z",
		"2026-05-01T09:60Z", "2026-366", "2026-000", "2026-W54-1", "2025-W53-1", "2026-W10-8",
		"0000-01-01T00:00:00+01:00", "1746090000000", "2026-05-01T", "2026-05-01T09:00:00ZZ",
	} {
		ev := timeOf(t, text)
		b, ok := ev.Body.(session.Abort)
		if !ok || b.Reason != "r" || ev.ID != "i" || !ev.Time.IsZero() || len(ev.Unreadable) != 1 || ev.Unreadable[0].Path != "/timestamp" {
			t.Errorf("%s: %#v", text, ev)
		}
	}
}
