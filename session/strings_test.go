package session_test

import (
	"strings"
	"testing"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"pgregory.net/rapid"

	"parley/session"
)

func TestEditStrings(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ text, want string }{
		{`{"a" : "x", "x":["x",{"b":"yxy"}], "n":1.50, "t":true}`, `{"a" : "Z", "Z":["Z",{"b":"yZy"}], "n":1.50, "t":true}`},
		{`"x"`, `"Z"`},
		{` [ ] `, ` [ ] `},
		{`{"a":"\u0061\/"}`, `{"a":"\u0061\/"}`},
		{`{"a":"\u0078\/"}`, `{"a":"Z/"}`},
		{`{"a":"x","a":"x"}`, `{"a":"Z","a":"Z"}`},
		{"\"x\xff\"", `"Z` + "\uFFFD" + `"`},
	} {
		got, err := session.EditStrings(jsontext.Value(c.text), func(_, s string) string { return strings.ReplaceAll(s, "x", "Z") })
		if err != nil || string(got) != c.want {
			t.Errorf("%s: %s, %v, want %s", c.text, got, err, c.want)
		}
	}
	for _, bad := range []string{`{`, `{"a":}`, `{"a" "b"}`, `x`, `["a`} {
		if got, err := session.EditStrings(jsontext.Value(bad), func(_, s string) string { return s }); err == nil {
			t.Errorf("%q is no JSON, and became %q", bad, got)
		}
	}
	var pairs []string
	if _, err := session.EditStrings(jsontext.Value(`{"a":"b","c":["d","e"],"f":{"g":"h"},"i":1,"j":"k"}`), func(name, s string) string {
		pairs = append(pairs, name+"="+s)
		return s
	}); err != nil || strings.Join(pairs, " ") != "=a a=b =c =d =e =f =g g=h =i =j j=k" {
		t.Errorf("%v, %v", pairs, err)
	}
}

// TestEditStringsAny: whatever the JSON, a change reaches all strings and leaves
// it JSON, and none leaves it as it is.
func TestEditStringsAny(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		text, err := json.Marshal(rapid.MapOf(rapid.String(), rapid.SliceOf(rapid.String())).Draw(t, "value"), jsontext.AllowInvalidUTF8(true))
		if err != nil {
			t.Skip(err)
		}
		same, err := session.EditStrings(text, func(_, s string) string { return s })
		if err != nil || string(same) != string(text) {
			t.Fatalf("%q became %q, %v", text, same, err)
		}
		changed, err := session.EditStrings(text, func(_, s string) string { return "<" + s + "\"\n" })
		if err != nil || !changed.IsValid(jsontext.AllowDuplicateNames(true)) {
			t.Fatalf("%q became %q, %v", text, changed, err)
		}
	})
}
