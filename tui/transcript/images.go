package transcript

import (
	"maps"
	"slices"
	"weak"

	tea "charm.land/bubbletea/v2"

	"parley/render"
	"parley/session"
	"parley/terminal"
	"parley/timeline"
)

// Images are those that the terminal shows in its cells: what it holds of
// them, and what may be drawn so. They belong to one timeline and to drafts, and each is
// sent once, one after the other, when it comes into view.
type Images struct {
	On           bool
	entries      *timeline.Timeline // that they are in
	slots        [terminal.MostImages]imageSlot
	shown        map[timeline.EntryID]*render.Images // the terminal has them
	bad          map[imageKey]string                 // cannot be shown, by what they are in base64
	thumbnails   []thumbnail                         // of a draft, in the last view
	settled      []sight                             // needs nothing
	settledDraft []thumbnail                         // needs nothing
	busy         bool                                // one is on its way
	makings      int                                 // so many were made
	round        int                                 // grows when it is looked for what is needed
}

// imageKey names an image: the entry that it is in, and which of its images it is, or
// what is attached to a draft, which is not kept for it.
type imageKey struct {
	entry    timeline.EntryID
	index    int
	attached weak.Pointer[session.Attachment]
}

// isAttached reports whether the image is attached to a draft.
func (k imageKey) isAttached() bool { return k.attached != weak.Pointer[session.Attachment]{} }

// wantedImage is an image that is in view.
type wantedImage struct {
	render.Image // without Data where it is attached
	key          imageKey
	attached     *session.Attachment
}

// imageSlot is an image that the terminal has, or will have. Its place in the
// slots is its number there.
type imageSlot struct {
	key    imageKey
	data   string // "" if it is attached
	cols   int
	rows   int
	making int // by which it was made; 0 is a free slot
	sent   bool
	used   int // the round in which it was last in view
}

// sight is an entry with images, as it was in view.
type sight struct {
	id      timeline.EntryID
	version uint64
	width   int
	fold    render.Fold
}

// ImageMsg ends the making of what gives the terminal an image.
type ImageMsg struct {
	making, slot int
	sequence     string
	err          error
}

// ImageSentMsg reports that it was written.
type ImageSentMsg struct{ making, slot int }

// sight notes that an entry with images is in view.
func (p *Pane) sight(at Place) {
	if p.Images == nil || !p.Images.On || at.Unit < 0 {
		return
	}
	e := p.Timeline.At(at.Entry)
	if n := len(p.sights); n > 0 && p.sights[n-1].id == e.ID || !render.HasImages(e) {
		return
	}
	p.sights = append(p.sights, sight{e.ID, e.Version, p.Opts.Width, p.Options(e).Fold})
}

// of are the images of an entry that the terminal has; nil without images.
func (p *Images) of(t *timeline.Timeline, id timeline.EntryID) *render.Images {
	if p == nil || p.entries != t {
		return nil
	}
	return p.shown[id]
}

