package render

import (
	"fmt"
	"math"
	"strings"

	"github.com/charmbracelet/x/ansi/kitty"

	"parley/render/text"
	"parley/timeline"
)

// Placeholder is the letter in whose place the terminal draws a part of an
// image (kitty graphics protocol, Unicode placeholders). The colour of the cell
// says of which.
const Placeholder = kitty.Placeholder

// Images are the numbers under which the terminal has the images of an
// entry, in the order of ShownImages; 0 is one it has not. It is part of
// Options, and so never changes.
type Images struct{ IDs []uint32 }

// Image is an image of an entry and the cells that it is shown in.
type Image struct {
	Data       string // base64, as it came
	Cols, Rows int    // 0 where its size in pixels is not known: it is not shown
}

// What an image may take at most, and what a cell is taken for in pixels. An
// image is never shown larger than it is.
const (
	maxImageCols = 80
	maxImageRows = 12
	cellWidth    = 10
	cellHeight   = 2 * cellWidth
)

// HasImages reports whether an entry may have images.
func HasImages(e *timeline.Entry) bool {
	switch b := e.Body.(type) {
	case *timeline.Prompt:
		return len(b.Attachments) > 0
	case *timeline.Message:
		return len(b.Attachments) > 0
	case *timeline.ToolCall:
		return len(b.Images) > 0
	}
	return false
}

// ShownImages are the images that may be shown of an entry, in their order.
func ShownImages(e *timeline.Entry, o Options) []Image {
	if f := shownAs(e, o.Fold); f == Line || f == Hidden {
		return nil
	}
	width := max(0, o.Width-imageIndent(e, o))
	var list []Image
	for _, i := range timeline.Images(e) {
		cols, rows := FitImage(i.Width, i.Height, min(width, maxImageCols), maxImageRows)
		if i.Data == "" {
			cols, rows = 0, 0
		}
		list = append(list, Image{i.Data, cols, rows})
	}
	return list
}

// imageIndent is where the images of an entry begin.
func imageIndent(e *timeline.Entry, o Options) int {
	if _, ok := e.Body.(*timeline.ToolCall); ok {
		return text.Nested(o.Width)
	}
	return text.Margin(o.Width)
}

// FitImage is how many cells an image of a size in pixels takes where so many are
// free; none where that is nothing one could see.
func FitImage(w, h, mostCols, mostRows int) (cols, rows int) {
	if w <= 0 || h <= 0 || mostCols < 1 || mostRows < 1 {
		return 0, 0
	}
	c, r := float64(w)/cellWidth, float64(h)/cellHeight
	scale := min(1, float64(mostCols)/c, float64(mostRows)/r)
	fit := func(n float64, most int) int { return max(1, min(most, int(math.Round(n*scale)))) }
	return fit(c, mostCols), fit(r, mostRows)
}

// ImageRow draws the cells in which the terminal shows a row of an image that it has
// (kitty graphics protocol, Unicode placeholders: the colour of a cell says which image
// it shows, its marks which part). Each cell says all of it, so that any of them may be
// drawn alone.
func ImageRow(id uint32, row, cols int) string {
	var b strings.Builder
	fmt.Fprintf(&b, "\x1b[38;2;%d;%d;%dm", id>>16&0xff, id>>8&0xff, id&0xff)
	for col := range cols {
		b.WriteRune(kitty.Placeholder)
		b.WriteRune(kitty.Diacritic(row))
		b.WriteRune(kitty.Diacritic(col))
	}
	b.WriteString("\x1b[39m")
	return b.String()
}

// drawInline draws the images that the terminal has under the line that names them.
func drawInline(e *timeline.Entry, o Options) []string {
	if o.Images == nil {
		return nil
	}
	var lines []string
	for i, p := range ShownImages(e, o) {
		if i >= len(o.Images.IDs) || o.Images.IDs[i] == 0 {
			continue
		}
		for row := range p.Rows {
			lines = append(lines, text.Spaces(imageIndent(e, o))+ImageRow(o.Images.IDs[i], row, p.Cols))
		}
	}
	return lines
}
