package tui

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/go-json-experiment/json/jsontext"

	"parley/history/drafts"
	prompthistory "parley/history/prompts"
	"parley/prompts"
	"parley/render"
	"parley/session"
	"parley/session/modelview"
	"parley/session/trace"
	"parley/terminal"
	"parley/theme"
	"parley/timeline"
	"parley/tui/appearance"
	"parley/tui/composer"
	"parley/tui/panel"
	"parley/tui/transcript"
	"parley/tui/viewer"
	"parley/tui/widget"
)

// Model is the window. Update is a pure function of its messages: every time
// it knows came with one of them.
type Model struct {
	win *windowState
	tabs
	agents   agents
	switcher sessionSwitcher
	forks    sessionForks
	library  sessionLibrary

	handlers map[string]handler // what the window does for its commands
	view     view
	keyboard keyboard
	mouse    mouse
	drafts   draftSaver

	away  bool      // another program has the terminal
	since time.Time // when it was given back last

	status     statusBar
	frame      frame
	appearance *appearance.Appearance
	timers     timers
	recents    recents // sessions that the first screen shows
}

// windowState is what the conversations of a window have in common: for whom and how they
// look, what is stored in addition to sessions, and what reaches outside.
type windowState struct {
	ctx    context.Context
	config Config
	screen
	keyring
	theme *theme.Theme
	effects

	width, height int
	now           time.Time      // the latest time a message brought
	zone          *time.Location // clock times are shown in it
	focused       bool           // the terminal window has the focus, as far as it reports
	vim           bool
	spin          turning
	hinting       widget.HintLine
	viewing       viewer.Layout      // how edits are shown
	said          terminal.Heard     // what the terminal said of itself
	images        *transcript.Images // that the terminal shows itself

	prompts *prompthistory.History // those sent before, also from other windows
	journal journal                // keeps what is not sent
	stashed []drafts.Stashed       // drafts that were put away
	pressed uint64                 // keys so far
	asking  uint64                 // pressed, when what has come now was asked for
}

// hint is a line of words in the status line that goes away.
type hint struct {
	text  string
	until time.Time
}

// hintTime is how long a hint stays.
const hintTime = 4 * time.Second

// armed is something that happens only when a key is pressed again soon.
type armed struct {
	what  string
	by    string // the command whose key it is
	until time.Time
}

// armTime is how long the second press may take.
const armTime = 3 * time.Second

func newModel(ctx context.Context, c Config, e effects) *Model {
	m := &Model{frame: frame{open: true}, appearance: appearance.New(c.looks(), c.files), win: &windowState{
		ctx: ctx, config: c, effects: e, zone: time.UTC,
		focused: true, spin: c.spinner(),
		vim: c.Settings.Vim, images: &transcript.Images{}, prompts: c.prompts(), journal: newJournal(c),
	}}
	m.tabs.win = m.win
	m.agents = agents{win: m.win, tabs: &m.tabs}
	m.switcher = sessionSwitcher{win: m.win, tabs: &m.tabs, agents: &m.agents}
	m.forks = sessionForks{win: m.win, tabs: &m.tabs, agents: &m.agents, switcher: &m.switcher}
	m.library = sessionLibrary{win: m.win, tabs: &m.tabs, agents: &m.agents, switcher: &m.switcher, forks: &m.forks}
	m.view = view{win: m.win, tabs: &m.tabs, recents: &m.recents}
	m.mouse = mouse{win: m.win, tabs: &m.tabs, layout: &m.view.layout}
	m.keyboard = keyboard{win: m.win, tabs: &m.tabs, mouse: &m.mouse}
	m.timers = timers{win: m.win, tabs: &m.tabs}
	m.drafts = draftSaver{win: m.win, tabs: &m.tabs}
	m.recents = recents{win: m.win, tabs: &m.tabs}
	m.handlers = m.windowHandlers()
	m.front = m.tabs.newConversation(c.Options.Dir, c.Resume)
	m.front.continued, m.all, m.win.shown = c.Continue, []*conversation{m.front}, m.front.id
	if c.Now != nil {
		m.win.zone = c.Now().Location()
	}
	m.win.bind(c.Keys)
	m.dress()
	m.status.win = m.win
	m.status.Arrange(c.Settings.Status)
	m.front.pane.Density, m.front.pane.Opts.Times = c.density(), c.times()
	m.front.reset()
	if c.Unkept != "" {
		m.front.warn("drafts", c.Unkept)
		m.win.journal.warned = true
	}
	if c.Prompt != "" {
		m.front.queue.held = []composer.Outgoing{
			{Input: session.Input{Prompt: c.Prompt, Delivery: session.Enqueue}, Draft: composer.Plain(c.Prompt)[0]},
		}
	}
	return m
}

