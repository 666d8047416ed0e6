package composer

import (
	"time"

	tea "charm.land/bubbletea/v2"

	"parley/history/mentions"
	"parley/tui/files"
	"parley/tui/widget"
)

// workspace is what is known of the files of the session's folder.
type workspace struct {
	dir     string
	index   *files.Index
	read    time.Time // when the index was read
	reading bool
	asking  bool  // a search runs
	next    token // searched for when that has ended
}

const (
	// indexTime is how long an index counts as new.
	indexTime = 10 * time.Second
	// cutTime is how long one does that could not be read to its end: to read it
	// again is dear, and it would not be whole.
	cutTime = 5 * time.Minute
)

// stale reports whether the files are to be read again.
func (w *workspace) stale(now time.Time) bool {
	if w.index == nil {
		return true
	}
	life := indexTime
	if w.index.Cut() {
		life = cutTime
	}
	return now.Sub(w.read) > life
}

// indexedMsg ends the reading of an index.
type indexedMsg struct {
	dir   string
	index *files.Index
	err   error
}

// completeFile finds the files that match a mention. What is known is searched
// at once, and read anew beside it when it is old.
func (c *Composer) completeFile(t token) tea.Cmd {
	w := &c.workspace
	if w.dir != c.facts.Dir {
		*w = workspace{dir: c.facts.Dir}
	}
	var cmds []tea.Cmd
	if !w.reading && w.dir != "" && w.stale(c.facts.Now) {
		w.reading = true
		ctx, dir := c.ctx, w.dir
		cmds = append(cmds, func() tea.Msg {
			index, err := files.Read(ctx, dir)
			return indexedMsg{dir, index, err}
		})
	}
	if w.index == nil {
		c.show(t, []widget.Row{{Label: "Reading the files of this folder", Off: " "}})
		return tea.Batch(cmds...)
	}
	return tea.Batch(append(cmds, c.searchFiles(t))...)
}

// searchFiles searches the index, one search at a time: of those asked for
// meanwhile only the last counts.
func (c *Composer) searchFiles(t token) tea.Cmd {
	w := &c.workspace
	if w.asking {
		w.next = t
		return nil
	}
	w.asking, w.next = true, token{}
	index, prompts, at, now := w.index, c.prompts, c.facts.Place, c.facts.Now
	return func() tea.Msg {
		msg := foundMsg{of: t}
		for _, f := range index.Find(t.query, prompts.Mentions(at, now), completionRows) {
			label := f.Path
			if f.Dir {
				label += "/"
			}
			msg.rows = append(msg.rows, widget.Row{Value: mentions.Text(f.Path, f.Dir), Label: label, Marks: f.Spans})
		}
		if why := index.Left(); why != "" {
			msg.rows = append(msg.rows, widget.Row{Label: "Not all files are here", Off: widget.FirstLine(why)})
		}
		return msg
	}
}

// receive takes the files that were read.
func (msg indexedMsg) receive(c *Composer) tea.Cmd {
	w := &c.workspace
	if msg.dir != w.dir {
		return nil
	}
	w.reading, w.read = false, c.facts.Now
	if msg.err == nil {
		w.index = msg.index
	}
	t := c.token
	switch {
	case t.kind != fileToken:
		return nil
	case w.index == nil:
		c.show(t, []widget.Row{{Label: "The files of this folder cannot be read", Off: widget.FirstLine(msg.err.Error())}})
		return nil
	}
	return c.searchFiles(t)
}

// receive takes the end of a search, and starts the one asked for meanwhile.
func (msg foundMsg) receive(c *Composer) tea.Cmd {
	cmd := c.found(msg)
	w := &c.workspace
	if msg.of.kind != fileToken {
		return cmd
	}
	w.asking = false
	if w.next.kind == noToken || w.next == msg.of {
		return cmd
	}
	return tea.Batch(cmd, c.searchFiles(w.next))
}
