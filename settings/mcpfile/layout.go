package mcpfile

import (
	"bytes"
	"errors"
	"io"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/tailscale/hujson"
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

// document is the text of a file and where its objects stand.
type document struct {
	text          []byte
	plain         []byte // the text as JSON: spaces are in the place of comments and of commas before a closing bracket
	root, servers object
}

// locate finds the object of a text, and in it the object of the servers. That is the
// whole where it has no mcpServers and nothing but servers. The agent reads comments and
// trailing commas, so they are no mistakes.
func locate(text []byte) (document, error) {
	d := document{text: text}
	if len(bytes.TrimSpace(text)) == 0 {
		return d, nil
	}
	var err error
	if d.plain, err = standardize(text); err != nil {
		return d, err
	}
	if d.root, err = members(d.plain, 0); err != nil {
		return d, err
	}
	if i := d.root.index("mcpServers"); i >= 0 {
		d.servers, err = members(d.plain[:d.root.members[i].end], d.root.members[i].value)
		return d, err
	}
	other := slices.ContainsFunc(d.root.members, func(m member) bool {
		s, err := members(d.plain[:m.end], m.value)
		return err != nil || s.index("command") < 0 && s.index("url") < 0
	})
	if len(d.root.members) > 0 && !other {
		d.servers = d.root
	}
	return d, nil
}

// standardize returns a text as JSON, every byte of it where it was.
func standardize(text []byte) ([]byte, error) {
	v, err := hujson.Parse(append(bytes.Clone(text), '\n')) // which a comment at the end may lack
	if err != nil {
		wrong := &SyntaxError{}
		what := err.Error()
		if at := mistake.FindStringSubmatch(what); at != nil {
			wrong.Line, _ = strconv.Atoi(at[1])
			what = what[len(at[0]):]
		}
		if errors.Is(err, io.ErrUnexpectedEOF) {
			wrong.Line, what = lineOf(text, len(text)), "it ends in the middle"
		}
		wrong.What = what
		return nil, wrong
	}
	v.Standardize()
	return v.Pack()[:len(text)], nil
}

// mistake is how an error of hujson says where it is.
var mistake = regexp.MustCompile(`^hujson: line (\d+), column \d+: `)

// comments are where the comments of a text stand, without the ends of lines behind them.
func (d document) comments(from, to int) (all [][2]int) {
	for i := from; i < to; i++ {
		if d.text[i] == '/' && d.plain[i] == ' ' {
			end := commentEnd(d.text, i)
			all = append(all, [2]int{i, end})
			i = end - 1
		}
	}
	return all
}

// commentEnd is where a comment ends that begins at an offset.
func commentEnd(text []byte, at int) int {
	if text[at+1] == '*' {
		return at + 2 + bytes.Index(text[at+2:], []byte("*/")) + 2
	}
	line, _, _ := bytes.Cut(text[at:], []byte("\n"))
	return at + len(bytes.TrimSuffix(line, []byte("\r")))
}

// comma is the offset of the comma between two others, or -1. What else is there is white
// space and comments.
func (d document) comma(from, to int) int {
	bare := bytes.Clone(d.text[from:to])
	for _, c := range d.comments(from, to) {
		clear(bare[c[0]-from : c[1]-from])
	}
	if i := bytes.IndexByte(bare, ','); i >= 0 {
		return from + i
	}
	return -1
}

// lineEnd is the end of the comments that begin behind an offset on its line.
func (d document) lineEnd(at int) int {
	for i := at; i < len(d.text) && bytes.IndexByte([]byte(" \t/"), d.text[i]) >= 0; i++ {
		if d.text[i] == '/' {
			at = commentEnd(d.text, i)
			i = at - 1
		}
	}
	return at
}

// members finds the members of the object that begins at an offset of a text that is JSON.
func members(text []byte, from int) (object, error) {
	d := jsontext.NewDecoder(bytes.NewReader(text[from:]))
	at := func() int { return from + int(d.InputOffset()) }
	wrong := func(err error) error {
		line := lineOf(text, at())
		var syntactic *jsontext.SyntacticError
		if errors.As(err, &syntactic) {
			line, err = lineOf(text, min(len(text), from+int(syntactic.ByteOffset))), syntactic.Err
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

// add puts a member into an object, behind the others. The object begins on a line indented
// by before.
func (d document) add(o object, written, before, unit string) []byte {
	written = "\n" + before + unit + written
	if len(o.members) == 0 {
		inside := bytes.TrimRight(d.text[:o.close], " \t\r\n")
		return insert(slices.Concat(inside, d.text[o.close:]), len(inside), written+"\n"+before)
	}
	last := o.members[len(o.members)-1].end
	if comma := d.comma(last, o.close); comma >= 0 {
		return insert(d.text, d.lineEnd(comma+1), written+",")
	}
	return insert(insert(d.text, d.lineEnd(last), written), last, ",")
}

// remove takes a member out of an object, with the comments behind it on its line. Those
// above it stay: they may be a server that is not used now.
func (d document) remove(o object, i int) []byte {
	m := o.members[i]
	next := o.close
	if i+1 < len(o.members) {
		next = o.members[i+1].start
	}
	text, end, comma := d.text, m.end, d.comma(m.end, next)
	if comma >= 0 {
		end = comma + 1
	}
	if behind := d.lineEnd(end); bytes.HasPrefix(bytes.TrimLeft(text[behind:], " \t\r"), []byte("\n")) {
		end = behind
	}
	start := len(bytes.TrimRight(text[:m.start], " \t\r\n"))
	rest := bytes.TrimLeft(text[end:], " \t\r")
	lineEnds := bytes.HasPrefix(rest, []byte("\n"))
	if commented := d.comments(o.open, start); !lineEnds &&
		(len(rest) != len(text)-o.close || len(commented) > 0 && commented[len(commented)-1][1] == start) {
		start, end = m.start, len(text)-len(rest) // what follows takes its place
	}
	before := start
	if comma < 0 && i > 0 { // it was the last, so the one before has no comma now
		before = d.comma(o.members[i-1].end, m.start)
	}
	text = slices.Concat(text[:before], text[min(before+1, start):start], text[end:])
	if closing := o.close - (len(d.text) - len(text)); len(o.members) == 1 && len(bytes.TrimSpace(text[o.open+1:closing])) == 0 {
		text = slices.Concat(text[:o.open+1], text[closing:])
	}
	return text
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
