package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/charmbracelet/colorprofile"
	"github.com/charmbracelet/x/term"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"parley/render"
	"parley/session"
	"parley/session/modelview"
	"parley/settings"
	"parley/theme"
	"parley/timeline"
)

// The widths that `parley print` takes.
const (
	minWidth     = 4
	maxWidth     = 1000
	defaultWidth = 80 // when nothing says how wide the output is
)

// colours are what --color takes.
var colours = []string{"auto", "always", "never"}

// What --as takes.
const (
	asTimeline = "timeline"
	asModel    = "model"
)

// eventsFile is the log in a session's folder, as the Copilot CLI names it.
const eventsFile = "events.jsonl"

// printCommand writes a stored log as the timeline would show it, or as the
// model sees it.
func printCommand(c console) *cobra.Command {
	var width int
	var colour string
	var form form
	cmd := &cobra.Command{
		Use:   "print LOG",
		Short: "Write a stored session log as the timeline would show it, or as the model sees it",
		Long: "Print writes a stored session log as the timeline would show it, or, with --as model,\n" +
			"the messages that the model would get with its next request. With --details every\n" +
			"entry is followed by the events that made it, with all of their fields. LOG is a file\n" +
			"of events, one JSON object a line, the folder of a Copilot CLI session, or - for the\n" +
			"standard input.",
		Example: "  parley print ~/.copilot/session-state/ID\n" +
			"  parley print ~/.copilot/session-state/ID --as model\n" +
			"  parley print ~/.copilot/session-state/ID --details | less\n" +
			"  parley print session.jsonl --density verbose\n" +
			"  parley print session.jsonl --width 100 --color always | less -R",
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) != 1 {
				return fmt.Errorf("print takes one log, a file or a session's folder, not %d; `parley print --help` tells more", len(args))
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			switch err := form.check(); {
			case err != nil:
				return err
			case !slices.Contains(colours, colour):
				return fmt.Errorf("--color is %s, not %q", strings.Join(colours, ", "), colour)
			case cmd.Flags().Changed("width") && (width < minWidth || width > maxWidth):
				return fmt.Errorf("--width is from %d to %d, not %d", minWidth, maxWidth, width)
			}
			if width == 0 {
				width = outputWidth(c)
			}
			return fail(printLog(c, args[0], projection{form, width, colour, time.Local}))
		},
	}
	f := cmd.Flags()
	f.IntVar(&width, "width", 0, "the `cells` a line may take (default: the terminal's width, else $COLUMNS, else 80)")
	form.register(f)
	f.StringVar(&colour, "color", "auto", "`when` to colour: auto (into a terminal), always or never")
	f.BoolP("help", "h", false, "print this help and leave")
	f.SortFlags = false
	return cmd
}

// printLog reads a log and writes a projection of it.
func printLog(c console, log string, p projection) error {
	in, name, err := openLog(c, log)
	if err != nil {
		return err
	}
	defer in.Close()
	return printEvents(c, in, name, p)
}

// projection is what is written of a log, and how.
type projection struct {
	form
	width  int
	colour string
	zone   *time.Location // of the times
}

// form is which projection of a log is written.
type form struct {
	as      string
	density string
	details bool // with the events of each entry
}

func (f *form) register(flags *pflag.FlagSet) {
	flags.StringVar(&f.as, "as", asTimeline, "`what` to write: timeline, or model for what the model sees")
	flags.StringVar(&f.density, "density", render.Normal.String(),
		"the `density` of the timeline: normal, verbose for all of it, or compact")
	flags.BoolVar(&f.details, "details", false, "write the events of each entry below it, with every field")
}

func (f *form) check() error {
	switch {
	case f.as != asTimeline && f.as != asModel:
		return fmt.Errorf("--as is %s or %s, not %q", asTimeline, asModel, f.as)
	case !slices.Contains(densities(), f.density):
		return fmt.Errorf("--density is normal, verbose or compact, not %q", f.density)
	case f.details && f.as != asTimeline:
		return fmt.Errorf("--details writes the events of timeline entries, so it cannot be combined with --as %s", f.as)
	}
	return nil
}

// densities are what --density takes, in the order of render.Density.
func densities() []string {
	return []string{render.Normal.String(), render.Verbose.String(), render.Compact.String()}
}

// eachEvent does something with every event of a log. Lines that are no events are
// reported with their number and skipped.
func eachEvent(c console, in io.Reader, name string, do func(session.Event)) error {
	events := 0
	for ev, err := range session.ReadLog(in) {
		if err != nil {
			complain(c.err, fmt.Errorf("%s: %w", name, err))
			continue
		}
		do(ev)
		events++
	}
	if events == 0 {
		return fmt.Errorf("%s holds no events; a session log has one JSON object a line, each with a type", name)
	}
	return nil
}

