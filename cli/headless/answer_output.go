package headless

import (
	"bytes"
	"fmt"
	"io"
	"strings"
	"unicode"

	"parley/render/text"
	"parley/session"
)

// answer writes the text of the root agent's messages while it comes, and
// nothing of it twice.
//
// Text on the output cannot be taken back, but a message may be: its stream
// breaks off, the model is called again and begins anew under another id. Then
// the new attempt is held back as long as it repeats what is written already,
// and continues from there. If it says something else, it continues with the
// first line that differs, and a line reports that it was withdrawn. Into a terminal text is
// written word by word, elsewhere line by line, so that what can be read from a
// pipe is rarely withdrawn.
type answer struct {
	w         io.Writer
	live      bool // w is a terminal
	withdrawn func()

	id    session.MessageID // of the message that is coming
	text  []byte            // of its running attempt
	ready int               // as much of text may be written
	held  bool              // the last line holds a control character, so it is written whole
	done  int               // as much of text is on the output
	void  []byte            // what an attempt before has put there, not yet repeated by this one
	same  int               // as much of void was repeated
	parts string            // of a complete message that comes in parts

	tail string // the last bytes on the output, two at most

	start session.AssistantMessageStart // of the message that was announced last
}

// stream takes a piece of a message.
func (a *answer) stream(d session.AssistantMessageDelta) error {
	if d.MessageID != a.id {
		a.abandon()
		a.id = d.MessageID
	}
	begin := len(a.text)
	a.text = append(a.text, d.DeltaContent...)
	for i, r := range d.DeltaContent {
		switch {
		case r == '\n':
			a.ready, a.held = begin+i+1, false
		case r == ' ' && a.live && !a.held:
			a.ready = begin + i + 1
		case unicode.IsControl(r) && r != '\t':
			a.held = true
		}
	}
	return a.write(false)
}

// abandon voids what has come of an unfinished message.
func (a *answer) abandon() {
	if len(a.void) == 0 {
		a.void = a.text[:a.done:a.done]
	}
	a.text, a.ready, a.done, a.same, a.held = nil, 0, 0, 0, false
}

// complete takes a whole message, which is the truth about what was streamed.
func (a *answer) complete(m session.AssistantMessage) error {
	a.parts += m.Content
	if m.ChunkIndex+1 < m.ChunkCount {
		return nil
	}
	a.abandon()
	a.text, a.parts = []byte(a.parts), ""
	err := a.write(true)
	a.id, a.void = "", nil
	a.text, a.done = nil, 0
	return err
}

// interrupt writes what has come of a message that will not be completed.
func (a *answer) interrupt() error {
	err := a.write(true)
	a.abandon()
	a.id, a.void = "", nil
	return err
}

// write puts on the output what is ready of the text and not there yet; with
// all, the rest of it and a line end.
func (a *answer) write(all bool) error {
	if all {
		a.ready = len(a.text)
	}
	if len(a.void) > 0 {
		if again, err := a.caughtUp(all); !again || err != nil {
			return err
		}
	}
	piece := a.text[a.done:a.ready]
	if a.done == 0 && a.tail != "" && len(piece) > 0 {
		if err := a.put(strings.Repeat("\n", 2-strings.Count(a.tail, "\n"))); err != nil {
			return err
		}
	}
	a.done = a.ready
	if err := a.put(text.Sanitize(string(piece))); err != nil {
		return err
	}
	if all {
		return a.endLine()
	}
	return nil
}

// caughtUp compares an attempt with what an earlier one has put on the output,
// and reports whether anything may be written again.
func (a *answer) caughtUp(all bool) (bool, error) {
	for a.same < min(a.ready, len(a.void)) && a.text[a.same] == a.void[a.same] {
		a.same++
	}
	switch {
	case a.same == len(a.void): // all of it: continue where it broke off
		a.done = a.same
	case a.same == a.ready && !all:
		return false, nil
	default: // it differs, or ends before
		a.done = bytes.LastIndexByte(a.text[:a.same], '\n') + 1
		if a.same == a.ready && a.void[a.same] == '\n' {
			a.done = a.same // it ends where a line did
		}
		if err := a.endLine(); err != nil {
			return false, err
		}
		a.withdrawn()
	}
	a.void = nil
	return true, nil
}

// endLine ends a line that is open.
func (a *answer) endLine() error {
	if a.open() {
		return a.put("\n")
	}
	return nil
}

// open reports whether the last line on the output has not ended.
func (a *answer) open() bool { return a.tail != "" && !strings.HasSuffix(a.tail, "\n") }

func (a *answer) put(text string) error {
	if text == "" {
		return nil
	}
	if _, err := io.WriteString(a.w, text); err != nil {
		return fmt.Errorf("write the answer: %w", err)
	}
	a.tail += text
	a.tail = a.tail[max(0, len(a.tail)-2):]
	return nil
}

// take takes an event. Only what the root agent says is the answer, without what
// is thinking by its phase.
func (a *answer) take(ev session.Event) error {
	if ev.Agent != "" {
		return nil
	}
	switch b := ev.Body.(type) {
	case session.AssistantMessageDelta:
		if b.ParentToolCallID == "" && (b.MessageID != a.start.MessageID || a.start.Phase != session.PhaseThinking) {
			return a.stream(b)
		}
	case session.AssistantMessage:
		switch {
		case b.ParentToolCallID != "":
		case b.Phase != session.PhaseThinking:
			return a.complete(b)
		case b.MessageID == a.id: // it was streamed like an answer
			a.abandon()
		}
	case session.AssistantMessageStart:
		if a.start = b; b.Phase == session.PhaseThinking {
			return nil
		}
		if b.MessageID != a.id {
			a.abandon()
			a.id = b.MessageID
		}
	case session.AssistantTurnRetry, session.AssistantTurnStart:
		a.abandon()
	case session.AssistantIdle, session.SessionIdle:
		a.abandon()
		a.void = nil
		return a.endLine()
	}
	return nil
}

// jsonLines returns what writes events as JSON lines. In a terminal some
// control characters that JSON does not escape would have effect, so they are
// escaped: the value of the line is the same.
func jsonLines(w io.Writer) func(session.Event) error {
	return func(ev session.Event) error {
		line, err := session.Encode(ev)
		if err != nil {
			return err
		}
		var b strings.Builder
		for _, r := range string(line) {
			if r >= 0x7f && r < 0xa0 {
				fmt.Fprintf(&b, `\u%04x`, r)
			} else {
				b.WriteRune(r)
			}
		}
		b.WriteByte('\n')
		if _, err := io.WriteString(w, b.String()); err != nil {
			return fmt.Errorf("write an event: %w", err)
		}
		return nil
	}
}
