package prompts

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"parley/session"
	"parley/session/sessiontest"
)

// withDialog and refused are every question there is: those that have a dialog,
// and those that are refused until they have one.
var (
	withDialog = []session.Ask{
		session.PermissionRequested{},
		session.UserInputRequested{},
		session.FolderTrustRequested{},
		session.ConfirmationRequested{},
		session.ElicitationRequested{},
		session.ExitPlanModeRequested{},
		session.McpOAuthRequired{},
		session.AutoModeSwitchRequested{},
		session.SessionLimitsExhaustedRequested{},
	}
	refused = []session.Ask{
		session.ExternalToolRequested{},
		session.CommandQueued{},
		session.CommandExecute{},
		session.SamplingRequested{},
		session.McpHeadersRefreshRequired{},
	}
)

// TestEveryAskHasDialog: no question is left hanging. Each has a dialog, or is
// refused with a reason.
func TestEveryAskHasDialog(t *testing.T) {
	t.Parallel()
	known := map[string]bool{}
	for _, a := range withDialog {
		known[typeName(a)] = true
		q := NewQueue()
		if got := q.Apply(session.Event{Body: a}, start); len(got) != 0 || q.Len() != 1 {
			t.Errorf("%T: refused %v, %d cards", a, got, q.Len())
		}
	}
	for _, a := range refused {
		known[typeName(a)] = true
		q := NewQueue()
		got := q.Apply(session.Event{Body: a}, start)
		if len(got) != 1 || q.Len() != 0 {
			t.Errorf("%T: refused %v, %d cards", a, got, q.Len())
			continue
		}
		r, ok := got[0].(session.Refusal)
		if !ok || r.Feedback == "" || r.Kind != session.KindOf(a) || r.RequestID != a.Request() {
			t.Errorf("%T: %+v", a, got[0])
		}
	}
	for _, name := range askTypes(t) {
		if !known[name] {
			t.Errorf("session.%s has no dialog and is not on the list of those that are refused", name)
		}
	}
}

// TestIsApproval: what the user only tells is a question, and everything else allows
// something.
func TestIsApproval(t *testing.T) {
	t.Parallel()
	for _, a := range append(withDialog, session.ElicitationRequested{Mode: session.URLMode}) {
		want := true
		switch a := a.(type) {
		case session.UserInputRequested:
			want = false
		case session.ElicitationRequested:
			want = a.Mode == session.URLMode
		default:
		}
		if got := IsApproval(a); got != want {
			t.Errorf("%T %+v: %t", a, a, got)
		}
	}
}

func typeName(a session.Ask) string {
	_, name, _ := strings.Cut(strings.TrimPrefix(fmt.Sprintf("%T", a), "*"), ".")
	return name
}

// askTypes returns the types of package session that are questions: those with
// a method Request that are no answers.
func askTypes(t *testing.T) []string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(sessiontest.Root(t), "session", "*.go"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no sources of session: %v", err)
	}
	asks, answers := map[string]bool{}, map[string]bool{}
	for _, file := range files {
		src, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		f, err := parser.ParseFile(token.NewFileSet(), file, src, 0)
		if err != nil {
			t.Fatal(err)
		}
		for _, decl := range f.Decls {
			fn, ok := decl.(*ast.FuncDecl)
			if !ok || fn.Recv == nil || len(fn.Recv.List) == 0 {
				continue
			}
			recv, ok := fn.Recv.List[0].Type.(*ast.Ident)
			if !ok {
				continue
			}
			switch fn.Name.Name {
			case "Request":
				asks[recv.Name] = true
			case "answer":
				answers[recv.Name] = true
			}
		}
	}
	var names []string
	for name := range asks {
		if !answers[name] {
			names = append(names, name)
		}
	}
	if len(names) < len(withDialog)+len(refused) {
		t.Fatalf("found only %v", names)
	}
	return names
}

func TestWish(t *testing.T) {
	t.Parallel()
	permission := func(r session.PermissionRequest) session.Ask {
		return session.PermissionRequested{PermissionRequest: r}
	}
	for _, c := range []struct {
		ask  session.Ask
		want string
	}{
		{permission(session.PermissionRequest{PermissionDetails: session.PermissionDetails{Kind: "shell", FullCommandText: "git push\norigin"}}), "wants to run git push"},
		{permission(session.PermissionRequest{PermissionDetails: session.PermissionDetails{Kind: "write", FileName: "a.go"}}), "wants to change a.go"},
		{permission(session.PermissionRequest{PermissionDetails: session.PermissionDetails{Kind: "read", Path: "/etc/hosts"}}), "wants to read /etc/hosts"},
		{permission(session.PermissionRequest{PermissionDetails: session.PermissionDetails{Kind: "url", URL: "https://example.org"}}), "wants to open https://example.org"},
		{permission(session.PermissionRequest{PermissionDetails: session.PermissionDetails{Kind: "mcp", ToolName: "weather"}}), "wants to use weather"},
		{session.UserInputRequested{Question: "Which one?"}, "asks: Which one?"},
		{session.ElicitationRequested{Message: "Fill this in"}, "asks: Fill this in"},
		{session.ExitPlanModeRequested{}, "has a plan for you"},
		{session.McpOAuthRequired{ServerName: "linear"}, "needs you for signing in to linear"},
		{session.AutoModeSwitchRequested{}, "needs an answer"},
	} {
		if got := Wish(c.ask); got != c.want {
			t.Errorf("%T: %q, want %q", c.ask, got, c.want)
		}
	}
}
