package demo

import (
	"fmt"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/uuid"

	"parley/session"
)

// volume is a session that the demo pretends to have had.
type volume struct {
	title, dir, repository, branch string
	model                          string
	age                            time.Duration // since it was used
	inUse                          bool
	said                           []exchange
}

// exchange is a prompt, its answer, and what was pretended to be changed for
// it.
type exchange struct {
	prompt, answer string
	edits          []edit
}

const day = 24 * time.Hour

// volumes are the pretended sessions.
func volumes() []volume {
	changed := func(path string, added, removed int) edit {
		return edit{path: path, added: added, removed: removed, pretended: true}
	}
	return []volume{
		{"Tide table on one screen", "/demo/tide-clock", "demo/tide-clock", "main", Fast, 2 * time.Hour, false, []exchange{
			{"The tide table needs two screens. Can it be one?", "Yes: the hours can go side by side, six to a row.", nil},
			{"Do that, please.", "Done. The table is 18 lines now, and it was 41.", []edit{
				changed("table.go", 24, 47), changed("table_test.go", 31, 0),
			}},
			{"And the moon?", "The phase of the moon is in the first line now.", []edit{
				changed("table.go", 6, 1), changed("moon.go", 58, 0),
			}},
		}},
		{"Why the parser is slow", "/demo/parser", "demo/parser", "fix/slow-parser", Slow, 26 * time.Hour, false, []exchange{
			{"Parsing 10 MB takes a minute. Find out why.", "It copies what is left of the text for each word. " +
				"A position in the text would do:\n\n```go\ntype parser struct {\n\ttext string\n\tat   int\n}\n```", nil},
			{"Change it.", "Changed: 10 MB take 80 ms.", []edit{changed("parser.go", 38, 52)}},
		}},
		{"Menu in three languages", "/demo/cafe-menu", "demo/cafe-menu", "main", Fast, 3 * day, true, []exchange{
			{"Translate menu.md to Norwegian and Japanese.", "There are `menu.no.md` and `menu.ja.md` (メニュー) now. " +
				"*Brown cheese* stayed what it is.", []edit{changed("menu.no.md", 44, 0), changed("menu.ja.md", 44, 0)}},
		}},
		{"A plan for the winter garden", "/demo/garden", "", "", Slow, 12 * day, false, []exchange{
			{"What grows indoors in December?", "- cress, within a week\n- mint, if it stands near a window\n- patience", nil},
			{"Write that down.", "It is in `december.md`.", []edit{changed("december.md", 5, 0)}},
		}},
		{"Build without the old compiler", "/demo/tide-clock", "demo/tide-clock", "build/no-c", Fast, 40 * day, false, []exchange{
			{"Which files still need the C compiler?", "One: `clock_cgo.go`, for the name of the time zone.", nil},
		}},
	}
}

// shelf is the pretended sessions as they are kept.
func shelf(now time.Time) []*record {
	var all []*record
	for _, v := range volumes() {
		all = append(all, v.record(now.Add(-v.age)))
	}
	return all
}

// minutes is how long an exchange took.
const minutes = 4 * time.Minute

