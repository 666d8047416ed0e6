package editor

import (
	"slices"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"pgregory.net/rapid"

	"parley/history/drafts"
	"parley/theme"
)

// vimKeys returns the presses of a notation: letters, and names in brackets,
// such as "ciwnew<esc>" or "<ctrl+r>".
func vimKeys(s string) []tea.KeyPressMsg {
	var keys []tea.KeyPressMsg
	for s != "" {
		if name, rest, ok := strings.Cut(strings.TrimPrefix(s, "<"), ">"); ok && s[0] == '<' && len(name) > 1 {
			keys = append(keys, editorKey(name))
			s = rest
			continue
		}
		n := graphemeLen(s)
		key := editorKey(s[:n])
		if s[:n] == " " {
			key = editorKey("space")
		}
		keys = append(keys, key)
		s = s[n:]
	}
	return keys
}

// vimAt returns an editor in NORMAL with the caret at the bar of s.
func vimAt(s string) *Editor {
	e := editorAt(s)
	e.SetVim(true)
	at := e.caret
	e.Update(editorKey("esc"))
	e.caret = e.vim.fit(at)
	return e
}

func vimPress(e *Editor, keys string) (taken bool) {
	for _, key := range vimKeys(keys) {
		taken = e.Update(key)
	}
	return taken
}

type vimCase struct{ from, keys, want string }

func testVim(t *testing.T, cases []vimCase) {
	t.Helper()
	for _, c := range cases {
		e := vimAt(c.from)
		vimPress(e, c.keys)
		want, mode, ok := strings.Cut(c.want, " -- ")
		if !ok {
			mode = "NORMAL"
		}
		if got := marked(e); got != want || e.VimMode() != mode {
			t.Errorf("%q, %s: %q in %s, want %q in %s", c.from, c.keys, got, e.VimMode(), want, mode)
		}
	}
}

func TestVimMotions(t *testing.T) {
	t.Parallel()
	testVim(t, []vimCase{
		{"abc|", "", "ab|c"},
		{"ab|c", "h", "a|bc"},
		{"ab|c", "9h", "|abc"},
		{"a\n|bc", "h", "a\n|bc"},
		{"a|bc\nd", "5l", "ab|c\nd"},
		{"ab|c\nd", " ", "abc\n|d"},
		{"abc\n|d", "<backspace>", "ab|c\nd"},
		{"a|bc", "<left>", "|abc"},
		{"a|bc", "<right>", "ab|c"},
		{"a|b\n\ncd", "jj", "ab\n\nc|d"},
		{"ab\n\nc|d", "kk", "a|b\n\ncd"},
		{"a|b\n\ncd", "<down><down><up>", "ab\n|\ncd"},
		{"|a\nb\nc\nd", "3j", "a\nb\nc\n|d"},
		{"|abc\nd\nefg", "$jj", "abc\nd\nef|g"},
		{"|one two, three", "w", "one |two, three"},
		{"|one two, three", "ww", "one two|, three"},
		{"|one two, three", "2W", "one two, |three"},
		{"|one two", "5w", "one tw|o"},
		{"on|e\n\n  two", "w", "one\n|\n  two"},
		{"on|e\n\n  two", "ww", "one\n\n  |two"},
		{"one two, thre|e", "b", "one two, |three"},
		{"one two, thre|e", "bb", "one two|, three"},
		{"one two, thre|e", "2B", "one |two, three"},
		{"one\n\n  |two", "b", "one\n|\n  two"},
		{"one\n\n  |two", "2b", "|one\n\n  two"},
		{"|one two, three", "e", "on|e two, three"},
		{"|one two, three", "ee", "one tw|o, three"},
		{"|one two, three", "3e", "one two|, three"},
		{"|one two, three", "2E", "one two|, three"},
		{"on|e\n\n  two", "e", "one\n\n  tw|o"},
		{"  on|e", "0", "|  one"},
		{"  on|e", "^", "  |one"},
		{"|one\ntwo", "$", "on|e\ntwo"},
		{"|one\ntwo", "2$", "one\ntw|o"},
		{"on|e", "<home>", "|one"},
		{"|one", "<end>", "on|e"},
		{"a\n  b\n|c", "2gg", "a\n  |b\nc"},
		{"|a\nb\n c", "G", "a\nb\n |c"},
		{"|a\nb\n c", "2G", "a\n|b\n c"},
		{"a\nb\n|c", "gg", "|a\nb\nc"},
		{"a\n|b", "gk", "|a\nb"},
		{"|a,b,c", "f,", "a|,b,c"},
		{"|a,b,c", "2f,", "a,b|,c"},
		{"|a,b,c", "f,;", "a,b|,c"},
		{"|a,b,c", "f,;,", "a|,b,c"},
		{"a,b,|c", "F,", "a,b|,c"},
		{"a,b,|c", "F,;,", "a,b|,c"},
		{"|a,b,c", "t,", "|a,b,c"},
		{"|a,b,c", "t,;", "a,|b,c"},
		{"a,b,|c", "T,;", "a,|b,c"},
		{"|a,b,c", "fx", "|a,b,c"},
		{"|aéb" + family, "fé", "a|éb" + family},
		{"|ab" + family, "f" + family, "ab|" + family},
		{"|ab\ncd", "fd", "|ab\ncd"},
		{"|abc", ";", "|abc"},
	})
}

