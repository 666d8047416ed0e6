package timeline

import (
	"cmp"
	"fmt"
	"hash/fnv"
	"io"
	"strings"
	"time"
	"unicode"
)

// dumpLines is how many lines of one text a dump shows. The rest is shown by its
// size and a checksum, so that two dumps are equal only if the texts are.
const dumpLines = 24

// Dump writes the timeline as stable, readable text, for goldens and
// failures: the entries in order, then the status. It holds no ids and no clock
// times, only how long things took, and no control characters.
func (t *Timeline) Dump() string {
	var b strings.Builder
	for i, e := range t.entries {
		dumpEntry(&b, i+1, e)
	}
	dumpStatus(&b, t.Status())
	return b.String()
}

// String implements fmt.Stringer.
func (l Level) String() string {
	return [...]string{"info", "success", "warning", "error", "?"}[min(int(l), 4)]
}

// String implements fmt.Stringer.
func (o ApplyResult) String() string {
	return [...]string{"unhandled", "ignored", "applied"}[min(int(o), 2)]
}

func dumpEntry(w *strings.Builder, n int, e *Entry) {
	fmt.Fprintf(w, "%d %s", n, dumpHead(e.Body))
	if e.Agent != "" {
		fmt.Fprint(w, " [sub-agent]")
	}
	if e.VerboseOnly {
		fmt.Fprint(w, " [verbose]")
	}
	switch {
	case e.State == Live:
		fmt.Fprint(w, " (live)")
	case e.End.Sub(e.At) > 0:
		fmt.Fprintf(w, " (%s, %s)", e.State, e.End.Sub(e.At).Round(time.Millisecond))
	default:
		fmt.Fprintf(w, " (%s)", e.State)
	}
	fmt.Fprintln(w)
	dumpBody(w, e.Body)
}

func dumpHead(b Body) string {
	switch b := b.(type) {
	case *Prompt:
		return spaced("prompt", dumpLine(b.Source), string(b.Mode), b.Delivery)
	case *Message:
		return "message"
	case *Reasoning:
		return "thinking"
	case *ToolCall:
		head := spaced("tool", dumpLine(cmp.Or(b.Name, "?")))
		if b.Server != "" {
			head += dumpLine(" of " + b.Server)
		}
		if b.UserRequested {
			head += ", asked for by the user"
		}
		if b.Waiting {
			head += ", waits for an answer"
		}
		return head
	case *Notice:
		return spaced(b.Level.String(), dumpLine(b.Category))
	case *AnsweredQuestion:
		return "question"
	case *Divider:
		return "divider"
	case *Summary:
		return "summary"
	case *SessionEnd:
		return "session end"
	case *Unrecognised:
		return spaced("unrecognised", dumpLine(string(b.Kind)))
	}
	return "?"
}

func dumpBody(w *strings.Builder, b Body) {
	switch b := b.(type) {
	case *Prompt:
		dumpText(w, "", b.Text)
		for _, a := range b.Attachments {
			dumpText(w, "attached", spaced(a.Type, cmp.Or(a.Reference(), a.DisplayName, a.Path, a.FilePath, a.MIMEType), a.State, a.URL))
		}
	case *Message:
		dumpText(w, "", b.Text.String())
	case *Reasoning:
		dumpText(w, "", b.Text.String())
	case *ToolCall:
		dumpCall(w, b)
	case *Notice:
		dumpNotice(w, b)
	case *AnsweredQuestion:
		dumpText(w, "", b.Question)
		dumpText(w, "answer", cmp.Or(b.Answer, "(none)"))
	case *Divider:
		dumpText(w, "", b.Text)
	case *Summary:
		dumpSummary(w, b)
	case *SessionEnd:
		dumpClosing(w, b)
	case *Unrecognised:
		dumpText(w, "count", fmt.Sprint(b.Count))
		if b.Reason != "" { // its words come from a library that varies them
			dumpText(w, "", "could not be read")
		}
	}
}

func dumpNotice(w *strings.Builder, n *Notice) {
	dumpText(w, "", n.Text)
	dumpText(w, "next", n.Next)
	dumpText(w, "see", n.URL)
	if n.StatusCode != 0 {
		dumpText(w, "status", fmt.Sprint(n.StatusCode))
	}
	if !n.RetryAt.IsZero() {
		dumpText(w, "", "shows when it tries again")
	}
	dumpText(w, "detail", n.Detail)
}

func dumpSummary(w *strings.Builder, s *Summary) {
	dumpText(w, "", dumpCounts(
		count{"calls", s.Calls}, count{"commands", s.Commands}, count{"failures", s.Failures},
		count{"turns", s.Turns}, count{"added", s.Added}, count{"removed", s.Removed}))
	s.Refused.Each(func(by Refuser, n int) { dumpText(w, "refused"+by.String(), fmt.Sprint(n)) })
	for _, f := range s.Files {
		dumpText(w, "file", fmt.Sprintf("%s +%d -%d", spaced(f.Kind, f.Path), f.Added, f.Removed))
	}
	dumpText(w, "used", dumpUsage(s.Usage))
	dumpText(w, "took", dumpTime(s.Took))
}

