package terminal

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"image"
	"image/draw"
	_ "image/gif"  // to decode
	_ "image/jpeg" // to decode
	"strconv"
	"strings"

	"github.com/charmbracelet/colorprofile"
	"github.com/charmbracelet/x/ansi"
	"github.com/charmbracelet/x/ansi/kitty"
)

// A terminal that speaks the kitty graphics protocol with Unicode placeholders
// gets an image once, under a number, and shows it wherever cells of text have
// that number for a colour (sw.kovidgoyal.net/kitty/graphics-protocol). It is
// asked to answer nothing (q=2).

const (
	// MostImages bounds what the terminal holds.
	MostImages = 16
	// firstImage is the number of the first of them; as a colour no theme has it.
	firstImage = 0x506101
	// imageSource, imagePixels and imageBytes bound an image as it came, as it
	// is decoded, and as it is sent.
	imageSource = 20 << 20
	imagePixels = 1 << 24
	imageBytes  = 4 << 20
	// imageCellWidth and imageCellHeight are the most pixels of a cell that
	// are worth sending.
	imageCellWidth, imageCellHeight = 20, 40
)

// MayShowImages reports whether the terminal may be one that shows images in
// cells. A multiplexer does not pass them on, and a colour must arrive as it is.
func (e Environment) MayShowImages() bool {
	if !e.Prefer.Pictures || e.Inline || e.Get("NO_COLOR") != "" || e.Multiplexer() != "" ||
		e.Colours() != colorprofile.TrueColor {
		return false
	}
	program, name := e.Get("TERM_PROGRAM"), e.Get("TERM")
	return name == "xterm-kitty" || name == "xterm-ghostty" || program == "ghostty" ||
		program == "" && e.Get("KITTY_WINDOW_ID") != ""
}

// ShowsImages reports whether a terminal of this name and version (XTVERSION)
// shows images in cells: kitty since 0.28, which others in use are older than,
// and Ghostty.
func ShowsImages(name string) bool {
	if version, ok := strings.CutPrefix(name, "kitty("); ok {
		return since(strings.TrimSuffix(version, ")"), 0, 28)
	}
	version, ok := strings.CutPrefix(name, "ghostty ")
	return ok && since(version, 1, 0)
}

// ImageID is the number of an image in the terminal.
func ImageID(slot int) uint32 { return firstImage + uint32(slot) }

// SendImage is what gives the terminal an image under a number, to be shown
// in so many cells. The image is decoded and written anew: nothing of what
// came from elsewhere but its pixels gets to the terminal.
func SendImage(data string, slot, cols, rows int) (string, error) {
	img, err := decodeImage(data)
	if err != nil {
		return "", err
	}
	img = shrink(img, cols*imageCellWidth, rows*imageCellHeight)
	var b strings.Builder
	b.WriteString(DeleteImage(slot))
	err = kitty.EncodeGraphics(&b, img, &kitty.Options{
		Action: kitty.Transmit, Transmission: kitty.Direct, Format: kitty.PNG, Chunk: true, Quiet: 2, ID: int(ImageID(slot)),
	})
	switch {
	case err != nil:
		return "", fmt.Errorf("encode the image: %w", err)
	case b.Len() > imageBytes:
		return "", fmt.Errorf("the image takes %d bytes, more than %d", b.Len(), imageBytes)
	}
	b.WriteString(PlaceImage(slot, cols, rows))
	return b.String(), nil
}

// PlaceImage says in how many cells an image is shown.
func PlaceImage(slot, cols, rows int) string {
	return ansi.KittyGraphics(nil, "a=p", "U=1", "q=2", "i="+strconv.Itoa(int(ImageID(slot))), "p=1",
		"c="+strconv.Itoa(cols), "r="+strconv.Itoa(rows))
}

// DeleteImage makes the terminal forget an image, if it has one.
func DeleteImage(slot int) string {
	return ansi.KittyGraphics(nil, "a=d", "d=I", "q=2", "i="+strconv.Itoa(int(ImageID(slot))))
}

// decodeImage decodes an image of a size that can be afforded.
func decodeImage(data string) (image.Image, error) {
	if base64.StdEncoding.DecodedLen(len(data)) > imageSource {
		return nil, fmt.Errorf("the image takes more than %d MB", imageSource>>20)
	}
	raw, err := base64.StdEncoding.DecodeString(data)
	if err != nil {
		return nil, fmt.Errorf("read the image: %w", err)
	}
	size, _, err := image.DecodeConfig(bytes.NewReader(raw))
	if err != nil {
		return nil, fmt.Errorf("read the size of the image: %w", err)
	}
	if size.Width <= 0 || size.Height <= 0 || size.Width > imagePixels/size.Height {
		return nil, fmt.Errorf("the image has %d by %d pixels, more than are shown", size.Width, size.Height)
	}
	img, _, err := image.Decode(bytes.NewReader(raw))
	if err != nil {
		return nil, fmt.Errorf("decode the image: %w", err)
	}
	return img, nil
}

// shrink returns an image that fits into w by h pixels: each of its pixels is
// the mean of those in its place.
func shrink(src image.Image, w, h int) image.Image {
	size := src.Bounds().Size()
	scale := min(float64(w)/float64(size.X), float64(h)/float64(size.Y))
	if scale >= 1 {
		return src
	}
	flat := image.NewRGBA(image.Rectangle{Max: size})
	draw.Draw(flat, flat.Rect, src, src.Bounds().Min, draw.Src)
	out := image.NewRGBA(image.Rect(0, 0, max(1, int(float64(size.X)*scale)), max(1, int(float64(size.Y)*scale))))
	part := func(i, n, of int) (from, to int) { return i * of / n, (i + 1) * of / n }
	for y := range out.Rect.Dy() {
		top, bottom := part(y, out.Rect.Dy(), size.Y)
		for x := range out.Rect.Dx() {
			left, right := part(x, out.Rect.Dx(), size.X)
			var sum [4]int
			for row := top; row < bottom; row++ {
				at := flat.PixOffset(left, row)
				for i, v := range flat.Pix[at : at+4*(right-left)] {
					sum[i%4] += int(v)
				}
			}
			for i, v := range sum {
				out.Pix[out.PixOffset(x, y)+i] = uint8(v / ((bottom - top) * (right - left)))
			}
		}
	}
	return out
}
