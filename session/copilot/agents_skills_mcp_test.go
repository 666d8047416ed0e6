package copilot_test

import (
	"bytes"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/go-json-experiment/json"

	"parley/session"
	"parley/session/sessiontest"
	"parley/session/sessiontest/llm"
)

// TestCustomAgents selects the agent of a folder and goes back.
func TestCustomAgents(t *testing.T) {
	b := on(t, answers())
	b.write(".github/agents/fox.agent.md", "---\nname: fox\ndescription: a sly one\n---\nMARK-fox be sly.\n")
	s, r := b.open()
	if agents, selected, err := s.CustomAgents(t.Context()); err != nil || len(agents) != 0 || selected != "" {
		t.Errorf("before the folder is trusted: %+v, %q, %v", agents, selected, err)
	}
	b.trustFolder(s, r, true)
	agents, selected, err := s.CustomAgents(t.Context())
	b.must(err)
	if len(agents) != 1 || agents[0].Name != "fox" ||
		agents[0].Description != "a sly one" || agents[0].Source != "project" || selected != "" {
		t.Errorf("%+v, %q", agents, selected)
	}
	sly := func() bool {
		t.Helper()
		b.send(s, "@@a")
		next[session.AssistantIdle](r)
		reqs := b.model.Requests()
		return strings.Contains(reqs[len(reqs)-1].System(), "MARK-fox be sly.")
	}
	if sly() {
		t.Error("the agent is in charge before it was selected")
	}
	b.must(s.SelectAgent(t.Context(), "fox"))
	if ev := next[session.SubagentSelected](r); ev.AgentName != "fox" {
		t.Errorf("selected %+v", ev)
	}
	if _, selected, err = s.CustomAgents(t.Context()); err != nil || selected != "fox" {
		t.Errorf("selected %q, %v", selected, err)
	}
	if !sly() {
		t.Error("the agent is not in charge")
	}
	b.must(s.SelectAgent(t.Context(), ""))
	next[session.SubagentDeselected](r)
	if _, selected, err = s.CustomAgents(t.Context()); err != nil || selected != "" || sly() {
		t.Errorf("selected %q, %v", selected, err)
	}
	if err := s.SelectAgent(t.Context(), "owl"); err == nil || !strings.Contains(err.Error(), "owl") {
		t.Errorf("selected one that is not there: %v", err)
	}
}

// TestSkills switches a skill of a folder off and on.
func TestSkills(t *testing.T) {
	b := on(t, answers())
	b.write(".github/skills/wave/SKILL.md", "---\nname: wave\ndescription: MARK-skill waves\n---\nWave.\n")
	s, r := b.open()
	b.trustFolder(s, r, true)
	skill := func() session.Skill {
		t.Helper()
		skills, err := s.Skills(t.Context())
		b.must(err)
		i := slices.IndexFunc(skills, func(k session.Skill) bool { return k.Name == "wave" })
		if i < 0 {
			t.Fatalf("no such skill among %+v", skills)
		}
		skills[i].Extra = nil
		return skills[i]
	}
	known := func() bool {
		t.Helper()
		shown, _, _ := b.loaded(s, r)
		return slices.Contains(shown, "MARK-skill")
	}
	want := session.Skill{
		Name: "wave", Description: "MARK-skill waves", Command: "wave", Source: "project",
		Path: b.path(".github/skills/wave/SKILL.md"), UserInvocable: true, Enabled: true,
	}
	if got := skill(); !reflect.DeepEqual(got, want) || !known() {
		t.Errorf("at first %+v", got)
	}
	b.must(s.EnableSkill(t.Context(), "wave", false))
	if got := skill(); got.Enabled || got.Command != "" || known() {
		t.Errorf("switched off: %+v", got)
	}
	b.must(s.EnableSkill(t.Context(), "wave", true))
	if got := skill(); !reflect.DeepEqual(got, want) || !known() {
		t.Errorf("switched on again: %+v", got)
	}
	if err := s.EnableSkill(t.Context(), "nod", true); err == nil || !strings.Contains(err.Error(), "no such skill") {
		t.Errorf("switched on one that is not there: %v", err)
	}
}

