package sessions

import (
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"
	"pgregory.net/rapid"
)

// TestPlainWorkspaces compares parsePlain with the library, on files that it takes.
func TestPlainWorkspaces(t *testing.T) {
	t.Parallel()
	value := rapid.OneOf(
		rapid.SampledFrom([]string{
			"main", "/home/ada/a b", "'quoted'", `"x"`, "a: b", "a #b", "a#b", "~", "null", "true", "True", "yes", "1", "1.5", "0x1F",
			"2026-11-21T15:22:19.833Z", `"2026-11-21T15:22:19.833Z"`, "[a]", "{a: b}", "|", ">-", "&a b", "*a", "!x y", "- a", "a:", " a",
			"a ", "ø", "", "x\ty", "x\r", "1_000", "=", "<<", "---", "''", `""`, "'it''s'", `"a\n"`, "'true'", "'a' b", `C:\a`, "a\n b", "a\nb",
		}),
		rapid.StringMatching(`[a-zA-Z0-9/@:#'" .,_-]{0,20}`),
		rapid.StringMatching(`'[a-zA-Z0-9/@:#'" .,\\_-]{0,20}'`),
		rapid.StringMatching(`"[a-zA-Z0-9/@:#'" .,\\_-]{0,20}"`),
	)
	key := rapid.SampledFrom([]string{
		"id", "cwd", "git_root", "repository", "branch", "client_name", "agent", "agent_session_id", "name", "user_named", "created_at", "updated_at",
		"other", "null", "true", "_", "<<", "", "a b", "a.b", "A", "'name'", "# name", " name", "- name", "name:", strings.Repeat("a", 2000),
	})
	plain := 0
	rapid.Check(t, func(t *rapid.T) {
		var text strings.Builder
		for range rapid.IntRange(0, 5).Draw(t, "lines") {
			text.WriteString(key.Draw(t, "key") + rapid.SampledFrom([]string{": ", ": ", ": ", ":"}).Draw(t, "colon"))
			text.WriteString(value.Draw(t, "value") + rapid.SampledFrom([]string{"\n", "\n", "\n", "\n\n", ""}).Draw(t, "end"))
		}
		comparePlain(t, text.String())
		var w workspace
		if w.parsePlain(text.String()) {
			plain++
		}
	})
	if plain == 0 {
		t.Error("no file was a plain one")
	}
}

// FuzzPlainWorkspace compares parsePlain with the library.
func FuzzPlainWorkspace(f *testing.F) {
	f.Add("id: 00419a72-23f1\ncwd: /home/ada\nname: 'Fix: it'\nuser_named: true\nfork_count: 0\ncreated_at: 2026-09-22T13:26:24.000Z\n")
	f.Add("cwd: C:\\a\nname: \"x\"\nuser_named: false\nname: twice")
	f.Fuzz(func(t *testing.T, text string) { comparePlain(t, text) })
}

func comparePlain(t interface {
	Fatalf(format string, args ...any)
}, text string,
) {
	var plain, library workspace
	if !plain.parsePlain(text) {
		return
	}
	if err := yaml.Unmarshal([]byte(text), &library); err != nil || plain != library {
		t.Fatalf("%q\n%+v\n%+v, %v", text, plain, library, err)
	}
}
