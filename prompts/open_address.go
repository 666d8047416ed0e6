package prompts

import (
	"net/url"
	"strings"

	tea "charm.land/bubbletea/v2"

	"parley/render/text"
	"parley/session"
	"parley/theme"
)

// link asks whether to open an address: elicitation.requested of mode url. To
// open it is to accept, both with one key.
type link struct {
	*choiceDialog
	address string
}

// newLink puts the whole address of r on a card, with its host by itself.
func newLink(r session.ElicitationRequested, of about, asker string) *link {
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
		c.choices.rows = []row{{key: "y", label: "Open it in the browser", answer: accept, approves: true}}
		if reason := lookalike(r.URL); reason != "" {
			c.warn(reason)
		}
	} else {
		c.alerts = append(c.alerts, "Only whole http and https addresses can be opened from here.")
		c.choices.rows = []row{{key: "c", label: "Copy the address", answer: localAction{effect: CopyText{Text: r.URL}}}}
	}
	c.warnOfHidden(r.URL, r.Message, r.ElicitationSource)
	if asker != "" {
		c.facts = append(c.facts, fact{label: "asked by", text: asker})
	}
	c.choices.rows = append(c.choices.rows, refusals(of, "n")...)
	return &link{c, r.URL}
}

func (l *link) press(k tea.KeyPressMsg) result {
	r := l.choiceDialog.press(k)
	switch a := r.answer.(type) {
	case localAction:
		return result{effect: a.effect}
	case session.ElicitationAnswer:
		if a.Action == session.Accept {
			r.effect = OpenAddress{URL: l.address}
		}
	}
	return r
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
