package copilot

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"time"
)

// dialGrace is how long a connection may take to come about. Over the network
// lost packets are sent again after one and after three seconds.
const dialGrace = 10 * time.Second

// remote is a runtime that was started by somebody else and outlives us.
type remote struct {
	net.Conn
	url string
}

// dial connects to the runtime that cfg names. Secrets go to this machine only,
// since the connection is not encrypted.
func dial(ctx context.Context, cfg Config) (*remote, error) {
	host, port, err := net.SplitHostPort(cfg.URL)
	if err != nil || host == "" || port == "" {
		return nil, fmt.Errorf("%q is no address of a Copilot CLI; it must be HOST:PORT, such as localhost:8080", cfg.URL)
	}
	ctx, cancel := context.WithTimeout(ctx, dialGrace)
	defer cancel()
	conn, err := new(net.Dialer).DialContext(ctx, "tcp", net.JoinHostPort(host, port))
	if err != nil {
		return nil, fmt.Errorf("cannot connect to a Copilot CLI: %w; "+
			"start one there with \"copilot --headless --port %s\", or correct the address", err, port)
	}
	if !loopback(conn.RemoteAddr()) && (cfg.Token != "" || cfg.Provider.secret()) {
		_ = conn.Close()
		return nil, fmt.Errorf("the Copilot CLI at %s is on another machine and the connection is not encrypted, "+
			"so the connection token and the keys of the model provider are not sent there; "+
			"forward the port, as with \"ssh -L %s:localhost:%[2]s %s\", and connect to localhost:%[2]s", cfg.URL, port, host)
	}
	return &remote{Conn: conn, url: cfg.URL}, nil
}

// loopback reports whether an address is this machine's own.
func loopback(a net.Addr) bool {
	tcp, ok := a.(*net.TCPAddr)
	return ok && tcp.IP.IsLoopback()
}

// Close implements peer.
func (r *remote) Close() error {
	if err := r.Conn.Close(); err != nil && !errors.Is(err, net.ErrClosed) {
		return err
	}
	return nil
}

func (r *remote) stop(context.Context) error { return r.Close() }

func (r *remote) discard() { _ = r.Close() }

func (r *remote) finished(read <-chan struct{}) { <-read }

func (r *remote) name() string { return "the Copilot CLI at " + r.url }

func (r *remote) fate(wire error) (what string, why remark) {
	if !errors.Is(wire, io.EOF) && !errors.Is(wire, net.ErrClosed) {
		why.cause = wire
	}
	return "closed the connection", why
}

func (r *remote) said() string { return "" }

func (r *remote) advice() string {
	return "check the address: it may be another server's, and not that of \"copilot --headless --port N\""
}
