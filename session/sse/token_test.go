package sse_test

import (
	"context"
	"errors"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"parley/session"
	"parley/session/sessiontest"
	"parley/session/sessiontest/chat"
	"parley/session/sse"
)

const secret = "tide-secret-token"

func token(context.Context) (string, error) { return secret + "\n", nil }

func quiet() *log.Logger { return log.New(io.Discard, "", 0) }

// TestToken: it goes where the settings say, and nowhere else: not into an event,
// nor into a file.
func TestToken(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		protocol     sse.Protocol
		header       sse.TokenHeader
		name, prefix string
	}{
		{sse.OpenAI, "", "Authorization", "Bearer "},
		{sse.Copilot, "", "X-Github-Token", ""},
		{sse.OpenAI, sse.GitHub, "X-Github-Token", ""},
		{sse.Copilot, sse.Bearer, "Authorization", "Bearer "},
	} {
		b := lay(t, tt.protocol, func(cfg *sse.Config) {
			cfg.Token, cfg.TokenHeader, cfg.Headers = token, tt.header, map[string]string{"X-Team": "tide"}
		})
		b.chat.Token = secret
		s, r := b.open()
		events := b.send(s, r, "hello")
		if got := of(events); got.text != "You said: hello" {
			t.Errorf("got %+v", got)
		}
		got := b.chat.Requests()[0].Header
		if got.Get(tt.name) != tt.prefix+secret || got.Get("X-Team") != "tide" || got.Get("Content-Type") != "application/json" {
			t.Errorf("the headers are %v", got)
		}
		if strings.Contains(sessiontest.Describe(r.Seen()), secret) {
			t.Error("an event holds the token")
		}
	}
}

// TestTokenIsNotKept reads all that a session has written.
func TestTokenIsNotKept(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	b := lay(t, sse.OpenAI, func(cfg *sse.Config) { cfg.Token, cfg.Store = token, storeIn(dir) })
	s, r := b.open()
	b.send(s, r, "401")
	b.send(s, r, "drop")
	if err := s.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
	files := 0
	err := filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		files++
		text, err := os.ReadFile(path)
		if strings.Contains(string(text), secret) {
			t.Errorf("%s holds the token", path)
		}
		return err
	})
	if err != nil || files < 2 {
		t.Errorf("%d files, %v", files, err)
	}
}

// TestNoToken: a token that cannot be got makes no request, and one that is not
// accepted is got anew.
func TestNoToken(t *testing.T) {
	t.Parallel()
	asked := 0
	b := lay(t, sse.OpenAI, func(cfg *sse.Config) {
		cfg.Model = "small" // else the list is asked for first
		cfg.Token = func(context.Context) (string, error) {
			switch asked++; asked {
			case 1:
				return "", errors.New("the variable TIDE is not set")
			case 2:
				return "old", nil
			case 3:
				return "two\nlines", nil
			}
			return secret, nil
		}
	})
	b.chat.Token = secret
	s, r := b.open()
	for _, want := range []string{"The variable TIDE is not set", "does not accept the token: bad token.", "characters that no token has"} {
		e := one[session.SessionError](t, b.send(s, r, "hello"))
		if !strings.Contains(strings.ToLower(e.Message), strings.ToLower(want)) || e.ErrorType != "authentication" || strings.Contains(e.Message, "lines") {
			t.Errorf("got %+v, want %s", e, want)
		}
	}
	if n := len(b.chat.Requests()); n != 1 {
		t.Errorf("%d requests", n)
	}
	if got := of(b.send(s, r, "hello")); got.text != "You said: hello" {
		t.Errorf("got %+v", got)
	}
}

