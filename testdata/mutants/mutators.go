package main

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// mutant is one change of a file: another text in the place of some bytes. Whether it
// compiles shows when it does not.
type mutant struct {
	path, file string // of the file, and as it is named below the working directory
	line       int
	function   string
	operator   string
	what       string // is changed
	source     []byte // of the file
	from, to   int
	text       string
}

// name identifies a mutant where lines move.
func (m mutant) name() string {
	return fmt.Sprintf("%s %s %s `%s`", m.file, m.function, m.operator, m.what)
}

// mutator finds the mutants of a file.
type mutator struct {
	fset     *token.FileSet
	mutants  []mutant
	about    mutant // what all of them have in common so far
	function *ast.FuncType
}

// mutantsOf reads a file.
func mutantsOf(path string) ([]mutant, error) {
	m := &mutator{fset: token.NewFileSet()}
	source, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	file, err := parser.ParseFile(m.fset, path, source, parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	m.about = mutant{path: path, file: path, source: source}
	if wd, err := os.Getwd(); err == nil {
		m.about.file, _ = filepath.Rel(wd, path) // both are absolute
	}
	for _, d := range file.Decls {
		m.about.function = "var"
		if f, ok := d.(*ast.FuncDecl); ok {
			m.about.function = f.Name.Name
		}
		if g, ok := d.(*ast.GenDecl); !ok || g.Tok == token.VAR || g.Tok == token.CONST {
			m.walk(d)
		}
	}
	return m.mutants, nil
}

// walk mutates what is in a node, in functions within functions with their results.
func (m *mutator) walk(root ast.Node) {
	outer := m.function
	ast.Inspect(root, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.ArrayType, *ast.Field:
			return false
		case *ast.FuncLit:
			if n != root {
				m.walk(n)
				return false
			}
			m.function = n.Type
		case *ast.FuncDecl:
			m.function = n.Type
		}
		m.mutate(n)
		return true
	})
	m.function = outer
}

func (m *mutator) offset(p token.Pos) int { return m.fset.Position(p).Offset }

func (m *mutator) sourceOf(n ast.Node) string {
	return string(m.about.source[m.offset(n.Pos()):m.offset(n.End())])
}

// add adds a mutant of a node that has a text in the place of another one.
func (m *mutator) add(operator string, n, instead ast.Node, text string) {
	m.addRange(operator, n, instead.Pos(), instead.End(), text)
}

func (m *mutator) addRange(operator string, n ast.Node, from, to token.Pos, text string) {
	one := m.about
	one.operator, one.line, one.text = operator, m.fset.Position(n.Pos()).Line, text
	one.what = strings.Join(strings.Fields(m.sourceOf(n)), " ")
	one.from, one.to = m.offset(from), m.offset(to)
	m.mutants = append(m.mutants, one)
}

// operators are what an operator becomes, and how that is called.
var operators = map[token.Token][2]string{
	token.LSS: {"<=", "boundary"}, token.LEQ: {"<", "boundary"}, token.GTR: {">=", "boundary"}, token.GEQ: {">", "boundary"},
	token.ADD: {"-", "arithmetic"}, token.SUB: {"+", "arithmetic"}, token.MUL: {"/", "arithmetic"}, token.QUO: {"*", "arithmetic"},
	token.LAND: {"||", "&& to ||"}, token.LOR: {"&&", "|| to &&"},
}

func (m *mutator) mutate(n ast.Node) {
	switch n := n.(type) {
	case *ast.BlockStmt:
		m.statements(n.List)
	case *ast.CommClause:
		m.statements(n.Body)
	case *ast.CaseClause:
		m.statements(n.Body)
		m.clause(n)
	case *ast.IfStmt:
		m.condition(n.Cond)
		m.add("drop branch", n.Cond, n.Cond, "false && ("+m.sourceOf(n.Cond)+")")
	case *ast.ForStmt:
		m.condition(n.Cond)
	case *ast.SwitchStmt:
		for _, c := range n.Body.List {
			if c, ok := c.(*ast.CaseClause); ok && n.Tag == nil {
				for _, e := range c.List {
					m.condition(e)
				}
			}
		}
	case *ast.BinaryExpr:
		if to := operators[n.Op]; to[0] != "" {
			m.addRange(to[1], n, n.OpPos, n.OpPos+token.Pos(len(n.Op.String())), to[0])
		}
		if n.Op == token.LAND || n.Op == token.LOR {
			m.condition(n.X)
			m.condition(n.Y)
		}
	case *ast.BasicLit:
		if n.Kind == token.INT {
			m.add("plus one", n, n, "("+n.Value+" + 1)")
			m.add("minus one", n, n, "("+n.Value+" - 1)")
		}
	case *ast.CompositeLit:
		m.elements(n.Elts, n.Rbrace)
	}
}

