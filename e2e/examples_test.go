package e2e

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"parley/cli"
	"parley/cli/clitest"
	"parley/cli/process"
	"parley/settings"
	"parley/tui/keymap"
)

// TestExamples holds the documents for users to the program: every block of code is in a language
// that is checked here, and what a line of text names exists.
//
// A block is ```console with commands that are run and what they print (runConsole says how),
// ```toml with a settings.toml or the file of that folder that is named behind it, ```json,
// ```text for what is seen or typed in the window, or ```sh for commands that cannot be run
// here.
func TestExamples(t *testing.T) {
	t.Parallel()
	program := cli.CommandLine(process.Console{})
	program.InitDefaultHelpCmd()
	for _, name := range userPages(t) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := readPage(t, name)
			for _, code := range p.code {
				if why := unknownCode(program, code); why != "" {
					t.Errorf("%s: `%s`: %s", name, code, why)
				}
			}
			var commands []example
			for _, b := range p.blocks {
				commands = append(commands, checkBlock(t, program, name, b)...)
			}
			if len(commands) > 0 {
				runConsole(t, name, commands)
			}
		})
	}
}

// checkBlock checks what can be checked of a block without running it, and returns the
// commands in it that can be run.
func checkBlock(t *testing.T, program *cobra.Command, name string, b codeBlock) []example {
	t.Helper()
	where := fmt.Sprintf("%s:%d", name, b.line)
	switch b.language {
	case "console":
		return parseConsole(t, where, b.text)
	case "toml":
		checkSettings(t, where, b)
	case "json":
		if !jsontext.Value(b.text).IsValid() {
			t.Errorf("%s: it is not JSON", where)
		}
	case "sh":
		for line := range strings.Lines(strings.ReplaceAll(b.text, "\\\n", " ")) {
			if why := unknownCode(program, strings.TrimSpace(line)); why != "" {
				t.Errorf("%s: %s: %s", where, strings.TrimSpace(line), why)
			}
		}
	case "text":
	default:
		t.Errorf("%s: code in the language %q, which no test checks", where, b.language)
	}
	return nil
}

// checkSettings has the program check a file of the settings folder.
func checkSettings(t *testing.T, where string, b codeBlock) {
	t.Helper()
	if b.file == "" {
		b.file = "settings.toml"
	}
	home := t.TempDir()
	file := filepath.Join(home, "parley", filepath.FromSlash(b.file))
	clitest.Folder(t, filepath.Dir(file))
	clitest.Put(t, file, b.text)
	got := lineIn(t, []string{"HOME=" + t.TempDir(), "XDG_CONFIG_HOME=" + home}, "", "config", "check")
	if got.Code != process.ExitOK {
		t.Errorf("%s: parley config check: %s%s", where, got.Out, got.Err)
	}
}

// example is a command of a page, and what it is to print. No output is any.
type example struct {
	where   string
	command string
	output  []string
	code    int
}

// parseConsole reads the commands of a block: lines that begin with "$ ", those that continue
// one with "> ", and what it prints. A command ends with "# exit 1" where it ends with that
// exit code.
func parseConsole(t *testing.T, where, block string) []example {
	t.Helper()
	var examples []example
	exit := regexp.MustCompile(`\s+# exit (\d+)$`)
	for line := range strings.Lines(block) {
		line = strings.TrimRight(line, " \n")
		last := len(examples) - 1
		switch command, isCommand := strings.CutPrefix(line, "$ "); {
		case isCommand:
			e := example{where: where, command: command}
			if code := exit.FindStringSubmatch(command); code != nil {
				e.command = strings.TrimSuffix(command, code[0])
				e.code, _ = strconv.Atoi(code[1]) // it is a number
			}
			examples = append(examples, e)
		case last < 0:
			t.Errorf("%s: %q is before any command", where, line)
		case strings.HasPrefix(line, "> ") && examples[last].output == nil:
			examples[last].command += "\n" + line[len("> "):]
		default:
			examples[last].output = append(examples[last].output, line)
		}
	}
	return examples
}

