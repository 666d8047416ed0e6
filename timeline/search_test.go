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

// searchable is a timeline with an entry of each kind that a search distinguishes.
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
	put("receipt", &AnsweredQuestion{Question: "a needle?", Answer: "no"}, Done)
	put("summary", &Summary{Files: []FileChange{{Path: "needle.go"}}}, Done)
	put("closing", &SessionEnd{Reason: "hay", Files: []string{"needle.go"}}, Done)
	put("other", &Unrecognised{Kind: "some.kind", Raw: jsontext.Value(`{"a":"needle"`)}, Done)
	put("hay", &Divider{Text: "hay"}, Done)
	return tl
}

func scanned(tl *Timeline, query string, before *SearchJob) *SearchJob {
	s := NewSearchJob(tl.SearchCorpus(nil), NewMatcher(query, false, SmartCase), before)
	for done := false; !done; {
		done = s.Step(context.Background(), 1<<20)
	}
	return s
}

// TestSearchFilters: what is searched of which kind of entry.
func TestSearchFilters(t *testing.T) {
	t.Parallel()
	s := scanned(searchable(), "needle", nil)
	for f, want := range map[SearchFilter]string{
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
		sum := 0
		for _, h := range hits {
			if h.Before != sum {
				t.Errorf("%s: %d are before %s, want %d", f, h.Before, h.ID, sum)
			}
			sum += h.Count
		}
		if hits.Total() != sum {
			t.Errorf("%s: %d in total, want %d", f, hits.Total(), sum)
		}
	}
	all := s.Hits(Everything)
	if got := all.From(3); all[got].ID != "call" {
		t.Errorf("from the third: %v", all[got])
	}
	if got := all.From(11); got != len(all) {
		t.Errorf("after the last: %d", got)
	}
	if SearchHits(nil).Total() != 0 || SearchFilter(99).String() != "?" {
		t.Error("nothing is something")
	}
	names := map[string]bool{"": true, "?": true}
	for f := range SearchFilter(Filters) {
		if names[f.String()] {
			t.Errorf("filter %d has no name of its own: %q", f, f)
		}
		names[f.String()] = true
	}
}

// TestWhatIsSearched: each text of an entry is found, and one that is reported in
// several ways is found once.
func TestWhatIsSearched(t *testing.T) {
	t.Parallel()
	call := func(c ToolCall, arguments, output string) *ToolCall {
		c.ArgumentText.Set(arguments)
		c.Output.Set(output)
		return &c
	}
	for name, c := range map[string]struct {
		body Body
		want string // what is found once
		not  string // what is not found
	}{
		"prompt": {&Prompt{Text: "one", Attachments: []session.Attachment{
			{DisplayName: "two", Path: "three", FilePath: "four", Number: 56, Title: "seven", URL: "eight"},
		}}, "one two three four #56 seven eight", "bash"},
		"notice":   {&Notice{Text: "one", Detail: "two", URL: "three", Next: "four"}, "one two three four", "bash"},
		"receipt":  {&AnsweredQuestion{Question: "one", Answer: "two"}, "one two", "bash"},
		"boundary": {&Divider{Text: "one"}, "one", "bash"},
		"closing": {
			&SessionEnd{Reason: "one", Files: []string{"two"}, Models: []ModelUse{{Model: "three"}, {Model: "four"}}},
			"one two three four", "bash",
		},
		"unrecognised": {&Unrecognised{Kind: "one", Raw: jsontext.Value(`7`)}, "one 7", "bash"},
		"what is no JSON": {
			&Unrecognised{Kind: "one", Raw: jsontext.Value(`{"name":["two","three",{"name":4}], five`)}, "one two three 4 five", "name",
		},
		"call": {call(ToolCall{
			Name: "one", Title: "two", Intention: "three", Error: "four", Feedback: "five", Server: "server",
		}, `{"name":"six`, "seven\n"), "one two three four five six seven", "server"},
		"tool of a server":  {call(ToolCall{Name: "whole", Server: "one", Tool: "two"}, "", ""), "one two", "whole"},
		"complete argument": {call(ToolCall{Arguments: jsontext.Value(`{"name":"one"}`)}, `{"name":"one"}`, ""), "one", "name"},
		"sub-agent": {
			call(ToolCall{Error: "five", Agent: &Subagent{Title: "one", Name: "two", Description: "three", Error: "four"}}, "", ""),
			"one two three four five", "bash",
		},
		"failed sub-agent": {call(ToolCall{Error: "one", Agent: &Subagent{Error: "one"}}, "", ""), "one", "bash"},
		"result": {
			call(ToolCall{Result: "one", Detail: "+one\n+two", Images: []Image{{Name: "three"}}, Blocks: []Block{
				{Name: "four", URI: "five", Description: "six"},
			}}, "", "one"), "one two three four five six", "bash",
		},
	} {
		tl := New()
		tl.add(session.Event{}, "e", c.body, Done)
		for word := range strings.FieldsSeq(c.want) {
			if got := scanned(tl, word, nil).Hits(Everything).Total(); got != 1 {
				t.Errorf("%s: %s is found %d times", name, word, got)
			}
		}
		if got := scanned(tl, c.not, nil).Hits(Everything).Total(); got != 0 {
			t.Errorf("%s: %s is found %d times", name, c.not, got)
		}
	}
	tl := New()
	tl.add(session.Event{}, "e", call(ToolCall{Blocks: []Block{{Description: "needle"}}, Result: "needle"}, "", "needle"), Done)
	if got := scanned(tl, "needle", nil).Hits(Tools).Total(); got != 2 {
		t.Errorf("in a block and in the output: %d", got)
	}
}

