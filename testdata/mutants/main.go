// Mutants changes a package in small ways, one at a time, and reports the changes
// that its own tests do not notice.
//
// All mutants of a package are compiled into one test binary, each behind a
// switch that an environment variable sets, so that one costs no more than the
// tests that reach it, the fastest first. Bounds are on processor time and memory,
// which a busy machine does not change; only what stands still for minutes is ended
// by the clock.
package main

import (
	"flag"
	"fmt"
	"log"
	"math/rand/v2"
	"os"
	"strings"
	"sync"
	"time"
)

func main() {
	files := flag.String("files", "", "files of the package to mutate, separated by blanks; all if empty")
	n := flag.Int("n", 0, "how many mutants to take at random; all if 0")
	seed := flag.Uint64("seed", 1, "which mutants -n takes")
	jobs := flag.Int("j", 2, "how many mutants to test at a time")
	tests := flag.String("run", ".", "a pattern of the tests to run")
	most := flag.Duration("most", time.Second, "tests that take more processor time are not run")
	known := flag.String("equivalent", "testdata/mutants/equivalent.txt", "names of mutants that change nothing")
	flag.Parse()
	r := runner{pkg: flag.Arg(0), tests: *tests, most: *most, out: log.New(os.Stdout, "", 0)}
	if err := run(r, strings.Fields(*files), *known, *n, *seed, *jobs); err != nil {
		fmt.Fprintln(os.Stderr, "mutants:", err)
		os.Exit(1)
	}
}

func run(r runner, files []string, known string, n int, seed uint64, jobs int) error {
	dir, err := os.MkdirTemp("", "mutants")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(dir) }()
	mutants, err := build(r.pkg, files, dir)
	if err != nil {
		return err
	}
	r.dir = dir
	reached, err := r.trace()
	if err != nil {
		return err
	}
	same, err := equivalent(known)
	if err != nil {
		return err
	}
	var chosen []int
	for i, m := range mutants {
		if !same[m.name()] {
			chosen = append(chosen, i+1)
		}
	}
	r.out.Printf("%d mutants, %d of them known to change nothing", len(mutants), len(mutants)-len(chosen))
	if n > 0 && n < len(chosen) {
		rand.New(rand.NewPCG(seed, 0)).Shuffle(len(chosen), func(i, j int) { chosen[i], chosen[j] = chosen[j], chosen[i] })
		chosen = chosen[:n]
	}
	killed, bound := r.test(mutants, chosen, reached, jobs)
	r.out.Printf("%s: %d mutants, %d killed (%d of them by a bound), %.1f %%",
		r.pkg, len(chosen), killed, bound, 100*float64(killed)/float64(max(1, len(chosen))))
	return nil
}

// equivalent reads the names of mutants that change nothing: a name and, on the
// lines before it, the reason behind a #.
func equivalent(path string) (map[string]bool, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	names := map[string]bool{}
	for line := range strings.Lines(string(text)) {
		if line = strings.TrimSpace(line); line != "" && !strings.HasPrefix(line, "#") {
			names[line] = true
		}
	}
	return names, nil
}

// test returns how many mutants die, and how many of them at a bound. It prints the
// others.
func (r runner) test(mutants []mutant, ids []int, reached map[int][]string, jobs int) (killed, bounds int) {
	var mu sync.Mutex
	var group sync.WaitGroup
	work := make(chan int)
	for range jobs {
		group.Go(func() {
			for id := range work {
				dead, bound := r.kill(id, reached[id])
				mu.Lock()
				if bound {
					bounds++
				}
				if dead {
					killed++
				} else {
					m := mutants[id-1]
					r.out.Printf("%s:%d: %s (%d tests reach it)", m.where.Filename, m.where.Line, m.name(), len(reached[id]))
				}
				mu.Unlock()
			}
		})
	}
	for i, id := range ids {
		if i%50 == 0 {
			fmt.Fprintf(os.Stderr, "%d of %d\n", i, len(ids))
		}
		work <- id
	}
	close(work)
	group.Wait()
	return killed, bounds
}
