package prompts

import (
	"reflect"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"parley/session"
)

// TestDecisions presses every key of every kind of permission and compares the
// whole answer.
func TestDecisions(t *testing.T) {
	t.Parallel()
	type answer = session.PermissionAnswer
	tool := func(s string) *string { return &s }
	commands := &session.Approval{Kind: "commands", CommandIdentifiers: []string{"git push"}}
	mcp := &session.Approval{Kind: "mcp", ServerName: "jira", ToolName: tool("create")}
	custom := &session.Approval{Kind: "custom-tool", ToolName: tool("get_weather")}
	all := requests()
	for _, tc := range []struct {
		kind string
		keys string
		want answer
	}{
		{"shell", "y", answer{Decision: session.ApproveOnce}},
		{"shell", "1 enter", answer{Decision: session.ApproveOnce}},
		{"shell", "s", answer{Decision: session.ApproveForSession, Approval: commands}},
		{"shell", "2 enter", answer{Decision: session.ApproveForSession, Approval: commands}},
		{"shell", "l enter", answer{Decision: session.ApproveForLocation, Approval: commands}},
		{"shell", "down*2 enter", answer{Decision: session.ApproveForSession, Approval: commands}},
		{"shell", "up*2 enter", answer{Decision: session.ApproveForLocation, Approval: commands}},
		{"shell", "j ctrl+n ctrl+p k j enter", answer{Decision: session.ApproveForSession, Approval: commands}},
		{"shell", "n enter", answer{Decision: session.Reject}},
		{"shell", "4 a b enter", answer{Decision: session.Reject, Feedback: "ab"}},
		{"shell", "n a alt+enter b enter", answer{Decision: session.Reject, Feedback: "a\nb"}},
		{"shell", "n a esc y", answer{Decision: session.ApproveOnce}},
		{"shell", "tab o k enter y", answer{Decision: session.ApproveOnce, Note: "ok"}},
		{"shell", "tab o k tab s", answer{Decision: session.ApproveForSession, Approval: commands, Note: "ok"}},
		{"shell", "tab o k esc n enter", answer{Decision: session.Reject}},
		{"shell", "tab space enter y", answer{Decision: session.ApproveOnce}},
		{"shell_rm", "y enter", answer{Decision: session.ApproveOnce}},
		{"shell_rm", "down enter", answer{Decision: session.ApproveOnce}},
		{"shell_rm", "n x enter", answer{Decision: session.Reject, Feedback: "x"}},
		{"write", "s", answer{Decision: session.ApproveForSession, Approval: &session.Approval{Kind: "write"}}},
		{"read", "s", answer{Decision: session.ApproveForSession, Approval: &session.Approval{Kind: "read"}}},
		{"path", "s", answer{Decision: session.ApproveReadOnlyForSession, Directories: []string{"/etc"}}},
		{"url", "s", answer{Decision: session.ApproveForSession, Domain: "https://pkg.go.dev"}},
		{"url", "P y e s enter", answer{Decision: session.ApprovePermanently, Domain: "https://pkg.go.dev"}},
		{"mcp", "s", answer{Decision: session.ApproveForSession, Approval: mcp}},
		{"mcp", "l enter", answer{Decision: session.ApproveForLocation, Approval: mcp}},
		{"custom", "s", answer{Decision: session.ApproveForSession, Approval: custom}},
		{"memory", "s", answer{Decision: session.ApproveForSession, Approval: &session.Approval{Kind: "memory"}}},
		{"hook", "y", answer{Decision: session.ApproveOnce}},
		{"workflow", "y", answer{Decision: session.ApproveOnce}},
		{"unknown", "y enter", answer{Decision: session.ApproveOnce}},
	} {
		d := newDesk(t)
		d.height = 50
		d.ready(all[tc.kind])
		d.press(strings.Fields(tc.keys)...)
		tc.want.RequestID = "r1"
		if got := d.answer(); !reflect.DeepEqual(got, tc.want) {
			t.Errorf("%s, %s: got %+v, want %+v", tc.kind, tc.keys, got, tc.want)
		}
		if d.q.Len() != 0 || d.screen != nil || !d.q.Wake().IsZero() {
			t.Errorf("%s, %s: not at rest", tc.kind, tc.keys)
		}
	}
}

