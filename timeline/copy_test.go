package timeline_test

import (
	"os"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"

	"parley/session"
	"parley/timeline"
)

// names are what names something and is no text that anybody wrote, and images.
var names = []string{"MessageID", "ReasoningID", "CallID", "Mode", "Delivery", "Reason", "ID", "Data"}

// fill puts text into every string that can be reached, and returns them.
func fill(v reflect.Value, path, text string, seen func(path string, v reflect.Value)) {
	switch v.Kind() {
	case reflect.Pointer:
		if v.IsNil() && v.CanSet() && v.Type().Elem() != reflect.TypeFor[timeline.Timeline]() {
			v.Set(reflect.New(v.Type().Elem()))
		}
		if !v.IsNil() {
			fill(v.Elem(), path, text, seen)
		}
	case reflect.Struct:
		if long, ok := v.Addr().Interface().(*timeline.Text); ok {
			if text != "" {
				long.Set(text)
			}
			seen(path, reflect.ValueOf(long.String()))
			return
		}
		for i := range v.NumField() {
			if f := v.Type().Field(i); f.IsExported() && f.Type != reflect.TypeFor[timeline.Usage]() {
				fill(v.Field(i), path+"."+f.Name, text, seen)
			}
		}
	case reflect.Slice:
		switch {
		case v.Type() == reflect.TypeFor[jsontext.Value]():
			if text != "" {
				v.SetBytes([]byte(`{"` + text + `":["` + text + `"]}`))
			}
			seen(path, reflect.ValueOf(string(v.Bytes())))
			return
		case text != "" && v.CanSet():
			v.Set(reflect.MakeSlice(v.Type(), 1, 1))
		}
		for i := range v.Len() {
			fill(v.Index(i), path, text, seen)
		}
	case reflect.String:
		if text != "" {
			v.SetString(text)
		}
		seen(path, v)
	default: // no text
	}
}

// TestCopyChanges: a change reaches every text of every body, and the original
// keeps its own.
func TestCopyChanges(t *testing.T) {
	t.Parallel()
	source, err := os.ReadFile("entry.go")
	if err != nil {
		t.Fatal(err)
	}
	missing := map[string]bool{}
	for _, m := range regexp.MustCompile(`(?m)^func \(\*(\w+)\) entry\(\)`).FindAllSubmatch(source, -1) {
		missing[string(m[1])] = true
	}
	if len(missing) < 8 {
		t.Fatalf("found only %v", missing)
	}
	for _, body := range []timeline.Body{
		&timeline.Prompt{}, &timeline.Message{}, &timeline.Reasoning{},
		&timeline.ToolCall{Agent: &timeline.Subagent{Timeline: timeline.New()}},
		&timeline.Notice{}, &timeline.AnsweredQuestion{}, &timeline.Divider{},
		&timeline.Summary{}, &timeline.SessionEnd{}, &timeline.Unrecognised{},
	} {
		delete(missing, reflect.TypeOf(body).Elem().Name())
		count := 0
		fill(reflect.ValueOf(body), "", "word", func(string, reflect.Value) { count++ })
		e := &timeline.Entry{ID: "e", Body: body}
		changed := e.Copy(func(s string) string { return strings.ReplaceAll(s, "word", "GONE") })
		check := func(b timeline.Body, want string) {
			fill(reflect.ValueOf(b), "", "", func(path string, v reflect.Value) {
				count--
				name := path[strings.LastIndexByte(path, '.')+1:]
				if got := v.String(); !strings.Contains(got, want) && (!slices.Contains(names, name) || !strings.Contains(got, "word")) {
					t.Errorf("%T%s is %q, want %q", b, path, got, want)
				}
			})
		}
		check(changed.Body, "GONE")
		if count != 0 {
			t.Errorf("%T: %d texts are missing in the copy", body, count)
		}
		check(body, "word")
		check(e.Copy(nil).Body, "word")
	}
	for name := range missing {
		t.Errorf("no %s is copied: add it to the bodies", name)
	}
}

// TestCopySharesNoNumber: what a call's end sets later does not reach a copy.
func TestCopySharesNoNumber(t *testing.T) {
	t.Parallel()
	code := 1
	e := &timeline.Entry{Body: &timeline.ToolCall{ExitCode: &code}}
	c := e.Copy(nil)
	code = 2
	if call, ok := c.Body.(*timeline.ToolCall); !ok || *call.ExitCode != 1 {
		t.Errorf("the copy has %v", call)
	}
}

// TestCopyStands: what comes later does not reach a copy.
func TestCopyStands(t *testing.T) {
	t.Parallel()
	tl := timeline.New()
	say := func(id, text string) {
		tl.Apply(
			session.Event{
				ID:        session.EventID(id),
				Ephemeral: true,
				Body:      session.AssistantMessageDelta{MessageID: "m", DeltaContent: text},
			},
		)
	}
	say("1", "one ")
	c := tl.Copy()
	say("2", "two")
	tl.Apply(session.Event{ID: "3", Body: session.UserMessage{Content: "more"}})
	m, ok := c.At(0).Body.(*timeline.Message)
	if !ok || c.Len() != 1 || m.Text.String() != "one " {
		t.Errorf("%d entries, %v", c.Len(), c.At(0).Body)
	}
	m.Text.Append("three")
	if m.Text.String() != "one three" || m.Text.Len() != 9 {
		t.Errorf("a copy became %q", m.Text.String())
	}
	m.Text.Set("four")
	if original, ok := tl.At(0).Body.(*timeline.Message); m.Text.String() != "four" || !ok || original.Text.String() != "one two" {
		t.Error("a copy and its original are not apart")
	}
	if i, ok := c.Find(tl.At(0).ID); !ok || i != 0 {
		t.Error("a copy does not find its entries")
	}
}
