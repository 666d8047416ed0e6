package acp

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/creachadair/jrpc2"
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"parley/session"
	"parley/session/processgroup"
	"parley/settings/environ"
)

const (
	// callTime is how long an agent may take for a call. A prompt takes as long as it takes.
	callTime = time.Minute
	// endTime is how long an agent may take to end by itself at the end of its input, and then
	// when it is asked to.
	endTime = 3 * time.Second
	// errorLines is how many lines of its error output are shown when it has ended.
	errorLines = 5
	// mostEarly bounds the updates that are kept for a session whose id is not known yet.
	mostEarly = 10_000
)

// link is a running agent.
type link struct {
	cfg    Config
	cmd    *exec.Cmd
	group  *processgroup.Group
	from   *os.File // its output
	out    *outbox
	client *jrpc2.Client
	info   initializeResult
	stderr tail
	gone   chan struct{} // closed when the process has ended
	err    error         // how; set before gone is closed

	mu       sync.Mutex
	sessions map[string]*Session  // by the agent's own id
	early    map[string][]message // of sessions that are about to be known
	kept     int                  // messages in early
	making   int                  // sessions that are being made
	requests int                  // that were made
	takes    map[string]func(message)
}

// connect starts the agent and agrees on the protocol.
func connect(ctx context.Context, cfg Config) (*link, error) {
	l := &link{
		cfg: cfg, gone: make(chan struct{}), sessions: map[string]*Session{}, early: map[string][]message{},
		takes: map[string]func(message){},
	}
	if err := l.start(); err != nil {
		return nil, err
	}
	if err := l.initialize(ctx); err != nil {
		l.kill()
		<-l.gone
		l.hangUp()
		return nil, err
	}
	return l, nil
}

// MissingError is that the program of an agent is not there.
type MissingError struct {
	Command string
	Install string // a command that installs it; "" is not known
}

// Error implements error.
func (e *MissingError) Error() string {
	if e.Install == "" {
		return fmt.Sprintf("there is no %s on the PATH; check the command of the agent", e.Command)
	}
	return fmt.Sprintf("there is no %s on the PATH; `%s` installs it", e.Command, e.Install)
}

// start starts the program. Its process group ends with it, and with this program.
func (l *link) start() error {
	path, err := LookPath(l.cfg.Command[0], l.cfg.Env)
	if err != nil {
		return &MissingError{l.cfg.Command[0], l.cfg.Install}
	}
	l.cmd = exec.Command(path, l.cfg.Command[1:]...) //nolint:noctx // Agent.Close ends it, gently at first
	l.cmd.Env, l.cmd.Dir, l.cmd.Stderr = l.cfg.Env, l.cfg.Dir, &l.stderr
	l.group = processgroup.New(l.cmd)
	l.cmd.WaitDelay = time.Second
	in, err := l.cmd.StdinPipe()
	if err != nil {
		return fmt.Errorf("start %s: %w", path, err)
	}
	from, to, err := os.Pipe() // cmd's own pipe is closed before all was read
	if err != nil {
		return fmt.Errorf("start %s: %w", path, err)
	}
	l.cmd.Stdout = to
	if err := l.group.Start(); err != nil {
		return errors.Join(fmt.Errorf("start %s: %w", path, err), in.Close(), from.Close(), to.Close())
	}
	_ = to.Close() // the child has its own
	go func() {
		l.err = l.cmd.Wait()
		_ = l.group.Kill() // what it has left behind
		close(l.gone)
	}()
	l.from, l.out = from, newOutbox(in)
	l.client = jrpc2.NewClient(&lines{in: bufio.NewReader(from), out: l.out, deliver: l.deliver}, nil)
	return nil
}

