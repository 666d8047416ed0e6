package demo

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"

	"parley/session"
	"parley/session/local"
)

// job is something that the demo pretends to do in the background, or the command
// that the running turn waits for.
type job struct {
	session.Task
	agent session.CallID // the call that started it, of a sub-agent
	stop  context.CancelFunc
}

// The states of a task.
const (
	running   = "running"
	completed = "completed"
	cancelled = "cancelled"
)

// How many paces a pretended job takes. At no pace it continues until it is
// cancelled.
const (
	agentPaces = 800
	shellPaces = 2400
)

// startJob lets a job begin.
func (s *Session) startJob(j *job, paces int) {
	s.Mu.Lock()
	defer s.Mu.Unlock()
	if s.Life.Err() != nil {
		return
	}
	var ctx context.Context
	ctx, j.stop = context.WithCancel(s.Life)
	j.Status, j.Since = running, s.cfg.Now()
	s.tasks = append(s.tasks, j)
	s.Log.Put(session.SessionBackgroundTasksChanged{})
	s.jobs.Go(func() {
		defer j.stop()
		s.Life.Guard(func() {
			if s.cfg.Pace <= 0 {
				<-ctx.Done()
			} else if s.wait(ctx, paces) == nil {
				s.endJob(j)
			}
		})
	})
}

// endJobs ends all jobs with the session, also after a panic, when Life continues.
func (s *Session) endJobs() {
	s.Mu.Lock()
	for _, j := range s.tasks {
		j.stop()
	}
	s.Mu.Unlock()
	s.jobs.Wait()
}

// endJob ends a job that is done, and has the agent take that in as the runtime
// does (docs/protocol.md, section 6.5).
func (s *Session) endJob(j *job) {
	s.Mu.Lock()
	defer s.Mu.Unlock()
	if j.Status != running {
		return
	}
	code := 0
	what := session.Notification{Type: "shell_completed", ShellID: j.ID, ExitCode: &code, Description: j.Title}
	j.Output = "pretended output, and then the end"
	if j.Agent {
		what = session.Notification{
			Type: "agent_completed", AgentID: session.AgentID(j.ID), AgentType: "explore", DisplayName: j.Title, Status: completed,
		}
		j.Output = "I pretended to look around, and found nothing new."
	}
	s.settleJob(j, completed)
	s.Waiting = append(s.Waiting, local.Prompt{Work: session.SystemNotification{
		Content:      notified + j.Title + hasEnded + "; the demo pretended it.</system_notification>",
		Notification: what,
	}})
	local.TrySignal(s.Wake)
}

// The words around the name of a job that has ended.
const (
	notified = "<system_notification>"
	hasEnded = " has ended"
)

// settleJob says that a job has ended. The caller holds mu.
func (s *Session) settleJob(j *job, status string) {
	j.Status = status
	if j.Agent {
		s.Log.PutAs(session.AgentID(j.ID), session.SubagentCompleted{
			ToolCallID: j.agent, AgentName: "explore", AgentDisplayName: j.Title, Model: s.model, Cancelled: status == cancelled,
			DurationMs: float64(s.cfg.Now().Sub(j.Since).Milliseconds()),
		})
	}
	s.Log.Put(session.SessionBackgroundTasksChanged{})
}

// Tasks implements session.TaskManager.
func (s *Session) Tasks(context.Context) ([]session.Task, error) {
	s.Mu.Lock()
	defer s.Mu.Unlock()
	var all []session.Task
	if a := s.attached; a != nil && a.Attached {
		all = append(all, a.Task)
	}
	for _, j := range s.tasks {
		t := j.Task
		if t.Status == running {
			t.Output = fmt.Sprintf("pretending for %v", s.cfg.Now().Sub(t.Since).Truncate(time.Second))
		}
		all = append(all, t)
	}
	return all, nil
}

