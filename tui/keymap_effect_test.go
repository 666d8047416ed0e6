package tui

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"parley/session"
	"parley/settings"
	"parley/tui/conversation"
	"parley/tui/keymap"
	"parley/tui/navigation"
	"parley/tui/panel"
	"parley/tui/picker"
	"parley/tui/viewer"
	"parley/tui/widget"
)

// played is a scenario with a user's keys, after what the session says in a
// file of scenarios.
func played(t *testing.T, bindings map[string][]string, file string) *scenario {
	t.Helper()
	sc := newScenario(t, func(c *Config) { c.Keys.Bindings = bindings })
	sc.size(100, 30)
	if file == "" {
		return sc
	}
	data, err := os.ReadFile("../testdata/scenarios/" + file)
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.SplitSeq(string(data), "\n") {
		if verb, rest, _ := strings.Cut(line, " "); verb == "event" {
			sc.step(verb, rest)
		}
	}
	sc.wait(time.Second)
	sc.s.calls = nil
	return sc
}

// stages lead to where the keys of an action mean something: by the action, its
// row, or its context. None of them presses a key of the table.
func stages() map[string]func(t *testing.T, bindings map[string][]string) *scenario {
	return map[string]func(t *testing.T, bindings map[string][]string) *scenario{
		keymap.InComposer: func(t *testing.T, b map[string][]string) *scenario {
			t.Helper()
			sc := played(t, b, "")
			e := sc.m.win.Front.Composer.Editor
			e.Insert("one two three four")
			e.SetOffset(len("one two"))
			e.Update(keymap.Stroke("alt+d"))
			e.Update(keymap.Stroke("ctrl+e"))
			e.Update(keymap.Stroke("ctrl+w"))
			e.SetOffset(len("one t"))
			return sc
		},
		"yank.earlier": func(t *testing.T, b map[string][]string) *scenario {
			t.Helper()
			sc := stages()[keymap.InComposer](t, b)
			sc.m.win.Front.Composer.Update(keymap.Stroke("ctrl+y"))
			return sc
		},
		"undo.redo": func(t *testing.T, b map[string][]string) *scenario {
			t.Helper()
			sc := stages()[keymap.InComposer](t, b)
			sc.m.win.Front.Composer.Update(keymap.Stroke("ctrl+_"))
			return sc
		},
		"recall": func(t *testing.T, b map[string][]string) *scenario {
			t.Helper()
			return recalling(t, b, 1)
		},
		"recall.later": func(t *testing.T, b map[string][]string) *scenario {
			t.Helper()
			return recalling(t, b, 2)
		},
		keymap.InList: func(t *testing.T, b map[string][]string) *scenario {
			t.Helper()
			sc := played(t, b, "")
			p := &picker.Picker{Title: "Rows", Pick: conversation.Doing(func(r widget.Row) tea.Cmd { sc.s.note("picked %s", r.Value); return nil })}
			for i := range 40 {
				p.Rows = append(p.Rows, widget.Row{Value: fmt.Sprint(i), Label: fmt.Sprint("row ", i)})
			}
			actions, _ := keymap.Actions(settings.Keys{})
			for _, a := range actions {
				of, _, _ := strings.Cut(a.Name, ".")
				if a.Context == keymap.InList && !slices.Contains([]string{"list-move", "list-letters", "list-page", "list-filter", "list-choose", "list-close"}, of) {
					p.More = append(p.More, picker.Key{Action: a.Name, Do: conversation.Doing(func(widget.Row) tea.Cmd {
						sc.s.note("ran %s", a.Name)
						return nil
					})})
				}
			}
			sc.m.win.Front.Pick(p, "20")
			return sc
		},
		keymap.InBlock: func(t *testing.T, b map[string][]string) *scenario {
			t.Helper()
			sc := played(t, b, "blocks.txt")
			sc.m.win.Front.Nav.Browse()
			sc.m.win.Front.Nav.Step(false)
			return sc
		},
		"block-links": func(t *testing.T, b map[string][]string) *scenario {
			t.Helper()
			sc := played(t, b, "")
			sc.say(session.Event{Body: session.AssistantMessage{MessageID: "m", Content: "See https://example.com/x."}})
			sc.m.win.Front.Nav.Browse()
			return sc
		},
		"block-save": func(t *testing.T, b map[string][]string) *scenario {
			t.Helper()
			sc := played(t, b, "")
			sc.say(session.Event{Body: session.ToolExecutionStart{ToolCallID: "c", ToolName: "beep"}})
			sc.say(session.Event{Body: session.ToolExecutionComplete{ToolCallID: "c", Success: true, Result: &session.ToolResult{
				Contents: []session.ContentBlock{{Type: "audio", MIMEType: "audio/wav", Data: "UklGRg=="}},
			}}})
			sc.m.win.Front.Info.Dir = "/there is no such folder"
			sc.m.win.Front.Nav.Browse()
			return sc
		},
		"block-fold":   onFailure,
		"block-open":   onFailure,
		"block-prompt": onFailure,
		"block-prompt.after": func(t *testing.T, b map[string][]string) *scenario {
			t.Helper()
			sc := played(t, b, "context.txt")
			sc.m.win.Front.Nav.Browse()
			sc.m.win.Front.Nav.StepPrompt(false)
			sc.m.win.Front.Nav.StepPrompt(false)
			return sc
		},
		"block-ends.last": onFailure,
		"block-search.next": func(t *testing.T, b map[string][]string) *scenario {
			t.Helper()
			sc := searchingFor(t, b)
			sc.m.win.Front.Nav.CloseSearch(true)
			return sc
		},
		"block-search.before": func(t *testing.T, b map[string][]string) *scenario {
			t.Helper()
			return stages()["block-search.next"](t, b)
		},
		keymap.InSearch: searchingIn,
		"search-page.down": func(t *testing.T, b map[string][]string) *scenario {
			t.Helper()
			sc := searchingIn(t, b)
			sc.m.win.Front.Pane.Home()
			return sc
		},
		keymap.InViewer: func(t *testing.T, b map[string][]string) *scenario {
			t.Helper()
			sc := newScenario(t, func(c *Config) { c.Keys.Bindings = b })
			sc.size(60, 14)
			for n := range 3 {
				sc.editFile(n, 60)
			}
			sc.run(sc.m.win.Front.Commands.Run("diff", ""))
			sc.screen()
			sc.press("view-edit.older")
			for range 30 {
				sc.press("view-line.after")
			}
			return sc
		},
		"view-split": func(t *testing.T, b map[string][]string) *scenario {
			t.Helper()
			sc := stages()["view-change"](t, b)
			sc.size(100, 14)
			return sc
		},
		"view-change": func(t *testing.T, b map[string][]string) *scenario {
			t.Helper()
			sc := newScenario(t, func(c *Config) { c.Keys.Bindings = b })
			hunk := "@@ -%[1]d,1 +%[1]d,1 @@\n-old %[1]d\n+new %[1]d\n"
			sc.say(
				session.Event{Body: session.ToolExecutionStart{ToolCallID: "e", ToolName: "edit"}},
				session.Event{Body: session.ToolExecutionComplete{ToolCallID: "e", Success: true, Result: &session.ToolResult{
					Content: "done", DetailedContent: "diff --git a/f b/f\n--- a/f\n+++ b/f\n" +
						fmt.Sprintf(hunk, 1) + fmt.Sprintf(hunk, 50) + fmt.Sprintf(hunk, 99),
				}}},
			)
			sc.run(sc.m.win.Front.Commands.Run("diff", ""))
			sc.screen()
			for range 2 {
				sc.press("view-line.after")
			}
			return sc
		},
		"view-wrap": func(t *testing.T, b map[string][]string) *scenario {
			t.Helper()
			sc := stages()[keymap.InViewer](t, b)
			sc.press("view-wrap.right")
			return sc
		},
		keymap.InContext: func(t *testing.T, b map[string][]string) *scenario {
			t.Helper()
			sc := played(t, b, "context.txt")
			sc.size(80, 12)
			sc.run(sc.m.win.Front.Commands.Run("context", ""))
			sc.screen()
			sc.m.win.Front.Reports.Inspecting().Act("context-message.after")
			sc.m.win.Front.Reports.Inspecting().Act("context-message.after")
			return sc
		},
		"context-fold.fold": func(t *testing.T, b map[string][]string) *scenario {
			t.Helper()
			sc := stages()[keymap.InContext](t, b)
			sc.m.win.Front.Reports.Inspecting().Act("context-fold.turn")
			return sc
		},
		keymap.InDetails: func(t *testing.T, b map[string][]string) *scenario {
			t.Helper()
			sc := played(t, b, "details.txt")
			sc.size(80, 14)
			sc.m.win.Front.Blocks.Do(navigation.DetailsOf(sc.m.win.Front.Timeline.At(1)))
			sc.screen()
			d := conversation.Over[*panel.Panel](sc.m.win).Body
			d.Act("details-search.open")
			d.Typed(press(t, "c"))
			d.Typed(press(t, "enter"))
			d.Act("details-search.next")
			sc.screen()
			return sc
		},
		"details-read": func(t *testing.T, b map[string][]string) *scenario {
			t.Helper()
			sc := stages()[keymap.InDetails](t, b)
			sc.m.win.Front.Blocks.Do(navigation.DetailsOf(sc.m.win.Front.Pane.LastShown()))
			sc.screen()
			sc.m.win.Front.Timeline.Apply(session.Event{ID: "later", Body: session.SessionTitleChanged{Title: "Later"}})
			return sc
		},
		"details-fold.unfold": func(t *testing.T, b map[string][]string) *scenario {
			t.Helper()
			sc := stages()[keymap.InDetails](t, b)
			conversation.Over[*panel.Panel](sc.m.win).Body.Act("details-fold.turn")
			return sc
		},
		keymap.InQuestion:     asked(asking("p", "git push").Body),
		"approve-location":    asked(session.AutoModeSwitchRequested{RequestID: "p"}),
		"approve-permanently": asked(session.PermissionRequested{RequestID: "p", PermissionRequest: session.PermissionRequest{PermissionDetails: session.PermissionDetails{Kind: "url", ToolCallID: "c", URL: "https://example.com/a", CanOfferSessionApproval: true}}}),
		"approve-unseen":      asked(asking("p", strings.Repeat("echo a line of it\n", 80)).Body),
		"choose.take": func(t *testing.T, b map[string][]string) *scenario {
			t.Helper()
			sc := stages()[keymap.InQuestion](t, b)
			sc.calm("down")
			return sc
		},
		"choose.before": func(t *testing.T, b map[string][]string) *scenario {
			t.Helper()
			sc := stages()["choose.take"](t, b)
			sc.calm("down")
			return sc
		},
		"full-view":       asked(asking("p", strings.Repeat("echo a line of it\n", 80)).Body),
		"question-change": asked(changing),
		"question-ends":   asked(asking("p", strings.Repeat("echo a line of it\n", 80)).Body),
		"question-ends.top": func(t *testing.T, b map[string][]string) *scenario {
			t.Helper()
			sc := stages()["question-ends"](t, b)
			sc.calm("end")
			return sc
		},
		"question-find": fullView,
		"question-page": fullView,
		"question-page.up": func(t *testing.T, b map[string][]string) *scenario {
			t.Helper()
			sc := fullView(t, b)
			sc.calm("end")
			return sc
		},
		"question-context": inFile,
		"question-context.less": func(t *testing.T, b map[string][]string) *scenario {
			t.Helper()
			return inFile(t, b).pressed("+")
		},
		"question-plan": asked(session.ExitPlanModeRequested{RequestID: "p", PlanContent: "1. Do it"}),
		"question-plan.changes": func(t *testing.T, b map[string][]string) *scenario {
			t.Helper()
			sc := played(t, b, "")
			lines := strings.Repeat("a line\n\n", 6)
			sc.say(session.Event{Body: session.ExitPlanModeRequested{RequestID: "o", PlanContent: lines}})
			sc.wait(time.Second)
			sc.screen()
			sc.say(session.Event{Body: session.ExitPlanModeCompleted{RequestID: "o"}})
			sc.say(session.Event{Body: session.ExitPlanModeRequested{RequestID: "p", PlanContent: lines + "and one more\n"}})
			return sc.listening()
		},
		"other-question": func(t *testing.T, b map[string][]string) *scenario {
			t.Helper()
			sc := played(t, b, "")
			for _, id := range []string{"p", "q", "r"} {
				sc.say(asking(id, "git push "+id))
			}
			return sc.listening()
		},
		"edit-answer": func(t *testing.T, b map[string][]string) *scenario {
			t.Helper()
			sc := stages()[keymap.InQuestion](t, b)
			sc.calm("n")
			return sc
		},
		keymap.InForm:        asked(form(`{"color":{"enum":["red","green","blue"]},"size":{"enum":["s","m"]},"why":{"type":"string"}}`)),
		"form-step.before":   filling("tab", "tab"),
		"form-choose":        filling("tab"),
		"form-choose.before": filling("tab", "down", "down"),
		"form-choose.take":   filling("tab", "down"),
		"question-copy":      asked(asking("p", "git push").Body),
	}
}

