package generate

import (
	"go/ast"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"

	"parley/settings"
)

// settingTests names, of each setting, the test that shows that it does what its
// documentation says.
var settingTests = map[string]string{
	"vim":                    "tui.TestVimSetting",
	"motion":                 "tui.TestMotionSetting",
	"screen":                 "tui.TestReaderSetting",
	"times":                  "tui.TestTimesSetting",
	"density":                "tui.TestDensitySetting",
	"theme":                  "tui/appearance.TestThemeSetting",
	"markdown_style":         "tui.TestMarkdownStyleSetting",
	"follow":                 "tui.TestFollow",
	"busy_enter":             "tui.TestBusyEnter",
	"interrupt":              "tui.TestInterruptSetting",
	"reads":                  "e2e.TestReadsOfTheAgent",
	"status.left":            "tui.TestStatusItems",
	"status.right":           "tui.TestStatusItems",
	"status.script":          "tui.TestStatusScript",
	"status.script_timeout":  "tui.TestStatusScript",
	"mouse.wheel":            "tui.TestMouseSettings",
	"mouse.click":            "tui.TestMouseSettings",
	"mouse.select":           "tui.TestMouseSettings",
	"notify.approval":        "tui.TestNotificationSwitches",
	"notify.question":        "tui.TestNotificationSwitches",
	"notify.done":            "tui.TestNotificationSwitches",
	"notify.error":           "tui.TestNotificationSwitches",
	"notify.after":           "tui.TestNotifyAfter",
	"terminal.title":         "tui.TestNoTitle",
	"terminal.progress":      "tui.TestProgressSetting",
	"terminal.pictures":      "tui.TestNoImages",
	"terminal.links":         "tui.TestLinksSetting",
	"terminal.low_bandwidth": "tui.TestLowBandwidthSetting",
	"reader.answers":         "tui.TestReaderAnswers",
	"reader.progress":        "tui.TestReaderProgress",
	"telemetry.agent":        "e2e.TestTelemetryOfTheAgent",
}

// TestEverySettingIsTested finds the test that each setting names, and the
// setting in it: its field in Go, or its name in a file. A setting whose test is
// gone, or is of another, must not pass.
func TestEverySettingIsTested(t *testing.T) {
	t.Parallel()
	packages := map[string]testFiles{}
	for _, folder := range []string{"tui", "tui/appearance", "e2e"} {
		packages[folder] = parseTests(t, folder)
	}
	for _, s := range settings.Table() {
		t.Run(s.Name, func(t *testing.T) {
			t.Parallel()
			if why := untestedSetting(s.Name, settingTests[s.Name], packages); why != "" {
				t.Error(why)
			}
			for _, other := range []string{"", "TestNowhere", "tui.TestNowhere", "tui.TestShrink"} {
				if untestedSetting(s.Name, other, packages) == "" {
					t.Errorf("%q passes for its test", other)
				}
			}
		})
	}
	for name := range settingTests {
		if _, ok := settings.Find(name); !ok {
			t.Errorf("%s is no setting", name)
		}
	}
}

// untestedSetting says what is wrong with the test of a setting.
func untestedSetting(name, test string, packages map[string]testFiles) string {
	dir, function, _ := strings.Cut(test, ".")
	if packages[dir][function] == nil {
		return "the test " + strconv.Quote(test) + " of " + name + " is not there: write one that shows what the setting does"
	}
	field := fieldOf(reflect.TypeFor[settings.Settings](), strings.Split(name, "."))
	_, key, _ := strings.Cut("."+name, ".")
	key = key[strings.LastIndex(key, ".")+1:]
	if !slices.ContainsFunc(packages[dir].used(function), func(n ast.Node) bool { return names(n, field, key) }) {
		return test + " does not name " + name + ", nor its field " + field
	}
	return ""
}

// fieldOf is the last field of the struct that a name in the file stands for.
func fieldOf(t reflect.Type, parts []string) string {
	for i := range t.NumField() {
		switch f := t.Field(i); {
		case f.Tag.Get("toml") != parts[0]:
		case len(parts) > 1:
			return fieldOf(f.Type, parts[1:])
		default:
			return f.Name
		}
	}
	return ""
}

// names reports whether a piece of source has a field, or a key in a text.
func names(n ast.Node, field, key string) bool {
	found := false
	ast.Inspect(n, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.Ident:
			found = found || n.Name == field
		case *ast.BasicLit:
			text, err := strconv.Unquote(n.Value)
			found = found || err == nil && strings.Contains(text, key+" = ")
		}
		return !found
	})
	return found
}
