package timeline

import (
	"cmp"
	"slices"

	"parley/session"
)

// applyCatalog keeps what the session has to work with. The runtime tells the
// lists anew in every turn; they are replaced and never changed in place, for a
// Status that was read holds them.
func (t *Timeline) applyCatalog(ev session.Event) ApplyResult {
	c := &t.status.Catalog
	switch b := ev.Body.(type) {
	case session.SessionToolsUpdated:
		c.ToolsModel, c.ToolsAt = b.Model, ev.Time
	case session.SessionSkillsLoaded:
		names := []string{}
		for _, s := range b.Skills {
			if s.Enabled {
				names = append(names, s.Name)
			}
		}
		replace(&c.Skills, names)
	case session.SessionCustomAgentsUpdated:
		names := make([]string, len(b.Agents))
		for i, a := range b.Agents {
			names[i] = cmp.Or(a.DisplayName, a.Name)
		}
		replace(&c.Agents, names)
		t.warnOnce(ev, "agents", "Custom agents", b.Errors)
		t.warnOnce(ev, "agents", "Custom agents", b.Warnings)
	case session.SessionExtensionsLoaded:
		t.extensionsLoaded(ev, b.Extensions)
	case session.SessionMcpServersLoaded:
		list := make([]Part, len(b.Servers))
		for i, s := range b.Servers {
			t.serverStatus(ev, s.Name, s.Status, s.Error)
			list[i] = Part{Name: s.Name, Status: s.Status, Error: s.Error, Tools: partOf(c.Servers, s.Name).Tools}
		}
		replace(&c.Servers, list)
	case session.SessionMcpServerToolsLoaded:
		t.server(b.ServerName, func(p *Part) { p.Tools = b.ToolCount })
	case session.SessionMcpServerRemoved:
		replace(&c.Servers, slices.DeleteFunc(slices.Clone(c.Servers), func(p Part) bool { return p.Name == b.ServerName }))
	case session.SessionMcpServerStatusChanged:
		t.server(b.ServerName, func(p *Part) { p.Status, p.Error = b.Status, b.Error })
		return Unhandled // the notice about it is made elsewhere
	case session.SessionMcpServerNeedsReconnect:
		t.server(b.ServerName, func(p *Part) { p.Status = "needs-reconnect" })
		return Unhandled
	default:
		return Unhandled
	}
	return Applied
}

// replace takes a list that was told unless it is as before.
func replace[T comparable](list *[]T, told []T) {
	if *list == nil || !slices.Equal(*list, told) {
		*list = told
	}
}

// partOf finds a part by its name; one that is not there is empty.
func partOf(list []Part, name string) Part {
	i := slices.IndexFunc(list, func(p Part) bool { return p.Name == name })
	if i < 0 {
		return Part{Name: name}
	}
	return list[i]
}

// server changes what is known of one MCP server.
func (t *Timeline) server(name string, change func(*Part)) {
	was := t.status.Catalog.Servers
	p := partOf(was, name)
	change(&p)
	list := append(make([]Part, 0, len(was)+1), was...)
	if i := slices.IndexFunc(list, func(p Part) bool { return p.Name == name }); i >= 0 {
		list[i] = p
	} else {
		list = append(list, p)
	}
	replace(&t.status.Catalog.Servers, list)
}

// extensionsLoaded tells of extensions that do not work, once for each reason.
func (t *Timeline) extensionsLoaded(ev session.Event, extensions []session.Extension) {
	list := make([]Part, len(extensions))
	for i, x := range extensions {
		list[i] = Part{Name: x.Name, Status: x.Status, Error: x.Error}
		if x.Status == "failed" {
			what := "Extension " + quoted(x.Name) + " does not work"
			t.warnOnce(ev, "extension", what, []string{x.Error})
		}
	}
	replace(&t.status.Catalog.Extensions, list)
}

// warnOnce tells what is wrong, unless it was told before: the lists come again
// and again.
func (t *Timeline) warnOnce(ev session.Event, category, what string, reasons []string) {
	for _, reason := range reasons {
		text := because(what, reason)
		if t.warned[text] {
			continue
		}
		if t.warned == nil {
			t.warned = map[string]bool{}
		}
		t.warned[text] = true
		t.notice(ev, &Notice{Level: Warning, Category: category, Text: text})
	}
}
