package tui

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"sort"
	"strconv"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"parley/history/sessions/fake"
	"parley/session"
	"parley/session/sessiontest"
	"parley/settings"
	"parley/theme"
	"parley/tui/conversation"
)

// A scenario is a text file of steps and of the screens they lead to. It runs
// the real model with a session of the test's, a clock of the test's, and every
// command on the test's own goroutine: nothing sleeps and nothing races.
//
//	size 80x24          resize the terminal
//	type TEXT           press the keys of TEXT, a tenth of a second apart
//	burst TEXT          the same, ten milliseconds apart
//	key NAME...         press keys: enter esc ctrl+c shift+tab ctrl+x ...
//	paste TEXT          paste; \n is a newline
//	image NAME WxH      paste the path of an image of so many pixels
//	event JSON          the session says this
//	replay JSON         the same, as history
//	wait DURATION       let time pass; what was to happen by then happens
//	focus | blur        the terminal window gets or loses the focus
//	end                 the session ends
//	editor TEXT         the editor saves TEXT when it is opened; \n is a newline
//	editor-fails TEXT   the editor cannot be started, or fails
//	todo STATUS TITLE   the agent notes something to be done
//	task KIND STATUS ID TITLE   an agent or a shell runs beside the turn;
//	                    attached is a shell that the turn waits for
//	grant SCOPE WHAT    the agent may do WHAT without asking; SCOPE! is for good
//	calls               compare what reached the session, the editor, the
//	                    clipboard and other programs
//	screen              compare the screen with the lines that follow, each
//	                    after "| "; # is a cell of an image
//
// Those that begin with past_ have past sessions, those with kitty_ a terminal that shows
// images.
type scenario struct {
	t      *testing.T
	m      *Model
	s      *scriptedSession
	at     time.Time
	timers []timer
	writes uint64
	bytes  uint64 // bytes that a terminal got
	quit   bool
	editor func(*conversation.Edition) error
	opens  error        // why no other program starts
	lent   func() error // what a program does that has the terminal
	around tea.Model    // the model, as the program runs it; nil: as it is
}

// timer is a message that is due.
type timer struct {
	at  time.Time
	msg func(time.Time) tea.Msg
}

// started is the first moment of every scenario.
var started = time.Date(2026, 11, 21, 10, 41, 0, 0, time.UTC)

func newScenario(t *testing.T, change func(*Config)) *scenario {
	t.Helper()
	sc := &scenario{t: t, at: started, s: &scriptedSession{}, editor: func(e *conversation.Edition) error {
		e.Result = e.Text
		return nil
	}, lent: func() error { return nil }}
	c := Config{
		Agent:     func(context.Context) (session.Agent, error) { return scriptedAgent{sc.s}, nil },
		AgentName: "Copilot CLI", Version: "0.1.0", Home: "/home/ada",
		Options: session.Options{Dir: "/home/ada/src/queue"}, Settings: settings.Defaults(),
		Doctor: scriptedDoctor, Report: scriptedReport, Now: func() time.Time { return sc.at },
	}
	prefer := preferring(t)
	c.Prefer = func(ctx context.Context, name string, value any) (settings.Settings, error) {
		sc.s.note("prefer %s %v", name, value)
		if sc.opens != nil {
			return settings.Settings{}, sc.opens
		}
		return prefer(ctx, name, value)
	}
	if change != nil {
		change(&c)
	}
	sc.m = newModel(t.Context(), c, conversation.Effects{
		After: func(d time.Duration, msg func(time.Time) tea.Msg) tea.Cmd {
			return func() tea.Msg { return timer{sc.at.Add(max(0, d)), msg} }
		},
		Pump:    func(conversation.EventsMsg) tea.Cmd { return nil },
		Flushed: func() uint64 { return sc.writes },
		Written: func() uint64 { return sc.bytes },
		Settle:  func() {},
		Lend:    func(func() error, func(error) tea.Msg) tea.Cmd { return nil },

		Above: func(lines []string) { sc.s.note("above %q", strings.Join(lines, "\n")) },

		Ring: func(sequence string) { sc.s.note("rings %q", sequence) },
		Edit: func(e *conversation.Edition) tea.Cmd {
			return func() tea.Msg {
				sc.s.note("edit %s %q%s", e.Name, e.Text, map[bool]string{true: " read-only"}[e.ReadOnly])
				return conversation.ReturnedMsg{At: sc.at, Edition: e, Err: sc.editor(e)}
			}
		},
		HandOver: func(_ context.Context, argv []string, back func(error) tea.Msg) tea.Cmd {
			return func() tea.Msg {
				sc.s.note("terminal for %q", argv)
				return back(sc.lent())
			}
		},
		Start: func(_ context.Context, argv, _ []string) error {
			sc.s.note("start %q", argv)
			return sc.opens
		},
	})
	t.Cleanup(func() { _ = sc.m.win.Journal.File.Close() }) // Windows removes no folder of a file that is open
	dressed(sc.m)
	sc.m.win.Theme = theme.Plain()
	sc.m.win.Front.Pane.Opts.Theme = theme.Plain()
	sc.size(80, 24)
	sc.run(sc.m.Init())
	return sc
}

