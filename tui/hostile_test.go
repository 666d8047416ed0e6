package tui

import (
	"context"
	"errors"
	"slices"
	"strconv"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/go-json-experiment/json/jsontext"

	"parley/history/drafts"
	"parley/session"
	"parley/session/sessiontest"
	"parley/theme"
	"parley/tui/composer"
	"parley/tui/conversation"
	"parley/tui/panel"
	"parley/tui/picker"
	"parley/tui/reporttext"
)

// hostileTexts is how many texts the test draws: hundreds of them in every place.
const hostileTexts = 100_000

// hostileWindow is a window in which everything that others write is hostile.
type hostileWindow struct {
	*scenario
	h     *sessiontest.Hostile
	guard *sessiontest.Guard
	seed  uint64
}

func newHostileWindow(t *testing.T, seed uint64) *hostileWindow {
	t.Helper()
	h := sessiontest.NewHostile(seed)
	w := &hostileWindow{h: h, seed: seed}
	w.scenario = newScenario(t, func(c *Config) {
		c.AgentName, c.Home, c.Note, c.Prompt = h.Text(), "/"+h.Text(), h.Text(), h.Text()
		c.Options = session.Options{Dir: "/" + h.Text(), Model: h.Text(), Mode: session.Mode(h.Text())}
	})
	themes := []*theme.Theme{theme.Plain(), theme.Dark(), theme.Light(), theme.Mono(theme.ASCII())}
	w.m.win.Theme = themes[h.IntN(len(themes))]
	w.m.win.Front.Pane.Opts.Theme = w.m.win.Theme
	w.m.win.Front.Info = session.Info{
		ID:    "s1",
		Agent: h.Text(),
		Model: h.Text(),
		Mode:  session.Mode(h.Text()),
		Dir:   "/" + h.Text(),
		Demo:  h.IntN(2) == 0,
	}
	w.m.win.Front.Work("/" + h.Text())
	w.resize()
	return w
}

func (w *hostileWindow) resize() {
	width, height := 20+w.h.IntN(120), 6+w.h.IntN(50)
	w.size(width, height)
	w.guard = sessiontest.NewGuard(width, height)
}

// look draws the window as it is now and holds the frame to its promises.
func (w *hostileWindow) look(what string) {
	w.t.Helper()
	w.wait(frameTime)
	w.m.frame.open = true
	w.m.draw()
	v := w.m.View()
	fits(w.t, v.Content, w.m.win.Width, w.m.win.Height)
	for _, found := range []string{w.guard.Draw(v.Content), w.guard.Title(v.WindowTitle)} {
		if found != "" {
			w.t.Fatalf("seed %d, %s at %dx%d: %s", w.seed, what, w.m.win.Width, w.m.win.Height, found)
		}
	}
}

// everyBody is one body of each kind, by kind, so that a seed is a series.
func everyBody(t *testing.T) []session.Body {
	t.Helper()
	lines := sessiontest.Events(t)
	var bodies []session.Body
	for _, kind := range slices.Sorted(func(yield func(session.Kind) bool) {
		for k := range lines {
			if !yield(k) {
				return
			}
		}
	}) {
		ev := session.Decode(lines[kind])
		if _, unknown := ev.Body.(session.Unknown); unknown {
			t.Fatalf("%s: the sample is not understood", kind)
		}
		bodies = append(bodies, ev.Body)
	}
	return append(bodies, session.Unknown{})
}

// sayAll gives the window the events of every kind in random order, with texts
// of others in every field.
func (w *hostileWindow) sayAll(bodies []session.Body) {
	for range 12 {
		b := bodies[w.h.IntN(len(bodies))]
		switch u := w.h.Spoil(b).(type) {
		case session.SessionShutdown: // ends the questions that this is about
		case session.Unknown:
			u.Raw = jsontext.Value(w.h.Text())
			w.sayBody(u)
		default:
			w.sayBody(u)
		}
	}
}

func (w *hostileWindow) sayBody(b session.Body) {
	w.say(session.Event{
		ID: session.EventID("h" + strconv.Itoa(w.m.win.Front.Timeline.Len()) + "-" + strconv.Itoa(w.h.Made)), Time: w.at,
		Ephemeral: w.h.IntN(2) == 0, Replayed: w.h.IntN(20) == 0, Body: b,
	})
}

