package sessions

import (
	"time"

	"parley/history/sessions"
)

// sessionRow is a past session as --json writes it; docs/history.md says what each
// field is.
type sessionRow struct {
	ID         string         `json:"id"`
	Agent      string         `json:"agent"`
	Title      string         `json:"title"`
	State      string         `json:"state"`
	InUse      bool           `json:"inUse"`
	Started    *time.Time     `json:"started,omitempty"`
	Used       *time.Time     `json:"used,omitempty"`
	Dir        string         `json:"dir"`
	Root       string         `json:"root,omitempty"`
	Repository string         `json:"repository,omitempty"`
	Branch     string         `json:"branch,omitempty"`
	Client     string         `json:"client,omitempty"`
	Parent     string         `json:"parent,omitempty"`
	Model      string         `json:"model,omitempty"`
	Prompts    int            `json:"prompts"`
	Turns      int            `json:"turns"`
	Tokens     tokenRow       `json:"tokens"`
	Cost       float64        `json:"cost"`
	Seconds    float64        `json:"busySeconds"`
	Files      int            `json:"filesChanged"`
	Added      int            `json:"linesAdded"`
	Removed    int            `json:"linesRemoved"`
	Failures   int            `json:"failures"`
	Tools      map[string]int `json:"tools"`
	Tags       []string       `json:"tags"`
	Pinned     bool           `json:"pinned"`
	Archived   bool           `json:"archived"`
	Deleted    *time.Time     `json:"deleted,omitempty"`
	Path       string         `json:"path,omitempty"`
	Bytes      int64          `json:"bytes"`
	Unread     string         `json:"unread,omitempty"`

	Score   float64  `json:"score,omitempty"`
	Excerpt string   `json:"excerpt,omitempty"`
	Spans   [][2]int `json:"spans,omitempty"`
}

// tokenRow are tokens as --json writes them.
type tokenRow struct {
	In         int `json:"in"`
	Out        int `json:"out"`
	CacheRead  int `json:"cacheRead"`
	CacheWrite int `json:"cacheWrite"`
}

// newRow is a session as a row.
func newRow(s sessions.Session) sessionRow {
	tools := s.Tools
	if tools == nil {
		tools = map[string]int{}
	}
	return sessionRow{
		ID: string(s.ID), Agent: s.Agent, Title: s.Title, State: string(s.State), InUse: s.InUse,
		Started: given(s.Started), Used: given(s.Used),
		Dir: s.Dir, Root: s.Root, Repository: s.Repository, Branch: s.Branch, Client: s.Client, Parent: string(s.Parent),
		Model: s.Model, Prompts: s.Prompts, Turns: s.Turns, Tokens: tokenRow(s.Tokens), Cost: s.Cost, Seconds: s.Busy.Seconds(),
		Files: s.Edits, Added: s.Added, Removed: s.Removed, Failures: s.Failures, Tools: tools,
		Tags: append([]string{}, s.Tags...), Pinned: s.Pinned, Archived: s.Archived, Deleted: given(s.Deleted),
		Path: s.Path, Bytes: s.Size, Unread: s.ReadProblem,
	}
}

// given is a time in UTC, or nothing for one that is not known, or that JSON cannot
// hold.
func given(t time.Time) *time.Time {
	t = t.UTC()
	if t.IsZero() || t.Year() < 0 || t.Year() > 9999 {
		return nil
	}
	return &t
}

// foundRow is what was found as --json writes it.
type foundRow struct {
	Total    int          `json:"total"`
	Sessions []sessionRow `json:"sessions"`
}

func foundRows(found sessions.Found) foundRow {
	rows := foundRow{Total: found.Total, Sessions: make([]sessionRow, len(found.Sessions))}
	for i, h := range found.Sessions {
		rows.Sessions[i] = newRow(h.Session)
		rows.Sessions[i].Score, rows.Sessions[i].Excerpt, rows.Sessions[i].Spans = h.Score, h.Excerpt, h.Spans
	}
	return rows
}

// sumRow is a sum over sessions as --json writes it.
type sumRow struct {
	Name     string   `json:"name,omitempty"`
	Sessions int      `json:"sessions"`
	Prompts  int      `json:"prompts"`
	Turns    int      `json:"turns"`
	Calls    int      `json:"toolCalls"`
	Failures int      `json:"failures"`
	Added    int      `json:"linesAdded"`
	Removed  int      `json:"linesRemoved"`
	Tokens   tokenRow `json:"tokens"`
	Cost     float64  `json:"cost"`
	Seconds  float64  `json:"busySeconds"`
}

// statsRow are the stats as --json writes them.
type statsRow struct {
	All          sumRow   `json:"all"`
	Days         []sumRow `json:"days"`
	Repositories []sumRow `json:"repositories"`
	Models       []sumRow `json:"models"`
	Tools        []sumRow `json:"tools"`
}

func newSums(shares []sessions.Share) []sumRow {
	rows := make([]sumRow, len(shares))
	for i, s := range shares {
		rows[i] = newSum(s.Name, s.Sum)
	}
	return rows
}

func newSum(name string, s sessions.Sum) sumRow {
	return sumRow{
		Name: name, Sessions: s.Sessions, Prompts: s.Prompts, Turns: s.Turns, Calls: s.Calls, Failures: s.Failures,
		Added: s.Added, Removed: s.Removed, Tokens: tokenRow(s.Tokens), Cost: s.Cost, Seconds: s.Busy.Seconds(),
	}
}
