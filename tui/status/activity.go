package status

import (
	"cmp"
	"strconv"
	"strings"
	"time"

	"parley/render/text"
	"parley/theme"
	"parley/tui/widget"
)

// hiddenQuestion is shown of a question that has no room.
const hiddenQuestion = ": enlarge the window"

// activity is what a session does now.
type activity struct {
	mark, words string
	since       time.Time // zero if it is not shown how long it takes
}

// Moves reports whether a session does something that ends by itself: what Activity
// draws. That it waits for the user stands at the call and in the status line.
func (f *Facts) Moves() bool {
	switch f.State {
	case Cancelling, RunningCommand:
		return true
	case Ready:
		return f.Session.Busy || f.Session.Compacting
	case Starting, Disconnected, Reading, Read, Ended, Asking, AskingHidden:
	}
	return false
}

// now is what the session does, and for how long: without the time in which the turn
// waited for the user.
func (f *Facts) now() activity {
	question := f.Theme.Glyph(theme.MarkQuestion)
	switch f.State {
	case Starting:
		return activity{mark: f.Spinner, words: "starting"}
	case Disconnected:
		return activity{words: "disconnected, enter reconnects"}
	case Reading:
		return activity{mark: f.Spinner, words: "reading"}
	case Read:
		return activity{}
	case Ended:
		return activity{words: "ended"}
	case Asking:
		return activity{mark: question, words: "waiting for you"}
	case AskingHidden:
		return activity{mark: question, words: "waiting for you" + hiddenQuestion}
	case Cancelling:
		return activity{f.Spinner, "cancelling", f.CancelledAt}
	case RunningCommand:
		return activity{mark: f.Spinner, words: "running your command"}
	case Ready:
	}
	if s := &f.Session; s.Busy || s.Compacting {
		doing := s.Activity
		if s.Waiting > 0 { // for what was answered here, and the agent has not confirmed yet
			doing = ""
		}
		if left := s.RetryAt.Sub(f.Now.Truncate(time.Second)); left >= time.Second && !f.Still { // as at its entry
			doing = "trying again in " + text.Elapsed(left, true) + " (attempt " + strconv.Itoa(s.Retry) + ")"
		}
		return activity{f.Spinner, cmp.Or(doing, "working"), s.WorkingSince(f.Now)}
	}
	return activity{words: f.Background}
}

// inBackground ends what runs while the agent takes input, where there is room.
const inBackground = " in the background"

// activity is what the agent does now and for how long, and which key stops it. It is
// empty while that stands under the conversation.
func (f *Facts) activity() segment {
	if f.ActivityShown {
		return segment{}
	}
	a := f.now()
	doing := a.words
	if doing != f.Background { // which has a brief form instead
		doing = widget.Cut(f.Theme, doing, max(len("waiting for you"+hiddenQuestion), f.Width/3))
	}
	i := segment{text: strings.TrimSpace(a.mark + " " + doing + f.elapsed(a.since)), token: theme.StatusStrong}
	for _, more := range []string{hiddenQuestion, inBackground} {
		if brief, ok := strings.CutSuffix(i.text, more); ok {
			i.brief = brief
		}
	}
	if f.Key != "" && i.text != "" {
		i.brief, i.text = i.text, i.text+f.Theme.Dot()+f.Key
	}
	return i
}

// Doing says in words what the session does now, and for how long.
func (f *Facts) Doing() string {
	a := f.now()
	return a.words + f.elapsed(a.since)
}

// Activity draws what the session does now, for the line under the conversation: what it
// does and which key stops it, and at the right edge the tokens and the time that the
// prompt took so far, in the columns in which the timeline has them.
func (f *Facts) Activity() string {
	const took = 10 // cells of the column of times
	a := f.now()
	width := max(0, f.Width-1)
	elapsed, tokens := strings.TrimSpace(f.elapsed(a.since)), ""
	if n := f.Session.PromptTokens; n > 0 && !a.since.IsZero() && f.State != Cancelling {
		tokens = text.Tokens(n) + " tokens"
	}
	stop := ""
	if f.Key != "" {
		stop = f.Theme.Dot() + f.Key
	}
	right := tokens + widget.Blank(max(widget.ColumnGap, took-text.Width(elapsed))) + elapsed
	if width < 60 || tokens == "" { // no room for columns, or nothing in the first
		right = text.JoinNonEmpty(f.Theme.Dot(), tokens, elapsed)
	}
	room := width - widget.Margin - text.Width(right) - widget.ColumnGap
	words := widget.Cut(f.Theme, a.words, max(0, room-text.Width(stop)))
	if room < text.Width(stop) || text.Width(words) < min(text.Width(a.words), room/2) { // the way to stop it matters more than numbers
		right, room = "", width-widget.Margin
		if room < text.Width(stop) {
			stop = ""
		}
		words = widget.Cut(f.Theme, a.words, max(0, room-text.Width(stop)))
	}
	gap := widget.Blank(width - widget.Margin - text.Width(words) - text.Width(stop) - text.Width(right))
	return f.Theme.Render(theme.Accent, a.mark) + widget.Blank(widget.Margin-text.Width(a.mark)) +
		f.Theme.Render(theme.StatusStrong, words) + f.Theme.Render(theme.Dim, stop+gap+right)
}
