package conversation

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"parley/history/drafts"
	"parley/render/text"
	"parley/session"
	"parley/theme"
	"parley/tui/composer"
	"parley/tui/files"
	"parley/tui/keymap"
	"parley/tui/widget"
)

// Recents draws the sessions that were used last, in so many lines at most, with numbers
// from first on. It reports how many have one, and whether the first is what was open when
// the last window was killed: Enter resumes it.
type Recents func(first, height int) (lines []string, numbered int, reopens bool)

// firstScreen is what a conversation shows before anything was said in it: facts that the
// agent reports, and things to do, each with a number that chooses it.
type firstScreen struct {
	*core
	answers *pendingAnswers
	draft   *promptDraft
	account *account

	reports bool // the session reports what it has loaded
	loaded  *session.Loaded
	manages bool                // it has MCP servers
	servers []session.McpServer // nil until they were reported
	tried   bool                // the things to try are on the screen
	recent  int                 // how many recent sessions are
	reopens bool                // the first of them was open when the last window was killed
	resumed resumption
	written struct{ version, pressed uint64 } // the draft when a prompt to try was written, and the last key before
}

// read asks the session what it has loaded, and git whether files are changed.
func (c *firstScreen) read() tea.Cmd {
	c.loaded, c.servers, c.reports, c.manages = nil, nil, false, false
	r, ok := session.As[session.LoadReporter](c.Session)
	if c.reports = ok && c.ReadOnly == nil; !c.reports {
		return nil
	}
	var servers tea.Cmd
	if m, ok := session.As[session.McpManager](c.Session); ok && !c.conversing() {
		c.manages = true
		servers = fetch(c.core, m.McpServers, func(list []session.McpServer, err error) tea.Cmd {
			if err == nil {
				c.servers = append([]session.McpServer{}, list...)
			}
			return nil
		})
	}
	return tea.Batch(servers, fetch(c.core, r.Loaded, func(l session.Loaded, err error) tea.Cmd {
		if err != nil {
			l.Wrong = append(l.Wrong, err.Error())
		}
		c.loaded = &l
		return nil
	}))
}

// readCheckout asks git for the branch of the working folder and whether files are changed.
func (c *core) readCheckout() tea.Cmd {
	if c.Info.Remote || c.ReadOnly != nil || c.Info.Dir == "" {
		return nil
	}
	dir := c.Info.Dir
	read := func(ctx context.Context) (files.Checkout, error) { return files.ReadCheckout(ctx, dir) }
	return fetch(c, read, func(now files.Checkout, _ error) tea.Cmd {
		c.checkout = now
		return nil
	})
}

// greeting is the first screen, and below it what Parley itself said so far: what there is
// to do stays where it was when a notice comes. What has no room is left out: recent
// sessions first, then what to try, and then the facts.
func (v *view) greeting(height int) []string {
	c := v.win.Front.first
	said := v.win.Front.Pane.View() // with air above
	c.tried, c.recent, c.reopens = false, 0, false
	facts := c.facts()
	top, short := c.welcome(facts), c.welcome([]fact{facts[0], facts[2]})
	do := c.toTry()
	switch {
	case v.win.Width < leastTable || len(top)+len(said) > height:
		top, do = short, nil
	case len(top)+len(do)+len(said) > height || c.Opening:
		do = nil
	}
	if len(top)+len(said) > height && len(said) > 0 {
		return said
	}
	c.tried = len(do) > 0
	lines := slices.Concat(top, do)
	if !c.Opening {
		var below []string
		below, c.recent, c.reopens = v.recents(c.firstRecent(), height-len(lines)-len(said))
		lines = append(lines, below...)
	}
	return append(lines, said...)
}

// firstRecent is the number of the first recent session, whether or not there is room for
// the things to try before it: a number means the same as long as the screen is open.
func (c *firstScreen) firstRecent() int { return len(c.tries()) + 1 }

