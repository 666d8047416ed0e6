package processgroup

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"syscall"
	"unsafe"

	"golang.org/x/sys/windows"
)

// Group is a command with what it starts.
type Group struct {
	cmd *exec.Cmd
	// The job object that has them. They end when its last handle is closed, so also with
	// Parley, however that ends.
	job windows.Handle
}

// lead has the command start suspended, before which it is not in the job, and with a console
// of its own, which has no window.
func (g *Group) lead() {
	if g.cmd.SysProcAttr == nil {
		g.cmd.SysProcAttr = new(syscall.SysProcAttr) // else it has the command line
	}
	g.cmd.SysProcAttr.CreationFlags = windows.CREATE_SUSPENDED | windows.CREATE_NO_WINDOW
}

// NewSession is New: no command reaches the console.
func NewSession(cmd *exec.Cmd) *Group { return New(cmd) }

// Start starts the command.
func (g *Group) Start() error {
	handle, err := newJob()
	if err != nil {
		return err
	}
	g.job = handle
	runtime.AddCleanup(g, func(job windows.Handle) { _ = windows.CloseHandle(job) }, handle)
	if err := g.cmd.Start(); err != nil {
		return err
	}
	var failed error
	err = g.cmd.Process.WithHandle(func(process uintptr) {
		failed = windows.AssignProcessToJobObject(handle, windows.Handle(process))
	})
	if err = errors.Join(err, failed); err == nil {
		err = resume(uint32(g.cmd.Process.Pid))
	}
	if err != nil {
		_ = g.cmd.Process.Kill()
		_ = g.cmd.Wait()
		return fmt.Errorf("put a process into a job: %w", err)
	}
	return nil
}

// newJob makes a job whose processes end with its last handle.
func newJob() (windows.Handle, error) {
	handle, err := windows.CreateJobObject(nil, nil)
	if err != nil {
		return 0, fmt.Errorf("make a job: %w", err)
	}
	var limits windows.JOBOBJECT_EXTENDED_LIMIT_INFORMATION
	limits.BasicLimitInformation.LimitFlags = windows.JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE
	if _, err := windows.SetInformationJobObject(handle, windows.JobObjectExtendedLimitInformation,
		uintptr(unsafe.Pointer(&limits)), uint32(unsafe.Sizeof(limits))); err != nil {
		_ = windows.CloseHandle(handle)
		return 0, fmt.Errorf("limit a job: %w", err)
	}
	return handle, nil
}

// resume continues a process that was started suspended. Go does not return the handle of its
// only thread.
func resume(pid uint32) error {
	all, err := windows.CreateToolhelp32Snapshot(windows.TH32CS_SNAPTHREAD, 0)
	if err != nil {
		return err
	}
	defer func() { _ = windows.CloseHandle(all) }()
	entry := windows.ThreadEntry32{Size: uint32(unsafe.Sizeof(windows.ThreadEntry32{}))}
	for err = windows.Thread32First(all, &entry); err == nil; err = windows.Thread32Next(all, &entry) {
		if entry.OwnerProcessID != pid {
			continue
		}
		thread, err := windows.OpenThread(windows.THREAD_SUSPEND_RESUME, false, entry.ThreadID)
		if err != nil {
			return err
		}
		defer func() { _ = windows.CloseHandle(thread) }()
		_, err = windows.ResumeThread(thread)
		return err
	}
	return err
}

// Terminate kills what is left of the group: Windows has no way to ask it to end.
func (g *Group) Terminate() { _ = g.Kill() }

// Kill kills what is left of the group of a started command. If the command has ended, it
// returns os.ErrProcessDone.
func (g *Group) Kill() error {
	if err := windows.TerminateJobObject(g.job, 1); err != nil {
		return err
	}
	err := g.cmd.Process.Kill()         // it may not be in the job yet
	if errors.Is(err, syscall.EINVAL) { // it was waited for
		return os.ErrProcessDone
	}
	return err
}
