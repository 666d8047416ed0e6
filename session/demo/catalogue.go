package demo

import (
	"bytes"
	_ "embed"
	"fmt"
	"strings"
	"sync"
	"time"

	"github.com/go-json-experiment/json"

	"parley/session"
)

// catalogue is what the demo pretends to have. It is data: catalogue.json and
// past.jsonl.
type catalogue struct {
	Files       map[string]string // of a scratch folder at first
	Plan        string            // that it would carry out
	Models      []model           // the first is that of a session that asks for none
	Agents      []session.CustomAgent
	Skills      []session.Skill
	Servers     []session.McpServer
	ServerTools map[string][]session.McpTool
	Commands    []session.SlashCommand
	Results     map[string]session.SlashResult // of commands, with the words after them
	Issues      []session.Completion
}

// model is a model that the demo pretends to offer. Models differ in nothing but
// their pace.
type model struct {
	session.Model
	Cost float64 // of a prompt, in pretended requests
}

// The models of the demo that tests and flags name.
const (
	Fast = "demo-fast"
	Slow = "demo-slow"
)

// slowness is how many times the pace of the others that of Slow takes.
const slowness = 4

var (
	//go:embed catalogue.json
	catalogueJSON []byte
	//go:embed past.jsonl
	pastLog []byte
)

// pretended is the catalogue, read once. It is not changed.
var pretended = sync.OnceValue(func() *catalogue {
	c := new(catalogue)
	if err := json.Unmarshal(catalogueJSON, c, json.RejectUnknownMembers(true)); err != nil {
		panic(err) // it is part of this package
	}
	return c
})

// modelOf is the model of that id that can be chosen.
func modelOf(id string) (model, error) {
	var names []string
	for _, m := range pretended().Models {
		switch {
		case m.ID == id && m.Disabled == "":
			return m, nil
		case m.ID == id:
			return model{}, fmt.Errorf("%s cannot be chosen: %s", id, m.Disabled)
		case m.Disabled == "":
			names = append(names, m.ID)
		}
	}
	return model{}, fmt.Errorf("the demo has no model %q; its models are %s", id, strings.Join(names, ", "))
}

// modelOr is the model of that id, or the first if there is no such model.
func modelOr(id string) model {
	if m, err := modelOf(id); err == nil {
		return m
	}
	return pretended().Models[0]
}

// pastTime is when the pretended sessions of past.jsonl were written down.
var pastTime = time.Date(2026, time.November, 21, 12, 0, 0, 0, time.UTC)

// pastSessions are the sessions that the demo pretends to have had, as of now. In
// past.jsonl the events of each follow a line that describes it. Their ids are the
// same in every run.
func pastSessions(now time.Time) []sessionData {
	shift := now.Sub(pastTime)
	var all []sessionData
	for line := range bytes.Lines(pastLog) {
		if ev := session.Decode(line); ev.Kind() != "" {
			ev.Time = ev.Time.Add(shift)
			r := &all[len(all)-1]
			if b, ok := ev.Body.(session.SessionStart); ok {
				b.StartTime = r.Started.Format(time.RFC3339Nano)
				ev.Body = b
			}
			r.events = append(r.events, ev)
			continue
		}
		var described struct {
			session.Stored
			Edits []edit
		}
		if err := json.Unmarshal(line, &described); err != nil {
			panic(err) // it is part of this package
		}
		r := sessionData{Stored: described.Stored, named: true, edits: described.Edits}
		r.Started, r.Used = r.Started.Add(shift), r.Used.Add(shift)
		all = append(all, r)
	}
	return all
}
