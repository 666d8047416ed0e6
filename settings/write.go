package settings

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"

	"github.com/pelletier/go-toml/v2/unstable"
	"github.com/rogpeppe/go-internal/robustio"

	"parley/settings/environ"
)

// Put changes one setting in a file, and leaves everything else in it as it is,
// byte for byte. It makes the file and its folder if they are not there, keeps a
// link to a file elsewhere, and puts the new text in the place of the old at
// once. A file that has mistakes is left alone, and so is a list that has
// comments in it. Who writes at the same time, from this window or another one, waits, as long as ctx lasts.
func Put(ctx context.Context, path, name string, value any) error {
	s, ok := Find(name)
	if !ok {
		return fmt.Errorf("there is no setting %q%s", name, meant(name, names(Table())))
	}
	if why := s.Check(value); why != "" {
		return errors.New(why)
	}
	if list, ok := value.([]string); ok && list == nil {
		value = []string{}
	}
	if path == "" {
		return errors.New("there is no folder for settings: neither XDG_CONFIG_HOME nor " + environ.ConfigVariable + " is set")
	}
	return Rewrite(ctx, path, func(text []byte) ([]byte, error) { return edit(path, text, s, value) })
}

// ReadText returns the text of a file of the user's; nil if it is not there. It never waits.
func ReadText(path string) ([]byte, error) {
	text, err := readFile(path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, unreadable(path, err)
	}
	return text, nil
}

// Rewrite puts what edit makes of the text of a file in its place, at once. The text is
// nil if the file is not there; it is made then, with its folder. A link to a file elsewhere
// stays one. Whoever writes in the folder at the same time waits, as long as ctx lasts.
func Rewrite(ctx context.Context, path string, edit func(text []byte) ([]byte, error)) error {
	file := follow(path)
	unlock, err := lock(ctx, filepath.Dir(file))
	if err != nil {
		return fmt.Errorf("write %s: %w", path, err)
	}
	defer unlock()
	text, err := readFile(file)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return unreadable(path, err)
	}
	changed, err := edit(text)
	if err != nil || bytes.Equal(changed, text) {
		return err
	}
	if err := replace(file, changed); err != nil {
		return fmt.Errorf("write %s: %w", path, err)
	}
	return nil
}

// edit is a text of settings with another value of one.
func edit(path string, text []byte, s Setting, value any) ([]byte, error) {
	r := parse(path, text)
	if err := r.mistakes(); err != nil {
		return nil, err
	}
	line, ok := r.lines[s.Name]
	if ok && reflect.DeepEqual(s.Value(r.settings), value) {
		return text, nil
	}
	l := locate(text)
	at, own := l.values[s.Name]
	var changed []byte
	switch {
	case !own: // a name of before may stand for it
		changed = l.added(s, TOML(value))
	case at.commented:
		return nil, &MistakeError{path, line, s.Name + " has comments in its list; change it there, so that none is lost"}
	default:
		changed = slices.Concat(text[:at.start], []byte(TOML(value)), text[at.end:])
	}
	again := parse(path, changed)
	s.set(&r.settings, value)
	if again.mistakes() != nil || !reflect.DeepEqual(again.settings, r.settings) {
		return nil, &MistakeError{path, line, s.Name + " stands where it cannot be changed from here; change it in the file"}
	}
	return changed, nil
}

// layout is where the settings of a text stand that has no mistakes.
type layout struct {
	text   []byte
	values map[string]place
	tables map[string]*section
}

// place is where the value of a setting stands, in bytes.
type place struct {
	start, end int
	commented  bool // it is a list with comments in it
}

