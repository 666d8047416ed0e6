package copilot_test

import (
	"testing"

	"parley/session"
	"parley/session/sessiontest/llm"
)

// talks are what is said, asked and cut short.
func talks() map[string]scene {
	return map[string]scene{
		"plain": talk(llm.Script{"a": {{Reasoning: "Hm.", Text: "A."}}}, func(p *part) {
			p.ask("one @@a")
			p.ask("two @@a")
			p.ask("three @@a")
		}),
		"question": talk(llm.Script{
			"q": calls(tool("ask_user", object{"question": "Which?", "choices": []string{"a", "b"}})), "a": answer("A."),
		}, func(p *part) {
			p.send(p.s, "one @@q")
			q := next[session.UserInputRequested](p.r)
			p.respond(p.s, session.UserInputAnswer{RequestID: q.RequestID, Text: "b"})
			next[session.AssistantIdle](p.r)
			p.ask("two @@a")
		}),
		"failures": talk(llm.Script{
			"bad": {{Status: 400}}, "again": {{Status: 500, Times: 1, Text: "Now."}}, "a": answer("A."),
		}, func(p *part) {
			p.ask("one @@bad")
			p.ask("two @@again")
			p.ask("three @@a")
		}),
		"cut short": talk(llm.Script{"cut": {{Text: "Half a", Finish: "length"}, {Text: "sentence."}}, "a": answer("A.")}, func(p *part) {
			p.ask("one @@cut")
			p.ask("two @@a")
		}),
		"command": talk(llm.Script{"a": answer("A.")}, func(p *part) {
			p.run("echo mine; echo err >&2; exit 3")
			p.ask("one @@a")
			p.run("true")
			p.run("seq 1 20000")
			p.ask("two @@a")
		}),
		"steering": steering,
		"aborted":  aborted,
	}
}

// steering is a turn that gets a message, with another prompt behind it.
func steering(t *testing.T) *part {
	t.Helper()
	hold := llm.NewGate()
	t.Cleanup(hold.Open)
	return talk(llm.Script{
		"first": {{Text: "One two three.", Calls: []llm.Call{bash("echo four")}, Hold: hold, HoldAfter: 1}, {Text: "Then."}},
		"aside": answer("By the way."), "later": answer("Later."),
	}, func(p *part) {
		p.allow()
		p.send(p.s, "@@first")
		<-hold.Reached()
		p.must(p.s.Send(t.Context(), session.Input{Prompt: "do @@later", Delivery: session.Enqueue}))
		p.must(p.s.Send(t.Context(), session.Input{Prompt: "note @@aside", Delivery: session.Immediate}))
		hold.Open()
		next[session.AssistantIdle](p.r)
		p.ask("two @@later")
	})(t)
}

// aborted stops a turn in its tools and another in its text.
func aborted(t *testing.T) *part {
	t.Helper()
	hold := llm.NewGate()
	t.Cleanup(hold.Open)
	return talk(llm.Script{
		"tool": {{Calls: []llm.Call{bash("echo begun; sleep 600"), bash("echo other")}}},
		"text": {{Text: "One two three four.", Hold: hold, HoldAfter: 2}}, "a": answer("A."),
	}, func(p *part) {
		p.allow()
		p.send(p.s, "one @@tool")
		next[session.ToolShellOutput](p.r)
		p.abort()
		p.ask("two @@a")
		p.send(p.s, "three @@text")
		next[session.AssistantMessageDelta](p.r)
		p.abort()
		p.ask("four @@a")
	})(t)
}

