package demo

import (
	"fmt"

	"parley/session"
)

// pretend is the run of a tool that does nothing and says so.
func pretend(what string) func(*turn, *tool) (session.ToolExecutionComplete, error) {
	return func(t *turn, _ *tool) (session.ToolExecutionComplete, error) {
		return success(what), t.s.wait(t.ctx, 10)
	}
}

// playURL asks to fetch an address. Nothing is fetched.
func (t *turn) playURL() error {
	const domain = "https://example.org"
	const url = domain + "/weather?city=Oslo"
	c := newTool("web_fetch", "Fetching web content", url, map[string]string{"url": url})
	const intention = "Fetch content from this URL."
	c.permits = []permit{{
		needs:   []grant{{grantURL, domain}},
		request: session.PermissionRequest{Kind: "url", Intention: intention, URL: url},
		prompt:  session.PromptRequest{Kind: "url", Intention: intention, URL: url},
	}}
	c.run = pretend("The demo never uses the network: " + url + " was not fetched. It is sunny in every demo.")
	return t.show("I ask to fetch an address. `s` allows its host for this session, `P` for good, which asks you to type *yes*. "+
		"Whatever you say, I only pretend: nothing leaves this machine.", c, "I pretended: nothing was fetched.")
}

// The MCP server that the demo pretends to have.
const (
	demoServer = "demo-notes"
	demoNote   = "add_note"
)

// mcp is a tool of an MCP server that does not exist.
func mcp(name, intention string, arguments any) *tool {
	c := newTool(demoServer+"-"+name, name, intention, arguments)
	c.server, c.serverTool = demoServer, name
	return c
}

// playMCP asks for a tool of an MCP server.
func (t *turn) playMCP() error {
	arguments := map[string]string{"title": "Oslo", "text": "Bring an umbrella, even so."}
	c := mcp(demoNote, "write a note", arguments)
	c.permits = []permit{{
		needs: []grant{{grantMCP, demoServer + "/" + demoNote}},
		request: session.PermissionRequest{
			Kind: "mcp", ServerName: demoServer, ToolName: demoServer + "-" + demoNote, ToolTitle: demoNote, Args: c.arguments,
		},
		prompt: session.PromptRequest{
			Kind: "mcp", ServerName: demoServer, ToolName: demoNote, ToolTitle: demoNote, Args: c.arguments,
		},
	}}
	c.run = pretend("The demo has no MCP server: no note was written.")
	return t.show("I ask to use a tool of an **MCP server**. The card shows the server, the tool and what it gets.", c,
		"I pretended: there is no such server.")
}

// playMemory asks to remember something.
func (t *turn) playMemory() error {
	const subject, fact, reason = "demo", "This person likes to try things out.", "It makes the next demo no better, but it shows the card."
	citations := encoded("the prompt you just wrote")
	c := newTool("store_memory", "Storing memory", "remember something", map[string]string{"subject": subject, "fact": fact})
	c.permits = []permit{{
		needs: []grant{{grantMemory, ""}},
		request: session.PermissionRequest{
			Kind: "memory", Action: "store", Subject: subject, Fact: fact, Citations: citations, Reason: reason,
		},
		prompt: session.PromptRequest{
			Kind: "memory", Action: "store", Subject: subject, Fact: fact, Citations: citations, Reason: reason,
		},
	}}
	c.run = pretend("The demo has no memory: nothing was stored.")
	return t.show("I ask to **remember** something beyond this session.", c, "I pretended: the demo forgets everything.")
}

// playCustom asks for a tool that a program around the agent brought along.
func (t *turn) playCustom() error {
	const name, description = "roll_dice", "Rolls a die"
	c := newTool(name, "", "roll a die", map[string]int{"sides": 6})
	c.permits = []permit{{
		needs:   []grant{{grantCustom, name}},
		request: session.PermissionRequest{Kind: "custom-tool", ToolName: name, ToolDescription: description, Args: c.arguments},
		prompt:  session.PromptRequest{Kind: "custom-tool", ToolName: name, ToolDescription: description, Args: c.arguments},
	}}
	c.run = pretend("4")
	return t.show("I ask to use a tool of the program I run in.", c, "The die shows 4, as it always does in this demo.")
}

// playProgress runs a tool that tells how far it is.
func (t *turn) playProgress() error {
	return t.show("This takes a while, and its one line says how far it is.", indexing(), "All eight steps are done.")
}

// indexing is a tool that tells how far it is. It only reads, so nobody is
// asked.
func indexing() *tool {
	c := mcp("index_files", "index the scratch folder", map[string]string{"folder": "."})
	c.run = func(t *turn, c *tool) (session.ToolExecutionComplete, error) {
		const steps = 8
		for n := 1; n <= steps; n++ {
			message := fmt.Sprintf("%d/%d (%d%%): step %d of the pretended index", n, steps, 100*n/steps, n)
			if err := t.emit(session.ToolExecutionProgress{ToolCallID: c.id, ProgressMessage: message}); err != nil {
				return session.ToolExecutionComplete{}, err
			}
			if err := t.s.wait(t.ctx, 12); err != nil {
				return session.ToolExecutionComplete{}, err
			}
		}
		return success("Nothing was indexed; the demo pretended."), nil
	}
	return c
}