// LookPath finds a program on the PATH of an environment.
func LookPath(name string, env []string) (string, error) {
	if filepath.Base(name) != name {
		return exec.LookPath(name)
	}
	for _, dir := range filepath.SplitList(environ.Get(env, "PATH")) {
		if path, err := exec.LookPath(dir + string(filepath.Separator) + name); err == nil && dir != "" {
			return path, nil
		}
	}
	return "", exec.ErrNotFound
}

// initialize agrees on the version. A program that does not answer is none that speaks the protocol.
func (l *link) initialize(ctx context.Context) error {
	p := initializeParams{Version: protocolVersion, Client: program{Name: producer, Title: "Parley", Version: l.cfg.Client}}
	p.Capabilities.Meta.TerminalOutput = true
	if err := l.call(ctx, "initialize", p, &l.info); err != nil {
		return fmt.Errorf("start %s: %w", l.cfg.Name, err)
	}
	if l.info.Version != protocolVersion {
		return fmt.Errorf("%s speaks version %d of the Agent Client Protocol, and Parley version %d",
			l.cfg.Name, l.info.Version, protocolVersion)
	}
	return nil
}

// name is who answers.
func (l *link) name() string {
	p := l.info.Agent
	if title := cmp.Or(p.Title, p.Name); title != "" {
		return strings.TrimSpace(title + " " + p.Version)
	}
	return l.cfg.Name
}

func (l *link) alive() bool {
	select {
	case <-l.gone:
		return false
	default:
		return !l.client.IsStopped()
	}
}

// call makes a request, which has a limited time unless it is a prompt.
func (l *link) call(ctx context.Context, method string, params, result any) error {
	if method != "session/prompt" {
		limited, cancel := context.WithTimeout(ctx, callTime)
		defer cancel()
		ctx = limited
	}
	raw, err := json.Marshal(params)
	if err != nil {
		return fmt.Errorf("encode %s: %w", method, err)
	}
	rsp, err := l.client.Call(ctx, method, jsontext.Value(raw))
	if err != nil {
		return l.failed(ctx, method, err)
	}
	var text jsontext.Value
	if err := rsp.UnmarshalResult(&text); err != nil {
		return fmt.Errorf("read the answer to %s: %w", method, err)
	}
	if err := session.Unmarshal(text, result); err != nil {
		return fmt.Errorf("read the answer to %s: %w", method, err)
	}
	return nil
}

// callError is a call that the agent answered with an error.
type callError struct {
	code    int
	message string
}

// Error implements error.
func (e *callError) Error() string { return e.message }

// Is says that the user is to sign in where the agent does.
func (e *callError) Is(target error) bool {
	return target == session.ErrSignedOut && e.code == codeAuthRequired
}

// failed turns the error of a call into one to show.
func (l *link) failed(ctx context.Context, method string, err error) error {
	var e *jrpc2.Error
	if errors.As(err, &e) && !l.client.IsStopped() {
		var data struct {
			Details string `json:"details"`
			Message string `json:"message"`
		}
		session.ReadWhatFits(jsontext.Value(e.Data), &data)
		return &callError{int(e.Code), cmp.Or(data.Details, data.Message, e.Message)}
	}
	switch {
	case errors.Is(ctx.Err(), context.DeadlineExceeded):
		return fmt.Errorf("%w to %s within %v", session.ErrUnanswered, method, callTime)
	case ctx.Err() != nil:
		return ctx.Err()
	}
	return l.fate()
}

// fate is how the agent ended, with the last that it wrote to its error output.
func (l *link) fate() error {
	select {
	case <-l.gone:
	case <-time.After(endTime):
		return fmt.Errorf("%s closed its output", l.cfg.Name)
	}
	how := "it ended"
	if l.err != nil {
		how = l.err.Error()
	}
	if said := l.stderr.last(errorLines); said != "" {
		return fmt.Errorf("%s has ended (%s):\n%s", l.cfg.Name, how, said)
	}
	return fmt.Errorf("%s has ended (%s)", l.cfg.Name, how)
}

