package copilot_test

import (
	"fmt"
	"os"
	"strconv"
	"strings"
	"testing"

	"parley/session"
	"parley/session/copilot"
	"parley/session/sessiontest"
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
// every word comes once, whatever the runtime sends again, and in order, but where
// no event distinguishes it from another.
func TestUnpacedAnswer(t *testing.T) {
	size := sessiontest.Soak(t, 60_000, 1_000_000)
	text := counted(size)
	b := on(t, llm.Script{"big": {{Text: text}}})
	s, r := b.open()
	r.While(func() int64 { return bytesRead(t) }) // copies are no events of the session
	b.send(s, "@@big")
	next[session.SessionIdle](r)
	var got []session.Event
	words, complete := map[string]session.Event{}, false
	for _, ev := range r.Seen() {
		switch d := ev.Body.(type) {
		case session.AssistantMessageDelta:
			if _, twice := words[d.DeltaContent]; twice {
				t.Errorf("%q comes twice", d.DeltaContent)
			}
			got, words[d.DeltaContent] = append(got, ev), ev
		case session.AssistantMessage:
			complete = d.Content == text
		}
	}
	if !complete {
		t.Error("it is not whole at the end")
	}
	var want []session.Event
	for word := range strings.SplitAfterSeq(text, " ") {
		if ev, ok := words[word]; ok {
			want = append(want, ev)
		} else if word != "" {
			t.Errorf("%q does not come", word)
		}
	}
	if wrong := copilot.Misplaced(got, want); wrong != "" {
		t.Error(wrong)
	}
}
