package main

import (
	"fmt"
	"html"
	"image/color"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	uv "github.com/charmbracelet/ultraviolet"
	"github.com/charmbracelet/x/ansi"

	"parley/session/sessiontest/llm"
)

// The measures of a drawn screen, in pixels.
const (
	cellWidth  = 8.4
	cellHeight = 19.0
	screenEdge = 16.0
	titleBar   = 32.0
)

// picture draws the screen as an SVG. Each run of text is stretched to the
// width of its cells, so the picture is aligned in every font.
func (x *terminal) picture(title string) string {
	x.mu.Lock()
	defer x.mu.Unlock()
	width := float64(x.emu.Width())*cellWidth + 2*screenEdge
	height := float64(x.emu.Height())*cellHeight + 2*screenEdge + titleBar
	ground, ink := hex(x.emu.BackgroundColor()), hex(x.emu.ForegroundColor())
	var b strings.Builder
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" width="%.0f" height="%.0f" viewBox="0 0 %.0f %.0f" `, width, height, width, height)
	fmt.Fprintf(&b, `font-family="'JetBrains Mono','DejaVu Sans Mono',Menlo,Consolas,monospace" font-size="14">`+"\n")
	fmt.Fprintf(&b, `<rect width="%.0f" height="%.0f" rx="9" fill="%s"/>`+"\n", width, height, ground)
	fmt.Fprintf(&b, `<text x="%.0f" y="21" fill="%s" opacity="0.55" text-anchor="middle">%s</text>`+"\n", width/2, ink, html.EscapeString(title))
	for y := range x.emu.Height() {
		for col := 0; col < x.emu.Width(); {
			text, cells, style := x.run(col, y)
			drawRun(&b, text, cells, style, col, y, ground, ink)
			col += cells
		}
	}
	if shown, set := x.modes[ansi.ModeTextCursorEnable]; shown || !set {
		p := x.emu.CursorPosition()
		fmt.Fprintf(&b, `<rect x="%.1f" y="%.1f" width="%.1f" height="%.1f" fill="%s" opacity="0.6"/>`+"\n",
			screenEdge+float64(p.X)*cellWidth, titleBar+screenEdge+float64(p.Y)*cellHeight, cellWidth, cellHeight, ink)
	}
	b.WriteString("</svg>\n")
	return b.String()
}

// run is the text from a cell on that has one style. A wide character is a run
// of its own, so that it is stretched over its own cells.
func (x *terminal) run(col, y int) (text string, cells int, style uv.Style) {
	var b strings.Builder
	for at := col; at < x.emu.Width(); {
		c := x.emu.CellAt(at, y)
		if c == nil {
			c = &uv.Cell{Content: " ", Width: 1}
		}
		if at == col {
			style = c.Style
		}
		if at > col && (c.Width > 1 || !c.Style.Equal(&style)) {
			break
		}
		content := c.Content
		if content == "" {
			content = " "
		}
		b.WriteString(content)
		at += max(1, c.Width)
		cells = at - col
		if c.Width > 1 {
			break
		}
	}
	return b.String(), cells, style
}

func drawRun(b *strings.Builder, text string, cells int, style uv.Style, col, y int, ground, ink string) {
	fill, back := ink, ""
	if style.Fg != nil {
		fill = hex(style.Fg)
	}
	if style.Bg != nil {
		back = hex(style.Bg)
	}
	if style.Attrs&uv.AttrReverse != 0 {
		if back == "" {
			back = ground
		}
		fill, back = back, fill
	}
	left, top, wide := screenEdge+float64(col)*cellWidth, titleBar+screenEdge+float64(y)*cellHeight, float64(cells)*cellWidth
	if back != "" {
		fmt.Fprintf(b, `<rect x="%.1f" y="%.1f" width="%.1f" height="%.1f" fill="%s"/>`+"\n", left, top, wide, cellHeight, back)
	}
	if strings.TrimSpace(text) == "" {
		return
	}
	attributes := ""
	for attr, written := range map[uint8]string{uv.AttrBold: ` font-weight="bold"`, uv.AttrItalic: ` font-style="italic"`, uv.AttrFaint: ` opacity="0.6"`} {
		if style.Attrs&attr != 0 {
			attributes += written
		}
	}
	if style.Underline != 0 {
		attributes += ` text-decoration="underline"`
	}
	fmt.Fprintf(b, `<text x="%.1f" y="%.1f" fill="%s" textLength="%.1f" lengthAdjust="spacingAndGlyphs" xml:space="preserve"%s>%s</text>`+"\n",
		left, top+14, fill, wide, attributes, html.EscapeString(text))
}

func hex(c color.Color) string {
	r, g, b, _ := c.RGBA()
	return fmt.Sprintf("#%02x%02x%02x", r>>8, g>>8, b>>8)
}

