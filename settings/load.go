package settings

import (
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"unicode/utf8"

	"parley/settings/didyoumean"

	"github.com/pelletier/go-toml/v2/unstable"

	"parley/settings/tomlfile"
)

// File is a file of settings as it was read.
type File struct {
	Settings Settings
	// Lines are where the settings stand that it has, by their names.
	Lines map[string]int
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
	f := File{r.settings, map[string]int{}}
	for name, v := range r.values {
		f.Lines[name] = v.line
	}
	return f, nil
}

// unreadable says of a file that it cannot be read.
func unreadable(path string, err error) error {
	if broken := (*fs.PathError)(nil); errors.As(err, &broken) {
		err = broken.Err
	}
	return &MistakeError{Path: path, What: "the file cannot be read: " + err.Error()}
}

// reader reads a text of settings: its values, where they stand, and all that is
// wrong.
type reader struct {
	p        unstable.Parser
	path     string
	text     []byte
	rows     []Setting
	settings Settings
	values   map[string]place
	tables   map[string]*section
	found    []*MistakeError
}

// place is where a setting stands.
type place struct {
	line       int
	start, end int // of its value, in bytes
	commented  bool
}

// section is where the settings of a table stand; "" is that of those at the
// top.
type section struct {
	form sectionForm
	line int
	head int // where its first line begins
	end  int // of the last that belongs to it
}

// sectionForm is how a table is written.
type sectionForm uint8

const (
	headed sectionForm = iota // [notify]
	dotted                    // notify.done = ...
	inline                    // notify = { done = ... }
)