// workers are tools and sub-agents.
func workers() map[string]scene {
	found, foundMore := llm.NewGate(), llm.NewGate()
	return map[string]scene{
		"tools": talk(llm.Script{"a": {
			{Text: "Look.", Calls: []llm.Call{bash("echo hi"), bash("exit 3"), tool("glob", object{"pattern": "*.none"})}},
			{Calls: []llm.Call{bash("seq 1 20000")}},
			{Text: "A."},
		}}, func(p *part) {
			p.allow()
			p.ask("one @@a")
			p.ask("two @@a")
		}),
		"failing tools": talk(llm.Script{
			"a": calls(
				tool("nonesuch", nil), llm.Call{Name: "view", Raw: "{bad"}, tool("view", object{}), tool("view", object{"path": "/nonesuch"}),
				tool("edit", object{"path": "/nonesuch", "old_str": "a", "new_str": "b"}), tool("skill", object{"skill": "nonesuch"}),
				tool("read_bash", object{"shellId": "nonesuch", "delay": 1}), tool("grep", object{"pattern": "("}),
				tool("sql", object{"description": "fail", "query": "SELEC"}), tool("read_agent", object{"agent_id": "nonesuch"}),
				tool("task", object{"name": "x", "prompt": "x", "agent_type": "nonesuch", "description": "x"}),
			), "b": answer("B."),
		}, func(p *part) {
			p.allow()
			p.ask("one @@a")
			p.ask("two @@b")
		}),
		"parallel": talk(llm.Script{
			"a": calls(bash("sleep 0.2; echo one"), bash("echo two"), bash("sleep 0.1; echo three")),
		}, func(p *part) {
			p.allow()
			p.ask("one @@a")
			p.ask("two @@a")
		}),
		"refused": talk(llm.Script{"a": calls(bash("touch x"), bash("touch y")), "b": answer("B.")}, func(p *part) {
			for _, feedback := range []string{"not so", ""} {
				p.send(p.s, "one @@a")
				for _, d := range []session.Decision{session.ApproveOnce, session.Reject} {
					q := next[session.PermissionRequested](p.r)
					a := session.PermissionAnswer{RequestID: q.RequestID, Decision: d}
					if d == session.Reject {
						a.Feedback = feedback
					}
					p.respond(p.s, a)
				}
				next[session.AssistantIdle](p.r)
			}
			p.ask("two @@b")
		}),
		"todos": talk(llm.Script{"a": calls(tool("sql", object{
			"description": "plan", "query": "INSERT OR IGNORE INTO todos (id,title,description,status) VALUES ('a','Mend it','x','in_progress')",
		}))}, func(p *part) {
			p.ask("one @@a")
			p.ask("two @@a")
		}),
		"sub-agents": talk(llm.Script{
			"a":     calls(delegate("left", "sync"), delegate("right", "sync")),
			"left":  calls(bash("echo left")),
			"right": {{Reasoning: "Hm.", Calls: []llm.Call{bash("exit 2"), bash("echo right")}}, {Text: "Right."}},
			"b":     answer("B."),
		}, func(p *part) {
			p.allow()
			p.ask("one @@a")
			p.ask("two @@b")
		}),
		"sub-agent in the background": talk(llm.Script{
			"a": calls(delegate("sub", "background")), "b": answer("B."),
			"sub": {{Text: "Found.", Hold: found}},
		}, func(p *part) {
			p.allow()
			p.ask("one @@a")
			found.Open() // the sub-agent ends after the turn
			n := next[session.SystemNotification](p.r)
			next[session.SessionIdle](p.r)
			p.model.Add("more", calls(tool("write_agent", object{"agent_id": n.Notification.AgentID, "message": "more @@sub"}))...)
			p.model.Add("sub", llm.Step{Text: "Found more.", Hold: foundMore})
			p.ask("two @@more")
			foundMore.Open() // as before
			next[session.SystemNotification](p.r)
			next[session.SessionIdle](p.r)
			p.ask("three @@b")
		}),
		"shell in the background": talk(llm.Script{
			"a": calls(spawned("until test -e door; do sleep 0.05; done; echo done", false)), "b": answer("B."),
		}, func(p *part) {
			p.allow()
			p.ask("one @@a")
			p.write("door", "") // the command ends after the turn, however slow that is
			next[session.SystemNotification](p.r)
			next[session.SessionIdle](p.r)
			p.ask("two @@b")
		}),
	}
}
