package conversation

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"parley/render/text"
	"parley/session"
	"parley/settings/didyoumean"
	"parley/theme"
	"parley/tui/picker"
	"parley/tui/widget"
)

// setModel changes the model and how hard it thinks, or shows what there is.
func (c *options) setModel(args string) tea.Cmd {
	s, ok := capability[session.ModelSetter](c.core, "This agent has one model only.")
	if !ok {
		return nil
	}
	if words := strings.Fields(args); len(words) > 0 {
		id, effort := words[0], strings.Join(words[1:], " ")
		return c.switchModel(id, effort, func(ctx context.Context) (note string, err error) {
			if note, err = unknownModel(ctx, s, id); err != nil {
				return "", err
			}
			return note, s.SetModel(ctx, id, effort)
		})
	}
	return ask(c.core, "list the models", s.Models, c.PickModel)
}

func (c *options) changeModel(id, effort string) tea.Cmd {
	s, ok := session.As[session.ModelSetter](c.Session)
	if !ok {
		return nil
	}
	return c.switchModel(id, effort, func(ctx context.Context) (string, error) { return "", s.SetModel(ctx, id, effort) })
}

// switchModel switches to a model, which no prompt overtakes, and shows as a hint what else
// there is to say of it.
func (c *options) switchModel(id, effort string, do func(context.Context) (note string, err error)) tea.Cmd {
	ctx, s, what := c.win.Ctx, c.Session, strings.TrimSpace("switch to model "+id+" "+effort)
	return c.own(c.turnstile.pass(ctx, func() (tea.Msg, error) {
		note, err := do(ctx)
		return fetchedMsg{s, func() tea.Cmd {
			if err == nil && note != "" {
				return c.ShowHint("%s", note)
			}
			return c.done(what, err)
		}}, err
	}))
}

// unknownModel is the error for a name that is not in the agent's list of models. Where
// there is no list to choose from, it is a note that nothing was checked.
func unknownModel(ctx context.Context, s session.ModelSetter, id string) (note string, err error) {
	models, err := s.Models(ctx)
	names := make([]string, len(models))
	for i, o := range models {
		if names[i] = o.ID; o.ID == id {
			return "", nil
		}
	}
	if err != nil || len(models) < 2 { // one is what is in use, where the agent knows no others
		//nolint:nilerr // the agent says itself what it does not know
		return fmt.Sprintf("%s was passed on unchecked: the agent has no list of models.", id), nil
	}
	const next = "/model lists those that there are"
	if like := didyoumean.Nearest(id, names); like != "" {
		return "", fmt.Errorf("the agent has no model of this name; did you mean %s? %s", like, next)
	}
	return "", errors.New("the agent has no model of this name; " + next)
}

// PickModel shows the models the agent offers.
func (c *options) PickModel(models []session.Model) tea.Cmd {
	const none = "The agent lists no models; /model NAME takes any name it knows."
	if !c.Opens(len(models) > 0, none, "The models are here: /model shows them.") {
		return nil
	}
	s := c.Timeline.Status()
	current, efforts := cmp.Or(s.Model, c.Info.Model), map[string]string{}
	if s.Effort != "" {
		efforts[s.Model] = s.Effort
	}
	find := func(r widget.Row) session.Model {
		return models[max(0, slices.IndexFunc(models, func(o session.Model) bool { return o.ID == r.Value }))]
	}
	rows := widget.Rows(models, func(o session.Model) widget.Row {
		facts := c.win.modelFacts(o)
		if o.ID == current {
			facts = text.JoinNonEmpty(c.win.Dot(), facts, "current")
		}
		return widget.Row{Value: o.ID, Label: cmp.Or(o.Name, o.ID), Detail: facts, Right: o.Price, Off: o.Disabled}
	})
	p := &picker.Picker{List: widget.List{Rows: rows}, Title: "Model"}
	if slices.ContainsFunc(models, func(o session.Model) bool { return o.Price != "" }) {
		p.State = func() string { return "price" } // above its column
	}
	step := func(n int) func(r widget.Row) tea.Cmd {
		return func(r widget.Row) tea.Cmd {
			if r.Value != "" {
				efforts[r.Value] = nextEffort(find(r), efforts[r.Value], n)
			}
			return nil
		}
	}
	noEfforts := func(r widget.Row) string {
		if len(find(r).Efforts) == 0 {
			return "This model has one reasoning effort only."
		}
		return ""
	}
	p.More = []picker.Key{
		{Action: "list-effort.less list-effort.more", Title: "reasoning effort", Refuse: noEfforts}, // the hint for both
		{Action: "list-effort.less", Refuse: noEfforts, Do: Doing(step(-1))},
		{Action: "list-effort.more", Refuse: noEfforts, Do: Doing(step(1))},
	}
	p.PreviewRows = 3 + warningRows
	p.Preview = func(r widget.Row, width, _ int) []string {
		return c.win.modelPreview(find(r), efforts[r.Value], width)
	}
	p.Pick = Doing(func(r widget.Row) tea.Cmd { return c.changeModel(r.Value, efforts[r.Value]) })
	c.Pick(p.Filter(""), current)
	return nil
}

