package conversation

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"parley/history/drafts"
	"parley/render/text"
	"parley/session"
	"parley/theme"
	"parley/tui/picker"
	"parley/tui/reporttext"
	"parley/tui/widget"
)

// noRewind is said of an agent that cannot.
const noRewind = "This agent cannot go back."

// checkpoints are the prompts that a conversation can go back to.
type checkpoints struct {
	*core
	draft   *promptDraft
	rewound rewound
	asks    *picker.Picker // whether a /redo is meant; nil: it was not asked
}

// rewound is the last rewind, as long as it can be undone by what is known here.
type rewound struct {
	session session.ID // "" is none
	prompt  string     // that was given back
}

// rewind shows the prompts that the conversation can go back to.
func (c *checkpoints) rewind(string) tea.Cmd {
	s, ok := session.As[session.Rewinder](c.Session)
	switch {
	case !ok:
		return c.ShowHint(noRewind)
	case c.Busy():
		return c.ShowHint("Interrupt the agent first: {interrupt} twice.")
	}
	return ask(c.core, "list the prompts to go back to", s.RewindPoints, func(points []session.RewindPoint) tea.Cmd {
		return c.PickRewind(s, points)
	})
}

// rewinding is the open picker's state.
type rewinding struct {
	session session.Rewinder
	points  []session.RewindPoint
	files   bool // put files back too
	changes map[session.EventID][]session.FileChange
	ran     map[session.EventID]bool // commands, since prompts that were looked at
	unkept  bool                     // the session does not keep what files were
}

// PickRewind opens the picker on the latest prompt, which is first. Without another word
// only the conversation goes back, and Enter asks before it does.
func (c *checkpoints) PickRewind(s session.Rewinder, points []session.RewindPoint) tea.Cmd {
	if !c.Opens(len(points) > 0, "There is no prompt to go back to.", "The prompts are here: /rewind shows them.") {
		return nil
	}
	w := &rewinding{
		session: s, points: points, changes: map[session.EventID][]session.FileChange{}, ran: map[session.EventID]bool{},
	}
	var rows []widget.Row
	for _, p := range slices.Backward(points) {
		row := widget.Row{Value: string(p.Event), Label: widget.FirstLine(p.Prompt), Right: text.Age(c.win.Now.Sub(p.Time))}
		if p.FileCount > 0 {
			row.Detail = text.Count(p.FileCount, "file") + reporttext.LineChanges(c.win.Theme, p.Added, p.Removed)
		}
		rows = append(rows, row)
	}
	p := &picker.Picker{List: widget.List{Rows: rows}, Title: "Go back to before", Preview: func(r widget.Row, width, height int) []string {
		return w.preview(c, r, width, height)
	}}
	p.State = func() string {
		key := p.Keys.Show("list-files")
		switch {
		case w.unkept:
			return "conversation only"
		case w.files:
			return "conversation and files · " + key + ": leave files"
		}
		return "conversation only · " + key + ": include files"
	}
	p.More = []picker.Key{
		{Action: "list-files", Title: "files too, or not", Do: Doing(func(r widget.Row) tea.Cmd {
			w.files = !w.files && !w.unkept
			at, ok := w.point(r)
			switch {
			case w.unkept:
				p.Note = "Files cannot be put back in this session: it keeps no copies of them."
			case w.files && ok && at.FileCount == 0:
				p.Note = "No changed file is known to put back."
			case w.files && ok && !at.Files:
				p.Note = "The files of this prompt cannot be put back: they are left as they are."
			}
			return nil
		})},
		{Action: "list-choose", Title: "go back", Sure: func(r widget.Row) string {
			return w.sure(c, r)
		}, Do: Doing(func(r widget.Row) tea.Cmd { return w.back(c, r) })},
	}
	for _, at := range points {
		p.PreviewRows = min(max(p.PreviewRows, 1+at.FileCount), rewindPreview)
	}
	p.OnMove = Doing(func(r widget.Row) tea.Cmd { return w.look(c, r) })
	c.Pick(p, rows[0].Value)
	return w.look(c, rows[0])
}

