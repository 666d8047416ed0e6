package render

import (
	"cmp"
	"path"
	"strconv"
	"strings"

	"parley/session"
	"parley/theme"
	"parley/timeline"
)

// promptDoc draws the user's words: a bar in the margin, a subtle
// background, the time at the right edge. What something else wrote in the
// user's name has no bar and no background.
type promptDoc struct{}

// promptLines is how much of a long prompt is shown while it is folded.
const promptLines = 12

// longPrompt reports whether a prompt may be folded.
func longPrompt(text string) bool { return len(text) > 800 || strings.Count(text, "\n") >= promptLines }

func (promptDoc) parts(e *timeline.Entry, fold Fold) []part {
	b, ok := e.Body.(*timeline.Prompt)
	if !ok || blank(e) {
		return nil
	}
	var parts []part
	switch {
	case b.Source != "":
		parts = foreign(e, b, fold)
	case fold == Whole && longPrompt(b.Text):
		parts = longParts(e, b)
	default:
		parts = single{draw: drawPrompt, clock: minute}.parts(e, fold)
	}
	if detail := promptDetail(b); fold == Whole && detail != "" {
		parts = append(parts, detailPart(e, detail))
	}
	return parts
}

// longParts are a long prompt, all of it, and what came with it.
func longParts(e *timeline.Entry, b *timeline.Prompt) []part {
	text := b.Text
	n := runs(text)
	return []part{{
		kind: partText, units: n, text: text, stamp: at(e.Version), clock: minute,
		source: func(i int) string { return Sanitize(runWhole(text, i)) },
		draw: func(i int, o Options) []string {
			var time string
			if i == 0 {
				time = clock(e.At, o)
			}
			return promptBlock(o, promptText(o, runAt(text, i)), time)
		},
	}, {
		kind: partFoot, units: 1, stamp: at(e.Version),
		draw: func(_ int, o Options) []string {
			return append(promptBlock(o, promptChips(b, o), ""), drawInline(e, o)...)
		},
	}}
}

// drawPrompt draws a prompt at once, folded if it is long.
func drawPrompt(e *timeline.Entry, o Options) []string {
	b, ok := e.Body.(*timeline.Prompt)
	if !ok {
		return nil
	}
	text := b.Text
	if longPrompt(text) {
		text = firstLines(text, promptLines+1)
	}
	lines := promptText(o, strings.TrimRight(text, "\n"))
	if o.Fold != Whole && longPrompt(b.Text) && (len(lines) > promptLines || len(text) < len(b.Text)) {
		lines = lines[:min(len(lines), promptLines)]
		rest := strings.Count(strings.TrimRight(b.Text, "\n"), "\n") + 1 - len(lines)
		note := o.Theme.Glyph(theme.MarkFolded) + " more"
		if rest > 0 {
			note = o.Theme.Glyph(theme.MarkFolded) + " " + Count(rest, "more line")
		}
		lines = append(lines, []Span{{note, theme.PromptDim}})
	}
	if lines = append(lines, promptChips(b, o)...); o.Fold == Line && len(lines) > 1 {
		first := Truncate(spansText(lines[0]), max(0, promptRoom(o)-foldMarkCells(o)), "")
		lines = [][]Span{{{first, theme.Prompt}, {"  " + o.Theme.Glyph(theme.MarkFolded), theme.PromptDim}}}
	}
	return append(promptBlock(o, lines, clock(e.At, o)), drawInline(e, o)...)
}

// promptRoom is the width of a prompt's text. The column of the times stays
// free on all lines, so that times are found at a glance.
func promptRoom(o Options) int {
	if o.Width >= narrowBelow {
		return max(1, room(o)-o.Times.cells())
	}
	return room(o)
}

// promptText wraps the text of a prompt.
func promptText(o Options, text string) [][]Span {
	if text == "" {
		return nil
	}
	var lines [][]Span
	for _, l := range Wrap(Sanitize(text), promptRoom(o)) {
		lines = append(lines, []Span{{l, theme.Prompt}})
	}
	return lines
}

// promptBlock paints lines as the user's: bar, background, time.
func promptBlock(o Options, lines [][]Span, time string) []string {
	if o.Width < narrowBelow {
		time = ""
	}
	var out []string
	for i, spans := range lines {
		var left string
		if n := margin(o.Width); n > 0 {
			left = o.Theme.Render(theme.PromptMark, o.Theme.Glyph(theme.MarkPrompt)) +
				o.Theme.Render(theme.Prompt, spaces(n-1))
		}
		pad := room(o) - spansWidth(spans)
		if i == 0 && time != "" {
			spans = append(spans, Span{spaces(pad - len(time)), theme.Prompt}, Span{time, theme.PromptDim})
		} else {
			spans = append(spans, Span{spaces(pad), theme.Prompt})
		}
		out = append(out, left+DrawSpans(spans, o.Theme))
	}
	return out
}

