package render

import (
	"slices"
	"strings"
	"time"

	"parley/render/text"
	"parley/theme"
	"parley/timeline"
)

// messageDoc draws what the assistant says: markdown without a mark, at the
// text column. It keeps the parsed blocks, so that a message that grows is
// parsed once.
type messageDoc struct {
	body     *timeline.Message
	markdown Markdown
}

func (d *messageDoc) parts(e *timeline.Entry, _ Fold) []part {
	d.markdown.Update(d.body.Text.String(), e.State.Final())
	return []part{d.markdown.part(func(i int, o Options) []string { return d.draw(e, i, o) })}
}

// part is the text as a part of an entry, a unit for each block.
func (m *Markdown) part(draw func(i int, o Options) []string) part {
	return part{
		kind: partText, units: m.Len(), draw: draw,
		stamp:  func(i int) uint64 { return m.At(i).Key },
		source: func(i int) string { return m.At(i).lines() },
	}
}

func (d *messageDoc) draw(e *timeline.Entry, i int, o Options) []string {
	lines := DrawBlock(d.markdown.At(i), text.Room(o.Width), o.Theme)
	first := text.Spaces(text.Margin(o.Width))
	if i == 0 && e.Agent != "" {
		first = text.MarginMark(o.Theme, o.Width, theme.Dim, theme.MarkSubAgent)
	}
	lines = text.HangingIndent(first, slices.Clone(lines), text.Margin(o.Width))
	if i == d.markdown.Len()-1 {
		lines = append(lines, drawInline(e, o)...)
	}
	return lines
}

// thinkingLines is how much of live thinking is shown.
const thinkingLines = 3

// reasoningParts draw the model's thinking: one line when it is done, the last
// few lines while it continues, all of it when it is whole.
func reasoningParts(e *timeline.Entry, b *timeline.Reasoning, fold Fold) []part {
	s := b.Text.String()
	parts := []part{{
		kind: partHead, units: 1, stamp: at(uint64(e.State)<<1 | flag(len(s) > 0)),
		draw: func(_ int, o Options) []string { return drawThought(e, len(s) > 0, o) },
	}}
	switch {
	case fold == Whole:
		parts = append(parts, part{
			kind: partText, units: text.Chunks(s), text: s,
			stamp: func(i int) uint64 { return uint64(len(text.Chunk(s, i)))<<1 | flag(e.State.Final()) },
			draw: func(i int, o Options) []string {
				return drawThinking(o, text.Chunk(s, i), 0)
			},
			source: func(i int) string { return text.Sanitize(text.ChunkWithEnd(s, i)) },
		})
	case fold == Folded && !e.State.Final() && s != "":
		parts = append(parts, part{
			kind: partText, units: 1, stamp: at(e.Version),
			draw: func(_ int, o Options) []string {
				return drawThinking(o, lastText(s, thinkingLines*4*text.Room(o.Width)), thinkingLines)
			},
			source: func(int) string { return text.Sanitize(lastText(s, text.ChunkBytes)) },
		})
	}
	return parts
}

// drawThought is the line of a block of reasoning.
func drawThought(e *timeline.Entry, some bool, o Options) []string {
	return []string{dimRow(o, theme.MarkThinking, thoughtTitle(e, some, o))}
}

// thoughtTitle says that a block of reasoning is one, how long it took, and that it is folded
// if there is some.
func thoughtTitle(e *timeline.Entry, some bool, o Options) string {
	s := "Thinking" + o.Theme.Glyph(theme.MarkEllipsis)
	if e.State.Final() {
		s = "Thought"
		if d := took(e, time.Time{}); d > 0 {
			s += " for " + text.Elapsed(d, d >= time.Second)
		}
		if some && o.Fold != Whole {
			s += "  " + o.Theme.Glyph(theme.MarkFolded)
		}
	}
	return s
}

// strongMark is the markup that models put around the headings of their
// thinking; it is plain text here.
var strongMark = text.Regexp(`\*\*([^*\n]+)\*\*`)

// drawThinking draws text of thinking, the last most lines of it, or all.
func drawThinking(o Options, s string, most int) []string {
	s = strongMark().ReplaceAllString(text.Sanitize(s), "$1")
	if most > 0 {
		s = strings.TrimSpace(s)
	}
	lines := text.WrapStyled(o.Theme, theme.Thinking, s, text.Room(o.Width))
	if most > 0 && len(lines) > most {
		lines = lines[len(lines)-most:]
	}
	return text.HangingIndent(text.Spaces(text.Margin(o.Width)), lines, text.Margin(o.Width))
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
