package e2e

import (
	"crypto/sha256"
	"flag"
	"fmt"
	"html"
	"image/color"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	uv "github.com/charmbracelet/ultraviolet"
	"github.com/charmbracelet/x/ansi"

	"parley/cli/clitest"
)

// The measures of a drawn screen, in pixels.
const (
	cellWidth  = 8.4
	cellHeight = 19.0
	screenEdge = 16.0
	titleBar   = 32.0
)

// picture draws the screen as an SVG. Each run of text is stretched to the
// width of its cells, so the picture is aligned in every font.
func (x *terminal) picture(title string) string {
	x.mu.Lock()
	defer x.mu.Unlock()
	var b strings.Builder
	b.WriteString(x.pictureHead())
	b.WriteString(x.titleOf(title))
	for y := range x.emu.Height() {
		b.WriteString(x.drawRow(y, titleBar+screenEdge+float64(y)*cellHeight))
	}
	b.WriteString(x.drawCursor())
	b.WriteString("</svg>\n")
	return b.String()
}

// size is that of a picture of the screen, in pixels.
func (x *terminal) size() (width, height float64) {
	return float64(x.emu.Width())*cellWidth + 2*screenEdge, float64(x.emu.Height())*cellHeight + 2*screenEdge + titleBar
}

// pictureHead begins a picture of the screen: its size, its font and its ground.
func (x *terminal) pictureHead() string {
	width, height := x.size()
	return fmt.Sprintf(`<svg xmlns="http://www.w3.org/2000/svg" width="%.0f" height="%.0f" viewBox="0 0 %.0f %.0f" `, width, height, width, height) +
		`font-family="'JetBrains Mono','DejaVu Sans Mono',Menlo,Consolas,monospace" font-size="14">` + "\n" +
		fmt.Sprintf(`<rect width="%.0f" height="%.0f" rx="9" fill="%s"/>`+"\n", width, height, hex(x.emu.BackgroundColor()))
}

// titleOf draws the title of the terminal's window.
func (x *terminal) titleOf(title string) string {
	width, _ := x.size()
	return fmt.Sprintf(`<text x="%.0f" y="21" fill="%s" opacity="0.55" text-anchor="middle">%s</text>`+"\n",
		width/2, hex(x.emu.ForegroundColor()), html.EscapeString(title))
}

// drawRow draws a row of the screen; the caller holds mu.
func (x *terminal) drawRow(y int, top float64) string {
	var b strings.Builder
	for col := 0; col < x.emu.Width(); {
		text, cells, style := x.run(col, y)
		drawRun(&b, text, cells, style, col, top, hex(x.emu.BackgroundColor()), hex(x.emu.ForegroundColor()))
		col += cells
	}
	return b.String()
}

// drawCursor draws the cursor where it is shown; the caller holds mu.
func (x *terminal) drawCursor() string {
	if shown, set := x.modes[ansi.ModeTextCursorEnable]; set && !shown {
		return ""
	}
	p := x.emu.CursorPosition()
	return fmt.Sprintf(`<rect x="%.1f" y="%.1f" width="%.1f" height="%.1f" fill="%s" opacity="0.6"/>`+"\n",
		screenEdge+float64(p.X)*cellWidth, titleBar+screenEdge+float64(p.Y)*cellHeight, cellWidth, cellHeight, hex(x.emu.ForegroundColor()))
}

// run is the text from a cell on that has one style. A wide character is a run
// of its own, so that it is stretched over its own cells.
func (x *terminal) run(col, y int) (text string, cells int, style uv.Style) {
	var b strings.Builder
	for at := col; at < x.emu.Width(); {
		c := x.emu.CellAt(at, y)
		if c == nil {
			c = &uv.Cell{Content: " ", Width: 1}
		}
		if at == col {
			style = c.Style
		}
		if at > col && (c.Width > 1 || !c.Style.Equal(&style)) {
			break
		}
		content := c.Content
		if content == "" {
			content = " "
		}
		b.WriteString(content)
		at += max(1, c.Width)
		cells = at - col
		if c.Width > 1 {
			break
		}
	}
	return b.String(), cells, style
}

