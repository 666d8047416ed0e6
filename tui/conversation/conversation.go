// Package conversation is one session of a window, with all that belongs to it alone: its
// timeline, its questions, its draft, and what its commands do. It knows of the window what
// all conversations have in common, and asks it for the rest with values.
package conversation

import (
	"cmp"
	"context"
	"time"

	tea "charm.land/bubbletea/v2"

	"parley/prompts"
	"parley/render"
	"parley/session"
	"parley/session/modelview"
	"parley/session/trace"
	"parley/settings"
	"parley/settings/promptfile"
	"parley/timeline"
	"parley/tui/composer"
	"parley/tui/files"
	"parley/tui/navigation"
	"parley/tui/panel"
	"parley/tui/transcript"
	"parley/tui/widget"
)

// ID names a conversation of the window. None is given twice.
type ID int

// core is what the parts of a conversation have in common: its session, what is known of
// it, the pane that shows it, and what the user is to know. It does what concerns one
// session and nothing that is written.
type core struct {
	win      *Window
	ID       ID
	Requests []Request // what the window is asked for

	Backend      *Backend        // the agent it is held with
	Agent        session.Agent   // that serves it; nil while it starts
	Session      session.Session // nil while it opens and after it ended
	Resume       session.ID      // the session it is to resume; "" is a new one
	Continued    bool            // it is to resume the last one of its folder
	ReadOnly     *PastSession    // it is only read here; nil where one resumes it
	dir          string          // where it is to work
	Opening      bool
	Disconnected bool       // the session ended without being asked to; enter reconnects
	Before       session.ID // the session that was left last
	turnstile    turnstile  // what must not overtake passes it

	Info      session.Info
	Timeline  *timeline.Timeline
	ModelView *modelview.View    // what the model sees of it
	Recent    trace.RecentEvents // its last events
	Questions *prompts.Queue
	Painting  painting
	Wanted    []session.Mode   // asked for, in their order, and not yet reported by the session
	Metered   bool             // the session reported how full the context is since it was opened
	outdated  bool             // the model is another one since
	Aborting  time.Time        // since when an interrupt waits for its effect
	Wrote     bool             // the user sent something
	Talked    bool             // there is a conversation, and no first screen any more
	settled   timeline.EntryID // the last entry shown while a turn ran

	Pane     transcript.Pane
	Nav      *navigation.Navigator // in the pane
	Composer composer.Composer
	shells   map[int]context.CancelFunc // commands of the user's that run
	Hint     Hint
	Armed    Armed // a key that must be pressed twice
	News     bool  // a turn ended, or an error came, while another one was on the screen

	checkout files.Checkout // that the session works in, as git reports it; zero for not known

	AgentCommands []session.SlashCommand // the agent's own
	PromptFiles   []promptfile.File      // that are commands, too
}

// shortFile is the path of a file, from the folder of the session or the home of the user.
func shortFile(c *core, path string) string {
	return widget.ShortFile(path, c.Info.Dir, c.win.Config.Home)
}

// Conversation is one session of the window with all that belongs to it alone:
// its projections, its questions, its draft and its place on the timeline.
type Conversation struct {
	*core
	Options options
	Exports exports
	Reports reports
	Todos   todos
	Tasks   tasks
	MCP     mcp

	Blocks      *blockActions
	Draft       *promptDraft
	Queue       *promptQueue
	Commands    *slashCommands
	Answers     *pendingAnswers
	account     *account
	Attention   *attention
	shell       *userShells
	Recovery    *draftRecovery
	recall      *promptRecall
	Checkpoints *checkpoints
	past        *pastReader
	titles      *sessionTitle
	first       *firstScreen
	Summary     sessionSummary
	Input       *keyInput
	folders     *workingFolders

	stored     eventSet // events on the timeline that a resume replays
	hadSession bool     // one was open here
	failed     string   // why the session could not be opened last, as it was shown
}

// options are what the user chooses for the session: its model, mode and agent, what it
// may do without asking, and its skills.
type options struct{ *core }

// exports write the conversation, or a part of it, to where others read it.
type exports struct{ *core }

// reports show what is known: of the session its facts, its context and what it used, of
// Parley its keys, its version and how the terminal is set up.
type reports struct {
	*core
	draft *promptDraft
}

