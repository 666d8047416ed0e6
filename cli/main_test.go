package cli

import (
	"bytes"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"parley/cli/arguments"
	"parley/cli/clitest"
	"parley/cli/output"
	"parley/cli/process"
	"parley/session/sessiontest"
	"parley/tui/keymap"
)

// runWith carries out a command line in this process, with input as its
// standard input; nothing about it is a terminal.
func runWith(t *testing.T, input string, args ...string) clitest.Result {
	t.Helper()
	return runIn(t, nil, input, args...)
}

// runIn is runWith, with more in the environment.
func runIn(t *testing.T, env []string, input string, args ...string) clitest.Result {
	t.Helper()
	return clitest.Run(t, env, input, func(c process.Console) int { return Run(args, c) })
}

// TestComplaints holds each mistake on the command line to one clear line and
// the right exit code.
func TestComplaints(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	empty, plain := filepath.Join(dir, "empty.jsonl"), filepath.Join(dir, "plain.txt")
	for path, content := range map[string]string{empty: "", plain: "not a log\n"} {
		if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []struct {
		args []string
		code int
		want string
	}{
		{[]string{"--modell", "x"}, process.ExitUsage, "did you mean --model?"},
		{[]string{"--agent", "demo", "--model", "nosuch", "-p", "a"}, process.ExitFailure, `the demo has no model "nosuch"; its models are demo-fast`},
		{[]string{"--agent", "demo", "help"}, process.ExitUsage, "--agent is a flag of `parley`, and `parley help` does not take it"},
		{[]string{"--agent", "demo", "sessions", "list"}, process.ExitUsage, "and `parley sessions list` does not take it"},
		{[]string{"--frobnicate"}, process.ExitUsage, "`parley --help` lists the flags"},
		{[]string{"--resume"}, process.ExitFailure, "a chat needs a terminal"},
		{[]string{"-r"}, process.ExitFailure, "a chat needs a terminal"},
		{[]string{"-r", "x", "-c"}, process.ExitUsage, "leave one of them out"},
		{[]string{"-r", "-c"}, process.ExitUsage, "leave one of them out"},
		{[]string{"-r", "fix it"}, process.ExitUsage, `--resume takes the id of a session, not "fix it"`},
		{[]string{"-p", "hello", "-r"}, process.ExitUsage, "with -p, --resume needs the id of a session"},
		{[]string{"--resume", ""}, process.ExitUsage, "--continue takes the last one"},
		{[]string{"--resume", "x", "--continue"}, process.ExitUsage, "leave one of them out"},
		{[]string{"--continue=perhaps"}, process.ExitUsage, "--continue cannot be \"perhaps\"; it takes true or false; `parley --help` shows what it takes"},
		{[]string{"--agent", "gpt"}, process.ExitUsage, `--agent is one of copilot, demo, gemini, opencode, claude, codex, acp:COMMAND, sse:URL, openai:BASE, replay:FILE, not "gpt"`},
		{[]string{"--copilot-url", "localhost:1", "--agent", "demo"}, process.ExitUsage, "--copilot-url has no meaning with --agent demo"},
		{[]string{"--copilot-url", "localhost:1", "--copilot-path", "x"}, process.ExitUsage, "name two Copilot CLIs"},
		{[]string{"--agent", "dem"}, process.ExitUsage, "did you mean demo?"},
		{[]string{"--agent", "copilot", "--token-env", "X", "-p", "a"}, process.ExitFailure, "--token-env is for a chat agent"},
		{[]string{"--agent", "sse:http://models.example", "--token-env", "X", "-p", "a"}, process.ExitFailure, "over https or to this computer only"},
		{[]string{"--agent", "openai:models.example", "-p", "a"}, process.ExitFailure, "must begin with https://"},
		{[]string{"--agent", ""}, process.ExitUsage, "--agent is one of copilot, demo"},
		{[]string{"--mode", "fast"}, process.ExitUsage, "--mode is one of interactive, plan, autopilot"},
		{[]string{"--agent", "demo", "--low-bandwidth", "off"}, process.ExitUsage, "after an equals sign: --low-bandwidth=off"},
		{[]string{"--agent", "demo", "--copilot-path", "/bin/true"}, process.ExitUsage, "leave one of them out"},
		{[]string{"fix", "the", "tests"}, process.ExitUsage, `put it in quotes: parley "fix the tests"`},
		{[]string{"pritn", "a.jsonl"}, process.ExitUsage, "did you mean `parley print`?"},
		{[]string{"doctr"}, process.ExitUsage, "there is no command \"doctr\": did you mean `parley doctor`? (`parley -- doctr` sends it as a prompt)"},
		{[]string{"sesions"}, process.ExitUsage, "did you mean `parley sessions`?"},
		{[]string{"doctr", "--json"}, process.ExitUsage, "did you mean `parley doctor`?"},
		{[]string{"login"}, process.ExitUsage, "sign in with `copilot login`"},
		{[]string{"logni"}, process.ExitUsage, "sign in with `copilot login`"},
		{[]string{"login", "--host", "x"}, process.ExitUsage, "sign in with `copilot login`"},
		{[]string{"-c", "login"}, process.ExitUsage, "sign in with `copilot login`"},
		{[]string{"help", "login"}, process.ExitUsage, "sign in with `copilot login`"},
		{[]string{"resume"}, process.ExitUsage, "`parley --resume ID` resumes a session"},
		{[]string{"resume", "1a2b"}, process.ExitUsage, "`parley --resume 1a2b` resumes a session"},
		{[]string{"update"}, process.ExitUsage, "updates the Copilot CLI"},
		{[]string{"expain"}, process.ExitUsage, "say what is to be explained, as in parley 'explain main.go' (`parley -- expain` sends it as a prompt)"},
		{[]string{"comit"}, process.ExitUsage, "did you mean /commit, which is one in the window? (`parley -- comit` sends it as a prompt)"},
		{[]string{"/mod" + "le"}, process.ExitUsage, "did you mean /model"},
		{[]string{"-r", "zzzz"}, process.ExitUsage, `no session has the id "zzzz"`},
		{[]string{"theme"}, process.ExitUsage, "/theme is one in the window"},
		{[]string{"tabs"}, process.ExitUsage, "/open-sessions is one in the window"},
		{[]string{"serve", "--port", "9"}, process.ExitUsage, "`parley --help` lists those of Parley"},
		{[]string{"--yolo"}, process.ExitUsage, "did you mean --allow-all?"},
		{[]string{"-m", "x"}, process.ExitUsage, "did you mean --model?"},
		{[]string{"--", "login"}, process.ExitFailure, "a chat needs a terminal"},
		{[]string{"login please"}, process.ExitFailure, "a chat needs a terminal"},
		{[]string{"--", "fix", "it"}, process.ExitUsage, "put it in quotes"},
		{[]string{"help", "me"}, process.ExitUsage, `there is no command "me"`},
		{[]string{" "}, process.ExitUsage, "the prompt is empty"},
		{[]string{"print"}, process.ExitUsage, "print takes one log"},
		{[]string{"print", "a", "b"}, process.ExitUsage, "print takes one log"},
		{[]string{"print", "--widht", "9", empty}, process.ExitUsage, "did you mean --width?"},
		{[]string{"print", "--width", "3", empty}, process.ExitUsage, "--width is from 4 to 1000, not 3"},
		{[]string{"print", "--width", "wide", empty}, process.ExitUsage, "--width cannot be \"wide\"; it takes a whole number; `parley print --help` shows what it takes"},
		{[]string{"print", "--color", "blue", empty}, process.ExitUsage, "--color is auto, always, never"},
		{[]string{"print", filepath.Join(dir, "missing")}, process.ExitFailure, "there is no file"},
		{[]string{"print", dir}, process.ExitFailure, "holds no events.jsonl"},
		{[]string{"print", empty}, process.ExitFailure, "holds no events"},
		{[]string{"print", "-"}, process.ExitFailure, "the standard input holds no events"},
		{[]string{"--cwd", filepath.Join(dir, "missing")}, process.ExitFailure, "does not exist; make it"},
		{[]string{"--cwd", empty}, process.ExitFailure, "is not a folder"},
		{nil, process.ExitFailure, "a chat needs a terminal"},
		{[]string{"hello"}, process.ExitFailure, "a chat needs a terminal"},
		{[]string{"--", "print"}, process.ExitFailure, "a chat needs a terminal"},
		{[]string{"\x1b]0;title\x07", "x"}, process.ExitUsage, "put it in quotes"},
	} {
		t.Run(strings.Join(c.args, " "), func(t *testing.T) {
			t.Parallel()
			got := runWith(t, "", c.args...)
			if got.Code != c.code {
				t.Errorf("exit code %d, want %d", got.Code, c.code)
			}
			if !strings.HasPrefix(got.Err, "parley: ") || !strings.Contains(got.Err, c.want) {
				t.Errorf("said %q, want %q in it", got.Err, c.want)
			}
			if strings.Count(got.Err, "\n") != 1 || strings.Contains(got.Err, "\x1b") || got.Out != "" {
				t.Errorf("not one plain line: out %q, err %q", got.Out, got.Err)
			}
		})
	}
}

// TestNoMistakeIsPrompt: no command, none of another program, and none of the window,
// with a letter that is missing, wrong or in the place of its neighbour starts an agent.
func TestNoMistakeIsPrompt(t *testing.T) {
	t.Parallel()
	cmd := CommandLine(process.Console{})
	names := slices.Concat(arguments.Names(cmd), slices.Sorted(maps.Keys(peerCommands)), keymap.SlashNames(keymap.Commands()))
	for _, name := range names {
		for i := range name {
			first, last := name[:i], name[i+1:]
			wrong := []string{name}
			if len(name) > 3 {
				wrong = append(wrong, first+last, first+"x"+last)
			}
			if last != "" && len(name) > 2 {
				wrong = append(wrong, first+last[:1]+name[i:i+1]+last[1:])
			}
			for _, word := range wrong {
				if meantCommand(cmd, word) == "" {
					t.Errorf("%q, of %s, is a prompt", word, name)
				}
			}
		}
	}
	for _, word := range []string{"hello", "hey", "yes", "why", "go", "hi", "test", "fix it", "tests"} {
		if meant := meantCommand(cmd, word); meant != "" {
			t.Errorf("%q: %s", word, meant)
		}
	}
}

// TestHelpAndVersion are the two that print and leave.
func TestHelpAndVersion(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"--help"}, "parley [prompt]"},
		{[]string{"-h"}, "--copilot-path file"},
		{[]string{"print", "--help"}, "--width cells"},
		{[]string{"help"}, "parley [prompt]"},
		{[]string{"help", "print"}, "--width cells"},
		{[]string{"--version"}, "parley " + process.Release},
		{[]string{"completion", "bash"}, "bash completion"},
	} {
		got := runWith(t, "", c.args...)
		if got.Code != process.ExitOK || got.Err != "" || !strings.Contains(got.Out, c.want) {
			t.Errorf("%q: code %d, err %q, out %q; want %q in it", c.args, got.Code, got.Err, got.Out, c.want)
		}
	}
}