// condition negates an expression, unless its operands are conditions themselves.
func (m *mutator) condition(e ast.Expr) {
	switch inner := ast.Unparen(e).(type) {
	case nil:
	case *ast.UnaryExpr:
		if inner.Op == token.NOT {
			m.add("negate", inner.X, inner, m.sourceOf(inner.X))
		}
	case *ast.BinaryExpr:
		if inner.Op != token.LAND && inner.Op != token.LOR {
			m.add("negate", inner, inner, "!("+m.sourceOf(inner)+")")
		}
	default:
		m.add("negate", inner, inner, "!"+m.sourceOf(inner))
	}
}

// elements leaves out each of a list that ends before end.
func (m *mutator) elements(list []ast.Expr, end token.Pos) {
	for i, e := range list {
		to, of := end, e
		if i+1 < len(list) {
			to = list[i+1].Pos()
		}
		if pair, ok := e.(*ast.KeyValueExpr); ok {
			of = pair.Value
		}
		m.addRange("drop element", of, e.Pos(), to, "")
	}
}

// clause drops the values of a case, or all of it.
func (m *mutator) clause(c *ast.CaseClause) {
	if len(c.List) == 1 {
		m.add("drop case", c.List[0], c, "")
		return
	}
	for i, e := range c.List {
		if i+1 < len(c.List) {
			m.addRange("drop case", e, e.Pos(), c.List[i+1].Pos(), "")
		} else {
			m.addRange("drop case", e, c.List[i-1].End(), e.End(), "")
		}
	}
}

// statements deletes each of a list, which stays where it is for the compiler.
func (m *mutator) statements(list []ast.Stmt) {
	for _, s := range list {
		switch s := s.(type) {
		case *ast.ReturnStmt:
			m.returns(s)
			continue
		case *ast.ExprStmt:
			call, ok := s.X.(*ast.CallExpr)
			if !ok || m.sourceOf(call.Fun) == "panic" || strings.HasSuffix(m.sourceOf(call.Fun), ".Grow") {
				continue
			}
		case *ast.AssignStmt:
			if s.Tok == token.DEFINE || m.sourceOf(s.Lhs[0]) == "_" {
				continue
			}
		case *ast.BranchStmt:
			if s.Tok == token.GOTO || s.Tok == token.FALLTHROUGH {
				continue
			}
		case *ast.IncDecStmt, *ast.DeferStmt, *ast.SendStmt:
		default:
			continue
		}
		m.add("delete statement", s, s, "if false { "+m.sourceOf(s)+" }")
	}
}

// returns has a return give zero values, or true in place of false.
func (m *mutator) returns(s *ast.ReturnStmt) {
	switch results := m.function.Results; {
	case results == nil:
		m.add("delete statement", s, s, "if false { return }")
	case len(s.Results) == 1 && m.sourceOf(s.Results[0]) == "false":
		m.add("return true", s, s, "return true")
	case slices.ContainsFunc(s.Results, func(e ast.Expr) bool { return !m.isZero(e) }):
		var zeros []string
		for _, f := range results.List {
			for range max(1, len(f.Names)) {
				zeros = append(zeros, "*new("+m.sourceOf(f.Type)+")")
			}
		}
		m.add("return zero", s, s, "if true { return "+strings.Join(zeros, ", ")+" }; "+m.sourceOf(s))
	}
}

func (m *mutator) isZero(e ast.Expr) bool {
	c, ok := e.(*ast.CompositeLit)
	return ok && len(c.Elts) == 0 || slices.Contains([]string{"nil", "false", "0", `""`}, m.sourceOf(e))
}
