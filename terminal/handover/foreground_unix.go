//go:build unix

package handover

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"syscall"
	"time"

	"golang.org/x/sys/unix"

	"parley/terminal"
)

// Run runs a program in the foreground, as a shell runs a job: ctrl+c there does
// not end the window, and ctrl+z stops them both until the shell continues them.
// Input that the program did not read is discarded. The end of ctx ends the program.
// A program that ran and failed is an *ExitError.
func (t TTY) Run(ctx context.Context, argv []string) error {
	tty := int(t.In.Fd())
	own := unix.Getpgrp()
	front, err := unix.IoctlGetInt(tty, unix.TIOCGPGRP)
	job := err == nil && front == own // else this terminal is not ours to give away
	p, err := os.StartProcess(argv[0], argv, &os.ProcAttr{
		Env: slices.Clone(t.Env), Files: []*os.File{t.In, t.Out, t.Out},
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
	defer terminal.DiscardInput(t.In)
	ended := make(chan struct{})
	defer context.AfterFunc(ctx, func() { hangUp(target, ended) })()
	defer close(ended)
	return await(p.Pid, filepath.Base(argv[0]), func() error {
		give(tty, own)
		if err := Suspend(); err != nil {
			return err
		}
		give(tty, p.Pid)
		return syscall.Kill(target, syscall.SIGCONT)
	})
}

// give makes a process group the one that the terminal listens to.
func give(tty, group int) { _ = unix.IoctlSetPointerInt(tty, unix.TIOCSPGRP, group) }

// await waits for the end of a child. Each time it is stopped, as by ctrl+z,
// stopped is called and continues it.
func await(pid int, name string, stopped func() error) error {
	for {
		var status unix.WaitStatus
		switch _, err := unix.Wait4(pid, &status, unix.WUNTRACED, nil); {
		case errors.Is(err, unix.EINTR):
		case err != nil:
			return fmt.Errorf("wait for %s: %w", name, err)
		case status.Stopped():
			if err := stopped(); err != nil {
				return fmt.Errorf("continue %s: %w", name, err)
			}
		case status.Signaled():
			return &ExitError{name, "was ended by a signal: " + status.Signal().String()}
		case status.ExitStatus() != 0:
			return &ExitError{name, fmt.Sprintf("ended with exit code %d", status.ExitStatus())}
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

// usualEditors are looked for where no variable names one.
var usualEditors = []string{"nano", "vim", "vi"}

// CanSuspend reports that a shell can stop the process and continue it.
const CanSuspend = true

// NotifyStop has a signal that asks the process to stop sent to a channel.
func NotifyStop(asked chan<- os.Signal) { signal.Notify(asked, syscall.SIGTSTP) }

// Suspend stops the process, with those of its group, until the shell continues it.
// If there is no shell that would, nothing happens.
func Suspend() error {
	own, err := unix.Getsid(0)
	if err != nil {
		return fmt.Errorf("find the session: %w", err)
	}
	if parent, err := unix.Getsid(os.Getppid()); err != nil || parent != own {
		return nil
	}
	goes := make(chan os.Signal, 1)
	signal.Notify(goes, syscall.SIGCONT)
	defer signal.Stop(goes)
	// SIGTSTP is caught for signals from elsewhere, so it would not stop. Nor
	// does this one stop every thread at once.
	if err := syscall.Kill(0, syscall.SIGSTOP); err != nil {
		return fmt.Errorf("stop the process: %w", err)
	}
	<-goes
	return nil
}
