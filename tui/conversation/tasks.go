package conversation

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"parley/render/text"
	"parley/session"
	"parley/theme"
	"parley/tui/panel"
	"parley/tui/picker"
	"parley/tui/widget"
)

// tasks are what the agent runs beside its turn: sub-agents and shells.
type tasks struct {
	*core
	mirror[session.Task]
	picker *picker.Picker // lists them, if it is the one that is open
	panel  *panel.Panel   // shows what one of them said, if it is the one that is open
}

// TaskKeeper is the session if it lists its tasks itself. A past session is only
// read: what runs in its agent now is not of its log.
func (c *tasks) TaskKeeper() (s session.TaskManager, ok bool) {
	if c.ReadOnly != nil {
		return nil, false
	}
	return session.As[session.TaskManager](c.Session)
}

// readTasks reads anew what runs.
func (c *tasks) readTasks() tea.Cmd {
	s, ok := c.TaskKeeper()
	if !ok {
		c.refreshTasks()
		return nil
	}
	return c.read(c.core, s.Tasks)
}

// refreshTasks shows in the open list what the events report, where the agent does
// not list its tasks itself.
func (c *tasks) refreshTasks() {
	if _, ok := c.TaskKeeper(); !ok && c.win.Overlay == c.picker {
		c.RefreshList()
	}
}

// allTasks are the tasks as the agent lists them, or else as its events report
// them.
func (c *tasks) allTasks() []session.Task {
	if _, ok := c.TaskKeeper(); ok {
		return c.Items
	}
	var all []session.Task
	for _, b := range c.Timeline.Background() {
		t := session.Task{ID: b.ID, Agent: b.Agent, Status: "running", Since: b.Since}
		t.Title = cmp.Or(b.Description, b.Kind, b.ID, "unnamed")
		t.Detail = strings.TrimSpace(b.Kind + " " + b.ID)
		if c.ReadOnly != nil {
			t.Status = "running at the end of the log"
		}
		all = append(all, t)
	}
	return all
}

// watching reports whether something that runs is on the screen, so that it is
// read again as time passes.
func (c *tasks) watching() bool {
	shown := c.win.Overlay == c.picker || c.win.Overlay == c.panel
	return shown && slices.ContainsFunc(c.allTasks(), runs)
}

// BackgroundText returns what runs in addition to the turn, as in "2 agents, 1 shell". What
// the turn itself waits for is shown as what the agent does.
func (c *tasks) BackgroundText() string {
	s := c.Timeline.Status()
	agents, shells := 0, 0
	count := func(agent bool) {
		if agent {
			agents++
		} else {
			shells++
		}
	}
	if _, ok := c.TaskKeeper(); !ok {
		for _, b := range s.Background {
			count(b.Agent)
		}
	} else {
		for _, t := range c.Items {
			if t.Status == "running" && (t.Agent || !t.Attached) {
				count(t.Agent)
			}
		}
	}
	agents = max(agents, s.Agents)
	var parts []string
	if agents > 0 {
		parts = append(parts, text.Count(agents, "agent"))
	}
	if shells > 0 {
		parts = append(parts, text.Count(shells, "shell"))
	}
	return strings.Join(parts, ", ")
}

// task finds the task of a row.
func (c *tasks) task(id string) session.Task {
	all := c.allTasks()
	i := slices.IndexFunc(all, func(t session.Task) bool { return t.ID == id })
	if i < 0 {
		return session.Task{}
	}
	return all[i]
}

// state is what a task does, in the words of its row in the timeline.
func (c *tasks) state(t session.Task) string {
	if t.Agent && t.Status == "running" && c.Timeline.AgentWaits(session.AgentID(t.ID)) {
		return "waiting for you"
	}
	return t.Status
}

// runs reports whether a task can still be cancelled.
func runs(t session.Task) bool { return t.Status == "running" || t.Status == "idle" }

// showTasks shows what the agent runs in the background.
func (c *tasks) showTasks(string) tea.Cmd {
	const none = "Nothing runs in the background."
	s, ok := c.TaskKeeper()
	if !ok {
		switch {
		case len(c.allTasks()) > 0:
			c.OpenTasks(nil)
		case c.Timeline.Status().BackgroundWork:
			c.ShowHint("Something runs in the background; this agent does not report what it is.")
		default:
			c.ShowHint(none)
		}
		return nil
	}
	return ask(c.core, "list what runs", s.Tasks, func(all []session.Task) tea.Cmd {
		c.Items = all
		if c.Opens(len(all) > 0, none, "The tasks are here: /tasks shows them.") {
			c.OpenTasks(s)
		}
		return nil
	})
}

