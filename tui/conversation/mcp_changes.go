package conversation

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"parley/prompts"
	"parley/render/text"
	"parley/session"
	"parley/settings/mcpfile"
	"parley/theme"
	"parley/tui/panel"
)

// addition is what a user said of a server that is to be added.
type addition struct {
	Name, Line string // what it is called; its command line or its URL
	Values     string // the environment variables of a command, or the headers of a URL
	Scope      string
}

// server is the server that is meant.
func (a addition) server() (mcpfile.Server, error) {
	words, err := mcpfile.Words(a.Line)
	if err != nil {
		return mcpfile.Server{}, err
	}
	add := mcpfile.Addition{Name: strings.TrimSpace(a.Name), Words: words, Tools: []string{"*"}}
	var values []string
	for line := range strings.Lines(a.Values) {
		if line = strings.TrimSpace(line); line != "" {
			values = append(values, line)
		}
	}
	if add.Remote() {
		add.Headers = values
	} else {
		add.Env = values
	}
	return add.Server()
}

// addTyped adds the server that the words behind /mcp add say: NAME COMMAND ARG..., or NAME
// URL. What is missing is asked for.
func (c *mcp) addTyped(s session.McpManager, line string) tea.Cmd {
	if why := c.whyNotInFiles(); why != "" {
		return c.ShowHint("%s", why)
	}
	var a addition
	a.Name, a.Line, _ = strings.Cut(line, " ")
	if a.Line = strings.TrimSpace(a.Line); a.Line == "" {
		return c.addByForm(s, a, "")
	}
	if rest, ok := strings.CutPrefix(a.Line, "--scope "); ok {
		a.Scope, a.Line, _ = strings.Cut(strings.TrimSpace(rest), " ")
		if !slices.Contains(mcpfile.Scopes, a.Scope) {
			return c.ShowHint("--scope is %s.", strings.Join(mcpfile.Scopes, " or "))
		}
	}
	a.Line = strings.TrimSpace(strings.TrimPrefix(a.Line, "-- "))
	if strings.HasPrefix(a.Line, "-") {
		return c.ShowHint("/mcp add NAME COMMAND or URL; /mcp add alone asks for the rest.")
	}
	server, err := a.server()
	if err != nil {
		return c.ShowHint("Not added: %s.", err)
	}
	return c.add(s, a, server, func(err error) tea.Cmd {
		c.Fail("add the MCP server", err, "")
		c.Pane.ToEnd()
		return nil
	})
}

// The members of the form.
const (
	formName, formLine, formValues, formScope = "name", "line", "values", "scope"
)

// read reads or finds something in the files, and gives it to take unless the user closed the
// list meanwhile, or opened one.
func read[T any](c *mcp, do func(mcpfile.Places) (T, error), take func(v T, err error) tea.Cmd) tea.Cmd {
	places, seen := c.mcpPlaces(), c.win.Overlay
	return fetch(c.core, func(context.Context) (T, error) { return do(places) }, func(v T, err error) tea.Cmd {
		if c.win.Overlay != seen || !c.inFront() {
			return nil
		}
		return take(v, err)
	})
}

// addByForm asks what is to be added. What a was refused for stands above the fields.
func (c *mcp) addByForm(s session.McpManager, a addition, problem string) tea.Cmd {
	return read(c, func(p mcpfile.Places) (paths [2]string, err error) {
		paths[0], paths[1] = p.Paths()
		return paths, nil
	}, func(paths [2]string, _ error) tea.Cmd {
		form := additionForm(a, shortFile(c.core, paths[0]), shortFile(c.core, paths[1]))
		return c.askAddition(s, form, problem)
	})
}

// formHidden is the label of the answer whose values are not shown.
const formHidden = "Environment or headers"

// additionForm is the JSON Schema of what is asked for, with what was answered before.
func additionForm(a addition, user, project string) jsontext.Value {
	type property map[string]any
	properties := jsontext.Value(ordered(
		formName, property{"type": "string", "title": "Name", "default": a.Name},
		formLine, property{
			"type": "string", "title": "Command or URL", "default": a.Line,
			"description": "A program with its arguments, or an address that begins with https://",
		},
		formValues, property{
			"type": "string", "title": formHidden, "default": a.Values,
			"description": "KEY=VALUE for a command, KEY: VALUE for a URL, one in a line. Values are not shown.",
		},
		formScope, property{"title": "For", "default": cmp.Or(a.Scope, mcpfile.User), "oneOf": []property{
			{"const": mcpfile.User, "title": "you, in all folders: " + user},
			{"const": mcpfile.Project, "title": "this project, shared: " + project},
		}},
	))
	required := []string{formName, formLine, formScope}
	form, _ := json.Marshal(map[string]any{"type": "object", "required": required, "properties": properties})
	return form
}

