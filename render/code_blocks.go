package render

import (
	"strings"

	"github.com/yuin/goldmark/ast"
	goldtext "github.com/yuin/goldmark/text"
)

// Codes returns what is inside the fenced blocks of code of a markdown text, as
// it came: without the fences, the indentation they have, and the last line end,
// which would run a command as soon as it is pasted. Blocks without text do not
// count; one that is still being written does.
func Codes(markdown string) []string {
	if !strings.Contains(markdown, "```") && !strings.Contains(markdown, "~~~") {
		return nil
	}
	var codes []string
	src := []byte(markdown)
	doc := newSplitter().Parse(goldtext.NewReader(shallow(markdown)))
	_ = ast.Walk(doc, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if !entering || n.Kind() != ast.KindFencedCodeBlock {
			return ast.WalkContinue, nil
		}
		if _, text := codeText(n, src); strings.TrimSpace(text) != "" {
			codes = append(codes, strings.TrimSuffix(strings.TrimSuffix(text, "\n"), "\r"))
		}
		return ast.WalkContinue, nil
	})
	return codes
}

// shallow is a text for finding blocks in: as long as markdown, with an "x" for
// the container marker after the deepest of each line (tame).
func shallow(markdown string) []byte {
	src, at := []byte(markdown), 0
	for line := range strings.Lines(markdown) {
		if tamed := tameNesting(line); len(tamed) != len(line) {
			i := 0
			for tamed[i] == line[i] {
				i++
			}
			src[at+i] = 'x'
		}
		at += len(line)
	}
	return src
}
