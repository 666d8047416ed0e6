package files

import (
	"bytes"
	"errors"
	"image"
	"image/color"
	"image/gif"
	"image/jpeg"
	"image/png"
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"parley/session/sessiontest"
)

// encoded is an image of a size in a format; of WebP it is the header alone,
// in its three forms (RFC 9649).
func encoded(t testing.TB, format string, width, height int) []byte {
	t.Helper()
	img := image.NewPaletted(image.Rect(0, 0, width, height), color.Palette{color.Black, color.White})
	var b bytes.Buffer
	var err error
	w, h := width-1, height-1
	switch format {
	case "png":
		err = png.Encode(&b, img)
	case "jpeg":
		err = jpeg.Encode(&b, img, nil)
	case "gif":
		err = gif.Encode(&b, img, nil)
	case "webp VP8X":
		b.WriteString("RIFF\x00\x00\x00\x00WEBPVP8X\x0a\x00\x00\x00\x00\x00\x00\x00")
		b.Write([]byte{byte(w), byte(w >> 8), byte(w >> 16), byte(h), byte(h >> 8), byte(h >> 16)})
	case "webp VP8L":
		bits := uint32(w) | uint32(h)<<14
		b.WriteString("RIFF\x00\x00\x00\x00WEBPVP8L\x00\x00\x00\x00\x2f")
		b.Write([]byte{byte(bits), byte(bits >> 8), byte(bits >> 16), byte(bits >> 24), 0, 0, 0, 0, 0})
	case "webp VP8":
		b.WriteString("RIFF\x00\x00\x00\x00WEBPVP8 \x00\x00\x00\x00\x00\x00\x00\x9d\x01\x2a")
		b.Write([]byte{byte(width), byte(width >> 8), byte(height), byte(height >> 8)})
	}
	if err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func TestImageSize(t *testing.T) {
	t.Parallel()
	for format, mime := range map[string]string{
		"png": "image/png", "jpeg": "image/jpeg", "gif": "image/gif",
		"webp VP8X": "image/webp", "webp VP8L": "image/webp", "webp VP8": "image/webp",
	} {
		data := encoded(t, format, 640, 48)
		got, width, height, err := ImageSize(bytes.NewReader(data))
		if err != nil || got != mime || width != 640 || height != 48 {
			t.Errorf("%s: %s, %dx%d, %v", format, got, width, height, err)
		}
		for _, n := range []int{0, 1, 11} {
			if _, _, _, err := ImageSize(bytes.NewReader(data[:n])); err == nil {
				t.Errorf("%s: %d bytes are an image", format, n)
			}
		}
	}
	if _, _, _, err := ImageSize(bytes.NewReader(bytes.Repeat([]byte("text "), 100))); err == nil {
		t.Error("a text is an image")
	}
}

func FuzzImageSize(f *testing.F) {
	for _, format := range []string{"png", "jpeg", "gif", "webp VP8X", "webp VP8L", "webp VP8"} {
		f.Add(encoded(f, format, 3, 4))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		if mime, width, height, err := ImageSize(bytes.NewReader(data)); err == nil && (mime == "" || width < 0 || height < 0) {
			t.Errorf("%s, %dx%d", mime, width, height)
		}
	})
}

func TestDescribe(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	shot := encoded(t, "png", 800, 600)
	write(t, dir, "notes.txt=hello", "shot.dat="+string(shot), "folder/a", "empty.png")
	at := func(name string) string { return filepath.Join(dir, name) }
	all := map[string]Description{
		"notes.txt": {Path: at("notes.txt"), Kind: File, Size: 5},
		"shot.dat":  {Path: at("shot.dat"), Kind: Image, Size: int64(len(shot)), MIME: "image/png", Width: 800, Height: 600},
		"folder":    {Path: at("folder"), Kind: Folder},
		"empty.png": {Path: at("empty.png"), Kind: File},
	}
	if runtime.GOOS != "windows" { // where a user makes no links
		if err := os.Symlink("shot.dat", at("link")); err != nil {
			t.Fatal(err)
		}
		all["link"] = Description{Path: at("link"), Kind: Image, Size: int64(len(shot)), MIME: "image/png", Width: 800, Height: 600}
	}
	for name, want := range all {
		if got, err := Describe(at(name)); err != nil || got != want {
			t.Errorf("%s: %+v, %v", name, got, err)
		}
		if folder, ok := Stat(at(name)); !ok || folder != (want.Kind == Folder) {
			t.Errorf("%s: folder %v, there %v", name, folder, ok)
		}
	}
}

func TestDescribeWhatCannotBeAttached(t *testing.T) {
	t.Parallel()
	if _, err := Describe(filepath.Join(t.TempDir(), "nowhere")); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("nothing: %v", err)
	}
	if _, ok := Stat(filepath.Join(t.TempDir(), "nowhere")); ok {
		t.Error("what is not there can be attached")
	}
	sessiontest.UnixOnly(t, "pipes in folders")
	pipe := filepath.Join(t.TempDir(), "pipe")
	if err := sessiontest.Mkfifo(pipe); err != nil {
		t.Fatal(err)
	}
	if _, err := Describe(pipe); err == nil {
		t.Error("a pipe is described")
	}
	if data := readStart(pipe, 10); data != nil {
		t.Errorf("a pipe holds %q", data)
	}
	if _, ok := Stat(pipe); ok {
		t.Error("a pipe can be attached")
	}
}

func TestAbsolute(t *testing.T) {
	t.Parallel()
	drive := filepath.FromSlash("/")
	if filepath.Separator == '\\' {
		drive = `C:\`
	}
	whole := func(path string) string { return drive + filepath.FromSlash(path) }
	for path, want := range map[string]string{
		"~/a": whole("home/ada/a"), "~": whole("home/ada"), "a/../b": whole("src/b"), "/x/./y": whole("x/y"), "~a": whole("src/~a"),
		filepath.FromSlash("~/a"): whole("home/ada/a"), whole("x/./y"): whole("x/y"), "a\x00": "", "\xff": "",
	} {
		if got, ok := Absolute(path, whole("src"), whole("home/ada")); got != want || ok != (want != "") {
			t.Errorf("%q: %q, %v", path, got, ok)
		}
	}
	if _, ok := Absolute("~/a", "/src", ""); ok {
		t.Error("there is no home")
	}
}
