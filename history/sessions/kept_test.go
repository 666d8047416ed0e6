package sessions

import (
	"context"
	"errors"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// TestKept: what an agent keeps is found once it was asked, beside what is stored and not in its place, can be noted,
// is no part of the index, and cannot be read. An agent that fails takes nothing away.
func TestKept(t *testing.T) {
	t.Parallel()
	s := newShelf()
	s.logs["stored"] = Log{ID: "stored", Keeper: "copilot", Name: "Stored", Dir: "/work", Modified: midday}
	kept := []Log{
		{ID: "stored", Name: "The same", Dir: "/work", Modified: midday},
		{ID: "ses_1", Name: "Harbour lights", Dir: "/work", Agent: "opencode", Modified: midday.Add(time.Hour)},
		{ID: "ses_2", Name: "Elsewhere", Dir: "/other", Agent: "opencode", Modified: midday},
	}
	var failed error
	config := Config{
		Sources: []Source{s}, Index: filepath.Join(t.TempDir(), "index.db"),
		Kept: func(context.Context) ([]Log, error) { return slices.Clone(kept), failed },
	}
	open := func() *Library {
		l, err := Open(config)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = l.Close() })
		return l
	}
	l := open()
	find := func(l *Library, scope Scope, words string) (titles, warning string) {
		t.Helper()
		q, err := ParseQuery(words, midday)
		if err != nil {
			t.Fatal(err)
		}
		found, err := l.Find(t.Context(), Request{Query: q, Scope: scope, Dir: "/work"})
		if err != nil {
			t.Fatal(err)
		}
		var all []string
		for _, h := range found.Sessions {
			all = append(all, h.Title)
		}
		return strings.Join(all, ", "), strings.Join(found.Warnings, ", ")
	}
	if got, _ := find(l, Everywhere, ""); got != "Stored" {
		t.Errorf("before the agent was asked, found are %s", got)
	}
	if !l.asking() {
		t.Error("it does not say that the agent was not asked yet")
	}
	if err := l.ListKept(t.Context()); err != nil {
		t.Fatal(err)
	}
	if l.asking() {
		t.Error("it says that the agent was not asked")
	}
	for _, do := range []func() error{func() error { return nil }, func() error { return l.Refresh(t.Context()) }} {
		if err := do(); err != nil {
			t.Fatal(err)
		}
		if got, _ := find(l, InFolder, ""); got != "Harbour lights, Stored" {
			t.Errorf("found in the folder are %s", got)
		}
		if got, _ := find(l, Everywhere, "lights"); got != "Harbour lights" {
			t.Errorf("found by a word are %s", got)
		}
	}
	if err := l.Mark(t.Context(), "ses_1", func(m *Mark) { m.Name = "Beacons" }); err != nil {
		t.Error(err)
	}
	got, err := l.Get(t.Context(), "ses_1")
	if err != nil || got.Title != "Beacons" || got.Keeper != AgentKeeper || got.Foreign(ParleyKeeper) || !got.Foreign(CopilotKeeper) ||
		got.ResumeCommand() != "parley --agent opencode --resume ses_1" {
		t.Errorf("it is %+v, %v", got, err)
	}
	if _, err := l.Read(t.Context(), "ses_1"); !errors.Is(err, ErrKept) {
		t.Errorf("it was read: %v", err)
	}
	other := open()
	if got, _ := find(other, Everywhere, ""); got != "Stored" {
		t.Errorf("in the index are %s", got)
	}
	kept, failed = nil, errors.New("no luck")
	if err := l.ListKept(t.Context()); err != nil {
		t.Fatal(err)
	}
	if got, warning := find(l, Everywhere, ""); got != "Stored" || !strings.Contains(warning, "no luck") {
		t.Errorf("found are %s, with %q", got, warning)
	}
}
