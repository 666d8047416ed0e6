package timeline_test

import (
	"fmt"
	"maps"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode"

	"pgregory.net/rapid"

	"parley/session"
	"parley/session/sessiontest"
	"parley/timeline"
)

func TestLastAnswer(t *testing.T) {
	t.Parallel()
	check := func(name string, f *feed, want string) {
		t.Helper()
		got, running, ok := f.LastAnswer()
		if got != want || ok != (want != "") || running != strings.HasSuffix(name, "being written") {
			t.Errorf("%s: got %q, %v; want %q", name, got, ok, want)
		}
	}
	f := newFeed()
	check("nothing", f, "")
	f.turn()
	check("a prompt", f, "")
	f.live(delta("m1", "The first "))
	check("being written", f, "The first ")
	f.stored(said("m1", "The **first** answer.\n"))
	check("complete", f, "The **first** answer.\n")
	f.stored(said("m2", ""), startOf("bash", `{"command":"ls"}`), completeOf("a\nb"))
	check("a call after it", f, "The **first** answer.\n")
	f.live(delta("m3", "The sec"))
	check("another being written", f, "The sec")
	f.stored(said("m3", "The second \x1b[31manswer\u202e"))
	check("raw", f, "The second \x1b[31manswer\u202e")
	f.agent("a1", said("m4", "I am a sub-agent."))
	check("of a sub-agent", f, "The second \x1b[31manswer\u202e")
}

// TestLastAnswerCutOff: an answer that was aborted is all there is.
func TestLastAnswerCutOff(t *testing.T) {
	t.Parallel()
	f := newFeed().turn().live(delta("m1", "It begins"))
	f.stored(session.Abort{}, session.AssistantTurnEnd{TurnID: "0"})
	if got, running, ok := f.LastAnswer(); got != "It begins" || running || !ok {
		t.Errorf("got %q, %v: %s", got, ok, f.outline())
	}
}

