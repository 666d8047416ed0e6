package theme

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"parley/settings/didyoumean"
	"parley/settings/tomlfile"
)

// Load reads a theme from a file (TOML 1.0): base names a built-in theme, the
// table colors gives colours by name, and the tables dark and light those for
// such a background only. An error has a line for each mistake.
func Load(path string) (*File, error) {
	r := reader{path: path, file: &File{Name: strings.TrimSuffix(filepath.Base(path), ending)}}
	r.file.base, _ = find(Auto)
	source, err := readSmall(path, "theme", " "+r.file.Name)
	if err != nil {
		return nil, err
	}
	r.read(source)
	if _, taken := find(r.file.Name); taken {
		r.mistake(1, "%q is the name of a built-in theme; give the file another", r.file.Name)
	}
	if len(r.errs) > 0 {
		return nil, errors.Join(r.errs...)
	}
	r.file.warn(path)
	return r.file, nil
}

// readSmall reads a file of no more than mostBytes; kind and name say in an error what
// it is.
func readSmall(path, kind, name string) ([]byte, error) {
	var source []byte
	info, err := os.Stat(path)
	if err == nil {
		if !info.Mode().IsRegular() || info.Size() > mostBytes {
			return nil, fmt.Errorf("%s: a %s is a file of %d bytes at most", path, kind, mostBytes)
		}
		source, err = os.ReadFile(path)
	}
	if err != nil {
		return nil, fmt.Errorf("read the %s%s: %w", kind, name, err)
	}
	return source, nil
}

// reader reads one file.
type reader struct {
	path string
	file *File
	errs []error
}

func (r *reader) mistake(line int, format string, args ...any) {
	r.errs = append(r.errs, fmt.Errorf("%s, line %d: %s", r.path, line, fmt.Sprintf(format, args...)))
}

// read takes what the file says.
func (r *reader) read(source []byte) {
	file, broken := tomlfile.Parse(source)
	if broken != nil {
		r.mistake(max(broken.Line, 1), "this is no TOML: %s", broken.Problem)
		return
	}
	for _, e := range file.Entries() {
		_, table := e.Value.(map[string]any)
		_, list := e.Value.([]any)
		switch name := e.Key[0]; {
		case len(e.Key) == 1 && table:
			r.isTable(name, e.Line)
		case len(e.Key) == 1 && name == "base":
			r.takeBase(e.Value, e.Line)
		case len(e.Key) == 1 && list:
			r.mistake(e.Line, "a theme has no lists; write [%s]", name)
		case len(e.Key) == 1:
			r.mistake(e.Line, "there is no setting %q; a theme has base, and the tables colors, dark and light", name)
		case !table && r.isTable(name, e.Line):
			r.takeColour(name, strings.Join(e.Key[1:], "."), e.Value, e.Line)
		}
	}
}

// isTable reports whether a file may have a table of this name. If not, that is
// a mistake, once.
func (r *reader) isTable(name string, line int) bool {
	tables := []string{everywhere, ifDark, ifLight}
	if slices.Contains(tables, name) {
		return true
	}
	text := fmt.Sprintf("there is no table %q; %s", name, choices(name, tables))
	if !slices.ContainsFunc(r.errs, func(err error) bool { return strings.HasSuffix(err.Error(), text) }) {
		r.mistake(line, "%s", text)
	}
	return false
}

// choices says what a misspelt name may mean, or all that there is.
func choices(typed string, names []string) string {
	if like := didyoumean.Nearest(typed, names); like != "" {
		return fmt.Sprintf("did you mean %q?", like)
	}
	return "there are " + strings.Join(names, ", ")
}

func (r *reader) takeBase(value any, line int) {
	name, _ := value.(string)
	base, ok := find(name)
	if !ok {
		r.mistake(line, "base is %q, which is no built-in theme; %s", fmt.Sprint(value), choices(name, Names()))
		return
	}
	r.file.base = base
}

func (r *reader) takeColour(table, name string, value any, line int) {
	h := slices.IndexFunc(colours[:], func(c Colour) bool { return c.Name == name })
	if h < 0 {
		r.mistake(line, "there is no colour %q; %s", name, choices(name, colourNames()))
		return
	}
	c, ok := parseColour(value)
	if !ok {
		r.mistake(line, `%s is %q, which is no colour; one is "#rrggbb", or the terminal's own by its number (0 to 15) or `+
			`name (such as "bright-blue"), or "none"`, name, fmt.Sprint(value))
		return
	}
	r.file.own = append(r.file.own, setting{table, hue(h), c, line})
}

var hex = regexp.MustCompile(`^#([0-9a-f]{3}|[0-9a-f]{6})$`)

// parseColour returns a colour of a file as a palette has it.
func parseColour(value any) (string, bool) {
	s := strings.ToLower(strings.TrimSpace(fmt.Sprint(value)))
	if hex.MatchString(s) {
		return s, true
	}
	own := []string{"black", "red", "green", "yellow", "blue", "magenta", "cyan", "white"}
	bare, bright := strings.CutPrefix(s, "bright-")
	if n := slices.Index(own, bare); n >= 0 {
		if bright {
			n += len(own)
		}
		return strconv.Itoa(n), true
	}
	if n, err := strconv.Atoi(s); err == nil && n >= 0 && n < 2*len(own) {
		return strconv.Itoa(n), true
	}
	return "", s == "none"
}
