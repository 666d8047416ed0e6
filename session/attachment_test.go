package session_test

import (
	"strings"
	"testing"

	"parley/session"
)

// TestAttachmentLines: the lines of a file count from 1, those of a selection
// from 0 on the wire; what names no line is about the whole file.
func TestAttachmentLines(t *testing.T) {
	t.Parallel()
	for raw, want := range map[string]session.LineRange{
		`{"type":"file","lineRange":{"start":10,"end":20}}`:                                                            {Start: 10, End: 20},
		`{"type":"file","lineRange":{"start":10}}`:                                                                     {Start: 10, End: 10},
		`{"type":"file","lineRange":{"start":10,"end":3}}`:                                                             {Start: 10, End: 10},
		`{"type":"file","lineRange":{"start":0,"end":3}}`:                                                              {},
		`{"type":"file","lineRange":null}`:                                                                             {},
		`{"type":"selection","selection":{"start":{"line":9,"character":4},"end":{"line":19,"character":0},"more":1}}`: {Start: 10, End: 20},
		`{"type":"selection","selection":{"start":{"line":0}}}`:                                                        {Start: 1, End: 1},
		`{"type":"selection","selection":{"end":{"line":3}}}`:                                                          {},
		`{"type":"selection","selection":{"start":{"line":-4},"end":{"line":3}}}`:                                      {},
		`{"type":"selection","selection":{"start":{"line":9223372036854775807},"end":{"line":3}}}`:                     {},
		`{"type":"selection","selection":{"start":{"line":"9"}}}`:                                                      {},
		`{"type":"selection","selection":[1]}`:                                                                         {},
		`{"type":"selection","selection":null}`:                                                                        {},
		`{"type":"selection"}`:                                                                                         {},
	} {
		ev := session.Decode([]byte(`{"type":"user.message","id":"a","data":{"content":"go","attachments":[` + raw + `]}}`))
		m, ok := ev.Body.(session.UserMessage)
		if !ok || len(m.Attachments) != 1 {
			t.Fatalf("%s: %+v", raw, ev)
		}
		got, some := m.Attachments[0].Lines()
		if some != (want.Start > 0) || some && (got.Start != want.Start || got.End != want.End) {
			t.Errorf("%s: %+v, %t", raw, got, some)
		}
	}
}

// TestAttachmentReference: what is on GitHub is named by its number and its title, as
// far as it has them.
func TestAttachmentReference(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		a    session.Attachment
		want string
	}{
		{session.Attachment{Number: 12, Title: "Wrong colour"}, "#12 Wrong colour"},
		{session.Attachment{Number: 1}, "#1"},
		{session.Attachment{Title: "v1.2"}, "v1.2"},
		{session.Attachment{Number: -1, Title: "v1.2"}, "v1.2"},
		{session.Attachment{Path: "a.go", DisplayName: "a"}, ""},
	} {
		if got := tt.a.Reference(); got != tt.want {
			t.Errorf("%+v: %q, want %q", tt.a, got, tt.want)
		}
	}
}

// TestNudges: only the words of the document at the beginning, from no client and
// with nothing else that a user sends.
func TestNudges(t *testing.T) {
	t.Parallel()
	const text = "You have not yet marked the task as complete using the task_complete tool. If you were planning, stop planning " +
		"and start implementing. You aren't done until you have fully completed the task."
	for name, tt := range map[string]struct {
		m    session.UserMessage
		want bool
	}{
		"the document's":    {session.UserMessage{Content: text}, true},
		"with more":         {session.UserMessage{Content: "\n" + text + "\n\nDo not call it if …", AgentMode: session.Autopilot}, true},
		"quoted":            {session.UserMessage{Content: "Why does it say: " + text}, false},
		"shortened":         {session.UserMessage{Content: text[:strings.Index(text, " If")]}, false},
		"sent by a client":  {session.UserMessage{Content: text, MessageID: "m"}, false},
		"with a file":       {session.UserMessage{Content: text, Attachments: []session.Attachment{{Type: "file"}}}, false},
		"in another mode":   {session.UserMessage{Content: text, AgentMode: session.Interactive}, false},
		"of another source": {session.UserMessage{Content: text, Source: "schedule-1"}, false},
	} {
		if got := tt.m.Nudges(); got != tt.want {
			t.Errorf("%s: %t", name, got)
		}
	}
}
