package sse

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"parley/session"
)

// Limits are how long and how much is waited for and read. A zero field takes
// its default.
type Limits struct {
	Connect time.Duration // until the agent is connected; 15 s
	First   time.Duration // until it begins to answer; 5 min, for models that are loaded first
	Idle    time.Duration // between two pieces of an answer; 2 min
	Wait    time.Duration // the longest wait for another attempt that an agent may ask for; 5 min
	Event   int           // bytes of one event; 8 MiB
	Body    int64         // bytes of an answer; of a stream, those of the texts in it; 32 MiB
}

func (l Limits) filled() Limits {
	return Limits{
		Connect: cmp.Or(l.Connect, 15*time.Second),
		First:   cmp.Or(l.First, 5*time.Minute),
		Idle:    cmp.Or(l.Idle, 2*time.Minute),
		Wait:    cmp.Or(l.Wait, 5*time.Minute),
		Event:   cmp.Or(l.Event, 8<<20),
		Body:    cmp.Or(l.Body, 32<<20),
	}
}

// Why a request was given up.
var (
	errFirst = errors.New("it did not begin to answer in time")
	errIdle  = errors.New("it stopped in the middle of the answer")
)

// client sends requests to one agent.
type client struct {
	cfg   Config
	base  *url.URL
	shown string // the address without anything that may be secret
	id    string // of the agent in the log
	http  *http.Client

	mu    sync.Mutex
	token string // that was got last; "" for none
}

// newClient checks where a configuration points.
func newClient(cfg Config) (*client, error) {
	u, err := parseURL(cfg)
	if err != nil {
		return nil, err
	}
	if cfg.TokenHeader == "" && cfg.Protocol == Copilot {
		cfg.TokenHeader = GitHub // else it is Bearer
	}
	c := &client{cfg: cfg, base: u, shown: withoutQuery(u), id: string(cfg.Protocol) + ":" + withoutQuery(u)}
	transport := cfg.Transport
	if transport == nil {
		transport = &http.Transport{
			Proxy:               http.ProxyFromEnvironment,
			DialContext:         (&net.Dialer{Timeout: cfg.Limits.Connect}).DialContext,
			TLSHandshakeTimeout: cfg.Limits.Connect, ForceAttemptHTTP2: true,
			IdleConnTimeout: time.Minute, MaxIdleConnsPerHost: 2,
		}
	}
	c.http = &http.Client{Transport: transport, CheckRedirect: c.redirect}
	return c, nil
}

// Check says what is wrong with a configuration, without asking the agent
// anything; shown is its address without what may be secret.
func (c Config) Check() (shown string, err error) {
	u, err := parseURL(c)
	if err != nil {
		return "", err
	}
	return withoutQuery(u), nil
}

// withoutQuery is an address without a query, which may hold secrets.
func withoutQuery(u *url.URL) string {
	b := url.URL{Scheme: u.Scheme, Host: u.Host, Path: u.Path}
	return b.String()
}

// parseURL reads an address and refuses what would send a token where others
// can read it (docs/decisions.md 25).
func parseURL(cfg Config) (*url.URL, error) {
	u, err := url.Parse(cfg.URL)
	switch {
	case err != nil:
		return nil, errors.New("the address of the agent cannot be read; write it as https://host/path")
	case u.Scheme != "http" && u.Scheme != "https" || u.Hostname() == "":
		return nil, errors.New("the address of the agent must begin with https:// or http://, and name a host")
	case u.User != nil:
		return nil, errors.New("the address of the agent holds a name or a password; name the token in the settings instead")
	case u.Scheme == "http" && cfg.Token != nil && !loopback(u.Hostname()):
		return nil, fmt.Errorf("a token is sent over https or to this computer only, and http://%s is neither; use https", u.Host)
	case u.Scheme == "http" && len(cfg.Headers) > 0 && !loopback(u.Hostname()):
		return nil, fmt.Errorf("headers are sent over https or to this computer only, and http://%s is neither; use https", u.Host)
	}
	u.Fragment = ""
	if cfg.Protocol == OpenAI {
		u.Path = strings.TrimSuffix(strings.TrimSuffix(u.Path, "/"), "/chat/completions")
		u.RawPath = ""
	}
	return u, nil
}

// loopback reports whether a host is this computer, by its name alone: what
// others could make a name mean does not count.
func loopback(host string) bool {
	return strings.EqualFold(host, "localhost") || net.ParseIP(host).IsLoopback()
}

// mostRedirects is how often an agent may send a request on.
const mostRedirects = 5

// redirectError is a redirect that is not followed.
type redirectError struct{ to string }

