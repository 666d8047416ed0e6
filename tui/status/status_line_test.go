package status

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/x/ansi"
	"pgregory.net/rapid"

	"parley/render/text"
	"parley/session"
	"parley/settings"
	"parley/theme"
	"parley/timeline"
	"parley/tui/widget"
)

// facts are those of an idle session.
// What the session does fits into a window of any width, and nothing in it touches.
func TestActivityFits(t *testing.T) {
	t.Parallel()
	f := facts()
	f.Key = "esc esc stops"
	f.Session = timeline.Status{Busy: true, PromptTokens: 4100, Since: f.Now}
	for f.Width = range 100 {
		if got := f.Activity(); text.Width(got) > max(2, f.Width-1) || strings.Contains(got, "stops4") {
			t.Errorf("%d cells: %q", f.Width, got)
		}
	}
}

func facts() Facts {
	return Facts{
		Theme: theme.Plain(), Width: 100, Now: time.Date(2026, 11, 19, 10, 41, 0, 0, time.UTC), Mode: session.Interactive,
		Agent: "Copilot CLI", Dir: "/home/ada/queue", ModelAsked: "gpt-5.4",
	}
}

// drawn is the line with these items as text.
func drawn(f Facts, left, right string) string {
	var l Line
	l.Arrange(settings.Status{Left: strings.Fields(left), Right: strings.Fields(right)})
	return strings.TrimSpace(ansi.Strip(l.Draw(f)))
}

// The names are those of the settings, in their order; the defaults are among them;
// each has a rank of its own and says what it is for.
func TestItems(t *testing.T) {
	t.Parallel()
	var names []string
	ranks := map[int]string{}
	for _, i := range Items() {
		names = append(names, i.Name)
		if other := ranks[i.Rank]; other != "" || i.Description == "" {
			t.Errorf("%s has the rank of %q, or no description", i.Name, other)
		}
		ranks[i.Rank] = i.Name
	}
	if want := settings.StatusItems(); !slices.Equal(names, want) {
		t.Errorf("the table has %q\nthe settings %q", names, want)
	}
	usual := settings.Defaults().Status
	for _, name := range slices.Concat(usual.Left, usual.Right) {
		if !slices.Contains(names, name) {
			t.Errorf("%q is shown by default and is no item", name)
		}
	}
}

// A question that was answered here does not wait for the user any more, though the
// agent has not confirmed it.
func TestAnsweredIsNotWaiting(t *testing.T) {
	t.Parallel()
	f := facts()
	f.Session = timeline.Status{Busy: true, Waiting: 1, Activity: "waiting for you"}
	if got := f.Activity(); !strings.Contains(got, "working") || strings.Contains(got, "waiting") {
		t.Errorf("%q", got)
	}
}

// What a prompt took and when it began do not touch, also where no time counts on.
func TestActivityKeepsColumnsApart(t *testing.T) {
	t.Parallel()
	f := facts()
	f.Still = true
	f.Session = timeline.Status{Busy: true, PromptTokens: 4100, Since: f.Now.Add(-time.Minute)}
	if got := f.Activity(); !strings.HasSuffix(got, "4.1 k tokens  since 10:40") {
		t.Errorf("%q", got)
	}
}

// The items come in the order of the settings, each once, and what is always shown
// comes first where it is not among them.
func TestArrange(t *testing.T) {
	t.Parallel()
	f := facts()
	f.Session = timeline.Status{Title: "Tides", ContextTokens: 31, ContextLimit: 100}
	f.ContextKnown = true
	for _, c := range []struct{ left, right, want string }{
		{"mode model", "", "interactive · gpt-5.4"},
		{"model mode", "", "gpt-5.4 · interactive"},
		{"model model mode", "model", "gpt-5.4 · interactive"},
		{"model nothing", "", "gpt-5.4"},
		{"", "", ""},
		{"", "model context", "gpt-5.4 · ctx 31 %"},
		{"context session", "mode", "ctx 31 % · Tides" + strings.Repeat(" ", 97-16-11) + "interactive"},
	} {
		if got := drawn(f, c.left, c.right); got != c.want {
			t.Errorf("left %q, right %q: %q, want %q", c.left, c.right, got, c.want)
		}
	}
	f.AllowAllHere = true
	if got := drawn(f, "context session", "mode"); !strings.HasPrefix(got, "▲ allow-all: nothing asks · ctx") {
		t.Errorf("what must be known of is not first: %q", got)
	}
	if got := drawn(f, "mode allow-all", ""); got != "interactive · ▲ allow-all: nothing asks" {
		t.Errorf("it has a place of its own: %q", got)
	}
}

