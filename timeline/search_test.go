package timeline

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"
	"pgregory.net/rapid"

	"parley/session"
)

// searchable is a timeline with an entry of each kind that a search tells apart.
func searchable() *Timeline {
	tl := New()
	put := func(id string, b Body, s State) { tl.add(session.Event{}, EntryID(id), b, s) }
	put("prompt", &Prompt{Text: "find the needle", Attachments: []session.Attachment{{DisplayName: "needle.go"}}}, Done)
	message := &Message{}
	message.Text.Append("a Needle in **hay**")
	put("answer", message, Done)
	thought := &Reasoning{}
	thought.Text.Append("where is the needle")
	put("thought", thought, Done)
	call := &ToolCall{
		Name: "bash", Arguments: jsontext.Value(`{"command":"grep \"needle\" hay","needle":3,"more":["needle 2"]}`),
		Result: "needle\nneedle\n<exited>", Agent: &Subagent{Title: "Needle seeker", Timeline: New()},
	}
	call.Output.Append("needle\nneedle\n")
	put("call", call, Done)
	put("failed", &ToolCall{Name: "view", Error: "no needle"}, Failed)
	put("notice", &Notice{Text: "one", Detail: "needle"}, Done)
	put("error", &Notice{Level: Error, Text: "needle lost"}, Failed)
	put("receipt", &Receipt{Question: "a needle?", Answer: "no"}, Done)
	put("summary", &Summary{Files: []FileChange{{Path: "needle.go"}}}, Done)
	put("closing", &Closing{Reason: "hay", Files: []string{"needle.go"}}, Done)
	put("other", &Unrecognised{Kind: "some.kind", Raw: jsontext.Value(`{"a":"needle"`)}, Done)
	put("hay", &Boundary{Text: "hay"}, Done)
	return tl
}

func scanned(tl *Timeline, query string, before *Scan) *Scan {
	s := NewScan(tl.Texts(nil), NewMatcher(query, false), before)
	for done := false; !done; {
		done = s.Step(context.Background(), 1<<20)
	}
	return s
}

// TestSearchFilters: what is searched of which kind of entry.
func TestSearchFilters(t *testing.T) {
	t.Parallel()
	s := scanned(searchable(), "needle", nil)
	for f, want := range map[Filter]string{
		Everything: "prompt:2 answer:1 thought:1 call:5 failed:1 notice:1 error:1 receipt:1 summary:1 closing:1 other:1",
		Prompts:    "prompt:2",
		Answers:    "answer:1",
		Thinking:   "thought:1",
		Tools:      "call:5 failed:1", // the command, the list, the sub-agent, and the output once
		Failures:   "failed:1 error:1",
		Notices:    "notice:1 error:1 receipt:1 summary:1 closing:1 other:1",
	} {
		hits := s.Hits(f)
		var got []string
		for _, h := range hits {
			got = append(got, fmt.Sprintf("%s:%d", h.ID, h.Count))
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%s: %s\nwant %s", f, strings.Join(got, " "), want)
		}
		if last := len(hits) - 1; hits.Total() != hits[last].Before+hits[last].Count {
			t.Errorf("%s: %d in total", f, hits.Total())
		}
	}
	all := s.Hits(Everything)
	if got := all.From(3); all[got].ID != "call" {
		t.Errorf("from the third: %v", all[got])
	}
	if got := all.From(11); got != len(all) {
		t.Errorf("after the last: %d", got)
	}
	if Hits(nil).Total() != 0 || Filter(99).String() != "?" {
		t.Error("nothing is something")
	}
}

// TestTextsKeepWhatDidNotChange: new texts cost what changed.
func TestTextsKeepWhatDidNotChange(t *testing.T) {
	t.Parallel()
	tl := searchable()
	first := tl.Texts(nil)
	if tl.Texts(first) != first || !tl.Current(first) {
		t.Fatal("texts are taken again though nothing changed")
	}
	e := tl.index["answer"]
	e.Body.(*Message).Text.Append(" and more needles")
	tl.touch(e)
	if tl.Current(first) {
		t.Fatal("a change makes no difference")
	}
	second := tl.Texts(first)
	if n, _ := NewMatcher("needle", false).count(second.sources[1].parts[0]); n != 2 {
		t.Errorf("%d matches in the answer that grew", n)
	}
	if n, _ := NewMatcher("needle", false).count(first.sources[1].parts[0]); n != 1 {
		t.Errorf("texts that were taken changed: %d", n)
	}
	if &second.sources[0].parts[0] != &first.sources[0].parts[0] {
		t.Error("the texts of an entry that did not change were made again")
	}
	tl.remove(tl.index["prompt"])
	if tl.Current(second) {
		t.Error("a removal makes no difference")
	}
}