// stream gives texts in deltas, whose ends may be anywhere in a character or a
// sequence, to an answer, a thought, arguments and output.
func (w *hostileWindow) stream() {
	text := w.h.Text() + w.h.Text() + w.h.Text()
	for rest := text; rest != ""; {
		n := min(len(rest), 1+w.h.IntN(16))
		w.sayBody(session.AssistantMessageDelta{MessageID: "m", DeltaContent: rest[:n]})
		w.sayBody(session.AssistantReasoningDelta{ReasoningID: "r", DeltaContent: rest[:n]})
		rest = rest[n:]
	}
	w.sayBody(session.ToolExecutionStart{ToolCallID: "c", ToolName: w.h.Text(), Arguments: jsontext.Value(w.h.Text())})
	w.sayBody(session.ToolExecutionPartialResult{ToolCallID: "c", PartialOutput: text})
	w.sayBody(session.ToolExecutionProgress{ToolCallID: "c", ProgressMessage: w.h.Text()})
}

// permissionKinds are the kinds of requests (session.PermissionRequest), and
// an unknown one.
var permissionKinds = []string{
	"shell", "commands", "write", "read", "path", "mcp", "url", "memory", "custom-tool", "hook", "extension-management", "workflow",
	"extension-permission-access", "extension-env-access", "teleport",
}

// ask puts up each kind of card and looks at it whole, folded, explained
// and with a line of its own.
func (w *hostileWindow) ask(bodies []session.Body) {
	var asks []session.Body
	for _, b := range bodies {
		if _, ok := b.(session.Ask); ok {
			asks = append(asks, b)
		}
	}
	b := w.h.Spoil(asks[w.h.IntN(len(asks))])
	if w.h.IntN(2) == 0 {
		p := w.h.Spoil(session.PermissionRequested{RequestID: "p", PromptRequest: &session.PromptRequest{}}).(session.PermissionRequested)
		p.PermissionRequest.Kind = permissionKinds[w.h.IntN(len(permissionKinds))]
		p.PromptRequest.Kind = p.PermissionRequest.Kind
		if w.h.IntN(3) == 0 {
			p.PromptRequest = nil
		}
		p.ResolvedByHook = false
		b = p
	}
	w.say(session.Event{ID: "q", Time: w.at, Body: b})
	w.look(string(session.KindOf(b)))
	w.step("key", "ctrl+x p")
	w.wait(time.Second)
	for _, key := range []string{"down", "tab", "esc", "v", "pgdown", "?", "n"} {
		w.step("key", key)
		w.look(string(session.KindOf(b)) + " after " + key)
	}
	w.step("paste", w.h.Text())
	w.look(string(session.KindOf(b)) + " with words")
	w.step("key", "esc esc ctrl+c")
	w.say(session.Event{Body: session.Abort{Reason: w.h.Text()}})
}

