package sessiontest_test

import (
	"strings"
	"testing"

	"parley/session"
	"parley/session/sessiontest"
)

// The guard sees each thing that a text could do to a terminal, and says
// nothing about text in colours.
func TestGuardSees(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		"\x07", "\x1b]0;x\x07", "\x1b]52;c;AAAA\x07", "\x1b[?25l", "\u009b31m", "\r", "\b", "\x7f", "\xff", "\x1b[6n", "\x1b_Gx\x1b\\", "\x1bc", "\x1b]8;;x\x07",
	} {
		if sessiontest.NewGuard(20, 5).Draw("safe "+text+" safe") == "" {
			t.Errorf("%q was not noticed", text)
		}
	}
	if got := sessiontest.NewGuard(20, 5).Draw("plain\n\x1b[1;38;2;1;2;3mbold\x1b[m 日本語\n"); got != "" {
		t.Errorf("a coloured text: %s", got)
	}
	if sessiontest.NewGuard(20, 5).Title("a\x07b") == "" || sessiontest.NewGuard(20, 5).Title("a – b") != "" {
		t.Error("titles are not distinguished")
	}
}

// Texts repeat with their seed, and a spoiled body keeps what links it.
func TestHostileTexts(t *testing.T) {
	t.Parallel()
	a, b := sessiontest.NewHostile(1), sessiontest.NewHostile(1)
	dangerous := 0
	for range 1000 {
		text := a.Text()
		if text != b.Text() {
			t.Fatal("the same seed makes other texts")
		}
		if strings.ContainsAny(text, "\x1b\x07\r\u009b\u202e") {
			dangerous++
		}
	}
	if dangerous < 500 || a.Made != 1000 {
		t.Errorf("%d of %d texts are dangerous", dangerous, a.Made)
	}
	start, ok := a.Spoil(session.ToolExecutionStart{ToolCallID: "call-1", ToolName: "bash"}).(session.ToolExecutionStart)
	if !ok || start.ToolCallID != "call-1" || len(start.Arguments) == 0 {
		t.Errorf("%+v", start)
	}
}
