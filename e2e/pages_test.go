package e2e

import (
	"fmt"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"unicode"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/text"
)

// codeBlock is a block of code of a page, in a language and, where that is said behind it,
// as a file of that name.
type codeBlock struct {
	line           int
	language, file string
	text           string
}

// page is what tests read of a document. What is generated has no part in its blocks and
// its code.
type page struct {
	path    string
	blocks  []codeBlock
	code    []string // in a line of text
	links   []string // those to files and headings of the repository
	anchors map[string]bool
}

// userPages are the paths of the documents for users.
func userPages(t *testing.T) []string {
	t.Helper()
	pages, err := filepath.Glob("docs/*.md")
	if err != nil || len(pages) == 0 {
		t.Fatalf("no pages: %v", err)
	}
	return append(pages, "README.md")
}

// readPage reads a document of the repository.
func readPage(t *testing.T, name string) page {
	t.Helper()
	source, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	p := page{path: name, anchors: map[string]bool{}}
	generated := generatedParts(string(source))
	root := goldmark.New(goldmark.WithExtensions(extension.Table)).Parser().Parse(text.NewReader(source))
	err = ast.Walk(root, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if entering {
			p.read(n, source, generated)
		}
		return ast.WalkContinue, nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, link := range regexp.MustCompile(`(?:src|srcset|href)="([^"]*)"`).FindAllStringSubmatch(string(source), -1) {
		p.links = append(p.links, link[1])
	}
	return p
}

// read takes what a node of a document holds.
func (p *page) read(n ast.Node, source []byte, generated [][2]int) {
	switch n := n.(type) {
	case *ast.FencedCodeBlock:
		b := codeBlock{text: string(n.Lines().Value(source))}
		at := 0
		if n.Info != nil {
			at = n.Info.Segment.Start
			b.language, b.file, _ = strings.Cut(string(n.Info.Value(source)), " ")
		} else if n.Lines().Len() > 0 {
			at = n.Lines().At(0).Start
		}
		b.line = 1 + strings.Count(string(source[:at]), "\n")
		if !within(at, generated) {
			p.blocks = append(p.blocks, b)
		}
	case *ast.CodeBlock:
		at := n.Lines().At(0).Start
		if !within(at, generated) {
			p.blocks = append(p.blocks, codeBlock{line: 1 + strings.Count(string(source[:at]), "\n"), text: string(n.Lines().Value(source))})
		}
	case *ast.CodeSpan:
		if first, ok := n.FirstChild().(*ast.Text); ok && !within(first.Segment.Start, generated) {
			p.code = append(p.code, plainText(n, source))
		}
	case *ast.Heading:
		p.anchors[unusedAnchor(p.anchors, plainText(n, source))] = true
	case *ast.Link:
		p.links = append(p.links, string(n.Destination))
	case *ast.Image:
		p.links = append(p.links, string(n.Destination))
	}
}

// plainText is the text in a node, with a space for the end of a line.
func plainText(n ast.Node, source []byte) string {
	var b strings.Builder
	for child := n.FirstChild(); child != nil; child = child.NextSibling() {
		if t, ok := child.(*ast.Text); ok {
			b.WriteString(strings.ReplaceAll(string(t.Value(source)), "\n", " "))
			if t.SoftLineBreak() {
				b.WriteByte(' ')
			}
		} else {
			b.WriteString(plainText(child, source))
		}
	}
	return b.String()
}

// unusedAnchor is the anchor that GitHub gives to a heading in a document with others.
func unusedAnchor(others map[string]bool, heading string) string {
	anchor := strings.Map(func(r rune) rune {
		switch {
		case r == ' ':
			return '-'
		case r == '-' || r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r):
			return unicode.ToLower(r)
		}
		return -1
	}, heading)
	unique := anchor
	for i := 1; others[unique]; i++ {
		unique = fmt.Sprintf("%s-%d", anchor, i)
	}
	return unique
}

// generatedParts are where the generated parts of a document begin and end.
func generatedParts(document string) [][2]int {
	var parts [][2]int
	for _, mark := range regexp.MustCompile(`<!-- ([\w-]+) -->\n`).FindAllStringSubmatchIndex(document, -1) {
		if length := strings.Index(document[mark[1]:], "<!-- /"+document[mark[2]:mark[3]]+" -->"); length >= 0 {
			parts = append(parts, [2]int{mark[1], mark[1] + length})
		}
	}
	return parts
}

func within(at int, parts [][2]int) bool {
	for _, part := range parts {
		if part[0] <= at && at < part[1] {
			return true
		}
	}
	return false
}

// TestPageLinks finds what the links of the documents lead to: files of the repository,
// and headings in them.
func TestPageLinks(t *testing.T) {
	t.Parallel()
	pages, links := map[string]page{}, 0
	read := func(name string) page {
		if _, known := pages[name]; !known {
			pages[name] = readPage(t, name)
		}
		return pages[name]
	}
	for _, name := range append(userPages(t), "ARCHITECTURE.md", "CONTRIBUTING.md") {
		for _, link := range read(name).links {
			if strings.Contains(link, ":") { // of the web
				continue
			}
			links++
			file, anchor, _ := strings.Cut(link, "#")
			target := name
			if file != "" {
				target = path.Join(path.Dir(name), file)
			}
			if _, err := os.Stat(target); err != nil {
				t.Errorf("%s links to %s: %v", name, link, err)
			} else if anchor != "" && !read(target).anchors[anchor] {
				t.Errorf("%s links to %s, which has no such heading", name, link)
			}
		}
	}
	if links < 20 {
		t.Errorf("only %d links were found", links)
	}
}
