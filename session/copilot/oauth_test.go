package copilot_test

import (
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync"
	"testing"

	"github.com/go-json-experiment/json"

	"parley/session"
	"parley/session/sessiontest"
	"parley/session/sessiontest/llm"
)

// gated is an MCP server over HTTP that lets in only who has signed in, and the
// authorization server where one does.
type gated struct {
	*httptest.Server
	noSignUp bool // it registers no clients

	mu     sync.Mutex
	token  string // the one that is good; "" none is
	issued int
}

func serveGated(t *testing.T) *gated {
	t.Helper()
	g := &gated{}
	mux := http.NewServeMux()
	mux.HandleFunc("/.well-known/oauth-protected-resource/", g.resource)
	mux.HandleFunc("/.well-known/oauth-protected-resource", g.resource)
	mux.HandleFunc("/.well-known/", g.authorization)
	mux.HandleFunc("POST /register", func(w http.ResponseWriter, r *http.Request) {
		var client object
		if raw, err := io.ReadAll(r.Body); err != nil || json.Unmarshal(raw, &client) != nil {
			http.Error(w, "what?", http.StatusBadRequest)
			return
		}
		client["client_id"] = "parley-test"
		write(w, http.StatusCreated, client)
	})
	mux.HandleFunc("GET /authorize", func(w http.ResponseWriter, r *http.Request) {
		back := url.Values{"code": {"a-code"}, "state": {r.FormValue("state")}, "iss": {g.URL}}
		http.Redirect(w, r, r.FormValue("redirect_uri")+"?"+back.Encode(), http.StatusFound)
	})
	mux.HandleFunc("POST /token", func(w http.ResponseWriter, _ *http.Request) {
		g.mu.Lock()
		defer g.mu.Unlock()
		g.issued++
		g.token = "token-" + strings.Repeat("i", g.issued)
		write(w, http.StatusOK, object{
			"access_token": g.token, "token_type": "Bearer", "expires_in": 3600, "refresh_token": "again",
		})
	})
	mux.HandleFunc("POST /mcp", g.mcp)
	g.Server = httptest.NewServer(mux)
	t.Cleanup(g.Close)
	return g
}

func write(w http.ResponseWriter, status int, body any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_ = json.MarshalWrite(w, body)
}

func (g *gated) resource(w http.ResponseWriter, _ *http.Request) {
	write(w, http.StatusOK, object{"resource": g.URL + "/mcp", "authorization_servers": []string{g.URL}})
}

func (g *gated) authorization(w http.ResponseWriter, _ *http.Request) {
	metadata := object{
		"issuer": g.URL, "authorization_endpoint": g.URL + "/authorize", "token_endpoint": g.URL + "/token",
		"registration_endpoint": g.URL + "/register", "response_types_supported": []string{"code"},
		"grant_types_supported":            []string{"authorization_code", "refresh_token"},
		"code_challenge_methods_supported": []string{"S256"}, "token_endpoint_auth_methods_supported": []string{"none"},
	}
	if g.noSignUp {
		delete(metadata, "registration_endpoint")
	}
	write(w, http.StatusOK, metadata)
}

// mcp is the server itself.
func (g *gated) mcp(w http.ResponseWriter, r *http.Request) {
	g.mu.Lock()
	in := g.token != "" && r.Header.Get("Authorization") == "Bearer "+g.token
	g.mu.Unlock()
	if !in {
		w.Header().Set("WWW-Authenticate", `Bearer error="invalid_token", resource_metadata="`+g.URL+`/.well-known/oauth-protected-resource"`)
		write(w, http.StatusUnauthorized, object{"error": "invalid_token"})
		return
	}
	var call message
	raw, err := io.ReadAll(r.Body)
	if err != nil || json.Unmarshal(raw, &call, json.RejectUnknownMembers(false)) != nil {
		http.Error(w, "what?", http.StatusBadRequest)
		return
	}
	result := object{}
	switch call.Method {
	case "initialize":
		result = object{
			"protocolVersion": "2025-06-18", "capabilities": object{"tools": object{}},
			"serverInfo": object{"name": "gated", "version": "1"},
		}
	case "tools/list":
		result = object{"tools": []object{{"name": "secret", "description": "tells it", "inputSchema": object{"type": "object", "properties": object{}}}}}
	case "tools/call":
		result = object{"content": []object{{"type": "text", "text": "the secret"}}}
	default:
		if call.ID == nil {
			w.WriteHeader(http.StatusAccepted)
			return
		}
	}
	write(w, http.StatusOK, message{JSONRPC: "2.0", ID: call.ID, Result: result})
}

