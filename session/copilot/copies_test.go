package copilot_test

import (
	"fmt"
	"os"
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
		t.Errorf("%d bytes came piece by piece, of %d; whole at the end: %t", got.Len(), len(text), complete)
	}
}
