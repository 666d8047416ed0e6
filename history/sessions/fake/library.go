// Package fake has past sessions in memory, for tests.
package fake

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"parley/history/sessions"
	"parley/session"
)

// Library does in memory what a sessions.Library does. It finds words in titles and logs.
type Library struct {
	mu       sync.Mutex
	All      []sessions.Session
	Kept     []sessions.Session // that are found once they are asked for
	Logs     map[session.ID]string
	Indexing []sessions.Progress // one for each Find, until they are used up
	Asking   bool
	Trouble  []string
	Err      error              // of Find
	Finds    []sessions.Request // what was asked for
	Reads    []session.ID       // what was read
}

// Refresh implements what a sessions.Library does.
func (l *Library) Refresh(context.Context) error { return nil }

// ListKept implements what a sessions.Library does.
func (l *Library) ListKept(context.Context) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.All, l.Kept = append(l.All, l.Kept...), nil
	return nil
}

// Deleted implements what a sessions.Library does.
func (l *Library) Deleted(context.Context) ([]sessions.Session, error) { return nil, nil }

// Known implements what a sessions.Library does.
func (l *Library) Known(context.Context) (sessions.Known, error) {
	return sessions.Known{
		Repositories: []string{"ada/queue", "ada/site"}, Branches: []string{"main", "drain"}, Models: []string{"gpt-5.4"},
		Tools: []string{"bash", "edit"}, Tags: []string{"later"},
	}, nil
}

// Find implements what a sessions.Library does.
func (l *Library) Find(_ context.Context, r sessions.Request) (sessions.Found, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.Finds = append(l.Finds, r)
	if l.Err != nil {
		return sessions.Found{}, l.Err
	}
	found := sessions.Found{Warnings: l.Trouble, Asking: l.Asking}
	if len(l.Indexing) > 0 {
		found.Indexing, l.Indexing = l.Indexing[0], l.Indexing[1:]
	}
	for _, s := range l.All {
		hit, ok := l.hit(r, s)
		if ok {
			found.Sessions = append(found.Sessions, hit)
		}
	}
	slices.SortStableFunc(found.Sessions, func(a, b sessions.Hit) int {
		if a.Pinned != b.Pinned {
			return map[bool]int{true: -1, false: 1}[a.Pinned]
		}
		switch r.Order {
		case sessions.ByTitle:
			return cmp.Compare(a.Title, b.Title)
		case sessions.ByCost:
			return cmp.Compare(b.Cost, a.Cost)
		case sessions.ByStarted:
			return b.Started.Compare(a.Started)
		default:
			return b.Used.Compare(a.Used)
		}
	})
	found.Total = len(found.Sessions)
	return found, nil
}

func (l *Library) hit(r sessions.Request, s sessions.Session) (sessions.Hit, bool) {
	switch {
	case s.Archived && !r.Archived && !r.Query.AsksFor("archived"),
		!s.Deleted.IsZero() && !r.Deleted && !r.Query.AsksFor("deleted"), !r.Query.Accepts(s):
		return sessions.Hit{}, false
	case r.Scope == sessions.InFolder && s.Dir != r.Dir,
		r.Scope == sessions.InRepository && s.Dir != r.Dir && (r.Root == "" || s.Root != r.Root):
		return sessions.Hit{}, false
	}
	hit := sessions.Hit{Session: s}
	for _, w := range r.Query.Words {
		text := s.Title + "\n" + l.Logs[s.ID]
		if !strings.Contains(strings.ToLower(text), strings.ToLower(w.Text)) {
			return sessions.Hit{}, false
		}
		hit.Excerpt = "… what was said of " + w.Text + " and more"
	}
	return hit, true
}

func (l *Library) at(id session.ID) (int, error) {
	i := slices.IndexFunc(l.All, func(s sessions.Session) bool {
		return s.ID == id || len(id) >= 4 && strings.HasPrefix(string(s.ID), string(id))
	})
	if i < 0 {
		return 0, sessions.ErrNotFound
	}
	return i, nil
}

// Get implements what a sessions.Library does.
func (l *Library) Get(_ context.Context, id session.ID) (sessions.Session, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	i, err := l.at(id)
	if err != nil {
		return sessions.Session{}, err
	}
	return l.All[i], nil
}

// Read implements what a sessions.Library does.
func (l *Library) Read(_ context.Context, id session.ID) (io.ReadCloser, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.Reads = append(l.Reads, id)
	log, ok := l.Logs[id]
	if !ok {
		return nil, errors.New("permission denied")
	}
	return io.NopCloser(strings.NewReader(log)), nil
}

// ReadProblem implements what a sessions.Library does.
func (l *Library) ReadProblem(ctx context.Context, id session.ID) (string, error) {
	s, err := l.Get(ctx, id)
	return s.ReadProblem, err
}

