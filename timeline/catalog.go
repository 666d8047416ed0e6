package timeline

import (
	"cmp"
	"slices"

	"parley/session"
)

// catalog is what the session has to work with. The runtime repeats the lists
// in every turn; they are replaced and never changed in place, for a Status that was
// read holds them.
type catalog struct {
	*turns
	reported map[string]bool
	servers  map[string]string // the last reported status of each MCP server
}

func (cat *catalog) apply(ev session.Event) ApplyResult {
	c := &cat.status.Catalog
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
		cat.warnOnce(ev, "agents", "Custom agents", b.Errors)
		cat.warnOnce(ev, "agents", "Custom agents", b.Warnings)
	case session.SessionExtensionsLoaded:
		cat.extensionsLoaded(ev, b.Extensions)
	case session.SessionMcpServersLoaded:
		list := make([]CatalogItem, len(b.Servers))
		for i, s := range b.Servers {
			cat.serverStatus(ev, s.Name, s.Status, s.Error)
			list[i] = CatalogItem{Name: s.Name, Status: s.Status, Error: s.Error}
			if at := itemNamed(c.Servers, s.Name); at >= 0 {
				list[i].Tools = c.Servers[at].Tools
			}
		}
		replace(&c.Servers, list)
	case session.SessionMcpServerToolsLoaded:
		cat.server(b.ServerName, func(p *CatalogItem) { p.Tools = b.ToolCount })
	case session.SessionMcpServerRemoved:
		replace(&c.Servers, slices.DeleteFunc(slices.Clone(c.Servers), func(p CatalogItem) bool { return p.Name == b.ServerName }))
	case session.SessionMcpServerStatusChanged:
		cat.server(b.ServerName, func(p *CatalogItem) { p.Status, p.Error = b.Status, b.Error })
		return cat.serverStatus(ev, b.ServerName, b.Status, b.Error)
	case session.SessionMcpServerNeedsReconnect:
		cat.server(b.ServerName, func(p *CatalogItem) { p.Status = "needs-reconnect" })
		return cat.serverStatus(ev, b.ServerName, "needs-reconnect", "")
	case session.McpOAuthRecoveryCompleted:
		return cat.signedInAgain(ev, b)
	default:
		return Unhandled
	}
	return Applied
}

// replace takes a reported list, unless it is as before.
func replace[T comparable](list *[]T, reported []T) {
	if *list == nil || !slices.Equal(*list, reported) {
		*list = reported
	}
}

// itemNamed is the place of an item in a list; -1 if it is not there.
func itemNamed(list []CatalogItem, name string) int {
	return slices.IndexFunc(list, func(p CatalogItem) bool { return p.Name == name })
}

// server changes what is known of one MCP server.
func (cat *catalog) server(name string, change func(*CatalogItem)) {
	list := slices.Clone(cat.status.Catalog.Servers)
	i := itemNamed(list, name)
	if i < 0 {
		i, list = len(list), append(list, CatalogItem{Name: name})
	}
	change(&list[i])
	replace(&cat.status.Catalog.Servers, list)
}

// extensionsLoaded reports extensions that do not work, once for each reason.
func (cat *catalog) extensionsLoaded(ev session.Event, extensions []session.Extension) {
	list := make([]CatalogItem, len(extensions))
	for i, x := range extensions {
		list[i] = CatalogItem{Name: x.Name, Status: x.Status, Error: x.Error}
		if x.Status == "failed" {
			what := "Extension " + quoted(x.Name) + " does not work"
			cat.warnOnce(ev, "extension", what, []string{x.Error})
		}
	}
	replace(&cat.status.Catalog.Extensions, list)
}

// warnOnce shows what is wrong, unless it did before: the lists come again and
// again.
func (cat *catalog) warnOnce(ev session.Event, category, what string, reasons []string) {
	for _, reason := range reasons {
		text := withReason(what, reason)
		if cat.reported[text] {
			continue
		}
		cat.reported[text] = true
		cat.notice(ev, &Notice{Level: Warning, Category: category, Text: text})
	}
}

func (cat *catalog) signedInAgain(ev session.Event, b session.McpOAuthRecoveryCompleted) ApplyResult {
	n := &Notice{Category: "mcp"}
	switch b.Outcome {
	case "succeeded":
		n.Level, n.Text = Success, "Signed in to MCP server "+quoted(b.ServerName)+" again"
	case "cancelled":
		n.Text = "Signing in to MCP server " + quoted(b.ServerName) + " again was cancelled"
	default:
		n.Level, n.Text = Warning, "Signing in to MCP server "+quoted(b.ServerName)+" again did not work"
		n.Next = "Restart the server with /mcp to try once more."
	}
	return cat.notice(ev, n)
}

// serverStatus reports an MCP server that does not work, once until it works
// again, which is reported too, or was turned off: each attempt to connect goes
// through "pending" and is no news.
func (cat *catalog) serverStatus(ev session.Event, server, status, reason string) ApplyResult {
	before := cat.servers[server]
	if status == "pending" || status == before {
		return Ignored
	}
	cat.servers[server] = status
	n := &Notice{Level: Warning, Category: "mcp", Text: "MCP server " + quoted(server)}
	switch status {
	case "failed":
		n.Text = withReason(n.Text+" does not work", reason)
		n.Detail = unlessRepeated(reason, n.Text)
	case "needs-auth":
		n.Text += " wants you to sign in"
	case "needs-reconnect":
		n.Text += " has lost its connection"
	case "connected":
		switch before {
		case "failed", "needs-reconnect":
			n.Level, n.Text = Success, n.Text+" is connected again"
		case "needs-auth":
			n.Level, n.Text = Success, n.Text+" is connected now"
		default:
			return Ignored
		}
	default:
		return Ignored
	}
	return cat.notice(ev, n)
}
