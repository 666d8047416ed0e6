package cli

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"parley/cli/clitest"
	"parley/cli/process"
	"parley/settings"
)

// configured runs `parley config` with a file of settings; "-" is none.
func configured(t *testing.T, text string, args ...string) (path string, got clitest.Result) {
	t.Helper()
	config := t.TempDir()
	path = filepath.Join(config, "parley", "settings.toml")
	if text != "-" {
		clitest.Folder(t, filepath.Dir(path))
		clitest.Put(t, path, text)
	}
	return path, runIn(t, []string{"XDG_CONFIG_HOME=" + config}, "", append([]string{"config"}, args...)...)
}

// TestConfig is what `parley config` prints, and how it ends.
func TestConfig(t *testing.T) {
	t.Parallel()
	const wrong = "vmi = true\n\n[notify]\ndone = \"bel\"\nafter = 5\n"
	const others = "KEYS: not there, so all is as by default\nTHEMES: not there, so all is as by default\n"
	for _, c := range []struct {
		text string
		args string
		code int
		out  string // PATH stands for the path of the file
		err  string
	}{
		{"-", "path", process.ExitOK, "PATH\n", ""},
		{"vim = true\n", "path", process.ExitOK, "PATH\n", ""},
		{"-", "check", process.ExitOK, "PATH: not there, so all is as by default\n" + others, ""},
		{"vim = true\n", "check", process.ExitOK, "PATH: no mistakes\n" + others, ""},
		{wrong, "check", process.ExitFailure, others, "parley: PATH, line 1: there is no setting \"vmi\"; did you mean \"vim\"?\n" +
			"parley: PATH, line 4: notify.done is \"bel\", but must be one of auto, off, bell, osc9, osc777, osc99; did you mean \"bell\"?\n"},
		{wrong, "show", process.ExitFailure, "", "parley: PATH, line 1: there is no setting \"vmi\"; did you mean \"vim\"?\n" +
			"parley: PATH, line 4: notify.done is \"bel\", but must be one of auto, off, bell, osc9, osc777, osc99; did you mean \"bell\"?\n"},
		{"-", "schema", process.ExitOK, string(settings.Schema()), ""},
		{"-", "chekc", process.ExitUsage, "", "parley: unknown command \"chekc\"; did you mean `parley config check`?\n"},
		{"-", "frobnicate", process.ExitUsage, "", "parley: unknown command \"frobnicate\"; `parley config --help` lists them\n"},
		{"-", "path now", process.ExitUsage, "", "parley: `parley config path` takes no words, such as \"now\"\n"},
	} {
		path, got := configured(t, c.text, strings.Fields(c.args)...)
		want := clitest.Result{Code: c.code, Out: strings.NewReplacer(
			"PATH", path, "KEYS", filepath.Join(filepath.Dir(path), "keys.toml"), "THEMES", filepath.Join(filepath.Dir(path), "themes"),
		).Replace(c.out), Err: strings.ReplaceAll(c.err, "PATH", path)}
		if got != want {
			t.Errorf("config %s of %q:\ngot  %+v\nwant %+v", c.args, c.text, got, want)
		}
	}
	if _, got := configured(t, "-"); got.Code != process.ExitOK || !strings.Contains(got.Out, "parley config [command]") {
		t.Errorf("config alone: %+v", got)
	}
}

