package copilot

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/google/uuid"

	"parley/session"
	"parley/session/processgroup"
)

const (
	// shutdownGrace is how long the runtime may take to end by itself once its
	// standard input is closed (docs/protocol.md, section 14).
	shutdownGrace = 10 * time.Second
	// drainGrace is how long the output of an ended process is still read.
	drainGrace = time.Second
	// tailLimit is how much of the runtime's error output is kept for reports.
	tailLimit = 4 << 10
)

// process is a runtime that is our child. Its whole process group goes with it:
// the CLI that npm installs is a script that starts the real program.
type process struct {
	cmd    *exec.Cmd
	group  *processgroup.Group
	stdin  *os.File
	stdout *output
	stderr tail
	mark   string        // in the environment of the child and of all that it starts
	exited chan struct{} // closed once the child has ended and its group was killed
	err    error         // of the wait, or a panic of who waited; set before exited is closed
}

// start runs the command with env as its whole environment.
func start(path string, args, env []string, dir string) (*process, error) {
	var ends [6]*os.File // of the child's input, output and error output: where it is read, where written
	for i := 0; i < len(ends); i += 2 {
		var err error
		if ends[i], ends[i+1], err = os.Pipe(); err != nil {
			closeAll(ends[:i])
			return nil, fmt.Errorf("start %s: %w", path, err)
		}
	}
	stdout, err := newOutput(ends[2])
	if err != nil {
		closeAll(ends[:])
		return nil, fmt.Errorf("start %s: %w", path, err)
	}
	p := &process{
		stdin: ends[1], stdout: stdout, exited: make(chan struct{}), mark: "PARLEY_RUNTIME=" + uuid.NewString(),
	}
	p.cmd = exec.Command(path, args...) //nolint:noctx // Agent.Close ends it, gently at first
	p.cmd.Stdin, p.cmd.Stdout, p.cmd.Stderr = ends[0], ends[3], ends[5]
	p.cmd.Env, p.cmd.Dir = append(slices.Clone(env), p.mark), dir
	p.lead()

	started := make(chan error, 1)
	go p.live(started, ends[4], []*os.File{ends[0], ends[3], ends[5]})
	if err := p.began(started); err != nil {
		stdout.close()
		closeAll(ends[:])
		return nil, startError(path, dir, err)
	}
	return p, nil
}

// startError explains why a Copilot CLI could not be started in a folder.
func startError(path, dir string, err error) error {
	var lost *session.FolderError
	_, gone := os.Stat(path) // on Windows the error is another one where the name has no extension
	switch err = inFolder(dir, err); {
	case errors.As(err, &lost):
		return err
	case errors.Is(err, fs.ErrNotExist), errors.Is(gone, fs.ErrNotExist):
		return fmt.Errorf("there is no Copilot CLI at %s any more: install it with `npm install -g @github/copilot`", path)
	}
	return fmt.Errorf("start %s: %w; check that it is the Copilot CLI and may be run", path, err)
}

// inFolder returns why something failed in a folder: that there is no such folder, if so.
func inFolder(dir string, err error) error {
	if _, lost := os.Stat(dir); dir != "" && errors.Is(lost, fs.ErrNotExist) {
		return &session.FolderError{Dir: dir}
	}
	return err
}

// lead has the child lead a process group of its own, out of reach of the terminal's signals.
func (p *process) lead() {
	p.group = processgroup.New(p.cmd)
	endWithParent(p.cmd)
}

// killGroup kills the child's process group. One that has ended is no error.
func (p *process) killGroup() { _ = p.group.Kill() }

func closeAll(files []*os.File) {
	for _, f := range files {
		_ = f.Close()
	}
}

// began waits until the child has started, or not.
func (p *process) began(started <-chan error) error {
	select {
	case err := <-started:
		return err
	case <-p.exited:
	}
	select {
	case err := <-started: // and has ended
		return err
	default:
		return p.err // a panic came before it
	}
}

// live is the child's life, and its end when there is a panic in it.
func (p *process) live(started chan<- error, stderr *os.File, its []*os.File) {
	defer close(p.exited)
	p.err = session.Guard(func() error { return p.run(started, stderr, its) })
	if crash := (*session.PanicError)(nil); errors.As(p.err, &crash) && p.cmd.Process != nil {
		p.killGroup()
		killMarked(p.mark)
	}
}

