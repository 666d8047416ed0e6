package conversation

import (
	"context"
	"path/filepath"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"parley/render/text"
	"parley/terminal/handover"
	"parley/timeline"
	"parley/tui/files"
	"parley/tui/navigation"
	"parley/tui/overlay"
)

// chooseLink lists links, those in files as far as they lead to a file in the session's
// folder. A name without a folder, as go test writes it, is that of the only file that has
// it.
func (c *blockActions) chooseLink(a navigation.OpenLink) tea.Cmd {
	dir, home, remote := c.absolute("."), c.win.Config.Home, c.Info.Remote
	missing := func(l timeline.Link) bool {
		if l.Path == "" {
			return false
		}
		path, _ := files.Absolute(l.Path, dir, home)
		if _, below := text.Below(dir, path); remote || !below {
			return true
		}
		folder, ok := files.Stat(path)
		return folder || !ok
	}
	return ask(c.core, "look for the files", func(ctx context.Context) ([]timeline.Link, error) {
		var index *files.Index
		var there []timeline.Link
		for _, l := range a.Links {
			if missing(l) && !remote && filepath.Base(l.Path) == l.Path {
				if index == nil {
					index, _ = files.Read(ctx, dir, false) // without it the name leads nowhere
				}
				l = inOnlyFile(index, l)
			}
			if !missing(l) && !slices.Contains(there, l) {
				there = append(there, l)
			}
		}
		return there, nil
	}, func(links []timeline.Link) tea.Cmd {
		if c.Opens(len(links) > 0, a.None, "The links are here: /open shows them.") {
			return c.Do(navigation.LinkList(links))
		}
		return nil
	})
}

// inOnlyFile is a place in the only file of a name.
func inOnlyFile(index *files.Index, l timeline.Link) timeline.Link {
	if index == nil {
		return l
	}
	if path, ok := index.Only(l.Path); ok {
		l.Text, l.Path = strings.Replace(l.Text, l.Path, path, 1), path
	}
	return l
}

// opening is what opens a file.
type opening struct {
	argv   []string
	window bool // it needs no terminal
}

// openPlace opens a file in the user's editor.
func (c *core) openPlace(at overlay.OpenPlace) tea.Cmd {
	const what = "open the file"
	env, start, place := c.win.Config.Env, c.win.Start, handover.Place{File: c.absolute(at.Path), Line: at.Line, Column: at.Column}
	return ask(c, what, func(context.Context) (o opening, err error) {
		o.argv, o.window, err = handover.EditorAt(env, place)
		return o, err
	}, func(o opening) tea.Cmd {
		if o.window {
			c.ShowHint("Opening %s", text.SanitizeLine(at.Path))
			return attempt(c, what, func(ctx context.Context) error {
				return start(context.WithoutCancel(ctx), o.argv, env) // the editor outlives the window
			}, func() tea.Cmd { return nil })
		}
		return c.request(RunProgram{o.argv, func(err error) tea.Cmd {
			if err != nil {
				c.Fail(what, err, "")
			}
			return nil
		}})
	})
}
