package conversation

import (
	"context"
	"strings"

	tea "charm.land/bubbletea/v2"

	"parley/session"
	"parley/tui/composer"
	"parley/tui/files"
)

// commitPrompt asks the agent to commit. Its commands are asked for as any others.
const commitPrompt = `Commit the changes in this repository.

1. Look at them first: run git status and git diff --staged. If nothing is staged, run git diff too,
   and read the files that are not tracked.
2. If something is staged, commit exactly that. Else stage the files that belong together, by name.
   Leave out secrets, build output and what is unrelated, and say what you left out.
3. Write the message in the style of git log -10: a short subject that says what changes, and a body
   only where the reason is not plain from the diff.
4. Commit with one git commit command that has the whole message in it. Do not push, do not amend,
   skip no hook, and change no other file. If a hook fails, show what it printed and stop. If HEAD
   is detached, say so and give the name of the commit.`

// commit lets the agent write a commit message and commit, once it is known that there is
// something to commit.
func (c *promptQueue) commit(hint string) tea.Cmd {
	prompt, hint := commitPrompt, strings.TrimSpace(hint)
	shown := strings.TrimSpace("/commit " + hint)
	if hint != "" {
		prompt += "\n\nAbout the commit: " + hint
	}
	dir, remote := c.Info.Dir, c.Info.Remote
	return attempt(c.core, "commit", func(ctx context.Context) error {
		if remote {
			return nil // the folder is on another machine
		}
		return files.Uncommitted(ctx, dir)
	}, func() tea.Cmd {
		c.Wrote = true
		c.Pane.ToEnd()
		return c.send(composer.Outgoing{
			Input: session.Input{Prompt: prompt, Display: shown, Delivery: session.Enqueue},
			Draft: composer.Plain(shown)[0],
		})
	})
}
