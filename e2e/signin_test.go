package e2e

import (
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"parley/cli/clitest"
)

// serveGated serves an MCP server over HTTP, which lets in only who has signed
// in, and the authorization server where one does (RFC 9728, RFC 8414, RFC
// 7591).
func serveGated(t *testing.T) *httptest.Server {
	t.Helper()
	const token = "a-token"
	mux := http.NewServeMux()
	g := httptest.NewServer(mux)
	t.Cleanup(g.Close)
	reply := func(path string, status int, body object) {
		mux.HandleFunc(path, func(w http.ResponseWriter, _ *http.Request) { respond(w, status, body) })
	}
	reply("/.well-known/oauth-protected-resource", http.StatusOK, object{"resource": g.URL + "/mcp", "authorization_servers": []string{g.URL}})
	reply("/.well-known/", http.StatusOK, object{
		"issuer": g.URL, "authorization_endpoint": g.URL + "/authorize", "token_endpoint": g.URL + "/token",
		"registration_endpoint": g.URL + "/register", "response_types_supported": []string{"code"},
		"grant_types_supported": []string{"authorization_code"}, "code_challenge_methods_supported": []string{"S256"},
		"token_endpoint_auth_methods_supported": []string{"none"},
	})
	mux.HandleFunc("POST /register", func(w http.ResponseWriter, r *http.Request) {
		client := object{}
		_ = json.UnmarshalRead(r.Body, &client)
		client["client_id"] = "parley-test"
		respond(w, http.StatusCreated, client)
	})
	mux.HandleFunc("GET /authorize", func(w http.ResponseWriter, r *http.Request) {
		back := url.Values{"code": {"a-code"}, "state": {r.FormValue("state")}, "iss": {g.URL}}
		http.Redirect(w, r, r.FormValue("redirect_uri")+"?"+back.Encode(), http.StatusFound)
	})
	reply("POST /token", http.StatusOK, object{"access_token": token, "token_type": "Bearer", "expires_in": 3600})
	mux.HandleFunc("POST /mcp", func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Authorization") != "Bearer "+token {
			w.Header().Set("WWW-Authenticate", `Bearer resource_metadata="`+g.URL+`/.well-known/oauth-protected-resource"`)
			respond(w, http.StatusUnauthorized, object{"error": "invalid_token"})
			return
		}
		var call struct {
			ID     jsontext.Value `json:"id"`
			Method string         `json:"method"`
		}
		if json.UnmarshalRead(r.Body, &call) != nil || call.ID == nil {
			w.WriteHeader(http.StatusAccepted)
			return
		}
		respond(w, http.StatusOK, object{"jsonrpc": "2.0", "id": call.ID, "result": map[string]object{
			"initialize": {"protocolVersion": "2025-06-18", "capabilities": object{"tools": object{}}, "serverInfo": object{"name": "gated", "version": "1"}},
			"tools/list": {"tools": []object{mcpTool("secret")}},
			"tools/call": content("the secret"),
		}[call.Method]})
	})
	return g
}

func respond(w http.ResponseWriter, status int, body object) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_ = json.MarshalWrite(w, body)
}

// playGated starts in a folder that brings the server along, and trusts it. Who is
// signed in is what the runtime keeps.
func playGated(t *testing.T, g *httptest.Server, l launch) *stage {
	t.Helper()
	l.own, l.dir = true, t.TempDir()
	clitest.Put(t, filepath.Join(l.dir, ".mcp.json"), `{"mcpServers":{"gated":{"type":"http","url":"`+g.URL+`/mcp"}}}`)
	s := play(t, nil, l)
	s.answer("y", "Trust this folder?", "an MCP server: "+g.URL+"/mcp")
	s.enter("enter allows it")
	s.waitGone("Trust this folder?")
	return s
}

// TestSignIn does not sign in to an MCP server, and does when the runtime asks once
// more, as it starts its servers with the first prompt. Each step is asked for, and the
// browser gets the address that the second one shows.
func TestSignIn(t *testing.T) {
	t.Parallel()
	g, opened := serveGated(t), filepath.Join(t.TempDir(), "opened")
	s := playGated(t, g, launch{env: scriptBrowser(t, opened)})
	s.answer("n", "Sign in to `gated`?", "n  No, skip this server")
	s.waitGone("Sign in to `gated`?")
	s.turn("first")
	s.answer("y", "Sign in to `gated`?", g.URL+"/mcp", "signed in", "y  Yes, show me the address")
	s.card("The server `gated` asks you to open an address", g.URL+"/authorize?", "host      "+strings.TrimPrefix(g.URL, "http://"))
	if _, err := os.Stat(opened); err == nil {
		t.Error("the browser was opened before anybody said yes to the address")
	}
	s.press("y")
	s.wait("Opening 127.0.0.1")
	s.waitFor("the browser to get the address", func(string) bool { address, err := os.ReadFile(opened); return err == nil && len(address) > 0 })
	address, err := os.ReadFile(opened)
	if err != nil || !strings.HasPrefix(string(address), g.URL+"/authorize?") {
		t.Fatalf("the browser was given %q (%v)", address, err)
	}
	request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, string(address), nil)
	if err != nil {
		t.Fatal(err)
	}
	page, err := http.DefaultClient.Do(request) // follows the way back to the runtime
	if err != nil {
		t.Fatal(err)
	}
	_ = page.Body.Close()
	s.over("first")
	s.turn("use", call("gated-secret", nil))
	s.answer("y", "Call this tool?", "secret (gated)")
	s.over("use")
	s.requested("tool", "received: the secret")
	s.leave()
}
