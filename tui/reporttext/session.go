// Package reporttext has the texts that commands show: what a session is and used, the keys,
// and the report of a mistake.
package reporttext

import (
	"cmp"
	"strings"
	"time"

	"parley/render/text"
	"parley/session"
	"parley/theme"
	"parley/timeline"
	"parley/tui/panel"
	"parley/tui/widget"
)

// Session is what a session is, where it works and with what.
type Session struct {
	Status        timeline.Status
	ID            session.ID
	Agent         string
	Model         string // that was asked for, if none was reported
	Mode          session.Mode
	Home, Dir     string // the user's folder, and that of the session
	ResumeCommand string // of a shell; "" if the session cannot be resumed
	AllowAll      bool   // nothing is asked for
	Zone          *time.Location
}

// Draw draws it in lines of a width.
func (r Session) Draw(th *theme.Theme, width int) []string {
	return panel.DrawFacts(th, r.facts(), width)
}

func (r Session) facts() []panel.Fact {
	s := r.Status
	all := panel.Known(
		panel.Fact{"name", s.Title}, panel.Fact{"id", string(r.ID)}, panel.Fact{"agent", r.Agent},
		panel.Fact{"handled by", personaText(s.Persona)},
		panel.Fact{"its tools", personaTools(s.Persona)},
		panel.Fact{"model", strings.TrimSpace(cmp.Or(s.Model, r.Model) + " " + s.Effort)}, panel.Fact{"mode", string(r.Mode)},
		panel.Fact{"folder", widget.ShortPath(r.Dir, r.Home)}, panel.Fact{"git root", widget.ShortPath(s.GitRoot, r.Home)},
		panel.Fact{"repository", s.Repository}, panel.Fact{"branch", s.Branch}, panel.Fact{"model calls", modelCallsText(s)},
		panel.Fact{"in context", some(s.ContextMessages, "message")}, checkpointFact(s.Checkpoint, r.Home),
		panel.Fact{"objective", s.Objective},
	)
	if r.ResumeCommand != "" {
		all = append(all, panel.Fact{"resume it", r.ResumeCommand})
	}
	all = append(all, panel.Known(panel.Fact{"tools", toolsText(s.Catalog, r.Zone)})...)
	if s.AllowAll || r.AllowAll {
		all = append(all, panel.Fact{"permissions", "everything is allowed, nothing asks"})
	}
	return append(all, catalogFacts(s.Catalog)...)
}

// toolsText is when the tools were updated, and for which model.
func toolsText(c timeline.Catalog, zone *time.Location) string {
	text := ""
	if !c.ToolsAt.IsZero() {
		text += " at " + c.ToolsAt.In(zone).Format("15:04")
	}
	if c.ToolsModel != "" {
		text += " for " + c.ToolsModel
	}
	if text == "" {
		return ""
	}
	return "updated" + text
}

// some is a number of something, or nothing for none.
func some(n int, noun string) string {
	if n == 0 {
		return ""
	}
	return text.Count(n, noun)
}

// personaText is a custom agent, with its internal name where that is another.
func personaText(p timeline.Persona) string {
	if p.Name == "" || p.Name == p.Title {
		return p.Title
	}
	return p.Title + " (" + p.Name + ")"
}

// personaTools are the tools that a custom agent may use.
func personaTools(p timeline.Persona) string {
	switch {
	case p.Title == "":
		return ""
	case p.Tools == nil:
		return "all"
	default:
		return cmp.Or(strings.Join(p.Tools, ", "), "none")
	}
}

// checkpointFact is where the conversation before the last compaction is kept.
func checkpointFact(c timeline.Checkpoint, home string) panel.Fact {
	name := "checkpoint"
	if c.Number > 0 {
		name += " " + text.Number(c.Number)
	}
	return panel.Fact{name, widget.ShortPath(c.Path, home)}
}

// catalogFacts are what the session has to work with, as far as it was reported.
func catalogFacts(c timeline.Catalog) []panel.Fact {
	var all []panel.Fact
	list := func(heading string, parts []timeline.CatalogItem) {
		if len(parts) == 0 {
			return
		}
		all = append(all, panel.Fact{}, panel.Fact{"", heading})
		for _, p := range parts {
			value := cmp.Or(p.Status, "not known")
			if p.Tools > 0 {
				value += ", " + text.Count(p.Tools, "tool")
			}
			if p.Error != "" {
				value += ": " + widget.FirstLine(p.Error)
			}
			all = append(all, panel.Fact{p.Name, value})
		}
	}
	words := panel.Known(panel.Fact{"skills", strings.Join(c.Skills, ", ")}, panel.Fact{"custom agents", strings.Join(c.Agents, ", ")})
	if len(words) > 0 {
		all = append(append(all, panel.Fact{}), words...)
	}
	list("MCP servers", c.Servers)
	list("Extensions", c.Extensions)
	return all
}