func TestVimChanges(t *testing.T) {
	t.Parallel()
	testVim(t, []vimCase{
		{"a|bc", "x", "a|c"},
		{"ab|c", "x", "a|b"},
		{"a|bcd\ne", "9x", "|a\ne"},
		{"|", "x", "|"},
		{"a|bc", "<delete>", "a|c"},
		{"ab|c", "X", "a|c"},
		{"|abc", "X", "|abc"},
		{family + "|é", "X", "|é"},
		{"|one two", "dw", "|two"},
		{"one |two\nthree", "dw", "one| \nthree"},
		{"|one  \n two", "dw", "|\n two"},
		{"|one two three", "2dw", "|three"},
		{"|one two three", "d2w", "|three"},
		{"|one two three four five", "2d2w", "|five"},
		{"|one two", "de", "| two"},
		{"one tw|o", "db", "one |o"},
		{"one tw|o", "d0", "|o"},
		{"  on|e", "d^", "  |e"},
		{"one t|wo\nx", "d$", "one |t\nx"},
		{"one t|wo\nx", "D", "one |t\nx"},
		{"|a\nb", "2D", "|"},
		{"a|b(c)d", "df)", "a|d"},
		{"a|b(c)d", "dt)", "a|)d"},
		{"a(b)|c", "dF(", "a|c"},
		{"a(b)|c", "dT(", "a(|c"},
		{"a|b", "dfx", "a|b"},
		{"a\n  b\n|c\nd", "dd", "a\n  b\n|d"},
		{"|a\n  b\nc", "dd", "  |b\nc"},
		{"a\n|b", "dd", "|a"},
		{"|a", "dd", "|"},
		{"a\n|b\nc\nd", "2dd", "a\n|d"},
		{"a\n|b\nc", "9dd", "|a"},
		{"a\r\n|b\r\nc", "dd", "a\r\n|c"},
		{"a\r\n|b", "dd", "|a"},
		{"|a\nb\nc", "dj", "|c"},
		{"a\nb\n|c", "dk", "|a"},
		{"a\n|b", "dj", "a\n|b"},
		{"a\n|b\nc", "dG", "|a"},
		{"a\n|b\nc", "dgg", "|c"},
		{"a|bc", "dl", "a|c"},
		{"a|bc", "dh", "|bc"},
		{"one |two", "cwnew<esc>", "one ne|w"},
		{"on|e two", "cwx<esc>", "on|x two"},
		{"one| two", "cwx<esc>", "one|xtwo"},
		{"one |two three", "c2wx<esc>", "one |x"},
		{"one |two", "C", "one | -- INSERT"},
		{"a\n  |b\nc", "cc", "a\n|\nc -- INSERT"},
		{"a\n  |b\nc", "Sx<esc>", "a\n|x\nc"},
		{"a|bc", "s", "a|c -- INSERT"},
		{"a|bcd", "2sx<esc>", "a|xd"},
		{"|", "sx<esc>", "|x"},
		{"a|bc", "rx", "a|xc"},
		{"a|bc", "2rx", "ax|x"},
		{"a|bc", "3rx", "a|bc"},
		{"a|bc", "r<enter>", "a\n|c"},
		{"a|bc", "r<esc>", "a|bc"},
		{"|aBc", "~~~", "Ab|C"},
		{"|aBé", "3~", "Ab|É"},
		{"|a\n  b", "J", "a| b"},
		{"|a\nb\nc\nd", "3J", "a b| c\nd"},
		{"|a \nb", "J", "a |b"},
		{"|a\n)", "J", "a|)"},
		{"|a\r\nb", "J", "a| b"},
		{"a\n|b", "J", "a\n|b"},
		{"|one", "dz", "|one"},
		{"|one two", "d<esc>w", "one |two"},
	})
}

