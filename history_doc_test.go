package main

import (
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/spf13/pflag"

	"parley/history/sessions"
)

// TestHistoryDocument holds the tables of docs/history.md to the filters of the
// query language and to the flags, and reads every query that the document shows.
// With -update it writes the tables.
func TestHistoryDocument(t *testing.T) {
	t.Parallel()
	const path = "docs/history.md"
	old, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	text := string(old)
	for name, table := range map[string]string{"fields": fieldTable(), "flags": sessionFlags()} {
		between := regexp.MustCompile(`(?s)(<!-- ` + name + ` -->\n).*?(<!-- /` + name + ` -->)`)
		if !between.MatchString(text) {
			t.Fatalf("the document has no place for the table of %s", name)
		}
		text = between.ReplaceAllString(text, "${1}"+strings.ReplaceAll(table, "$", "$$")+"${2}")
	}
	checkDocument(t, path, text)

	_, language, _ := strings.Cut(string(old), "## Find")
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

// fieldTable lists the filters of the query language.
func fieldTable() string {
	var b strings.Builder
	b.WriteString("| Filter | What it asks for | Such as |\n| --- | --- | --- |\n")
	for _, f := range sessions.Fields() {
		names := "`" + f.Name + ":`"
		for _, also := range f.Also {
			names += " `" + also + ":`"
		}
		var values []string
		for _, v := range f.Values {
			if f.Kind != sessions.Choices {
				values = append(values, "`"+v.Name+"`")
			}
		}
		what := f.Title
		if f.Kind == sessions.Choices {
			what += ", see below"
		}
		fmt.Fprintf(&b, "| %s | %s | %s |\n", names, what, strings.Join(values, " "))
	}
	b.WriteString("\n| | What it means |\n| --- | --- |\n")
	for _, f := range sessions.Fields() {
		for _, v := range f.Values {
			if f.Kind == sessions.Choices {
				fmt.Fprintf(&b, "| `%s:%s` | %s |\n", f.Name, v.Name, v.Title)
			}
		}
	}
	return b.String()
}

// sessionFlags lists the flags of the commands about past sessions, each with the
// commands that have it.
func sessionFlags() string {
	var rows []string
	with := map[string][]string{}
	cmd, _, _ := root(console{}).Find([]string{sessionsName})
	for _, sub := range cmd.Commands() {
		sub.Flags().VisitAll(func(f *pflag.Flag) {
			if f.Name == "help" {
				return
			}
			value, usage := pflag.UnquoteUsage(f)
			name := "--" + f.Name
			if f.Value.Type() != "bool" {
				name += " " + strings.ToUpper(value)
			}
			row := fmt.Sprintf("| `%s` | %s |", name, cell(usage))
			if with[row] == nil {
				rows = append(rows, row)
			}
			with[row] = append(with[row], "`"+sub.Name()+"`")
		})
	}
	var b strings.Builder
	b.WriteString("| Flag | What it does | Of |\n| --- | --- | --- |\n")
	for _, row := range rows {
		fmt.Fprintf(&b, "%s %s |\n", row, strings.Join(with[row], " "))
	}
	return b.String()
}
