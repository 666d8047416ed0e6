package render

import (
	"cmp"
	"path/filepath"
	"strconv"
	"strings"

	"parley/render/text"
	"parley/session"
	"parley/theme"
	"parley/timeline"
)

// promptLines is how much of a long prompt is shown while it is folded.
const promptLines = 12

func longPrompt(text string) bool { return len(text) > 800 || strings.Count(text, "\n") >= promptLines }

// promptParts draw the user's words: a bar in the margin, a subtle
// background, the time at the right edge. What something else wrote in the
// user's name has no bar and no background.
func promptParts(e *timeline.Entry, b *timeline.Prompt, fold Fold) []part {
	var parts []part
	switch {
	case b.Source != "":
		parts = []part{otherSourcePart(e, b, fold)}
	case fold == Whole && longPrompt(b.Text):
		parts = longParts(e, b)
	default:
		parts = []part{shortPart(e, b, minute, drawPrompt)}
	}
	if detail := promptDetail(b); fold == Whole && detail != "" {
		parts = append(parts, detailPart(e, detail))
	}
	return parts
}

// longParts are a long prompt, all of it, and what came with it.
func longParts(e *timeline.Entry, b *timeline.Prompt) []part {
	words := textPart(e, partText, b.Text, func(i int, s string, o Options) []string {
		return promptBlock(o, promptText(o, s), onFirst(clock(e.At, o), i))
	})
	words.clock = minute
	return []part{words, {
		kind: partFoot, units: 1, stamp: at(e.Version),
		draw: func(_ int, o Options) []string {
			return append(promptBlock(o, promptChips(b, o), ""), drawInline(e, o)...)
		},
	}}
}

// drawPrompt draws a prompt at once, folded if it is long.
func drawPrompt(e *timeline.Entry, b *timeline.Prompt, o Options) []string {
	s := b.Text
	if longPrompt(s) {
		s = text.FirstLines(s, promptLines+1)
	}
	lines := promptText(o, text.Sanitize(strings.TrimRight(s, "\n")))
	if o.Fold != Whole && longPrompt(b.Text) && (len(lines) > promptLines || len(s) < len(b.Text)) {
		lines = lines[:min(len(lines), promptLines)]
		rest := strings.Count(strings.TrimRight(b.Text, "\n"), "\n") + 1 - len(lines)
		note := o.Theme.Glyph(theme.MarkFolded) + " more"
		if rest > 0 {
			note = o.Theme.Glyph(theme.MarkFolded) + " " + text.Count(rest, "more line")
		}
		lines = append(lines, []text.Span{{Text: note, Token: theme.PromptDim}})
	}
	if lines = append(lines, promptChips(b, o)...); o.Fold == Line && len(lines) > 1 {
		first := text.Truncate(text.SpansText(lines[0]), max(0, promptRoom(o)-foldMarkCells(o)), "")
		lines = [][]text.Span{{{Text: first, Token: theme.Prompt}, {Text: "  " + o.Theme.Glyph(theme.MarkFolded), Token: theme.PromptDim}}}
	}
	return append(promptBlock(o, lines, clock(e.At, o)), drawInline(e, o)...)
}

// promptRoom is the width of a prompt's text. The column of the times stays
// free on all lines, so that times are found at a glance.
func promptRoom(o Options) int {
	if o.Width >= text.NarrowBelow {
		return max(1, text.Room(o.Width)-o.Times.cells())
	}
	return text.Room(o.Width)
}

// promptText wraps text of a prompt that is safe.
func promptText(o Options, s string) [][]text.Span {
	if s == "" {
		return nil
	}
	var lines [][]text.Span
	for _, l := range text.Wrap(s, promptRoom(o)) {
		lines = append(lines, []text.Span{{Text: l, Token: theme.Prompt}})
	}
	return lines
}

// promptBlock paints lines as the user's: bar, background, time.
func promptBlock(o Options, lines [][]text.Span, time string) []string {
	if o.Width < text.NarrowBelow {
		time = ""
	}
	var out []string
	for i, spans := range lines {
		var left string
		if n := text.Margin(o.Width); n > 0 {
			left = o.Theme.Render(theme.PromptMark, o.Theme.Glyph(theme.MarkPrompt)) +
				o.Theme.Render(theme.Prompt, text.Spaces(n-1))
		}
		pad := text.Room(o.Width) - text.SpansWidth(spans)
		if i == 0 && time != "" {
			spans = append(spans, text.Span{Text: text.Spaces(pad - len(time)), Token: theme.Prompt},
				text.Span{Text: time, Token: theme.PromptDim})
		} else {
			spans = append(spans, text.Span{Text: text.Spaces(pad), Token: theme.Prompt})
		}
		out = append(out, left+text.DrawSpans(spans, o.Theme))
	}
	return out
}

// promptChips names attachments, and how the prompt was delivered where that
// was not the usual way. A mark says that unfolding it shows more.
func promptChips(b *timeline.Prompt, o Options) [][]text.Span {
	var lines [][]text.Span
	for _, l := range promptNotes(b, o) {
		lines = append(lines, []text.Span{{Text: l, Token: theme.PromptDim}})
	}
	return lines
}

