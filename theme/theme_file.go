package theme

import (
	"errors"
	"fmt"
	"image/color"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"parley/settings/didyoumean"

	"charm.land/lipgloss/v2"
)

// File is a theme that a user made: a built-in one with other colours.
type File struct {
	// Name is the name of the file, without its ending.
	Name string
	// Warnings say what in it is hard to read, each with file and line.
	Warnings []string

	base builtIn
	own  []setting
}

// setting is a colour that a file gives.
type setting struct {
	table  string // of which background
	hue    hue
	colour string
	line   int
}

// The tables of a file: for every background, and for one kind only.
const (
	everywhere = "colors"
	ifDark     = "dark"
	ifLight    = "light"
)

const (
	ending = ".toml"
	// mostBytes bounds a file; a theme has no more than a hundred lines.
	mostBytes = 64 << 10
)

// Dir is the folder of a user's themes, beside the file of their settings; ""
// if there is no such file.
func Dir(settingsFile string) string {
	if settingsFile == "" {
		return ""
	}
	return filepath.Join(filepath.Dir(settingsFile), "themes")
}

// LoadDir reads the themes of a folder, in the order of their names. Those that
// cannot be read are left out; the error says why, in a line for each mistake.
// There need not be such a folder.
func LoadDir(dir string) ([]*File, error) {
	if dir == "" {
		return nil, nil
	}
	entries, err := os.ReadDir(dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("read the themes: %w", err)
	}
	var files []*File
	var errs []error
	for _, e := range entries {
		if filepath.Ext(e.Name()) != ending {
			continue
		}
		f, err := Load(filepath.Join(dir, e.Name()))
		if err != nil {
			errs = append(errs, err)
			continue
		}
		files = append(files, f)
	}
	return files, errors.Join(errs...)
}

// LoadNamed reads the theme of a name from a folder. If no theme has it, the error
// names the nearest.
func LoadNamed(dir, name string) (*File, error) {
	if dir != "" && filepath.Base(name) == name {
		f, err := Load(filepath.Join(dir, name+ending))
		if !errors.Is(err, fs.ErrNotExist) {
			return f, err
		}
	}
	names := Names()
	entries, _ := os.ReadDir(dir) // without it there are the built-in ones
	for _, e := range entries {
		if own, ok := strings.CutSuffix(e.Name(), ending); ok {
			names = append(names, own)
		}
	}
	if like := didyoumean.Nearest(name, names); like != "" {
		return nil, fmt.Errorf("there is no theme %q; did you mean %q?", name, like)
	}
	return nil, fmt.Errorf("there is no theme %q; there are %s", name, strings.Join(names, ", "))
}

// Check reads the themes of a folder, and looks for the one that is chosen. It
// returns what is hard to read, and an error with a line for each mistake.
func Check(dir, chosen string) (warnings []string, err error) {
	files, err := LoadDir(dir)
	own := false
	for _, f := range files {
		warnings = append(warnings, f.Warnings...)
		own = own || f.Name == chosen
	}
	if _, ok := find(chosen); !ok && !own {
		_, missing := LoadNamed(dir, chosen)
		if err == nil || !strings.Contains(err.Error(), missing.Error()) { // else it was said
			err = errors.Join(err, missing)
		}
	}
	return warnings, err
}

// Fixed reports whether the theme is for one kind of background; others follow
// the terminal's.
func (f *File) Fixed() bool {
	return f.base.fixed() && !slices.ContainsFunc(f.own, func(s setting) bool { return s.table != everywhere })
}

// Theme is the theme for a dark or a light background.
func (f *File) Theme(dark bool, opts ...Option) *Theme {
	dark = f.dark(dark)
	p, side := *f.base.palette(dark), ifLight
	if dark {
		side = ifDark
	}
	for _, table := range []string{everywhere, side} {
		for _, s := range f.own {
			if s.table == table {
				p[s.hue] = s.colour
			}
		}
	}
	return p.theme(f.Name, dark, opts)
}

// warn notes what is hard to read of what the file gives: of each colour, where
// it is worst.
func (f *File) warn(path string) {
	sides := []bool{true, false}
	if f.Fixed() {
		sides = sides[:1]
	}
	worst := map[int]string{}
	least := map[int]float64{}
	for _, dark := range sides {
		for _, p := range f.Theme(dark).pairs(readable, known) {
			line := max(f.line(p.fore), f.line(p.back))
			if before, known := least[line]; p.contrast >= p.want || line == 0 || known && before <= p.contrast/p.want {
				continue
			}
			least[line] = p.contrast / p.want
			worst[line] = fmt.Sprintf("%s, line %d: %s has a contrast of %.1f:1 on %s backgrounds; from %.1f:1 it is easy to read",
				path, line, p, p.contrast, map[bool]string{true: ifDark, false: ifLight}[f.dark(dark)], p.want)
		}
	}
	for _, line := range slices.Sorted(maps.Keys(worst)) {
		f.Warnings = append(f.Warnings, worst[line])
	}
}

// dark is the kind of background that the theme is for where the terminal's is
// dark or not.
func (f *File) dark(dark bool) bool {
	if f.Fixed() {
		return f.base.isDark
	}
	return dark
}

// line is where the file gives a colour; 0 if it does not.
func (f *File) line(c color.Color) int {
	for _, s := range f.own {
		if lipgloss.Color(s.colour) == c {
			return s.line
		}
	}
	return 0
}
