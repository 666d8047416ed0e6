package sessions

import (
	"context"
	"strings"

	"github.com/spf13/cobra"

	"parley/cli/output"
	"parley/cli/process"
	"parley/history/sessions"
	"parley/render/text"
	"parley/theme"
)

// statsCommand adds past sessions up.
func (p past) statsCommand() *cobra.Command {
	var s selection
	cmd := &cobra.Command{
		Use:               "stats [QUERY...]",
		Short:             "Show totals of past sessions: tokens, requests and tools per day, repository and model",
		ValidArgsFunction: p.completeQuery,
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := s.check(cmd.Flags()); err != nil {
				return err
			}
			q, err := p.query(args)
			if err != nil {
				return err
			}
			about := plain(strings.Join(args, " ")) + s.where()
			return process.Fail(p.looking(func(ctx context.Context, l library) error {
				return p.stats(ctx, l, s.request(q), about, s.drawing)
			}))
		},
	}
	cmd.SetFlagErrorFunc(dashed)
	f := cmd.Flags()
	s.registerScope(f)
	s.drawing.register(f, "$COLUMNS, else 80")
	return cmd
}

// stats writes sums over sessions.
func (p past) stats(ctx context.Context, l library, r sessions.Request, about string, o drawing) error {
	r.Limit = 0
	s, err := l.Stats(ctx, r)
	if err != nil {
		return err
	}
	switch {
	case o.json:
		return output.JSON(p.Console, statsRow{
			newSum("", s.All), newSums(s.Days), newSums(s.Repositories), newSums(s.Models), newSums(s.Tools),
		})
	case s.All.Sessions == 0:
		p.note("There are no such sessions.")
		return nil
	}
	th, profile := p.theme(o)
	return p.write(statsLines(s, strings.TrimSpace(about), min(p.textWidth(o), statsWidth), th), profile)
}

// statsWidth is the widest that stats are drawn.
const statsWidth = 120

// statsLines draws sums over sessions.
func statsLines(s sessions.Stats, about string, width int, th *theme.Theme) []string {
	head := text.JoinNonEmpty(th.Dot(), text.Count(s.All.Sessions, "session"), about)
	out := []string{th.Render(theme.Heading, text.Truncate(head, width, th.Glyph(theme.MarkEllipsis)))}
	out = append(out, sumLines(s.All, width, th)...)
	all := measures()
	calls := all[len(all)-1:] // a session has no tokens of a tool
	charts := []chart{
		perDay(s.Days), byShare("Repository", s.Repositories, all), byShare("Model", s.Models, all), byShare("Tool", s.Tools, calls),
	}
	frame := newFrame(charts, width)
	for _, c := range charts {
		if len(c.rows) > 0 {
			out = append(append(out, ""), c.lines(frame, th)...)
		}
	}
	for i, l := range out {
		out[i] = text.Truncate(l, width, "")
	}
	return out
}

// sumLines are a sum, as many facts on a line as there is room for.
func sumLines(s sessions.Sum, width int, th *theme.Theme) []string {
	dot := th.Dot()
	total := unlessZero(s.Tokens.Total(), func(n int) string { return text.Tokens(n) + " tokens" })
	groups := [][]string{
		{countOf(s.Prompts, "prompt"), countOf(s.Turns, "model call"), countOf(s.Calls, "tool call"), failures(s.Failures)},
		append([]string{total}, tokenFacts(s.Tokens)...),
		{unlessZero(s.Cost, text.Requests), withNoun(changedLines(s.Added, s.Removed, th), " lines"), withNoun(busy(s.Busy), " of work")},
	}
	var out []string
	for _, facts := range groups {
		line := ""
		for _, f := range text.NonEmpty(facts) {
			more := text.JoinNonEmpty(dot, line, f)
			if line != "" && text.Width(more) > width {
				out, more = append(out, th.Render(theme.Dim, line)), f
			}
			line = more
		}
		if line != "" {
			out = append(out, th.Render(theme.Dim, line))
		}
	}
	return out
}

// withNoun adds a noun to a number that is written out; "" stays "".
func withNoun(number, noun string) string {
	if number == "" {
		return ""
	}
	return number + noun
}
