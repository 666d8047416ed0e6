package terminal

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"parley/session/sessiontest"
	"parley/settings"
)

func TestMayShowImages(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		env  string
		want bool
	}{
		{"TERM=xterm-kitty KITTY_WINDOW_ID=1 COLORTERM=truecolor", true},
		{"TERM=xterm-kitty", true}, // over SSH
		{"TERM=xterm-256color KITTY_WINDOW_ID=1 COLORTERM=truecolor", true},
		{"TERM=xterm-ghostty TERM_PROGRAM=ghostty COLORTERM=truecolor", true},
		{"TERM=xterm-256color TERM_PROGRAM=ghostty COLORTERM=truecolor", true},
		{"TERM=xterm-256color COLORTERM=truecolor", false},
		{"", false},
		{"TERM=xterm-256color KITTY_WINDOW_ID=1", false},                                         // 256 colours
		{"TERM=xterm-256color KITTY_WINDOW_ID=1 COLORTERM=truecolor TERM_PROGRAM=vscode", false}, // started from kitty
		{"TERM=xterm-kitty COLORTERM=truecolor NO_COLOR=1", false},
		{"TERM=xterm-kitty COLORTERM=truecolor TMUX=/tmp/t,1,0", false},
		{"TERM=xterm-kitty COLORTERM=truecolor ZELLIJ=0", false},
		{"TERM=screen-256color KITTY_WINDOW_ID=1 COLORTERM=truecolor STY=1", false},
	} {
		if got := (Environment{Vars: strings.Fields(c.env), Prefer: settings.Defaults().Terminal}).MayShowImages(); got != c.want {
			t.Errorf("%s: %t", c.env, got)
		}
		if (Environment{Vars: strings.Fields(c.env)}).MayShowImages() {
			t.Errorf("%s: though it is switched off", c.env)
		}
	}
	for name, want := range map[string]bool{
		"kitty(0.26.5)": false, "kitty(0.28.0)": true, "kitty(0.42.1)": true, "kitty(1.0.0)": true, "kitty()": false,
		"ghostty 1.0.1": true, "ghostty 1.3.0-main+0a1b2c": true, "ghostty ": false,
		"XTerm(390)": false, "WezTerm 20240203": false, "tmux 3.5": false, "": false,
	} {
		if got := ShowsImages(name); got != want {
			t.Errorf("%s: %t", name, got)
		}
	}
}

// ours are the sequences of graphics that are ever written, with their payload.
var ours = regexp.MustCompile(`\x1b_G((?:[a-zA-Z]=[a-zA-Z0-9]+,?)+)(?:;([A-Za-z0-9+/=]*))?\x1b\\`)

// received reads what a terminal is sent for one image. It fails for anything
// else in it, and for what the terminal would answer.
func received(t rapid.TB, sequence string) (img image.Image, placed string) {
	var data strings.Builder
	for _, m := range ours.FindAllStringSubmatch(sequence, -1) {
		if !strings.Contains(m[1], "q=2") {
			t.Fatalf("the terminal answers %q", m[1])
		}
		if len(m[2]) > 4096 {
			t.Fatalf("a part of %d bytes", len(m[2]))
		}
		data.WriteString(m[2])
		placed = m[1]
	}
	if rest := ours.ReplaceAllString(sequence, ""); rest != "" {
		t.Fatalf("other output: %.80q", rest)
	}
	raw, err := base64.StdEncoding.DecodeString(data.String())
	if err != nil {
		t.Fatal(err)
	}
	if img, err = png.Decode(bytes.NewReader(raw)); err != nil {
		t.Fatal(err)
	}
	return img, placed
}

func TestSendImage(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		format           string
		w, h, cols, rows int
		wantW, wantH     int
	}{
		{"png", 16, 16, 2, 1, 16, 16}, // as it is
		{"jpeg", 640, 480, 32, 12, 640, 480},
		{"gif", 2000, 1000, 48, 12, 960, 480}, // no larger than can be seen
		{"png", 3000, 10, 80, 1, 1600, 5},
		{"png", 10, 9000, 1, 12, 1, 480},
	} {
		got, err := SendImage(sessiontest.Image(t, c.format, c.w, c.h), 3, c.cols, c.rows)
		if err != nil {
			t.Errorf("%+v: %v", c, err)
			continue
		}
		img, placed := received(t, got)
		if size := img.Bounds().Size(); size != (image.Point{c.wantW, c.wantH}) {
			t.Errorf("%+v: sent with %v pixels", c, size)
		}
		if want := fmt.Sprintf("a=p,U=1,q=2,i=%d,p=1,c=%d,r=%d", 0x506104, c.cols, c.rows); placed != want {
			t.Errorf("placed %s, want %s", placed, want)
		}
		if !strings.HasPrefix(got, DeleteImage(3)) || strings.Count(got, "i=5267716") != 3 {
			t.Errorf("%.200q", got)
		}
	}
}