// sure asks before it goes back.
func (w *rewinding) sure(on *checkpoints, r widget.Row) string {
	switch at, ok := w.point(r); {
	case !ok:
		return ""
	case w.files && at.FileCount > 0:
		return w.atStake(on, at).Question()
	}
	return "Go back, files stay?"
}

// rewindPreview bounds the lines of files at stake.
const rewindPreview = 8

// point is what a row stands for.
func (w *rewinding) point(r widget.Row) (session.RewindPoint, bool) {
	i := slices.IndexFunc(w.points, func(p session.RewindPoint) bool { return string(p.Event) == r.Value })
	if i < 0 {
		return session.RewindPoint{}, false
	}
	return w.points[i], true
}

// atStake are the files that changed since a prompt.
func (w *rewinding) atStake(on *checkpoints, at session.RewindPoint) reporttext.FilesAtStake {
	return reporttext.FilesAtStake{Count: at.FileCount, Changes: w.changes[at.Event], Short: func(path string) string {
		return shortFile(on.core, path)
	}}
}

// look asks what files are at stake at a prompt.
func (w *rewinding) look(on *checkpoints, r widget.Row) tea.Cmd {
	at, ok := w.point(r)
	if _, known := w.changes[at.Event]; !ok || known || w.unkept {
		return nil
	}
	return fetch(on.core, func(ctx context.Context) ([]session.FileChange, error) {
		return w.session.PreviewRewind(ctx, at.Event)
	}, func(changes []session.FileChange, err error) tea.Cmd {
		switch {
		case errors.Is(err, session.ErrFilesNotKept):
			w.unkept, w.files = true, false
		case err != nil:
			on.Fail("look at the files", err, "")
		default:
			w.changes[at.Event], w.ran[at.Event] = changes, on.Timeline.RanCommandSince(at.Event)
		}
		return nil
	})
}

// preview shows the files at stake.
func (w *rewinding) preview(on *checkpoints, r widget.Row, width, height int) []string {
	at, _ := w.point(r)
	dim := func(s string) string {
		return widget.Indent + on.win.Theme.Render(theme.Dim, on.win.Cut(s, max(0, width-widget.Margin-1)))
	}
	_, known := w.changes[at.Event]
	switch {
	case w.unkept:
		return []string{dim("Files stay as they are: a copy, as after /redo, cannot put them back.")}
	case at.FileCount == 0 && !known:
		return nil // it is being looked up
	case at.FileCount == 0:
		return []string{dim(w.unchanged(at.Event))}
	}
	lines := []string{dim(fmt.Sprintf("%s changed since; %s:", text.Count(at.FileCount, "file"), w.atStake(on, at).Become(w.files)))}
	for i, c := range w.changes[at.Event] {
		if len(lines) == height-1 && len(w.changes[at.Event])-i > 1 {
			lines = append(lines, dim(fmt.Sprintf("and %d more", len(w.changes[at.Event])-i)))
			break
		}
		line := fmt.Sprintf("  %-8s %s %s", c.Change, shortFile(on.core, c.Path), reporttext.LineChanges(on.win.Theme, c.Added, c.Removed))
		lines = append(lines, dim(line+reporttext.StateOf(c)))
	}
	return lines
}

// unchanged says that no file is at stake, as far as that is known: what a command did is
// not noted if it ran in the background, or did not name what it changes.
func (w *rewinding) unchanged(at session.EventID) string {
	if w.ran[at] {
		return "No changed file is known; commands ran since that may have changed some."
	}
	return "The agent has changed no files since."
}

