package agents

import (
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"parley/settings"
)

// TestACPAgent: a command is split as a shell does and no shell runs; a known agent has its own.
func TestACPAgent(t *testing.T) {
	t.Parallel()
	for name, want := range map[string][]string{
		"acp:agent --acp":          {"agent", "--acp"},
		`acp:"my agent" 'a; rm b'`: {"my agent", "a; rm b"},
		"gemini":                   {"gemini", "--acp"},
	} {
		if p, ok, err := acpAgent(name, nil); err != nil || !ok || !slices.Equal(p.command, want) {
			t.Errorf("%s is %+v, %t, %v", name, p, ok, err)
		}
	}
	for _, name := range []string{"acp:", "acp:'x"} {
		if _, _, err := acpAgent(name, nil); err == nil || !strings.Contains(err.Error(), "acp:COMMAND") {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, ok, err := acpAgent("gpt", nil); ok || err != nil {
		t.Errorf("gpt is an agent, %v", err)
	}
	named := map[string]settings.Agent{"gemini": {Command: []string{"mine"}, Env: map[string]string{"B": "2", "A": "1"}, Mode: "plan", Model: "m"}}
	p, ok, err := acpAgent("gemini", named)
	if want := (acpProgram{name: "gemini", command: []string{"mine"}, env: []string{"A=1", "B=2"}, mode: "plan", model: "m"}); err != nil || !ok ||
		!reflect.DeepEqual(p, want) {
		t.Errorf("the one of the settings is %+v, %t, %v", p, ok, err)
	}
}

// TestProgramEnvironment: an agent gets the variables of OpenTelemetry where the settings say so, and those that
// its own settings name in any case.
func TestProgramEnvironment(t *testing.T) {
	t.Parallel()
	env := []string{"PATH=/bin", "OTEL_EXPORTER_OTLP_HEADERS=key=secret", "COPILOT_HOME=/h", "OTEL_X=1", "HOTEL_Y=2"}
	p := acpProgram{env: []string{"OTEL_X=3"}}
	for telemetry, want := range map[bool]string{
		false: "PATH=/bin COPILOT_HOME=/h HOTEL_Y=2 OTEL_X=3",
		true:  strings.Join(env, " ") + " OTEL_X=3",
	} {
		if got := strings.Join(p.config(env, telemetry).Env, " "); got != want {
			t.Errorf("telemetry %t: %s, want %s", telemetry, got, want)
		}
	}
}

// TestCalled: a name of the settings stands once, whether it is a known one or not.
func TestCalled(t *testing.T) {
	t.Parallel()
	got := Called(map[string]settings.Agent{"work": {}, "gemini": {}, "aside": {}})
	if want := []string{"copilot", "demo", "gemini", "opencode", "claude", "codex", "aside", "work"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

// TestTrustedFolders: what is kept holds for that agent in that folder alone, whatever their names are.
func TestTrustedFolders(t *testing.T) {
	t.Parallel()
	f := trustedFolders(filepath.Join(t.TempDir(), "deep", "trusted"))
	odd := "/src/a\n\"acp\" \"/src/b"
	if f.Trusted("acp", odd) {
		t.Error("trusted before")
	}
	if err := f.Keep("acp", odd); err != nil {
		t.Fatal(err)
	}
	if !f.Trusted("acp", odd) || f.Trusted("acp", "/src/b") || f.Trusted("other", odd) {
		t.Error("it is not as it was kept")
	}
}
