// Package promptfile finds prompt files: texts that are run as slash commands. Nothing in
// them is run by itself.
package promptfile

import (
	"cmp"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"parley/settings/environ"
	"parley/settings/mcpfile"
)

const (
	// maxBytes bounds the text of a file, and maxHead what is read of it to list it.
	maxBytes, maxHead = 128 << 10, 8 << 10
	// maxFiles bounds how many files of one folder are listed, and maxEntries how many
	// entries of it are looked at.
	maxFiles, maxEntries = 200, 2000
)

// File is a prompt file.
type File struct {
	// Name is the name of its command: that of the file, after the folders that it is in
	// and a colon each, in ASCII.
	Name string
	// Description is in one line; "" if the file is empty.
	Description string
	// Hint is what the words after the name are; "" for none.
	Hint string
	// Path is where the file is, absolute.
	Path string

	place place
	entry string // the file in its place
}

// place is a folder with prompt files.
type place struct {
	root   string // nothing outside of it is read
	dir    string // in root
	suffix string // of the files' names
	linked bool   // links may lead out of root: it is the user's own
}

// OfFolder finds the prompt files of a working folder, those of the folders above it, as
// far as the root of the Git repository, behind them. Of two with one name the nearest
// counts.
func OfFolder(dir string) []File {
	var places []place
	for _, root := range mcpfile.Folders(dir, mcpfile.Exists) {
		places = append(places, place{root, ".github/prompts", ".prompt.md", false}, place{root, ".claude/commands", ".md", false})
	}
	return find(places)
}

// Nearest are the files of several lists without those that have the name of one before them.
func Nearest(lists ...[]File) []File {
	var all []File
	for _, f := range slices.Concat(lists...) {
		if !slices.ContainsFunc(all, func(o File) bool { return o.Name == f.Name }) {
			all = append(all, f)
		}
	}
	return all
}

// OfUser finds the prompt files of the user: those in the folder of Parley's settings, and
// in the home; "" is none.
func OfUser(settings, home string) []File {
	var places []place
	if settings != "" {
		places = append(places, place{settings, "prompts", ".md", true})
	}
	if home != "" {
		places = append(places, place{home, ".claude/commands", ".md", true})
	}
	return find(places)
}

func find(places []place) []File {
	var lists [][]File
	for _, p := range places {
		lists = append(lists, p.files())
	}
	return Nearest(lists...)
}

// open opens a folder, which close ends.
func (p place) open() (files fs.FS, closed func(), err error) {
	if p.linked {
		return os.DirFS(filepath.Join(p.root, p.dir)), func() {}, nil
	}
	root, err := os.OpenRoot(p.root)
	if err != nil {
		return nil, nil, err
	}
	defer func() { _ = root.Close() }()
	below, err := root.OpenRoot(p.dir)
	if err != nil {
		return nil, nil, err
	}
	return below.FS(), func() { _ = below.Close() }, nil
}

// files lists the files of a place, by name. What cannot be read, or has a name that no
// command can have, is left out.
func (p place) files() []File {
	files, closed, err := p.open()
	if err != nil {
		return nil
	}
	defer closed()
	var all []File
	seen := 0
	_ = fs.WalkDir(files, ".", func(entry string, d fs.DirEntry, err error) error {
		seen++
		switch {
		case seen > maxEntries || len(all) == maxFiles:
			return fs.SkipAll
		case err != nil || entry == ".":
			return nil //nolint:nilerr // one that cannot be read is left out
		case strings.HasPrefix(d.Name(), "."):
			if d.IsDir() {
				return fs.SkipDir
			}
			return nil
		}
		name, ok := commandName(strings.TrimSuffix(entry, p.suffix))
		if d.IsDir() || !ok || !strings.HasSuffix(entry, p.suffix) {
			return nil
		}
		head, err := read(files, entry, maxHead)
		fields, body := frontMatter(head)
		first, _, _ := strings.Cut(strings.TrimSpace(body), "\n")
		about := cmp.Or(fields["description"], strings.TrimSpace(strings.TrimLeft(first, "#")))
		if err != nil || !utf8.ValidString(about) {
			return nil //nolint:nilerr // see above
		}
		all = append(all, File{
			Name: name, Description: about, Hint: fields["argument-hint"], place: p, entry: entry,
			Path: filepath.Join(p.root, p.dir, filepath.FromSlash(entry)),
		})
		return nil
	})
	return all
}

// validName is a name that cannot be taken for another one.
var validName = regexp.MustCompile(`^[A-Za-z0-9_][A-Za-z0-9_.:-]{0,63}$`)