const (
	// FirstColumn is the width of the labels on the first screen.
	FirstColumn = 14
	// leastTable is the least width of a window with the whole first screen.
	leastTable = 50
	// leastName is the least width of a path or a branch.
	leastName = 8
)

// factRoom is the width of what stands beside a label.
func (c *firstScreen) factRoom() int { return max(1, c.win.Width-widget.Margin-1-FirstColumn) }

// FirstRow is a row of the first screen: a label, and a value that is drawn.
func (w *Window) FirstRow(label, value string) string {
	return widget.Indent + w.Theme.Render(theme.Dim, label) + widget.Blank(FirstColumn-text.Width(label)) + value
}

// fact is a row of facts.
type fact struct {
	label, value string
	wrong        string // what is wrong, after the value
}

// welcome is the first screen down to its facts.
func (c *firstScreen) welcome(facts []fact) []string {
	room := max(1, c.win.Width-widget.Margin-1)
	title := c.win.Theme.Render(theme.Strong, "Parley") + " " + c.win.Theme.Render(theme.Dim, c.win.Config.Version+c.win.Dot()) +
		c.win.FittingHints(max(0, room-text.Width("Parley "+c.win.Config.Version+c.win.Dot())), keymap.HintsOf("/", "commands",
			c.win.KeyFor("help"), "keys", c.win.KeyFor("cycle-mode"), "mode", c.win.KeyFor("cancel"), "twice to quit")...)
	lines := []string{"", widget.Indent + text.Truncate(title, room, "")}
	what := c.win.says("Say what should be done and press {send}. It asks before it changes anything.")
	if resuming := c.resumed.says(c.core); resuming != "" {
		what = resuming + " What you send now waits for it."
	}
	for _, row := range text.Wrap(what, room) {
		lines = append(lines, widget.Indent+c.win.Theme.Render(theme.Dim, row))
	}
	lines = append(lines, "")
	room = c.factRoom()
	for _, f := range facts {
		value := ""
		if f.value != "" || f.wrong == "" {
			value = c.win.Theme.Render(theme.Text, c.win.Cut(f.value, room))
		}
		if f.wrong != "" {
			wrong := c.win.Cut(c.win.Theme.Glyph(theme.MarkWarning)+" "+f.wrong, max(1, room-text.Width(value)-text.Width(c.win.Dot())))
			value = text.JoinNonEmpty(c.win.Dot(), value, c.win.Theme.Render(theme.Error, wrong))
		}
		lines = append(lines, text.Truncate(c.win.FirstRow(f.label, value), max(0, c.win.Width-1), ""))
	}
	return lines
}

// facts are what is known of the session. A row whose value comes later has its place.
func (c *firstScreen) facts() []fact {
	s := c.Timeline.Status()
	agent := c.Info.Agent
	switch {
	case c.Opening:
		agent += " is starting"
	case c.Info.Demo:
		agent = "Demo mode: replies are scripted, no model answers"
	}
	facts := []fact{
		{label: "agent", value: agent},
		{label: "model", value: cmp.Or(strings.TrimSpace(cmp.Or(s.Model, c.Info.Model)+" "+s.Effort), "the agent's own choice")},
		{label: "folder", value: c.where()},
	}
	if c.Info.Demo && c.Info.Dir != "" { // what is played again has none
		facts = append(facts, fact{value: "of the demo alone, deleted at the end: no file of yours changes"})
	}
	if others := c.win.otherNames(); others != "" {
		facts = append(facts, fact{label: "other agents", value: others + ": /agent"})
	}
	if who := c.account.who; who != "" {
		facts = append(facts, fact{label: "account", value: who})
	}
	return append(facts, c.loadedFacts()...)
}