// job is the job of that id. The caller holds mu.
func (s *Session) job(id string) (*job, error) {
	j, err := find("task", id, s.tasks, func(j *job) string { return j.ID })
	if err != nil {
		return nil, err
	}
	return *j, nil
}

// CancelTask implements session.TaskManager.
func (s *Session) CancelTask(_ context.Context, id string) error {
	return s.Change("cancel a task", func() error {
		if a := s.attached; a != nil && a.ID == id {
			a.stop()
			return nil
		}
		j, err := s.job(id)
		switch {
		case err != nil:
			return err
		case j.Status != running:
			return errors.New("it has ended")
		}
		j.stop()
		s.settleJob(j, cancelled)
		return nil
	})
}

// RemoveTask implements session.TaskManager.
func (s *Session) RemoveTask(_ context.Context, id string) error {
	return s.Change("remove a task", func() error {
		j, err := s.job(id)
		switch {
		case err != nil:
			return err
		case j.Status == running:
			return errors.New("it runs; cancel it first")
		}
		s.tasks = slices.DeleteFunc(s.tasks, func(o *job) bool { return o == j })
		s.Log.Put(session.SessionBackgroundTasksChanged{})
		return nil
	})
}

// Background implements session.TaskManager. The command that the turn waits for
// is stopped, and the demo pretends that it continues.
func (s *Session) Background(_ context.Context, id string) error {
	return s.Change("continue in the background", func() error {
		a := s.attached
		switch {
		case a == nil && id == "":
			return errors.New("the agent waits for no command")
		case a == nil || id != "" && a.ID != id:
			_, err := s.job(id) // one that is there already
			return err
		}
		a.Attached = false
		a.stop()
		return nil
	})
}

// attach notes a command that the turn waits for.
func (s *Session) attach(c *tool, stop context.CancelFunc) *job {
	s.Mu.Lock()
	defer s.Mu.Unlock()
	s.attached = &job{stop: stop, Task: session.Task{
		ID: c.shell(), Title: c.Intention, Detail: c.Shell, Status: running, Since: s.cfg.Now(), Attached: true,
	}}
	return s.attached
}

// detach ends that, and reports whether the user moved the command to the background.
func (s *Session) detach(j *job) (moved bool) {
	s.Mu.Lock()
	defer s.Mu.Unlock()
	s.attached = nil
	return !j.Attached
}

// shell is the runtime's name of the shell in which a command runs.
func (c *tool) shell() string { return strings.TrimPrefix(string(c.id), "call_") }

// inBackground is what runs while the agent is idle; nil for nothing.
func (s *Session) inBackground() *session.BackgroundTasks {
	s.Mu.Lock()
	defer s.Mu.Unlock()
	var tasks session.BackgroundTasks
	for _, j := range s.tasks {
		switch {
		case j.Status != running:
		case j.Agent:
			a := session.BackgroundAgent{AgentID: session.AgentID(j.ID), AgentType: "explore", Description: j.Title}
			tasks.Agents = append(tasks.Agents, a)
		default:
			tasks.Shells = append(tasks.Shells, session.BackgroundShell{ShellID: j.ID, Description: j.Title})
		}
	}
	if len(tasks.Agents)+len(tasks.Shells) == 0 {
		return nil
	}
	return &tasks
}

// background starts a command or a sub-agent that continues by itself.
func (t *turn) background(c *tool) session.ToolExecutionComplete {
	if c.Agent == nil {
		t.s.startJob(&job{Task: session.Task{ID: c.shell(), Title: c.Intention, Detail: c.Background}}, shellPaces)
		return success(fmt.Sprintf("<command started in background with shellId: %s>", c.shell()))
	}
	id := session.AgentID(uuid.NewString())
	t.s.Log.PutAs(id, c.startsAgent(t.s.currentModel(), "background"))
	t.s.startJob(&job{
		agent: c.id, Task: session.Task{ID: string(id), Agent: true, Title: c.Agent.Name, Detail: c.Background},
	}, agentPaces)
	return success("Agent started in background with agent_id: " + string(id))
}
