package generate

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"

	"parley/session"
)

// TestEventTests finds the test that each row of the decisions names, and the
// event in it: its Go type or its wire name, in the test itself, in what the
// test uses of its package, or in the file that its subtest plays. A row whose
// test is gone, or is of something else, must not pass.
func TestEventTests(t *testing.T) {
	t.Parallel()
	packages := map[string]testFiles{}
	for _, d := range rows(t) {
		dir, _, _ := strings.Cut(d.test, ".")
		if packages[dir] == nil {
			packages[dir] = parseTests(t, dir)
		}
		if complaint := d.untested(packages); complaint != "" {
			t.Error(complaint)
		}
		for _, other := range []string{"", "TestNowhere", dir + ".TestNowhere", dir + ".TestNowhere/abort", d.test + "/no_such_case"} {
			wrong := d
			if wrong.test = other; wrong.untested(packages) == "" {
				t.Errorf("%s passes for the test of %s", other, session.KindOf(d.body))
			}
		}
	}
}

// untested says what is wrong with the test that a row names, and what to do.
func (d decision) untested(packages map[string]testFiles) string {
	kind := session.KindOf(d.body)
	dir, name, _ := strings.Cut(d.test, ".")
	name, sub, _ := strings.Cut(name, "/")
	row := fmt.Sprintf("the row of %s names the test %q", kind, d.test)
	switch body := packages[dir][name]; {
	case body == nil:
		return row + ", which is not there: write a test that shows the event, and name it as package.Test"
	case dir == "docs/generate" && name == "TestEventPlaces":
		if sub != string(kind) || d.where != "nothing" {
			return row + ", which shows only what appears nowhere: name the test that shows the event in its place"
		}
	case sub == "" && !packages[dir].mention(name, d):
		return fmt.Sprintf("%s, which does not mention %T: name the test that does", row, d.body)
	case sub != "" && !packages[dir].plays(name, sub, d):
		return fmt.Sprintf("%s: there is no such subtest that mentions %T: name the one that does", row, d.body)
	}
	return ""
}

// testFiles are the declarations in the test files of a package, by name.
type testFiles map[string]ast.Node

// parseTests reads the test files of a package.
func parseTests(t *testing.T, dir string) testFiles {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join(root, dir, "*_test.go"))
	if err != nil {
		t.Fatal(err)
	}
	found := testFiles{}
	for _, path := range paths {
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range file.Decls {
			switch d := d.(type) {
			case *ast.FuncDecl:
				if d.Recv == nil {
					found[d.Name.Name] = d
				}
			case *ast.GenDecl:
				for _, spec := range d.Specs {
					if v, ok := spec.(*ast.ValueSpec); ok {
						found[v.Names[0].Name] = v
					}
				}
			}
		}
	}
	return found
}

// mention reports whether a test, or a function or variable of the package's
// test files that it uses, mentions the event of a decision.
func (f testFiles) mention(name string, d decision) bool {
	return slices.ContainsFunc(f.used(name), func(n ast.Node) bool { return mentions(n, d) })
}

// used are a test and what it uses of the package's test files.
func (f testFiles) used(name string) []ast.Node {
	used := []ast.Node{f[name]}
	ast.Inspect(f[name], func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok && f[id.Name] != nil {
			used = append(used, f[id.Name])
		}
		return true
	})
	return used
}

// reads reports whether a test plays the files of a folder of testdata: it
// names the folder, or lists the logs by sessiontest.LogNames.
func (f testFiles) reads(name, folder string) bool {
	found := false
	for _, n := range f.used(name) {
		ast.Inspect(n, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.BasicLit:
				found = found || strings.Contains(n.Value, folder)
			case *ast.SelectorExpr:
				found = found || folder == "sessions" && n.Sel.Name == "LogNames"
			}
			return !found
		})
	}
	return found
}

// mentions reports whether a piece of source has the Go type of the event of a
// decision, or its wire name in a text.
func mentions(n ast.Node, d decision) bool {
	found := false
	ast.Inspect(n, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.SelectorExpr:
			x, ok := n.X.(*ast.Ident)
			name := reflect.TypeOf(d.body).Name()
			found = found || ok && x.Name == "session" && (n.Sel.Name == name || n.Sel.Name == "Kind"+name)
		case *ast.BasicLit:
			text, err := strconv.Unquote(n.Value)
			found = found || err == nil && (text == string(session.KindOf(d.body)) || strings.Contains(text, `"`+string(session.KindOf(d.body))+`"`))
		}
		return !found
	})
	return found
}

// plays reports whether a test has a subtest for the event of a decision: one
// that it names and that mentions the event, or one that plays a file of
// testdata which has it.
func (f testFiles) plays(name, sub string, d decision) bool {
	for folder, ext := range map[string]string{"sessions": ".jsonl", "scenarios": ".txt"} {
		text, err := os.ReadFile(filepath.Join(root, "testdata", folder, sub+ext))
		events := strings.ReplaceAll(string(text), `"type": "`, `"type":"`)
		if err == nil && strings.Contains(events, `"type":"`+string(session.KindOf(d.body))+`"`) && f.reads(name, folder) {
			return true
		}
	}
	named := false
	ast.Inspect(f[name], func(n ast.Node) bool {
		if lit, ok := n.(*ast.BasicLit); ok {
			text, err := strconv.Unquote(lit.Value)
			named = named || err == nil && strings.ReplaceAll(text, " ", "_") == sub
		}
		return true
	})
	return named && f.mention(name, d)
}