func TestVimObjects(t *testing.T) {
	t.Parallel()
	testVim(t, []vimCase{
		{"one tw|o three", "diw", "one | three"},
		{"one tw|o three", "daw", "one |three"},
		{"one two thre|e", "daw", "one tw|o"},
		{"  on|e", "daw", " | "},
		{"one|  two", "diw", "one|two"},
		{"one|  two x", "daw", "one| x"},
		{"a|b.c d", "diW", "| d"},
		{"a|b.c d", "daW", "|d"},
		{"|one two three", "d2aw", "|three"},
		{"|one two three", "d3iw", "| three"},
		{"one|", "ciwx<esc>", "|x"},
		{"|", "ciwx<esc>", "|x"},
		{`a "b| c" d`, `di"`, `a "|" d`},
		{`a "b| c" d`, `da"`, `a |d`},
		{`a| "b c"`, `di"`, `a "|"`},
		{`a "b| c"`, `da"`, `|a`},
		{`"a\"b|" c`, `di"`, `"|" c`},
		{`"a" b|c "d"`, `ci"x<esc>`, `"a" bc "|x"`},
		{`it's| not`, `di'`, `it's| not`},
		{"a `b|` c", "di`", "a `|` c"},
		{"f(a, (b), c|)", "di(", "f(|)"},
		{"f(a, (|b), c)", "di)", "f(a, (|), c)"},
		{"f(a, (|b), c)", "2dib", "f(|)"},
		{"f(a, (|b), c)", "da(", "f(a, |, c)"},
		{"f|(a)", "dib", "f(|)"},
		{"f(a|)", "dab", "|f"},
		{"f(|)", "ci(x<esc>", "f(|x)"},
		{"|f(a)", "di(", "|f(a)"},
		{"(|a", "di(", "(|a"},
		{"x[a|b]y", "di[", "x[|]y"},
		{"x[a|b]y", "da]", "x|y"},
		{"x{a|b}y", "diB", "x{|}y"},
		{"<a|b>", "di<", "<|>"},
		{"if {\n\ta\n\t|b\n}\nc", "di{", "if {\n|}\nc"},
		{"if {\n\ta\n\t|b\n}\nc", "ci{x<esc>", "if {\n|x\n}\nc"},
		{"if {\n\ta\n\t|b\n}\nc", "da{", "if| \nc"},
		{"f(a,\n|b)", "di(", "f(|)"},
		{"a\n\nb\n|c\n\nd", "dip", "a\n\n|\nd"},
		{"a\n\nb\n|c\n\nd", "dap", "a\n\n|d"},
		{"a\n\n|b", "dap", "|a"},
		{"a\n|\n \nb", "dip", "a\n|b"},
		{"a\n|\n \nb\n\nc", "dap", "a\n|\nc"},
		{"|a\n\nb\n\nc", "d2ap", "|c"},
		{"a|b", "dix", "a|b"},
	})
}

func TestVimRegisters(t *testing.T) {
	t.Parallel()
	testVim(t, []vimCase{
		{"|abc", "xp", "b|ac"},
		{"|one two", "dwP", "one| two"},
		{"|one two", "yw$p", "one twoone| "},
		{"|one two", "yiw3P", "oneoneon|eone two"},
		{"o|ne two", "yiw", "|one two"},
		{"a|b\nc", "yyp", "ab\n|ab\nc"},
		{"a|b\nc", "Yjp", "ab\nc\n|ab"},
		{"a\n  |b", "yyP", "a\n  |b\n  b"},
		{"|a\nb\nc", "ddp", "b\n|a\nc"},
		{"|a\nb\nc", "yj2p", "a\n|a\nb\na\nb\nb\nc"},
		{"a\n|b", "yk", "|a\nb"},
		{"|a\r\nb\r\nc", "ddp", "b\r\n|a\nc"},
		{"|a\nb", "ylG$p", "a\nb|a"},
		{"a|b\ncd", "vjyp", "ab|b\ncd\ncd"},
		{"|", "p", "|"},
		{"|ab", "xi<ctrl+y>", "a|b -- INSERT"},
		{"|abc def", "A<ctrl+w><esc>0P", "de|fabc "},
		{"|", "yyp", "\n|"},
	})
}