func recalling(t *testing.T, b map[string][]string, back int) *scenario {
	t.Helper()
	sc := played(t, b, "")
	for _, text := range []string{"first", "second", "third"} {
		sc.m.win.Front.Composer.SetText(text)
		sc.run(sc.m.win.Front.Commands.Run("send", ""))
		sc.wait(time.Second)
	}
	if back > 1 {
		for range back {
			sc.run(sc.m.win.Front.Input.RecallKey("up"))
		}
	}
	sc.s.calls = nil
	return sc
}

// onFailure is on a block that is folded, between others.
func onFailure(t *testing.T, b map[string][]string) *scenario {
	t.Helper()
	sc := played(t, b, "blocks.txt")
	sc.m.win.Front.Nav.Browse()
	for range 3 {
		sc.m.win.Front.Nav.Step(false)
	}
	return sc
}

func searchingFor(t *testing.T, b map[string][]string) *scenario {
	t.Helper()
	sc := played(t, b, "blocks.txt")
	sc.run(sc.m.win.Front.Blocks.Do(sc.m.win.Front.Nav.Search("e")))
	sc.wait(time.Second)
	return sc
}

func searchingIn(t *testing.T, b map[string][]string) *scenario {
	t.Helper()
	sc := searchingFor(t, b)
	sc.size(60, 12)
	sc.run(sc.m.win.Front.Blocks.Do(sc.m.win.Front.Nav.NextMatch(true)))
	sc.wait(time.Second)
	return sc
}

