package tui

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"slices"
	"syscall"
	"time"

	"parley/tui/composer"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"
	"golang.org/x/sys/unix"
)

// outing is an edition with what it needs of the outside. It runs in the place of
// the window.
type outing struct {
	*edition
	config  Config
	command []string
	dir     string // of the file; nobody else can read it
	file    string
}

// editing is the effect that takes a text to the editor and back. The terminal
// is given away only when there is an editor to give it to.
func editing(c Config, lend lend) func(*edition) tea.Cmd {
	return func(e *edition) tea.Cmd {
		return func() tea.Msg {
			o := &outing{edition: e, config: c}
			if err := o.pack(); err != nil {
				o.clear()
				return returnedMsg{edition: e, err: err}
			}
			return lend(o.run, func(err error) tea.Msg {
				o.clear()
				return returnedMsg{edition: e, err: err}
			})()
		}
	}
}

// pack finds the editor and writes the file.
func (o *outing) pack() (err error) {
	if o.command, err = findEditor(o.config); err != nil {
		return err
	}
	if o.dir, err = os.MkdirTemp(o.config.env("TMPDIR"), "parley-edit-"); err != nil {
		return fmt.Errorf("make a place for the file: %w", err)
	}
	mode := os.FileMode(0o600)
	if o.readOnly {
		mode = 0o400
	}
	o.file = filepath.Join(o.dir, o.name)
	if err := os.WriteFile(o.file, []byte(o.text), mode); err != nil {
		return fmt.Errorf("write the file: %w", err)
	}
	return nil
}

// clear removes the file.
func (o *outing) clear() {
	if o.dir != "" {
		_ = os.RemoveAll(o.dir)
	}
}

// run shows the file in the editor and takes what was saved.
func (o *outing) run() error {
	if composer.Windowed(o.command) {
		_, _ = fmt.Fprintf(o.config.Out, "Waiting for %s to close the text; ctrl+c gives up.", filepath.Base(o.command[0]))
		defer func() { _, _ = io.WriteString(o.config.Out, "\r"+ansi.EraseEntireLine) }()
	}
	if err := foreground(o.ctx, o.config, append(o.command, o.file)); err != nil {
		return err
	}
	text, err := os.ReadFile(o.file)
	if err != nil {
		return fmt.Errorf("read what was saved: %w", err)
	}
	o.result = string(text)
	return nil
}

// findEditor is the command line of the editor, with the whole path of its
// program.
func findEditor(c Config) ([]string, error) {
	words, from, err := composer.EditorCommand(c.env)
	if err != nil {
		return nil, err
	}
	if from != "" {
		program, err := exec.LookPath(words[0])
		if err != nil {
			return nil, fmt.Errorf("%s names the editor %q, which was not found", from, words[0])
		}
		return append([]string{program}, words[1:]...), nil
	}
	for _, name := range composer.UsualEditors {
		if program, err := exec.LookPath(name); err == nil {
			return []string{program}, nil
		}
	}
	return nil, errors.New("no variable names an editor, and there is none of the usual ones")
}

// foreground runs a program that has the terminal to itself, as a shell runs a
// job: ctrl+c there does not end the window, and ctrl+z stops them both until
// the shell lets them go on. What was typed and the program did not read is
// dropped. The end of ctx ends the program.
func foreground(ctx context.Context, c Config, argv []string) error {
	tty := int(c.In.Fd())
	own := unix.Getpgrp()
	front, err := unix.IoctlGetInt(tty, unix.TIOCGPGRP)
	job := err == nil && front == own // else this terminal is not ours to give away
	p, err := os.StartProcess(argv[0], argv, &os.ProcAttr{
		Env: slices.Clone(c.Env), Files: []*os.File{c.In, c.Out, c.Out},
		Sys: &syscall.SysProcAttr{Setpgid: job, Foreground: job, Ctty: tty},
	})
	if err != nil {
		return fmt.Errorf("start %s: %w", filepath.Base(argv[0]), err)
	}
	defer func() { _ = p.Release() }()
	target := p.Pid
	if job {
		target = -p.Pid
		signal.Ignore(syscall.SIGTTOU) // it would stop who takes the terminal back
		defer signal.Reset(syscall.SIGTTOU)
		defer give(tty, own)
	}
	defer drain(tty)
	ended := make(chan struct{})
	defer context.AfterFunc(ctx, func() { hangUp(target, ended) })()
	defer close(ended)
	return await(p.Pid, filepath.Base(argv[0]), func() error {
		give(tty, own)
		if err := pause(); err != nil {
			return err
		}
		give(tty, p.Pid)
		return syscall.Kill(target, syscall.SIGCONT)
	})
}

// give makes a process group the one that the terminal listens to.
func give(tty, group int) { _ = unix.IoctlSetPointerInt(tty, unix.TIOCSPGRP, group) }

// await waits for the end of a child. Each time it is stopped, as by ctrl+z,
// stopped is called and lets it go on.
func await(pid int, name string, stopped func() error) error {
	for {
		var status unix.WaitStatus
		switch _, err := unix.Wait4(pid, &status, unix.WUNTRACED, nil); {
		case errors.Is(err, unix.EINTR):
		case err != nil:
			return fmt.Errorf("wait for %s: %w", name, err)
		case status.Stopped():
			if err := stopped(); err != nil {
				return fmt.Errorf("let %s go on: %w", name, err)
			}
		case status.Signaled():
			return &programError{name, "was ended by a signal: " + status.Signal().String()}
		case status.ExitStatus() != 0:
			return &programError{name, fmt.Sprintf("ended with exit code %d", status.ExitStatus())}
		default:
			return nil
		}
	}
}

// hangUp ends a program as a terminal that goes away does, so that editors keep
// what they can, and by force if it does not listen.
func hangUp(target int, ended <-chan struct{}) {
	_ = syscall.Kill(target, syscall.SIGHUP)
	_ = syscall.Kill(target, syscall.SIGCONT)
	select {
	case <-ended:
	case <-time.After(hangUpTime):
		_ = syscall.Kill(target, syscall.SIGKILL)
	}
}

// hangUpTime is how long a program may take to end after its terminal went.
const hangUpTime = 2 * time.Second

// Drain drops what a terminal was sent and nobody read yet.
func Drain(tty *os.File) { drain(int(tty.Fd())) }