// TestScreens plays the scenes of the README. With -update it writes the
// pictures; always it holds that a scene shows what its pictures are for.
func TestScreens(t *testing.T) {
	t.Parallel()
	for _, look := range []string{"dark", "light"} {
		for name, play := range map[string]func(t *testing.T, light bool) *stage{
			"chat": playScene, "change": playChange, "form": playForm, "plan": playPlan, "models": playModels,
		} {
			t.Run(name+" "+look, func(t *testing.T) {
				t.Parallel()
				s := play(t, look == "light")
				checkPicture(t, filepath.Join("testdata", "screens", name+"-"+look+".svg"), s.picture("parley"))
				if s.model != nil { // of the real agent nothing may stay behind
					s.card()
					s.press("esc")
					s.wait(textTyping)
					s.interrupt()
					s.leave()
				}
			})
		}
	}
}

// checkPicture writes a picture with -update, and holds that there is one.
func checkPicture(t *testing.T, path, picture string) {
	t.Helper()
	if updating() {
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(picture), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := os.Stat(path); err != nil {
		t.Errorf("%v (make docs writes it)", err)
	}
	if !strings.HasPrefix(picture, "<svg ") || strings.Count(picture, "<text ") < 20 {
		t.Errorf("not a picture of a full screen: %.200s", picture)
	}
}

// playDemo plays a scene of the demo up to a question that shows the texts.
func playDemo(t *testing.T, light bool, word string, texts ...string) *stage {
	t.Helper()
	l := launch{width: 100, height: 30, light: light, args: []string{"--agent", "demo"}}
	s := &stage{terminal: start(t, l), launch: l}
	s.wait(textReady)
	s.say(word)
	s.card(texts...)
	return s
}

// playForm shows a form with something filled in.
func playForm(t *testing.T, light bool) *stage {
	t.Helper()
	s := playDemo(t, light, "form", "What should the note be like?")
	s.press("tab")
	s.typed("Groceries")
	s.wait("Groceries")
	return s
}

// playModels shows the models that can be chosen.
func playModels(t *testing.T, light bool) *stage {
	t.Helper()
	l := launch{width: 100, height: 24, light: light, args: []string{"--agent", "demo"}}
	s := &stage{terminal: start(t, l), launch: l}
	s.started(textReady)
	s.press("ctrl+x", "l")
	s.wait("Demo Deep", "esc")
	s.press("down", "down", "right")
	s.wait("[xhigh]")
	return s
}

// playPlan shows a plan that waits for approval.
func playPlan(t *testing.T, light bool) *stage {
	t.Helper()
	return playDemo(t, light, "plan", "(recommended)")
}

// playChange shows a change that waits for approval.
func playChange(t *testing.T, light bool) *stage {
	t.Helper()
	return playToChange(t, light)
}

// playScene shows a turn with reasoning, an answer, tools and a question.
func playScene(t *testing.T, light bool) *stage {
	t.Helper()
	s := playToChange(t, light)
	s.press("y")
	s.card(textOnce, "-count=50")
	return s
}

// playToChange plays the turn up to the question whether the test may be
// changed.
func playToChange(t *testing.T, light bool) *stage {
	t.Helper()
	home := t.TempDir()
	dir := filepath.Join(home, "src", "queue")
	path := filepath.Join(dir, "worker_test.go")
	if err := os.MkdirAll(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.CommandContext(t.Context(), "git", "init", "-q", "-b", "fix-drain", dir).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	source := "package queue\n\nfunc TestDrain(t *testing.T) {\n\tw := start(t)\n\tw.Add(3)\n" +
		"\ttime.Sleep(50 * time.Millisecond)\n\tif n := w.Len(); n != 0 {\n\t\tt.Errorf(\"%d left\", n)\n\t}\n}\n"
	if err := os.WriteFile(path, []byte(source), 0o600); err != nil {
		t.Fatal(err)
	}
	view := llm.Call{Name: "view", Args: map[string]any{"path": path}}
	edit := llm.Call{Name: "edit", Args: map[string]any{
		"path": path, "old_str": "\ttime.Sleep(50 * time.Millisecond)\n", "new_str": "\t<-w.Drained()\n",
	}}
	s := play(t, llm.Script{"": {
		{
			Reasoning: "The test may be racing with the worker. I should read it first.",
			Text:      "The test sleeps instead of waiting for the worker. I will look at it, then make it wait.",
			Calls:     []llm.Call{view},
		},
		{Calls: []llm.Call{edit}},
		{
			Text: "The test now waits until the worker has **drained**. I will run it fifty times.",
			Calls: []llm.Call{{Name: "bash", Args: map[string]any{
				"command": "go test -run TestDrain -count=50 .", "description": "Run the test fifty times",
			}}},
		},
	}}, launch{
		width: 100, height: 38, light: light, home: home, dir: dir, env: []string{"COPILOT_MODEL=scripted"},
	})
	s.say("Fix the flaky test in this package and run it fifty times.")
	s.card(textOnce, "1 of 1")
	s.press("y")
	s.card(textOnce, "<-w.Drained()")
	return s
}
