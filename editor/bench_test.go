package editor

import (
	"fmt"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	tea "charm.land/bubbletea/v2"

	"parley/history/drafts"
	"parley/session/sessiontest"
	"parley/theme"
)

// benchTexts are prompts of some size: lines of prose, one line, wide text.
func benchTexts(size int) map[string]string {
	fill := func(s string) string { return strings.Repeat(s, size/len(s)+1)[:size/len(s)*len(s)] }
	return map[string]string{
		"lines":  fill("The quick brown fox jumps over the lazy dog and goes home again.\n"),
		"line":   fill("the quick brown fox jumps over the lazy dog and goes home again, "),
		"wide":   fill("日本語のテキストは幅が広いので折り返しに注意する。"),
		"hidden": fill("a\x1b[31m\u202e\xff e\u0301 👨‍👩‍👧‍👦"),
	}
}

func benchEach(b *testing.B, size int, run func(b *testing.B, text string)) {
	b.Helper()
	for _, name := range []string{"lines", "line", "wide", "hidden"} {
		b.Run(name, func(b *testing.B) { run(b, benchTexts(size)[name]) })
	}
}

// typeKeys types in the middle of a text and draws after each key.
func typeKeys(b *testing.B, text string) {
	b.Helper()
	th := theme.Dark()
	e := New()
	e.SetText(text)
	e.SetOffset(len(text) / 2)
	e.View(100, 12, th)
	keys := []tea.KeyPressMsg{{Code: 'x', Text: "x"}, {Code: ' ', Text: " "}, {Code: tea.KeyBackspace}, {Code: tea.KeyBackspace}}
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		e.Update(keys[i%len(keys)])
		e.View(100, 12, th)
		e.Cursor(100, 12)
		e.Rows(100)
	}
}

func BenchmarkEditorKey20KB(b *testing.B) { benchEach(b, 20<<10, typeKeys) }

func BenchmarkEditorKey5MB(b *testing.B) { benchEach(b, 5<<20, typeKeys) }

// BenchmarkEditorKeys is a key and the frame after it: in a prompt of 20 bytes,
// in one that fills the composer, in one of 20 KB, in that with 20 chips of a
// megabyte each, and in a short one with a chip of 5 MB.
func BenchmarkEditorKeys(b *testing.B) {
	for _, name := range []string{"lines", "line", "wide"} {
		b.Run(name, func(b *testing.B) {
			long := benchTexts(20 << 10)[name]
			prompts := []drafts.Draft{
				{Text: long[:21]},
				{Text: benchTexts(1200)[name]},
				{Text: long},
				benchChips(long, 20, 1<<20),
				benchChips(long[:21], 1, 5<<20),
				benchChips(long[:21], 1, 1<<10),
			}
			cost := make([]sessiontest.Samples, len(prompts))
			for b.Loop() {
				for i, d := range prompts {
					cost[i] = append(cost[i], keyCost(b, d))
				}
			}
			micro := func(i int) float64 { return float64(cost[i].Median()) / float64(time.Microsecond) }
			b.ReportMetric(micro(0), "µs-of-20B")
			sessiontest.Figure(b, micro(2), "µs-of-20KB", 100)
			sessiontest.Figure(b, micro(3), "µs-with-20-chips", 100)
			sessiontest.Figure(b, micro(2)/micro(1), "20KB/screenful", 2)
			sessiontest.Figure(b, micro(3)/micro(1), "chips/screenful", 2)
			sessiontest.Figure(b, micro(4)/micro(5), "5MB-chip/1KB-chip", 2)
		})
	}
}

// benchChips puts chips of a size into a text at equal distances.
func benchChips(text string, n, size int) drafts.Draft {
	d := drafts.Draft{Text: text}
	for i := range n {
		at := (i + 1) * len(text) / (n + 1)
		for !utf8.RuneStart(text[at]) {
			at++
		}
		d.Chips = append(d.Chips, drafts.Chip{At: at, Paste: strings.Repeat("pasted ", size/7) + fmt.Sprint(i)})
	}
	return d
}

// keyCost is the median time of a key with its frame, in the middle of a draft.
func keyCost(b *testing.B, d drafts.Draft) time.Duration {
	b.Helper()
	th := theme.Dark()
	e := New()
	e.spans = atWords
	e.SetDraft(d)
	e.SetOffset(len(d.Text) / 2)
	var keys []tea.KeyPressMsg
	for _, name := range strings.Fields("x backspace up down y left right backspace space backspace") {
		keys = append(keys, editorKey(name))
	}
	var spent sessiontest.Samples
	for i := range 500 {
		from := b.Elapsed()
		e.Rows(100)
		e.View(100, 12, th)
		e.Cursor(100, 12)
		e.Update(keys[i%len(keys)])
		spent = append(spent, b.Elapsed()-from)
	}
	return spent.Median()
}

// BenchmarkEditorPaste5MB pastes and draws.
func BenchmarkEditorPaste5MB(b *testing.B) {
	benchEach(b, 5<<20, func(b *testing.B, text string) {
		b.Helper()
		th := theme.Dark()
		b.SetBytes(int64(len(text)))
		for b.Loop() {
			e := New()
			e.Insert(text)
			e.Rows(100)
			e.View(100, 12, th)
			e.Cursor(100, 12)
		}
	})
}

// BenchmarkEditorResize5MB draws the same text at another width each time.
func BenchmarkEditorResize5MB(b *testing.B) {
	benchEach(b, 5<<20, func(b *testing.B, text string) {
		b.Helper()
		th := theme.Dark()
		e := New()
		e.Insert(text)
		for i := 0; b.Loop(); i++ {
			e.Rows(100 + i%2)
			e.View(100+i%2, 12, th)
		}
	})
}