// Error implements error.
func (e *redirectError) Error() string {
	return "it sends the request on to " + e.to + ", which Parley does not follow"
}

// redirect follows redirects within the agent's own host only: the conversation
// and the token go nowhere else, nor from https to http. One that makes a request
// of another kind loses the conversation, so it is none either.
func (c *client) redirect(req *http.Request, via []*http.Request) error {
	first := via[0]
	if len(via) > mostRedirects || req.Method != first.Method || req.URL.User != nil ||
		req.URL.Scheme != first.URL.Scheme || !strings.EqualFold(req.URL.Host, first.URL.Host) {
		return &redirectError{withoutQuery(req.URL)}
	}
	return nil
}

// endpoint is where a request goes.
func (c *client) endpoint(suffix string) string {
	u := *c.base
	if c.cfg.Protocol == OpenAI {
		u.Path += suffix
	}
	return u.String()
}

// response is an answer that is given up when it stops coming.
type response struct {
	*http.Response
	watch  *time.Timer
	began  atomic.Bool // it has begun to answer
	idle   time.Duration
	ctx    context.Context
	cancel context.CancelCauseFunc
}

// Read reads the body; the time between two calls does not count.
func (r *response) Read(p []byte) (int, error) {
	r.watch.Reset(r.idle)
	n, err := r.Body.Read(p)
	r.watch.Stop()
	if err != nil && !errors.Is(err, io.EOF) && r.ctx.Err() != nil {
		err = context.Cause(r.ctx)
	}
	return n, err
}

func (r *response) close() {
	r.watch.Stop()
	r.cancel(nil)
	_ = r.Body.Close() // what was not read is not wanted
}

// send sends a request to an endpoint and waits for the beginning of the answer. The
// response must be closed.
func (c *client) send(ctx context.Context, method, endpoint string, content []byte) (*response, error) {
	ctx, cancel := context.WithCancelCause(ctx)
	r := &response{idle: c.cfg.Limits.Idle, ctx: ctx, cancel: cancel}
	r.watch = time.AfterFunc(c.cfg.Limits.First, func() {
		if r.began.Load() {
			cancel(errIdle)
		} else {
			cancel(errFirst)
		}
	})
	req, err := http.NewRequestWithContext(ctx, method, c.endpoint(endpoint), bytes.NewReader(content))
	if err == nil {
		err = c.authorize(ctx, req)
	}
	if err != nil {
		r.watch.Stop()
		cancel(nil)
		return nil, err
	}
	resp, err := c.http.Do(req) //nolint:bodyclose // response.close does
	r.watch.Stop()
	if err != nil {
		if cause := context.Cause(ctx); cause != nil {
			err = cause
		}
		cancel(nil)
		return nil, err
	}
	r.Response = resp
	r.began.Store(true)
	return r, nil
}

// authorize sets the headers of a request.
func (c *client) authorize(ctx context.Context, req *http.Request) error {
	for name, value := range c.cfg.Headers {
		req.Header.Set(name, value)
	}
	if req.Method == http.MethodPost {
		req.Header.Set("Content-Type", "application/json")
	}
	req.Header.Set("Accept", "text/event-stream, application/json")
	if c.cfg.Token == nil {
		return nil
	}
	token, err := c.currentToken(ctx)
	if err != nil {
		return &fault{session.SessionError{
			ErrorType: "authentication", Message: fmt.Sprintf("There is no token for the agent: %v", err),
			Remediation: remedy("See to the variable or the command that the settings name for it, and send the prompt again."),
		}}
	}
	if c.cfg.TokenHeader == GitHub {
		req.Header.Set("X-GitHub-Token", token)
	} else {
		req.Header.Set("Authorization", "Bearer "+token)
	}
	return nil
}

// currentToken is the token that was got before, or a new one.
func (c *client) currentToken(ctx context.Context) (string, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.token != "" {
		return c.token, nil
	}
	token, err := c.cfg.Token(ctx)
	if err != nil {
		return "", err
	}
	token = strings.TrimSpace(token)
	if token == "" || strings.ContainsFunc(token, func(r rune) bool { return r <= ' ' || r > '~' }) {
		return "", errors.New("it is empty, or has characters that no token has")
	}
	c.token = token
	return token, nil
}

// redact is a text of the agent's without the token, which some repeat when they
// refuse it.
func (c *client) redact(text string) string {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.token == "" {
		return text
	}
	return strings.ReplaceAll(text, c.token, "(token)")
}

// forgetToken has the next request ask for the token again.
func (c *client) forgetToken() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.token = ""
}
