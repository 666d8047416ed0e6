package files

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"image"
	_ "image/gif"  // header of GIF
	_ "image/jpeg" // header of JPEG
	_ "image/png"  // header of PNG
	"io"
	"io/fs"
	"os"
	"slices"
	"syscall"
)

// Kind is what a path leads to.
type Kind uint8

// The kinds that can be attached to a prompt.
const (
	File   Kind = iota // anything that is read as it is
	Folder             // a directory
	Image              // a PNG, JPEG, GIF or WebP
)

// Description is what is known of a path.
type Description struct {
	Path string // absolute; a symbolic link is the link itself
	Kind Kind
	Size int64 // bytes; of a folder 0
	// Of an image: its type, such as "image/png", and its size in pixels.
	MIME          string
	Width, Height int
}

// Describe looks at an absolute path. It fails when nothing is there, or what cannot be
// read to an end: a device, a pipe.
func Describe(path string) (Description, error) {
	info, err := os.Stat(path)
	if err != nil {
		return Description{}, fmt.Errorf("look at the file: %w", err)
	}
	d := Description{Path: path, Size: info.Size()}
	switch {
	case info.IsDir():
		d.Kind, d.Size = Folder, 0
		return d, nil
	case !info.Mode().IsRegular():
		return Description{}, fmt.Errorf("look at %s: not a file that can be read to its end", path)
	}
	if d.MIME, d.Width, d.Height, err = ImageSize(bytes.NewReader(readStart(path, maxImageHeader))); err == nil {
		d.Kind = Image
	}
	return d, nil
}

// Stat reports whether a path leads to something that can be attached, and
// whether that is a folder.
func Stat(path string) (folder, ok bool) {
	info, err := os.Stat(path)
	if err != nil {
		return false, false
	}
	return info.IsDir(), info.IsDir() || info.Mode().IsRegular()
}

// openRegular opens a file that has an end. It never waits for a pipe.
func openRegular(path string) (*os.File, error) {
	f, err := os.OpenFile(path, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return nil, err
	}
	if info, err := f.Stat(); err != nil || !info.Mode().IsRegular() {
		f.Close()
		return nil, errors.Join(err, &fs.PathError{Op: "read", Path: path, Err: fs.ErrInvalid})
	}
	return f, nil
}

// ReadText reads a file of at most so many bytes. It fails for a longer one, and for
// what has no end; it never waits for a pipe.
func ReadText(path string, most int64) (string, error) {
	f, err := openRegular(path)
	if err != nil {
		return "", fmt.Errorf("read the file: %w", err)
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, most+1))
	switch {
	case err != nil:
		return "", fmt.Errorf("read the file: %w", err)
	case int64(len(text)) > most:
		return "", fmt.Errorf("read the file: it has more than %d bytes", most)
	}
	return string(text), nil
}

// maxImageHeader is how far into a file the size of an image may stand, in
// bytes: a JPEG may have large notes before it.
const maxImageHeader = 1 << 20

// ImageSize reads the type of an image, such as "image/png", and its size in
// pixels from its header. It fails for all but PNG, JPEG, GIF and WebP.
func ImageSize(r io.Reader) (mime string, width, height int, err error) {
	head := make([]byte, webpHeader)
	n, err := io.ReadFull(r, head)
	if err != nil && !errors.Is(err, io.ErrUnexpectedEOF) {
		return "", 0, 0, fmt.Errorf("read an image: %w", err)
	}
	if width, height, ok := webpSize(head[:n]); ok {
		return "image/webp", width, height, nil
	}
	config, format, err := image.DecodeConfig(io.MultiReader(bytes.NewReader(head[:n]), r))
	if err == nil && !slices.Contains([]string{"png", "jpeg", "gif"}, format) {
		err = image.ErrFormat
	}
	if err != nil {
		return "", 0, 0, fmt.Errorf("read an image: %w", err)
	}
	return "image/" + format, config.Width, config.Height, nil
}

// webpHeader is how many bytes of a WebP file hold its size.
const webpHeader = 30

// webpSize reads the size of a WebP image (RFC 9649, section 2).
func webpSize(b []byte) (width, height int, ok bool) {
	if len(b) < webpHeader || string(b[:4]) != "RIFF" || string(b[8:12]) != "WEBP" {
		return 0, 0, false
	}
	b = b[12:]
	switch data := b[8:]; string(b[:4]) {
	case "VP8X":
		size := func(b []byte) int { return 1 + int(b[0]) + int(b[1])<<8 + int(b[2])<<16 }
		return size(data[4:]), size(data[7:]), true
	case "VP8L":
		bits := binary.LittleEndian.Uint32(data[1:])
		return 1 + int(bits&0x3fff), 1 + int(bits>>14&0x3fff), data[0] == 0x2f
	case "VP8 ":
		size := func(b []byte) int { return int(binary.LittleEndian.Uint16(b)) & 0x3fff }
		return size(data[6:]), size(data[8:]), bytes.HasPrefix(data[3:], []byte{0x9d, 0x01, 0x2a})
	}
	return 0, 0, false
}
