package sessions_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/go-json-experiment/json"
	jsonv1 "github.com/go-json-experiment/json/v1"
	"pgregory.net/rapid"

	"parley/history/sessions"
	"parley/session/sessiontest"
)

// recorded is a log as it was recorded, byte for byte.
func recorded(tb testing.TB, name string) []byte {
	tb.Helper()
	raw, err := os.ReadFile(filepath.Join(sessiontest.Root(tb), "testdata", "sessions", name+".jsonl"))
	if err != nil {
		tb.Fatal(err)
	}
	return raw
}

// TestGoldens writes down what is known of each recorded log, and what is found
// in it.
func TestGoldens(t *testing.T) {
	t.Parallel()
	for _, name := range sessiontest.LogNames(t) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d, texts := digest(t, recorded(t, name))
			sessiontest.Golden(t, "sessions/"+name, described(d)+spoken(texts))
		})
	}
}

// described is a line for each fact that there is.
func described(d *sessions.Digest) string {
	var b strings.Builder
	line := func(name string, value any) {
		if v := reflect.ValueOf(value); !v.IsZero() && (v.Kind() != reflect.Map || v.Len() > 0) {
			fmt.Fprintf(&b, "%-10s %v\n", name, value)
		}
	}
	var each func(reflect.Value)
	each = func(facts reflect.Value) {
		for i := range facts.NumField() {
			switch value := facts.Field(i).Interface().(type) {
			case sessions.Place:
				each(facts.Field(i))
			case time.Time:
				if !value.IsZero() {
					line(strings.ToLower(facts.Type().Field(i).Name), value.Format(time.RFC3339Nano))
				}
			default:
				line(strings.ToLower(facts.Type().Field(i).Name), value)
			}
		}
	}
	each(reflect.ValueOf(d.Facts))
	line("summed", d.Summed)
	for _, path := range slices.Sorted(maps.Keys(d.Files)) {
		line("file", fmt.Sprintf("%s changed=%v", path, d.Files[path]))
	}
	line("busy", d.Summary().Busy)
	line("unread", d.Unread())
	return b.String()
}

func spoken(texts []sessions.Text) string {
	var b strings.Builder
	for _, t := range texts {
		text := t.Text
		if len(text) > 300 {
			text = fmt.Sprintf("%s … (%d bytes)", text[:300], len(text))
		}
		fmt.Fprintf(&b, "\n[%s]\n%s\n", t.Kind, text)
	}
	return b.String()
}

// TestReadInPieces reads a log in pieces, as it grows by any number of bytes: the facts
// and the texts are those of reading it at once, also when the digest was stored
// in between.
func TestReadInPieces(t *testing.T) {
	t.Parallel()
	names := sessiontest.LogNames(t)
	logs := map[string][]byte{}
	for _, name := range names {
		logs[name] = recorded(t, name)
	}
	rapid.Check(t, func(t *rapid.T) {
		log := logs[rapid.SampledFrom(names).Draw(t, "log")]
		whole, wantTexts := read(t, &sessions.Digest{}, log)
		d, texts := &sessions.Digest{}, []sessions.Text(nil)
		cuts := rapid.SliceOfN(rapid.IntRange(0, len(log)), 0, 5).Draw(t, "cuts")
		slices.Sort(cuts)
		for _, end := range append(cuts, len(log)) {
			var more []sessions.Text
			d, more = read(t, d, log[:end])
			texts = append(texts, more...)
			if d.Offset > int64(end) {
				t.Fatalf("read to %d of %d", d.Offset, end)
			}
			raw := marshalled(t, d)
			d = &sessions.Digest{}
			if err := json.Unmarshal([]byte(raw), d, jsonv1.FormatDurationAsNano(true)); err != nil {
				t.Fatal(err)
			}
		}
		if a, b := marshalled(t, d), marshalled(t, whole); a != b {
			t.Errorf("in pieces\n%s\nat once\n%s", a, b)
		}
		if !slices.Equal(texts, wantTexts) {
			t.Errorf("in pieces\n%v\nat once\n%v", texts, wantTexts)
		}
	})
}

