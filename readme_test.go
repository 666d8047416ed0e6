package main

import (
	"cmp"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"parley/tui"
)

// updating reports whether the test was told to write what it compares with.
func updating() bool { return flag.Lookup("update").Value.String() == "true" }

// TestDecisions holds the decisions that comments cite to docs/decisions.md.
func TestDecisions(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile(filepath.Join("docs", "decisions.md"))
	if err != nil {
		t.Fatal(err)
	}
	cites := regexp.MustCompile(`[Dd]ecisions? (\d+)(?: to (\d+)(?: and (\d+))?)?`)
	cited := 0
	err = filepath.WalkDir(".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() && (d.Name() == "node_modules" || d.Name() == ".git") {
			return cmp.Or(err, fs.SkipDir)
		}
		if filepath.Ext(name) != ".go" {
			return nil
		}
		source, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		for _, cite := range cites.FindAllStringSubmatch(string(source), -1) {
			for _, number := range cite[1:] {
				if number != "" {
					cited++
				}
				if number != "" && !strings.Contains(string(text), "\n"+number+". ") {
					t.Errorf("%s cites decision %s, which docs/decisions.md does not have", name, number)
				}
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if cited < 40 {
		t.Errorf("only %d citations were found", cited)
	}
}

// TestReadme holds the tables of the README to what the program has. With
// -update it writes them.
func TestReadme(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	readme := string(text)
	for name, table := range map[string]string{"flags": flagTable(), "keys": keyTable(), "commands": commandTable()} {
		between := regexp.MustCompile(`(?s)(<!-- ` + name + ` -->\n).*?(<!-- /` + name + ` -->)`)
		if !between.MatchString(readme) {
			t.Errorf("the README has no place for the table of %s", name)
		}
		readme = between.ReplaceAllString(readme, "${1}"+strings.ReplaceAll(table, "$", "$$")+"${2}")
	}
	switch {
	case readme == string(text):
	case updating():
		if err := os.WriteFile("README.md", []byte(readme), 0o644); err != nil {
			t.Fatal(err)
		}
	default:
		t.Error("the tables of the README are not those of the program; make docs writes them")
	}
	for _, picture := range regexp.MustCompile(`testdata/screens/[a-z-]+\.svg`).FindAllString(readme, -1) {
		if _, err := os.Stat(picture); err != nil {
			t.Errorf("the README shows %v; make docs draws it", err)
		}
	}
}

// TestDocsNameWhatExists holds both documents to the tests, files and folders
// that they name.
func TestDocsNameWhatExists(t *testing.T) {
	t.Parallel()
	tests, names := map[string]bool{}, map[string]bool{}
	declared := regexp.MustCompile(`(?m)^func (Test\w+)\(`)
	err := filepath.WalkDir(".", func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && (d.Name() == "node_modules" || d.Name() == ".git"):
			return fs.SkipDir
		}
		names[d.Name()] = true
		if d.IsDir() || filepath.Ext(path) != ".go" {
			return nil
		}
		source, err := os.ReadFile(path)
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
		text, err := os.ReadFile(document)
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range named.FindAllString(string(text), -1) {
			_, missing := os.Stat(name)
			if !tests[name] && !names[name] && missing != nil {
				t.Errorf("%s names %s, which does not exist", document, name)
			}
		}
	}
}

// flagTable lists the flags of a chat and of every subcommand of ours, but for
// those about past sessions, which docs/history.md lists.
func flagTable() string {
	var b strings.Builder
	b.WriteString("| flag | what it does |\n|---|---|\n")
	list := func(cmd *cobra.Command, before string) {
		cmd.Flags().VisitAll(func(f *pflag.Flag) {
			if f.Name == "help" && before != "" {
				return // every command has it
			}
			value, usage := pflag.UnquoteUsage(f)
			name := before + "--" + f.Name
			if f.Value.Type() != "bool" {
				name += " " + strings.ToUpper(value)
			}
			fmt.Fprintf(&b, "| `%s` | %s |\n", name, cell(usage))
		})
	}
	var all func(cmd *cobra.Command, before string)
	all = func(cmd *cobra.Command, before string) {
		list(cmd, before)
		for _, sub := range cmd.Commands() {
			if sub.Name() != sessionsName {
				all(sub, before+sub.Name()+" ")
			}
		}
	}
	all(root(console{}).Command, "")
	return b.String()
}

// keyTable lists the keys, by where they work.
func keyTable() string {
	var b strings.Builder
	context := ""
	for _, c := range tui.Commands() {
		if len(c.Keys) == 0 {
			continue
		}
		if c.Context != context {
			context = c.Context
			fmt.Fprintf(&b, "\n| %s | |\n|---|---|\n", context)
		}
		keys := make([]string, len(c.Keys))
		for i, k := range c.Keys {
			keys[i] = "`" + k + "`"
		}
		fmt.Fprintf(&b, "| %s | %s |\n", strings.Join(keys, " "), cell(c.Title))
	}
	return b.String() + "\n"
}

// commandTable lists the slash commands.
func commandTable() string {
	var b strings.Builder
	b.WriteString("| command | what it does | also |\n|---|---|---|\n")
	for _, c := range tui.Commands() {
		if c.Slash == "" {
			continue
		}
		also := make([]string, len(c.Aliases))
		for i, a := range c.Aliases {
			also[i] = "`/" + a + "`"
		}
		name := "/" + c.Slash
		if c.Args != "" {
			name += " " + c.Args
		}
		fmt.Fprintf(&b, "| `%s` | %s | %s |\n", strings.ReplaceAll(name, "|", `\|`), cell(c.Title), strings.Join(also, " "))
	}
	return b.String()
}

// cell is a text as a cell of a table shows it.
func cell(text string) string { return strings.ReplaceAll(text, "|", `\|`) }

// checkDocument holds a file of docs to the text that the tables make. With -update
// it writes the file.
func checkDocument(t *testing.T, path, text string) {
	t.Helper()
	switch old, err := os.ReadFile(path); {
	case err == nil && string(old) == text:
	case updating():
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	default:
		t.Errorf("%s is not what the tables of the program make: make docs writes it (%v)", path, err)
	}
}