// TestPrintEveryLog prints all recorded sessions: plain text, no line wider
// than asked for, nothing of the JSON they are stored in.
func TestPrintEveryLog(t *testing.T) {
	t.Parallel()
	for _, file := range sessiontest.Logs(t) {
		t.Run(filepath.Base(file), func(t *testing.T) {
			t.Parallel()
			for _, width := range []string{"24", "60", "80", "140"} {
				got := runWith(t, "", "print", file, "--width", width)
				silent := strings.Contains(got.Err, "none of them shows on a timeline")
				if got.Code != process.ExitOK || got.Err != "" && !silent || silent != (strings.TrimSpace(got.Out) == "") {
					t.Fatalf("width %s: code %d: %s", width, got.Code, got.Err)
				}
				checkPrinted(t, got.Out, width)
			}
		})
	}
}

// envelope are the names that only an event's JSON form has.
var envelope = []string{`"parentId":`, `"ephemeral":`, `"toolCallId":`, `"interactionId":`, `"agentId":`}

func checkPrinted(t *testing.T, out, width string) {
	t.Helper()
	limit := map[string]int{"24": 24, "60": 60, "80": 80, "140": 140}[width]
	for i, line := range strings.Split(out, "\n") {
		if w := ansi.StringWidth(line); w > limit {
			t.Errorf("width %s: line %d is %d cells: %q", width, i+1, w, line)
		}
		if at := strings.IndexFunc(line, func(r rune) bool { return r < ' ' || r >= 0x7f && r < 0xa0 }); at >= 0 {
			t.Errorf("width %s: line %d has a control character: %q", width, i+1, line)
		}
		for _, name := range envelope {
			if strings.Contains(line, name) {
				t.Errorf("width %s: line %d shows raw JSON: %q", width, i+1, line)
			}
		}
	}
}

