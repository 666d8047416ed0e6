package prompts

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"parley/session"
	"parley/theme"
)

// TestNoRoomNoAnswer: a card that is not on the screen anymore, because
// something else needs the room, does not answer, and not at once when it is
// back.
func TestNoRoomNoAnswer(t *testing.T) {
	t.Parallel()
	for _, back := range []bool{false, true} {
		d := newDesk(t)
		d.ready(shell("git push", "git push"))
		d.q.Focus(d.now)
		d.settle()
		d.q.View(d.width, 4, d.th)
		if back {
			d.draw()
		}
		d.take(d.q.Key(stroked("y"), d.now), nil)
		d.take(d.q.Tick(d.now.Add(300*time.Millisecond)), nil)
		d.none()
		d.now = d.now.Add(time.Second)
		d.draw()
		d.settle()
		d.q.Focus(d.now)
		d.settle()
		d.press("y")
		d.answer()
	}
}

// TestLettersOfWordsDoNothingOutside: no letter of a word that is typed on a
// card reaches the clipboard, the editor or a line of the card, nor gets lost.
func TestLettersOfWordsDoNothingOutside(t *testing.T) {
	t.Parallel()
	change := session.PermissionRequested{RequestID: "r1", PermissionRequest: session.PermissionRequest{
		PermissionDetails: session.PermissionDetails{Kind: "write", FileName: "/w/a", Diff: "--- a/w/a\n+++ b/w/a\n@@ -1 +1 @@\n-a\n+b\n"},
	}}
	for name, body := range map[string]session.Body{
		"shell": shell("git push", "git push"), "change": change,
		"plan":     session.ExitPlanModeRequested{RequestID: "r1", PlanContent: "1. Do it\n"},
		"link":     session.ElicitationRequested{RequestID: "r1", Mode: session.URLMode, URL: "https://example.com"},
		"odd link": session.ElicitationRequested{RequestID: "r1", Mode: session.URLMode, URL: "file:///x"},
		"accept":   session.ElicitationRequested{RequestID: "r1", Message: "ok?", RequestedSchema: []byte(`{"type":"object"}`)},
		"question": session.UserInputRequested{RequestID: "r1", Question: "Which?", Choices: []string{"a", "b"}},
		"limit":    session.SessionLimitsExhaustedRequested{RequestID: "r1"},
	} {
		for _, word := range []string{"cat", "edit", "commit", "u yes", "for", "no", "ef", "ce"} {
			d := newDesk(t)
			d.ready(body)
			d.typed(word)
			d.wait(2 * time.Second)
			d.none()
			if len(d.effects) > 0 || d.draft.String() != word {
				t.Errorf("%s, %q: effects %v, draft %q", name, word, d.effects, d.draft.String())
			}
		}
	}
}

// TestSameIDAnotherQuestion: a question that comes with the id of one that is
// open, and is another, takes its place and is read anew.
func TestSameIDAnotherQuestion(t *testing.T) {
	t.Parallel()
	plan := func(text string) session.Body {
		return session.ExitPlanModeRequested{RequestID: "r1", PlanContent: text, Actions: []string{planInteractive}}
	}
	for name, pair := range map[string][2]session.Body{
		"command": {shell("git first", "git status"), shell("git second", "git push")},
		"plan":    {plan("1. do the first\n"), plan("1. do the second\n")},
		"kind":    {shell("git first", "git status"), plan("1. do the second\n")},
	} {
		d := newDesk(t)
		shows := func(what, not string) {
			t.Helper()
			if got := d.text(); d.q.Len() != 1 || !strings.Contains(got, what) || not != "" && strings.Contains(got, not) {
				t.Errorf("%s: %d cards, want %s\n%s", name, d.q.Len(), what, got)
			}
		}
		d.ready(pair[0])
		d.apply(pair[0])
		shows("first", "second")
		if !d.q.consent.Armed(d.now) {
			t.Errorf("%s: the same question again is not the same", name)
		}
		d.apply(pair[1])
		d.key(stroked("y"), 0)
		d.key(stroked("1"), 300*time.Millisecond)
		d.none()
		d.draft.Reset()
		d.q.Draft(true)
		shows("second", "")
		d.apply(session.PermissionCompleted{RequestID: "r1"})
		d.apply(pair[0]) // a plan that was answered, and comes again as another
		d.apply(session.PermissionCompleted{RequestID: "r1"})
		d.apply(pair[1])
		shows("second", "")
	}
}