// TestNotOffered presses keys that must not answer, on cards that listen.
func TestNotOffered(t *testing.T) {
	t.Parallel()
	all := requests()
	once := shell("git push", "git push")
	once.PermissionRequest.CanOfferSessionApproval, once.PromptRequest.CanOfferSessionApproval = false, false
	managed := shell("git push", "git push")
	managed.PermissionRequest.ManagedApprovalRequired = true
	written := shell("cat x", "cat")
	written.PromptRequest = &session.PromptRequest{PermissionDetails: session.PermissionDetails{Kind: "path"}, AccessKind: "write", Paths: []string{"/x"}}
	for _, tc := range []struct {
		name string
		body session.Body
		keys string
	}{
		{"nothing chosen", all["shell"], "enter"},
		{"left", all["shell"], "down esc enter"},
		{"closed", all["shell"], "down ctrl+c enter"},
		{"capital", all["shell"], "Y"},
		{"for good", all["shell"], "P"},
		{"one key on danger", all["shell_rm"], "y"},
		{"scope on danger", all["shell_rm"], "s l P"},
		{"danger, moved away", all["shell_rm"], "y down esc"},
		{"no scope offered", once, "s"},
		{"managed", managed, "s"},
		{"write path", written, "s"},
		{"conflict", all["shell_conflict"], "s"},
		{"not yes", all["url"], "P y e enter"},
		{"nothing typed", all["url"], "P enter"},
		{"note", all["shell"], "tab y enter"},
		{"note left backwards", all["shell"], "tab y shift+tab"},
		{"backspace", all["shell"], "backspace"},
		{"no such digit", all["shell"], "5"},
		{"question without words", all["question_free"], "tab enter"},
		{"closed question", all["question_closed"], "tab a enter"},
	} {
		d := newDesk(t)
		d.ready(tc.body)
		d.press(strings.Fields(tc.keys)...)
		d.none()
		if d.q.Len() != 1 {
			t.Errorf("%s: the card is gone", tc.name)
		}
	}
}

// TestReadFirst: approving is off until the whole payload was on the screen;
// refusing is not.
func TestReadFirst(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		keys string
		want bool
	}{
		{"y", false},
		{"down*2 enter", false},
		{"pgdown y", false},
		{"pgdown*4 y", true},
		{"end y", true}, // however one gets there
		{"end home y", true},
		{"end home pgdown*4 y", true},
		{"n enter", true},
	} {
		d := newDesk(t)
		d.height = 24
		d.ready(shell(strings.Repeat("line\n", 40)+"end", "cat"))
		d.press(strings.Fields(tc.keys)...)
		if got := len(d.answers) == 1; got != tc.want {
			t.Errorf("%s: answered %v\n%s", tc.keys, d.answers, d.text())
		}
	}
	d := newDesk(t)
	d.ready(shell(strings.Repeat("line\n", 40)+"end", "cat"))
	d.press("v")
	if !d.q.Full() {
		t.Error("v asks for no room")
	}
	d.height = 60
	d.draw()
	d.wait(time.Second)
	d.press("y")
	d.answer()
}

func TestQuestion(t *testing.T) {
	t.Parallel()
	all := requests()
	for _, tc := range []struct {
		kind, keys string
		want       session.UserInputAnswer
	}{
		{"question", "1", session.UserInputAnswer{Text: "red"}},
		{"question", "3", session.UserInputAnswer{Text: "green"}},
		{"question", "down*3 enter", session.UserInputAnswer{Text: "green"}},
		{"question", "tab b l u e enter", session.UserInputAnswer{Text: "blue", Freeform: true}},
		{"question", "4 r e d enter", session.UserInputAnswer{Text: "red", Freeform: true}},
		{"question", "up enter x enter", session.UserInputAnswer{Text: "x", Freeform: true}},
		{"question", "tab x esc tab y enter", session.UserInputAnswer{Text: "xy", Freeform: true}},
		{"question", "tab x tab 1", session.UserInputAnswer{Text: "red"}},
		{"question_free", "tab a ctrl+j b enter", session.UserInputAnswer{Text: "a\nb", Freeform: true}},
		{"question_free", `tab a \ enter b enter`, session.UserInputAnswer{Text: "a\nb", Freeform: true}},
		{"question_closed", "2", session.UserInputAnswer{Text: "no"}},
	} {
		d := newDesk(t)
		d.ready(all[tc.kind])
		d.press(strings.Fields(tc.keys)...)
		tc.want.RequestID = "r1"
		if got := d.answer(); got != tc.want {
			t.Errorf("%s, %s: got %+v, want %+v", tc.kind, tc.keys, got, tc.want)
		}
	}
}