// back goes back; the prompt is in the composer then.
func (w *rewinding) back(c *checkpoints, r widget.Row) tea.Cmd {
	at, ok := w.point(r)
	if !ok {
		return nil
	}
	c.CloseOverlays()
	files := w.files && at.Files
	type outcome struct {
		session.Rewound
		left error // what was not done
	}
	return ask(c.core, "go back", func(ctx context.Context) (r outcome, err error) {
		if r.Rewound, err = w.session.Rewind(ctx, at.Event, files); r.Events > 0 {
			r.left, err = err, nil
		}
		return r, err
	}, func(done outcome) tea.Cmd {
		c.rewound = rewound{c.Info.ID, at.Prompt}
		c.draft.Offer(c.Composer.Drafts(at.Prompt)[0], "went back")
		if done.left != nil {
			c.Warn("rewind", "Not all of it: "+done.left.Error())
		}
		s := "Rewound"
		if len(done.Restored) > 0 {
			s += ", " + w.atStake(c, at).PutBack(done.Restored)
		}
		if len(done.Skipped) > 0 {
			names, left := make([]string, len(done.Skipped)), make([]string, len(done.Skipped))
			for i, skipped := range done.Skipped {
				name, why, _ := strings.Cut(shortFile(c.core, skipped), ": ")
				names[i], left[i] = name, name+" was not restored: "+cmp.Or(why, "left alone")
			}
			s += ", " + reporttext.FirstOf(names) + " not"
			c.Warn("rewind", strings.Join(left, "\n"))
		}
		c.ShowHint("%s; {redo} undoes this.", s)
		return nil
	})
}

// asksForRedo reports whether a draft ends in a /redo that is written behind what a rewind
// gave back, and asks what is meant: the rewind cannot be undone once it is sent.
func (c *checkpoints) asksForRedo(d drafts.Draft, send func() tea.Cmd) bool {
	if c.rewound.session == "" || c.rewound.session != c.Info.ID || !strings.HasSuffix(strings.TrimSpace(d.Prompt()), redo) {
		return false
	}
	rows := []widget.Row{
		{Value: "redo", Label: "Undo the rewind", Detail: "/redo is taken out of the draft"},
		{Value: "send", Label: "Send it as a prompt", Detail: "the rewind cannot be undone after that"},
	}
	c.asks = &picker.Picker{List: widget.List{Rows: rows}, Title: "It ends in /redo", Pick: Doing(func(r widget.Row) tea.Cmd {
		if r.Value == "send" {
			c.rewound = rewound{}
			return send()
		}
		return c.redo("")
	})}
	c.Pick(c.asks, "redo")
	return true
}

// redo is the command as it is written behind a prompt.
const redo = "/redo"

// redo takes the last rewind back, and the prompt that it gave back, if that is as it was.
func (c *checkpoints) redo(string) tea.Cmd {
	s, ok := session.As[session.Rewinder](c.Session)
	if !ok {
		return c.ShowHint(noRewind)
	}
	type redone struct {
		id   session.ID
		ok   bool
		left error // what could not be taken back
	}
	return ask(c.core, "take the rewind back", func(ctx context.Context) (r redone, err error) {
		if r.id, r.ok, err = s.Redo(ctx); r.ok {
			r.left, err = err, nil
		}
		return r, err
	}, func(r redone) tea.Cmd {
		if !r.ok {
			return c.ShowHint("Nothing to redo: nothing was rewound, or something was said since.")
		}
		if c.asks != nil && Over[*picker.Picker](c.win) == c.asks {
			c.CloseOverlays()
		}
		c.asks = nil
		c.Composer.CloseCompletions()
		d := c.Composer.Draft()
		prompt, written := strings.CutSuffix(strings.TrimSpace(d.Prompt()), redo)
		switch prompt = strings.TrimSpace(prompt); {
		case prompt == strings.TrimSpace(c.rewound.prompt):
			c.draft.replace(drafts.Draft{})
		case written:
			c.draft.replace(d.Edited(prompt))
		}
		c.rewound = rewound{}
		hint := "The rewind is undone."
		warning := ""
		if r.left != nil {
			warning = "Not all of it: " + r.left.Error()
		}
		if r.id != c.Info.ID {
			hint = "The rewind is undone, in a copy: it cannot put files back."
			return c.request(SwitchSession{r.id, c.Info.Dir, hint, warning})
		}
		if c.ShowHint(hint); warning != "" {
			c.Warn("redo", warning)
		}
		return nil
	})
}