// record is a pretended session that was used last at a time. Its ids are the
// same in every run.
func (v volume) record(used time.Time) *record {
	started := used.Add(-minutes * time.Duration(len(v.said)))
	r := &record{named: true, Stored: session.Stored{
		ID: session.ID(stableID(v.title)), Title: v.title, Started: started, Used: used, Dir: v.dir,
		Repository: v.repository, Branch: v.branch, InUse: v.inUse, Client: client,
	}}
	tell := func(at time.Time, bodies ...session.Body) {
		for _, b := range bodies {
			ev := session.Event{ID: session.EventID(stableID(fmt.Sprint(v.title, len(r.events)))), Time: at, Body: b}
			if n := len(r.events); n > 0 {
				ev.Parent = r.events[n-1].ID
			}
			r.events = append(r.events, ev)
		}
	}
	tell(started, session.SessionStart{
		SessionID: r.ID, Version: 1, Producer: client, StartTime: started.Format(time.RFC3339Nano), SelectedModel: v.model,
		Context: &session.WorkingContext{Cwd: v.dir, Repository: v.repository, Branch: v.branch},
	})
	for i, x := range v.said {
		at, end := started.Add(minutes*time.Duration(i)), used.Add(-minutes*time.Duration(len(v.said)-1-i))
		message, turn := session.MessageID(stableID(x.prompt)), "0"
		tell(at, session.UserMessage{
			Content: x.prompt, MessageID: message, Delivery: session.DeliveredIdle, AgentMode: session.Interactive, TurnID: turn,
		}, session.AssistantTurnStart{TurnID: turn, Model: v.model})
		if len(x.edits) > 0 {
			tell(end.Add(-minutes/2), v.asks(message, x.edits)...)
			for _, e := range x.edits {
				tell(end.Add(-minutes/4), v.edits(e)...)
				e.at = len(r.events)
				r.edits = append(r.edits, e)
			}
			turn = "1"
			tell(end.Add(-minutes/4),
				session.AssistantTurnEnd{TurnID: "0", Model: v.model}, session.AssistantTurnStart{TurnID: turn, Model: v.model})
		}
		tell(end, v.used(0, len(x.answer)), session.AssistantMessage{
			MessageID: session.MessageID(stableID(x.answer)), OriginatingMessageID: message, Model: v.model, TurnID: turn,
			Content: "*A pretended session of the demo.* " + x.answer, OutputTokens: tokens(len(x.answer)),
		}, session.AssistantTurnEnd{TurnID: turn, Model: v.model})
	}
	return r
}

// asks is the message by which the model asks for edits.
func (v volume) asks(prompt session.MessageID, edits []edit) []session.Body {
	m := session.AssistantMessage{
		MessageID: session.MessageID(stableID("edits " + string(prompt))), OriginatingMessageID: prompt, Model: v.model, TurnID: "0",
	}
	length := 0
	for _, e := range edits {
		length += 40 * e.added
		m.ToolRequests = append(m.ToolRequests, session.ToolRequest{
			ToolCallID: v.call(e), Name: "edit", Type: "function", Arguments: v.arguments(e),
		})
	}
	m.OutputTokens = tokens(length)
	return []session.Body{v.used(1, length), m}
}

// edits is one edit: its start and its end, with the diff of it.
func (v volume) edits(e edit) []session.Body {
	path := v.dir + "/" + e.path
	kind, from := "edit", "a/"+e.path
	if e.removed == 0 {
		kind, from = "create", "/dev/null"
	}
	diff := fmt.Sprintf("--- %s\n+++ b/%s\n@@ -%d,%d +1,%d @@\n", from, e.path, min(1, e.removed), e.removed, e.added)
	for i := range e.removed {
		diff += fmt.Sprintf("-pretended line %d\n", i+1)
	}
	for i := range e.added {
		diff += fmt.Sprintf("+pretended line %d, written anew\n", i+1)
	}
	return []session.Body{
		session.ToolExecutionStart{ToolCallID: v.call(e), ToolName: "edit", Arguments: v.arguments(e), TurnID: "0", Model: v.model},
		session.ToolExecutionComplete{
			ToolCallID: v.call(e), Model: v.model, TurnID: "0", Success: true, FileEdits: []session.FileEdit{{Path: path, Kind: kind}},
			Result: &session.ToolResult{Content: "File " + path + " updated with changes.", DetailedContent: diff},
		},
	}
}

func (v volume) call(e edit) session.CallID {
	return session.CallID(stableID(fmt.Sprint(v.title, e.path, e.added, e.removed)))
}

func (v volume) arguments(e edit) jsontext.Value {
	raw, _ := json.Marshal(map[string]string{"path": v.dir + "/" + e.path}) // it is a text
	return raw
}

// used is what a call of the model used that wrote so many letters.
func (v volume) used(cost float64, length int) session.Body {
	return usageRecord(session.AssistantUsage{
		Model: v.model, ModelDisplayName: v.model, InputTokens: 4000 + 3*tokens(length), OutputTokens: tokens(length), Cost: cost,
	})
}

// stableID is the same identifier for the same name.
func stableID(name string) string { return uuid.NewSHA1(uuid.NameSpaceOID, []byte(name)).String() }
