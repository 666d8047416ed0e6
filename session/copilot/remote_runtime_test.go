package copilot_test

import (
	"context"
	"errors"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"runtime"
	"strings"
	"testing"

	"github.com/creachadair/jrpc2/channel"
	"github.com/go-json-experiment/json"

	"parley/session"
	"parley/session/copilot"
	"parley/session/sessiontest"
	"parley/session/sessiontest/llm"
)

func TestAddressThatIsNone(t *testing.T) {
	t.Parallel()
	for _, url := range []string{"localhost", "localhost:", ":8080", "http://localhost:8080", "8080", "[::1"} {
		_, err := copilot.Open(t.Context(), copilot.Config{URL: url})
		says(t, err, `"`+url+`"`, "HOST:PORT")
	}
}

// listen serves connections until the test ends.
func listen(t *testing.T, address string, serve func(net.Conn)) string {
	t.Helper()
	l, err := new(net.ListenConfig).Listen(t.Context(), "tcp", address)
	if err != nil {
		t.Fatal(err)
	}
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			serve(conn)
			conn.Close()
		}
	}()
	t.Cleanup(func() { l.Close(); <-ended })
	return l.Addr().String()
}

// answering serves the runtime's side of connect.
func answering(protocol float64) func(net.Conn) {
	return func(conn net.Conn) {
		f := &fake{ch: channel.LSP(conn, conn)}
		raw, err := f.ch.Recv()
		if err != nil {
			return
		}
		var in message
		if json.Unmarshal(raw, &in) != nil {
			return
		}
		f.post(message{ID: in.ID, Result: hello(protocol)(in.Method)})
		_, _ = f.ch.Recv() // until it is left
	}
}

func TestNothingListens(t *testing.T) {
	t.Parallel()
	l, err := new(net.ListenConfig).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	l.Close()
	_, port, _ := strings.Cut(l.Addr().String(), ":")
	_, err = copilot.Open(t.Context(), copilot.Config{URL: l.Addr().String()})
	refused := "connection refused"
	if runtime.GOOS == "windows" {
		refused = "refused"
	}
	says(t, err, l.Addr().String(), refused, "copilot --headless --port "+port, "correct the address")
}

// TestServerIsNoRuntime connects to servers of other kinds.
func TestServerIsNoRuntime(t *testing.T) {
	t.Parallel()
	web := httptest.NewServer(http.NotFoundHandler())
	t.Cleanup(web.Close)
	for name, tc := range map[string]struct {
		serve func(net.Conn)
		kind  error
		says  []string
	}{
		"web":        {nil, copilot.ErrGarbled, []string{"does not speak the Copilot CLI's protocol", `it sent "HTTP/1.1 400 Bad Request"`, "check the address", "another server's"}},
		"mail":       {func(c net.Conn) { _, _ = c.Write([]byte("220 mail.example ESMTP\r\n")); _, _ = c.Read(make([]byte, 9)) }, copilot.ErrGarbled, []string{"does not speak", "220 mail.example ESMTP"}},
		"closes":     {func(net.Conn) {}, copilot.ErrEnded, []string{"closed the connection before it answered", "check the address"}},
		"protocol 2": {answering(2), copilot.ErrProtocol, []string{"speaks protocol 2", "Parley speaks 3", "update it"}},
		"protocol 4": {answering(4), copilot.ErrProtocol, []string{"speaks protocol 4", "update Parley"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			url := web.Listener.Addr().String()
			if tc.serve != nil {
				url = listen(t, "127.0.0.1:0", tc.serve)
			}
			_, err := copilot.Open(t.Context(), copilot.Config{URL: url})
			says(t, err, append(tc.says, url)...)
			isKind(t, err, tc.kind)
		})
	}
}

func TestServerNeverAnswers(t *testing.T) {
	t.Parallel()
	url := listen(t, "127.0.0.1:0", func(c net.Conn) { // reads until it is left
		b := make([]byte, 1000)
		for {
			if _, err := c.Read(b); err != nil {
				return
			}
		}
	})
	_, err := copilot.Open(within(t), copilot.Config{URL: url})
	says(t, err, "does not answer", "deadline exceeded", "check the address", url)
}

// TestSecretsStayHere connects to this machine by an address that is not
// loopback: without a secret only.
func TestSecretsStayHere(t *testing.T) {
	t.Parallel()
	addresses, err := net.InterfaceAddrs()
	if err != nil {
		t.Fatal(err)
	}
	var ip net.IP
	for _, a := range addresses {
		if n, ok := a.(*net.IPNet); ok && n.IP.To4() != nil && !n.IP.IsLoopback() {
			ip = n.IP
		}
	}
	if ip == nil {
		t.Skip("this machine has a loopback address only: NOT TESTED")
	}
	url := listen(t, net.JoinHostPort(ip.String(), "0"), answering(3))
	for _, cfg := range []copilot.Config{
		{URL: url, Token: "sesame"},
		{URL: url, Provider: &copilot.Provider{APIKey: "sk-secret"}},
		{URL: url, Provider: &copilot.Provider{BearerToken: "secret"}},
		{URL: url, Provider: &copilot.Provider{Headers: map[string]string{"X-Key": "secret"}}},
	} {
		_, err := copilot.Open(t.Context(), cfg)
		says(t, err, "not encrypted", "ssh -L", url)
		if err != nil && (strings.Contains(err.Error(), "sesame") || strings.Contains(err.Error(), "secret")) {
			t.Errorf("the error contains a secret: %v", err)
		}
	}
	agent, err := copilot.Open(t.Context(), copilot.Config{URL: url, Provider: &copilot.Provider{BaseURL: "http://x"}})
	if err != nil {
		t.Fatal(err)
	}
	if err := agent.Close(t.Context()); err != nil {
		t.Error(err)
	}
}

