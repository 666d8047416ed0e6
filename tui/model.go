package tui

import (
	"context"
	"time"

	tea "charm.land/bubbletea/v2"

	"parley/tui/appearance"
	"parley/tui/conversation"
	"parley/tui/transcript"
)

// Model is the window. Update is a pure function of its messages: every time
// it knows came with one of them.
type Model struct {
	win *conversation.Window
	tabs
	agents   agents
	switcher sessionSwitcher
	forks    sessionForks
	library  sessionLibrary

	handlers map[string]conversation.Handler // what the window does for its commands
	display  *conversation.Display
	drafts   draftSaver

	away  bool      // another program has the terminal
	since time.Time // when it was given back last

	status     statusBar
	frame      frame
	appearance *appearance.Appearance
	recents    recents // sessions that the first screen shows
	inline     inline
}

func newModel(ctx context.Context, c Config, e conversation.Effects) *Model {
	win := conversation.NewWindow(ctx, c, e)
	m := &Model{
		frame: frame{open: true, low: win.LowBandwidth()}, appearance: appearance.New(looks(win), looks(win).Load()), win: win,
	}
	m.tabs.win, m.status.win = m.win, m.win
	m.agents = agents{win: m.win, tabs: &m.tabs}
	m.switcher = sessionSwitcher{win: m.win, tabs: &m.tabs, agents: &m.agents}
	m.forks = sessionForks{win: m.win, tabs: &m.tabs, agents: &m.agents, switcher: &m.switcher}
	m.library = sessionLibrary{win: m.win, tabs: &m.tabs, agents: &m.agents, switcher: &m.switcher, forks: &m.forks}
	m.display = conversation.NewDisplay(m.win)
	m.drafts = draftSaver{win: m.win, tabs: &m.tabs}
	m.recents = recents{win: m.win, tabs: &m.tabs}
	m.inline = inline{win: m.win, looks: m.appearance, done: map[conversation.ID]*transcript.Written{}}
	m.handlers = m.windowHandlers()
	m.win.Front = m.tabs.newConversation(m.win.Own, c.Options.Dir, c.Resume)
	m.all = []*conversation.Conversation{m.win.Front}
	m.dress()
	m.status.Arrange(c.Settings.Status)
	m.win.Front.Begin()
	return m
}

// Init implements tea.Model.
func (m *Model) Init() tea.Cmd {
	var begin tea.Cmd
	if m.win.Config.Browse {
		begin = m.library.begin()
	} else {
		begin = m.win.Front.Open()
	}
	terminal := m.win.Environment()
	images := m.win.Images.Switch(terminal.MayShowImages())
	if terminal.HoldsEscape("") || m.win.Config.Inline { // unless it is tmux, which says so; what it does to lines depends on it
		images = tea.RequestTerminalVersion
	}
	return tea.Batch(m.startAppearance(), images, begin, m.win.Front.Recovery.Recover(), m.win.LoadPrompts(), m.recents.find(),
		watchPreferences(m.win.Ctx, m.win.Config), m.carryOut())
}
