package sessions

import (
	"fmt"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"parley/session"
	"parley/session/sessiontest"
)

// various is a shelf with sessions of several folders.
func various() *shelf {
	s := newShelf()
	for i, log := range []Log{
		{ID: "root", Dir: "/w/shore", Root: "/w/shore", Repository: "ada/shore", Branch: "main", Name: "beta"},
		{ID: "below", Dir: "/w/shore/docs", Root: "/w/shore", Repository: "ada/shore", Branch: "docs", Name: "Alpha"},
		{ID: "beside", Dir: "/w/shoreline", Name: "delta"},
		{ID: "unsaid", Dir: "/w/shore/src", Name: "gamma", InUse: true}, // its repository is not known
	} {
		s.put(log.ID, asked("tide "+log.Name))
		s.change(log.ID, func(l *Log) {
			log.Keeper, log.Agent, log.Size = l.Keeper, l.Agent, l.Size
			log.Modified, log.Created = midday.Add(time.Duration(i)*time.Hour), midday
			*l = log
		})
	}
	return s
}

func found(t *testing.T, l *Library, r Request) string {
	t.Helper()
	f, err := l.Find(t.Context(), r)
	if err != nil {
		t.Fatal(err)
	}
	var all []string
	for _, h := range f.Sessions {
		all = append(all, string(h.ID))
	}
	return strings.Join(all, " ")
}

func TestScopesAndOrders(t *testing.T) {
	t.Parallel()
	l := openedIn(t, "", various())
	mustRefresh(t, l)
	inCapitals := ""
	if !sessiontest.Unix {
		inCapitals = "root"
	}
	tide := Query{Words: []Word{{Text: "tide"}}}
	for _, c := range []struct {
		request Request
		want    string
	}{
		{Request{Scope: Everywhere, Order: ByTitle}, "below root beside unsaid"},
		{Request{Scope: InFolder, Dir: "/w/shore/"}, "root"},
		{Request{Scope: InFolder, Dir: "/W/shore/"}, inCapitals},
		{Request{Scope: InRepository, Dir: "/w/shore", Root: "/w/shore", Order: ByTitle}, "below root unsaid"},
		{Request{Scope: InRepository, Dir: "/w/shoreline"}, "beside"},
		{Request{Scope: Everywhere, Order: ByTitle, Limit: 2}, "below root"},
		{Request{Scope: Everywhere, Query: Query{Words: []Word{{Text: "delta"}}}}, "beside"},
		{Request{Scope: Everywhere, Query: Query{Filters: []Filter{{Field: "is", Value: "open"}}}}, "unsaid"},
		{Request{Scope: InFolder, Dir: "/w/shore", Query: tide}, "root"},
	} {
		if got := found(t, l, c.request); got != c.want {
			t.Errorf("%+v: got %q, want %q", c.request, got, c.want)
		}
	}
	f, err := l.Find(t.Context(), Request{Scope: Everywhere, Limit: 1})
	if err != nil || f.Total != 4 || len(f.Sessions) != 1 {
		t.Errorf("with a limit: %d of %d, %v", len(f.Sessions), f.Total, err)
	}
}

// TestRelevance puts first what is rare, near to the user, and new.
func TestRelevance(t *testing.T) {
	t.Parallel()
	s := newShelf()
	s.put("output", asked("x"), eventLine("tool.execution_start", `{"toolCallId":"c","toolName":"bash","arguments":{"command":"ls"}}`),
		eventLine("tool.execution_complete", `{"toolCallId":"c","success":true,"result":{"content":"tide"}}`))
	s.put("answer", asked("x"), answered("tide"))
	s.put("prompt", asked("x"), asked("about the tide"))
	s.put("name", asked("x"))
	s.change("name", func(l *Log) { l.Name = "Tide" })
	l := openedIn(t, "", s)
	mustRefresh(t, l)
	if got := found(t, l, Request{Scope: Everywhere, Query: Query{Words: []Word{{Text: "tide"}}}}); got != "name prompt answer output" {
		t.Errorf("got %q", got)
	}
}

