package copilot_test

import (
	"maps"
	"testing"

	"parley/session"
	"parley/session/copilot"
	"parley/session/sessiontest"
	"parley/session/sessiontest/llm"
)

// scenes are all sessions in which the view is held against the requests.
func scenes() map[string]scene {
	all := map[string]scene{}
	for _, some := range []map[string]scene{talks(), workers(), changes(), brought(), resumed()} {
		maps.Copy(all, some)
	}
	return all
}

// scene is a scripted session, played to its end on the real runtime.
type scene func(t *testing.T) *part

// part is a session that is played.
type part struct {
	*bench
	s *copilot.Session
	r *sessiontest.Reader
}

// place is where a scene plays: with one of the models below, or the usual one,
// and in a folder with files that are loaded once it is trusted.
type place struct {
	model string
	files func(b *bench)
}

// talk is a scene with the usual model in an empty folder.
func talk(script llm.Script, play func(p *part)) scene { return place{}.scene(script, play) }

// scene is one on the shared runtime.
func (w place) scene(script llm.Script, play func(p *part)) scene {
	return func(t *testing.T) *part {
		t.Helper()
		t.Parallel()
		b := setup(t, script)
		b.home, b.cfg.URL = "", share(t)
		if w.model != "" {
			b.cfg.Provider = nil
		}
		if w.files != nil {
			w.files(b)
		}
		p := &part{bench: b.start()}
		p.s, p.r = p.open()
		if w.files != nil {
			p.trustFolder(p.s, p.r, false)
		}
		if w.model != "" {
			p.choose(w.model)
		}
		play(p)
		return p
	}
}

// choose takes one of three models of a provider of the user's own: one that
// sees images, one that does not, and one with a small window.
func (p *part) choose(model string) {
	p.Helper()
	p.must(copilot.Call(p.Context(), p.s, "session.provider.add", object{
		"providers": []object{{"name": "acme", "type": "openai", "baseUrl": p.model.URL}},
		"models": []object{
			{"id": "seeing", "provider": "acme", "capabilities": object{"supports": object{"vision": true}}},
			{"id": "blind", "provider": "acme", "capabilities": object{"supports": object{"vision": false}}},
			{
				"id": "small", "provider": "acme", "maxPromptTokens": 14_000, "maxContextWindowTokens": 16_000, "maxOutputTokens": 2_000,
				"capabilities": object{"supports": object{"vision": true}},
			},
		},
	}))
	p.must(p.s.SetModel(p.Context(), "acme/"+model, ""))
}

func (p *part) allow() {
	p.Helper()
	p.must(p.s.SetAllowAll(p.Context(), true))
}

// ask sends a prompt and waits for the end of the turn.
func (p *part) ask(prompt string) {
	p.Helper()
	p.give(session.Input{Prompt: prompt})
}

// give sends a prompt with what comes along with it.
func (p *part) give(in session.Input) {
	p.Helper()
	p.must(p.s.Send(p.Context(), in))
	next[session.AssistantIdle](p.r)
}

// run runs a command of the user's. That it fails is no error here.
func (p *part) run(command string) { _ = p.s.RunShell(p.Context(), command) }

func (p *part) abort() {
	p.Helper()
	p.must(p.s.Abort(p.Context()))
	next[session.AssistantIdle](p.r)
}

func (p *part) mode(m session.Mode) {
	p.Helper()
	p.must(p.s.SetMode(p.Context(), m))
}

func (p *part) compact(instructions string) {
	p.Helper()
	p.must(p.s.Compact(p.Context(), instructions))
	next[session.SessionCompactionComplete](p.r)
}

// rewind goes back to before the n-th prompt of all, counted from 0.
func (p *part) rewind(n int) {
	p.Helper()
	var prompts []session.EventID
	for _, ev := range p.r.Seen() {
		if _, ok := ev.Body.(session.UserMessage); ok && ev.Agent == "" {
			prompts = append(prompts, ev.ID)
		}
	}
	_, err := p.s.Rewind(p.Context(), prompts[n], false)
	p.must(err)
	next[session.SessionSnapshotRewind](p.r)
}

// again leaves the session and resumes it.
func (p *part) again() {
	p.Helper()
	p.must(p.s.Close(p.Context()))
	p.s, p.r = p.resume(p.s.Info().ID)
}

// answer is a script of one answer.
func answer(text string) []llm.Step { return []llm.Step{{Text: text}} }

// calls is a script in which the model calls tools and then answers.
func calls(calls ...llm.Call) []llm.Step { return []llm.Step{{Calls: calls}, {Text: "Done so."}} }

// tool is a call of a tool.
func tool(name string, arguments object) llm.Call { return llm.Call{Name: name, Args: arguments} }
