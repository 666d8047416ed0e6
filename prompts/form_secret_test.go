package prompts

import (
	"fmt"
	"reflect"
	"strings"
	"testing"

	"parley/session"
	"parley/session/sessiontest"
)

// TestSecretAnswers: what is written in a secret field is nowhere but in the answer, which names the field.
func TestSecretAnswers(t *testing.T) {
	t.Parallel()
	for name, property := range map[string]string{
		"a keyword": `{"type":"string","writeOnly":true}`,
		"a format":  `{"type":"string","format":"password"}`,
		"codex":     `{"type":"string","_meta":{"codex":{"isSecret":true}}}`,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := filled(t, `{"type":"object","properties":{"key":`+property+`,"a":{"type":"string"}}}`)
			hidden := func() {
				t.Helper()
				d.settle()
				if strings.Contains(d.text(), "hunter2") {
					t.Errorf("it is shown:\n%s", d.text())
				}
			}
			d.typed("hunter2")
			hidden()
			if !strings.Contains(d.text(), "·······") {
				t.Errorf("nothing stands for it:\n%s", d.text())
			}
			d.press("ctrl+g")
			if len(d.effects) > 0 {
				t.Errorf("it was given to %v", d.effects)
			}
			d.press("tab")
			hidden()
			d.typed("hi")
			d.press("tab")
			hidden()
			if written := fmt.Sprint(d.q.Written()); strings.Contains(written, "hunter2") || !strings.Contains(written, "hi") {
				t.Errorf("it is kept: %s", written)
			}
			d.press("y")
			a, ok := d.answer().(session.ElicitationAnswer)
			if want := map[string]any{"key": "hunter2", "a": "hi"}; !ok || !reflect.DeepEqual(a.Content, want) {
				t.Fatalf("sent %v", a)
			}
			if shown := a.Shown(); shown["key"] == "hunter2" || shown["a"] != "hi" {
				t.Errorf("%v may be shown", shown)
			}
		})
	}
}

// TestOptionDescriptions draws the words that an agent has for each of its options.
func TestOptionDescriptions(t *testing.T) {
	t.Parallel()
	d := filled(t, `{"type":"object","properties":{"c":{"title":"Which colour?","description":"Colour","type":"string","oneOf":[`+
		`{"const":"Red (Recommended)","title":"Red (Recommended)","description":"warm, and seen from far away even on a dull day in the late autumn"},`+
		`{"const":"Blue","title":"Blue","description":"cold"},{"const":"None of the above","title":"None of the above"}]},`+
		`"c_note":{"type":"string","title":"Additional answer or note"}},"required":["c"]}`)
	d.press("down")
	sessiontest.Golden(t, "prompts/form_options", d.text())
}
