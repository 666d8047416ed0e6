package copilot

import (
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/go-json-experiment/json"

	"parley/session"
	"parley/session/sessiontest"
)

func TestRules(t *testing.T) {
	t.Parallel()
	tool := "push"
	for _, c := range []struct {
		approval session.Approval
		rules    string // as they are sent
		what     []string
	}{
		{
			session.Approval{Kind: "commands", CommandIdentifiers: []string{"git push", "ls"}},
			`[{"kind":"shell","argument":"git push"},{"kind":"shell","argument":"ls"}]`,
			[]string{"`git push`", "`ls`"},
		},
		{session.Approval{Kind: "write"}, `[{"kind":"write","argument":null}]`, []string{"every file change"}},
		{session.Approval{Kind: "read"}, `[{"kind":"read","argument":null}]`, []string{"reading any file in allowed folders"}},
		{session.Approval{Kind: "memory"}, `[{"kind":"memory","argument":null}]`, []string{"every memory"}},
		{
			session.Approval{Kind: "mcp", ServerName: "hub", ToolName: &tool},
			`[{"kind":"hub","argument":"push"}]`,
			[]string{"`push` of `hub`"},
		},
		{session.Approval{Kind: "mcp", ServerName: "hub"}, `[{"kind":"hub","argument":null}]`, []string{"every tool of `hub`"}},
		{session.Approval{Kind: "custom-tool", ToolName: &tool}, `[{"kind":"custom-tool","argument":"push"}]`, []string{"the tool `push`"}},
		{
			session.Approval{Kind: "mcp-sampling", ServerName: "hub"},
			`[{"kind":"mcp-sampling","argument":"hub"}]`,
			[]string{"the use of the model by `hub`"},
		},
		{session.Approval{Kind: "workflow"}, `null`, nil},
	} {
		rules := rulesOf(c.approval)
		sent, err := json.Marshal(rules, json.FormatNilSliceAsNull(true))
		if err != nil || string(sent) != c.rules {
			t.Errorf("%+v: sent is %s, %v; want %s", c.approval, sent, err, c.rules)
		}
		var what []string
		for _, r := range rules {
			what = append(what, r.what())
		}
		if !slices.Equal(what, c.what) {
			t.Errorf("%+v: said is %q, want %q", c.approval, what, c.what)
		}
	}
}

func TestRuleIDs(t *testing.T) {
	t.Parallel()
	a, empty := "a", ""
	rules := []rule{{"shell", &a}, {"shell", &empty}, {"shell", nil}, {"shell/a", nil}, {"shell`/a", nil}, {"a", &a}}
	ids := map[string]bool{}
	for _, r := range rules {
		ids[r.id(session.GrantSession)] = true
		ids[r.id(session.GrantLocation)] = true
	}
	if len(ids) != 2*len(rules) {
		t.Errorf("of %d rules there are the ids %v", len(rules), ids)
	}
}

func TestLedger(t *testing.T) {
	t.Parallel()
	approvedFor := func(id session.RequestID, kind string, commands ...string) session.Event {
		return session.Event{Body: session.PermissionCompleted{RequestID: id, Result: session.PermissionResult{
			Kind: kind, Approval: &session.Approval{Kind: "commands", CommandIdentifiers: commands},
		}}}
	}
	old := func(ev session.Event) session.Event { ev.Replayed = true; return ev }
	list := func(l *ledger) string {
		var all []string
		for _, g := range l.list() {
			mark := strings.Repeat("+", g.times-1)
			if g.before {
				mark += "?"
			}
			all = append(all, g.argument()+mark)
		}
		return strings.Join(all, " ")
	}
	var l ledger
	expect := func(want string) {
		t.Helper()
		if got := list(&l); got != want {
			t.Errorf("given are %q, want %q", got, want)
		}
	}
	expect("")
	l.note(approvedFor("1", "approved-for-session", "touch", "mkdir"))
	l.note(approvedFor("1", "approved-for-session", "touch", "mkdir")) // the same answer once more
	l.note(approvedFor("2", "approved-for-session", "touch"))
	l.note(approvedFor("3", "approved-for-location", "rm"))
	l.note(approvedFor("4", "denied-interactively-by-user", "rm"))
	l.note(session.Event{Body: session.PermissionCompleted{RequestID: "5", Result: session.PermissionResult{Kind: "approved-for-session"}}})
	expect("mkdir touch+")
	l.add("6", rule{"shell", nil})
	l.drop(rule{"shell", nil})
	touch := "touch"
	l.drop(rule{"shell", &touch})
	expect("mkdir")
	l.learn([]session.Event{
		old(approvedFor("7", "approved-for-session", "gone")), old(session.Event{Body: session.SessionShutdown{}}),
		old(approvedFor("8", "approved-for-session", "ls", "mkdir")),
		approvedFor("9", "approved-for-session", "cat"),
	})
	expect("cat ls? mkdir+")
	l.note(session.Event{Body: session.SessionShutdown{}})
	expect("")
}

