package schema

import (
	"fmt"
	"reflect"
	"strings"
	"testing"

	"parley/render/text"
)

// outline is a schema in short: a line for each property.
func outline(s Schema) string {
	var b strings.Builder
	for _, p := range s.Properties {
		kind := []string{"text", "number", "integer", "one", "many", "any"}[p.Kind]
		fmt.Fprintf(&b, "%s %q %s", p.name, p.Label, kind)
		for word, yes := range map[string]bool{" needed": p.Required, " null": p.null, " rest": p.rest} {
			if yes {
				b.WriteString(word)
			}
		}
		if p.Multiline {
			b.WriteString(" lines")
		}
		for _, o := range p.Options {
			fmt.Fprintf(&b, " %s=%#v", o.Label, o.value)
		}
		if said := p.Words(p.Preset); said != "" {
			fmt.Fprintf(&b, " default %q", said)
		}
		for _, text := range append([]string{p.Needs}, p.Notes...) {
			if text != "" {
				b.WriteString("; " + text)
			}
		}
		if p.Source != "" {
			fmt.Fprintf(&b, "; schema of %d lines", strings.Count(p.Source, "\n")+1)
		}
		b.WriteString("\n")
	}
	for _, n := range s.Notes {
		b.WriteString("all: " + n + "\n")
	}
	return b.String()
}

