package history

import (
	"errors"
	"fmt"
	"slices"

	"github.com/go-json-experiment/json"

	"parley/session"
)

// version is the version of the files of this package. A file, or a line, of a
// newer one is left alone.
const version = 1

// errNewer is why a line of a newer version is not read.
var errNewer = errors.New("it is of a newer version")

// maxRecord is how long a line may be: a prompt above it is not kept, and a
// line above it is damaged.
const maxRecord = 64 << 20

// record is one line of the file of prompts. A line without a version is of
// the first.
type record struct {
	Version int `json:"version,omitzero"`
	Prompt
}

// encode is the line of a prompt, with its line end. The caret is not kept.
func encode(p Prompt) ([]byte, error) {
	p.Caret, p.Behind = 0, 0
	line, err := json.Marshal(record{Prompt: p}, written())
	if err != nil {
		return nil, err
	}
	if line = append(line, '\n'); len(line) > maxRecord {
		return nil, fmt.Errorf("it is longer than %d MB", maxRecord>>20)
	}
	return line, nil
}

// decode reads one line. What it says need not be true to itself: the offsets
// of the chips are mended.
func decode(line []byte) (Prompt, error) {
	var r record
	if err := json.Unmarshal(line, &r, asWritten()); err != nil {
		return Prompt{}, newerOr(line, err)
	}
	if r.Version > version {
		return Prompt{}, errNewer
	}
	r.Draft = r.mended()
	if r.Empty() {
		return Prompt{}, errors.New("it has no prompt")
	}
	r.Time = r.Time.UTC()
	return r.Prompt, nil
}

// newerOr is errNewer if content is of a newer version, whatever shape the rest
// of it has, and else err in words for the user.
func newerOr(content []byte, err error) error {
	var v struct {
		Version int `json:"version"`
	}
	if json.Unmarshal(content, &v, asWritten()) == nil && v.Version > version {
		return errNewer
	}
	return unreadable(err)
}

// unreadable is an error of reading JSON in words for the user.
func unreadable(err error) error { return errors.New(session.JSONProblem(err)) }

// atEnd is the draft with the caret behind everything in it.
func (d Draft) atEnd() Draft {
	d.Caret, d.Behind = len(d.Text), 0
	for _, c := range d.Chips {
		if c.At >= len(d.Text) {
			d.Behind++
		}
	}
	return d
}

// mended is the draft with every offset inside the text and in order.
func (d Draft) mended() Draft {
	d.Caret = min(max(d.Caret, 0), len(d.Text))
	at, there := 0, 0
	for i := range d.Chips {
		at = min(max(d.Chips[i].At, at), len(d.Text))
		d.Chips[i].At = at
		if at == d.Caret {
			there++
		}
	}
	d.Behind = min(max(d.Behind, 0), there)
	return d
}

// own is the draft with chips that nobody else holds.
func (d Draft) own() Draft {
	d.Chips = slices.Clone(d.Chips)
	return d
}
