package appearance

import (
	"parley/render/text"
	"parley/theme"
	"parley/tui/widget"
)

// previewRows is how many lines of a theme are shown beside its name.
const previewRows = 6

// preview shows what a theme looks like: a prompt, the line of a tool, a change,
// code, and what wants to be seen.
func preview(th *theme.Theme, width, height int) []string {
	room := max(1, width-widget.Margin-1)
	r := func(tok theme.Token, s string) string { return th.Render(tok, s) }
	mark := func(tok theme.Token, mark theme.Mark, s string) string {
		return r(tok, th.Glyph(mark)) + " " + r(theme.Text, s)
	}
	change := func(ground, sign, word theme.Token, what, before, changed, after string) string {
		line := th.RenderOn(ground, theme.Dim, "41 ") + th.RenderOn(ground, sign, what) + th.RenderOn(ground, theme.Text, " "+before) +
			th.RenderOn(ground, word, changed) + th.RenderOn(ground, theme.Text, after)
		return line + th.RenderOn(ground, theme.Text, widget.Blank(max(0, room-text.Width(line))))
	}
	lines := []string{
		r(theme.PromptMark, th.Glyph(theme.MarkPrompt)) + r(theme.Prompt, " Fix the flaky test"+widget.Blank(max(0, room-20))),
		mark(theme.Success, theme.MarkDone, "edit  ") + r(theme.Text, "queue/worker_test.go  ") + r(theme.Added, "+1") + " " +
			r(theme.Removed, th.Glyph(theme.MarkMinus)+"1"),
		change(theme.RemovedLine, theme.Removed, theme.RemovedWord, th.Glyph(theme.MarkMinus), "time.", "Sleep", "(second)"),
		change(theme.AddedLine, theme.Added, theme.AddedWord, "+", "", "<-worker", ".Drained()"),
		r(theme.SyntaxKeyword, "func ") + r(theme.SyntaxName, "name") + r(theme.SyntaxOperator, "() ") + r(theme.SyntaxType, "string") +
			r(theme.SyntaxOperator, " { ") + r(theme.SyntaxKeyword, "return ") + r(theme.SyntaxString, `"queue"`) +
			r(theme.SyntaxOperator, " } ") +
			r(theme.SyntaxComment, "// comment"),
		mark(theme.Warning, theme.MarkWarning, "warning"),
	}
	last := &lines[len(lines)-1]
	for _, s := range []string{
		mark(theme.Error, theme.MarkFailed, "failed"), mark(theme.Accent, theme.MarkQuestion, "question"),
		r(theme.Selected, "selected"), r(theme.Match, "match"), r(theme.Dim, "done"),
	} {
		if longer := *last + "  " + s; text.Width(longer) <= room {
			*last = longer
		}
	}
	for i, l := range lines {
		lines[i] = widget.Indent + text.Truncate(l, room, th.Glyph(theme.MarkEllipsis))
	}
	return lines[:min(len(lines), height)]
}
