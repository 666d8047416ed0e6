package tui

import (
	"reflect"
	"strings"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"parley/prompts"
	"parley/settings"
	"parley/tui/composer"
	"parley/tui/keymap"
	"parley/tui/navigation"
)

// keyring is what keys do now.
type keyring struct {
	keymap   *keymap.Map
	commands []keymap.Command          // the table
	keys     map[string]keymap.Command // those that run, by their keys
	cards    *prompts.Keys             // what all questions look at
}

// bind takes the keys of a user, and reports what is wrong with them; then
// those that were bound before stay.
func (w *windowState) bind(k settings.Keys) []error {
	km, wrong := keymap.New(k)
	if wrong != nil && w.keymap != nil {
		return wrong
	}
	if w.cards == nil {
		w.cards = &prompts.Keys{}
	}
	w.keymap, w.commands, w.keys, *w.cards = km, km.Commands, keymap.ByKey(km.Commands), cards(km)
	return wrong
}

// cards are the user's keys on questions and forms.
func cards(km *keymap.Map) prompts.Keys {
	in := func(scope string) prompts.Bindings { return prompts.Bindings(km.Own(scope)) }
	return prompts.Keys{
		Card: in(keymap.InQuestion), Line: in(keymap.InLine), Form: in(keymap.InForm), FormLine: in(keymap.InFormLine),
		Focus: km.KeyFor("answer"), Turn: km.Show("complete"),
	}
}

// rebind takes keys that have changed while the window is open. A question that
// is shown is shown anew before it listens.
func (m *Model) rebind(before, now settings.Keys) {
	if reflect.DeepEqual(before, now) {
		return
	}
	if wrong := m.win.bind(now); wrong != nil {
		m.win.config.Keys = before
		texts := make([]string, 0, len(wrong))
		for _, err := range wrong {
			texts = append(texts, err.Error()+".")
		}
		m.front.warn("keys", strings.Join(texts, "\n")+" What was set before stays.")
		return
	}
	m.win.chord.pressed, m.front.armed = false, armed{}
	m.front.questions.Resize(m.win.now)
}

// keyFor is how the user gets to an action: its first key, or its command.
func (w *windowState) keyFor(name string) string { return w.keymap.KeyFor(name) }

// says is a text with the user's keys.
func (w *windowState) says(text string) string { return w.keymap.Fill(text) }

// ways are hints of actions, with the user's keys for them: pairs of actions, which
// are separated by blanks, and what they do.
func (w *windowState) ways(pairs ...string) []key.Binding {
	return w.keymap.Hints(w.config.Environment().Unicode(), pairs...)
}

// keyHints draws hints in a line.
func (w *windowState) keyHints(hints ...key.Binding) string { return w.hinting.Draw(w.theme, hints) }

// fittingHints draws as many hints, from the first, as there is room for; the first
// stays.
func (w *windowState) fittingHints(room int, hints ...key.Binding) string {
	return w.hinting.Fitted(room, w.theme, hints)
}

// completes is the key of the completions that a key of the table stands for.
// Esc always closes them.
func (w *windowState) completes(press tea.KeyPressMsg) string {
	name := keymap.Name(press)
	as, ok := w.keymap.Press(keymap.InComposer, press)
	c := w.keys[name]
	switch {
	case name == "esc":
		return name
	case c.ID == "complete" || c.ID == "complete-queue":
		return "tab"
	case c.ID == "send":
		return "enter"
	case !ok || name == "tab" || name == "enter" || name == "ctrl+y" && c.ID != "" && c.ID != "show-plan":
		return ""
	}
	return as.Keystroke()
}

// handler does what a command is for, with the words after its name.
type handler func(args string) tea.Cmd

// does is a handler that needs no words and asks for nothing.
func does(what func()) handler {
	return func(string) tea.Cmd {
		what()
		return nil
	}
}

