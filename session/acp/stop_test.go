package acp

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"parley/session"
	"parley/session/local"
	"parley/session/processgroup"
)

// stubbornVariable makes this program a stubborn agent, or what that has started.
const stubbornVariable = "PARLEY_ACP_STUBBORN"

// playStubborn is an agent that stays, and starts what is out of reach of the signals to it and holds its output.
func playStubborn(as string) {
	if as == "agent" {
		signal.Ignore(syscall.SIGTERM)
		_, _ = bufio.NewReader(os.Stdin).ReadString('\n')
		child := exec.Command(os.Args[0])
		child.Env, child.Stdout = []string{stubbornVariable + "=child"}, os.Stdout
		_ = processgroup.NewSession(child).Start()
		fmt.Fprintln(os.Stdout, `{"jsonrpc":"2.0","id":1,"result":{"protocolVersion":1,"agentInfo":{"name":"stays","version":"1"}}}`)
	}
	time.Sleep(20 * time.Second)
}

// TestStubbornAgent: an agent that stays at the end of its input and at a signal is killed, also where
// what it has started still holds its output.
func TestStubbornAgent(t *testing.T) {
	t.Parallel()
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	l, err := connect(t.Context(), Config{Command: []string{program}, Env: []string{stubbornVariable + "=agent"}, Name: "stays"})
	if err != nil {
		t.Fatal(err)
	}
	over, cancel := context.WithCancel(t.Context())
	cancel() // there is no time to wait
	stopped := make(chan struct{})
	go func() { l.stop(over); close(stopped) }()
	select {
	case <-stopped:
	case <-time.After(10 * time.Second):
		t.Fatal("it is still being stopped")
	}
	if l.alive() {
		t.Error("it lives")
	}
}

// TestSessionOfAnotherAgent: a session is not continued by an agent that did not begin it.
func TestSessionOfAnotherAgent(t *testing.T) {
	t.Parallel()
	a, _ := scripted(t)
	t.Cleanup(func() { _ = a.Close(context.WithoutCancel(t.Context())) })
	stored := session.StoredSession{Stored: session.Stored{ID: "one", Agent: "gemini"}}
	if _, err := a.begin(t.Context(), session.Options{Dir: t.TempDir()}, stored, local.NoStore{}); err == nil ||
		!strings.Contains(err.Error(), "parley --agent gemini --resume one") {
		t.Errorf("it is continued, %v", err)
	}
}

// TestLateQuestion: what an agent asks for a session that has been left is answered, and approves nothing;
// for one that is being made it is kept.
func TestLateQuestion(t *testing.T) {
	t.Parallel()
	var sent lockedBuffer
	l := &link{sessions: map[string]*Session{}, early: map[string][]message{}, out: newOutbox(&sent)}
	ask := func(id string) {
		l.deliver(message{ID: []byte(id), Method: "session/request_permission", Params: []byte(`{"sessionId":"gone"}`)})
	}
	ask("1")
	sent.waitFor(t, `"id":1,"result":{"outcome":{"outcome":"cancelled"}}`)
	l.make(1)
	ask("2")
	if l.kept != 1 || strings.Contains(sent.String(), `"id":2`) {
		t.Errorf("%d are kept, and sent is %s", l.kept, sent.String())
	}
	l.make(-1)
	sent.waitFor(t, `"id":2,"result":{"outcome":{"outcome":"cancelled"}}`)
	if l.kept != 0 || len(l.early) != 0 {
		t.Errorf("%d are kept", l.kept)
	}
	_ = l.out.close()
}

// TestSignIn: the command is the agent's whole one, or its own with other arguments; none where no way asks
// in a terminal.
func TestSignIn(t *testing.T) {
	t.Parallel()
	key := authMethod{ID: "key", Name: "A key"}
	whole := authMethod{ID: "whole"}
	whole.Meta.Terminal.Command, whole.Meta.Terminal.Args = "agent", []string{"login"}
	own := authMethod{ID: "own", Type: terminalMethod, Args: []string{"--login"}}
	for name, c := range map[string]struct {
		ways []authMethod
		want []string
	}{
		"none": {[]authMethod{key}, nil}, "whole": {[]authMethod{key, whole, own}, []string{"agent", "login"}},
		"own": {[]authMethod{own}, []string{"agent", "acp", "--login"}},
	} {
		if got := signIn(c.ways, []string{"agent", "acp"}); !slices.Equal(got, c.want) {
			t.Errorf("%s: %q, not %q", name, got, c.want)
		}
	}
}

// lockedBuffer is what was written.
type lockedBuffer struct {
	mu   sync.Mutex
	text strings.Builder
}

func (b *lockedBuffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.text.Write(p)
}

func (*lockedBuffer) Close() error { return nil }

func (b *lockedBuffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.text.String()
}

func (b *lockedBuffer) waitFor(t *testing.T, text string) {
	t.Helper()
	for end := time.Now().Add(10 * time.Second); time.Now().Before(end); time.Sleep(time.Millisecond) {
		if strings.Contains(b.String(), text) {
			return
		}
	}
	t.Errorf("%q is not in %q", text, b.String())
}
