package e2e

import (
	"context"
	"errors"
	"fmt"
	"image/color"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/charmbracelet/x/ansi"
	_ "pgregory.net/rapid" // make test gives its flags to this package too

	"parley/cli/clitest"
	"parley/session/sessiontest/llm"
	"parley/theme"
)

// The texts of the screen that the tests wait for.
const (
	textReady     = "What should be done? / for commands"                          // an idle composer
	textBusy      = "enter: send for its next step · ctrl+q: send when it is done" // a composer while a turn runs
	textWaiting   = "waiting for you"                                              // a question is open
	textOnce      = "Yes, once"
	textTyping    = "ctrl+x p" // a card that has not the keys
	textFeedback  = "What should it do instead?"
	textMore      = "or v for all" // a question has more than is on the screen
	textCard      = "╭"            // the frame of a question
	textEscAgain  = "esc again to interrupt"
	textCancelled = "Interrupted"
	textThought   = "Thought"
	textPast      = "Sessions   "       // the browser of past sessions
	textQuery     = "enter to the list" // the query there has the keys
)

// scratch holds the binary under test.
var scratch = sync.OnceValues(func() (string, error) { return os.MkdirTemp("", "parley-test-") })

// races is where programs under test write what the race detector found.
func races() (string, error) {
	dir, err := scratch()
	return filepath.Join(dir, "race"), err
}

// quiet is the quiet time of consent in the program that journeys drive.
const quiet = 50 * time.Millisecond

// makeFlags are those that a line of the Makefile names.
func makeFlags(name string) ([]string, error) {
	makefile, err := os.ReadFile("Makefile")
	if err != nil {
		return nil, err
	}
	_, rest, found := strings.Cut(string(makefile), "\n"+name+" := ")
	line, _, _ := strings.Cut(rest, "\n")
	if !found {
		return nil, errors.New("the Makefile has no line " + name)
	}
	return strings.Fields(line), nil
}

// buildJourneys builds the program that journeys drive, once: its times of consent are
// short, and it has the race detector as make test does.
var buildJourneys = sync.OnceValues(func() (string, error) {
	race, err := makeFlags("RACE")
	if err != nil {
		return "", err
	}
	return buildProgram("parley", "1", append(race, "-tags=journeys")...)
})

// buildMeasured builds the program as a user gets it, once, to be measured.
var buildMeasured = sync.OnceValues(func() (string, error) {
	release, err := makeFlags("RELEASE")
	if err != nil {
		return "", err
	}
	return buildProgram("parley-measured", "0", release...)
})

// buildProgram builds Parley under a name in the folder that tests share, with C or
// without: CGO_ENABLED is "1" or "0". Its version does not depend on the checkout: what git
// knows of that is left out.
func buildProgram(name, c string, flags ...string) (string, error) {
	dir, err := scratch()
	if err != nil {
		return "", err
	}
	path := filepath.Join(dir, name)
	args := slices.Concat([]string{"build", "-buildvcs=false", "-o", path}, flags, []string{"."})
	build := exec.CommandContext(context.Background(), "go", args...)
	build.Env = append(os.Environ(), "CGO_ENABLED="+c)
	out, err := build.CombinedOutput()
	if err != nil {
		return "", fmt.Errorf("build parley: %w\n%s", err, out)
	}
	return path, nil
}

