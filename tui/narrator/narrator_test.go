package narrator_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"parley/session"
	"parley/timeline"
	"parley/tui/narrator"
)

func said(content string) session.Event {
	body := session.AssistantMessage{MessageID: session.MessageID(content), Content: content}
	return session.Event{ID: session.EventID(content), Body: body}
}

// TestEntriesOnce says what has ended, once, and what the user typed not at all.
func TestEntriesOnce(t *testing.T) {
	t.Parallel()
	tl, entries := timeline.New(), narrator.Entries{}
	next := func(events ...session.Event) string {
		for _, ev := range events {
			tl.Apply(ev)
		}
		return strings.Join(entries.Next(tl, "s", "go", false, narrator.Places{}), "\n")
	}
	for _, step := range []struct {
		want   string
		events []session.Event
	}{
		{"", []session.Event{{ID: "u", Body: session.UserMessage{Content: "go"}}}},
		{"", []session.Event{{Ephemeral: true, Body: session.AssistantMessageDelta{MessageID: "one", DeltaContent: "on"}}}},
		{"Answer: one", []session.Event{said("one")}},
		{"", nil},
		{"Answer: two\nAnswer: three", []session.Event{said("two"), said("three")}},
		{"You: further", []session.Event{{ID: "v", Body: session.UserMessage{Content: "further"}}}},
	} {
		if got := next(step.events...); got != step.want {
			t.Errorf("said %q, want %q", got, step.want)
		}
	}
}

// TestSentencesOnce says an answer as it comes, and what is not complete of it only once it is.
func TestSentencesOnce(t *testing.T) {
	t.Parallel()
	tl, entries := timeline.New(), narrator.Entries{}
	sentences := true
	for _, step := range []struct {
		want string
		body session.Body
	}{
		{"", session.AssistantMessageDelta{MessageID: "m", DeltaContent: "One."}},
		{"Answer: One. Two.", session.AssistantMessageDelta{MessageID: "m", DeltaContent: " Two. T"}},
		{"Three.", session.AssistantMessageDelta{MessageID: "m", DeltaContent: "hree. Fo"}},
		{"Four", session.AssistantMessage{MessageID: "m", Content: "One. Two. Three. Four"}},
		{"", session.AssistantMessageDelta{MessageID: "n", DeltaContent: "Five. S"}},
	} {
		tl.Apply(session.Event{ID: session.EventID(fmt.Sprint(step.body)), Body: step.body})
		if got := strings.Join(entries.Next(tl, "s", "", sentences, narrator.Places{}), "\n"); got != step.want {
			t.Errorf("said %q, want %q", got, step.want)
		}
		sentences = step.want != "Three." && sentences // a change of the setting says nothing twice
	}
}

// TestEntriesOfAResumedSession says the last turn of many.
func TestEntriesOfAResumedSession(t *testing.T) {
	t.Parallel()
	tl, entries := timeline.New(), narrator.Entries{}
	for i := range 30 {
		tl.Apply(session.Event{ID: session.EventID(fmt.Sprint("u", i)), Body: session.UserMessage{Content: fmt.Sprint("prompt ", i)}})
		tl.Apply(said(fmt.Sprint("answer ", i)))
	}
	got := strings.Join(entries.Next(tl, "s", "", false, narrator.Places{}), "\n")
	if want := "58 earlier parts of the conversation: /export writes all of it to a file.\nYou: prompt 29\nAnswer: answer 29"; got != want {
		t.Errorf("said %q, want %q", got, want)
	}
}

// TestEntriesOfASessionOnce says nothing again of a session that is opened again, or turned to,
// and the same of another one.
func TestEntriesOfASessionOnce(t *testing.T) {
	t.Parallel()
	var entries narrator.Entries
	opened := func(events ...session.Event) *timeline.Timeline {
		tl := timeline.New()
		for _, ev := range events {
			tl.Apply(ev)
		}
		return tl
	}
	one := opened(said("one"))
	for i, step := range []struct {
		of   session.ID
		tl   *timeline.Timeline
		want string
	}{
		{"", one, "Answer: one"},
		{"a", one, ""},
		{"b", opened(said("one")), "Answer: one"},
		{"a", one, ""},
		{"a", opened(said("one"), said("two")), "Answer: two"},
	} {
		if got := strings.Join(entries.Next(step.tl, step.of, "", false, narrator.Places{}), "\n"); got != step.want {
			t.Errorf("step %d: said %q, want %q", i, got, step.want)
		}
	}
}

// TestDrawing says what changes of a drawing, and all of another thing.
func TestDrawing(t *testing.T) {
	t.Parallel()
	var d narrator.Drawing
	for _, step := range []struct {
		of    string
		drawn []string
		want  []string
	}{
		{"a", []string{"+ Run? ----------- 1 of 2 +", "|  \x1b[1mls\x1b[m  |", "+---------+"}, []string{"Run?, 1 of 2", "ls"}},
		{"a", []string{"+ Run? ----------- 1 of 2 +", "| > ls |", "+--- enter ---+"}, []string{"> ls", "enter"}},
		{"a", []string{"+ Run? ----------- 1 of 2 +", "| > ls |", "+--- enter ---+"}, nil},
		{"b", []string{"| > ls |"}, []string{"> ls"}},
		{
			"c",
			[]string{"  y  Yes, once", "in        ~/src", "help     v"},
			[]string{"y  Yes, once", "in        ~/src", "help"},
		},
	} {
		if got := d.Next(step.of, step.drawn, narrator.Spoken); !slices.Equal(got, step.want) {
			t.Errorf("said %q, want %q", got, step.want)
		}
		if more := narrator.Continues(step.drawn); more != (step.of == "c") {
			t.Errorf("%q continues: %v", step.drawn, more)
		}
	}
}

// TestEntriesAfterRemoval says what comes when an entry that was said is removed.
func TestEntriesAfterRemoval(t *testing.T) {
	t.Parallel()
	tl, entries := timeline.New(), narrator.Entries{}
	model := func(id, from, to string) {
		tl.Apply(session.Event{ID: session.EventID(id), Body: session.SessionModelChange{PreviousModel: from, NewModel: to}})
	}
	tl.Apply(said("one"))
	model("2", "small", "large")
	if got := strings.Join(entries.Next(tl, "s", "", false, narrator.Places{}), "\n"); !strings.Contains(got, "from small to large") {
		t.Fatalf("said %q", got)
	}
	model("3", "large", "small") // which takes the one before back
	tl.Apply(said("two"))
	if got, want := strings.Join(entries.Next(tl, "s", "", false, narrator.Places{}), "\n"), "Answer: two"; got != want {
		t.Errorf("said %q, want %q", got, want)
	}
}
