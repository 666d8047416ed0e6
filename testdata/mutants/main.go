// Mutants changes a package in small ways, one at a time, and reports the changes
// that its own tests do not notice. A changed file takes the place of its own by
// the -overlay of the go command, so that nothing is written into the repository.
package main

import (
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"log"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
)

func main() {
	r := runner{out: log.New(os.Stdout, "", 0)}
	files := flag.String("files", "", "files of the package to mutate, separated by blanks; all if empty")
	n := flag.Int("n", 0, "how many mutants to take at random; all if 0")
	seed := flag.Uint64("seed", 1, "which mutants -n takes")
	jobs := flag.Int("j", 2, "how many mutants to test at a time")
	known := flag.String("equivalent", "testdata/mutants/equivalent.txt", "names of mutants that change nothing")
	flag.StringVar(&r.tests, "run", ".", "a pattern of the tests to run")
	flag.DurationVar(&r.most, "most", 2*time.Minute, "how long the tests may take; those that take longer have failed")
	flag.Parse()
	if err := r.run(flag.Arg(0), strings.Fields(*files), *known, *n, *seed, *jobs); err != nil {
		fmt.Fprintln(os.Stderr, "mutants:", err)
		os.Exit(1)
	}
}

// runner runs the tests of a package.
type runner struct {
	tests string // a pattern of their names
	Dir   string
	pkg   string
	temp  string // a folder for overlays
	most  time.Duration
	out   *log.Logger

	GoFiles, TestImports, XTestImports []string // as go list has them
}

func (r *runner) run(pkg string, files []string, known string, n int, seed uint64, jobs int) (err error) {
	r.pkg = pkg
	about, err := exec.CommandContext(context.Background(), "go", "list", "-json=Dir,GoFiles,TestImports,XTestImports", pkg).Output()
	if err == nil {
		err = json.Unmarshal(about, r)
	}
	if err != nil {
		return fmt.Errorf("list %s: %w", pkg, err)
	}
	if r.temp, err = os.MkdirTemp("", "mutants"); err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(r.temp) }()
	same, err := os.ReadFile(known)
	if err != nil {
		return err
	}
	equivalent := strings.Split(string(same), "\n")
	var all, chosen []mutant
	for _, name := range r.GoFiles {
		if len(files) == 0 || slices.Contains(files, name) {
			found, err := mutantsOf(filepath.Join(r.Dir, name))
			if err != nil {
				return err
			}
			all = append(all, found...)
		}
	}
	uncovered, err := r.cover()
	if err != nil {
		return err
	}
	for _, m := range all {
		if !slices.Contains(equivalent, m.name()) {
			chosen = append(chosen, m)
		}
	}
	r.out.Printf("%d mutants, %d of them known to change nothing", len(all), len(all)-len(chosen))
	if n > 0 && n < len(chosen) {
		rand.New(rand.NewPCG(seed, 0)).Shuffle(len(chosen), func(i, j int) { chosen[i], chosen[j] = chosen[j], chosen[i] })
		chosen = chosen[:n]
	}
	counts := r.testAll(chosen, uncovered, jobs)
	r.out.Printf("%s: %d mutants, %d do not compile, %d killed, %d lived, %d not reached",
		pkg, len(chosen), counts[broken], counts[killed], counts[lived], counts[unreached])
	return nil
}

// outcome is what became of a mutant.
type outcome string

const (
	broken    outcome = "does not compile"
	killed    outcome = "killed"
	lived     outcome = "lived"
	unreached outcome = "not reached"
)

// testAll tests mutants, prints those that no test notices, and counts the outcomes.
func (r *runner) testAll(mutants []mutant, uncovered map[string]bool, jobs int) map[outcome]int {
	counts := map[outcome]int{}
	var mu sync.Mutex
	var group sync.WaitGroup
	work := make(chan int)
	for range jobs {
		group.Go(func() {
			for i := range work {
				m, end := mutants[i], unreached
				if !uncovered[fmt.Sprintf("%s:%d", filepath.Base(m.path), m.line)] {
					end = r.test(i, m)
				}
				mu.Lock()
				if counts[end]++; end == lived || end == unreached {
					r.out.Printf("%s:%d: %s (%s)", m.file, m.line, m.name(), end)
				}
				mu.Unlock()
			}
		})
	}
	for i := range mutants {
		if i%50 == 0 {
			fmt.Fprintf(os.Stderr, "%d of %d\n", i, len(mutants))
		}
		work <- i
	}
	close(work)
	group.Wait()
	return counts
}

// test runs the tests with a mutant.
func (r *runner) test(i int, m mutant) outcome {
	path := filepath.Join(r.temp, strconv.Itoa(i))
	overlay, _ := json.Marshal(map[string]any{"Replace": map[string]string{m.path: path + ".go"}}) // texts alone
	changed := slices.Concat(m.source[:m.from], []byte(m.text), m.source[m.to:])
	for name, content := range map[string][]byte{path + ".go": changed, path + ".json": overlay} {
		if err := os.WriteFile(name, content, 0o600); err != nil {
			panic(err) // without a disk there is nothing to test
		}
		defer func() { _ = os.Remove(name) }() // else it goes with the folder
	}
	out, err := r.goTest("-overlay", path+".json")
	switch {
	case err == nil:
		return lived
	case bytes.Contains(out, []byte("[build failed]")):
		return broken
	}
	return killed
}

// goTest runs the tests within a bound of memory. Rapid takes always the same cases,
// and makes none smaller.
func (r *runner) goTest(flags ...string) ([]byte, error) {
	args := slices.Concat(
		[]string{"-c", `ulimit -v 6000000; exec "$@"`, "sh", "go", "test", "-vet=off", "-short", "-failfast", "-count=1"},
		flags, []string{"-timeout", r.most.String(), "-run", r.tests, r.pkg},
	)
	if slices.Contains(slices.Concat(r.TestImports, r.XTestImports), "pgregory.net/rapid") {
		args = append(args, "-rapid.seed=1", "-rapid.nofailfile", "-rapid.shrinktime=0s")
	}
	return exec.CommandContext(context.Background(), "sh", args...).CombinedOutput()
}

// cover runs the tests without a mutant, and returns the lines that they do not
// reach.
func (r *runner) cover() (map[string]bool, error) {
	profile := filepath.Join(r.temp, "cover")
	if out, err := r.goTest("-coverprofile", profile); err != nil {
		return nil, fmt.Errorf("the tests fail without a mutant: %w\n%s", err, out)
	}
	text, err := os.ReadFile(profile)
	uncovered := map[string]bool{}
	for line := range strings.Lines(string(text)) {
		file, block, _ := strings.Cut(line, ":")
		var from, to, column, count int
		n, _ := fmt.Sscanf(block, "%d.%d,%d.%d %d %d", &from, &column, &to, &column, &column, &count)
		for at := from + 1; n == 6 && count == 0 && at < to; at++ { // its first and last line are others' as well
			uncovered[filepath.Base(file)+":"+strconv.Itoa(at)] = true
		}
	}
	return uncovered, err
}
