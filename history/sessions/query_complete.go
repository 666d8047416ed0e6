package sessions

import (
	"slices"
	"strings"
	"time"
	"unicode"
)

// Choice is something that may be written at a place of a query.
type Choice struct {
	Text   string // as it is written, with quotes where it needs them
	Detail string // what it means; "" for what explains itself
}

// Complete returns what may stand in place of the bytes span of a text, where
// the caret is: the names of the filters that begin like a word, with their
// colon, and the values of a filter, of those that the sessions have the one used
// last first. It returns no choice where nothing fits, nor inside of a word.
func Complete(text string, caret int, k Known) (span [2]int, choices []Choice) {
	var at piece
	there := false
	caret = max(0, min(caret, len(text)))
	p := &parser{text: text[:min(len(text), queryLimit)], now: time.Unix(0, 0)}
	p.read = func(found piece) {
		empty := found.field != nil && found.value == "" && found.start <= caret && caret <= found.end
		if !there && (caret == found.end || empty) {
			at, there = found, true
		}
	}
	for p.skipBlanks(); p.at < len(p.text); p.skipBlanks() {
		p.next()
	}
	span = [2]int{caret, caret}
	switch {
	case !there:
		return span, nil
	case at.field == nil:
		choices = names(at.value)
	default:
		choices = at.field.values(at.value, k)
	}
	if at.value != "" {
		span[0] = at.start
	}
	return span, choices
}

// names are the filters whose name, or another that is understood, begins so.
func names(typed string) []Choice {
	var all []Choice
	typed = strings.ToLower(typed)
	for _, f := range fields {
		if slices.ContainsFunc(append([]string{f.Name}, f.Also...), func(n string) bool { return strings.HasPrefix(n, typed) }) {
			all = append(all, Choice{f.Name + ":", f.Title})
		}
	}
	return all
}

// values are the values of a field for what is typed of one.
func (f *Field) values(typed string, k Known) []Choice {
	var all []Choice
	for _, v := range f.Values {
		if lower := strings.ToLower(typed); strings.HasPrefix(strings.ToLower(v.Name), lower) && v.Name != typed {
			all = append(all, Choice{v.Name, v.Title})
		}
	}
	if f.known == nil {
		return all
	}
	part := folded(typed)
	for _, v := range f.known(k) {
		if v != "" && v != typed && strings.Contains(folded(v), part) && writable(v) {
			all = append(all, Choice{Text: valued(v)})
		}
	}
	return all
}

// writable reports whether a value of a session may go into the line that one
// types: it comes from a log, which may hold anything.
func writable(value string) bool {
	const longest = 300
	return len(value) <= longest && !strings.ContainsFunc(value, func(r rune) bool { return blank(r) && r != ' ' || !unicode.IsPrint(r) })
}
