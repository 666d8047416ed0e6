package sessiontest

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"reflect"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"parley/session"
)

// Hostile makes texts that are not wanted on a screen: control sequences
// whole, broken and without an end, what deceives the eye, what is no text at
// all, and ordinary words between. The same seed makes the same texts.
type Hostile struct {
	Made int // texts so far
	rand *rand.Rand
}

// NewHostile returns a maker of texts that depend on seed alone.
func NewHostile(seed uint64) *Hostile {
	return &Hostile{rand: rand.New(rand.NewPCG(seed, 0x9e3779b97f4a7c15))}
}

// IntN returns a number from 0 to n-1.
func (h *Hostile) IntN(n int) int { return h.rand.IntN(n) }

func (h *Hostile) one(texts []string) string { return texts[h.IntN(len(texts))] }

// sequences would change the terminal if they reached it.
var sequences = []string{
	"\x1b]0;pwned\x07", "\x1b]2;pwned\x1b\\", "\x1b]1;icon\x07", "\x1b]l;x\x1b\\", "\x1b[22;0t", "\x1b[8;5;5t",
	"\x1b[21t",
	"\x1b]52;c;cHduZWQ=\x07", "\x1b]52;p;?\x1b\\", "\x1b]4;1;#ff0000\x07", "\x1b]10;#00ff00\x07", "\x1b]11;?\x07",
	"\x1b]12;red\x07",
	"\x1b]104\x07", "\x1b]110\x07", "\x1b]7;file:///etc\x07", "\x1b]9;note\x07", "\x1b]777;notify;a;b\x07",
	"\x1b]1337;File=inline=1:AAAA\x07",
	"\x1b]8;;http://evil.example\x07click", "\x1b]8;;\x1b\\", "\x1b]133;A\x07", "\x1b]50;font\x07",
	"\x1b[?1049l", "\x1b[?1049h", "\x1b[?25l", "\x1b[?1000h", "\x1b[?1003h", "\x1b[?2004l", "\x1b[?1004l",
	"\x1b[?7l", "\x1b[?6h", "\x1b[4h", "\x1b[20h",
	"\x1b[2J", "\x1b[3J", "\x1b[H", "\x1b[5;10r", "\x1b[1;1H", "\x1b[99B", "\x1b[99D", "\x1b[2K", "\x1b[10L",
	"\x1b[10M", "\x1b[10S", "\x1b[10T", "\x1b[5P", "\x1b[3@",
	"\x1b[6n", "\x1b[c", "\x1b[>c", "\x1b[5n", "\x1b[?u", "\x1b[>1u", "\x1b[<u", "\x1b[>4;2m", "\x1b[0 q",
	"\x1b[5 q", "\x1b[!p", "\x1b[?2026h", "\x1b[?2027h",
	"\x1bc", "\x1b7", "\x1b8", "\x1b(0", "\x1b)B", "\x1bM", "\x1bD", "\x1bE", "\x1bH", "\x1b#8", "\x1b=", "\x1b>",
	"\x1b%G", "\x1bN", "\x1bZ", "\x1b6",
	"\x1bPq#0;2;0;0;0~~@@vv\x1b\\", "\x1bP+q544e\x1b\\", "\x1bP$qm\x1b\\", "\x1b_Ga=T,f=24,s=1,v=1;AAAA\x1b\\",
	"\x1b_Gi=1,a=q;\x1b\\", "\x1bXsos\x1b\\", "\x1b^pm\x1b\\",
	"\u009b31m", "\u009b?25l", "\u009d0;pwned\u009c", "\u0090q~\u009c", "\u009fGa=T\u009c", "\u0084", "\u0085",
	"\u008d", "\u008e", "\x9b2J", "\x9d0;x\x9c", "\x90q~\x9c", "\x84\x85\x9c",
	"\x1b]0;no end", "\x1b]52;c;bm8gZW5k", "\x1b]8;;http://no.end/", "\x1bPq no end", "\x1b_G no end", "\x1b[",
	"\x1b[?", "\x1b[38;2", "\x1b", "\x1b]", "\x1b\x1b[2J", "\x1b[\x1b[31m",
	"\x1b[31m", "\x1b[1;5;7;8m", "\x1b[0m", "\x1b[38;2;1;2;3m", "\x1b[58:2::1:2:3m", "\x1b[4:3m",
}

