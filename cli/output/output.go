// Package output is how a command writes: how wide, in which colours, and what of a log.
package output

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/charmbracelet/colorprofile"
	"github.com/charmbracelet/x/term"
	"github.com/spf13/pflag"

	"parley/cli/process"
	"parley/session"
	"parley/settings/environ"
	"parley/terminal"
	"parley/theme"
)

// ShowsUnicode reports whether the terminal shows more than ASCII.
func ShowsUnicode(c process.Console) bool {
	return terminal.Environment{Vars: c.Env}.Unicode()
}

// The widths that `parley print` takes.
const (
	minWidth     = 4
	maxWidth     = 1000
	defaultWidth = 80 // when nothing says how wide the output is
)

// Colours are what --color takes.
var Colours = []string{"auto", "always", "never"}

// Flags say how wide and in which colours a command draws.
type Flags struct {
	Width  int    // in cells; 0 if none was given
	Colour string // one of Colours
}

// RegisterWidth adds the flag of the width to those of a command. otherwise is the
// width if the output is not a terminal.
func (o *Flags) RegisterWidth(f *pflag.FlagSet, otherwise string) {
	f.IntVar(&o.Width, "width", 0, "the `cells` a line may take (default: the terminal's width, else "+otherwise+")")
}

// RegisterColour adds the flag of the colours to those of a command.
func (o *Flags) RegisterColour(f *pflag.FlagSet) {
	f.StringVar(&o.Colour, "color", "auto", "`when` to colour: auto (into a terminal), always or never")
}

// Check returns what is wrong with the flags that were given.
func (o *Flags) Check(given *pflag.FlagSet) error {
	switch {
	case !slices.Contains(Colours, o.Colour):
		return fmt.Errorf("--color is %s, not %q", strings.Join(Colours, ", "), o.Colour)
	case given.Changed("width") && (o.Width < minWidth || o.Width > maxWidth):
		return fmt.Errorf("--width is from %d to %d, not %d", minWidth, maxWidth, o.Width)
	}
	return nil
}

// JSON writes a value for programs, indented.
func JSON(c process.Console, v any) error {
	e := json.NewEncoder(c.Out)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	if err := e.Encode(v); err != nil {
		return fmt.Errorf("write what was found: %w", err)
	}
	return nil
}

// EachEvent does something with every event of a log. Lines that are no events are
// reported with their number and skipped.
func EachEvent(c process.Console, in io.Reader, name string, do func(session.Event)) error {
	events := 0
	for ev, err := range session.ReadLog(in) {
		if err != nil {
			process.Complain(c.Err, fmt.Errorf("%s: %w", name, err))
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

// OpenLog opens a log by its name, and returns what to call it.
func OpenLog(c process.Console, log string) (in io.ReadCloser, name string, err error) {
	if log == "-" {
		if term.IsTerminal(c.In.Fd()) {
			return nil, "", errors.New("`parley print -` reads a log from a pipe, and nothing is piped in")
		}
		return io.NopCloser(c.In), "the standard input", nil
	}
	name = log
	info, err := os.Stat(log)
	if err == nil && info.IsDir() {
		name = filepath.Join(log, EventsFile)
		if _, err = os.Stat(name); errors.Is(err, os.ErrNotExist) {
			return nil, "", fmt.Errorf("the folder %s holds no %s; give a log file or the folder of a session", log, EventsFile)
		}
	}
	if errors.Is(err, os.ErrNotExist) {
		return nil, "", fmt.Errorf("there is no file %s; the Copilot CLI keeps its logs in ~/.copilot/session-state/ID/%s", log, EventsFile)
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

// EventsFile is the log in a session's folder, as the Copilot CLI names it.
const EventsFile = "events.jsonl"

// Width is how wide the output is, as far as it is known.
func Width(c process.Console) int {
	w, _, err := term.GetSize(c.Out.Fd())
	if err != nil || w <= 0 {
		w, err = strconv.Atoi(environ.Get(c.Env, "COLUMNS"))
	}
	if err != nil || w <= 0 {
		return defaultWidth
	}
	return min(max(w, minWidth), maxWidth)
}

// Theme picks the palette and how many colours of it the output can show.
// The terminal is not asked for its background, so only COLORFGBG shows a light
// one. A terminal gets the glyphs that it can show.
func Theme(c process.Console, colour string, opts ...theme.Option) (*theme.Theme, colorprofile.Profile) {
	environment := terminal.Environment{Vars: c.Env}
	profile := environment.LimitColours(colorprofile.Detect(c.Out, c.Env))
	if colour == "always" {
		profile = max(colorprofile.Env(append(slices.Clone(c.Env), "CLICOLOR_FORCE=1", "NO_COLOR=")), colorprofile.ANSI)
	}
	if colour == "never" || profile <= colorprofile.NoTTY {
		return theme.Plain(), colorprofile.NoTTY
	}
	opts = append(opts, environment.Glyphs()...)
	if profile == colorprofile.ASCII {
		return theme.Mono(opts...), profile
	}
	name := theme.Auto
	dark, said := environment.Background()
	switch {
	case profile == colorprofile.ANSI && !said:
		return theme.Terminal(opts...), profile
	case profile == colorprofile.ANSI:
		name = theme.Own
	case profile == colorprofile.ANSI256:
		opts = append(opts, theme.Few())
	}
	if !said {
		if th, ok := theme.Either(name, opts...); ok {
			return th, profile
		}
	}
	th, _ := theme.Named(name, dark, opts...)
	return th, profile
}