// expire makes the token that was issued worthless.
func (g *gated) expire() {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.token = "another one"
}

// signUp opens a session in a folder that brings the server along.
func (b *bench) signUp(g *gated) (session.Session, *sessiontest.Reader, session.McpOAuthRequired) {
	b.Helper()
	file, err := json.Marshal(object{"mcpServers": object{"gated": object{"type": "http", "url": g.URL + "/mcp"}}})
	b.must(err)
	b.write(".mcp.json", string(file))
	s, r := b.open()
	trust := next[session.FolderTrustRequested](r)
	b.respond(s, session.FolderTrustAnswer{RequestID: trust.RequestID, Trusted: true})
	q := next[session.McpOAuthRequired](r)
	b.send(s, "@@hello")
	if q.ServerName != "gated" || q.Reason != "initial" {
		b.Errorf("asked %+v", q)
	}
	return s, r, q
}

func gatedScript() llm.Script {
	return llm.Script{
		"hello":  {{Text: "Hello."}},
		"secret": {{Calls: []llm.Call{{Name: "gated-secret"}}}, {Text: "I see."}},
	}
}

// useSecret makes the agent use the server's tool and returns how that ended. Every
// wish that the user sign in again is granted, whenever it came: by its timing the
// runtime has one already when it connects, and until that is answered a call waits
// for it without another. answered are those that were.
func (b *bench) useSecret(s session.Session, r *sessiontest.Reader, answered map[session.RequestID]bool) session.ToolExecutionComplete {
	b.Helper()
	b.send(s, "@@secret")
	for {
		for _, q := range sessiontest.All[session.McpOAuthRequired](r.Seen()) {
			if !answered[q.RequestID] {
				answered[q.RequestID] = true
				err := s.Respond(b.Context(), session.McpOAuthAnswer{RequestID: q.RequestID, SignIn: true})
				if !errors.Is(err, session.ErrResolved) { // by the runtime, which has connected without
					b.must(err)
				}
			}
		}
		ev := r.Until("the end of the call", func(ev session.Event) bool {
			switch ev.Body.(type) {
			case session.PermissionRequested, session.McpOAuthRequired, session.ToolExecutionComplete:
				return true
			}
			return false
		})
		switch q := ev.Body.(type) {
		case session.PermissionRequested:
			b.respond(s, session.PermissionAnswer{RequestID: q.RequestID, Decision: session.ApproveOnce})
		case session.ToolExecutionComplete:
			return q
		}
	}
}

func connected(r *sessiontest.Reader) {
	r.Until("the server's connection", func(ev session.Event) bool {
		b, ok := ev.Body.(session.SessionMcpServerStatusChanged)
		return ok && b.Status == "connected"
	})
}

// TestSignIn plays the user and the browser: the runtime says where to sign
// in, the browser comes back to it, and the server is there. When the token has
// run out later, the runtime gets another one without the browser.
func TestSignIn(t *testing.T) {
	g := serveGated(t)
	b := near(t, gatedScript())
	s, r, q := b.signUp(g)
	b.respond(s, session.McpOAuthAnswer{RequestID: q.RequestID, SignIn: true})
	if d := next[session.McpOAuthCompleted](r); d.RequestID != q.RequestID {
		t.Errorf("settled %s, not %s", d.RequestID, q.RequestID)
	}
	address := next[session.ElicitationRequested](r)
	if address.IsForm() || !strings.HasPrefix(address.URL, g.URL+"/authorize?") || address.ElicitationSource != "gated" ||
		address.Message != "Sign in to gated in your browser" || address.RequestID == "" {
		t.Errorf("asked %+v", address)
	}
	b.respond(s, session.ElicitationAnswer{RequestID: address.RequestID, Action: session.Accept})
	if d := next[session.ElicitationCompleted](r); d.RequestID != address.RequestID || d.Action != session.Accept {
		t.Errorf("settled as %+v", d)
	}
	b.browse(address.URL)
	connected(r)
	answered := map[session.RequestID]bool{q.RequestID: true}
	if d := b.useSecret(s, r, answered); !d.Success || !strings.Contains(d.Result.Content, "the secret") {
		t.Errorf("the tool ended with %+v", d.Error)
	}
	next[session.AssistantIdle](r)
	g.expire()
	if d := b.useSecret(s, r, answered); !d.Success || !strings.Contains(d.Result.Content, "the secret") {
		t.Errorf("with a token that has run out the tool ended with %+v", d.Error)
	}
	if d := next[session.AssistantIdle](r); d.Aborted {
		t.Error("the turn was aborted")
	}
	if n := len(sessiontest.All[session.ElicitationRequested](r.Seen())); n != 1 {
		t.Errorf("the browser was asked for %d times", n)
	}
}

