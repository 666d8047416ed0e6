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
	ListKept(ctx context.Context) error
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
	// None is said where no session is stored at all; "" says how to start one.
	None string
	// Quits is whether closing it ends the window, which was opened for it.
	Quits bool
	// ExportName is the name of the file that a session of a title is written to, unless
	// the user gives another.
	ExportName func(title string) string
	// After returns a command that waits for a while before it returns a message.
	After func(d time.Duration, msg func(time.Time) tea.Msg) tea.Cmd
}

// Options are how sessions are listed. They outlive a browser.
type Options struct {
	Scope     sessions.Scope
	Order     sessions.Order
	group     grouping
	setByUser bool
}

// Browser implements overlay.Overlay.
type Browser struct {
	overlay.Base
	ctx     context.Context
	after   func(d time.Duration, msg func(time.Time) tea.Msg) tea.Cmd
	options *Options
	none    string
	quits   bool
	closed  bool

	exportName func(title string) string

	library  Library
	ready    bool   // repoRoot is known
	repoRoot string // of the session's folder; "" outside of a repository
	known    sessions.Known

	query        *editor.Editor
	queryFocused bool
	parsed       sessions.Query
	matcher      *timeline.Matcher // of the words of the query; nil if it has none
	queryError   string            // "" without an error
	errorSpan    [2]int            // of the query, in bytes
	completions  completions
	input        *lineInput // takes the place of the query; nil if nothing is asked for

	list          sessionList
	loaded        bool   // a search has returned
	warning       string // shown below the query
	indexing      sessions.Progress
	asking        bool   // the agent, for the sessions that it keeps
	searches      uint64 // numbers searches: the results of earlier ones are dropped
	cancelSearch  context.CancelFunc
	searchPending bool // another search follows, since the index grows
	autoWiden     bool // the user has chosen no scope: an empty one gives way to a wider one

	preview         *preview // of the chosen session; nil until it is read
	previews        []*preview
	cancelPreview   context.CancelFunc
	loading         *sessions.Log // that the next preview is of
	previewRequests uint64        // numbers them: what earlier ones read is dropped
	previewFocused  bool

	message   string // in place of the key hints until the next key
	armed     armed
	typing    typing
	undoStack []undoEntry
}

// Msg is the end of a command of a browser: of a job, or of a wait. It is for the Update
// of that browser, even if that is closed.
type Msg struct {
	Of         *Browser
	At         time.Time // zero for a job
	do         func() tea.Cmd
	whenClosed bool // it is of use to a browser that is closed
}

// Update handles the end of a command.
func (b *Browser) Update(m Msg) tea.Cmd {
	if b.closed && !m.whenClosed {
		return nil
	}
	return m.do()
}

// job runs do outside the event loop, and show with its result in it.
func job[T any](ctx context.Context, b *Browser, do func(context.Context) (T, error), show func(v T, err error) tea.Cmd) tea.Cmd {
	return func() tea.Msg {
		v, err := do(ctx)
		return Msg{Of: b, do: func() tea.Cmd { return show(v, err) }}
	}
}

// later runs do in the event loop after a while.
func (b *Browser) later(d time.Duration, do func() tea.Cmd) tea.Cmd {
	return b.after(d, func(t time.Time) tea.Msg { return Msg{Of: b, At: t, do: do} })
}

// renames reports whether the session is open in this window where it can be renamed.
func (b *Browser) renames(id session.ID) bool {
	return id != "" && slices.ContainsFunc(b.Open, func(o overlay.Session) bool { return o.ID == id && o.Renames })
}

// isCurrent reports whether a session is the one on the screen.
func (b *Browser) isCurrent(id session.ID) bool {
	return len(b.Open) > 0 && id != "" && b.Open[0].ID == id
}

// isOpen reports whether a session is open in this window.
func (b *Browser) isOpen(id session.ID) bool {
	return id != "" && slices.ContainsFunc(b.Open, func(o overlay.Session) bool { return o.ID == id })
}

// isActive reports whether a session is open in this window and not read only.
func (b *Browser) isActive(id session.ID) bool {
	return id != "" && slices.ContainsFunc(b.Open, func(o overlay.Session) bool { return o.ID == id && !o.ReadOnly })
}

