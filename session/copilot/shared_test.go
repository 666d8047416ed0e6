package copilot_test

import (
	"fmt"
	"os"
	"sync"
	"testing"

	"parley/session/copilot"
)

// The tests that need no runtime of their own share one: each start takes more
// than half a second of a processor. They meet neither in a folder nor in a
// session, and each has a model of its own.
var shared = sync.OnceValues(startShared)

// sharedHome is where the shared runtime keeps its state; "" while there is
// none. TestMain removes it when every test has ended.
var (
	sharedHome   string
	sharedServer *copilot.Server
)

func startShared() (addr string, err error) {
	path, missing := cliPath()
	if missing != nil {
		return "", missing
	}
	if sharedHome, err = os.MkdirTemp("", "parley-shared-"); err != nil {
		return "", err
	}
	if sharedServer, err = copilot.Serve(program(path), append(os.Environ(), offline(sharedHome)...), sharedHome); err != nil {
		return "", err
	}
	return sharedServer.Addr, nil
}

// offline is the environment of a runtime whose sessions bring their own model.
func offline(home string) []string {
	return []string{
		"COPILOT_OFFLINE=true", "COPILOT_PROVIDER_BASE_URL=http://127.0.0.1:9/v1", "COPILOT_MODEL=none", "COPILOT_HOME=" + home,
	}
}

// share returns the address of the shared runtime.
func share(t *testing.T) string {
	t.Helper()
	cli(t)
	addr, err := shared()
	if err != nil {
		t.Fatal(err)
	}
	return addr
}

func endShared() {
	if sharedServer != nil {
		sharedServer.Kill()
	}
	if sharedHome == "" {
		return
	}
	for range 3 { // what was killed may still write
		if os.RemoveAll(sharedHome) == nil {
			return
		}
	}
	fmt.Fprintln(os.Stderr, "left behind:", sharedHome)
}