// listening waits until the question listens, with the focus on it.
func (sc *scenario) listening() *scenario {
	sc.wait(time.Second)
	sc.m.win.Front.Questions.Focus(sc.at)
	sc.screen()
	sc.wait(time.Second)
	sc.s.calls = nil
	return sc
}

func asked(body session.Body) func(*testing.T, map[string][]string) *scenario {
	return func(t *testing.T, b map[string][]string) *scenario {
		t.Helper()
		t.Helper()
		sc := played(t, b, "")
		sc.say(session.Event{Body: body})
		return sc.listening()
	}
}

// inFile is the question whether a file that is there may be changed.
func inFile(t *testing.T, b map[string][]string) *scenario {
	t.Helper()
	file, err := filepath.Abs("bounds_test.go")
	if err != nil {
		t.Fatal(err)
	}
	return asked(session.PermissionRequested{RequestID: "p", PermissionRequest: session.PermissionRequest{PermissionDetails: session.PermissionDetails{
		Kind: "write", FileName: file, Diff: "--- a" + file + "\n+++ b" + file + "\n@@ -1,1 +1,1 @@\n-package tui_test\n+package other\n",
	}}})(t, b)
}

// fullView is a long question in the whole window.
func fullView(t *testing.T, b map[string][]string) *scenario {
	t.Helper()
	sc := stages()["question-ends"](t, b)
	sc.calm("v")
	return sc
}

