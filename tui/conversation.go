package tui

import (
	"cmp"
	"context"
	"time"

	tea "charm.land/bubbletea/v2"

	"parley/prompts"
	"parley/session"
	"parley/session/modelview"
	"parley/session/trace"
	"parley/timeline"
	"parley/tui/composer"
	"parley/tui/navigation"
	"parley/tui/transcript"
)

// conversationID names a conversation of the window. None is given twice.
type conversationID int

// core is what the parts of a conversation have in common: its session, what is known of
// it, the pane that shows it, and what the user is to know. It does what concerns one
// session and nothing that is written.
type core struct {
	win      *windowState
	id       conversationID
	requests []request // what the window is asked for

	agent        session.Agent   // that serves it; nil while it starts
	session      session.Session // nil while it opens and after it ended
	resume       session.ID      // the session it is to resume; "" is a new one
	continued    bool            // it is to resume the last one of its folder
	readOnly     *pastSession    // it is only read here; nil where one resumes it
	dir          string          // where it is to work
	opening      bool
	disconnected bool       // the session ended without being asked to; enter reconnects
	before       session.ID // the session that was left last
	turnstile    turnstile  // what must not overtake passes it

	info      session.Info
	timeline  *timeline.Timeline
	modelView *modelview.View    // what the model sees of it
	recent    trace.RecentEvents // its last events
	questions *prompts.Queue
	painting  painting
	wanted    []session.Mode // asked for, in their order, and not yet reported by the session
	metered   bool           // the session reported how full the context is since it was opened
	outdated  bool           // the model is another one since
	aborting  time.Time      // since when an interrupt waits for its effect
	wrote     bool           // the user sent something
	talked    bool           // there is a conversation, and no first screen any more

	pane     transcript.Pane
	nav      *navigation.Navigator // in the pane
	composer composer.Composer
	shells   map[int]context.CancelFunc // commands of the user's that run
	hint     hint
	armed    armed // a key that must be pressed twice
	news     bool  // a turn ended, or an error came, while another one was on the screen

	agentCommands []session.SlashCommand // the agent's own
}

// conversation is one session of the window with all that belongs to it alone:
// its projections, its questions, its draft and its place on the timeline.
type conversation struct {
	*core
	options options
	exports exports
	reports reports
	todos   todos
	tasks   tasks
	mcp     mcp

	blocks      *blockActions
	draft       *promptDraft
	queue       *promptQueue
	commands    *slashCommands
	answers     *pendingAnswers
	account     *account
	attention   *attention
	shell       *userShells
	recovery    *draftRecovery
	recall      *promptRecall
	checkpoints *checkpoints
	past        *pastReader
	titles      *sessionTitle
	first       *firstScreen
	input       *keyInput
	folders     *workingFolders

	stored eventSet // events on the timeline that a resume replays
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

// newConversation returns one that opens, in a folder and with a session; "" is a new
// one.
func newConversation(w *windowState, id conversationID, dir string, resume session.ID) *conversation {
	o := w.config.Options
	k := &core{
		win: w, id: id, opening: true, resume: resume, dir: dir, shells: map[int]context.CancelFunc{},
		composer: composer.New(w.ctx, w.prompts, w.vim),
		info:     session.Info{Agent: w.config.AgentName, Model: o.Model, Mode: o.Mode, Dir: dir},
	}
	k.nav = navigation.New(w.ctx, &k.pane)
	c := conversationOf(k)
	c.commands.handlers = commandHandlers(c)
	return c
}

// conversationOf puts the parts of a conversation together.
func conversationOf(k *core) *conversation {
	c := &conversation{
		core: k, options: options{k}, exports: exports{k}, reports: reports{core: k},
		todos: todos{core: k}, tasks: tasks{core: k}, mcp: mcp{core: k},
	}
	c.draft, c.blocks = &promptDraft{core: k}, &blockActions{k}
	c.recovery, c.recall = &draftRecovery{core: k, draft: c.draft}, &promptRecall{core: k, draft: c.draft}
	c.reports.draft = c.draft
	c.queue = &promptQueue{core: k, draft: c.draft}
	c.commands = &slashCommands{core: k, draft: c.draft, queue: c.queue, options: &c.options}
	c.answers = &pendingAnswers{core: k, draft: c.draft, queue: c.queue}
	c.account = &account{core: k, draft: c.draft, queue: c.queue}
	c.attention = &attention{core: k, queue: c.queue}
	c.shell = &userShells{core: k, draft: c.draft}
	c.checkpoints = &checkpoints{core: k, draft: c.draft}
	c.titles, c.folders = &sessionTitle{k}, &workingFolders{k}
	c.past = &pastReader{core: k, titles: c.titles}
	c.first = &firstScreen{core: k, answers: c.answers}
	c.input = &keyInput{
		core: k, blocks: c.blocks, draft: c.draft, queue: c.queue, commands: c.commands, shell: c.shell,
		checkpoints: c.checkpoints, past: c.past,
	}
	return c
}

// open starts the agent of the conversation, if there is none yet, and its
// session.
func (c *conversation) open() tea.Cmd {
	if c.readOnly != nil {
		return c.own(openReading(c.win.ctx, c.win.config, c.resume))
	}
	config := c.win.config.in(c.dir)
	config.Resume, config.Continue = c.resume, c.continued
	return c.own(open(c.win.ctx, config, c.win.config.Options.Dir, c.agent))
}

// inMsg is a message to one conversation.
type inMsg struct {
	to  conversationID
	msg tea.Msg
}

// own is a command whose message is for the conversation.
func (c *core) own(cmd tea.Cmd) tea.Cmd { return addressed(c.id, cmd) }

// addressed is a command whose message is for a conversation.
func addressed(to conversationID, cmd tea.Cmd) tea.Cmd {
	if cmd == nil {
		return nil
	}
	return func() tea.Msg {
		switch msg := cmd().(type) {
		case nil:
			return nil
		case tea.BatchMsg:
			for i, cmd := range msg {
				msg[i] = addressed(to, cmd)
			}
			return msg
		default:
			return inMsg{to, msg}
		}
	}
}

// receive takes a message of the session, or of one of the conversation's jobs.
func (c *conversation) receive(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case eventsMsg:
		return c.events(msg)
	case openedMsg:
		return c.opened(msg)
	case sentMsg:
		return c.queue.sent(msg)
	case respondedMsg:
		return c.answers.responded(msg)
	case endedMsg:
		c.notifyDisconnected(msg)
	case abortedMsg:
		c.aborted(msg)
	case pendingMsg:
		c.queue.pendingRead(msg)
	case shownMsg:
		return c.shown(msg)
	case navigation.Msg:
		return c.blocks.do(c.nav.Receive(msg))
	case readMsg:
		return c.taken(msg)
	case doneMsg:
		c.done(msg)
	case resultMsg:
		return c.result(msg)
	case slashesMsg:
		return c.commands.learnSlashes(msg)
	case shellMsg:
		c.shell.shellEnded(msg)
	case composer.Msg:
		return c.draft.compose(func(of *composer.Composer) tea.Cmd { return of.Receive(msg) })
	case recoveredMsg:
		return c.recovery.recovered(msg)
	}
	return nil
}

// shownID is the session that the conversation shows, or is about to; "" is none that
// has an id yet.
func (c *core) shownID() session.ID {
	if c.session != nil {
		return c.info.ID
	}
	return cmp.Or(c.current(), c.resume)
}

// holds reports whether the conversation shows a session, or is about to.
func (c *core) holds(id session.ID) bool { return id != "" && c.shownID() == id }
