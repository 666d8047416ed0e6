package tui_test

import (
	"fmt"
	"go/ast"
	"go/types"
	"io/fs"
	"maps"
	"os"
	"path"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
)

// The most that a type and a folder may hold.
const (
	maxMethods = 80
	maxFiles   = 60
	maxFields  = 25 // of the model of the window, those of its embedded types included
	maxShell   = 30 // files in the folder of the window itself
	// maxClosures is how many function literals and fields of a function type may take the
	// model of the window.
	maxClosures = 0
)

// sizes are what is counted in a tree.
type sizes struct {
	methods  map[string]int      // by "folder.Type"
	fields   map[string][]string // by "folder.Type": the types of its embedded fields, and "" for any other
	files    map[string]int      // production files by folder
	closures int                 // function types with a parameter of type *Model
}

// TestBounds holds the tree to the bounds.
func TestBounds(t *testing.T) {
	t.Parallel()
	s, err := measure(os.DirFS(".."))
	if err != nil {
		t.Fatal(err)
	}
	for _, found := range slices.Concat(
		beyond("methods", s.methods, maxMethods),
		beyond("methods with those embedded", s.promoted(), maxMethods),
		beyond("files", s.files, maxFiles),
		beyond("files of the window itself", map[string]int{"tui": s.files["tui"]}, maxShell),
		beyond("fields", map[string]int{"tui.Model": s.reachable("tui.Model")}, maxFields),
		beyond("function types", map[string]int{"tui.Model": s.closures}, maxClosures),
	) {
		t.Error(found)
	}
}

// TestBoundsFind plants what breaks a bound.
func TestBoundsFind(t *testing.T) {
	t.Parallel()
	s, err := measure(fstest.MapFS{
		"a/a.go":      {Data: []byte("package a; type T struct { *u; x, y int; f func(m *Model) }; func (*T) m() {}; func (t T) n() {}")},
		"a/u.go":      {Data: []byte("package a; type u struct { z int }; func (u) p() {}; type l[E any] []E; func (l[E]) o() {}")},
		"a/a_test.go": {Data: []byte("package a; func (T) inTest() {}; var _ = func(*Model) {}")},
	})
	if err != nil {
		t.Fatal(err)
	}
	if s.methods["a.T"] != 2 || s.methods["a.l"] != 1 || s.files["a"] != 2 || s.reachable("a.T") != 5 || s.promoted()["a.T"] != 3 || s.closures != 1 {
		t.Errorf("got %+v, %d fields", s, s.reachable("a.T"))
	}
	if got := beyond("methods", s.methods, 1); !slices.Equal(got, []string{"a.T: 2 methods, more than 1"}) {
		t.Errorf("got %q", got)
	}
}

// beyond is what holds more than a bound.
func beyond(what string, counted map[string]int, bound int) []string {
	var found []string
	for _, name := range slices.Sorted(maps.Keys(counted)) {
		if n := counted[name]; n > bound {
			found = append(found, fmt.Sprintf("%s: %d %s, more than %d", name, n, what, bound))
		}
	}
	return found
}

// measure counts in the production files of a tree.
func measure(tree fs.FS) (*sizes, error) {
	s := &sizes{methods: map[string]int{}, fields: map[string][]string{}, files: map[string]int{}}
	err := eachGoFile(tree, func(name string, file *ast.File) {
		if !strings.HasSuffix(name, "_test.go") {
			s.files[path.Dir(name)]++
			s.count(path.Dir(name), file)
		}
	})
	return s, err
}

// count adds what a file holds.
func (s *sizes) count(dir string, file *ast.File) {
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncDecl:
			if n.Recv != nil {
				s.methods[dir+"."+typeName(n.Recv.List[0].Type)]++
			}
		case *ast.TypeSpec:
			if st, ok := n.Type.(*ast.StructType); ok {
				s.fields[dir+"."+n.Name.Name] = fieldsOf(dir, st)
			}
		case *ast.FuncType:
			if slices.ContainsFunc(n.Params.List, func(f *ast.Field) bool { return types.ExprString(f.Type) == "*Model" }) {
				s.closures++
			}
		}
		return true
	})
}

// fieldsOf are the fields of a struct: the type of an embedded one, "" for another.
func fieldsOf(dir string, st *ast.StructType) []string {
	var fields []string
	for _, f := range st.Fields.List {
		if len(f.Names) == 0 {
			fields = append(fields, dir+"."+typeName(f.Type))
		}
		fields = append(fields, make([]string, len(f.Names))...)
	}
	return fields
}

// reachable is how many fields a type has, those of its embedded types included.
func (s *sizes) reachable(name string) int {
	n := 0
	for _, t := range s.embedded(name) {
		n += len(s.fields[t])
	}
	return n
}

// promoted is how many methods each type has, those of its embedded types included:
// a type does not get smaller by embedding its parts.
func (s *sizes) promoted() map[string]int {
	all := map[string]int{}
	for name := range s.methods {
		for _, t := range s.embedded(name) {
			all[name] += s.methods[t]
		}
	}
	return all
}

// embedded are a type and all that it embeds, each once.
func (s *sizes) embedded(name string) []string {
	all := []string{name}
	for i := 0; i < len(all); i++ {
		for _, t := range s.fields[all[i]] {
			if t != "" && !slices.Contains(all, t) {
				all = append(all, t)
			}
		}
	}
	return all
}

// typeName is the name of a type without its package, its pointer and its type
// parameters; "" if it has none.
func typeName(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.Ident:
		return e.Name
	case *ast.StarExpr:
		return typeName(e.X)
	case *ast.IndexExpr:
		return typeName(e.X)
	case *ast.IndexListExpr:
		return typeName(e.X)
	case *ast.SelectorExpr:
		return e.Sel.Name
	}
	return ""
}
