package session

import (
	"bytes"
	"errors"
	"fmt"
	"io"

	"github.com/go-json-experiment/json/jsontext"
)

// EditStrings returns a JSON text in which every string, and every name in an
// object, is what edit makes of it, decoded; name is that of the member it is the
// value of, or "". All else stays byte for byte, and so do strings that edit
// returns as they are. The error is about a text that is no JSON; invalid UTF-8
// in a string is taken as U+FFFD.
func EditStrings(text jsontext.Value, edit func(name, s string) string) (jsontext.Value, error) {
	d := jsontext.NewDecoder(bytes.NewReader(text), jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
	var out []byte
	done, name := int64(0), ""
	for {
		if d.PeekKind() != '"' {
			switch _, err := d.ReadToken(); {
			case errors.Is(err, io.EOF):
				return append(out, text[done:]...), nil
			case err != nil:
				return nil, fmt.Errorf("read JSON: %w", err)
			}
			name = ""
			continue
		}
		kind, before := d.StackIndex(d.StackDepth())
		raw, err := d.ReadValue()
		if err != nil {
			return nil, fmt.Errorf("read a string of JSON: %w", err)
		}
		end := d.InputOffset()
		was, _ := jsontext.AppendUnquote(nil, raw) // what is no UTF-8 is replaced, and said
		now := edit(name, string(was))
		if name = ""; kind == jsontext.KindBeginObject && before%2 == 0 {
			name = string(was)
		}
		if now == string(was) {
			continue
		}
		out = append(out, text[done:end-int64(len(raw))]...)
		if out, err = jsontext.AppendQuote(out, string(bytes.ToValidUTF8([]byte(now), []byte("\uFFFD")))); err != nil {
			return nil, fmt.Errorf("write a string of JSON: %w", err)
		}
		done = end
	}
}