// askAddition asks by a form what is to be added.
func (c *mcp) askAddition(s session.McpManager, form jsontext.Value, problem string) tea.Cmd {
	c.CloseOverlays()
	c.Questions.AskOwn(prompts.OwnQuestion{
		Title: "Add an MCP server", Form: form, Hidden: formHidden,
		Text: cmp.Or(problem, "The agent can use the tools of the server. The change of the file is shown before it is written."),
		Answered: func(answer prompts.OwnAnswer) tea.Cmd {
			if !answer.Yes {
				return c.ShowHint("Nothing was added.")
			}
			said := func(name string) string { v, _ := answer.Content[name].(string); return v }
			a := addition{said(formName), said(formLine), said(formValues), said(formScope)}
			server, err := a.server()
			if err != nil {
				return c.addByForm(s, a, "Not yet: "+err.Error()+".")
			}
			return c.add(s, a, server, func(err error) tea.Cmd { return c.addByForm(s, a, "Not yet: "+err.Error()+".") })
		},
	}, c.win.Now)
	return nil
}

// ordered is a JSON object of names and values in this order.
func ordered(pairs ...any) []byte {
	var b []byte
	for i := 0; i < len(pairs); i += 2 {
		name, _ := json.Marshal(pairs[i])
		value, _ := json.Marshal(pairs[i+1], json.Deterministic(true))
		b = append(append(append(append(b, ','), name...), ':'), value...)
	}
	b[0] = '{'
	return append(b, '}')
}

// add asks whether a server is added, or takes why it cannot be.
func (c *mcp) add(s session.McpManager, a addition, server mcpfile.Server, failed func(error) tea.Cmd) tea.Cmd {
	return read(c, func(p mcpfile.Places) (mcpfile.Change, error) {
		f, err := p.Target(a.Scope)
		if err != nil {
			return mcpfile.Change{}, err
		}
		return f.Add(server)
	}, func(change mcpfile.Change, err error) tea.Cmd {
		switch {
		case errors.Is(err, mcpfile.ErrServerExists):
			where := shortFile(c.core, change.Path)
			return failed(fmt.Errorf("there is a server %s in %s already; /mcp edit %[1]s changes it", server.Name, where))
		case err != nil:
			return failed(err)
		}
		return c.askChange(s, change, "Add "+server.Name+"?", "Added "+server.Name+".", server.Name)
	})
}

// askChange asks whether a change of a file is written, and lists the servers then, with
// one chosen.
func (c *mcp) askChange(s session.McpManager, change mcpfile.Change, title, done, chosen string) tea.Cmd {
	if change.Empty() {
		return c.ShowHint("Nothing was changed.")
	}
	before, after, err := change.Shown()
	if err != nil {
		c.Fail("show the change of "+change.Path, err, "")
		return nil
	}
	c.CloseOverlays()
	c.Questions.AskOwn(prompts.OwnQuestion{
		Title: title, Change: &prompts.FileChange{Path: change.Path, Before: before, After: after},
		Yes: "Yes, write the file", No: "No, leave it as it is",
		Answered: func(answer prompts.OwnAnswer) tea.Cmd {
			if !answer.Yes {
				return c.ShowHint("Nothing was written.")
			}
			return c.write(s, change, done, chosen)
		},
	}, c.win.Now)
	return nil
}

// write writes a change, which leaves a server of a name if it is not "", and has the agent
// read its files again.
func (c *mcp) write(s session.McpManager, change mcpfile.Change, done, chosen string) tea.Cmd {
	holder, ok := session.As[session.McpConfigurer](c.Session)
	return attempt(c.core, "write the file of MCP servers", func(ctx context.Context) error {
		if ok && chosen != "" {
			if err := holder.HoldMcp(ctx, chosen); err != nil {
				return err
			}
		}
		return change.Write(ctx)
	}, func() tea.Cmd {
		if !trusts(c.Session) {
			if chosen != "" {
				done += " It is started once the folder is trusted: /trust asks."
			}
			c.ShowHint("%s", done)
			return c.listAfter(s, "list the MCP servers", func(context.Context) error { return nil }, chosen)
		}
		c.ShowHint("%s", done)
		return c.listAfter(s, "reload the MCP servers", s.ReloadMcp, chosen)
	})
}

// found does something with a server of a file, of a scope or of any if it is "".
func (c *mcp) found(what, name, scope string, do func(mcpfile.File, mcpfile.Server) tea.Cmd) tea.Cmd {
	if why := c.whyNotInFiles(); why != "" {
		return c.ShowHint("%s", why)
	}
	type place struct {
		mcpfile.File
		server mcpfile.Server
	}
	return read(c, func(in mcpfile.Places) (p place, err error) {
		p.File, p.server, err = in.Find(name, scope)
		return p, err
	}, func(p place, err error) tea.Cmd {
		shown := c.win.Cut(name, c.win.Width/3)
		switch {
		case errors.Is(err, mcpfile.ErrNoServer):
			return c.ShowHint("There is no MCP server %s in a file: /mcp lists them.", shown)
		case errors.Is(err, mcpfile.ErrSeveral):
			return c.ShowHint("You have a server %s, and so has the project: choose one in /mcp.", shown)
		case err != nil:
			c.Fail(what, err, "")
			c.Pane.ToEnd()
			return nil
		}
		return do(p.File, p.server)
	})
}