// oddities are no sequences, and deceive the eye or the arithmetic of widths.
var oddities = []string{
	"\x07", "\x08\x08\x08", "\r", "\r\n", "\n", "\n\n", "\t", "\x00", "\x0b", "\x0c", "\x0e", "\x0f", "\x05",
	"\x11", "\x13", "\x18", "\x1a", "\x7f", "overwritten\rsafe",
	"\u202e", "\u202d", "\u2066", "\u2067", "\u2069", "\u200e", "\u200f", "\u061c", "\u200b", "\u200c", "\u200d",
	"\u2060", "\ufeff", "\u00ad", "\u2028", "\u2029", "\u180e", "\u3164", "\uffa0",
	"\U000e0001\U000e0068\U000e0069\U000e007f", "\U000e0041", "\ufe0f", "\ufe0e", "\U000e0100", "\u034f",
	"\ufff9a\ufffab\ufffb",
	"\xed\xa0\x80", "\xed\xbf\xbf", "\xff\xfe", "\xc3", "\xe2\x82", "\xf0\x9f\x98", "\xc0\x80",
	"\xf5\x80\x80\x80", "\ufffe", "\U0010ffff",
	"日本語", "한국어", "ｗｉｄｅ", "👩‍👩‍👧‍👦", "🇩🇪🇫🇷🇩", "👍🏽", "❤️", "1️⃣", "e\u0301", "नमस्ते", "ﷺ", "𒐫", "العربية", "שלום",
	"꧅", "①",
	"```\n", "~~~", "# ", "- ", "1. ", "> ", "| a | b |\n|--|--|\n| ", "**", "[x](http://y \"", "<!--",
	"&#27;[2J", "&#x9b;", "`", "\\", "@@ -1,2 +1,3 @@\n", "+", "-", "diff --git a/x b/x\n", "{\"a\":", "%s%n",
	"$(reboot)", "\"", "'",
}

// words are what else texts hold.
var words = []string{"safe words ", "rm -rf build", "/home/ada/src", "internal/queue.go", "https://example.com/a?b=c#d", " "}

// Text makes one text. Most are a line or two; some are long.
func (h *Hostile) Text() string {
	h.Made++
	var b strings.Builder
	for range 1 + h.IntN(6) {
		switch h.IntN(12) {
		case 0, 1, 2, 3:
			b.WriteString(h.one(sequences))
		case 4, 5, 6:
			b.WriteString(h.one(oddities))
		case 7:
			h.control(&b)
		case 8:
			b.WriteRune(rune(h.IntN(0x110000)))
		case 9:
			b.WriteByte(byte(h.IntN(256)))
		default:
			b.WriteString(h.one(words))
		}
	}
	switch h.IntN(120) {
	case 0:
		b.WriteString("z" + strings.Repeat("\u0336\u0489\u20e0", 100+h.IntN(400)))
	case 1:
		return strings.Repeat(b.String(), 1+h.IntN(40))
	case 2:
		b.WriteString(strings.Repeat("\x1b[1m", 200) + strings.Repeat("w", 300))
	}
	return b.String()
}

// control writes a control function of any kind, possibly cut short.
func (h *Hostile) control(b *strings.Builder) {
	intro := []string{
		"\x1b[", "\x1b]", "\x1bP", "\x1b_", "\x1b^", "\x1bX", "\x1bO", "\x1b",
		"\u009b", "\u009d", "\u0090", "\u009f", "\x9b", "\x9d",
	}
	end := []string{"\x07", "\x1b\\", "\u009c", "\x9c", "\x18", "", "\n", "m", "h", "l", "r", "t", "q", "J", "n", "u", "p"}
	b.WriteString(h.one(intro))
	for range h.IntN(8) {
		b.WriteByte("0123456789;:?<=>!$ '\"abG,"[h.IntN(25)])
	}
	b.WriteString(h.one(end))
}

