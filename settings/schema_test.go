package settings_test

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/pelletier/go-toml/v2"
	"pgregory.net/rapid"

	"parley/settings"
)

// schema is the published schema, as an editor has it.
func schema(t *testing.T) *jsonschema.Resolved {
	t.Helper()
	var s jsonschema.Schema
	if err := json.Unmarshal(settings.Schema(), &s); err != nil {
		t.Fatal(err)
	}
	r, err := s.Resolve(&jsonschema.ResolveOptions{ValidateDefaults: true})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// valid reports whether a schema takes a text of TOML, as an editor sees it.
func valid(t testing.TB, r *jsonschema.Resolved, text string) bool {
	t.Helper()
	var file map[string]any
	if err := toml.Unmarshal([]byte(text), &file); err != nil {
		t.Fatalf("%q: %v", text, err)
	}
	asJSON, err := json.Marshal(file)
	if err != nil {
		t.Fatal(err)
	}
	var v any
	if err := json.Unmarshal(asJSON, &v); err != nil {
		t.Fatal(err)
	}
	return r.Validate(v) == nil
}

// TestSchemaAgrees: an editor finds a mistake where Parley does, and nowhere
// else.
func TestSchemaAgrees(t *testing.T) {
	t.Parallel()
	r := schema(t)
	for text, want := range map[string]bool{
		"":                                     true,
		"vim = true\n[notify]\ndone = \"off\"": true,
		"status = { left = [\"mode\"] }":       true,
		"status.left = []":                     true,
		"vmi = true":                           false,
		"[notfy]":                              false,
		"[notify]\nweel = true":                false,
		"notify = 3":                           false,
		"theme = \"\"":                         false,
		"status.left = [\"mode\", \"mode\"]":   false,
		"status.script = [1]":                  false,
		"notify.after = 86401":                 false,
		"notify.after = 2.5":                   false,
		"[[notify]]\ndone = \"off\"":           false,
	} {
		_, err := settings.Load(write(t, text))
		if got := valid(t, r, text); got != want || (err == nil) != want {
			t.Errorf("%q: the schema says %t, Load %v; want %t", text, got, err, want)
		}
	}
	rapid.Check(t, func(rt *rapid.T) {
		s := rapid.SampledFrom(settings.Table()).Draw(rt, "setting")
		other := rapid.SampledFrom(settings.Table()).Draw(rt, "of another")
		value := rapid.OneOf(
			anyValue(s), anyValue(other), rapid.IntRange(-100_000, 100_000).AsAny(), rapid.SampledFrom([]any{"", "autp", []string{"mode", "mode"}}),
		).Draw(rt, "value")
		text := s.Name + " = " + settings.TOML(value)
		_, err := settings.Load(write(t, text))
		if got := valid(t, r, text); got != (err == nil) {
			rt.Errorf("%q: the schema says %t, Load %v", text, got, err)
		}
	})
}

// TestSchemaSaysWhatItIs: an editor can show what each setting does.
func TestSchemaSaysWhatItIs(t *testing.T) {
	t.Parallel()
	text := settings.Schema()
	for _, s := range settings.Table() {
		quoted, err := json.Marshal(s.Title)
		if err != nil || !bytes.Contains(text, bytes.ReplaceAll(quoted, []byte(`\u0026`), []byte("&"))) {
			t.Errorf("%s: %q is missing", s.Name, s.Title)
		}
	}
	if !strings.Contains(string(text), "https://json-schema.org/draft/2020-12/schema") {
		t.Error("it does not say which JSON Schema it is")
	}
}
