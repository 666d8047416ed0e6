package prompts

import (
	"fmt"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"parley/render"
	"parley/render/diff"
	"parley/render/text"
	"parley/session"
	"parley/theme"
)

// planDocument is a plan below its summary, drawn as markdown. A plan that
// comes again is first shown as what has changed in it.
type planDocument struct {
	head textDocument // the summary
	raw  string
	plan *render.Document

	asked session.ExitPlanModeRequested

	changes        *diffDocument // from the plan before; nil: there was none, or it was the same
	added, removed int
	read           bool // the plan before was read to its end
	brief          bool // shows the changes
	same           bool // the plan before was this one
	turned         bool // the last key went from the whole to the changes or back
	keys           Bindings

	parts body
	above int // rows before the changes
}

func newPlanDocument(r session.ExitPlanModeRequested) *planDocument {
	d := &planDocument{raw: r.PlanContent, asked: r}
	if strings.TrimSpace(d.raw) == "" {
		d.raw = r.Summary
	}
	if strings.TrimSpace(r.Summary) != strings.TrimSpace(d.raw) {
		d.head.spans = prose(strings.TrimSpace(r.Summary), theme.Strong)
	}
	d.plan = render.NewDocument(d.raw)
	return d
}

// revises says which plan this one takes the place of. The changes stand for
// the whole only to somebody who has read the rest before, and where there is
// a rest.
func (d *planDocument) revises(earlier *planDocument, read bool) {
	if d.same = strings.TrimSpace(d.raw) == strings.TrimSpace(earlier.raw); d.same {
		return
	}
	diff := diff.Compare(planFile, earlier.raw, d.raw)
	d.added, d.removed = diff.Added, diff.Removed
	d.changes = newDiffDocument(nil, diff, d.raw, planFile)
	d.read = read
	d.brief = read && d.added < len(strings.Split(strings.TrimSpace(d.raw), "\n"))
}

const planFile = "plan.md"

func (d *planDocument) layout(width int, th *theme.Theme) int {
	d.parts = body{}
	if n := d.head.layout(width, th); n > 0 {
		d.parts.add(n, d.head.rows)
		d.parts.lines("")
	}
	layout, draw := d.plan.Layout, func(from, to int) []string { return inset("  ", d.plan.Rows(from, to)) }
	if d.brief {
		layout, draw = d.changes.layout, d.changes.rows
	}
	rows := layout(width, th) // before the notes, which say how it is shown
	for _, note := range d.notes(th) {
		for _, l := range text.Wrap(note, width) {
			d.parts.lines("  " + th.Render(theme.Dim, l))
		}
		d.parts.lines("")
	}
	d.above = d.parts.len()
	d.parts.add(rows, draw)
	return d.parts.len()
}

func (d *planDocument) notes(th *theme.Theme) []string {
	var notes []string
	counts := fmt.Sprintf("+%d %s%d", d.added, th.Glyph(theme.MarkMinus), d.removed)
	switch {
	case d.same:
		notes = append(notes, "The same plan as before.")
	case d.brief:
		notes = append(notes, "What has changed since the plan before, "+counts+"."+d.shows("all of it"))
	case d.changes != nil:
		notes = append(notes, "Changed since the plan before, "+counts+"."+d.shows("only that"))
	}
	if !d.brief && d.plan.Written() {
		notes = append(notes, "Shown as it was written, because formatted it would not show everything.")
	}
	return notes
}

// shows names the key that shows something else.
func (d *planDocument) shows(what string) string {
	if key := d.keys.Show("d"); key != "" {
		return " " + key + " shows " + what + "."
	}
	return ""
}

func (d *planDocument) rows(from, to int) []string { return d.parts.rows(from, to) }

func (d *planDocument) whole() bool { return !d.brief || d.read && d.changes.whole() }

func (d *planDocument) uses(k tea.KeyPressMsg, large bool) bool {
	switch {
	case k.Text == "e" || k.Keystroke() == "ctrl+y":
		return true
	case k.Text == "d":
		return d.changes != nil
	}
	return d.brief && d.changes.uses(k, large)
}

func (d *planDocument) press(k tea.KeyPressMsg, large bool) Effect {
	d.turned = false
	switch {
	case k.Text == "e" || k.Keystroke() == "ctrl+y":
		return OpenEditor{Text: d.raw, Name: planFile}
	case k.Text == "d":
		d.brief, d.turned = !d.brief, true
		return nil
	}
	return d.changes.press(k, large)
}

func (d *planDocument) focus() (row int, ok bool) {
	if d.turned || !d.brief {
		return 0, d.turned
	}
	row, ok = d.changes.focus()
	return d.above + row, ok
}

func (d *planDocument) hints(large bool) []keyHint {
	switch {
	case d.brief:
		return slices.Concat([]keyHint{{"d", "all of it"}, {"e", "edit"}}, d.changes.hints(large))
	case d.changes != nil:
		return []keyHint{{"d", "what changed"}, {"e", "edit"}}
	}
	return []keyHint{{"e", "edit"}}
}

func (d *planDocument) source() (text, name string) { return d.raw, planFile }

// rework takes the plan as the user has changed it: it goes back as
// feedback, on the line that refuses, so that nothing is approved by it. A plan
// that was only read changes nothing.
func (d *planDocument) rework(changed string, no *textAnswer) *textAnswer {
	if strings.TrimSpace(changed) == strings.TrimSpace(d.raw) {
		return nil
	}
	no.recall()
	no.field.set(text.JoinNonEmpty("\n\n", no.field.text(), "I changed the plan. Use this version:\n\n"+strings.TrimRight(changed, "\n")))
	return no
}
