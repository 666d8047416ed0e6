package session

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// Unreadable is a member of an event's wire form, or an element of a list in it,
// that does not have the documented type, such as a number where a string belongs.
// The event is as if the member had not come, or the element were null; Encode
// writes it back as it was.
type Unreadable struct {
	// Path is where it is in the event, such as "/data/toolRequests/0/name".
	Path   jsontext.Pointer
	Value  jsontext.Value
	Reason string
}

// TextAt returns the text that an event has at a path in place of what is
// documented there; "" if it has none.
func (e Event) TextAt(path jsontext.Pointer) string {
	var text string
	for _, u := range e.Unreadable {
		if u.Path == path && u.Value.Kind() == jsontext.KindString && json.Unmarshal(u.Value, &text, lenient()) == nil {
			return text
		}
	}
	return ""
}

// nearestFirst is how often a single member is left out. Of a payload in
// which more is wrong, whole members of the payload are.
const nearestFirst = 16

// leaveOut calls read with v, without what it cannot read, and returns that; the
// paths begin with at. Of a name that comes more than once only the last counts: the
// others are not left out, but are not there. The error is of read when it is about
// the whole.
func leaveOut(v jsontext.Value, at jsontext.Pointer, read func(jsontext.Value) error) ([]Unreadable, error) {
	var out []Unreadable
	for round := 0; ; round++ {
		err := read(v)
		if err == nil {
			return out, nil
		}
		path := pathOf(err)
		if len(path) == 0 {
			return nil, err
		}
		if round >= nearestFirst {
			path = path[:1]
		}
		once, value := editMember(v, path, func(old jsontext.Value) jsontext.Value { return old })
		if value == nil {
			return nil, err
		}
		if v = once; !slices.Equal(pathOf(read(v)), pathOf(err)) {
			continue
		}
		var instead jsontext.Value
		if isIndex(path[len(path)-1]) {
			instead = jsontext.Value("null") // the other elements keep their places
		}
		v, _ = editMember(v, path, func(jsontext.Value) jsontext.Value { return instead })
		out = append(out, Unreadable{Path: at + pointer(path), Value: value, Reason: cause(err)})
	}
}

// ReadWhatFits reads a JSON text into v, without the members that have the wrong
// type. If it cannot be read at all, v is as new, and ok is false.
func ReadWhatFits[T any](text jsontext.Value, v *T) (ok bool) {
	_, err := leaveOut(text, "", func(text jsontext.Value) error {
		*v = *new(T)
		return json.Unmarshal(text, v, lenient())
	})
	if err != nil {
		*v = *new(T)
	}
	return err == nil
}

// pathOf is where the value is that an error of json.Unmarshal is about; empty if
// it is about the whole, or about something else.
func pathOf(err error) []string {
	var semantic *json.SemanticError
	if !errors.As(err, &semantic) {
		return nil
	}
	return slices.Collect(semantic.JSONPointer.Tokens())
}

// isIndex reports whether a token of a pointer is that of an element. A member
// with such a name is taken for one too, and is null then.
func isIndex(token string) bool {
	_, err := strconv.ParseUint(token, 10, 32)
	return err == nil
}

func pointer(path []string) jsontext.Pointer {
	var p jsontext.Pointer
	for _, token := range path {
		p = p.AppendToken(token)
	}
	return p
}

// ValueError is what is wrong with a value in a JSON text, in words for the user:
// JSONProblem returns it as it is.
type ValueError string

// Error implements error.
func (e ValueError) Error() string { return string(e) }

// JSONProblem says what is wrong with a JSON text, in words for the user: the
// errors of the decoder name types of Go. Err is an error of reading the text.
func JSONProblem(err error) string {
	var semantic *json.SemanticError
	var syntactic *jsontext.SyntacticError
	switch {
	case errors.As(err, &semantic) && semantic.JSONPointer != "":
		return fmt.Sprintf("%s: %s", semantic.JSONPointer, cause(err))
	case semantic != nil && semantic.JSONKind != 0 && semantic.GoType != nil && semantic.GoType.Kind() == reflect.Struct:
		return "it is " + kindName(semantic.JSONKind) + ", not an object"
	case errors.As(err, &syntactic) && syntactic.ByteOffset == 0 && errors.Is(err, io.ErrUnexpectedEOF):
		return "it is empty"
	case errors.Is(err, io.ErrUnexpectedEOF):
		return "it ends in the middle"
	case syntactic != nil:
		return fmt.Sprintf("it is not valid JSON (at byte %d)", syntactic.ByteOffset+1)
	}
	return cause(err)
}

