package conversation

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"parley/render/text"
	"parley/session"
	"parley/theme"
	"parley/tui/files"
	"parley/tui/panel"
	"parley/tui/reporttext"
	"parley/tui/widget"
)

// showReport shows the whole report of a mistake. Nothing is written before the
// user has seen it and says so.
func (c *reports) showReport(args string) tea.Cmd {
	if c.win.Config.Report == nil {
		return c.ShowHint("No report can be written here.")
	}
	write, config, name := c.win.Config.Report, c.win.Config, strings.TrimSpace(args)
	scene := Scene{c.win.Terminal(), c.Info.Agent, config.Settings, config.Keys, c.Recent.Clone()}
	return ask(c.core, "write the report", func(ctx context.Context) (string, error) {
		return write(ctx, config, scene)
	}, func(text string) tea.Cmd {
		if c.Opens(true, "", "The report is ready: /report shows it.") {
			c.openReport(text, name)
		}
		return nil
	})
}

// openReport shows a report as it would be written to a file of a name, "" being
// one of ours.
func (c *reports) openReport(text, name string) {
	c.OpenPanel(&panel.Panel{Title: "Report", More: []panel.Key{
		onKey("w", "write it", func() tea.Cmd { return c.writeReport(text, name) }),
		onKey("c", "copy it", func() tea.Cmd { return c.copyText(text) }),
		onKey("e", "change it", func() tea.Cmd {
			return c.request(EditText{&Edition{Text: text, Name: "report.md", back: func(text string) tea.Cmd {
				c.openReport(text, name)
				return nil
			}}})
		}),
	}, Text: func(th *theme.Theme, width int) []string { return reporttext.DrawBugReport(th, text, width) }})
}

// sameDay is how many reports of a day have a name of ours.
const sameDay = 20

// writeReport writes a report to a file that is not there yet.
func (c *reports) writeReport(s, name string) tea.Cmd {
	names := []string{lastingPath(c.core, name)}
	if name == "" {
		stem := lastingPath(c.core, "parley-report-"+c.win.Now.In(c.win.Zone).Format(time.DateOnly))
		names[0] = stem + ".md"
		for i := 2; i <= sameDay; i++ {
			names = append(names, fmt.Sprintf("%s-%d.md", stem, i))
		}
	}
	seen := Over[*panel.Panel](c.win)
	return fetch(c.core, func(context.Context) (name string, err error) {
		for _, name = range names {
			if err = files.Create(name, s); !errors.Is(err, fs.ErrExist) {
				break
			}
		}
		return name, err
	}, func(name string, err error) tea.Cmd {
		where := widget.ShortPath(name, c.win.Config.Home)
		switch {
		case errors.Is(err, fs.ErrExist):
			return c.ShowHint("Not written: %s is there already; /report PATH takes another name.", where)
		case err != nil:
			return c.ShowHint("Not written to %s: %s", where, reason(err))
		case Over[*panel.Panel](c.win) == seen:
			c.CloseOverlays()
		}
		c.AddNotice(session.SessionInfo{Message: fmt.Sprintf("The report is in %s (%s). Read it once more before you give it to others.",
			where, text.Size(len(s)))})
		c.Pane.ToEnd()
		return nil
	})
}

// reason is why a file could not be written, without its name.
func reason(err error) string {
	var failed *fs.PathError
	if errors.As(err, &failed) {
		return failed.Err.Error()
	}
	return err.Error()
}
