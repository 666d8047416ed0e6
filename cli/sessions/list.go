package sessions

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"parley/cli/output"
	"parley/cli/process"
	"parley/history/sessions"
	"parley/render/text"
	"parley/theme"
	"parley/tui/files"
)

// listed is how many sessions are listed if the command line does not say how many.
const listed = 20

// Orders are what --sort takes, as sessions.ByUsed and those behind it.
var Orders = []string{"used", "started", "title", "cost"}

// selection is which sessions are meant, and how they are drawn.
type selection struct {
	drawing
	limit                  int
	all, archived, deleted bool
	inFolder, inRepository bool
	sorted                 string
	dir, root              string // after check
}

// register adds the flags of a selection that is listed.
func (s *selection) register(f *pflag.FlagSet) {
	s.registerScope(f)
	f.IntVar(&s.limit, "limit", listed, "the most sessions to list, a `number`")
	f.BoolVar(&s.all, "all", false, "list all of them")
	f.StringVar(&s.sorted, "sort", "", "the `order`: "+strings.Join(Orders, ", ")+" (default: used, or what fits best)")
	s.drawing.register(f, "as wide as it gets")
}

// registerScope adds the flags that say where to look.
func (s *selection) registerScope(f *pflag.FlagSet) {
	f.BoolVar(&s.inFolder, "here", false, "only sessions of this folder")
	f.BoolVar(&s.inRepository, "repo", false, "only sessions of this folder's repository")
	f.BoolVar(&s.archived, "archived", false, "archived ones, too")
	f.BoolVar(&s.deleted, "deleted", false, "deleted ones that are not removed yet, too")
}

// check finds what the flags of a selection cannot mean, and where it is seen from.
func (s *selection) check(given *pflag.FlagSet) error {
	if err := s.Check(given); err != nil {
		return err
	}
	switch {
	case given.Changed("limit") && s.limit < 1:
		return fmt.Errorf("--limit is 1 at least, not %d; --all lists all", s.limit)
	case given.Changed("limit") && s.all:
		return errors.New("--limit and --all say two things; leave one of them out")
	case s.sorted != "" && !slices.Contains(Orders, s.sorted):
		return fmt.Errorf("--sort is %s, not %q", strings.Join(Orders, ", "), s.sorted)
	case s.inFolder && s.inRepository:
		return errors.New("--here and --repo say two things; leave one of them out")
	case !s.inFolder && !s.inRepository:
		return nil
	}
	dir, err := os.Getwd()
	if err != nil {
		return process.Fail(fmt.Errorf("find this folder: %w", err))
	}
	if s.dir, s.root = dir, files.Root(dir); s.inRepository && s.root == "" {
		return process.Fail(errors.New("this folder is in no repository; --here lists the sessions of the folder"))
	}
	return nil
}

// request is the selection as the library is asked for it.
func (s *selection) request(q sessions.Query) sessions.Request {
	r := sessions.Request{
		Query: q, Scope: sessions.Everywhere, Dir: s.dir, Root: s.root,
		Order: sessions.Order(1 + slices.Index(Orders, s.sorted)), // ByRelevance if none was given
		Limit: s.limit, Archived: s.archived, Deleted: s.deleted,
	}
	switch {
	case s.inFolder:
		r.Scope = sessions.InFolder
	case s.inRepository:
		r.Scope = sessions.InRepository
	}
	if s.all {
		r.Limit = 0
	}
	return r
}

// listCommand lists past sessions.
func (p past) listCommand() *cobra.Command {
	var s selection
	cmd := &cobra.Command{
		Use:   "list",
		Short: "List past sessions, the one used last first",
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) > 0 {
				return fmt.Errorf("list takes no words, such as %q; `parley sessions search` looks for them", args[0])
			}
			return nil
		},
		ValidArgsFunction: cobra.NoFileCompletions,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := s.check(cmd.Flags()); err != nil {
				return err
			}
			return process.Fail(p.looking(func(ctx context.Context, l library) error { return p.list(ctx, l, s) }))
		},
	}
	s.register(cmd.Flags())
	return cmd
}

// list writes a table of past sessions.
func (p past) list(ctx context.Context, l library, s selection) error {
	found, err := l.Find(ctx, s.request(sessions.Query{}))
	if err != nil {
		return err
	}
	if s.json {
		return output.JSON(p.Console, foundRows(found))
	}
	if len(found.Sessions) == 0 {
		p.note("There are no past sessions" + s.where() + ".")
		return nil
	}
	th, profile := p.theme(s.drawing)
	width := p.tableWidth(s.drawing)
	table := fit(p.columns(found.Sessions, width, th), width)
	if err := p.write(drawTable(table, th), profile); err != nil {
		return err
	}
	p.rest(found)
	return nil
}

// where says where was looked, after a sentence without it.
func (s *selection) where() string {
	switch {
	case s.inFolder:
		return " of this folder"
	case s.inRepository:
		return " of this repository"
	}
	return ""
}

// note writes a line to the user beside an answer.
func (p past) note(line string) { _, _ = fmt.Fprintln(p.Err, line) }

// rest says that there are more than were listed.
func (p past) rest(found sessions.Found) {
	if shown := len(found.Sessions); shown < found.Total {
		p.note(fmt.Sprintf("%d of %s; --all lists all.", shown, text.Count(found.Total, "session")))
	}
}

// shownID is how much of an id is shown, where it is enough.
const shownID = 8