// TestMain removes what the tests share, and fails when a program that they drove
// had a data race. Started by a test, this binary is a window that panics, or an
// MCP server.
func TestMain(m *testing.M) {
	if where := os.Getenv(panicEnv); where != "" {
		os.Exit(panicWindow(where))
	}
	if os.Getenv(mcpEnv) != "" {
		os.Exit(playMCP())
	}
	if err := os.Chdir(".."); err != nil { // to the root of the repository, which paths begin at
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	code := m.Run()
	if found := racesFound(); found != "" {
		fmt.Fprintln(os.Stderr, found)
		code = max(code, 1)
	}
	if err := endShared(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		code = max(code, 1)
	}
	if dir, err := scratch(); err == nil {
		_ = os.RemoveAll(dir)
	}
	os.Exit(code)
}

// foreignRaces are data races of Bubble Tea alone, each by a call of both its sides:
// two goroutines note the size of the terminal, and when a signal ends the window the
// input is closed under the goroutine that reads it, which is not waited for.
var foreignRaces = [][2]string{
	{"bubbletea/v2.(*Program).checkResize()", "bubbletea/v2.(*Program).checkResize()"},
	{"cancelreader.(*epollCancelReader).Close()", "cancelreader.(*epollCancelReader).wait()"},
}

// racesFound are the data races of the programs that the tests drove.
func racesFound() string {
	path, err := races()
	if err != nil {
		return err.Error()
	}
	reports, err := filepath.Glob(path + ".*")
	if err != nil {
		return err.Error()
	}
	var found strings.Builder
	for _, name := range reports {
		text, err := os.ReadFile(name)
		if err != nil {
			fmt.Fprintln(&found, err)
		}
		for report := range strings.SplitSeq(string(text), "==================\n") {
			now, before, _ := strings.Cut(report, "\nPrevious ")
			before, _, _ = strings.Cut(before, "\nGoroutine ")
			foreign := slices.ContainsFunc(foreignRaces, func(sides [2]string) bool {
				return strings.Contains(now, sides[0]) && strings.Contains(before, sides[1]) ||
					strings.Contains(now, sides[1]) && strings.Contains(before, sides[0])
			})
			if !foreign && strings.Contains(report, "WARNING: DATA RACE") {
				fmt.Fprintf(&found, "%s\n", report)
			}
		}
	}
	return found.String()
}

// parley is the program under test.
func parley(t testing.TB) string {
	t.Helper()
	made := buildJourneys
	if _, measures := t.(*testing.B); measures {
		made = buildMeasured
	}
	path, err := made()
	if err != nil {
		t.Fatal(err)
	}
	return path
}

// findCLI finds the pinned Copilot CLI and lets it unpack itself once, before
// tests start several of it side by side. It is the program itself: the script
// that npm puts before it, which the tests of session/copilot start, costs a
// quarter of a second of a processor each time.
var findCLI = sync.OnceValues(func() (string, error) {
	path := os.Getenv("COPILOT_CLI_PATH")
	pinned, err := filepath.Glob("testdata/copilot/node_modules/@github/copilot-*/copilot")
	if err == nil && len(pinned) > 0 {
		path, err = filepath.Abs(pinned[0])
	}
	if err != nil || path == "" {
		return "", err
	}
	cmd := exec.CommandContext(context.Background(), path, "--version")
	cmd.Env = append(os.Environ(), "COPILOT_OFFLINE=true", "COPILOT_PROVIDER_BASE_URL=http://127.0.0.1:9/v1", "COPILOT_AUTO_UPDATE=false")
	if out, err := cmd.CombinedOutput(); err != nil {
		return "", fmt.Errorf("run %s: %w\n%s", path, err, out)
	}
	return path, nil
})

// stage is a chat with the real Copilot CLI on a scripted model.
type stage struct {
	*terminal
	model  *llm.Server
	dir    string // the agent's working folder
	launch launch // to start another on the same sessions
}

// onCLI is the environment that names the real Copilot CLI. Without one the test
// is skipped, which continuous integration does not accept.
func onCLI(t *testing.T) []string {
	t.Helper()
	cli, err := findCLI()
	switch {
	case err != nil:
		t.Fatal(err)
	case cli == "" && os.Getenv("CI") == "true":
		t.Fatal("the pinned Copilot CLI is not installed: make test installs it")
	case cli == "":
		t.Skip("the pinned Copilot CLI is not installed: make test installs it")
	}
	return []string{"COPILOT_CLI_PATH=" + cli, "COPILOT_AUTO_UPDATE=false", "XDG_CACHE_HOME=" + ownCache(t)}
}

// ownCache is a cache folder in which the Copilot CLI finds what it unpacked once,
// and Parley's index is the test's own.
func ownCache(t *testing.T) string {
	t.Helper()
	cache, err := os.UserCacheDir()
	if err != nil {
		t.Fatal(err)
	}
	own := t.TempDir()
	if err := os.Symlink(filepath.Join(cache, "copilot"), filepath.Join(own, "copilot")); err != nil {
		t.Fatal(err)
	}
	return own
}

// play starts Parley on the real Copilot CLI, the one that tests share unless it is
// to have its own.
func play(t *testing.T, script llm.Script, l launch) *stage {
	t.Helper()
	if l.dir == "" {
		l.dir = t.TempDir()
	}
	s := &stage{model: llm.Serve(t, script), dir: l.dir}
	env := onCLI(t)
	if !l.own {
		address, err := sharedRuntime()
		if err != nil {
			t.Fatal(err)
		}
		env, l.args = []string{"XDG_CACHE_HOME=" + ownCache(t)}, append([]string{"--copilot-url", address}, l.args...)
	}
	l.env = slices.Concat(s.model.Env(t.TempDir()), env, l.env)
	s.launch = l
	s.terminal = start(t, l)
	s.started() // a question may be in front already
	return s
}

// bothWindows has a journey in the full screen and in an inline window, side by side, each in a terminal in which half of the rows
// are enough for a question.
func bothWindows(t *testing.T, journey func(t *testing.T, l launch)) {
	t.Helper()
	t.Parallel()
	for name, inline := range map[string]bool{"full": false, "inline": true} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			journey(t, launch{inline: inline, width: 100, height: 40})
		})
	}
}

