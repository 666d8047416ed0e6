package tui

import (
	"context"
	"fmt"
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/go-json-experiment/json/jsontext"

	"parley/prompts"
	"parley/render"
	"parley/session"
	"parley/theme"
	"parley/timeline"
)

// Model is the window. Update is a pure function of its messages: every time
// it knows came with one of them.
type Model struct {
	ctx      context.Context
	config   Config
	commands []Command
	keys     map[string]Command
	theme    *theme.Theme
	effects

	width, height int
	now           time.Time      // the latest time a message brought
	zone          *time.Location // clock times are shown in it
	focused       bool           // the terminal window has the focus, as far as it tells

	agent    session.Agent
	session  session.Session // nil while it opens and after it ended
	info     session.Info
	timeline *timeline.Timeline
	queue    *prompts.Queue
	pending  []session.Pending
	held     []session.Input                  // sent before the session was open
	notes    map[session.CallID]string        // to send when the call has completed (decision 5)
	asked    map[session.RequestID]askedAbout // what the open permission questions are about
	opening  bool
	lost     bool                     // the session ended without being asked to; enter reconnects
	stored   map[session.EventID]bool // events on the timeline that a resume replays
	talked   bool                     // there is a conversation, and no first screen any more

	layout   layout
	pane     pane
	composer composer
	list     *list // open list of choices; nil if none
	help     *help // open help; nil if none

	hint      hint
	chord     bool      // the leader was pressed
	armed     armed     // a key that must be pressed twice
	aborting  time.Time // since when an interrupt waits for its effect
	ticking   bool
	spin      int
	frame     frame
	waking    time.Time // when the queue will be called; zero: not arranged
	painting  painting
	steerTold bool // the person was told what steering does to the running command
}

// askedAbout is what a permission question is about.
type askedAbout struct {
	call session.CallID
}

// hint is a line of words in the status line that goes away.
type hint struct {
	text  string
	until time.Time
}

// hintTime is how long a hint stays.
const hintTime = 4 * time.Second

// armed is a key that does something only when it is pressed again soon.
type armed struct {
	id    string
	until time.Time
}

// armTime is how long the second press may take.
const armTime = 2 * time.Second

func newModel(ctx context.Context, c Config, e effects) *Model {
	m := &Model{
		ctx: ctx, config: c, effects: e, zone: time.UTC,
		commands: Commands(), theme: theme.Dark(), focused: true,
		info:    session.Info{Agent: c.AgentName, Model: c.Options.Model, Mode: c.Options.Mode, Dir: c.Options.Dir},
		opening: true, composer: newComposer(), frame: frame{open: true},
	}
	if c.Now != nil {
		m.zone = c.Now().Location()
	}
	m.keys = bindings(m.commands)
	m.reset()
	return m
}

// reset forgets the session that was shown. The draft stays.
func (m *Model) reset() {
	m.timeline = timeline.New()
	m.newQueue()
	m.notes, m.asked = map[session.CallID]string{}, map[session.RequestID]askedAbout{}
	m.pending, m.held, m.aborting, m.talked, m.lost = nil, nil, time.Time{}, false, false
	m.stored = map[session.EventID]bool{}
	options := m.pane.opts
	m.pane = newPane(m.timeline, render.Options{
		Width: options.Width, Theme: m.theme, Times: true, Location: m.zone,
		Home: m.config.Home, Dir: m.config.Options.Dir,
	})
}

// newQueue forgets the questions of a session that is gone.
func (m *Model) newQueue() {
	m.queue, m.painting = prompts.NewQueue(), painting{}
	m.queue.Folders(m.config.Home, m.config.Options.Dir)
	m.queue.Draft(m.composer.editor.Empty())
}

// Init implements tea.Model.
func (m *Model) Init() tea.Cmd {
	return tea.Batch(tea.RequestBackgroundColor, open(m.ctx, m.config, nil))
}

// resumable is the session's id when something was said in it that its agent
// keeps.
func (m *Model) resumable() session.ID {
	if m.info.Demo || m.timeline.Status().Turns == 0 {
		return ""
	}
	return m.info.ID
}

// say puts a notice of Parley's own on the timeline.
func (m *Model) say(b session.Body) {
	m.timeline.Apply(session.Event{
		ID: session.EventID(fmt.Sprintf("parley-%d", m.timeline.Len())), Time: m.now, Ephemeral: true, Body: b,
	})
}

// warn puts a warning of Parley's own on the timeline.
func (m *Model) warn(category, text string) {
	m.say(session.SessionWarning{WarningType: category, Message: text})
}

// fail puts an error of Parley's own on the timeline: what was attempted, why
// it failed, and what to do.
func (m *Model) fail(what string, err error, next string) {
	m.say(session.SessionError{ErrorType: "parley", Message: fmt.Sprintf("Could not %s: %v", what, err), Remediation: words(next)})
}

// words is the remediation of an event.
func words(s string) jsontext.Value {
	if s == "" {
		return nil
	}
	v, err := jsontext.AppendQuote(nil, s)
	if err != nil {
		return nil // only for text that is no UTF-8, and ours is
	}
	return v
}

// tell shows a hint for a while.
func (m *Model) tell(format string, args ...any) {
	m.hint = hint{fmt.Sprintf(format, args...), m.now.Add(hintTime)}
}

// again reports whether key id was pressed a second time soon enough, and if
// not, arms it.
func (m *Model) again(id string) bool {
	second := m.armed.id == id && m.now.Before(m.armed.until)
	m.armed = armed{id, m.now.Add(armTime)}
	if second {
		m.armed = armed{}
	}
	return second
}

// busy reports whether a turn runs.
func (m *Model) busy() bool { return m.timeline.Status().Busy }