// where is the folder with its branch, and that files in it are changed. Where there is no
// room for all of it, the path is shortened, then the branch, and never the sentence.
func (c *firstScreen) where() string {
	const on, sentence = " on ", ", uncommitted changes"
	room, changed := c.factRoom(), ""
	if c.checkout.Dirty && room >= len(on+sentence)+2*leastName {
		changed = sentence
	}
	cut := func(name string, room int) string {
		return text.CutMiddle(c.win.Theme, text.SanitizeLine(name), max(leastName, room))
	}
	branch := cmp.Or(c.checkout.Branch, c.Timeline.Status().Branch)
	if branch != "" {
		branch = on + cut(branch, (room-len(on+changed))/2)
	}
	return cut(widget.ShortPath(c.Info.Dir, c.win.Config.Home), room-text.Width(branch+changed)) + branch + changed
}

// loadedFacts are what the session reports to have loaded.
func (c *firstScreen) loadedFacts() []fact {
	if !c.reports {
		return nil
	}
	const later = "…"
	instructions, skills := fact{label: "instructions", value: later}, fact{label: "skills", value: later}
	hooks := fact{label: "hooks", value: later}
	if l := c.loaded; l != nil {
		instructions.value = withHeld(l.Instructions, l.Held.Instructions)
		init := func(s session.SlashCommand) bool { return s.Name == "init" }
		if len(l.Instructions)+len(l.Held.Instructions) == 0 && slices.ContainsFunc(c.AgentCommands, init) {
			instructions.value = "none; /init writes them for this folder"
		}
		skills.value, hooks.value = withHeld(l.Skills, l.Held.Skills), withHeld(l.Hooks, l.Held.Hooks)
		hooks.wrong = strings.Join(l.Wrong, "; ")
	}
	facts := []fact{instructions, skills}
	if c.manages {
		facts = append(facts, c.serversFact(later))
	}
	return append(facts, hooks)
}

// withHeld names what is loaded, and what is once the folder is trusted.
func withHeld(loaded, held []string) string {
	later := ""
	if len(held) > 0 {
		later = strings.Join(held, ", ") + ", when trusted"
	}
	return cmp.Or(text.JoinNonEmpty(", ", strings.Join(loaded, ", "), later), "none")
}

// serversFact are the MCP servers: as events report them, else as the session listed them.
func (c *firstScreen) serversFact(later string) fact {
	type server struct{ name, status string }
	var all []server
	for _, s := range c.servers {
		all = append(all, server{s.Name, s.Status})
	}
	reported := c.Timeline.Status().Catalog.Servers
	for _, s := range reported {
		all = slices.DeleteFunc(all, func(o server) bool { return o.name == s.Name })
		all = append(all, server{s.Name, s.Status})
	}
	if c.servers == nil && reported == nil {
		return fact{label: "MCP servers", value: later}
	}
	var good, bad []string
	for _, s := range all {
		switch s.status {
		case "failed", "needs-reconnect":
			bad = append(bad, s.name+" does not work")
		case "needs-auth":
			bad = append(bad, s.name+" wants you to sign in")
		case "disabled", "stopped", "not_configured":
			good = append(good, s.name+" (off)")
		default:
			good = append(good, s.name)
		}
	}
	if len(all) == 0 {
		good = []string{"none"}
	}
	switch {
	case len(all) > 0 && !trusts(c.Session):
		good, bad = nil, []string{"not started, as the folder is not trusted: /trust"}
	case len(bad) > 0:
		bad[len(bad)-1] += ": /mcp"
	}
	return fact{label: "MCP servers", value: strings.Join(good, ", "), wrong: strings.Join(bad, ", ")}
}

// tries are prompts to try, and what each is for if it does not say so.
func (c *firstScreen) tries() [][2]string {
	if c.Info.Demo {
		return [][2]string{
			{"tour", "what a new user should see, in two minutes"},
			{"write", "a change to a file, which asks first"},
			{"todos", "a list of what is to do"},
		}
	}
	return [][2]string{
		{"Explain what this project does and how it is laid out"},
		{"Review the changes that are not committed"},
		{"Find code without a test, and write one"},
	}
}

