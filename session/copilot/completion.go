package copilot

import (
	"cmp"
	"context"
	"strings"
	"unicode/utf8"

	"parley/session"
)

// completion is an entry of session.completions.request. Its places count
// UTF-16 code units.
type completion struct {
	InsertText string `json:"insertText"`
	RangeStart *int   `json:"rangeStart"`
	RangeEnd   *int   `json:"rangeEnd"`
	Label      string `json:"label"`
	Kind       string `json:"kind"`
}

// Complete implements session.Completer. A session of this machine completes
// nothing (seen in 1.0.102); one that the runtime relays may.
func (s *Session) Complete(ctx context.Context, text string, offset int) ([]session.Completion, error) {
	p := object{"text": text, "offset": units(text[:min(max(offset, 0), len(text))])}
	found, err := ask[[]completion](ctx, s, "session.completions.request", p, "items")
	items := make([]session.Completion, 0, len(found))
	for _, c := range found {
		items = append(items, c.in(text, offset))
	}
	return items, attempt(err, "complete what is typed")
}

// in is the completion of text at offset, in bytes. Without a place it stands
// for the word around offset.
func (c completion) in(text string, offset int) session.Completion {
	offset = min(max(offset, 0), len(text))
	done := session.Completion{Text: c.InsertText, Label: cmp.Or(c.Label, c.InsertText), Detail: c.Kind}
	if c.RangeStart == nil || c.RangeEnd == nil {
		done.From, done.To = word(text, offset)
		return done
	}
	done.From = index(text, *c.RangeStart)
	done.To = max(done.From, index(text, *c.RangeEnd))
	return done
}

// word is the place of the word around offset.
func word(text string, offset int) (from, to int) {
	const blank = " \t\n"
	from = strings.LastIndexAny(text[:offset], blank) + 1
	if length := strings.IndexAny(text[offset:], blank); length >= 0 {
		return from, offset + length
	}
	return from, len(text)
}

// units is how many UTF-16 code units a text has.
func units(text string) int {
	n := 0
	for _, r := range text {
		n++
		if r > 0xFFFF {
			n++
		}
	}
	return n
}

// index is the byte at which a text has had n UTF-16 code units, or its end. A
// place inside a character is the one before it.
func index(text string, n int) int {
	at := 0
	for at < len(text) {
		r, size := utf8.DecodeRuneInString(text[at:])
		if n -= units(string(r)); n < 0 {
			break
		}
		at += size
	}
	return at
}