// cause says in a few words why a value could not be read, without Go's types.
func cause(err error) string {
	var plain ValueError
	var semantic *json.SemanticError
	switch {
	case errors.As(err, &plain):
		return string(plain)
	case errors.Is(err, strconv.ErrRange):
		return "the number is too large"
	case errors.As(err, &semantic) && semantic.JSONKind != 0:
		return "it should not be " + kindName(semantic.JSONKind)
	}
	return "it does not have the documented type"
}

func kindName(k jsontext.Kind) string {
	switch k {
	case jsontext.KindString:
		return "a string"
	case jsontext.KindNumber:
		return "a number"
	case jsontext.KindTrue, jsontext.KindFalse:
		return "true or false"
	case jsontext.KindBeginObject, jsontext.KindEndObject:
		return "an object"
	case jsontext.KindBeginArray, jsontext.KindEndArray:
		return "a list"
	default:
		return "null"
	}
}

// restored is the JSON text of an event with what could not be read in its
// place again: first what may hold the others, then by name, so that the same event
// always is the same text.
func restored(line jsontext.Value, list []Unreadable) jsontext.Value {
	depth := func(u Unreadable) int { return strings.Count(string(u.Path), "/") }
	list = slices.Clone(list)
	slices.SortStableFunc(list, func(a, b Unreadable) int {
		return cmp.Or(cmp.Compare(depth(a), depth(b)), cmp.Compare(a.Path, b.Path))
	})
	for _, u := range list {
		line, _ = editMember(line, slices.Collect(u.Path.Tokens()), func(jsontext.Value) jsontext.Value { return u.Value })
	}
	return line
}

// editMember returns a JSON text in which change was asked about the value at a
// path: what it returns takes the place of the value, and nil takes the member
// out. Objects that are missing on the way come into being. Old is the
// value that was there; nil if it was missing.
func editMember(v jsontext.Value, path []string, change func(old jsontext.Value) jsontext.Value) (edited, old jsontext.Value) {
	if len(path) == 0 {
		return change(v), v
	}
	if v == nil {
		v = jsontext.Value("{}")
	}
	members, kind, ok := Members(v)
	if !ok {
		return v, nil
	}
	at := slices.IndexFunc(members, func(m Member) bool { return m.Name == path[0] })
	if kind == '[' {
		at = -1
		if i, err := strconv.Atoi(path[0]); err == nil && i < len(members) {
			at = i
		}
	}
	if at < 0 {
		value, _ := editMember(nil, path[1:], change)
		if value == nil || kind == '[' {
			return v, nil
		}
		return JoinMembers(append(members, Member{path[0], value}), kind), nil
	}
	value, old := editMember(members[at].Value, path[1:], change)
	if members[at].Value = value; value == nil {
		members = slices.Delete(members, at, at+1)
	}
	return JoinMembers(members, kind), old
}

// Member is a member of a JSON object, or an element of an array, which has no
// name.
type Member struct {
	Name  string
	Value jsontext.Value
}

// Members takes an object or an array apart, in its order, and returns which of the
// two it is. A name comes once, at its first place and with the value that it has
// last.
func Members(v jsontext.Value) (list []Member, kind jsontext.Kind, ok bool) {
	d := jsontext.NewDecoder(bytes.NewReader(v), jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
	first, err := d.ReadToken()
	if err != nil || first.Kind() != '{' && first.Kind() != '[' {
		return nil, 0, false
	}
	kind = first.Kind()
	at := map[string]int{}
	for d.PeekKind() != '}' && d.PeekKind() != ']' {
		var m Member
		if kind == '{' {
			name, err := d.ReadToken()
			if err != nil {
				return nil, 0, false
			}
			m.Name = name.String()
		}
		value, err := d.ReadValue()
		if err != nil {
			return nil, 0, false
		}
		m.Value = value.Clone()
		if i, again := at[m.Name]; again && kind == '{' {
			list[i] = m
			continue
		}
		at[m.Name] = len(list)
		list = append(list, m)
	}
	if _, err := d.ReadToken(); err != nil {
		return nil, 0, false
	}
	return list, kind, true
}

// JoinMembers writes what Members has taken apart.
func JoinMembers(list []Member, kind jsontext.Kind) jsontext.Value {
	out := []byte{byte(kind)}
	for i, m := range list {
		if i > 0 {
			out = append(out, ',')
		}
		if kind == '{' {
			out, _ = jsontext.AppendQuote(out, strings.ToValidUTF8(m.Name, "\ufffd")) // it fails on other texts alone
			out = append(out, ':')
		}
		out = append(out, m.Value...)
	}
	return append(out, byte(kind)+2) // ASCII: { and }, [ and ] are two apart
}
