package tui

import (
	"cmp"
	"fmt"
	"strings"
	"time"

	"charm.land/bubbles/v2/spinner"

	"parley/render"
	"parley/session"
	"parley/theme"
	"parley/timeline"
	"parley/tui/widget"
)

// StatusItem is a part of the status line that the settings can name.
type StatusItem struct {
	Name  string
	Tells string // what, for people
	// Rank says what goes when the line is too narrow: the lowest first.
	Rank int
	// Standing is shown even where the settings leave it out: the user must
	// know of it.
	Standing bool
	make     func(f *statusFacts) item
}

// leastNeeded is the lowest rank of what the user must know of.
const leastNeeded = 21

// StatusItems are the parts of the status line, in the order of
// settings.StatusItems. No two have one rank.
func StatusItems() []StatusItem {
	return []StatusItem{
		{
			"activity", "What the agent does now and for how long; that it waits for you, stops, or is lost",
			23, true, (*statusFacts).activityItem,
		},
		{"rewording", "That the draft is a prompt that waits, and which keys end that", 22, true, (*statusFacts).rewordingItem},
		{"allow-all", "That nothing is asked for", 24, true, (*statusFacts).allowAllItem},
		{"sessions", "What the other sessions of this window do, and whether one needs you", 21, true, (*statusFacts).sessionsItem},
		{"demo", "That the embedded demo answers, and no model", 19, true, (*statusFacts).demoItem},
		{"vim", "The mode of vim, where you edit as in vim", 18, false, (*statusFacts).vimItem},
		{"mode", "How the agent works: interactive, plan or autopilot", 17, false, (*statusFacts).modeItem},
		{"model", "The model, and how hard it thinks", 16, false, (*statusFacts).modelItem},
		{"folder", "The folder in which the agent works, and its branch", 11, false, (*statusFacts).folderItem},
		{"session", "The title of the session", 8, false, (*statusFacts).sessionItem},
		{"waiting", "How many prompts wait to be sent", 14, false, (*statusFacts).waitingItem},
		{"besides", "The agents and shells that run beside the turn", 15, false, (*statusFacts).besidesItem},
		{"servers", "The MCP servers that cannot be used", 13, false, (*statusFacts).serversItem},
		{"todo", "How much of what is to be done is done, while it is not shown above the draft", 10, false, (*statusFacts).todoItem},
		{"spent", "What the session has cost", 9, false, (*statusFacts).spentItem},
		{"tokens", "How many tokens the session has read and written", 6, false, (*statusFacts).tokensItem},
		{"turns", "How many times the model was called", 7, false, (*statusFacts).turnsItem},
		{"elapsed", "How long the turn takes so far; when none runs, since when the session is", 4, false, (*statusFacts).elapsedItem},
		{"clock", "The time of day; nothing where motion is none", 3, false, (*statusFacts).clockItem},
		{"agent", "Which agent answers", 1, false, (*statusFacts).agentItem},
		{"script", "The first line that your own program writes", 12, false, (*statusFacts).scriptItem},
		{"context", "How full the model's context is", 20, false, (*statusFacts).contextItem},
	}
}

// enlarge is said of a question that has no room.
const enlarge = ": enlarge the window"

// old is the mark of a value that is known to be out of date.
const old = "~"

// howToStop is which key stops what runs now; "" where nothing runs that it would
// stop at once.
func (c *conversation) howToStop() string {
	key := c.keyFor("interrupt")
	switch {
	case key == "" || c.questions.Len() > 0 || !c.aborting.IsZero() || c.lost || c.opening:
		return ""
	case c.busy() && !c.interruptsAtOnce():
		return key + " " + key + " stops"
	case c.busy() || len(c.shells) > 0:
		return key + " stops"
	}
	return ""
}

func (f *statusFacts) activityItem() item {
	i := item{text: f.activity, tok: theme.StatusStrong}
	if brief, ok := strings.CutSuffix(i.text, enlarge); ok {
		i.brief = brief
	}
	if f.stop != "" && i.text != "" {
		i.brief, i.text = i.text, i.text+widget.Dot(f.theme)+f.stop
	}
	return i
}

