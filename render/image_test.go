package render_test

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"image"
	"image/png"
	"slices"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"
	"github.com/charmbracelet/x/ansi/kitty"
	"pgregory.net/rapid"

	"parley/render"
	"parley/render/text"
	"parley/session"
	"parley/theme"
	"parley/timeline"
)

// placeholders reads rows of placeholders: the number of the image, and of
// each cell its row and column. It fails for anything else in them.
func placeholders(t rapid.TB, lines []string) (id uint32, cells [][2]int) {
	place := map[rune]int{}
	for i := range 297 {
		place[kitty.Diacritic(i)] = i
	}
	for _, l := range lines {
		text := strings.TrimLeft(l, " ")
		var r, g, b uint32
		if _, err := fmt.Sscanf(text, "\x1b[38;2;%d;%d;%dm", &r, &g, &b); err != nil {
			t.Fatalf("%q: %v", l, err)
		}
		id = r<<16 | g<<8 | b
		_, text, _ = strings.Cut(text, "m")
		body, ok := strings.CutSuffix(text, "\x1b[39m")
		runes := []rune(body)
		if !ok || len(runes)%3 != 0 || len(runes) != 3*ansi.StringWidth(body) || ansi.StringWidth(body) != ansi.StringWidthWc(body) {
			t.Fatalf("cells of another width: %q", l)
		}
		for c := range slices.Chunk(runes, 3) {
			if c[0] != kitty.Placeholder {
				t.Fatalf("no placeholder: %q", l)
			}
			cells = append(cells, [2]int{place[c[1]], place[c[2]]})
		}
	}
	return id, cells
}

// inline are the lines of an entry in which an image is shown.
func inline(e *timeline.Entry, o render.Options) []string {
	return slices.DeleteFunc(drawn(render.NewCache(1000), e, o), func(l string) bool { return !strings.ContainsRune(l, kitty.Placeholder) })
}

func TestImageSizes(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ w, h, width, cols, rows int }{
		{640, 480, 84, 32, 12},  // twelve rows, and as wide as that makes it
		{480, 640, 84, 18, 12},  // upright
		{1600, 400, 84, 80, 10}, // as wide as any may be
		{1600, 400, 24, 22, 3},  // as wide as there is room
		{100, 60, 84, 10, 3},    // never larger than it is
		{1, 1, 84, 1, 1},
		{100_000, 1, 84, 80, 1},
		{1, 100_000, 84, 1, 12},
		{0, 0, 84, 0, 0},
		{640, 480, 1, 1, 1},
	} {
		b := call("view", `{"path":"a.png"}`, "", func(b *timeline.ToolCall) {
			b.Images = []timeline.Image{{Width: c.w, Height: c.h, Data: "x"}}
		})
		got := render.ShownImages(entry(timeline.Done, 0, b), options(c.width, theme.Dark()))
		if len(got) != 1 || got[0] != (render.Image{Data: "x", Cols: c.cols, Rows: c.rows}) {
			t.Errorf("%d×%d in %d: %+v, want %d by %d", c.w, c.h, c.width, got, c.cols, c.rows)
		}
	}
}

// Whatever the size of an image and of the screen: it stays within both and
// the most that an image takes, each part of it is drawn once and in its place,
// and it is there only where the terminal has it and the entry is not a line.
func TestImagesAnySize(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		id := uint32(rapid.IntRange(1, 1<<24-1).Draw(t, "id"))
		i := timeline.Image{Name: "a", Width: rapid.IntRange(-1, 20_000).Draw(t, "w"), Height: rapid.IntRange(-1, 20_000).Draw(t, "h"), Data: "x"}
		b := call("view", `{"path":"a.png"}`, "", func(b *timeline.ToolCall) { b.Images = []timeline.Image{{Name: "no bytes"}, i} })
		if rapid.Bool().Draw(t, "sub-agent") {
			b.Agent = subagent("x", timeline.Done)
		}
		o := options(rapid.IntRange(1, 300).Draw(t, "width"), theme.Dark())
		o.Fold = render.Fold(rapid.IntRange(0, int(render.Hidden)).Draw(t, "fold"))
		e := entry(timeline.Done, 0, b)
		for _, held := range []*render.Images{nil, {}, {IDs: []uint32{0}}, {IDs: []uint32{id}}, {IDs: []uint32{0, 0, id}}} {
			if o.Images = held; len(inline(e, o)) > 0 {
				t.Fatalf("drawn with %+v", held)
			}
		}
		o.Images = &render.Images{IDs: []uint32{7, id}}
		check(t, e, o)
		got, cells := placeholders(t, inline(e, o))
		shown := render.ShownImages(e, o)
		if len(cells) == 0 {
			if len(shown) > 0 && shown[1].Rows > 0 {
				t.Fatal("not drawn")
			}
			return
		}
		p := shown[1]
		if got != id || p.Cols > 80 || p.Rows > 12 || len(cells) != p.Cols*p.Rows || o.Fold != render.Folded && o.Fold != render.Whole {
			t.Fatalf("image %d with %d cells as %+v, fold %d", got, len(cells), p, o.Fold)
		}
		for n, cell := range cells {
			if cell != [2]int{n / p.Cols, n % p.Cols} {
				t.Fatalf("cell %d is part %v", n, cell)
			}
		}
	})
}

