package transcript

import (
	"slices"

	tea "charm.land/bubbletea/v2"

	"parley/render"
	"parley/terminal"
	"parley/timeline"
)

// Images are those that the terminal shows in its cells: what it holds of
// them, and what may be drawn so. They belong to one timeline, and each is sent
// once, one after the other, when it comes into view.
type Images struct {
	On      bool
	Entries *timeline.Timeline // that they are in
	Slots   [terminal.MostImages]ImageSlot
	shown   map[timeline.EntryID]*render.Images // the terminal has them
	bad     map[ImageKey]string                 // cannot be shown, by what they are in base64
	settled []sight                             // needs nothing
	busy    bool                                // one is on its way
	epoch   int                                 // grows when the terminal has none anymore
	round   int                                 // grows when it is looked for what is needed
}

// ImageKey names an image: the entry that it is in, and which of its images
// it is.
type ImageKey struct {
	Entry timeline.EntryID
	index int
}

// ImageSlot is an image that the terminal has, or will have. Its place in the
// slots is its number there.
type ImageSlot struct {
	Key  ImageKey
	Data string // "" is a free slot
	cols int
	rows int
	Sent bool
	used int // the round in which it was last in view
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
	epoch, slot int
	sequence    string
	err         error
}

// ImageSentMsg reports that it was written.
type ImageSentMsg struct{ epoch, slot int }

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
	if p == nil || p.Entries != t {
		return nil
	}
	return p.shown[id]
}

// Show ensures that the terminal has what is in view. It is called once a frame,
// and looks at nothing unless that has changed.
func (p *Images) Show(pane *Pane) tea.Cmd {
	if !p.On || p.busy || p.Entries == pane.Timeline && slices.Equal(p.settled, pane.sights) {
		return nil
	}
	var sequence string
	if p.Entries != pane.Timeline {
		sequence = p.Turn(pane.Timeline)
	}
	p.round++
	var next *ImageSlot
	for _, s := range pane.sights {
		i, ok := pane.Timeline.Find(s.id)
		if !ok {
			continue
		}
		e := pane.Timeline.At(i)
		for n, pic := range render.ShownImages(e, pane.Options(e)) {
			key := ImageKey{s.id, n}
			placed, needed := p.look(key, pic)
			sequence += placed
			if needed && next == nil {
				next = &ImageSlot{Key: key, Data: pic.Data, cols: pic.Cols, rows: pic.Rows}
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
	p.Slots[slot], p.busy, p.settled = *next, true, nil
	return tea.Batch(write, p.make(slot))
}

// look notes that an image is in view. It returns what the terminal must be
// sent because it is shown in other cells now, and whether the image must be
// sent.
func (p *Images) look(key ImageKey, pic render.Image) (placed string, needed bool) {
	if pic.Rows == 0 {
		return "", false
	}
	i := slices.IndexFunc(p.Slots[:], func(s ImageSlot) bool { return s.Data != "" && s.Key == key })
	if i >= 0 && p.Slots[i].Data != pic.Data {
		p.drop(i)
		i = -1
	}
	if i < 0 {
		bad, ok := p.bad[key]
		return "", !ok || bad != pic.Data
	}
	s := &p.Slots[i]
	s.used = p.round
	if s.cols != pic.Cols || s.rows != pic.Rows {
		s.cols, s.rows = pic.Cols, pic.Rows
		placed = terminal.PlaceImage(i, s.cols, s.rows)
	}
	return placed, false
}

// free is a slot for another image: an empty one, or that which was out of view
// for longest; -1 if all are in view.
func (p *Images) free() int {
	best := -1
	for i, s := range p.Slots {
		switch {
		case s.Data == "":
			return i
		case s.used < p.round && (best < 0 || s.used < p.Slots[best].used):
			best = i
		}
	}
	return best
}

// make decodes an image and writes it anew, outside the loop.
func (p *Images) make(slot int) tea.Cmd {
	s, epoch := p.Slots[slot], p.epoch
	return func() tea.Msg {
		sequence, err := terminal.SendImage(s.Data, slot, s.cols, s.rows)
		return ImageMsg{epoch, slot, sequence, err}
	}
}

// made sends an image. Only when that is written its cells are drawn.
func (p *Images) made(msg ImageMsg) tea.Cmd {
	switch s := &p.Slots[msg.slot]; {
	case msg.epoch != p.epoch:
	case msg.err != nil:
		if p.bad == nil {
			p.bad = map[ImageKey]string{}
		}
		p.bad[s.Key] = s.Data
		*s = ImageSlot{}
	default:
		return tea.Sequence(tea.Raw(msg.sequence), func() tea.Msg { return ImageSentMsg{msg.epoch, msg.slot} })
	}
	p.busy = false
	return nil
}

// sent lets an image be drawn.
func (p *Images) sent(msg ImageSentMsg) {
	p.busy = false
	if msg.epoch == p.epoch {
		p.Slots[msg.slot].Sent = true
		p.set(p.Slots[msg.slot].Key, terminal.ImageID(msg.slot))
	}
}

// drop gives a slot up. What the terminal has there goes when it gets another.
func (p *Images) drop(slot int) {
	if p.Slots[slot].Sent {
		p.set(p.Slots[slot].Key, 0)
	}
	p.Slots[slot] = ImageSlot{}
}

// set notes under which number the terminal has an image; 0 for none.
func (p *Images) set(key ImageKey, id uint32) {
	if p.shown == nil {
		p.shown = map[timeline.EntryID]*render.Images{}
	}
	var ids []uint32
	if before := p.shown[key.Entry]; before != nil {
		ids = slices.Clone(before.IDs)
	}
	for len(ids) <= key.index {
		ids = append(ids, 0)
	}
	ids[key.index] = id
	p.shown[key.Entry] = &render.Images{IDs: ids}
	if slices.Max(ids) == 0 {
		delete(p.shown, key.Entry)
	}
}

// Forget drops what the terminal had: it was given to something else, and that
// was deleted.
func (p *Images) Forget() {
	p.Slots, p.shown, p.settled = [terminal.MostImages]ImageSlot{}, nil, nil
	p.epoch++
}

// Turn goes over to another timeline, and returns what deletes the images of
// this one.
func (p *Images) Turn(t *timeline.Timeline) (sequence string) {
	for i, s := range p.Slots {
		if s.Data != "" {
			sequence += terminal.DeleteImage(i)
		}
	}
	p.Forget()
	p.Entries, p.bad = t, nil
	return sequence
}

// Switch follows the setting: the terminal is asked which one it is, or forgets the
// images that it has.
func (p *Images) Switch(may bool) tea.Cmd {
	if may {
		return tea.RequestTerminalVersion
	}
	p.On = false
	if sequence := p.Turn(nil); sequence != "" {
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
