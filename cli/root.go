// Package cli is the command line of Parley.
package cli

import (
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"parley/cli/agents"
	"parley/cli/chat"
	"parley/cli/config"
	"parley/cli/doctor"
	"parley/cli/headless"
	"parley/cli/mcp"
	"parley/cli/observe"
	"parley/cli/print"
	"parley/cli/process"
	"parley/cli/report"
	"parley/cli/sessions"
)

// Run carries out a command line and returns the exit code. Whatever goes
// wrong is said in one line, and of the user's files each mistake in its own.
func Run(args []string, c process.Console) int {
	line := CommandLine(c)
	line.SetArgs(agents.ResumeAny(args))
	return process.ExitCode(c, line.Execute())
}

// CommandLine builds the command line: a chat, unless the first argument names a
// subcommand; "--" ends that, so that every word can be a prompt (docs/decisions.md 21).
func CommandLine(c process.Console) *cobra.Command {
	var o agents.Options
	var h headless.Flags
	var w observe.Observer
	var showVersion bool
	cmd := &cobra.Command{
		Use:               "parley [prompt]",
		Short:             "Chat with a coding agent in the terminal",
		Args:              onePrompt,
		ValidArgsFunction: cobra.NoFileCompletions, // a prompt
		SilenceErrors:     true,
		SilenceUsage:      true,
		RunE: func(cmd *cobra.Command, args []string) error {
			if showVersion {
				_, err := fmt.Fprintln(c.Out, "parley", process.Version())
				return process.Fail(err)
			}
			o.Prompt = strings.Join(args, "")
			if err := o.Check(cmd.Flags()); err != nil {
				return err
			}
			if err := o.CheckName(c); err != nil {
				return err
			}
			if err := o.FindSession(c.Env); err != nil {
				return err
			}
			if err := h.Check(cmd.Flags(), o); err != nil {
				return err
			}
			if err := w.Check(cmd.Flags()); err != nil {
				return err
			}
			for _, doubt := range h.Policy.Doubts() {
				process.Complain(c.Err, errors.New(doubt))
			}
			return process.Fail(w.Around(c, func(w observe.Observer) error {
				if h.Given {
					return headless.Run(c, o, h, w)
				}
				return chat.Run(c, o, h, w)
			}))
		},
	}
	f := cmd.Flags()
	o.Register(f)
	h.Register(f)
	w.Register(f)
	f.BoolVar(&showVersion, "version", false, "print the version and exit")
	return withCommands(cmd, c)
}

// withCommands gives a command line its streams and its subcommands.
func withCommands(cmd *cobra.Command, c process.Console) *cobra.Command {
	cmd.SetIn(c.In)
	cmd.SetOut(c.Out)
	cmd.SetErr(c.Err)
	cmd.SetFlagErrorFunc(flagError)
	cmd.AddCommand(
		print.Command(c), sessions.Command(c, func() error { return chat.Browse(c) }), config.Command(c), config.KeysCommand(c),
		mcp.Command(c), doctor.Command(c), completionCommand(c), report.Command(c),
	)
	_ = cmd.RegisterFlagCompletionFunc("resume", sessions.CompleteID(c)) // no other command has the flag
	finish(cmd, c)
	wrapHelp(cmd, c)
	cmd.SetHelpCommand(helpCommand())
	return cmd
}
