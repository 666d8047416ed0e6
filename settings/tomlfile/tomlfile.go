// Package tomlfile reads TOML 1.0 into values, with the line of each key, so that
// what is wrong with a value can be said with its line.
package tomlfile

import (
	"errors"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/pelletier/go-toml/v2"
	"github.com/pelletier/go-toml/v2/unstable"
)

// File is a file that was read.
type File struct {
	// Values are what it holds, as the library decodes it into any.
	Values map[string]any
	lines  map[string]int // of keys, their parts joined by dots
}

// SyntaxError says what of a text is no TOML.
type SyntaxError struct {
	Line    int // from 1; 0 if that is not known
	Problem string
}

// Parse reads a text.
func Parse(text []byte) (*File, *SyntaxError) {
	f := &File{lines: map[string]int{}}
	if err := toml.Unmarshal(text, &f.Values); err != nil {
		e := &SyntaxError{Problem: Problem(err.Error())}
		if broken := (*toml.DecodeError)(nil); errors.As(err, &broken) {
			e.Line, _ = broken.Position()
		}
		return nil, e
	}
	var p unstable.Parser
	p.Reset(text)
	var table []string
	for p.NextExpression() {
		switch e := p.Expression(); e.Kind {
		case unstable.Table, unstable.ArrayTable:
			table, _ = f.note(&p, nil, e.Key(), 0)
		case unstable.KeyValue:
			f.pair(&p, table, e, 0)
		default:
		}
	}
	return f, nil
}

// Problem is a message of the library, for the user: without the names of Go's
// packages and functions.
func Problem(message string) string {
	message, _, _ = strings.Cut(strings.TrimPrefix(message, "toml: "), ": strconv.")
	return message
}

// pair notes the lines of a key and of what its value holds: the items of a list by
// their numbers. What is in an inline table has the line of its own key.
func (f *File) pair(p *unstable.Parser, table []string, e *unstable.Node, line int) {
	key, line := f.note(p, table, e.Key(), line)
	value, items := e.Value(), 0
	for it := value.Children(); it.Next(); {
		switch item := it.Node(); {
		case value.Kind == unstable.Array:
			f.lines[strings.Join(key, ".")+"."+strconv.Itoa(items)] = p.Shape(item.Raw).Start.Line
			items++
		case item.Kind == unstable.KeyValue:
			f.pair(p, key, item, line)
		}
	}
}

// note notes the line of a key in a table, and of what it begins with.
func (f *File) note(p *unstable.Parser, table []string, parts unstable.Iterator, line int) ([]string, int) {
	key := slices.Clip(table)
	for parts.Next() {
		key = append(key, string(parts.Node().Data))
		line = max(line, p.Shape(parts.Node().Raw).Start.Line)
	}
	for i := range key {
		if name := strings.Join(key[:i+1], "."); f.lines[name] == 0 {
			f.lines[name] = line
		}
	}
	return key, line
}

// Line is the first line of a key, or of what it stands in; 0 if there is neither.
// The key of an item of a list ends in its number, from 0.
func (f *File) Line(key ...string) int {
	name := strings.Join(key, ".")
	for f.lines[name] == 0 && strings.Contains(name, ".") {
		name = name[:strings.LastIndexByte(name, '.')]
	}
	return f.lines[name]
}

// Entry is a key with its value, which may be a table.
type Entry struct {
	Key   []string
	Value any
	Line  int
}

// Entries are all keys in the order of their lines, each before what it holds.
func (f *File) Entries() []Entry {
	var all []Entry
	var add func(before []string, table map[string]any)
	add = func(before []string, table map[string]any) {
		for _, name := range slices.Sorted(maps.Keys(table)) {
			key := append(slices.Clip(before), name)
			all = append(all, Entry{key, table[name], f.Line(key...)})
			if inner, ok := table[name].(map[string]any); ok {
				add(key, inner)
			}
		}
	}
	add(nil, f.Values)
	slices.SortStableFunc(all, func(a, b Entry) int { return a.Line - b.Line })
	return all
}
