package tui

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"parley/render/text"
	"parley/session"
	"parley/timeline"
	"parley/tui/conversation"
	"parley/tui/panel"
)

func todoItems(states ...string) []session.Todo {
	all := make([]session.Todo, len(states))
	for i, s := range states {
		all[i] = session.Todo{Title: fmt.Sprintf("step %d", i), Status: s}
	}
	return all
}

func TestCurrentTodo(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		states string
		want   int
	}{
		{"done in_progress pending", 1},
		{"pending in_progress", 1},
		{"done blocked pending", 2},
		{"done blocked", 1},
		{"done done", 1},
		{"no-such-state", 0},
	} {
		if got := conversation.Current(todoItems(strings.Fields(c.states)...)); got != c.want {
			t.Errorf("%s: %d, want %d", c.states, got, c.want)
		}
	}
}

// The band has the current one in view, is bounded, and goes when all is done.
func TestTodoBand(t *testing.T) {
	t.Parallel()
	sc := newScenario(t, nil)
	sc.size(60, 40)
	sc.working()
	m := sc.m
	long := make([]string, 30)
	for i := range long {
		long[i] = "pending"
	}
	long[20] = "in_progress"
	m.win.Front.Todos.Items = todoItems(long...)
	if got := m.win.Front.Todos.Band(40, true); len(got) != 1 || !strings.Contains(got[0], "0/30  step 20") {
		t.Errorf("one line: %q", got)
	}
	m.win.Front.Todos.Shape = conversation.TodoList
	got := m.win.Front.Todos.Band(40, true)
	if len(got) != 8 || !strings.Contains(strings.Join(got, "\n"), "step 20") || !strings.Contains(got[0], "0/30") {
		t.Errorf("list: %q", got)
	}
	for width := range 60 {
		for _, shape := range []conversation.TodoShape{conversation.TodoLine, conversation.TodoList} {
			m.win.Front.Todos.Shape = shape
			for _, line := range m.win.Front.Todos.Band(width, true) {
				if w := text.Width(line); w > max(width, 8) {
					t.Errorf("%d cells of %d: %q", w, width, line)
				}
			}
		}
	}
	m.win.Front.Todos.Shape = conversation.TodoHidden
	if got := m.win.Front.Todos.Band(40, true); got != nil {
		t.Errorf("hidden: %q", got)
	}
	m.win.Front.Todos.Shape, m.win.Front.Todos.Items = conversation.TodoLine, todoItems("done", "done")
	if got := m.win.Front.Todos.Band(40, true); len(got) != 1 || !strings.Contains(got[0], "2/2") {
		t.Errorf("all done, and the turn runs: %q", got)
	}
	sc.idle()
	if got := m.win.Front.Todos.Band(40, true); got != nil {
		t.Errorf("all done: %q", got)
	}
}

// One change is reported many times, and read few times: never two reads at once,
// and the last one is after the last change.
func TestReadsAreFew(t *testing.T) {
	t.Parallel()
	sc := newScenario(t, nil)
	sc.wait(time.Second)
	for i := range 40 {
		sc.s.tasks = []session.Task{{ID: "t", Status: "running", Title: fmt.Sprint(i)}}
		sc.say(session.Event{Ephemeral: true, Body: session.SessionBackgroundTasksChanged{}})
		sc.wait(5 * time.Millisecond)
	}
	sc.wait(time.Second / 4)
	if reads := sc.s.reads; reads > 6 {
		t.Errorf("read %d times", reads)
	}
	if got := sc.m.win.Front.Tasks.Items[0].Title; got != "39" {
		t.Errorf("the last is %q", got)
	}
	sc.s.fail = fmt.Errorf("gone")
	sc.say(session.Event{Ephemeral: true, Body: session.SessionBackgroundTasksChanged{}})
	sc.wait(time.Second)
	if len(sc.m.win.Front.Tasks.Items) != 1 || sc.m.win.Front.Timeline.Len() != 0 {
		t.Error("a read that failed is reported, or forgets what is known")
	}
}

