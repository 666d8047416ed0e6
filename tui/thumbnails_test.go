package tui

import (
	"encoding/base64"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi/kitty"

	"parley/history/drafts"
	"parley/session"
	"parley/session/sessiontest"
	"parley/terminal"
)

// thumbnail is what gives the terminal a thumbnail of an image of 640 by 400 pixels.
func thumbnail(slot int) []string { return sentAs(slot, 13, 4) }

// The thumbnail of an image in the draft stands directly above it from when the terminal
// has it until the chip is gone, and is not sent again when it comes back.
func TestThumbnail(t *testing.T) {
	t.Parallel()
	sc := kittyTerminal(t)
	sc.editFile(0, 3)
	sc.pasteImage("shot.png", 640, 400)
	sc.wantGraphics("pasted", thumbnail(0)...)
	shown := func(what string, cells int) {
		t.Helper()
		if n := sc.inPlace(); n != cells {
			t.Errorf("%s: %d cells, want %d", what, n, cells)
		}
		sc.wantGraphics(what)
	}
	shown("pasted", 52)
	lines := sc.screen()
	for i, line := range lines {
		if strings.ContainsRune(line, kitty.Placeholder) != (i >= 18 && i < 22) {
			t.Errorf("line %d is %q", i, line)
		}
	}
	if !strings.Contains(lines[17], "──") || !strings.HasPrefix(lines[22], "❯ [shot.png 640x400") {
		t.Errorf("around it are %q and %q", lines[17], lines[22])
	}
	if c := sc.m.View().Cursor; c == nil || c.Y != 22 {
		t.Errorf("the cursor is at %+v", c)
	}
	sc.step("type", "see")
	sc.wait(time.Minute)
	shown("typed", 52)
	sc.step("key", "ctrl+x d")
	shown("beneath the viewer", 0)
	sc.step("key", "esc")
	shown("after the viewer", 52)
	sc.step("key", "ctrl+x /")
	sc.step("type", "search")
	sc.step("key", "enter")
	shown("searching", 0)
	sc.step("key", "esc")
	shown("after the search", 52)
	sc.step("key", "backspace backspace backspace backspace")
	shown("beside the chip", 52)
	sc.step("key", "backspace")
	shown("deleted", 0)
	sc.step("key", "ctrl+_")
	shown("undone", 52)
	sc.step("key", "ctrl+s")
	shown("stashed", 0)
	sc.step("key", "ctrl+s")
	shown("taken back", 52)
	sc.m.win.Front.Reset()
	sc.say(numbered(0))
	shown("another session with the same draft", 52)
	sc.input(tea.ResumeMsg{})
	sc.wantGraphics("resumed", thumbnail(0)...)
	shown("resumed", 52)
	sc.step("key", "enter")
	shown("sent", 0)
}

// The draft of another tab has no thumbnails here.
func TestThumbnailsOfTabs(t *testing.T) {
	t.Parallel()
	sc, _ := sideBySide(t, 2, asKitty)
	sc.update(kittyVersion)
	sc.pasteImage("shot.png", 640, 400)
	sc.wantGraphics("pasted", thumbnail(0)...)
	for _, want := range []int{52, 0, 52} {
		if n := sc.inPlace(); n != want {
			t.Errorf("%d cells, want %d", n, want)
		}
		sc.step("key", "ctrl+x left")
	}
	sc.wantGraphics("to the other and back")
}

// The image of a chip that holds it has a thumbnail, too.
func TestThumbnailOfABlob(t *testing.T) {
	t.Parallel()
	sc := kittyTerminal(t)
	blob := session.Attachment{Type: "blob", DisplayName: "image-1.png", MIMEType: "image/png", Data: sessiontest.Image(t, "png", 640, 400)}
	sc.m.win.Front.Draft.SetDraft(drafts.Draft{Chips: []drafts.Chip{{Attachment: &blob, Width: 640, Height: 400}}})
	sc.step("type", "a")
	sc.wantGraphics("pasted", thumbnail(0)...)
	if n := sc.inPlace(); n != 52 {
		t.Errorf("%d cells", n)
	}
}

