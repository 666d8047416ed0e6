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
// gets a picture once, under a number, and shows it wherever cells of text have
// that number for a colour (sw.kovidgoyal.net/kitty/graphics-protocol). It is
// told to answer nothing (q=2).

const (
	// MostPictures bounds what the terminal holds.
	MostPictures = 16
	// firstPicture is the number of the first of them; as a colour no theme has it.
	firstPicture = 0x506101
	// pictureSource, picturePixels and pictureBytes bound a picture as it came, as it
	// is decoded, and as it is sent.
	pictureSource = 20 << 20
	picturePixels = 1 << 24
	pictureBytes  = 4 << 20
	// pictureCellWidth and pictureCellHeight are the most pixels of a cell that
	// are worth sending.
	pictureCellWidth, pictureCellHeight = 20, 40
)

// MayShowPictures reports whether the terminal may be one that shows pictures in
// cells. A multiplexer does not pass them on, and a colour must arrive as it is.
func (e Environment) MayShowPictures() bool {
	if !e.Prefer.Pictures || e.Get("NO_COLOR") != "" || e.Multiplexer() != "" ||
		colorprofile.Env(e.Vars) != colorprofile.TrueColor {
		return false
	}
	program, name := e.Get("TERM_PROGRAM"), e.Get("TERM")
	return name == "xterm-kitty" || name == "xterm-ghostty" || program == "ghostty" ||
		program == "" && e.Get("KITTY_WINDOW_ID") != ""
}

// ShowsPictures reports whether a terminal of this name and version (XTVERSION)
// shows pictures in cells: kitty since 0.28, which others in use are older than,
// and Ghostty.
func ShowsPictures(name string) bool {
	if version, ok := strings.CutPrefix(name, "kitty("); ok {
		return since(strings.TrimSuffix(version, ")"), 0, 28)
	}
	version, ok := strings.CutPrefix(name, "ghostty ")
	return ok && since(version, 1, 0)
}

// PictureID is the number of a picture in the terminal.
func PictureID(slot int) uint32 { return firstPicture + uint32(slot) }

// SendPicture is what gives the terminal a picture under a number, to be shown
// in so many cells. The picture is decoded and written anew: nothing of what
// came from elsewhere but its pixels gets to the terminal.
func SendPicture(data string, slot, cols, rows int) (string, error) {
	img, err := decodePicture(data)
	if err != nil {
		return "", err
	}
	img = shrink(img, cols*pictureCellWidth, rows*pictureCellHeight)
	var b strings.Builder
	b.WriteString(DeletePicture(slot))
	err = kitty.EncodeGraphics(&b, img, &kitty.Options{
		Action: kitty.Transmit, Transmission: kitty.Direct, Format: kitty.PNG, Chunk: true, Quiet: 2, ID: int(PictureID(slot)),
	})
	switch {
	case err != nil:
		return "", fmt.Errorf("encode the picture: %w", err)
	case b.Len() > pictureBytes:
		return "", fmt.Errorf("the picture takes %d bytes, more than %d", b.Len(), pictureBytes)
	}
	b.WriteString(PlacePicture(slot, cols, rows))
	return b.String(), nil
}

// PlacePicture says in how many cells a picture is shown.
func PlacePicture(slot, cols, rows int) string {
	return ansi.KittyGraphics(nil, "a=p", "U=1", "q=2", "i="+strconv.Itoa(int(PictureID(slot))), "p=1",
		"c="+strconv.Itoa(cols), "r="+strconv.Itoa(rows))
}

// DeletePicture makes the terminal forget a picture, if it has one.
func DeletePicture(slot int) string {
	return ansi.KittyGraphics(nil, "a=d", "d=I", "q=2", "i="+strconv.Itoa(int(PictureID(slot))))
}

// decodePicture decodes a picture of a size that can be afforded.
func decodePicture(data string) (image.Image, error) {
	if base64.StdEncoding.DecodedLen(len(data)) > pictureSource {
		return nil, fmt.Errorf("the picture takes more than %d MB", pictureSource>>20)
	}
	raw, err := base64.StdEncoding.DecodeString(data)
	if err != nil {
		return nil, fmt.Errorf("read the picture: %w", err)
	}
	size, _, err := image.DecodeConfig(bytes.NewReader(raw))
	if err != nil {
		return nil, fmt.Errorf("read the size of the picture: %w", err)
	}
	if size.Width <= 0 || size.Height <= 0 || size.Width > picturePixels/size.Height {
		return nil, fmt.Errorf("the picture has %d by %d pixels, more than are shown", size.Width, size.Height)
	}
	img, _, err := image.Decode(bytes.NewReader(raw))
	if err != nil {
		return nil, fmt.Errorf("decode the picture: %w", err)
	}
	return img, nil
}

// shrink returns a picture that fits into w by h pixels: each of its pixels is
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