// toTry are the rows of what to try.
func (c *firstScreen) toTry() []string {
	if c.ReadOnly != nil {
		return nil
	}
	lines, label := []string{""}, "press to try"
	for i, try := range c.tries() {
		value := c.win.Theme.Render(theme.Text, c.win.Cut(try[0], max(1, c.win.Width-widget.Margin-FirstColumn-4)))
		if try[1] != "" {
			room := max(0, c.win.Width-widget.Margin-FirstColumn-12)
			value += c.win.Theme.Render(theme.Dim, c.win.Cut(widget.Blank(8-text.Width(try[0]))+try[1], room))
		}
		lines, label = append(lines, c.win.FirstRow(label, c.win.Numbered(i+1, value))), ""
	}
	return lines
}

// Numbered is a row that a number chooses.
func (w *Window) Numbered(n int, value string) string {
	return w.Theme.Render(theme.Key, string(rune('0'+n))) + "  " + value
}

// chooseTime is how long no other key may follow a number, so that it chooses a row and
// is not the beginning of a prompt.
const chooseTime = 300 * time.Millisecond

// chosen is the row of the first screen that Enter chooses: the one that the draft is the
// number of, and without a draft what was open; 0 is none.
func (c *firstScreen) chosen() int {
	d := c.Composer.Draft().Text
	if c.reopens && c.Composer.Empty() {
		d = string(rune('0' + c.firstRecent()))
	}
	if len(d) != 1 || d[0] < '1' || d[0] > '9' || !c.inFront() || c.win.Overlay != nil || c.focus() != composing ||
		c.Questions.Len() > 0 || c.conversing() || c.ReadOnly != nil || c.Opening {
		return 0
	}
	n, first := int(d[0]-'0'), c.firstRecent()
	if n < first && c.tried || n >= first && n < first+c.recent {
		return n
	}
	return 0
}

// numberPressed waits whether a number that is all of the draft stays so.
func (c *firstScreen) numberPressed() tea.Cmd {
	n := c.chosen()
	if n == 0 || c.Composer.Empty() {
		return nil
	}
	pressed, on, id := c.win.Pressed, c.Session, c.ID
	return c.win.After(chooseTime, func(at time.Time) tea.Msg {
		return Message{id, fetchedMsg{on, func() tea.Cmd {
			c.win.Pass(at)
			if c.win.Pressed != pressed || c.Composer.Empty() || c.chosen() != n {
				return nil
			}
			return c.choose(n)
		}}}
	})
}

// writeOver clears a prompt to try if a letter is the first key after it was written. After
// a space, or another key, it is a draft as any other.
func (c *firstScreen) writeOver(press tea.KeyPressMsg) {
	if c.written.version == c.Composer.Version() && c.win.Pressed == c.written.pressed+1 {
		c.Composer.TypeOver(press)
	}
}

// choose does what a row is for: it writes a prompt to try, or opens a session.
func (c *firstScreen) choose(n int) tea.Cmd {
	c.draft.SetDraft(drafts.Draft{})
	first := c.firstRecent()
	if n < first {
		c.draft.replace(composer.Plain(c.tries()[n-1][0])[0])
		c.written.version, c.written.pressed = c.Composer.Version(), c.win.Pressed
		return nil
	}
	return c.request(OpenRecent{n - first})
}

// offer says how the draft of a window that has ended comes back, as long as it
// is the next that comes from the stash and the session has not had a prompt.
func (c *firstScreen) offer() string {
	n := len(c.win.stashed)
	if n == 0 || c.win.stashed[n-1].Why != leftByEnded || c.answers.heard {
		return ""
	}
	at, layout := c.win.stashed[n-1].Time.In(c.win.Zone), "15:04"
	if at.Format(time.DateOnly) != c.win.Now.In(c.win.Zone).Format(time.DateOnly) {
		layout = "2 January, 15:04"
	}
	return c.win.says("Restore the draft of " + at.Format(layout) + "? {stash}")
}
