package copilot_test

import (
	"bytes"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
)

// left waits until check finds nothing, for what is killed takes a moment to
// end, and returns what it finds at last.
func left(check func() []string) []string {
	deadline := time.After(10 * time.Second)
	tick := time.NewTicker(5 * time.Millisecond)
	defer tick.Stop()
	for {
		found := check()
		if len(found) == 0 {
			return nil
		}
		select {
		case <-tick.C:
		case <-deadline:
			return found
		}
	}
}

// gone checks that a process and its group have ended.
func gone(t *testing.T, pid int) {
	t.Helper()
	found := left(func() []string { return processes(t, func(p proc) bool { return p.group == pid }) })
	if len(found) > 0 {
		t.Errorf("of the process group %d are left:\n%s", pid, strings.Join(found, "\n"))
	}
}

// proc is a process that runs.
type proc struct {
	pid, group int
	command    string
	env        []string
}

// processes describes those that match. Zombies, which may never be waited
// for, do not count.
func processes(t *testing.T, match func(proc) bool) []string {
	t.Helper()
	if runtime.GOOS != "linux" {
		t.Skip("processes are listed on Linux only: NOT TESTED")
	}
	dirs, err := filepath.Glob("/proc/[0-9]*")
	if err != nil {
		t.Fatal(err)
	}
	var found []string
	for _, dir := range dirs {
		stat, err := os.ReadFile(filepath.Join(dir, "stat"))
		if err != nil {
			continue // it has just ended
		}
		// pid (command) state parent group; the command may hold anything
		after := strings.Fields(string(stat[bytes.LastIndexByte(stat, ')')+1:]))
		if after[0] == "Z" || after[0] == "X" {
			continue
		}
		env, _ := os.ReadFile(filepath.Join(dir, "environ"))
		line, _ := os.ReadFile(filepath.Join(dir, "cmdline"))
		p := proc{command: strings.ReplaceAll(string(line), "\x00", " "), env: strings.Split(string(env), "\x00")}
		p.pid, _ = strconv.Atoi(filepath.Base(dir))
		p.group, _ = strconv.Atoi(after[2])
		if match(p) {
			found = append(found, string(stat)+p.command)
		}
	}
	return found
}

// ofHome matches the processes that a runtime with that state directory started.
func ofHome(home string) func(proc) bool {
	return func(p proc) bool { return slices.Contains(p.env, "COPILOT_HOME="+home) }
}

// goroutines are those in this package's code, without tests that wait for
// their turn.
func goroutines() []string {
	buf := make([]byte, 1<<20)
	buf = buf[:runtime.Stack(buf, true)]
	var found []string
	for g := range strings.SplitSeq(string(buf), "\n\n") {
		ours := strings.Contains(g, "parley/session/copilot.") || strings.Contains(g, "creachadair/jrpc2")
		if ours && !strings.Contains(g, "testing.(*T).Parallel(") {
			found = append(found, g)
		}
	}
	return found
}