// run starts the child and waits for it. It keeps its thread for as long as the
// child lives: on Linux the child gets a signal when the thread that started it ends.
func (p *process) run(started chan<- error, stderr *os.File, its []*os.File) error {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	err := p.group.Start()
	closeAll(its) // the child has its own
	started <- err
	if err != nil {
		return err
	}
	said := make(chan struct{})
	var crash error
	go func() {
		defer close(said)
		crash = session.Guard(func() error {
			_, _ = io.Copy(&p.stderr, stderr)
			return nil
		})
		if crash != nil {
			p.killGroup() // it would wait for ever to be read
		}
	}()
	err = p.cmd.Wait()
	p.killGroup() // what it may have left behind
	if err != nil {
		killMarked(p.mark) // else it has ended its tools, or left those that are to continue
	}
	select {
	case <-said:
	case <-time.After(drainGrace): // somebody else keeps it open
	}
	_ = stderr.Close()
	<-said
	if crash != nil {
		return crash
	}
	return err
}

// Read implements peer.
func (p *process) Read(b []byte) (int, error) { return p.stdout.Read(b) }

// Write implements peer.
func (p *process) Write(b []byte) (int, error) { return p.stdin.Write(b) }

// Close implements peer. The child ends at the end of its input.
func (p *process) Close() error {
	if err := p.stdin.Close(); err != nil && !errors.Is(err, os.ErrClosed) {
		return err
	}
	return nil
}

// stop implements peer. The child has the grace to end by itself.
func (p *process) stop(ctx context.Context) error {
	_ = p.Close()
	ctx, cancel := context.WithTimeout(ctx, shutdownGrace)
	defer cancel()
	select {
	case <-p.exited:
		return nil
	case <-ctx.Done():
	}
	select {
	case <-p.exited: // both have happened
		return nil
	default:
	}
	p.killGroup()
	<-p.exited
	return fmt.Errorf("the Copilot CLI did not end by itself and was killed: %w", context.Cause(ctx))
}

func (p *process) discard() { p.killGroup() }

func (p *process) finished(read <-chan struct{}) {
	<-p.exited
	select {
	case <-read: // all it had written was read
	case <-time.After(drainGrace):
		p.stdout.cancel()
	}
}

func (p *process) name() string { return "the Copilot CLI at " + p.cmd.Path }

func (p *process) fate(error) (what string, why remark) {
	select {
	case <-p.exited:
	case <-time.After(drainGrace):
		return "closed its output", remark{}
	}
	if p.err == nil {
		return "ended", remark{errors.New("exit status 0")}
	}
	return "ended", remark{p.err}
}

func (p *process) said() string {
	if line := p.stderr.line("Failed to extract bundled package"); line != "" {
		if trouble, _ := Unwritable(p.cmd.Env, false); trouble != "" {
			return "" // which says it better
		}
		return "\n" + line // the rest is how its runtime prints an error
	}
	if last := p.stderr.last(5); last != "" {
		return "\n" + last
	}
	return ""
}

func (p *process) advice() string {
	if trouble, remedy := Unwritable(p.cmd.Env, false); trouble != "" {
		return trouble + ": " + remedy
	}
	return fmt.Sprintf("run `%s --version`: it must be %s or later", p.cmd.Path, MinVersion)
}

// tail is a writer that keeps the end of what is written.
type tail struct {
	mu  sync.Mutex
	buf []byte
}

// Write implements io.Writer.
func (t *tail) Write(b []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.buf = append(t.buf, b...)
	if over := len(t.buf) - tailLimit; over > 0 {
		t.buf = append(t.buf[:0], t.buf[over:]...)
	}
	return len(b), nil
}

// line returns the first line that has a text in it; "" if no line has it.
func (t *tail) line(text string) string {
	t.mu.Lock()
	defer t.mu.Unlock()
	for line := range strings.Lines(string(bytes.ToValidUTF8(t.buf, []byte("\uFFFD")))) {
		if strings.Contains(line, text) {
			return strings.TrimSpace(line)
		}
	}
	return ""
}

// last returns up to n last lines that are not blank.
func (t *tail) last(n int) string {
	t.mu.Lock()
	defer t.mu.Unlock()
	lines := strings.FieldsFunc(string(bytes.ToValidUTF8(t.buf, []byte("\uFFFD"))), func(r rune) bool { return r == '\n' || r == '\r' })
	return strings.TrimSpace(strings.Join(lines[max(0, len(lines)-n):], "\n"))
}