// TestScanSteps: a scan in small steps, cancelled in between and helped by an
// earlier one, counts what one in a piece does.
func TestScanSteps(t *testing.T) {
	t.Parallel()
	queries := []string{"n", "ne", "nee", "needle", "Needle", "n[ae]", "e+", "hay", `\d`, "e.d"}
	rapid.Check(t, func(t *rapid.T) {
		tl := searchable()
		var before *Scan
		for range rapid.IntRange(1, 6).Draw(t, "rounds") {
			query := rapid.SampledFrom(queries).Draw(t, "query")
			switch rapid.IntRange(0, 3).Draw(t, "change") {
			case 0:
				if e := tl.index["answer"]; e != nil {
					e.Body.(*Message).Text.Append("\nneedle 7")
					tl.touch(e)
				}
			case 1:
				if len(tl.entries) > 2 {
					tl.remove(tl.entries[rapid.IntRange(0, len(tl.entries)-1).Draw(t, "gone")])
				}
			case 2:
				b := &Notice{Text: strings.Repeat("a needle\n", rapid.SampledFrom([]int{1, 8_000}).Draw(t, "lines"))}
				tl.add(session.Event{}, EntryID(fmt.Sprint("new", tl.version)), b, Done)
			}
			m := NewMatcher(query, false)
			if before != nil && before.Matcher().text == query {
				m = before.Matcher()
			}
			s := NewScan(tl.Texts(nil), m, before)
			ended, end := context.WithCancel(context.Background())
			end()
			for work := rapid.IntRange(1, 100_000).Draw(t, "work"); !s.Step(context.Background(), work); {
				if s.Done() || s.Step(ended, work) {
					t.Fatal("it went on after its end")
				}
			}
			want := scanned(tl, query, nil).Hits(Everything)
			if got := s.Hits(Everything); !slices.Equal(got, want) || !s.Done() {
				t.Fatalf("%q: %v, want %v", query, got, want)
			}
			before = s
		}
	})
}

// TestHugeLine: a line longer than a piece is looked through whole.
func TestHugeLine(t *testing.T) {
	t.Parallel()
	tl := New()
	text := strings.Repeat("x", pieceBytes-2) + "needle" + strings.Repeat("y", 3*pieceBytes) + "needle\nneedle"
	tl.add(session.Event{}, "a", &Notice{Text: text}, Done)
	for _, query := range []string{"needle", "ne+dle"} {
		if got := scanned(tl, query, nil).Hits(Everything).Total(); got != 3 {
			t.Errorf("%q: %d", query, got)
		}
	}
}

// BenchmarkScan is counting in 10 MB, by what is looked for.
func BenchmarkScan(b *testing.B) {
	tl := New()
	line := "The loop owns the **single writer** to the log, so every update is in order: `p.Send` blocks – wait.\n"
	for i := range 2500 {
		tl.add(session.Event{}, EntryID(fmt.Sprint(i)), &Notice{Text: strings.Repeat(line, 40)}, Done)
	}
	texts := tl.Texts(nil)
	for _, query := range []string{"e", "s", "the", "updates", "Loop", "über", "wr.ter", "loop|writer", `\bu\w+`, `\d+`} {
		b.Run(query, func(b *testing.B) {
			b.SetBytes(int64(2500 * 40 * len(line)))
			for b.Loop() {
				NewScan(texts, NewMatcher(query, false), nil).Step(context.Background(), 1<<40)
			}
		})
	}
	b.Run("texts", func(b *testing.B) {
		for b.Loop() {
			tl.version++
			tl.Texts(texts)
		}
	})
}
