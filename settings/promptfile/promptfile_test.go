package promptfile

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"parley/session/sessiontest"
)

// write fills a folder with files, by name.
func write(t *testing.T, dir string, files map[string]string) {
	t.Helper()
	for name, text := range files {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

func TestOfFolder(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	write(t, root, map[string]string{
		".git/HEAD":                         "ref: refs/heads/main\n",
		".github/prompts/review.prompt.md":  "---\nmode: agent\ndescription: 'Reviews: a change'\nargument-hint: [file]\n---\nReview it.\n",
		".github/prompts/readme.md":         "no prompt file",
		".github/prompts/.hidden.prompt.md": "x",
		".claude/commands/git/tidy up.md":   "\n# Tidy the history\nof $1\n",
		".claude/commands/hеlp.md":          "a letter that is not ASCII",
		".claude/commands/bin.md":           "\xff\xfe",
		".claude/commands/block.md":         "---\ndescription: >\n  Two\n  lines\n# a comment\n---\n",
		"sub/.claude/commands/review.md":    "The nearest.",
	})
	var got []string
	for _, f := range OfFolder(filepath.Join(root, "sub")) {
		path, _ := filepath.Rel(root, f.Path)
		got = append(got, strings.Join([]string{f.Name, f.Description, f.Hint, filepath.ToSlash(path)}, " | "))
	}
	want := []string{
		"review | The nearest. |  | sub/.claude/commands/review.md",
		"block | Two lines |  | .claude/commands/block.md",
		"git:tidy-up | Tidy the history |  | .claude/commands/git/tidy up.md",
	}
	if !slices.Equal(got, want) {
		t.Errorf("got\n%s", strings.Join(got, "\n"))
	}
	if f := OfFolder(root)[0]; f.Name != "review" || f.Description != "Reviews: a change" || f.Hint != "[file]" {
		t.Errorf("%+v", f)
	}
}

// TestOutsideOfFolder reads nothing that the folder has no right to: what is behind a link
// that leads out of it, and what is no plain file.
func TestOutsideOfFolder(t *testing.T) {
	t.Parallel()
	sessiontest.UnixOnly(t, "links, and pipes in folders")
	root, secret := t.TempDir(), filepath.Join(t.TempDir(), "secret.md")
	write(t, filepath.Dir(secret), map[string]string{"secret.md": "MARK"})
	commands := filepath.Join(root, ".claude/commands")
	write(t, root, map[string]string{".claude/commands/inside.md": "Inside."})
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	must(os.Symlink(secret, filepath.Join(commands, "link.md")))
	must(os.Symlink("inside.md", filepath.Join(commands, "near.md")))
	must(os.Symlink(filepath.Dir(secret), filepath.Join(commands, "folder")))
	must(sessiontest.Mkfifo(filepath.Join(commands, "pipe.md")))
	var names []string
	for _, f := range OfFolder(root) {
		names = append(names, f.Name)
	}
	if !slices.Equal(names, []string{"inside", "near"}) {
		t.Errorf("found %v", names)
	}
	f := OfFolder(root)[0]
	must(os.Remove(f.Path))
	must(os.Symlink(secret, f.Path))
	if text, err := f.Text(""); err == nil {
		t.Errorf("read %q", text)
	}
}

func TestOfUser(t *testing.T) {
	t.Parallel()
	for _, linked := range []bool{false, true} {
		t.Run(fmt.Sprintf("linked=%v", linked), func(t *testing.T) {
			t.Parallel()
			home, settings := t.TempDir(), t.TempDir()
			commands := filepath.Join(home, ".claude/commands")
			write(t, home, map[string]string{".claude/settings.json": "{}"})
			if linked {
				sessiontest.UnixOnly(t, "links")
				if err := os.Symlink(t.TempDir(), commands); err != nil {
					t.Fatal(err)
				}
			}
			write(t, settings, map[string]string{"prompts/mine.md": "Mine."})
			write(t, commands, map[string]string{"other.md": "Other.", "mine.md": "Hidden."})
			var got []string
			for _, f := range OfUser(settings, home) {
				got = append(got, f.Name+" "+f.Description)
			}
			if !slices.Equal(got, []string{"mine Mine.", "other Other."}) || len(OfUser("", "")) > 0 {
				t.Errorf("got %q", got)
			}
		})
	}
}

func TestText(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ file, args, want string }{
		{"Fix $ARGUMENTS now.", `a "b c"`, `Fix a "b c" now.`},
		{"Fix $1, then $2, $3.", `a "b c"`, "Fix a, then b c, ."},
		{"Fix $0, then $1.", "a b", "Fix a, then b."},
		{"$ARGUMENTS[0] and $ARGUMENTS[1] of $1", "a b", "a and b of a"},
		{"Fix $1.", `it's`, "Fix it's."},
		{"No place.", "a b", "No place.\n\na b"},
		{"No place.", "", "No place."},
		{`It costs \$1 and $HOME, $100x.`, "", "It costs $1 and $HOME, $100x."},
		{"$1", "$2", "$2"},
		{"---\ndescription: x\n---\n\nDo ${input:what} !`touch f`\n", "", "Do ${input:what} !`touch f`"},
		{"---\nnot closed", "", "---\nnot closed"},
		{"---\r\ndescription: x\r\n---\r\nLine\r\nbreaks", "", "Line\nbreaks"},
	} {
		dir := t.TempDir()
		write(t, dir, map[string]string{".claude/commands/x.md": c.file})
		if got, err := OfFolder(dir)[0].Text(c.args); err != nil || got != c.want {
			t.Errorf("%q with %q is %q, %v", c.file, c.args, got, err)
		}
	}
	for file, args := range map[string]string{
		strings.Repeat("x", maxBytes+1):           "",
		"---\ndescription: x\n---\n":              "",
		strings.Repeat("$ARGUMENTS ", 1000):       strings.Repeat("y", 1000),
		strings.Repeat("x", maxHead) + "\xff\xff": "",
	} {
		dir := t.TempDir()
		write(t, dir, map[string]string{".claude/commands/x.md": file})
		if got, err := OfFolder(dir)[0].Text(args); err == nil {
			t.Errorf("a file of %d bytes is %d", len(file), len(got))
		}
	}
}
