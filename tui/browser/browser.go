// Package browser shows past sessions over the whole window: those that a query finds,
// and beside them the chosen one as its timeline was. A Browser reads nothing itself: it
// returns commands that do, whose Msg it takes, and asks the window for the rest with
// requests.
package browser

import (
	"context"
	"errors"
	"io"
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

// Library is what a Browser uses of a sessions.Library. It is safe for concurrent use.
type Library interface {
	Refresh(ctx context.Context) error
	Find(ctx context.Context, r sessions.Request) (sessions.Found, error)
	Read(ctx context.Context, id session.ID) (io.ReadCloser, error)
	Mark(ctx context.Context, id session.ID, change func(*sessions.Mark)) error
	Known(ctx context.Context) (sessions.Known, error)
}

// Config is what a Browser is made with.
type Config struct {
	Library Library
	// Options are those that the user chose in an earlier browser. The browser changes
	// them.
	Options *Options
	// After returns a command that waits for a while before it returns a message.
	After func(d time.Duration, msg func(time.Time) tea.Msg) tea.Cmd
}

// Options are how sessions are listed. They outlive a browser.
type Options struct {
	Scope sessions.Scope
	Order sessions.Order
	group grouping
	set   bool // by the user
}

// Browser implements overlay.Overlay.
type Browser struct {
	overlay.Base
	ctx     context.Context
	after   func(d time.Duration, msg func(time.Time) tea.Msg) tea.Cmd
	options *Options
	closed  bool

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
}

// Msg is the end of a command of a browser: of a job, or of a wait. It is for the Update
// of that browser, also after that was closed.
type Msg struct {
	Of *Browser
	At time.Time // zero for a job
	do func() tea.Cmd
}

// Update takes the end of a command.
func (b *Browser) Update(m Msg) tea.Cmd { return m.do() }

// job does something outside the loop, and shows what came of it.
func job[T any](ctx context.Context, b *Browser, do func(context.Context) (T, error), show func(v T, err error) tea.Cmd) tea.Cmd {
	return func() tea.Msg {
		v, err := do(ctx)
		return Msg{Of: b, do: func() tea.Cmd { return show(v, err) }}
	}
}

// later does something in the loop after a while.
func (b *Browser) later(d time.Duration, do func() tea.Cmd) tea.Cmd {
	return b.after(d, func(t time.Time) tea.Msg { return Msg{b, t, do} })
}

// holds reports whether a session is the one on the screen.
func (b *Browser) holds(id session.ID) bool { return len(b.Open) > 0 && id != "" && b.Open[0].ID == id }

// openHere reports whether a session is one of this window's.
func (b *Browser) openHere(id session.ID) bool {
	return id != "" && slices.ContainsFunc(b.Open, func(o overlay.Session) bool { return o.ID == id })
}

// livesHere reports whether this window goes on with a session: not where it only
// reads it.
func (b *Browser) livesHere(id session.ID) bool {
	return id != "" && slices.ContainsFunc(b.Open, func(o overlay.Session) bool { return o.ID == id && !o.ReadOnly })
}

// New returns a browser with a query to start with, and the command that it begins with.
// It ends with ctx.
func New(ctx context.Context, c Config, f overlay.Facts, query string) (*Browser, tea.Cmd) {
	b := &Browser{
		Base: overlay.Base{Facts: f}, ctx: ctx, after: c.After, options: c.Options, library: c.Library,
		query: editor.New(), list: sessionList{at: -1}, widens: query == "" && !c.Options.set,
	}
	b.query.SetText(query)
	switch {
	case query != "":
		b.options.Scope = sessions.Everywhere
	case b.widens:
		b.options.Scope = sessions.InRepository
	}
	b.readQuery()
	return b, job(ctx, b, func(context.Context) (string, error) { return files.Root(f.Dir), nil }, func(root string, _ error) tea.Cmd {
		if b.closed {
			return nil
		}
		b.ready, b.root = true, root
		if b.root == "" && b.widens {
			b.options.Scope = sessions.InFolder
		}
		return tea.Batch(b.lookUp(), b.learn(), b.Refresh())
	})
}

// Close implements overlay.Overlay.
func (b *Browser) Close() {
	b.closed = true
	for _, end := range []context.CancelFunc{b.stop, b.reading} {
		if end != nil {
			end()
		}
	}
}

// Refresh returns a command that brings the index up to date: as the browser opens, and once an agent
// has started, which may be what keeps the sessions. What the index has is found
// meanwhile.
func (b *Browser) Refresh() tea.Cmd {
	if !b.ready {
		return nil
	}
	library := b.library
	return job(b.ctx, b, func(ctx context.Context) (struct{}, error) { return struct{}{}, library.Refresh(ctx) },
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
func (b *Browser) learn() tea.Cmd {
	return job(b.ctx, b, b.library.Known, func(k sessions.Known, err error) tea.Cmd {
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
func (b *Browser) lookUpSoon() tea.Cmd {
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
func (b *Browser) lookUp() tea.Cmd {
	if !b.ready {
		return nil
	}
	if b.stop != nil {
		b.stop()
	}
	b.turn++
	turn, library := b.turn, b.library
	ask := sessions.Request{Query: b.read, Scope: b.options.Scope, Dir: b.Dir, Root: b.root, Order: b.options.Order}
	ctx, stop := context.WithCancel(b.ctx)
	b.stop = stop
	return job(ctx, b, func(ctx context.Context) (sessions.Found, error) { return library.Find(ctx, ask) },
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
func (b *Browser) foundSessions(f sessions.Found, err error) tea.Cmd {
	if err != nil {
		if !errors.Is(err, context.Canceled) {
			b.found, b.trouble = true, "The sessions cannot be looked through: "+err.Error()
		}
		return nil
	}
	others := slices.ContainsFunc(f.Sessions, func(h sessions.Hit) bool { return !b.openHere(h.ID) })
	if b.widens && !others && b.options.Scope != sessions.Everywhere {
		b.options.Scope = sessions.Everywhere
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
func (b *Browser) findAgain() tea.Cmd {
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