func promptNotes(b *timeline.Prompt, o Options) []string {
	var chips []string
	for _, a := range b.Attachments {
		chips = append(chips, "["+attachment(a, o)+"]")
	}
	var how []string
	switch b.Delivery {
	case "steering":
		how = append(how, "read at the next step")
	case "queued":
		how = append(how, "read after the turn") // sent for the next step, too, if there was none
	}
	switch b.Mode {
	case session.Plan, session.Autopilot, session.Shell:
		how = append(how, string(b.Mode)+" mode")
	case session.Interactive:
	}
	for i, h := range how {
		if len(chips) > 0 || i > 0 {
			h = o.Theme.Glyph(theme.MarkDot) + " " + h
		}
		chips = append(chips, h)
	}
	if o.Fold != Whole && promptDetail(b) != "" {
		chips = append(chips, o.Theme.Glyph(theme.MarkFolded))
	}
	return packed(chips, promptRoom(o))
}

// promptDetail is what only unfolding a prompt shows: what was sent for it, and of its
// attachments where they are on the web, and what was selected.
func promptDetail(b *timeline.Prompt) string {
	texts := []string{strings.TrimSpace(b.Sent)}
	for _, a := range b.Attachments {
		if a.Type == "selection" {
			texts = append(texts, strings.Trim(a.Text, "\r\n"))
		}
		texts = append(texts, strings.TrimSpace(a.URL))
	}
	return text.Paragraphs(texts...)
}

// attachment names an attachment as a user would: "queue/worker.go:10-20",
// "image photo.png · image/png · 12 kB", "#123 Fix the queue · open".
func attachment(a session.Attachment, o Options) string {
	if i, ok := timeline.AttachmentImage(a); ok {
		return imageLabel(i, o)
	}
	name := cmp.Or(brief(a.Reference()), a.DisplayName)
	switch {
	case name == "" && a.Path != "":
		name = shortPath(brief(a.Path), o)
	case name == "" && a.FilePath != "":
		name = filepath.Base(brief(a.FilePath))
	case name == "":
		name = strings.ReplaceAll(brief(a.Type), "_", " ")
	}
	name = cmp.Or(text.SanitizeLine(brief(name)), "attachment")
	if r, ok := a.Lines(); ok {
		name += ":" + strconv.Itoa(r.Start)
		if r.End > r.Start {
			name += "-" + strconv.Itoa(r.End)
		}
	}
	return text.JoinNonEmpty(o.Theme.Dot(), name, text.SanitizeLine(brief(a.State)))
}

// otherSourcePart is a prompt that something acting as the user wrote.
func otherSourcePart(e *timeline.Entry, b *timeline.Prompt, fold Fold) part {
	if fold != Whole || len(b.Text) <= text.ChunkBytes {
		return shortPart(e, b, never, drawOtherSource)
	}
	mark, who := sender(b)
	all := who + ": " + strings.TrimSpace(b.Text)
	return textPart(e, partText, all, func(i int, s string, o Options) []string {
		first := text.Spaces(text.Margin(o.Width))
		if i == 0 {
			first = text.MarginMark(o.Theme, o.Width, theme.Dim, mark)
		}
		lines := text.WrapStyled(o.Theme, theme.Dim, s, text.Room(o.Width))
		if i < text.Chunks(all)-1 {
			return text.HangingIndent(first, lines, text.Margin(o.Width))
		}
		return append(text.HangingIndent(first, append(lines, dimNotes(b, o)...), text.Margin(o.Width)), drawInline(e, o)...)
	})
}

func dimNotes(b *timeline.Prompt, o Options) []string {
	notes := promptNotes(b, o)
	for i, l := range notes {
		notes[i] = o.Theme.Render(theme.Dim, l)
	}
	return notes
}

// sender is what acts as the user in a prompt, and its mark.
func sender(b *timeline.Prompt) (theme.Mark, string) {
	who := text.SanitizeLine(brief(b.Source))
	if name, ok := strings.CutPrefix(who, "agent-"); ok && name != "" {
		return theme.MarkSubAgent, "agent"
	}
	return theme.MarkInfo, who
}

// drawOtherSource draws a prompt that something acting as the user wrote: an
// autopilot continuation, a schedule, an agent.
func drawOtherSource(e *timeline.Entry, b *timeline.Prompt, o Options) []string {
	mark, who := sender(b)
	s := who + " continues"
	if b.Text != "" {
		s = who + ": " + strings.TrimSpace(text.Sanitize(text.CutBytes(b.Text, text.ChunkBytes)))
	}
	lines := oneWrapped(o, theme.Dim, s, text.Room(o.Width))
	if most := 3; o.Fold != Whole && len(lines) > most {
		n := len(lines) - most
		lines = append(lines[:most], text.FoldedLines(o.Theme, o.Width, n, 0, "more"))
	}
	if o.Fold != Line {
		lines = append(lines, dimNotes(b, o)...)
	}
	return append(besideMargin(o, theme.Dim, mark, lines), drawInline(e, o)...)
}