// serve starts a runtime to connect to, for one test.
func (b *bench) serve(env ...string) *copilot.Server {
	b.Helper()
	server, err := copilot.Serve(b.cfg.Path, append(append(os.Environ(), offline(b.home)...), env...), b.dir)
	b.must(err)
	b.Cleanup(server.Kill)
	b.cfg.URL = server.Addr
	return server
}

func TestConnectionToken(t *testing.T) {
	t.Parallel()
	b := setup(t, answers())
	b.serve("COPILOT_CONNECTION_TOKEN=sesame")
	_, err := copilot.Open(t.Context(), b.cfg)
	says(t, err, b.cfg.URL, "wants a connection token", "set COPILOT_CONNECTION_TOKEN")
	isKind(t, err, copilot.ErrToken)
	b.cfg.Token = "simsalabim"
	_, err = copilot.Open(t.Context(), b.cfg)
	says(t, err, b.cfg.URL, "another connection token", "COPILOT_CONNECTION_TOKEN", "correct it")
	isKind(t, err, copilot.ErrToken)
	if strings.Contains(err.Error(), b.cfg.Token) {
		t.Errorf("the error contains the token: %v", err)
	}
	b.cfg.Token = "sesame"
	b.start()
	s, r := b.open()
	b.send(s, "@@a")
	next[session.AssistantIdle](r)
}

func TestConnectionTokenNotWanted(t *testing.T) {
	t.Parallel()
	_, err := copilot.Open(t.Context(), copilot.Config{URL: share(t), Token: "sesame"})
	says(t, err, "takes no connection token", "COPILOT_CONNECTION_TOKEN is set", "unset it")
	isKind(t, err, copilot.ErrToken)
}

// TestLeavesTheRuntimeRunning closes a connection in the middle of a question;
// another one continues the session.
func TestLeavesTheRuntimeRunning(t *testing.T) {
	b := on(t, llm.Script{"go": touch("late.txt")})
	s, r := b.open()
	b.send(s, "@@go")
	q := next[session.PermissionRequested](r)
	b.stop()
	r.Rest()
	if err := s.Wait(); err != nil {
		t.Errorf("Wait: %v", err)
	}
	if !sharedServer.Running() {
		t.Fatal("the runtime has ended")
	}
	b.restart()
	again, r := b.resume(s.Info().ID)
	if again.Info().InUse {
		t.Error("the session was not left")
	}
	if open := next[session.PermissionRequested](r); open.RequestID != q.RequestID {
		t.Errorf("asked %s, want %s again", open.RequestID, q.RequestID)
	}
	if b.exists("late.txt") {
		t.Error("leaving approved what was asked")
	}
	b.respond(again, session.PermissionAnswer{RequestID: q.RequestID, Decision: session.ApproveOnce})
	next[session.AssistantIdle](r)
	if !b.exists("late.txt") {
		t.Error("it was not done")
	}
}

func TestConnectionBreaks(t *testing.T) {
	t.Parallel()
	b := setup(t, llm.Script{"go": touch("no.txt")})
	server := b.serve()
	b.start()
	s, r := b.open()
	b.send(s, "@@go")
	next[session.PermissionRequested](r)
	server.Kill()
	r.Rest()
	says(t, s.Wait(), "closed the connection unexpectedly", "resume the session to continue")
	isKind(t, s.Wait(), copilot.ErrEnded)
	if err := s.Send(t.Context(), session.Input{Prompt: "hello?"}); !errors.Is(err, copilot.ErrClosed) {
		t.Errorf("Send: %v", err)
	}
	if b.exists("no.txt") {
		t.Error("the end approved what was asked")
	}
	gone(t, server.Pid())
}

// TestTwoClients has one question asked of two: the first answer counts, and
// both hear of it.
func TestTwoClients(t *testing.T) {
	b := on(t, llm.Script{"go": touch("one.txt")})
	s, r := b.open()
	next[session.SessionStart](r)
	other, err := copilot.Open(t.Context(), b.cfg)
	b.must(err)
	t.Cleanup(func() { b.must(other.Close(context.WithoutCancel(t.Context()))) })
	b.send(s, "@@go")
	q := next[session.PermissionRequested](r)
	s2, err := other.Resume(t.Context(), s.Info().ID, session.Options{})
	b.must(err)
	r2 := sessiontest.Read(t, s2)
	q2 := next[session.PermissionRequested](r2) // it joined late and is asked all the same
	if q2.RequestID != q.RequestID {
		t.Fatalf("asked about %s and %s", q.RequestID, q2.RequestID)
	}
	b.respond(s2, session.PermissionAnswer{RequestID: q.RequestID, Decision: session.ApproveOnce})
	err = s.Respond(t.Context(), session.PermissionAnswer{RequestID: q.RequestID, Decision: session.Reject})
	if !errors.Is(err, session.ErrResolved) {
		t.Errorf("the second answer: %v", err)
	}
	for _, r := range []*sessiontest.Reader{r, r2} {
		if d := next[session.PermissionCompleted](r); d.RequestID != q.RequestID || !d.Result.Approved() {
			t.Errorf("settled as %+v", d)
		}
		next[session.AssistantIdle](r)
	}
	if !b.exists("one.txt") {
		t.Error("it was not done")
	}
	b.must(s.Close(t.Context()))
	b.send(s2, "@@go") // one leaves, the other continues
	next[session.PermissionRequested](r2)
}
