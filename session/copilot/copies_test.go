package copilot_test

import (
	"fmt"
	"os"
	"strconv"
	"strings"
	"testing"

	"parley/session"
	"parley/session/sessiontest/llm"
)

// counted is a text of so many bytes in which every word is another one.
func counted(size int) string {
	var b strings.Builder
	for i := 0; b.Len() < size; i++ {
		fmt.Fprintf(&b, "w%d ", i)
	}
	return b.String()
}

// bytesRead is how much this process has read so far; 0 where the kernel does not
// account for it.
func bytesRead(t *testing.T) int64 {
	t.Helper()
	account, err := os.ReadFile("/proc/self/io")
	if err != nil {
		return 0
	}
	_, after, _ := strings.Cut(string(account), "rchar: ")
	line, _, _ := strings.Cut(after, "\n")
	n, err := strconv.ParseInt(line, 10, 64)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// TestUnpacedAnswer: of an answer that comes faster than the runtime passes it on,
// every word comes once and in order, whatever the runtime sends again.
func TestUnpacedAnswer(t *testing.T) {
	size := 60_000
	if os.Getenv("PARLEY_SOAK") != "" {
		size = 1_000_000
	}
	text := counted(size)
	b := on(t, llm.Script{"big": {{Text: text}}})
	s, r := b.open()
	r.While(func() int64 { return bytesRead(t) }) // copies are no events of the session
	b.send(s, "@@big")
	next[session.SessionIdle](r)
	var got strings.Builder
	complete := false
	for _, ev := range r.Seen() {
		switch d := ev.Body.(type) {
		case session.AssistantMessageDelta:
			got.WriteString(d.DeltaContent)
		case session.AssistantMessage:
			complete = d.Content == text
		}
	}
	if got.String() != text || !complete {
		same := 0
		for same < min(got.Len(), len(text)) && got.String()[same] == text[same] {
			same++
		}
		t.Errorf("%d bytes came piece by piece, of %d; after %d comes %.60q and not %.60q; whole at the end: %t",
			got.Len(), len(text), same, got.String()[same:], text[same:], complete)
	}
}
