package e2e

import (
	"bytes"
	"errors"
	"maps"
	"slices"
	"strconv"
	"strings"
	"testing"

	"parley/cli/process"
	"parley/session"
	"parley/session/sessiontest"
)

// hostileLog is a stored log in which every text is hostile.
func hostileLog(t *testing.T, h *sessiontest.Hostile) string {
	t.Helper()
	var log bytes.Buffer
	samples := sessiontest.Events(t)
	for i, kind := range slices.Sorted(maps.Keys(samples)) {
		ev := session.Decode(samples[kind])
		ev.ID, ev.Ephemeral, ev.Body = session.EventID(strconv.Itoa(i)), false, h.Spoil(ev.Body)
		line, err := session.Encode(ev)
		if err != nil {
			continue // free JSON that is none
		}
		log.Write(line)
		log.WriteByte('\n')
	}
	log.WriteString(strings.ReplaceAll(h.Text(), "\n", "") + "\n")
	return log.String()
}

// What `parley print` writes of a log from anywhere is text and colours, and
// its complaints are lines of text.
func TestPrintHostileLogs(t *testing.T) {
	t.Parallel()
	for seed := range uint64(12) {
		t.Run(strconv.FormatUint(seed, 10), func(t *testing.T) {
			t.Parallel()
			h := sessiontest.NewHostile(seed)
			log := hostileLog(t, h)
			width := 4 + h.IntN(150)
			got := lineIn(t, nil, log, "print", "-", "--width", strconv.Itoa(width), "--color", []string{"always", "never"}[seed%2])
			if got.Code != process.ExitOK || strings.Count(got.Out, "\n") < 20 {
				t.Fatalf("code %d, %d lines: %s", got.Code, strings.Count(got.Out, "\n"), got.Err)
			}
			for name, text := range map[string]string{"output": got.Out, "complaints": got.Err} {
				if found := sessiontest.NewGuard(width, 50).Draw(text); found != "" {
					t.Errorf("%s at width %d: %s", name, width, found)
				}
			}
		})
	}
}

// Whatever an error, a file's name or a flag holds, a complaint is one line of
// text.
func TestHostileComplaints(t *testing.T) {
	t.Parallel()
	h := sessiontest.NewHostile(7)
	guard := sessiontest.NewGuard(100, 30)
	check := func(what, said string) {
		t.Helper()
		if found := guard.Draw(said); found != "" || strings.Count(said, "\n") != 1 {
			t.Errorf("%s: %q: %s", what, said, found)
		}
	}
	for range 2000 {
		var out bytes.Buffer
		text := h.Text()
		process.Complain(&out, errors.New(text))
		check(text, out.String())
	}
	for range 60 {
		text := strings.ReplaceAll(h.Text(), "\x00", "")
		for _, args := range [][]string{{"print", "./" + text}, {"--agent=" + text}, {"--mode=" + text}, {"--cwd", text}, {"--x" + text}, {text, "x"}, {"print", "--color=" + text, "-"}, {"print", "--width=" + text, "-"}} {
			got := lineIn(t, nil, "", args...)
			if got.Code == process.ExitOK || got.Out != "" {
				t.Errorf("%q: code %d, out %q", args, got.Code, got.Out)
			}
			check(strings.Join(args, " "), got.Err)
		}
	}
}