// promptChips names attachments, and how the prompt was delivered where that
// was not the usual way. A mark says that unfolding it shows more.
func promptChips(b *timeline.Prompt, o Options) [][]Span {
	var lines [][]Span
	for _, l := range promptNotes(b, o) {
		lines = append(lines, []Span{{l, theme.PromptDim}})
	}
	return lines
}

// promptNotes are the lines of promptChips.
func promptNotes(b *timeline.Prompt, o Options) []string {
	var chips []string
	for _, a := range b.Attachments {
		chips = append(chips, "["+attachment(a, o)+"]")
	}
	var how []string
	switch b.Delivery {
	case "steering":
		how = append(how, "steering the running turn")
	case "queued":
		how = append(how, "queued")
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

// promptDetail is what only unfolding a prompt shows of its attachments: where
// they are on the web, and what was selected.
func promptDetail(b *timeline.Prompt) string {
	var texts []string
	for _, a := range b.Attachments {
		if a.Type == "selection" {
			texts = append(texts, strings.Trim(a.Text, "\r\n"))
		}
		texts = append(texts, strings.TrimSpace(a.URL))
	}
	return paragraphs(texts...)
}

// attachment names an attachment as a user would: "queue/worker.go:10-20",
// "picture photo.png · image/png · 12 kB", "#123 Fix the queue · open".
func attachment(a session.Attachment, o Options) string {
	if i, ok := timeline.AttachmentImage(a); ok {
		return picture(i, o)
	}
	name := cmp.Or(brief(a.Reference()), a.DisplayName)
	switch {
	case name == "" && a.Path != "":
		name = shortPath(brief(a.Path), o)
	case name == "" && a.FilePath != "":
		name = path.Base(brief(a.FilePath))
	case name == "":
		name = strings.ReplaceAll(brief(a.Type), "_", " ")
	}
	name = cmp.Or(SanitizeLine(brief(name)), "attachment")
	if r, ok := a.Lines(); ok {
		name += ":" + strconv.Itoa(r.Start)
		if r.End > r.Start {
			name += "-" + strconv.Itoa(r.End)
		}
	}
	return joinedText(" "+o.Theme.Glyph(theme.MarkDot)+" ", name, SanitizeLine(brief(a.State)))
}

// foreign are the parts of a prompt that something acting as the user wrote.
func foreign(e *timeline.Entry, b *timeline.Prompt, fold Fold) []part {
	if fold != Whole || len(b.Text) <= runBytes {
		return single{draw: drawForeign}.parts(e, fold)
	}
	mark, who := sender(b)
	text := who + ": " + strings.TrimSpace(b.Text)
	return []part{{
		kind: partText, units: runs(text), text: text, stamp: at(e.Version),
		draw: func(i int, o Options) []string {
			first := spaces(margin(o.Width))
			if i == 0 {
				first = lead(o, theme.Dim, mark)
			}
			lines := wrapped(o, theme.Dim, Sanitize(runAt(text, i)), room(o))
			if i < runs(text)-1 {
				return hang(first, lines, margin(o.Width))
			}
			return append(hang(first, append(lines, dimNotes(b, o)...), margin(o.Width)), drawInline(e, o)...)
		},
		source: func(i int) string { return Sanitize(runWhole(text, i)) },
	}}
}

// dimNotes are what came with a prompt, as lines.
func dimNotes(b *timeline.Prompt, o Options) []string {
	notes := promptNotes(b, o)
	for i, l := range notes {
		notes[i] = o.Theme.Render(theme.Dim, l)
	}
	return notes
}

// sender is what acts as the user in a prompt, and its mark.
func sender(b *timeline.Prompt) (theme.Mark, string) {
	who := SanitizeLine(brief(b.Source))
	if name, ok := strings.CutPrefix(who, "agent-"); ok && name != "" {
		return theme.MarkSubAgent, "agent"
	}
	return theme.MarkInfo, who
}

// drawForeign draws a prompt that something acting as the user wrote: an
// autopilot continuation, a schedule, an agent.
func drawForeign(e *timeline.Entry, o Options) []string {
	b, ok := e.Body.(*timeline.Prompt)
	if !ok {
		return nil
	}
	mark, who := sender(b)
	text := who + " continues"
	if b.Text != "" {
		text = who + ": " + strings.TrimSpace(Sanitize(clean(b.Text, runBytes)))
	}
	lines := oneWrapped(o, theme.Dim, text, room(o))
	if most := 3; o.Fold != Whole && len(lines) > most {
		n := len(lines) - most
		lines = append(lines[:most], folded(o, n, 0, "more"))
	}
	if o.Fold != Line {
		lines = append(lines, dimNotes(b, o)...)
	}
	return append(hang(lead(o, theme.Dim, mark), lines, margin(o.Width)), drawInline(e, o)...)
}