// TestNoTextIsLost: whatever way a question ends, what was written on it and
// neither sent nor cancelled comes back, once.
func TestNoTextIsLost(t *testing.T) {
	t.Parallel()
	change := session.PermissionRequested{RequestID: "r1", PermissionRequest: session.PermissionRequest{
		PermissionDetails: session.PermissionDetails{Kind: "write", FileName: "/w/a", ToolCallID: "call1", Diff: "--- a/w/a\n+++ b/w/a\n@@ -1 +1 @@\n-a\n+b\n"},
	}}
	question := session.UserInputRequested{RequestID: "r1", Question: "Which?", Choices: []string{"red", "green"}}
	for name, c := range map[string]struct {
		body  session.Body
		write []string // keys, then the words
		end   []string // keys; none: it is settled elsewhere
		sent  bool     // with the answer
	}{
		"reason, settled":           {change, []string{"n"}, nil, false},
		"note, settled":             {change, []string{"tab"}, nil, false},
		"comment, settled":          {change, []string{"c"}, nil, false},
		"kept comment, settled":     {change, []string{"c"}, []string{"enter", ""}, false},
		"comment, left by ctrl+c":   {change, []string{"c"}, []string{"ctrl+c", ""}, false},
		"reason, then yes":          {change, []string{"n"}, []string{"esc", "y"}, false},
		"comment, then yes":         {change, []string{"c"}, []string{"enter", "y"}, false},
		"comment, left by tab":      {change, []string{"c"}, []string{"tab", ""}, false},
		"note, then yes":            {change, []string{"tab"}, []string{"enter", "y"}, true},
		"note, then no":             {change, []string{"tab"}, []string{"enter", "n", "enter"}, false},
		"comment, then no":          {change, []string{"c"}, []string{"enter", "n", "enter"}, true},
		"reason, sent":              {change, []string{"n"}, []string{"enter"}, true},
		"own answer, then a choice": {question, []string{"3"}, []string{"esc", "1"}, false},
		"own answer, sent":          {question, []string{"3"}, []string{"enter"}, true},
		"own answer, settled":       {question, []string{"3"}, nil, false},
	} {
		d := newDesk(t)
		d.ready(c.body)
		d.press(c.write...)
		d.typed("words")
		d.wait(time.Second)
		elsewhere := c.end == nil
		for _, k := range c.end {
			if k == "" {
				elsewhere = true
				continue
			}
			d.press(k)
			d.settle()
		}
		if elsewhere {
			d.apply(session.PermissionCompleted{RequestID: "r1"})
		} else if len(d.answers) != 1 {
			t.Errorf("%s: %d answers\n%s", name, len(d.answers), d.text())
			continue
		}
		back := strings.Join(d.q.Unsent(), "|")
		sent := strings.Count(fmt.Sprintf("%+v", d.answers), "words")
		if got := strings.Count(back, "words"); got+sent != 1 || sent == 1 != c.sent {
			t.Errorf("%s: %d times in the answer, came back as %q", name, sent, back)
		}
		if again := d.q.Unsent(); len(again) != 0 {
			t.Errorf("%s: came back again: %q", name, again)
		}
	}
}

