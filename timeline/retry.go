package timeline

import (
	"cmp"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"time"

	"parley/session"
)

// retry is the one line about the model being called again and again.
type retry struct {
	entry      *Entry
	turn       session.EventID // the key of the turn it belongs to
	reason     string
	attempt    int           // how often it was called again
	source     retrySource   // what reported this attempt last
	statusCode int           // of the last failed call
	failure    string        // what the last failed call said
	wait       time.Duration // until the next attempt; 0 if it is not known
	at         time.Time     // when that is made
}

// current is the attempt that is being made, counted from 1; 0 for the first.
func (r *retry) current() int {
	if r.entry != nil && r.entry.State == Live {
		return r.attempt + 1
	}
	return 0
}

// waits reports whether the next attempt is not made yet, and nothing says when it will
// be (docs/decisions.md 51).
func (r *retry) waits() bool { return r.source == fromFailure && r.at.IsZero() }

// retrySource is what reports that the model is called again, in the order in
// which the runtime sends it for one attempt. It may leave out any of them.
type retrySource uint8

const (
	fromNothing retrySource = iota
	fromFailure             // model.call_failure, when the wait begins
	fromRetry               // assistant.turn_retry, when it is over
	fromInfo                // session.info
)

// maxRetries is how often the runtime calls the model again in one turn
// (docs/protocol.md, section 6.4).
const maxRetries = 5

// callFailed notes why a call of the model failed. The wait until the next
// attempt begins here, if there will be one: when the runtime says so itself,
// the wait is over.
func (t *turns) callFailed(ev session.Event, b session.ModelCallFailure) ApplyResult {
	r := &t.retry
	known := r.entry != nil && r.turn == t.turn.key && r.statusCode == b.StatusCode
	r.statusCode = b.StatusCode
	r.failure = paragraphs(b.ErrorMessage, joinLines(labelled("Code", b.ErrorCode), labelled("Model", b.Model)))
	if !t.status.Busy || t.status.Stopping || t.status.Compacting || b.Initiator == "mcp-sampling" || !retried(b) {
		r.source = fromNothing
		return Applied
	}
	reason := retryReason("api_error")
	switch {
	case known:
		reason = "" // the runtime's own words are the better ones
	case b.StatusCode == tooManyRequests:
		reason = retryReason("rate_limit")
	case b.StatusCode == 0 && len(t.turn.attempt) > 0:
		reason = retryReason("streaming_error")
	}
	t.dropAttempt()
	return t.retrying(ev, reason, fromFailure)
}

// retried reports whether the runtime calls the model again after a failure: of
// the provider or of the connection, not one that would come again.
func retried(b session.ModelCallFailure) bool {
	s := b.StatusCode
	return b.RetryAttempt < maxRetries && (s == 0 || s == tooManyRequests || s >= serverError)
}

// retrying notes that the model is called again. The runtime reports it up to
// three times; the first makes the line, and a later one about the same attempt
// only gives it better words.
func (t *turns) retrying(ev session.Event, reason string, source retrySource) ApplyResult {
	r := &t.retry
	if r.entry != nil && (r.entry.pos < 0 || r.turn != t.turn.key) {
		*r = retry{statusCode: r.statusCode, failure: r.failure, wait: r.wait}
	}
	if source <= r.source || r.source == fromNothing {
		r.attempt++
		r.at = time.Time{}
	}
	if r.wait > 0 {
		r.at, r.wait = ev.Time.Add(r.wait), 0
	}
	r.source = source
	if r.reason = cmp.Or(reason, r.reason); r.reason == "" {
		r.reason = retryReason("")
	}
	t.phase = thinking
	if r.entry == nil {
		r.turn = t.turn.key
		r.entry = t.add(ev, entryID("retry", string(cmp.Or(r.turn, ev.ID))), &Notice{}, Live)
	}
	t.reopen(r.entry)
	next := " Trying again."
	if r.waits() {
		next = " Waiting to try again, no time given."
	}
	*noticeOf(r.entry) = Notice{
		Level:      Warning,
		Category:   "retry",
		Text:       r.reason + next,
		StatusCode: r.statusCode,
		Retry:      r.attempt + 1,
		RetryAt:    r.at,
		Detail:     r.failure,
	}
	t.touch(r.entry)
	return Applied
}

// endRetries ends the line about retries, because the turn continues.
func (t *turns) endRetries(ev session.Event) {
	r := &t.retry
	if r.entry == nil || r.entry.State != Live {
		return
	}
	times := "one retry"
	if r.attempt > 1 {
		times = strconv.Itoa(r.attempt) + " retries"
	}
	n := noticeOf(r.entry)
	n.Level, n.Retry, n.RetryAt, n.Text = Info, 0, time.Time{}, r.reason+" It continued after "+times+"."
	t.seal(ev, r.entry, Done)
}

// retryReasons are why a model is called again, in words.
var retryReasons = map[string]string{
	"rate_limit":           "The model's rate limit is reached.",
	"api_error":            "The request to the model failed.",
	"streaming_error":      "The answer broke off.",
	"transient_auth_error": "Signing in to the model failed.",
	"":                     "The model could not be reached.",
}

func retryReason(reason string) string {
	return cmp.Or(retryReasons[reason], "The model could not be reached ("+humanize(reason)+").")
}

// retryMessage takes the promise of a retry off the runtime's words: it would
// stay true in the line long after the retry.
func retryMessage(message string) string {
	message = strings.TrimSpace(message)
	if i := strings.LastIndex(message, "Retrying"); i >= 0 {
		message = message[:i]
	}
	if message = strings.TrimRight(message, ".… "); message == "" {
		return ""
	}
	return message + "."
}

// retryPromise is how the runtime would say when it tries again.
var retryPromise = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?i)retrying in ([0-9]+(?:\.[0-9]+)?) ?(ms|milli|min|m\b)?`)
})

// retryWait reads how long the runtime waits before it tries again, where its
// words say so; no field of an event does.
func retryWait(message string) time.Duration {
	found := retryPromise().FindStringSubmatch(message)
	if found == nil {
		return 0
	}
	n, err := strconv.ParseFloat(found[1], 64)
	switch unit := strings.ToLower(found[2]); {
	case err != nil:
		return 0
	case strings.HasPrefix(unit, "min"), unit == "m":
		return milliseconds(n * 60_000)
	case unit != "":
		return milliseconds(n)
	}
	return milliseconds(n * 1000)
}
