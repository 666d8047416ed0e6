package conversation

import (
	"cmp"
	"context"
	"errors"
	"slices"

	tea "charm.land/bubbletea/v2"

	"parley/render/text"
	"parley/session"
	"parley/theme"
	"parley/tui/picker"
	"parley/tui/widget"
)

// noGrants is said of a session that cannot list them.
const noGrants = "This agent does not report what is allowed."

// showGrants reads what the agent may do without asking. The words are those of
// the Copilot CLI's /permissions.
func (c *options) showGrants(args string) tea.Cmd {
	switch args {
	case "allow-all":
		return c.setAllowAll("on")
	case "default":
		return c.setAllowAll("off")
	}
	keeper, ok := session.As[session.GrantManager](c.Session)
	switch {
	case c.Session == nil:
		return c.ShowHint("There is no session yet.")
	case !ok:
		return c.ShowHint(noGrants)
	}
	return c.listGrants(keeper, nil)
}

// GrantList is what is allowed.
type GrantList struct {
	All     []session.Grant
	Revoked string // what was taken back just before; "" if nothing was
	What    string // what was attempted, for err
	Err     error  // why all is a part only, or nothing
}

// listGrants reads what is allowed, after revoking one of it if there is one.
func (c *options) listGrants(keeper session.GrantManager, revoke *session.Grant) tea.Cmd {
	return ask(c.core, "list what is allowed", func(ctx context.Context) (l GrantList, err error) {
		if revoke != nil {
			l.What = "revoke " + revoke.What
			l.Err = keeper.Revoke(ctx, *revoke)
		}
		if l.Err == nil {
			if revoke != nil {
				l.Revoked = revoke.What
			}
			l.What = "list what is allowed"
			l.All, l.Err = keeper.Grants(ctx)
		}
		return l, nil // with its own error: it may be a part
	}, c.PickGrant)
}

// PickGrant shows the list, unless the user has turned to something else
// meanwhile.
func (c *options) PickGrant(l GrantList) tea.Cmd {
	if l.Revoked != "" {
		c.ShowHint("Not allowed any more: %s", c.win.Cut(l.Revoked, c.win.Width/2))
	}
	if errors.Is(l.Err, errors.ErrUnsupported) {
		return c.ShowHint(noGrants)
	}
	if l.Err != nil {
		c.Fail(l.What, l.Err, "/grants tries again.")
		c.Pane.ToEnd()
	}
	switch {
	case l.Err != nil && len(l.All) == 0:
	case len(l.All) == 0 && l.Revoked != "":
		c.ShowHint("Nothing is allowed for longer than once any more.")
	case len(l.All) == 0:
		c.ShowHint("Nothing is allowed for longer than once.")
	case c.Elsewhere():
		c.ShowHint("What is allowed is here: /grants shows it.")
	default:
		c.openGrants(l.All)
	}
	return nil
}

// fixedLast is the place of a grant: what cannot be revoked stands last.
func fixedLast(g session.Grant) int {
	if g.Revocable {
		return 0
	}
	return 1
}

// openGrants opens the list. A grant is revoked when Enter is pressed on it twice.
func (c *options) openGrants(grants []session.Grant) {
	find := func(r widget.Row) session.Grant {
		i := slices.IndexFunc(grants, func(g session.Grant) bool { return g.ID == r.Value })
		if i < 0 {
			return session.Grant{}
		}
		return grants[i]
	}
	grants = slices.Clone(grants)
	slices.SortStableFunc(grants, func(a, b session.Grant) int { return fixedLast(a) - fixedLast(b) })
	p := &picker.Picker{Title: "Allowed without asking", PreviewRows: 3}
	for _, g := range grants {
		p.Rows = append(p.Rows, widget.Row{Value: g.ID, Label: g.What, Detail: c.win.reachOf(g)})
	}
	p.Preview = func(r widget.Row, width, _ int) []string { // what has no room in the row
		g := find(r)
		why := text.SanitizeLine(g.Reason)
		if !g.Revocable {
			why = "Cannot be revoked: " + cmp.Or(why, "set by the agent, until this session ends")
		}
		room := max(1, width-widget.Margin-1)
		lines := append(text.Wrap(text.SanitizeLine(g.What), room), text.Wrap(why, room)...)
		for i := range lines {
			lines[i] = widget.Indent + c.win.Theme.Render(theme.Dim, lines[i])
		}
		return lines
	}
	p.More = []picker.Key{{
		Action: "list-choose", Title: "revoke",
		Sure: func(r widget.Row) string {
			if g := find(r); g.Revocable {
				return "Revoke " + c.win.Cut(g.What, c.win.Width/2) + "?"
			}
			return ""
		},
		Do: Doing(func(r widget.Row) tea.Cmd {
			g := find(r)
			keeper, ok := session.As[session.GrantManager](c.Session)
			switch {
			case !g.Revocable:
				p.Note = "This cannot be revoked."
				return nil
			case !ok:
				return nil
			}
			c.CloseOverlays()
			return c.listGrants(keeper, &g)
		}),
	}}
	c.Pick(p, grants[0].ID) // nothing is revoked before Enter was pressed twice
}

// reachOf says how far a grant reaches, or that it cannot be revoked.
func (w *Window) reachOf(g session.Grant) string {
	reach := "until this session ends"
	switch g.Scope {
	case session.GrantSession:
		if !g.Revocable {
			return "cannot be revoked"
		}
	case session.GrantLocation:
		reach = "always in this repository or folder"
		if g.Where != "" {
			reach = "always in " + widget.ShortPath(g.Where, w.Config.Home)
		}
	case session.GrantEverywhere:
		reach = "always, everywhere"
	}
	if g.Revocable {
		return reach
	}
	return reach + w.Dot() + "cannot be revoked"
}

// setAllowAll lets the agent ask for nothing, or ask again. To allow all of it
// is asked for once more, with nothing chosen.
func (c *options) setAllowAll(args string) tea.Cmd {
	s, ok := capability[session.AllowAllSetter](c.core, "This agent always asks.")
	if !ok {
		return nil
	}
	set := func(on bool) tea.Cmd {
		return c.job("change what is asked for", func(ctx context.Context) error { return s.SetAllowAll(ctx, on) })
	}
	switch {
	case args == "off" || args == "" && c.Timeline.Status().AllowAll:
		return set(false)
	case args != "" && args != "on":
		return c.ShowHint("/allow-all takes on or off.")
	}
	c.Pick(&picker.Picker{
		List: widget.List{Rows: []widget.Row{
			{Value: "no", Label: "No, keep asking"},
			{Value: "yes", Label: "Yes, allow everything", Detail: "nothing asks until the session ends"},
		}},
		Title:  "Allow everything without asking?",
		Strict: true,
		More: []picker.Key{{
			Action: "list-choose", Title: "choose",
			Sure: func(r widget.Row) string {
				if r.Value == "yes" {
					return "Really?"
				}
				return ""
			},
			Do: Doing(func(r widget.Row) tea.Cmd {
				switch r.Value {
				case "yes":
					c.CloseOverlays()
					return set(true)
				case "no":
					c.CloseOverlays()
				}
				return nil
			}),
		}},
	}, "")
	return nil
}
