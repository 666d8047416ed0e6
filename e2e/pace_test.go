package e2e

import (
	"fmt"
	"go/ast"
	"go/build"
	"go/constant"
	"go/parser"
	"go/token"
	"go/types"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// consentTimes are the times of consent in a build with some tags, as the compiler
// has them.
func consentTimes(t *testing.T, tags ...string) map[string]time.Duration {
	t.Helper()
	selected, fset := build.Default, token.NewFileSet()
	selected.BuildTags = tags
	var files []*ast.File
	for _, name := range []string{"guard.go", "pace.go", "pace_journeys.go"} {
		if match, err := selected.MatchFile("prompts/consent", name); err != nil {
			t.Fatal(err)
		} else if !match {
			continue
		}
		file, err := parser.ParseFile(fset, filepath.Join("prompts/consent", name), nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, file)
	}
	// What other files and packages declare is not known here, but for what a
	// millisecond is.
	lenient := types.Config{Importer: onlyTime{}, Error: func(error) {}}
	pkg, _ := lenient.Check("consent", fset, files, nil)
	times := map[string]time.Duration{}
	for _, name := range []string{"Quiet", "Alone", "Flush"} {
		value, ok := pkg.Scope().Lookup(name).(*types.Const)
		if !ok {
			t.Fatalf("%s is no constant", name)
		}
		d, exact := constant.Int64Val(value.Val())
		if !exact {
			t.Fatalf("%s is %v", name, value.Val())
		}
		times[name] = time.Duration(d)
	}
	return times
}

// onlyTime imports nothing but the millisecond of package time.
type onlyTime struct{}

func (onlyTime) Import(path string) (*types.Package, error) {
	if path != "time" {
		return nil, fmt.Errorf("%s is not needed here", path)
	}
	pkg := types.NewPackage("time", "time")
	pkg.Scope().Insert(types.NewConst(token.NoPos, pkg, "Millisecond", types.Typ[types.Int64], constant.MakeInt64(int64(time.Millisecond))))
	pkg.MarkComplete()
	return pkg, nil
}

// TestPaceOfConsent: the times of consent are those of the decisions in every build
// but the one that journeys drive. They are constants, one build tag alone changes
// them, and nothing that builds a program for a user names it.
func TestPaceOfConsent(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]time.Duration{
		"Quiet": 400 * time.Millisecond, "Alone": 200 * time.Millisecond, "Flush": 50 * time.Millisecond,
	} {
		if got := consentTimes(t)[name]; got != want {
			t.Errorf("%s is %v in the program of a user, want %v", name, got, want)
		}
		if got := consentTimes(t, "journeys")[name]; got*8 != want {
			t.Errorf("%s is %v in the journeys, want an eighth of %v", name, got, want)
		}
	}
	if got := consentTimes(t, "journeys")["Quiet"]; got != quiet {
		t.Errorf("the journeys pause for %v, and the quiet time is %v", quiet, got)
	}
	var tagged []string
	err := filepath.WalkDir(".", func(path string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.IsDir() && slices.Contains([]string{"node_modules", ".git", "bin"}, entry.Name()):
			return fs.SkipDir
		case !entry.Type().IsRegular():
			return nil
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		switch {
		case filepath.Ext(path) != ".go":
			if strings.Contains(string(text), "-tags") {
				t.Errorf("%s builds with tags", path)
			}
		case slices.ContainsFunc(strings.Split(string(text), "\n"), func(line string) bool {
			return strings.HasPrefix(line, "//go:build ") && strings.Contains(line, "journeys")
		}):
			tagged = append(tagged, path)
		}
		return nil
	})
	if want := []string{"prompts/consent/pace.go", "prompts/consent/pace_journeys.go"}; err != nil || !slices.Equal(tagged, want) {
		t.Errorf("the tag of the journeys is in %v, want %v (%v)", tagged, want, err)
	}
}