func drawRun(b *strings.Builder, text string, cells int, style uv.Style, col int, top float64, ground, ink string) {
	fill, back := ink, ""
	if style.Fg != nil {
		fill = hex(style.Fg)
	}
	if style.Bg != nil {
		back = hex(style.Bg)
	}
	if style.Attrs&uv.AttrReverse != 0 {
		if back == "" {
			back = ground
		}
		fill, back = back, fill
	}
	left, wide := screenEdge+float64(col)*cellWidth, float64(cells)*cellWidth
	if back != "" {
		fmt.Fprintf(b, `<rect x="%.1f" y="%.1f" width="%.1f" height="%.1f" fill="%s"/>`+"\n", left, top, wide, cellHeight, back)
	}
	if strings.TrimSpace(text) == "" {
		return
	}
	attributes := ""
	for attr, written := range map[uint8]string{uv.AttrBold: ` font-weight="bold"`, uv.AttrItalic: ` font-style="italic"`, uv.AttrFaint: ` opacity="0.6"`} {
		if style.Attrs&attr != 0 {
			attributes += written
		}
	}
	if style.Underline != 0 {
		attributes += ` text-decoration="underline"`
	}
	fmt.Fprintf(b, `<text x="%.1f" y="%.1f" fill="%s" textLength="%.1f" lengthAdjust="spacingAndGlyphs" xml:space="preserve"%s>%s</text>`+"\n",
		left, top+14, fill, wide, attributes, html.EscapeString(text))
}

func hex(c color.Color) string {
	r, g, b, _ := c.RGBA()
	return fmt.Sprintf("#%02x%02x%02x", r>>8, g>>8, b>>8)
}

// screens is the folder of the pictures.
const screens = "testdata/screens"

// maxPicture is how many bytes a picture may have, so that a page is there at once.
const maxPicture = 500_000

// drawnFrom is what a picture says of what it was drawn from: the checksum of the source
// of its scene.
func drawnFrom(t *testing.T, name string) string {
	t.Helper()
	file := "e2e/scenes_test.go"
	if name == storyName {
		file = "e2e/story_test.go"
	}
	source, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return fmt.Sprintf("<!-- scenes %.8x -->\n", sha256.Sum256(source))
}

// TestScreenshots compares the pictures of the documents with the scenes that they were
// drawn from. With -update it plays the scenes and draws them.
func TestScreenshots(t *testing.T) {
	t.Parallel()
	if flag.Lookup("update").Value.String() == "true" {
		drawScenes(t)
		return
	}
	checkPictures(t)
}

// drawScenes plays the scenes in a terminal, and writes the picture of each.
func drawScenes(t *testing.T) {
	t.Helper()
	for name, play := range scenes {
		for _, look := range looks {
			t.Run(name+" "+look, func(t *testing.T) {
				t.Parallel()
				s := play(t, look == "light")
				clitest.Put(t, filepath.Join(screens, name+"-"+look+".svg"), s.picture("parley")+drawnFrom(t, name))
				if s.model != nil { // of the real agent nothing may stay behind
					s.card()
					s.press("esc")
					s.wait(textTyping)
					s.interrupt()
					s.leave()
				}
			})
		}
	}
	for _, look := range looks {
		t.Run(storyName+" "+look, func(t *testing.T) {
			t.Parallel()
			story := playStory(t, look == "light")
			clitest.Put(t, filepath.Join(screens, storyName+"-"+look+".svg"), story.movingPicture()+drawnFrom(t, storyName))
			story.leave()
		})
	}
}

// checkPictures holds that there is a full picture of each scene, drawn from the
// scene as it is, and that the documents show these and no others.
func checkPictures(t *testing.T) {
	t.Helper()
	var want []string
	sources := map[string]string{}
	for _, name := range append(slices.Collect(maps.Keys(scenes)), storyName) {
		for _, look := range looks {
			path := screens + "/" + name + "-" + look + ".svg"
			want, sources[path] = append(want, path), drawnFrom(t, name)
		}
	}
	slices.Sort(want)
	var shown []string
	for _, name := range userPages(t) {
		document, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		shown = append(shown, regexp.MustCompile(screens+`/[\w-]+\.svg`).FindAllString(string(document), -1)...)
	}
	slices.Sort(shown)
	if shown = slices.Compact(shown); !slices.Equal(shown, want) {
		t.Errorf("the documents show %q, and the scenes are %q", shown, want)
	}
	for _, path := range want {
		picture, err := os.ReadFile(path)
		text := string(picture)
		if len(text) > maxPicture {
			t.Errorf("%s has %d bytes, and may have %d", path, len(text), maxPicture)
		}
		if !strings.HasPrefix(text, "<svg ") || strings.Count(text, "<text ") < 20 || !strings.HasSuffix(text, sources[path]) {
			t.Errorf("%s is not a picture of a full screen, drawn from the scenes as they are: make docs draws it (%v)", path, err)
		}
	}
}