// FuzzLocation takes rules out of whatever the file holds.
func FuzzLocation(f *testing.F) {
	f.Add(`{"tool_approvals":[{"kind":"commands","commandIdentifiers":["a","b","a"]},{"kind":"write","x":1},{"kind":"workflow"}]}`)
	f.Add(`{"tool_approvals":[{"kind":"commands"},{"kind":"mcp","serverName":"s","toolName":null},3,null,{}],"allowed_directories":["/a"]}`)
	f.Add(`{"allowed_directories":5,"more":[1]}`)
	f.Fuzz(func(t *testing.T, file string) {
		var l location
		if session.Unmarshal([]byte(file), &l) != nil {
			return
		}
		_ = l.directories()
		for rules := l.rules(); len(rules) > 0; rules = l.rules() {
			next, err := l.without(rules[0])
			if err != nil {
				t.Fatal(err)
			}
			if left := next.rules(); !slices.EqualFunc(left, rules[1:], rule.equal) {
				t.Fatalf("without %v there is %v, before there was %v", rules[0], left, rules)
			}
			l = next
		}
	})
}

func TestRemoveApproval(t *testing.T) {
	t.Parallel()
	sessiontest.UnixOnly(t, "links")
	dir := t.TempDir()
	file, link := filepath.Join(dir, "kept.json"), filepath.Join(dir, "permissions-config.json")
	const before = `{"locations":{"/a":{"tool_approvals":[{"kind":"write"},{"kind":"later","by":7}],"note":1}},"version":3}`
	if err := os.WriteFile(file, []byte(before), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(file, link); err != nil {
		t.Fatal(err)
	}
	for _, key := range []string{"/a", "/b"} { // of the second one there is nothing
		if err := removeApproval(link, key, rule{"write", nil}); err != nil {
			t.Fatal(err)
		}
	}
	got, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	const after = `{"locations":{"/a":{"tool_approvals":[{"kind":"later","by":7}],"note":1}},"version":3}`
	if said := strings.Join(strings.Fields(string(got)), ""); said != after {
		t.Errorf("the file says %s", said)
	}
	if info, err := os.Lstat(link); err != nil || info.Mode()&os.ModeSymlink == 0 {
		t.Errorf("the link is %v, %v", info, err)
	}
	if left, err := filepath.Glob(filepath.Join(dir, ".*")); err != nil || len(left) > 0 {
		t.Errorf("left are %v, %v", left, err)
	}
	if err := removeApproval(filepath.Join(dir, "none.json"), "/a", rule{"write", nil}); err != nil {
		t.Errorf("without a file: %v", err)
	}
	if err := os.WriteFile(file, []byte("{"), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := removeApproval(link, "/a", rule{"write", nil}); err == nil {
		t.Error("a file that cannot be read was written")
	}
	if got, err := os.ReadFile(file); err != nil || string(got) != "{" {
		t.Errorf("it says %s, %v", got, err)
	}
}

func TestPermissionsFile(t *testing.T) {
	t.Parallel()
	home := "HOME=/home/ada"
	if runtime.GOOS == "windows" { // where HOME is that of other programs
		home = "HOME=/c/ada USERPROFILE=/home/ada"
	}
	for want, env := range map[string]string{
		"/state/permissions-config.json":             home + " COPILOT_HOME=/old COPILOT_HOME=/state",
		"/home/ada/.copilot/permissions-config.json": home + " COPILOT_HOME=",
	} {
		if got := filepath.ToSlash(permissionsFile(strings.Fields(env))); got != want {
			t.Errorf("%v: %s, want %s", env, got, want)
		}
	}
}