// closed waits until what was said in a conversation has gone with it. What an inline window has written is the terminal's.
func (s *stage) closed(texts ...string) {
	s.t.Helper()
	if !s.launch.inline {
		s.waitGone(texts...)
	}
}

// again starts another window on the same sessions, once this one has ended.
func (s *stage) again(args ...string) *stage {
	s.t.Helper()
	next := *s
	next.launch.args = args
	next.terminal = start(s.t, next.launch)
	next.started()
	return &next
}

// say types a prompt and sends it.
func (s *stage) say(prompt string) {
	s.t.Helper()
	s.typed(prompt)
	s.press("enter")
	s.waitGone("❯ " + prompt)
}

// card waits until a question with these texts listens to keys, which its
// frame shows by its colour.
func (s *stage) card(texts ...string) {
	s.t.Helper()
	palette := theme.Dark()
	if s.launch.light {
		palette = theme.Light()
	}
	armed := palette.Style(theme.BorderArmed).GetForeground()
	s.waitFor(fmt.Sprintf("a question with %q to listen", texts), func(screen string) bool {
		frame, shown := s.findCell(textCard)
		return shown && sameColour(frame.Style.Fg, armed) &&
			!slices.ContainsFunc(texts, func(text string) bool { return !strings.Contains(screen, text) })
	})
}

// fit changes the size of the terminal and waits until the window has it, as
// the rule above the composer shows, or the frame of the question in its place. One that
// was only cut to a narrower screen reaches its edge.
func (s *stage) fit(width, height int) {
	s.t.Helper()
	s.resize(width, height)
	s.waitFor(fmt.Sprintf("the window to be %d wide", width), func(screen string) bool { return fits(screen, width) })
}

// fits reports whether the window on a screen is drawn for a width.
func fits(screen string, width int) bool {
	for line := range strings.Lines(screen) {
		line = strings.TrimSuffix(line, "\n")
		if strings.HasPrefix(line, "╰") && strings.HasSuffix(line, "╯") && ansi.StringWidth(line) == width {
			return true
		}
		if n := strings.Count(line, "─"); n > width-8 && ansi.StringWidth(line) == width-1 && !strings.Contains(line, textCard) {
			return true
		}
	}
	return false
}

// enter presses Enter on the question once it shows the texts and listens, and no letter
// that chose something is too young, and waits until the texts are gone.
func (s *stage) enter(gone ...string) {
	s.t.Helper()
	s.card(gone...)
	s.pause()
	s.press("enter")
	s.waitGone(gone...)
}