// TestTextsKeepWhatDidNotChange: new texts cost what changed.
func TestTextsKeepWhatDidNotChange(t *testing.T) {
	t.Parallel()
	tl := searchable()
	first := tl.SearchCorpus(nil)
	if tl.SearchCorpus(first) != first || !tl.Current(first) {
		t.Fatal("texts are taken again though nothing changed")
	}
	e := tl.index["answer"]
	e.Body.(*Message).Text.Append(" and more needles")
	tl.touch(e)
	if tl.Current(first) {
		t.Fatal("a change makes no difference")
	}
	second := tl.SearchCorpus(first)
	if n, _ := NewMatcher("needle", false, SmartCase).count(second.sources[1].parts[0]); n != 2 {
		t.Errorf("%d matches in the answer that grew", n)
	}
	if n, _ := NewMatcher("needle", false, SmartCase).count(first.sources[1].parts[0]); n != 1 {
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
		var before *SearchJob
		last := ""
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
			m := NewMatcher(query, false, SmartCase)
			if query == last {
				m = before.matcher
			}
			s := NewSearchJob(tl.SearchCorpus(nil), m, before)
			ended, end := context.WithCancel(context.Background())
			end()
			for work := rapid.IntRange(1, 100_000).Draw(t, "work"); !s.Step(context.Background(), work); {
				if s.Step(ended, work) {
					t.Fatal("it continued after its end")
				}
			}
			want := scanned(tl, query, nil).Hits(Everything)
			if got := s.Hits(Everything); !slices.Equal(got, want) {
				t.Fatalf("%q: %v, want %v", query, got, want)
			}
			before, last = s, query
		}
	})
}

