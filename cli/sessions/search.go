package sessions

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"parley/cli/arguments"
	"parley/cli/output"
	"parley/cli/process"
	"parley/history/sessions"
	"parley/render/text"
	"parley/theme"
)

// searchCommand looks for past sessions.
func (p past) searchCommand() *cobra.Command {
	var s selection
	cmd := &cobra.Command{
		Use:   "search QUERY...",
		Short: "Search past sessions for words, and by what is known of them",
		Long:  queryHelp(),
		Args: func(_ *cobra.Command, args []string) error {
			if strings.TrimSpace(strings.Join(args, " ")) == "" {
				return errors.New("search takes what to look for; `parley sessions list` lists all")
			}
			return nil
		},
		ValidArgsFunction: p.completeQuery,
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := s.check(cmd.Flags()); err != nil {
				return err
			}
			q, err := p.query(args)
			if err != nil {
				return err
			}
			return process.Fail(p.looking(func(ctx context.Context, l library) error { return p.search(ctx, l, s.request(q), s.drawing) }))
		},
	}
	cmd.SetFlagErrorFunc(dashed)
	s.register(cmd.Flags())
	return cmd
}

// dashed says what to do about a word of a query that looks like a flag.
func dashed(cmd *cobra.Command, err error) error {
	if strings.HasPrefix(err.Error(), "unknown shorthand") {
		return fmt.Errorf("%w; put -- before words that begin with a dash", err)
	}
	return arguments.FlagError(cmd, err)
}

// query reads the words of a query. A mistake is pointed at.
func (p past) query(words []string) (sessions.Query, error) {
	text := strings.Join(words, " ")
	q, err := sessions.ParseQuery(text, p.now())
	var wrong *sessions.QueryError
	if errors.As(err, &wrong) {
		_, _ = io.WriteString(p.Err, caretLine(text, wrong.Span))
	}
	return q, err
}

// caretLine is a line of text with carets under a part of it.
func caretLine(s string, span [2]int) string {
	from, to := min(max(span[0], 0), len(s)), min(span[1], len(s))
	before, part := text.SanitizeLine(s[:from]), text.SanitizeLine(s[from:max(from, to)])
	return "  " + before + part + text.SanitizeLine(s[max(from, to):]) + "\n" +
		"  " + strings.Repeat(" ", text.Width(before)) + strings.Repeat("^", max(1, text.Width(part))) + "\n"
}

// search writes the sessions that were found, each with a line of it.
func (p past) search(ctx context.Context, l library, r sessions.Request, o drawing) error {
	found, err := l.Find(ctx, r)
	if err != nil {
		return err
	}
	switch {
	case o.json:
		err = output.JSON(p.Console, foundRows(found))
	case len(found.Sessions) == 0:
		p.note("Nothing was found.")
	default:
		th, profile := p.theme(o)
		if err = p.write(p.hits(found.Sessions, p.tableWidth(o), th), profile); err == nil {
			p.rest(found)
		}
	}
	if err == nil && len(found.Sessions) == 0 {
		return process.ErrSilent
	}
	return err
}

// hits draws a table with the line below each row in which it was found.
func (p past) hits(hits []sessions.Hit, width int, th *theme.Theme) []string {
	table := fit(p.columns(hits, width, th), width)
	rows := drawTable(table, th)
	indent := min(table[0].width, shownID) + columnGap
	out := rows[:1:1]
	for i, h := range hits {
		out = append(out, rows[i+1])
		if line := excerpt(h, width-indent, th); line != "" {
			out = append(out, strings.Repeat(" ", indent)+line)
		}
	}
	return out
}

// excerpt is the line of a session in which it was found, the hits in it marked.
// It has at most so many cells; less than none is all. The first hit is in it.
func excerpt(h sessions.Hit, width int, th *theme.Theme) string {
	on, off := "", ""
	if th.Name == theme.Plain().Name { // nothing else marks them
		on, off = "[", "]"
	}
	var b strings.Builder
	var spans [][2]int
	at, first := 0, -1
	for _, s := range h.Spans {
		if s[0] < at || s[1] < s[0] || s[1] > len(h.Excerpt) {
			continue
		}
		b.WriteString(text.SanitizeLine(h.Excerpt[at:s[0]]))
		if first < 0 {
			first = b.Len()
		}
		from := b.Len()
		b.WriteString(on + text.SanitizeLine(h.Excerpt[s[0]:s[1]]) + off)
		spans, at = append(spans, [2]int{from, b.Len()}), s[1]
	}
	b.WriteString(text.SanitizeLine(h.Excerpt[at:]))
	content := b.String()
	cut := 0
	if dots := th.Glyph(theme.MarkEllipsis); width > 0 {
		if first > 0 && text.Width(content[:spans[0][1]]) > width {
			cut = beginNear(content, first, max(width/3, width-text.Width(dots)-text.Width(content[first:])))
			content = dots + content[cut:]
			cut -= len(dots)
		}
		content = text.Truncate(content, width, dots)
	}
	shift := func(string) [][2]int {
		var moved [][2]int
		for _, s := range spans {
			if s[0]-cut < len(content) {
				moved = append(moved, [2]int{max(0, s[0]-cut), min(len(content), s[1]-cut)})
			}
		}
		return moved
	}
	return text.Highlight(drawn(th, theme.Dim, content), shift, theme.Match, th)
}

// beginNear is where a word begins, at most so many cells before a place.
func beginNear(s string, at, cells int) int {
	begin := at
	for i := range s[:at] {
		if text.Width(s[i:at]) <= cells {
			begin = i
			break
		}
	}
	if blank := strings.IndexByte(s[begin:at], ' '); blank >= 0 {
		begin += blank + 1
	}
	return begin
}

// queryHelp is the table of the query language.
func queryHelp() string {
	var b strings.Builder
	row := func(form, means string) { fmt.Fprintf(&b, "  %-14s %s\n", form, means) }
	row("tide moon", "both words, or longer ones that begin so")
	row(`"tide table"`, "these words beside each other")
	row("-moon", "not this; also before a filter")
	for _, f := range sessions.Fields() {
		var names []string
		for _, v := range f.Values {
			names = append(names, v.Name)
		}
		row(f.Name+":", text.JoinNonEmpty(": ", f.Title, strings.Join(names, ", ")))
	}
	return strings.TrimRight(b.String(), "\n")
}
