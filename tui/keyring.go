package tui

import (
	"reflect"
	"strings"

	tea "charm.land/bubbletea/v2"

	"parley/history"
	"parley/prompts"
	"parley/settings"
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
		m.warn("keys", strings.Join(texts, "\n")+" What was set before stays.")
		return
	}
	m.chord, m.armed = false, armed{}
	m.questions.Resize(m.now)
}

// keyFor is how the user gets to an action: its first key, or its command.
func (sh *shared) keyFor(name string) string { return sh.keymap.KeyFor(name) }

// says is a text with the user's keys.
func (sh *shared) says(text string) string { return sh.keymap.Fill(text) }

// inQuery is what a press is where a query is written.
func (sh *shared) inQuery(press tea.KeyPressMsg) tea.KeyPressMsg { return sh.keymap.Query(press) }

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

// handler does what a command is for, with the words after its name.
type handler func(m *Model, args string) tea.Cmd

// handlers are what the window does for each command of the table that no part
// of it has built in, by its ID.
func handlers() map[string]handler { //nolint:funlen // a table
	return map[string]handler{
		"send":             (*Model).submit,
		"queue":            (*Model).enqueue,
		"complete":         (*Model).tab,
		"complete-queue":   (*Model).tabQueue,
		"history":          (*Model).searchHistory,
		"stash":            (*Model).stash,
		"mention-file":     (*Model).mentionFile,
		"attach":           (*Model).attach,
		"paste-image":      (*Model).pasteImage,
		"edit":             (*Model).editDraft,
		"palette":          (*Model).openPalette,
		"command":          (*Model).openCommandLine,
		"cancel":           (*Model).cancel,
		"delete":           (*Model).quitTwice,
		"vim":              (*Model).setVim,
		"page-up":          func(m *Model, _ string) tea.Cmd { return m.scroll(-m.page()) },
		"page-down":        func(m *Model, _ string) tea.Cmd { return m.scroll(m.page()) },
		"line-up":          func(m *Model, _ string) tea.Cmd { return m.scroll(-1) },
		"line-down":        func(m *Model, _ string) tea.Cmd { return m.scroll(1) },
		"top":              (*Model).goHome,
		"end":              (*Model).goEnd,
		"block-above":      func(m *Model, _ string) tea.Cmd { return m.stepBlock(false) },
		"block-below":      func(m *Model, _ string) tea.Cmd { return m.stepBlock(true) },
		"search":           (*Model).openSearch,
		"last-failure":     (*Model).lastFailure,
		"unread":           (*Model).firstUnread,
		"density":          (*Model).setDensity,
		"times":            (*Model).setTimes,
		"expand":           (*Model).toggleExpanded,
		"expand-all":       (*Model).toggleExpanded,
		"reasoning":        (*Model).toggleReasoning,
		"details":          (*Model).openDetails,
		"diff":             (*Model).showDiff,
		"split":            (*Model).toggleSplit,
		"copy":             (*Model).copyAnswer,
		"open-link":        (*Model).openLink,
		"export":           (*Model).export,
		"mouse":            (*Model).toggleMouse,
		"redraw":           (*Model).redraw,
		"clear":            (*Model).clearScreen,
		"answer":           (*Model).focusQuestion,
		"interrupt":        (*Model).escape,
		"cycle-mode":       (*Model).cycleMode,
		"mode":             (*Model).setMode,
		"plan":             func(m *Model, args string) tea.Cmd { return m.planFirst(plainDrafts([]string{args})[0]) },
		"show-plan":        (*Model).showPlan,
		"model":            (*Model).setModel,
		"new":              (*Model).newSession,
		"resume":           (*Model).resumeSession,
		"go-on":            (*Model).goOn,
		"beside":           (*Model).openBeside,
		"next-session":     func(m *Model, _ string) tea.Cmd { return m.stepConversation(1) },
		"previous-session": func(m *Model, _ string) tea.Cmd { return m.stepConversation(-1) },
		"open-sessions":    (*Model).pickConversation,
		"rename":           (*Model).rename,
		"fork":             (*Model).fork,
		"rewind":           (*Model).rewind,
		"redo":             (*Model).redo,
		"compact":          (*Model).compact,
		"session":          (*Model).showSession,
		"context":          (*Model).showContext,
		"usage":            (*Model).showUsage,
		"restart":          (*Model).restart,
		"login":            (*Model).signIn,
		"logout":           (*Model).signOut,
		"close":            (*Model).closeSession,
		"stop":             (*Model).stopAgent,
		"queued":           (*Model).showQueue,
		"tasks":            (*Model).showTasks,
		"background":       (*Model).background,
		"todos":            (*Model).showTodos,
		"todo-band":        (*Model).cycleTodos,
		"ask":              (*Model).ask,
		"agent":            (*Model).setAgent,
		"skills":           (*Model).showSkills,
		"mcp":              (*Model).showMcp,
		"grants":           (*Model).showGrants,
		"allow-all":        (*Model).setAllowAll,
		"add-dir":          (*Model).addDir,
		"list-dirs":        (*Model).listDirs,
		"cwd":              (*Model).setDir,
		"help":             (*Model).showHelp,
		"keys":             (*Model).showKeys,
		"settings":         (*Model).openSettings,
		"status-line":      (*Model).showStatusItems,
		"theme":            (*Model).setTheme,
		"version":          (*Model).showVersion,
		"terminal-setup":   (*Model).showTerminalSetup,
		"doctor":           (*Model).showDoctor,
		"report":           (*Model).showReport,
		"suspend":          (*Model).suspend,
		"quit":             (*Model).quit,
	}
}

// draftHandler does what a command is for with what follows its name in a draft,
// chips and all.
func draftHandler(id string) func(m *Model, d history.Draft) tea.Cmd {
	if id == "plan" {
		return (*Model).planFirst
	}
	return nil
}
