//go:build unix

package terminal

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"runtime/debug"
	"strings"
	"sync"
	"syscall"

	"github.com/charmbracelet/x/term"
	"golang.org/x/sys/unix"
)

// CrashRestore gives the terminal back after a fatal error of Go's runtime, which runs
// no code of the program any more, and after SIGKILL. A shell that waits beside the
// window does it, and then writes the trace. It leads a session of its own, so that neither keys
// nor the end of the terminal reach it, and its input ends with the program,
// however that ends.
type CrashRestore struct {
	in, out, err *os.File
	env          Environment
	cooked       *term.State // the line discipline before the window; nil if nothing is restored

	mu    sync.Mutex
	over  bool
	shell *exec.Cmd // nil if it does not wait
	said  *os.File  // its input, which ends when all that have it open have closed it
	undo  func()    // what the runtime writes goes where it went before
}

// restoreScript is what the shell does: it reads what the runtime writes, line by
// line. What comes before a fatal error is of no use, such as a library's
// messages, which would only have damaged the screen. If its input ends and Stop has
// not ended it, the program was killed, and the shell that started it takes the terminal
// at the same time. What that shell writes first is lost with the window's screen, so all
// is written at once, and then a change of the terminal's height lets it draw its prompt
// again; the line discipline is only touched if it is still that of the window (-opost).
// Its arguments are the path of stty, the line discipline for it, and the sequence that
// gives the terminal back; the terminal's input is file 3.
const restoreScript = `said=
while IFS= read -r line; do
	case $line in
	"fatal error: "* | "panic: "* | SIG* | "goroutine "*)
		{ "$1" "$2" || "$1" sane; } 2>/dev/null <&3
		printf %b "$3"
		printf "%s\n" "$said$line" | tr -cd "\11\12\40-\176" >&2
		exec tr -cd "\11\12\40-\176" >&2
		;;
	"runtime: "* | "unexpected fault "*) said="$said$line
" ;;
	*) said= ;;
	esac
done
printf "%bParley was killed. To continue its session: parley --continue\r\n" "$3"
{
	case $("$1" -a) in *-opost*) "$1" "$2" || "$1" sane ;; esac
	rows=$("$1" size)
	rows=${rows% *}
	[ "$rows" -gt 0 ] && "$1" rows $((rows + 1)) && "$1" rows "$rows"
} 2>/dev/null <&3
exit 0`

// NewCrashRestore is for a window whose terminal is still as it was before. The trace
// of a fatal error goes to err; if that is nil, nothing is restored.
func NewCrashRestore(in, out, err *os.File, env Environment) *CrashRestore {
	r := &CrashRestore{in: in, out: out, err: err, env: env}
	if err != nil {
		r.cooked, _ = term.GetState(in.Fd()) // without a terminal there is nothing to restore
	}
	return r
}

// Start lets the shell wait. If there is no shell, or nothing of what it needs, a
// fatal error ends the program as it would without it.
func (r *CrashRestore) Start() {
	r.mu.Lock()
	defer r.mu.Unlock()
	stty, err := exec.LookPath("stty")
	if err != nil || r.cooked == nil || r.over {
		return
	}
	heard, said, err := narrowPair()
	if err != nil {
		return
	}
	defer heard.Close()
	trace, undo, err := r.divert(said)
	if err != nil {
		said.Close()
		return
	}
	// It outlives every context of the window; Stop ends it.
	cmd := exec.CommandContext(context.Background(), "/bin/sh", "-c", restoreScript, "parley-restore",
		stty, sttyArgument(r.cooked), strings.ReplaceAll(r.env.resetTitle()+r.env.ResetSequence(), "\x1b", `\0033`))
	cmd.Env, cmd.Stdin, cmd.Stdout, cmd.ExtraFiles = r.env.Vars, heard, r.out, []*os.File{r.in}
	if trace != nil {
		cmd.Stderr = trace
	}
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	if err := cmd.Start(); err != nil {
		undo()
		said.Close()
		return
	}
	r.shell, r.said, r.undo = cmd, said, undo
}

// Stop ends the shell. From then on nothing is restored. Its input ends after it: it
// would take that for the end of a program that was killed.
func (r *CrashRestore) Stop() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.over = true
	if r.shell == nil {
		return
	}
	r.undo()
	_ = r.shell.Process.Kill()
	_ = r.shell.Wait()
	r.said.Close()
	r.shell = nil
}

// divert lets what the runtime writes at a fatal error go to a file. A standard
// error that is the terminal is diverted, since the window's screen would take the
// trace with it; trace is then where it belongs. Any other standard error still
// gets all of it, and the file a copy.
func (r *CrashRestore) divert(to *os.File) (trace *os.File, undo func(), err error) {
	if r.err.Fd() != uintptr(unix.Stderr) || !sameTerminal(r.err, r.out) {
		if err := debug.SetCrashOutput(to, debug.CrashOptions{}); err != nil {
			return nil, nil, fmt.Errorf("copy what the runtime writes: %w", err)
		}
		return nil, func() { _ = debug.SetCrashOutput(nil, debug.CrashOptions{}) }, nil
	}
	kept, err := unix.FcntlInt(uintptr(unix.Stderr), unix.F_DUPFD_CLOEXEC, 0)
	if err != nil {
		return nil, nil, fmt.Errorf("keep the standard error: %w", err)
	}
	trace = os.NewFile(uintptr(kept), r.err.Name())
	if err := unix.Dup2(int(to.Fd()), unix.Stderr); err != nil {
		trace.Close()
		return nil, nil, fmt.Errorf("divert the standard error: %w", err)
	}
	return trace, func() {
		_ = unix.Dup2(kept, unix.Stderr)
		trace.Close()
	}, nil
}

// sameTerminal reports whether two files are one terminal.
func sameTerminal(a, b *os.File) bool {
	var x, y unix.Stat_t
	return term.IsTerminal(a.Fd()) && unix.Fstat(int(a.Fd()), &x) == nil && unix.Fstat(int(b.Fd()), &y) == nil && x.Rdev == y.Rdev
}

// narrowPair is the two ends of a way that holds very little: whoever writes waits
// for who reads. A pipe would hold a whole trace, and the program would be gone,
// and its terminal the parent's, before the terminal was given back.
func narrowPair() (to, from *os.File, err error) {
	syscall.ForkLock.RLock()
	defer syscall.ForkLock.RUnlock()
	ends, err := unix.Socketpair(unix.AF_UNIX, unix.SOCK_STREAM, 0)
	if err != nil {
		return nil, nil, fmt.Errorf("make a pair of sockets: %w", err)
	}
	unix.CloseOnExec(ends[0])
	unix.CloseOnExec(ends[1])
	to, from = os.NewFile(uintptr(ends[0]), "restore"), os.NewFile(uintptr(ends[1]), "restore")
	if err := unix.SetsockoptInt(ends[1], unix.SOL_SOCKET, unix.SO_SNDBUF, 1); err != nil {
		to.Close()
		from.Close()
		return nil, nil, fmt.Errorf("make it narrow: %w", err)
	}
	return to, from, nil
}

// sttyArgument is a line discipline as stty takes it: what its -g writes, where
// that is known.
func sttyArgument(s *term.State) string {
	if runtime.GOOS != "linux" {
		return "sane"
	}
	said := fmt.Sprintf("%x:%x:%x:%x", s.Iflag, s.Oflag, s.Cflag, s.Lflag)
	const characters = 32 // of the C library; the system has fewer
	var all [characters]byte
	copy(all[:], s.Cc[:])
	for _, c := range all {
		said += fmt.Sprintf(":%x", c)
	}
	return said
}