// notify sends what has no answer.
func (l *link) notify(method string, params any) error {
	raw, err := json.Marshal(params)
	if err != nil {
		return fmt.Errorf("encode %s: %w", method, err)
	}
	return l.send(message{Method: method, Params: raw})
}

func (l *link) send(m message) error {
	raw, err := encode(m)
	if err != nil {
		return err
	}
	return l.out.send(raw)
}

// answer answers a request of the agent's.
func (l *link) answer(id jsontext.Value, result any) error {
	raw, err := json.Marshal(result, json.Deterministic(true))
	if err != nil {
		return fmt.Errorf("encode an answer: %w", err)
	}
	return l.send(message{ID: id, Result: raw})
}

// deliver hands a message to its session, on the goroutine that reads. What no session is for is
// answered with an error, if it wants an answer.
func (l *link) deliver(m message) {
	var at struct {
		SessionID string `json:"sessionId"`
	}
	session.ReadWhatFits(m.Params, &at)
	switch m.Method {
	case "":
		l.answered(m)
	case "elicitation/create", "session/update", "session/request_permission":
		if at.SessionID == "" && !null(m.ID) { // about a call of this program's own, which no user sees
			_ = l.answer(m.ID, nothing(m.Method))
		} else if s, kept := l.sessionOf(at.SessionID, m); s != nil {
			s.receive(m)
		} else if !kept && !null(m.ID) {
			_ = l.answer(m.ID, nothing(m.Method))
		}
	case "$/cancel_request":
		var void struct {
			ID jsontext.Value `json:"requestId"`
		}
		session.ReadWhatFits(m.Params, &void)
		for _, s := range l.all() {
			s.withdrawn(void.ID)
		}
	case "elicitation/complete":
		var done formParams
		session.ReadWhatFits(m.Params, &done)
		for _, s := range l.all() {
			s.visited(done.ElicitationID)
		}
	default:
		if !null(m.ID) {
			_ = l.send(message{ID: m.ID, Error: &rpcError{Code: codeNoMethod, Message: "Parley does not have the method " + m.Method}})
		}
	}
}

// sessionOf returns the session that a message is for; nil if it is not known. While a session is being
// made, the message is kept for that.
func (l *link) sessionOf(id string, m message) (s *Session, kept bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	s = l.sessions[id]
	if kept = s == nil && l.making > 0 && l.kept < mostEarly; kept {
		l.early[id] = append(l.early[id], m)
		l.kept++
	}
	return s, kept
}

// make counts the sessions that are being made, by 1 or -1. After the last one nothing is kept any more.
func (l *link) make(by int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.making += by; l.making > 0 {
		return
	}
	for _, all := range l.early {
		for _, m := range all {
			if !null(m.ID) {
				_ = l.answer(m.ID, nothing(m.Method))
			}
		}
	}
	clear(l.early)
	l.kept = 0
}

func (l *link) all() (all []*Session) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, s := range l.sessions {
		all = append(all, s)
	}
	return all
}

// attach makes a session known, and gives it what came before.
func (l *link) attach(id string, s *Session) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.sessions[id] = s
	for _, m := range l.early[id] {
		l.kept--
		s.receive(m)
	}
	delete(l.early, id)
}

func (l *link) detach(id string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	delete(l.sessions, id)
}

// stop ends the agent: at the end of its input, else by a signal, else at once.
func (l *link) stop(ctx context.Context) {
	_ = l.out.close() // which ends its input, and not the client's: that waits for the end of the output
	defer l.hangUp()
	for _, end := range []func(){func() {}, l.group.Terminate} {
		end()
		select {
		case <-l.gone:
			return
		case <-time.After(endTime):
		case <-ctx.Done():
		}
	}
	l.kill()
	<-l.gone
}

// hangUp ends the connection, whoever still holds its other end.
func (l *link) hangUp() {
	_ = l.from.Close()
	_ = l.client.Close()
}

func (l *link) kill() { _ = l.group.Kill() }
