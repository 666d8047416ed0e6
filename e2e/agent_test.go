package e2e

import (
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"parley/cli/clitest"
	"parley/cli/process"
	"parley/session/sessiontest"
	"parley/session/sessiontest/llm"
	"parley/settings/environ"
)

// TestTelemetryOfTheAgent passes the OpenTelemetry variables on to the process of an
// agent where the settings say so, and nowhere else (docs/decisions.md 13).
func TestTelemetryOfTheAgent(t *testing.T) {
	t.Parallel()
	for settings, want := range map[string]bool{"": false, "[telemetry]\nagent = false\n": false, "[telemetry]\nagent = true\n": true} {
		config, dir := t.TempDir(), t.TempDir()
		if err := os.Mkdir(filepath.Join(config, "parley"), 0o700); err != nil {
			t.Fatal(err)
		}
		clitest.Put(t, filepath.Join(config, "parley", "settings.toml"), settings)
		seen, agent := filepath.Join(dir, "environment"), filepath.Join(dir, "copilot")
		sessiontest.Program(t, agent, "#!/bin/sh\nenv > "+seen+"\nexit 1\n")
		for _, args := range [][]string{{"--copilot-path", agent}, {"--agent", "acp:" + agent}} {
			cmd := exec.CommandContext(t.Context(), parley(t), append(args, "-p", "hello")...)
			cmd.Dir, cmd.Env = dir, []string{"PATH=/usr/bin:/bin", "HOME=" + dir, "XDG_CONFIG_HOME=" + config, "OTEL_SERVICE_NAME=mine"}
			out, err := cmd.CombinedOutput()
			if err == nil {
				t.Errorf("an agent that does not start was no failure:\n%s", out)
			}
			env, err := os.ReadFile(seen)
			if err != nil {
				t.Fatalf("the agent was not started: %v\n%s", err, out)
			}
			if got := strings.Contains(string(env), "OTEL_SERVICE_NAME=mine"); got != want {
				t.Errorf("settings %q, %q: passed on is %t", settings, args, got)
			}
			if err := os.Remove(seen); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// TestReadsOfTheAgent: nothing is asked about a read in a trusted folder, unless the
// settings say so. Another path is asked about all the same.
func TestReadsOfTheAgent(t *testing.T) {
	s := headlessOn(t, llm.Script{
		"far": {{Calls: []llm.Call{{Name: "view", Args: object{"path": "/etc/hosts"}}}}, {Text: "Looked."}},
	})
	file := filepath.Join(s.dir, "near.txt")
	clitest.Put(t, file, "it is near\n")
	s.model.Add("near", llm.Step{Calls: []llm.Call{{Name: "view", Args: object{"path": file}}}}, llm.Step{Text: "Looked."})
	runtime, preferences := environ.Get(s.env, "COPILOT_HOME"), filepath.Join(environ.Get(s.env, "HOME"), ".config", "parley")
	if err := os.MkdirAll(preferences, 0o700); err != nil {
		t.Fatal(err)
	}
	reads := func(prompt, text string, want bool) {
		t.Helper()
		s.expect(s.ask("", "-p", "look @@"+prompt), process.ExitOK, "Looked.\n")
		if heard := s.heard("tool"); strings.Contains(heard, text) != want {
			t.Errorf("%s: the model heard %q", prompt, heard)
		}
	}
	reads("near", "it is near", false) // it is not trusted
	clitest.Put(t, filepath.Join(runtime, "config.json"), `{"trustedFolders": [`+strconv.Quote(s.dir)+`]}`)
	reads("near", "it is near", true)
	reads("far", "localhost", false)
	clitest.Put(t, filepath.Join(preferences, "settings.toml"), "reads = \"ask\"\n")
	reads("near", "it is near", false)
	clitest.Put(t, filepath.Join(preferences, "settings.toml"), "reads = \"trusted\"\n")
	reads("near", "it is near", true)
}
