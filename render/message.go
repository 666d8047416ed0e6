package render

import (
	"slices"
	"strings"
	"time"

	"parley/theme"
	"parley/timeline"
)

// messageDoc draws what the assistant says: markdown without a mark, at the
// text column. It keeps the parsed blocks, so that a message that grows is
// parsed once.
type messageDoc struct {
	markdown Markdown
	source   string // what markdown was given
}

func (d *messageDoc) parts(e *timeline.Entry, _ Fold) []part {
	b, ok := e.Body.(*timeline.Message)
	if !ok || blank(e) {
		return nil
	}
	// A text that was only appended to shares its memory with what was seen
	// before, and the comparison ends at once. Anything else starts over.
	source := b.Text.String()
	if !strings.HasPrefix(source, d.source) {
		d.markdown = Markdown{}
	}
	d.source = source
	d.markdown.Extend(source)
	if e.State.Final() {
		d.markdown.Seal()
	}
	return []part{{
		kind: partText, units: d.markdown.Len(),
		stamp:  func(i int) uint64 { return d.markdown.At(i).Key },
		draw:   func(i int, o Options) []string { return d.draw(e, i, o) },
		source: func(i int) string { return d.markdown.At(i).lines() },
	}}
}

func (d *messageDoc) draw(e *timeline.Entry, i int, o Options) []string {
	lines := DrawBlock(d.markdown.At(i), room(o), o.Theme)
	first := spaces(margin(o.Width))
	if i == 0 && e.Agent != "" {
		first = lead(o, theme.Dim, theme.MarkSubAgent)
	}
	return hang(first, slices.Clone(lines), margin(o.Width))
}

// reasoningDoc draws the model's thinking: one line when it is done, the last
// few lines while it goes on, all of it when it is whole.
type reasoningDoc struct{}

// thinkingLines is how much of live thinking is shown.
const thinkingLines = 3

func (reasoningDoc) parts(e *timeline.Entry, fold Fold) []part {
	b, ok := e.Body.(*timeline.Reasoning)
	if !ok || blank(e) {
		return nil
	}
	text := b.Text.String()
	parts := []part{{
		kind: partHead, units: 1, stamp: at(uint64(e.State)<<1 | flag(len(text) > 0)),
		draw: func(_ int, o Options) []string { return drawThought(e, len(text) > 0, o) },
	}}
	switch {
	case fold == Whole:
		parts = append(parts, part{
			kind: partText, units: runs(text), text: text,
			stamp: func(i int) uint64 { return uint64(len(runAt(text, i)))<<1 | flag(e.State.Final()) },
			draw: func(i int, o Options) []string {
				return drawThinking(o, runAt(text, i), 0)
			},
			source: func(i int) string { return Sanitize(runWhole(text, i)) },
		})
	case fold == Folded && !e.State.Final() && text != "":
		parts = append(parts, part{
			kind: partText, units: 1, stamp: at(e.Version),
			draw: func(_ int, o Options) []string {
				return drawThinking(o, lastText(text, thinkingLines*4*room(o)), thinkingLines)
			},
			source: func(int) string { return Sanitize(lastText(text, runBytes)) },
		})
	}
	return parts
}

// drawThought is the line of a block of reasoning.
func drawThought(e *timeline.Entry, some bool, o Options) []string {
	text := "Thinking" + o.Theme.Glyph(theme.MarkEllipsis)
	if e.State.Final() {
		text = "Thought"
		if d := took(e, time.Time{}); d > 0 {
			text += " for " + duration(d, d >= time.Second)
		}
		if some && o.Fold != Whole {
			text += "  " + o.Theme.Glyph(theme.MarkFolded)
		}
	}
	return []string{lead(o, theme.Dim, theme.MarkThinking) + o.Theme.Render(theme.Dim, cut(o, text, room(o)))}
}

// strongMark is the markup that models put around the headings of their
// thinking; it is plain text here.
var strongMark = compiled(`\*\*([^*\n]+)\*\*`)

// drawThinking draws text of thinking, the last most lines of it, or all.
func drawThinking(o Options, text string, most int) []string {
	text = strongMark().ReplaceAllString(Sanitize(text), "$1")
	if most > 0 {
		text = strings.TrimSpace(text)
	}
	lines := wrapped(o, theme.Thinking, text, room(o))
	if most > 0 && len(lines) > most {
		lines = lines[len(lines)-most:]
	}
	return hang(spaces(margin(o.Width)), lines, margin(o.Width))
}

// lastText is the end of s, about n bytes of it, from the start of a word.
func lastText(s string, n int) string {
	if len(s) <= n {
		return s
	}
	s = s[len(s)-n:]
	if i := strings.IndexAny(s, " \n"); i >= 0 && i < len(s)-1 {
		return s[i+1:]
	}
	return strings.ToValidUTF8(s, "")
}

// took is how long an entry took, or takes when now is set; 0 if unknown.
func took(e *timeline.Entry, now time.Time) time.Duration {
	end := e.End
	if !e.State.Final() {
		end = now
	}
	if e.At.IsZero() || end.IsZero() {
		return 0
	}
	return max(0, end.Sub(e.At))
}

func flag(b bool) uint64 {
	if b {
		return 1
	}
	return 0
}
