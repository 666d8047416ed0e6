// Command parley is a terminal chat for coding-agent sessions. It drives the
// GitHub Copilot CLI, shows what the agent does, and asks before anything
// happens.
package main

import (
	"os"

	"parley/cli/process"
)

func main() {
	os.Exit(run(os.Args[1:], process.Console{In: os.Stdin, Out: os.Stdout, Err: os.Stderr, Env: os.Environ()}))
}

// run carries out a command line and returns the exit code. Whatever goes
// wrong is said in one line, and of the user's files each mistake in its own.
func run(args []string, c process.Console) int { return process.ExitCode(c, root(c).execute(args)) }
