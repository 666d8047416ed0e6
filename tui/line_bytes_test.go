package tui

import (
	"fmt"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"pgregory.net/rapid"

	"parley/render/text/texttest"
	"parley/session"
)

// notAppended returns where what was written does anything else than to add to what is there,
// but for taking back letters of the line that is typed; -1: nowhere.
func notAppended(written string) int {
	typed := 0 // cells of the line so far
	for i, r := range written {
		switch {
		case r == '\n':
			typed = 0
		case r == '\b':
			if typed--; typed < 0 {
				return i
			}
		case r == '\a':
		case r < ' ' && r != '\t' || r >= 0x7f && r < 0xa0:
			return i
		default:
			typed += 2 // at most
		}
	}
	return -1
}

// conversed are entries of a conversation, with a text that is in no other, and hostile ones.
func conversed(t *rapid.T, number int) (mark string, events []session.Event) {
	mark = fmt.Sprintf("mark%dend", number)
	said := mark + "\n\n" + texttest.Untrusted(t)
	id := session.EventID(fmt.Sprint("e", number))
	call := session.CallID(fmt.Sprint("c", number))
	switch rapid.IntRange(0, 4).Draw(t, "entry") {
	case 0:
		return mark, []session.Event{{ID: id, Body: session.AssistantMessage{MessageID: session.MessageID(mark), Content: said}}}
	case 1:
		return mark, []session.Event{{ID: id, Body: session.UserMessage{Content: said, MessageID: session.MessageID(mark)}}}
	case 2:
		return mark, []session.Event{{ID: id, Body: session.SessionError{ErrorType: "query", Message: said}}}
	case 3:
		return mark, []session.Event{
			{ID: id, Body: session.ToolExecutionStart{ToolCallID: call, ToolName: "bash", Arguments: []byte(`{"command":"make"}`)}},
			{ID: id + "b", Body: session.ToolExecutionComplete{ToolCallID: call, Success: true, Result: &session.ToolResult{Content: said}}},
		}
	}
	return mark, []session.Event{
		{Ephemeral: true, Body: session.AssistantMessageDelta{MessageID: session.MessageID(mark), DeltaContent: "It is " + mark + ". And "}},
		{ID: id, Body: session.AssistantMessage{MessageID: session.MessageID(mark), Content: "It is " + mark + ". And so."}},
	}
}

// TestReaderOnlyAppends draws conversations with texts of any bytes, lines that are typed between,
// questions, and the session opened again: what is written is lines that nothing is changed in,
// and each entry is in them once.
func TestReaderOnlyAppends(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		h := newHeard(t)
		var marks []string
		var stored []session.Event
		if rapid.Bool().Draw(rt, "sentences") {
			h.m.win.Config.Settings.Reader.Answers = "sentences"
		}
		for i := range rapid.IntRange(1, 18).Draw(rt, "steps") {
			switch rapid.IntRange(0, 6).Draw(rt, "step") {
			case 0, 1, 2:
				mark, events := conversed(rt, i)
				marks = append(marks, mark)
				for _, ev := range events {
					h.say(ev)
					if !ev.Ephemeral {
						ev.Replayed = true
						stored = append(stored, ev)
					}
				}
			case 3:
				h.say(session.Event{Body: session.UserInputRequested{
					RequestID: session.RequestID(fmt.Sprint("q", i)), Question: "A question: " + texttest.Untrusted(rt), Choices: []string{texttest.Untrusted(rt), "b"},
				}})
			case 4:
				for _, b := range []byte(rapid.SampledFrom([]string{"y\r", "ab\x7f\x7f\x7f", "世\x7f\r", "\x1b[A\x1b[2J", "\x15", "x\r", ".\r", "\x03"}).Draw(rt, "typed")) {
					h.key(b)
				}
			case 5:
				d := time.Duration(rapid.IntRange(0, 5000).Draw(rt, "ms")) * time.Millisecond
				h.wait(d)
			case 6:
				h.update(tea.WindowSizeMsg{Width: rapid.IntRange(1, 200).Draw(rt, "width"), Height: 20})
			}
		}
		h.step("end", "")
		h.run(h.m.win.Front.Open())
		h.wait(time.Second)
		h.say(stored...)
		h.key('\r')
		h.wait(5 * time.Second)
		written := h.out.String()
		if i := notAppended(written); i >= 0 {
			rt.Fatalf("at %d: %q", i, written[max(0, i-40):min(len(written), i+40)])
		}
		for _, mark := range marks {
			if n := strings.Count(written, mark); n != 1 {
				rt.Fatalf("%s is written %d times:\n%s", mark, n, written)
			}
		}
	})
}