// OpenTasks opens the list of tasks, which follows them. Without s they are those
// that the events report, and nothing can be done to them.
func (c *tasks) OpenTasks(s session.TaskManager) {
	p := &picker.Picker{List: widget.List{Rows: c.TaskRows()}, Title: "Tasks", Live: c.TaskRows}
	p.More = []picker.Key{{Action: "list-choose", Title: "open", Do: Doing(c.openTask)}}
	if s != nil {
		p.PreviewRows = 6
		p.Preview = func(r widget.Row, width, height int) []string {
			if t := c.task(r.Value); t.Output != "" {
				return widget.PreviewText(c.win.Theme, strings.TrimRight(t.Output, "\n"), width, height)
			}
			return []string{widget.Indent + c.win.Theme.Render(theme.Dim, "No output yet.")}
		}
		p.More = append(p.More, c.taskKeys(s)...)
	}
	c.picker = p
	c.Pick(p, "")
	p.Chosen = 0
}

// TaskRows are the tasks as they are now.
func (c *tasks) TaskRows() []widget.Row {
	all := c.allTasks()
	rows := make([]widget.Row, len(all))
	for i, t := range all {
		kind := "shell"
		if t.Agent {
			kind = "agent"
		}
		right := c.state(t)
		if right == t.Status && runs(t) {
			right += widget.Elapsed(t.Since, c.win.Now.In(c.win.Zone), c.win.still())
		}
		rows[i] = widget.Row{Value: t.ID, Label: kind + "  " + widget.FirstLine(t.Title), Detail: widget.FirstLine(t.Detail), Right: right}
	}
	return rows
}

// taskKeys are the keys for a task of the list, which follows what they do.
func (c *tasks) taskKeys(s session.TaskManager) []picker.Key {
	change := func(what string, do func(context.Context, session.Task) error) func(r widget.Row) tea.Cmd {
		return func(r widget.Row) tea.Cmd {
			t := c.task(r.Value)
			if t.ID == "" {
				return nil
			}
			return attempt(c.core, what, func(ctx context.Context) error { return do(ctx, t) }, c.readTasks)
		}
	}
	background := func(ctx context.Context, t session.Task) error {
		if !t.Attached {
			return errors.New("it is there already")
		}
		return s.Background(ctx, t.ID)
	}
	return []picker.Key{
		{Action: "list-drop", Title: "cancel, or take off the list", Sure: func(r widget.Row) string {
			if t := c.task(r.Value); runs(t) {
				return "Cancel " + c.win.Cut(t.Title, c.win.Width/3) + "?"
			}
			return ""
		}, Do: Doing(change("end the task", func(ctx context.Context, t session.Task) error {
			if runs(t) {
				return s.CancelTask(ctx, t.ID)
			}
			return s.RemoveTask(ctx, t.ID)
		}))},
		{Action: "list-background", Title: "to the background", Do: Doing(change("send it to the background", background))},
	}
}

// openTask shows what a task does: of a sub-agent its timeline, of a shell what
// it said last. Of a sub-agent without a timeline it shows what is known.
func (c *tasks) openTask(r widget.Row) tea.Cmd {
	t := c.task(r.Value)
	_, keeps := c.TaskKeeper()
	_, shown := c.Timeline.Subagent(session.AgentID(t.ID))
	kind, detail := "Shell: ", "id"
	switch {
	case t.ID == "":
		return nil
	case t.Agent && (keeps || shown):
		return c.OpenAgent(session.AgentID(t.ID))
	case t.Agent:
		kind, detail = "Agent: ", "kind and id"
	case keeps:
		detail = "command"
	}
	p := &panel.Panel{Title: kind + widget.FirstLine(t.Title), Text: func(th *theme.Theme, width int) []string {
		now := c.task(t.ID)
		if now.ID == "" {
			now = t // taken off the list
			now.Status = "gone"
		}
		facts := panel.Known(panel.Fact{detail, widget.FirstLine(now.Detail)}, panel.Fact{"state", c.state(now)})
		lines := panel.DrawFacts(th, facts, width)
		output := strings.TrimRight(now.Output, "\n")
		switch {
		case !keeps:
			return append(lines, "", widget.Indent+th.Render(theme.Dim, "This agent does not report its output."))
		case output == "":
			return append(lines, "", widget.Indent+th.Render(theme.Dim, "No output yet."))
		}
		return append(append(lines, ""), widget.PreviewText(c.win.Theme, output, width, strings.Count(output, "\n")+1)...)
	}}
	c.OpenPanel(p)
	c.panel = p
	return nil
}

// background lets what the agent waits for continue in the background.
func (c *tasks) background(string) tea.Cmd {
	s, ok := c.TaskKeeper()
	switch {
	case !ok:
		return c.ShowHint("This agent cannot move work to the background.")
	case !c.Busy():
		return c.ShowHint("Nothing runs.")
	}
	return attempt(c.core, "send what runs to the background", func(ctx context.Context) error { return s.Background(ctx, "") },
		func() tea.Cmd { return c.ShowHint("Moved to the background; /tasks shows it.") })
}

// runningText returns what runs while the agent takes input; "" for nothing.
func (c *tasks) runningText() string {
	s := c.Timeline.Status()
	_, lists := c.TaskKeeper()
	switch what := c.BackgroundText(); {
	case s.Agents > 0:
		return c.win.spinner() + " " + what + " in the background"
	case c.reading: // what was known is out of date
	case what != "":
		return what + " in the background"
	case s.BackgroundWork && !lists:
		return "in the background"
	}
	return ""
}