// TestRedirects: the conversation and the token go to no other host, and follow
// within their own.
func TestRedirects(t *testing.T) {
	t.Parallel()
	other := &chat.Agent{}
	elsewhere := httptest.NewServer(other)
	t.Cleanup(elsewhere.Close)
	b := lay(t, sse.OpenAI, func(cfg *sse.Config) { cfg.Token = token })
	s, r := b.open()
	for _, to := range []string{elsewhere.URL + "/v1?leak=1", strings.Replace(elsewhere.URL, "127.0.0.1", "localhost", 1)} {
		b.chat.Elsewhere = to
		e := one[session.SessionError](t, b.send(s, r, "redirect"))
		if !strings.Contains(e.Message, "sends the request on to ") || strings.Contains(e.Message, "leak") {
			t.Errorf("got %+v", e)
		}
	}
	if n := len(other.Requests()); n != 0 {
		t.Errorf("the other host got %d requests", n)
	}
	b.chat.Elsewhere = "/v1/there?as=hello"
	if got := of(b.send(s, r, "redirect")); got.text != "Redirected." {
		t.Errorf("within the host: %+v", got)
	}
}

// TestAddresses: what would send a token where others can read it is refused.
func TestAddresses(t *testing.T) {
	t.Parallel()
	headers := map[string]string{"X-Key": "k"}
	for _, tt := range []struct {
		cfg  sse.Config
		want string // "" is fine
	}{
		{sse.Config{URL: "https://models.example/v1", Token: token}, ""},
		{sse.Config{URL: "http://models.example/v1"}, ""},
		{sse.Config{URL: "http://127.0.0.1:1/v1", Token: token}, ""},
		{sse.Config{URL: "http://[::1]:1/v1", Token: token}, ""},
		{sse.Config{URL: "http://LOCALHOST/v1", Token: token}, ""},
		{sse.Config{URL: "http://models.example/v1", Token: token}, "over https or to this computer only"},
		{sse.Config{URL: "http://models.example/v1", Headers: headers}, "over https or to this computer only"},
		{sse.Config{URL: "http://127.0.0.1.example/v1", Token: token}, "over https"},
		{sse.Config{URL: "http://localhost.example/v1", Token: token}, "over https"},
		{sse.Config{URL: "http://192.168.0.2/v1", Token: token}, "over https"},
		{sse.Config{URL: "https://me:pass@models.example/v1"}, "holds a name or a password"},
		{sse.Config{URL: "models.example/v1"}, "must begin with https://"},
		{sse.Config{URL: "ftp://models.example"}, "must begin with https://"},
		{sse.Config{URL: "https://"}, "name a host"},
		{sse.Config{URL: "https://a b/%zz"}, "cannot be read"},
	} {
		tt.cfg.Protocol = sse.OpenAI
		shown, err := tt.cfg.Check()
		_, opening := sse.Open(t.Context(), tt.cfg)
		if (err == nil) != (tt.want == "") || (opening == nil) != (err == nil) || err != nil && !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: %q, %v", tt.cfg.URL, shown, err)
		}
		if err != nil && strings.Contains(err.Error(), "pass@") {
			t.Errorf("the error holds the password: %v", err)
		}
	}
}

// TestTokenIsNotRepeated: an agent that says which token it refuses does not get it
// onto the screen, nor into the log.
func TestTokenIsNotRepeated(t *testing.T) {
	t.Parallel()
	b := lay(t, sse.OpenAI, func(cfg *sse.Config) { cfg.Token, cfg.Transport = token, repeater{} })
	s, r := b.open()
	events := b.send(s, r, "hello")
	if e := one[session.SessionError](t, events); !strings.Contains(e.Message, "Incorrect API key provided: (token)") {
		t.Errorf("got %q", e.Message)
	}
	if strings.Contains(sessiontest.Describe(r.Seen()), secret) {
		t.Error("an event holds the token")
	}
}

// repeater refuses the token and names it.
type repeater struct{}

// RoundTrip implements http.RoundTripper.
func (repeater) RoundTrip(req *http.Request) (*http.Response, error) {
	return &http.Response{
		StatusCode: http.StatusUnauthorized, Header: http.Header{"Content-Type": {"application/json"}}, Request: req,
		Body: io.NopCloser(strings.NewReader(`{"error":{"message":"Incorrect API key provided: ` + req.Header.Get("Authorization")[7:] + `"}}`)),
	}, nil
}
