package transcript

import (
	"slices"

	tea "charm.land/bubbletea/v2"

	"parley/render"
	"parley/terminal"
	"parley/timeline"
)

// Pictures are those that the terminal shows in its cells: what it holds of
// them, and what may be drawn so. They belong to one timeline, and each is sent
// once, one after the other, when it comes into view.
type Pictures struct {
	On      bool
	Entries *timeline.Timeline // that they are in
	Slots   [terminal.MostPictures]PictureSlot
	shown   map[timeline.EntryID]*render.Pictures // the terminal has them
	bad     map[PictureKey]string                 // cannot be shown, by what they are in base64
	settled []sight                               // needs nothing
	busy    bool                                  // one is on its way
	epoch   int                                   // grows when the terminal has none anymore
	round   int                                   // grows when it is looked for what is needed
}

// PictureKey names a picture: the entry that it is in, and which of its pictures
// it is.
type PictureKey struct {
	Entry timeline.EntryID
	index int
}

// PictureSlot is a picture that the terminal has, or will have. Its place in the
// slots is its number there.
type PictureSlot struct {
	Key  PictureKey
	Data string // "" is a free slot
	cols int
	rows int
	Sent bool
	used int // the round in which it was last in view
}

// sight is an entry with pictures, as it was in view.
type sight struct {
	id      timeline.EntryID
	version uint64
	width   int
	fold    render.Fold
}

// PictureMsg ends the making of what gives the terminal a picture.
type PictureMsg struct {
	epoch, slot int
	sequence    string
	err         error
}

// PictureSentMsg says that it was written.
type PictureSentMsg struct{ epoch, slot int }

// sight notes that an entry with pictures is in view.
func (p *Pane) sight(at Place) {
	if p.Pictures == nil || !p.Pictures.On || at.Unit < 0 {
		return
	}
	e := p.Timeline.At(at.Entry)
	if n := len(p.sights); n > 0 && p.sights[n-1].id == e.ID || !render.HasPictures(e) {
		return
	}
	p.sights = append(p.sights, sight{e.ID, e.Version, p.Opts.Width, p.Options(e).Fold})
}

// of are the pictures of an entry that the terminal has; nil if there are none.
func (p *Pictures) of(t *timeline.Timeline, id timeline.EntryID) *render.Pictures {
	if p == nil || p.Entries != t {
		return nil
	}
	return p.shown[id]
}

// Show sees to it that the terminal has what is in view. It is called once a frame,
// and looks at nothing unless that has changed.
func (p *Pictures) Show(pane *Pane) tea.Cmd {
	if !p.On || p.busy || p.Entries == pane.Timeline && slices.Equal(p.settled, pane.sights) {
		return nil
	}
	var sequence string
	if p.Entries != pane.Timeline {
		sequence = p.Turn(pane.Timeline)
	}
	p.round++
	var next *PictureSlot
	for _, s := range pane.sights {
		i, ok := pane.Timeline.Find(s.id)
		if !ok {
			continue
		}
		e := pane.Timeline.At(i)
		for n, pic := range render.ShownPictures(e, pane.Options(e)) {
			key := PictureKey{s.id, n}
			placed, needed := p.look(key, pic)
			sequence += placed
			if needed && next == nil {
				next = &PictureSlot{Key: key, Data: pic.Data, cols: pic.Cols, rows: pic.Rows}
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

// look notes that a picture is in view. It returns what the terminal must be
// told because it is shown in other cells now, and whether the picture must be
// sent.
func (p *Pictures) look(key PictureKey, pic render.Picture) (placed string, needed bool) {
	if pic.Rows == 0 {
		return "", false
	}
	i := slices.IndexFunc(p.Slots[:], func(s PictureSlot) bool { return s.Data != "" && s.Key == key })
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
		placed = terminal.PlacePicture(i, s.cols, s.rows)
	}
	return placed, false
}

// free is a slot for another picture: an empty one, or that which was out of view
// for longest; -1 if all are in view.
func (p *Pictures) free() int {
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

// make decodes a picture and writes it anew, outside the loop.
func (p *Pictures) make(slot int) tea.Cmd {
	s, epoch := p.Slots[slot], p.epoch
	return func() tea.Msg {
		sequence, err := terminal.SendPicture(s.Data, slot, s.cols, s.rows)
		return PictureMsg{epoch, slot, sequence, err}
	}
}

// made sends a picture. Only when that is written its cells are drawn.
func (p *Pictures) made(msg PictureMsg) tea.Cmd {
	switch s := &p.Slots[msg.slot]; {
	case msg.epoch != p.epoch:
	case msg.err != nil:
		if p.bad == nil {
			p.bad = map[PictureKey]string{}
		}
		p.bad[s.Key] = s.Data
		*s = PictureSlot{}
	default:
		return tea.Sequence(tea.Raw(msg.sequence), func() tea.Msg { return PictureSentMsg{msg.epoch, msg.slot} })
	}
	p.busy = false
	return nil
}

// sent lets a picture be drawn.
func (p *Pictures) sent(msg PictureSentMsg) {
	p.busy = false
	if msg.epoch == p.epoch {
		p.Slots[msg.slot].Sent = true
		p.set(p.Slots[msg.slot].Key, terminal.PictureID(msg.slot))
	}
}

// drop gives a slot up. What the terminal has there goes when it gets another.
func (p *Pictures) drop(slot int) {
	if p.Slots[slot].Sent {
		p.set(p.Slots[slot].Key, 0)
	}
	p.Slots[slot] = PictureSlot{}
}

// set says under which number the terminal has a picture; 0 for none.
func (p *Pictures) set(key PictureKey, id uint32) {
	if p.shown == nil {
		p.shown = map[timeline.EntryID]*render.Pictures{}
	}
	var ids []uint32
	if before := p.shown[key.Entry]; before != nil {
		ids = slices.Clone(before.IDs)
	}
	for len(ids) <= key.index {
		ids = append(ids, 0)
	}
	ids[key.index] = id
	p.shown[key.Entry] = &render.Pictures{IDs: ids}
	if slices.Max(ids) == 0 {
		delete(p.shown, key.Entry)
	}
}

// Gone forgets what the terminal had: it was given to something else, and that
// was deleted.
func (p *Pictures) Gone() {
	p.Slots, p.shown, p.settled = [terminal.MostPictures]PictureSlot{}, nil, nil
	p.epoch++
}

// Turn goes over to another timeline, and returns what deletes the pictures of
// this one.
func (p *Pictures) Turn(t *timeline.Timeline) (sequence string) {
	for i, s := range p.Slots {
		if s.Data != "" {
			sequence += terminal.DeletePicture(i)
		}
	}
	p.Gone()
	p.Entries, p.bad = t, nil
	return sequence
}

// Switch follows the setting: the terminal is asked which one it is, or forgets the
// pictures that it has.
func (p *Pictures) Switch(may bool) tea.Cmd {
	if may {
		return tea.RequestTerminalVersion
	}
	p.On = false
	if sequence := p.Turn(nil); sequence != "" {
		return tea.Raw(sequence)
	}
	return nil
}

// Receive takes what was found out and made for pictures, in a terminal that may show
// them or not.
func (p *Pictures) Receive(msg tea.Msg, may bool) tea.Cmd {
	switch msg := msg.(type) {
	case tea.TerminalVersionMsg:
		p.On = may && terminal.ShowsPictures(msg.Name)
	case PictureMsg:
		return p.made(msg)
	case PictureSentMsg:
		p.sent(msg)
	}
	return nil
}