func TestSchema(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct{ name, schema, want string }{
		// One property of each kind.
		{"text", `{"type":"string"}`, `a "a" text lines`},
		{"title", `{"type":"string","title":"A name"}`, `a "A name" text lines`},
		{"short text", `{"type":"string","maxLength":40}`, `a "a" text; at most 40 characters`},
		{"long text", `{"type":"string","maxLength":4000}`, `a "a" text lines; at most 4000 characters`},
		{"length", `{"type":"string","minLength":1,"maxLength":1}`, `a "a" text; exactly 1 character`},
		{"least length", `{"type":"string","minLength":3}`, `a "a" text lines; at least 3 characters`},
		{"pattern", `{"type":"string","pattern":"^[a-z]+$"}`, `a "a" text; must be like ^[a-z]+$`},
		{"email", `{"type":"string","format":"email"}`, `a "a" text; an e-mail address`},
		{"uri", `{"type":"string","format":"uri"}`, `a "a" text; a whole address, such as https://example.com`},
		{"date", `{"type":"string","format":"date"}`, `a "a" text; a date, such as 2026-11-21`},
		{"date-time", `{"type":"string","format":"date-time"}`, `a "a" text; a date and time, such as 2026-11-21T10:00:00Z`},
		{"other format", `{"type":"string","format":"uuid"}`, `a "a" text; Not checked here: format uuid`},
		{"text default", `{"type":"string","default":"x"}`, `a "a" text lines default "x"`},
		{"number", `{"type":"number","minimum":0.5,"exclusiveMaximum":2}`, `a "a" number; a number, at least 0.5 and less than 2`},
		{"integer", `{"type":"integer","minimum":1,"maximum":9,"default":3}`, `a "a" integer default "3"; a whole number, between 1 and 9`},
		{"more than", `{"type":"integer","exclusiveMinimum":0}`, `a "a" integer; a whole number, more than 0`},
		{"multiple", `{"type":"number","multipleOf":0.01}`, `a "a" number; a number, a multiple of 0.01`},
		{"boolean", `{"type":"boolean","default":false}`, `a "a" one Yes=true No=false default "No"`},
		{"enum", `{"type":"string","enum":["r","g"],"default":"g"}`, `a "a" one r="r" g="g" default "g"`},
		{"enum names", `{"type":"string","enum":["r","g"],"enumNames":["Red","Green"]}`, `a "a" one Red="r" Green="g"`},
		{"too few names", `{"enum":["r","g"],"enumNames":["Red"]}`, `a "a" one Red="r" g="g"`},
		{"enum of numbers", `{"type":"integer","enum":[1,2],"default":2}`, `a "a" one 1=1 2=2 default "2"`},
		{"enum of anything", `{"enum":[null,1.5,"",[1],{"x":true}]}`, `a "a" one null=<nil> 1.5=1.5 ""="" [1]=[]interface {}{1} {"x":true}=map[string]interface {}{"x":true}`},
		{"one of", `{"type":"string","oneOf":[{"const":"s","title":"Small"},{"const":"l"}]}`, `a "a" one Small="s" l="l"`},
		{"any of", `{"anyOf":[{"const":"s","title":"Small"}]}`, `a "a" one Small="s"`},
		{"const", `{"const":7}`, `a "a" one 7=7`},
		{"many", `{"type":"array","items":{"enum":["x","y","z"]},"minItems":1,"maxItems":2,"default":["y"]}`, `a "a" many x="x" y="y" z="z" default "y"; choose between 1 and 2`},
		{"many any of", `{"type":"array","items":{"anyOf":[{"const":"x","title":"X"}]},"maxItems":1}`, `a "a" many X="x"; choose at most 1`},
		{"many one of", `{"type":"array","items":{"oneOf":[{"const":"x"}]}}`, `a "a" many x="x"`},
		{"null", `{"type":["string","null"]}`, `a "a" text null lines`},
		{"null of two", `{"anyOf":[{"type":"integer","minimum":1},{"type":"null"}],"title":"N","default":null}`, `a "N" integer null; a whole number, at least 1`},
		{"a type in a list", `{"type":["boolean"]}`, `a "a" one Yes=true No=false`},

		// What is not understood.
		{"object", `{"type":"object","properties":{"b":{"type":"string"}}}`, `a "a" any lines; text, or JSON; schema of 8 lines`},
		{"free list", `{"type":"array","items":{"type":"string"}}`, `a "a" any lines; text, or JSON; schema of 6 lines`},
		{"reference", `{"$ref":"#/$defs/x"}`, `a "a" any lines; text, or JSON; Not checked here: $ref "#/$defs/x"; schema of 3 lines`},
		{"reference to itself", `{"$ref":"#"}`, `a "a" any lines; text, or JSON; Not checked here: $ref "#"; schema of 3 lines`},
		{"deep reference", `{"type":"string","allOf":[{"$ref":"#"}]}`, `a "a" text lines; Not checked here: allOf [{"$ref":"#"}]; schema of 8 lines`},
		{"anything", `{}`, `a "a" any lines; text, or JSON; schema of 1 lines`},
		{"true", `true`, `a "a" any lines; text, or JSON; schema of 1 lines`},
		{"nothing", `null`, `a "a" any lines; text, or JSON; schema of 1 lines`},
		{"a number", `7`, `a "a" any lines; text, or JSON; schema of 1 lines`},
		{"unknown type", `{"type":"colour"}`, `a "a" any lines; text, or JSON; schema of 3 lines`},
		{"two types", `{"type":["string","number"]}`, `a "a" any lines; text, or JSON; schema of 6 lines`},
		{"other pattern", `{"type":"string","pattern":"(?=x)"}`, `a "a" text; must be like (?=x); Not checked here: pattern "(?=x)"`},
		{"odd keywords", `{"type":"string","minLength":"3","maxLength":-1,"x-y":[1]}`, `a "a" text; at most -1 characters; Not checked here: minLength "3"`},
		{"no choice", `{"type":"string","enum":[]}`, `a "a" text lines`},
		{"odd defaults", `{"type":"integer","default":"x"}`, `a "a" integer; a whole number`},
		{"default of another choice", `{"enum":["x"],"default":"y"}`, `a "a" one x="x"`},
		{"any default", `{"type":"object","default":{"b":1}}`, "a \"a\" any lines default \"{\\n  \\\"b\\\": 1\\n}\"; text, or JSON; schema of 6 lines"},
		{"hidden characters", `{"type":"boolean","title":"a\u202eb\nc"}`, `a "a⟦U+202E⟧b⟦LF⟧c" one Yes=true No=false`},
	} {
		got := outline(Read([]byte(`{"type":"object","properties":{"a":` + tc.schema + `}}`)))
		if strings.TrimSpace(got) != tc.want {
			t.Errorf("%s:\n got %s\nwant %s", tc.name, got, tc.want)
		}
	}
}

