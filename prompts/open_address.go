package prompts

import (
	"net/url"
	"strings"

	"parley/render/text"
	"parley/session"
	"parley/theme"
)

// newLink asks whether to open the address of r, which is whole on the card, with its
// host by itself: elicitation.requested of mode url. To open it is to accept, both with
// one key.
func newLink(r session.ElicitationRequested, of about, asker string) *choiceDialog {
	d := &textDocument{raw: r.URL, copy: true}
	if r.Message != "" {
		d.spans = append(prose(r.Message, theme.Text), span{})
	}
	d.spans = append(d.spans, code(r.URL, theme.Code)...)
	c := newCard(of, asks(r)+" you to open an address")
	c.payload = d
	if r.ElicitationID == "" { // the agent's own, which no turn waits for
		c.of.ends = withNone
	}
	if host, ok := WebHost(r.URL); ok {
		c.facts = append(c.facts, fact{label: "host", text: text.SanitizeShowHidden(host)})
		accept := session.ElicitationAnswer{RequestID: r.RequestID, Action: session.Accept}
		c.choices.rows = []row{{key: "y", label: "Open it in the browser", answer: accept, effect: OpenAddress{URL: r.URL}, approves: true}}
		if reason := lookalike(r.URL); reason != "" {
			c.warn(reason)
		}
	} else {
		c.alerts = append(c.alerts, "Only whole http and https addresses can be opened from here.")
		c.choices.rows = []row{{key: "c", label: "Copy the address", effect: CopyText{Text: r.URL}}}
	}
	c.warnOfHidden(r.URL, r.Message, r.ElicitationSource)
	if asker != "" {
		c.facts = append(c.facts, fact{label: "asked by", text: asker})
	}
	c.choices.rows = append(c.choices.rows, refusals(of, "n")...)
	return c
}

// WebHost returns the host of an http or https address, with its port. It is not
// ok for any other address, and for one that a program could read in two ways.
func WebHost(address string) (host string, ok bool) {
	u, err := url.Parse(address)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Hostname() == "" {
		return "", false
	}
	odd := func(r rune) bool { return r <= ' ' || r == 0x7f || r == '\\' }
	return u.Host, !strings.ContainsFunc(address, odd) && !text.HasHiddenChars(address)
}
