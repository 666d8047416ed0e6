package render

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"parley/render/text"
	"parley/session"
	"parley/timeline"
)

// Field is a row of Details that can be chosen: an event, a member of one, or a
// value inside a member. It has no end of its own: what is inside is read when
// it is needed first.
type Field struct {
	parent *Field
	depth  int // 0 is an event
	name   string
	value  jsontext.Value
	text   string // of a string: safe to show
	most   int    // bytes of a text that are shown; 0 for all
	rest   int    // bytes of the text that are not
	open   bool
	read   bool // inside is known
	inside []*Field

	envelope bool   // a member of the envelope, not of the payload
	problem  string // why it could not be read
	head     *eventHead
	lines    []string // text, wrapped, while it is open; of the width below
	width    int
}

// eventHead is what the row of an event shows.
type eventHead struct {
	kind       session.Kind
	time       time.Time
	agent      session.AgentID
	count      int
	unreadable int
}

func newEvent(r timeline.Record, most int) *Field {
	line := r.JSON()
	ev := session.Decode(line)
	kind := cmp.Or(ev.Kind(), r.Kind())
	f := &Field{name: string(kind), value: line, most: most, head: &eventHead{
		kind: kind, time: ev.Time, agent: ev.Agent, count: r.Count, unreadable: len(ev.Unreadable),
	}}
	f.readEvent(ev.Unreadable)
	return f
}

// readEvent makes the members of an event: those of its payload, and then those of
// its envelope.
func (f *Field) readEvent(unreadable []session.Unreadable) {
	f.read = true
	var envelope []*Field
	for _, m := range f.membersOf(f.value) {
		if m.name == "type" {
			continue // the row of the event shows it
		}
		if m.name != "data" || m.value.Kind() != jsontext.KindBeginObject {
			m.envelope = true
			envelope = append(envelope, m)
			continue
		}
		f.inside = f.membersOf(m.value)
	}
	slices.SortStableFunc(envelope, func(a, b *Field) int { return cmp.Compare(rank(a.name), rank(b.name)) })
	f.inside = append(f.inside, envelope...)
	for _, u := range unreadable {
		f.mark(u)
	}
}

// rank is the place of a member of the envelope among the others: those of the
// document first, in its order.
func rank(name string) int {
	known := []string{"data", "id", "timestamp", "parentId", "agentId", "ephemeral"}
	if i := slices.Index(known, name); i >= 0 {
		return i
	}
	return len(known)
}

// mark notes a member that could not be read, and opens the way to it.
func (f *Field) mark(u session.Unreadable) {
	path := slices.Collect(u.Path.Tokens())
	if len(path) > 1 && path[0] == "data" {
		path = path[1:]
	}
	at := f
	for _, name := range path {
		i := slices.IndexFunc(at.Inside(), func(c *Field) bool { return strings.Trim(c.name, "[]") == name })
		if i < 0 {
			return
		}
		at.open = true
		at = at.inside[i]
	}
	at.problem = u.Reason
}

// membersOf are the fields of an object or an array, without what is in them.
func (f *Field) membersOf(v jsontext.Value) []*Field {
	d := jsontext.NewDecoder(bytes.NewReader(v), jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
	open, err := d.ReadToken()
	if err != nil || open.Kind() != '{' && open.Kind() != '[' {
		return nil
	}
	object := open.Kind() == '{'
	var list []*Field
	for d.PeekKind() != '}' && d.PeekKind() != ']' {
		name := "[" + strconv.Itoa(len(list)) + "]"
		if object {
			token, err := d.ReadToken()
			if err != nil {
				break
			}
			name = token.String()
		}
		value, err := d.ReadValue()
		if err != nil {
			break
		}
		list = append(list, f.with(name, value.Clone()))
	}
	return list
}

func (f *Field) with(name string, value jsontext.Value) *Field {
	c := &Field{parent: f, depth: f.depth + 1, name: name, value: value, most: f.most}
	if value.Kind() == jsontext.KindString {
		raw, _ := jsontext.AppendUnquote(nil, value) // what is no UTF-8 is replaced
		s := string(raw)
		if c.most > 0 {
			s = text.CutBytes(s, c.most)
		}
		c.rest = len(raw) - len(s)
		c.text = strings.TrimRight(text.SanitizeShowHidden(s), "\n")
	}
	return c
}

// Inside are the fields in a field, in their order.
func (f *Field) Inside() []*Field {
	if !f.read {
		f.read = true
		f.inside = f.membersOf(f.value)
	}
	return f.inside
}

// Event is the event that a field is of.
func (f *Field) Event() *Field {
	for f.parent != nil {
		f = f.parent
	}
	return f
}

// Parent is the field that a field is in; nil for an event.
func (f *Field) Parent() *Field { return f.parent }

// JSON is the value of a field as it came: of an event, the whole event.
func (f *Field) JSON() string { return strings.ToValidUTF8(string(f.value), "\uFFFD") }

// FileName names a file for the event of a field.
func (f *Field) FileName() string {
	safe := strings.Map(func(r rune) rune {
		if r < 0x80 && (r == '_' || r == '.' || r == '-' || '0' <= r && r <= '9' || 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z') {
			return r
		}
		return -1
	}, string(f.Event().head.kind))
	return cmp.Or(strings.Trim(safe, "."), "event") + ".json"
}

// compound reports whether the value is an object or an array.
func (f *Field) compound() bool {
	k := f.value.Kind()
	return k == jsontext.KindBeginObject || k == jsontext.KindBeginArray
}

// Open reports whether what is inside is shown, or all of a long text.
func (f *Field) Open() bool { return f.open }

// matches reports whether the name or the value has a text that is in small
// letters.
func (f *Field) matches(query string) bool {
	return contains(f.name, query) || contains(f.text, query) ||
		f.text == "" && !f.compound() && contains(string(f.value), query)
}

func contains(s, query string) bool { return strings.Contains(strings.ToLower(s), query) }

// summary is a compound in a few words.
func (f *Field) summary() string {
	if f.value.Kind() == jsontext.KindBeginArray {
		return fmt.Sprintf("[%d]", len(f.Inside()))
	}
	return fmt.Sprintf("{%d}", len(f.Inside()))
}
