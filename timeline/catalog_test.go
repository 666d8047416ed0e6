package timeline_test

import (
	"reflect"
	"testing"

	"parley/session"
	"parley/timeline"
)

func TestCatalog(t *testing.T) {
	t.Parallel()
	f := newFeed()
	if c := f.Status().Catalog; c.Skills != nil || c.Servers != nil {
		t.Errorf("at first: %+v", c)
	}
	f.live(session.SessionSkillsLoaded{}, session.SessionMcpServersLoaded{})
	if c := f.Status().Catalog; c.Skills == nil || c.Servers == nil || len(c.Skills)+len(c.Servers) != 0 {
		t.Errorf("reported as empty: %+v", c)
	}
	f.live(
		session.SessionSkillsLoaded{Skills: []session.Skill{{Name: "pdf", Enabled: true}, {Name: "off"}, {Name: "go", Enabled: true}}},
		session.SessionCustomAgentsUpdated{Agents: []session.CustomAgent{{Name: "poet", DisplayName: "Poet"}, {Name: "plain"}}},
		session.SessionMcpServersLoaded{Servers: []session.McpServer{{Name: "a", Status: "pending"}, {Name: "b", Status: "failed", Error: "no"}}},
		session.SessionMcpServerToolsLoaded{ServerName: "a", ToolCount: 4},
	)
	before := f.Status()
	f.live(
		session.SessionMcpServerStatusChanged{ServerName: "a", Status: "connected"},
		session.SessionMcpServerNeedsReconnect{ServerName: "b"},
		session.SessionMcpServerStatusChanged{ServerName: "c", Status: "connected"},
		session.SessionExtensionsLoaded{Extensions: []session.Extension{{Name: "x", Status: "running"}}},
	)
	if got := before.Catalog.Servers; len(got) != 2 || got[0].Status != "pending" || got[1].Status != "failed" {
		t.Errorf("a status that was read has changed: %+v", got)
	}
	want := timeline.Catalog{
		Skills: []string{"pdf", "go"}, Agents: []string{"Poet", "plain"},
		Servers: []timeline.CatalogItem{
			{Name: "a", Status: "connected", Tools: 4}, {Name: "b", Status: "needs-reconnect", Error: "no"}, {Name: "c", Status: "connected"},
		},
		Extensions: []timeline.CatalogItem{{Name: "x", Status: "running"}},
	}
	if got := f.Status().Catalog; !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v", got)
	}
	f.live(session.SessionMcpServerRemoved{ServerName: "b"}, session.SessionMcpServerRemoved{ServerName: "z"},
		session.SessionMcpServersLoaded{Servers: []session.McpServer{{Name: "a", Status: "connected"}}})
	if got := f.Status().Catalog.Servers; len(got) != 1 || got[0] != (timeline.CatalogItem{Name: "a", Status: "connected", Tools: 4}) {
		t.Errorf("got %+v", got)
	}
}

func TestWhatDoesNotLoadIsShownOnce(t *testing.T) {
	t.Parallel()
	agents := session.SessionCustomAgentsUpdated{Errors: []string{"bad.md: no name"}, Warnings: []string{"poet: no\nmodel"}}
	extensions := session.SessionExtensionsLoaded{Extensions: []session.Extension{
		{Name: "x", Status: "failed", Error: "exit 1"}, {Name: "y", Status: "running", Error: "old"},
	}}
	f := newFeed().live(agents, extensions, agents, extensions)
	f.want(t, "warning Custom agents: bad.md: no name | warning Custom agents: poet: no model | "+
		"warning Extension “x” does not work: exit 1")
	extensions.Extensions[0].Error = ""
	f.live(extensions, extensions)
	if f.Len() != 4 {
		t.Errorf("got %s", f.outline())
	}
}

func TestObjective(t *testing.T) {
	t.Parallel()
	f := newFeed()
	for _, tt := range []struct {
		b    session.SessionAutopilotObjectiveChanged
		want string
	}{
		{session.SessionAutopilotObjectiveChanged{Operation: "create"}, "active"},
		{session.SessionAutopilotObjectiveChanged{Operation: "update", Status: "cap_reached"}, "cap reached"},
		{session.SessionAutopilotObjectiveChanged{Operation: "update"}, "cap reached"},
		{session.SessionAutopilotObjectiveChanged{Operation: "delete", Status: "completed"}, ""},
	} {
		if f.stored(tt.b); f.Status().Objective != tt.want {
			t.Errorf("%+v: %q", tt.b, f.Status().Objective)
		}
	}
}