func TestWholeSchema(t *testing.T) {
	t.Parallel()
	answer := `"Answer" any rest lines; text, or JSON`
	for _, tc := range []struct{ name, schema, want string }{
		{"order", `{"type":"object","properties":{"z":{"type":"integer"},"a":{"type":"integer"},"m":{"type":"integer"}}}`, "z \"z\" integer; a whole number\na \"a\" integer; a whole number\nm \"m\" integer; a whole number"},
		{"twice", `{"properties":{"z":{},"a":{"type":"integer"},"z":{"type":"integer"}}}`, "z \"z\" integer; a whole number\na \"a\" integer; a whole number"},
		{"required", `{"properties":{"a":{"type":"number"}},"required":["a",7]}`, `a "a" number needed; a number` + "\n" + `all: Not checked here: required ["a",7]`},
		{"required, not described", `{"properties":{},"required":["b"]}`, `b "b" any needed lines; text, or JSON; schema of 1 lines`},
		{"nothing to answer", `{"type":"object","properties":{}}`, ``},
		{"nothing to answer, not said", `{"type":"object"}`, ``},
		{"more is asked for", `{"properties":{"a":{"type":"number"}},"anyOf":[{"required":["b"]}]}`, `a "a" number; a number` + "\n" + ` "More answers" any rest lines; a JSON object; schema of 9 lines`},
		{"no schema", ``, answer},
		{"null", `null`, answer + "; schema of 1 lines"},
		{"text", `"x"`, answer + "; schema of 1 lines"},
		{"not JSON", `{"type":`, answer + "; schema of 1 lines"},
		{"properties of another kind", `{"type":"object","properties":[1]}`, answer + "; Not checked here: properties [1]; schema of 6 lines"},
		{"another type", `{"type":"string"}`, answer + "; schema of 3 lines"},
		{"composed", `{"type":"object","allOf":[{"properties":{}}]}`, answer + "; schema of 8 lines"},
	} {
		if got := strings.TrimSpace(outline(Read([]byte(tc.schema)))); got != strings.TrimSpace(tc.want) && " "+got != tc.want {
			t.Errorf("%s:\n got %s\nwant %s", tc.name, got, tc.want)
		}
	}
	var many strings.Builder
	for i := range mostProperties + 1 {
		fmt.Fprintf(&many, `,"p%d":{"type":"string"}`, i)
	}
	if s := Read([]byte(`{"properties":{` + many.String()[1:] + `}}`)); len(s.Properties) != 1 {
		t.Errorf("%d fields", len(s.Properties))
	}
	long := `{"properties":{"a":{"type":"string","title":"` + strings.Repeat("x", mostSchema) + `"}}}`
	if s := Read([]byte(long)); len(s.Properties) != 1 || !s.Properties[0].rest || s.Properties[0].Source == "" {
		t.Errorf("a huge schema: %s", outline(s)[:100])
	}
}

