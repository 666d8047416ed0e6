package e2e

import (
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"parley/session/sessiontest"
)

// notLinked are packages that were once linked for a little of them: what each costs in
// size, memory and initialisation is in docs/performance.md.
var notLinked = []string{
	"encoding/gob", "html/template", "github.com/modelcontextprotocol/go-sdk/mcp", "google.golang.org/grpc", "google.golang.org/protobuf/proto",
}

// TestNotLinked holds the program to what it may link.
func TestNotLinked(t *testing.T) {
	t.Parallel()
	all, err := exec.CommandContext(t.Context(), "go", "list", "-deps", ".").Output()
	if err != nil {
		t.Fatal(err)
	}
	for pkg := range strings.Lines(string(all)) {
		if slices.Contains(notLinked, strings.TrimSpace(pkg)) {
			t.Errorf("the program links %s", pkg)
		}
	}
}

// BenchmarkVersion is parley --version: what every start costs.
func BenchmarkVersion(b *testing.B) {
	program := parley(b)
	cpu := time.Duration(0)
	for b.Loop() {
		cmd := exec.CommandContext(b.Context(), program, "--version")
		if err := cmd.Run(); err != nil {
			b.Fatal(err)
		}
		if used := cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime(); cpu == 0 || used < cpu {
			cpu = used
		}
	}
	wall := sessiontest.Milliseconds(b.Elapsed()) / float64(b.N)
	b.ReportMetric(sessiontest.Milliseconds(cpu), "cpu-ms-best")
	sessiontest.Figure(b, wall, "ms", 30)
}

// BenchmarkInit is the initialisation of all packages, by the runtime's own account.
func BenchmarkInit(b *testing.B) {
	program := parley(b)
	line := regexp.MustCompile(`(?m)^init .*, ([0-9.]+) ms clock, ([0-9]+) bytes`)
	best, bytes := 0.0, 0.0
	for b.Loop() {
		cmd := exec.CommandContext(b.Context(), program, "--version")
		cmd.Env = append(os.Environ(), "GODEBUG=inittrace=1")
		said, err := cmd.CombinedOutput()
		if err != nil {
			b.Fatal(err)
		}
		clock := 0.0
		bytes = 0
		for _, found := range line.FindAllSubmatch(said, -1) {
			ms, _ := strconv.ParseFloat(string(found[1]), 64)
			n, _ := strconv.ParseFloat(string(found[2]), 64)
			clock, bytes = clock+ms, bytes+n
		}
		if best == 0 || clock < best {
			best = clock
		}
	}
	sessiontest.Figure(b, bytes/1e6, "MB", 7.1)
	sessiontest.Figure(b, best, "ms-best", 20)
}

// BenchmarkBinary is the size of the program.
func BenchmarkBinary(b *testing.B) {
	program, err := os.Stat(parley(b))
	if err != nil {
		b.Fatal(err)
	}
	sessiontest.Figure(b, float64(program.Size())/1e6, "MB", 34)
}