// TestMcpServers lists, switches off and on, and restarts a server.
func TestMcpServers(t *testing.T) {
	b := on(t, llm.Script{"a": {{Text: "A."}}, "call": {{Calls: []llm.Call{{Name: "asker-quiet"}}}, {Text: "Called."}}})
	b.mcpFolder()
	s, r := b.open()
	if servers, err := s.McpServers(t.Context()); err != nil || len(servers) != 0 {
		t.Errorf("before the folder is trusted: %+v, %v", servers, err)
	}
	b.trustFolder(s, r, true)
	status := func() string {
		t.Helper()
		servers, err := s.McpServers(t.Context())
		b.must(err)
		if len(servers) != 1 || servers[0].Name != "asker" || servers[0].Source != "workspace" {
			t.Fatalf("servers %+v", servers)
		}
		return servers[0].Status
	}
	offered := func() bool {
		t.Helper()
		b.send(s, "@@a")
		next[session.AssistantIdle](r)
		reqs := b.model.Requests()
		return reqs[len(reqs)-1].Offers("asker-quiet")
	}
	if got := status(); got != "connected" || !offered() {
		t.Errorf("at first it is %s", got)
	}
	list, err := s.McpTools(t.Context(), "asker")
	b.must(err)
	if !slices.Contains(list, session.McpTool{Name: "quiet", Description: "asks its client"}) || len(list) != len(mcpAsks) {
		t.Errorf("tools %+v", list)
	}
	b.must(s.EnableMcp(t.Context(), "asker", false))
	if got := status(); got != "disabled" || offered() {
		t.Errorf("switched off it is %s", got)
	}
	if _, err := s.McpTools(t.Context(), "asker"); err == nil {
		t.Error("it has tools while it is switched off")
	}
	b.must(s.EnableMcp(t.Context(), "asker", true))
	if got := status(); got != "connected" || !offered() {
		t.Errorf("switched on again it is %s", got)
	}
	b.must(s.RestartMcp(t.Context(), "asker"))
	if got := status(); got != "connected" || !offered() {
		t.Errorf("restarted it is %s", got)
	}
	for what, err := range map[string]error{
		"restart": s.RestartMcp(t.Context(), "nonesuch"), "switch off": s.EnableMcp(t.Context(), "nonesuch", false),
	} {
		if err == nil || !strings.Contains(err.Error(), "no such server") {
			t.Errorf("%s one that is not there: %v", what, err)
		}
	}
}

// TestReloadMcp takes up what was added to the file of a folder, and what was removed, but
// nothing of a folder that is not trusted.
func TestReloadMcp(t *testing.T) {
	b := on(t, llm.Script{"a": {{Text: "A."}}})
	self, err := os.Executable()
	b.must(err)
	configure := func(names ...string) {
		t.Helper()
		servers := object{}
		for _, name := range names {
			servers[name] = object{"command": self, "env": object{role: "mcp"}}
		}
		file, err := json.Marshal(object{"mcpServers": servers})
		b.must(err)
		b.write(".mcp.json", string(file))
	}
	configure("one")
	s, r := b.open()
	reloaded := func() (names string) {
		t.Helper()
		b.must(s.ReloadMcp(t.Context()))
		servers, err := s.McpServers(t.Context())
		b.must(err)
		for _, m := range servers {
			names += m.Name + " " + m.Status + " "
		}
		return names
	}
	if err := s.ReloadMcp(t.Context()); err == nil || !strings.Contains(err.Error(), "the folder is not trusted") {
		t.Errorf("before the folder is trusted: %v", err)
	}
	b.trustFolder(s, r, true)
	configure("one", "two")
	if got := reloaded(); got != "one connected two connected " {
		t.Errorf("one was added: %s", got)
	}
	configure("two")
	if got := reloaded(); got != "two connected " {
		t.Errorf("one was removed: %s", got)
	}
}

