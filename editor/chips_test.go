package editor

import (
	"fmt"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"parley/history/drafts"
	"parley/render/text"
	"parley/session"
	"parley/session/sessiontest"
	"parley/theme"
)

// chipped returns an editor with the text of s, the caret at its bar, and a
// paste of each letter between angle brackets.
func chipped(s string) *Editor {
	e := New()
	e.SetDraft(chippedDraft(s))
	e.past = nil
	return e
}

func chippedDraft(s string) drafts.Draft {
	var d drafts.Draft
	for s != "" {
		switch s[0] {
		case '|':
			d.Caret, d.Behind = len(d.Text), 0
			for _, c := range d.Chips {
				if c.At == d.Caret {
					d.Behind++
				}
			}
		case '<':
			name, rest, _ := strings.Cut(s[1:], ">")
			c := drafts.Chip{At: len(d.Text), Paste: name}
			if file, ok := strings.CutPrefix(name, "@"); ok {
				c = drafts.Chip{At: len(d.Text), Attachment: &session.Attachment{Type: "file", DisplayName: file}}
			}
			d.Chips = append(d.Chips, c)
			s = rest
			continue
		default:
			d.Text += s[:1]
		}
		s = s[1:]
	}
	return d
}

// chipMarks is what is in e in the notation of chipped.
func chipMarks(e *Editor) string {
	show := func(s string) string {
		var b strings.Builder
		for s != "" {
			n := graphemeLen(s)
			switch l := e.chips.find(s); {
			case l == nil:
				b.WriteString(strings.ReplaceAll(s[:n], codeEscape, "\xf4"))
			case l.chip.Attachment != nil:
				fmt.Fprintf(&b, "<@%s>", l.chip.Attachment.DisplayName)
			default:
				fmt.Fprintf(&b, "<%s>", l.chip.Paste)
			}
			s = s[n:]
		}
		return b.String()
	}
	return show(e.slice(textPos{}, e.caret)) + "|" + show(e.slice(e.caret, e.end()))
}

// A chip counts as one letter, and as one word.
func TestEditorChips(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ from, keys, want string }{
		{"a<x>|b", "", "a<x>|b"},
		{"a|<x><y>b", "right", "a<x>|<y>b"},
		{"a<x><y>|b", "left", "a<x>|<y>b"},
		{"a<x>|<y>b", "left left", "|a<x><y>b"},
		{"a<x>|b", "backspace", "a|b"},
		{"a|<x>b", "delete", "a|b"},
		{"a<x>|b", "backspace ctrl+_", "a<x>|b"},
		{"a<x>|b", "backspace ctrl+_ alt+_", "a|b"},
		{"a<x><y>|b", "backspace backspace ctrl+_", "a<x><y>|b"},
		{"one <x>|", "ctrl+w", "one |"},
		{"one<x>|", "ctrl+w", "one|"},
		{"one<x> |", "ctrl+w", "one|"},
		{"one<x>two|", "ctrl+w", "one<x>|"},
		{"|one<x>two", "alt+f", "one|<x>two"},
		{"one|<x>two", "alt+f", "one<x>|two"},
		{"one| <x>two", "alt+d", "one|two"},
		{"one<x>|two", "alt+b alt+b", "|one<x>two"},
		{"a<x>b|", "ctrl+u ctrl+y ctrl+y", "a<x>ba<x>b|"},
		{"a|<x>b", "ctrl+k left ctrl+y", "<x>b|a"},
		{"a<x>|", "b space <x>", "a<x>b <x>|"},
		{"a\n<x>|b", "up", "a|\n<x>b"},
		{"<@f>|a", "ctrl+w ctrl+y", "<@f>|a"},
		{"a|<x>", "\u0301 right b", "a\u0301<x>b|"},
		{"|<x>a", "alt+t", "|<x>a"},
		{"<x> a|", "alt+t", "a <x>|"},
		{"a|b<x>", "alt+u alt+l alt+c", "aB<x>|"},
	} {
		e := chipped(c.from)
		for _, key := range strings.Fields(c.keys) {
			if key == "<x>" {
				e.InsertChip(drafts.Chip{Paste: "x", At: 99})
				continue
			}
			e.Update(editorKey(key))
		}
		if got := chipMarks(e); got != c.want {
			t.Errorf("%s, %s: %s, want %s", c.from, c.keys, got, c.want)
		}
		if got, want := e.Text(), strings.NewReplacer("|", "", "<@f>", "[f]", "<", "", ">", "").Replace(c.want); got != want {
			t.Errorf("%s, %s: the text is %q, want %q", c.from, c.keys, got, want)
		}
	}
}

