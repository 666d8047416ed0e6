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