// filling is a form in which keys were pressed.
func filling(keys ...string) func(*testing.T, map[string][]string) *scenario {
	return func(t *testing.T, b map[string][]string) *scenario {
		t.Helper()
		t.Helper()
		sc := stages()[keymap.InForm](t, b)
		for _, k := range keys {
			sc.input(keymap.Stroke(k))
			sc.wait(time.Second)
		}
		return sc
	}
}

func stage(a keymap.Action) func(*testing.T, map[string][]string) *scenario {
	row, _, _ := strings.Cut(a.Name, ".")
	for _, name := range []string{a.Name, row, a.Context} {
		if s := stages()[name]; s != nil {
			return s
		}
	}
	return nil
}

// press presses the key of an action.
func (sc *scenario) press(action string) { sc.input(keymap.Stroke(sc.m.win.Keymap.Keys(action)[0])) }

// state is all that keys may change, without what names keys. Mask is a key that
// a card shows, and what it shows by default.
func (sc *scenario) state(mask ...string) string {
	m := sc.m
	sc.input(tea.KeyReleaseMsg{Code: 'q'}) // so that what a stage did is drawn
	lines := sc.screen()
	var b strings.Builder
	e := m.win.Front.Composer.Editor
	line, at := e.CaretLine()
	fmt.Fprintf(&b, "focus %s draft %q %d:%d calls %q quit %t\n", focus(m), e.Text(), line, at, sc.s.calls, sc.quit)
	if p := conversation.Over[*picker.Picker](m.win); p != nil {
		fmt.Fprintf(&b, "picker %s %d of %d, query %t\n", p.Title, p.Chosen, len(p.Rows), p.Query != nil)
	}
	shown := []string{} // of an overlay, without the lines that name keys
	switch area := m.display.View.Layout.Timeline; {
	case conversation.Over[*viewer.Viewer](m.win) != nil:
		shown = lines[1 : m.win.Height-1]
	case conversation.Over[*panel.Panel](m.win) != nil:
		shown = lines[area.Y+3 : area.Y+area.Height]
	}
	text := strings.Join(shown, "\n")
	if len(mask) == 2 {
		text = strings.ReplaceAll(text, mask[0]+" reads it", mask[1]+" reads it")
	}
	fmt.Fprintln(&b, text)
	if found, _ := m.win.Front.Nav.BlockHints(); found != "" {
		fmt.Fprintln(&b, "search", found, m.win.Front.Nav.Searching())
	}
	if m.win.Front.Nav.Searching() {
		bar, _ := m.win.Front.Nav.SearchBar(80)
		fmt.Fprintln(&b, bar)
	}
	fmt.Fprintf(&b, "pane %q %v %t\n", m.win.Front.Pane.Cursor, m.win.Front.Pane.Top, m.win.Front.Pane.Over != nil)
	if conversation.Over[*viewer.Viewer](m.win) == nil && conversation.Over[*panel.Panel](m.win) == nil {
		area := m.display.View.Layout.Timeline
		for _, l := range lines[area.Y : area.Y+area.Height] {
			if !strings.Contains(l, "esc esc stops") { // it moves
				fmt.Fprintln(&b, l)
			}
		}
	}
	if area := m.display.View.Layout.Card; m.win.Front.Questions.Len() > 0 && area.Height > 0 {
		for _, l := range lines[area.Y : area.Y+area.Height-1] {
			if len(mask) == 2 {
				l = strings.Replace(l, " "+mask[0]+"  ", " "+mask[1]+"  ", 1)
				l = strings.Replace(l, "("+mask[0]+", then", "("+mask[1]+", then", 1)
				l = strings.Replace(l, ". "+mask[0]+" shows only that.", ". "+mask[1]+" shows only that. ", 1)
				l = strings.ReplaceAll(l, " ", "")
			}
			fmt.Fprintln(&b, l)
		}
	}
	return b.String()
}