// New returns one that opens, with an agent, in a folder and with a session; "" is a new
// one.
func New(w *Window, id ID, with *Backend, dir string, resume session.ID) *Conversation {
	o := w.optionsOf(with)
	k := &core{
		win: w, ID: id, Backend: with, Opening: true, Resume: resume, dir: dir, shells: map[int]context.CancelFunc{},
		Pane:     transcript.Pane{Density: w.Config.density(), Opts: render.Options{Times: w.Config.Times()}},
		Composer: composer.New(w.Ctx, w.prompts, w.Vim),
		Info:     session.Info{Agent: with.Name, Model: o.Model, Mode: o.Mode, Dir: dir},
	}
	k.Nav = navigation.New(w.Ctx, &k.Pane)
	c := conversationOf(k)
	c.Commands.Handlers = commandHandlers(c)
	return c
}

// conversationOf puts the parts of a conversation together.
func conversationOf(k *core) *Conversation {
	c := &Conversation{
		core: k, Options: options{k}, Exports: exports{k}, Reports: reports{core: k},
		Todos: todos{core: k}, Tasks: tasks{core: k}, MCP: mcp{core: k},
	}
	c.Draft, c.Blocks = &promptDraft{core: k}, &blockActions{k}
	c.Recovery, c.recall = &draftRecovery{core: k, draft: c.Draft}, &promptRecall{core: k, draft: c.Draft}
	c.Reports.draft = c.Draft
	c.Queue = &promptQueue{core: k, draft: c.Draft}
	c.Commands = &slashCommands{core: k, draft: c.Draft, queue: c.Queue, options: &c.Options}
	c.Answers = &pendingAnswers{core: k, draft: c.Draft, queue: c.Queue}
	c.account = &account{core: k, draft: c.Draft, queue: c.Queue}
	c.Attention = &attention{core: k, queue: c.Queue}
	c.shell = &userShells{core: k, draft: c.Draft}
	c.Checkpoints = &checkpoints{core: k, draft: c.Draft}
	c.titles, c.folders = &sessionTitle{k}, &workingFolders{k}
	c.past = &pastReader{core: k, titles: c.titles}
	c.first = &firstScreen{core: k, answers: c.Answers, draft: c.Draft, account: c.account}
	c.Draft.servers = func() []string { return c.MCP.namedServers(c.first.servers) }
	c.Summary = sessionSummary{core: k, draft: c.Draft, queue: c.Queue, tasks: &c.Tasks, todos: &c.Todos}
	c.Input = &keyInput{
		core: k, blocks: c.Blocks, draft: c.Draft, queue: c.Queue, commands: c.Commands, shell: c.shell,
		checkpoints: c.Checkpoints, account: c.account, first: c.first,
	}
	return c
}

// Open starts the agent of the conversation, if it does not run yet, and its
// session.
func (c *Conversation) Open() tea.Cmd {
	if c.ReadOnly != nil {
		return c.own(openReading(c.win.Ctx, c.win.Config, c.Resume))
	}
	config := c.win.Config
	config.Agent, config.Options = c.Backend.Open, c.win.optionsOf(c.Backend)
	config = config.in(c.dir)
	config.Resume, config.Continue = c.Resume, c.Continued
	return tea.Batch(c.first.resumed.find(c.first.core), c.own(open(c.win.Ctx, config, c.win.Config.Options.Dir, c.Agent)))
}

// Begin makes the conversation the first of its window: it is to continue, warn and send
// what the program that opens the window asks for.
func (c *Conversation) Begin() {
	config := c.win.Config
	c.Continued = config.Continue
	c.Reset()
	if config.Unkept != "" {
		c.Warn("drafts", config.Unkept)
		c.win.Journal.warned = true
	}
	if config.Prompt != "" {
		c.Queue.Early = []composer.Outgoing{
			{Input: session.Input{Prompt: config.Prompt, Delivery: session.Enqueue}, Draft: composer.Plain(config.Prompt)[0]},
		}
	}
}

// in is the configuration with another working folder.
func (c Config) in(dir string) Config {
	if dir != "" {
		c.Options.Dir = dir
	}
	return c
}

// Message is a message to one conversation.
type Message struct {
	To  ID
	Msg tea.Msg
}

// own is a command whose messages are for the conversation.
func (c *core) own(cmd tea.Cmd) tea.Cmd {
	return addressed(c.ID, cmd, func(msg tea.Msg) bool { return msg != nil })
}

// addressed is a command of whose messages those that match are for a conversation.
func addressed(to ID, cmd tea.Cmd, match func(tea.Msg) bool) tea.Cmd {
	if cmd == nil {
		return nil
	}
	return func() tea.Msg {
		msg := cmd()
		if batch, ok := msg.(tea.BatchMsg); ok {
			for i, cmd := range batch {
				batch[i] = addressed(to, cmd, match)
			}
		} else if match(msg) {
			return Message{to, msg}
		}
		return msg
	}
}

