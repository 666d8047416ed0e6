package navigation

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"parley/render"
	"parley/render/text"
	"parley/session"
	"parley/theme"
	"parley/timeline"
	"parley/tui/export"
	"parley/tui/overlay"
	"parley/tui/picker"
	"parley/tui/viewer"
	"parley/tui/widget"
)

// Act does what a key means while the timeline has the keys. A key that is held down
// moves, and does nothing to a block.
func (n *Navigator) Act(action string, held bool) Action {
	switch action {
	case "block-move.before":
		n.pane.Step(false)
	case "block-move.after":
		n.pane.Step(true)
	case "block-prompt.before":
		return n.StepPrompt(false)
	case "block-prompt.after":
		return n.StepPrompt(true)
	case "block-ends.first":
		n.pane.Home()
		n.pane.Cursor = ""
		if at, ok := n.pane.At(0); ok {
			n.pane.Point(at.Entry)
		}
	case "block-ends.last":
		n.pane.End()
		if i := n.pane.Lowest(); i >= 0 {
			n.pane.Point(i)
		}
	case "block-leave":
		return n.Leave()
	case "block-search.next":
		return n.NextMatch(false)
	case "block-search.before":
		return n.NextMatch(true)
	case "block-search.open":
		return n.Search("")
	default:
		if e, ok := n.pane.Block(); ok && !held {
			return n.onBlock(action, e)
		}
	}
	return nil
}

// onBlock does an action to the block under the cursor.
func (n *Navigator) onBlock(action string, e *timeline.Entry) Action {
	i, _ := n.pane.Timeline.Find(e.ID)
	switch action {
	case "block-fold":
		return n.fold(i)
	case "block-open":
		return n.open(i)
	case "block-details":
		return DetailsOf(e)
	case "block-copy.source":
		return Copy{n.pane.Text(i)}
	case "block-copy.code":
		return copyCode(e)
	case "block-copy.turn":
		return Copy{n.pane.Timeline.TurnSource(i)}
	case "block-fork":
		if n.pane.Over != nil {
			return hint("What a sub-agent did has no copy of its own; {block-leave} goes back to the conversation.")
		}
		return Fork{i}
	case "block-save":
		files := timeline.Files(e)
		if len(files) == 0 {
			return hint("There is no image, sound or document in it to save.")
		}
		return Save{files}
	case "block-links":
		return OpenLink{timeline.LinksOf(e), "There is no link in it, and no place in a file."}
	case "block-editor":
		return OpenInEditor{n.pane.Text(i), fileName(e)}
	}
	return nil
}

// fold shows the block whole, or folded.
func (n *Navigator) fold(i int) Action {
	if !render.Foldable(n.pane.Timeline.At(i)) {
		return hint("Nothing is folded here.")
	}
	n.pane.Toggle(i)
	n.pane.Peek(i)
	return nil
}

// open shows what lies behind the block: what a sub-agent did, an edit in full screen, or
// all of it.
func (n *Navigator) open(i int) Action {
	e := n.pane.Timeline.At(i)
	call, ok := e.Body.(*timeline.ToolCall)
	switch {
	case ok && call.Agent != nil:
		n.pane.Enter(call.Agent)
	case ok && e.State == timeline.Done && viewer.Changes(call) && n.pane.Over == nil:
		return ShowEdit{e.ID}
	default:
		return n.fold(i)
	}
	return nil
}

// copyCode copies what a block has that can be run: the command of a call, the code of an
// answer.
func copyCode(e *timeline.Entry) Action {
	if call, ok := e.Body.(*timeline.ToolCall); ok {
		return Copy{cmp.Or(call.Command(), timeline.Source(e))}
	}
	codes := render.Codes(timeline.Source(e))
	switch len(codes) {
	case 0:
		return hint("There is no code in it.")
	case 1:
		return Copy{codes[0]}
	}
	rows := make([]widget.Row, len(codes))
	for i, code := range codes {
		first, _, _ := strings.Cut(strings.TrimSpace(code), "\n")
		rows[i] = widget.Row{Value: fmt.Sprint(i), Label: widget.FirstLine(first), Right: text.Count(strings.Count(code, "\n")+1, "line")}
	}
	return Pick{&picker.Picker{List: widget.List{Rows: rows}, Title: "Copy which code?", Pick: func(r widget.Row) overlay.Request {
		i := slices.IndexFunc(rows, func(row widget.Row) bool { return row.Value == r.Value })
		return overlay.Copy{Text: codes[i]}
	}}, "0"}
}

// fileName names a block as a file, for the user's editor.
func fileName(e *timeline.Entry) string {
	switch e.Body.(type) {
	case *timeline.Message, *timeline.Prompt, *timeline.Reasoning:
		return "block.md"
	}
	return "block.txt"
}

// BlockHints are the keys for the block, as pairs of actions and what they do, and what
// stands before them: where one is in what was searched for.
func (n *Navigator) BlockHints() (found string, pairs []string) {
	pairs = []string{
		"block-leave", "back", "block-move.before block-move.after", "block", "block-fold", "fold", "block-open", "open",
		"block-details", "details", "block-copy.source", "copy", "block-copy.code", "code",
		"block-search.open", "search", "block-prompt.before block-prompt.after", "prompts", "block-editor", "editor",
		"block-links", "links",
	}
	if e, ok := n.pane.Block(); ok && export.HasFiles(e) {
		pairs = slices.Insert(pairs, 2, "block-save", "save")
	}
	if n.search != nil {
		th := n.pane.Opts.Theme
		found = th.Render(theme.Accent, n.search.State()) + th.Render(theme.Dim, th.Dot())
		pairs = append([]string{"block-search.next block-search.before", "match", "block-leave", "end the search"}, pairs[2:]...)
	}
	return found, pairs
}

// ForkPoint is the event before which a copy of a session ends that is made at entry i,
// and the prompt that it ends before; "" is a copy of all. From a prompt it ends before
// it, else with what the entry belongs to. If nothing would be in the copy, none is the reason.
func ForkPoint(t *timeline.Timeline, i int) (before session.EventID, prompt, none string) {
	of := promptAt(t, i)
	said := false
	for earlier := 0; earlier < i && !said; earlier++ {
		said = promptAt(t, earlier) != nil
	}
	switch {
	case !said && of != nil:
		return "", "", "Nothing was said before this prompt that a copy would keep."
	case !said:
		return "", "", "Nothing was said so far that a copy would keep."
	case of != nil:
		return t.At(i).Origin[0], of.Text, ""
	}
	for next := i + 1; next < t.Len(); next++ {
		if promptAt(t, next) != nil {
			return t.At(next).Origin[0], "", ""
		}
	}
	return "", "", ""
}

// promptAt is the prompt of entry i if it began something: before it a copy can
// end. What steered a turn did not, nor what the agent sent itself.
func promptAt(t *timeline.Timeline, i int) *timeline.Prompt {
	e := t.At(i)
	p, ok := e.Body.(*timeline.Prompt)
	if !ok || e.Agent != "" || len(e.Origin) == 0 || p.Source != "" || p.Delivery == string(session.DeliveredSteering) {
		return nil
	}
	return p
}