// TestEditedCommentOfAClosedCard: a comment that was in the editor when its
// card went comes back.
func TestEditedCommentOfAClosedCard(t *testing.T) {
	t.Parallel()
	change := session.PermissionRequested{RequestID: "r1", PermissionRequest: session.PermissionRequest{
		PermissionDetails: session.PermissionDetails{Kind: "write", FileName: "/w/a", Diff: "--- a/w/a\n+++ b/w/a\n@@ -1 +1 @@\n-a\n+b\n"},
	}}
	for _, keys := range [][]string{{"c"}, {"n"}, {"tab"}} {
		d := newDesk(t)
		d.ready(change)
		d.press(keys...)
		d.press("ctrl+g")
		d.apply(session.PermissionCompleted{RequestID: "r1"})
		d.q.Edited("words", d.now)
		if got := strings.Join(d.q.Unsent(), "|"); strings.Count(got, "words") != 1 {
			t.Errorf("%v: %q", keys, got)
		}
	}
}

// TestConfirmIsForOneRow: what Enter is asked to confirm is the row that the
// card said it of, not one that was moved to since.
func TestConfirmIsForOneRow(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	d.ready(session.ExitPlanModeRequested{RequestID: "r1", PlanContent: "1. Do it\n", Actions: []string{planAutopilot, planFleet}})
	d.press("1")
	d.q.Key(stroked("down"), d.now)
	if o := d.q.Key(stroked("enter"), d.now.Add(time.Millisecond)); o.Answer != nil {
		t.Errorf("answered: %+v", o.Answer)
	}
}

// TestWhoAsks: a question of a sub-agent says so, also where nothing is known
// of it.
func TestWhoAsks(t *testing.T) {
	t.Parallel()
	link := session.ElicitationRequested{RequestID: "r1", Mode: session.URLMode, URL: "https://example.com"}
	for _, body := range []session.Body{shell("ls", "ls"), session.UserInputRequested{RequestID: "r1"}, link} {
		q := NewQueue()
		q.Apply(session.Event{Agent: "a1", Body: body}, start)
		if got := strings.Join(q.View(80, 30, theme.Plain()), "\n"); !strings.Contains(got, "sub-agent") {
			t.Errorf("%T:\n%s", body, got)
		}
	}
}

// TestOddQuestions: a form whose texts hide something says so before it is
// sent, and also takes Enter.
func TestOddQuestions(t *testing.T) {
	t.Parallel()
	const hidden = "a\u202eb"
	for name, r := range map[string]session.ElicitationRequested{
		"message":     {Message: hidden, RequestedSchema: []byte(`{"properties":{"a":{"type":"string"}}}`)},
		"server":      {ElicitationSource: hidden, RequestedSchema: []byte(`{"properties":{"a":{"type":"string"}}}`)},
		"title":       {RequestedSchema: []byte(`{"properties":{"a":{"type":"string","title":"a\u202eb"}}}`)},
		"name":        {RequestedSchema: []byte(`{"properties":{"a\u202eb":{"type":"string"}}}`)},
		"description": {RequestedSchema: []byte(`{"properties":{"a":{"type":"string","description":"\u001b[2J"}}}`)},
		"choice":      {RequestedSchema: []byte(`{"properties":{"a":{"type":"string"},"b":{"enum":["x","\u200b"]}}}`)},
	} {
		r.RequestID = "r1"
		d := newDesk(t)
		d.ready(r)
		d.press("tab")
		d.typed("x")
		d.press("enter", "tab", "tab")
		d.settle()
		if !strings.Contains(d.text(), "hidden or control") {
			t.Errorf("%s: nothing is said\n%s", name, d.text())
		}
		d.press("y")
		d.none()
		d.press("enter")
		d.answer()
	}
}

