package settings

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"parley/settings/didyoumean"
	"parley/settings/tomlfile"
)

// File is a file of settings as it was read.
type File struct {
	Settings Settings
	// Lines are where the settings stand that it has, by their names.
	Lines map[string]int
	// Renamed says of each name in it that is called something else now what that is, with
	// the line. The name of before still counts.
	Renamed []string
}

// Load reads a file of settings (TOML 1.0). What it does not say, and a file
// that is not there, is as in Defaults. The error is all that is wrong in the
// file, each with its line; with one, the settings are the Defaults.
func Load(path string) (Settings, error) {
	f, err := Read(path)
	return f.Settings, err
}

// Read is Load, and says where each setting stands.
func Read(path string) (File, error) {
	if path == "" {
		return File{Settings: Defaults()}, nil
	}
	text, err := readFile(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return File{Settings: Defaults()}, nil
	case err != nil:
		return File{Settings: Defaults()}, unreadable(path, err)
	}
	r := parse(path, text)
	if err := r.mistakes(); err != nil {
		return File{Settings: Defaults()}, err
	}
	return File{r.settings, r.lines, r.renamed}, nil
}

// unreadable says of a file that it cannot be read.
func unreadable(path string, err error) error {
	if broken := (*fs.PathError)(nil); errors.As(err, &broken) {
		err = broken.Err
	}
	return &MistakeError{Path: path, What: "the file cannot be read: " + err.Error()}
}

// reader reads a text of settings: their values, their lines, and all that is wrong.
type reader struct {
	path     string
	rows     []Setting
	settings Settings
	lines    map[string]int // of the settings that it has, by their names
	found    []*MistakeError
	renamed  []string // what is called something else now
}

// parse reads a text. Of one that is no TOML it reads what stands above the line
// where that shows.
func parse(path string, text []byte) *reader {
	r := &reader{path: path, rows: Table(), settings: Defaults(), lines: map[string]int{}}
	if !r.isText(string(text)) {
		return r
	}
	file, broken := tomlfile.Parse(text)
	if broken == nil {
		r.read(file)
		r.agents(file)
		return r
	}
	lines := slices.Collect(strings.Lines(string(text)))
	above := strings.Join(lines[:min(max(0, broken.Line-1), len(lines))], "")
	if file, broken := tomlfile.Parse([]byte(above)); broken == nil {
		r.read(file)
	}
	r.wrong(broken.Line, "this is no TOML: %s; what comes after it was not read", broken.Problem)
	return r
}

// mistakes are all that were found, in the order of their lines.
func (r *reader) mistakes() error {
	slices.SortStableFunc(r.found, func(a, b *MistakeError) int { return a.Line - b.Line })
	all := make([]error, len(r.found))
	for i, m := range r.found {
		all[i] = m
	}
	return errors.Join(all...)
}

func (r *reader) wrong(line int, format string, a ...any) {
	r.found = append(r.found, &MistakeError{r.path, line, fmt.Sprintf(format, a...)})
}

// isText reports whether the file is one that can be parsed.
func (r *reader) isText(text string) bool {
	if strings.HasPrefix(text, "\ufeff") {
		r.wrong(1, "the file begins with a byte order mark; save it as UTF-8 without one")
		return false
	}
	for i, c := range text {
		if _, n := utf8.DecodeRuneInString(text[i:]); c == utf8.RuneError && n == 1 {
			r.wrong(1+strings.Count(text[:i], "\n"), "the file is not UTF-8 text")
			return false
		}
	}
	return true
}

// read takes the settings of a file and of its tables. Those of a table that is not
// known are not looked at.
func (r *reader) read(file *tomlfile.File) {
	for _, name := range slices.Sorted(maps.Keys(file.Values)) {
		table, isTable := file.Values[name].(map[string]any)
		_, isSetting := r.row(name)
		switch line := file.Line(name); {
		case name == agentsTable:
		case isTable && r.isTable(name):
			for _, key := range slices.Sorted(maps.Keys(table)) {
				r.setting(file, table[key], name, key)
			}
		case r.isTable(name):
			r.wrong(line, "%s is a table: write [%s], and its settings below it", name, name)
		case isTable && !isSetting:
			r.wrong(line, "there is no table [%s]%s", clip(name), r.meantTable(name))
		default:
			r.setting(file, file.Values[name], name)
		}
	}
}

