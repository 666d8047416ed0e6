// Package arguments is what the commands of Parley share in reading a command line:
// words that name no command, mistakes in flags, and the completion of their values.
package arguments

import (
	"errors"
	"fmt"

	"parley/settings/didyoumean"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// SubcommandsOnly refuses words that are no command below this one.
func SubcommandsOnly(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	if like := didyoumean.Nearest(args[0], Names(cmd)); like != "" {
		return fmt.Errorf("unknown command %q; did you mean `%s %s`?", args[0], cmd.CommandPath(), like)
	}
	return fmt.Errorf("unknown command %q; `%s --help` lists them", args[0], cmd.CommandPath())
}

// Names are the names of the commands below a command.
func Names(cmd *cobra.Command) []string {
	var names []string
	for _, sub := range cmd.Commands() {
		names = append(names, sub.Name())
	}
	return names
}

// FlagError says which flag is wrong, and which one may be meant.
func FlagError(cmd *cobra.Command, err error) error {
	var unknown *pflag.NotExistError
	var invalid *pflag.InvalidValueError
	if errors.As(err, &invalid) {
		err = fmt.Errorf("--%s cannot be %q%s", invalid.GetFlag().Name, invalid.GetValue(), flagTakes(invalid.GetFlag()))
	}
	if !errors.As(err, &unknown) {
		return fmt.Errorf("%w; `%s --help` shows what it takes", err, cmd.CommandPath())
	}
	name := unknown.GetSpecifiedName()
	if root := cmd.Root(); cmd != root && root.Flags().Lookup(name) != nil {
		return fmt.Errorf("--%s is a flag of `%s`, and `%s` does not take it", name, root.CommandPath(), cmd.CommandPath())
	}
	var names []string
	cmd.Flags().VisitAll(func(f *pflag.Flag) { names = append(names, f.Name) })
	if like := didyoumean.Nearest(name, names); like != "" {
		return fmt.Errorf("%w; did you mean --%s?", err, like)
	}
	return fmt.Errorf("%w; `%s --help` lists the flags", err, cmd.CommandPath())
}

// flagTakes says which values a flag takes, at the end of a sentence; "" where its
// type does not say it.
func flagTakes(f *pflag.Flag) string {
	switch f.Value.Type() {
	case "int":
		return "; it takes a whole number"
	case "float64":
		return "; it takes a number"
	case "bool":
		return "; it takes true or false"
	}
	return ""
}

// NoWords refuses every word behind a command.
func NoWords(cmd *cobra.Command, args []string) error {
	if len(args) > 0 {
		return fmt.Errorf("`%s` takes no words, such as %q", cmd.CommandPath(), args[0])
	}
	return nil
}
