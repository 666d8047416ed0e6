package doctor

import (
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"
)

// role makes the test binary a program of these.
const role = "PARLEY_TEST_PROGRAM"

func TestMain(m *testing.M) {
	switch os.Getenv(role) {
	case "":
		os.Exit(m.Run())
	case "asleep":
		time.Sleep(10 * time.Minute)
	case "slow":
		leave()
		time.Sleep(10 * time.Minute)
	case "leaves":
		fmt.Fprintln(os.Stdout, "1.2.3")
		leave()
	case "escapes":
		fmt.Fprintln(os.Stdout, "v\x1b[31m1\x07.2.\r\nmore")
	case "endless":
		pour(os.Stdout)
	case "complains":
		pour(os.Stderr)
		os.Exit(1)
	}
}

// leave starts a program that has the output open for longer than this one.
func leave() {
	behind := exec.Command(os.Args[0])
	behind.Env, behind.Stdout, behind.Stderr = append(os.Environ(), role+"=asleep"), os.Stdout, os.Stderr
	if err := behind.Start(); err != nil {
		panic(err)
	}
}

// pour writes a line of 50 MB.
func pour(to *os.File) {
	for range 50 {
		_, _ = to.WriteString(strings.Repeat("a", 1_000_000))
	}
}

// firstLineOf is the first line of a role of the test binary.
func firstLineOf(t *testing.T, patience time.Duration, of string) (line, trouble string) {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	return firstLine(t.Context(), patience, append(os.Environ(), role+"="+of), self)
}

// TestFirstLinePatience ends a program that says nothing, with what it started.
func TestFirstLinePatience(t *testing.T) {
	t.Parallel()
	if line, trouble := firstLineOf(t, 50*time.Millisecond, "slow"); line != "" || !strings.Contains(trouble, "no answer in 50ms") {
		t.Errorf("%q, %q", line, trouble)
	}
}

// TestFirstLineIsShort, whatever a program writes: what is too much is dropped,
// and what it leaves behind does not take its word away.
func TestFirstLineIsShort(t *testing.T) {
	t.Parallel()
	for of, want := range map[string]string{
		"endless":   strings.Repeat("a", mostOfALine-3) + "...",
		"complains": strings.Repeat("a", mostOfALine-3) + "...",
		"escapes":   "v1.2",
		"leaves":    "1.2.3",
	} {
		if line, trouble := firstLineOf(t, time.Minute, of); line+trouble != want {
			t.Errorf("%s: %q, %q; want %q", of, line, trouble, want)
		}
	}
}
