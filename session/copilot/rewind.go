package copilot

import (
	"cmp"
	"context"
	"errors"
	"strings"
	"time"

	"parley/session"
)

// RewindPoints implements session.Rewinder. What the agent sent itself in
// autopilot is no prompt, but its files count.
func (s *Session) RewindPoints(ctx context.Context) ([]session.RewindPoint, error) {
	var list struct {
		Unavailable string `json:"unavailableReason"`
		Points      []struct {
			session.RewindPoint        // with the lines of this turn alone
			Timestamp           string `json:"timestamp"`
			Continuation        bool   `json:"isAutopilotContinuation"`
		} `json:"points"`
	}
	err := calm(ctx, func() (reason string, err error) {
		list.Unavailable = ""
		err = s.call(ctx, "session.history.listRewindPoints", nil, &list)
		return list.Unavailable, err
	})
	if err == nil && list.Unavailable != "" {
		err = unavailable(list.Unavailable)
	}
	if err != nil {
		return nil, attempt(err, "list the prompts to go back to")
	}
	points := make([]session.RewindPoint, len(list.Points))
	first := len(points) // of those that are prompts
	added, removed := 0, 0
	for i := len(list.Points) - 1; i >= 0; i-- {
		p := list.Points[i]
		added += p.Added
		removed += p.Removed
		if p.Continuation {
			continue
		}
		first--
		p.Time, _ = time.Parse(time.RFC3339, p.Timestamp) // without it the time is not known
		p.Added, p.Removed = added, removed
		points[first] = p.RewindPoint
	}
	return points[first:], nil
}

// busy is why the runtime does not look at what it has not written down yet.
const busy = "session-busy"