// reset forgets the session that was shown. The draft stays.
func (c *conversation) reset() {
	c.timeline, c.modelView = timeline.New(), modelview.New()
	c.newQuestions()
	c.answers.notes, c.answers.asked = nil, map[session.RequestID]session.Event{}
	c.queue.pending, c.queue.held, c.aborting, c.talked, c.disconnected, c.wanted = nil, nil, time.Time{}, false, false, nil
	c.stored, c.recent = eventSet{}, trace.RecentEvents{}
	c.account.warned, c.queue.unanswered = false, nil
	c.forgetSession()
	c.nav.Reset()
	density, times := c.pane.Density, c.pane.Opts.Times
	options := c.pane.Opts
	c.pane = transcript.New(c.timeline, render.Options{
		Width: options.Width, Theme: c.win.theme, Times: times, Location: c.win.zone,
		Home: c.win.config.Home, Dir: c.info.Dir, SplitDiffs: options.SplitDiffs,
	})
	c.pane.Density, c.pane.Images, c.pane.Outside = density, c.win.images, c.modelView.Removed
	if p := over[*panel.Panel](c.win); p != nil && p.Body != nil {
		c.closeOverlays() // it was of the session that was left
	}
}

// newQuestions forgets the questions of a session that was left.
func (c *core) newQuestions() {
	before := c.questions
	c.questions, c.painting = prompts.NewQueue(), painting{}
	if before != nil {
		c.questions.Restore(before.Written())
	}
	c.questions.Folders(c.win.config.Home, c.info.Dir)
	c.questions.Bind(c.win.cards)
}

// Init implements tea.Model.
func (m *Model) Init() tea.Cmd {
	var browse tea.Cmd
	if m.win.config.Browse {
		browse = m.library.resume("")
	}
	images := m.win.images.Switch(m.win.config.Environment().MayShowImages())
	return tea.Batch(m.startAppearance(), images, m.front.open(), m.front.recovery.recover(), m.win.loadPrompts(), m.recents.find(),
		watchPreferences(m.win.ctx, m.win.config), browse, m.carryOut())
}

// current is the session's id when something was said in it that its agent
// keeps.
func (c *core) current() session.ID {
	if c.info.Demo || c.readOnly != nil || c.timeline.Status().Turns == 0 {
		return ""
	}
	return c.info.ID
}

// resumable is the last session of the conversation that can be resumed.
func (c *core) resumable() session.ID { return cmp.Or(c.current(), c.before) }

// addNotice puts a notice of Parley's own on the timeline.
func (c *core) addNotice(b session.Body) {
	c.timeline.Apply(session.Event{
		ID: session.EventID(fmt.Sprintf("parley-%d", c.timeline.Len())), Time: c.win.now, Ephemeral: true, Body: b,
	})
}

// warn puts a warning of Parley's own on the timeline.
func (c *core) warn(category, text string) {
	c.addNotice(session.SessionWarning{WarningType: category, Message: text})
}

// fail puts an error of Parley's own on the timeline: what was attempted, why
// it failed, and what to do. On the timeline it stands beside what runs: no
// request of a model, whose errors it has advice for.
func (c *core) fail(what string, err error, next string) {
	if next == "" && silent(err) {
		next = "Try again; " + endsSilent
	}
	c.addNotice(session.SessionError{
		ErrorType: "notification", Message: "Could not " + once(what+": "+err.Error()), Remediation: remedy(next),
	})
}

// endsSilent is what can be done about an agent that does not answer.
const endsSilent = "/stop ends an agent that does not answer."

// silent reports whether the agent did not answer in time.
func silent(err error) bool {
	return errors.Is(err, session.ErrUnanswered) && errors.Is(err, context.DeadlineExceeded)
}

// once leaves out what an error says twice in a row, as when two layers attempt
// the same.
func once(text string) string {
	parts := strings.Split(text, ": ")
	return strings.Join(slices.CompactFunc(parts, strings.EqualFold), ": ")
}

// remedy is what to do about an error, as an event has it.
func remedy(s string) jsontext.Value {
	if s == "" {
		return nil
	}
	v, err := jsontext.AppendQuote(nil, s)
	if err != nil {
		return nil // only for text that is no UTF-8, and ours is
	}
	return v
}

// showHint shows a hint for a while. {name} in format is the user's key for that
// action.
func (c *core) showHint(format string, args ...any) {
	c.hint = hint{fmt.Sprintf(c.win.keymap.FillFormat(format), args...), c.win.now.Add(hintTime)}
}

// again reports whether the key of command by was pressed a second time soon
// enough for what it does, and if not, arms it.
func (c *core) again(what, by string) bool {
	second := c.armed.what == what && c.armed.by == by && c.win.now.Before(c.armed.until)
	c.armed = armed{what, by, c.win.now.Add(armTime)}
	if second {
		c.armed = armed{}
	}
	return second
}

// busy reports whether a turn runs.
func (c *core) busy() bool { return c.session != nil && c.readOnly == nil && c.timeline.Busy() }