// A read of a session that was left changes nothing.
func TestReadOfAnotherSession(t *testing.T) {
	t.Parallel()
	sc := newScenario(t, nil)
	late := sc.m.win.Front.Todos.ReadTodos()
	sc.s.todos = todoItems("pending")
	sc.m.win.Front.Session = &scriptedSession{}
	sc.m.win.Front.ForgetSession()
	sc.run(late)
	if len(sc.m.win.Front.Todos.Items) != 0 {
		t.Errorf("has %v", sc.m.win.Front.Todos.Items)
	}
	sc.step("end", "")
	if len(sc.m.win.Front.Tasks.Items) != 0 || sc.m.win.Front.Tasks.BackgroundText() != "" {
		t.Error("tasks outlive their session")
	}
}

func TestBackgroundText(t *testing.T) {
	t.Parallel()
	task := func(agent, attached bool, status string) session.Task {
		return session.Task{ID: "x", Agent: agent, Attached: attached, Status: status}
	}
	for _, c := range []struct {
		tasks []session.Task
		want  string
	}{
		{nil, ""},
		{[]session.Task{task(true, false, "running"), task(true, true, "running"), task(false, false, "running")}, "2 agents, 1 shell"},
		{[]session.Task{task(false, true, "running")}, ""}, // what the turn does
		{[]session.Task{task(true, false, "idle"), task(false, false, "completed")}, ""},
	} {
		sc := newScenario(t, nil)
		sc.m.win.Front.Tasks.Items = c.tasks
		if got := sc.m.win.Front.Tasks.BackgroundText(); got != c.want {
			t.Errorf("%v: %q, want %q", c.tasks, got, c.want)
		}
		sc.only("activity")
		if got := sc.line(); (got != "") != (c.want != "") {
			t.Errorf("%v: activity %q", c.tasks, got)
		}
	}
}

// What must be known of stays when the line is narrow, and nothing of it is wider
// than the line.
func TestStatusLineByPriority(t *testing.T) {
	t.Parallel()
	sc := newScenario(t, nil)
	sc.working()
	sc.say(
		session.Event{Ephemeral: true, Body: session.SessionMcpServersLoaded{Servers: []session.McpServer{{Name: "x", Status: "failed"}}}},
		session.Event{Ephemeral: true, Body: session.SessionUsageInfo{CurrentTokens: 90, TokenLimit: 100}},
	)
	sc.m.win.Front.Queue.Pending = []session.Pending{{ID: "q", Text: "x"}}
	sc.m.win.Front.Tasks.Items = []session.Task{{ID: "a", Agent: true, Status: "running"}}
	for width := 20; width < 160; width++ {
		sc.m.display.Resize(width, 24)
		line := sc.m.statusLine(sc.m.display.View.StatusFacts())
		if w := text.Width(line); w > width {
			t.Errorf("%d cells of %d: %q", w, width, line)
		}
		for least, part := range map[int]string{20: "thinking", 45: "ctx 90 %", 48: "esc esc stops", 80: "1 agent", 90: "1 queued", 110: "1 server down"} {
			if width >= least && !strings.Contains(line, part) {
				t.Errorf("%d: %q is not in %q", width, part, line)
			}
		}
	}
}