// TestOwnWords: the field of a question without choices is open once the card
// listens, and takes what is typed. What is typed for the draft stays there.
func TestOwnWords(t *testing.T) {
	t.Parallel()
	ask := requests()["question_free"]
	caret := func(d *desk) bool {
		_, _, ok := d.q.Cursor()
		return ok
	}
	t.Run("answered", func(t *testing.T) {
		t.Parallel()
		d := newDesk(t)
		d.apply(ask)
		if caret(d) || !strings.Contains(d.text(), "Your answer:") {
			t.Errorf("before it listens:\n%s", d.text())
		}
		lines := len(d.screen)
		d.settle()
		if !caret(d) || len(d.screen) != lines || !strings.Contains(d.text(), "enter answer") {
			t.Errorf("the field is not open:\n%s", d.text())
		}
		d.typed("1 yes")
		d.key(stroked("shift+enter"), 80*time.Millisecond)
		d.typed("no[")
		d.press("enter")
		if got := d.answer(); got != (session.UserInputAnswer{RequestID: "r1", Text: "1 yes\nno[", Freeform: true}) || d.draft.Len() > 0 {
			t.Errorf("got %+v, draft %q", got, d.draft.String())
		}
	})
	t.Run("pasted", func(t *testing.T) {
		t.Parallel()
		d := newDesk(t)
		d.ready(ask)
		d.key(tea.PasteMsg{Content: "two\nlines"}, time.Second)
		d.press("enter")
		if got := d.answer(); got != (session.UserInputAnswer{RequestID: "r1", Text: "two\nlines", Freeform: true}) {
			t.Errorf("got %+v", got)
		}
	})
	t.Run("in the middle of a word", func(t *testing.T) {
		t.Parallel()
		d := newDesk(t)
		d.typed("hel")
		d.apply(ask)
		d.typed("lo")
		d.settle()
		d.typed(" you")
		d.press("enter")
		d.none()
		if d.draft.String() != "hello you" || caret(d) {
			t.Errorf("draft %q:\n%s", d.draft.String(), d.text())
		}
		d.draft.Reset() // it was sent: the question has the focus after the quiet time
		d.q.Draft(true)
		d.wait(200 * time.Millisecond)
		d.typed("x")
		if d.draft.String() != "x" {
			t.Errorf("draft %q:\n%s", d.draft.String(), d.text())
		}
		d.draft.Reset()
		d.q.Draft(true)
		d.settle()
		d.typed("because")
		d.press("enter")
		if got := d.answer().(session.UserInputAnswer).Text; got != "because" || d.draft.Len() > 0 {
			t.Errorf("answered %q, draft %q", got, d.draft.String())
		}
	})
	for name, during := range map[string]func(d *desk){
		"typing as it comes": func(*desk) {},
		"typing before it is confirmed": func(d *desk) {
			d.wait(300 * time.Millisecond)
		},
		"typing a moment early": func(d *desk) {
			d.wait(20 * time.Millisecond)
			d.paint()
			d.wait(399 * time.Millisecond)
		},
		"typing after a resize": func(d *desk) {
			d.settle()
			d.q.Resize(d.now)
			d.draw()
		},
		"typing as the window comes back": func(d *desk) {
			d.settle()
			d.q.WindowFocus(false, d.now)
			d.wait(time.Minute)
			d.q.WindowFocus(true, d.now)
			d.draw()
		},
		"pasting as it comes": func(d *desk) { d.key(tea.PasteMsg{Content: "p"}, 80*time.Millisecond) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := newDesk(t)
			d.apply(ask)
			during(d)
			before := d.draft.String()
			d.typed("words")
			d.press("enter")
			d.none()
			if d.draft.String() != before+"words" || caret(d) {
				t.Errorf("draft %q:\n%s", d.draft.String(), d.text())
			}
		})
	}
}

// TestOwnWordsAfterTab: a word and Enter that are typed in one go do not answer,
// although the user went to the open field by a key.
func TestOwnWordsAfterTab(t *testing.T) {
	t.Parallel()
	for name, goes := range map[string]func(d *desk){
		"tab":   func(d *desk) { d.press("tab") },
		"focus": func(d *desk) { d.q.Blur(d.now); d.q.Focus(d.now); d.draw(); d.settle() },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := newDesk(t)
			d.ready(requests()["question_free"])
			goes(d)
			for _, key := range []string{"y", "e", "s", "enter"} {
				d.key(stroked(key), 90*time.Millisecond)
			}
			d.none()
			d.wait(time.Second)
			d.press("enter")
			if got := d.answer().(session.UserInputAnswer).Text; got != "yes" {
				t.Errorf("answered %q", got)
			}
		})
	}
}

