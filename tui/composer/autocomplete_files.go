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
	ignored bool // what .gitignore names is among the files
	index   *files.Index
	read    time.Time // when the index was read
	reading bool
	asking  bool   // a search runs
	next    search // is to run when that has ended; the zero search is none
	last    search // that was asked for
}

// search looks for the files that a mention means.
type search struct {
	of   token          // of the draft; what is elsewhere has no line
	take func(Mentions) // takes what was found for a mention elsewhere; nil: it is of the draft
}

// elsewhere is the line of a mention that is not in the draft.
const elsewhere = -1

// Mentions are the files that a mention may mean.
type Mentions struct {
	Texts []string // that may take its place, the best first
	More  bool     // there are others
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
	dir     string
	ignored bool
	index   *files.Index
	err     error
}

// ToggleIgnored offers the files that .gitignore names as well, or no longer, and reports
// whether it does.
func (c *Composer) ToggleIgnored() (cmd tea.Cmd, offered bool) {
	w := &c.workspace
	w.ignored, w.index, w.reading = !w.ignored, nil, false
	if c.token.kind == fileToken {
		cmd = c.completeFile(c.token)
	}
	return cmd, w.ignored
}

// FindFiles finds the files that match a mention that is not in the draft. Take is called
// when they are known, and again if the files had to be read anew; of several searches
// that are asked for meanwhile only the last one runs.
func (c *Composer) FindFiles(query string, take func(Mentions)) tea.Cmd {
	return c.findFiles(search{token{kind: fileToken, query: query, line: elsewhere}, take})
}

// completeFile finds the files that match a mention in the draft.
func (c *Composer) completeFile(t token) tea.Cmd {
	cmd := c.findFiles(search{of: t})
	if c.workspace.index == nil {
		c.show(t, []widget.Row{{Label: "Reading the files of this folder", Off: " "}})
	}
	return cmd
}

// findFiles runs a search. What is known is searched at once, and read anew beside it
// when it is old.
func (c *Composer) findFiles(s search) tea.Cmd {
	w := &c.workspace
	if w.dir != c.facts.Dir {
		*w = workspace{dir: c.facts.Dir, ignored: w.ignored}
	}
	var cmds []tea.Cmd
	if !w.reading && w.dir != "" && w.stale(c.facts.Now) {
		w.reading = true
		ctx, dir, ignored := c.ctx, w.dir, w.ignored
		cmds = append(cmds, func() tea.Msg {
			index, err := files.Read(ctx, dir, ignored)
			return indexedMsg{dir, ignored, index, err}
		})
	}
	w.last = s
	if w.dir == "" && s.take != nil {
		s.take(Mentions{})
	}
	if w.index == nil {
		return tea.Batch(cmds...)
	}
	return tea.Batch(append(cmds, c.searchFiles(s))...)
}

// searchFiles searches the index, one search at a time: of those asked for
// meanwhile only the last counts.
func (c *Composer) searchFiles(s search) tea.Cmd {
	w := &c.workspace
	if w.asking {
		w.next = s
		return nil
	}
	w.asking, w.next = true, search{}
	index, prompts, at, now := w.index, c.prompts, c.facts.Place, c.facts.Now
	return func() tea.Msg {
		msg := foundMsg{search: s}
		for _, f := range index.Find(s.of.query, prompts.Mentions(at, now), completionRows) {
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
	if msg.dir != w.dir || msg.ignored != w.ignored {
		return nil
	}
	w.reading, w.read = false, c.facts.Now
	if msg.err == nil {
		w.index = msg.index
	}
	s := w.last
	switch {
	case s.take == nil && s.of != c.token: // the caret is elsewhere
		return nil
	case w.index != nil:
		return c.searchFiles(s)
	case s.take != nil:
		s.take(Mentions{})
	default:
		c.show(s.of, []widget.Row{{Label: "The files of this folder cannot be read", Off: widget.FirstLine(msg.err.Error())}})
	}
	return nil
}

// receive takes the end of a search, and starts the one asked for meanwhile.
func (msg foundMsg) receive(c *Composer) tea.Cmd {
	var cmd tea.Cmd
	if msg.take != nil {
		msg.take(msg.mentions())
	} else {
		cmd = c.found(msg)
	}
	w := &c.workspace
	if msg.of.kind != fileToken {
		return cmd
	}
	w.asking = false
	if w.next.of.kind == noToken || w.next.of == msg.of {
		return cmd
	}
	return tea.Batch(cmd, c.searchFiles(w.next))
}

// mentions are the rows that can be chosen.
func (msg foundMsg) mentions() (m Mentions) {
	for _, r := range msg.rows {
		if r.Value != "" {
			m.Texts = append(m.Texts, r.Value)
		}
	}
	m.More = len(m.Texts) == completionRows
	return m
}