// TestAnswers gives one answer to one property, and expects its value, or what
// is said about it.
func TestAnswers(t *testing.T) {
	t.Parallel()
	const needs = true
	for _, tc := range []struct {
		schema, text string
		required     bool
		want         any // nil: left out
		problem      string
	}{
		{`{"type":"string"}`, "x y", false, "x y", ""},
		{`{"type":"string"}`, "", false, nil, ""},
		{`{"type":"string"}`, "", needs, nil, missing},
		{`{"type":"string"}`, " ", needs, " ", ""},
		{`{"type":"string","minLength":3}`, "ab", false, nil, "At least 3 characters"},
		{`{"type":"string","minLength":1}`, "", false, nil, ""},
		{`{"type":"string","maxLength":2}`, "äöü", false, nil, "At most 2 characters"},
		{`{"type":"string","maxLength":2}`, "👍🏽", false, "👍🏽", ""}, // two code points
		{`{"type":"string","maxLength":1}`, "👍🏽", false, nil, "At most 1 character"},
		{`{"type":"string","minLength":2,"maxLength":4}`, "abcde", false, nil, "Between 2 and 4 characters"},
		{`{"type":"string","pattern":"^[a-z]+$"}`, "A", false, nil, "Must be like ^[a-z]+$"},
		{`{"type":"string","pattern":"(?=x)","minLength":2}`, "ab", false, "ab", ""},
		{`{"type":"string","pattern":"(?=x)","minLength":2}`, "a", false, nil, "At least 2 characters"},
		{`{"type":"string","format":"email"}`, "a@b.c", false, "a@b.c", ""},
		{`{"type":"string","format":"email"}`, "Ada <a@b.c>", false, nil, "Not an e-mail address"},
		{`{"type":"string","format":"email"}`, "a.b.c", false, nil, "Not an e-mail address"},
		{`{"type":"string","format":"uri"}`, "https://a.b/c?d", false, "https://a.b/c?d", ""},
		{`{"type":"string","format":"uri"}`, "mailto:a@b.c", false, "mailto:a@b.c", ""},
		{`{"type":"string","format":"uri"}`, "a/b", false, nil, "Not a whole address, such as https://example.com"},
		{`{"type":"string","format":"uri"}`, "https://a b", false, nil, "Not a whole address, such as https://example.com"},
		{`{"type":"string","format":"date"}`, "2026-02-29", false, nil, "Not a date, such as 2026-11-21"},
		{`{"type":"string","format":"date"}`, "2028-02-29", false, "2028-02-29", ""},
		{`{"type":"string","format":"date-time"}`, "2026-11-21T10:00:00.5+01:00", false, "2026-11-21T10:00:00.5+01:00", ""},
		{`{"type":"string","format":"date-time"}`, "2026-11-21t10:00:00z", false, "2026-11-21t10:00:00z", ""},
		{`{"type":"string","format":"date-time"}`, "2026-11-21 10:00", false, nil, "Not a date and time, such as 2026-11-21T10:00:00Z"},
		{`{"type":"string","format":"uuid"}`, "x", false, "x", ""},
		{`{"type":"integer"}`, "12", false, int64(12), ""},
		{`{"type":"integer"}`, " -3 ", false, int64(-3), ""},
		{`{"type":"integer"}`, "1e3", false, int64(1000), ""},
		{`{"type":"integer"}`, "9007199254740993", false, int64(9007199254740993), ""},
		{`{"type":"integer"}`, "1.5", false, nil, "Not a whole number"},
		{`{"type":"integer"}`, "x", false, nil, "Not a whole number"},
		{`{"type":"integer"}`, "1e40", false, nil, "Too large a number"},
		{`{"type":"integer"}`, "1e999999999", false, nil, "Not a whole number"},
		{`{"type":"integer","minimum":1,"maximum":9}`, "10", false, nil, "Between 1 and 9"},
		{`{"type":"integer","minimum":1}`, "0", false, nil, "At least 1"},
		{`{"type":"number","maximum":1.5}`, "1.6", false, nil, "At most 1.5"},
		{`{"type":"number","exclusiveMinimum":0}`, "0", false, nil, "More than 0"},
		{`{"type":"number","exclusiveMaximum":1}`, "1", false, nil, "Less than 1"},
		{`{"type":"number"}`, "1", false, 1.0, ""},
		{`{"type":"number"}`, ".5", false, 0.5, ""},
		{`{"type":"number"}`, "NaN", false, nil, "Not a number"},
		{`{"type":"number"}`, "0x1p-2", false, nil, "Not a number"},
		{`{"type":"number"}`, "1_000", false, nil, "Not a number"},
		{`{"type":"number"}`, "1/2", false, nil, "Not a number"},
		{`{"type":"number","multipleOf":0.1}`, "0.3", false, 0.3, ""},
		{`{"type":"number","multipleOf":0.1}`, "0.35", false, nil, "A multiple of 0.1"},
		{`{"type":"integer","multipleOf":0}`, "3", false, int64(3), ""},
		{`{"type":"integer"}`, "", needs, nil, missing},
		{`{"type":["string","null"]}`, "", needs, any(nil), ""},
		// Text that may be JSON.
		{`{}`, "7", false, int64(7), ""},
		{`{}`, "seven", false, "seven", ""},
		{`{}`, `{"a":[1,"x",null]}`, false, map[string]any{"a": []any{1.0, "x", nil}}, ""},
		{`{"type":["string","boolean"]}`, "7", false, "7", ""},
		{`{"type":["string","boolean"]}`, "true", false, true, ""},
		{`{"type":"array","items":{"type":"string"}}`, `["a"]`, false, []any{"a"}, ""},
		{`{"type":"array","items":{"type":"string"}}`, `a`, false, nil, "Write this as JSON"},
		{`{"type":"array","items":{"type":"string"}}`, `[1]`, false, nil, "Not what is asked for"},
		{`{"type":"object","required":["b"]}`, `{"a":1}`, false, nil, `Does not fit: required: missing properties: ["b"]`},
		{`{"$ref":"#"}`, `{"a":1}`, false, map[string]any{"a": 1.0}, ""},
		{`{"type":"string","not":{"const":"x"}}`, "x", false, nil, ""},
	} {
		p := readProperty("a", []byte(tc.schema), tc.required)
		v, given, problem := p.Value(Reply{Text: tc.text})
		if strings.Contains(tc.schema, `"not"`) {
			if !strings.HasPrefix(problem, "Does not fit: not") {
				t.Errorf("%s, %q: %q", tc.schema, tc.text, problem)
			}
			continue
		}
		if problem != tc.problem {
			t.Errorf("%s, %q: said %q, want %q", tc.schema, tc.text, problem, tc.problem)
		}
		if wantGiven := tc.want != nil || tc.required && p.null; problem == "" && (given != wantGiven || !reflect.DeepEqual(v, tc.want)) {
			t.Errorf("%s, %q: got %#v (%v), want %#v", tc.schema, tc.text, v, given, tc.want)
		}
	}
}

