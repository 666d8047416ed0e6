package e2e

import (
	"maps"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"parley/cli/clitest"
)

// allOff are settings that leave everything of the terminal's to the terminal,
// each by one line.
const allOff = `mouse.wheel = false
mouse.click = false
mouse.select = false
notify.approval = "off"
notify.question = "off"
notify.done = "off"
notify.error = "off"
terminal.title = false
terminal.progress = false
terminal.pictures = false
terminal.links = false
`

var (
	oscCommand = regexp.MustCompile(`\x1b\](\d+)(;4;\d)?`)
	mouseMode  = regexp.MustCompile(`\x1b\[\?(?:9|100[0-3]|1005|1006|101[56])h`)
)

// uses are what a program did to the terminal other than drawing: its OSC commands
// by number, the mouse, the bell, the name it asked for to show images.
func uses(raw string) []string {
	found := map[string]bool{}
	for _, m := range oscCommand.FindAllStringSubmatch(raw, -1) {
		switch {
		case m[2] != "" && m[1] == "9":
			found["progress"] = true
		default:
			found["OSC "+m[1]] = true
		}
	}
	delete(found, "OSC 11") // asks for the background
	found["mouse"] = mouseMode.MatchString(raw)
	found["bell"] = strings.Contains(withoutOSC(strings.ReplaceAll(raw, "\x1b\\", "\a")), "\a")
	found["name"] = strings.Contains(raw, ansi.RequestNameVersion)
	found["images"] = strings.Contains(raw, "\x1b_G")
	maps.DeleteFunc(found, func(_ string, is bool) bool { return !is })
	return slices.Sorted(maps.Keys(found))
}

// TestQuietTerminal: with everything off the window does nothing to the terminal but
// draw, except for what the user asks for.
func TestQuietTerminal(t *testing.T) {
	t.Parallel()
	home := t.TempDir()
	clitest.Folder(t, filepath.Join(home, ".config/parley"))
	clitest.Put(t, filepath.Join(home, ".config/parley/settings.toml"), allOff)
	s := demoWindow(t, launch{home: home, env: []string{ghostty, "TERM=xterm-ghostty"}})
	s.press("blur")
	s.send("huge 1\r")
	s.wait("That is all.", textReady)
	s.send("/copy\r")
	s.written(0, "\x1b]52;c;")
	s.send("write\r")
	s.wait(textOnce)
	if got := strings.Join(uses(s.raw()), ", "); got != "OSC 52" {
		t.Errorf("the window used %q", got)
	}
}
