package timeline

import (
	"cmp"
	"regexp"
	"strconv"
	"strings"
	"sync"

	"parley/render/text"
	"parley/session"
)

// contextWindow is what leaves the model's context: by compactions, truncations and
// clearing.
type contextWindow struct {
	*turns
	compaction *Entry // the one that began last
}

func (cw *contextWindow) apply(ev session.Event) ApplyResult {
	switch b := ev.Body.(type) {
	case session.SessionCompactionStart:
		return cw.compactionStart(ev, b)
	case session.SessionCompactionComplete:
		return cw.compactionComplete(ev, b)
	case session.SessionTruncation:
		return cw.truncation(ev, b)
	case session.SessionContextCleared:
		return cw.contextCleared(ev, b)
	}
	return Unhandled
}

// compactionStart begins the line about a compaction. It lives on when the
// agent is idle, because an automatic compaction runs in parallel with the turn.
func (cw *contextWindow) compactionStart(ev session.Event, b session.SessionCompactionStart) ApplyResult {
	if c := cw.compaction; c != nil && c.State == Live && b.CompactionAttemptID != "" &&
		c.ID == compactionID(ev, b.CompactionAttemptID) {
		return Ignored // reported twice
	}
	cw.status.Compacting = true
	text := "Summarising the conversation so far"
	switch b.Trigger {
	case "threshold", "context_limit_retry":
		text += ", for the context is nearly full"
	case "model_switch":
		text += ", for the next model"
	}
	id := compactionID(ev, b.CompactionAttemptID)
	cw.compaction = cw.add(ev, id, &Notice{Category: "compaction", Text: text}, Live)
	return Applied
}

// compactionComplete ends that line. One that names no attempt ends the line
// that is open.
func (cw *contextWindow) compactionComplete(ev session.Event, b session.SessionCompactionComplete) ApplyResult {
	cw.status.Compacting = false
	e := cw.index[compactionID(ev, b.CompactionAttemptID)]
	if e == nil && cw.compaction != nil && cw.compaction.State == Live {
		e = cw.compaction
	}
	if e == nil || e.pos < 0 || e.State.Final() {
		e = cw.add(ev, entryID("notice", string(ev.ID)), &Notice{Category: "compaction"}, Live)
	}
	n, ok := e.Body.(*Notice)
	if !ok {
		return Ignored
	}
	cw.addOrigin(e, ev)
	s := Done
	switch {
	case b.Success:
		n.Text = "The conversation so far was summarised" + saved(b)
		n.Detail = paragraphs(cw.checkpoint(b), untagged(b.SummaryContent, "summary"))
		if b.PostCompactionTokens > 0 {
			cw.status.ContextTokens = counted(b.PostCompactionTokens)
		}
	case b.Outcome == "cancelled":
		s, n.Text = Cancelled, "The conversation was not summarised: cancelled"
	case b.Outcome == "not_applicable":
		n.Text = "There was nothing to summarise"
	default:
		s, n.Level = Failed, Warning
		n.Text = "The conversation could not be summarised"
		if reason := unnumbered(failure(b.Error), b.StatusCode); reason != "" {
			n.Text += " (" + reason + ")"
		}
		n.Text += ". The agent continues with all of it while it fits."
		n.StatusCode = b.StatusCode
		if !strings.Contains(b.Error, "{") {
			n.Detail = unlessRepeated(b.Error, n.Text)
		}
	}
	cw.seal(ev, e, s)
	return Applied
}

// checkpoint notes where the conversation before a compaction is kept, and returns
// a line that says it; "" if it is not known.
func (cw *contextWindow) checkpoint(b session.SessionCompactionComplete) string {
	path := strings.Join(strings.FieldsFunc(b.CheckpointPath, func(r rune) bool { return r == '\n' || r == '\r' }), " ")
	if path == "" {
		return ""
	}
	cw.status.Checkpoint = Checkpoint{Number: max(0, b.CheckpointNumber), Path: path}
	if b.CheckpointNumber > 0 {
		return "Checkpoint " + strconv.Itoa(b.CheckpointNumber) + ": " + path
	}
	return "Checkpoint: " + path
}

func compactionID(ev session.Event, attempt string) EntryID {
	return entryID("compaction", cmp.Or(attempt, string(ev.ID)))
}

// lastAPIError is where the structures of an error text say what the model's
// provider answered.
var lastAPIError = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`last_api_error_message: Some\(("(?:[^"\\]|\\.)*")\)`)
})

// failure takes what a user can read from an error text of the runtime, which
// continues with the fields of its structures, in braces and with JSON in them:
// what the provider answered, or else what comes before them.
func failure(text string) string {
	if found := lastAPIError().FindStringSubmatch(text); found != nil {
		if cause, err := strconv.Unquote(found[1]); err == nil && cause != "" {
			return oneLine(cause)
		}
	}
	text = oneLine(text)
	if i := strings.IndexByte(text, '{'); i >= 0 {
		text = text[:i]
		text = text[:max(0, strings.LastIndex(text, ":"))]
	}
	return strings.TrimSpace(text)
}

// saved returns what a compaction gained, if the agent reports it.
func saved(b session.SessionCompactionComplete) string {
	var gains []string
	before, after := b.PreCompactionTokens, b.PostCompactionTokens
	switch {
	case before > 0 && after > 0:
		gains = append(gains, text.Count(before, "token")+" became "+text.Number(after))
	case b.TokensRemoved > 0:
		gains = append(gains, text.Count(b.TokensRemoved, "token")+" fewer")
	}
	if b.MessagesRemoved > 0 {
		gains = append(gains, text.Count(b.MessagesRemoved, "message")+" fewer")
	}
	if b.CheckpointNumber > 0 {
		gains = append(gains, "checkpoint "+strconv.Itoa(b.CheckpointNumber))
	}
	return withReason("", strings.Join(gains, ", "))
}

func (cw *contextWindow) truncation(ev session.Event, b session.SessionTruncation) ApplyResult {
	what := "The oldest messages no longer fit"
	if n := b.MessagesRemovedDuringTruncation; n > 1 {
		what = "The " + text.Number(n) + " oldest messages no longer fit"
	}
	if n := b.TokensRemovedDuringTruncation; n > 0 {
		what = strings.Replace(what, " no", ", "+text.Count(n, "token")+", no", 1)
	}
	n := &Notice{
		Level:    Warning,
		Category: "truncation",
		Text:     what + ": the model does not see them any more",
		Next:     "Make room with /compact before the next prompts.",
	}
	if b.PreTruncationTokensInMessages > 0 {
		n.Detail = text.Count(b.PreTruncationTokensInMessages, "token") + " in " + text.Count(b.PreTruncationMessagesLength, "message") +
			" became " + text.Number(b.PostTruncationTokensInMessages) + " in " + text.Number(b.PostTruncationMessagesLength) +
			", for a limit of " + text.Number(b.TokenLimit) + "."
	}
	return cw.notice(ev, n)
}

// contextCleared begins a conversation that knows nothing of the one before.
func (cw *contextWindow) contextCleared(ev session.Event, b session.SessionContextCleared) ApplyResult {
	what := "The agent's memory of this conversation was cleared"
	if b.MessagesCleared > 0 {
		what += ", of " + text.Count(b.MessagesCleared, "message")
	}
	cw.add(ev, entryID("cleared", string(ev.ID)), &Divider{Text: what}, Done)
	if first := strings.TrimSpace(b.InitialMessage); first != "" {
		cw.notice(ev, &Notice{Category: "context", Text: "It begins anew with a message", Detail: first})
	}
	return Applied
}