func (sc *scenario) size(w, h int) { sc.update(tea.WindowSizeMsg{Width: w, Height: h}) }

// update gives the model a message, draws, and runs what it asked for.
func (sc *scenario) update(msg tea.Msg) {
	if sc.around != nil { // it shows nothing
		_, cmd := sc.around.Update(msg)
		sc.run(cmd)
		return
	}
	before := sc.m.View().Content
	_, cmd := sc.m.Update(msg)
	if sc.m.View().Content != before {
		sc.writes++
	}
	sc.run(cmd)
}

// run executes a command and everything that follows from it.
func (sc *scenario) run(cmd tea.Cmd) {
	if cmd == nil {
		return
	}
	msg := cmd()
	if due, ok := msg.(timer); ok {
		sc.timers = append(sc.timers, due)
		return
	}
	handle(sc, msg)
}

func (sc *scenario) note(format string, args ...any) { sc.s.note(format, args...) }

func (sc *scenario) quits() { sc.quit = true }

func (sc *scenario) clears() {}

// input is something the user does now.
func (sc *scenario) input(msg tea.Msg) { sc.update(conversation.InputMsg{At: sc.at, Msg: msg}) }

// wait lets time pass and gives out the messages that are due, in order.
func (sc *scenario) wait(d time.Duration) {
	end := sc.at.Add(d)
	for {
		sort.SliceStable(sc.timers, func(i, j int) bool { return sc.timers[i].at.Before(sc.timers[j].at) })
		if len(sc.timers) == 0 || sc.timers[0].at.After(end) {
			break
		}
		next := sc.timers[0]
		sc.timers = sc.timers[1:]
		if next.at.After(sc.at) {
			sc.at = next.at
		}
		sc.update(next.msg(sc.at))
	}
	sc.at = end
}

// say lets the session say events.
func (sc *scenario) say(events ...session.Event) {
	sc.update(toFront(sc.m, conversation.EventsMsg{Session: sc.s, Events: events, At: sc.at}))
}

// screen is what is on the screen, without styles and blanks at the ends.
func (sc *scenario) screen() []string {
	sc.wait(frameTime) // the last change may wait for its frame
	var lines []string
	for line := range strings.SplitSeq(sc.m.View().Content, "\n") {
		lines = append(lines, strings.TrimRight(ansi.Strip(line), " "))
	}
	return lines
}

