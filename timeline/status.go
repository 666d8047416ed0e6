package timeline

import (
	"strconv"
	"time"

	"parley/session"
)

// Status is what a session is doing and with what. It is a value: it does not
// change after it was read. Its texts hold words of the agent, of tools and of
// file names: they are to be made safe before they are shown.
type Status struct {
	Busy     bool      // a turn is running
	Since    time.Time // when it began; of the last turn when not busy
	Stopping bool      // an abort was told, and the agent has not stopped yet
	Ended    bool      // the session was shut down
	// Doing is what the agent does now, in plain words: "thinking",
	// "running go test ./…", "waiting for you". Empty when nothing runs.
	Doing string
	// DoingSince is when what Doing says began.
	DoingSince time.Time
	Intent     string // what the agent says it is doing; "" if it does not

	Waiting      int  // questions that wait for the person
	RunningShell bool // the turn waits for a shell command, which steering would move to the background
	Retry        int  // the attempt being made to call the model, counted from 1; 0 when it is the first
	Compacting   bool
	// BackgroundWork is true while the agent takes input and something still
	// runs beside it.
	BackgroundWork bool
	Agents         int // sub-agents at work

	Model, Effort string
	Persona       string // the custom agent that handles the conversation; "" is the default
	Mode          session.Mode
	AllowAll      bool // nobody is asked for permissions
	Title         string
	Dir           string
	Repository    string // "owner/name"
	Branch        string

	ContextTokens, ContextLimit int
	Turns                       int // calls of the model by the root agent
	LastActivity                time.Time
}

// phase is what the model does while no tool runs.
type phase uint8

const (
	thinking phase = iota
	answering
	calling
)

// Status returns the state of the session now. It costs what is open, not what
// the timeline holds.
func (t *Timeline) Status() Status {
	s := t.status
	for _, a := range t.asks {
		if !a.replayed {
			s.Waiting++
		}
	}
	var running *ToolCall
	count := 0
	for _, e := range t.open.list {
		c, ok := e.Body.(*ToolCall)
		if !ok || e.State.Final() || e.pos < 0 || !c.started || c.Waiting {
			continue
		}
		s.RunningShell = s.RunningShell || c.shell && !c.Requested
		running = c
		count++
		if count == 1 {
			s.DoingSince = e.At
		}
	}
	if count == 0 {
		s.DoingSince = s.Since
	}
	if e := t.retry.entry; e != nil && e.State == Live {
		s.Retry = t.retry.attempt + 1
	}
	s.Doing = t.doing(s, running, count)
	return s
}

// doing says in words what goes on, the most urgent thing first.
func (t *Timeline) doing(s Status, running *ToolCall, count int) string {
	switch {
	case s.Waiting > 0:
		return "waiting for you"
	case s.Stopping:
		return "stopping"
	case s.Retry > 0:
		return retryingStatus(s.Retry)
	case count > 1:
		return running.doing + " and " + strconv.Itoa(count-1) + " more"
	case count == 1:
		return running.doing
	case s.Compacting && (!s.Busy || t.phase == thinking):
		return "summarising"
	case !s.Busy:
		return ""
	case t.phase == answering:
		return "answering"
	case t.phase == calling:
		return "preparing a tool call"
	case s.Intent != "":
		return oneLine(s.Intent)
	}
	return "thinking"
}

func retryingStatus(attempt int) string {
	return "trying again (attempt " + strconv.Itoa(attempt) + ")"
}
