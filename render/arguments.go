package render

import (
	"bytes"
	"strconv"
	"strings"
	"unicode/utf8"

	"parley/render/text"

	"github.com/go-json-experiment/json/jsontext"
)

// argument is one argument of a call in readable form. The key of a nested
// value is its path, such as "edits[0].path"; a bare value has the key "".
type argument struct{ key, value string }

// arguments are those of one call, in the order they came.
type arguments []argument

// get returns the value of the first of keys that is there.
func (a arguments) get(keys ...string) string {
	for _, k := range keys {
		for _, arg := range a {
			if arg.key == k {
				return arg.value
			}
		}
	}
	return ""
}

// inline is the arguments on one line: "city=Oslo days=3".
func (a arguments) inline() string {
	var b strings.Builder
	for _, arg := range a {
		if b.Len() > briefBytes {
			break
		}
		if b.Len() > 0 {
			b.WriteByte(' ')
		}
		value := brief(arg.value)
		if arg.key != "" {
			b.WriteString(brief(arg.key) + "=")
			if value == "" || strings.ContainsAny(value, " \n\t\"") {
				value = strconv.Quote(value)
			}
		}
		b.WriteString(value)
	}
	return b.String()
}

// lines is the arguments one below the other: "city: Oslo". The further lines
// of a value are indented.
func (a arguments) lines() string {
	var b strings.Builder
	for _, arg := range a {
		if arg.key != "" {
			b.WriteString(arg.key + ": ")
			if strings.Contains(arg.value, "\n") {
				b.WriteString("\n  ")
			}
		}
		b.WriteString(strings.ReplaceAll(arg.value, "\n", "\n  ") + "\n")
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// briefBytes is more than any one line shows of a value.
const briefBytes = 2048

func brief(s string) string { return text.CutBytes(s, briefBytes) }

// parseArguments reads the arguments of a call. It takes what it can: text
// that ends too early, because it is still being streamed, gives the values up
// to there, the last one as far as it came.
func parseArguments(raw []byte) arguments {
	dec := jsontext.NewDecoder(bytes.NewReader(raw), jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
	w := walker{dec: dec, raw: raw, out: arguments{}}
	w.value("")
	return w.out
}

// walker flattens one JSON value.
type walker struct {
	dec *jsontext.Decoder
	raw []byte
	out arguments
}

// value reads one value; ok is false when the text ended or is broken.
func (w *walker) value(key string) (ok bool) {
	if kind := w.dec.PeekKind(); kind == jsontext.KindBeginObject {
		return w.object(key)
	} else if kind == jsontext.KindBeginArray {
		return w.array(key)
	}
	tok, err := w.dec.ReadToken()
	if err != nil {
		if rest := w.rest(); strings.HasPrefix(rest, `"`) {
			w.add(key, unquoteOpen(rest))
		}
		return false
	}
	switch tok.Kind() {
	case jsontext.KindNull:
		w.add(key, "none")
	case jsontext.KindTrue:
		w.add(key, "yes")
	case jsontext.KindFalse:
		w.add(key, "no")
	default:
		w.add(key, tok.String())
	}
	return true
}

func (w *walker) object(key string) bool {
	if _, err := w.dec.ReadToken(); err != nil {
		return false
	}
	empty := true
	for w.dec.PeekKind() == jsontext.KindString {
		name, err := w.dec.ReadToken()
		if err != nil {
			return false
		}
		child := name.String()
		if key != "" {
			child = key + "." + child
		}
		if empty = false; !w.value(child) {
			return false
		}
	}
	if empty && key != "" {
		w.add(key, "none")
	}
	return w.close(jsontext.KindEndObject)
}

// array reads a list: plain values on one line, others under their index.
func (w *walker) array(key string) bool {
	if _, err := w.dec.ReadToken(); err != nil {
		return false
	}
	start, index := len(w.out), 0
	for {
		if k := w.dec.PeekKind(); k == jsontext.KindEndArray || k == jsontext.KindInvalid {
			break
		}
		if !w.value(key + "[" + strconv.Itoa(index) + "]") {
			return false
		}
		index++
	}
	if index == 0 {
		w.add(key, "none")
	} else if index == len(w.out)-start {
		plain, values := true, make([]string, index)
		for i, arg := range w.out[start:] {
			values[i] = arg.value
			plain = plain && arg.key == key+"["+strconv.Itoa(i)+"]" && !strings.ContainsAny(arg.value, "\n,")
		}
		if plain {
			w.out = append(w.out[:start], argument{key, strings.Join(values, ", ")})
		}
	}
	return w.close(jsontext.KindEndArray)
}

func (w *walker) close(kind jsontext.Kind) bool {
	tok, err := w.dec.ReadToken()
	return err == nil && tok.Kind() == kind
}

func (w *walker) add(key, value string) { w.out = append(w.out, argument{key, value}) }

// rest is the text after the last whole token, without the separator.
func (w *walker) rest() string {
	off := min(int(w.dec.InputOffset()), len(w.raw))
	return strings.TrimLeft(string(w.raw[off:]), " \t\r\n:,")
}

// unquoteOpen decodes a JSON string that has no end yet.
func unquoteOpen(s string) string {
	for cutoff := len(s); cutoff > max(1, len(s)-12); cutoff-- {
		if out, err := jsontext.AppendUnquote(nil, s[:cutoff]+`"`); err == nil {
			return strings.TrimRight(string(out), string(utf8.RuneError))
		}
	}
	return strings.TrimPrefix(s, `"`)
}

// readable returns text with JSON values in it in readable form: a text that
// is one JSON value becomes a line for each of its parts, a line that ends in
// one gets its parts inline. Everything else stays as it is. Texts too large
// to be looked at whole stay too.
func readable(s string) string {
	const most = 64 << 10
	if len(s) > most || !strings.ContainsAny(s, "{[") {
		return s
	}
	if trimmed := strings.TrimSpace(s); structured(trimmed) {
		return parseArguments([]byte(trimmed)).lines()
	}
	lines := strings.Split(s, "\n")
	for i, l := range lines {
		at := strings.IndexAny(l, "{[")
		if at < 0 || !structured(strings.TrimSpace(l[at:])) {
			continue
		}
		lines[i] = l[:at] + parseArguments([]byte(l[at:])).inline()
	}
	return strings.Join(lines, "\n")
}

// structured reports whether s is a JSON object, or a list of them.
func structured(s string) bool {
	return (strings.HasPrefix(s, `{"`) || strings.HasPrefix(s, "{\n") || strings.HasPrefix(s, "[{") || strings.HasPrefix(s, "[\n")) &&
		jsontext.Value(s).IsValid()
}
