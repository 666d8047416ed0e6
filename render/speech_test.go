package render_test

import (
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"

	"parley/render"
	"parley/render/text/texttest"
	"parley/session"
	"parley/timeline"
)

// spokenAsItComes are the lines of a message that comes in pieces, and how many lines there
// were after each.
func spokenAsItComes(pieces []string, last session.Event) (lines []string, after []int) {
	var s render.Speech
	tl := timeline.New()
	next := func(ev session.Event) {
		tl.Apply(ev)
		if tl.Len() > 0 {
			lines = append(lines, s.Next(tl.At(0), exported(render.ExportText))...)
		}
		after = append(after, len(lines))
	}
	for _, p := range pieces {
		next(session.Event{Ephemeral: true, Body: session.AssistantMessageDelta{MessageID: "m", DeltaContent: p}})
	}
	if last.Body == nil {
		last.Body = session.AssistantMessage{MessageID: "m", Content: strings.Join(pieces, "")}
	}
	last.ID = "last"
	next(last)
	return lines, after
}

// TestSpeech says sentences as they end, and blocks whole.
func TestSpeech(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name   string
		pieces []string
		want   []string
		after  []int
	}{
		{"sentences", []string{"One is", " here. T", "wo. Thr", "ee"}, []string{"Answer: One is here.", "Two.", "Three"}, []int{0, 1, 2, 2, 3}},
		{"one without another after it may continue", []string{"See a.", "go. ", "Then b"}, []string{"Answer: See a.go.", "Then b"}, []int{0, 0, 1, 2}},
		{"abbreviations", []string{"It is, e.g. Go by J. Doe. N", "o"}, []string{"Answer: It is, e.g. Go by J. Doe.", "No"}, []int{1, 1, 2}},
		{"a mark that is open", []string{"**One. T", "wo.** T", "hree"}, []string{"Answer: One. Two.", "Three"}, []int{0, 1, 1, 2}},
		{"code whole", []string{"Run:\n\n```\nmake. A\n", "make. B\n", "```\n", "\nT", "hen"}, []string{"Answer: Run:", "make. A", "make. B", "Then"}, []int{1, 1, 1, 3, 3, 4}},
		{"a list whole", []string{"1. a. B\n", "2. c\n", "\nT", "hen"}, []string{"Answer: 1. a. B", "2. c", "Then"}, []int{0, 0, 2, 2, 3}},
		{"a paragraph at its end", []string{"no stop\n\n", "next"}, []string{"Answer: no stop", "next"}, []int{0, 1, 2}},
	} {
		lines, after := spokenAsItComes(c.pieces, session.Event{})
		for i, l := range lines {
			lines[i] = strings.TrimSpace(l)
		}
		if !slices.Equal(lines, c.want) || !slices.Equal(after, c.after) {
			t.Errorf("%s: %q after %v, want %q after %v", c.name, lines, after, c.want, c.after)
		}
	}
}

// TestSpeechThatChanges says a message anew whose end is another text than what came of it.
func TestSpeechThatChanges(t *testing.T) {
	t.Parallel()
	lines, _ := spokenAsItComes([]string{"One. Two. T"}, session.Event{Body: session.AssistantMessage{MessageID: "m", Content: "Other."}})
	if want := []string{"Answer: One. Two.", "Answer: Other."}; !slices.Equal(lines, want) {
		t.Errorf("said %q, want %q", lines, want)
	}
}

// TestSpeechIsWhole says every word of a message once and in its order, in whatever pieces it
// comes.
func TestSpeechIsWhole(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		part := rapid.SampledFrom([]string{
			"word ", "End. ", "What? ", "\n", "\n\n", "- item. ", "1. one ", "`code. A` ", "**bold. B** ", "```\n", "| a | b |\n", "e.g. ", "[a](b) ", "# H\n",
		})
		pieces := rapid.SliceOfN(part, 1, 40).Draw(rt, "pieces")
		whole := &timeline.Entry{ID: "x", State: timeline.Done, Body: &timeline.Message{}}
		m, _ := whole.Body.(*timeline.Message)
		m.Text.Set(strings.Join(pieces, ""))
		words := func(lines []string) []string { return strings.Fields(strings.Join(lines, " ")) }
		lines, _ := spokenAsItComes(pieces, session.Event{})
		letters := func(s []string) string { // what marks the beginning of a block may be another
			return strings.Map(func(r rune) rune {
				if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' {
					return r
				}
				return -1
			}, strings.Join(words(s), ""))
		}
		if got, want := letters(lines), letters(render.Speak(whole, exported(render.ExportText))); got != want {
			rt.Fatalf("said %q, want %q: %q of %q", got, want, lines, pieces)
		}
	})
}

// TestSpeechHostile says no control character, whatever comes in whatever pieces.
func TestSpeechHostile(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		s := texttest.Untrusted(rt)
		var pieces []string
		for s != "" {
			n := rapid.IntRange(1, len(s)).Draw(rt, "n")
			for n < len(s) && !utf8.RuneStart(s[n]) {
				n++
			}
			pieces, s = append(pieces, s[:n]), s[n:]
		}
		lines, _ := spokenAsItComes(pieces, session.Event{})
		for _, l := range lines {
			if strings.ContainsFunc(l, control) {
				rt.Fatalf("the line %q", l)
			}
		}
	})
}