// step does one line of a scenario. Its result is compared when it has one.
func (sc *scenario) step(verb, rest string) (got []string, compared bool) {
	switch verb {
	case "size":
		w, h, _ := strings.Cut(rest, "x")
		width, _ := strconv.Atoi(w)
		height, _ := strconv.Atoi(h)
		sc.size(width, height)
	case "type", "burst":
		gap := 100 * time.Millisecond
		if verb == "burst" {
			gap = 10 * time.Millisecond
		}
		for _, r := range rest {
			sc.input(tea.KeyPressMsg{Code: r, Text: string(r)})
			sc.wait(gap)
		}
	case "key":
		for name := range strings.FieldsSeq(rest) {
			sc.input(press(sc.t, name))
			sc.wait(50 * time.Millisecond)
		}
	case "paste":
		sc.input(tea.PasteMsg{Content: strings.ReplaceAll(rest, `\n`, "\n")})
	case "image":
		name, size, _ := strings.Cut(rest, " ")
		var w, h int
		if _, err := fmt.Sscanf(size, "%dx%d", &w, &h); err != nil {
			sc.t.Fatal(err)
		}
		sc.pasteImage(name, w, h)
	case "event":
		sc.say(session.Decode([]byte(rest)))
	case "replay":
		ev := session.Decode([]byte(rest))
		ev.Replayed = true
		sc.say(ev)
	case "wait":
		d, err := time.ParseDuration(rest)
		if err != nil {
			sc.t.Fatal(err)
		}
		sc.wait(d)
	case "focus":
		sc.input(tea.FocusMsg{})
	case "blur":
		sc.input(tea.BlurMsg{})
	case "end":
		sc.update(toFront(sc.m, conversation.EventsMsg{Session: sc.s, At: sc.at, Ended: true}))
	case "editor":
		sc.editor = func(e *conversation.Edition) error {
			e.Result = strings.ReplaceAll(rest, `\n`, "\n")
			return nil
		}
	case "editor-fails":
		sc.editor = func(*conversation.Edition) error { return errors.New(rest) }
	case "grant":
		scope, what, _ := strings.Cut(rest, " ")
		g := session.Grant{ID: what, Scope: session.GrantScope(strings.TrimSuffix(scope, "!")), What: what, Revocable: !strings.HasSuffix(scope, "!")}
		if !g.Revocable {
			g.Reason = "it is in the agent's own settings"
		}
		if g.Scope == session.GrantLocation {
			g.Where = "/home/ada/src/queue"
		}
		sc.s.grants = append(sc.s.grants, g)
	case "queue":
		id, text, _ := strings.Cut(rest, " ")
		sc.s.pending = append(sc.s.pending, session.Pending{ID: id, Text: text})
		sc.say(session.Event{Ephemeral: true, Body: session.PendingMessagesModified{}})
	case "todo":
		status, title, _ := strings.Cut(rest, " ")
		sc.s.todos = append(sc.s.todos, session.Todo{Title: title, Status: status})
		sc.say(session.Event{Ephemeral: true, Body: session.SessionTodosChanged{}})
	case "task":
		words := strings.SplitN(rest, " ", 4)
		t := session.Task{
			ID: words[2], Agent: words[0] == "agent", Attached: words[0] == "attached", Status: words[1], Title: words[3],
			Detail: words[3], Since: started.Add(-3 * time.Minute), Output: "ok  queue\nok  worker",
		}
		sc.s.tasks = append(slices.DeleteFunc(sc.s.tasks, func(o session.Task) bool { return o.ID == t.ID }), t)
		sc.say(session.Event{Ephemeral: true, Body: session.SessionBackgroundTasksChanged{}})
	case "calls":
		got, sc.s.calls = sc.s.calls, nil
		return got, true
	case "screen":
		return sc.screen(), true
	default:
		sc.t.Fatalf("unknown step %q", verb)
	}
	return nil, false
}

// press is the key of a name such as "ctrl+c".
func press(t *testing.T, name string) tea.KeyPressMsg {
	t.Helper()
	codes := map[string]rune{
		"enter": tea.KeyEnter, "esc": tea.KeyEscape, "tab": tea.KeyTab, "up": tea.KeyUp, "down": tea.KeyDown,
		"left": tea.KeyLeft, "right": tea.KeyRight, "pgup": tea.KeyPgUp, "pgdown": tea.KeyPgDown,
		"home": tea.KeyHome, "end": tea.KeyEnd, "backspace": tea.KeyBackspace, "delete": tea.KeyDelete, "space": tea.KeySpace,
	}
	var k tea.KeyPressMsg
	parts := strings.Split(name, "+")
	if name == "+" {
		parts = []string{name}
	}
	for _, mod := range parts[:len(parts)-1] {
		k.Mod |= map[string]tea.KeyMod{"ctrl": tea.ModCtrl, "alt": tea.ModAlt, "shift": tea.ModShift}[mod]
	}
	last := parts[len(parts)-1]
	if code, ok := codes[last]; ok {
		k.Code = code
		return k
	}
	runes := []rune(last)
	if len(runes) != 1 {
		t.Fatalf("unknown key %q", name)
	}
	k.Code = runes[0]
	if k.Mod&(tea.ModCtrl|tea.ModAlt) == 0 {
		k.Text = last
	}
	return k
}

