package copilot

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"sync"
	"time"
)

const (
	// shutdownGrace is how long the runtime may take to end by itself once its
	// standard input is closed (protocol note, section 14).
	shutdownGrace = 10 * time.Second
	// drainGrace is how long the output of an ended process is still read.
	drainGrace = time.Second
	// tailLimit is how much of the runtime's error output is kept for reports.
	tailLimit = 4 << 10
)

// process is the child. Its whole process group goes with it: the CLI that npm
// installs is a script that starts the real program.
type process struct {
	cmd    *exec.Cmd
	stdin  io.WriteCloser
	stdout *os.File
	stderr tail
	exited chan struct{} // closed once the child has ended and its group was killed
	err    error         // of the wait; set before exited is closed
}

// start runs the command with env as its whole environment.
func start(path string, args, env []string, dir string) (*process, error) {
	inR, inW, err := os.Pipe()
	if err != nil {
		return nil, fmt.Errorf("start %s: %w", path, err)
	}
	outR, outW, err := os.Pipe()
	if err != nil {
		_, _ = inR.Close(), inW.Close()
		return nil, fmt.Errorf("start %s: %w", path, err)
	}
	p := &process{stdin: inW, stdout: outR, exited: make(chan struct{})}
	p.cmd = exec.Command(path, args...) //nolint:noctx // Agent.Close ends it, gently at first
	p.cmd.Stdin, p.cmd.Stdout, p.cmd.Stderr = inR, outW, &p.stderr
	p.cmd.Env, p.cmd.Dir = env, dir
	p.cmd.WaitDelay = drainGrace // for a grandchild that keeps the error output open
	group(p.cmd)

	started := make(chan error)
	go p.run(started, inR, outW)
	if err := <-started; err != nil {
		_, _ = inW.Close(), outR.Close()
		return nil, fmt.Errorf("start %s: %w; check that it is the Copilot CLI and may be run", path, err)
	}
	return p, nil
}

// run starts the child and waits for it. It keeps its thread for as long as the
// child lives: on Linux the child is told when the thread that started it ends.
func (p *process) run(started chan<- error, childFiles ...*os.File) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	err := p.cmd.Start()
	for _, f := range childFiles {
		_ = f.Close() // ours; the child has its own
	}
	started <- err
	if err != nil {
		return
	}
	p.err = p.cmd.Wait()
	if errors.Is(p.err, exec.ErrWaitDelay) {
		p.err = nil // the child itself ended well
	}
	killGroup(p.cmd) // what it may have left behind
	close(p.exited)
}

// stop closes the child's input and waits until it has ended: by itself, or
// killed when ctx or the grace is over. The error says that it was killed.
func (p *process) stop(ctx context.Context) error {
	_ = p.stdin.Close()
	ctx, cancel := context.WithTimeout(ctx, shutdownGrace)
	defer cancel()
	select {
	case <-p.exited:
		return nil
	case <-ctx.Done():
	}
	killGroup(p.cmd)
	<-p.exited
	return fmt.Errorf("the Copilot CLI did not end by itself and was killed: %w", context.Cause(ctx))
}

// exit describes how an ended child ended.
func (p *process) exit() string {
	if p.err == nil {
		return "exit status 0"
	}
	return p.err.Error()
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

// last returns up to n last lines that are not blank.
func (t *tail) last(n int) string {
	t.mu.Lock()
	defer t.mu.Unlock()
	lines := strings.FieldsFunc(string(bytes.ToValidUTF8(t.buf, []byte("\uFFFD"))), func(r rune) bool { return r == '\n' || r == '\r' })
	return strings.TrimSpace(strings.Join(lines[max(0, len(lines)-n):], "\n"))
}
