package prompts

import (
	"cmp"
	"net/netip"
	"net/url"
	"strings"

	"github.com/go-json-experiment/json"

	"parley/session"
	"parley/theme"
)

// oauthKind is the question whether to sign in to an MCP server.
func oauthKind(a session.McpOAuthRequired) askKind {
	topic := "signing in to " + a.ServerName
	return askKind{
		of: about{request: a.RequestID, ends: withNone}, topic: topic, wish: "needs you for " + topic,
		open: func(_ *Queue, of about, _ session.Event) dialog { return newOAuth(a, of) },
	}
}

// newOAuth asks whether to sign in to an MCP server (docs/protocol.md, section
// 7.5). Yes begins it, and no page is opened by that: its address is asked
// about next.
func newOAuth(r session.McpOAuthRequired, of about) *choiceDialog {
	var wants struct {
		Scope string `json:"scope"`
		Error string `json:"error"`
	}
	_ = json.Unmarshal(r.WWWAuthenticateParams, &wants) // what it does not say is not shown
	c := newCard(of, "Sign in to "+quote(r.ServerName)+"?")
	c.payload = plainDocument(code(r.ServerURL, theme.Code), r.ServerURL)
	var f factList
	u, err := url.Parse(r.ServerURL)
	if err == nil {
		f.add("host", u.Host)
	}
	f.add("asks for", scopes(wants.Scope, r.ResourceMetadata))
	f.add("why", cmp.Or(signInReasons[r.Reason], r.Reason))
	f.add("it says", wants.Error)
	c.facts = f
	c.warnOfHidden(r.ServerName, r.ServerURL, wants.Scope, wants.Error, r.ResourceMetadata)
	if reason := lookalike(r.ServerURL); reason != "" {
		c.warn(reason)
	}
	if err == nil && u.Scheme == "http" && !loopback(u.Hostname()) {
		c.warn("The way to this server is not encrypted: others may read what is sent.")
	}
	yes := "Yes, show me the address"
	if r.Reason == "refresh" && r.RuntimeRefreshSupported { // no browser is needed
		yes = "Yes, renew the sign-in"
	}
	c.choices.rows = []row{
		{key: "y", label: yes, approves: true, answer: session.McpOAuthAnswer{RequestID: r.RequestID, SignIn: true}},
		{key: "n", label: "No, skip this server", answer: session.McpOAuthAnswer{RequestID: r.RequestID}},
	}
	return c
}

// loopback reports whether a host is this machine.
func loopback(host string) bool {
	ip, err := netip.ParseAddr(host)
	return host == "localhost" || err == nil && ip.IsLoopback()
}

// signInReasons are why a server wants the user to sign in, in words.
var signInReasons = map[string]string{
	"initial": "it requires sign-in", "refresh": "it does not accept your sign-in any more",
	"reauth": "it wants you to sign in again", "upscope": "it wants more rights than it was given",
}

// scopes are the rights that the server asks for: those of its answer, else
// those that its description names.
func scopes(asked, metadata string) string {
	if asked != "" {
		return strings.Join(strings.Fields(asked), ", ")
	}
	var resource struct {
		Scopes []string `json:"scopes_supported"`
	}
	if json.Unmarshal([]byte(metadata), &resource) != nil || len(resource.Scopes) == 0 {
		return ""
	}
	return strings.Join(resource.Scopes, ", ") + " (all that it has)"
}
