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
	"parley/tui/overlay"
)

// browser shows the past sessions over the whole screen: those that a query
// finds, and beside them the chosen one as it was. All that it reads is read by
// jobs.
type browser struct {
	overlay.Base
	ctx    context.Context
	after  func(d time.Duration, msg func(time.Time) tea.Msg) tea.Cmd
	sought *sought
	closed bool

	library Library
	ready   bool   // it is known which repository this is
	root    string // of the repository of the folder; "" outside of one
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

// What the browser asks the window for, besides what any overlay does.
type (
	startSession  struct{}
	resumePast    struct{ session sessions.Session }
	readPast      struct{ id session.ID }
	forkPast      struct{ id session.ID }
	exportPast    struct{ session sessions.Session }
	renameCurrent struct{ name string }
	marksChanged  struct{}
	// markFailed says what could not be noted, where the browser is closed.
	markFailed struct {
		what string
		err  error
	}
)

func (startSession) OverlayRequest()  {}
func (resumePast) OverlayRequest()    {}
func (readPast) OverlayRequest()      {}
func (forkPast) OverlayRequest()      {}
func (exportPast) OverlayRequest()    {}
func (renameCurrent) OverlayRequest() {}
func (marksChanged) OverlayRequest()  {}
func (markFailed) OverlayRequest()    {}

// browserMsg ends a job of the browser, or a wait.
type browserMsg struct {
	of   *browser
	at   time.Time // zero for a job
	show func() tea.Cmd
}

// browse does something outside the loop, and shows what came of it.
func browse[T any](ctx context.Context, b *browser, do func(context.Context) (T, error), show func(v T, err error) tea.Cmd) tea.Cmd {
	return func() tea.Msg {
		v, err := do(ctx)
		return browserMsg{of: b, show: func() tea.Cmd { return show(v, err) }}
	}
}

// later does something in the loop after a while.
func (b *browser) later(d time.Duration, do func() tea.Cmd) tea.Cmd {
	return b.after(d, func(t time.Time) tea.Msg { return browserMsg{b, t, do} })
}

// holds reports whether a session is the one on the screen.
func (b *browser) holds(id session.ID) bool { return len(b.Open) > 0 && id != "" && b.Open[0].ID == id }

// openHere reports whether a session is one of this window's.
func (b *browser) openHere(id session.ID) bool {
	return id != "" && slices.ContainsFunc(b.Open, func(o overlay.Session) bool { return o.ID == id })
}

// livesHere reports whether this window goes on with a session: not where it only
// reads it.
func (b *browser) livesHere(id session.ID) bool {
	return id != "" && slices.ContainsFunc(b.Open, func(o overlay.Session) bool { return o.ID == id && !o.ReadOnly })
}

// sought is how sessions were looked through. It outlives the browser.
type sought struct {
	scope sessions.Scope
	order sessions.Order
	group grouping
	set   bool // by the user
}

// newBrowser is a browser with a query to start with, and the command that finds the
// repository of the folder.
func newBrowser(ctx context.Context, query string, f overlay.Facts, how *sought, lib Library,
	after func(time.Duration, func(time.Time) tea.Msg) tea.Cmd,
) (*browser, tea.Cmd) {
	b := &browser{
		Base: overlay.Base{Facts: f}, ctx: ctx, after: after, sought: how, library: lib,
		query: editor.New(), list: sessionList{at: -1}, widens: query == "" && !how.set,
	}
	b.query.SetText(query)
	switch {
	case query != "":
		how.scope = sessions.Everywhere
	case b.widens:
		how.scope = sessions.InRepository
	}
	b.readQuery()
	return b, browse(ctx, b, func(context.Context) (string, error) { return files.Root(f.Dir), nil }, func(root string, _ error) tea.Cmd {
		if b.closed {
			return nil
		}
		b.ready, b.root = true, root
		if b.root == "" && b.widens {
			how.scope = sessions.InFolder
		}
		return tea.Batch(b.lookUp(), b.learn(), b.bringUpToDate())
	})
}

// close ends what the browser waits for.
func (b *browser) Close() {
	b.closed = true
	for _, end := range []context.CancelFunc{b.stop, b.reading} {
		if end != nil {
			end()
		}
	}
}

// bringUpToDate brings the index up to date: as the browser opens, and once an agent
// has started, which may be what keeps the sessions. What the index has is found
// meanwhile.
func (b *browser) bringUpToDate() tea.Cmd {
	if !b.ready {
		return nil
	}
	library := b.library
	return browse(b.ctx, b, func(ctx context.Context) (struct{}, error) { return struct{}{}, library.Refresh(ctx) },
		func(_ struct{}, err error) tea.Cmd {
			if b.closed {
				return nil
			}
			if err != nil {
				b.note = "The index is not up to date: " + err.Error()
			}
			return tea.Batch(b.lookUp(), b.learn())
		})
}

// learn reads what completions there are.
func (b *browser) learn() tea.Cmd {
	return browse(b.ctx, b, b.library.Known, func(k sessions.Known, err error) tea.Cmd {
		if !b.closed && err == nil {
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
func (b *browser) lookUpSoon() tea.Cmd {
	b.turn++
	turn := b.turn
	return b.later(findTime, func() tea.Cmd {
		if b.closed || b.turn != turn {
			return nil
		}
		return b.lookUp()
	})
}

// lookUp looks for what is asked for now.
func (b *browser) lookUp() tea.Cmd {
	if !b.ready {
		return nil
	}
	if b.stop != nil {
		b.stop()
	}
	b.turn++
	turn, library := b.turn, b.library
	ask := sessions.Request{Query: b.read, Scope: b.sought.scope, Dir: b.Dir, Root: b.root, Order: b.sought.order}
	ctx, stop := context.WithCancel(b.ctx)
	b.stop = stop
	return browse(ctx, b, func(ctx context.Context) (sessions.Found, error) { return library.Find(ctx, ask) },
		func(f sessions.Found, err error) tea.Cmd {
			stop()
			if b.closed || b.turn != turn {
				return nil
			}
			return b.foundSessions(f, err)
		})
}

// foundSessions takes what was found. The chosen session stays chosen, and where
// it is on the screen.
func (b *browser) foundSessions(f sessions.Found, err error) tea.Cmd {
	if err != nil {
		if !errors.Is(err, context.Canceled) {
			b.found, b.trouble = true, "The sessions cannot be looked through: "+err.Error()
		}
		return nil
	}
	others := slices.ContainsFunc(f.Sessions, func(h sessions.Hit) bool { return !b.openHere(h.ID) })
	if b.widens && !others && b.sought.scope != sessions.Everywhere {
		b.sought.scope = sessions.Everywhere
		return b.lookUp()
	}
	b.widens = b.widens && !others
	b.found, b.index, b.trouble = true, f.Indexing, ""
	if len(f.Trouble) > 0 {
		b.trouble = f.Trouble[0]
	}
	b.list.take(b, f.Sessions)
	return tea.Batch(b.previewSoon(), b.findAgain())
}

// findAgain looks again soon while the index grows, and only then.
func (b *browser) findAgain() tea.Cmd {
	if !b.index.Busy() || b.again {
		return nil
	}
	b.again = true
	return b.later(growTime, func() tea.Cmd {
		if b.again = false; b.closed {
			return nil
		}
		return b.lookUp()
	})
}