// The mode is not drawn as the rest of the line is, and one in which nothing is asked is
// loud: marked, and reversed, so that it is seen without colours too.
func TestModeIsSeen(t *testing.T) {
	t.Parallel()
	for name, quiet := range map[session.Mode]bool{session.Interactive: true, session.Plan: true, session.Autopilot: false} {
		f := facts()
		f.Mode = name
		mode := f.mode()
		if mode.token == theme.Status || mode.token == 0 || quiet != (mode.text == string(name)) ||
			quiet == (mode.token == theme.StatusLoud) {
			t.Errorf("%s: %+v", name, mode)
		}
	}
	none := theme.Mono()
	if loud := none.Render(theme.StatusLoud, "x"); loud == "x" || loud == none.Render(theme.StatusStrong, "x") {
		t.Errorf("without colours %q", loud)
	}
}

// However wide the line and whatever is chosen for it, it is never too wide, and
// what must be known of is there as long as there is room for it.
func TestLineFits(t *testing.T) {
	t.Parallel()
	f := facts()
	f.Session = timeline.Status{
		Busy: true, Title: strings.Repeat("潮汐 👩‍🚀 ", 40), ContextTokens: 90, ContextLimit: 100,
		Usage: timeline.Usage{Input: 41_000, Output: 950, Cost: 2.5},
	}
	f.Session.Catalog.Servers = []timeline.CatalogItem{{Status: "failed"}}
	f.AllowAllHere, f.ContextKnown, f.State, f.Queued, f.Script = true, true, AskingHidden, 1, strings.Repeat("long ", 500)
	names := rapid.SliceOfDistinct(rapid.SampledFrom(settings.StatusItems()), rapid.ID[string])
	rapid.Check(t, func(rt *rapid.T) {
		var l Line
		l.Arrange(settings.Status{Left: names.Draw(rt, "left"), Right: names.Draw(rt, "right")})
		f.Width = rapid.IntRange(0, 200).Draw(rt, "width")
		line := l.Draw(f)
		if w := text.Width(line); w > max(f.Width, widget.Margin) {
			rt.Fatalf("%d cells of %d: %q", w, f.Width, line)
		}
		for least, want := range map[int]string{widget.Margin + 9 + 1: "allow-all", widget.Margin + 9 + 3 + 17 + 1: "waiting for you"} {
			if f.Width >= least && !strings.Contains(line, want) {
				rt.Fatalf("at %d columns %q is not in %q", f.Width, want, line)
			}
		}
	})
}

// What runs in the background is not cut where there is room for it, and loses whole words
// where there is none.
func TestBackgroundIsNotCut(t *testing.T) {
	t.Parallel()
	f := facts()
	f.Background = "1 agent, 2 shells in the background"
	for width, want := range map[int]string{
		100: "1 agent, 2 shells in the background · interactive · gpt-5.4",
		30:  "1 agent, 2 shells",
	} {
		f.Width = width
		if got := drawn(f, "activity mode model", ""); got != want {
			t.Errorf("at %d columns: %q, want %q", width, got, want)
		}
	}
}

// An item that is megabytes long costs no more than what is shown of it.
func TestLineIsBounded(t *testing.T) {
	t.Parallel()
	l := Line{facts: facts()}
	l.facts.Session.Branch = strings.Repeat("\x1b]0;x\a", 1<<20)
	l.Arrange(settings.Status{Left: settings.StatusItems()})
	if got := l.now(80); slices.ContainsFunc(got, func(i segment) bool { return len(i.text) > 16*80 }) {
		t.Errorf("%d items, one of them longer than the line", len(got))
	}
}

func TestServersDown(t *testing.T) {
	t.Parallel()
	for states, want := range map[string]string{
		"": "", "connected disabled pending stopped not_configured": "", "connected failed": "1 server down",
		"failed needs-reconnect needs-auth": "2 servers down", "needs-auth connected": "1 server to sign in to",
	} {
		var all []timeline.CatalogItem
		for s := range strings.FieldsSeq(states) {
			all = append(all, timeline.CatalogItem{Name: s, Status: s})
		}
		if got := serversDown(all); got != want {
			t.Errorf("%s: %q, want %q", states, got, want)
		}
	}
}

func TestSpent(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		u    timeline.Usage
		want string
	}{
		{timeline.Usage{}, ""},
		{timeline.Usage{Cost: 3}, "3 premium"},
		{timeline.Usage{Cost: 0.33}, "0.33 premium"},
		{timeline.Usage{Cost: 1, NanoAIU: 1_250_000_000}, "1.25 credits"},
		{timeline.Usage{NanoAIU: 1_000_000}, ""},
	} {
		f := Facts{Session: timeline.Status{Usage: c.u}}
		if got := f.spent().text; got != c.want {
			t.Errorf("%+v: %q, want %q", c.u, got, c.want)
		}
	}
}

// A frame allocates nothing for the facts.
func TestLineKeepsItsRoom(t *testing.T) {
	f := facts()
	var l Line
	l.Arrange(settings.Status{})
	l.Draw(f)
	if n := testing.AllocsPerRun(100, func() { l.Draw(f) }); n > 3 {
		t.Errorf("%v allocations for an empty line", n)
	}
}
