package main

import (
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

//go:embed switch.go.txt
var helpers string

// source is a package as it is read.
type source struct {
	dir   string
	fset  *token.FileSet
	files []*ast.File
	info  types.Info
	pkg   *types.Package
}

// load reads and checks a package.
func load(path string) (source, error) {
	s := source{fset: token.NewFileSet()}
	cmd := exec.CommandContext(context.Background(), "go", "list", "-export", "-deps", "-json=Dir,ImportPath,GoFiles,Export", path)
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err != nil {
		return s, fmt.Errorf("list %s: %w", path, err)
	}
	exports := map[string]string{}
	var last struct {
		Dir, ImportPath, Export string
		GoFiles                 []string
	}
	for d := json.NewDecoder(strings.NewReader(string(out))); ; { // the package itself comes last
		last.GoFiles = nil
		if err := d.Decode(&last); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			return s, err
		}
		exports[last.ImportPath] = last.Export
		if d.More() {
			continue
		}
		break
	}
	s.dir = last.Dir
	for _, name := range last.GoFiles {
		f, err := parser.ParseFile(s.fset, filepath.Join(s.dir, name), nil, parser.ParseComments)
		if err != nil {
			return s, err
		}
		s.files = append(s.files, f)
	}
	s.info = types.Info{
		Types: map[ast.Expr]types.TypeAndValue{}, Uses: map[*ast.Ident]types.Object{}, Defs: map[*ast.Ident]types.Object{},
	}
	config := types.Config{Importer: importer.ForCompiler(s.fset, "gc", func(path string) (io.ReadCloser, error) {
		return os.Open(exports[path])
	})}
	s.pkg, err = config.Check(last.ImportPath, s.fset, s.files, &s.info)
	return s, err
}

// build compiles the tests of a package with all mutants in it. Mutants that do not
// compile are left out, with their lines.
func build(path string, names []string, dir string) ([]mutant, error) {
	s, err := load(path)
	if err != nil {
		return nil, err
	}
	omit := map[string]map[int]bool{}
	for range 20 {
		mutants, err := s.write(names, dir, omit)
		if err != nil {
			return nil, err
		}
		out, err := exec.CommandContext(context.Background(), "go", "test", "-c", "-vet=off", "-gcflags=-e",
			"-overlay", filepath.Join(dir, "overlay.json"), "-o", filepath.Join(dir, "test"), path).CombinedOutput()
		if err == nil {
			return mutants, nil
		}
		found := regexp.MustCompile(`(?m)^(?:[^:\n]*/)?([^:/\n]+\.go):(\d+):.*$`).FindAllStringSubmatch(string(out), -1)
		if found == nil {
			return nil, fmt.Errorf("%w: %s", err, out)
		}
		for _, f := range found {
			fmt.Fprintln(os.Stderr, "left out:", f[0])
			if omit[f[1]] == nil {
				omit[f[1]] = map[int]bool{}
			}
			line, _ := strconv.Atoi(f[2])
			omit[f[1]][line] = true
		}
	}
	return nil, errors.New("the mutants do not compile")
}

// write writes the mutated files and the overlay that has the compiler read them.
func (s source) write(names []string, dir string, omit map[string]map[int]bool) ([]mutant, error) {
	replace := map[string]string{}
	put := func(name, text string) error {
		replace[filepath.Join(s.dir, name)] = filepath.Join(dir, name)
		return os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600)
	}
	wd, err := os.Getwd()
	if err != nil {
		return nil, err
	}
	m := mutator{fset: s.fset, info: s.info, pkg: s.pkg, literal: literals(s.files, s.info)}
	for _, f := range s.files {
		path := s.fset.Position(f.Pos()).Filename
		base := filepath.Base(path)
		if len(names) > 0 && !slices.Contains(names, base) {
			continue
		}
		if m.src, err = os.ReadFile(path); err != nil {
			return nil, err
		}
		if m.name, err = filepath.Rel(wd, path); err != nil {
			return nil, err
		}
		m.file, m.omit, m.function = f, omit[base], "var"
		m.survey()
		if err := put(base, string(m.src[:m.offset(f.Pos())])+m.rewrite(f)+string(m.src[m.offset(f.End()):])); err != nil {
			return nil, err
		}
	}
	if err := put("zz_mutants.go", strings.Replace(helpers, "PACKAGE", s.pkg.Name(), 1)); err != nil {
		return nil, err
	}
	overlay, err := json.Marshal(map[string]any{"Replace": replace})
	if err != nil {
		return nil, err
	}
	return m.mutants, os.WriteFile(filepath.Join(dir, "overlay.json"), overlay, 0o600)
}
