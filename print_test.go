package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

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
				if got.code != process.ExitOK || got.err != "" || strings.TrimSpace(got.out) == "" {
					t.Fatalf("width %d: code %d, out %q: %s", width, got.code, got.out, got.err)
				}
				checkPlain(t, got.out, width)
			}
		})
	}
}

// checkPlain holds a text that went into a pipe to plain lines that fit.
func checkPlain(t *testing.T, out string, width int) {
	t.Helper()
	for i, line := range strings.Split(out, "\n") {
		if w := ansi.StringWidth(line); w > width {
			t.Errorf("width %d: line %d is %d cells: %q", width, i+1, w, line)
		}
		if at := strings.IndexFunc(line, func(r rune) bool { return r < ' ' || r >= 0x7f && r < 0xa0 }); at >= 0 {
			t.Errorf("width %d: line %d has a control character: %q", width, i+1, line)
		}
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
		if !strings.Contains(want.out, text) {
			t.Errorf("%q is not in\n%s", text, want.out)
		}
	}
	for name, got := range map[string]ran{
		"standard input": runWith(t, string(log), "print", "-", "--as=model"),
		"session folder": runWith(t, "", "print", "--as", "model", folder),
		"never coloured": runWith(t, "", "print", "--color=never", "--as=model", file),
	} {
		if got != want {
			t.Errorf("%s: got %+v, want what the file gives", name, got)
		}
	}
	coloured := runWith(t, "", "print", "--color=always", "--as=model", file)
	if ansi.Strip(coloured.out) != want.out || coloured.out == want.out {
		t.Errorf("--color=always gave %q", coloured.out)
	}
	if got := runWith(t, "", "print", "--as=timeline", file); got != runWith(t, "", "print", file) {
		t.Errorf("--as=timeline is not what print does: %+v", got)
	}
	if got := runWith(t, "", "print", "--as=tokens", file); got.code != process.ExitUsage || got.out != "" ||
		got.err != `parley: --as is timeline or model, not "tokens"`+"\n" {
		t.Errorf("a bad value: %+v", got)
	}
}

// TestPrintAsModelNothing: a log of which the model sees nothing says so, also
// where nothing shows on a timeline.
func TestPrintAsModelNothing(t *testing.T) {
	t.Parallel()
	const log = `{"id":"1","type":"session.info","timestamp":"2026-11-21T10:41:00Z","data":{"infoType":"note","message":"For you alone."}}` + "\n"
	if got := runWith(t, log, "print", "-", "--as", "model"); got != (ran{process.ExitOK, "Nothing is in the model's context.\n", ""}) {
		t.Errorf("got %+v", got)
	}
	if got := runWith(t, "not a log\n", "print", "-", "--as", "model"); got.code != process.ExitFailure || got.out != "" {
		t.Errorf("got %+v", got)
	}
}

// What `parley print --as model` writes of a log from anywhere is text and
// colours.
func TestPrintAsModelHostile(t *testing.T) {
	t.Parallel()
	for seed := range uint64(12) {
		t.Run(strconv.FormatUint(seed, 10), func(t *testing.T) {
			t.Parallel()
			h := sessiontest.NewHostile(seed)
			log := hostileLog(t, h)
			width := 4 + h.IntN(150)
			got := runWith(t, log, "print", "-", "--as=model", "--width", strconv.Itoa(width), "--color", []string{"always", "never"}[seed%2])
			if got.code != process.ExitOK || strings.Count(got.out, "\n") < 20 {
				t.Fatalf("code %d, %d lines: %s", got.code, strings.Count(got.out, "\n"), got.err)
			}
			if found := sessiontest.NewGuard(width, 50).Draw(got.out); found != "" {
				t.Errorf("width %d: %s", width, found)
			}
		})
	}
}

// TestPrintAsModelBuilt runs the program itself: from a pipe, into a pipe, as
// wide as the environment says.
func TestPrintAsModelBuilt(t *testing.T) {
	t.Parallel()
	log, err := os.Open(filepath.Join(sessiontest.Root(t), "testdata", "sessions", "hand", "compaction.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	defer log.Close()
	cmd := exec.CommandContext(t.Context(), parley(t), "print", "-", "--as", "model")
	cmd.Stdin, cmd.Env = log, []string{"COLUMNS=50", "HOME=" + t.TempDir(), "TERM=xterm-256color"}
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{"What the model sees", "user · summary", "<summary>"} {
		if !strings.Contains(string(out), text) {
			t.Errorf("%q is not in\n%s", text, out)
		}
	}
	checkPlain(t, string(out), 50)
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
		if got.code != process.ExitOK || strings.Contains(got.out, "LAST") != want || strings.Contains(got.out, "SHORT") {
			t.Errorf("%s: code %d, %d bytes: %s", density, got.code, len(got.out), got.err)
		}
	}
	if got := runWith(t, "", "print", log, "--density", "tight"); got.code == process.ExitOK || !strings.Contains(got.err, `--density is normal, verbose or compact, not "tight"`) {
		t.Errorf("got %d: %s", got.code, got.err)
	}
}

// TestPrintMarkdownStyle: answers are printed in the style that the settings or the
// environment name; one with mistakes costs a line, and never the look.
func TestPrintMarkdownStyle(t *testing.T) {
	t.Parallel()
	config := t.TempDir()
	log := filepath.Join(config, "log.jsonl")
	put(t, log, `{"type":"assistant.message","data":{"messageId":"m","content":"## Title"}}`+"\n")
	folder(t, filepath.Join(config, "parley"))
	printed := func(setting, style string) ran {
		put(t, filepath.Join(config, "parley", "settings.toml"), setting)
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
		line, _, _ := strings.Cut(ansi.Strip(got.out), "Title")
		line = strings.TrimLeft(line[strings.LastIndexByte(line, '\n')+1:], " ")
		if got.code != process.ExitOK || line != c.want || !strings.HasPrefix(got.err, c.err) || c.err == "" && got.err != "" {
			t.Errorf("%q, %q: %q before the title, code %d, %s", c.setting, c.style, line, got.code, got.err)
		}
	}
	got := runIn(t, []string{"XDG_CONFIG_HOME=" + config}, "", "config", "check")
	if got.code != process.ExitFailure || !strings.Contains(got.err, "markdown style \"drak\"") {
		t.Errorf("config check: %+v", got)
	}
}