// press is a key alone, and what follows.
func (sc *scenario) pressed(key string) *scenario {
	sc.input(keymap.Stroke(key))
	sc.wait(time.Second)
	return sc
}

// spare is a key that the action can have in addition to those of all others; "" where
// it can have none.
func spare(name string, keep []string) (key string, bindings map[string][]string) {
	for _, key := range []string{"f9", "ctrl+alt+k", "&", "z", "o"} {
		bindings := map[string][]string{name: append(slices.Clone(keep), key)}
		if len(keymap.Check(settings.Keys{Bindings: bindings})) == 0 {
			return key, bindings
		}
	}
	return "", nil
}

// TestEveryActionCanBeRebound gives each action of the table that a part has
// built in another key, and compares what that does with what its own key does.
// Its own keys then do nothing.
func TestEveryActionCanBeRebound(t *testing.T) {
	t.Parallel()
	actions, _ := keymap.Actions(settings.Keys{})
	contexts := map[string]int{}
	for _, a := range actions {
		if !a.BuiltIn || a.Fixed != "" || a.Context == keymap.InSessions || a.Context == keymap.InPreview {
			continue // TestEveryCommandCanBeRebound and the tests of tui/browser have the others
		}
		contexts[a.Context]++
		t.Run(a.Name, func(t *testing.T) {
			t.Parallel()
			rebound(t, a)
		})
	}
	for _, context := range []string{
		keymap.InComposer, keymap.InList, keymap.InBlock, keymap.InSearch, keymap.InViewer, keymap.InContext, keymap.InDetails,
		keymap.InQuestion, keymap.InForm,
	} {
		if contexts[context] == 0 {
			t.Errorf("no action of the context %s was tried", context)
		}
	}
}

