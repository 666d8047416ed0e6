package mcpfile

import (
	"bytes"
	"errors"
	"io"
	"regexp"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
)

// object is where an object of a text stands, in bytes.
type object struct {
	open, close int // its braces; close is 0 if there is no object
	members     []member
}

// member is where a member of an object stands.
type member struct {
	name              string
	start, value, end int // where its name and its value begin, and where that ends
}

// index is that of the member of a name, or -1.
func (o object) index(name string) int {
	return slices.IndexFunc(o.members, func(m member) bool { return m.name == name })
}

// locate finds the object of a text, and in it the object of the servers. That is the
// whole where it has no mcpServers and nothing but servers.
func locate(text []byte) (root, servers object, err error) {
	if len(bytes.TrimSpace(text)) == 0 {
		return root, servers, nil
	}
	root, err = members(text, 0)
	if err != nil {
		return root, servers, err
	}
	if i := root.index("mcpServers"); i >= 0 {
		servers, err = members(text[:root.members[i].end], root.members[i].value)
		return root, servers, err
	}
	other := slices.ContainsFunc(root.members, func(m member) bool {
		s, err := members(text[:m.end], m.value)
		return err != nil || s.index("command") < 0 && s.index("url") < 0
	})
	if len(root.members) > 0 && !other {
		servers = root
	}
	return root, servers, nil
}

// members finds the members of the object that begins at an offset and ends the text.
func members(text []byte, from int) (object, error) {
	d := jsontext.NewDecoder(bytes.NewReader(text[from:]))
	at := func() int { return from + int(d.InputOffset()) }
	wrong := func(err error) error {
		line := lineOf(text, at())
		var syntactic *jsontext.SyntacticError
		if errors.As(err, &syntactic) {
			offset := min(len(text), from+int(syntactic.ByteOffset))
			line, err = lineOf(text, offset), syntactic.Err
			if rest := text[offset:]; bytes.HasPrefix(rest, []byte("//")) || bytes.HasPrefix(rest, []byte("/*")) {
				err = errors.New("it has a comment here, which the Copilot CLI reads and Parley does not; without comments it can be used")
			}
		}
		if errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, io.EOF) {
			err = errors.New("it ends in the middle")
		}
		return &SyntaxError{line, strings.TrimPrefix(err.Error(), "jsontext: ")}
	}
	token, err := d.ReadToken()
	if err != nil {
		return object{}, wrong(err)
	}
	if token.Kind() != jsontext.KindBeginObject {
		return object{}, wrong(errors.New("it is no JSON object"))
	}
	o := object{open: at() - 1}
	for d.PeekKind() == jsontext.KindString {
		m := member{}
		name, err := d.ReadValue()
		if err != nil {
			return o, wrong(err)
		}
		m.start = at() - len(name)
		plain, err := jsontext.AppendUnquote(nil, name)
		if err != nil {
			return o, wrong(err)
		}
		m.name = string(plain)
		value, err := d.ReadValue()
		if err != nil {
			return o, wrong(err)
		}
		m.end = at()
		m.value = m.end - len(value)
		o.members = append(o.members, m)
	}
	if _, err := d.ReadToken(); err != nil { // its end, or what is wrong with it
		return o, wrong(err)
	}
	o.close = at() - 1
	if _, err := d.ReadToken(); !errors.Is(err, io.EOF) {
		return o, wrong(errors.New("there is more after the object"))
	}
	return o, nil
}

// lineOf is the line of an offset, from 1.
func lineOf(text []byte, at int) int { return 1 + bytes.Count(text[:at], []byte("\n")) }

// lineIndent is the white space that begins the line of an offset, and whether nothing
// else is before the offset in it.
func lineIndent(text []byte, at int) (string, bool) {
	line := text[bytes.LastIndexByte(text[:at], '\n')+1 : at]
	rest := bytes.TrimLeft(line, " \t")
	return string(line[:len(line)-len(rest)]), len(rest) == 0
}

// margin is the white space before the last line of a value, if it is before all lines but
// the first.
func margin(value []byte) string {
	before, _ := lineIndent(value, len(value))
	lines := strings.Split(string(value), "\n")[1:]
	if slices.ContainsFunc(lines, func(l string) bool { return !strings.HasPrefix(l, before) }) {
		return ""
	}
	return before
}

// indentUnit is by how much the text indents what is inside of something.
func (o object) indentUnit(text []byte) string {
	if len(o.members) > 0 {
		if unit, alone := lineIndent(text, o.members[0].start); alone && unit != "" {
			return unit
		}
	}
	return "  "
}

// indent is the white space before the line on which the object begins.
func (o object) indent(text []byte, unit string) string {
	if len(o.members) > 0 {
		if inside, alone := lineIndent(text, o.members[0].start); alone && strings.HasSuffix(inside, unit) {
			return strings.TrimSuffix(inside, unit)
		}
	}
	before, _ := lineIndent(text, o.open)
	return before
}

// add puts a member behind the others. The object begins on a line indented by
// before.
func (o object) add(text []byte, written, before, unit string) []byte {
	if len(o.members) > 0 {
		return insert(text, o.members[len(o.members)-1].end, ",\n"+before+unit+written)
	}
	rest := slices.Concat(text[:o.open+1], text[o.close:])
	return insert(rest, o.open+1, "\n"+before+unit+written+"\n"+before)
}

// indented is a value over several lines, those below the first indented by before.
func indented(value jsontext.Value, before, unit string) string {
	_ = value.Indent(jsontext.WithIndentPrefix(before), jsontext.WithIndent(unit)) // it is JSON
	return listOfTexts.ReplaceAllStringFunc(string(value), func(list string) string {
		if one := "[" + lineStart.ReplaceAllString(strings.Trim(list, "[]\n \t"), " ") + "]"; len(one) <= mostInLine {
			return one
		}
		return list
	})
}

// mostInLine is how long a list is at most that is written on one line.
const mostInLine = 90

// listOfTexts is a list of texts, each on a line of its own; no text has a line end in it.
var (
	listOfTexts = regexp.MustCompile(`\[\n[ \t]*"[^\n]*"(,\n[ \t]*"[^\n]*")*\n[ \t]*\]`)
	lineStart   = regexp.MustCompile(`\n[ \t]*`)
)

// insert puts written into a text, with the ends of lines that the text has.
func insert(text []byte, at int, written string) []byte {
	if bytes.Contains(text, []byte("\r\n")) {
		written = strings.ReplaceAll(written, "\n", "\r\n")
	}
	return slices.Concat(text[:at], []byte(written), text[at:])
}