type failer interface{ Fatal(args ...any) }

func read(t failer, d *sessions.Digest, log []byte) (*sessions.Digest, []sessions.Text) {
	var texts []sessions.Text
	if err := d.Read(context.Background(), bytes.NewReader(log), func(t sessions.Text) { texts = append(texts, t) }); err != nil {
		t.Fatal(err)
	}
	return d, texts
}

// marshalled is all that is stored of a digest.
func marshalled(t failer, d *sessions.Digest) string {
	raw, err := json.Marshal(d, json.Deterministic(true), jsonv1.FormatDurationAsNano(true))
	if err != nil {
		t.Fatal(err)
	}
	return string(raw)
}

const (
	hello = `{"type":"user.message","data":{"content":"hello"},"id":"1","timestamp":"2026-11-01T09:00:00Z","parentId":null}` + "\n"
	other = `{"type":"user.message","data":{"content":"other"},"id":"2","timestamp":"2026-11-01T09:00:01Z","parentId":"1"}` + "\n"
	third = `{"type":"user.message","data":{"content":"third"},"id":"3","timestamp":"2026-11-01T09:00:02Z","parentId":"2"}` + "\n"
)

// TestTailIsOfTheLog reads the last event before its line end is written, and then
// the line end alone: the tail by which the log is known is as long as ever.
func TestTailIsOfTheLog(t *testing.T) {
	t.Parallel()
	log := []byte(hello + other)
	d, _ := read(t, &sessions.Digest{}, log[:len(log)-1])
	d, _ = read(t, d, log)
	if want := len(log); d.TailSize != want {
		t.Errorf("a tail of %d bytes, want %d", d.TailSize, want)
	}
}

// TestReplaced notices a log that is not the one that was read, and one that is.
func TestReplaced(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		log      string
		replaced bool
	}{
		"as it was":       {hello + other, false},
		"longer":          {hello + other + third, false},
		"shorter":         {hello, true},
		"empty":           {"", true},
		"a line short":    {hello + other[:len(other)-5], true},
		"another ending":  {hello + third, true},
		"rewound and on":  {hello + third + third, true},
		"another of size": {other + hello, true},
	} {
		for kind, as := range map[string]func(string) io.Reader{
			"file":   func(s string) io.Reader { return strings.NewReader(s) },
			"stream": func(s string) io.Reader { return io.MultiReader(strings.NewReader(s)) },
		} {
			t.Run(name+" as a "+kind, func(t *testing.T) {
				t.Parallel()
				d, _ := digest(t, []byte(hello+other))
				before := *d
				err := d.Read(t.Context(), as(c.log), func(sessions.Text) {})
				if errors.Is(err, sessions.ErrReplaced) != c.replaced || err != nil && !c.replaced {
					t.Errorf("got %v", err)
				}
				if c.replaced && !reflect.DeepEqual(before, *d) {
					t.Errorf("%+v became %+v", before, *d)
				}
			})
		}
	}
	var spoiled sessions.Digest
	spoiled.Offset, spoiled.TailSize = 5, -3
	if err := spoiled.Read(t.Context(), strings.NewReader(hello), nil); !errors.Is(err, sessions.ErrReplaced) {
		t.Errorf("a digest that is spoiled is continued: %v", err)
	}
}

