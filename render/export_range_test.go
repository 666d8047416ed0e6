package render_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"pgregory.net/rapid"

	"parley/render"
	"parley/session"
	"parley/session/sessiontest"
	"parley/timeline"
)

func TestParseRange(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"": "all", "all": "all", " ALL ": "all", "last": "last", "3": "3", "3-5": "3-5", "3-": "3-", "-2": "-2", "2-2": "2", "1-": "1-",
		"0": "", "-": "", "5-3": "turns 5 to 3 are none: write 3-5", "x": "", "1-x": "", "0-2": "", "1-0": "", "-1-2": "", "1.5": "", "99999999999999999999": "",
	} {
		r, err := render.ParseRange(text)
		switch {
		case want == "" || strings.Contains(want, " "):
			if err == nil || want != "" && err.Error() != want || want == "" && !strings.HasSuffix(err.Error(), "write 3, 3-5, 3-, -2, last or all") {
				t.Errorf("%q: %v, %v", text, r, err)
			}
		case err != nil || r.String() != want:
			t.Errorf("%q is %q, %v, want %q", text, r, err, want)
		}
	}
}

// stored are events as a log has them.
func stored(t rapid.TB, events []session.Event) func() (io.ReadCloser, error) {
	var b bytes.Buffer
	for _, ev := range events {
		line, err := session.Encode(ev)
		if err != nil {
			t.Fatal(err)
		}
		b.Write(append(line, '\n'))
	}
	return func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(b.Bytes())), nil }
}

// turns is a conversation of so many prompts, with something before the first.
func turns(n int) []session.Event {
	events := []session.Event{{ID: "0", Time: began, Body: session.SessionInfo{InfoType: "x", Message: "before"}}}
	for i := 1; i <= n; i++ {
		id := session.EventID(fmt.Sprint("u", i))
		events = append(events, session.Event{ID: id, Time: began, Body: session.UserMessage{Content: fmt.Sprintf("ask%d.", i)}},
			session.Event{ID: "a" + id, Time: began, Body: session.AssistantMessage{MessageID: session.MessageID(id), Content: fmt.Sprintf("say%d.", i)}})
	}
	return events
}

// TestExportRange: each format holds the turns of the range and no others.
func TestExportRange(t *testing.T) {
	t.Parallel()
	events := turns(4)
	tl := reduced(events)
	for text, want := range map[string]string{
		"": "0 1 2 3 4", "2": "2", "2-3": "2 3", "3-": "3 4", "-2": "0 1 2", "1": "0 1", "last": "4", "4-9": "4", "5": "there is no turn 5: the session has 4 turns",
	} {
		r, err := render.ParseRange(text)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range []render.ExportFormat{render.ExportMarkdown, render.ExportText, render.ExportHTML, render.ExportJSONL} {
			var b strings.Builder
			done, err := render.WriteExport(&b, tl, render.ExportOptions{Format: f, Range: r, Log: stored(t, events)})
			if strings.Contains(want, " no ") {
				if err == nil || !strings.Contains(err.Error(), want) {
					t.Errorf("%q in %d: %v", text, f, err)
				}
				continue
			}
			var got []string
			if strings.Contains(b.String(), "before") {
				got = append(got, "0")
			}
			for i := 1; i <= 4; i++ {
				asked, said := strings.Contains(b.String(), fmt.Sprintf("ask%d.", i)), strings.Contains(b.String(), fmt.Sprintf("say%d.", i))
				if asked != said {
					t.Errorf("%q in %d: half of turn %d", text, f, i)
				}
				if asked {
					got = append(got, fmt.Sprint(i))
				}
			}
			if s := strings.Join(got, " "); err != nil || s != want || done.Bytes != int64(b.Len()) {
				t.Errorf("%q in %d: %s, %v, %d bytes of %d, want %s", text, f, s, err, done.Bytes, b.Len(), want)
			}
		}
	}
}

// TestExportEvents: lines are as they are stored, but for what is redacted, and
// those that are no JSON are left out.
func TestExportEvents(t *testing.T) {
	t.Parallel()
	log := "\uFEFF" + `{"type":"user.message","data":{"content":"a  <b>\u0026 \/x"},  "id":"1", "n":1e5}` + "\n\n" +
		`{"type":"x.y","data":{"swordfish":"a \"swordfish\" b","n":[1,"c"]},"id":"2"}` + "\r\n" +
		`{"type":"half` + "\n" + "{\"type\":\"bad\",\"data\":\"\xff\"}\n" + `{"last":1}`
	open := func() (io.ReadCloser, error) { return io.NopCloser(strings.NewReader(log)), nil }
	var b strings.Builder
	done, err := render.WriteExport(&b, timeline.New(), render.ExportOptions{
		Format: render.ExportJSONL, Log: open,
		Redact: func(s string) string { return strings.ReplaceAll(s, "swordfish", "[redacted: fish]") },
	})
	want := `{"type":"user.message","data":{"content":"a  <b>\u0026 \/x"},  "id":"1", "n":1e5}` + "\n" +
		`{"type":"x.y","data":{"[redacted: fish]":"a \"[redacted: fish]\" b","n":[1,"c"]},"id":"2"}` + "\n" +
		`{"type":"bad","data":"` + "\uFFFD" + `"}` + "\n" + `{"last":1}` + "\n"
	if err != nil || done.Unreadable != 1 || b.String() != want {
		t.Errorf("%v, %+v\ngot  %q\nwant %q", err, done, b.String(), want)
	}
	_, err = render.WriteExport(io.Discard, timeline.New(), render.ExportOptions{Format: render.ExportJSONL})
	if !errors.Is(err, render.ErrNoLog) {
		t.Errorf("without a log: %v", err)
	}
}

