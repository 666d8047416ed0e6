package status

import (
	"cmp"
	"fmt"
	"strings"
	"time"

	"parley/render/text"
	"parley/session"
	"parley/theme"
	"parley/timeline"
	"parley/tui/widget"
)

// Item is a part of the status line that the settings can name.
type Item struct {
	Name        string
	Description string
	// Rank is what is left out when the line is too narrow: the lowest first.
	Rank int
	// Always is shown even where the settings leave it out: the user must know
	// of it.
	Always bool
	draw   func(f *Facts) segment
}

// mustRank is the lowest rank of what the user must know of.
const mustRank = 21

// Items are the parts of the status line, in the order of settings.StatusItems. No
// two have one rank.
func Items() []Item {
	return []Item{
		{
			"activity", "What the agent does now and for how long; that it waits for you, stops, or is disconnected",
			23, true, (*Facts).activity,
		},
		{"rewording", "That the draft is a queued prompt, and which keys end that", 22, true, (*Facts).rewording},
		{"allow-all", "That nothing is asked for", 24, true, (*Facts).allowAll},
		{"sessions", "What the other sessions of this window do, and whether one needs you", 21, true, (*Facts).sessions},
		{"demo", "That the embedded demo answers, and no model", 19, true, (*Facts).demo},
		{"vim", "The mode of vim, where you edit as in vim", 18, false, (*Facts).vim},
		{"mode", "How the agent works: interactive, plan or autopilot", 17, false, (*Facts).mode},
		{"model", "The model and its reasoning effort", 16, false, (*Facts).model},
		{"folder", "The folder in which the agent works, its branch, and * where git reports changed files", 11, false, (*Facts).folder},
		{"session", "The title of the session", 8, false, (*Facts).title},
		{"queued", "How many prompts are queued", 14, false, (*Facts).queued},
		{"background", "The agents and shells in the background of a turn", 15, false, (*Facts).background},
		{"servers", "The MCP servers that cannot be used", 13, false, (*Facts).servers},
		{"todo", "How much of what is to be done is done, while it is not shown above the draft", 10, false, (*Facts).todo},
		{"spent", "What the session has cost", 9, false, (*Facts).spent},
		{"tokens", "How many tokens the session has read and written", 6, false, (*Facts).tokens},
		{"model-calls", "How many times the model was called", 7, false, (*Facts).turns},
		{"elapsed", "How long the turn takes so far; when none runs, since when the session is", 4, false, (*Facts).turnTime},
		{"clock", "The time of day; nothing where motion is none", 3, false, (*Facts).clock},
		{"agent", "Which agent answers", 1, false, (*Facts).agent},
		{"script", "The first line that your own program writes", 12, false, (*Facts).script},
		{"context", "How full the model's context is", 20, false, (*Facts).context},
	}
}

// StaleMark stands before a value that is known to be out of date.
const StaleMark = "~"

// when is a segment that is shown only sometimes.
func when(shown bool, s segment) segment {
	if !shown {
		return segment{}
	}
	return s
}

func (f *Facts) rewording() segment {
	return when(f.Rewording != "", segment{text: "editing: " + f.Rewording, token: theme.Accent})
}

func (f *Facts) allowAll() segment {
	return when(f.AllowAllHere || f.Session.AllowAll, segment{
		text: f.Theme.Glyph(theme.MarkWarning) + " allow-all: nothing asks", brief: "allow-all", token: theme.StatusLoud,
	})
}

func (f *Facts) sessions() segment { return segment{text: f.OtherSessions, token: theme.Accent} }

func (f *Facts) demo() segment { return when(f.Demo, segment{text: f.Agent, token: theme.Warning}) }

// agent is empty where the demo item shows it.
func (f *Facts) agent() segment { return when(!f.Demo, segment{text: f.Agent}) }

func (f *Facts) vim() segment { return segment{text: f.Vim, token: theme.StatusStrong} }

func (f *Facts) mode() segment {
	switch {
	case f.ReadOnly:
		return segment{text: "read only", token: theme.Accent}
	case f.Mode == session.Autopilot:
		return segment{text: f.Theme.Glyph(theme.MarkWarning) + " " + string(f.Mode), token: theme.StatusLoud}
	case f.Mode == session.Plan:
		return segment{text: string(f.Mode), token: theme.Accent}
	}
	return segment{text: string(f.Mode), token: theme.StatusStrong}
}

