package generate

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// TestManualPages reads every manual page as its readers do: it has the sections that they look
// for, no markdown, and no variable that the program does not know; and where groff and man are,
// neither has a warning about it.
func TestManualPages(t *testing.T) {
	t.Parallel()
	pages, err := filepath.Glob(filepath.Join(root, "docs", "man", "*.[1-9]"))
	if err != nil || len(pages) != 4 {
		t.Fatalf("pages: %q, %v", pages, err)
	}
	var sources strings.Builder
	if err := eachSource(os.DirFS(root), func(name string, source []byte) {
		if !strings.HasSuffix(name, "_test.go") {
			sources.Write(source)
		}
	}); err != nil {
		t.Fatal(err)
	}
	program := sources.String()
	for _, page := range pages {
		t.Run(filepath.Base(page), func(t *testing.T) {
			t.Parallel()
			text, err := os.ReadFile(page)
			if err != nil {
				t.Fatal(err)
			}
			sections := []string{"NAME", "DESCRIPTION", "FILES", "SEE ALSO"}
			if strings.HasSuffix(page, ".1") {
				sections = append(sections, "SYNOPSIS", "OPTIONS", "COMMANDS", "EXIT STATUS", "EXAMPLES")
			}
			if filepath.Base(page) == "parley.1" {
				sections = append(sections, "ENVIRONMENT")
			}
			var has []string
			for _, heading := range regexp.MustCompile(`(?m)^\.SH (.*)$`).FindAllStringSubmatch(string(text), -1) {
				has = append(has, heading[1])
			}
			for _, section := range sections {
				if !slices.Contains(has, section) {
					t.Errorf("there is no section %s in %q", section, has)
				}
			}
			for _, mark := range []string{"`", "**", "](", "\n- ", "\n* "} {
				if strings.Contains(string(text), mark) {
					t.Errorf("there is markdown in it: %q", mark)
				}
			}
			_, environment, _ := strings.Cut(string(text), ".SH ENVIRONMENT")
			environment, _, _ = strings.Cut(environment, ".SH ")
			for _, name := range regexp.MustCompile(`\b[A-Z]+_[A-Z_]+\b`).FindAllString(environment, -1) {
				if !strings.Contains(program, name) {
					t.Errorf("the program does not know %s", name)
				}
			}
			for _, reads := range [][]string{{"groff", "-man", "-ww", "-z", "-Tutf8"}, {"lexgrog"}} {
				if _, err := exec.LookPath(reads[0]); err != nil {
					t.Logf("%s is not installed, and has not read it", reads[0])
					continue
				}
				out, err := exec.CommandContext(t.Context(), reads[0], append(reads[1:], page)...).CombinedOutput()
				if err != nil || reads[0] == "groff" && len(out) > 0 {
					t.Errorf("%s: %v: %s", reads[0], err, out)
				}
			}
		})
	}
}

// TestRoff holds texts to what a manual page shows of them.
func TestRoff(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"a `--flag` here":            `a \fB\-\-flag\fR here`,
		"**Theme.** Colours":         `\fBTheme.\fR Colours`,
		".gitignore\n'quoted'":       `\&.gitignore` + "\n" + `\&\(aqquoted\(aq`,
		`C:\it's a ~ ^ “word”…`:      `C:\eit\(aqs a \(ti \(ha \[u201C]word\[u201D]...`,
		"`.leading` and 2 ** 3 `**`": `\fB.leading\fR and 2 ** 3 \fB**\fR`,
	} {
		if got := roffText(text); got != want {
			t.Errorf("%q is %q, want %q", text, got, want)
		}
	}
	if got := roffHelp("One\ntwo.\n\n  .code\n  'more\n"); got != ".PP\nOne\ntwo.\n.PP\n.RS 4\n.nf\n\\&.code\n\\&\\(aqmore\n.fi\n.RE\n" {
		t.Errorf("%q", got)
	}
}
