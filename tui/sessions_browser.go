package tui

import (
	"context"
	"errors"
	"slices"
	"time"

	tea "charm.land/bubbletea/v2"

	"parley/editor"
	"parley/history/sessions"
	"parley/session"
	"parley/timeline"
	"parley/tui/files"
)

// browser shows the past sessions over the whole screen: those that a query
// finds, and beside them the chosen one as it was (product/demands.md, History
// browser). All that it reads is read by jobs.
type browser struct {
	library Library // nil while it opens
	root    string  // of the repository of the folder; "" outside of one
	known   sessions.Known

	query   *editor.Editor
	writing bool // the query has the keys
	read    sessions.Query
	matcher *timeline.Matcher // of its words; nil where it has none
	wrong   string            // why what is typed is no query; "" if it is
	wrongAt [2]int            // where in the query
	choices choices           // what may stand where the caret is
	noting  *noting           // a name or tags are written, in the query's place; nil: not

	list    sessionList
	found   bool   // something was found, be it nothing
	trouble string // why not, or what the user should know of it
	index   sessions.Progress
	turn    uint64 // of looking: what an older one finds comes too late
	stop    context.CancelFunc
	again   bool // it will be looked again soon, as the index grows
	widens  bool // nothing is asked for yet: where there is nothing, it looks further

	preview *preview // of the chosen session; nil while it is read
	kept    []*preview
	reading context.CancelFunc
	coming  *sessions.Log // of the preview that is waited for, or read
	wanted  uint64        // counts what was to be previewed
	looking bool          // the preview has the keys

	note   string    // said in place of the keys until the next one
	armed  string    // the key and the session that were pressed once
	since  time.Time // when
	letter time.Time // of the last key that types, or enter
	// pressed counts the keys. A letter that acts is held until it is sure that no
	// other comes with it.
	pressed uint64
	held    bool
	page    int       // of the keys that are named
	undone  []undoing // what can be taken back, the last at the end

	rows int // of the list, when it was drawn last
}

// sought is how sessions were looked through. It outlives the browser.
type sought struct {
	scope sessions.Scope
	order sessions.Order
	group grouping
	set   bool // by the user
}

// consultedMsg ends a job on the library.
type consultedMsg struct {
	at   time.Time // zero for a job
	show func(m *Model) tea.Cmd
}

// consult does something with the library outside the loop, and shows what came
// of it. It belongs to no conversation.
func consult[T any](ctx context.Context, do func(context.Context) (T, error), show func(m *Model, v T, err error) tea.Cmd) tea.Cmd {
	return func() tea.Msg {
		v, err := do(ctx)
		return consultedMsg{show: func(m *Model) tea.Cmd { return show(m, v, err) }}
	}
}

// consulted takes the end of a job on the library, or of a wait.
func (m *Model) consulted(msg tea.Msg) tea.Cmd {
	done, ok := msg.(consultedMsg)
	if !ok {
		return nil
	}
	m.pass(done.at)
	return done.show(m)
}

// later does something in the loop after a while.
func (m *Model) later(d time.Duration, do func(m *Model) tea.Cmd) tea.Cmd {
	return m.after(d, func(t time.Time) tea.Msg { return consultedMsg{t, do} })
}

// browseSessions opens the browser, with a query to start with.
func (m *Model) browseSessions(query string) tea.Cmd {
	if m.behind() {
		return nil
	}
	m.closeOverlays()
	m.completion = nil
	b := &browser{query: editor.New(), list: sessionList{at: -1}, widens: query == "" && !m.sought.set}
	b.query.SetText(query)
	switch {
	case query != "":
		m.sought.scope = sessions.Everywhere
	case b.widens:
		m.sought.scope = sessions.InRepository
	}
	m.browser = b
	m.readQuery()
	m.tellDraft()
	shelf, dir := m.past, m.info.Dir
	type opened struct {
		library Library
		root    string
	}
	return consult(m.ctx, func(ctx context.Context) (opened, error) {
		l, err := shelf.open(ctx)
		return opened{l, files.Root(dir)}, err
	}, func(m *Model, o opened, err error) tea.Cmd {
		if m.browser != b {
			return nil
		}
		if err != nil {
			b.found, b.trouble = true, "The sessions cannot be looked through: "+err.Error()
			return nil
		}
		b.library, b.root = o.library, o.root
		if b.root == "" && b.widens {
			m.sought.scope = sessions.InFolder
		}
		return tea.Batch(m.lookUp(), m.learn(), m.bringUpToDate())
	})
}