// parse reads a text.
func parse(path string, text []byte) *reader {
	r := &reader{
		path: path, text: text, rows: Table(), settings: Defaults(),
		values: map[string]place{}, tables: map[string]*section{},
	}
	if !r.isText() {
		return r
	}
	r.p.KeepComments = true
	r.p.Reset(text)
	table, known := "", true // which table the settings are of, and that there is one
	for r.p.NextExpression() {
		e := r.p.Expression()
		if e.Kind == unstable.Comment {
			continue
		}
		header := e.Kind != unstable.KeyValue
		switch parts, _, _, _ := r.keys(e); {
		case (header || table == "") && len(parts) > 0 && parts[0] == agentsTable:
			known = known && !header // what is in it is read as a whole
		case header:
			table, known = r.header(e)
		case known:
			r.setting(e, table, headed)
		}
	}
	r.syntax()
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
func (r *reader) isText() bool {
	if strings.HasPrefix(string(r.text), "\ufeff") {
		r.wrong(1, "the file begins with a byte order mark; save it as UTF-8 without one")
		return false
	}
	line := 1
	for rest := r.text; len(rest) > 0; {
		c, n := utf8.DecodeRune(rest)
		switch {
		case c == utf8.RuneError && n == 1:
			r.wrong(line, "the file is not UTF-8 text")
			return false
		case c == '\n':
			line++
		}
		rest = rest[n:]
	}
	return true
}

// syntax finds what is no TOML: where the parser stopped, or else what is there
// twice in a way that no single expression shows. Without any, it reads the agents.
func (r *reader) syntax() {
	var stopped *unstable.ParserError
	if errors.As(r.p.Error(), &stopped) {
		r.wrong(r.p.Shape(r.p.Range(stopped.Highlight)).Start.Line,
			"this is no TOML: %s; what comes after it was not read", tomlfile.Problem(stopped.Message))
		return
	}
	file, err := tomlfile.Parse(r.text)
	if err == nil {
		r.agents(file)
		return
	}
	if !slices.ContainsFunc(r.found, func(m *MistakeError) bool { return m.Line == err.Line }) {
		r.wrong(err.Line, "%s", err.Problem)
	}
}

// keys are the parts of a key, where it begins and ends, and its line.
func (r *reader) keys(e *unstable.Node) (parts []string, start, end, line int) {
	start = -1
	for it := e.Key(); it.Next(); {
		raw := it.Node().Raw
		if start < 0 {
			start = int(raw.Offset)
			line = r.p.Shape(raw).Start.Line
		}
		parts, end = append(parts, string(it.Node().Data)), int(raw.Offset+raw.Length)
	}
	return parts, start, end, line
}

// header takes the first line of a table. Settings of one that is not known are
// not looked at.
func (r *reader) header(e *unstable.Node) (table string, known bool) {
	parts, start, end, line := r.keys(e)
	table = strings.Join(parts, ".")
	switch before := r.tables[table]; {
	case len(parts) != 1 || !r.isTable(table):
		if s, ok := r.row(parts); ok {
			r.wrong(line, "%s is no table, but a setting: %s = %s", table, s.Name, TOML(s.Default))
			return table, false
		}
		r.wrong(line, "there is no table [%s]%s", clip(table), r.meantTable(parts))
		return table, false
	case e.Kind == unstable.ArrayTable:
		r.wrong(line, "%s is one table, not a list of them: write [%s]", table, table)
		return table, false
	case before != nil:
		r.wrong(line, "the table [%s] is there already, in line %d: put its settings there", table, before.line)
	default:
		head := strings.LastIndexByte(string(r.text[:start]), '\n') + 1
		r.tables[table] = &section{headed, line, head, end + strings.IndexByte(string(r.text[end:]), ']') + 1}
	}
	return table, true
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

func (r *reader) meantTable(parts []string) string {
	if name := didyoumean.Nearest(parts[0], r.tableNames()); name != "" {
		return fmt.Sprintf("; did you mean [%s]?", name)
	}
	return "; the tables are " + words(r.tableNames())
}

// row is the setting of a name in parts.
func (r *reader) row(parts []string) (Setting, bool) {
	name := strings.Join(parts, ".")
	i := slices.IndexFunc(r.rows, func(s Setting) bool { return s.Name == name })
	if i < 0 || strings.Count(name, ".")+1 != len(parts) {
		return Setting{}, false
	}
	return r.rows[i], true
}

// setting takes one key with its value, which belongs to a table that is written
// in some form.
func (r *reader) setting(e *unstable.Node, table string, form sectionForm) {
	parts, start, end, line := r.keys(e)
	if table != "" {
		parts = append([]string{table}, parts...)
	}
	name, value := strings.Join(parts, "."), e.Value()
	if table == "" && len(parts) > 1 {
		form = dotted
	}
	s, ok := r.row(parts)
	switch {
	case ok:
	case len(parts) == 1 && r.isTable(name) && value.Kind == unstable.InlineTable:
		r.inline(e, name, line)
		return
	case len(parts) == 1 && r.isTable(name):
		r.wrong(line, "%s is a table: write [%s], and its settings below it", name, name)
		return
	default:
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
	if before, twice := r.values[name]; twice {
		r.wrong(line, "%s is there already, in line %d", name, before.line)
		return
	}
	stop := int(e.Raw.Offset + e.Raw.Length)
	begin := end + strings.IndexByte(string(r.text[end:]), '=') + 1
	begin += len(r.text[begin:stop]) - len(strings.TrimLeft(string(r.text[begin:stop]), " \t"))
	r.values[name] = place{line, begin, begin + len(strings.TrimRight(string(r.text[begin:stop]), " \t")), commented(value)}
	r.belongs(s, form, line, start, stop)
	if v, ok := r.value(s, value, line); ok {
		s.set(&r.settings, v)
	}
}

// belongs notes where a setting of a table ends, so that another can follow it.
func (r *reader) belongs(s Setting, form sectionForm, line, start, stop int) {
	table, _ := s.split()
	if r.tables[table] == nil {
		head := strings.LastIndexByte(string(r.text[:start]), '\n') + 1
		r.tables[table] = &section{form: form, line: line, head: head}
	}
	r.tables[table].end = stop
}

// inline takes a table that is written behind its name.
func (r *reader) inline(e *unstable.Node, table string, line int) {
	if before := r.tables[table]; before != nil {
		r.wrong(line, "the table %s is there already, in line %d: put its settings there", table, before.line)
		return
	}
	value := e.Value()
	head := int(value.Raw.Offset)
	r.tables[table] = &section{inline, line, head, head + 1}
	for it := value.Children(); it.Next(); {
		if it.Node().Kind == unstable.KeyValue {
			r.setting(it.Node(), table, inline)
		}
	}
}

// commented reports whether a list has comments in it.
func commented(value *unstable.Node) bool {
	if value.Kind != unstable.Array {
		return false
	}
	for it := value.Children(); it.Next(); {
		if it.Node().Kind == unstable.Comment {
			return true
		}
	}
	return false
}

func names(rows []Setting) []string {
	all := make([]string, len(rows))
	for i, s := range rows {
		all[i] = s.Name
	}
	return all
}
