package theme

import (
	"embed"
	"errors"
	"strconv"
	"strings"

	"charm.land/lipgloss/v2"
)

// Auto is the name of the theme that a user has who names none.
const Auto = "auto"

// Own is the name of the theme of the terminal's own sixteen colours.
const Own = "terminal"

// builtIn is a theme that needs no file.
type builtIn struct {
	name, about string
	dark, light string // the palettes for either kind of background
	either      string // that for one that is not known; "" in a theme that is for one kind
	isDark      bool   // which that is
}

// builtIns are all of them, in the order in which a user chooses.
func builtIns() []builtIn {
	const onDark, onLight = "for dark backgrounds", "for light backgrounds"
	return []builtIn{
		{Auto, "follows the terminal's background", "dark", "light", "either", false},
		{"dark", onDark, "dark", "light", "", true},
		{"light", onLight, "dark", "light", "", false},
		{"high-contrast", "7:1 and more, follows the background", "high-contrast-dark", "high-contrast-light", "terminal", false},
		{"high-contrast-dark", onDark, "high-contrast-dark", "high-contrast-light", "", true},
		{"high-contrast-light", onLight, "high-contrast-dark", "high-contrast-light", "", false},
		{
			"colorblind", "blue and orange, follows the background",
			"colorblind-dark", "colorblind-light", "colorblind-either", false,
		},
		{"colorblind-dark", onDark, "colorblind-dark", "colorblind-light", "", true},
		{"colorblind-light", onLight, "colorblind-dark", "colorblind-light", "", false},
		{Own, "the terminal's own 16 colours", "terminal-dark", "terminal-light", "terminal", false},
	}
}

// fixed reports whether it is for one kind of background.
func (b builtIn) fixed() bool { return b.either == "" }

// palette is the one for a dark or a light background.
func (b builtIn) palette(dark bool) *palette {
	if dark {
		return builtInPalette(b.dark)
	}
	return builtInPalette(b.light)
}

// palettes are those of the built-in themes, written as a user writes a theme.
// TestContrast holds them to their contrast, TestColourblind to being distinguished
// by everybody.
//
//go:embed palettes
var palettes embed.FS

// builtInPalette reads one of palettes.
func builtInPalette(name string) *palette {
	source, err := palettes.ReadFile("palettes/" + name + ending)
	r := reader{path: name, file: &File{Name: name}}
	r.read(source)
	if err = errors.Join(append(r.errs, err)...); err != nil {
		panic(err) // the files are part of the program
	}
	p := new(palette)
	for _, s := range r.file.own {
		p[s.hue] = s.colour
	}
	return p
}

// Names returns the names of the built-in themes.
func Names() []string {
	var names []string
	for _, b := range builtIns() {
		names = append(names, b.name)
	}
	return names
}

// About says what a built-in theme is, in a few words.
func About(name string) string {
	b, _ := find(name)
	return b.about
}

func find(name string) (builtIn, bool) {
	for _, b := range builtIns() {
		if b.name == name {
			return b, true
		}
	}
	return builtIn{}, false
}

// Either returns the built-in theme of a name that follows the background, for
// one that is not known: its colours read on dark and on light. Not ok means that
// no theme has the name.
func Either(name string, opts ...Option) (th *Theme, ok bool) {
	b, ok := find(name)
	if !ok || b.fixed() {
		return nil, false
	}
	return builtInPalette(b.either).theme(name, true, opts), true
}

// Background reads a value of COLORFGBG, as some terminals set it: the last of
// its numbers is the background, "0;15" is black on white. Not ok means that it
// says nothing of it.
func Background(colorfgbg string) (dark, ok bool) {
	fields := strings.Split(colorfgbg, ";")
	n, err := strconv.Atoi(fields[len(fields)-1])
	if err != nil || n < 0 || n > 15 {
		return false, false
	}
	return n < 7 || n == 8, true
}

// Named returns a built-in theme; not ok means that no theme has the name.
// One that follows the background is that for a dark or a light one.
func Named(name string, dark bool, opts ...Option) (th *Theme, ok bool) {
	b, ok := find(name)
	if !ok {
		return nil, false
	}
	if b.fixed() {
		dark = b.isDark
	} else {
		name = strings.TrimPrefix(name+map[bool]string{true: "-dark", false: "-light"}[dark], Auto+"-")
	}
	return b.palette(dark).theme(name, dark, opts), true
}

// Dark returns the theme for dark backgrounds. Normal text keeps the
// terminal's own colours.
func Dark(opts ...Option) *Theme { return builtInPalette("dark").theme("dark", true, opts) }

// Light returns the theme for light backgrounds. Normal text keeps the
// terminal's own colours.
func Light(opts ...Option) *Theme { return builtInPalette("light").theme("light", false, opts) }

// Terminal returns the theme of the terminal's own sixteen colours for a
// background that is not known.
func Terminal(opts ...Option) *Theme { return builtInPalette("terminal").theme("terminal", true, opts) }

// Mono returns a theme without colour that keeps bold, italic, underline and
// reverse where they carry meaning: for NO_COLOR and terminals without colour.
func Mono(opts ...Option) *Theme { return new(palette).theme("mono", true, opts) }

// Plain returns a theme that writes no escape sequence at all, not even for
// links: for pipes, files and goldens.
func Plain(opts ...Option) *Theme {
	t := build("plain", true, [Tokens]lipgloss.Style{}, opts)
	t.Links = false
	return t
}
