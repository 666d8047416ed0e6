package generate

import (
	"fmt"
	"io/fs"
	"path"
	"strings"

	"parley/session"
)

// storage says whether the events of a type are stored: by what was seen of them
// and else by the runtime's schema, and by the documents.
type storage struct{ runtime, document string }

// String implements fmt.Stringer. Where the two differ it has both.
func (s storage) String() string {
	switch {
	case s.runtime == "either" || s.document == "either":
		return "either"
	case s.document == "-" || s.document == "" || s.document == s.runtime:
		return s.runtime
	}
	return s.runtime + " (documented: " + s.document + ")"
}

// holds reports whether an event may be stored as a word says.
func (s storage) holds(word string) bool { return s.String() == "either" || s.runtime == word }

// storedAs returns of each type whether its events are persisted
// (testdata/protocol). Parley's own types are not there: their samples say it.
func storedAs(repository fs.FS) (map[session.Kind]storage, error) {
	text, err := fs.ReadFile(repository, "testdata/protocol/persistence.txt")
	if err != nil {
		return nil, err
	}
	stored := map[session.Kind]storage{}
	for line := range strings.Lines(string(text)) {
		if words := strings.Fields(line); words[0] != "#" {
			s := storage{words[2], words[3]}
			if s.runtime == "-" {
				s.runtime = words[1]
			}
			stored[session.Kind(words[0])] = s
		}
	}
	samples, err := fs.Glob(repository, "testdata/events/parley.*.json")
	if err != nil {
		return nil, err
	}
	for _, name := range samples {
		sample, err := fs.ReadFile(repository, name)
		if err != nil {
			return nil, fmt.Errorf("read a sample: %w", err)
		}
		kind := session.Kind(strings.TrimSuffix(path.Base(name), ".json"))
		stored[kind] = storage{runtime: storageOf(session.Decode(sample))}
	}
	return stored, nil
}

// storageOf says of one event whether it is stored.
func storageOf(ev session.Event) string {
	if ev.Ephemeral {
		return "ephemeral"
	}
	return "persisted"
}