// tableNames are the tables that there are.
func (r *reader) tableNames() []string {
	var names []string
	for _, s := range r.rows {
		if table, _ := s.split(); table != "" {
			names = append(names, table)
		}
	}
	return slices.Compact(names)
}

func (r *reader) isTable(name string) bool { return slices.Contains(r.tableNames(), name) }

func (r *reader) meantTable(typed string) string {
	if name := didyoumean.Nearest(typed, r.tableNames()); name != "" {
		return fmt.Sprintf("; did you mean [%s]?", name)
	}
	return "; the tables are " + words(r.tableNames())
}

// row is the setting of a name in parts.
func (r *reader) row(parts ...string) (Setting, bool) {
	i := slices.IndexFunc(r.rows, func(s Setting) bool { return slices.Equal(strings.Split(s.Name, "."), parts) })
	if i < 0 {
		return Setting{}, false
	}
	return r.rows[i], true
}

// setting takes the value of one key.
func (r *reader) setting(file *tomlfile.File, value any, key ...string) {
	name, line := strings.Join(key, "."), file.Line(key...)
	if now := renamedSetting(name); len(now) > 0 {
		r.renamedSetting(line, name, now, plainValue(value))
		return
	}
	s, ok := r.row(key...)
	if !ok {
		near := meant(name, names(r.rows))
		switch _, quoted := Find(name); {
		case quoted:
			near = "; write its name without quotes"
		case near == "":
			near = "; `parley config show` lists them all"
		}
		r.wrong(line, "there is no setting %q%s", clip(name), near)
		return
	}
	r.lines[name] = line
	before := len(r.found)
	if list, ok := value.([]any); ok && s.Kind == Words {
		for i := range list {
			was, _ := list[i].(string)
			if now := renamedItem(was); now != was {
				r.renamed = append(r.renamed, fmt.Sprintf("line %d: in %s, %q is called %q now", line, name, was, now))
				list[i] = now
			}
		}
	}
	if list, ok := value.([]any); ok && (s.Kind == Words || s.Kind == List) {
		r.items(file, s, list, key)
	} else if why := s.Check(plainValue(value)); why != "" {
		r.wrong(line, "%s", why)
	}
	if len(r.found) == before {
		s.set(&r.settings, plainValue(value))
	}
}

// renamedSetting takes the value of a name of before for each setting that it is now and
// that the file does not have itself. One that comes after it takes its own value then.
func (r *reader) renamedSetting(line int, before string, now []string, value any) {
	r.renamed = append(r.renamed, fmt.Sprintf("line %d: %s is two settings now: %s", line, before, strings.Join(now, " and ")))
	for _, name := range now {
		s, _ := Find(name)
		s.Name = before // for what is said of the value
		if why := s.Check(value); why != "" {
			r.wrong(line, "%s", why)
			return
		}
		if r.lines[name] == 0 {
			r.lines[name] = line
			s.set(&r.settings, value)
		}
	}
}

// renamedSetting is what a setting is now that a file may have by its name of before; nil
// if it is no such name.
func renamedSetting(name string) []string {
	if name == "notify.needs_you" {
		return []string{"notify.approval", "notify.question"}
	}
	return nil
}

// items looks at the items of a list, each in its own line.
func (r *reader) items(file *tomlfile.File, s Setting, list []any, key []string) {
	var before []string
	for i, item := range list {
		line := file.Line(append(slices.Clone(key), strconv.Itoa(i))...)
		text, ok := item.(string)
		if !ok {
			r.wrong(line, "%s must have texts in quotes only, not %s", s.Name, valueText(plainValue(item)))
			continue
		}
		if why := s.checkItem(text, before); why != "" {
			r.wrong(line, "%s", why)
		}
		before = append(before, text)
	}
}

func names(rows []Setting) []string {
	all := make([]string, len(rows))
	for i, s := range rows {
		all[i] = s.Name
	}
	return all
}
