package session_test

import (
	"bytes"
	"reflect"
	"strconv"
	"testing"
	"time"

	"github.com/go-json-experiment/json/jsontext"
	"pgregory.net/rapid"

	"parley/session"
	"parley/session/sessiontest"
)

// TestAnyEventRoundTrips encodes and decodes events of every kind with any
// values in all fields. It finds two fields of one name, and tags that only
// work one way.
func TestAnyEventRoundTrips(t *testing.T) {
	t.Parallel()
	for kind, line := range sessiontest.Events(t) {
		typ := reflect.TypeOf(session.Decode(line).Body)
		t.Run(string(kind), func(t *testing.T) {
			t.Parallel()
			rapid.Check(t, func(t *rapid.T) {
				b := reflect.New(typ).Elem()
				fill(t, b)
				body, ok := b.Interface().(session.Body)
				if !ok {
					t.Fatalf("%s is no body", typ)
				}
				ev := session.Event{
					ID:        session.EventID(rapid.String().Draw(t, "id")),
					Parent:    session.EventID(rapid.String().Draw(t, "parent")),
					Time:      time.Unix(rapid.Int64Range(0, 1<<37).Draw(t, "s"), rapid.Int64Range(0, 999_999_999).Draw(t, "ns")).UTC(),
					Agent:     session.AgentID(rapid.String().Draw(t, "agent")),
					Ephemeral: rapid.Bool().Draw(t, "ephemeral"),
					Body:      body,
					Extra:     rapid.SampledFrom([]jsontext.Value{nil, jsontext.Value(`{"seq":7}`)}).Draw(t, "extra"),
				}
				out, err := session.Encode(ev)
				if err != nil {
					t.Fatal(err)
				}
				same(t, ev, session.Decode(out))
			})
		})
	}
}

// fill sets v and all it holds to drawn values. Lists, maps and free values are
// never nil: nil is written as empty where the member is required.
func fill(t *rapid.T, v reflect.Value) {
	if v.Type() == reflect.TypeFor[jsontext.Value]() {
		free := []string{`null`, `{}`, `[1.0,"x"]`, `{"a":{"b":[null]}}`, `"text"`, `1e99`}
		v.SetBytes([]byte(rapid.SampledFrom(free).Draw(t, "free")))
		return
	}
	switch v.Kind() {
	case reflect.String:
		v.SetString(rapid.String().Draw(t, "string"))
	case reflect.Bool:
		v.SetBool(rapid.Bool().Draw(t, "bool"))
	case reflect.Int, reflect.Int64:
		v.SetInt(rapid.Int64().Draw(t, "int"))
	case reflect.Float64:
		v.SetFloat(rapid.Float64Range(-1e300, 1e300).Draw(t, "float"))
	case reflect.Pointer:
		if rapid.Bool().Draw(t, "set") {
			v.Set(reflect.New(v.Type().Elem()))
			fill(t, v.Elem())
		}
	case reflect.Slice:
		n := rapid.IntRange(0, 2).Draw(t, "len")
		v.Set(reflect.MakeSlice(v.Type(), n, n))
		for i := range n {
			fill(t, v.Index(i))
		}
	case reflect.Map:
		v.Set(reflect.MakeMap(v.Type()))
		if rapid.Bool().Draw(t, "set") {
			elem := reflect.New(v.Type().Elem()).Elem()
			fill(t, elem)
			v.SetMapIndex(reflect.ValueOf(rapid.String().Draw(t, "key")), elem)
		}
	case reflect.Struct:
		for i := range v.NumField() {
			switch f := v.Type().Field(i); {
			case !f.IsExported(): // the embedded seal
			case f.Name == "Extra":
				if rapid.Bool().Draw(t, "extra") {
					v.Field(i).SetBytes([]byte(`{"memberOfTomorrow":[true]}`))
				}
			default:
				fill(t, v.Field(i))
			}
		}
	default:
		t.Fatalf("a payload has a %s", v.Type())
	}
}

// TestEncodeIsDeterministic: the same event is always the same line, also where
// a map is in it.
func TestEncodeIsDeterministic(t *testing.T) {
	t.Parallel()
	usage := session.AssistantUsage{QuotaSnapshots: map[string]session.QuotaSnapshot{}}
	for i := range 16 {
		usage.QuotaSnapshots[strconv.Itoa(i)] = session.QuotaSnapshot{}
	}
	first, err := session.Encode(session.Event{ID: "e", Body: usage})
	if err != nil {
		t.Fatal(err)
	}
	for range 20 {
		if again, err := session.Encode(session.Event{ID: "e", Body: usage}); err != nil || !bytes.Equal(first, again) {
			t.Fatalf("got\n%s\n%s\n%v", again, first, err)
		}
	}
}
