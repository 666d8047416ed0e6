package render

import (
	"strings"
	"testing"

	"parley/session/sessiontest"
	"parley/theme"
)

// huge are texts of one block each.
func huge() map[string]string {
	const size = 100 << 10
	rep := func(head, unit string) string { return head + strings.Repeat(unit, size/len(unit)) }
	return map[string]string{
		"Table":     rep("| a | b | c |\n|---|---|---|\n", "| cell one | some `code` here | and **more** text |\n"),
		"Paragraph": rep("", "The quick **brown** fox jumps over the `lazy` dog, and so on. "),
		"Fence":     rep("```go\n", "\tif x > 3 { return fmt.Errorf(\"bad %d\", x) } // comment\n"),
		"List":      rep("", "- an item with **some** text and `code`\n"),
		"Item":      rep("- ", "words and *words* and more\n  "),
		"Quote":     rep("", "> a line of a quotation that goes on\n"),
		"Line":      rep("```json\n", `{"a":1,"b":[1,2,3]},`),
		"HTML":      rep("<div>\n", "<p>text</p>\n"),
	}
}

// frameBytes is what comes between two frames when a model sends 2,000 deltas
// of 12 bytes a second and 50 frames are drawn.
const frameBytes = 480

// stream plays src with a frame after every frameBytes, and draws what a screen
// would show anew: those of its blocks that were not drawn before.
func stream(src string, width int, th *theme.Theme) (lines int) {
	var m Markdown
	type drawing struct {
		key   uint64
		lines int
	}
	drawn := map[int]drawing{}
	frame := func() {
		for i, free := m.Len()-1, 40; i >= 0 && free > 0; i-- {
			if b := m.At(i); drawn[i].key != b.Key {
				drawn[i] = drawing{b.Key, len(DrawBlock(b, width, th))}
				lines += drawn[i].lines
			}
			free -= drawn[i].lines
		}
	}
	for at := 0; at < len(src); {
		at = min(len(src), at+frameBytes)
		m.Extend(src[:at])
		frame()
	}
	m.Seal()
	frame()
	return lines
}

func BenchmarkStream92K(b *testing.B) {
	src, th := sessiontest.Answer(92<<10), theme.Dark()
	b.SetBytes(int64(len(src)))
	for b.Loop() {
		stream(src, 100, th)
	}
}

// BenchmarkHuge is one huge block that streams in, beside drawing it once. It may
// take three times as long (docs/decisions.md 19). A single line of code has no target:
// once it is long it is drawn plain, which costs nearly nothing, so what it
// cost while it was short and in colours stands out.
func BenchmarkHuge(b *testing.B) {
	th := theme.Dark()
	for name, src := range huge() {
		b.Run(name, func(b *testing.B) {
			var once, streamed sessiontest.Samples
			for b.Loop() {
				start := sessiontest.CPU(b)
				drawAll(whole1(src), 100, th)
				middle := sessiontest.CPU(b)
				stream(src, 100, th)
				once, streamed = append(once, middle-start), append(streamed, sessiontest.CPU(b)-middle)
			}
			b.ReportMetric(sessiontest.Milliseconds(once.Median()), "cpu-ms-once")
			b.ReportMetric(sessiontest.Milliseconds(streamed.Median()), "cpu-ms-streamed")
			target := 3.0
			if name == "Line" {
				target = 0
			}
			sessiontest.Figure(b, float64(streamed.Median())/float64(once.Median()), "times", target)
		})
	}
}

func BenchmarkDraw(b *testing.B) {
	th := theme.Dark()
	m := whole1(sessiontest.Answer(10 << 10))
	b.SetBytes(10 << 10)
	for b.Loop() {
		drawAll(m, 100, th)
	}
}