// update writes what the scenarios lead to now into their files.
var updateScenarios = flag.Bool("update-scenarios", false, "rewrite the expectations of testdata/scenarios")

func TestScenarios(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("../testdata/scenarios/*.txt")
	if err != nil || len(files) == 0 {
		t.Fatalf("no scenarios: %v", err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txt"), func(t *testing.T) {
			t.Parallel()
			runScenario(t, file)
		})
	}
}

func runScenario(t *testing.T, file string) {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var sc *scenario
	switch kind, _, _ := strings.Cut(filepath.Base(file), "_"); kind {
	case "past":
		sc = withPast(t, fake.Some(t))
	case "kitty":
		sc = kittyTerminal(t)
	default:
		sc = newScenario(t, nil)
	}
	var out strings.Builder
	lines := bufio.NewScanner(strings.NewReader(string(data)))
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		line := lines.Text()
		if line == "|" || strings.HasPrefix(line, "| ") {
			continue // what was expected; compared as a whole below
		}
		fmt.Fprintln(&out, line)
		verb, rest, _ := strings.Cut(line, " ")
		if verb == "" || verb == "#" {
			continue
		}
		if verb == "unix" {
			sessiontest.UnixOnly(t, rest)
			continue
		}
		if got, compared := sc.step(verb, rest); compared {
			for _, g := range got {
				fmt.Fprintln(&out, strings.TrimRight("| "+blocks(g), " "))
			}
		}
	}
	if *updateScenarios {
		if err := os.WriteFile(file, []byte(out.String()), 0o600); err != nil {
			t.Fatal(err)
		}
		return
	}
	if got, want := out.String(), string(data); got != want {
		t.Errorf("%s differs; go test ./tui -update-scenarios rewrites it\n%s", file, difference(want, got))
	}
}

// difference shows the lines that differ.
func difference(want, got string) string {
	w, g := strings.Split(want, "\n"), strings.Split(got, "\n")
	var b strings.Builder
	for i := range max(len(w), len(g)) {
		at := func(lines []string) string {
			if i < len(lines) {
				return lines[i]
			}
			return ""
		}
		if at(w) != at(g) {
			fmt.Fprintf(&b, "%d want %s\n%d got  %s\n", i+1, at(w), i+1, at(g))
		}
	}
	return b.String()
}

// scriptedAgent opens the scenario's one session.
type scriptedAgent struct{ s *scriptedSession }

func (a scriptedAgent) Open(context.Context, session.Options) (session.Session, error) {
	return a.s, nil
}

func (a scriptedAgent) Resume(_ context.Context, id session.ID, _ session.Options) (session.Session, error) {
	a.s.note("resume %s", id)
	return a.s, nil
}

func (a scriptedAgent) Close(context.Context) error { return nil }

// scriptedSession writes down what reaches it.
type scriptedSession struct {
	id      session.ID // "" is s1
	calls   []string
	pending []session.Pending
	reading func() // what happens, once, before the answer to a reading of the queue is here
	grants  []session.Grant
	todos   []session.Todo
	tasks   []session.Task
	reads   int // of the tasks
	servers []session.McpServer
	tools   []session.McpTool
	fail    error

	failMode error // why no mode is set
}

func (s *scriptedSession) note(format string, args ...any) {
	s.calls = append(s.calls, fmt.Sprintf(format, args...))
}

func (s *scriptedSession) Info() session.Info {
	return session.Info{ID: cmp.Or(s.id, "s1"), Agent: "Copilot CLI 1.0.102", Model: "gpt-5.4", Mode: session.Interactive, Dir: "/home/ada/src/queue"}
}
func (s *scriptedSession) Events() <-chan session.Event { return nil }