// section is where the settings of a table stand; "" is that of those at the
// top.
type section struct {
	form sectionForm
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

// locate finds where the settings of a text stand.
func locate(text []byte) *layout {
	l := &layout{text, map[string]place{}, map[string]*section{}}
	p := unstable.Parser{KeepComments: true}
	p.Reset(text)
	table := ""
	for p.NextExpression() {
		switch e := p.Expression(); e.Kind {
		case unstable.Table, unstable.ArrayTable:
			var start, end int
			table, start, end = keyOf(e)
			l.tables[table] = &section{headed, l.lineStart(start), end + bytes.IndexByte(text[end:], ']') + 1}
		case unstable.KeyValue:
			l.pair(e, table, headed)
		default:
		}
	}
	return l
}

// keyOf is the key of an expression, and where it begins and ends.
func keyOf(e *unstable.Node) (key string, start, end int) {
	var parts []string
	for it := e.Key(); it.Next(); {
		raw := it.Node().Raw
		if len(parts) == 0 {
			start = int(raw.Offset)
		}
		parts, end = append(parts, string(it.Node().Data)), int(raw.Offset+raw.Length)
	}
	return strings.Join(parts, "."), start, end
}

func (l *layout) lineStart(at int) int { return bytes.LastIndexByte(l.text[:at], '\n') + 1 }

// pair notes where a value of a table stands that is written in some form, or where
// those of an inline table do.
func (l *layout) pair(e *unstable.Node, table string, form sectionForm) {
	name, start, end := keyOf(e)
	value := e.Value()
	if table != "" {
		name = table + "." + name
	} else if before, _, ok := strings.Cut(name, "."); ok {
		table, form = before, dotted
	} else if value.Kind == unstable.InlineTable {
		l.tables[name] = &section{inline, int(value.Raw.Offset), int(value.Raw.Offset) + 1}
		for it := value.Children(); it.Next(); {
			if it.Node().Kind == unstable.KeyValue {
				l.pair(it.Node(), name, inline)
			}
		}
		return
	}
	stop := int(e.Raw.Offset + e.Raw.Length)
	begin := end + bytes.IndexByte(l.text[end:], '=') + 1
	written := bytes.TrimLeft(l.text[begin:stop], " \t")
	begin = stop - len(written)
	at := place{start: begin, end: begin + len(bytes.TrimRight(written, " \t"))}
	for it := value.Children(); it.Next(); {
		at.commented = at.commented || it.Node().Kind == unstable.Comment
	}
	l.values[name] = at
	if l.tables[table] == nil {
		l.tables[table] = &section{form: form, head: l.lineStart(start)}
	}
	l.tables[table].end = stop
}

// added is the text with a setting that it did not have.
func (l *layout) added(s Setting, value string) []byte {
	table, key := s.split()
	line := key + " = " + value
	to := l.tables[table]
	switch {
	case to == nil && table == "":
		return l.first(line)
	case to == nil:
		return l.last("[" + table + "]\n" + line)
	case to.form == inline && l.text[to.end-1] == '{':
		return l.insert(to.end, " "+line+" ")
	case to.form == inline:
		return l.insert(to.end, ", "+line)
	case to.form == dotted && table != "":
		line = s.Name + " = " + value
	}
	return l.below(to.end, line)
}

// below puts a line below that in which something ends.
func (l *layout) below(end int, line string) []byte {
	if i := bytes.IndexByte(l.text[end:], '\n'); i >= 0 {
		return l.insert(end+i+1, line+"\n")
	}
	return l.insert(len(l.text), "\n"+line+"\n")
}

// first puts a line before the first table, and before what is said about that.
func (l *layout) first(line string) []byte {
	at := -1
	for _, t := range l.tables {
		if t.form != inline && (at < 0 || t.head < at) {
			at = t.head
		}
	}
	if at < 0 {
		return l.last(line)
	}
	for at > 0 {
		above := bytes.LastIndexByte(l.text[:at-1], '\n') + 1
		text := string(l.text[above:at])
		if !strings.HasPrefix(strings.TrimSpace(text), "#") || strings.HasPrefix(text, "#:") {
			break // a line for editors stays the first
		}
		at = above
	}
	return l.insert(at, line+"\n\n")
}

// last puts lines at the end, after a blank line.
func (l *layout) last(lines string) []byte {
	gap := "\n"
	switch {
	case len(l.text) == 0:
		gap = ""
	case l.text[len(l.text)-1] != '\n':
		gap = "\n\n"
	}
	return l.insert(len(l.text), gap+lines+"\n")
}

// insert puts text in, with the ends of lines that the file has.
func (l *layout) insert(at int, text string) []byte {
	if bytes.Contains(l.text, []byte("\r\n")) {
		text = strings.ReplaceAll(text, "\n", "\r\n")
	}
	return slices.Concat(l.text[:at], []byte(text), l.text[at:])
}

// mostLinks bounds a chain of links.
const mostLinks = 40

// follow is the file that a path means after its links, whether it is there or
// not.
func follow(path string) string {
	for range mostLinks {
		to, ok := linked(path)
		if !ok {
			break
		}
		path = to
	}
	return path
}

// linked is what a link leads to; not ok if there is no link.
func linked(path string) (to string, ok bool) {
	to, err := os.Readlink(path)
	if err != nil {
		return "", false
	}
	if !filepath.IsAbs(to) {
		to = filepath.Join(filepath.Dir(path), to)
	}
	return filepath.Clean(to), true
}

// replace writes a text beside a file and then puts it in its place, with the
// permissions that the file has.
func replace(path string, text []byte) error {
	dir, mode := filepath.Dir(path), fs.FileMode(0o600)
	if info, err := os.Stat(path); err == nil {
		mode = info.Mode().Perm()
		switch {
		case !info.Mode().IsRegular():
			return errNoFile
		case mode&0o222 == 0:
			return errors.New("it is read-only")
		}
	}
	beside, err := os.CreateTemp(dir, ".settings-*")
	if err != nil {
		return err
	}
	defer func() { _ = os.Remove(beside.Name()) }() // it is gone where all went well
	_, err = beside.Write(text)
	err = errors.Join(err, beside.Chmod(mode), beside.Sync(), beside.Close())
	if err != nil {
		return err
	}
	return robustio.Rename(beside.Name(), path)
}