func dumpClosing(w *strings.Builder, c *SessionEnd) {
	if c.Failed {
		dumpText(w, "failed", cmp.Or(c.Reason, "for no known reason"))
	}
	dumpText(w, "took", dumpTime(c.Took))
	dumpText(w, "thinking", dumpTime(c.Thinking))
	if c.Premium > 0 {
		dumpText(w, "premium requests", fmt.Sprint(c.Premium))
	}
	dumpText(w, "lines", dumpCounts(count{"added", c.Added}, count{"removed", c.Removed}))
	for _, f := range c.Files {
		dumpText(w, "file", f)
	}
	for _, m := range c.Models {
		dumpText(w, "model", spaced(m.Model, dumpUsage(m.Usage)))
	}
}

func dumpUsage(u Usage) string {
	s := dumpCounts(
		count{"requests", u.Requests}, count{"in", u.Input}, count{"out", u.Output},
		count{"cached", u.CacheRead}, count{"written", u.CacheWrite}, count{"thought", u.Reasoning})
	if u.Cost > 0 {
		s = spaced(s, fmt.Sprintf("cost %g", u.Cost))
	}
	if u.NanoAIU > 0 {
		s = spaced(s, fmt.Sprintf("nano AIU %g", u.NanoAIU))
	}
	return s
}

func dumpTime(d time.Duration) string {
	if d == 0 {
		return ""
	}
	return d.Round(time.Millisecond).String()
}

// count is a number under its name.
type count struct {
	name string
	n    int
}

// dumpCounts writes the numbers that are not zero.
func dumpCounts(counts ...count) string {
	s := ""
	for _, c := range counts {
		if c.n != 0 {
			s = spaced(s, fmt.Sprint(c.name, " ", c.n))
		}
	}
	return s
}

func dumpCall(w *strings.Builder, c *ToolCall) {
	dumpText(w, "doing", c.activity)
	dumpText(w, "why", c.Intention)
	dumpText(w, "arguments", compactJSON(c.Arguments))
	dumpText(w, "writing", c.ArgumentText.String())
	dumpText(w, "status", c.Status)
	dumpText(w, "output", c.Output.String())
	dumpText(w, "result", c.Result)
	dumpText(w, "detail", c.Detail)
	code := ""
	if c.ErrorCode != "" {
		code = "[" + c.ErrorCode + "]"
	}
	dumpText(w, "error", spaced(c.Error, code))
	dumpText(w, "refused", strings.TrimLeft(c.RefusedBy.String(), ", "))
	dumpText(w, "feedback", c.Feedback)
	if c.ExitCode != nil {
		dumpText(w, "exit code", fmt.Sprint(*c.ExitCode))
	}
	for _, e := range c.Edits {
		dumpText(w, "file", spaced(e.Kind, e.Path))
	}
	dumpText(w, "folder", c.Dir)
	for _, i := range c.Images {
		dumpText(w, "image", dumpImage(i))
	}
	for _, b := range c.Blocks {
		dumpText(w, "block", spaced(b.Kind, b.Name, b.URI, b.Description, b.MIMEType, dumpCounts(count{"bytes", b.Bytes})))
	}
	if c.Agent != nil {
		dumpAgent(w, c.Agent)
	}
}

// dumpImage writes the facts of an image, and whether its bytes are there.
func dumpImage(i Image) string {
	s := spaced(i.Name, i.MIMEType, dumpCounts(count{"bytes", i.Bytes}))
	if i.Width > 0 {
		s = spaced(s, fmt.Sprintf("%d×%d", i.Width, i.Height))
	}
	if i.Data == "" {
		s = spaced(s, "(facts only)")
	}
	return s
}

// dumpAgent writes a sub-agent and what it did, further in.
func dumpAgent(w *strings.Builder, a *Subagent) {
	head := spaced(a.State.String(), a.Name, quoted(a.Title), a.Model)
	if a.Background {
		head = spaced(head, "in the background")
	}
	if d := a.End.Sub(a.At); !a.At.IsZero() && d > 0 {
		head = spaced(head, d.Round(time.Millisecond).String())
	}
	dumpText(w, "agent", head)
	dumpText(w, "described as", a.Description)
	dumpText(w, "does", a.Activity)
	dumpText(w, "used", dumpCounts(count{"calls", a.Calls}, count{"tokens", a.Tokens}))
	dumpText(w, "agent's error", a.Error)
	if a.Timeline == nil {
		return
	}
	var inner strings.Builder
	for i, e := range a.Timeline.entries {
		dumpEntry(&inner, i+1, e)
	}
	for line := range strings.Lines(inner.String()) {
		w.WriteString("    | " + line)
	}
}

