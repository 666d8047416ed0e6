package copilot_test

import (
	"fmt"

	"parley/session"
	"parley/session/sessiontest/llm"
)

// changes are what is summarised, dropped and taken back, and modes.
func changes() map[string]scene {
	summary := answer("<summary>We said A.</summary>\n<checkpoint_title>Title</checkpoint_title>")
	work := []llm.Step{{Reasoning: "Hm.", Text: "First.", Calls: []llm.Call{bash("echo x")}}, {Text: "Then."}}
	return map[string]scene{
		"compaction": talk(llm.Script{"a": work, "b": answer("B."), llm.CompactScript: summary}, func(p *part) {
			p.allow()
			p.ask("one @@a")
			p.give(session.Input{Prompt: "said @@a", Display: "shown", Mode: session.Plan})
			p.compact("keep the letter")
			p.ask("three @@b")
			p.run("echo mine")
			p.compact("")
			p.ask("four @@a")
			p.model.Add(llm.CompactScript, llm.Step{Status: 400})
			if p.s.Compact(p.Context(), "") == nil {
				p.Error("a compaction without a summary is done")
			}
			p.ask("five @@a")
		}),
		"compaction by itself": place{model: "small"}.scene(llm.Script{
			"a": {{Text: "B.", Usage: llm.Usage{Completion: 1500}}},
			"t": {
				{Text: "x", Calls: []llm.Call{bash("sleep 0.2")}, Usage: llm.Usage{Completion: 1500}},
				{Text: "y", Calls: []llm.Call{bash("sleep 0.2")}, Usage: llm.Usage{Completion: 1500}},
				{Text: "z", Usage: llm.Usage{Completion: 100}},
			},
			llm.CompactScript: summary,
		}, func(p *part) {
			p.allow()
			for i := range 5 {
				p.ask(fmt.Sprint(i, " @@", []string{"a", "t"}[i%2]))
			}
		}),
		"truncation": place{model: "small"}.scene(llm.Script{
			"a": {{Text: "B.", Usage: llm.Usage{Completion: 1400}}},
			"t": {
				{Text: "x", Calls: []llm.Call{bash("echo x"), bash("echo y")}, Usage: llm.Usage{Completion: 400}},
				{Text: "y", Calls: []llm.Call{bash("echo x")}, Usage: llm.Usage{Completion: 400}},
				{Text: "z", Usage: llm.Usage{Completion: 100}},
			},
			llm.CompactScript: summary,
		}, func(p *part) {
			p.allow()
			p.write("dot.png", string(pngImage(p.T)))
			p.model.Add("look", calls(tool("view", object{"path": p.path("dot.png")}))...)
			p.ask("first @@a")
			p.compact("")
			p.ask("look @@look")
			p.model.Add(llm.CompactScript, llm.Step{Status: 400})
			p.ask("0 @@t")
			p.run("echo mine")
			for i := range 6 {
				p.ask(fmt.Sprint(1+i, " @@a"))
			}
		}),
		"rewind": talk(llm.Script{"a": work, llm.CompactScript: summary}, func(p *part) {
			p.allow()
			p.ask("0 @@a")
			p.ask("1 @@a")
			p.mode(session.Plan)
			p.ask("2 @@a")
			p.rewind(2)
			p.ask("again @@a")
			p.mode(session.Interactive)
			p.ask("more @@a")
			p.compact("")
			p.ask("after @@a")
			p.rewind(1)
			p.ask("before it @@a")
		}),
		"plan": talk(llm.Script{
			"p": {{Calls: []llm.Call{tool("exit_plan_mode", object{"summary": "Do it all."})}}, {Text: "Doing."}}, "b": answer("B."),
		}, func(p *part) {
			p.mode(session.Plan)
			for _, a := range []session.ExitPlanModeAnswer{{Feedback: "not yet"}, {Approved: true, Action: "interactive"}} {
				p.send(p.s, "plan @@p")
				a.RequestID = next[session.ExitPlanModeRequested](p.r).RequestID
				p.respond(p.s, a)
				next[session.AssistantIdle](p.r)
			}
			p.ask("two @@b")
		}),
		"autopilot": talk(llm.Script{
			"p": {{Text: "one."}, {Text: "two."}, {Calls: []llm.Call{tool("task_complete", object{"summary": "All done."})}}}, "b": answer("B."),
		}, func(p *part) {
			p.mode(session.Autopilot)
			p.send(p.s, "go @@p")
			next[session.SessionIdle](p.r)
			p.mode(session.Interactive)
			p.ask("two @@b")
		}),
		"modes and models": talk(llm.Script{"b": answer("B.")}, func(p *part) {
			p.ask("one @@b")
			p.mode(session.Plan)
			p.ask("two @@b")
			p.mode(session.Interactive)
			p.ask("three @@b")
			p.must(p.s.SetModel(p.Context(), "other", ""))
			p.ask("four @@b")
			p.give(session.Input{Prompt: "five @@b", Mode: session.Plan})
			p.ask("six @@b")
		}),
	}
}

// resumed are sessions that continue where they were left.
func resumed() map[string]scene {
	b := []llm.Step{{Reasoning: "Hm.", Text: "B."}}
	return map[string]scene{
		"resumed": talk(llm.Script{"a": calls(bash("echo x")), "b": b}, func(p *part) {
			p.allow()
			p.ask("one @@a")
			p.compact("")
			p.ask("two @@b")
			p.give(session.Input{Prompt: "three @@b", Attachments: []session.Attachment{p.pasted("dot.png")}})
			p.run("echo mine")
			p.again()
			p.ask("four @@b")
			p.ask("five @@b")
		}),
		"joined": talk(llm.Script{"b": b}, func(p *part) {
			p.ask("one @@b")
			p.second(p.s)
			p.ask("two @@b")
		}),
		"resumed in a question": talk(llm.Script{"a": calls(bash("touch x")), "b": b}, func(p *part) {
			p.send(p.s, "one @@a")
			next[session.PermissionRequested](p.r)
			p.again()
			q := next[session.PermissionRequested](p.r)
			p.respond(p.s, session.PermissionAnswer{RequestID: q.RequestID, Decision: session.Reject, Feedback: "no"})
			next[session.AssistantIdle](p.r)
			p.ask("two @@b")
		}),
		"resumed in a tool": talk(llm.Script{"a": calls(bash("echo begun; sleep 600"), bash("echo other")), "b": b}, func(p *part) {
			p.allow()
			p.send(p.s, "one @@a")
			next[session.ToolShellOutput](p.r)
			p.again()
			p.ask("two @@b")
			p.ask("three @@b")
		}),
	}
}
