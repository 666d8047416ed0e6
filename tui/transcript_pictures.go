package tui

import (
	"slices"

	tea "charm.land/bubbletea/v2"

	"parley/render"
	"parley/terminal"
	"parley/timeline"
)

// pictures are those that the terminal shows in its cells: what it holds of
// them, and what may be drawn so. They belong to one timeline, and each is sent
// once, one after the other, when it comes into view.
type pictures struct {
	on      bool
	entries *timeline.Timeline // that they are in
	slots   [terminal.MostPictures]pictureSlot
	shown   map[timeline.EntryID]*render.Pictures // the terminal has them
	bad     map[pictureKey]string                 // cannot be shown, by what they are in base64
	settled []sight                               // needs nothing
	busy    bool                                  // one is on its way
	epoch   int                                   // grows when the terminal has none anymore
	round   int                                   // grows when it is looked for what is needed
}

// pictureKey names a picture: the entry that it is in, and which of its pictures
// it is.
type pictureKey struct {
	entry timeline.EntryID
	index int
}

// pictureSlot is a picture that the terminal has, or will have. Its place in the
// slots is its number there.
type pictureSlot struct {
	key  pictureKey
	data string // "" is a free slot
	cols int
	rows int
	sent bool
	used int // the round in which it was last in view
}

// sight is an entry with pictures, as it was in view.
type sight struct {
	id      timeline.EntryID
	version uint64
	width   int
	fold    render.Fold
}

// pictureMsg ends the making of what gives the terminal a picture.
type pictureMsg struct {
	epoch, slot int
	sequence    string
	err         error
}

// pictureSentMsg says that it was written.
type pictureSentMsg struct{ epoch, slot int }

// sight notes that an entry with pictures is in view.
func (p *pane) sight(at place) {
	if p.pictures == nil || !p.pictures.on || at.unit < 0 {
		return
	}
	e := p.timeline.At(at.entry)
	if n := len(p.sights); n > 0 && p.sights[n-1].id == e.ID || !render.HasPictures(e) {
		return
	}
	p.sights = append(p.sights, sight{e.ID, e.Version, p.opts.Width, p.options(e).Fold})
}

// of are the pictures of an entry that the terminal has; nil if there are none.
func (p *pictures) of(t *timeline.Timeline, id timeline.EntryID) *render.Pictures {
	if p == nil || p.entries != t {
		return nil
	}
	return p.shown[id]
}

// show sees to it that the terminal has what is in view. It is called once a frame,
// and looks at nothing unless that has changed.
func (p *pictures) show(pane *pane) tea.Cmd {
	if !p.on || p.busy || p.entries == pane.timeline && slices.Equal(p.settled, pane.sights) {
		return nil
	}
	var sequence string
	if p.entries != pane.timeline {
		sequence = p.turn(pane.timeline)
	}
	p.round++
	var next *pictureSlot
	for _, s := range pane.sights {
		i, ok := pane.timeline.Find(s.id)
		if !ok {
			continue
		}
		e := pane.timeline.At(i)
		for n, pic := range render.ShownPictures(e, pane.options(e)) {
			key := pictureKey{s.id, n}
			placed, needed := p.look(key, pic)
			sequence += placed
			if needed && next == nil {
				next = &pictureSlot{key: key, data: pic.Data, cols: pic.Cols, rows: pic.Rows}
			}
		}
	}
	slot := -1
	if next != nil {
		slot = p.free()
	}
	var write tea.Cmd
	if sequence != "" {
		write = tea.Raw(sequence)
	}
	if slot < 0 {
		p.settled = slices.Clone(pane.sights)
		return write
	}
	p.drop(slot)
	next.used = p.round
	p.slots[slot], p.busy, p.settled = *next, true, nil
	return tea.Batch(write, p.make(slot))
}

