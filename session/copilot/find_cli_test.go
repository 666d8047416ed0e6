package copilot_test

import (
	"errors"
	"os/exec"
	"strings"
	"testing"

	"parley/session/copilot"
)

func TestFind(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		flag, env string
		there     []string
		want      string
		says      []string // of the error
		missing   bool
	}{
		"the flag first":     {flag: "/f/copilot", env: "/e/copilot", there: []string{"/f/copilot", "/e/copilot", "copilot"}, want: "/f/copilot"},
		"then the variable":  {env: "/e/copilot", there: []string{"/e/copilot", "copilot"}, want: "/e/copilot"},
		"then the path":      {there: []string{"copilot"}, want: "/found/copilot"},
		"a wrong flag":       {flag: "/f/none", env: "/e/copilot", there: []string{"/e/copilot", "copilot"}, says: []string{"--copilot-path", "/f/none", "which does not exist; correct it"}},
		"a wrong variable":   {env: "/e/none", there: []string{"copilot"}, says: []string{"COPILOT_CLI_PATH", "/e/none", "correct it"}},
		"nothing anywhere":   {says: []string{"no Copilot CLI found", "npm install -g @github/copilot", "--copilot-path"}, missing: true},
		"a name in the flag": {flag: "copilot", there: []string{"copilot"}, want: "/found/copilot"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			look := func(path string) (string, error) {
				for _, p := range tc.there {
					if p == path {
						return "/found/" + strings.TrimPrefix(path, "/"), nil
					}
				}
				return "", exec.ErrNotFound
			}
			env := func(name string) string {
				if name != "COPILOT_CLI_PATH" {
					t.Errorf("read %s", name)
				}
				return tc.env
			}
			got, err := copilot.Find(tc.flag, env, look)
			if want := tc.want; want != "" {
				if !strings.HasPrefix(want, "/found") {
					want = "/found" + want
				}
				if got != want || err != nil {
					t.Errorf("found %q, %v; want %q", got, err, want)
				}
				return
			}
			if err == nil || got != "" {
				t.Fatalf("found %q", got)
			}
			for _, w := range tc.says {
				if !strings.Contains(err.Error(), w) {
					t.Errorf("the error does not say %q: %v", w, err)
				}
			}
			if errors.Is(err, copilot.ErrNotFound) != tc.missing {
				t.Errorf("ErrNotFound: %v", err)
			}
		})
	}
}
