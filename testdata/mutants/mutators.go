package main

import (
	"fmt"
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"slices"
	"strings"
)

// mutant is one change of the source.
type mutant struct {
	where    token.Position
	function string
	operator string
	text     string // what is changed
}

// name identifies a mutant where lines move.
func (m mutant) name() string {
	return fmt.Sprintf("%s %s %s `%s`", m.where.Filename, m.function, m.operator, m.text)
}

// mutator writes a file in which each mutant is behind a switch. A mutant changes
// no line number, and what is in its changed part is not mutated again, so that
// the text grows linearly.
type mutator struct {
	fset    *token.FileSet
	info    types.Info
	pkg     *types.Package
	file    *ast.File
	src     []byte
	name    string       // of the file, below the module
	omit    map[int]bool // lines whose mutants do not compile
	mutants []mutant

	function string
	within   map[ast.Node]*ast.FuncType // of each return, and of each clause of a type switch
	listed   map[ast.Node]bool          // statements of a list
	conds    map[ast.Node]bool          // leaves of conditions
	branches map[ast.Node]bool          // conditions of if, and of a switch without a tag
	fixed    map[ast.Node]bool          // must stay constant
	cases    map[ast.Node]bool          // values of a switch with a tag
	elements map[ast.Node]bool          // of composite literals
	literal  map[types.Object]bool      // constants that a literal defines
}

// add notes a mutant and returns its number.
func (m *mutator) add(n ast.Node, operator string) int {
	text := strings.Join(strings.Fields(m.source(n)), " ")
	if c, ok := n.(*ast.CaseClause); ok {
		text = m.head(c)
	}
	where := m.fset.Position(n.Pos())
	where.Filename = m.name
	m.mutants = append(m.mutants, mutant{where: where, function: m.function, operator: operator, text: text})
	return len(m.mutants) // 0 is no mutant
}

func (m *mutator) offset(p token.Pos) int { return m.fset.Position(p).Offset }

func (m *mutator) source(n ast.Node) string {
	return string(m.src[m.offset(n.Pos()):m.offset(n.End())])
}

// rewrite is the source of n with the mutants of what is in it.
func (m *mutator) rewrite(n ast.Node) string {
	var out strings.Builder
	at := m.offset(n.Pos())
	ast.Inspect(n, func(d ast.Node) bool {
		if d == n || d == nil {
			return true
		}
		text, done := m.mutate(d)
		if text != "" {
			out.Write(m.src[at:m.offset(d.Pos())])
			out.WriteString(text)
			at = m.offset(d.End())
		}
		return !done
	})
	out.Write(m.src[at:m.offset(n.End())])
	return out.String()
}

// mutate returns what stands for a node, "" if that is its own source, and
// whether that is all of it.
func (m *mutator) mutate(n ast.Node) (text string, done bool) {
	if m.omit[m.fset.Position(n.Pos()).Line] {
		return "", false
	}
	switch n := n.(type) {
	case *ast.GenDecl:
		if slices.Contains(m.file.Decls, ast.Decl(n)) {
			m.function = "var"
		}
		return "", n.Tok != token.VAR
	case *ast.FuncDecl:
		m.function = n.Name.Name
	case *ast.ArrayType, *ast.Field:
		return "", true
	case *ast.CaseClause:
		return m.clause(n)
	case ast.Stmt:
		if m.listed[n] {
			text = m.statement(n)
		}
		return text, text != ""
	case ast.Expr:
		if m.fixed[n] {
			return "", true
		}
		text = m.expression(n)
		return text, text != "" || m.info.Types[n].Value != nil
	}
	return "", false
}

func (m *mutator) statement(s ast.Stmt) string {
	switch s := s.(type) {
	case *ast.ReturnStmt:
		return m.returns(s)
	case *ast.ExprStmt:
		call, ok := s.X.(*ast.CallExpr)
		if !ok || m.source(call.Fun) == "panic" || strings.HasSuffix(m.source(call.Fun), ".Grow") {
			return ""
		}
	case *ast.AssignStmt:
		if s.Tok == token.DEFINE || m.source(s.Lhs[0]) == "_" {
			return ""
		}
	case *ast.BranchStmt:
		if s.Tok == token.GOTO || s.Tok == token.FALLTHROUGH {
			return ""
		}
	case *ast.IncDecStmt, *ast.DeferStmt, *ast.SendStmt:
	default:
		return ""
	}
	id := m.add(s, "delete statement")
	return fmt.Sprintf("if !mutOn(%d) { %s }", id, m.rewrite(s))
}