// TestOnlyYes: what asks to type yes takes nothing else, and nothing more.
func TestOnlyYes(t *testing.T) {
	t.Parallel()
	address := session.PermissionRequested{RequestID: "r1", PermissionRequest: session.PermissionRequest{PermissionDetails: session.PermissionDetails{Kind: "url", URL: "https://a.example/"}}}
	for name, c := range map[string]struct {
		body session.Body
		key  string
	}{
		"plan, unread":       {longQuestions()["plan"], "3"},
		"permission, unread": {longQuestions()["shell"], "u"},
		"for good":           {address, "P"},
	} {
		for _, word := range []string{"y", "ye", "yess", "no", "Yes", "yes no", ""} {
			d := newDesk(t)
			d.ready(c.body)
			d.press(c.key)
			d.typed(word)
			d.press("enter", "enter")
			if len(d.answers) > 0 {
				t.Errorf("%s: %q answered %v", name, word, d.answers)
			}
		}
		d := newDesk(t)
		d.ready(c.body)
		d.press(c.key)
		d.typed("yes")
		d.press("enter")
		d.answer()
	}
}

// TestLongNames: a name that does not fit into the title is shown whole below
// it, and must be read.
func TestLongNames(t *testing.T) {
	t.Parallel()
	name := "git" + strings.Repeat("x", 100) + "hub"
	for what, body := range map[string]session.Body{
		"sign-in": session.McpOAuthRequired{RequestID: "r1", ServerName: name, ServerURL: "https://a.example"},
		"link":    session.ElicitationRequested{RequestID: "r1", ElicitationSource: name, Mode: session.URLMode, URL: "https://a.example"},
		"form":    session.ElicitationRequested{RequestID: "r1", ElicitationSource: name, RequestedSchema: []byte(`{"properties":{"a":{}}}`)},
		"accept":  session.ElicitationRequested{RequestID: "r1", ElicitationSource: name, RequestedSchema: []byte(`{"type":"object"}`)},
	} {
		d := newDesk(t)
		d.ready(body)
		if text := strings.NewReplacer("│", "", " ", "", "\n", "").Replace(d.text()); !strings.Contains(text, name) {
			t.Errorf("%s:\n%s", what, d.text())
		}
	}
}

// TestComeBackTo: what was written in a form before the user left it is shown
// for review before it is sent.
func TestComeBackTo(t *testing.T) {
	t.Parallel()
	for name, leave := range map[string]func(d *desk){
		"laid aside": func(d *desk) { d.press("ctrl+c"); d.q.Focus(d.now); d.draw() },
		"another":    func(d *desk) { d.press("tab"); d.settle(); d.press("["); d.settle(); d.press("]") },
	} {
		d := newDesk(t)
		d.ready(session.ElicitationRequested{RequestID: "r1", RequestedSchema: []byte(`{"properties":{"a":{"type":"string"}}}`)})
		d.apply(session.UserInputRequested{RequestID: "r2", Question: "Which?", Choices: []string{"a", "b"}})
		d.press("tab")
		d.typed("delete all")
		d.wait(time.Second)
		leave(d)
		d.settle()
		d.press("tab", "enter")
		if len(d.answers) > 0 {
			t.Errorf("%s: answered %v", name, d.answers)
			continue
		}
		d.settle()
		d.press("y")
		d.answer()
	}
}

// TestTakenAway: taking something away from what was proposed, or came back from
// another form, is no answer that goes out unread.
func TestTakenAway(t *testing.T) {
	t.Parallel()
	for name, schema := range map[string]string{
		"default": `{"properties":{"a":{"type":"string","default":"delete all"}}}`,
		"written": `{"properties":{"a":{"type":"string"}}}`,
		"choice":  `{"properties":{"a":{"type":"boolean","default":true}}}`,
	} {
		d := newDesk(t)
		r := session.ElicitationRequested{RequestID: "r1", RequestedSchema: []byte(schema)}
		if name == "written" {
			d.ready(r)
			d.press("tab")
			d.typed("delete all")
			d.apply(session.ElicitationCompleted{RequestID: "r1"})
			r.RequestID = "r2"
		}
		d.ready(r)
		d.press("tab", "backspace", "enter")
		d.none()
		d.settle()
		d.press("y")
		d.answer()
	}
}