// printEvents writes a projection of the events of a log.
func printEvents(c console, in io.Reader, name string, p projection) error {
	t := timeline.New() // it names the sub-agents, too
	var v *modelview.View
	if p.as == asModel {
		v = modelview.New()
	}
	events := 0
	err := eachEvent(c, in, name, func(ev session.Event) {
		t.Apply(ev)
		if v != nil {
			v.Apply(ev)
		}
		events++
	})
	if err != nil {
		return err
	}
	th, profile := printTheme(c, p.colour, answers(c))
	out := &colorprofile.Writer{Forward: c.out, Profile: profile}
	home, _ := os.UserHomeDir() // without one, paths are shown whole
	o := render.Options{
		Width: p.width, Theme: th, Times: render.TimesClock, Location: p.zone, Home: home, Dir: t.Status().Dir,
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
			complain(c.err, fmt.Errorf("%s holds %d events, and none of them shows on a timeline", name, events))
		}
		err = render.Print(out, t, render.Density(slices.Index(densities(), p.density)), o)
	}
	if err != nil {
		return fmt.Errorf("write the timeline of %s: %w", name, err)
	}
	return nil
}

// openLog opens a log by its name, and returns what to call it.
func openLog(c console, log string) (in io.ReadCloser, name string, err error) {
	if log == "-" {
		if term.IsTerminal(c.in.Fd()) {
			return nil, "", errors.New("`parley print -` reads a log from a pipe, and nothing is piped in")
		}
		return io.NopCloser(c.in), "the standard input", nil
	}
	name = log
	info, err := os.Stat(log)
	if err == nil && info.IsDir() {
		name = filepath.Join(log, eventsFile)
		if _, err = os.Stat(name); errors.Is(err, os.ErrNotExist) {
			return nil, "", fmt.Errorf("the folder %s holds no %s; give a log file or the folder of a session", log, eventsFile)
		}
	}
	if errors.Is(err, os.ErrNotExist) {
		return nil, "", fmt.Errorf("there is no file %s; the Copilot CLI keeps its logs in ~/.copilot/session-state/ID/%s", log, eventsFile)
	}
	if err != nil {
		return nil, "", fmt.Errorf("open the log: %w", err)
	}
	file, err := os.Open(name)
	if err != nil {
		return nil, "", fmt.Errorf("open the log: %w", err)
	}
	return file, name, nil
}

// outputWidth is how wide the output is, as far as anything tells.
func outputWidth(c console) int {
	if w, _, err := term.GetSize(c.out.Fd()); err == nil && w > 0 {
		return min(max(w, minWidth), maxWidth)
	}
	if w, err := strconv.Atoi(lookup(c.env, "COLUMNS")); err == nil && w > 0 {
		return min(max(w, minWidth), maxWidth)
	}
	return defaultWidth
}

// answers is the style in which the user wants answers; one with mistakes costs a
// word about them.
func answers(c console) theme.Option {
	home, _ := os.UserHomeDir()
	prefer, _ := settings.Load(settingsPath(c)) // its mistakes say `parley config check`
	style, err := markdownChoice(c.env, home, prefer.MarkdownStyle).Load()
	if err != nil {
		complain(c.err, err)
		style = nil
	}
	return theme.WithMarkdown(style)
}

// printTheme picks the palette and how many colours of it the output can show.
// There is nobody to ask for the background, so only COLORFGBG tells a light
// one.
func printTheme(c console, colour string, opts ...theme.Option) (*theme.Theme, colorprofile.Profile) {
	profile := colorprofile.Detect(c.out, c.env)
	if colour == "always" {
		profile = max(colorprofile.Env(append(slices.Clone(c.env), "CLICOLOR_FORCE=1", "NO_COLOR=")), colorprofile.ANSI)
	}
	switch {
	case colour == "never" || profile <= colorprofile.NoTTY:
		return theme.Plain(), colorprofile.NoTTY
	case profile == colorprofile.ASCII:
		return theme.Mono(opts...), profile
	}
	name := theme.Auto
	dark, said := theme.Background(lookup(c.env, "COLORFGBG"))
	switch {
	case profile == colorprofile.ANSI && !said:
		return theme.Terminal(opts...), profile
	case profile == colorprofile.ANSI:
		name = theme.Own
	case profile == colorprofile.ANSI256:
		opts = append(opts, theme.Few())
	}
	if th, ok := theme.Either(name, opts...); ok && !said {
		return th, profile
	}
	th, _ := theme.Named(name, dark, opts...)
	return th, profile
}