// A prompt shows its images under its words, at any length.
func TestPromptImages(t *testing.T) {
	t.Parallel()
	var b bytes.Buffer
	if err := png.Encode(&b, image.NewGray(image.Rect(0, 0, 40, 40))); err != nil {
		t.Fatal(err)
	}
	attached := []session.Attachment{
		{Type: "file", Path: "a.go"},
		{Type: "blob", DisplayName: "dot.png", MIMEType: "image/png", Data: base64.StdEncoding.EncodeToString(b.Bytes())},
	}
	for _, text := range []string{"look", strings.Repeat("long\n", 40)} {
		for fold, rows := range map[render.Fold]int{render.Line: 0, render.Folded: 2, render.Whole: 2} {
			o := options(80, theme.Dark())
			o.Fold, o.Images = fold, &render.Images{IDs: []uint32{0x506101}}
			e := entry(timeline.Done, 0, &timeline.Prompt{Text: text, Attachments: attached})
			lines := drawn(render.NewCache(1000), e, o)
			if id, cells := placeholders(t, inline(e, o)); len(cells) != 4*rows || rows > 0 && id != 0x506101 {
				t.Errorf("fold %d: image %x in %d cells", fold, id, len(cells))
			}
			if rows > 0 && !strings.Contains(ansi.Strip(lines[len(lines)-rows-1]), "dot.png") {
				t.Errorf("fold %d: not under its name: %q", fold, lines)
			}
			if !render.HasImages(e) {
				t.Error("no image")
			}
		}
	}
}

// TestAnswerImages: an image in an answer is under the line that refers to it.
func TestAnswerImages(t *testing.T) {
	t.Parallel()
	var b bytes.Buffer
	if err := png.Encode(&b, image.NewGray(image.Rect(0, 0, 40, 40))); err != nil {
		t.Fatal(err)
	}
	l := timeline.New()
	l.Apply(session.Event{ID: "1", Body: session.AssistantMessage{
		MessageID: "m", Content: "(image, image/png)", Attachments: []session.Attachment{
			{Type: "blob", MIMEType: "image/png", Data: base64.StdEncoding.EncodeToString(b.Bytes())},
			{Type: "blob", MIMEType: "audio/wav", Data: "AAAA"},
		},
	}})
	e := l.At(l.Len() - 1)
	o := options(80, theme.Dark())
	o.Images = &render.Images{IDs: []uint32{0x506101}}
	if id, cells := placeholders(t, inline(e, o)); id != 0x506101 || len(cells) != 4*2 {
		t.Errorf("image %x in %d cells:\n%s", id, len(cells), strings.Join(drawn(render.NewCache(1000), e, o), "\n"))
	}
	if files := timeline.Files(e); !render.HasImages(e) || len(files) != 2 || files[0].MIMEType != "image/png" || files[1].Data != "AAAA" {
		t.Errorf("it can be saved as %+v", files)
	}
}

// A text cannot make the terminal show an image in its place.
func TestNoForeignPlaceholders(t *testing.T) {
	t.Parallel()
	s := string(kitty.Placeholder) + string(kitty.Diacritic(0)) + string(kitty.Diacritic(1))
	for _, got := range []string{text.Sanitize(s), text.SanitizeShowHidden(s), text.SanitizeLine(s)} {
		if strings.ContainsRune(got, kitty.Placeholder) || !strings.Contains(got, "⟦U+10EEEE⟧") {
			t.Errorf("%q", got)
		}
	}
	for name, b := range bodies(s) {
		for _, l := range drawn(render.NewCache(1000), entry(timeline.Done, 0, b), options(80, theme.Dark())) {
			if strings.ContainsRune(l, kitty.Placeholder) {
				t.Errorf("%s: %q", name, l)
			}
		}
	}
}