// TestOwnWordsBegun: a field that was written on before opens when the user goes
// there.
func TestOwnWordsBegun(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	d.ready(requests()["question_free"])
	d.typed("Ada")
	d = d.crash()
	d.ready(requests()["question_free"])
	if _, _, ok := d.q.Cursor(); ok || !strings.Contains(d.text(), "Your answer: (unfinished)") {
		t.Errorf("it is open, or not there:\n%s", d.text())
	}
	d.press("enter", "enter")
	d.none()
	if !strings.Contains(d.text(), "tab to continue your answer") {
		t.Errorf("it does not say how to continue:\n%s", d.text())
	}
	d.press("tab")
	d.typed("!")
	d.press("enter")
	if got := d.answer().(session.UserInputAnswer).Text; got != "Ada!" {
		t.Errorf("answered %q", got)
	}
}

// TestOwnWordsFit: at any size a field that is open can be seen.
func TestOwnWordsFit(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	d.ready(session.UserInputRequested{RequestID: "r1", Question: strings.Repeat("Why is that so? ", 20)})
	for d.width = leastWidth; d.width < 90; d.width += 3 {
		for d.height = leastHeight; d.height < 30; d.height++ {
			d.draw()
			d.settle()
			if _, y, ok := d.q.Cursor(); !ok || y >= len(d.screen)-1 || !strings.Contains(d.screen[y], "▏") {
				t.Errorf("%dx%d: the caret is at %d, %t:\n%s", d.width, d.height, y, ok, d.text())
			}
		}
	}
}

// TestOwnWordsOfSeveral: an open field with nothing in it lets the user look at
// the other questions, and read a long one.
func TestOwnWordsOfSeveral(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	long := session.UserInputRequested{RequestID: "r1", Question: "first" + strings.Repeat("\nline", 60) + "\nlast"}
	d.ready(long)
	for _, key := range []string{"pgdown", "pgdown", "pgdown", "pgdown", "pgdown"} {
		d.press(key)
	}
	if !strings.Contains(d.text(), " last ") {
		t.Errorf("the end is not in view:\n%s", d.text())
	}
	two := requests()["question_free"].(session.UserInputRequested)
	two.RequestID = "r2"
	d.apply(two)
	d.press("]")
	if !strings.Contains(d.text(), two.Question) {
		t.Errorf("the other is not in view:\n%s", d.text())
	}
	d.settle()
	d.typed("Ada [1]")
	d.press("enter")
	if got := d.answer(); got != (session.UserInputAnswer{RequestID: "r2", Text: "Ada [1]", Freeform: true}) {
		t.Errorf("answered %+v", got)
	}
}

// TestAnswerSurvives: what was written is there again after the card was left,
// and a paste is exact.
func TestAnswerSurvives(t *testing.T) {
	t.Parallel()
	pasted := "tab\there\r\nand \u202e a \x1b[31mcolour"
	d := newDesk(t)
	d.ready(requests()["question_free"])
	d.press("tab")
	d.key(tea.PasteMsg{Content: pasted}, time.Second)
	d.press("esc")
	if d.q.Focused() {
		t.Fatal("esc does not leave the card")
	}
	d.typed("a draft")
	d.q.Focus(d.now)
	d.draw()
	d.wait(time.Second)
	if _, _, ok := d.q.Cursor(); !ok {
		t.Fatalf("the focus key does not open the line:\n%s", d.text())
	}
	d.press("enter")
	if got := d.answer(); got.(session.UserInputAnswer).Text != pasted {
		t.Errorf("got %q", got)
	}
	if d.draft.String() != "a draft" {
		t.Errorf("draft %q", d.draft.String())
	}
}

func TestManyChoices(t *testing.T) {
	t.Parallel()
	var choices []string
	for i := range 30 {
		choices = append(choices, strings.Repeat("x", i+1))
	}
	d := newDesk(t)
	d.height = 16
	d.ready(session.UserInputRequested{RequestID: "r1", Question: "Which?", Choices: choices})
	for range 25 {
		d.press("down")
	}
	if !strings.Contains(d.text(), "❯    "+choices[24]+" ") {
		t.Fatalf("the chosen row is not in sight:\n%s", d.text())
	}
	d.press("1") // not in sight: it is shown, not answered with
	d.none()
	if !strings.Contains(d.text(), "❯ 1  x ") {
		t.Fatalf("the row is not in sight:\n%s", d.text())
	}
	d.press("1")
	d.answer()
}

