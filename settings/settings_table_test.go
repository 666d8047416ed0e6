package settings_test

import (
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/pelletier/go-toml/v2"
	"pgregory.net/rapid"

	"parley/settings"
)

// fields are the settings of the struct by their names in the file, in order.
func fields(v reflect.Value, table string) (names []string, values map[string]reflect.Value) {
	values = map[string]reflect.Value{}
	for i := range v.NumField() {
		name := table + v.Type().Field(i).Tag.Get("toml")
		if name == "agents" { // named by the user, with a table of their own: TestAgents
			continue
		}
		if v.Field(i).Kind() == reflect.Struct {
			below, more := fields(v.Field(i), name+".")
			names = append(names, below...)
			for n, f := range more {
				values[n] = f
			}
			continue
		}
		names, values[name] = append(names, name), v.Field(i)
	}
	return names, values
}

// TestTableIsTheStruct compares the table with the struct and its defaults, so
// that no setting can be in one of them only.
func TestTableIsTheStruct(t *testing.T) {
	t.Parallel()
	defaults := settings.Defaults()
	inStruct, values := fields(reflect.ValueOf(defaults), "")
	var inTable []string
	kinds := map[settings.Kind]reflect.Type{
		settings.Switch: reflect.TypeFor[bool](), settings.Number: reflect.TypeFor[int](),
		settings.Word: reflect.TypeFor[string](), settings.Text: reflect.TypeFor[string](),
		settings.Words: reflect.TypeFor[[]string](), settings.List: reflect.TypeFor[[]string](),
	}
	for _, s := range settings.Table() {
		inTable = append(inTable, s.Name)
		f, ok := values[s.Name]
		if !ok {
			continue
		}
		if f.Type() != kinds[s.Kind] {
			t.Errorf("%s is a %s in the table, and a %v in the struct", s.Name, s.Kind, f.Type())
		}
		if settings.TOML(f.Interface()) != settings.TOML(s.Default) {
			t.Errorf("%s is %v by default, and %v in the table", s.Name, f.Interface(), s.Default)
		}
		if why := s.Check(s.Default); why != "" {
			t.Errorf("the default is a mistake: %s", why)
		}
		if (s.Kind == settings.Word || s.Kind == settings.Words) != (len(s.Words) > 0) {
			t.Errorf("%s is a %s of the words %q", s.Name, s.Kind, s.Words)
		}
		if (s.Kind == settings.Number) != (s.Max > s.Min) {
			t.Errorf("%s is a %s from %d to %d", s.Name, s.Kind, s.Min, s.Max)
		}
		if s.Title == "" || s.Long == "" || s.When == "" || strings.HasSuffix(s.Title, ".") || !strings.HasSuffix(s.Long, ".") {
			t.Errorf("%s is documented as %q, %q, %q", s.Name, s.Title, s.Long, s.When)
		}
		if s.Group == "" || len(s.Title) > 30 || s.Kind == settings.Word && len(s.Meanings) != len(s.Words) {
			t.Errorf("%s is in the list as %q, %q with %q", s.Name, s.Group, s.Title, s.Meanings)
		}
		if found, ok := settings.Find(s.Name); !ok || found.Name != s.Name {
			t.Errorf("%s is not found", s.Name)
		}
	}
	tables := func(names []string) []string { // the order within the file is the table's own
		slices.Sort(names)
		return names
	}
	if !slices.Equal(tables(inTable), tables(inStruct)) {
		t.Errorf("the table has\n%q\nthe struct has\n%q", inTable, inStruct)
	}
	if _, ok := settings.Find("nothing"); ok {
		t.Error("a setting that there is not was found")
	}
}

// TestValueIsOfItsField: a row reads the field of its name, and no other.
func TestValueIsOfItsField(t *testing.T) {
	t.Parallel()
	for _, s := range settings.Table() {
		var changed settings.Settings
		_, values := fields(reflect.ValueOf(&changed).Elem(), "")
		switch f := values[s.Name]; f.Kind() {
		case reflect.Bool:
			f.SetBool(true)
		case reflect.String:
			f.SetString("x")
		case reflect.Int:
			f.SetInt(7)
		default:
			f.Set(reflect.ValueOf([]string{"x"}))
		}
		for _, other := range settings.Table() {
			before := settings.TOML(other.Value(settings.Settings{}))
			if got := settings.TOML(other.Value(changed)); (got != before) != (other.Name == s.Name) {
				t.Errorf("with %s changed, %s is %s", s.Name, other.Name, got)
			}
		}
	}
}

// TestTOML: what is written is read again as it was.
func TestTOML(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		value := rapid.OneOf(
			rapid.String().AsAny(), rapid.Bool().AsAny(), rapid.Int().AsAny(), rapid.SliceOf(rapid.String()).AsAny(),
		).Draw(t, "value")
		var got map[string]any
		if err := toml.Unmarshal([]byte("x = "+settings.TOML(value)), &got); err != nil {
			t.Fatalf("%s: %v", settings.TOML(value), err)
		}
		if settings.TOML(plain(got["x"])) != settings.TOML(value) {
			t.Errorf("%#v came back as %#v", value, got["x"])
		}
	})
	if got := settings.TOML(3.5); got != "" {
		t.Errorf("no setting is a %s", got)
	}
}

// plain is a value of any TOML with the types of settings.
func plain(v any) any {
	switch v := v.(type) {
	case int64:
		return int(v)
	case []any:
		list := []string{}
		for _, item := range v {
			list = append(list, item.(string))
		}
		return list
	}
	return v
}

// TestParse reads values as a user types them.
func TestParse(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, typed string
		want        any
		failure     string
	}{
		{"vim", " true ", true, ""},
		{"vim", "perhaps", nil, "vim must be true or false"},
		{"motion", "none", "none", ""},
		{"motion", "nome", nil, `did you mean "none"?`},
		{"theme", "Solarized Light", "Solarized Light", ""},
		{"theme", "", nil, "theme must not be empty"},
		{"notify.after", "30", 30, ""},
		{"notify.after", "-1", nil, "notify.after is -1"},
		{"notify.after", "soon", nil, `a whole number from 0 to 86400, not "soon"`},
		{"status.left", "mode, model folder", []string{"mode", "model", "folder"}, ""},
		{"status.left", `["mode", "model"]`, []string{"mode", "model"}, ""},
		{"status.left", "", []string{}, ""},
		{"status.left", "mode mode", nil, `status.left has "mode" twice`},
		{"status.left", `["mode"`, nil, "no TOML"},
		{"status.script", "date -u +%H:%M,%S", []string{"date", "-u", "+%H:%M,%S"}, ""},
		{"status.script", `["sh", "-c", "echo a b"]`, []string{"sh", "-c", "echo a b"}, ""},
	} {
		s, _ := settings.Find(c.name)
		got, err := s.Parse(c.typed)
		switch {
		case c.failure == "" && (err != nil || !reflect.DeepEqual(got, c.want)):
			t.Errorf("%s %q: %#v, %v", c.name, c.typed, got, err)
		case c.failure != "" && (err == nil || !strings.Contains(err.Error(), c.failure)):
			t.Errorf("%s %q: %v, want %q", c.name, c.typed, err, c.failure)
		}
	}
}