// returns has a return give zero values, or true in place of false.
func (m *mutator) returns(s *ast.ReturnStmt) string {
	results := m.within[s].Results
	if results == nil {
		return fmt.Sprintf("if !mutOn(%d) { return }", m.add(s, "delete statement"))
	}
	zeros := m.zeros(results)
	if len(s.Results) == 0 {
		return ""
	}
	operator, nothing := "return zero", true
	for _, r := range s.Results {
		nothing = nothing && m.zero(r)
	}
	if nothing {
		if len(s.Results) != 1 || m.source(s.Results[0]) != "false" {
			return ""
		}
		operator, zeros = "return true", "true"
	}
	id := m.add(s, operator)
	return fmt.Sprintf("if mutOn(%d) { return %s }; %s", id, zeros, m.rewrite(s))
}

func (m *mutator) zeros(results *ast.FieldList) string {
	var zeros []string
	for _, f := range results.List {
		for range max(1, len(f.Names)) {
			zeros = append(zeros, "*new("+m.source(f.Type)+")")
		}
	}
	return strings.Join(zeros, ", ")
}

// zero reports whether an expression is the zero value of its type.
func (m *mutator) zero(e ast.Expr) bool {
	if c, ok := e.(*ast.CompositeLit); ok {
		return len(c.Elts) == 0
	}
	switch tv := m.info.Types[e]; {
	case tv.IsNil():
		return true
	case tv.Value == nil:
		return false
	case tv.Value.Kind() == constant.Bool:
		return !constant.BoolVal(tv.Value)
	case tv.Value.Kind() == constant.String:
		return constant.StringVal(tv.Value) == ""
	default:
		return constant.Sign(tv.Value) == 0
	}
}

// clause drops a case of a type switch.
func (m *mutator) clause(c *ast.CaseClause) (text string, done bool) {
	f, ofTypes := m.within[c]
	if !ofTypes || len(c.Body) == 0 {
		return "", false
	}
	leave := "break"
	if _, returns := c.Body[len(c.Body)-1].(*ast.ReturnStmt); returns && f.Results != nil {
		if len(c.Body) == 1 {
			return "", false // the return is a mutant
		}
		leave = "return " + m.zeros(f.Results)
	}
	var out strings.Builder
	fmt.Fprintf(&out, "%s if mutOn(%d) { %s };", m.head(c), m.add(c, "drop case"), leave)
	at := m.offset(c.Colon) + 1
	for _, s := range c.Body {
		out.Write(m.src[at:m.offset(s.Pos())])
		text, _ := m.mutate(s)
		if text == "" {
			text = m.rewrite(s)
		}
		out.WriteString(text)
		at = m.offset(s.End())
	}
	return out.String(), true
}

func (m *mutator) head(c *ast.CaseClause) string {
	return string(m.src[m.offset(c.Pos()) : m.offset(c.Colon)+1])
}

func (m *mutator) expression(e ast.Expr) string {
	if m.cases[e] {
		return m.value(e)
	}
	if tv := m.info.Types[e]; tv.Value != nil && tv.Value.Kind() == constant.Int {
		if text := m.integer(e); text != "" {
			return text
		}
	}
	if m.info.Types[e].IsType() {
		return ""
	}
	text := m.operation(e)
	inner := func() string {
		if text == "" {
			text = m.rewrite(e)
		}
		return text
	}
	b, isBinary := e.(*ast.BinaryExpr)
	if m.info.Types[e].Value == nil && m.boolean(e) && (m.conds[e] || isBinary && comparison(b.Op)) {
		text = fmt.Sprintf("((%s) != mutOn(%d))", inner(), m.add(e, "negate"))
	}
	if m.branches[e] && m.boolean(e) {
		text = fmt.Sprintf("((%s) && !mutOn(%d))", inner(), m.add(e, "drop branch"))
	}
	if m.elements[e] && !m.zero(e) {
		if of, ok := m.typeOf(e); ok {
			text = fmt.Sprintf("mutZero%s(%d, %s)", of, m.add(e, "zero element"), inner())
		}
	}
	return text
}

func comparison(op token.Token) bool {
	return slices.Contains([]token.Token{token.EQL, token.NEQ, token.LSS, token.LEQ, token.GTR, token.GEQ}, op)
}

// boolean reports whether an expression is of type bool itself.
func (m *mutator) boolean(e ast.Expr) bool {
	b, ok := m.info.TypeOf(e).(*types.Basic)
	return ok && b.Info()&types.IsBoolean != 0
}

