package tui

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"parley/session"
)

// TestTimelineScrollsBehindQuestions: while a line of a question is written on, and where
// a question has more to read itself, there are keys that scroll the timeline, and nothing
// of them is written or answers.
func TestTimelineScrollsBehindQuestions(t *testing.T) {
	t.Parallel()
	field := func(n int, kind string) session.Body {
		schema := `{"type":"object","properties":{`
		for i := range n {
			schema += fmt.Sprintf(`%q:{"type":"string"%s},`, fmt.Sprintf("f%02d", i), kind)
		}
		return session.ElicitationRequested{RequestID: "q", Message: "Fill it in", RequestedSchema: []byte(strings.TrimSuffix(schema, ",") + "}}")}
	}
	long := strings.Repeat("echo a\n", 80)
	for name, test := range map[string]struct {
		ask  session.Body
		open string // the key that opens its line
		long bool   // it has more to read than fits
	}{
		"field":           {field(1, ""), "tab", false},
		"several fields":  {field(3, ""), "tab", false},
		"a choice":        {field(1, `,"enum":["a","b"]`), "tab", false},
		"many fields":     {field(40, ""), "tab", true},
		"not begun":       {field(1, ""), "", false},
		"question":        {session.UserInputRequested{RequestID: "q", Question: "Which?"}, "", false},
		"refusal":         {asking("q", "ls").Body, "n", false},
		"long refusal":    {asking("q", long).Body, "n", true},
		"long permission": {asking("q", long).Body, "", true},
		"plan":            {session.ExitPlanModeRequested{RequestID: "q", PlanContent: strings.Repeat("- do it\n", 80), Summary: "Do", Actions: []string{"interactive"}}, "n", true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			sc := newScenario(t, nil)
			sc.size(80, 24)
			for i := range 60 {
				sc.step("replay", fmt.Sprintf(`{"type":"user.message","data":{"content":"prompt %d"},"id":"u%d"}`, i, i))
			}
			sc.say(session.Event{ID: "q", Body: test.ask})
			sc.wait(2 * time.Second)
			if test.open != "" {
				sc.calm(test.open)
			}
			top := func() string { return strings.Join(sc.screen()[:3], "\n") }
			pairs := [][2]string{{"alt+pgup", "alt+pgdown"}}
			if !test.long {
				pairs = append(pairs, [2]string{"pgup", "pgdown"}, [2]string{"shift+up", "shift+down"})
			}
			for _, keys := range pairs {
				end := top()
				sc.calm(keys[0])
				if up := top(); up == end {
					t.Errorf("%s does not scroll the timeline:\n%s", keys[0], strings.Join(sc.screen(), "\n"))
				}
				sc.calm(keys[1])
				if top() != end {
					t.Errorf("%s does not scroll it back:\n%s", keys[1], strings.Join(sc.screen(), "\n"))
				}
			}
			sc.calm("alt+up")
			if got := focus(sc.m); got != "browsing" {
				t.Errorf("after alt+up the keys are for %s", got)
			}
			if c := sc.m.win.Front; c.Questions.Len() != 1 || c.Composer.Text() != "" {
				t.Errorf("%d questions wait, and the draft is %q", c.Questions.Len(), c.Composer.Text())
			}
		})
	}
}