func TestEditorChipAt(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ from, chip, expanded string }{
		{"a|b<x>", "", "a|b<x>"},
		{"ab|<x>", "x 2", "abx|"},
		{"ab<x>|", "x 2", "abx|"},
		{"ab<x>|<yy>", "yy 2", "ab<x>yy|"},
		{"ab<x>c|", "", "ab<x>c|"},
		{"日<@f>|", "f 3", "日<@f>|"},
		{"a\n<1\n2>|b", "1\n2 2", "a\n1\n2|b"},
		{"|", "", "|"},
	} {
		e := chipped(c.from)
		chip, ok := e.ChipAt()
		got := ""
		if ok {
			name := chip.Paste
			if chip.Attachment != nil {
				name = chip.Attachment.DisplayName
			}
			got = fmt.Sprint(name, " ", chip.At)
		}
		if got != c.chip {
			t.Errorf("%s: %q, want %q", c.from, got, c.chip)
		}
		expanded := e.Expand()
		if got := chipMarks(e); got != c.expanded || expanded != (c.from != c.expanded) {
			t.Errorf("%s expands to %q, %v, want %q", c.from, got, expanded, c.expanded)
		}
		if pressKeys(e, "ctrl+_"); expanded && chipMarks(e) != c.from {
			t.Errorf("%s expanded and undone is %s", c.from, chipMarks(e))
		}
	}
}

func TestEditorDraft(t *testing.T) {
	t.Parallel()
	attachment := &session.Attachment{Type: "file", Path: "/f", DisplayName: "f"}
	for _, d := range []drafts.Draft{
		{},
		{Text: "one\ntwo", Caret: 4},
		{Text: "ab", Caret: 1, Behind: 1, Chips: []drafts.Chip{{At: 1, Paste: "x"}, {At: 1, Attachment: attachment}}},
		{Text: "ab", Caret: 2, Behind: 0, Chips: []drafts.Chip{{At: 2, Paste: "x"}}},
		{Text: "", Behind: 2, Chips: []drafts.Chip{{Paste: "x"}, {Paste: "x"}}},
		{Text: "\xf4\U0010f000", Caret: 1, Behind: 1, Chips: []drafts.Chip{{At: 1, Paste: "\U00100001"}}},
		{Text: "日本", Caret: 3, Chips: []drafts.Chip{{At: 1, Paste: "inside a rune"}}},
	} {
		e := New()
		e.SetDraft(d)
		if got := e.Draft(); !reflect.DeepEqual(got, d) {
			t.Errorf("%+v came back as %+v", d, got)
		}
		if e.Text() != d.Prompt() || !reflect.DeepEqual(e.Draft().Attachments(), d.Attachments()) || e.Empty() != d.Empty() {
			t.Errorf("%+v: text %q, attachments %v", d, e.Text(), e.Draft().Attachments())
		}
		steps := len(e.past)
		if e.SetDraft(e.Draft()); len(e.past) != steps {
			t.Errorf("%+v: the same draft is a step to undo", d)
		}
		if pressKeys(e, "ctrl+_"); !e.Empty() {
			t.Errorf("%+v: not one step to undo", d)
		}
		if pressKeys(e, "alt+_"); !reflect.DeepEqual(e.Draft(), d) {
			t.Errorf("%+v: done again it is %+v", d, e.Draft())
		}
	}
	t.Run("of others", func(t *testing.T) {
		t.Parallel()
		e := New()
		e.SetDraft(drafts.Draft{Text: "abc", Caret: -3, Behind: 9, Chips: []drafts.Chip{{At: 9, Paste: "1"}, {At: -1, Paste: "2"}}})
		if got := chipMarks(e); got != "|abc<1><2>" {
			t.Errorf("%s", got)
		}
		e.SetDraft(drafts.Draft{Text: "a\r\nb", Caret: 99, Behind: 1 << 60})
		if got := e.Offset(); got != 4 {
			t.Errorf("caret at %d", got)
		}
	})
	t.Run("offsets", func(t *testing.T) {
		t.Parallel()
		e := chipped("a<x>b\n<y>c|")
		for n, want := range []string{"|a<x>b\n<y>c", "a<x>|b\n<y>c", "a<x>b|\n<y>c", "a<x>b\n<y>|c", "a<x>b\n<y>c|", "a<x>b\n<y>c|"} {
			if e.SetOffset(n); chipMarks(e) != want || e.Offset() != min(n, 4) {
				t.Errorf("offset %d: %s, at %d", n, chipMarks(e), e.Offset())
			}
		}
	})
}

