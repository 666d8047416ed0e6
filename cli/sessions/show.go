package sessions

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"parley/cli/output"
	"parley/cli/print"
	"parley/cli/process"
	"parley/history/sessions"
	"parley/render/text"
	"parley/theme"
)

// showCommand writes a past session.
func (p past) showCommand() *cobra.Command {
	var o drawing
	var form print.Form
	cmd := &cobra.Command{
		Use:               "show ID",
		Short:             "Write what is known of a past session, and its timeline",
		Args:              oneID,
		ValidArgsFunction: p.completeID,
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := cmp.Or(o.Check(cmd.Flags()), form.Check()); err != nil {
				return err
			}
			return process.Fail(p.looking(func(ctx context.Context, l library) error { return p.show(ctx, l, args[0], form, o) }))
		},
	}
	f := cmd.Flags()
	form.Register(f)
	o.register(f, "$COLUMNS, else 80")
	return cmd
}

// show writes the facts of a session and its timeline.
func (p past) show(ctx context.Context, l library, id string, form print.Form, o drawing) error {
	s, err := find(ctx, l, id)
	if err != nil {
		return err
	}
	if o.json {
		return output.JSON(p.Console, newRow(s))
	}
	th, profile := p.theme(o)
	width := p.textWidth(o)
	if err := p.write(append(p.facts(s, width, th), ""), profile); err != nil {
		return err
	}
	in, err := l.Read(ctx, s.ID)
	if err != nil {
		return fmt.Errorf("read session %s: %w", s.ID, err)
	}
	defer in.Close()
	return print.Events(p.Console, in, "session "+string(s.ID), print.Projection{
		Form: form, Flags: output.Flags{Width: width, Colour: o.Colour}, Zone: p.zone,
	})
}

// fact is something that is known of a session.
type fact struct {
	name, value string
	token       theme.Token
}

// facts draws what is known of a session.
func (p past) facts(s sessions.Session, width int, th *theme.Theme) []string {
	name := 0
	all := slices.DeleteFunc(p.known(s, th), func(f fact) bool { return f.value == "" })
	for _, f := range all {
		name = max(name, text.Width(f.name))
	}
	var out []string
	for _, l := range text.Wrap(titleOf(s), width) {
		out = append(out, th.Render(theme.Heading, l))
	}
	for _, f := range all {
		label := text.Truncate(f.name, max(1, min(name, width/3)), "")
		left := min(name, width/3) + columnGap
		before := th.Render(theme.Dim, label) + strings.Repeat(" ", left-text.Width(label))
		for _, l := range text.Wrap(f.value, max(4, width-left)) {
			out = append(out, text.Truncate(before+th.Render(f.token, l), width, ""))
			before = strings.Repeat(" ", left)
		}
	}
	return out
}

// known is what is known of a session, as safe lines.
func (p past) known(s sessions.Session, th *theme.Theme) []fact {
	word, _, token := standing(s)
	join := func(parts ...string) string { return text.JoinNonEmpty(th.Dot(), parts...) }
	return []fact{
		{"id", plain(string(s.ID)), theme.Accent},
		{"state", join(word, plain(s.ReadProblem)), token},
		{"tags", strings.TrimSpace(tagsOf(s)), theme.Text},
		{"agent", join(plain(s.Agent), plain(s.Client)), theme.Text},
		{"model", plain(s.Model), theme.Text},
		{"folder", plain(shortDir(s.Dir)), theme.Text},
		{"repository", join(plain(s.Repository), plain(s.Branch)), theme.Text},
		{"copy of", plain(string(s.Parent)), theme.Text},
		{"started", p.moment(s.Started), theme.Text},
		{"used", p.moment(s.Used), theme.Text},
		{
			"prompts", join(text.Count(s.Prompts, "prompt"), text.Count(s.Turns, "model call"), busy(s.Busy), failures(s.Failures)),
			theme.Text,
		},
		{"tokens", join(append([]string{unlessZero(s.Tokens.Total(), text.Tokens)}, tokenFacts(s.Tokens)...)...), theme.Text},
		{"cost", unlessZero(s.Cost, text.Requests), theme.Text},
		{"changes", join(countOf(s.Edits, "file"), changedLines(s.Added, s.Removed, th)), theme.Text},
		{"tools", tools(s.Tools, join), theme.Text},
		{"log", plain(shortDir(s.Path)), theme.Dim},
		{"resume", plain(s.ResumeCommand()), theme.Code},
	}
}

// moment is when something was, and how long ago.
func (p past) moment(at time.Time) string {
	if at.IsZero() {
		return ""
	}
	return at.In(p.zone).Format("2006-01-02 15:04") + " (" + text.Ago(p.now().Sub(at)) + ")"
}

// busy is how long something was worked on.
func busy(d time.Duration) string {
	if d < time.Second {
		return ""
	}
	return text.Duration(d)
}

// countOf is a count, unless there is nothing to count.
func countOf(n int, noun string) string {
	return unlessZero(n, func(n int) string { return text.Count(n, noun) })
}

func failures(n int) string {
	return unlessZero(n, func(n int) string { return text.Number(n) + " failed" })
}

// tokenFacts are the tokens of all model calls, and what they were used for.
func tokenFacts(t sessions.Tokens) []string {
	part := func(n int, what string) string {
		return unlessZero(n, func(n int) string { return text.Tokens(n) + " " + what })
	}
	return []string{part(t.In, "in"), part(t.Out, "out"), part(t.CacheRead, "read from the cache")}
}

// tools are the tools that were called, the one called most first.
func tools(calls map[string]int, join func(...string) string) string {
	type call struct {
		name string
		n    int
	}
	var all []call
	for name, n := range calls {
		all = append(all, call{plain(name), n})
	}
	slices.SortFunc(all, func(a, b call) int { return cmp.Or(b.n-a.n, strings.Compare(a.name, b.name)) })
	var parts []string
	for _, c := range all {
		parts = append(parts, c.name+" "+text.Number(c.n))
	}
	return join(parts...)
}
