package copilot

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"parley/session"
)

var _ session.TaskManager = (*Session)(nil)

const (
	// outputTasks is of how many tasks, at most, the output is asked for.
	outputTasks = 64
	// outputLines is how much of it there is at most, as the runtime has it for
	// shells that are not detached.
	outputLines = 10
)

// task is an entry of session.tasks.list.
type task struct {
	Type        string    `json:"type"` // agent, shell or client
	ID          string    `json:"id"`
	DisplayName string    `json:"displayName"`
	Description string    `json:"description"`
	Status      string    `json:"status"`
	StartedAt   time.Time `json:"startedAt"`
	Promotable  bool      `json:"canPromoteToBackground"`
	Error       string    `json:"error"`

	Prompt         string `json:"prompt"` // of agents
	LatestResponse string `json:"latestResponse"`
	Result         any    `json:"result"`

	Command    string `json:"command"` // of shells
	Attachment string `json:"attachmentMode"`
	LogPath    string `json:"logPath"`
}

// Tasks implements session.TaskManager.
func (b *backgroundTasks) Tasks(ctx context.Context) ([]session.Task, error) {
	ctx, cancel := within(ctx, answerTime) // for all of them
	defer cancel()
	list, err := b.tasks(ctx)
	if err != nil {
		return nil, fmt.Errorf("list what runs in the background: %w", err)
	}
	tasks := make([]session.Task, 0, len(list))
	for i, t := range list {
		known := session.Task{
			ID: t.ID, Agent: t.Type == "agent", Title: t.Description, Detail: t.Command,
			Status: t.Status, Since: t.StartedAt, Attached: t.Promotable,
		}
		if known.Agent {
			known.Detail = t.Prompt
		}
		if known.Title == "" {
			known.Title = t.DisplayName
		}
		if i < outputTasks {
			known.Output = b.output(ctx, t)
		}
		tasks = append(tasks, known)
	}
	return tasks, nil
}

func (b *backgroundTasks) tasks(ctx context.Context) ([]task, error) {
	var list struct {
		Tasks []task `json:"tasks"`
	}
	err := b.call(ctx, "session.tasks.list", object{}, &list)
	return list.Tasks, err
}

// output is what a task said last. Where the runtime cannot tell it is "": the
// list of tasks is good without it.
func (b *backgroundTasks) output(ctx context.Context, t task) string {
	result, _ := t.Result.(string)
	for _, said := range []string{t.Error, t.LatestResponse, result} {
		if said != "" {
			return said
		}
	}
	if t.Attachment == "detached" {
		return b.detachedOutput(ctx, t)
	}
	var told struct {
		Progress *struct {
			RecentOutput   string `json:"recentOutput"` // of shells
			RecentActivity []struct {
				Message string `json:"message"`
			} `json:"recentActivity"` // of agents
		} `json:"progress"`
	}
	if b.call(ctx, "session.tasks.getProgress", object{"id": t.ID}, &told) != nil || told.Progress == nil {
		return ""
	}
	if did := told.Progress.RecentActivity; len(did) > 0 {
		return did[len(did)-1].Message
	}
	return quiet(told.Progress.RecentOutput)
}

// detachedOutput reads the first page of a detached shell's output. There is
// more if another one follows: then it is in the shell's log.
func (b *backgroundTasks) detachedOutput(ctx context.Context, t task) string {
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

// quiet is what a shell said, or "" for the runtime's words for nothing.
func quiet(output string) string {
	if output == "(no output yet)" {
		return ""
	}
	return output
}

// CancelTask implements session.TaskManager.
func (b *backgroundTasks) CancelTask(ctx context.Context, id string) error {
	var done struct {
		Cancelled bool `json:"cancelled"`
	}
	err := b.call(ctx, "session.tasks.cancel", object{"id": id}, &done)
	if err == nil && !done.Cancelled {
		err = errors.New("it does not run any more")
	}
	if err != nil {
		return fmt.Errorf("stop task %s: %w", id, err)
	}
	return nil
}

// RemoveTask implements session.TaskManager. The runtime keeps shells on its
// list that were not detached, and sub-agents that can be written to.
func (b *backgroundTasks) RemoveTask(ctx context.Context, id string) error {
	var done struct {
		Removed bool `json:"removed"`
	}
	err := b.call(ctx, "session.tasks.remove", object{"id": id}, &done)
	if err == nil && !done.Removed {
		err = errors.New("the runtime keeps it on its list")
	}
	if err != nil {
		return fmt.Errorf("remove task %s: %w", id, err)
	}
	return nil
}

// Background implements session.TaskManager.
func (b *backgroundTasks) Background(ctx context.Context, id string) error {
	if id != "" {
		promoted, err := b.promote(ctx, id)
		if err == nil && !promoted {
			err = errors.New("the agent does not wait for it")
		}
		if err != nil {
			return fmt.Errorf("let task %s go on in the background: %w", id, err)
		}
		return nil
	}
	// The runtime's call for whatever runs (promoteCurrentToBackground) leaves
	// shells out.
	list, err := b.tasks(ctx)
	some := false
	for _, t := range list {
		if t.Promotable {
			promoted, failed := b.promote(ctx, t.ID) // what has ended since is not promoted
			some, err = some || promoted, errors.Join(err, failed)
		}
	}
	if err == nil && !some {
		err = errors.New("the agent waits for nothing that can")
	}
	if err != nil {
		return fmt.Errorf("move what runs to the background: %w", err)
	}
	return nil
}

// promote reports whether a task goes on in the background now.
func (b *backgroundTasks) promote(ctx context.Context, id string) (bool, error) {
	var done struct {
		Promoted bool `json:"promoted"`
	}
	err := b.call(ctx, "session.tasks.promoteToBackground", object{"id": id}, &done)
	return done.Promoted, err
}