func dumpStatus(w *strings.Builder, s Status) {
	fmt.Fprintln(w, "status")
	flags := ""
	for _, f := range []struct {
		set  bool
		name string
	}{
		{s.Busy, "busy"},
		{s.Stopping, "stopping"},
		{s.Ended, "ended"},
		{s.RunningShell, "shell"},
		{s.Compacting, "compacting"},
		{s.BackgroundWork, "background"},
		{s.AllowAll, "allow all"},
	} {
		if f.set {
			flags = spaced(flags, f.name)
		}
	}
	dumpText(w, "is", cmp.Or(flags, "quiet"))
	dumpText(w, "doing", s.Activity)
	dumpWork(w, s)
	dumpText(w, "model", spaced(s.Model, s.Effort))
	dumpText(w, "agent", s.Persona.Title)
	dumpText(w, "mode", string(s.Mode))
	dumpText(w, "title", s.Title)
	dumpText(w, "folder", spaced(s.Dir, s.Repository, s.Branch))
	dumpText(w, "git root", s.GitRoot)
	dumpText(w, "checkpoint", s.Checkpoint.Path)
	if s.ContextLimit > 0 {
		dumpText(w, "context", fmt.Sprintf("%d of %d", s.ContextTokens, s.ContextLimit))
	}
	dumpText(w, "context parts", dumpCounts(
		count{"system", s.SystemTokens}, count{"tools", s.ToolTokens}, count{"conversation", s.ConversationTokens},
		count{"messages", s.ContextMessages}))
	dumpText(w, "turns", fmt.Sprint(s.Turns))
	if s.Calls != s.Turns {
		dumpText(w, "turns of all agents", fmt.Sprint(s.Calls))
	}
	dumpText(w, "used", dumpUsage(s.Usage))
	if s.Usage == (Usage{}) && s.MessageOutput > 0 {
		dumpText(w, "output of messages", fmt.Sprint(s.MessageOutput))
	}
	for _, q := range s.Quotas {
		dumpText(w, "quota", spaced(q.Name, fmt.Sprintf("%g of %g", q.Used, q.Limit), q.Resets.Format(time.DateOnly)))
	}
	dumpText(w, "objective", s.Objective)
	dumpText(w, "skills", strings.Join(s.Catalog.Skills, ", "))
	dumpText(w, "custom agents", strings.Join(s.Catalog.Agents, ", "))
	for _, p := range s.Catalog.Servers {
		dumpText(w, "server", dumpPart(p))
	}
	for _, p := range s.Catalog.Extensions {
		dumpText(w, "extension", dumpPart(p))
	}
}

// dumpWork writes what waits, and what runs in the background.
func dumpWork(w *strings.Builder, s Status) {
	for _, b := range s.Background {
		dumpText(w, "in the background", spaced(b.Kind, b.Description))
	}
	if s.Waiting > 0 {
		dumpText(w, "questions", fmt.Sprint(s.Waiting))
	}
	if s.Agents > 0 {
		dumpText(w, "sub-agents", fmt.Sprint(s.Agents))
	}
}

func dumpPart(p CatalogItem) string {
	return spaced(p.Name, p.Status, dumpCounts(count{"tools", p.Tools}), p.Error)
}

// dumpText writes a labelled text. A text of several lines follows its label.
func dumpText(w *strings.Builder, label, s string) {
	if s == "" {
		return
	}
	if label != "" {
		label += ": "
	}
	lines := strings.SplitN(strings.TrimSuffix(s, "\n"), "\n", dumpLines+1)
	for i, line := range lines {
		if i == dumpLines {
			h := fnv.New32a()
			_, _ = io.WriteString(h, s)
			fmt.Fprintf(w, "    … %d more lines, %d bytes, checksum %08x\n",
				strings.Count(line, "\n")+1, len(s), h.Sum32())
			return
		}
		if i > 0 {
			label = strings.Repeat(" ", len(label))
		}
		fmt.Fprintln(w, strings.TrimRight("    "+label+dumpLine(line), " "))
	}
}

// dumpLine replaces what does not print, so that a dump is safe to show.
func dumpLine(s string) string {
	var b strings.Builder
	for _, r := range s {
		if r == '\t' || unicode.IsPrint(r) {
			b.WriteRune(r)
		} else {
			fmt.Fprintf(&b, "<U+%04X>", r)
		}
	}
	return b.String()
}

func spaced(parts ...string) string {
	return strings.Join(strings.FieldsFunc(strings.Join(parts, "\x00"), func(r rune) bool { return r == 0 }), " ")
}