func TestVimInsert(t *testing.T) {
	t.Parallel()
	testVim(t, []vimCase{
		{"a|b", "ix<esc>", "a|xb"},
		{"a|b", "ax<esc>", "ab|x"},
		{"|", "ax<esc>", "|x"},
		{"  a|b", "Ix<esc>", "  |xab"},
		{"|ab\nc", "Ax<esc>", "ab|x\nc"},
		{"a|b\nc", "ox<esc>", "ab\n|x\nc"},
		{"a\nb|c", "ox<esc>", "a\nbc\n|x"},
		{"a|b\r\nc", "ox<esc>", "ab\r\n|x\nc"},
		{"a|b\nc", "Ox<esc>", "|x\nab\nc"},
		{"a|b", "3ix<esc>", "axx|xb"},
		{"|", "2ihi <esc>", "hi hi| "},
		{"|a", "2ox<esc>", "a\nx\n|x"},
		{"|a", "2Ox<esc>", "x\n|x\na"},
		{"a|b", "i", "a|b -- INSERT"},
		{"|ab", "i<esc>", "|ab"},
		{"a|b", "a<left><left>x<esc>", "|xab"},
		{"a|b", "i<ctrl+j>c<esc>", "a\n|cb"},
	})
}

func TestVimUndo(t *testing.T) {
	t.Parallel()
	testVim(t, []vimCase{
		{"|one two three", "dwdwuu", "|one two three"},
		{"|one two three", "dwdw2u<ctrl+r>", "|two three"},
		{"|one two three", "dwdwuu<ctrl+r><ctrl+r>", "|three"},
		{"a|b", "ione two three<esc>u", "a|b"},
		{"a|b", "ione two three<esc>u<ctrl+r>", "a|one two threeb"},
		{"one |two", "cwa b c<esc>u", "one |two"},
		{"|a\nb\nc\nd", "4Ju", "|a\nb\nc\nd"},
		{"|a", "3ix <esc>u", "|a"},
		{"|a", "ob<esc>oc<esc>u", "a\n|b"},
		{"|abc", "xxu", "|bc"},
		{"|abc", "u", "|abc"},
		{"|abc", "9u", "|abc"},
		{"|abc", "x<ctrl+_>", "|abc"},
	})
}

func TestVimAgain(t *testing.T) {
	t.Parallel()
	testVim(t, []vimCase{
		{"|abcd", "x.", "|cd"},
		{"|abcdefg", "2x.", "|efg"},
		{"|abcdefg", "x3.", "|efg"},
		{"|one two three", "dw.", "|three"},
		{"|one two three", "cwx<esc>w.", "x |x three"},
		{"|a\nb\nc", "A;<esc>j.", "a;\nb|;\nc"},
		{"|a", "oxy<esc>.", "a\nxy\nx|y"},
		{"|a,b,c,d", "df,..", "|d"},
		{"|a\nb\nc", "dd.", "|c"},
		{"|a,b", "rxw.", "x|xb"},
		{"|abc", "~.", "AB|c"},
		{"|a\nb\nc", "J.", "a b| c"},
		{"|ab", "xp.", "ba|a"},
		{"|abcdef", "vld.", "|ef"},
		{"|a\nb\nc\nd\ne", "Vjd.", "|e"},
		{"|abcd", "xu.", "|bcd"},
		{"|one two", "ix<esc>3.", "xx|xxone two"},
		{"|a", ".", "|a"},
		{"(|a) (b)", "ci(x<esc>f(.", "(x) (|x)"},
	})
}

