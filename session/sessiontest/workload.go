package sessiontest

import (
	_ "embed"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"

	"parley/session"
)

//go:embed answer.md
var answerStep string

// Answer is markdown of size bytes as assistants write it: prose, lists, code,
// tables and quotations, over and over.
func Answer(size int) string {
	var b strings.Builder
	for i := 1; b.Len() < size; i++ {
		fmt.Fprintf(&b, answerStep, i)
	}
	return b.String()[:size]
}

// Workload writes events as an agent would send them, each a pause after the
// one before. The zero Workload makes no pauses.
type Workload struct {
	Events []session.Event
	at     time.Time
	made   int
}

func (w *Workload) add(after time.Duration, ephemeral bool, body session.Body) {
	if w.at.IsZero() {
		w.at = time.Date(2026, 11, 21, 10, 41, 0, 0, time.UTC)
	}
	w.at = w.at.Add(after)
	w.made++
	w.Events = append(w.Events, session.Event{
		ID: session.EventID("w" + strconv.Itoa(w.made)), Time: w.at, Ephemeral: ephemeral, Body: body,
	})
}

// Entries adds at least n finished entries to the timeline, with texts of
// about size bytes: prompts, answers and calls of tools.
func (w *Workload) Entries(n, size int) {
	for i := 0; i < n; i += 3 {
		id := "e" + strconv.Itoa(w.made)
		text := Answer(size)
		w.add(0, false, session.UserMessage{Content: "Question " + id + ": what about it?"})
		w.add(0, false, session.AssistantTurnStart{TurnID: id})
		w.add(0, false, session.AssistantMessage{MessageID: session.MessageID(id), Content: text})
		w.add(0, false, session.ToolExecutionStart{
			ToolCallID: session.CallID(id), ToolName: "bash", Arguments: jsontext.Value(`{"command":"go test ./..."}`),
		})
		w.add(0, false, session.ToolExecutionComplete{
			ToolCallID: session.CallID(id), Success: true,
			Result: &session.ToolResult{Content: strings.Repeat("ok  parley/render 0.1s\n", 1+size/23)},
		})
		w.add(0, false, session.AssistantTurnEnd{TurnID: id})
	}
	w.add(0, true, session.SessionIdle{})
}

// Say adds a line of information.
func (w *Workload) Say(text string) {
	w.add(0, false, session.SessionInfo{InfoType: "workload", Message: text})
}

// Pause lets time pass before the next event.
func (w *Workload) Pause(d time.Duration) { w.at = w.at.Add(d) }

// Stream adds a turn that answers with text in deltas of so many bytes, a
// pause between each.
func (w *Workload) Stream(text string, bytes int, pause time.Duration) {
	id := "s" + strconv.Itoa(w.made)
	w.Ask("Explain the loop.", id)
	for rest := text; rest != ""; {
		n := min(bytes, len(rest))
		for n < len(rest) && !utf8.RuneStart(rest[n]) {
			n++
		}
		w.Delta(id, rest[:n], pause)
		rest = rest[n:]
	}
	w.add(pause, false, session.AssistantMessage{MessageID: session.MessageID(id), Content: text})
	w.add(0, false, session.AssistantTurnEnd{TurnID: id})
	w.add(0, true, session.SessionIdle{})
}

// Ask adds a prompt and the start of the turn that answers it.
func (w *Workload) Ask(prompt, turn string) {
	w.add(0, false, session.UserMessage{Content: prompt})
	w.add(0, false, session.AssistantTurnStart{TurnID: turn})
}

// Delta adds one piece of the answer with this id.
func (w *Workload) Delta(id, text string, pause time.Duration) {
	w.add(pause, true, session.AssistantMessageDelta{MessageID: session.MessageID(id), DeltaContent: text})
}

// Output adds a call of a shell that writes the numbered lines up to n, in
// chunks of so many bytes, and ends.
func (w *Workload) Output(n, bytes int) {
	const id = "seq"
	w.Ask("Count.", id)
	w.add(0, false, session.ToolExecutionStart{
		ToolCallID: id, ToolName: "bash", Arguments: jsontext.Value(`{"command":"seq 100000"}`), TurnID: id,
	})
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "%d\n", i+1)
	}
	sequence := 0
	for rest := b.String(); rest != ""; sequence++ {
		n := min(bytes, len(rest))
		w.add(0, true, session.ToolShellOutput{ToolCallID: id, Stream: "stdout", Text: rest[:n], Sequence: sequence})
		rest = rest[n:]
	}
	w.add(0, false, session.ToolExecutionComplete{
		ToolCallID: id, Success: true, Result: &session.ToolResult{Content: fmt.Sprintf("1\n2\n[cut]\n%d\n", n)},
	})
	w.add(0, false, session.AssistantTurnEnd{TurnID: id})
	w.add(0, true, session.SessionIdle{})
}

// WriteTo writes the log, as session.ReadLog takes it.
func (w *Workload) WriteTo(out io.Writer) (n int64, err error) {
	for _, ev := range w.Events {
		line, err := session.Encode(ev)
		if err != nil {
			return n, fmt.Errorf("write event %s: %w", ev.ID, err)
		}
		k, err := out.Write(append(line, '\n'))
		if n += int64(k); err != nil {
			return n, fmt.Errorf("write event %s: %w", ev.ID, err)
		}
	}
	return n, nil
}