// Mark implements what a sessions.Library does.
func (l *Library) Mark(_ context.Context, id session.ID, change func(*sessions.Mark)) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	i, err := l.at(id)
	if err == nil {
		s := &l.All[i]
		change(&s.Mark)
		s.Title = cmp.Or(s.Mark.Name, s.Title)
	}
	return err
}

// Log returns a log in which prompts are answered: every other text is an answer.
func Log(tb testing.TB, at time.Time, texts ...string) string {
	tb.Helper()
	var b bytes.Buffer
	for i, text := range texts {
		var body session.Body = session.UserMessage{Content: text}
		if i%2 == 1 {
			body = session.AssistantMessage{MessageID: session.MessageID(fmt.Sprint("m", i)), Content: text}
		}
		line, err := session.Encode(session.Event{
			ID: session.EventID(fmt.Sprint("e", i)), Time: at.Add(time.Duration(i) * time.Second), Body: body,
		})
		if err != nil {
			tb.Fatal(err)
		}
		b.Write(line)
		b.WriteByte('\n')
	}
	return b.String()
}

// Now is when the sessions of Some are seen.
var Now = time.Date(2026, 11, 21, 10, 41, 0, 0, time.UTC)

// Some returns a handful of sessions that ada had.
func Some(tb testing.TB) *Library {
	tb.Helper()
	ago := func(d time.Duration) time.Time { return Now.Add(-d) }
	one := func(id, title, repo, branch string, used time.Duration, more func(*sessions.Session)) sessions.Session {
		name := strings.TrimPrefix(repo, "ada/")
		s := sessions.Session{
			Log: sessions.Log{
				ID: session.ID(id), Keeper: "copilot", Agent: "copilot", Size: 4000, Modified: ago(used),
				Dir: "/home/ada/src/" + name, Root: "/home/ada/src/" + name,
				Repository: repo, Branch: branch, Created: ago(used + time.Hour),
			},
			Facts: sessions.Facts{
				Title: title, Model: "gpt-5.4", Started: ago(used + time.Hour), Used: ago(used), Prompts: 3, Turns: 12,
				Tokens: sessions.Tokens{In: 48_000, Out: 6_000}, Cost: 3, Busy: 14 * time.Minute, Edits: 2,
				Added: 41, Removed: 12, State: sessions.Done,
			},
		}
		if more != nil {
			more(&s)
		}
		return s
	}
	const day = 24 * time.Hour
	return &Library{
		All: []sessions.Session{
			one("aaaa-1", "Drain the queue before the worker stops", "ada/queue", "drain", 40*time.Minute, nil),
			one("bbbb-2", "Why the parser is slow", "ada/queue", "main", 3*time.Hour, func(s *sessions.Session) {
				s.State, s.Failures, s.Cost, s.Turns = sessions.Failed, 2, 0.33, 4
			}),
			one("cccc-3", "Tide table on one screen", "ada/site", "main", 26*time.Hour, func(s *sessions.Session) {
				s.Pinned, s.Tags, s.Cost = true, []string{"later"}, 12.5
			}),
			one("dddd-4", "Release notes", "ada/site", "release/1.2", 2*day, func(s *sessions.Session) { s.InUse = true }),
			one("eeee-5", "Tide table on one screen (copy)", "ada/site", "main", 5*day, func(s *sessions.Session) {
				s.Parent, s.State, s.Turns = "cccc-3", sessions.Interrupted, 1
			}),
			one("ffff-6", "A plan for the winter garden", "ada/garden", "", 400*day, func(s *sessions.Session) {
				s.Repository, s.Root, s.Model, s.Cost, s.Added, s.Removed = "", "", "claude-opus", 0, 0, 0
			}),
		},
		Logs: map[session.ID]string{
			"aaaa-1": Log(tb, ago(2*time.Hour), "The worker stops before the queue is empty. Let it drain first.",
				"`Stop` closes the channel at once. I let it **drain** first:\n\n"+
					"1. no new jobs\n2. the ones that wait are done\n3. then it closes"),
			"bbbb-2": Log(tb, ago(4*time.Hour), "Why is the parser slow?", "It copies each line. A profile says so."),
			"cccc-3": Log(tb, ago(27*time.Hour), "A tide table that fits on one screen, please.",
				strings.Repeat("The water rises and falls twice a day.\n\n", 12)+"The moon makes the tide.",
				"And the moon?", "The phase of the moon is in the last column."),
			"eeee-5": Log(tb, ago(6*day), "A tide table that fits on one screen, please.", "Here it is."),
			"ffff-6": Log(tb, ago(400*day), "What grows indoors in December?", "Cress, chives and patience."),
		},
	}
}
