package tui

import (
	"slices"
	"strings"
	"time"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"parley/render"
	"parley/session"
	"parley/theme"
	"parley/tui/keymap"
	"parley/tui/widget"
)

// overlay is what lies over the window and has the keys: a list, a text, the edits, the
// past sessions. It knows of the window only its facts, and asks it with requests.
type overlay interface {
	know(f overlayFacts)
	requests() []overlayRequest
	// covers is what of the window it takes.
	covers() covering
	// wants is how many lines it wants, where it lies above the draft.
	wants() int
	// view draws it, and says where its caret is; y is -1 without one.
	view(width, height int) (lines []string, x, y int)
	key(press tea.KeyPressMsg) tea.Cmd
	// paste takes a paste; not ok means that it is for the draft.
	paste(text string) (cmd tea.Cmd, ok bool)
	wheel(x, n int) tea.Cmd
	// click takes a click, which is counted from its first cell.
	click(c tea.MouseClickMsg) tea.Cmd
	// close ends what it waits for.
	close()
}

// covering is what of the window an overlay takes.
type covering uint8

const (
	aboveDraft   covering = iota // some lines
	overTimeline                 // the place of the timeline
	overAll
)

// overlayFacts are what the window knows that what lies over it draws with. They are
// those of the moment whenever an overlay is given something.
type overlayFacts struct {
	theme         *theme.Theme
	keys          *keymap.Map
	unicode       bool
	width, height int
	now           time.Time
	zone          *time.Location
	home, dir     string
	keeper        string // of the sessions that this window can go on with; "" is any
	waits         bool   // a question waits
	said          string // what the window hints at

	options render.Options // how the timeline is drawn
	density render.Density
	open    []shownSession // in this window, the one on the screen first
	renames bool           // the agent keeps the name of that one

	// told is how the context is filled as the events say; nil if they do not.
	told             *session.ContextUse
	tokens, messages int // in the context, as the events say
}

// shownSession is a session that is open in the window.
type shownSession struct {
	id    session.ID
	reads bool // it is only read
}

// overlayFacts are those of now.
func (m *Model) overlayFacts() overlayFacts {
	s := m.timeline.Status()
	_, renames := session.As[session.Renamer](m.session)
	f := overlayFacts{
		theme: m.theme, keys: m.keymap, unicode: m.config.Environment().Unicode(), width: m.width, height: m.height,
		now: m.now, zone: m.zone, home: m.config.Home, dir: m.info.Dir, keeper: m.config.Keeper,
		waits: m.questions.Len() > 0, said: m.hinted(), options: m.pane.Opts, density: m.pane.Density,
		open: make([]shownSession, 0, len(m.all)), renames: renames && m.session != nil,
		told: m.contextTold(), tokens: s.ContextTokens, messages: s.ContextMessages,
	}
	for _, c := range m.all {
		if one := (shownSession{c.shownID(), c.readOnly != nil}); c == m.conversation {
			f.open = slices.Insert(f.open, 0, one)
		} else {
			f.open = append(f.open, one)
		}
	}
	return f
}

// overlayBase is what every overlay knows, and asks the window for.
type overlayBase struct {
	overlayFacts
	outbox
	hints widget.HintLine
}

func (b *overlayBase) know(f overlayFacts) { b.overlayFacts = f }

func (b *overlayBase) wants() int { return 0 }

func (b *overlayBase) paste(string) (tea.Cmd, bool) { return nil, false }

func (b *overlayBase) close() {}

// ways are hints of actions, with the user's keys for them.
func (b *overlayBase) ways(pairs ...string) []key.Binding { return b.keys.Hints(b.unicode, pairs...) }

// fitted draws as many hints, from the first, as there is room for.
func (b *overlayBase) fitted(room int, hints ...key.Binding) string {
	return b.hints.Fitted(room, b.theme, hints)
}

// cut makes s safe, shortens it to a width and marks that it did.
func (b *overlayBase) cut(s string, width int) string { return widget.Cut(b.theme, s, width) }

// dot stands between short things on one line.
func (b *overlayBase) dot() string { return widget.Dot(b.theme) }

// cover lays something over the window, in the place of what is there.
func (m *Model) cover(o overlay) {
	if m.overlay != nil {
		m.overlay.close()
	}
	o.know(m.overlayFacts())
	m.overlay, m.completion = o, nil
}

// overlaid gives what lies over the window something, and does what it asks for then.
func (m *Model) overlaid(do func(o overlay) tea.Cmd) tea.Cmd {
	o := m.overlay
	o.know(m.overlayFacts())
	return m.answer(o, do(o))
}

// over is what lies over the window, if it is of a type; nil if it is not.
func over[T overlay](m *Model) T {
	o, _ := m.overlay.(T)
	return o
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
	// doThis does what the user chose.
	doThis struct{ do func() tea.Cmd }
)

func (closeOverlay) overlayRequest() {}
func (copyThis) overlayRequest()     {}
func (readInEditor) overlayRequest() {}
func (commentOn) overlayRequest()    {}
func (doThis) overlayRequest()       {}

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
	case doThis:
		return r.do()
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