// modelFacts are what a model holds.
func (w *Window) modelFacts(o session.Model) string {
	var facts []string
	if o.ContextTokens > 0 {
		facts = append(facts, tokens(o.ContextTokens))
	}
	if o.Vision {
		facts = append(facts, "images")
	}
	if len(o.Efforts) > 0 {
		facts = append(facts, "thinks")
	}
	return text.JoinNonEmpty(w.Dot(), append(facts, o.Vendor)...)
}

// warningRows is how many rows the warning about a model has at most.
const warningRows = 2

// modelPreview is what else there is to know of a model.
func (w *Window) modelPreview(o session.Model, effort string, width int) []string {
	room := max(1, width-widget.Margin-1)
	line := func(tok theme.Token, s string) string {
		return widget.Indent + w.Theme.Render(tok, w.Cut(s, room))
	}
	lines := []string{line(theme.Dim, o.ID)}
	if o.PromptTokens > 0 || o.OutputTokens > 0 {
		lines = append(lines, line(theme.Dim, fmt.Sprintf("holds %s: up to %s of prompt, %s of answer",
			tokens(o.ContextTokens), kilo(o.PromptTokens), kilo(o.OutputTokens))))
	}
	if len(o.Efforts) > 0 {
		lines = append(lines, w.effortLine(o, effort))
	}
	if o.Warning != "" {
		wrapped := text.Wrap(text.SanitizeLine(o.Warning), room)
		if last := warningRows - 1; len(wrapped) > warningRows {
			wrapped = append(wrapped[:last], strings.Join(wrapped[last:], " "))
		}
		for _, row := range wrapped {
			lines = append(lines, line(theme.Warning, row))
		}
	}
	return lines
}

// effortLine shows how hard the model can think, and what is chosen.
func (w *Window) effortLine(o session.Model, effort string) string {
	parts := make([]string, 0, len(o.Efforts))
	for _, e := range o.Efforts {
		tok, name := theme.Dim, w.Cut(e, w.Width/4)
		switch {
		case e == effort:
			tok, name = theme.Accent, "["+name+"]"
		case effort == "" && e == o.DefaultEffort:
			tok, name = theme.Text, "["+name+"]"
		}
		parts = append(parts, w.Theme.Render(tok, name))
	}
	line := w.Theme.Render(theme.Dim, "thinks  ") + strings.Join(parts, "  ")
	return widget.Indent + text.Truncate(line, max(0, w.Width-widget.Margin-1), "")
}

// nextEffort is n steps from an effort in the order of the model's.
func nextEffort(o session.Model, effort string, n int) string {
	if len(o.Efforts) == 0 {
		return ""
	}
	if effort == "" {
		effort = o.DefaultEffort
	}
	i := slices.Index(o.Efforts, effort)
	return o.Efforts[min(max(i+n, 0), len(o.Efforts)-1)]
}

// tokens writes a number of tokens shortly.
func tokens(n int) string { return kilo(n) + " tokens" }

// kilo writes a number shortly.
func kilo(n int) string {
	switch {
	case n >= 1_000_000:
		return strings.TrimSuffix(fmt.Sprintf("%.1f", float64(n)/1e6), ".0") + "M"
	case n >= 1000:
		return fmt.Sprintf("%dk", n/1000)
	}
	return fmt.Sprint(n)
}
