package main

import (
	"go/ast"
	"go/token"
	"go/types"
)

// survey notes where in a file what can be mutated stands.
func (m *mutator) survey() {
	m.within, m.listed, m.conds = map[ast.Node]*ast.FuncType{}, map[ast.Node]bool{}, map[ast.Node]bool{}
	m.branches, m.fixed, m.cases = map[ast.Node]bool{}, map[ast.Node]bool{}, map[ast.Node]bool{}
	m.elements = map[ast.Node]bool{}
	var stack []ast.Node
	ast.Inspect(m.file, func(n ast.Node) bool {
		if n == nil {
			stack = stack[:len(stack)-1]
			return true
		}
		stack = append(stack, n)
		switch n := n.(type) {
		case *ast.BlockStmt:
			m.list(n.List)
		case *ast.CaseClause:
			m.list(n.Body)
		case *ast.CommClause:
			m.list(n.Body)
		case *ast.IfStmt:
			m.branches[n.Cond] = true
			m.condition(n.Cond)
		case *ast.ForStmt:
			m.condition(n.Cond)
		case *ast.BinaryExpr:
			if n.Op == token.LAND || n.Op == token.LOR {
				m.condition(n.X)
				m.condition(n.Y)
			}
		case *ast.UnaryExpr:
			if n.Op == token.NOT {
				m.condition(n.X)
			}
		case *ast.ReturnStmt:
			m.within[n] = function(stack)
		case *ast.TypeSwitchStmt:
			for _, c := range n.Body.List {
				m.within[c] = function(stack)
			}
		case *ast.SwitchStmt:
			m.values(n)
		case *ast.CallExpr:
			m.capacity(n)
		case *ast.CompositeLit:
			m.composite(n)
		}
		return true
	})
}

// function is the type of the innermost function around the last of nodes.
func function(stack []ast.Node) *ast.FuncType {
	for i := len(stack) - 1; i >= 0; i-- {
		switch f := stack[i].(type) {
		case *ast.FuncLit:
			return f.Type
		case *ast.FuncDecl:
			return f.Type
		}
	}
	return nil
}

func (m *mutator) list(statements []ast.Stmt) {
	for _, s := range statements {
		m.listed[s] = true
	}
}

// condition notes an expression unless its operands are conditions themselves.
func (m *mutator) condition(e ast.Expr) {
	switch e := ast.Unparen(e).(type) {
	case nil:
	case *ast.UnaryExpr:
		m.conds[e] = e.Op != token.NOT
	case *ast.BinaryExpr:
		m.conds[e] = e.Op != token.LAND && e.Op != token.LOR
	default:
		m.conds[e] = true
	}
}

func (m *mutator) values(s *ast.SwitchStmt) {
	for _, clause := range s.Body.List {
		c, ok := clause.(*ast.CaseClause)
		if !ok {
			continue
		}
		for _, e := range c.List {
			if s.Tag != nil {
				m.cases[e] = true
				continue
			}
			m.branches[e] = true
			m.condition(e)
		}
	}
}

// capacity notes what only says how much memory is made ready.
func (m *mutator) capacity(call *ast.CallExpr) {
	switch f := call.Fun.(type) {
	case *ast.Ident:
		if f.Name != "make" {
			return
		}
		from := 2
		if _, isMap := m.info.TypeOf(call.Args[0]).Underlying().(*types.Map); isMap {
			from = 1
		}
		for _, e := range call.Args[min(from, len(call.Args)):] {
			m.fixed[e] = true
		}
	case *ast.SelectorExpr:
		for _, e := range call.Args {
			m.fixed[e] = m.fixed[e] || f.Sel.Name == "Grow"
		}
	}
}

func (m *mutator) composite(c *ast.CompositeLit) {
	t := m.info.TypeOf(c).Underlying()
	_, isStruct := t.(*types.Struct)
	_, isMap := t.(*types.Map)
	for _, e := range c.Elts {
		pair, keyed := e.(*ast.KeyValueExpr)
		if !keyed {
			m.elements[e] = !isStruct
			continue
		}
		m.elements[pair.Value] = true
		if !isStruct && !isMap {
			m.fixed[pair.Key] = true
		}
	}
	for e := range m.elements {
		if inner, elided := e.(*ast.CompositeLit); elided && inner.Type == nil {
			delete(m.elements, e)
		}
	}
}

// literals notes the constants of the package that a literal defines.
func literals(files []*ast.File, info types.Info) map[types.Object]bool {
	found := map[types.Object]bool{}
	for _, f := range files {
		ast.Inspect(f, func(n ast.Node) bool {
			spec, ok := n.(*ast.ValueSpec)
			if !ok {
				return true
			}
			for i, name := range spec.Names {
				if i < len(spec.Values) {
					found[info.Defs[name]] = number(spec.Values[i])
				}
			}
			return true
		})
	}
	return found
}

// number reports whether a number is written in an expression that counts nothing.
func number(e ast.Expr) bool {
	is, counts := false, false
	ast.Inspect(e, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.BasicLit:
			is = is || n.Kind == token.INT
		case *ast.Ident:
			counts = counts || n.Name == "iota"
		}
		return true
	})
	return is && !counts
}