// remove asks whether a server is removed.
func (c *mcp) remove(s session.McpManager, name, scope string) tea.Cmd {
	const what = "remove the MCP server"
	return c.found(what, name, scope, func(f mcpfile.File, _ mcpfile.Server) tea.Cmd {
		change, err := f.Remove(name)
		if err != nil {
			c.Fail(what, err, "")
			return nil
		}
		return c.askChange(s, change, "Remove "+name+"?", f.Removed(name), "")
	})
}

// edit opens a server in the user's editor, and asks whether what was saved is written.
func (c *mcp) edit(s session.McpManager, name, scope string) tea.Cmd {
	const what = "edit the MCP server"
	return c.found(what, name, scope, func(f mcpfile.File, _ mcpfile.Server) tea.Cmd {
		raw, err := mcpfile.Raw(f.Text, name)
		if err != nil {
			c.Fail(what, f.At(err), "")
			return nil
		}
		c.CloseOverlays()
		return c.editText(s, f, name, string(raw))
	})
}

// editText opens the text of a server in the user's editor.
func (c *mcp) editText(s session.McpManager, f mcpfile.File, name, value string) tea.Cmd {
	return c.request(EditText{&Edition{Text: value, Name: "mcp-server.json", back: func(saved string) tea.Cmd {
		change, err := f.Replace(name, []byte(saved))
		if err == nil {
			return c.askChange(s, change, "Change "+name+"?", "Changed "+name+".", name)
		}
		c.Questions.AskOwn(prompts.OwnQuestion{
			Title: "Edit " + name + " again?", Text: "What was saved is no server: " + err.Error(),
			Yes: "Yes, edit it again", No: "No, discard what was saved",
			Answered: func(answer prompts.OwnAnswer) tea.Cmd {
				if !answer.Yes {
					return c.ShowHint("Nothing was changed.")
				}
				return c.editText(s, f, name, saved)
			},
		}, c.win.Now)
		return nil
	}}})
}

// tryTime is how long a server may take that is tried.
const tryTime = 30 * time.Second

// try starts a server and shows its tools, or why it does not work.
func (c *mcp) try(name, scope string) tea.Cmd {
	tries, env, dir := c.win.Config.TryMcp, c.win.Config.Env, c.Info.Dir
	switch {
	case tries == nil:
		return c.ShowHint("No MCP server can be tried here.")
	case !trusts(c.Session):
		return c.ShowHint("Not tried: what the folder holds may run then, and it is not trusted. /trust asks.")
	}
	return c.found("try the MCP server", name, scope, func(f mcpfile.File, server mcpfile.Server) tea.Cmd {
		if server.Err != nil {
			c.Fail("try the MCP server", f.At(server.Err), "/mcp edit "+name+" opens it in your editor.")
			c.Pane.ToEnd()
			return nil
		}
		seen := c.win.Overlay
		c.ShowHint("Trying %s", c.win.Cut(name, c.win.Width/3))
		return ask(c.core, "try the MCP server", func(ctx context.Context) (trial, error) {
			ctx, done := context.WithTimeout(ctx, tryTime)
			defer done()
			about, tools, err := tries(ctx, env, dir, server)
			if errors.Is(ctx.Err(), context.DeadlineExceeded) {
				err = fmt.Errorf("it did not answer in %s", tryTime)
			}
			return trial{server.About(), about, tools, err}, nil
		}, func(t trial) tea.Cmd {
			c.Hint = Hint{}
			listed := seen != nil && c.win.Overlay == seen && c.inFront()
			if listed || c.Opens(true, "", "What trying "+name+" led to is here: /mcp try "+name+" shows it.") {
				c.OpenPanel(&panel.Panel{Title: t.title(c.win.Cut(name, c.win.Width/3)), Text: t.draw})
			}
			return nil
		})
	})
}

// trial is what came of trying a server.
type trial struct {
	runs, about string
	tools       []session.McpTool
	err         error
}

func (t trial) title(name string) string {
	if t.err != nil {
		return name + " does not work"
	}
	return fmt.Sprintf("%s works: %s", name, text.Count(len(t.tools), "tool"))
}

func (t trial) draw(th *theme.Theme, width int) []string {
	if t.err != nil {
		return panel.DrawFacts(th, []panel.Fact{{"runs", t.runs}, {"problem", mcpfile.Redacted(t.err.Error())}}, width)
	}
	lines := panel.DrawFacts(th, []panel.Fact{{"runs", t.runs}, {"server", t.about}}, width)
	return append(append(lines, ""), drawTools(th, t.tools, width)...)
}

// trust asks whether the folder is trusted.
func (c *mcp) trust(string) tea.Cmd {
	s, ok := capability[session.FolderTruster](c.core, "This agent asks about no folder.")
	switch {
	case !ok:
		return nil
	case s.FolderTrusted():
		return c.ShowHint("This folder is trusted.")
	}
	return c.job("ask whether the folder is trusted", s.AskTrust)
}
