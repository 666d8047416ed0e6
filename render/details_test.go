package render

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"

	"parley/render/text"
	"parley/session"
	"parley/session/sessiontest"
	"parley/theme"
	"parley/timeline"
)

// fieldMarker makes values that come nowhere else: text and numbers.
type fieldMarker struct {
	n     int
	spoil bool // the values do not have the documented type
	want  []string
}

func (m *fieldMarker) value(k jsontext.Kind) jsontext.Value {
	m.n++
	text, number := fmt.Sprintf("MARK%dX", m.n), fmt.Sprintf("7%06d", m.n)
	switch {
	case k == jsontext.KindTrue || k == jsontext.KindFalse || k == jsontext.KindNull:
		return jsontext.Value("true")
	case (k == jsontext.KindNumber) == m.spoil:
		m.want = append(m.want, text)
		return jsontext.Value(`"` + text + `"`)
	}
	m.want = append(m.want, number)
	return jsontext.Value(number)
}

// marked is an event whose payload has a value of its own in every field.
func (m *fieldMarker) marked(tb testing.TB, p sessiontest.Payload) []byte {
	tb.Helper()
	var data bytes.Buffer
	d, e := jsontext.NewDecoder(bytes.NewReader(p.Data)), jsontext.NewEncoder(&data)
	for {
		kind, n := d.StackIndex(d.StackDepth())
		k := d.PeekKind()
		if scalar := strings.ContainsRune(`"0tfn`, rune(k)); scalar && (kind != '{' || n%2 == 1) {
			if err := errors.Join(d.SkipValue(), e.WriteValue(m.value(k))); err != nil {
				tb.Fatal(err)
			}
			continue
		}
		token, err := d.ReadToken()
		if err != nil {
			break
		}
		if err := e.WriteToken(token); err != nil {
			tb.Fatal(err)
		}
	}
	envelope := &fieldMarker{n: m.n}
	id, parent := envelope.value('"'), envelope.value('"')
	m.n, m.want = envelope.n, append(m.want, envelope.want...)
	return fmt.Appendf(nil, `{"type":%q,"data":%s,"id":%s,"timestamp":"2026-05-01T09:00:00Z","parentId":%s}`, p.Kind, bytes.TrimSpace(data.Bytes()), id, parent)
}

// TestEveryDocumentedFieldIsOnAScreen gives every field of every documented event
// a value of its own and finds each of them in the details of the timeline; and
// once more with values that have another type than the documented one.
func TestEveryDocumentedFieldIsOnAScreen(t *testing.T) {
	t.Parallel()
	for _, spoil := range []bool{false, true} {
		m := fieldMarker{spoil: spoil}
		fields := 0
		for _, p := range sessiontest.Reference(t) {
			m.want = nil
			line := m.marked(t, p)
			tl := timeline.New()
			tl.Apply(session.Decode([]byte(`{"type":"user.message","data":{"content":"Hello"},"id":"1"}`)))
			tl.Apply(session.Decode(line))
			var out strings.Builder
			if err := PrintDetails(&out, tl, Options{Width: 120}); err != nil {
				t.Fatal(err)
			}
			for _, want := range m.want {
				fields++
				if !strings.Contains(out.String(), want) {
					t.Errorf("%s: %s is on no screen; spoiled: %t\n%s\n%s", p.Kind, want, spoil, line, out.String())
				}
			}
		}
		if fields < 250 {
			t.Errorf("only %d fields", fields)
		}
	}
}

// detailsOfEvent are the rows of the details of one event.
func detailsOfEvent(tb testing.TB, line string, width int, open bool) string {
	tb.Helper()
	tl := timeline.New()
	tl.Apply(session.Decode([]byte(line)))
	list := tl.Unplaced()
	if tl.Len() > 0 {
		list = tl.At(0).Events
	}
	d := NewDetails(list, 1<<10, nil)
	if open {
		d.OpenAll()
	}
	n := d.Layout(width)
	rows := d.Rows(0, n, nil, "", theme.Plain())
	for _, r := range rows {
		if text.Width(r) > width {
			tb.Errorf("wider than %d: %q", width, r)
		}
	}
	return strings.Join(rows, "\n") + "\n"
}