// lists are the lists and texts that are filled by the agent.
func (w *hostileWindow) lists() {
	text := w.h.Text
	shown := func(name, keys string, show func(m *Model) tea.Cmd) {
		w.update(toFront(w.m, conversation.ResultMsg{Session: w.s, Pressed: w.m.win.Pressed, Show: func() tea.Cmd { return show(w.m) }}))
		w.look(name)
		w.step("key", keys)
		w.look(name + " after keys")
		w.step("key", "esc")
		w.m.win.Front.CloseOverlays()
	}
	at := func(m *Model) time.Time { return m.win.Now.Add(-time.Hour) }
	shown("models", "down right", func(m *Model) tea.Cmd {
		return m.win.Front.Options.PickModel([]session.Model{
			{
				ID: text(), Name: text(), Vendor: text(), Price: text(), Warning: text(),
				Efforts: []string{text(), text()}, ContextTokens: 1000, PromptTokens: 10,
			},
			{ID: text(), Name: text(), Disabled: text()},
		})
	})
	shown("grants", "down enter down enter", func(m *Model) tea.Cmd {
		return m.win.Front.Options.PickGrant(conversation.GrantList{Revoked: text(), All: []session.Grant{
			{ID: "a", Scope: session.GrantLocation, What: text(), Where: text(), Reason: text(), Revocable: true},
			{ID: "b", Scope: session.GrantScope(text()), What: text(), Reason: text()},
		}})
	})
	shown("sessions", "down", func(m *Model) tea.Cmd {
		return m.library.pick([]session.Stored{
			{ID: "a", Title: text(), Dir: text(), Branch: text(), InUse: true, Used: at(m)},
			{ID: "b", Title: text()},
		})
	})
	shown("tasks", "x", func(m *Model) tea.Cmd {
		m.win.Front.Tasks.Items = []session.Task{
			{ID: "a", Title: text(), Detail: text(), Status: "running", Output: text(), Since: at(m)},
			{ID: "b", Title: text(), Status: text()},
		}
		keeper, _ := m.win.Front.Tasks.TaskKeeper()
		m.win.Front.Tasks.OpenTasks(keeper)
		return nil
	})
	shown("tasks that events report", "down", func(m *Model) tea.Cmd {
		m.win.Front.Timeline.Apply(session.Event{Body: session.SessionIdle{BackgroundTasks: &session.BackgroundTasks{
			Agents: []session.BackgroundAgent{{AgentID: session.AgentID(text()), AgentType: text(), Description: text()}},
			Shells: []session.BackgroundShell{{ShellID: text(), Description: text()}, {}},
		}}})
		keeper := m.win.Front.Session
		m.win.Front.Session = bareSession{keeper}
		m.win.Front.Tasks.OpenTasks(nil)
		conversation.Over[*picker.Picker](m.win).Rows, conversation.Over[*picker.Picker](m.win).Live = m.win.Front.Tasks.TaskRows(), nil
		m.win.Front.Session = keeper
		return nil
	})
	shown("prompts to go back to", "f down enter", func(m *Model) tea.Cmd {
		points := []session.RewindPoint{{Event: "e", Prompt: text(), FileCount: 2, Files: true, Added: 1}}
		changes := []session.FileChange{{Path: text(), Change: text()}, {Path: text()}}
		return m.win.Front.Checkpoints.PickRewind(staticRewinder{changes: changes}, points)
	})
	shown("MCP servers", "down", func(m *Model) tea.Cmd {
		m.win.Front.MCP.OpenMcp(nil, []conversation.McpServer{{Name: text(), Status: text(), About: text()}, {Name: text(), Status: "", About: text()}}, "")
		return nil
	})
	shown("a command's answer", "down", func(m *Model) tea.Cmd {
		return m.win.Front.Commands.Invoked(session.SlashCommand{Name: text()}, text(), session.SlashResult{Text: text() + "\n" + text(), Title: text()})
	})
	shown("a command's ways", "down", func(m *Model) tea.Cmd {
		return m.win.Front.Commands.Invoked(session.SlashCommand{Name: text()}, text(), session.SlashResult{
			Title: text(), Options: []session.SlashOption{{Input: "a", Label: text(), Description: text()}},
		})
	})
	shown("what is to be done", "down", func(m *Model) tea.Cmd {
		m.win.Front.Todos.Items = []session.Todo{{Title: text(), Description: text(), Status: "blocked"}}
		m.win.Front.OpenPanel(&panel.Panel{Title: "To do", Text: func(_ *theme.Theme, width int) []string { return m.win.Front.Todos.TodoLines(width) }})
		return nil
	})
	shown("the context", "down", func(m *Model) tea.Cmd {
		use := &session.ContextUse{Model: text(), Limit: 100, Total: 50, Parts: []session.ContextPart{
			{Name: text(), Tokens: 10}, {Name: text(), Tokens: 5, Depth: 1},
		}}
		for _, b := range []session.Body{
			session.SystemMessage{Role: text(), Name: text(), Content: text()},
			session.UserMessage{Content: text(), Source: text()},
			session.AssistantMessage{Content: text(), ReasoningText: text(), ToolRequests: []session.ToolRequest{
				{ToolCallID: "hostile", Name: text(), Arguments: jsontext.Value(text())},
			}},
			session.ToolExecutionComplete{ToolCallID: "hostile", Error: &session.ToolError{Message: text()}},
		} {
			m.win.Front.ModelView.Apply(session.Event{Body: b})
		}
		m.win.Front.Reports.Inspect(use)
		in := m.win.Front.Reports.Inspecting()
		for range in.HintPairs() { // there are no fewer than messages
			in.Act("context-fold.unfold")
			in.Act("context-message.after")
		}
		return nil
	})
	shown("the usage", "down", func(m *Model) tea.Cmd {
		name := text()
		m.win.Front.Timeline.Apply(
			session.Event{Body: session.AssistantUsage{Model: name, Initiator: text(), CopilotUsage: &session.CopilotUsage{
				TokenDetails: []session.TokenDetail{{TokenType: text(), TokenCount: 1}},
			}}},
		)
		u := session.Usage{CostUnit: text(), Models: []session.ModelTotal{{Model: name, Cost: 1}}, Quotas: []session.Quota{{Name: text()}}}
		m.win.Front.Reports.OpenUsage(reporttext.AskedUsage(m.win.Front.Timeline, u, m.win.Zone))
		return nil
	})
	w.m.win.Front.AgentCommands = []session.SlashCommand{{Name: text(), Description: text(), Hint: text()}}
	w.step("key", "ctrl+x space")
	w.look("the palette")
	w.step("key", "esc")
	w.m.win.Front.AgentCommands = nil
	w.m.win.Stash(drafts.Draft{Text: text()}, text())
	w.step("key", "ctrl+r")
	w.look("prompts sent before")
	w.step("key", "esc")
}

// staticRewinder goes back to nowhere.
type staticRewinder struct {
	session.Rewinder
	changes []session.FileChange
}

