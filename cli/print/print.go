// Package print is the command that writes a stored session log.
package print

import (
	"cmp"
	"fmt"
	"io"
	"os"
	"time"

	"github.com/charmbracelet/colorprofile"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"parley/cli/config"
	"parley/cli/output"
	"parley/cli/process"
	"parley/render"
	"parley/session"
	"parley/session/modelview"
	"parley/settings"
	"parley/theme"
	"parley/timeline"
)

// What --as takes.
const (
	asTimeline = "timeline"
	asModel    = "model"
)

// Forms are both of them.
var Forms = []string{asTimeline, asModel}

// Densities are what --density takes.
var Densities = []string{render.Normal.String(), render.Verbose.String(), render.Compact.String()}

// Command writes a stored log as the timeline would show it, or as the
// model sees it.
func Command(c process.Console) *cobra.Command {
	var draw output.Flags
	var form Form
	cmd := &cobra.Command{
		Use:   "print LOG",
		Short: "Write a stored session log as the timeline would show it, or as the model sees it",
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) != 1 {
				return fmt.Errorf("print takes one log, a file or a session's folder, not %d; `parley print --help` explains", len(args))
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := cmp.Or(form.Check(), draw.Check(cmd.Flags())); err != nil {
				return err
			}
			if draw.Width == 0 {
				draw.Width = output.Width(c)
			}
			return process.Fail(printLog(c, args[0], Projection{Form: form, Flags: draw, Zone: time.Local}))
		},
	}
	f := cmd.Flags()
	draw.RegisterWidth(f, "$COLUMNS, else 80")
	form.Register(f)
	draw.RegisterColour(f)
	return cmd
}

// printLog reads a log and writes a projection of it.
func printLog(c process.Console, log string, p Projection) error {
	in, name, err := output.OpenLog(c, log)
	if err != nil {
		return err
	}
	defer in.Close()
	return Events(c, in, name, p)
}

// Projection is what is written of a log, and how.
type Projection struct {
	Form
	output.Flags
	Zone *time.Location // of the times
}

// Form is which projection of a log is written.
type Form struct {
	as      string
	density string
	details bool // with the events of each entry
}

// Register adds the flags of a form.
func (f *Form) Register(flags *pflag.FlagSet) {
	flags.StringVar(&f.as, "as", asTimeline, "`what` to write: timeline, or model for what the model sees")
	flags.StringVar(&f.density, "density", render.Normal.String(),
		"the `density` of the timeline: normal, verbose for all of it, or compact")
	flags.BoolVar(&f.details, "details", false, "write the events of each entry below it, with every field")
}

// Check finds what the flags of a form cannot mean.
func (f *Form) Check() error {
	switch _, known := render.DensityNamed(f.density); {
	case f.as != asTimeline && f.as != asModel:
		return fmt.Errorf("--as is %s or %s, not %q", asTimeline, asModel, f.as)
	case !known:
		return fmt.Errorf("--density is normal, verbose or compact, not %q", f.density)
	case f.details && f.as != asTimeline:
		return fmt.Errorf("--details writes the events of timeline entries, so it cannot be combined with --as %s", f.as)
	}
	return nil
}

// Events writes a projection of the events of a log.
func Events(c process.Console, in io.Reader, name string, p Projection) error {
	t := timeline.New() // it names the sub-agents, too
	var v *modelview.View
	if p.as == asModel {
		v = modelview.New()
	}
	events := 0
	err := output.EachEvent(c, in, name, func(ev session.Event) {
		t.Apply(ev)
		if v != nil {
			v.Apply(ev)
		}
		events++
	})
	if err != nil {
		return err
	}
	th, profile := output.Theme(c, p.Colour, answers(c))
	out := &colorprofile.Writer{Forward: c.Out, Profile: profile}
	home, _ := os.UserHomeDir() // without one, paths are shown whole
	o := render.Options{
		Width: p.Width, Theme: th, Times: render.TimesClock, Location: p.Zone, Home: home, Dir: t.Status().Dir,
	}
	if v != nil {
		if err := render.PrintModel(out, v, t, o); err != nil {
			return fmt.Errorf("write what the model sees of %s: %w", name, err)
		}
		return nil
	}
	if p.details {
		err = render.PrintDetails(out, t, o)
	} else {
		if t.Len() == 0 {
			process.Complain(c.Err, fmt.Errorf("%s holds %d events, and none of them shows on a timeline", name, events))
		}
		density, _ := render.DensityNamed(p.density)
		err = render.Print(out, t, density, o)
	}
	if err != nil {
		return fmt.Errorf("write the timeline of %s: %w", name, err)
	}
	return nil
}

// answers is the style in which the user wants answers; one with mistakes costs a
// word about them.
func answers(c process.Console) theme.Option {
	home, _ := os.UserHomeDir()
	prefer, _ := settings.Load(process.SettingsPath(c)) // its mistakes say `parley config check`
	style, err := config.MarkdownChoice(c.Env, home, prefer.MarkdownStyle).Load()
	if err != nil {
		process.Complain(c.Err, err)
		style = nil
	}
	return theme.WithMarkdown(style)
}