// What goes in comes out, whatever its bytes are and wherever it is put: pieces
// of what stands for a chip, or of its escape, are text.
func TestEditorExactAnyBytes(t *testing.T) {
	t.Parallel()
	pieces := []string{
		"\xf4", "\x80", "\x8f", "\x90", "\xbf", "\xf4\x80", "\xf4\x8f\x80", "\x80\x80\x80", "\x8f\xbf\xbd", codeEscape, "\U00100001",
		"\U0010f000", "\U0010fffd", "\U0010ffff", "\xf4\x90\x80\x80", "\xff", "a", "\n", "\r\n", "\u0301", "\u0600", "日",
	}
	keys := []string{"left", "right", "home", "end", "up", "ctrl+_", "alt+_", "ctrl+y", "ctrl+k", "ctrl+u", "backspace", "delete", "alt+t", "alt+c", "ctrl+w", "alt+y"}
	rapid.Check(t, func(t *rapid.T) {
		e := New()
		states := []drafts.Draft{e.Draft()}
		for range rapid.IntRange(1, 25).Draw(t, "steps") {
			before := e.Draft()
			switch rapid.IntRange(0, 3).Draw(t, "what") {
			case 0:
				e.Update(editorKey(rapid.SampledFrom(keys).Draw(t, "key")))
			case 1:
				chip := drafts.Chip{Paste: rapid.SampledFrom(pieces).Draw(t, "paste")}
				e.InsertChip(chip)
				checkInserted(t, e, before, "", []drafts.Chip{chip})
			default:
				s := strings.Join(rapid.SliceOfN(rapid.SampledFrom(pieces), 0, 4).Draw(t, "text"), "")
				e.Insert(s)
				checkInserted(t, e, before, s, nil)
			}
			checkCaret(t, e)
			if got := e.Draft(); e.Text() != got.Prompt() {
				t.Fatalf("text %q, draft %+v", e.Text(), got)
			}
			states = append(states, e.Draft())
			checkView(t, e, rapid.IntRange(1, 30).Draw(t, "width"), 4)
		}
		// A draft can be taken out and put in anywhere.
		d := rapid.SampledFrom(states).Draw(t, "draft")
		e.SetDraft(d)
		if got := e.Draft(); got.Text != d.Text || !slices.Equal(got.Chips, d.Chips) || got.Caret != d.Caret || got.Behind != d.Behind {
			t.Fatalf("put in %+v, taken out %+v", d, got)
		}
	})
}

// checkInserted compares the draft with that from before, with something put
// in at its caret.
func checkInserted(t *rapid.T, e *Editor, before drafts.Draft, s string, chips []drafts.Chip) {
	want := before.Text[:before.Caret] + s + before.Text[before.Caret:]
	at := 0
	for at < len(before.Chips) && before.Chips[at].At < before.Caret {
		at++
	}
	at += before.Behind
	var all []drafts.Chip
	for i, c := range before.Chips {
		if i >= at {
			c.At += len(s)
		}
		all = append(all, c)
	}
	for i := range chips {
		chips[i].At = before.Caret
	}
	all = slices.Insert(all, at, chips...)
	if got := e.Draft(); got.Text != want || !slices.Equal(got.Chips, all) {
		t.Fatalf("put %q %v into %+v: %+v", s, chips, before, got)
	}
}

