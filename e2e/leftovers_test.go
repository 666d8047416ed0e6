package e2e

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"parley/cli/process"
)

// endsWell waits for the end of a program that was left, and checks that nothing went
// wrong and nothing stays behind.
func (x *terminal) endsWell() {
	x.t.Helper()
	if code := x.exit(); code != process.ExitOK {
		x.t.Errorf("exit code %d", code)
	}
	x.checkRestored()
	x.checkAlone()
}

// checkRestored fails the test for every terminal mode that the ended program
// left on, and for a line discipline that is not as it was.
func (x *terminal) checkRestored() {
	x.t.Helper()
	x.checkModes()
	if x.left == nil || *x.left != *x.cooked {
		x.t.Errorf("the line discipline is %+v, was %+v", x.left, x.cooked)
	}
}

// checkModes fails the test for every terminal mode that is on now.
func (x *terminal) checkModes() {
	x.t.Helper()
	x.mu.Lock()
	defer x.mu.Unlock()
	for _, mode := range slices.SortedFunc(maps.Keys(x.modes), func(a, b ansi.Mode) int { return a.Mode() - b.Mode() }) {
		if on := x.modes[mode]; on != (mode == ansi.ModeTextCursorEnable || mode == ansi.ModeAutoWrap) {
			x.t.Errorf("mode %d was left %t", mode.Mode(), on)
		}
	}
	if x.emu.IsAltScreen() {
		x.t.Error("the alternate screen was left on")
	}
	if x.flags() != 0 || x.other != 0 {
		x.t.Errorf("keyboard modes were left on: kitty %v, modifyOtherKeys %d", x.kitty, x.other)
	}
}

// descendant is a running program.
type descendant struct {
	pid     int
	command string
}

// descendants are the processes that were started under this terminal, found
// by the environment they inherited.
func (x *terminal) descendants() []descendant {
	x.t.Helper()
	var found []descendant
	files, err := filepath.Glob("/proc/[0-9]*/environ")
	if err != nil {
		x.t.Fatal(err)
	}
	for _, f := range files {
		env, err := os.ReadFile(f)
		if err != nil || !slices.Contains(strings.Split(string(env), "\x00"), x.marker) {
			continue
		}
		pid, err := strconv.Atoi(filepath.Base(filepath.Dir(f)))
		line, lineErr := os.ReadFile(filepath.Join(filepath.Dir(f), "cmdline"))
		if err == nil && lineErr == nil && len(line) > 0 {
			found = append(found, descendant{pid, strings.ReplaceAll(string(line), "\x00", " ")})
		}
	}
	return found
}

// checkAlone fails the test when the program left a process behind.
func (x *terminal) checkAlone() {
	x.t.Helper()
	for _, p := range x.descendants() {
		x.t.Errorf("left behind: %d %s", p.pid, p.command)
	}
}
