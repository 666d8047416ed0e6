package e2e

import (
	"fmt"
	"strings"
	"testing"
)

// complaints records what a check finds wrong, instead of failing the test.
type complaints struct {
	testing.TB
	said []string
}

func (c *complaints) Error(args ...any) { c.said = append(c.said, fmt.Sprint(args...)) }

func (c *complaints) Errorf(format string, args ...any) {
	c.said = append(c.said, fmt.Sprintf(format, args...))
}

// TestDriverSeesTheScreen holds the driver to what a terminal does: wide
// characters, colours, the cursor, sizes, answers to queries, exit codes.
func TestDriverSeesTheScreen(t *testing.T) {
	t.Parallel()
	x := start(t, launch{width: 40, height: 5, program: "/bin/bash", args: []string{"--norc", "-c", `
		stty -echo -icanon min 1
		printf 'A\033[31mred\033[0m 漢字.'
		printf '\033[6n'; IFS= read -rd R position; printf '\n<%s>' "${position#*[}"
		read -rn1 key; printf '(%s)' "$key"
		read -rn1 key; stty size; stty sane; exit 7`}})
	x.wait("Ared 漢字.", "<1;11>")
	if red, plain := x.cellOf("red"), x.cellOf("A"); red.Style.Fg == nil || plain.Style.Fg != nil {
		t.Errorf("colours: %v and %v", red.Style.Fg, plain.Style.Fg)
	}
	x.press("k")
	x.wait("(k)")
	if col, row, visible := x.cursor(); col != 9 || row != 1 || !visible {
		t.Errorf("cursor at %d, %d, visible %t", col, row, visible)
	}
	x.resize(60, 9)
	x.press("enter")
	x.wait("9 60")
	if code := x.exit(); code != 7 {
		t.Errorf("exit code %d", code)
	}
	if !strings.Contains(x.raw(), "\x1b[31mred") {
		t.Errorf("raw output is %q", x.raw())
	}
}

// TestDriverFindsLeftovers holds the checks at a program's end to finding what
// they are for, and to being quiet about a tidy program.
func TestDriverFindsLeftovers(t *testing.T) {
	t.Parallel()
	untidy := start(t, launch{program: "/bin/bash", kitty: true, args: []string{"--norc", "-c", `
		printf '\033[?1049h\033[?25l\033[?1002h\033[>1u\033[>4;2m'; stty -echo; setsid sleep 1000 & until [ "$(cat /proc/$!/comm)" = sleep ]; do :; done`}})
	untidy.exit()
	c := &complaints{TB: t}
	untidy.t = c
	untidy.checkRestored()
	untidy.checkAlone()
	said := strings.Join(c.said, "\n")
	for _, want := range []string{"mode 1049", "mode 25", "mode 1002", "alternate screen", "kitty [1], modifyOtherKeys 2", "line discipline", "sleep 1000"} {
		if !strings.Contains(said, want) {
			t.Errorf("said nothing about %s:\n%s", want, said)
		}
	}
	tidy := start(t, launch{program: "/bin/bash", kitty: true, args: []string{"--norc", "-c", `
		printf '\033[?1049h\033[?25l\033[>1u\033[>4;2m'; printf '\033[>4;0m\033[<u\033[?25h\033[?1049l'`}})
	tidy.exit()
	tidy.checkRestored()
	tidy.checkAlone()
}
