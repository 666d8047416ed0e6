package e2e

import (
	"testing"

	"parley/cli"
	"parley/cli/clitest"
	"parley/cli/process"
)

// lineIn carries out a command line in this process, in an environment and with
// input as its standard input; nothing about it is a terminal.
func lineIn(t *testing.T, env []string, input string, args ...string) clitest.Result {
	t.Helper()
	return clitest.Run(t, env, input, func(c process.Console) int { return cli.Run(args, c) })
}
