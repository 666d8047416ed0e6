package tui

import (
	"reflect"
	"strings"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"parley/history/drafts"
	"parley/prompts"
	"parley/settings"
	"parley/tui/composer"
	"parley/tui/keymap"
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
func (sh *shared) bind(k settings.Keys) []error {
	km, wrong := keymap.New(k)
	if wrong != nil && sh.keymap != nil {
		return wrong
	}
	if sh.cards == nil {
		sh.cards = &prompts.Keys{}
	}
	sh.keymap, sh.commands, sh.keys, *sh.cards = km, km.Commands, keymap.ByKey(km.Commands), cards(km)
	return wrong
}

// cards are the user's keys on questions and forms.
func cards(km *keymap.Map) prompts.Keys {
	in := func(scope string) prompts.Bindings {
		meant, shown := km.Own(scope)
		return prompts.Bindings{Meant: meant, Shown: shown}
	}
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
	if wrong := m.bind(now); wrong != nil {
		m.config.Keys = before
		texts := make([]string, 0, len(wrong))
		for _, err := range wrong {
			texts = append(texts, err.Error()+".")
		}
		m.front.warn("keys", strings.Join(texts, "\n")+" What was set before stays.")
		return
	}
	m.chord.pressed, m.front.armed = false, armed{}
	m.front.questions.Resize(m.now)
}

// keyFor is how the user gets to an action: its first key, or its command.
func (sh *shared) keyFor(name string) string { return sh.keymap.KeyFor(name) }

// says is a text with the user's keys.
func (sh *shared) says(text string) string { return sh.keymap.Fill(text) }

// ways are hints of actions, with the user's keys for them: pairs of actions, which
// are separated by blanks, and what they do.
func (sh *shared) ways(pairs ...string) []key.Binding {
	return sh.keymap.Hints(sh.config.Environment().Unicode(), pairs...)
}

// keyHints draws hints in a line.
func (sh *shared) keyHints(hints ...key.Binding) string { return sh.hinting.Draw(sh.theme, hints) }

// fittingHints draws as many hints, from the first, as there is room for; the first
// stays.
func (sh *shared) fittingHints(room int, hints ...key.Binding) string {
	return sh.hinting.Fitted(room, sh.theme, hints)
}

// completes is the key of the completions that a key of the table stands for.
// Esc always closes them.
func (sh *shared) completes(press tea.KeyPressMsg) string {
	name := keymap.Name(press)
	as, ok := sh.keymap.Press(keymap.InComposer, press)
	c := sh.keys[name]
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

// handler does what a command is for in a conversation, with the words after its name.
type handler func(c *conversation, args string) tea.Cmd

// handlers are what a conversation does for each command of the table that is about
// it, by its ID.
func handlers() map[string]handler { //nolint:funlen // a table
	return map[string]handler{
		"send":           (*conversation).submit,
		"queue":          (*conversation).enqueue,
		"complete":       (*conversation).tab,
		"complete-queue": (*conversation).tabQueue,
		"history":        (*conversation).searchHistory,
		"stash":          (*conversation).stash,
		"mention-file":   (*conversation).mentionFile,
		"attach":         (*conversation).attach,
		"paste-image":    (*conversation).pasteImage,
		"edit":           (*conversation).editDraft,
		"palette":        (*conversation).openPalette,
		"command":        (*conversation).openCommandLine,
		"page-up":        func(c *conversation, _ string) tea.Cmd { return c.scroll(-c.page()) },
		"page-down":      func(c *conversation, _ string) tea.Cmd { return c.scroll(c.page()) },
		"line-up":        func(c *conversation, _ string) tea.Cmd { return c.scroll(-1) },
		"line-down":      func(c *conversation, _ string) tea.Cmd { return c.scroll(1) },
		"top":            (*conversation).goHome,
		"end":            (*conversation).goEnd,
		"block-above":    func(c *conversation, _ string) tea.Cmd { return c.stepBlock(false) },
		"block-below":    func(c *conversation, _ string) tea.Cmd { return c.stepBlock(true) },
		"search":         (*conversation).openSearch,
		"last-failure":   (*conversation).lastFailure,
		"unread":         (*conversation).firstUnread,
		"density":        (*conversation).setDensity,
		"times":          (*conversation).setTimes,
		"expand":         (*conversation).toggleExpanded,
		"expand-all":     (*conversation).toggleExpanded,
		"reasoning":      (*conversation).toggleReasoning,
		"details":        (*conversation).openDetails,
		"diff":           (*conversation).showDiff,
		"split":          (*conversation).toggleSplit,
		"copy":           (*conversation).copyAnswer,
		"open-link":      (*conversation).openLink,
		"export":         (*conversation).export,
		"redraw":         (*conversation).redraw,
		"clear":          (*conversation).clearScreen,
		"answer":         (*conversation).focusQuestion,
		"interrupt":      (*conversation).escape,
		"cycle-mode":     (*conversation).cycleMode,
		"mode":           (*conversation).setMode,
		"plan":           func(c *conversation, args string) tea.Cmd { return c.planFirst(composer.Plain(args)[0]) },
		"show-plan":      (*conversation).showPlan,
		"model":          (*conversation).setModel,
		"rename":         (*conversation).rename,
		"rewind":         (*conversation).rewind,
		"redo":           (*conversation).redo,
		"compact":        (*conversation).compact,
		"session":        (*conversation).showSession,
		"context":        (*conversation).showContext,
		"usage":          (*conversation).showUsage,
		"login":          (*conversation).signIn,
		"logout":         (*conversation).signOut,
		"queued":         (*conversation).showQueue,
		"tasks":          (*conversation).showTasks,
		"background":     (*conversation).background,
		"todos":          (*conversation).showTodos,
		"todo-band":      (*conversation).cycleTodos,
		"ask":            (*conversation).ask,
		"agent":          (*conversation).setAgent,
		"skills":         (*conversation).showSkills,
		"mcp":            (*conversation).showMcp,
		"grants":         (*conversation).showGrants,
		"allow-all":      (*conversation).setAllowAll,
		"add-dir":        (*conversation).addDir,
		"list-dirs":      (*conversation).listDirs,
		"cwd":            (*conversation).setDir,
		"help":           (*conversation).showHelp,
		"keys":           (*conversation).showKeys,
		"version":        (*conversation).showVersion,
		"terminal-setup": (*conversation).showTerminalSetup,
		"doctor":         (*conversation).showDoctor,
		"report":         (*conversation).showReport,
	}
}

// windowHandlers are what the window does for the commands that are about all of it,
// or about which conversations are open.
func (m *Model) windowHandlers() map[string]func(args string) tea.Cmd {
	return map[string]func(string) tea.Cmd{
		"cancel":           m.cancel,
		"delete":           m.quitTwice,
		"vim":              m.setVim,
		"mouse":            m.toggleMouse,
		"new":              m.newSession,
		"resume":           m.resumeSession,
		"continue-here":    m.goOn,
		"new-tab":          m.openBeside,
		"next-session":     func(string) tea.Cmd { return m.stepConversation(1) },
		"previous-session": func(string) tea.Cmd { return m.stepConversation(-1) },
		"open-sessions":    m.pickConversation,
		"fork":             m.fork,
		"restart":          m.restart,
		"close":            m.closeSession,
		"stop":             m.stopAgent,
		"settings":         m.openSettings,
		"status-line":      m.showStatusItems,
		"theme":            m.setTheme,
		"suspend":          m.suspend,
		"quit":             m.quit,
	}
}

// draftHandler does what a command is for with what follows its name in a draft,
// chips and all.
func draftHandler(id string) func(c *conversation, d drafts.Draft) tea.Cmd {
	if id == "plan" {
		return (*conversation).planFirst
	}
	return nil
}