func (f *statusFacts) rewordingItem() item {
	if f.rewording == "" {
		return item{}
	}
	return item{text: "rewording: " + f.rewording, tok: theme.Accent}
}

func (f *statusFacts) allowAllItem() item {
	if !f.allowAll && !f.AllowAll {
		return item{}
	}
	return item{text: "allow-all: nothing asks", brief: "allow-all", tok: theme.Warning}
}

func (f *statusFacts) sessionsItem() item { return item{text: f.others, tok: theme.Accent} }

func (f *statusFacts) demoItem() item {
	if !f.demo {
		return item{}
	}
	return item{text: f.agent, tok: theme.Warning}
}

func (f *statusFacts) agentItem() item {
	if f.demo {
		return item{} // said already
	}
	return item{text: f.agent}
}

func (f *statusFacts) vimItem() item { return item{text: f.vim, tok: theme.StatusStrong} }

func (f *statusFacts) modeItem() item {
	switch {
	case f.reads:
		return item{text: "read only", tok: theme.Accent}
	case f.mode == session.Autopilot:
		return item{text: string(f.mode), tok: theme.Warning}
	}
	return item{text: string(f.mode)}
}

func (f *statusFacts) modelItem() item {
	return item{text: strings.TrimSpace(cmp.Or(f.Model, f.modelAsked) + " " + f.Effort)}
}

func (f *statusFacts) folderItem() item {
	dir := widget.Base(f.dir)
	if f.Branch != "" {
		dir += " (" + f.Branch + ")"
	}
	return item{text: dir}
}

func (f *statusFacts) sessionItem() item {
	return item{text: widget.Cut(f.theme, f.Title, max(8, f.width/3))}
}

func (f *statusFacts) waitingItem() item {
	if f.waiting == 0 {
		return item{}
	}
	return item{text: fmt.Sprintf("%d waiting", f.waiting), tok: theme.Accent}
}

// besidesItem is empty while no turn runs: then it is what the agent does.
func (f *statusFacts) besidesItem() item { return item{text: f.besides, tok: theme.Accent} }

func (f *statusFacts) serversItem() item {
	return item{text: serverTrouble(f.Catalog.Servers), tok: theme.Warning}
}

func (f *statusFacts) todoItem() item {
	if f.todoShown || finished(f.todos) == len(f.todos) {
		return item{}
	}
	return item{text: fmt.Sprintf("to do %d/%d", finished(f.todos), len(f.todos))}
}

func (f *statusFacts) spentItem() item { return item{text: spent(f.Usage)} }

func (f *statusFacts) tokensItem() item {
	switch {
	case f.Usage.Input+f.Usage.Output > 0:
	case f.MessageOutput > 0: // all that a log without usage records has
		return item{text: render.Tokens(f.MessageOutput) + " out"}
	default:
		return item{}
	}
	return item{text: render.Tokens(f.Usage.Input) + " in, " + render.Tokens(f.Usage.Output) + " out"}
}

func (f *statusFacts) turnsItem() item {
	if f.Turns == 0 {
		return item{}
	}
	return item{text: render.Count(f.Turns, "turn")}
}

// elapsedItem tells no time that would have to be counted on while nothing runs.
func (f *statusFacts) elapsedItem() item {
	switch {
	case f.Busy && f.elapsed != "":
		return item{text: "turn" + f.elapsed}
	case f.Busy || f.begun.IsZero():
		return item{}
	}
	from := f.begun.In(f.zone)
	if from.Format(time.DateOnly) != f.now.Format(time.DateOnly) {
		return item{text: "since " + from.Format(time.DateOnly)}
	}
	return item{text: "since " + from.Format("15:04")}
}

func (f *statusFacts) clockItem() item {
	if f.still {
		return item{} // one that stands still is wrong
	}
	return item{text: f.now.Format("15:04")}
}

// contextItem is how full the model's context is, once this agent has told it.
func (f *statusFacts) contextItem() item {
	if f.ContextLimit <= 0 || !f.metered {
		return item{}
	}
	percent, mark := f.ContextTokens*100/f.ContextLimit, ""
	if f.outdated {
		mark = old
	}
	i := item{text: fmt.Sprintf("ctx %s%d %%", mark, percent)}
	if percent >= 80 {
		i.tok = theme.Warning
	}
	return i
}

