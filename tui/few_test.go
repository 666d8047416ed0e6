package tui

import (
	"bytes"
	"image/color"
	"regexp"
	"strings"
	"testing"

	"github.com/charmbracelet/colorprofile"
	"github.com/charmbracelet/x/ansi"

	"parley/session"
	"parley/session/sessiontest"
	"parley/tui/appearance"
)

// permissionSample is a question for the user.
const permissionSample = `{"type": "permission.requested", "data": {"requestId": "p1", "permissionRequest": {"kind": "shell", "toolCallId": "c1", "fullCommandText": "git push origin main", "intention": "Push the branch", "commands": [{"identifier": "git push", "readOnly": false}], "possiblePaths": [], "possibleUrls": [], "hasWriteFileRedirection": false, "canOfferSessionApproval": true}, "promptRequest": {"kind": "commands", "fullCommandText": "git push origin main", "intention": "Push the branch", "commandIdentifiers": ["git push"], "canOfferSessionApproval": true, "toolCallId": "c1"}}, "id": "e15", "timestamp": "2026-11-21T10:41:00.000Z", "parentId": null}`

// fewColours are terminals with less than all colours and letters.
var fewColours = map[string][]string{
	"no-colour": {"NO_COLOR=1"},
	"ansi16":    {"COLORTERM=", "TERM=xterm-color"},
	"ansi256":   {"COLORTERM="},
	"ascii":     {"NO_COLOR=1", "LANG=de_DE.ISO-8859-1"},
}

// fewScreens are screens with all that has a meaning by its colour elsewhere.
var fewScreens = []struct {
	name string
	do   func(sc *scenario)
}{
	{"conversation", func(*scenario) {}},
	{"block", func(sc *scenario) { sc.step("key", "alt+up alt+up") }},
	{"search", func(sc *scenario) { sc.step("key", "ctrl+f"); sc.step("type", "sleep") }},
	{"list", func(sc *scenario) { sc.step("type", "/model"); sc.step("key", "enter down") }},
	{"permission", func(sc *scenario) {
		sc.say(session.Decode([]byte(permissionSample)))
		sc.wait(appearance.AnswerTime)
	}},
}

// sgr is a sequence that sets how text looks.
var sgr = regexp.MustCompile(`\x1b\[([0-9;:]*)m`)

// TestFewColoursScreens: where a terminal has few colours, or none, or no letters
// beyond ASCII, every screen says what it says elsewhere. What is written to the
// terminal is in the goldens: text, and in braces the numbers of its look.
func TestFewColoursScreens(t *testing.T) {
	t.Parallel()
	whole := drawFew(t, nil)
	for name, env := range fewColours {
		var golden strings.Builder
		all := ""
		for i, screen := range drawFew(t, env) {
			all += screen + "\n"
			golden.WriteString("== " + fewScreens[i].name + "\n" + sgr.ReplaceAllString(screen, "{$1}") + "\n")
			if name == "ascii" {
				if strings.ContainsFunc(ansi.Strip(screen), func(r rune) bool { return r > 0x7e }) {
					t.Errorf("%s, %s: a letter that is not ASCII", name, fewScreens[i].name)
				}
				continue
			}
			if got, want := saidBy(screen), saidBy(whole[i]); got != want {
				t.Errorf("%s, %s: the text is another:\n%s\nwant\n%s", name, fewScreens[i].name, got, want)
			}
		}
		said := saidBy(all)
		for _, want := range []string{"failed", "FAIL queue", "42 + time.After", "y Yes, once", "n No, and say", "git push origin main", "esc later", "waiting for you"} {
			if !strings.Contains(said, want) {
				t.Errorf("%s: no %q", name, want)
			}
		}
		sessiontest.Golden(t, "tui/screens-"+name, golden.String())
	}
}

// saidBy is the text of a screen, without what stands around code.
func saidBy(screen string) string {
	return strings.Join(strings.Fields(strings.ReplaceAll(ansi.Strip(screen), "`", "")), " ")
}

// drawFew draws the screens as a terminal gets them.
func drawFew(t *testing.T, env []string) []string {
	t.Helper()
	var screens []string
	for _, screen := range fewScreens {
		sc := colourful(t, "auto", "", env...)
		sc.update(ground(color.Black))
		sc.size(90, 34)
		sc.say(sampleTurn()...)
		screen.do(sc)
		sc.wait(frameTime)
		var out bytes.Buffer
		w := colorprofile.Writer{Forward: &out, Profile: colorprofile.Env(sc.m.win.Config.Env)}
		_, _ = w.WriteString(sc.m.View().Content)
		var lines []string
		for l := range strings.SplitSeq(out.String(), "\n") {
			lines = append(lines, strings.TrimRight(l, " "))
		}
		screens = append(screens, strings.Join(lines, "\n"))
	}
	return screens
}