func TestTrust(t *testing.T) {
	t.Parallel()
	hidden := session.FolderTrustRequested{RequestID: "r1", Folder: "/x", Loads: []session.FolderContents{{Path: "a\u200bb", What: "x"}}}
	for _, tc := range []struct {
		body session.Body
		keys string
		want session.FolderTrustAnswer
	}{
		{requests()["trust"], "y enter", session.FolderTrustAnswer{Trusted: true}},
		{requests()["trust"], "l enter", session.FolderTrustAnswer{Trusted: true, Remember: true}},
		{requests()["trust"], "n enter", session.FolderTrustAnswer{}},
		{hidden, "l y enter", session.FolderTrustAnswer{Trusted: true}},
		{hidden, "n enter", session.FolderTrustAnswer{}},
	} {
		d := newDesk(t)
		d.ready(tc.body)
		if strings.Contains(tc.keys, "l y") { // not offered: it belongs to the draft
			d.press("l")
			d.none()
			d.q.Focus(d.now)
			d.draw()
			d.wait(time.Second)
			tc.keys = "y enter"
		}
		d.press(strings.Fields(tc.keys)...)
		tc.want.RequestID = "r1"
		if got := d.answer(); got != tc.want {
			t.Errorf("%s: got %+v, want %+v", tc.keys, got, tc.want)
		}
	}
}

// TestConfirmation: accepting takes its key, and Enter too where the text hides
// something; every other end is none.
func TestConfirmation(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		kind, keys string
		accepted   bool
	}{
		{"confirmation", "y", true},
		{"confirmation", "1 enter", true},
		{"confirmation", "n", false},
		{"confirmation", "down enter", true},
		{"confirmation_odd", "y enter", true},
		{"confirmation_odd", "n", false},
	} {
		d := newDesk(t)
		d.ready(requests()[tc.kind])
		d.press(strings.Fields(tc.keys)...)
		if got, want := d.answer(), (session.ConfirmationAnswer{RequestID: "r1", Accepted: tc.accepted}); got != want {
			t.Errorf("%s, %s: got %+v, want %+v", tc.kind, tc.keys, got, want)
		}
	}
	d := newDesk(t)
	d.ready(requests()["confirmation"])
	if strings.Contains(d.text(), "id-123") {
		t.Error("the data is shown unasked")
	}
	d.press("?")
	if !strings.Contains(d.text(), `"id": "id-123"`) {
		t.Errorf("the data is not shown:\n%s", d.text())
	}
	d.press("enter", "space", "esc")
	d.none()
}

// TestTyping: a card that comes up while somebody types takes nothing of it.
func TestTyping(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	d.typed("yes, ")
	d.apply(shell("git push", "git push"))
	d.paint()
	d.typed("sy1\n")
	d.wait(2 * time.Second)
	d.typed("y")
	d.wait(time.Second)
	d.none()
	if d.draft.String() != "yes, sy1\ny" {
		t.Errorf("draft %q", d.draft.String())
	}
	if !strings.Contains(d.text(), "keys go to your draft: ctrl+x p to answer") {
		t.Errorf("the card does not say why:\n%s", d.text())
	}
	// The same with an empty draft: typing that begins on a listening card.
	d = newDesk(t)
	d.ready(shell("git push", "git push"))
	d.typed("just say yes")
	d.wait(time.Second)
	d.none()
	if d.draft.String() != "just say yes" || d.q.Focused() {
		t.Errorf("draft %q, focused %v", d.draft.String(), d.q.Focused())
	}
}

// TestNumberNotShownAnswersNothing: the number of a row that shows a letter only chooses
// the row; the card says that Enter does the rest. Where the card shows no letter, or the
// user has none for the row, the number is its key.
func TestNumberNotShownAnswersNothing(t *testing.T) {
	t.Parallel()
	for kind, said := range map[string]string{"write": "enter allows it", "confirmation": "enter allows it", "shell": "enter allows it"} {
		d := newDesk(t)
		d.ready(requests()[kind])
		d.press("1")
		d.wait(time.Second)
		d.none()
		if !strings.Contains(d.text(), "❯ y") || !strings.Contains(d.text(), said) {
			t.Errorf("%s: the card does not say what 1 has chosen:\n%s", kind, d.text())
		}
		d.press("enter")
		d.answer()
	}
	d := newDesk(t)
	d.q.Bind(&Keys{Card: Bindings{Shown: map[string]string{"y": ""}}})
	d.ready(requests()["shell"])
	d.press("1")
	d.answer()
}
