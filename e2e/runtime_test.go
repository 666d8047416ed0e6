package e2e

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"

	"parley/session/sessiontest"
)

// sharedRuntime is the address of a Copilot CLI that the windows of many tests use,
// started when the first needs it: each start takes two seconds of a processor. Its
// sessions meet neither in a folder nor in a model.
var sharedRuntime = sync.OnceValues(startShared)

// sharedProcess is the runtime that tests share; nil before the first.
var sharedProcess *exec.Cmd

func startShared() (address string, err error) {
	cli, err := findCLI()
	if err != nil {
		return "", err
	}
	dir, err := scratch()
	if err != nil {
		return "", err
	}
	home := filepath.Join(dir, "runtime")
	if err := os.Mkdir(home, 0o700); err != nil {
		return "", err
	}
	cmd := exec.CommandContext(context.Background(), cli, "--headless", "--no-auto-update", "--port", "0")
	cmd.Dir, cmd.SysProcAttr = home, sessiontest.OwnGroup()
	cmd.Env = append(os.Environ(),
		"COPILOT_OFFLINE=true", "COPILOT_PROVIDER_BASE_URL=http://127.0.0.1:9/v1", "COPILOT_MODEL=none", "COPILOT_HOME="+home)
	out, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		return "", fmt.Errorf("start %s: %w", cli, err)
	}
	sharedProcess = cmd
	said, err := bufio.NewReader(out).ReadString('\n')
	_, port, ok := strings.Cut(strings.TrimSpace(said), "listening on port ")
	if !ok {
		return "", errors.Join(fmt.Errorf("%s said %q instead of its port", cli, said), err)
	}
	return "127.0.0.1:" + port, nil
}

// endShared ends the shared runtime and what it has started.
func endShared() error {
	if sharedProcess == nil {
		return nil
	}
	err := sessiontest.Signal(-sharedProcess.Process.Pid, syscall.SIGKILL)
	_ = sharedProcess.Wait() // it was killed
	return err
}