// look notes that a picture is in view. It returns what the terminal must be
// told because it is shown in other cells now, and whether the picture must be
// sent.
func (p *pictures) look(key pictureKey, pic render.Picture) (placed string, needed bool) {
	if pic.Rows == 0 {
		return "", false
	}
	i := slices.IndexFunc(p.slots[:], func(s pictureSlot) bool { return s.data != "" && s.key == key })
	if i >= 0 && p.slots[i].data != pic.Data {
		p.drop(i)
		i = -1
	}
	if i < 0 {
		bad, ok := p.bad[key]
		return "", !ok || bad != pic.Data
	}
	s := &p.slots[i]
	s.used = p.round
	if s.cols != pic.Cols || s.rows != pic.Rows {
		s.cols, s.rows = pic.Cols, pic.Rows
		placed = terminal.PlacePicture(i, s.cols, s.rows)
	}
	return placed, false
}

// free is a slot for another picture: an empty one, or that which was out of view
// for longest; -1 if all are in view.
func (p *pictures) free() int {
	best := -1
	for i, s := range p.slots {
		switch {
		case s.data == "":
			return i
		case s.used < p.round && (best < 0 || s.used < p.slots[best].used):
			best = i
		}
	}
	return best
}

// make decodes a picture and writes it anew, outside the loop.
func (p *pictures) make(slot int) tea.Cmd {
	s, epoch := p.slots[slot], p.epoch
	return func() tea.Msg {
		sequence, err := terminal.SendPicture(s.data, slot, s.cols, s.rows)
		return pictureMsg{epoch, slot, sequence, err}
	}
}

// made sends a picture. Only when that is written its cells are drawn.
func (p *pictures) made(msg pictureMsg) tea.Cmd {
	switch s := &p.slots[msg.slot]; {
	case msg.epoch != p.epoch:
	case msg.err != nil:
		if p.bad == nil {
			p.bad = map[pictureKey]string{}
		}
		p.bad[s.key] = s.data
		*s = pictureSlot{}
	default:
		return tea.Sequence(tea.Raw(msg.sequence), func() tea.Msg { return pictureSentMsg{msg.epoch, msg.slot} })
	}
	p.busy = false
	return nil
}

// sent lets a picture be drawn.
func (p *pictures) sent(msg pictureSentMsg) {
	p.busy = false
	if msg.epoch == p.epoch {
		p.slots[msg.slot].sent = true
		p.set(p.slots[msg.slot].key, terminal.PictureID(msg.slot))
	}
}

// drop gives a slot up. What the terminal has there goes when it gets another.
func (p *pictures) drop(slot int) {
	if p.slots[slot].sent {
		p.set(p.slots[slot].key, 0)
	}
	p.slots[slot] = pictureSlot{}
}

// set says under which number the terminal has a picture; 0 for none.
func (p *pictures) set(key pictureKey, id uint32) {
	if p.shown == nil {
		p.shown = map[timeline.EntryID]*render.Pictures{}
	}
	var ids []uint32
	if before := p.shown[key.entry]; before != nil {
		ids = slices.Clone(before.IDs)
	}
	for len(ids) <= key.index {
		ids = append(ids, 0)
	}
	ids[key.index] = id
	p.shown[key.entry] = &render.Pictures{IDs: ids}
	if slices.Max(ids) == 0 {
		delete(p.shown, key.entry)
	}
}

// gone forgets what the terminal had: it was given to something else, and that
// was deleted.
func (p *pictures) gone() {
	p.slots, p.shown, p.settled = [terminal.MostPictures]pictureSlot{}, nil, nil
	p.epoch++
}

// turn goes over to another timeline, and returns what deletes the pictures of
// this one.
func (p *pictures) turn(t *timeline.Timeline) (sequence string) {
	for i, s := range p.slots {
		if s.data != "" {
			sequence += terminal.DeletePicture(i)
		}
	}
	p.gone()
	p.entries, p.bad = t, nil
	return sequence
}