func TestVimVisual(t *testing.T) {
	t.Parallel()
	testVim(t, []vimCase{
		{"|one two", "vey$p", "one twoon|e"},
		{"|one two", "vwd", "|wo"},
		{"|one two", "v", "|one two -- VISUAL"},
		{"|one two", "V", "|one two -- V-LINE"},
		{"|one two", "ve<esc>", "on|e two"},
		{"|one two", "vv", "|one two"},
		{"|a\nb", "VVx", "|\nb"},
		{"|a\nb", "vVd", "|b"},
		{"a|b\ncd", "vjd", "|a"},
		{"one |two", "vbd", "|wo"},
		{"one |two", "v$cx<esc>", "one |x"},
		{"a\n|b\nc\nd", "Vjd", "a\n|d"},
		{"a\n|b\nc\nd", "Vkcx<esc>", "|x\nc\nd"},
		{"a\n|b\nc", "VyP", "a\n|b\nb\nc"},
		{"a|b\nc", "vD", "|c"},
		{"a|b\n|c", "vjY", "|ab\n|c"},
		{"one tw|o three", "viwd", "one | three"},
		{"one tw|o three", "vawd", "one |three"},
		{"f(a, b|)", "vi(d", "f(|)"},
		{"a\nb|\n\nc", "vipd", "|\nc"},
		{"|one", "vlohd", "|e"},
		{"o|ne", "vlod", "|o"},
		{"|one two", "veU", "|ONE two"},
		{"|ONE two", "veu", "|one two"},
		{"|oNe", "v$~", "|OnE"},
		{"|a\nb\nc", "VjJ", "a| b\nc"},
		{"|one two", "yiwwviwp", "one on|e"},
		{"|a\nb", "yyjVp", "a\n|a"},
		{"|a\nbcd", "yyjlvp", "a\nb\n|a\nd"},
		{"|abc", "v<ctrl+_>", "|abc -- VISUAL"},
		{"|abc", "v2ld", "|"},
		{"|abc\nd", "vjrx", "|xxx\nx"},
		{"a|b", "v.", "a|b -- VISUAL"},
		{"|a\nb\nc", "vGd", "|"},
		{"|a,b,c", "vf,d", "|b,c"},
		{"|abc", "vl<delete>", "|c"},
	})
}

// Keys that vim leaves to others, and those it claims before others.
func TestVimHandled(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		from, before, key string
		taken, claimed    bool
	}{
		{"|a", "i", "<esc>", true, true},
		{"|a", "", "<esc>", false, false},
		{"|a", "d", "<esc>", true, true},
		{"|a", "3", "<esc>", true, true},
		{"|a", "f", "<esc>", true, true},
		{"|a", "v", "<esc>", true, true},
		{"|a", "", "<enter>", false, false},
		{"|a", "v", "<enter>", false, false},
		{"|a", "i", "<enter>", false, false},
		{"|a", "r", "<enter>", true, true},
		{"|a", "", "j", false, false},
		{"|a", "", "k", false, false},
		{"|a", "", "<up>", false, false},
		{"|a", "", "<down>", false, false},
		{"|a", "3", "j", true, true},
		{"|a", "d", "j", true, true},
		{"|a\nb", "", "j", true, false},
		{"a\n|b", "", "k", true, false},
		{"|a", "v", "j", true, false},
		{"|", "", "?", false, false},
		{"|a", "", "?", true, false},
		{"|a?", "f", "?", true, true},
		{"|", "i", "?", true, false},
		{"|a", "", "<ctrl+r>", false, false},
		{"|a", "xu", "<ctrl+r>", true, true},
		{"|a", "xui", "<ctrl+r>", false, false},
		{"|a", "xuv", "<ctrl+r>", false, false},
		{"|a", "", "<tab>", false, false},
		{"|a", "", "<ctrl+p>", false, false},
		{"|a", "", "<ctrl+k>", true, false},
		{"|a", "", "z", true, false},
		{"|a", "g", "z", true, true},
	} {
		e := vimAt(c.from)
		vimPress(e, c.before)
		key := vimKeys(c.key)[0]
		if claimed := e.Claims(key); claimed != c.claimed {
			t.Errorf("%q, %s, then %s: claimed %v, want %v", c.from, c.before, c.key, claimed, c.claimed)
		}
		if taken := e.Update(key); taken != c.taken {
			t.Errorf("%q, %s, then %s: taken %v, want %v", c.from, c.before, c.key, taken, c.taken)
		}
	}
	e := New()
	if e.Claims(editorKey("esc")) || e.VimMode() != "" {
		t.Errorf("vim is on by itself: %q", e.VimMode())
	}
	e.SetVim(true)
	if e.VimMode() != "INSERT" {
		t.Errorf("vim begins in %s", e.VimMode())
	}
	e.SetVim(false)
	if pressKeys(e, "esc") || e.VimMode() != "" {
		t.Errorf("vim is not off: %q", e.VimMode())
	}
}