// TestOwnMcpServersWait: the MCP servers of the user start in no folder that is not trusted,
// and in it as soon as it is. A folder that was refused can be asked about again, and what is
// added is taken up in one that is trusted for the session only, too.
func TestOwnMcpServersWait(t *testing.T) {
	t.Parallel()
	b := setup(t, answers())
	self, err := os.Executable()
	b.must(err)
	script := `echo started >>` + b.home + `/starts; exec "$0"`
	file, err := json.Marshal(object{"mcpServers": object{"mine": object{
		"command": "/bin/sh", "args": []string{"-c", script, self}, "env": object{role: "mcp"}, "tools": []string{"*"},
	}}})
	b.must(err)
	config := filepath.Join(b.home, "mcp-config.json")
	b.must(os.WriteFile(config, append([]byte("// the runtime takes comments\n"), file...), 0o600))
	s, r := b.start().open()
	q := next[session.FolderTrustRequested](r)
	if want := []session.FolderContents{{Path: config, What: "the MCP server mine of yours"}}; !reflect.DeepEqual(q.Loads, want) {
		t.Errorf("asked about %+v", q.Loads)
	}
	status := func() string {
		t.Helper()
		servers, err := s.McpServers(t.Context())
		b.must(err)
		i := slices.IndexFunc(servers, func(m session.McpServer) bool { return m.Name == "mine" })
		if i < 0 {
			t.Fatalf("servers %+v", servers)
		}
		return servers[i].Status
	}
	turn := func() {
		t.Helper()
		b.send(s, "@@a")
		next[session.AssistantIdle](r)
	}
	turn()
	b.must(s.HoldMcp(t.Context(), "late"))
	b.must(os.WriteFile(config, bytes.Replace(file, []byte(`{"mine"`), []byte(`{"late":{"command":"/bin/sh","args":["-c","echo late >>`+b.home+`/starts"]},"mine"`), 1), 0o600))
	time.Sleep(time.Second) // the runtime watches the file
	turn()
	b.must(os.WriteFile(config, file, 0o600))
	if err := s.ReloadMcp(t.Context()); err == nil || !strings.Contains(err.Error(), "the folder is not trusted") {
		t.Errorf("reloaded before the folder is trusted: %v", err)
	}
	if got := status(); got != "disabled" {
		t.Errorf("before the folder is trusted it is %s", got)
	}
	if err := s.EnableMcp(t.Context(), "mine", true); err == nil || !strings.Contains(err.Error(), "the folder is not trusted") {
		t.Errorf("switched on before the folder is trusted: %v", err)
	}
	if _, err := os.Stat(filepath.Join(b.home, "starts")); err == nil {
		t.Error("it was started before the folder is trusted")
	}
	b.must(s.AskTrust(t.Context())) // it is asked already
	b.respond(s, session.FolderTrustAnswer{RequestID: q.RequestID})
	next[session.FolderTrustCompleted](r)
	b.must(s.AskTrust(t.Context()))
	q = next[session.FolderTrustRequested](r)
	if s.FolderTrusted() {
		t.Error("the folder counts as trusted")
	}
	b.respond(s, session.FolderTrustAnswer{RequestID: q.RequestID, Trusted: true})
	next[session.FolderTrustCompleted](r)
	turn()
	if got := status(); got != "connected" || !s.FolderTrusted() {
		t.Errorf("in the trusted folder it is %s", got)
	}
	configure := func(path string, names ...string) {
		t.Helper()
		servers := object{}
		for _, name := range names {
			servers[name] = object{"command": self, "env": object{role: "mcp"}, "tools": []string{"*"}}
		}
		file, err := json.Marshal(object{"mcpServers": servers})
		b.must(err)
		b.must(os.WriteFile(path, file, 0o600))
	}
	reloaded := func() (names []string) {
		t.Helper()
		b.must(s.ReloadMcp(t.Context()))
		servers, err := s.McpServers(t.Context())
		b.must(err)
		for _, m := range servers {
			names = append(names, m.Name+" "+m.Status)
		}
		slices.Sort(names)
		return names
	}
	configure(config, "mine", "other")
	configure(b.path(".mcp.json"), "folders")
	if got := reloaded(); !slices.Equal(got, []string{"folders connected", "mine connected", "other connected"}) {
		t.Errorf("two were added: %q", got)
	}
	configure(config, "mine")
	configure(b.path(".mcp.json"))
	if got := reloaded(); !slices.Equal(got, []string{"mine connected"}) {
		t.Errorf("two were removed: %q", got)
	}
}

// TestRestartCrashedMcp brings a server back that has died.
func TestRestartCrashedMcp(t *testing.T) {
	b := on(t, llm.Script{"call": {{Calls: []llm.Call{{Name: "asker-quiet"}}}, {Text: "Called."}}})
	self, err := os.Executable()
	b.must(err)
	file, err := json.Marshal(object{"mcpServers": object{"asker": object{
		"command": "/bin/sh", "args": []string{"-c", `echo $$ >>pids; exec "$0"`, self}, "env": object{role: "mcp"},
	}}})
	b.must(err)
	b.write(".mcp.json", string(file))
	s, r := b.open()
	b.trustFolder(s, r, true)
	b.must(s.SetAllowAll(t.Context(), true))
	works := func() bool {
		t.Helper()
		b.send(s, "@@call")
		d := next[session.ToolExecutionComplete](r)
		next[session.AssistantIdle](r)
		return d.Success
	}
	if !works() {
		t.Fatal("it does not work at first")
	}
	pids, err := os.ReadFile(b.path("pids"))
	b.must(err)
	started := strings.Fields(string(pids))
	pid, err := strconv.Atoi(started[len(started)-1])
	b.must(err)
	b.must(sessiontest.Signal(pid, syscall.SIGKILL))
	if works() {
		t.Error("it works although it is dead")
	}
	b.must(s.RestartMcp(t.Context(), "asker"))
	if !works() {
		t.Error("it does not work after the restart")
	}
}