// Chips that nothing refers to any more are let go, all others are kept.
func TestEditorChipsLetGo(t *testing.T) {
	t.Parallel()
	e := New()
	for i := range 3 * undoSteps {
		e.InsertChip(drafts.Chip{Paste: fmt.Sprint(i)})
		if i%3 > 0 {
			e.Update(editorKey("backspace"))
		}
	}
	d := e.Draft()
	for i, c := range d.Chips {
		if c.Paste != fmt.Sprint(3*i) {
			t.Fatalf("chip %d is %q", i, c.Paste)
		}
	}
	e.SetText("")
	e.past, e.future = nil, nil
	for i := range 4 * chipCount {
		e.SetDraft(drafts.Draft{Chips: []drafts.Chip{{Paste: strings.Repeat("x", 1<<20) + fmt.Sprint(i)}}})
	}
	if n := e.chips.bytes; n > 4*undoBytes {
		t.Errorf("chips of %d MB are kept", n>>20)
	}
	if n := len(e.past); n > undoBytes>>20 {
		t.Errorf("%d steps with chips of a megabyte each can be undone", n)
	}
	for range 5 {
		e.Update(editorKey("ctrl+_"))
	}
	if got := e.Draft(); len(got.Chips) != 1 || !strings.HasSuffix(got.Chips[0].Paste, fmt.Sprint("x", 4*chipCount-6)) {
		t.Errorf("undone: %d chips", len(got.Chips))
	}
	for e.kills.cuts = nil; len(e.chips.known) < lastCode-firstCode+1; {
		e.chips.known = append(e.chips.known, &label{chip: drafts.Chip{Paste: "taken"}})
	}
	e.SetText("")
	if e.put(e.chips.code(drafts.Chip{Paste: "\xf4 more"})); e.Text() != "\xf4 more" {
		t.Errorf("the chip too many is %q", e.Text())
	}
}

func TestEditorLabels(t *testing.T) {
	t.Parallel()
	attached := func(a session.Attachment) drafts.Chip { return drafts.Chip{Attachment: &a} }
	source := "func main() {\n" + strings.Repeat("\tfmt.Println(\"hello, world\")\n", 118) + "}\n"
	var b strings.Builder
	for _, chip := range []drafts.Chip{
		{Paste: source},
		{Paste: "one line of it"},
		{Paste: strings.Repeat("x", 5<<20)},
		{Paste: "a\rb\rc\r"},
		{Paste: " \n\t\n"},
		{},
		{Paste: "日本語のテキストは幅が広いので折り返しに注意する。" + strings.Repeat("日本語", 200)},
		{Paste: "\x1b[31mred\x1b[0m \u202e\xff\x00 ]" + strings.Repeat(" word", 300) + "\x1b[2J"},
		{Paste: strings.Repeat("👨‍👩‍👧‍👦 ❤️ ", 100)},
		{Detail: "640x480, 12 KB", Attachment: &session.Attachment{Type: "blob", DisplayName: "image.png"}},
		{Detail: "\x1b[31m4 KB\n", Attachment: &session.Attachment{Type: "file", DisplayName: "odd.bin"}},
		attached(session.Attachment{Type: "blob", MIMEType: "text/plain", Data: "AAAA"}),
		attached(session.Attachment{Type: "directory", Path: "/home/ada/src", DisplayName: "src/"}),
		attached(session.Attachment{Type: "file", Path: filepath.FromSlash("/home/ada/notes.txt")}),
		attached(session.Attachment{Type: "selection", FilePath: "/src/main.go", LineRange: &session.LineRange{Start: 10, End: 20}}),
		attached(session.Attachment{
			Type: "selection", DisplayName: "main.go", Selection: []byte(`{"start":{"line":9},"end":{"line":19}}`),
		}),
		attached(session.Attachment{Type: "github_reference", Number: 123, Title: "Fix the queue", State: "open"}),
		attached(session.Attachment{Type: "file", DisplayName: "a\x1b[31m\nname " + strings.Repeat("that is long ", 20), LineRange: &session.LineRange{Start: 3}}),
	} {
		for _, width := range []int{100, 40, 20, 12, 6, 2, 1} {
			e := New()
			e.Insert("a")
			e.InsertChip(chip)
			e.Insert("b")
			rows := e.View(width, 3, theme.Probe())
			for i, row := range rows {
				if n := text.Width(row); n > width {
					t.Errorf("%d cells at width %d: %q", n, width, row)
				}
				rows[i] = theme.Reveal(row)
			}
			fmt.Fprintf(&b, "%4d %s\n", width, strings.Join(rows, "⏎"))
		}
	}
	sessiontest.Golden(t, "tui/editor-chips", b.String())
}

// A theme of plain glyphs cuts labels by plain dots.
func TestEditorLabelPlain(t *testing.T) {
	t.Parallel()
	e := New()
	e.InsertChip(drafts.Chip{Paste: strings.Repeat("word ", 100)})
	fancy := e.View(40, 1, theme.Plain())[0]
	plain := e.View(40, 1, theme.Plain(theme.ASCII()))[0]
	if !strings.Contains(fancy, "…") || strings.Contains(plain, "…") || !strings.Contains(plain, "...") {
		t.Errorf("%s and %s", fancy, plain)
	}
}
