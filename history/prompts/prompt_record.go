package prompts

import (
	"errors"
	"fmt"

	"parley/history/exactjson"
)

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
	line, err := exactjson.Marshal(record{Prompt: p})
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
	if err := exactjson.Unmarshal(line, &r); err != nil {
		return Prompt{}, exactjson.Error(line, err)
	}
	if r.Version > exactjson.Version {
		return Prompt{}, exactjson.ErrNewer
	}
	r.Draft = r.Normalized()
	if r.Empty() {
		return Prompt{}, errors.New("it has no prompt")
	}
	r.Time = r.Time.UTC()
	return r.Prompt, nil
}
