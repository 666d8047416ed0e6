package sessions

import (
	"strings"
	"testing"
	"time"
)

// TestHostileNumbers holds what logs say of time and money to what can be stored
// and added up: one that says anything else does not keep the others from being
// found.
func TestHostileNumbers(t *testing.T) {
	t.Parallel()
	at := func(stamp, text string) string { return strings.Replace(text, "2026-11-20T10:00:00.000Z", stamp, 1) }
	used := func(in, out, cost string) string {
		return eventLine("session.usage_record", `{"usage":{"inputTokens":`+in+`,"outputTokens":`+out+`,"cost":`+cost+`}}`)
	}
	turn := eventLine("assistant.turn_start", `{"turnId":"0"}`)
	s := newShelf()
	s.put("good", asked("tide"), used("100", "10", "1.5"))
	s.put("much", asked("tide"), used("9223372036854775807", "9223372036854775807", "1e308"), used("9223372036854775807", "-9", "1e308"))
	s.put("sum", asked("tide"), eventLine("session.shutdown", `{"totalPremiumRequests":1e308,"modelMetrics":{"m":{"requests":{"cost":1e308},`+
		`"usage":{"inputTokens":9223372036854775807}},"n":{"requests":{"cost":1e308},"usage":{"inputTokens":9223372036854775807}}}}`))
	s.put("less", asked("tide"), used("-9223372036854775808", "-1", "-1e308"))
	s.put("late", at("9999-12-31T23:59:59-23:59", asked("tide")))
	s.put("early", at("0000-01-01T00:00:00+23:59", asked("tide")))
	s.put("long", strings.Repeat(at("0001-01-01T00:00:00Z", asked("tide"))+at("9999-01-01T00:00:00Z", turn), 400))
	s.put("mtime", asked("tide"))
	s.change("mtime", func(l *Log) { l.Modified = time.Date(20000, 1, 1, 0, 0, 0, 0, time.UTC) })
	dir := t.TempDir()
	l := openedIn(t, dir, s)
	mustRefresh(t, l)
	found := mustFind(t, l, "tide")
	if found.Total != 8 || len(found.Warnings) > 0 {
		t.Errorf("found %d, trouble %q", found.Total, found.Warnings)
	}
	const most = 1 << 41
	for _, h := range found.Sessions {
		n := h.Tokens
		for _, n := range []int{n.In, n.Out, n.CacheRead, n.CacheWrite, int(h.Cost), int(h.Busy) / 1e9 / 3600} {
			if n < 0 || n > most {
				t.Errorf("%s: %+v, %g, %v", h.ID, h.Tokens, h.Cost, h.Busy)
			}
		}
		if damaged := h.ReadProblem != ""; damaged != (h.ID == "mtime") {
			t.Errorf("%s is damaged: %v, %s", h.ID, damaged, h.ReadProblem)
		}
	}
	all, err := l.Stats(t.Context(), Request{Scope: Everywhere})
	if err != nil || all.All.Tokens.In < 100 || all.All.Cost < 1.5 || all.All.Busy < 0 {
		t.Errorf("%+v, %v", all.All, err)
	}
	s.put("mtime", answered("moon"))
	again := openedIn(t, dir, s)
	mustRefresh(t, again)
	if got := ids(t, again, "moon"); got != "mtime" {
		t.Errorf("found %q", got)
	}
}