// operation mutates the operator of an expression.
func (m *mutator) operation(e ast.Expr) string {
	b, ok := e.(*ast.BinaryExpr)
	if !ok || m.info.Types[e].Value != nil {
		return ""
	}
	side := func(e ast.Expr) string {
		text, _ := m.mutate(e)
		if text == "" {
			text = m.rewrite(e)
		}
		return text
	}
	number := false
	if t, ok := m.info.TypeOf(b.X).Underlying().(*types.Basic); ok {
		number = t.Info()&types.IsNumeric != 0
	}
	call := func(f, operator string, x, y ast.Expr) string {
		id := m.add(e, operator)
		return fmt.Sprintf("%s(%d, %s, %s)", f, id, side(x), side(y))
	}
	switch b.Op {
	case token.LAND, token.LOR:
		other := token.LOR
		if b.Op == token.LOR {
			other = token.LAND
		}
		id := m.add(e, fmt.Sprintf("%s to %s", b.Op, other))
		return fmt.Sprintf("(mutOn(%d) && (%s %s %s) || !mutOn(%d) && (%s %s %s))",
			id, m.line(b.X), other, m.line(b.Y), id, side(b.X), b.Op, side(b.Y))
	case token.LSS:
		return call("mutLess", "boundary", b.X, b.Y)
	case token.LEQ:
		return call("mutLessEqual", "boundary", b.X, b.Y)
	case token.GTR:
		return call("mutGreater", "boundary", b.X, b.Y)
	case token.GEQ:
		return call("mutGreaterEqual", "boundary", b.X, b.Y)
	default:
	}
	arithmetic := map[token.Token]string{token.ADD: "mutAdd", token.SUB: "mutSub", token.MUL: "mutMul", token.QUO: "mutQuo"}
	if f := arithmetic[b.Op]; f != "" && number {
		return call(f, "arithmetic", b.X, b.Y)
	}
	return ""
}

// line is the source of an expression on one line, where that can be.
func (m *mutator) line(e ast.Expr) string {
	text := m.source(e)
	if strings.Contains(text, "//") || strings.Contains(text, "`") || strings.Contains(text, "{\n") {
		return text
	}
	return strings.Join(strings.Split(text, "\n"), " ")
}

// integer adds one to a constant, or takes one.
func (m *mutator) integer(e ast.Expr) string {
	mutable := false
	ast.Inspect(e, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.BasicLit:
			mutable = mutable || n.Kind == token.INT
		case *ast.Ident:
			mutable = mutable || m.literal[m.info.Uses[n]]
		}
		return true
	})
	of, ok := m.typeOf(e)
	if !mutable || !ok {
		return ""
	}
	id := m.add(e, "plus one")
	if constant.Sign(m.info.Types[e].Value) == 0 {
		return fmt.Sprintf("mutPlus%s(%d, %s)", of, id, m.source(e))
	}
	m.add(e, "minus one")
	return fmt.Sprintf("mutInt%s(%d, %s)", of, id, m.source(e))
}

// value drops a value of a case.
func (m *mutator) value(e ast.Expr) string {
	of, ok := m.typeOf(e)
	b, basic := m.info.TypeOf(e).Underlying().(*types.Basic)
	if !ok || !basic || b.Info()&(types.IsString|types.IsInteger) == 0 {
		return ""
	}
	never := `"\x00"`
	if b.Info()&types.IsInteger != 0 {
		never = "119"
	}
	return fmt.Sprintf("mutCase%s(%d, %s, %s)", of, m.add(e, "drop case"), m.source(e), never)
}

// typeOf returns the type argument for an expression, if the file can name it and
// must.
func (m *mutator) typeOf(e ast.Expr) (argument string, ok bool) {
	tv := m.info.Types[e]
	if tv.Type == nil || tv.Value == nil {
		return "", tv.Type != nil
	}
	if b, untyped := tv.Type.(*types.Basic); untyped && b.Info()&types.IsUntyped != 0 {
		return "[" + types.Default(b).String() + "]", true
	}
	ok = true
	name := types.TypeString(tv.Type, func(p *types.Package) string {
		if p == m.pkg {
			return ""
		}
		for _, spec := range m.file.Imports {
			if strings.Trim(spec.Path.Value, `"`) == p.Path() {
				if spec.Name != nil {
					return spec.Name.Name
				}
				return p.Name()
			}
		}
		ok = false
		return p.Name()
	})
	return "[" + name + "]", ok
}