// TestConfigShow: what is shown is every setting, where its value is from and
// what it does, and is a file of settings itself, with the same values.
func TestConfigShow(t *testing.T) {
	t.Parallel()
	const text = "# mine\nvim = true\nstatus = { right = [\"clock\"] }\n\n[notify]\ndone = \"osc9\" # loud\n"
	lines := map[string]int{"vim": 2, "status.right": 3, "notify.done": 6}
	path, got := configured(t, text, "show")
	if got.Code != process.ExitOK || got.Err != "" {
		t.Fatalf("%+v", got)
	}
	again := filepath.Join(t.TempDir(), "again.toml")
	clitest.Put(t, again, got.Out)
	file, err := settings.Read(again)
	if err != nil {
		t.Fatal(err)
	}
	of, err := settings.Load(path)
	if err != nil {
		t.Fatal(err)
	}
	printed := strings.Split(got.Out, "\n")
	_, asJSON := configured(t, text, "show", "--json")
	var all struct {
		Path     string
		Settings []struct {
			Name    string
			Value   any
			Default any
			Line    int
			Doc     string
			Words   []string
		}
	}
	if err := json.Unmarshal([]byte(asJSON.Out), &all); err != nil {
		t.Fatal(err)
	}
	for i, s := range settings.Table() {
		value := s.Value(of)
		if file.Lines[s.Name] == 0 || settings.TOML(s.Value(file.Settings)) != settings.TOML(value) {
			t.Errorf("%s is not shown with its value", s.Name)
			continue
		}
		from := "  # default"
		if n := lines[s.Name]; n > 0 {
			from = fmt.Sprintf("  # line %d", n)
		}
		if at := file.Lines[s.Name]; !strings.HasSuffix(printed[at-1], from) || printed[at-2] != "# "+s.Title {
			t.Errorf("%s: %q, want %q and %q", s.Name, printed[at-2:at], s.Title, from)
		}
		row := all.Settings[i]
		if row.Name != s.Name || row.Doc != s.Title || row.Line != lines[s.Name] || !slices.Equal(row.Words, s.Words) ||
			sameJSON(t, row.Value) != sameJSON(t, value) || sameJSON(t, row.Default) != sameJSON(t, s.Default) {
			t.Errorf("%s as JSON: %+v", s.Name, row)
		}
	}
}

// sameJSON is a value as JSON has it.
func sameJSON(t *testing.T, v any) string {
	t.Helper()
	text, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// TestConfigShowAgents: what is shown of the agents are agents of a file of
// settings, the same ones.
func TestConfigShowAgents(t *testing.T) {
	t.Parallel()
	const text = "[agents.tide]\nurl = \"https://models.example/v1\"\ntoken_command = [\"pass\", \"a 'b' \\\"c\\\"\"]\n" +
		"options = { temperature = 0.2, stop = [\"x\"], n_probs = 3 }\n" +
		"[agents.moon]\nurl = \"https://agent.example/chat\"\nkind = \"sse\"\ntoken_env = \"MOON\"\nheaders = { \"X-Team\" = \"tide\" }\n"
	path, got := configured(t, text, "show")
	if got.Code != process.ExitOK || got.Err != "" {
		t.Fatalf("%+v", got)
	}
	again := filepath.Join(t.TempDir(), "again.toml")
	clitest.Put(t, again, got.Out)
	shown, err := settings.Load(again)
	if err != nil {
		t.Fatalf("%v in\n%s", err, got.Out)
	}
	written, err := settings.Load(path)
	if err != nil || len(written.Agents) != 2 || sameJSON(t, shown.Agents) != sameJSON(t, written.Agents) {
		t.Errorf("%v: shown %+v, written %+v", err, shown.Agents, written.Agents)
	}
	_, asJSON := configured(t, text, "show", "--json")
	var all struct{ Agents map[string]settings.Agent }
	if err := json.Unmarshal([]byte(asJSON.Out), &all); err != nil || sameJSON(t, all.Agents) != sameJSON(t, written.Agents) {
		t.Errorf("%v: %s", err, asJSON.Out)
	}
}

// TestConfigRenamed: a setting and a part of the status line by their names of before still
// count, and the new names are said.
func TestConfigRenamed(t *testing.T) {
	t.Parallel()
	const text = "vim = true\n[status]\nleft = [\"waiting\", \"turns\"]\n[notify]\nneeds_you = \"off\"\n"
	const queued, calls = `line 3: in status.left, "waiting" is called "queued" now`, `line 3: in status.left, "turns" is called "model-calls" now`
	const split = "line 5: notify.needs_you is two settings now: notify.approval and notify.question"
	_, shown := configured(t, text, "show")
	for _, want := range []string{"left = [\"queued\", \"model-calls\"]", "# " + queued, "# " + calls, "# " + split, "approval = \"off\"  # line 5", "question = \"off\"  # line 5"} {
		if !strings.Contains(shown.Out, want) {
			t.Errorf("%s is not in\n%s", want, shown.Out)
		}
	}
	path, got := configured(t, text, "check")
	for _, want := range []string{path + ", " + queued + "\n", path + ", " + calls + "\n", path + ", " + split + "\n", "settings.toml: no mistakes"} {
		if got.Code != process.ExitOK || !strings.Contains(got.Out, want) {
			t.Errorf("%s is not in\n%s", want, got.Out)
		}
	}
}