// What the last agent reported of the context is not true of the next.
func TestContextAfterReconnect(t *testing.T) {
	t.Parallel()
	sc := newScenario(t, nil)
	info := session.Event{Ephemeral: true, Body: session.SessionUsageInfo{
		CurrentTokens: 31, TokenLimit: 100, SystemTokens: 30, ConversationTokens: 1,
	}}
	sc.say(session.Event{ID: "u", Body: session.UserMessage{Content: "go"}}, info)
	sc.contains("ctx 31 %")
	sc.step("end", "")
	if strings.Contains(strings.Join(sc.screen(), "\n"), "ctx") {
		t.Error("shown after the end")
	}
	sc.run(sc.m.switcher.reconnect(sc.m.win.Front))
	if strings.Contains(strings.Join(sc.screen(), "\n"), "ctx") || sc.m.win.Front.ContextTold() != nil {
		t.Error("shown after a reconnection")
	}
	sc.say(info)
	sc.contains("ctx 31 %")
	if use := sc.m.win.Front.ContextTold(); use == nil || len(use.Parts) != 2 || use.Parts[0].Tokens != 30 {
		t.Errorf("got %+v", use)
	}
}

// What a command says is an entry of its type, and what it suggests is a draft
// that is not sent.
func TestSlashEntries(t *testing.T) {
	t.Parallel()
	sc := newScenario(t, nil)
	sc.m.win.Front.Commands.Invoked(session.SlashCommand{Name: "x"}, "", session.SlashResult{
		Entries: []session.SlashEntry{
			{Kind: "info", Text: "looked", URL: "https://example.org"},
			{Kind: "warning", Text: "careful"},
			{Kind: "error", Text: "no such thing", Remedy: "sign_in"},
			{Kind: "copilot", Text: "**said**\n\n- so"},
			{Kind: "another", Text: "else"},
		},
		Text: "# Long\n\ntext", Markdown: true, Draft: "/exit",
	})
	var got []string
	for i := range sc.m.win.Front.Timeline.Len() {
		switch b := sc.m.win.Front.Timeline.At(i).Body.(type) {
		case *timeline.Notice:
			got = append(got, fmt.Sprintf("%d %s %s", b.Level, b.Text, b.URL))
			if b.Level == timeline.Error && !strings.Contains(b.Next, "Sign in") {
				t.Errorf("what to do: %q", b.Next)
			}
		case *timeline.Message:
			got = append(got, b.Text.String())
		}
	}
	want := []string{"0 looked https://example.org", "2 careful ", "3 no such thing ", "**said**\n\n- so", "0 else ", "# Long\n\ntext"}
	if fmt.Sprintf("%q", got) != fmt.Sprintf("%q", want) {
		t.Errorf("got  %q\nwant %q", got, want)
	}
	if sc.draft() != "/exit" || conversation.Over[*panel.Panel](sc.m.win) != nil || len(sc.s.calls) > 0 {
		t.Errorf("draft %q, calls %v", sc.draft(), sc.s.calls)
	}
	sc.m.win.Front.Commands.Invoked(session.SlashCommand{Name: "x"}, "", session.SlashResult{Draft: "other"})
	if stash := sc.m.win.Unsent().Stash; sc.draft() != "/exit" || len(stash) != 1 || stash[0].Draft.Text != "other" {
		t.Errorf("draft %q, stash %v", sc.draft(), stash)
	}
	sc.m.win.Front.Commands.Invoked(session.SlashCommand{Name: "quiet"}, "", session.SlashResult{})
	sc.contains("/quiet is done.")
}

// What a command says in the middle of a turn does not touch what the agent is
// saying.
func TestSlashEntryInATurn(t *testing.T) {
	t.Parallel()
	sc := newScenario(t, nil)
	sc.working()
	delta := func(text string) session.Event {
		return session.Event{Ephemeral: true, Body: session.AssistantReasoningDelta{ReasoningID: "r", DeltaContent: text}}
	}
	sc.say(delta("I think"))
	sc.m.win.Front.Commands.SayEntry(session.SlashEntry{Kind: "copilot", Text: "aside"})
	sc.say(delta(" so"))
	thought := ""
	for i := range sc.m.win.Front.Timeline.Len() {
		if r, ok := sc.m.win.Front.Timeline.At(i).Body.(*timeline.Reasoning); ok {
			thought += r.Text.String()
		}
	}
	if thought != "I think so" {
		t.Errorf("the thought is %q", thought)
	}
}
