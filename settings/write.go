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
		return errors.New("there is no folder for settings: neither XDG_CONFIG_HOME nor HOME is set")
	}
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
	changed, err := edit(path, text, s, value)
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
	if reflect.DeepEqual(s.Value(r.settings), value) && r.has(s) {
		return text, nil
	}
	at, ok := r.values[s.Name]
	var changed []byte
	switch {
	case !ok:
		changed = r.added(s, TOML(value))
	case at.commented:
		return nil, &MistakeError{path, at.line, s.Name + " has comments in its list; change it there, so that none is lost"}
	default:
		changed = slices.Concat(text[:at.start], []byte(TOML(value)), text[at.end:])
	}
	again := parse(path, changed)
	s.set(&r.settings, value)
	if again.mistakes() != nil || !reflect.DeepEqual(again.settings, r.settings) {
		return nil, &MistakeError{path, at.line, s.Name + " stands where it cannot be changed from here; change it in the file"}
	}
	return changed, nil
}

func (r *reader) has(s Setting) bool { _, ok := r.values[s.Name]; return ok }

// added is the text with a setting that it did not have.
func (r *reader) added(s Setting, value string) []byte {
	table, key := s.split()
	line := key + " = " + value
	to := r.tables[table]
	switch {
	case to == nil && table == "":
		return r.first(line)
	case to == nil:
		return r.last("[" + table + "]\n" + line)
	case to.form == inline:
		return r.within(to, line)
	case to.form == dotted && table != "":
		line = s.Name + " = " + value
	}
	return r.below(to.end, line)
}

// below puts a line below that in which something ends.
func (r *reader) below(end int, line string) []byte {
	if i := bytes.IndexByte(r.text[end:], '\n'); i >= 0 {
		return r.insert(end+i+1, line+"\n")
	}
	return r.insert(len(r.text), "\n"+line+"\n")
}

// first puts a line before the first table, and before what is said about that.
func (r *reader) first(line string) []byte {
	at := -1
	for _, t := range r.tables {
		if t.form != inline && (at < 0 || t.head < at) {
			at = t.head
		}
	}
	if at < 0 {
		return r.last(line)
	}
	for at > 0 {
		above := bytes.LastIndexByte(r.text[:at-1], '\n') + 1
		text := string(r.text[above:at])
		if !strings.HasPrefix(strings.TrimSpace(text), "#") || strings.HasPrefix(text, "#:") {
			break // a line for editors stays the first
		}
		at = above
	}
	return r.insert(at, line+"\n\n")
}

// last puts lines at the end, after a blank line.
func (r *reader) last(lines string) []byte {
	gap := "\n"
	switch {
	case len(r.text) == 0:
		gap = ""
	case r.text[len(r.text)-1] != '\n':
		gap = "\n\n"
	}
	return r.insert(len(r.text), gap+lines+"\n")
}

// within puts a setting into a table that is written behind its name.
func (r *reader) within(to *section, line string) []byte {
	if r.text[to.end-1] == '{' {
		return r.insert(to.end, " "+line+" ")
	}
	return r.insert(to.end, ", "+line)
}

// insert puts text in, with the ends of lines that the file has.
func (r *reader) insert(at int, text string) []byte {
	if bytes.Contains(r.text, []byte("\r\n")) {
		text = strings.ReplaceAll(text, "\n", "\r\n")
	}
	return slices.Concat(r.text[:at], []byte(text), r.text[at:])
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
	return os.Rename(beside.Name(), path)
}