func TestAnswers(t *testing.T) {
	t.Parallel()
	f := newFeed().turn().stored(said("m1", "one"), said("m2", "two"))
	f.agent("a1", said("m3", "sub")).live(delta("m4", "thr"))
	if got, want := slices.Collect(f.Answers()), []string{"thr", "two", "one"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	for first := range f.Answers() {
		if first != "thr" {
			t.Errorf("got %q", first)
		}
		break
	}
}

// addresses are those of the web among links.
func addresses(links []timeline.Link) []string {
	var out []string
	for _, l := range links {
		if l.Path == "" {
			out = append(out, l.Text)
		}
	}
	return out
}

// TestFilePlaces: what is a place in a file, and where it ends.
func TestFilePlaces(t *testing.T) {
	t.Parallel()
	places := map[string]string{
		"no place: 10:30, 1.5:2, localhost:8080, error:12, :3, a.go:0, a.go:x, a.go:12x, a.go:123456789": "",
		"main.go:12: undefined: x":                                                                  "main.go|12|0",
		"main.go:12:5: undefined, see (src/a_b.ts:3), Makefile:7.":                                  "Makefile|7|0 src/a_b.ts|3|0 main.go|12|5",
		"`./x/y.go:1-4` **/abs/z.py:9:0** [p.rs:2] app/[id]/page.tsx:8":                             "app/[id]/page.tsx|8|0 p.rs|2|0 /abs/z.py|9|0 ./x/y.go|1|0",
		"https://example.com:8080/a.go:12 then b.go:4 http://x.example/":                            "b.go|4|0",
		"straße/größe.md:3 \x1b[35m\x1b[Kred.go\x1b[m\x1b[K\x1b[36m:\x1b[m5\x1b[0m go\u202eod.go:6": "od.go|6|0 red.go|5|0 straße/größe.md|3|0",
		"a.go:1 a.go:2 a.go:1":              "a.go|1|0 a.go|2|0",
		strings.Repeat("x", 2000) + ".go:3": "",
	}
	if filepath.Separator == '\\' {
		maps.Copy(places, map[string]string{
			`.\x\y.go:12:5: undefined, (C:\w\a b\c.ts:3) xC:\z.rs:4 D:/e.py:5 src\main:6`: `src\main|6|0 D:/e.py|5|0 \z.rs|4|0 b\c.ts|3|0 .\x\y.go|12|5`,
			`C:\w\a.go:12 c:12 C:\:3`: `C:\w\a.go|12|0`,
		})
	}
	for text, want := range places {
		var got []string
		for _, l := range newFeed().turn().stored(said("m1", text)).Links() {
			if l.Path != "" {
				got = append(got, fmt.Sprintf("%s|%d|%d", l.Path, l.Line, l.Column))
			}
		}
		if got := strings.Join(got, " "); got != want {
			t.Errorf("%q:\ngot  %s\nwant %s", text, got, want)
		}
	}
}

// TestLinksIn: what is an address in an answer, and where it ends.
func TestLinksIn(t *testing.T) {
	t.Parallel()
	long := "https://example.com/" + strings.Repeat("x", 3000)
	for _, c := range []struct {
		text string
		want string // newest first
	}{
		{"no address here: ftp://example.com, mailto:a@example.com, example.com", ""},
		{"see https://example.com/a?b=c#d.", "https://example.com/a?b=c#d"},
		{"(http://example.com)", "http://example.com"},
		{"“https://example.com/x”, 'https://example.com/y'; “z”", "https://example.com/y https://example.com/x"},
		{"[docs](https://example.com/docs), <https://example.com/angle>!", "https://example.com/angle https://example.com/docs"},
		{"[https://example.com/a](https://example.com/a)", "https://example.com/a"},
		{"https://example.com/wiki/Queue_(data) and https://example.com/open_(", "https://example.com/open https://example.com/wiki/Queue_(data)"},
		{"**https://example.com/bold** `https://example.com/code` _https://example.com/em_", "https://example.com/em https://example.com/code https://example.com/bold"},
		{"| https://example.com/cell|next |", "https://example.com/cell"},
		{`{"url":"https://example.com/json","n":"https://example.com/esc\nx"}`, "https://example.com/esc https://example.com/json"},
		{"HTTPS://EXAMPLE.COM/Up", "HTTPS://EXAMPLE.COM/Up"},
		{"git+https://example.com/repo xhttps://example.com", ""},
		{"https://example.com/1 https://example.com/2 https://example.com/1", "https://example.com/1 https://example.com/2"},
		{"http://127.0.0.1:8101/v1, http://[::1]:80/x", "http://[::1]:80/x http://127.0.0.1:8101/v1"},
		{"https:// http://. http://? https://user:word@example.com https://example.com:port/", ""},
		{"http://$HOST/ http://${HOST}/ https://*.example.com", ""},
		{"\x1b]8;;https://example.com/osc\x07here\x1b]8;;\x07 https://example.com/red\x1b[0m", "https://example.com/red https://example.com/osc"},
		{"https://example.com/safe\u202egpj.exe https://exa\u200bmple.com https://examp\u3164le.com", "https://examp https://exa https://example.com/safe"},
		{"https://例え.jp/道?q=はい。次", "https://例え.jp/道?q=はい"},
		{"https://example.com/bad%zz https://example.com/%20ok", "https://example.com/%20ok"},
		{"://://https://example.com/late", "https://example.com/late"},
		{long + " https://example.com/short", "https://example.com/short"},
		{"https://example.com/\xff\xfe", "https://example.com/"},
	} {
		f := newFeed().turn().stored(said("m1", c.text))
		if got := strings.Join(addresses(f.Links()), " "); got != c.want {
			t.Errorf("%q:\ngot  %s\nwant %s", c.text, got, c.want)
		}
	}
}

// TestLinksFrom: addresses of answers, results, notices and of what came with a
// prompt, and of nothing else.
func TestLinksFrom(t *testing.T) {
	t.Parallel()
	f := newFeed()
	f.stored(session.UserMessage{
		Content: "look at https://example.com/prompt", Attachments: []session.Attachment{
			{Type: "github_reference", Title: "https://example.com/title", URL: "https://example.com/attached"}, {URL: "javascript:alert(1)"},
		},
	}, session.AssistantTurnStart{TurnID: "0"})
	f.live(thought("r1", "maybe https://example.com/thought"))
	f.stored(said("m1", "I read https://example.com/first and https://example.com/second"))
	f.stored(startOf("web_fetch", `{"url":"https://example.com/argument"}`), completeOf("moved to https://example.com/result"))
	f.stored(session.SessionWarning{Message: "Read https://example.com/first again", URL: "https://example.com/notice"})
	want := "https://example.com/notice https://example.com/first https://example.com/result https://example.com/second " +
		"https://example.com/attached"
	if got := strings.Join(addresses(f.Links()), " "); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

// TestPlacesOfResults: a place in a file that a result names beside its text is one to open.
func TestPlacesOfResults(t *testing.T) {
	t.Parallel()
	f := newFeed().turn()
	done := completeOf("found")
	done.Result.Contents = []session.ContentBlock{{Type: "resource_link", Name: "/src/queue/main.go:12"}}
	links := f.stored(startOf("grep", `{"pattern":"x"}`), done).Links()
	if len(links) != 1 || links[0].Path != "/src/queue/main.go" || links[0].Line != 12 {
		t.Errorf("links %+v", links)
	}
}

// TestLinksBounded: the newest are returned, and no more text is looked at than
// is worth it.
func TestLinksBounded(t *testing.T) {
	t.Parallel()
	f := newFeed().turn()
	var b strings.Builder
	for i := range 1000 {
		fmt.Fprintf(&b, "https://example.com/%d\n", i)
	}
	f.stored(said("m1", b.String()))
	got := addresses(f.Links())
	if len(got) != 200 || got[0] != "https://example.com/999" || got[199] != "https://example.com/800" {
		t.Errorf("%d links, from %s to %s", len(got), got[0], got[len(got)-1])
	}
	f = newFeed().turn()
	f.stored(said("m1", "https://example.com/old"), said("m2", "https://example.com/near"+strings.Repeat(" word", 1<<20)))
	if got := addresses(f.Links()); len(got) != 0 {
		t.Errorf("looked through more than it should: %s", got)
	}
}

// TestLinksLinear: no text makes it slow. Were it quadratic it would take minutes; the bound leaves
// room for a busy machine and the race detector.
func TestLinksLinear(t *testing.T) {
	t.Parallel()
	for _, piece := range []string{"http://", "http://a", "://", "https://[", "https://a(", "h", "http://a.b/ ", "https://x)", "a.b:1", "a:", "[", "a:1:", "a/b.c"} {
		f := newFeed().turn().stored(said("m1", strings.Repeat(piece, (2<<20)/len(piece))))
		began := time.Now() //nolint:forbidigo // a test of cost reads the clock
		f.Links()
		if took := time.Since(began); took > 20*time.Second { //nolint:forbidigo // as above
			t.Errorf("%q: %s", piece, took)
		}
	}
}

// TestExcerptsOfLogs: every address of a recorded log parses and is clean.
func TestExcerptsOfLogs(t *testing.T) {
	t.Parallel()
	for _, name := range sessiontest.LogNames(t) {
		tl := reduce(sessiontest.Log(t, name))
		for _, link := range addresses(tl.Links()) {
			checkLink(t, link)
		}
		if text, _, ok := tl.LastAnswer(); ok != (strings.TrimSpace(text) != "") {
			t.Errorf("%s: last answer %q, %v", name, text, ok)
		}
	}
}

func TestLinksHostile(t *testing.T) {
	t.Parallel()
	colours := regexp.MustCompile("\x1b\\[[0-9;:]*[mK]")
	piece := rapid.OneOf(rapid.SampledFrom([]string{
		"https://", "HTTP://", "example.com", "/", "(", ")", "[", "]", "\x1b[31m", "\u202e", "\u3164", " ", ".", "@", ":", "80", "\xff", "%41", "?",
	}), rapid.String())
	rapid.Check(t, func(rt *rapid.T) {
		text := strings.Join(rapid.SliceOfN(piece, 0, 20).Draw(rt, "text"), "")
		f := newFeed().turn().stored(said("m1", "x"+text))
		seen := map[string]bool{}
		for _, link := range addresses(f.Links()) {
			checkLink(rt, link)
			if seen[link] || !strings.Contains(colours.ReplaceAllString(text, ""), link) {
				rt.Errorf("%q of %q", link, text)
			}
			seen[link] = true
		}
	})
	h := sessiontest.NewHostile(7)
	for range 300 {
		f := newFeed().turn().stored(said("m1", "https://example.com/"+h.Text()+"https://example.com/"+h.Text()))
		for _, link := range addresses(f.Links()) {
			checkLink(t, link)
		}
	}
}

func checkLink(tb rapid.TB, link string) {
	odd := func(r rune) bool {
		return !unicode.IsPrint(r) || unicode.IsSpace(r) || unicode.Is(unicode.Other_Default_Ignorable_Code_Point, r)
	}
	if scheme, rest, ok := strings.Cut(strings.ToLower(link), "://"); !ok || scheme != "http" && scheme != "https" || rest == "" {
		tb.Errorf("no address: %q", link)
	}
	if strings.ContainsFunc(link, odd) || len(link) > 2048 {
		tb.Errorf("not clean: %q", link)
	}
}