// TestDetails has one event with values of every kind, folded and unfolded, at
// several widths.
func TestDetails(t *testing.T) {
	t.Parallel()
	line := `{"type":"tool.execution_complete","data":{"toolCallId":"c1","success":true,"model":null,` +
		`"result":{"content":"one\ntwo\n\u001b[2Jthree","detailedContent":"","contents":[]},` +
		`"toolTelemetry":{"n":1.50,"deep":[[1,2],{"a":"b"}]},"isUserRequested":"yes",` +
		`"interactionId":"a very long identifier that does not fit into one row of a narrow window, whatever one does"},` +
		`"id":"e1","timestamp":"2026-05-01T09:00:00.250Z","parentId":null,"agentId":"agent\u202e7","brandNew":{"x":"y"}}`
	var out strings.Builder
	for _, width := range []int{100, 60, 24, 8} {
		for _, open := range []bool{false, true} {
			fmt.Fprintf(&out, "== %d, open: %t\n%s", width, open, detailsOfEvent(t, line, width, open))
		}
	}
	sessiontest.Golden(t, "render/details", out.String())
}

// TestDetailsOfOddEvents: what is no object, deep, large or not well-formed.
func TestDetailsOfOddEvents(t *testing.T) {
	t.Parallel()
	for name, line := range map[string]string{
		"no payload":     `{"type":"abort","id":"i"}`,
		"payload is one": `{"type":"abort","data":"text","id":"i"}`,
		"unknown":        `{"type":"a.b","data":{"x":[1,{"y":"z"}]},"id":"i"}`,
		"not UTF-8":      "{\"type\":\"a.b\",\"data\":{\"x\":\"a\xffb\"},\"id\":\"i\"}",
		"deep":           `{"type":"a.b","data":` + strings.Repeat(`{"a":`, 200) + `1` + strings.Repeat(`}`, 200) + `,"id":"i"}`,
		"large":          `{"type":"a.b","data":{"x":"` + strings.Repeat("word ", 1<<16) + `"},"id":"i"}`,
		"twice":          `{"type":"a.b","data":{"x":1,"x":2},"id":"i"}`,
	} {
		for _, width := range []int{1, 3, 10, 80} {
			if got := detailsOfEvent(t, line, width, true); width > 3 && !strings.Contains(got, "a") {
				t.Errorf("%s at %d: %q", name, width, got)
			}
		}
	}
	large := detailsOfEvent(t, `{"type":"a.b","data":{"x":"`+strings.Repeat("word ", 1<<10)+`"},"id":"i"}`, 80, true)
	if !strings.Contains(large, "4 kB more are not shown") || strings.Count(large, "word") > 210 {
		t.Errorf("a large text is shown as\n%s", large)
	}
}

// TestDetailsFind: what is searched for is found where it is folded away, too.
func TestDetailsFind(t *testing.T) {
	t.Parallel()
	tl := timeline.New()
	tl.Apply(session.Decode([]byte(`{"type":"user.message","id":"e1","data":{"content":"Hello",` +
		`"attachments":[{"type":"file","path":"/src/Worker.go"},{"type":"file","path":"/src/queue.go"}]}}`)))
	d := NewDetails(tl.At(0).Events, 0, nil)
	found := d.Find("worker")
	if len(found) != 1 || found[0].Open() || len(d.Find("")) != 0 || len(d.Find("nowhere")) != 0 {
		t.Fatalf("found %d", len(found))
	}
	d.Layout(80)
	if first, _ := d.RowOf(found[0]); d.FieldAt(first) == found[0] {
		t.Error("it is in view while it is folded away")
	}
	d.Reveal(found[0])
	d.Layout(80)
	first, rows := d.RowOf(found[0])
	row := d.Rows(first, first+rows, found[0], "WORKER", theme.Dark())[0]
	if on := theme.Dark().Render(theme.Match, "Worker"); !strings.Contains(row, "Worker") || !strings.Contains(row, on[:4]) {
		t.Errorf("the row is %q", row)
	}
	if event := found[0].Event(); event.FileName() != "user.message.json" || !strings.HasPrefix(event.JSON(), `{"type":"user.message"`) {
		t.Errorf("it is of %s", event.JSON())
	}
}
