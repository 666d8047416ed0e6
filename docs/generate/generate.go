// Package generate makes the documents that derive from the program: all that
// make docs writes but the pictures. A document with tables between marks keeps
// what is written around them.
package generate

import (
	"fmt"
	"io/fs"
	"regexp"
	"strings"

	"github.com/spf13/cobra"

	"parley/settings"
)

// Document is a file of the repository and what it is to hold.
type Document struct{ Path, Text string }

// Documents returns every generated document of the repository. The program is
// its command line, whose flags are listed.
func Documents(repository fs.FS, program *cobra.Command) ([]Document, error) {
	flags, err := sessionFlags(program)
	if err != nil {
		return nil, err
	}
	history, err := withTables(repository, "docs/history.md", map[string]string{"fields": fieldTable(), "flags": flags})
	if err != nil {
		return nil, err
	}
	readme, err := withTables(repository, "README.md", map[string]string{
		"flags": flagTable(program), "keys": keyTable(), "commands": commandTable(),
	})
	if err != nil {
		return nil, err
	}
	events, err := eventsDocument(repository)
	if err != nil {
		return nil, fmt.Errorf("generate docs/events.md: %w", err)
	}
	return []Document{
		{"README.md", readme},
		{"docs/events.md", events},
		{"docs/history.md", history},
		{"docs/keys.md", keysDocument()},
		{"docs/settings.md", settingsDocument()},
		{"docs/settings.schema.json", string(settings.Schema())},
		{"docs/statusline.md", statusDocument()},
		{"docs/themes.md", themesDocument()},
	}, nil
}

// withTables returns a document with the tables in their places.
func withTables(repository fs.FS, path string, tables map[string]string) (string, error) {
	text, err := fs.ReadFile(repository, path)
	if err != nil {
		return "", err
	}
	document := string(text)
	for name, table := range tables {
		between := regexp.MustCompile(`(?s)(<!-- ` + name + ` -->\n).*?(<!-- /` + name + ` -->)`)
		if !between.MatchString(document) {
			return "", fmt.Errorf("%s has no place for the table of %s", path, name)
		}
		document = between.ReplaceAllString(document, "${1}"+strings.ReplaceAll(table, "$", "$$")+"${2}")
	}
	return document, nil
}