func (s *scriptedSession) Send(_ context.Context, in session.Input) error {
	s.note("send %s %q", in.Delivery, in.Prompt)
	if in.Display != "" {
		s.note("shown as %s", in.Display)
	}
	return s.fail
}

func (s *scriptedSession) Respond(_ context.Context, a session.Answer) error {
	s.note("answer %s", describe(a))
	return s.fail
}

func (s *scriptedSession) CommandHandled(_ context.Context, id session.RequestID) error {
	s.note("handled %s", id)
	return s.fail
}

func (s *scriptedSession) Abort(context.Context) error {
	s.note("abort")
	return nil
}
func (s *scriptedSession) Wait() error { return nil }
func (s *scriptedSession) Close(context.Context) error {
	s.note("close")
	return nil
}

func (s *scriptedSession) SetMode(_ context.Context, mode session.Mode) error {
	s.note("mode %s", mode)
	return s.failMode
}

func (s *scriptedSession) SetModel(_ context.Context, id, effort string) error {
	s.note("model %s", strings.TrimSpace(id+" "+effort))
	return nil
}

func (s *scriptedSession) Models(context.Context) ([]session.Model, error) {
	return []session.Model{
		{ID: "gpt-5.4", Name: "GPT 5.4", Vendor: "OpenAI", Price: "1x", ContextTokens: 128_000, PromptTokens: 112_000, OutputTokens: 16_000, Efforts: []string{"low", "medium", "high"}, DefaultEffort: "medium"},
		{ID: "claude-opus", Name: "Claude Opus", Vendor: "Anthropic", Price: "10x", ContextTokens: 200_000, Vision: true},
		{ID: "old", Name: "Old", Disabled: "your organisation has switched it off"},
	}, nil
}

func (s *scriptedSession) Compact(_ context.Context, instructions string) error {
	s.note("compact %q", instructions)
	return nil
}

func (s *scriptedSession) Pending(context.Context) ([]session.Pending, error) {
	pending := slices.Clone(s.pending)
	if meanwhile := s.reading; meanwhile != nil {
		s.reading = nil
		meanwhile()
	}
	return pending, nil
}

func (s *scriptedSession) Grants(context.Context) ([]session.Grant, error) {
	return slices.Clone(s.grants), s.fail
}

func (s *scriptedSession) Revoke(_ context.Context, g session.Grant) error {
	s.note("revoke %s", g.ID)
	s.grants = slices.DeleteFunc(s.grants, func(o session.Grant) bool { return o.ID == g.ID })
	return s.fail
}

// describe writes an answer so that a scenario can compare it.
func describe(a session.Answer) string {
	switch a := a.(type) {
	case session.PermissionAnswer:
		return strings.TrimRight(fmt.Sprintf("%s %s %s", a.RequestID, a.Decision, a.Feedback), " ")
	case session.UserInputAnswer:
		return fmt.Sprintf("%s %q freeform=%t", a.RequestID, a.Text, a.Freeform)
	case session.FolderTrustAnswer:
		return fmt.Sprintf("%s trusted=%t remember=%t", a.RequestID, a.Trusted, a.Remember)
	case session.Refusal:
		return fmt.Sprintf("%s refused %s", a.RequestID, a.Kind)
	case session.McpOAuthAnswer:
		return fmt.Sprintf("%s sign in=%t", a.RequestID, a.SignIn)
	case session.ConfirmationAnswer:
		return fmt.Sprintf("%s confirmed=%t", a.RequestID, a.Accepted)
	case session.AutoModeSwitchAnswer:
		return fmt.Sprintf("%s %s", a.RequestID, a.Response)
	case session.SessionLimitsExhaustedAnswer:
		return fmt.Sprintf("%s %s %g", a.RequestID, a.Action, a.Credits)
	case session.ElicitationAnswer:
		return fmt.Sprintf("%s %s %v", a.RequestID, a.Action, a.Content)
	case session.ExitPlanModeAnswer:
		return strings.TrimRight(fmt.Sprintf("%s approved=%t %s %s", a.RequestID, a.Approved, a.Action, a.Feedback), " ")
	default:
		panic(fmt.Sprintf("answer %T is not described", a))
	}
}
