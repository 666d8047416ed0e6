package generate

import (
	"cmp"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"parley/history/sessions"
	"parley/theme"
)

// root is the root of the repository.
const root = "../.."

// TestCitedDecisions holds the decisions that comments cite to docs/decisions.md.
func TestCitedDecisions(t *testing.T) {
	t.Parallel()
	repository := os.DirFS(root)
	text, err := fs.ReadFile(repository, "docs/decisions.md")
	if err != nil {
		t.Fatal(err)
	}
	numbers := map[string]bool{}
	for _, number := range regexp.MustCompile(`(?m)^\d+\. `).FindAllString(string(text), -1) {
		if numbers[number] {
			t.Errorf("two decisions have the number %s", number)
		}
		numbers[number] = true
	}
	cites := regexp.MustCompile(`(docs/decisions\.md|[Dd]ecisions?),?\s+(?:// )?(?:number )?(\d+)(?:(?:,| to| and) (\d+))?(?: and (\d+))?`)
	cited := 0
	err = eachSource(repository, func(name string, source []byte) {
		for _, cite := range cites.FindAllStringSubmatch(string(source), -1) {
			if cite[1] != "docs/decisions.md" {
				t.Errorf("%s cites %q without the document that has it", name, cite[0])
			}
			for _, number := range cite[2:] {
				if number != "" {
					cited++
				}
				if number != "" && !strings.Contains(string(text), "\n"+number+". ") {
					t.Errorf("%s cites decision %s, which docs/decisions.md does not have", name, number)
				}
			}
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	if cited < 40 {
		t.Errorf("only %d citations were found", cited)
	}
}

// TestCitedDocuments holds every document that a comment cites to the repository,
// and the sections that it cites of docs/protocol.md to that.
func TestCitedDocuments(t *testing.T) {
	t.Parallel()
	repository := os.DirFS(root)
	protocol, err := fs.ReadFile(repository, "docs/protocol.md")
	if err != nil {
		t.Fatal(err)
	}
	comment := regexp.MustCompile(`(?m)^\s*//.*(?:\n\s*//.*)*`)
	cites := regexp.MustCompile(`\b((?:docs|design|product|protocol)/[\w-]+\.md)(?:,\s+sections? ([\d.]*\d)(?: and ([\d.]*\d))?)?|protocol note`)
	margin := regexp.MustCompile(`\n\s*// ?`)
	cited := 0
	err = eachSource(repository, func(name string, source []byte) {
		for _, text := range comment.FindAllString(string(source), -1) {
			for _, cite := range cites.FindAllStringSubmatch(margin.ReplaceAllString(text, " "), -1) {
				cited++
				if _, err := fs.Stat(repository, cmp.Or(cite[1], "absent")); err != nil {
					t.Errorf("%s cites %q, which is not here", name, cite[0])
				}
				for _, section := range cite[2:] {
					if cite[1] == "docs/protocol.md" && section != "" && !regexp.MustCompile(`(?m)^##+ `+regexp.QuoteMeta(section)+`\.? `).Match(protocol) {
						t.Errorf("%s cites section %s of docs/protocol.md, which has none", name, section)
					}
				}
			}
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	if cited < 40 {
		t.Errorf("only %d citations were found", cited)
	}
}

// TestCommentsNameWhatExists finds the identifiers in comments that the code does
// not have: those of a word in mixed case.
func TestCommentsNameWhatExists(t *testing.T) {
	t.Parallel()
	var (
		comment = regexp.MustCompile(`(?m)(?:^|\s)//.*$`)
		word    = regexp.MustCompile(`\b[A-Za-z]\w*`)
		mixed   = regexp.MustCompile(`\b(?:[a-z]+[A-Z]\w+|[A-Z][a-z]+[A-Z]\w+)\b`)
	)
	// Names of other programs, libraries and standards.
	elsewhere := strings.Fields(`CommonMark AltGr TextMarshaler TextUnmarshaler MarshalerTo UnmarshalerFrom PowerShell OpenPGP
		getToken NodeRenderer CounterClockwiseContourIntegral DerivedCoreProperties promoteCurrentToBackground
		ErrServerClosed gRPC ErrorHandler startRenderer SpanExporter AnsiEscapeCodes sRGB CyrSlav RemediationAction`)
	known, named := map[string]bool{}, map[string]string{}
	for _, name := range elsewhere {
		known[name] = true
	}
	err := eachSource(os.DirFS(root), func(name string, source []byte) {
		for _, identifier := range word.FindAllString(comment.ReplaceAllString(string(source), ""), -1) {
			known[identifier] = true
		}
		for _, text := range comment.FindAllString(string(source), -1) {
			for _, identifier := range mixed.FindAllString(text, -1) {
				named[identifier] = name
			}
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	for identifier, name := range named {
		if !known[identifier] {
			t.Errorf("a comment of %s names %s, which is not in the code", name, identifier)
		}
	}
}

// eachSource reads every Go file of the repository.
func eachSource(repository fs.FS, visit func(name string, source []byte)) error {
	return fs.WalkDir(repository, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() && (d.Name() == "node_modules" || d.Name() == ".git") {
			return cmp.Or(err, fs.SkipDir)
		}
		if path.Ext(name) != ".go" {
			return nil
		}
		source, err := fs.ReadFile(repository, name)
		if err == nil {
			visit(name, source)
		}
		return err
	})
}

// TestDocsNameWhatExists holds both documents to the tests, files and folders
// that they name.
func TestDocsNameWhatExists(t *testing.T) {
	t.Parallel()
	repository := os.DirFS(root)
	tests, names := map[string]bool{}, map[string]bool{}
	declared := regexp.MustCompile(`(?m)^func (Test\w+)\(`)
	err := fs.WalkDir(repository, ".", func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && (d.Name() == "node_modules" || d.Name() == ".git"):
			return fs.SkipDir
		}
		names[d.Name()] = true
		if d.IsDir() || path.Ext(name) != ".go" {
			return nil
		}
		source, err := fs.ReadFile(repository, name)
		for _, match := range declared.FindAllStringSubmatch(string(source), -1) {
			tests[match[1]] = true
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	named := regexp.MustCompile(`\bTest[A-Z]\w+|\b(?:session|tui|prompts|render|timeline|theme|testdata)/[\w/.-]*\w|\b\w+\.go\b`)
	for _, document := range []string{"README.md", "ARCHITECTURE.md"} {
		text, err := fs.ReadFile(repository, document)
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range named.FindAllString(string(text), -1) {
			_, missing := fs.Stat(repository, name)
			if !tests[name] && !names[name] && missing != nil && !strings.Contains(name, "NAME") {
				t.Errorf("%s names %s, which does not exist", document, name)
			}
		}
	}
}

// TestReadmeIsShort holds the README to what is read at one go: all else has a page in docs.
func TestReadmeIsShort(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile(filepath.Join(root, "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	if lines := strings.Count(string(text), "\n"); lines > 150 {
		t.Errorf("the README has %d lines, and may have 150", lines)
	}
}

// TestHistoryExamples reads every query that docs/history.md shows.
func TestHistoryExamples(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile(filepath.Join(root, "docs", "history.md"))
	if err != nil {
		t.Fatal(err)
	}
	_, language, _ := strings.Cut(string(text), "## Find")
	language, _, _ = strings.Cut(language, "## What is kept where")
	now := time.Date(2026, 11, 22, 12, 0, 0, 0, time.UTC)
	shown := regexp.MustCompile("(?s)```text\n(.*?)```\n").FindStringSubmatch(language)
	queries := strings.Split(strings.TrimSpace(shown[1]), "\n")
	for _, code := range regexp.MustCompile("`([^`\n]+)`").FindAllStringSubmatch(strings.ReplaceAll(language, shown[0], ""), -1) {
		if strings.Contains(code[1], ":") && !strings.HasSuffix(code[1], ":") {
			queries = append(queries, code[1])
		}
	}
	for _, query := range queries {
		if q, err := sessions.ParseQuery(query, now); err != nil || q.Empty() {
			t.Errorf("the document shows %s: %v", query, err)
		}
	}
	if len(queries) < 20 {
		t.Errorf("the document shows only %q", queries)
	}
}

// TestThemeExamples reads the theme and the style that docs/themes.md shows.
func TestThemeExamples(t *testing.T) {
	t.Parallel()
	document, err := os.ReadFile(filepath.Join(root, "docs", "themes.md"))
	if err != nil {
		t.Fatal(err)
	}
	example := func(language string) string {
		shown := regexp.MustCompile("(?s)```" + language + "[^\n]*\n(.*?)```").FindStringSubmatch(string(document))
		file := filepath.Join(t.TempDir(), "dusk."+language)
		if err := os.WriteFile(file, []byte(shown[1]), 0o600); err != nil {
			t.Fatal(err)
		}
		return file
	}
	if f, err := theme.Load(example("toml")); err != nil || len(f.Warnings) > 0 {
		t.Errorf("the theme that is shown: %v, %v", err, f)
	}
	if _, err := (theme.MarkdownChoice{Setting: example("json")}).Load(); err != nil {
		t.Errorf("the style that is shown: %v", err)
	}
}