func (s staticRewinder) PreviewRewind(context.Context, session.EventID) ([]session.FileChange, error) {
	return s.changes, nil
}

// overlays are the places other than the timeline and the cards.
func (w *hostileWindow) overlays() {
	q := w.m.win.Front.Queue
	q.Pending = []session.Pending{{Text: w.h.Text()}, {Text: w.h.Text(), Steering: true}, {Text: w.h.Text()}, {Text: w.h.Text()}}
	q.Early = []composer.Outgoing{{Input: session.Input{Prompt: w.h.Text()}}}
	out := composer.Outgoing{Input: session.Input{Prompt: w.h.Text()}}
	q.Sending = []*conversation.Sending{{Outgoing: out, Session: w.m.win.Front.Session}}
	w.look("waiting prompts")
	w.m.win.Front.Queue.Pending, w.m.win.Front.Queue.Early, w.m.win.Front.Queue.Sending = nil, nil, nil
	w.m.win.Front.Composer.SetText("")
	w.lists()
	w.edits()
	w.m.win.Front.ShowHint("%s", w.h.Text())
	w.look("a hint")
	w.m.win.Front.Fail(w.h.Text(), errors.New(w.h.Text()), w.h.Text())
	w.m.win.Front.Closed(conversation.EndedMsg{Session: w.s, Err: errors.New(w.h.Text())})
	w.m.win.Front.Disconnected = false
	p := &conversation.Sending{Session: w.m.win.Front.Session, Outgoing: composer.Outgoing{Draft: drafts.Draft{Text: w.h.Text()}}}
	w.m.win.Front.Queue.Sending = append(w.m.win.Front.Queue.Sending, p)
	w.update(toFront(w.m, conversation.SentMsg{Prompt: p, Err: errors.New(w.h.Text())}))
	w.look("errors")
	w.step("paste", w.h.Text())
	w.input(tea.KeyPressMsg{Code: tea.KeyExtended, Text: w.h.Text()})
	w.look("a draft")
	w.step("key", "up down ctrl+a ctrl+k ctrl+y")
	w.look("a draft that was cut and put back")
	w.m.win.Front.Composer.SetText("")
	w.step("paste", "/"+w.h.Text())
	w.step("key", "enter")
	w.look("a command that is none")
	w.m.win.Front.Composer.SetText("")
}

// edits opens a change of files whose names and lines are of others.
func (w *hostileWindow) edits() {
	w.sayBody(session.ToolExecutionComplete{
		ToolCallID: "edit", Success: true, FileEdits: []session.FileEdit{{Path: w.h.Text()}},
		Result: &session.ToolResult{DetailedContent: "--- a/" + w.h.Text() + "\n+++ b/" + w.h.Text() +
			"\n@@ -1,3 +1,3 @@ " + w.h.Text() + "\n-" + w.h.Text() + "\n+" + w.h.Text() + "\n " + w.h.Text() + "\n"},
	})
	w.step("key", "ctrl+x d")
	for _, key := range []string{"t", "w", ">", "G", "y", "right", "c"} {
		w.step("key", key)
		w.look("edits after " + key)
	}
	w.m.win.Front.CloseOverlays()
	w.m.win.Front.Composer.SetText("")
}

// Nothing that others write changes the terminal: not its title, clipboard,
// palette, modes or cursor, wherever on the screen it is drawn.
func TestHostileTextsStayText(t *testing.T) {
	t.Parallel()
	const series = 4
	bodies := everyBody(t)
	for s := range series {
		t.Run(strconv.Itoa(s), func(t *testing.T) {
			t.Parallel()
			made := 0
			for seed := uint64(s); made < hostileTexts/series; seed += series {
				w := newHostileWindow(t, seed)
				w.look("the first screen")
				for range 3 {
					w.stream()
					w.look("deltas")
					w.sayAll(bodies)
					w.look("events")
				}
				w.overlays()
				w.ask(bodies)
				w.resize()
				for _, key := range []string{"ctrl+o", "ctrl+t", "pgup", "ctrl+home"} {
					w.step("key", key)
					w.look("the timeline after " + key)
				}
				made += w.h.Made
			}
		})
	}
}

// An agent that does not start may say anything about why.
func TestHostileStart(t *testing.T) {
	t.Parallel()
	for seed := range uint64(20) {
		h := sessiontest.NewHostile(seed)
		sc := newScenario(t, func(c *Config) {
			c.Agent = func(context.Context) (session.Agent, error) { return nil, errors.New(h.Text()) }
			c.Prompt = h.Text()
		})
		w := &hostileWindow{scenario: sc, h: h, seed: seed}
		w.resize()
		w.look("an agent that does not start")
	}
}
