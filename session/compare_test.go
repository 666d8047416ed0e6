package session_test

import (
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"parley/session"
)

// extras lists what an event holds in Extra fields, at any depth, as
// "kind.Path: object", without the members that are known and that nothing reads.
func extras(ev session.Event) []string {
	var found []string
	var walk func(v reflect.Value, of, path string)
	walk = func(v reflect.Value, of, path string) {
		switch v.Kind() {
		case reflect.Pointer, reflect.Interface:
			if !v.IsNil() {
				walk(v.Elem(), of, path)
			}
		case reflect.Slice:
			if v.Type() == reflect.TypeFor[jsontext.Value]() {
				return
			}
			for i := range v.Len() {
				walk(v.Index(i), of, fmt.Sprintf("%s[%d]", path, i))
			}
		case reflect.Map:
			for it := v.MapRange(); it.Next(); {
				walk(it.Value(), of, fmt.Sprintf("%s[%v]", path, it.Key()))
			}
		case reflect.Struct:
			if name := v.Type().Name(); name != "body" {
				of = name
			}
			for i := range v.NumField() {
				f := v.Type().Field(i)
				switch {
				case f.Name == "Extra":
					if left := without(v.Field(i).Bytes(), unread[of]); len(left) > 0 {
						found = append(found, fmt.Sprintf("%s: %s", path, left))
					}
				case f.Anonymous:
					walk(v.Field(i), of, path)
				default:
					walk(v.Field(i), of, path+"."+f.Name)
				}
			}
		default:
		}
	}
	walk(reflect.ValueOf(ev.Body), "", string(ev.Kind()))
	return found
}

// without returns a JSON object without some members; nothing if no other is left,
// or if it is none.
func without(object []byte, names []string) []byte {
	var members map[string]jsontext.Value
	if json.Unmarshal(object, &members) != nil {
		return nil
	}
	maps.DeleteFunc(members, func(name string, _ jsontext.Value) bool { return slices.Contains(names, name) })
	if len(members) == 0 {
		return nil
	}
	left, err := json.Marshal(members, json.Deterministic(true))
	if err != nil {
		return object
	}
	return left
}

// omitted returns what want has and got has not, as "path = value". Anything
// else in which the two JSON texts differ is an error.
func omitted(want, got []byte) ([]string, error) {
	var w, g any
	if err := json.Unmarshal(want, &w); err != nil {
		return nil, err
	}
	if err := json.Unmarshal(got, &g); err != nil {
		return nil, err
	}
	var left []string
	err := compare("", w, g, func(path string, v any) { left = append(left, fmt.Sprintf("%s = %v", path, v)) })
	return left, err
}

// empty reports whether what was omitted says nothing: null, false, 0, "", an
// empty list or object.
func empty(left []string) bool {
	return !slices.ContainsFunc(left, func(l string) bool {
		_, v, _ := strings.Cut(l, " = ")
		return !slices.Contains([]string{"<nil>", "false", "0", "", "[]", "map[]"}, v)
	})
}

func compare(path string, want, got any, left func(string, any)) error {
	switch w := want.(type) {
	case map[string]any:
		g, ok := got.(map[string]any)
		if !ok {
			return fmt.Errorf("%s: %v is not an object", path, got)
		}
		for _, k := range slices.Sorted(maps.Keys(w)) {
			v, ok := g[k]
			if !ok {
				left(path+"."+k, w[k])
				continue
			}
			if err := compare(path+"."+k, w[k], v, left); err != nil {
				return err
			}
		}
		for k, v := range g {
			if _, ok := w[k]; !ok {
				return fmt.Errorf("%s.%s: %v was made up", path, k, v)
			}
		}
		return nil
	case []any:
		g, ok := got.([]any)
		if !ok || len(w) != len(g) {
			return fmt.Errorf("%s: %v is not %v", path, got, want)
		}
		for i := range w {
			if err := compare(path+"[]", w[i], g[i], left); err != nil {
				return err
			}
		}
		return nil
	}
	if want != got {
		return fmt.Errorf("%s: %v is not %v", path, got, want)
	}
	return nil
}

// same fails the test unless two events are equal. Reasons are compared as
// text, and the wire form is not compared.
func same(tb interface {
	Helper()
	Errorf(format string, args ...any)
}, a, b session.Event,
) {
	tb.Helper()
	ra, rb := reason(&a), reason(&b)
	a.Wire, b.Wire = nil, nil
	if ra != rb || !reflect.DeepEqual(a, b) {
		tb.Errorf("events differ:\n%#v (%s)\n%#v (%s)", a, ra, b, rb)
	}
}

// reason takes the Reason out of an Unknown.
func reason(ev *session.Event) string {
	u, ok := ev.Body.(session.Unknown)
	if !ok {
		return ""
	}
	text := fmt.Sprint(u.Reason)
	u.Reason = nil
	ev.Body = u
	return text
}