func TestChoices(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		schema   string
		picked   []int
		required bool
		want     any
		problem  string
	}{
		{`{"type":"boolean"}`, nil, false, nil, ""},
		{`{"type":"boolean"}`, nil, true, nil, missing},
		{`{"type":"boolean"}`, []int{1}, true, false, ""},
		{`{"enum":["a","b"]}`, []int{1}, false, "b", ""},
		{`{"type":"string","enum":[1]}`, []int{0}, false, nil, "Not what is asked for"},
		{`{"type":"array","items":{"enum":["a","b","c"]}}`, []int{0, 2}, false, []string{"a", "c"}, ""},
		{`{"type":"array","items":{"enum":["a"]}}`, []int{}, false, nil, ""},
		{`{"type":"array","items":{"enum":["a"]}}`, nil, true, []string{}, ""},
		{`{"type":"array","items":{"enum":["a"]},"minItems":1}`, nil, true, nil, "Choose at least 1"},
		{`{"type":"array","items":{"enum":["a","b","c"]},"maxItems":2}`, []int{0, 1, 2}, false, nil, "Choose at most 2"},
		{`{"type":"array","items":{"enum":["a","b"]},"minItems":2,"maxItems":2}`, []int{0}, false, nil, "Choose exactly 2"},
		{`{"type":"array","items":{"enum":[1,2]}}`, []int{0}, false, []any{int64(1)}, ""},
	} {
		p := readProperty("a", []byte(tc.schema), tc.required)
		v, given, problem := p.Value(Reply{Picked: tc.picked})
		if problem != tc.problem || problem == "" && (given != (tc.want != nil) || !reflect.DeepEqual(v, tc.want)) {
			t.Errorf("%s, %v: got %#v (%v, %q), want %#v (%q)", tc.schema, tc.picked, v, given, problem, tc.want, tc.problem)
		}
	}
}