// Show ensures that the terminal has what is in view. It is called once a frame,
// and looks at nothing unless that has changed.
func (p *Images) Show(pane *Pane) tea.Cmd {
	if !p.On || p.busy || p.entries == pane.Timeline && slices.Equal(p.settled, pane.sights) &&
		slices.Equal(p.settledDraft, p.thumbnails) {
		return nil
	}
	var sequence string
	if p.entries != pane.Timeline {
		sequence = p.turn(pane.Timeline)
	}
	p.round++
	var next *wantedImage
	for _, w := range p.wanted(pane) {
		placed, needed := p.look(w)
		sequence += placed
		if needed && next == nil {
			next = &w
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
		p.settled, p.settledDraft = slices.Clone(pane.sights), slices.Clone(p.thumbnails)
		return write
	}
	p.drop(slot)
	p.makings++
	p.slots[slot] = imageSlot{key: next.key, data: next.Data, cols: next.Cols, rows: next.Rows, making: p.makings, used: p.round}
	p.busy, p.settled, p.settledDraft = true, nil, nil
	return tea.Batch(write, p.make(slot, next.attached))
}

// wanted are the images that are in view: those of the draft, and those of entries.
func (p *Images) wanted(pane *Pane) []wantedImage {
	var all []wantedImage
	for _, t := range p.thumbnails {
		all = append(all, wantedImage{render.Image{Cols: t.cols, Rows: t.rows}, t.key(), t.attached})
	}
	for _, s := range pane.sights {
		i, ok := pane.Timeline.Find(s.id)
		if !ok {
			continue
		}
		e := pane.Timeline.At(i)
		for n, pic := range render.ShownImages(e, pane.Options(e)) {
			if pic.Rows > 0 {
				all = append(all, wantedImage{Image: pic, key: imageKey{entry: s.id, index: n}})
			}
		}
	}
	return all
}

// look notes that an image is in view. It returns what the terminal must be
// sent because it is shown in other cells now, and whether the image must be
// sent.
func (p *Images) look(w wantedImage) (placed string, needed bool) {
	i := p.slot(w.key)
	if i >= 0 && p.slots[i].data != w.Data {
		p.drop(i)
		i = -1
	}
	if i < 0 {
		bad, ok := p.bad[w.key]
		return "", !ok || bad != w.Data
	}
	s := &p.slots[i]
	s.used = p.round
	if s.cols != w.Cols || s.rows != w.Rows {
		s.cols, s.rows = w.Cols, w.Rows
		placed = terminal.PlaceImage(i, s.cols, s.rows)
	}
	return placed, false
}

// slot is that of an image; -1 if it has none.
func (p *Images) slot(key imageKey) int {
	return slices.IndexFunc(p.slots[:], func(s imageSlot) bool { return s.making != 0 && s.key == key })
}

// free is a slot for another image: an empty one, or that which was out of view
// for longest; -1 if all are in view.
func (p *Images) free() int {
	best := -1
	for i, s := range p.slots {
		switch {
		case s.making == 0:
			return i
		case s.used < p.round && (best < 0 || s.used < p.slots[best].used):
			best = i
		}
	}
	return best
}

// make decodes an image and writes it anew, outside the loop.
func (p *Images) make(slot int, attached *session.Attachment) tea.Cmd {
	s := p.slots[slot]
	return func() tea.Msg {
		data, err := s.data, error(nil)
		if attached != nil {
			data, err = attachedImage(attached)
		}
		sequence := ""
		if err == nil {
			sequence, err = terminal.SendImage(data, slot, s.cols, s.rows)
		}
		return ImageMsg{s.making, slot, sequence, err}
	}
}

// made sends an image. Only when that is written its cells are drawn.
func (p *Images) made(msg ImageMsg) tea.Cmd {
	switch s := &p.slots[msg.slot]; {
	case msg.making != s.making:
	case msg.err != nil:
		if p.bad == nil {
			p.bad = map[imageKey]string{}
		}
		p.bad[s.key] = s.data
		*s = imageSlot{}
	default:
		return tea.Sequence(tea.Raw(msg.sequence), func() tea.Msg { return ImageSentMsg{msg.making, msg.slot} })
	}
	p.busy = false
	return nil
}

// sent lets an image be drawn.
func (p *Images) sent(msg ImageSentMsg) {
	p.busy = false
	if s := &p.slots[msg.slot]; msg.making == s.making {
		s.sent = true
		p.set(s.key, terminal.ImageID(msg.slot))
	}
}

// drop gives a slot up. What the terminal has there goes when it gets another.
func (p *Images) drop(slot int) {
	if p.slots[slot].sent {
		p.set(p.slots[slot].key, 0)
	}
	p.slots[slot] = imageSlot{}
}

// set notes under which number the terminal has an image of an entry; 0 for none.
func (p *Images) set(key imageKey, id uint32) {
	if key.isAttached() {
		return
	}
	if p.shown == nil {
		p.shown = map[timeline.EntryID]*render.Images{}
	}
	var ids []uint32
	if before := p.shown[key.entry]; before != nil {
		ids = slices.Clone(before.IDs)
	}
	for len(ids) <= key.index {
		ids = append(ids, 0)
	}
	ids[key.index] = id
	p.shown[key.entry] = &render.Images{IDs: ids}
	if slices.Max(ids) == 0 {
		delete(p.shown, key.entry)
	}
}

// Forget drops what the terminal had: it was given to something else, and that
// was deleted.
func (p *Images) Forget() {
	p.slots, p.shown, p.settled, p.settledDraft = [terminal.MostImages]imageSlot{}, nil, nil, nil
}

// turn goes over to another timeline, and returns what deletes the images of this one.
// Those of drafts stay.
func (p *Images) turn(t *timeline.Timeline) (sequence string) {
	for i, s := range p.slots {
		if s.making != 0 && !s.key.isAttached() {
			sequence += terminal.DeleteImage(i)
			p.drop(i)
		}
	}
	maps.DeleteFunc(p.bad, func(key imageKey, _ string) bool { return !key.isAttached() })
	p.entries, p.settled = t, nil
	return sequence
}

// Switch follows the setting: the terminal is asked which one it is, or forgets the
// images that it has.
func (p *Images) Switch(may bool) tea.Cmd {
	if may {
		return tea.RequestTerminalVersion
	}
	sequence := ""
	for i, s := range p.slots {
		if s.making != 0 {
			sequence += terminal.DeleteImage(i)
		}
	}
	p.Forget()
	p.On, p.entries, p.bad, p.thumbnails = false, nil, nil, nil
	if sequence != "" {
		return tea.Raw(sequence)
	}
	return nil
}

// Receive takes what was found out and made for images, in a terminal that may show
// them or not.
func (p *Images) Receive(msg tea.Msg, may bool) tea.Cmd {
	switch msg := msg.(type) {
	case tea.TerminalVersionMsg:
		p.On = may && terminal.ShowsImages(msg.Name)
	case ImageMsg:
		return p.made(msg)
	case ImageSentMsg:
		p.sent(msg)
	}
	return nil
}