// An image that is smaller than it was is the mean of what it was.
func TestShrink(t *testing.T) {
	t.Parallel()
	raw, err := base64.StdEncoding.DecodeString(sessiontest.Image(t, "png", 200, 100))
	if err != nil {
		t.Fatal(err)
	}
	img, err := png.Decode(bytes.NewReader(raw))
	if err != nil {
		t.Fatal(err)
	}
	got := shrink(img, 100, 1000)
	if got.Bounds().Size() != (image.Point{100, 50}) {
		t.Fatalf("%v", got.Bounds())
	}
	for x := range 100 {
		if c := got.At(x, x/2); c != (color.RGBA{0x7f, 0, 0, 0xff}) {
			t.Fatalf("pixel %d is %v", x, c)
		}
	}
}

// What is no image, or one that takes too much, is refused before it takes it.
func TestRefusedImages(t *testing.T) {
	t.Parallel()
	whole := sessiontest.Image(t, "png", 300, 300)
	raw, _ := base64.StdEncoding.DecodeString(whole)
	bomb := bytes.Clone(raw)
	copy(bomb[16:24], []byte{0, 1, 0, 0, 0, 1, 0, 0}) // 65,536 by 65,536
	for name, data := range map[string]string{
		"nothing": "", "no base64": "\x1b]0;x\a", "text": base64.StdEncoding.EncodeToString([]byte("\x1b_Ga=T;AAAA\x1b\\")),
		"half": whole[:len(whole)/8*4], "bomb": base64.StdEncoding.EncodeToString(bomb),
		"long": strings.Repeat("A", 30<<20),
	} {
		if got, err := SendImage(data, 0, 10, 10); err == nil {
			t.Errorf("%s: %.80q", name, got)
		}
	}
}

// Whatever the bytes are: only an image of ours gets to the terminal.
func TestSentImagesAreOurs(t *testing.T) {
	t.Parallel()
	images := [][]byte{}
	for _, format := range []string{"png", "jpeg", "gif"} {
		raw, _ := base64.StdEncoding.DecodeString(sessiontest.Image(t, format, 40, 30))
		images = append(images, raw)
	}
	rapid.Check(t, func(t *rapid.T) {
		b := bytes.Clone(rapid.SampledFrom(images).Draw(t, "image"))
		for range rapid.IntRange(0, 4).Draw(t, "changes") {
			b[rapid.IntRange(0, len(b)-1).Draw(t, "at")] = rapid.Byte().Draw(t, "byte")
		}
		b = append(b, rapid.SliceOf(rapid.Byte()).Draw(t, "behind")...)
		if got, err := SendImage(base64.StdEncoding.EncodeToString(b), rapid.IntRange(0, MostImages-1).Draw(t, "slot"), 4, 2); err == nil {
			received(t, got)
		}
	})
}

// Images go to the alternate screen only: what comes before it is entered
// waits for that, and before it is left they are deleted, once, if there are any.
// Reports of dark and light come while it is there.
func TestTidy(t *testing.T) {
	t.Parallel()
	const enter, leave = "\x1b[?1049h", "\x1b[?1049l"
	var all strings.Builder
	for slot := range MostImages {
		all.WriteString(DeleteImage(slot))
	}
	one, other := PlaceImage(0, 1, 1), DeleteImage(1)
	for _, c := range []struct{ name, written, want string }{
		{"none", "a" + enter + "|frame|b" + leave + "c", "a" + enter + "|frame|b" + leave + "c"},
		{"one", enter + "|" + one + "|frame|last" + leave + "c|after", enter + "|" + one + "|frame|last" + all.String() + leave + "c|after"},
		{"left twice", enter + "|" + one + "|" + leave + "|" + enter + "|" + leave, enter + "|" + one + "|" + all.String() + leave + "|" + enter + "|" + leave},
		{"early", "a" + one + "b" + other + "|" + enter + "frame|x" + leave, "ab|" + enter + one + other + "frame|x" + all.String() + leave},
		{"too late", enter + "|" + leave + "|" + one + "|" + leave, enter + "|" + leave + "||" + leave},
	} {
		file, err := os.Create(filepath.Join(t.TempDir(), "out"))
		if err != nil {
			t.Fatal(err)
		}
		out := &Output{File: file, filter: func(p []byte) []byte { return p }, rows: unchangedRows{size: func() (int, int) { return 0, 0 }}}
		for p := range strings.SplitSeq(c.written, "|") {
			if n, err := out.Write([]byte(p)); n != len(p) || err != nil {
				t.Fatal(n, err)
			}
		}
		got, err := os.ReadFile(file.Name())
		want := strings.NewReplacer("|", "", enter, enter+"\x1b[?2031h", all.String()+leave, "\x1b[?2031l"+all.String()+leave, leave, "\x1b[?2031l"+leave).Replace(c.want)
		if string(got) != want || err != nil {
			t.Errorf("%s: %q, want %q (%v)", c.name, got, want, err)
		}
		_ = file.Close()
	}
}