// TestContent: the answers of all properties make one object, checked as one.
func TestContent(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		schema string
		texts  []string
		want   map[string]any
		whole  string
	}{
		{`{"properties":{"a":{"type":"string"},"b":{"type":"integer"}},"required":["b"]}`, []string{"", "2"}, map[string]any{"b": int64(2)}, ""},
		{`{"properties":{"a":{"type":"string"},"b":{"type":"string"}},"additionalProperties":false}`, []string{"x", "y"}, map[string]any{"a": "x", "b": "y"}, ""},
		{`{"properties":{"a":{"type":"string"},"b":{"type":"string"}},"dependentRequired":{"a":["b"]}}`, []string{"x", ""}, map[string]any{"a": "x"}, `The answers do not fit together: dependentRequired["a"]: missing properties ["b"]`},
		{`{"properties":{"a":{"type":"string"}},"minProperties":1}`, []string{""}, map[string]any{}, "The answers do not fit together: minProperties: object has 0 properties, less than 1"},
		{`{"properties":{"a":{"type":"string"}},"anyOf":[{"required":["b"]}]}`, []string{"x", `{"b":1,"a":"y"}`}, map[string]any{"a": "x", "b": 1.0}, ""},
		{`{"properties":{"a":{"$ref":"#"}},"$ref":"#"}`, []string{"x", ""}, map[string]any{"a": "x"}, ""},
		{``, []string{`{"a":1}`}, map[string]any{"a": 1.0}, ""},
		{``, []string{`just text`}, map[string]any{"answer": "just text"}, ""},
		{``, []string{``}, map[string]any{}, ""},
	} {
		s := Read([]byte(tc.schema))
		replies := make([]Reply, len(s.Properties))
		for i, text := range tc.texts {
			replies[i].Text = text
		}
		got, problems, whole := s.Content(replies)
		if strings.Join(problems, "") != "" || whole != tc.whole || !reflect.DeepEqual(got, tc.want) {
			t.Errorf("%s, %q: got %#v, %q, %q", tc.schema, tc.texts, got, problems, whole)
		}
	}
}

// FuzzSchema: any bytes make a form that can be drawn and answered, whatever is
// written in its fields.
func FuzzSchema(f *testing.F) {
	f.Add([]byte(`{"type":"object","properties":{"name":{"type":"string","title":"Name","description":"Your name","minLength":2,"maxLength":20},"email":{"type":"string","format":"email"},"age":{"type":"integer","minimum":0,"maximum":120,"default":30},"score":{"type":"number"},"agree":{"type":"boolean","title":"Agree","default":false},"color":{"type":"string","enum":["r","g","b"],"enumNames":["Red","Green","Blue"]},"size":{"type":"string","oneOf":[{"const":"s","title":"Small"}]},"tags":{"type":"array","items":{"type":"string","enum":["x","y","z"]},"minItems":1,"maxItems":2}},"required":["name","color"]}`), "x")
	f.Add([]byte(`{"properties":{"a":{"$ref":"#","allOf":[{"$ref":"#"}]}},"required":["b"]}`), `{"a":1}`)
	f.Add([]byte(`{"properties":{"a":{"type":["null","string"],"pattern":"(","enum":[{}]}}}`), "1e99999999")
	f.Add([]byte(`{"type":"object","properties":{"a":{"multipleOf":1e-320,"type":"number"}},"not":{}}`), "\xff")
	f.Fuzz(func(t *testing.T, raw []byte, str string) {
		s := Read(raw)
		replies := make([]Reply, len(s.Properties))
		for i := range s.Properties {
			p := &s.Properties[i]
			replies[i] = Reply{Text: str, Picked: p.Preset.Picked}
			for _, said := range append([]string{p.Label, p.About, p.Needs, p.Source}, p.Notes...) {
				if text.HasHiddenChars(strings.ReplaceAll(said, "\n", "")) {
					t.Fatalf("not safe to show: %q", said)
				}
			}
			for n, picked := range p.Preset.Picked {
				if picked < 0 || picked >= len(p.Options) || n > 0 && picked <= p.Preset.Picked[n-1] {
					t.Fatalf("%v of %d options", p.Preset.Picked, len(p.Options))
				}
			}
		}
		s.Content(replies)
	})
}