// leaveBrowser closes the browser and ends what it waits for.
func (m *Model) leaveBrowser() {
	b := m.browser
	if b == nil {
		return
	}
	m.browser = nil
	for _, end := range []context.CancelFunc{b.stop, b.reading} {
		if end != nil {
			end()
		}
	}
}

// bringUpToDate brings the index of an open browser up to date: as it opens, and
// once an agent has started, which may be what keeps the sessions. What the index
// has is found meanwhile.
func (m *Model) bringUpToDate() tea.Cmd {
	b := m.browser
	if b == nil || b.library == nil {
		return nil
	}
	return consult(m.ctx, func(ctx context.Context) (struct{}, error) { return struct{}{}, b.library.Refresh(ctx) },
		func(m *Model, _ struct{}, err error) tea.Cmd {
			if m.browser != b {
				return nil
			}
			if err != nil {
				b.note = "The index is not up to date: " + err.Error()
			}
			return tea.Batch(m.lookUp(), m.learn())
		})
}

// learn reads what completions there are.
func (m *Model) learn() tea.Cmd {
	b := m.browser
	return consult(m.ctx, b.library.Known, func(m *Model, k sessions.Known, err error) tea.Cmd {
		if m.browser == b && err == nil {
			b.known = k
			b.complete()
		}
		return nil
	})
}

const (
	// findTime is how long a query must stay as it is before it is asked.
	findTime = 60 * time.Millisecond
	// growTime is how often is looked again while the index grows.
	growTime = 250 * time.Millisecond
)

// lookUpSoon looks when nothing was typed for a moment.
func (m *Model) lookUpSoon() tea.Cmd {
	b := m.browser
	b.turn++
	turn := b.turn
	return m.later(findTime, func(m *Model) tea.Cmd {
		if m.browser != b || b.turn != turn {
			return nil
		}
		return m.lookUp()
	})
}

// lookUp looks for what is asked for now.
func (m *Model) lookUp() tea.Cmd {
	b := m.browser
	if b.library == nil {
		return nil
	}
	if b.stop != nil {
		b.stop()
	}
	b.turn++
	turn, ask := b.turn, m.request()
	ctx, stop := context.WithCancel(m.ctx)
	b.stop = stop
	return consult(ctx, func(ctx context.Context) (sessions.Found, error) { return b.library.Find(ctx, ask) },
		func(m *Model, f sessions.Found, err error) tea.Cmd {
			stop()
			if m.browser != b || b.turn != turn {
				return nil
			}
			return m.foundSessions(f, err)
		})
}

// request is what is asked for now.
func (m *Model) request() sessions.Request {
	b := m.browser
	return sessions.Request{Query: b.read, Scope: m.sought.scope, Dir: m.info.Dir, Root: b.root, Order: m.sought.order}
}

// foundSessions takes what was found. The chosen session stays chosen, and where
// it is on the screen.
func (m *Model) foundSessions(f sessions.Found, err error) tea.Cmd {
	b := m.browser
	if err != nil {
		if !errors.Is(err, context.Canceled) {
			b.found, b.trouble = true, "The sessions cannot be looked through: "+err.Error()
		}
		return nil
	}
	others := slices.ContainsFunc(f.Sessions, func(h sessions.Hit) bool { return !m.openHere(h.ID) })
	if b.widens && !others && m.sought.scope != sessions.Everywhere {
		m.sought.scope = sessions.Everywhere
		return m.lookUp()
	}
	b.widens = b.widens && !others
	b.found, b.index, b.trouble = true, f.Indexing, ""
	if len(f.Trouble) > 0 {
		b.trouble = f.Trouble[0]
	}
	b.list.take(m, f.Sessions)
	return tea.Batch(m.previewSoon(), m.findAgain())
}

// findAgain looks again soon while the index grows, and only then.
func (m *Model) findAgain() tea.Cmd {
	b := m.browser
	if !b.index.Busy() || b.again {
		return nil
	}
	b.again = true
	return m.later(growTime, func(m *Model) tea.Cmd {
		if b.again = false; m.browser != b {
			return nil
		}
		return m.lookUp()
	})
}

// livesHere reports whether this window goes on with a session: not where it only
// reads it.
func (m *Model) livesHere(id session.ID) bool {
	return slices.ContainsFunc(m.all, func(c *conversation) bool { return c.readOnly == nil && c.holds(id) })
}

// openHere reports whether a session is one of this window's.
func (m *Model) openHere(id session.ID) bool {
	return slices.ContainsFunc(m.all, func(c *conversation) bool { return c.holds(id) })
}