// Spoil returns a copy of b in which the texts are hostile ones, also those
// that it had no value for. What links events with each other stays, and so,
// mostly, does what says of which kind something is.
func (h *Hostile) Spoil(b session.Body) session.Body {
	v := reflect.New(reflect.TypeOf(b)).Elem()
	v.Set(reflect.ValueOf(b))
	h.spoil(v, "", 0)
	spoiled, ok := v.Interface().(session.Body)
	if !ok {
		panic(fmt.Sprintf("%T is no body any more", b))
	}
	return spoiled
}

// spoil fills v, which is the field of that name of something.
func (h *Hostile) spoil(v reflect.Value, field string, depth int) {
	if !v.CanSet() || depth > 6 {
		return
	}
	switch v.Kind() {
	case reflect.String:
		h.spoilText(v, field)
	case reflect.Struct:
		for i := range v.NumField() {
			h.spoil(v.Field(i), v.Type().Field(i).Name, depth+1)
		}
	case reflect.Pointer:
		n := reflect.New(v.Type().Elem())
		if !v.IsNil() {
			n.Elem().Set(v.Elem())
		}
		h.spoil(n.Elem(), field, depth+1)
		v.Set(n)
	case reflect.Slice:
		h.spoilList(v, field, depth)
	case reflect.Map:
		h.spoilMap(v, field, depth)
	case reflect.Bool:
		v.SetBool(h.IntN(2) == 0)
	case reflect.Int, reflect.Int64:
		if v.Int() == 0 && h.IntN(2) == 0 {
			v.SetInt(int64(h.IntN(1000)))
		}
	default: // no text
	}
}

// spoilText fills a text, unless it is an identity or, mostly, a kind.
func (h *Hostile) spoilText(v reflect.Value, field string) {
	if strings.HasSuffix(field, "ID") || strings.HasSuffix(v.Type().Name(), "ID") {
		return
	}
	choice := v.Type() != reflect.TypeFor[string]()
	if strings.HasSuffix(field, "Kind") || strings.HasSuffix(field, "Type") || field == "ToolName" || field == "Name" || field == "Source" {
		choice = true
	}
	if choice && v.String() != "" && h.IntN(4) > 0 {
		return
	}
	v.SetString(h.Text())
}

func (h *Hostile) spoilList(v reflect.Value, field string, depth int) {
	if v.Type() == reflect.TypeFor[jsontext.Value]() {
		v.SetBytes(h.json(v.Bytes()))
		return
	}
	if v.Type().Elem().Kind() == reflect.Uint8 {
		return
	}
	n := max(v.Len(), h.IntN(3))
	list := reflect.MakeSlice(v.Type(), n, n)
	reflect.Copy(list, v)
	for i := range n {
		h.spoil(list.Index(i), field, depth+1)
	}
	v.Set(list)
}

func (h *Hostile) spoilMap(v reflect.Value, field string, depth int) {
	if v.Type().Key().Kind() != reflect.String {
		return
	}
	m := reflect.MakeMap(v.Type())
	for _, k := range v.MapKeys() {
		value := reflect.New(v.Type().Elem()).Elem()
		value.Set(v.MapIndex(k))
		h.spoil(value, field, depth+1)
		m.SetMapIndex(k, value)
	}
	v.Set(m)
}

// json spoils the texts of a JSON value; of none it makes an object. Now and
// then it is no JSON at all.
func (h *Hostile) json(raw []byte) []byte {
	quoted := func() []byte {
		s, err := jsontext.AppendQuote(nil, strings.ToValidUTF8(h.Text(), "\ufffd"))
		if err != nil {
			return []byte(`""`)
		}
		return s
	}
	if h.IntN(30) == 0 {
		return []byte(h.Text())
	}
	if len(raw) == 0 {
		return fmt.Appendf(nil, `{"path":%s,"command":%s,%s:%s}`, quoted(), quoted(), quoted(), quoted())
	}
	var out bytes.Buffer
	for i, part := range bytes.SplitAfter(raw, []byte(`":"`)) {
		if i == 0 {
			out.Write(part)
			continue
		}
		end := bytes.IndexByte(part, '"')
		if end < 0 || end > 0 && part[end-1] == '\\' || h.IntN(3) == 0 {
			out.Write(part)
			continue
		}
		s := quoted()
		out.Write(s[1 : len(s)-1])
		out.Write(part[end:])
	}
	return out.Bytes()
}
