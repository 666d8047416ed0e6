// Package generate holds the documents that derive from the program to what it is:
// all that make docs writes but the screenshots. A document with tables between marks
// keeps what is written around them.
package generate

import (
	"flag"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"parley/cli"
	"parley/cli/clitest"
	"parley/cli/process"
	"parley/settings"
)

// TestDocuments compares the documents that derive from the program with what it
// generates. With -update it writes them.
func TestDocuments(t *testing.T) {
	t.Parallel()
	documents, err := documents(os.DirFS(root), cli.CommandLine(process.Console{}))
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range documents {
		name := filepath.Join(root, d.path)
		switch old, err := os.ReadFile(name); {
		case err == nil && string(old) == d.text:
		case flag.Lookup("update").Value.String() == "true":
			clitest.Put(t, name, d.text)
		default:
			t.Errorf("%s is not what the program generates: make docs writes it (%v)", d.path, err)
		}
	}
}

// document is a file of the repository and what it is to hold.
type document struct{ path, text string }

// documents returns every generated document of the repository. The program is
// its command line, whose flags are listed.
func documents(repository fs.FS, program *cobra.Command) ([]document, error) {
	flags, err := sessionFlags(program)
	if err != nil {
		return nil, err
	}
	events, err := eventsDocument(repository)
	if err != nil {
		return nil, fmt.Errorf("generate docs/events.md: %w", err)
	}
	documents := []document{{"docs/events.md", events}, {"docs/settings.schema.json", string(settings.Schema())}}
	generated, err := manPages(program)
	if err != nil {
		return nil, err
	}
	maps.Copy(generated, map[string]map[string]string{
		"docs/commands.md":   {"flags": flagTable(program), "commands": commandTable()},
		"docs/history.md":    {"fields": fieldTable(), "flags": flags},
		"docs/keys.md":       {"actions": actionTables()},
		"docs/settings.md":   {"settings": settingSections()},
		"docs/statusline.md": {"default": statusDefault(), "parts": statusParts(), "fields": statusFields()},
		"docs/themes.md":     {"themes": themeTable(), "colours": colourTable(), "styles": styleNames()},
	})
	for path, tables := range generated {
		text, err := withTables(repository, path, tables)
		if err != nil {
			return nil, err
		}
		documents = append(documents, document{path, text})
	}
	return documents, nil
}

// withTables returns a document with the tables in their places.
func withTables(repository fs.FS, path string, tables map[string]string) (string, error) {
	text, err := fs.ReadFile(repository, path)
	if err != nil {
		return "", err
	}
	document := string(text)
	for name, table := range tables {
		between := regexp.MustCompile(`(?s)(<!-- ` + name + ` -->\n).*?((?:\.\\" )?<!-- /` + name + ` -->)`)
		if !between.MatchString(document) {
			return "", fmt.Errorf("%s has no place for the table of %s", path, name)
		}
		document = between.ReplaceAllString(document, "${1}"+strings.ReplaceAll(table, "$", "$$")+"${2}")
	}
	return document, nil
}
