package sessiontest

import (
	"fmt"
	"image/color"
	"regexp"
	"strings"
	"unicode"

	"github.com/charmbracelet/x/ansi"
	"github.com/charmbracelet/x/vt"
)

// Guard is a terminal that notes everything a text does to it apart from showing
// characters in colours: its title and icon, the clipboard, the palette, modes,
// the cursor's shape and visibility, the scroll region, a bell, a query.
type Guard struct {
	emu   *vt.Emulator
	found []string
}

// NewGuard returns a terminal of a size.
func NewGuard(width, height int) *Guard {
	g := &Guard{emu: vt.NewEmulator(max(1, width), max(1, height))}
	g.emu.SetCallbacks(vt.Callbacks{
		Bell:             func() { g.note("a bell") },
		Title:            func(s string) { g.note("the title %q", s) },
		IconName:         func(s string) { g.note("the icon %q", s) },
		AltScreen:        func(bool) { g.note("the alternate screen") },
		CursorVisibility: func(bool) { g.note("the cursor's visibility") },
		CursorStyle:      func(vt.CursorStyle, bool) { g.note("the cursor's shape") },
		CursorColor:      func(color.Color) { g.note("the cursor's colour") },
		BackgroundColor:  func(color.Color) { g.note("the background") },
		ForegroundColor:  func(color.Color) { g.note("the foreground") },
		WorkingDirectory: func(string) { g.note("the working directory") },
		EnableMode:       func(m ansi.Mode) { g.note("mode %d on", m.Mode()) },
		DisableMode:      func(m ansi.Mode) { g.note("mode %d off", m.Mode()) },
	})
	for _, command := range []int{4, 5, 9, 10, 11, 12, 17, 19, 50, 52, 104, 105, 110, 111, 112, 133, 777, 1337} {
		g.emu.RegisterOscHandler(command, func([]byte) bool { g.note("OSC %d", command); return true })
	}
	for _, final := range "rtncuspJKHfABCDEFGLMPST@Xd" {
		g.emu.RegisterCsiHandler(int(final), func(ansi.Params) bool { g.note("CSI %c", final); return true })
	}
	g.emu.RegisterDcsHandler('q', func(ansi.Params, []byte) bool { g.note("an image"); return true })
	g.emu.RegisterApcHandler(func([]byte) bool { g.note("APC"); return true })
	g.emu.RegisterSosHandler(func([]byte) bool { g.note("SOS"); return true })
	g.emu.RegisterPmHandler(func([]byte) bool { g.note("PM"); return true })
	return g
}

func (g *Guard) note(format string, args ...any) {
	g.found = append(g.found, fmt.Sprintf(format, args...))
}

// style and link are the sequences that a frame may have: colours and such, and
// the start and the end of a hyperlink.
var (
	style = regexp.MustCompile(`\x1b\[[0-9;:]*m`)
	link  = regexp.MustCompile(`\x1b\]8;[!-:<-~]*;([!-~]*)\x1b\\`)
)

// Draw shows a frame, whose lines end with LF, from the terminal's first line,
// and returns what else it did; "" is nothing. A frame that holds any
// control character but LF, in styles and in links is refused without showing it.
func (g *Guard) Draw(frame string) string {
	for line := range strings.Lines(frame) {
		links := link.FindAllStringSubmatch(line, -1)
		if n := len(links); n > 0 && links[n-1][1] != "" {
			return fmt.Sprintf("a link that does not end with its line: %q", line)
		}
	}
	bare := link.ReplaceAllString(style.ReplaceAllString(frame, ""), "")
	if i := strings.IndexFunc(bare, func(r rune) bool { return r != '\n' && unicode.IsControl(r) }); i >= 0 {
		return fmt.Sprintf("a control character in %q", bare[max(0, i-40):min(len(bare), i+40)])
	}
	if strings.ToValidUTF8(bare, "") != bare {
		return fmt.Sprintf("bytes that are no text in %q", bare)
	}
	g.found = nil
	_, _ = g.emu.WriteString("\r" + strings.ReplaceAll(frame, "\n", "\r\n") + "\x1b[m")
	return strings.Join(g.found, ", ")
}

// Title gives the terminal a title, as a window does, and returns what else it did.
func (g *Guard) Title(title string) string {
	if strings.ContainsFunc(title, unicode.IsControl) || strings.ToValidUTF8(title, "") != title {
		return fmt.Sprintf("a title that is no text: %q", title)
	}
	if strings.Contains(title, "\x9c") {
		return "" // part of a character, which this emulator takes for the end of the title
	}
	g.found = nil
	_, _ = g.emu.WriteString(ansi.SetWindowTitle(title))
	want := []string{fmt.Sprintf("the icon %q", title), fmt.Sprintf("the title %q", title)}
	var others []string
	for _, f := range g.found {
		if f != want[0] && f != want[1] {
			others = append(others, f)
		}
	}
	return strings.Join(others, ", ")
}
