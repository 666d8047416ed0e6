// Package syntax finds what role each part of a piece of code has, by the lexers of
// Chroma.
package syntax

import (
	"cmp"
	"path"
	"sort"
	"strings"
	"sync"

	"github.com/alecthomas/chroma/v2"
	"github.com/alecthomas/chroma/v2/lexers"

	"parley/render/text"
	"parley/theme"
)

// MaxBytes bounds the code that one highlighter sees, and so what drawing
// a chunk may cost before it: the chunks above it.
const MaxBytes = 16 << 10

// MaxLine is the longest line that is highlighted. Machines write longer
// ones, and regular expressions are slow on them.
const MaxLine = 2000

// Highlighter finds the roles of the tokens of one text, from the start as far
// as it was asked. Chunks of a code block share one, so that a comment or
// string that spans them is known in all. The result depends on lang and text
// alone.
type Highlighter struct {
	Lang, Text string

	next  chroma.Iterator
	ready bool
	pos   int // bytes of text that have a role
	runs  []Run
}

// Run gives the text from start to the next run one role.
type Run struct {
	Start int
	Token theme.Token
}

// Spans returns the lines of text[from:to].
func (h *Highlighter) Spans(from, to int) [][]text.Span {
	h.Advance(to)
	var (
		lines [][]text.Span
		line  []text.Span
	)
	runs := append([]Run{{Token: theme.Text}}, h.Within(from, to)...)
	for i, r := range runs {
		end := to
		if i+1 < len(runs) {
			end = from + runs[i+1].Start
		}
		for content := h.Text[from+r.Start : end]; content != ""; {
			s, rest, more := strings.Cut(content, "\n")
			if s != "" {
				line = append(line, text.Span{Text: s, Token: r.Token})
			}
			if more {
				lines, line = append(lines, line), nil
			}
			content = rest
		}
	}
	if len(line) > 0 {
		lines = append(lines, line)
	}
	return lines
}

// Within returns the roles of text[from:to], which has them already, by
// positions from its start.
func (h *Highlighter) Within(from, to int) []Run {
	var out []Run
	for i := max(0, sort.Search(len(h.runs), func(i int) bool { return h.runs[i].Start > from })-1); i < len(h.runs); i++ {
		r := h.runs[i]
		if r.Start >= to {
			break
		}
		out = append(out, Run{max(0, r.Start-from), r.Token})
	}
	return out
}

// Advance lexes until text[:to] has roles.
func (h *Highlighter) Advance(to int) {
	defer func() {
		if recover() != nil { // a lexer failed; its text stays plain
			h.next, h.ready = nil, true
			h.runs = append(h.runs, Run{h.pos, theme.Text})
		}
	}()
	if !h.ready {
		h.ready = true
		if lexer := lexerFor(h.Lang); lexer != nil && !hasLongLine(h.Text) {
			h.next, _ = lexer.Tokenise(nil, h.Text)
		}
	}
	if h.next == nil {
		return
	}
	for h.pos < to {
		t := h.next()
		if t == chroma.EOF {
			h.next = nil
			h.runs = append(h.runs, Run{h.pos, theme.Text})
			return
		}
		tok := syntaxToken(t.Type)
		if n := len(h.runs); n == 0 || h.runs[n-1].Token != tok {
			h.runs = append(h.runs, Run{h.pos, tok})
		}
		h.pos = min(h.pos+len(t.Value), len(h.Text))
	}
}

func hasLongLine(s string) bool {
	for line := range strings.Lines(s) {
		if len(line) > MaxLine {
			return true
		}
	}
	return false
}

// lexerNames are the lexers by name and alias in lower case. Looking one up in
// the registry itself would try the file patterns of all if no lexer has the name.
var lexerNames = sync.OnceValue(func() map[string]chroma.Lexer {
	names := map[string]chroma.Lexer{}
	for _, l := range lexers.GlobalLexerRegistry.Lexers {
		for _, alias := range l.Config().Aliases {
			names[strings.ToLower(alias)] = l
		}
	}
	for _, l := range lexers.GlobalLexerRegistry.Lexers {
		names[strings.ToLower(l.Config().Name)] = l
	}
	return names
})

// lexerFor returns the lexer of a language by its name or alias, or nil.
func lexerFor(lang string) chroma.Lexer {
	if lang == "" {
		return nil
	}
	return lexerNames()[strings.ToLower(lang)]
}

// fileLexers are the names of languages by the patterns of their files that
// are a whole name, such as "Makefile", or an ending, such as "*.go". Where
// several claim one, the lexer with the highest priority has it, which is 1
// where none is given.
var fileLexers = sync.OnceValue(func() map[string]chroma.Lexer {
	files := map[string]chroma.Lexer{}
	priority := func(l chroma.Lexer) float32 { return cmp.Or(l.Config().Priority, 1) }
	for _, l := range lexers.GlobalLexerRegistry.Lexers {
		for _, pattern := range l.Config().Filenames {
			if other := files[pattern]; other == nil || priority(l) > priority(other) {
				files[pattern] = l
			}
		}
	}
	return files
})

// LanguageOf is the language of a file by its name, or "".
func LanguageOf(name string) string {
	base := path.Base(strings.ReplaceAll(name, `\`, "/"))
	if l := cmp.Or(fileLexers()[base], fileLexers()["*"+path.Ext(base)]); l != nil {
		return l.Config().Name
	}
	return ""
}

// syntaxRoles are the roles of token types that do not have that of their
// category.
var syntaxRoles = map[chroma.TokenType]theme.Token{
	chroma.KeywordType:       theme.SyntaxType,
	chroma.NameClass:         theme.SyntaxType,
	chroma.NameBuiltin:       theme.SyntaxType,
	chroma.NameNamespace:     theme.SyntaxType,
	chroma.NameFunction:      theme.SyntaxName,
	chroma.NameFunctionMagic: theme.SyntaxName,
	chroma.NameTag:           theme.SyntaxName,
	chroma.NameAttribute:     theme.SyntaxName,
	chroma.NameDecorator:     theme.SyntaxName,
	chroma.NameProperty:      theme.SyntaxName,
	chroma.NameConstant:      theme.SyntaxNumber,
	chroma.KeywordConstant:   theme.SyntaxNumber,
	chroma.GenericInserted:   theme.Added,
	chroma.GenericDeleted:    theme.Removed,
	chroma.GenericHeading:    theme.Hunk,
	chroma.GenericSubheading: theme.Hunk,
}

// syntaxToken is the role of a token type of chroma's.
func syntaxToken(t chroma.TokenType) theme.Token {
	if tok, ok := syntaxRoles[t]; ok {
		return tok
	}
	switch {
	case t.InCategory(chroma.Comment):
		return theme.SyntaxComment
	case t.InCategory(chroma.Keyword):
		return theme.SyntaxKeyword
	case t.InSubCategory(chroma.LiteralString):
		return theme.SyntaxString
	case t.InSubCategory(chroma.LiteralNumber):
		return theme.SyntaxNumber
	case t.InCategory(chroma.Operator):
		return theme.SyntaxOperator
	}
	return theme.Text
}
