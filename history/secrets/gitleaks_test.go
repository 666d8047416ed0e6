package secrets

import (
	"encoding/base64"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
)

// TestGitleaksFindings compares what the rules find with what Gitleaks 8.21.2 found
// with them: of texts that each rule matches, and of the same with two bytes changed.
func TestGitleaksFindings(t *testing.T) {
	t.Parallel()
	table, err := os.ReadFile("testdata/gitleaks_findings.tsv")
	if err != nil {
		t.Fatal(err)
	}
	d, err := gitleaks()
	if err != nil {
		t.Fatal(err)
	}
	rules := map[string]bool{}
	for line := range strings.Lines(string(table)) {
		encoded, want, _ := strings.Cut(strings.TrimSuffix(line, "\n"), "\t")
		text, err := base64.StdEncoding.DecodeString(encoded)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, f := range d.detect(string(text)) {
			got = append(got, fmt.Sprintf("%s@%d+%d", f.rule, strings.Index(string(text), f.secret), len(f.secret)))
			rules[f.rule] = true
		}
		slices.Sort(got)
		if s := strings.Join(got, " "); s != want {
			t.Errorf("%q: got %q, want %q", text, s, want)
		}
	}
	for _, r := range d.rules {
		if !rules[r.ID] {
			t.Errorf("the table has no finding of %s", r.ID)
		}
	}
}

// TestEveryRuleHasKeywords: no rule is tried on a text that has nothing in it of
// what the rule looks for, which would be most of the time that a prompt takes.
func TestEveryRuleHasKeywords(t *testing.T) {
	t.Parallel()
	d, err := gitleaks()
	if err != nil {
		t.Fatal(err)
	}
	for _, rule := range d.rules {
		if len(rule.Keywords) == 0 {
			t.Errorf("%s is tried on every text: add what it matches to missingKeywords", rule.ID)
		}
	}
}
