package render

import (
	"strings"
	"time"

	"parley/render/lru"
	"parley/render/text"
	"parley/timeline"
)

// Cache keeps drawn lines and what is needed to draw more of an entry without
// starting over. It holds a bounded number of lines; what was not used for
// long is dropped and drawn again when it is asked for. It is for one
// goroutine.
type Cache struct {
	lines  lru.Cache[slot, drawing]
	states lru.Cache[timeline.EntryID, *state]
}

// slot is where the lines of a unit are kept. There is one drawing of a unit
// at a time: at another width or after a change it takes the old one's place.
type slot struct {
	id   timeline.EntryID
	part partKind
	unit int
}

// drawing is the lines of a unit and all they were made from.
type drawing struct {
	stamp uint64
	o     Options
	lines []string
}

// state is what is kept of an entry between frames.
type state struct {
	doc     doc
	body    timeline.Body
	version uint64
	fold    Fold
	parts   []part
	units   int
}

// maxStates bounds the entries whose parsed form is kept. It is far more than
// a screen shows.
const maxStates = 2048

// NewCache returns a cache that holds at most maxLines drawn lines.
func NewCache(maxLines int) *Cache {
	return &Cache{
		lines:  lru.Cache[slot, drawing]{Limit: maxLines},
		states: lru.Cache[timeline.EntryID, *state]{Limit: maxStates},
	}
}

// Units returns how many units e has now. It costs what e grew by since it was
// asked before.
func (c *Cache) Units(e *timeline.Entry, o Options) int { return c.state(e, o).units }

// Lines returns the drawn lines of one unit of e, each at most o.Width cells
// wide. A unit may have no line. They are kept; callers must not modify them.
// A unit that does not exist has no lines.
func (c *Cache) Lines(e *timeline.Entry, unit int, o Options) []string {
	st := c.state(e, o)
	p, unit := st.part(unit)
	if p == nil {
		return nil
	}
	o.Fold = st.fold
	return c.draw(e.ID, p, unit, o)
}

// part returns the part that a unit is in, and the number of the unit there; nil if
// there is no such unit.
func (st *state) part(unit int) (p *part, inside int) {
	for i := range st.parts {
		if p := &st.parts[i]; unit >= 0 && unit < p.units {
			return p, unit
		}
		unit -= st.parts[i].units
	}
	return nil, 0
}

func (c *Cache) draw(id timeline.EntryID, p *part, unit int, o Options) []string {
	o.Width = max(1, o.Width)
	switch {
	case p.clock == second:
	case p.clock == minute && o.Times == TimesAgo:
		o.Now = o.Now.Truncate(time.Minute)
	default:
		o.Now = time.Time{}
	}
	key := slot{id, p.kind, unit}
	var stamp uint64
	if p.stamp != nil {
		stamp = p.stamp(unit)
	}
	if d, ok := c.lines.Get(key); ok && d.stamp == stamp && d.o == o {
		return d.lines
	}
	lines := text.Clip(p.draw(unit, o), o.Width)
	c.lines.Put(key, drawing{stamp, o, lines}, len(lines)+1)
	return lines
}

// state returns the kept state of e, brought up to date.
func (c *Cache) state(e *timeline.Entry, o Options) *state {
	fold := shownAs(e, o.Fold)
	st, ok := c.states.Get(e.ID)
	if !ok || st.body != e.Body {
		st = &state{doc: newDoc(e), body: e.Body}
		c.states.Put(e.ID, st, 1)
	} else if st.version == e.Version && st.fold == fold {
		return st
	}
	st.version, st.fold = e.Version, fold
	switch {
	case fold == Hidden || blank(e):
		st.parts = nil
	case fold == Bounded:
		st.parts = bounded(e, st.doc.parts(e, Whole))
	default:
		st.parts = st.doc.parts(e, fold)
	}
	st.units = 0
	for _, p := range st.parts {
		st.units += p.units
	}
	return st
}

// Source is the text that one unit of e is drawn from, safe to show and with the
// line end that it closes with; "" where a unit says more than one text does.
func (c *Cache) Source(e *timeline.Entry, unit int, o Options) string {
	st := c.state(e, o)
	p, i := st.part(unit)
	if p == nil || p.source == nil {
		return ""
	}
	source := p.source(i)
	if i == p.units-1 && unit < st.units-1 && source != "" && !strings.HasSuffix(source, "\n") {
		return source + "\n" // what another part says is not on the same line
	}
	return source
}
