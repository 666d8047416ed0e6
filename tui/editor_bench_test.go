package tui

import (
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

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
	e := newEditor()
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

// BenchmarkEditorPaste5MB pastes and draws.
func BenchmarkEditorPaste5MB(b *testing.B) {
	benchEach(b, 5<<20, func(b *testing.B, text string) {
		b.Helper()
		th := theme.Dark()
		b.SetBytes(int64(len(text)))
		for b.Loop() {
			e := newEditor()
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
		e := newEditor()
		e.Insert(text)
		for i := 0; b.Loop(); i++ {
			e.Rows(100 + i%2)
			e.View(100+i%2, 12, th)
		}
	})
}
