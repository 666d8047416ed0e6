package render_test

import (
	"errors"
	"path/filepath"
	"strings"
	"testing"
	"unicode"

	"github.com/charmbracelet/x/ansi"

	"parley/render"
	"parley/render/text"
	"parley/session/sessiontest"
	"parley/theme"
	"parley/timeline"
)

// logs are the timelines of all recorded logs, by name.
func logs(t testing.TB) map[string]*timeline.Timeline {
	t.Helper()
	out := map[string]*timeline.Timeline{}
	for _, path := range sessiontest.Logs(t) {
		name := strings.TrimSuffix(filepath.Base(path), ".jsonl")
		out[name] = reduced(sessiontest.Log(t, name))
	}
	return out
}

// TestPrintLogs prints every recorded log. Nothing of the data's own control
// characters or JSON may show, every line fits, none ends in blanks, and no
// entry is an empty bubble.
func TestPrintLogs(t *testing.T) {
	t.Parallel()
	themes := []*theme.Theme{theme.Plain(), theme.Dark()}
	for name, tl := range logs(t) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for _, width := range []int{4, 24, 60, 80, 140} {
				for _, th := range themes {
					for _, expanded := range []bool{false, true} {
						o := options(width, th)
						o.Fold = whole(expanded)
						checkPrint(t, tl, o)
					}
				}
			}
			var b strings.Builder
			if err := render.Print(&b, tl, render.Normal, options(80, theme.Plain())); err != nil {
				t.Fatal(err)
			}
			sessiontest.Golden(t, "render/print/"+name, b.String())
		})
	}
}

func checkPrint(t *testing.T, tl *timeline.Timeline, o render.Options) {
	t.Helper()
	var b strings.Builder
	density := render.Normal
	if o.Fold == render.Whole {
		density = render.Verbose
	}
	if err := render.Print(&b, tl, density, o); err != nil {
		t.Fatal(err)
	}
	if o.Theme.Name == "plain" && strings.Contains(b.String(), "\x1b") {
		t.Errorf("width %d: an escape sequence without colour", o.Width)
	}
	for i, l := range strings.Split(b.String(), "\n") {
		bare := ansi.Strip(l)
		switch {
		case text.Width(l) > o.Width:
			t.Errorf("width %d, line %d is too wide: %q", o.Width, i+1, l)
		case strings.ContainsFunc(bare, unicode.IsControl):
			t.Errorf("width %d, line %d has a control character: %q", o.Width, i+1, l)
		case strings.Contains(bare, `{"`):
			t.Errorf("width %d, line %d has raw JSON: %q", o.Width, i+1, l)
		case strings.HasSuffix(l, " "):
			t.Errorf("width %d, line %d ends in blanks: %q", o.Width, i+1, l)
		}
	}
	for i := range tl.Len() {
		e := tl.At(i)
		text := ansi.Strip(strings.Join(drawn(render.NewCache(1), e, o), ""))
		if text != "" && !strings.ContainsFunc(text, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }) && o.Width > 4 {
			t.Errorf("width %d, entry %s is an empty bubble: %q", o.Width, e.ID, text)
		}
	}
}

type failing struct{}

func (failing) Write([]byte) (int, error) { return 0, errors.New("disk full") }

// TestPrintFails: an error of the writer is reported with what was attempted.
func TestPrintFails(t *testing.T) {
	t.Parallel()
	for _, tl := range logs(t) {
		if tl.Len() == 0 {
			continue
		}
		err := render.Print(failing{}, tl, render.Normal, render.Options{Width: 80})
		if err == nil || !strings.Contains(err.Error(), "print timeline: disk full") {
			t.Errorf("got %v", err)
		}
		return
	}
}
