package tui

import (
	"encoding/base64"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
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
	"parley/theme"
	"parley/tui/conversation"
)

// kittyTerminal is a window in a terminal that shows images.
func kittyTerminal(t *testing.T) *scenario {
	t.Helper()
	sc := newScenario(t, asKitty)
	sc.m.win.Theme, sc.m.win.Front.Pane.Opts.Theme = theme.Dark(), theme.Dark()
	sc.update(kittyVersion)
	return sc
}

// asKitty is the configuration in a terminal that shows images.
func asKitty(c *Config) { c.Env = []string{"TERM=xterm-kitty", "COLORTERM=truecolor"} }

// kittyVersion is the name that the terminal says then.
var kittyVersion = tea.TerminalVersionMsg{Name: "kitty(0.42.1)"}

// viewed is a call that showed the model an image.
func viewed(n int, data string) []session.Event {
	id := session.CallID(fmt.Sprintf("c%d", n))
	return []session.Event{
		{ID: session.EventID(fmt.Sprintf("s%d", n)), Body: session.ToolExecutionStart{ToolCallID: id, ToolName: "view", Arguments: []byte(`{"path":"a.png"}`)}},
		{ID: session.EventID(fmt.Sprintf("e%d", n)), Body: session.ToolExecutionComplete{ToolCallID: id, Success: true, Result: &session.ToolResult{
			Content: "seen", BinaryResultsForLLM: []session.BinaryResult{{Type: "image", MIMEType: "image/png", Data: data}},
		}}},
	}
}

// pasteImage pastes the path of an image of a size in pixels.
func (sc *scenario) pasteImage(name string, w, h int) {
	sc.t.Helper()
	data, err := base64.StdEncoding.DecodeString(sessiontest.Image(sc.t, "png", w, h))
	if err != nil {
		sc.t.Fatal(err)
	}
	sc.pasteFile(name, data)
}

// pasteFile pastes the path of a file with some content.
func (sc *scenario) pasteFile(name string, data []byte) {
	sc.t.Helper()
	path := filepath.Join(sc.t.TempDir(), name)
	if err := os.WriteFile(path, data, 0o600); err != nil {
		sc.t.Fatal(err)
	}
	sc.input(tea.PasteMsg{Content: path})
}

// blocks is a line with # for each cell of an image.
func blocks(line string) string {
	return regexp.MustCompile(string(kitty.Placeholder)+`\pM*`).ReplaceAllString(line, "#")
}

// graphicsSequence is a sequence of graphics that is ever written.
var graphicsSequence = regexp.MustCompile(`\x1b_G((?:[a-zA-Z]=[a-zA-Z0-9]+,?)+)(?:;([A-Za-z0-9+/=]*))?\x1b\\`)

// graphics are the sequences of graphics that were written since it was asked
// last, each without its payload. Nothing else may have been written.
func (sc *scenario) graphics() []string {
	sc.t.Helper()
	sc.wait(5 * terminal.MostImages * frameTime)
	var found []string
	for _, c := range sc.s.calls {
		var sequence string
		if n, _ := fmt.Sscanf(c, "terminal %q", &sequence); n == 0 {
			continue
		}
		for _, m := range graphicsSequence.FindAllStringSubmatch(sequence, -1) {
			found = append(found, m[1])
		}
		if rest := graphicsSequence.ReplaceAllString(sequence, ""); rest != "" {
			sc.t.Errorf("other output: %q", rest)
		}
	}
	sc.s.calls = nil
	return found
}

// inPlace is how many cells of an image are on the screen.
func (sc *scenario) inPlace() int {
	sc.wait(frameTime)
	return strings.Count(sc.m.View().Content, string(kitty.Placeholder))
}

// sentAs is what gives the terminal an image.
func sentAs(slot, cols, rows int) []string {
	id := terminal.ImageID(slot)
	return []string{
		fmt.Sprintf("a=d,d=I,q=2,i=%d", id), fmt.Sprintf("f=100,q=2,i=%d", id), fmt.Sprintf("a=p,U=1,q=2,i=%d,p=1,c=%d,r=%d", id, cols, rows),
	}
}

func (sc *scenario) wantGraphics(what string, want ...string) {
	sc.t.Helper()
	if got := sc.graphics(); !slices.Equal(got, want) {
		sc.t.Errorf("%s: %q, want %q", what, got, want)
	}
}