func (f *Facts) model() segment {
	return segment{text: strings.TrimSpace(cmp.Or(f.Session.Model, f.ModelAsked) + " " + f.Session.Effort)}
}

func (f *Facts) folder() segment {
	dir, dirty := widget.Base(f.Dir), ""
	if f.Dirty && dir != "" {
		dirty = "*"
	}
	if f.Session.Branch != "" {
		return segment{text: dir + " (" + f.Session.Branch + dirty + ")"}
	}
	return segment{text: dir + dirty}
}

func (f *Facts) title() segment {
	return segment{text: widget.Cut(f.Theme, f.Session.Title, max(8, f.Width/3))}
}

func (f *Facts) queued() segment {
	if f.Queued == 0 {
		return segment{}
	}
	return segment{text: fmt.Sprintf("%d queued", f.Queued), token: theme.Accent}
}

// background is empty while no turn runs: then it is the activity.
func (f *Facts) background() segment {
	return when(f.Session.Busy, segment{text: f.Background, token: theme.Accent})
}

func (f *Facts) servers() segment {
	return segment{text: serversDown(f.Session.Catalog.Servers), token: theme.Warning}
}

func (f *Facts) todo() segment {
	if f.TodosShown || f.TodosDone == f.Todos {
		return segment{}
	}
	return segment{text: fmt.Sprintf("to do %d/%d", f.TodosDone, f.Todos)}
}

// leastSpent is the least cost that is shown.
const leastSpent = 0.005

// spent is what the session has cost so far, since it was opened here.
func (f *Facts) spent() segment {
	u := f.Session.Usage
	switch credits := u.NanoAIU / timeline.NanoAIUPerCredit; {
	case credits >= leastSpent:
		return segment{text: text.Amount(credits) + " credits"}
	case u.Cost >= leastSpent:
		return segment{text: text.Amount(u.Cost) + " premium"}
	}
	return segment{}
}

func (f *Facts) tokens() segment {
	switch u := f.Session.Usage; {
	case u.Input+u.Output > 0:
		return segment{text: text.Tokens(u.Input) + " in, " + text.Tokens(u.Output) + " out"}
	case f.Session.MessageOutput > 0: // all that a log without usage records has
		return segment{text: text.Tokens(f.Session.MessageOutput) + " out"}
	}
	return segment{}
}

func (f *Facts) turns() segment {
	return when(f.Session.Turns > 0, segment{text: text.Count(f.Session.Turns, "model call")})
}

// turnTime shows no time that would have to be counted on while nothing runs.
func (f *Facts) turnTime() segment {
	elapsed := f.elapsed(f.Session.WorkingSince(f.Now))
	switch {
	case f.Session.Busy && elapsed != "":
		return segment{text: "turn" + elapsed}
	case f.Session.Busy || f.Begun.IsZero():
		return segment{}
	}
	from := f.Begun.In(f.Now.Location())
	if from.Format(time.DateOnly) != f.Now.Format(time.DateOnly) {
		return segment{text: "since " + from.Format(time.DateOnly)}
	}
	return segment{text: "since " + from.Format("15:04")}
}

// clock is empty where nothing moves: one that stands still is wrong.
func (f *Facts) clock() segment { return when(!f.Still, segment{text: f.Now.Format("15:04")}) }

func (f *Facts) context() segment {
	if f.Session.ContextLimit <= 0 || !f.ContextKnown {
		return segment{}
	}
	percent, mark := f.Session.ContextTokens*100/f.Session.ContextLimit, ""
	if f.ContextStale {
		mark = StaleMark
	}
	i := segment{text: fmt.Sprintf("ctx %s%d %%", mark, percent)}
	if percent >= 80 {
		i.token = theme.Warning
	}
	return i
}

func (f *Facts) script() segment {
	if f.Script == "" {
		return segment{}
	}
	text := widget.Cut(f.Theme, f.Script, max(8, f.Width/2))
	if f.ScriptStale {
		text = StaleMark + text
	}
	return segment{text: text}
}

// serversDown returns how many MCP servers cannot be used.
func serversDown(all []timeline.CatalogItem) string {
	down, locked := 0, 0
	for _, p := range all {
		switch p.Status {
		case "failed", "needs-reconnect":
			down++
		case "needs-auth":
			locked++
		}
	}
	switch {
	case down > 0:
		return text.Count(down, "server") + " down"
	case locked > 0:
		return text.Count(locked, "server") + " to sign in to"
	}
	return ""
}
