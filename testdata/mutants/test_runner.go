package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"
)

// runner runs the compiled tests of a package.
type runner struct {
	pkg, tests string
	dir        string // of the binary
	most       time.Duration
	cost       map[string]time.Duration // processor time of each test
	out        *log.Logger              // takes what is found
}

// command runs tests within a bound of processor time. Rapid takes few cases, always
// the same, and makes no case smaller.
func (r runner) command(ctx context.Context, bound time.Duration, tests []string, env ...string) (*exec.Cmd, error) {
	limit := fmt.Sprintf(`ulimit -t %d; ulimit -v 6000000; exec "$@"`, int(bound.Seconds()))
	args := []string{
		"-c", limit, "sh", filepath.Join(r.dir, "test"), "-test.run", "^(" + strings.Join(tests, "|") + ")$",
		"-test.short", "-test.failfast", "-test.timeout", "0",
	}
	if r.rapid() {
		args = append(args, "-rapid.seed=1", "-rapid.nofailfile", "-rapid.shrinktime=0s")
	}
	cmd := exec.CommandContext(ctx, "sh", args...)
	cmd.Dir, cmd.Env = r.pkg, append(os.Environ(), env...)
	out, err := cmd.CombinedOutput()
	if exit := (*exec.ExitError)(nil); err != nil && !errors.As(err, &exit) {
		return cmd, err
	}
	if err != nil && env[0] == "MUTANT=0" {
		return cmd, fmt.Errorf("%s: %w: %s", tests, err, out)
	}
	return cmd, nil
}

func (r runner) rapid() bool {
	found, _ := filepath.Glob(filepath.Join(r.pkg, "*_test.go"))
	return slices.ContainsFunc(found, func(path string) bool {
		text, _ := os.ReadFile(path)
		return strings.Contains(string(text), "pgregory.net/rapid")
	})
}

// trace runs each test by itself without a mutant, and returns the tests that reach
// each mutant, the fastest first.
func (r *runner) trace() (map[int][]string, error) {
	list := exec.CommandContext(context.Background(), filepath.Join(r.dir, "test"), "-test.list", r.tests)
	list.Dir = r.pkg
	out, err := list.Output()
	if err != nil {
		return nil, fmt.Errorf("list the tests: %w", err)
	}
	r.cost = map[string]time.Duration{}
	reached := map[int][]string{}
	path := filepath.Join(r.dir, "trace")
	for name := range strings.FieldsSeq(string(out)) {
		if strings.HasPrefix(name, "Benchmark") {
			continue
		}
		if err := os.WriteFile(path, nil, 0o600); err != nil {
			return nil, err
		}
		cmd, err := r.command(context.Background(), time.Hour, []string{name}, "MUTANT=0", "MUTANT_TRACE="+path)
		if err != nil {
			fmt.Fprintln(os.Stderr, "not run, since it fails without a mutant:", err)
			continue
		}
		r.cost[name] = cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
		if r.cost[name] > r.most {
			continue
		}
		ids, err := os.ReadFile(path)
		if err != nil {
			return nil, err
		}
		for text := range strings.FieldsSeq(string(ids)) {
			id, err := strconv.Atoi(text)
			if err != nil {
				return nil, err
			}
			reached[id] = append(reached[id], name)
		}
	}
	for _, tests := range reached {
		slices.SortStableFunc(tests, func(a, b string) int { return cmp.Compare(r.cost[a], r.cost[b]) })
	}
	return reached, nil
}

// kill reports whether a test fails with a mutant, or was ended at a bound. It runs
// few tests first, and more as those pass.
func (r runner) kill(id int, tests []string) (killed, bound bool) {
	for share := 2; len(tests) > 0; share *= 4 {
		now := tests[:min(share, len(tests))]
		tests = tests[len(now):]
		usual := time.Duration(0)
		for _, name := range now {
			usual += r.cost[name]
		}
		ctx, cancel := context.WithTimeout(context.Background(), 5*time.Minute)
		cmd, err := r.command(ctx, 5*time.Second+5*usual, now, "MUTANT="+strconv.Itoa(id))
		cancel()
		if err != nil || cmd.ProcessState.ExitCode() < 0 {
			return true, true
		}
		if !cmd.ProcessState.Success() {
			return true, false
		}
	}
	return false, false
}