// TestDamage reads logs that no runtime writes: what is whole in them is found.
func TestDamage(t *testing.T) {
	t.Parallel()
	utf16 := append([]byte{0xff, 0xfe}, bytes.Join(bytes.Split([]byte(hello), nil), []byte{0})...)
	for name, c := range map[string]struct {
		log     string
		prompts int
		offset  int // from the end
		unread  string
	}{
		"empty":              {"", 0, 0, ""},
		"blank lines":        {"\n\n \r\n" + hello + "\r\n", 1, 0, ""},
		"half a line":        {hello + other[:40], 1, 40, ""},
		"half a letter":      {hello + "\xe3\x83", 1, 2, ""},
		"no line end":        {hello + strings.TrimSpace(other), 2, 0, ""},
		"garbage":            {hello + "\x00\x01garbage\n" + other, 2, 0, "1 line of its log is damaged"},
		"garbage alone":      {"garbage\nand more\n", 0, 0, "its log holds no events"},
		"a line cut":         {hello + other[:40] + "\n" + other[:60] + "\n" + third, 2, 0, "2 lines of its log are damaged"},
		"two in one line":    {strings.TrimSpace(hello) + other + third, 1, 0, "1 line of its log is damaged"},
		"an array":           {"[1,2]\n" + hello, 1, 0, "1 line of its log is damaged"},
		"no type":            {`{"data":{}}` + "\n" + hello, 1, 0, "1 line of its log is damaged"},
		"another shape":      {`{"type":"user.message","data":[1]}` + "\n" + hello, 1, 0, "1 line of its log is damaged"},
		"unknown types":      {`{"type":"future.thing","data":{"a":[1]}}` + "\n" + hello, 1, 0, ""},
		"another order":      {`{"data":{"content":"hi"},"id":"9","type":"user.message"}` + "\n", 1, 0, ""},
		"blanks":             {` { "type" : "user.message" , "data" : {"content":"hi"} }` + "\n", 1, 0, ""},
		"a mark of UTF-8":    {"\ufeff" + hello, 1, 0, ""},
		"Latin-1":            {strings.Replace(hello, "hello", "gr\xfc\xdfe", 1) + other, 2, 0, "1 line of its log is damaged"},
		"half a surrogate":   {strings.Replace(hello, "hello", `x\ud83d y`, 1), 1, 0, ""},
		"a name twice":       {`{"type":"user.message","data":{"content":"a","content":"b"},"id":"1","id":"2"}` + "\n", 1, 0, ""},
		"UTF-16":             {string(utf16), 0, 0, "its log is not written in UTF-8"},
		"UTF-16 unmarked":    {string(utf16[2:]), 0, 0, "its log is not written in UTF-8"},
		"no time":            {`{"type":"user.message","data":{"content":"hi"},"timestamp":"yesterday"}` + "\n", 1, 0, ""},
		"numbers for texts":  {`{"type":"session.start","data":{"selectedModel":5}}` + "\n" + hello, 1, 0, ""},
		"deep":               {`{"type":"user.message","data":` + strings.Repeat("[", 20000) + "\n" + hello, 1, 0, "1 line of its log is damaged"},
		"too much of one":    {`{"type":"user.message","data":{"content":"x","attachments":[` + strings.Repeat(`{"type":"file"},`, 2<<20) + "\n" + hello, 1, 0, "1 line of its log is too long"},
		"negative sizes":     {`{"type":"session.usage_record","data":{"usage":{"inputTokens":-5}}}` + "\n" + hello, 1, 0, ""},
		"an end of no call":  {`{"type":"tool.execution_complete","data":{"toolCallId":"x","success":false}}` + "\n" + hello, 1, 0, ""},
		"calls without ends": {strings.Repeat(`{"type":"tool.execution_start","data":{"toolName":"bash"}}`+"\n", 9) + hello, 1, 0, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d, _ := digest(t, []byte(c.log))
			if d.Prompts != c.prompts || int(d.Offset) != len(c.log)-c.offset || d.Unread() != c.unread {
				t.Errorf("%d prompts, at %d of %d, %q", d.Prompts, d.Offset, len(c.log), d.Unread())
			}
		})
	}
}

const manyLetters = "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"

// giant is a line whose content is a letter many times.
type giant struct {
	head, tail string
	letters    int
}