// commandName is the name of the command of a file.
func commandName(entry string) (name string, ok bool) {
	name = strings.NewReplacer("/", ":", " ", "-").Replace(path.Clean(entry))
	return name, validName.MatchString(name)
}

// read reads a file, or its first bytes. Only a plain file is opened, since others can
// wait for ever.
func read(files fs.FS, entry string, limit int64) (string, error) {
	info, err := fs.Stat(files, entry)
	if err != nil {
		return "", err
	}
	if !info.Mode().IsRegular() {
		return "", fmt.Errorf("%s is no plain file", entry)
	}
	f, err := files.Open(entry)
	if err != nil {
		return "", err
	}
	defer func() { _ = f.Close() }()
	text, err := io.ReadAll(io.LimitReader(f, limit))
	return string(text), err
}

// Text reads the file and fills in the words after the name of its command.
func (f File) Text(args string) (string, error) {
	files, closed, err := f.place.open()
	if err != nil {
		return "", err
	}
	defer closed()
	text, err := read(files, f.entry, maxBytes+1)
	switch {
	case err != nil:
		return "", err
	case len(text) > maxBytes:
		return "", fmt.Errorf("%s is larger than %d KB", f.Path, maxBytes>>10)
	case !utf8.ValidString(text) || strings.ContainsRune(text, 0):
		return "", fmt.Errorf("%s is no text", f.Path)
	}
	_, body := frontMatter(text)
	filled, err := fill(strings.TrimSpace(body), args)
	if err == nil && filled == "" {
		err = fmt.Errorf("%s is empty", f.Path)
	}
	return filled, err
}

// frontMatter splits a file into the lines between its two lines "---", by their keys, and
// what follows. A value is one line, or the lines below it that are indented. It is no YAML
// in many files: a hint such as "[issue] [priority]" would be an error there.
func frontMatter(text string) (fields map[string]string, body string) {
	text = strings.ReplaceAll(strings.TrimPrefix(text, "\ufeff"), "\r\n", "\n")
	rest, ok := strings.CutPrefix(text, "---\n")
	head, body, closed := strings.Cut("\n"+rest, "\n---\n")
	if !closed {
		head, closed = strings.CutSuffix("\n"+rest, "\n---")
		body = ""
	}
	if !ok || !closed {
		return nil, text
	}
	fields = map[string]string{}
	last := ""
	for line := range strings.Lines(head) {
		line = strings.TrimRight(line, "\n")
		key, value, named := strings.Cut(line, ":")
		switch {
		case strings.TrimSpace(line) == "" || strings.HasPrefix(line, "#"):
		case line[0] == ' ' || line[0] == '\t':
			fields[last] = strings.TrimSpace(fields[last] + " " + strings.TrimSpace(line))
		case named:
			last = strings.TrimSpace(key)
			fields[last] = unquoted(strings.TrimSpace(value))
		}
	}
	return fields, body
}

// unquoted is a value of the front matter without its quotes; the sign of a block of lines
// is none.
func unquoted(value string) string {
	switch {
	case strings.Trim(value, "|>+-") == "":
		return ""
	case len(value) > 1 && (value[0] == '"' || value[0] == '\'') && value[len(value)-1] == value[0]:
		return value[1 : len(value)-1]
	}
	return value
}

// placeholder is where words of the user's stand in a prompt file.
var placeholder = regexp.MustCompile(`\\?\$(ARGUMENTS(\[\d{1,2}\])?|\d{1,2}\b)`)

// fill puts words into a text: all of them in the place of $ARGUMENTS, and one in that of
// $1 or $ARGUMENTS[0]. Where a text has $0, that is the first of them. A backslash leaves a
// placeholder as it is. Words that a text has no place for follow it.
func fill(text, args string) (string, error) {
	used := false
	words, err := environ.ShellWords(args)
	if err != nil {
		words = strings.Fields(args)
	}
	first := 1
	if slices.Contains(placeholder.FindAllString(text, -1), "$0") {
		first = 0
	}
	filled := placeholder.ReplaceAllStringFunc(text, func(p string) string {
		if p[0] == '\\' {
			return p[1:]
		}
		used = true
		if p == "$ARGUMENTS" {
			return args
		}
		n, _ := strconv.Atoi(strings.Trim(p, "$ARGUMENTS[]")) // one or two digits
		if !strings.HasSuffix(p, "]") {
			n -= first
		}
		if n < 0 || n >= len(words) {
			return ""
		}
		return words[n]
	})
	if len(filled) > maxBytes {
		return "", fmt.Errorf("with these words the prompt is larger than %d KB", maxBytes>>10)
	}
	if !used && args != "" {
		filled = strings.TrimSpace(filled + "\n\n" + args)
	}
	return filled, nil
}
