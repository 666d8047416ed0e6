package prompts

import (
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/go-json-experiment/json/jsontext"

	"parley/session"
)

// asksOwn shows a question of the window's own, and returns where its answers go.
func (d *desk) asksOwn(own OwnQuestion) *[]OwnAnswer {
	d.t.Helper()
	answers := &[]OwnAnswer{}
	own.Answered = func(a OwnAnswer) tea.Cmd {
		*answers = append(*answers, a)
		return nil
	}
	d.q.AskOwn(own, d.now)
	d.draw()
	return answers
}

// docsChange is the question whether a file is to be written.
func docsChange() OwnQuestion {
	return OwnQuestion{
		Title: "Add docs?", Yes: "Yes, write the file", No: "No, leave it as it is",
		Change: &FileChange{Path: "/home/ada/.copilot/mcp-config.json", Before: "{}\n", After: "{\"docs\": 1}\n"},
	}
}

// TestOwnChangeIsDeliberate: only a key that was pressed on a card that could be read writes
// the file; nothing that was typed or pasted before does. Esc is no.
func TestOwnChangeIsDeliberate(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	got := d.asksOwn(docsChange())
	d.key(stroked("y"), 10*ms) // it is not painted yet
	d.take(d.q.Key(tea.PasteMsg{Content: "y"}, d.now), tea.PasteMsg{Content: "y"})
	d.settle()
	d.q.Focus(d.now)
	d.settle()
	d.draw()
	for _, want := range []string{"Add docs?", "~/.copilot/mcp-config.json", `{"docs": 1}`, "esc cancel"} {
		if !strings.Contains(d.text(), want) {
			t.Errorf("no %q:\n%s", want, d.text())
		}
	}
	d.key(stroked("y"), 10*ms) // a burst
	d.key(stroked("y"), 10*ms)
	d.settle()
	if len(*got) != 0 {
		t.Fatalf("answered %+v", *got)
	}
	for key, yes := range map[string]bool{"y": true, "n": false, "esc": false} {
		d := newDesk(t)
		got := d.asksOwn(docsChange())
		d.settle()
		d.press(key)
		if len(*got) != 1 || (*got)[0].Yes != yes || d.q.Len() != 0 || len(d.answers) != 0 {
			t.Errorf("%s: %+v, %d questions left, answers %v", key, *got, d.q.Len(), d.answers)
		}
	}
}

// TestOwnQuestionIsFirst: it stands in front of a question of the agent, which is there again
// when it was answered, and only one of the window's own is.
func TestOwnQuestionIsFirst(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	d.ready(shell("git push"))
	first := d.asksOwn(docsChange())
	got := d.asksOwn(docsChange())
	d.settle()
	if !strings.Contains(d.text(), "Add docs?") || d.q.Len() != 2 {
		t.Fatalf("%d questions:\n%s", d.q.Len(), d.text())
	}
	d.press("y")
	if len(*first) != 0 || len(*got) != 1 || !strings.Contains(d.text(), "git push") {
		t.Errorf("%+v, %+v:\n%s", *first, *got, d.text())
	}
	d.none()
}

// TestOwnForm: the form is sent at its end, values are not shown, and nothing of it is kept.
func TestOwnForm(t *testing.T) {
	t.Parallel()
	own := OwnQuestion{Title: "Add a server", Hidden: "Values", Form: jsontext.Value(`{"required":["name"],"properties":{
		"name":{"type":"string","title":"Name"},"values":{"type":"string","title":"Values"},
		"for":{"title":"For","default":"you","oneOf":[{"const":"you","title":"you"},{"const":"all","title":"all"}]}}}`)}
	d := newDesk(t)
	got := d.asksOwn(own)
	d.settle()
	d.press("enter", "tab", "tab", "enter") // a name is required
	if len(*got) != 0 || !strings.Contains(d.text(), "❯ Name") && !strings.Contains(d.text(), "> Name") {
		t.Fatalf("%+v:\n%s", *got, d.text())
	}
	d.typed("docs")
	d.press("enter")
	d.typed("KEY=swordfish")
	d.press("enter")
	d.typed("B: 2")
	if text := d.text(); strings.Contains(text, "swordfish") || !strings.Contains(text, "KEY=") || strings.Contains(text, "B: 2") {
		t.Errorf("the value is shown:\n%s", text)
	}
	d.press("tab")
	if strings.Contains(d.text(), "swordfish") || !d.q.Written().Empty() {
		t.Errorf("%+v:\n%s", d.q.Written(), d.text())
	}
	d.press("down", "down", "enter")
	if len(*got) != 1 || !(*got)[0].Yes || (*got)[0].Content["values"] != "KEY=swordfish\nB: 2" || (*got)[0].Content["for"] != "all" {
		t.Errorf("%+v", *got)
	}
	got = d.asksOwn(own)
	d.settle()
	d.typed("KEY=swordfish")
	d.press("esc")
	if !strings.Contains(d.text(), "Discard what you wrote") || len(*got) != 0 {
		t.Errorf("%+v:\n%s", *got, d.text())
	}
	d.press("esc")
	if len(*got) != 1 || (*got)[0].Yes || d.q.Len() != 0 || !d.q.Written().Empty() || len(d.q.Unsent())+len(d.q.Dropped()) != 0 {
		t.Errorf("%+v, %d questions, %+v", *got, d.q.Len(), d.q.Written())
	}
	d.asksOwn(own)
	d.settle()
	d.typed("KEY=swordfish")
	d.apply(session.SessionShutdown{})
	if d.q.Len() != 0 || !d.q.Written().Empty() || len(d.q.Unsent())+len(d.q.Dropped()) != 0 {
		t.Errorf("what was written is kept: %+v", d.q.Written())
	}
}