// New returns a browser with a query to start with, and its first command. All that it
// does ends with ctx.
func New(ctx context.Context, c Config, f overlay.Facts, query string) (*Browser, tea.Cmd) {
	b := &Browser{
		Base: overlay.Base{Facts: f}, ctx: ctx, after: c.After, options: c.Options, library: c.Library,
		none: c.None, quits: c.Quits, exportName: c.ExportName, query: editor.New(), list: sessionList{chosenItem: -1},
		autoWiden: query == "" && !c.Options.setByUser,
	}
	b.query.SetText(query)
	switch {
	case query != "":
		b.options.Scope = sessions.Everywhere
	case b.autoWiden:
		b.options.Scope = sessions.InRepository
	}
	b.parseQuery()
	return b, job(ctx, b, func(context.Context) (string, error) { return files.Root(f.Dir), nil }, func(root string, _ error) tea.Cmd {
		b.ready, b.repoRoot = true, root
		if b.repoRoot == "" && b.autoWiden {
			b.options.Scope = sessions.InFolder
		}
		return tea.Batch(b.search(), b.loadKnown(), b.Refresh(), listKept(b))
	})
}

// listKept asks for the sessions that the agent keeps itself, which takes as long as starting it.
func listKept(b *Browser) tea.Cmd {
	library := b.library
	return job(b.ctx, b, func(ctx context.Context) (struct{}, error) { return struct{}{}, library.ListKept(ctx) },
		func(struct{}, error) tea.Cmd { return b.search() })
}

// Close implements overlay.Overlay.
func (b *Browser) Close() {
	b.closed = true
	for _, end := range []context.CancelFunc{b.cancelSearch, b.cancelPreview} {
		if end != nil {
			end()
		}
	}
}

// Refresh returns a command that brings the index up to date and searches again. It is for
// a browser that opens, and for an agent that starts, which may be what stores the
// sessions.
func (b *Browser) Refresh() tea.Cmd {
	if !b.ready {
		return nil
	}
	library := b.library
	return job(b.ctx, b, func(ctx context.Context) (struct{}, error) { return struct{}{}, library.Refresh(ctx) },
		func(_ struct{}, err error) tea.Cmd {
			if err != nil {
				b.message = "The index is not up to date: " + err.Error()
			}
			return tea.Batch(b.search(), b.loadKnown())
		})
}

// loadKnown reads the values that completion offers.
func (b *Browser) loadKnown() tea.Cmd {
	return job(b.ctx, b, b.library.Known, func(k sessions.Known, err error) tea.Cmd {
		if err == nil {
			b.known = k
			b.updateCompletions()
		}
		return nil
	})
}

const (
	// searchDebounce is how long the query must stay unchanged before a search.
	searchDebounce = 60 * time.Millisecond
	// indexPollInterval is the time between searches while the index grows.
	indexPollInterval = 250 * time.Millisecond
)

// searchSoon searches once the query stays unchanged.
func (b *Browser) searchSoon() tea.Cmd {
	b.searches++
	turn := b.searches
	return b.later(searchDebounce, func() tea.Cmd {
		if b.searches != turn {
			return nil
		}
		return b.search()
	})
}

// search starts a search, which cancels the one before.
func (b *Browser) search() tea.Cmd {
	if !b.ready {
		return nil
	}
	if b.cancelSearch != nil {
		b.cancelSearch()
	}
	b.searches++
	turn, library := b.searches, b.library
	ask := sessions.Request{Query: b.parsed, Scope: b.options.Scope, Dir: b.Dir, Root: b.repoRoot, Order: b.options.Order}
	ctx, stop := context.WithCancel(b.ctx)
	b.cancelSearch = stop
	return job(ctx, b, func(ctx context.Context) (sessions.Found, error) { return library.Find(ctx, ask) },
		func(f sessions.Found, err error) tea.Cmd {
			stop()
			if b.searches != turn {
				return nil
			}
			return b.showResults(f, err)
		})
}

// showResults shows what a search found. The chosen session stays chosen, and where it is
// on the screen.
func (b *Browser) showResults(f sessions.Found, err error) tea.Cmd {
	if err != nil {
		if !errors.Is(err, context.Canceled) {
			b.loaded, b.warning = true, "The sessions cannot be searched: "+err.Error()
		}
		return nil
	}
	others := slices.ContainsFunc(f.Sessions, func(h sessions.Hit) bool { return !b.isOpen(h.ID) })
	if b.autoWiden && !others && b.options.Scope != sessions.Everywhere {
		b.options.Scope = sessions.Everywhere
		return b.search()
	}
	b.autoWiden = b.autoWiden && !others
	b.loaded, b.indexing, b.asking, b.warning = true, f.Indexing, f.Asking, ""
	if len(f.Warnings) > 0 {
		b.warning = f.Warnings[0]
	}
	b.list.setHits(b, f.Sessions)
	return tea.Batch(b.previewSoon(), b.searchWhileIndexing())
}

// searchWhileIndexing searches again after a while if the index grows.
func (b *Browser) searchWhileIndexing() tea.Cmd {
	if !b.indexing.Busy() || b.searchPending {
		return nil
	}
	b.searchPending = true
	return b.later(indexPollInterval, func() tea.Cmd {
		b.searchPending = false
		return b.search()
	})
}