// Thumbnails are lower in a low window, and there are none where the timeline needs the
// room.
func TestThumbnailsBySize(t *testing.T) {
	t.Parallel()
	sc := kittyTerminal(t)
	sc.pasteImage("shot.png", 640, 400)
	sc.graphics()
	for _, c := range []struct{ height, cols, rows int }{
		{50, 13, 4}, {24, 13, 4}, {23, 10, 3}, {20, 10, 3}, {19, 0, 0}, {6, 0, 0}, {40, 13, 4},
	} {
		sc.size(80, c.height)
		if n := sc.inPlace(); n != c.cols*c.rows {
			t.Errorf("%d lines: %d cells, want %d by %d", c.height, n, c.cols, c.rows)
		}
		for _, g := range sc.graphics() {
			if !strings.HasPrefix(g, "a=p,") {
				t.Errorf("%d lines: %s", c.height, g)
			}
		}
	}
	sc.size(80, 24)
	for i := range 14 {
		sc.step("todo", fmt.Sprintf("pending number %d", i))
	}
	sc.say(asking("p", "go test ./..."))
	sc.wait(time.Second)
	if sc.inPlace() != 0 && sc.m.display.View.Layout.Timeline.Height < 6 {
		t.Errorf("thumbnails, and %d lines of the timeline", sc.m.display.View.Layout.Timeline.Height)
	}
	sc.size(20, 24)
	sc.pasteImage("wide.png", 4000, 200)
	sc.inPlace()
	fits(t, sc.m.View().Content, 20, 24)
}

// Thumbnails stand side by side in the order of the chips, as many as fit. What cannot be
// decoded has none, and takes no room.
func TestThumbnailsBeside(t *testing.T) {
	t.Parallel()
	sc := kittyTerminal(t)
	broken, err := base64.StdEncoding.DecodeString(sessiontest.Image(t, "png", 600, 400))
	if err != nil {
		t.Fatal(err)
	}
	sc.pasteFile("broken.png", broken[:len(broken)/2])
	sc.pasteImage("wide.png", 4000, 400) // 24 by 1
	sc.pasteImage("dot.png", 8, 8)       // 1 by 1
	sc.pasteImage("shot.png", 640, 400)  // 13 by 4
	sc.pasteImage("wide2.png", 200, 40)  // 20 by 2
	sc.pasteImage("high.png", 400, 4000) // 1 by 4, in the 17 columns that are left
	sc.pasteImage("more.png", 640, 400)  // 13 by 4, and one more than there is room for
	sc.pasteImage("tiny.png", 8, 8)      // behind one that does not fit
	sc.wantGraphics("pasted", slices.Concat(sentAs(0, 24, 1), sentAs(1, 1, 1), thumbnail(2), sentAs(3, 20, 2), sentAs(4, 1, 4), thumbnail(5))...)
	if n := sc.inPlace(); n != 24+1+52+40+4+52 {
		t.Errorf("%d cells", n)
	}
	rows := slices.DeleteFunc(sc.screen(), func(line string) bool { return !strings.ContainsRune(line, kitty.Placeholder) })
	for i, want := range []string{
		"  ######################## # ############# #################### # #############",
		"                             ############# #################### # #############",
		"                             #############                      # #############",
		"                             #############                      # #############",
	} {
		if got := blocks(rows[i]); got != want {
			t.Errorf("row %d is %q, want %q", i, got, want)
		}
	}
	fits(t, sc.m.View().Content, 80, 24)
	if found := sessiontest.NewGuard(80, 24).Draw(sc.m.View().Content); found != "" {
		t.Error(found)
	}
	sc.step("key", "ctrl+a delete delete delete")
	sc.graphics()
	if n := sc.inPlace(); n != 1+52+40+4+52+1 {
		t.Errorf("%d cells without the wide one", n)
	}
}

// However many thumbnails are wanted, the terminal holds a bounded number of images.
func TestThumbnailsAreBounded(t *testing.T) {
	t.Parallel()
	sc := kittyTerminal(t)
	sc.say(viewed(1, sessiontest.Image(t, "png", 20, 20))...)
	sc.graphics()
	for i := range terminal.MostImages + 3 {
		sc.pasteImage(fmt.Sprintf("%d.png", i), 8, 8)
	}
	if got := len(sc.graphics()); got != 3*(terminal.MostImages-1) {
		t.Errorf("%d sequences", got)
	}
	if n := sc.inPlace(); n != 2+terminal.MostImages-1 {
		t.Errorf("%d cells", n)
	}
}