// TestScanTakesWhatIsKnown: what did not change is not looked through again by a
// scan for the same, nor what had no match by a scan for more.
func TestScanTakesWhatIsKnown(t *testing.T) {
	t.Parallel()
	tl := searchable()
	texts := tl.SearchCorpus(nil)
	needles, none := scanned(tl, "needle", nil), scanned(tl, "nowhere", nil)
	for name, c := range map[string]struct {
		scan *SearchJob
		done bool
	}{
		"the first":          {NewSearchJob(texts, NewMatcher("needle", false, SmartCase), nil), false},
		"the same":           {NewSearchJob(texts, needles.matcher, needles), true},
		"more of no match":   {NewSearchJob(texts, NewMatcher("nowhere else", false, SmartCase), none), true},
		"more of a match":    {NewSearchJob(texts, NewMatcher("needles", false, SmartCase), needles), false},
		"something else":     {NewSearchJob(texts, NewMatcher("hay", false, SmartCase), none), false},
		"after a part of it": {NewSearchJob(texts, needles.matcher, NewSearchJob(texts, needles.matcher, nil)), false},
	} {
		if done := c.scan.Step(context.Background(), 0); done != c.done {
			t.Errorf("%s: %t without looking at anything", name, done)
		}
		if c.scan.texts.version != texts.version {
			t.Errorf("%s: it is of other texts", name)
		}
	}
	same := NewSearchJob(texts, needles.matcher, needles)
	same.Step(context.Background(), 0)
	if got, want := same.Hits(Everything), needles.Hits(Everything); !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}

// TestStepsAreBounded: a step ends when it did its work, or when it is cancelled.
func TestStepsAreBounded(t *testing.T) {
	t.Parallel()
	tl := New()
	for i := range 8 {
		tl.add(session.Event{}, EntryID(fmt.Sprint(i)), &Divider{Text: strings.Repeat("x", 3*plainSpeed)}, Done)
	}
	const each = 3*plainSpeed + 3 + 1 // for the expression, for the text, and for the part
	s := NewSearchJob(tl.SearchCorpus(nil), NewMatcher(`\d`, false, SmartCase), nil)
	for _, c := range []struct{ work, entries int }{{0, 0}, {1, 1}, {each, 2}, {each + 1, 4}, {2 * each, 6}} {
		if s.Step(context.Background(), c.work); s.next != c.entries {
			t.Errorf("after %d: %d entries, want %d", c.work, s.next, c.entries)
		}
	}
	ended, end := context.WithCancel(context.Background())
	if end(); s.Step(ended, 1<<20) || s.next != 6 {
		t.Errorf("it continued after its end, to %d", s.next)
	}
}

// TestPieces: what is looked through at once is whole lines, and not many.
func TestPieces(t *testing.T) {
	t.Parallel()
	// lines is a text whose lines end at these bytes.
	lines := func(size int, ends ...int) string {
		text := []byte(strings.Repeat("x", size))
		for _, at := range ends {
			text[at] = '\n'
		}
		return string(text)
	}
	for name, c := range map[string]struct {
		text string
		want int
	}{
		"a short text":               {lines(pieceBytes, 7), pieceBytes},
		"one a byte longer":          {lines(pieceBytes+1, 7), 8},
		"a line as long as a piece":  {lines(2*pieceBytes, 7, pieceBytes-1, pieceBytes), pieceBytes},
		"a line that is just longer": {lines(2*pieceBytes, 7, pieceBytes), 8},
		"a line alone, just longer":  {lines(2*pieceBytes, pieceBytes, pieceBytes+9), pieceBytes + 1},
		"an empty line":              {lines(2*pieceBytes, 0), 1},
		"a long line":                {lines(3*pieceBytes, 2*pieceBytes), 2*pieceBytes + 1},
		"no line end":                {lines(3 * pieceBytes), 3 * pieceBytes},
	} {
		s := &SearchJob{parts: []string{c.text}}
		if got := len(s.piece()); got != c.want {
			t.Errorf("%s: %d bytes, want %d", name, got, c.want)
		}
	}
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
	texts := tl.SearchCorpus(nil)
	for _, query := range []string{"e", "s", "the", "updates", "Loop", "über", "wr.ter", "loop|writer", `\bu\w+`, `\d+`} {
		b.Run(query, func(b *testing.B) {
			b.SetBytes(int64(2500 * 40 * len(line)))
			for b.Loop() {
				NewSearchJob(texts, NewMatcher(query, false, SmartCase), nil).Step(context.Background(), 1<<40)
			}
		})
	}
	b.Run("texts", func(b *testing.B) {
		for b.Loop() {
			tl.version++
			tl.SearchCorpus(texts)
		}
	})
}
