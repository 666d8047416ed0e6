package copilot_test

import (
	"fmt"
	"os"
	"strings"
	"testing"
)

// role makes the test binary play another program: an MCP server, or something
// that is not quite the Copilot CLI.
const role = "PARLEY_TEST_ROLE"

// inOwnFolder runs tests with a folder of their own for temporary files. The
// runtime allows all that is below it, and tests need folders that it does not
// allow.
func inOwnFolder(run func() int) int {
	dir, err := os.MkdirTemp("", "parley-own-")
	if err == nil {
		err = os.Setenv("TMPDIR", dir)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer func() { _ = os.RemoveAll(dir) }()
	return run()
}

func TestMain(m *testing.M) {
	as := os.Getenv(role)
	if as == "" {
		code := inOwnFolder(m.Run)
		endShared()
		if found := left(goroutines); code == 0 && len(found) > 0 {
			fmt.Fprintf(os.Stderr, "goroutines are left:\n%s\n", strings.Join(found, "\n\n"))
			code = 1
		}
		os.Exit(code)
	}
	play, ok := map[string]func() int{
		"mcp":        playMCP,
		"old":        playOld,
		"packed":     playPacked,
		"crash":      playCrash,
		"leaves":     func() int { return 0 },
		"chatty":     playChatty,
		"not json":   playNotJSON,
		"silent":     playSilent,
		"mute":       playMute,
		"no connect": func() int { return new(fake).serve(nil) },
		"no version": func() int { return new(fake).serve(func(string) any { return 5 }) },
		"protocol 2": func() int { return new(fake).serve(hello(2)) },
		"protocol 4": func() int { return new(fake).serve(hello(4)) },
		"1.0.101":    func() int { return new(fake).serve(ofVersion("1.0.101")) },
		"deaf":       playDeaf,
		"flood":      playFlood,
		"faulty":     playFaulty,
		"asking":     playAsking,
		"promoting":  playPromoting,
		"sleeps":     playSleeping,
	}[as]
	if !ok {
		fmt.Fprintln(os.Stderr, "no such role:", as)
		os.Exit(99)
	}
	os.Exit(play())
}
