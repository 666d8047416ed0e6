package demo

import (
	"context"
	"os"
	"os/exec"
	"strings"

	"parley/session"
)

// command is a command of the script, in the two languages that there are for it.
type command struct {
	Shell string // for sh; it runs for real, in the scratch folder
	Cmd   string // the same for cmd.exe
	Asks  bool   // it needs permission
	Async bool   // it does not run; the demo pretends that it continues when the turn has ended
}

// runs completes the call of a command, for sh or for cmd.exe.
func (c toolSpec) runs(cmd bool) toolSpec {
	c.Name, c.Title = "bash", "Running command"
	if cmd {
		c.Name, c.Shell = "shell", c.Cmd
	}
	if c.Asks {
		c.Permission = encoded(c.permit())
	}
	arguments := map[string]string{"command": c.Shell, "description": c.Intention}
	if c.Async {
		arguments["mode"], c.Background, c.Shell = "async", c.Shell, ""
	}
	c.Arguments = encoded(arguments)
	return c
}

// permit is the question whether a command may run.
func (c toolSpec) permit() permit {
	asked := session.PermissionDetails{Intention: c.Intention, FullCommandText: c.Shell, CanOfferSessionApproval: true}
	p := permit{
		Request: session.PermissionRequest{PermissionDetails: asked, ShellType: c.Name, PossiblePaths: []string{}},
		Prompt:  session.PromptRequest{PermissionDetails: asked},
	}
	p.Request.Kind, p.Prompt.Kind = "shell", "commands"
	for part := range strings.SplitSeq(c.Shell, " && ") {
		words := strings.Fields(part)
		name := words[0]
		p.Needs = append(p.Needs, grant{grantCommand, name})
		p.Request.Commands = append(p.Request.Commands, session.ShellCommand{Identifier: name})
		p.Request.CommandSegments = append(p.Request.CommandSegments, session.CommandSegment{
			Identifier: name, FullCommandText: part, StaticTokens: words, WorkingDirectory: "$SCRATCH",
		})
		p.Prompt.CommandIdentifiers = append(p.Prompt.CommandIdentifiers, name)
	}
	return p
}

// shellCommand is a command in a shell that ends with ctx.
func shellCommand(ctx context.Context, text string) *exec.Cmd {
	cmd := inShell(ctx, text)
	cmd.Env = []string{"PATH=" + os.Getenv("PATH"), "LC_ALL=C"}
	return cmd
}
