package tui

import (
	"context"
	"time"

	"parley/prompts"
	"parley/session"
	"parley/session/modelview"
	"parley/session/trace"
	"parley/timeline"
)

// conversation is one session of the window with all that belongs to it alone:
// its projections, its questions, its draft and its place on the timeline.
type conversation struct {
	session   session.Session // nil while it opens and after it ended
	info      session.Info
	timeline  *timeline.Timeline
	modelView *modelview.View // what the model sees of it
	recent    trace.Recent    // its last events
	questions *prompts.Queue
	pending   []session.Pending
	rewording rewording // a prompt that waits is in the composer
	todos     todos
	tasks     tasks
	told      told
	metered   bool                                // how full the context is was told since the session was opened
	held      []outgoing                          // sent before the session was open
	notes     map[session.CallID][]string         // to send when the call has completed (decision 5)
	asked     map[session.RequestID]session.Event // the open questions as they came
	wanted    session.Mode                        // asked for and not yet told by the session
	before    session.ID                          // the session that was left last
	wrote     bool                                // the person sent something
	turnstile chan struct{}                       // closed when the last job in order has ended
	opening   bool
	lost      bool                     // the session ended without being asked to; enter reconnects
	stored    map[session.EventID]bool // events on the timeline that a resume replays
	heard     bool                     // the session took a prompt since it was opened
	talked    bool                     // there is a conversation, and no first screen any more
	theirs    []session.SlashCommand   // the agent's own commands
	aborting  time.Time                // since when an interrupt waits for its effect
	painting  painting
	hush      time.Time // Enter sends nothing before it

	pane     pane
	search   *search          // in the timeline; nil if none
	browsing bool             // the keys are for the timeline
	seen     timeline.EntryID // the last entry when the window lost the focus; "" if there was none
	left     int              // how many entries there were
	looking  bool             // the person has looked away, at least once

	composer   composer
	completion *completion                // open completions; nil if none
	completed  token                      // what they complete, or did before they were closed
	eager      token                      // to be completed as soon as it is known with what: Tab was pressed
	dismissed  token                      // what was being completed when the list was closed
	workspace  workspace                  // the files that can be mentioned
	gone       []outgoing                 // with chips, that were sent last
	shells     map[int]context.CancelFunc // commands of the person's that run
	ran        int                        // how many did so far
}

// newConversation is one that opens.
func newConversation(c Config) *conversation {
	return &conversation{
		info:    session.Info{Agent: c.AgentName, Model: c.Options.Model, Mode: c.Options.Mode, Dir: c.Options.Dir},
		opening: true, composer: newComposer(c.Settings.Vim), shells: map[int]context.CancelFunc{},
	}
}
