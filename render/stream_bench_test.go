package render

import (
	"fmt"
	"strings"
	"testing"

	"parley/theme"
)

// mixed is an answer as assistants write them.
func mixed(size int) string {
	var b strings.Builder
	for i := 1; b.Len() < size; i++ {
		fmt.Fprintf(&b, "## Step %d: the `EventLoop`\n\n", i)
		b.WriteString("The loop owns the **single writer** to the log, so *every* update is in order and the reader never sees half " +
			"of a batch. See [the docs](https://example.com/docs/loop?x=1) for the details, and note that `p.Send` blocks.\n\n")
		b.WriteString("- first, drain the channel in batches\n- then apply them\n  - nested: only dirty blocks\n- finally draw\n\n")
		b.WriteString("```go\nfunc (m *Model) drain(max int) int {\n\tn := 0\n\tfor n < max {\n\t\tselect {\n\t\tcase ev := <-m.events:\n" +
			"\t\t\tm.apply(ev) // may allocate\n\t\t\tn++\n\t\tdefault:\n\t\t\treturn n\n\t\t}\n\t}\n\treturn n\n}\n```\n\n")
		b.WriteString("| option | default | meaning |\n|---|:---:|---:|\n| `fps` | 60 | frames per second |\n| `batch` | 256 | events |\n\n")
		b.WriteString("> The numbers were measured on a noisy machine: *orders of magnitude* only.\n\n1. run it\n2. compare\n3. keep the ratio\n\n")
	}
	return b.String()[:size]
}

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

// stream plays src in deltas of 60 bytes with a frame after every fourth, and
// draws what a screen would show anew: the blocks that were not drawn before.
func stream(src string, width int, th *theme.Theme) (lines int) {
	var m Markdown
	drawn := map[int]uint64{}
	frame := func() {
		for i := max(0, m.Len()-50); i < m.Len(); i++ {
			if b := m.At(i); drawn[i] != b.Key {
				lines += len(DrawBlock(b, width, th))
				drawn[i] = b.Key
			}
		}
	}
	for at := 0; at < len(src); {
		at = min(len(src), at+240)
		m.Extend(src[:at])
		frame()
	}
	m.Seal()
	frame()
	return lines
}

func BenchmarkStream92K(b *testing.B) {
	src, th := mixed(92<<10), theme.Dark()
	b.SetBytes(int64(len(src)))
	for b.Loop() {
		stream(src, 100, th)
	}
}

func BenchmarkHuge(b *testing.B) {
	th := theme.Dark()
	for name, src := range huge() {
		b.Run(name+"/once", func(b *testing.B) {
			for b.Loop() {
				drawAll(whole1(src), 100, th)
			}
		})
		b.Run(name+"/stream", func(b *testing.B) {
			for b.Loop() {
				stream(src, 100, th)
			}
		})
	}
}

func BenchmarkDraw(b *testing.B) {
	th := theme.Dark()
	m := whole1(mixed(10 << 10))
	b.SetBytes(10 << 10)
	for b.Loop() {
		drawAll(m, 100, th)
	}
}