// What comes otherwise than by keys.
func TestVimPastes(t *testing.T) {
	t.Parallel()
	chip := drafts.Chip{Paste: "x"}
	for _, c := range []struct {
		name, from, keys string
		do               func(e *Editor)
		want             string
	}{
		{"in NORMAL", "a|bc", "", func(e *Editor) { e.Insert("X") }, "aX|bc"},
		{"on the last letter", "ab|c", "", func(e *Editor) { e.Insert("X"); e.Insert("Y") }, "abcXY|"},
		{"in an empty text", "|", "", func(e *Editor) { e.Insert("X") }, "X|"},
		{"with a count begun", "a|bc", "d3", func(e *Editor) { e.Insert("X") }, "aX|bc"},
		{"over a selection", "a|bcd", "vl", func(e *Editor) { e.Insert("X") }, "aX|d"},
		{"over lines", "a\n|b\nc", "V", func(e *Editor) { e.Insert("X") }, "a\nX|\nc"},
		{"again", "|abc", "i", func(e *Editor) { e.Insert("X"); vimPress(e, "<esc>.") }, "|XXabc"},
		{"many times", "|abc", "3i", func(e *Editor) { e.InsertChip(chip); vimPress(e, "<esc>x") }, "<x><x>|abc"},
		{"a chip deleted", "|abc", "i", func(e *Editor) { e.InsertChip(chip); vimPress(e, "<esc>xp") }, "a|<x>bc"},
		{"a text of its own", "ab|c", "v", func(e *Editor) { e.SetText("xyz"); vimPress(e, "x") }, "x|y"},
		{"a draft of its own", "|abc", "ione<esc>d", func(e *Editor) { e.SetDraft(drafts.Draft{Text: "xyz", Caret: 1}); vimPress(e, "x") }, "x|z"},
		{"undone apart", "|", "ione", func(e *Editor) { e.SetText(""); vimPress(e, "two<esc>u") }, "|"},
		{"a backslash", "|", `ia\`, func(e *Editor) { e.TakeBackslash(); vimPress(e, "b<esc>.") }, "a\na\n|bb"},
		{"a backslash in NORMAL", `a\|b`, "", func(e *Editor) { e.TakeBackslash() }, `a\|b`},
	} {
		e := vimAt(c.from)
		vimPress(e, c.keys)
		c.do(e)
		if got := chipMarks(e); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

// A keyboard of another script types its commands by the places of the keys,
// and AltGr is no modifier.
func TestVimKeyboards(t *testing.T) {
	t.Parallel()
	e := vimAt("one |two")
	e.Update(tea.KeyPressMsg{Code: 'и', Text: "и", BaseCode: 'b'})
	e.Update(tea.KeyPressMsg{Code: 'ф', Text: "Ф", BaseCode: 'a', Mod: tea.ModShift})
	e.Update(tea.KeyPressMsg{Code: 'и', Text: "и", BaseCode: 'b'})
	e.Update(editorKey("esc"))
	if got := marked(e); got != "one two|и" {
		t.Errorf("%q", got)
	}
	e = vimAt("f[a|b]")
	vimPress(e, "di")
	e.Update(tea.KeyPressMsg{Code: '[', Text: "[", Mod: tea.ModCtrl | tea.ModAlt})
	if got := marked(e); got != "f[|]" {
		t.Errorf("%q", got)
	}
}

// What is repeated is bounded.
func TestVimBounds(t *testing.T) {
	t.Parallel()
	e := vimAt("|")
	vimPress(e, "99999ix<esc>")
	if n := len(e.Text()); n > vimInputs+1 {
		t.Errorf("%d letters", n)
	}
	e = vimAt("|")
	e.Update(editorKey("i"))
	for range vimInputs + 1 {
		e.Update(editorKey("x"))
	}
	vimPress(e, "<esc>.")
	if n := len(e.Text()); n != vimInputs+1 {
		t.Errorf("%d letters", n)
	}
	e = vimAt("|" + strings.Repeat("x", 1<<20))
	vimPress(e, "yy9999p")
	if n := len(e.Text()); n > 2*vimBytes {
		t.Errorf("%d bytes", n)
	}
}

// What is selected can be seen, the ends of lines too.
func TestVimSelectionDrawn(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ from, keys, want string }{
		{"one |two", "vl", "one [selected]tw[/]o"},
		{"o|ne\n\ntwo", "vjj", "o[selected]ne [/]/[selected] [/]/[selected]tw[/]o"},
		{"one\n|two\nx", "V", "one/[selected]two [/]/x"},
		{"one\ntw|o", "V", "one/[selected]two [/]"},
	} {
		e := vimAt(c.from)
		vimPress(e, c.keys)
		var rows []string
		for _, row := range e.View(20, 5, theme.Probe()) {
			rows = append(rows, theme.Reveal(row))
		}
		if got := strings.Join(rows, "/"); got != c.want {
			t.Errorf("%q, %s: %s, want %s", c.from, c.keys, got, c.want)
		}
	}
}

// Whatever is typed, the caret is between graphemes, NORMAL keeps it on a
// letter, what is claimed is taken, and undoing all gives the first text.
func TestVimProperties(t *testing.T) {
	t.Parallel()
	keys := strings.Split("h j k l w b e W B E 0 ^ $ g G f F t T ; , p P x X r ~ J u . s S D C Y d d c c y y i i a I A o O v v V 2 3 ( ) \" { [ W é 日 ? z Q < >", " ")
	keys = append(keys, "esc", "esc", "esc", "space", "enter", "ctrl+r", "backspace", "delete", "left", "up", "down", "home", "end", "ctrl+w", "ctrl+y", "alt+y",
		"ctrl+_", "alt+_", "ctrl+k", "ctrl+j", "alt+t", "alt+u")
	rapid.Check(t, func(t *rapid.T) {
		e := New()
		first := drawEditorText(t, "first", 12)
		e.SetText(first)
		e.past = nil
		e.SetVim(true)
		for range rapid.IntRange(1, 60).Draw(t, "steps") {
			switch rapid.IntRange(0, 20).Draw(t, "what") {
			case 0:
				e.Insert(drawEditorText(t, "text", 4))
			case 1:
				e.InsertChip(drafts.Chip{Paste: drawEditorText(t, "paste", 3)})
			default:
				key := editorKey(rapid.SampledFrom(keys).Draw(t, "key"))
				claimed, version, text := e.Claims(key), e.version, e.Text()
				if taken := e.Update(key); claimed && !taken {
					t.Fatalf("%s was claimed and not taken", key)
				}
				if e.version == version && e.Text() != text {
					t.Fatalf("%s changed the text and not its version", key)
				}
				checkNormal(t, e)
			}
			checkCaret(t, e)
			if rapid.IntRange(0, 3).Draw(t, "draw") == 0 {
				checkView(t, e, rapid.IntRange(1, 30).Draw(t, "width"), rapid.IntRange(1, 6).Draw(t, "rows"))
			}
		}
		e.SetVim(false)
		for len(e.future) > 0 {
			e.redo()
		}
		last := e.Text()
		for len(e.past) > 0 {
			e.undo()
			checkCaret(t, e)
		}
		if e.Text() != first {
			t.Fatalf("all undone: %q, want %q", e.Text(), first)
		}
		for len(e.future) > 0 {
			e.redo()
		}
		if e.Text() != last {
			t.Fatalf("all redone: %q, want %q", e.Text(), last)
		}
	})
}

// checkNormal holds what is true in NORMAL after a key.
func checkNormal(t *rapid.T, e *Editor) {
	if text := e.content(e.caret.line); e.VimMode() == "NORMAL" && text != "" && e.caret.off >= len(text) {
		t.Fatalf("in NORMAL, behind the last letter of %q", text)
	}
}

// checkCaret finds the caret between graphemes.
func checkCaret(t *rapid.T, e *Editor) {
	text := e.slice(textPos{}, e.end())
	at := len(e.slice(textPos{}, e.caret))
	places := []int{0}
	for i := 0; i < len(text); {
		i += graphemeLen(text[i:])
		places = append(places, i)
	}
	if !slices.Contains(places, at) {
		t.Fatalf("caret inside a grapheme: %q at %d", text, at)
	}
}