// commandHandlers are what a conversation does for each command of the table that is about
// it, by its ID.
func commandHandlers(c *conversation) map[string]handler { //nolint:funlen // a table
	moves := func(do func(args string) navigation.Action) handler {
		return func(args string) tea.Cmd { return c.blocks.do(do(args)) }
	}
	goes := func(do func() navigation.Action) handler {
		return func(string) tea.Cmd { return c.blocks.do(do()) }
	}
	return map[string]handler{
		"send":           c.input.submit,
		"queue":          c.input.enqueue,
		"complete":       c.input.tab,
		"complete-queue": c.input.tabQueue,
		"history":        c.recall.searchHistory,
		"stash":          c.draft.stash,
		"mention-file":   c.draft.mentionFile,
		"attach":         c.draft.attach,
		"paste-image":    c.draft.pasteImage,
		"edit":           c.draft.editDraft,
		"palette":        c.commands.openPalette,
		"command":        c.commands.openCommandLine,
		"page-up":        does(func() { c.pane.Scroll(-c.nav.Page()) }),
		"page-down":      does(func() { c.pane.Scroll(c.nav.Page()) }),
		"line-up":        does(func() { c.pane.Scroll(-1) }),
		"line-down":      does(func() { c.pane.Scroll(1) }),
		"top":            does(c.pane.Home),
		"end":            does(c.nav.End),
		"block-above":    goes(func() navigation.Action { return c.nav.Step(false) }),
		"block-below":    goes(func() navigation.Action { return c.nav.Step(true) }),
		"search":         moves(c.nav.Search),
		"last-failure":   goes(c.nav.LastFailure),
		"unread":         goes(c.nav.FirstUnread),
		"density":        moves(c.nav.SetDensity),
		"times":          moves(c.nav.SetTimes),
		"expand":         c.input.toggleExpanded,
		"expand-all":     c.input.toggleExpanded,
		"reasoning":      does(func() { c.pane.Thinking = !c.pane.Thinking }),
		"details":        goes(c.nav.Details),
		"diff":           c.blocks.showDiff,
		"split":          goes(func() navigation.Action { return c.nav.ToggleSplit(c.win.width) }),
		"copy":           c.exports.copyAnswer,
		"open-link":      goes(c.nav.Links),
		"export":         c.exports.export,
		"redraw": func(string) tea.Cmd {
			c.pane.End()
			return tea.ClearScreen
		},
		"clear":          does(c.pane.Clear),
		"answer":         c.input.focusQuestion,
		"interrupt":      c.input.escape,
		"cycle-mode":     c.options.cycleMode,
		"mode":           c.options.setMode,
		"plan":           func(args string) tea.Cmd { return c.commands.planFirst(composer.Plain(args)[0]) },
		"show-plan":      c.options.showPlan,
		"model":          c.options.setModel,
		"rename":         c.titles.rename,
		"rewind":         c.checkpoints.rewind,
		"redo":           c.checkpoints.redo,
		"compact":        c.checkpoints.compact,
		"session":        c.reports.showSession,
		"context":        c.reports.showContext,
		"usage":          c.reports.showUsage,
		"login":          c.account.signIn,
		"logout":         c.account.signOut,
		"queued":         c.queue.showQueue,
		"tasks":          c.tasks.showTasks,
		"background":     c.tasks.background,
		"todos":          c.todos.showTodos,
		"todo-band":      c.todos.cycleTodos,
		"ask":            c.shell.ask,
		"agent":          c.options.setAgent,
		"skills":         c.options.showSkills,
		"mcp":            c.mcp.showMcp,
		"grants":         c.options.showGrants,
		"allow-all":      c.options.setAllowAll,
		"add-dir":        c.folders.addDir,
		"list-dirs":      c.folders.listDirs,
		"cwd":            c.folders.setDir,
		"help":           c.reports.showHelp,
		"keys":           c.reports.showKeys,
		"version":        c.reports.showVersion,
		"terminal-setup": c.reports.showTerminalSetup,
		"doctor":         c.reports.showDoctor,
		"report":         c.reports.showReport,
	}
}

// windowHandlers are what the window does for the commands that are about all of it,
// or about which conversations are open.
func (m *Model) windowHandlers() map[string]handler {
	return map[string]handler{
		"cancel":           m.cancel,
		"delete":           m.quitTwice,
		"vim":              m.setVim,
		"mouse":            m.mouse.toggle,
		"new":              m.switcher.newSession,
		"resume":           m.library.resume,
		"continue-here":    m.switcher.continueHere,
		"new-tab":          m.switcher.openInNewTab,
		"next-session":     func(string) tea.Cmd { return m.tabs.step(1) },
		"previous-session": func(string) tea.Cmd { return m.tabs.step(-1) },
		"open-sessions":    m.tabs.pick,
		"fork":             m.forks.fork,
		"restart":          m.switcher.restart,
		"close":            m.switcher.closeSession,
		"stop":             m.agents.stop,
		"settings":         m.openSettings,
		"status-line": func(string) tea.Cmd {
			items := m.status.items(m.statusFacts)
			m.front.pick(items, items.Rows[0].Value)
			return nil
		},
		"theme":   func(args string) tea.Cmd { return m.forAppearance(m.appearance.Choose(args, m.win.pressed)) },
		"suspend": m.win.suspend,
		"quit":    m.win.quit,
	}
}