// TestMarked joins what the user noted, for thousands of sessions that are not
// there as well.
func TestMarked(t *testing.T) {
	t.Parallel()
	dir, many := t.TempDir(), marksFile{Version: 1, Sessions: map[session.ID]storedMark{"unsaid": {Mark: Mark{Tags: []string{"sand"}}}}}
	for i := range 5000 {
		many.Sessions[session.ID(fmt.Sprintf("elsewhere%d", i))] = storedMark{Mark: Mark{Name: "Spring", Tags: []string{"water"}, Pinned: true}}
	}
	if err := OpenMarks(filepath.Join(dir, "marks.json")).store(many); err != nil {
		t.Fatal(err)
	}
	l := openedIn(t, dir, various())
	mustRefresh(t, l)
	mark := func(id session.ID, change func(*Mark)) {
		if err := l.Mark(t.Context(), id, change); err != nil {
			t.Fatal(err)
		}
	}
	mark("root", func(m *Mark) { m.Pinned, m.Name, m.Tags = true, "Spring tides", []string{"water"} })
	mark("below", func(m *Mark) { m.Archived = true })
	mark("besi", func(m *Mark) { m.Deleted = midday })
	if err := l.Mark(t.Context(), "nowhere", func(*Mark) {}); err == nil {
		t.Error("a session that is not there was marked")
	}
	for query, want := range map[string]string{
		"":                         "root unsaid",
		"is:archived":              "below",
		"is:deleted":               "beside",
		"-is:archived":             "root unsaid",
		"is:pinned":                "root",
		"tag:water":                "root",
		"tag:sand":                 "unsaid",
		"spring":                   "root",
		"water":                    "root",
		"-water":                   "unsaid",
		"title:spring":             "root",
		"beta":                     "root", // as it was called before
		`"spring tides water"`:     "",
		"is:named has:tags spring": "root",
	} {
		if got := ids(t, l, query); got != want {
			t.Errorf("%q: got %q, want %q", query, got, want)
		}
	}
	if got := found(t, l, Request{Scope: Everywhere, Archived: true, Deleted: true}); got != "root below beside unsaid" {
		t.Errorf("all: %q", got)
	}
	if s, err := l.Get(t.Context(), "root"); err != nil || s.Title != "Spring tides" || !s.Pinned {
		t.Errorf("got %+v, %v", s, err)
	}
}

// TestHostile stores what somebody could think of for a title or an id.
func TestHostile(t *testing.T) {
	t.Parallel()
	s := newShelf()
	hostile := []string{
		`'); drop table sessions; --`, `" OR 1=1`, "a\x00b", "\x1b[31mred", "..", "../../etc", "%", "_", strings.Repeat("long", 5000), "NEAR(a b)", "*", "é\u202e",
	}
	for _, text := range hostile {
		s.put(session.ID(text), asked("tide"))
		s.change(session.ID(text), func(l *Log) { l.Name, l.Dir, l.Branch, l.Repository = text, text, text, text })
	}
	s.change("..", func(l *Log) { l.Name, l.Dir, l.Branch = "\xff\xfe", "/w/\xff", "\xc3" })
	s.put("\xff\xfe", asked("tide")) // no source has such a name, and a file may
	l := openedIn(t, t.TempDir(), s)
	mustRefresh(t, l)
	mustRefresh(t, l)
	if found := mustFind(t, l, "tide"); found.Total != len(hostile) || found.Warnings != nil {
		t.Errorf("%d of %d: %q", found.Total, len(hostile), found.Warnings)
	}
	opened := s.opened
	mustRefresh(t, l)
	if s.opened != opened {
		t.Errorf("%d logs were read again", s.opened-opened)
	}
	for _, text := range hostile {
		for _, w := range []Word{{Text: text}, {Text: text, Exact: true}, {Text: text, Prefix: true}, {Text: text, Not: true}} {
			if _, err := l.Find(t.Context(), Request{Scope: Everywhere, Query: Query{Words: []Word{w}}}); err != nil {
				t.Errorf("%+v: %v", w, err)
			}
		}
		s.remove(session.ID(text))
	}
	mustRefresh(t, l)
	if found := mustFind(t, l, ""); found.Total != 0 {
		t.Errorf("%d are left", found.Total)
	}
}

func TestStats(t *testing.T) {
	t.Parallel()
	s := newShelf()
	at := func(day string, text string) string {
		return strings.Replace(text, "2026-11-20T10:00:00.000Z", day+"T23:30:00.000Z", 1)
	}
	call := eventLine("tool.execution_start", `{"toolCallId":"c","toolName":"bash","arguments":{"command":"ls"}}`)
	s.put("one", at("2026-11-17", asked("tide")), at("2026-11-17", eventLine("assistant.turn_start", `{"turnId":"0"}`)))
	s.put("two", at("2026-11-20", asked("moon")), at("2026-11-20", call))
	s.put("old", at("1970-01-01", asked("moon")))
	s.change("old", func(l *Log) { l.Repository, l.Root = "", "" })
	l := openedIn(t, "", s)
	l.config.Location = time.FixedZone("east", 3600)
	mustRefresh(t, l)
	got, err := l.Stats(t.Context(), Request{Scope: Everywhere, Limit: 1})
	if err != nil {
		t.Fatal(err)
	}
	if got.All.Sessions != 3 || got.All.Prompts != 3 || got.All.Turns != 1 || got.All.Calls != 1 {
		t.Errorf("all: %+v", got.All)
	}
	var days []string
	for _, d := range got.Days {
		days = append(days, fmt.Sprintf("%s %d", d.Name, d.Sessions))
	}
	if want := []string{"1970-01-02 1", "2026-11-18 1", "2026-11-19 0", "2026-11-20 0", "2026-11-21 1"}; !slices.Equal(days, want) {
		t.Errorf("days: %q, want %q", days, want)
	}
	if len(got.Repositories) != 2 || got.Repositories[0].Name != "ada/shore" || got.Repositories[0].Sessions != 2 || got.Repositories[1].Name != "" {
		t.Errorf("repositories: %+v", got.Repositories)
	}
	if len(got.Tools) != 1 || got.Tools[0].Name != "bash" || got.Tools[0].Calls != 1 || got.Tools[0].Sessions != 1 {
		t.Errorf("tools: %+v", got.Tools)
	}
	q, err := ParseQuery("after:2026-11-20", midday)
	if err != nil {
		t.Fatal(err)
	}
	if got, err = l.Stats(t.Context(), Request{Scope: Everywhere, Query: q}); err != nil || got.All.Sessions != 1 || len(got.Days) != 1 {
		t.Errorf("filtered: %+v, %v", got, err)
	}
}