// secret has signs that every format writes in a way of its own.
const secret = `k3y-"<&'\*_é/x9`

// TestExportRedacts: what is to be taken out of the texts is in no document, in
// whatever form it would be written there.
func TestExportRedacts(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		words := rapid.OneOf(markup(), hostileText())
		events := conversation(func() string { return words.Draw(t, "before") + secret + words.Draw(t, "after") })
		tl := reduced(events)
		redact := func(s string) string { return strings.ReplaceAll(s, secret, "GONE") }
		for _, f := range []render.ExportFormat{render.ExportMarkdown, render.ExportText, render.ExportHTML, render.ExportJSONL} {
			o := exported(f)
			o.Title, o.Redact, o.Log = secret, redact, stored(t, events)
			var b strings.Builder
			if _, err := render.WriteExport(&b, tl, o); err != nil {
				t.Fatal(err)
			}
			if doc := b.String(); strings.Contains(doc, "k3y-") || !strings.Contains(doc, "GONE") {
				at := max(0, strings.Index(doc, "k3y-"))
				t.Fatalf("format %d: %q", f, doc[max(0, at-80):min(len(doc), at+80)])
			}
			if f == render.ExportJSONL {
				for line := range strings.Lines(b.String()) {
					if v := jsontext.Value(line); !v.IsValid() {
						t.Fatalf("no JSON: %q", line)
					}
				}
			}
		}
	})
}

// TestExportTexts: everything that a document shows was there to be looked
// through, and with the turn it is from.
func TestExportTexts(t *testing.T) {
	t.Parallel()
	n := 0
	events := conversation(func() string { n++; return fmt.Sprintf("w%dx", n) })
	tl := reduced(events)
	for _, f := range []render.ExportFormat{render.ExportMarkdown, render.ExportText, render.ExportHTML, render.ExportJSONL} {
		o := exported(f)
		o.Log = stored(t, events)
		var texts []string
		last := 0
		if err := render.ExportTexts(tl, o, func(turn int, text string) {
			if turn < last {
				t.Errorf("turn %d after %d", turn, last)
			}
			last = turn
			texts = append(texts, text)
		}); err != nil {
			t.Fatal(err)
		}
		all, doc := strings.Join(texts, "\n"), render.Export(tl, o)
		shown := 0
		for i := 1; i <= n; i++ {
			if word := fmt.Sprintf("w%dx", i); strings.Contains(doc, word) {
				if shown++; !strings.Contains(all, word) {
					t.Errorf("format %d: %s was not looked through", f, word)
				}
			}
		}
		if shown < n/3 || last != 2 {
			t.Errorf("format %d shows %d of %d words, up to turn %d", f, shown, n, last)
		}
	}
	arguments, _ := json.Marshal(map[string]string{"password": "hunter2"})
	tl = reduced([]session.Event{{ID: "1", Body: session.ToolExecutionStart{ToolCallID: "c", ToolName: "x", Arguments: arguments}}})
	var texts []string
	if err := render.ExportTexts(tl, render.ExportOptions{}, func(_ int, text string) { texts = append(texts, text) }); err != nil || !slices.Contains(texts, "password: hunter2") {
		t.Errorf("%v: %q", err, texts)
	}
	split := reduced([]session.Event{{ID: "1", Body: session.AssistantMessage{MessageID: "m", Content: "hun\x1b[0mter2"}}})
	o := render.ExportOptions{Redact: func(s string) string { return strings.ReplaceAll(s, "hunter2", "GONE") }}
	if doc := render.Export(split, o); strings.Contains(doc, "hunter2") || !strings.Contains(doc, "GONE") {
		t.Errorf("what an escape sequence splits is left: %q", doc)
	}
}

// TestExportUntimed: an export without times is the same whenever a session was, and however
// long all in it took.
func TestExportUntimed(t *testing.T) {
	t.Parallel()
	for _, name := range sessiontest.LogNames(t) {
		events := sessiontest.Log(t, name)
		later := slices.Clone(events)
		for i := range later {
			later[i].Time = later[i].Time.Add(1000*time.Hour + time.Duration(i)*20*time.Millisecond)
		}
		for _, f := range formats() {
			o := exported(f)
			o.Untimed = true
			got, want := render.Export(reduced(later), o), render.Export(reduced(events), o)
			if got != want {
				t.Errorf("%s, format %d: without times it is\n%s\nand later\n%s", name, f, want, got)
			}
		}
	}
}
