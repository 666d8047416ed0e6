package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestTelemetryOfTheAgent passes the OpenTelemetry variables on to the agent's
// process where the settings say so, and nowhere else (decision 13).
func TestTelemetryOfTheAgent(t *testing.T) {
	t.Parallel()
	for settings, want := range map[string]bool{"": false, "[telemetry]\nagent = false\n": false, "[telemetry]\nagent = true\n": true} {
		config, dir := t.TempDir(), t.TempDir()
		if err := os.Mkdir(filepath.Join(config, "parley"), 0o700); err != nil {
			t.Fatal(err)
		}
		put(t, filepath.Join(config, "parley", "settings.toml"), settings)
		seen, agent := filepath.Join(dir, "environment"), filepath.Join(dir, "copilot")
		if err := os.WriteFile(agent, []byte("#!/bin/sh\nenv > "+seen+"\nexit 1\n"), 0o700); err != nil {
			t.Fatal(err)
		}
		cmd := exec.CommandContext(t.Context(), parley(t), "-p", "hello", "--copilot-path", agent)
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
			t.Errorf("settings %q: passed on is %t", settings, got)
		}
	}
}