// TestPrintForms are the ways to name a log and the two forms of colour.
func TestPrintForms(t *testing.T) {
	t.Parallel()
	file := sessiontest.Logs(t)[0]
	log, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	folder := t.TempDir()
	if err := os.WriteFile(filepath.Join(folder, output.EventsFile), log, 0o600); err != nil {
		t.Fatal(err)
	}
	want := runWith(t, "", "print", file)
	for name, got := range map[string]clitest.Result{
		"standard input":   runWith(t, string(log), "print", "-"),
		"session folder":   runWith(t, "", "print", folder),
		"after two dashes": runWith(t, "", "print", "--", file),
		"never coloured":   runWith(t, "", "print", "--color=never", file),
	} {
		if got != want {
			t.Errorf("%s: got %+v, want what the file gives", name, got)
		}
	}
	coloured := runWith(t, "", "print", "--color=always", file)
	if !strings.Contains(coloured.Out, "\x1b[") || ansi.Strip(coloured.Out) == coloured.Out {
		t.Errorf("--color=always gave no colour: %q", coloured.Out)
	}
}

// TestPrintMalformed reports what is no event by its line and prints the rest.
func TestPrintMalformed(t *testing.T) {
	t.Parallel()
	file := sessiontest.Logs(t)[0]
	log, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	want := runWith(t, "", "print", file)
	first, rest, _ := bytes.Cut(log, []byte("\n"))
	got := runWith(t, string(first)+"\n{\"type\": \x1b[31m\n"+string(rest), "print", "-")
	if got.Code != process.ExitOK || got.Out != want.Out {
		t.Errorf("code %d, out %q; want %q", got.Code, got.Out, want.Out)
	}
	if !strings.Contains(got.Err, "line 2") || strings.Count(got.Err, "\n") != 1 || strings.Contains(got.Err, "\x1b") {
		t.Errorf("said %q", got.Err)
	}
}

// TestPeerCommandsAreNone: what Parley has itself needs no advice.
func TestPeerCommandsAreNone(t *testing.T) {
	t.Parallel()
	cmd := CommandLine(process.Console{})
	for _, name := range arguments.Names(cmd) {
		if peerCommands[name] != "" {
			t.Errorf("%q is a command of Parley, which its row in peerCommands hides", name)
		}
	}
	for name, like := range peerFlags {
		if cmd.Flags().Lookup(name) != nil || cmd.Flags().ShorthandLookup(name[:1]) != nil && len(name) == 1 {
			t.Errorf("--%s is a flag of Parley, and no other name of %s", name, like)
		}
	}
}
