package transcript_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"parley/render"
	"parley/session"
	"parley/theme"
	"parley/timeline"
	"parley/tui/transcript"
)

// TestWrittenMarks: each prompt begins with a mark, and what comes of it with another, whenever it is written.
func TestWrittenMarks(t *testing.T) {
	t.Parallel()
	p := transcript.New(timeline.New(), render.Options{Width: 40, Theme: theme.Plain()})
	w := transcript.Written{Marks: true}
	const prompt, output, end = "\x1b]133;A;redraw=0\a", "\x1b]133;C\a", "\x1b]133;D\a"
	for _, want := range []struct {
		body  session.Body
		marks []string
	}{
		{session.UserMessage{Content: "one", MessageID: "1"}, []string{prompt}},
		{session.AssistantMessage{Content: "answer", MessageID: "2"}, []string{output}},
		{session.AssistantMessage{Content: "more", MessageID: "3"}, nil},
		{session.UserMessage{Content: "two", MessageID: "4"}, []string{end + prompt}},
		{session.UserMessage{Content: "three", MessageID: "5"}, []string{output, end + prompt}},
	} {
		p.Timeline.Apply(session.Event{Body: want.body})
		var marks []string
		for _, l := range w.Finished(&p, "", false) {
			if i := strings.LastIndexByte(l, '\a'); i >= 0 {
				marks = append(marks, l[:i+1])
			}
		}
		if !slices.Equal(marks, want.marks) {
			t.Errorf("%v is marked %q instead of %q", want.body, marks, want.marks)
		}
	}
}

// TestWrittenOnce: whatever comes, what was written and what the pane shows below it are all lines, each once: nothing
// that still runs was written, and at the end all was.
func TestWrittenOnce(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		p := transcript.New(timeline.New(), render.Options{Width: 40, Theme: theme.Plain()})
		p.Height = 1000
		var w transcript.Written
		var written []string
		running := map[session.CallID]bool{}
		busy := false
		apply := func(b session.Body) { p.Timeline.Apply(session.Event{Body: b}) }
		for i := range rapid.IntRange(1, 40).Draw(t, "steps") {
			call := session.CallID(fmt.Sprint("c", rapid.IntRange(0, 4).Draw(t, "call")))
			switch rapid.IntRange(0, 4).Draw(t, "what") {
			case 0:
				apply(session.UserMessage{Content: fmt.Sprint("prompt ", i), MessageID: session.MessageID(fmt.Sprint("m", i))})
			case 1:
				apply(session.AssistantTurnStart{TurnID: "0"})
				busy = true
			case 2:
				apply(session.AssistantMessage{MessageID: session.MessageID(fmt.Sprint("a", i)), Content: fmt.Sprint("answer ", i)})
			case 3:
				if !running[call] {
					call += session.CallID(fmt.Sprint("-", i))
					apply(session.ToolExecutionStart{ToolCallID: call, ToolName: "bash"})
					running[call] = true
				}
			case 4:
				for id := range running {
					apply(session.ToolExecutionComplete{ToolCallID: id, Success: true, Result: &session.ToolResult{Content: "done"}})
					delete(running, id)
					break
				}
			}
			written = append(written, w.Finished(&p, "", busy)...)
			w.Hide(&p)
			shown := p.View()
			p.Floor = transcript.Spot{}
			all := p.View()
			between := len(all) - len(shown)
			if between < len(written) || !slices.Equal(all[:len(written)], written) || !slices.Equal(all[between:], shown) {
				t.Fatalf("of %q was written %q, and %q is shown", all, written, shown)
			}
			for _, l := range all[len(written):between] {
				if l != "" {
					t.Fatalf("%q is neither written nor shown", l)
				}
			}
		}
		if all := p.View(); !slices.Equal(append(written, w.Rest(&p)...), all) {
			t.Fatalf("at the end %q was written of %q", written, all)
		}
	})
}

// TestWrittenAfterRemoval: what comes when an entry that was written is removed is written, too.
func TestWrittenAfterRemoval(t *testing.T) {
	t.Parallel()
	p := transcript.New(timeline.New(), render.Options{Width: 60, Theme: theme.Plain()})
	var w transcript.Written
	apply := func(id session.EventID, b session.Body) { p.Timeline.Apply(session.Event{ID: id, Body: b}) }
	apply("1", session.UserMessage{Content: "one", MessageID: "1"})
	apply("2", session.SessionModelChange{PreviousModel: "small", NewModel: "large"})
	if got := strings.Join(w.Finished(&p, "s", false), "\n"); !strings.Contains(got, "from small to large") {
		t.Fatalf("%q is written", got)
	}
	apply("3", session.SessionModelChange{PreviousModel: "large", NewModel: "small"}) // which takes the one before back
	apply("4", session.UserMessage{Content: "two", MessageID: "4"})
	if got := strings.Join(w.Finished(&p, "s", false), "\n"); !strings.Contains(got, "two") || strings.Contains(got, "one") {
		t.Errorf("%q is written", got)
	}
}

// TestWrittenResumed: of a session that is resumed only what is new is written, and all of another one.
func TestWrittenResumed(t *testing.T) {
	t.Parallel()
	var w transcript.Written
	for _, show := range []struct {
		session session.ID
		prompts []string
		want    string
	}{
		{"", nil, ""},
		{"a", []string{"one", "two"}, "one two"},
		{"a", []string{"one", "two", "three"}, "three"},
		{"b", []string{"one", "two"}, "one two"},
		{"", []string{"one"}, "one"},
	} {
		p := transcript.New(timeline.New(), render.Options{Width: 40, Theme: theme.Plain()})
		var got []string
		for _, prompt := range show.prompts {
			body := session.UserMessage{Content: prompt, MessageID: session.MessageID(prompt)}
			p.Timeline.Apply(session.Event{ID: session.EventID(prompt), Body: body})
			for _, l := range w.Finished(&p, show.session, false) {
				got = append(got, strings.Fields(strings.TrimPrefix(l, "▌"))...)
			}
		}
		if got := strings.Join(got, " "); got != show.want {
			t.Errorf("of %v, session %q, %q is written instead of %q", show.prompts, show.session, got, show.want)
		}
	}
}
