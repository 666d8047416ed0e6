package timeline

import (
	"reflect"

	"github.com/go-json-experiment/json/jsontext"

	"parley/session"
)

// Copy returns the timeline's entries as they are now, with those of its
// sub-agents but without their events, for readers that run while the timeline
// grows. Nothing can be applied to a copy. It copies no text.
func (t *Timeline) Copy() *Timeline { return t.copy(nil) }

// Copy returns the entry as it is now, in which every text that came from
// elsewhere is what change makes of it: strings in JSON decoded. Numbers, times,
// ids and images stay, and a nil change keeps all.
func (e *Entry) Copy(change func(string) string) *Entry {
	c := *e
	c.Events = nil // they grow in place
	body := reflect.New(reflect.TypeOf(e.Body).Elem())
	body.Elem().Set(reflect.ValueOf(e.Body).Elem())
	textEdit(change).apply(body.Elem())
	c.Body, _ = body.Interface().(Body)
	return &c
}

func (t *Timeline) copy(change textEdit) *Timeline {
	c := New()
	c.version, c.depth = t.version, t.depth
	for i, e := range t.entries {
		entry := e.Copy(change)
		entry.pos = i
		c.entries = append(c.entries, entry)
		c.index[entry.ID] = entry
	}
	return c
}

// textEdit changes a text; nil keeps it.
type textEdit func(string) string

// apply changes the texts of a value that was copied, and gives it slices and
// pointers of its own. Ids have types of their own and are no texts; what is
// named Data is the bytes of an image or a file.
func (change textEdit) apply(v reflect.Value) {
	switch x := v.Addr().Interface().(type) {
	case *string:
		*x = change.of(*x)
		return
	case *session.Kind:
		*x = session.Kind(change.of(string(*x)))
		return
	case *jsontext.Value:
		*x = change.json(*x)
		return
	case *Text:
		*x = Text{set: change.of(x.String())} // it shares the bytes of what is the same
		return
	case **Timeline:
		*x = (*x).copy(change)
		return
	}
	switch v.Kind() {
	case reflect.Pointer:
		if !v.IsNil() {
			own := reflect.New(v.Type().Elem())
			own.Elem().Set(v.Elem())
			v.Set(own)
			change.apply(own.Elem())
		}
	case reflect.Slice:
		if !v.IsNil() {
			own := reflect.MakeSlice(v.Type(), v.Len(), v.Len())
			reflect.Copy(own, v)
			v.Set(own)
		}
		for i := range v.Len() {
			change.apply(v.Index(i))
		}
	case reflect.Struct:
		for i := range v.NumField() {
			switch f := v.Field(i); {
			case !f.CanSet():
			case f.Kind() == reflect.String && (change == nil || v.Type().Field(i).Name == "Data"):
			default:
				change.apply(f)
			}
		}
	default: // no text
	}
}

func (change textEdit) of(s string) string {
	if change == nil {
		return s
	}
	return change(s)
}

// json changes the strings of a JSON text. What is no JSON is changed as it
// stands.
func (change textEdit) json(v jsontext.Value) jsontext.Value {
	if len(v) == 0 || change == nil {
		return v
	}
	if changed, err := session.EditStrings(v, func(_, s string) string { return change(s) }); err == nil {
		return changed
	}
	return jsontext.Value(change.of(string(v)))
}
