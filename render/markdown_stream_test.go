package render

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"parley/render/text/texttest"
	"parley/theme"
)

// feed gives src to a Markdown in pieces of random size.
func feed(t *rapid.T, src string, each func(m *Markdown)) *Markdown {
	m := &Markdown{}
	for at := 0; at < len(src); {
		at = min(len(src), at+rapid.IntRange(1, 40).Draw(t, "n"))
		m.Extend(src[:at])
		if each != nil {
			each(m)
		}
	}
	return m
}

func drawAll(m *Markdown, width int, th *theme.Theme) []string {
	var out []string
	for i := range m.Len() {
		out = append(out, DrawBlock(m.At(i), width, th)...)
	}
	return out
}

func whole1(src string) *Markdown {
	m := &Markdown{}
	m.Extend(src)
	m.Seal()
	return m
}

func keys(m *Markdown) []uint64 {
	var out []uint64
	for i := range m.Len() {
		out = append(out, m.At(i).Key)
	}
	return out
}

// TestChunking is the promise of Seal: however the text came, the sealed blocks
// and their lines are those of the whole.
func TestChunking(t *testing.T) {
	t.Parallel()
	th := theme.Probe()
	rapid.Check(t, func(t *rapid.T) {
		src := texttest.Document(t)
		want := whole1(src)
		got := feed(t, src, nil)
		got.Seal()
		if !slices.Equal(keys(got), keys(want)) {
			t.Fatalf("blocks differ for %q", src)
		}
		if a, b := drawAll(got, 40, th), drawAll(want, 40, th); !slices.Equal(a, b) {
			t.Fatalf("lines differ for %q:\n%q\n%q", src, a, b)
		}
	})
}

// TestKeysDistinguishDrawings checks what a cache relies on: while the text grows,
// one key never stands for two drawings.
func TestKeysDistinguishDrawings(t *testing.T) {
	t.Parallel()
	th := theme.Plain()
	rapid.Check(t, func(t *rapid.T) {
		seen := map[uint64]string{}
		m := feed(t, texttest.Document(t), func(m *Markdown) {
			for i := range m.Len() {
				b := m.At(i)
				lines := strings.Join(DrawBlock(b, 30, th), "\n")
				if old, ok := seen[b.Key]; ok && old != lines {
					t.Fatalf("key of %q also stood for %q", lines, old)
				}
				seen[b.Key] = lines
			}
		})
		m.Seal()
	})
}

// TestStreamedShowsAll checks that no word is missing while the text grows.
func TestStreamedShowsAll(t *testing.T) {
	t.Parallel()
	var src strings.Builder
	for i := range 400 {
		fmt.Fprintf(&src, "w%d ", i)
		if i%50 == 49 {
			src.WriteString("\n\n")
		}
		if i == 200 {
			src.WriteString("\n\n```go\n")
		}
		if i == 300 {
			src.WriteString("\n```\n\n")
		}
	}
	text := src.String()
	var m Markdown
	for at := 1; at <= len(text); at += 7 {
		m.Extend(text[:at])
		shown := strings.Join(drawAll(&m, 60, theme.Plain()), " ")
		words := strings.Fields(strings.NewReplacer("```go", "", "```", "", "`", "").Replace(text[:at]))
		if got := len(strings.Fields(shown)); got < len(words) {
			t.Fatalf("%d of %d words at byte %d", got, len(words), at)
		}
	}
}

// TestFinalBlocksStay checks that what was committed keeps its key, so that its
// lines are drawn once.
func TestFinalBlocksStay(t *testing.T) {
	t.Parallel()
	text := strings.Repeat("A paragraph of text.\n\n- one\n- two\n\n```go\nx := 1\n```\n\n", 20)
	var m Markdown
	drawn := map[uint64]bool{}
	for at := 1; at <= len(text); at += 13 {
		m.Extend(text[:at])
		for i := range m.blocks {
			drawn[m.blocks[i].Key] = true
		}
	}
	if n := len(drawn); n > 5 { // first paragraph without gap, paragraph, two items, code
		t.Errorf("%d distinct final blocks, want 5", n)
	}
	before := keys(&m)
	m.Seal()
	if after := keys(&m); !slices.Equal(before[:len(before)-1], after[:len(before)-1]) {
		t.Errorf("sealing changed blocks:\n%x\n%x", before, after)
	}
}

func TestLateDefinition(t *testing.T) {
	t.Parallel()
	var m Markdown
	src := "See [the docs][d].\n\nMore text.\n\n"
	m.Extend(src)
	before := m.At(0).Key
	src += "[d]: https://docs.example/\n\nend\n"
	m.Extend(src)
	if m.At(0).Key == before {
		t.Error("the block that uses a late definition keeps its key")
	}
	got := strings.Join(DrawBlock(m.At(0), 80, theme.Plain()), "")
	if want := "the docs"; !strings.Contains(got, "https://docs.example/") || !strings.Contains(got, want) {
		t.Errorf("drawn as %q", got)
	}
}

func TestOpenFenceInChunks(t *testing.T) {
	t.Parallel()
	var src strings.Builder
	src.WriteString("Intro:\n\n```go\n")
	for i := range 100 {
		fmt.Fprintf(&src, "x%d := %d\n", i, i)
	}
	var m Markdown
	m.Extend(src.String())
	if got, want := m.Len(), 1+100/chunkLines+1; got != want {
		t.Fatalf("%d blocks, want %d", got, want)
	}
	for i := range m.Len() {
		if n := strings.Count(m.At(i).Source, "\n"); n > chunkLines {
			t.Errorf("block %d has %d lines", i, n)
		}
		if gap := m.At(i).Gap; gap != (i == 1) {
			t.Errorf("block %d: gap %v", i, gap)
		}
	}
	m.Extend(src.String() + "``")
	if s := m.At(m.Len() - 1).Source; strings.Contains(s, "`") {
		t.Errorf("a closing fence that is not complete is shown: %q", s)
	}
}

func TestExtendStartsOver(t *testing.T) {
	t.Parallel()
	var m Markdown
	m.Extend("a long text\n\nof two")
	m.Extend("short")
	if got := drawAll(&m, 40, theme.Plain()); !slices.Equal(got, []string{"short"}) {
		t.Errorf("got %q", got)
	}
	m.Seal()
	m.Extend("short and more")
	if got := drawAll(&m, 40, theme.Plain()); !slices.Equal(got, []string{"short and more"}) {
		t.Errorf("got %q", got)
	}
}

// TestWork bounds the work for one huge open block: the bytes that are drawn,
// counted by keys that were not seen before, stay a small multiple of its size.
func TestWork(t *testing.T) {
	t.Parallel()
	for name, src := range huge() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var m Markdown
			seen := map[uint64]bool{}
			rich, plain := 0, 0
			for at := 240; at < len(src); at += 240 {
				m.Extend(src[:at])
				for i := max(0, m.Len()-3); i < m.Len(); i++ {
					b := m.At(i)
					switch {
					case seen[b.Key]:
					case b.Kind == Rest:
						plain += len(b.Source)
					default:
						rich += len(b.Source)
					}
					seen[b.Key] = true
				}
			}
			if most := 12 * len(src); rich > most {
				t.Errorf("%d bytes drawn as markdown for a text of %d", rich, len(src))
			}
			if most := 40 * len(src); plain > most {
				t.Errorf("%d bytes drawn plain for a text of %d", plain, len(src))
			}
		})
	}
}