// An image is sent once, when it comes into view, whatever is scrolled, typed
// or said then; it is placed anew when it is shown in other cells, sent again
// after something else had the terminal, and deleted with its session.
func TestImagesAreSentOnce(t *testing.T) {
	t.Parallel()
	sc := kittyTerminal(t)
	sc.say(viewed(1, sessiontest.Image(t, "png", 200, 100))...)
	sc.wantGraphics("an image", sentAs(0, 20, 5)...)
	if n := sc.inPlace(); n != 100 {
		t.Errorf("%d cells", n)
	}
	for range 3 {
		sc.input(tea.MouseWheelMsg{Button: tea.MouseWheelUp})
		sc.step("key", "pgup pgdown a backspace")
	}
	for i := range 60 {
		sc.say(numbered(i))
	}
	if sc.inPlace() != 0 {
		t.Error("it is still in view")
	}
	sc.step("key", "ctrl+home")
	sc.inPlace()
	sc.wait(time.Minute)
	sc.wantGraphics("scrolling")
	if n := sc.inPlace(); n != 100 {
		t.Errorf("%d cells after scrolling", n)
	}
	sc.size(20, 24)
	sc.wantGraphics("narrow", fmt.Sprintf("a=p,U=1,q=2,i=%d,p=1,c=17,r=4", terminal.ImageID(0)))
	sc.size(80, 24)
	sc.wantGraphics("wide", sentAs(0, 20, 5)[2])
	sc.input(tea.ResumeMsg{})
	if sc.inPlace() != 0 && len(sc.s.calls) == 0 {
		t.Error("cells of an image that is gone")
	}
	sc.wantGraphics("resumed", sentAs(0, 20, 5)...)
	sc.update(conversation.ReturnedMsg{At: sc.at, Edition: &conversation.Edition{ReadOnly: true}})
	sc.wantGraphics("after the editor", sentAs(0, 20, 5)...)
	sc.m.win.Front.Reset()
	sc.say(numbered(0))
	sc.wantGraphics("another session", sentAs(0, 20, 5)[0])
}

// The terminal holds a bounded number of images: the one that was out of view
// for longest makes way, and is sent again when it is seen again.
func TestImagesAreBounded(t *testing.T) {
	t.Parallel()
	sc := kittyTerminal(t)
	for i := range terminal.MostImages + 3 {
		sc.say(viewed(i, sessiontest.Image(t, "png", 200+i, 300))...)
		if got := sc.graphics(); len(got) != 3 || got[0] != sentAs(i%terminal.MostImages, 1, 1)[0] {
			t.Fatalf("image %d: %q", i, got)
		}
	}
	sc.step("key", "ctrl+home")
	if got := sc.graphics(); len(got) == 0 {
		t.Error("the first image was not sent again")
	}
	if sc.inPlace() == 0 {
		t.Error("the first image is not shown")
	}
}

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

// Nothing of images reaches a terminal that is not known to show them, or
// where they are switched off, and what is no image reaches none.
func TestNoImages(t *testing.T) {
	t.Parallel()
	kitty := []string{"TERM=xterm-kitty", "COLORTERM=truecolor"}
	for name, c := range map[string]struct {
		env      []string
		off      bool
		terminal string
		data     string
	}{
		"another terminal": {[]string{"TERM=xterm-256color", "COLORTERM=truecolor"}, false, "kitty(0.42.1)", sessiontest.Image(t, "png", 20, 20)},
		"tmux":             {slices.Concat(kitty, []string{"TMUX=/tmp/t"}), false, "kitty(0.42.1)", sessiontest.Image(t, "png", 20, 20)},
		"no colours":       {slices.Concat(kitty, []string{"NO_COLOR=1"}), false, "kitty(0.42.1)", sessiontest.Image(t, "png", 20, 20)},
		"old kitty":        {kitty, false, "kitty(0.26.5)", sessiontest.Image(t, "png", 20, 20)},
		"no answer":        {kitty, false, "", sessiontest.Image(t, "png", 20, 20)},
		"switched off":     {kitty, true, "kitty(0.42.1)", sessiontest.Image(t, "png", 20, 20)},
		"half an image":    {kitty, false, "kitty(0.42.1)", sessiontest.Image(t, "png", 300, 300)[:100]},
		"no image":         {kitty, false, "kitty(0.42.1)", "\x1b_Ga=T;AAAA\x1b\\"},
	} {
		sc := newScenario(t, func(config *Config) { config.Env, config.Settings.Terminal.Pictures = c.env, !c.off })
		if c.terminal != "" {
			sc.update(tea.TerminalVersionMsg{Name: c.terminal})
		}
		sc.say(viewed(1, c.data)...)
		data, err := base64.StdEncoding.DecodeString(c.data)
		if err != nil {
			data = []byte(c.data)
		}
		sc.pasteFile("a.png", data)
		if got := sc.graphics(); len(got) != 0 || sc.inPlace() != 0 || strings.Contains(sc.m.View().Content, "\x1b_") {
			t.Errorf("%s: %q", name, got)
		}
		sc.contains("[image")
	}
}

// A screen with an image holds nothing but text and styles, whatever else is on
// it.
func TestImagesAmongHostileText(t *testing.T) {
	t.Parallel()
	h := sessiontest.NewHostile(3)
	for range 20 {
		sc := kittyTerminal(t)
		evs := viewed(1, sessiontest.Image(t, "png", 200, 100))
		done := evs[1].Body.(session.ToolExecutionComplete)
		done.Result.BinaryResultsForLLM[0].Description, done.Result.BinaryResultsForLLM[0].MIMEType = h.Text(), "image/"+h.Text()
		done.Result.Content = h.Text() + string(kitty.Placeholder)
		sc.say(evs...)
		sc.graphics()
		if sc.inPlace() != 100 {
			t.Errorf("%d cells", sc.inPlace())
		}
		if found := sessiontest.NewGuard(80, 24).Draw(sc.m.View().Content); found != "" {
			t.Error(found)
		}
	}
}