func (g *giant) Read(p []byte) (n int, err error) {
	switch {
	case g.head != "":
		n = copy(p, g.head)
		g.head = g.head[n:]
	case g.letters > 0:
		n = min(g.letters, copy(p, manyLetters))
		g.letters -= n
	case g.tail != "":
		n = copy(p, g.tail)
		g.tail = g.tail[n:]
	default:
		err = io.EOF
	}
	return n, err
}

// TestGiants reads lines of 100 MB in a memory that has no room for them.
func TestGiants(t *testing.T) {
	const letters = 100 << 20
	for kind, prompts := range map[string]int{"system.message": 1, "user.message": 2, "future.thing": 1} {
		g := &giant{head: hello + `{"type":"` + kind + `","data":{"content":"`, letters: letters, tail: `"},"id":"9"}` + "\n"}
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		var d sessions.Digest
		longest := 0
		if err := d.Read(t.Context(), g, func(t sessions.Text) { longest = max(longest, len(t.Text)) }); err != nil {
			t.Fatal(err)
		}
		runtime.ReadMemStats(&after)
		if d.Prompts != prompts || d.Offset < letters || d.Unread() != "" || longest > 1<<20 {
			t.Errorf("%s: %d prompts at %d, %q, a text of %d", kind, d.Prompts, d.Offset, d.Unread(), longest)
		}
		if used := after.TotalAlloc - before.TotalAlloc; used > 32<<20 {
			t.Errorf("%s: %d MB were used", kind, used>>20)
		}
	}
}

// broken fails after some bytes.
type broken struct{ io.Reader }

var errBroken = errors.New("the disk is gone")

func (b broken) Read(p []byte) (int, error) {
	n, err := b.Reader.Read(p)
	if errors.Is(err, io.EOF) {
		err = errBroken
	}
	return n, err
}

// TestInterruptedReading continues after a disk that failed and a reader who gave up.
func TestInterruptedReading(t *testing.T) {
	t.Parallel()
	var d sessions.Digest
	var texts []sessions.Text
	take := func(t sessions.Text) { texts = append(texts, t) }
	if err := d.Read(t.Context(), broken{strings.NewReader(hello + other[:30])}, take); !errors.Is(err, errBroken) || d.Prompts != 1 {
		t.Errorf("%v after %d prompts", err, d.Prompts)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := d.Read(ctx, strings.NewReader(hello+other), take); !errors.Is(err, context.Canceled) || d.Prompts != 1 {
		t.Errorf("%v after %d prompts", err, d.Prompts)
	}
	if err := d.Read(t.Context(), strings.NewReader(hello+other), take); err != nil || d.Prompts != 2 || len(texts) != 2 {
		t.Errorf("%v after %d prompts, %v", err, d.Prompts, texts)
	}
}

// FuzzDigest checks, for any bytes, that reading comes to an end, that it does not
// go beyond the log, and that it can be continued.
func FuzzDigest(f *testing.F) {
	for _, line := range sessiontest.Events(f) {
		f.Add(append(line, '\n'), 3)
	}
	f.Add([]byte(hello+other[:20]), 40)
	f.Add([]byte(`{"type":"tool.execution_start","data":{"toolCallId":"a\xff","toolName":"\xff","arguments":{"path":"\xff","path":1}}}`+"\n"), 0)
	f.Fuzz(func(t *testing.T, log []byte, cut int) {
		whole, texts := read(t, &sessions.Digest{}, log)
		if whole.Offset > int64(len(log)) || whole.Damaged > whole.Lines {
			t.Fatalf("%+v", whole)
		}
		for _, text := range texts {
			if strings.TrimSpace(text.Text) == "" || len(text.Text) > 256<<10 {
				t.Fatalf("%q", text)
			}
		}
		d, _ := read(t, &sessions.Digest{}, log[:min(max(0, cut), len(log))])
		if d.Offset > 0 && log[d.Offset-1] != '\n' {
			return // a whole event that no line end followed was taken; then more came on its line
		}
		if d, _ = read(t, d, log); marshalled(t, d) != marshalled(t, whole) {
			t.Fatalf("%+v\n%+v", d, whole)
		}
	})
}
