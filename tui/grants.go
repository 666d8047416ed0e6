package tui

import (
	"errors"
	"slices"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"parley/session"
)

// noGrants is said of a session behind which nothing can tell.
const noGrants = "This agent does not tell what is allowed."

// showGrants reads what the agent may do without asking.
func (m *Model) showGrants(string) tea.Cmd {
	keeper, ok := session.As[session.GrantKeeper](m.session)
	switch {
	case m.session == nil:
		m.tell("There is no session yet.")
		return nil
	case !ok:
		m.tell(noGrants)
		return nil
	}
	return listGrants(m.ctx, m.session, keeper, nil)
}

// pickGrant shows the list, unless the person has turned to something else
// meanwhile.
func (m *Model) pickGrant(msg grantsMsg) {
	if msg.session != m.session {
		return
	}
	if msg.revoked != "" {
		m.tell("Not allowed any more: %s", m.cut(msg.revoked, m.width/2))
	}
	if errors.Is(msg.err, errors.ErrUnsupported) {
		m.tell(noGrants)
		return
	}
	if msg.err != nil {
		m.fail(msg.what, msg.err, "/grants tries again.")
		m.pane.end()
	}
	switch {
	case msg.err != nil && len(msg.grants) == 0:
	case len(msg.grants) == 0 && msg.revoked != "":
		m.tell("Nothing is allowed for longer than once any more.")
	case len(msg.grants) == 0:
		m.tell("Nothing is allowed for longer than once.")
	case m.focus() != composing || !m.composer.editor.Empty():
		m.tell("What is allowed is here: /grants shows it.")
	default:
		m.openGrants(msg.grants, "")
	}
}

// openGrants opens the list. The grant with the id armed is revoked when Enter
// is pressed on it again.
func (m *Model) openGrants(grants []session.Grant, armed string) {
	rows := make([]row, len(grants))
	const plain = "Allowed without asking   enter revokes, esc closes"
	title := plain
	for i, g := range grants {
		rows[i] = row{g.ID, g.What, m.reachOf(g)}
		if g.ID == armed {
			title = "Revoke " + m.cut(g.What, m.width/2) + "?   enter again, esc keeps it"
		}
	}
	at := m.now
	m.picker(title, rows, armed, nil)
	opened := m.list
	opened.moving = plain // what was to be revoked is not chosen any more
	opened.onPick = func(m *Model, r row) tea.Cmd {
		i := slices.IndexFunc(grants, func(g session.Grant) bool { return g.ID == r.value })
		g := grants[i]
		switch second := g.ID == armed && !opened.moved; {
		case !g.Revocable:
			m.openGrants(grants, "")
			m.list.chosen = i
			m.tell("It cannot be revoked: %s", strings.TrimSpace(g.Reason))
		case second && m.now.Sub(at) < repeatTime:
			m.openGrants(grants, armed) // a key that is held down
		case second:
			if keeper, ok := session.As[session.GrantKeeper](m.session); ok {
				return listGrants(m.ctx, m.session, keeper, &g)
			}
		default:
			m.openGrants(grants, g.ID)
		}
		return nil
	}
}

// repeatTime is within which the same key again is one that is held down
// (decision 2).
const repeatTime = 400 * time.Millisecond

// reachOf says how far a grant reaches, and what else there is to know of it.
func (m *Model) reachOf(g session.Grant) string {
	var parts []string
	switch g.Scope {
	case session.GrantSession:
		parts = append(parts, "until this session ends")
	case session.GrantLocation:
		where := "this repository or folder"
		if g.Where != "" {
			where = short(g.Where, m.config.Home)
		}
		parts = append(parts, "always in "+where)
	case session.GrantEverywhere:
		parts = append(parts, "always, everywhere")
	}
	switch {
	case !g.Revocable:
		parts = append(parts, "cannot be revoked") // enter tells why
	case g.Reason != "":
		parts = append(parts, g.Reason)
	}
	return strings.Join(parts, m.dot())
}