// calm makes a call again while the runtime is busy, for as long as it may be
// from the end of a turn on until all of it is written down.
func calm(ctx context.Context, call func() (reason string, err error)) error {
	again := time.NewTicker(50 * time.Millisecond)
	defer again.Stop()
	for tries := 10; ; tries-- {
		reason, err := call()
		if err != nil || reason != busy || tries == 0 {
			return err
		}
		select {
		case <-again.C:
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
}

// unavailable says why there is nothing to rewind, or why a rewind did not
// begin.
func unavailable(reason string) error {
	if reason == "file-change-tracking-disabled" {
		return session.ErrFilesNotKept
	}
	return errors.New(cmp.Or(map[string]string{
		busy:                         "the agent is still at work: wait until it is done, or stop it",
		"unsupported-remote-session": "a session on another machine cannot be rewound",
	}[reason], "the runtime does not allow it: "+strings.ReplaceAll(reason, "-", " ")))
}

// PreviewRewind implements session.Rewinder. The runtime does not report of
// which files it has copies: one without has no lines counted, such as a folder that a
// command deleted. A file that was empty has none either, which its snapshots tell apart
// where they can be read.
func (s *Session) PreviewRewind(ctx context.Context, at session.EventID) ([]session.FileChange, error) {
	var preview struct {
		Available bool                 `json:"available"`
		Reason    string               `json:"reason"`
		Files     []session.FileChange `json:"files"`
	}
	err := calm(ctx, func() (reason string, err error) {
		preview.Reason = ""
		err = s.call(ctx, "session.history.previewRewind", object{"eventId": at}, &preview)
		return preview.Reason, err
	})
	if err == nil && !preview.Available {
		err = unavailable(preview.Reason)
	}
	var kept snapshots
	if len(preview.Files) > 0 && !s.agent.remote() {
		kept = readSnapshots(stateDir(s.agent.cfg.Env), s.info.ID)
	}
	for i := range preview.Files {
		f := &preview.Files[i]
		f.NoCopy = f.Change != "created" && f.Added == 0 && f.Removed == 0
		kept.compare(f)
	}
	return preview.Files, attempt(err, "find the files to put back")
}

// Rewind implements session.Rewinder. What was is kept for Redo first: the
// conversation in a copy of the session, the files in memory. The error of a
// rewind that was made, but not in full, comes with what was done.
func (s *Session) Rewind(ctx context.Context, at session.EventID, files bool) (session.Rewound, error) {
	done, err := s.rewind(ctx, at, files)
	return done, attempt(err, "rewind the session")
}

func (s *Session) rewind(ctx context.Context, at session.EventID, files bool) (done session.Rewound, err error) {
	var changes []session.FileChange
	if files {
		if changes, err = s.PreviewRewind(ctx, at); err != nil {
			return done, err
		}
	}
	before, err := s.keep(ctx, changes)
	if err != nil {
		return done, err
	}
	if err := ctx.Err(); err != nil {
		s.agent.discard(context.Background(), before)
		return done, err
	}
	result, err := s.callRewind(ctx, at, files)
	var refused *callError
	switch {
	case errors.As(err, &refused), err != nil && result.Outcome == busy:
		s.agent.discard(context.Background(), before)
		return done, err
	case err != nil: // what became of it is not known: Redo brings back what was
		before.settle(nil)
		s.agent.undo.push(s.info.ID, before)
		return done, err
	case !result.rewound():
		s.agent.discard(context.Background(), before)
		return done, result.failure()
	}
	before.settle(result.RestoredFiles)
	s.agent.undo.push(s.info.ID, before)
	done = session.Rewound{Events: result.EventsRemoved, Restored: result.RestoredFiles}
	for _, f := range result.SkippedFiles {
		done.Skipped = append(done.Skipped, f.Path+": "+skipReason(f.Reason))
	}
	return done, result.failure()
}

// rewindResult is the answer to session.history.rewind.
type rewindResult struct {
	Outcome       string   `json:"outcome"`
	EventsRemoved int      `json:"eventsRemoved"`
	RestoredFiles []string `json:"restoredFiles"`
	SkippedFiles  []struct {
		Path   string `json:"path"`
		Reason string `json:"reason"`
	} `json:"skippedFiles"`
	Error string `json:"error"`
}

func (s *Session) callRewind(ctx context.Context, at session.EventID, files bool) (r rewindResult, err error) {
	mode := "conversation"
	if files {
		mode = "conversation-and-files"
	}
	err = calm(ctx, func() (reason string, err error) {
		err = s.call(ctx, "session.history.rewind", object{"eventId": at, "mode": mode}, &r)
		return r.Outcome, err
	})
	return r, err
}

// rewound reports whether the conversation was rewound.
func (r rewindResult) rewound() bool {
	return r.Outcome == "success" || r.Outcome == "checkpoint-cleanup-failed" || r.Outcome == "snapshot-prune-failed"
}

// failure says what did not go as it should; nil for nothing.
func (r rewindResult) failure() error {
	restored := "no file was put back"
	if len(r.RestoredFiles) > 0 {
		restored = "these files were put back and stay so: " + strings.Join(r.RestoredFiles, ", ")
	}
	what := map[string]string{
		"checkpoint-cleanup-failed": "it is rewound, but summaries of what was taken back are left in its folder",
		"snapshot-prune-failed":     "it is rewound, but what is kept of the files' earlier contents was not tidied up",
		"files-rolled-back":         "a file could not be put back, so nothing was changed",
		"rollback-incomplete": "a file could not be put back, nor could all others be left as they were; the conversation is unchanged, " +
			restored,
		"truncation-failed": "the conversation could not be rewound; " + restored,
	}[r.Outcome]
	switch {
	case r.Outcome == "success":
		return nil
	case what == "":
		return unavailable(r.Outcome)
	case r.Error != "":
		what += ": " + r.Error
	}
	return errors.New(what)
}

// skipReason says why a file was left alone.
func skipReason(reason string) string {
	return cmp.Or(map[string]string{
		"user-modified":   "it was changed since the agent wrote it",
		"skipped-capture": "what it was before is not known",
	}[reason], strings.ReplaceAll(reason, "-", " "), "left alone")
}