// scriptItem is what the user's own program told last.
func (f *statusFacts) scriptItem() item {
	if f.script == "" {
		return item{}
	}
	text := widget.Cut(f.theme, f.script, max(8, f.width/2))
	if f.scriptStale {
		text = old + text
	}
	return item{text: text}
}

// serverTrouble says which MCP servers cannot be used.
func serverTrouble(all []timeline.Part) string {
	down, locked := 0, 0
	for _, p := range all {
		switch p.Status {
		case "failed", "needs-reconnect":
			down++
		case "needs-auth":
			locked++
		}
	}
	switch {
	case down > 0:
		return render.Count(down, "server") + " down"
	case locked > 0:
		return render.Count(locked, "server") + " to sign in to"
	}
	return ""
}

const (
	// nanoCredits is how many of the runtime's units an AI credit has.
	nanoCredits = 1e9
	// leastSpent is the least cost that is told: less is written as nothing.
	leastSpent = 0.005
)

// spent is what the session has cost so far, since it was opened here; "" for
// nothing.
func spent(u timeline.Usage) string {
	switch {
	case u.NanoAIU/nanoCredits >= leastSpent:
		return amount(u.NanoAIU/nanoCredits) + " credits"
	case u.Cost >= leastSpent:
		return amount(u.Cost) + " premium"
	}
	return ""
}

// amount writes a number that need not be whole.
func amount(f float64) string {
	return strings.TrimSuffix(strings.TrimRight(fmt.Sprintf("%.2f", f), "0"), ".")
}

// activity is what the agent does now and for how long.
func (m *Model) activity() string {
	s := m.timeline.Status()
	switch {
	case m.opening && m.readOnly == nil:
		return m.spinner() + " starting"
	case m.lost:
		return "lost, enter reconnects"
	case m.readOnly.growing() && (m.opening || m.session != nil):
		return m.spinner() + " reading"
	case m.readOnly != nil && m.session != nil:
		return ""
	case m.session == nil:
		return "ended"
	case m.questions.Len() > 0 && len(m.card) == 0 && !m.covered():
		return m.theme.Glyph(theme.MarkQuestion) + " waiting for you" + enlarge
	case m.questions.Len() > 0:
		return m.theme.Glyph(theme.MarkQuestion) + " waiting for you"
	case !m.aborting.IsZero():
		return m.spinner() + " cancelling" + m.elapsed(m.aborting)
	case s.Busy || s.Compacting:
		doing := s.Doing
		if doing == "" {
			doing = "working"
		}
		return m.spinner() + " " + m.cut(doing, max(8, m.width/3)) + m.elapsed(s.DoingSince)
	case len(m.shells) > 0:
		return m.spinner() + " running your command"
	}
	return m.runsBesides()
}

// elapsed is how long ago a time is, where that can be counted on.
func (sh *shared) elapsed(since time.Time) string {
	switch {
	case since.IsZero() || sh.now.Before(since):
		return ""
	case sh.now.Sub(since) >= 24*time.Hour: // a replay, or a wrong clock: counting is no use
		return " since " + since.In(sh.zone).Format(time.DateOnly)
	case sh.still(): // a count that stands still is wrong
		return " since " + since.In(sh.zone).Format("15:04")
	}
	return " " + render.Duration(sh.now.Sub(since))
}

// turning is what shows that something runs. What it looks like now is drawn when it
// turns, which is less often than a frame.
type turning struct {
	model spinner.Model
	shown string
}

func (c Config) spinner() turning {
	kind := spinner.MiniDot
	if !c.Environment().Unicode() {
		kind = spinner.Line
	}
	t := turning{model: spinner.New(spinner.WithSpinner(kind))}
	t.shown = t.model.View()
	return t
}

// turn turns it a little.
func (t *turning) turn() {
	t.model, _ = t.model.Update(spinner.TickMsg{}) // the window's own timer turns it, and stops
	t.shown = t.model.View()
}

// spinner is the one thing that moves, and only while something runs and the
// window has the focus.
func (sh *shared) spinner() string {
	if !sh.focused || sh.still() {
		return sh.spin.model.Spinner.Frames[0]
	}
	return sh.spin.shown
}