// runConsole runs the commands of a page one after another in a shell, in the folder of a
// project in a home of their own, with the program on the PATH and no other agent. Each
// prints the lines that the page shows, in that order and perhaps with others between them;
// "…" in a line stands for any text.
func runConsole(t *testing.T, name string, commands []example) {
	t.Helper()
	home := t.TempDir()
	folder := filepath.Join(home, "project")
	clitest.Folder(t, folder)
	clitest.Folder(t, filepath.Join(home, "bin"))
	if err := os.Symlink(parley(t), filepath.Join(home, "bin", "parley")); err != nil {
		t.Fatal(err)
	}
	race, err := races()
	if err != nil {
		t.Fatal(err)
	}
	const mark = "\x1e"
	var script strings.Builder
	for _, e := range commands {
		fmt.Fprintf(&script, "%s\nprintf '%s%%s%s' $?\n", e.command, mark, mark)
	}
	file := filepath.Join(t.TempDir(), "page.sh")
	clitest.Put(t, file, script.String())
	ctx, cancel := context.WithDeadline(t.Context(), deadline(t))
	defer cancel()
	shell := exec.CommandContext(ctx, "bash", file)
	shell.Dir = folder
	shell.Env = []string{
		"PATH=" + filepath.Join(home, "bin") + ":/usr/bin:/bin", "HOME=" + home, "TMPDIR=" + t.TempDir(), "LANG=C.UTF-8", "TERM=xterm-256color", "TZ=UTC",
		"GORACE=exitcode=0 log_path=" + race,
	}
	shell.WaitDelay = time.Second // for a process that it left behind
	written, err := shell.CombinedOutput()
	said := strings.Split(string(written), mark)
	for i, e := range commands {
		if len(said) <= 2*i+1 {
			t.Fatalf("%s: %s: the shell ended (%v):\n%s", e.where, e.command, err, said[len(said)-1])
		}
		if code := said[2*i+1]; code != strconv.Itoa(e.code) {
			t.Errorf("%s: %s: exit code %s, the page says %d:\n%s", e.where, e.command, code, e.code, said[2*i])
		}
		if !printsAs(e.output, said[2*i]) {
			t.Errorf("%s: %s: it prints\n%s\nand the page says\n%s", e.where, e.command, said[2*i], strings.Join(e.output, "\n"))
		}
	}
	if len(said) < 2*len(commands) {
		t.Errorf("%s: the shell ended early: %v", name, err)
	}
}

// printsAs reports whether the lines that a page shows are in a text, whole and in that order.
func printsAs(shown []string, text string) bool {
	lines := strings.Split(text, "\n")
	for _, line := range shown {
		if line == "…" {
			continue
		}
		pattern := regexp.MustCompile(`^` + strings.ReplaceAll(regexp.QuoteMeta(line), "…", ".*") + `\s*$`)
		at := slices.IndexFunc(lines, pattern.MatchString)
		if at < 0 {
			return false
		}
		lines = lines[at+1:]
	}
	return true
}

// TestPrintsAs compares texts with what a page says.
func TestPrintsAs(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		shown, text string
		want        bool
	}{
		{"a\nb", "a\nb\n", true},
		{"a\nb", "a\nx\nb\n", true},
		{"b\na", "a\nb\n", false},
		{"a\na", "a\n", false},
		{"a\n…\nb", "a\nx\ny\nb\n", true},
		{"…\nb", "a\nc\n", false},
		{"a", "ab\n", false},
		{"took … s.", "took 1.5 s.\n", true},
		{"took … s.", "took\n1.5 s.\n", false},
	} {
		if got := printsAs(strings.Split(c.shown, "\n"), c.text); got != c.want {
			t.Errorf("%q printed as %q: %t", c.text, c.shown, got)
		}
	}
}

// otherNames are flags of other programs, beginnings of slash commands, and commands of
// users, that documents speak of.
var otherNames = []string{"--acp", "/perm", "/review"}

