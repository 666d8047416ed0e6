package prompts

import (
	"fmt"

	"parley/session"
	"parley/theme"
)

// trustKind is the question whether a folder is trusted.
func trustKind(a session.FolderTrustRequested) askKind {
	topic := "trust in " + a.Folder
	return askKind{
		of: about{request: a.RequestID, ends: withNone}, topic: topic, wish: "asks for " + topic,
		open: func(q *Queue, of about, _ session.Event) dialog { return newTrust(a, of, q.places) },
	}
}

// newTrust asks whether what the working folder brings along may be loaded or
// started (docs/decisions.md 11), and says what that is. It is the first thing on the
// screen, where users begin to type: no letter answers it (docs/decisions.md 43).
func newTrust(r session.FolderTrustRequested, of about, p places) *choiceDialog {
	c := newCard(of, "Trust this folder?")
	names := []string{r.Folder}
	const may = "A trusted folder may tell the agent what to do and start programs, and is read without asking."
	spans := append(code(p.short(r.Folder), theme.Code), span{})
	if len(r.Loads) == 0 {
		spans = append(spans, prose(may, theme.Text)...)
	} else {
		spans = append(append(spans, prose(may+" This one would load:", theme.Text)...), span{})
	}
	for _, l := range r.Loads {
		names = append(names, l.Path, l.What)
		spans = append(spans, prose(fmt.Sprintf("%s: %s", p.short(l.Path), l.What), theme.Code)...)
	}
	c.payload = &textDocument{spans: spans}
	c.warnOfHidden(names...)
	answer := func(trusted, remember bool) session.Answer {
		return session.FolderTrustAnswer{RequestID: r.RequestID, Trusted: trusted, Remember: remember}
	}
	c.choices.rows = []row{
		{key: "y", label: "Yes, for this session", answer: answer(true, false), approves: true, careful: true},
		{key: "l", label: "Yes, always in this folder", answer: answer(true, true), approves: true, careful: true},
		{key: "n", label: "No, work without them", answer: answer(false, false), careful: true},
	}
	if c.danger {
		c.choices.rows = append(c.choices.rows[:1], c.choices.rows[2])
	}
	return c
}
