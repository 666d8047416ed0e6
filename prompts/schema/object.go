package schema

import (
	"slices"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"parley/render/text"
	"parley/session"
)

// Member is a member of a JSON object.
type Member = session.Member

// Object holds the members of a JSON object in the order in which they were
// written.
type Object []Member

// AnyJSON accepts what other decoders accept.
func AnyJSON() jsontext.Options { return jsontext.AllowDuplicateNames(true) }

// Members reads an object. Of members of the same name the last counts, at the
// place of the first.
func Members(raw jsontext.Value) (o Object, ok bool) {
	list, kind, ok := session.Members(raw)
	if !ok || kind != '{' {
		return nil, false
	}
	return list, true
}

// Elements reads an array; nil when it is none, or empty.
func Elements(raw jsontext.Value) []jsontext.Value {
	elements, kind, _ := session.Members(raw)
	if kind != '[' {
		return nil
	}
	var list []jsontext.Value
	for _, e := range elements {
		list = append(list, e.Value)
	}
	return list
}

// decode reads a value as the answers hold it: a whole number is an int64. What
// cannot be read is nil.
func decode(raw jsontext.Value) any {
	if n, err := strconv.ParseInt(string(raw), 10, 64); err == nil {
		return n
	}
	var v any
	if json.Unmarshal(raw, &v, AnyJSON()) != nil {
		return nil
	}
	return v
}

// Find returns the value of a member, the first of that name.
func (o Object) Find(name string) (jsontext.Value, bool) {
	for _, m := range o {
		if m.Name == name {
			return m.Value, true
		}
	}
	return nil, false
}

// text is a member that is a string; "" without such a member.
func (o Object) text(name string) string {
	v, _ := o.Find(name)
	s, _ := decode(v).(string)
	return s
}

// texts is a member that is an array: its strings.
func (o Object) texts(name string) []string {
	v, _ := o.Find(name)
	var list []string
	for _, e := range Elements(v) {
		if s, ok := decode(e).(string); ok {
			list = append(list, s)
		}
	}
	return list
}

// literal is a member that is a number, as it was written; "" without
// such a member.
func (o Object) literal(name string) string {
	if v, _ := o.Find(name); v.Kind() == '0' {
		return string(v)
	}
	return ""
}

func (o Object) has(names []string) bool {
	return slices.ContainsFunc(o, func(m Member) bool { return slices.Contains(names, m.Name) })
}

// Without returns the object without the members of these names.
func (o Object) Without(names ...string) Object {
	return slices.DeleteFunc(slices.Clone(o), func(m Member) bool { return slices.Contains(names, m.Name) })
}

// Raw writes the object.
func (o Object) Raw() jsontext.Value { return session.JoinMembers(o, '{') }

// mostShown bounds the bytes of a schema that is shown.
const mostShown = 8 << 10

// indented writes a value over many lines, if it is not too deep for that.
func indented(raw jsontext.Value) string {
	raw = jsontext.Value(strings.TrimSpace(string(raw)))
	if shallow(raw, func(string) bool { return false }) {
		_ = raw.Indent(AnyJSON(), jsontext.WithIndent("  ")) // else it stays as it came
	}
	return string(raw)
}

// schemaLines is a schema as lines that are safe to show.
func schemaLines(raw jsontext.Value) string {
	s := indented(raw[:min(len(raw), mostSchema)])
	more := len(s) - mostShown
	if more > 0 {
		s = strings.ToValidUTF8(s[:mostShown], "") + "\n(and " + strconv.Itoa(more) + " bytes more)"
	}
	return text.SanitizeShowHidden(s)
}

// oneLine makes untrusted text safe to show on one line, with nothing left
// out.
func oneLine(s string) string {
	return strings.ReplaceAll(text.SanitizeShowHidden(s), "\n", "⟦LF⟧")
}