// unknownCode says what is wrong with a piece of code that names a command of the program, a
// flag, a slash command or a setting; all else is right.
func unknownCode(program *cobra.Command, code string) string {
	first, _, _ := strings.Cut(code, " ")
	table, _, inTable := strings.Cut(first, ".")
	isTable := func(s settings.Setting) bool { return strings.HasPrefix(s.Name, table+".") }
	isFile := regexp.MustCompile(`\.(go|toml|md|js|json)$`).MatchString(first)
	switch {
	case slices.Contains(otherNames, first):
	case first == "parley" && first != code:
		return unknownCommand(program, code)
	case strings.HasPrefix(first, "--") && len(first) > 2:
		flag, _, _ := strings.Cut(first[2:], "=")
		if !hasFlag(program, flag) {
			return "no command has this flag"
		}
	case regexp.MustCompile(`^/[a-z][a-z-]*$`).MatchString(first):
		if !isSlashCommand(first[1:]) {
			return "there is no such slash command"
		}
	case inTable && !isFile && slices.ContainsFunc(settings.Table(), isTable):
		if _, ok := settings.Find(first); !ok {
			return "there is no such setting"
		}
	}
	return ""
}

func isSlashCommand(name string) bool {
	return slices.ContainsFunc(keymap.Commands(), func(c keymap.Command) bool {
		return c.Slash == name || slices.Contains(c.Aliases, name)
	})
}

// hasFlag reports whether a command has a flag, or one of those below it.
func hasFlag(cmd *cobra.Command, name string) bool {
	return name == "help" || cmd.Flags().Lookup(name) != nil ||
		slices.ContainsFunc(cmd.Commands(), func(sub *cobra.Command) bool { return hasFlag(sub, name) })
}

// unknownCommand says what is wrong with a command line of the program. What follows it in a
// shell's line is not looked at, nor what stands in quotes.
func unknownCommand(program *cobra.Command, line string) string {
	line = regexp.MustCompile(`'[^']*'|"[^"]*"`).ReplaceAllString(line, "TEXT")
	line = regexp.MustCompile(`\s+(?:[|>&#;]|-- ).*`).ReplaceAllString(line, "")
	words, cmd := strings.Fields(line)[1:], program
	for i := 0; i < len(words); i++ {
		name, value, given := strings.Cut(words[i], "=")
		var flag *pflag.Flag
		switch {
		case strings.HasPrefix(name, "--") && len(name) > 2:
			flag = cmd.Flags().Lookup(name[2:])
		case strings.HasPrefix(name, "-") && len(name) == 2:
			flag = cmd.Flags().ShorthandLookup(name[1:])
		default:
			sub := slices.IndexFunc(cmd.Commands(), func(c *cobra.Command) bool { return c.Name() == words[i] })
			if sub >= 0 {
				cmd = cmd.Commands()[sub]
			} else if cmd.HasAvailableSubCommands() && regexp.MustCompile(`^[a-z-]+$`).MatchString(words[i]) {
				return cmd.CommandPath() + " has no command " + words[i]
			} else {
				cmd = withoutCommands(cmd)
			}
			continue
		}
		if flag == nil && name != "--help" && name != "-h" {
			return cmd.CommandPath() + " has no flag " + name
		}
		if flag != nil && !given && value == "" && flag.NoOptDefVal == "" {
			i++ // its value
		}
	}
	return ""
}

// withoutCommands is a command whose next words are its arguments.
func withoutCommands(cmd *cobra.Command) *cobra.Command {
	plain := &cobra.Command{Use: cmd.Use}
	plain.Flags().AddFlagSet(cmd.Flags())
	return plain
}

// TestUnknownCode finds what is not there in code of documents.
func TestUnknownCode(t *testing.T) {
	t.Parallel()
	program := cli.CommandLine(process.Console{})
	for _, right := range []string{
		"parley", "parley -c", "parley -r ID", "parley --agent demo", "parley sessions list --json", "parley 'a prompt' --inline",
		"parley -p 'review this' --allow-tool 'shell(git diff)'", "parley config check && vi x", "parley -- print --this",
		"parley completion bash", "parley --low-bandwidth=off", "/export", "/model NAME", "/tmp/main.go", "--output json", "status.script", "enter",
	} {
		if why := unknownCode(program, right); why != "" {
			t.Errorf("%s: %s", right, why)
		}
	}
	for _, wrong := range []string{
		"parley sesions", "parley sessions liste", "parley --agents demo", "parley sessions list --agent demo", "/exprot", "--outptu", "status.scirpt",
	} {
		if unknownCode(program, wrong) == "" {
			t.Errorf("%s is right", wrong)
		}
	}
}
