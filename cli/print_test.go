package cli

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"parley/cli/clitest"
	"parley/cli/output"
	"parley/cli/process"
	"parley/session/sessiontest"
)

// corpus are all logs, the recorded and those written by hand.
func corpus(t *testing.T) []string {
	t.Helper()
	var files []string
	for _, name := range sessiontest.LogNames(t) {
		files = append(files, filepath.Join(sessiontest.Root(t), "testdata", "sessions", name+".jsonl"))
	}
	return files
}

// TestPrintAsModel prints what the model sees of every log, at every kind of
// width: plain lines that fit, and never a complaint.
func TestPrintAsModel(t *testing.T) {
	t.Parallel()
	for _, file := range corpus(t) {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".jsonl"), func(t *testing.T) {
			t.Parallel()
			for _, width := range []int{4, 9, 24, 60, 80, 140} {
				got := runWith(t, "", "print", file, "--as", "model", "--width", strconv.Itoa(width))
				if got.Code != process.ExitOK || got.Err != "" || strings.TrimSpace(got.Out) == "" {
					t.Fatalf("width %d: code %d, out %q: %s", width, got.Code, got.Out, got.Err)
				}
				clitest.CheckPlain(t, got.Out, width)
			}
		})
	}
}

// TestPrintAs are the values of --as, and the ways to name a log with it.
func TestPrintAs(t *testing.T) {
	t.Parallel()
	file := filepath.Join(sessiontest.Root(t), "testdata", "sessions", "subagent_task_background.jsonl")
	log, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	folder := t.TempDir()
	if err := os.WriteFile(filepath.Join(folder, output.EventsFile), log, 0o600); err != nil {
		t.Fatal(err)
	}
	want := runWith(t, "", "print", file, "--as", "model")
	for _, text := range []string{
		"What the model sees  ", "9 messages · ", " user · notification agent_idle", "What the sub-agent bg1 sees", "5 messages · ",
	} {
		if !strings.Contains(want.Out, text) {
			t.Errorf("%q is not in\n%s", text, want.Out)
		}
	}
	for name, got := range map[string]clitest.Result{
		"standard input": runWith(t, string(log), "print", "-", "--as=model"),
		"session folder": runWith(t, "", "print", "--as", "model", folder),
		"never coloured": runWith(t, "", "print", "--color=never", "--as=model", file),
	} {
		if got != want {
			t.Errorf("%s: got %+v, want what the file gives", name, got)
		}
	}
	coloured := runWith(t, "", "print", "--color=always", "--as=model", file)
	if ansi.Strip(coloured.Out) != want.Out || coloured.Out == want.Out {
		t.Errorf("--color=always gave %q", coloured.Out)
	}
	if got := runWith(t, "", "print", "--as=timeline", file); got != runWith(t, "", "print", file) {
		t.Errorf("--as=timeline is not what print does: %+v", got)
	}
	if got := runWith(t, "", "print", "--as=tokens", file); got.Code != process.ExitUsage || got.Out != "" ||
		got.Err != `parley: --as is timeline or model, not "tokens"`+"\n" {
		t.Errorf("a bad value: %+v", got)
	}
}

// TestPrintAsModelNothing: a log of which the model sees nothing says so, also
// where nothing shows on a timeline.
func TestPrintAsModelNothing(t *testing.T) {
	t.Parallel()
	const log = `{"id":"1","type":"session.info","timestamp":"2026-11-21T10:41:00Z","data":{"infoType":"note","message":"For you alone."}}` + "\n"
	if got := runWith(t, log, "print", "-", "--as", "model"); got != (clitest.Result{Code: process.ExitOK, Out: "Nothing is in the model's context.\n"}) {
		t.Errorf("got %+v", got)
	}
	if got := runWith(t, "not a log\n", "print", "-", "--as", "model"); got.Code != process.ExitFailure || got.Out != "" {
		t.Errorf("got %+v", got)
	}
}

// TestPrintDensity: what is folded away normally is written at the verbose density,
// however long it is; a density that is none is refused.
func TestPrintDensity(t *testing.T) {
	t.Parallel()
	log := filepath.Join(t.TempDir(), "log.jsonl")
	long := strings.Repeat(`a line of it\n`, 20_000)
	lines := `{"type":"tool.execution_start","data":{"toolCallId":"c","toolName":"grep","arguments":{"pattern":"x"}}}` + "\n" +
		`{"type":"tool.execution_complete","data":{"toolCallId":"c","success":true,"result":{"content":"SHORT","detailedContent":"` + long + `LAST"}}}` + "\n"
	if err := os.WriteFile(log, []byte(lines), 0o600); err != nil {
		t.Fatal(err)
	}
	for density, want := range map[string]bool{"normal": false, "verbose": true, "compact": false} {
		got := runWith(t, "", "print", log, "--density", density)
		if got.Code != process.ExitOK || strings.Contains(got.Out, "LAST") != want || strings.Contains(got.Out, "SHORT") {
			t.Errorf("%s: code %d, %d bytes: %s", density, got.Code, len(got.Out), got.Err)
		}
	}
	if got := runWith(t, "", "print", log, "--density", "tight"); got.Code == process.ExitOK || !strings.Contains(got.Err, `--density is normal, verbose or compact, not "tight"`) {
		t.Errorf("got %d: %s", got.Code, got.Err)
	}
}

// TestPrintMarkdownStyle: answers are printed in the style that the settings or the
// environment name; one with mistakes costs a line, and never the look.
func TestPrintMarkdownStyle(t *testing.T) {
	t.Parallel()
	config := t.TempDir()
	log := filepath.Join(config, "log.jsonl")
	clitest.Put(t, log, `{"type":"assistant.message","data":{"messageId":"m","content":"## Title"}}`+"\n")
	clitest.Folder(t, filepath.Join(config, "parley"))
	printed := func(setting, style string) clitest.Result {
		clitest.Put(t, filepath.Join(config, "parley", "settings.toml"), setting)
		return runIn(t, []string{"XDG_CONFIG_HOME=" + config, "GLAMOUR_STYLE=" + style}, "", "print", log, "--color", "always")
	}
	for _, c := range []struct{ setting, style, want, err string }{
		{"", "", "", ""},
		{"", "pink", "▌ ", ""},
		{`markdown_style = "dark"`, "pink", "## ", ""},
		{`markdown_style = "theme"`, "pink", "", ""},
		{`markdown_style = "drak"`, "", "", "parley: the setting markdown_style: there is no markdown style \"drak\"; did you mean \"dark\"?"},
	} {
		got := printed(c.setting, c.style)
		line, _, _ := strings.Cut(ansi.Strip(got.Out), "Title")
		line = strings.TrimLeft(line[strings.LastIndexByte(line, '\n')+1:], " ")
		if got.Code != process.ExitOK || line != c.want || !strings.HasPrefix(got.Err, c.err) || c.err == "" && got.Err != "" {
			t.Errorf("%q, %q: %q before the title, code %d, %s", c.setting, c.style, line, got.Code, got.Err)
		}
	}
	got := runIn(t, []string{"XDG_CONFIG_HOME=" + config}, "", "config", "check")
	if got.Code != process.ExitFailure || !strings.Contains(got.Err, "markdown style \"drak\"") {
		t.Errorf("config check: %+v", got)
	}
}