// browse follows the address and all redirections, as a browser does.
func (b *bench) browse(address string) {
	b.Helper()
	r, err := http.NewRequestWithContext(b.Context(), http.MethodGet, address, nil)
	b.must(err)
	page, err := http.DefaultClient.Do(r)
	b.must(err)
	defer page.Body.Close()
	if page.StatusCode != http.StatusOK {
		b.Errorf("the browser ends with %s", page.Status)
	}
}

// TestSignInByItself opens the address without a word to the card, which closes
// when the server is there.
func TestSignInByItself(t *testing.T) {
	g := serveGated(t)
	b := near(t, gatedScript())
	s, r, q := b.signUp(g)
	b.respond(s, session.McpOAuthAnswer{RequestID: q.RequestID, SignIn: true})
	address := next[session.ElicitationRequested](r)
	b.browse(address.URL)
	if d := next[session.ElicitationCompleted](r); d.RequestID != address.RequestID || d.Action != session.Accept {
		t.Errorf("settled as %+v", d)
	}
	late := session.ElicitationAnswer{RequestID: address.RequestID, Action: session.Cancel}
	b.settledAlready(s, late)
}

// TestNoSignIn says no, in each of the ways there are. The agent continues
// without the server.
func TestNoSignIn(t *testing.T) {
	for name, refuse := range map[string]func(*bench, session.Session, *sessiontest.Reader, session.McpOAuthRequired){
		"answer": func(b *bench, s session.Session, _ *sessiontest.Reader, q session.McpOAuthRequired) {
			b.respond(s, session.McpOAuthAnswer{RequestID: q.RequestID})
		},
		"refusal": func(b *bench, s session.Session, _ *sessiontest.Reader, q session.McpOAuthRequired) {
			b.respond(s, session.Refusal{RequestID: q.RequestID, Kind: session.KindOf(q)})
		},
		"address not opened": func(b *bench, s session.Session, r *sessiontest.Reader, q session.McpOAuthRequired) {
			b.respond(s, session.McpOAuthAnswer{RequestID: q.RequestID, SignIn: true})
			address := next[session.ElicitationRequested](r)
			b.respond(s, session.ElicitationAnswer{RequestID: address.RequestID, Action: session.Decline})
			if d := next[session.ElicitationCompleted](r); d.RequestID != address.RequestID || d.Action != session.Decline {
				b.Errorf("settled as %+v", d)
			}
			b.settledAlready(s, session.ElicitationAnswer{RequestID: address.RequestID, Action: session.Accept})
		},
		"address refused": func(b *bench, s session.Session, r *sessiontest.Reader, q session.McpOAuthRequired) {
			b.respond(s, session.McpOAuthAnswer{RequestID: q.RequestID, SignIn: true})
			address := next[session.ElicitationRequested](r)
			b.respond(s, session.Refusal{RequestID: address.RequestID, Kind: session.KindOf(address)})
			if d := next[session.ElicitationCompleted](r); d.Action != session.Decline {
				b.Errorf("settled as %+v", d)
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			g := serveGated(t)
			b := on(t, gatedScript())
			s, r, q := b.signUp(g)
			refuse(b, s, r, q)
			b.settledAlready(s, session.McpOAuthAnswer{RequestID: q.RequestID, SignIn: true})
			if sessiontest.All[session.AssistantIdle](r.Seen()) == nil {
				next[session.AssistantIdle](r)
			}
			b.send(s, "@@hello")
			if m := next[session.AssistantMessage](r); m.Content != "Hello." {
				t.Errorf("the agent continues with %q", m.Content)
			}
			for _, d := range sessiontest.All[session.McpOAuthCompleted](r.Seen()) {
				if d.Outcome != "cancelled" {
					t.Errorf("the outcome is %s", d.Outcome)
				}
			}
		})
	}
}

// TestSignInFails makes signing in impossible: a warning says so, and the question
// is settled.
func TestSignInFails(t *testing.T) {
	g := serveGated(t)
	g.noSignUp = true
	b := on(t, gatedScript())
	s, r, q := b.signUp(g)
	b.respond(s, session.McpOAuthAnswer{RequestID: q.RequestID, SignIn: true})
	w := next[session.SessionWarning](r)
	if w.WarningType != "mcp" || !strings.HasPrefix(w.Message, "Signing in to gated did not work: ") {
		t.Errorf("warned %+v", w)
	}
	t.Log(w.Message)
	b.settledAlready(s, session.McpOAuthAnswer{RequestID: q.RequestID, SignIn: true})
}