// Receive takes a message of the session, or of one of the conversation's jobs, and no other.
func (c *Conversation) Receive(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case EventsMsg:
		return c.events(msg)
	case OpenedMsg:
		return c.opened(msg)
	case SentMsg:
		return c.Queue.sent(msg)
	case RespondedMsg:
		return c.Answers.responded(msg)
	case EndedMsg:
		c.Closed(msg)
	case AbortedMsg:
		c.aborted(msg)
	case fetchedMsg:
		if msg.session == c.Session {
			return msg.take()
		}
	case shownMsg:
		return c.shown(msg)
	case navigation.Msg:
		return c.Blocks.Do(c.Nav.Receive(msg))
	case ResultMsg:
		return c.result(msg)
	case shellMsg:
		return c.shell.shellEnded(msg)
	case composer.Msg:
		return c.Draft.compose(func(of *composer.Composer) tea.Cmd { return of.Receive(msg) })
	case RecoveredMsg:
		return c.Recovery.recovered(msg)
	case promptsMsg:
		return c.recall.promptsFound(msg)
	case composer.PromptsMsg:
		c.recall.promptsSaved(msg)
	case SavedMsg:
		c.Recovery.Saved(msg)
	}
	return nil
}

// ShownID is the session that the conversation shows, or is about to; "" is none that
// has an id yet.
func (c *core) ShownID() session.ID {
	if c.Session != nil {
		return c.Info.ID
	}
	return cmp.Or(c.Current(), c.Resume)
}

// Holds reports whether the conversation shows a session, or is about to.
func (c *core) Holds(id session.ID) bool { return id != "" && c.ShownID() == id }

// Reset forgets the session that was shown. The draft stays.
func (c *Conversation) Reset() {
	c.Timeline, c.ModelView = timeline.New(), modelview.New()
	c.newQuestions()
	c.Queue.Notes, c.Answers.asked = nil, map[session.RequestID]session.Event{}
	c.Queue.Pending, c.Queue.Early, c.Aborting, c.Talked, c.Disconnected, c.Wanted = nil, nil, time.Time{}, false, false, nil
	c.stored, c.Recent = eventSet{}, trace.RecentEvents{}
	c.account.warned, c.account.signedOut, c.Queue.unanswered = false, false, nil
	c.ForgetSession()
	c.Nav.Reset()
	density, options := c.Pane.Density, c.Pane.Opts
	c.Pane = transcript.New(c.Timeline, render.Options{
		Width: options.Width, Theme: c.win.Theme, Times: options.Times, Location: c.win.Zone,
		Home: c.win.Config.Home, Dir: c.Info.Dir, SplitDiffs: options.SplitDiffs,
	})
	c.Pane.Density, c.Pane.Images, c.Pane.Outside, c.Pane.Air = density, c.win.Images, c.ModelView.Removed, true
	if p := Over[*panel.Panel](c.win); p != nil && p.Body != nil {
		c.CloseOverlays() // it was of the session that was left
	}
}

// newQuestions forgets the questions of a session that was left.
func (c *core) newQuestions() {
	before := c.Questions
	c.Questions, c.Painting = prompts.NewQueue(), painting{}
	if before != nil {
		c.Questions.Restore(before.Written())
	}
	c.Questions.Folders(c.win.Config.Home, c.Info.Dir)
	c.Questions.Bind(c.win.cards)
}

// Current is the session's id when something was said in it that its agent
// keeps.
func (c *core) Current() session.ID {
	if c.Info.Demo || c.ReadOnly != nil || c.Timeline.Status().Turns == 0 {
		return ""
	}
	return c.Info.ID
}

// Resumable is the last session of the conversation that can be resumed.
func (c *core) Resumable() session.ID { return cmp.Or(c.Current(), c.Before) }

// Busy reports whether a turn runs.
func (c *core) Busy() bool { return c.Session != nil && c.ReadOnly == nil && c.Timeline.Busy() }

// Preferred takes settings that have changed.
func (c *Conversation) Preferred(before, after settings.Settings) {
	if before.Vim != after.Vim {
		c.Composer.SetVim(after.Vim)
	}
	if before.Density != after.Density {
		c.Pane.ShowBy(c.win.Config.density())
	}
	if before.Times != after.Times {
		c.Pane.Opts.Times = c.win.Config.Times()
	}
	if before.Mouse != after.Mouse {
		c.Pane.Deselect()
	}
}