func rebound(t *testing.T, a keymap.Action) {
	t.Helper()
	at := stage(a)
	if at == nil {
		t.Fatal("no stage leads to it")
	}
	var keep []string
	if a.Keeps != "" {
		keep = a.Default
	}
	key, bindings := spare(a.Name, keep)
	if key == "" {
		t.Fatal("no other key can be bound to it")
	}
	own := a.Default[len(a.Default)-1]
	before, want := at(t, nil).state(own, own), at(t, nil).pressed(own).state(own, own)
	if before == want {
		t.Fatalf("%s does nothing here:\n%s", own, before)
	}
	if got := at(t, bindings).pressed(key).state(key, own); got != want {
		t.Errorf("%s does not do what %s does:\n%s", key, own, difference(want, got))
	}
	if keep != nil {
		return
	}
	for _, old := range a.Default {
		before := at(t, bindings).state(key, own)
		got := at(t, bindings).pressed(old).state(key, own)
		if a.Context == keymap.InQuestion && len([]rune(old)) == 1 && !at(t, bindings).m.win.Front.Questions.Full() { // it is typed
			sc := at(t, bindings).pressed(old)
			if calls := sc.s.calls; len(calls) > 0 || sc.draft() != old && conversation.Over[*panel.Panel](sc.m.win) == nil {
				t.Errorf("%s is not typed: calls %v, draft %q", old, calls, sc.draft())
			}
			continue
		}
		if (old == "up" || old == "down") && a.Context == keymap.InComposer {
			continue // the editor's, too
		}
		if got != before {
			t.Errorf("%s still does something:\n%s", old, difference(before, got))
		}
	}
}

// TestEveryCommandCanBeRebound gives each command another key, alone and as a
// chord, and sees that this runs it and its own keys do not.
func TestEveryCommandCanBeRebound(t *testing.T) {
	t.Parallel()
	ran := func(bindings map[string][]string, name, keys string) string {
		sc := played(t, bindings, "")
		got := ""
		for id := range sc.m.handlers {
			sc.m.handlers[id] = func(string) tea.Cmd { got += id; return nil }
		}
		for id := range sc.m.win.Front.Commands.Handlers {
			sc.m.win.Front.Commands.Handlers[id] = func(string) tea.Cmd { got += id; return nil }
		}
		if name == "show-plan" {
			sc.m.win.Front.Wanted = []session.Mode{session.Plan}
		}
		for key := range strings.FieldsSeq(keys) {
			sc.input(keymap.Stroke(key))
		}
		return got
	}
	tried := 0
	actions, _ := keymap.Actions(settings.Keys{})
	for _, c := range actions {
		if c.BuiltIn || c.Fixed != "" || c.Name == "leader" {
			continue
		}
		tried++
		var keep []string
		if c.Keeps != "" {
			keep = c.Keys
		}
		for _, key := range []string{"f9", "ctrl+x f9"} {
			bindings := map[string][]string{c.Name: append(slices.Clone(keep), key)}
			if wrong := keymap.Check(settings.Keys{Bindings: bindings}); wrong != nil {
				t.Errorf("%s = %s: %v", c.Name, key, wrong)
				continue
			}
			if got := ran(bindings, c.Name, key); got != c.Name {
				t.Errorf("%s = %s: it runs %q", c.Name, key, got)
			}
			for _, old := range c.Keys {
				if got := ran(nil, c.Name, old); got != c.Name {
					t.Errorf("%s: %s runs %q by default", c.Name, old, got)
				}
				if got := ran(bindings, c.Name, old); keep == nil && got != "" {
					t.Errorf("%s = %s: %s still runs %q", c.Name, key, old, got)
				}
			}
		}
	}
	if tried < 60 {
		t.Errorf("only %d commands were tried", tried)
	}
}
