// Command parley is a terminal chat for coding-agent sessions. It drives the
// GitHub Copilot CLI, shows what the agent does, and asks before anything
// happens.
package main

import (
	"os"

	"parley/cli"
	"parley/cli/process"
)

func main() {
	os.Exit(cli.Run(os.Args[1:], process.Console{In: os.Stdin, Out: os.Stdout, Err: os.Stderr, Env: os.Environ()}))
}