// columns are the facts about sessions. The first that go are those that matter
// least when one looks for a session.
func (p past) columns(hits []sessions.Hit, width int, th *theme.Theme) []column {
	each := func(c column, cell func(sessions.Session) string) column {
		for _, h := range hits {
			c.cells = append(c.cells, cell(h.Session))
		}
		return c
	}
	mark := column{rank: 1} // how it stands, if there is no room for the word
	state := column{head: "STATE", rank: 10}
	for _, h := range hits {
		word, glyph, token := standing(h.Session)
		mark.cells, mark.tokens = append(mark.cells, th.Glyph(glyph)), append(mark.tokens, token)
		state.cells, state.tokens = append(state.cells, word), append(state.tokens, token)
	}
	all := []column{
		{head: "ID", token: theme.Accent, cells: shortIDs(hits)},
		each(column{head: "USED", token: theme.Dim, right: true, rank: 2}, func(s sessions.Session) string { return p.age(s.Used) }),
		each(column{head: "TITLE", token: theme.Text, least: min(max(width/3, 12), 40)},
			func(s sessions.Session) string { return titleOf(s) + tagsOf(s) }),
		each(column{head: "REPOSITORY", token: theme.ToolSubject, least: 14, rank: 3}, place),
		each(column{head: "PROMPTS", token: theme.Dim, right: true, rank: 4},
			func(s sessions.Session) string { return text.Number(s.Prompts) }),
		each(column{head: "MODEL", token: theme.Dim, least: 8, rank: 5}, func(s sessions.Session) string { return plain(s.Model) }),
		each(column{head: "TOKENS", token: theme.Dim, right: true, rank: 6},
			func(s sessions.Session) string { return unlessZero(s.Tokens.Total(), text.Tokens) }),
		each(column{head: "TOOK", token: theme.Dim, right: true, rank: 7},
			func(s sessions.Session) string { return unlessZero(s.Busy.Truncate(time.Second), text.Duration) }),
		each(column{head: "COST", token: theme.Dim, right: true, rank: 8}, func(s sessions.Session) string { return requests(s.Cost) }),
		each(column{head: "LINES", token: theme.Dim, right: true, rank: 9},
			func(s sessions.Session) string { return changedLines(s.Added, s.Removed, th) }),
		state,
	}
	isState := func(c column) bool { return c.head == state.head }
	if width == 0 || slices.ContainsFunc(fit(all, width), isState) {
		return all
	}
	return slices.Insert(all[:len(all)-1], 2, mark)
}

// shortIDs are the beginnings of ids, long enough to distinguish them.
func shortIDs(hits []sessions.Hit) []string {
	short := func(id string, n int) string { return plain(id[:min(len(id), n)]) }
	n, longest := shownID, 0
	for _, h := range hits {
		longest = max(longest, len(h.ID))
	}
	for ; n < longest; n++ {
		seen := map[string]bool{}
		for _, h := range hits {
			seen[short(string(h.ID), n)] = true
		}
		if len(seen) == len(hits) {
			break
		}
	}
	out := make([]string, len(hits))
	for i, h := range hits {
		out[i] = short(string(h.ID), n)
	}
	return out
}

// age is how long ago something was, in one unit.
func (p past) age(at time.Time) string {
	if at.IsZero() {
		return ""
	}
	return text.Age(p.now().Sub(at))
}

// tagsOf is what the user noted about a session, as " #tide #moon".
func tagsOf(s sessions.Session) (tags string) {
	for _, tag := range s.Tags {
		tags += " #" + plain(tag)
	}
	return tags
}

// place is the repository and the branch of a session, or its folder.
func place(s sessions.Session) string {
	where := plain(s.Repository)
	switch {
	case where == "" && s.Root != "":
		where = plain(filepath.Base(s.Root))
	case where == "":
		where = plain(shortDir(s.Dir))
	}
	return strings.TrimSpace(where + " " + plain(s.Branch))
}

// standing is how a session stands: the word, the mark, and their style.
func standing(s sessions.Session) (string, theme.Mark, theme.Token) {
	switch {
	case !s.Deleted.IsZero():
		return "deleted", theme.MarkMinus, theme.Warning
	case s.InUse:
		return "in use", theme.MarkRunning, theme.Accent
	case s.ReadProblem != "":
		return "damaged", theme.MarkWarning, theme.Warning
	case s.State == sessions.Failed:
		return "failed", theme.MarkFailed, theme.Error
	case s.State == sessions.Interrupted:
		return "interrupted", theme.MarkRefused, theme.Warning
	case s.Archived:
		return "archived", theme.MarkBoundary, theme.Dim
	case s.Pinned:
		return "pinned", theme.MarkDone, theme.Success
	}
	if s.State == "" {
		return "", theme.MarkDot, theme.Dim // there was no turn
	}
	return plain(string(s.State)), theme.MarkDone, theme.Success
}

// changedLines are added and removed lines.
func changedLines(added, removed int, th *theme.Theme) string {
	if added == 0 && removed == 0 {
		return ""
	}
	return "+" + text.Tokens(added) + " " + th.Glyph(theme.MarkMinus) + text.Tokens(removed)
}

// requests is a number of premium requests; "" for none.
func requests(cost float64) string {
	return unlessZero(cost, func(f float64) string { return strconv.FormatFloat(f, 'f', 2, 64) })
}

// unlessZero writes a number; "" for 0.
func unlessZero[N int | float64 | time.Duration](n N, write func(N) string) string {
	if n == 0 {
		return ""
	}
	return write(n)
}
