package copilot

import (
	"encoding/hex"
	"os"
	"path/filepath"

	"parley/session"
)

// snapshots is what the runtime keeps of files for going back, oldest prompt first
// (docs/protocol.md, section 9).
type snapshots struct {
	Schema int `json:"schema"`
	Of     []struct {
		Files map[string]snapshot `json:"files"`
	} `json:"snapshots"`
}

// snapshot is what a file was before a prompt and after it.
type snapshot struct {
	Path   string `json:"path"`
	Before image  `json:"preimage"`
	After  image  `json:"postimage"`
}

// image is what is known of a file's contents.
type image struct {
	Kind string `json:"kind"` // absent, content, or that there is no copy
	Sum  string `json:"contentHash"`
}

const (
	noFile   = "absent"
	textFile = "content"
)

// known reports whether a file can be made that again.
func (i image) known() bool { return i.Kind == noFile || i.Kind == textFile }

// is reports whether a path has these contents.
func (i image) is(c contents) bool {
	if i.Kind == noFile {
		return !c.there
	}
	return c.there && i.Sum == hex.EncodeToString(c.sum[:])
}

// readSnapshots reads what the runtime keeps of a session on this machine. What is not
// there, or is not understood, is empty.
func readSnapshots(state string, id session.ID) (all snapshots) {
	raw, err := os.ReadFile(filepath.Join(state, "session-state", filepath.Base(string(id)), "rewind-file-snapshots", "index.json"))
	if err != nil || session.Unmarshal(raw, &all) != nil || all.Schema != 1 {
		return snapshots{}
	}
	return all
}

// compare notes of a change whether there is a copy of what was, and how the file is now.
// The last snapshot of a file is since the prompt that one goes back to, as it changed since;
// which one is the first is not known, so all must be copies.
func (s snapshots) compare(c *session.FileChange) {
	var last image
	copies := true
	for _, of := range s.Of {
		for _, f := range of.Files {
			if f.Path == c.Path {
				last, copies = f.After, copies && f.Before.known()
			}
		}
	}
	if !last.known() {
		return
	}
	c.NoCopy = c.NoCopy && !copies
	now, err := look(c.Path)
	c.Compared = err == nil
	c.Foreign = c.Compared && !last.is(now)
	c.Gone = c.Compared && c.Change == "created" && !now.there
}