// TestStatsOfCopies counts what copies repeat of a session once, as long as that
// session is there; and what one does not have any more that was rewound, too.
func TestStatsOfCopies(t *testing.T) {
	t.Parallel()
	turn := func(prompt, tool string) string {
		return asked(prompt) + eventLine("assistant.turn_start", `{"turnId":"0"}`) +
			eventLine("session.usage_record", `{"usage":{"inputTokens":100,"outputTokens":10,"cost":1}}`) +
			eventLine("tool.execution_start", `{"toolCallId":"`+prompt+`","toolName":"`+tool+`","arguments":{}}`) +
			eventLine("tool.execution_complete", `{"toolCallId":"`+prompt+`","success":false,"error":{"message":"no"}}`)
	}
	fork := func(of, id string) string {
		return eventLine("session.info", `{"infoType":"fork","message":"Forked from \"a\" (`+of+`) as \"b\" (`+id+`)."}`)
	}
	first, second, third := turn("one", "bash"), turn("two", "edit"), turn("three", "bash")
	s := newShelf()
	s.put("root", first, second)
	s.put("copy", first, second, fork("root", "copy"), third)
	s.put("again", first, second, fork("root", "copy"), third, fork("copy", "again"))
	l := openedIn(t, t.TempDir(), s)
	stats := func(what, want string) {
		t.Helper()
		mustRefresh(t, l)
		got, err := l.Stats(t.Context(), Request{Scope: Everywhere})
		if err != nil {
			t.Fatal(err)
		}
		a := got.All
		text := fmt.Sprintf("%d sessions, %d prompts, %d turns, %d calls, %d failed, %d in, %d out, %g;",
			a.Sessions, a.Prompts, a.Turns, a.Calls, a.Failures, a.Tokens.In, a.Tokens.Out, a.Cost)
		for _, tool := range got.Tools {
			text += fmt.Sprintf(" %s %d in %d", tool.Name, tool.Calls, tool.Sessions)
		}
		if text != want {
			t.Errorf("%s: %s\nwant %s", what, text, want)
		}
	}
	stats("copies", "3 sessions, 3 prompts, 3 turns, 3 calls, 3 failed, 300 in, 30 out, 3; bash 2 in 2 edit 1 in 1")
	s.remove("root")
	s.put("root", first)
	stats("rewound", "3 sessions, 3 prompts, 3 turns, 3 calls, 3 failed, 300 in, 30 out, 3; bash 2 in 2 edit 1 in 1")
	s.remove("root")
	stats("without the first", "2 sessions, 3 prompts, 3 turns, 3 calls, 3 failed, 300 in, 30 out, 3; bash 2 in 1 edit 1 in 1")
	if c := mustFind(t, l, "id:copy").Sessions[0]; c.Prompts != 3 || c.Cost != 3 || c.Tools["bash"] != 2 {
		t.Errorf("the copy itself has %+v", c.Session)
	}
}

func TestKnown(t *testing.T) {
	t.Parallel()
	l := openedIn(t, "", various())
	mustRefresh(t, l)
	if err := l.Mark(t.Context(), "root", func(m *Mark) { m.Tags = []string{"b", "a"} }); err != nil {
		t.Fatal(err)
	}
	got, err := l.Known(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	want := Known{
		Repositories: []string{"ada/shore"}, Branches: []string{"docs", "main"}, Agents: []string{"copilot"}, Tags: []string{"a", "b"},
		Dirs: []string{"/w/shore/docs", "/w/shoreline", "/w/shore", "/w/shore/src"},
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got  %+v\nwant %+v", got, want)
	}
}
