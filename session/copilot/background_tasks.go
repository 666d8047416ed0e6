package copilot

import (
	"cmp"
	"context"
	"errors"
	"strings"

	"parley/session"
)

// backgroundTasks are the sub-agents and shells that the agent has started.
type backgroundTasks struct{ *link }

const (
	// outputTasks is of how many tasks, at most, the output is asked for.
	outputTasks = 64
	// outputLines is how much of it there is at most, as the runtime has it for
	// shells that are not detached.
	outputLines = 10
	// noOutput is what the runtime says of a shell that has said nothing.
	noOutput = "(no output yet)"
)

// task is an entry of session.tasks.list.
type task struct {
	session.Task
	Type        string `json:"type"` // agent, shell or client
	DisplayName string `json:"displayName"`
	Error       string `json:"error"`

	Prompt         string `json:"prompt"` // of agents
	LatestResponse string `json:"latestResponse"`
	Result         any    `json:"result"`

	Attachment string `json:"attachmentMode"` // of shells
	LogPath    string `json:"logPath"`
}

// Tasks implements session.TaskManager.
func (b backgroundTasks) Tasks(ctx context.Context) ([]session.Task, error) {
	ctx, cancel := within(ctx, answerTime) // for all of them
	defer cancel()
	list, err := b.tasks(ctx)
	tasks := make([]session.Task, 0, len(list))
	for i, t := range list {
		t.Title = cmp.Or(t.Title, t.DisplayName)
		if t.Agent = t.Type == "agent"; t.Agent {
			t.Detail = t.Prompt
		}
		if i < outputTasks {
			t.Output = b.output(ctx, t)
		}
		tasks = append(tasks, t.Task)
	}
	return tasks, attempt(err, "list what runs in the background")
}

func (b backgroundTasks) tasks(ctx context.Context) ([]task, error) {
	return ask[[]task](ctx, b, "session.tasks.list", nil, "tasks")
}

// output is what a task said last. If the runtime does not know it is "": the
// list of tasks is good without it.
func (b backgroundTasks) output(ctx context.Context, t task) string {
	result, _ := t.Result.(string)
	if said := cmp.Or(t.Error, t.LatestResponse, result); said != "" {
		return said
	}
	if t.Attachment == "detached" {
		return b.detachedOutput(ctx, t)
	}
	type progress struct {
		RecentOutput   string `json:"recentOutput"` // of shells
		RecentActivity []struct {
			Message string `json:"message"`
		} `json:"recentActivity"` // of agents
	}
	p, err := ask[progress](ctx, b, "session.tasks.getProgress", object{"id": t.ID}, "progress")
	if n := len(p.RecentActivity); n > 0 && err == nil {
		return p.RecentActivity[n-1].Message
	}
	if err != nil || p.RecentOutput == noOutput {
		return ""
	}
	return p.RecentOutput
}

// detachedOutput reads the first page of a detached shell's output. There is
// more if another one follows: then it is in the shell's log.
func (b backgroundTasks) detachedOutput(ctx context.Context, t task) string {
	var first, second struct {
		Text   string `json:"text"`
		Cursor string `json:"cursor"`
	}
	const method = "session.tasks.readOutput"
	if b.call(ctx, method, object{"id": t.ID}, &first) != nil || first.Text == "" {
		return ""
	}
	more := b.call(ctx, method, object{"id": t.ID, "cursor": first.Cursor}, &second)
	if more == nil && second.Text != "" && t.LogPath != "" {
		return "its output is in " + t.LogPath
	}
	all := strings.Split(strings.TrimRight(first.Text+second.Text, "\n"), "\n")
	return strings.Join(all[max(0, len(all)-outputLines):], "\n")
}

// CancelTask implements session.TaskManager.
func (b backgroundTasks) CancelTask(ctx context.Context, id string) error {
	err := confirm(ctx, b, "session.tasks.cancel", object{"id": id}, "cancelled", "it does not run any more")
	return attempt(err, "stop task %s", id)
}

// RemoveTask implements session.TaskManager. The runtime keeps shells on its
// list that were not detached, and sub-agents that can be written to.
func (b backgroundTasks) RemoveTask(ctx context.Context, id string) error {
	err := confirm(ctx, b, "session.tasks.remove", object{"id": id}, "removed", "the runtime keeps it on its list")
	return attempt(err, "remove task %s", id)
}

// Background implements session.TaskManager.
func (b backgroundTasks) Background(ctx context.Context, id string) error {
	if id != "" {
		promoted, err := b.promote(ctx, id)
		if err == nil && !promoted {
			err = errors.New("the agent does not wait for it")
		}
		return attempt(err, "move task %s to the background", id)
	}
	// The runtime's call for whatever runs (promoteCurrentToBackground) leaves
	// shells out.
	list, err := b.tasks(ctx)
	some := false
	for _, t := range list {
		if t.Attached {
			promoted, failed := b.promote(ctx, t.ID) // what has ended since is not promoted
			some, err = some || promoted, errors.Join(err, failed)
		}
	}
	if err == nil && !some {
		err = errors.New("the agent waits for nothing that can")
	}
	return attempt(err, "move what runs to the background")
}

// promote reports whether a task runs in the background now.
func (b backgroundTasks) promote(ctx context.Context, id string) (bool, error) {
	return ask[bool](ctx, b, "session.tasks.promoteToBackground", object{"id": id}, "promoted")
}
