package main

import "parley/cli/process"

// run carries out a command line and returns the exit code. Whatever goes
// wrong is said in one line, and of the user's files each mistake in its own.
func run(args []string, c process.Console) int { return process.ExitCode(c, root(c).execute(args)) }
