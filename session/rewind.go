package session

import (
	"context"
	"errors"
	"time"
)

// Rewinder is a Session that can go back to before a prompt (docs/protocol.md,
// section 8.3).
type Rewinder interface {
	// RewindPoints lists the prompts one can go back to, oldest first.
	RewindPoints(ctx context.Context) ([]RewindPoint, error)
	// PreviewRewind reports what files would change. It changes nothing. The error is
	// ErrFilesNotKept where no prompt of the session can have its files put back.
	PreviewRewind(ctx context.Context, at EventID) ([]FileChange, error)
	// Rewind removes the prompt of that event and all that came after it from
	// the conversation, and with files also puts back the files that the
	// agent's tools changed since. The session.snapshot_rewind event reports
	// which events went.
	Rewind(ctx context.Context, at EventID, files bool) (Rewound, error)
	// Redo takes the last rewind of this run back, conversation and files, and
	// reports false if it cannot be taken back: nothing was rewound, or something was
	// said since. The session that continues may have another id: the caller
	// resumes it. With true, an error reports what could not be taken back.
	Redo(ctx context.Context) (ID, bool, error)
}

// ErrFilesNotKept is the error of a session that does not keep what files were before.
var ErrFilesNotKept = errors.New("this session does not keep what files were before, as copies of sessions do not: " +
	"only the conversation can be rewound")

// RewindPoint is a prompt that one can go back to.
type RewindPoint struct {
	Event  EventID   `json:"eventId"`
	Prompt string    `json:"userMessage"`
	Time   time.Time `json:"-"`
	// Files is whether files can be put back, and FileCount, Added and Removed
	// how many, and lines, changed since.
	Files     bool `json:"canRestoreFiles"`
	FileCount int  `json:"fileCount"`
	Added     int  `json:"linesAdded"`
	Removed   int  `json:"linesRemoved"`
}

// FileChange is what a rewind would do to one file.
type FileChange struct {
	Path    string `json:"path"`
	Change  string `json:"changeType"` // created, modified or deleted since
	Added   int    `json:"linesAdded"`
	Removed int    `json:"linesRemoved"`
	// NoCopy is whether no copy of what it was is known to be there: it may be
	// left as it is.
	NoCopy bool `json:"-"`
	// Compared is whether the file was compared with what the agent left. Then Foreign is
	// whether something else changed it since, so that it stays as it is, and Gone whether it
	// was created since and is not there any more.
	Compared, Foreign, Gone bool `json:"-"`
}

// Rewound is what a rewind did.
type Rewound struct {
	Events   int      // removed
	Restored []string // files put back
	Skipped  []string // files left alone, with the reason where it is known
}