func sameColour(a, b color.Color) bool { return a != nil && b != nil && hex(a) == hex(b) }

// idle waits until no turn runs and the texts are there.
func (s *stage) idle(texts ...string) {
	s.t.Helper()
	s.wait(append(texts, textReady)...)
}

// leave quits and checks that nothing stays behind.
func (s *stage) leave() {
	s.t.Helper()
	s.typed("/quit")
	s.press("enter")
	s.endsWell()
}

// turn has the model make calls, all at once, and say a last word when they are
// answered, or at once without any; see over.
func (s *stage) turn(name string, calls ...llm.Call) {
	s.t.Helper()
	steps := []llm.Step{{Calls: calls}, {Text: "The turn " + name + " is over."}}
	if len(calls) == 0 {
		steps = steps[1:]
	}
	s.model.Add(name, steps...)
	s.say("do it @@" + name)
}

// over waits for the last word of a turn.
func (s *stage) over(name string, texts ...string) {
	s.t.Helper()
	s.idle(append(texts, "The turn "+name+" is over.")...)
}

// answer presses a key when a question with these texts listens.
func (s *stage) answer(key string, texts ...string) {
	s.t.Helper()
	s.card(texts...)
	s.press(key)
}

// refuse says on the question that listens what to do instead.
func (s *stage) refuse(feedback string) {
	s.t.Helper()
	s.press("n")
	s.wait(textFeedback)
	s.typed(feedback)
	s.enter(textFeedback)
}

// pause lets as much time pass as a user must leave between what was typed, and
// stands on the screen, and a key that is to count: only time distinguishes the two
// presses. It is the one place where a journey waits for time and for no state.
func (x *terminal) pause() { <-time.After(quiet) }

// requested checks what the messages of a role said in the last request.
func (s *stage) requested(role string, wants ...string) {
	s.t.Helper()
	heard := s.heard(role)
	for _, want := range wants {
		if !strings.Contains(heard, want) {
			s.t.Errorf("the model did not hear %q from %s, but %q", want, role, heard)
		}
	}
}

// put writes a file into the agent's folder, or anywhere else.
func (s *stage) put(name, text string) {
	s.t.Helper()
	clitest.Put(s.t, s.path(name), text)
}

// path is the place of a file in the agent's folder.
func (s *stage) path(name string) string { return filepath.Join(s.dir, name) }

// file is what a file in the agent's folder holds; "" if it does not exist.
func (s *stage) file(name string) string {
	s.t.Helper()
	text, err := os.ReadFile(s.path(name))
	if err != nil && !os.IsNotExist(err) {
		s.t.Fatal(err)
	}
	return string(text)
}

// results are what the calls of the conversation ended with, as the model heard
// it last.
func (s *stage) results() []string {
	s.t.Helper()
	requests := s.model.Requests()
	var results []string
	for _, m := range requests[len(requests)-1].Messages {
		if m.Role == "tool" {
			results = append(results, m.Text())
		}
	}
	return results
}

// exists reports whether a file is in the agent's folder.
func (s *stage) exists(name string) bool {
	_, err := os.Stat(filepath.Join(s.dir, name))
	return err == nil
}

// heard is what the messages of a role said in the last request to the model.
func (s *stage) heard(role string) string {
	s.t.Helper()
	requests := s.model.Requests()
	if len(requests) == 0 {
		s.t.Fatal("the model was never asked")
	}
	var texts []string
	for _, m := range requests[len(requests)-1].Messages {
		if m.Role == role {
			texts = append(texts, m.Text())
		}
	}
	return strings.Join(texts, "\n")
}

// shell is a step that runs a command.
func shell(command string) llm.Step {
	return llm.Step{Calls: []llm.Call{bash(command)}}
}

func bash(command string) llm.Call {
	return llm.Call{Name: "bash", Args: map[string]any{"command": command, "description": "a test"}}
}

// resumeHint is what is written when a session can be resumed.
var resumeHint = regexp.MustCompile(`parley --resume (\S+)`)
