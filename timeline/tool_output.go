package timeline

import (
	"slices"
	"strings"

	"parley/session"
)

// chunk is where a piece of tool.shell_output begins in the output.
type chunk struct {
	stream   string
	sequence int
	at       int
}

// reorder is how far back a chunk that comes late is still put in its place.
// Events of one session are ordered, so it never should; the limit keeps a
// stream in the wrong order from costing more than a stream.
const reorder = 32

// shellOutput appends a chunk of a command's output. Once a call has one, its
// snapshots are ignored: they repeat the same text.
func (t *toolCalls) shellOutput(ev session.Event, b session.ToolShellOutput) ApplyResult {
	t.runtime = true
	return t.change(ev, b.ToolCallID, func(_ *Entry, c *ToolCall) {
		if len(c.chunks) == 0 && c.Output.Len() > 0 {
			c.Output.Set("")
			c.Replaced++
		}
		i := len(c.chunks)
		for i > max(0, len(c.chunks)-reorder) && c.chunks[i-1].stream == b.Stream && c.chunks[i-1].sequence > b.Sequence {
			i--
		}
		if i == len(c.chunks) {
			c.chunks = append(c.chunks, chunk{b.Stream, b.Sequence, c.Output.Len()})
			c.Output.Append(b.Text)
		} else {
			c.insertChunk(i, b)
		}
	})
}

// insertChunk puts a chunk that came late before chunk i.
func (c *ToolCall) insertChunk(i int, b session.ToolShellOutput) {
	at := c.chunks[i].at
	old := c.Output.String()
	c.Output.Set(old[:at] + b.Text + old[at:])
	c.Replaced++
	c.chunks = slices.Insert(c.chunks, i, chunk{b.Stream, b.Sequence, at})
	for k := i + 1; k < len(c.chunks); k++ {
		c.chunks[k].at += len(b.Text)
	}
}

// outputForm is what is known of the form of a call's partialOutput.
type outputForm uint8

const (
	unknownForm outputForm = iota
	snapshots
	increments
)

// partialResult takes tool.execution_partial_result, which comes in two forms.
// The runtime sends snapshots: the whole output while it is small, its tail
// when it is large, perhaps the same again or "". Its documentation describes
// increments. Nothing in the event says which, so the content does:
//
//   - Text that begins with all that came before, and is longer, is a snapshot. An
//     increment that happens to repeat the whole output so far and then adds to
//     it is not to be expected.
//   - Text that does not begin with it is an increment, unless the session has
//     shown that it is the runtime (it streams what only the runtime has): then
//     it is the tail of a large output, and replaces.
//   - The same text again decides nothing. It is counted, and given back when
//     the next text shows that these were increments: "." "." "!" is "..!".
//
// What is decided holds for the rest of the call.
func (t *toolCalls) partialResult(ev session.Event, b session.ToolExecutionPartialResult) ApplyResult {
	if b.PartialOutput == "" {
		return Ignored
	}
	e, c := t.call(ev, b.ToolCallID)
	if e == nil || e.State.Final() || len(c.chunks) > 0 {
		return Ignored
	}
	e.confirmed = true
	old := c.Output.String()
	grown := strings.HasPrefix(b.PartialOutput, old)
	if c.form == unknownForm {
		switch {
		case t.runtime:
			c.form = snapshots
		case old == "":
		case b.PartialOutput == old:
			c.repeats++
			return Ignored
		case grown:
			c.form = snapshots
		default:
			c.form = increments
			c.Output.Append(strings.Repeat(old, c.repeats))
		}
	}
	switch {
	case c.form == increments:
		c.Output.Append(b.PartialOutput)
	case grown:
		c.Output.Append(b.PartialOutput[len(old):])
	default:
		c.Output.Set(b.PartialOutput)
		c.Replaced++
	}
	t.touch(e)
	return Applied
}
