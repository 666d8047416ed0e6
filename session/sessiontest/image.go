package sessiontest

import (
	"bytes"
	"encoding/base64"
	"image"
	"image/color"
	"image/gif"
	"image/jpeg"
	"image/png"
	"testing"
)

// Image is an image of w by h pixels in base64.
func Image(t testing.TB, format string, w, h int) string {
	t.Helper()
	img := image.NewPaletted(image.Rect(0, 0, w, h), color.Palette{color.Black, color.RGBA{0xff, 0, 0, 0xff}})
	for i := range img.Pix {
		img.Pix[i] = uint8(i % 2)
	}
	var b bytes.Buffer
	err := map[string]func() error{
		"png":  func() error { return png.Encode(&b, img) },
		"jpeg": func() error { return jpeg.Encode(&b, img, nil) },
		"gif":  func() error { return gif.Encode(&b, img, nil) },
	}[format]()
	if err != nil {
		t.Fatal(err)
	}
	return base64.StdEncoding.EncodeToString(b.Bytes())
}
