package tui

import (
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"parley/theme"
	"parley/tui/keymap"
)

// overlayFacts are what the window knows that what lies over it draws with. They are
// those of the moment whenever an overlay is given something.
type overlayFacts struct {
	theme         *theme.Theme
	keys          *keymap.Map
	unicode       bool
	width, height int
	now           time.Time
	home, dir     string
	waits         bool   // a question waits
	said          string // what the window hints at
}

// overlayFacts are those of now.
func (m *Model) overlayFacts() overlayFacts {
	return overlayFacts{
		theme: m.theme, keys: m.keymap, unicode: m.config.Environment().Unicode(), width: m.width, height: m.height,
		now: m.now, home: m.config.Home, dir: m.info.Dir, waits: m.questions.Len() > 0, said: m.hinted(),
	}
}

// overlayRequest is something that an overlay asks the window for. The set is closed:
// what any overlay may ask for is here, what only one does stands with it.
type overlayRequest interface{ overlayRequest() }

type (
	closeOverlay struct{}
	copyThis     struct{ text string }
	// readInEditor shows a text in the user's own editor, under a name for a file.
	readInEditor struct{ text, name string }
	// commentOn closes the overlay and begins a comment in the draft.
	commentOn struct{ text string }
)

func (closeOverlay) overlayRequest() {}
func (copyThis) overlayRequest()     {}
func (readInEditor) overlayRequest() {}
func (commentOn) overlayRequest()    {}

// outbox is what an overlay has asked the window for since that looked last.
type outbox struct{ asked []overlayRequest }

// ask asks the window for something.
func (a *outbox) ask(r overlayRequest) { a.asked = append(a.asked, r) }

// requests are what was asked for since they were taken last.
func (a *outbox) requests() []overlayRequest {
	asked := a.asked
	a.asked = nil
	return asked
}

// answer does what an overlay asks for after it was given something, which ended in
// cmd.
func (m *Model) answer(of interface{ requests() []overlayRequest }, cmd tea.Cmd) tea.Cmd {
	cmds := []tea.Cmd{cmd}
	for _, r := range of.requests() {
		cmds = append(cmds, m.forOverlay(r))
	}
	return tea.Batch(cmds...)
}

// forOverlay does what an overlay asks for.
func (m *Model) forOverlay(r overlayRequest) tea.Cmd {
	switch r := r.(type) {
	case closeOverlay:
		m.closeOverlays()
	case copyThis:
		return m.copyText(r.text)
	case readInEditor:
		return m.visit(&edition{text: r.text, name: r.name, readOnly: true})
	case commentOn:
		m.comment(r.text)
	case startSession:
		m.closeOverlays()
		return m.newSession("")
	case resumePast:
		return m.openSession(r.session)
	case readPast:
		m.closeOverlays()
		return m.readSession(r.id)
	case forkPast:
		m.closeOverlays()
		return m.forkFrom(r.id)
	case exportPast:
		return m.exportStored(r.session)
	case renameCurrent:
		return m.rename(r.name)
	case marksChanged:
		return m.findRecent()
	case markFailed:
		m.fail(r.what, r.err, "")
	}
	return nil
}

// comment begins a comment on a line of a diff in the draft.
func (m *Model) comment(on string) {
	m.closeOverlays()
	if before := m.composer.editor.Text(); before != "" && !strings.HasSuffix(before, "\n") {
		on = "\n" + on
	}
	m.composer.editor.SetOffset(len(m.composer.editor.Text()))
	m.insert(on)
	m.tell("Write what is to be said about the line.")
}
