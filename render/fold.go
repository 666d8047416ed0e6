package render

import "parley/timeline"

// Fold is how much of an entry is shown.
type Fold uint8

// The folds. Whatever failed is never shown by less than Folded shows.
const (
	Folded  Fold = iota // what its kind is usually shown by
	Line                // one line
	Whole               // all of it
	Hidden              // nothing
	Bounded             // as Whole, each text up to VerboseBytes
)

// Density is how much of a conversation is shown where nothing else was said of
// an entry.
type Density uint8

// The densities, which one key goes through.
const (
	Normal Density = iota
	Verbose
	Compact
)

// String implements fmt.Stringer.
func (d Density) String() string { return [...]string{"normal", "verbose", "compact"}[min(int(d), 2)] }

// kind is what the defaults go by.
type kind uint8

const (
	kindPrompt       kind = iota
	kindOtherSource       // what something else said in the user's name
	kindAnswer            // of the agent
	kindThinking          //
	kindRead              // a file, a page
	kindSearch            // for files and in them
	kindShell             // a command
	kindEdit              // a change
	kindMCP               // a tool of an MCP server
	kindAgent             // a sub-agent
	kindTool              // any other tool
	kindHook              //
	kindInfo              // any other notice
	kindQuestion          // a question and its answer
	kindDivider           //
	kindSummary           // of a prompt
	kindSessionEnd        // of the session
	kindUnrecognised      //
	kinds            = iota
)

// folds are the defaults. Normal shows of each kind what is usually enough to
// follow: the row of what was read or searched, the end of what a command printed,
// the changed lines of an edit, the row of a sub-agent. Compact keeps the
// conversation and what failed, and a line for all else. Verbose shows everything.
var folds = [kinds][Compact + 1]Fold{
	kindPrompt:       {Normal: Folded, Verbose: Whole, Compact: Folded},
	kindOtherSource:  {Normal: Folded, Verbose: Whole, Compact: Line},
	kindAnswer:       {Normal: Folded, Verbose: Whole, Compact: Folded}, // always all of it
	kindThinking:     {Normal: Folded, Verbose: Whole, Compact: Line},
	kindRead:         {Normal: Folded, Verbose: Whole, Compact: Line},
	kindSearch:       {Normal: Folded, Verbose: Whole, Compact: Line},
	kindShell:        {Normal: Folded, Verbose: Whole, Compact: Line},
	kindEdit:         {Normal: Folded, Verbose: Whole, Compact: Line},
	kindMCP:          {Normal: Folded, Verbose: Whole, Compact: Line},
	kindAgent:        {Normal: Folded, Verbose: Whole, Compact: Folded}, // one line, and what it does now
	kindTool:         {Normal: Folded, Verbose: Whole, Compact: Line},
	kindHook:         {Normal: Folded, Verbose: Whole, Compact: Line},
	kindInfo:         {Normal: Folded, Verbose: Whole, Compact: Line},
	kindQuestion:     {Normal: Folded, Verbose: Whole, Compact: Line},
	kindDivider:      {Normal: Folded, Verbose: Whole, Compact: Folded},
	kindSummary:      {Normal: Folded, Verbose: Whole, Compact: Line},
	kindSessionEnd:   {Normal: Folded, Verbose: Whole, Compact: Folded},
	kindUnrecognised: {Normal: Folded, Verbose: Whole, Compact: Line},
}

// FoldOf is how an entry is shown at a density: the defaults of its kind. What
// is shown for completeness is there only in Verbose. Verbose shows all of what
// still grows, and of what has ended up to VerboseBytes of each text. A call that
// runs or was refused is shown as usual even in Compact.
func FoldOf(e *timeline.Entry, d Density) Fold {
	if e.VerboseOnly && d != Verbose {
		return Hidden
	}
	f := folds[kindOf(e)][min(d, Compact)]
	switch {
	case f == Whole && e.State.Final() && bytesOf(e) > VerboseBytes:
		return Bounded
	case f == Line && (e.State == timeline.Live || e.State == timeline.Refused) && isCall(e):
		return Folded
	}
	return shownAs(e, f)
}

// kindOf is the kind of an entry. The set of bodies is closed; a test checks
// that each is named here.
func kindOf(e *timeline.Entry) kind {
	switch b := e.Body.(type) {
	case *timeline.Prompt:
		if b.Source != "" {
			return kindOtherSource
		}
		return kindPrompt
	case *timeline.Message:
		return kindAnswer
	case *timeline.Reasoning:
		return kindThinking
	case *timeline.ToolCall:
		return kindOfCall(b)
	case *timeline.Notice:
		if b.Category == "hook" {
			return kindHook
		}
		return kindInfo
	case *timeline.AnsweredQuestion:
		return kindQuestion
	case *timeline.Divider:
		return kindDivider
	case *timeline.Summary:
		return kindSummary
	case *timeline.SessionEnd:
		return kindSessionEnd
	case *timeline.Unrecognised:
	}
	return kindUnrecognised
}

func kindOfCall(c *timeline.ToolCall) kind {
	f := families[c.Family()]
	switch {
	case c.Agent != nil:
		return kindAgent
	case c.Server != "":
		return kindMCP
	case f.fold == foldDiff:
		return kindEdit
	}
	switch f.verb {
	case "shell":
		return kindShell
	case "read", "fetch":
		return kindRead
	case "search", "find", "list":
		return kindSearch
	}
	return kindTool
}

func isCall(e *timeline.Entry) bool {
	_, ok := e.Body.(*timeline.ToolCall)
	return ok
}

// bytesOf is how much there is to show of an entry, about.
func bytesOf(e *timeline.Entry) int {
	switch b := e.Body.(type) {
	case *timeline.Prompt:
		return len(b.Text)
	case *timeline.Reasoning:
		return b.Text.Len()
	case *timeline.ToolCall:
		return b.Output.Len() + len(b.Result) + len(b.Detail) + len(b.Arguments)
	case *timeline.Notice:
		return len(b.Detail)
	case *timeline.Unrecognised:
		return len(b.Raw)
	}
	return 0
}

// shownAs is how an entry is shown that is asked for at a fold: what failed is
// not made smaller.
func shownAs(e *timeline.Entry, f Fold) Fold {
	if (f == Line || f == Hidden) && failed(e) {
		return Folded
	}
	return f
}

func failed(e *timeline.Entry) bool {
	switch b := e.Body.(type) {
	case *timeline.ToolCall:
		return agentFailed(e, b)
	case *timeline.Notice:
		return e.State == timeline.Failed || b.Level >= timeline.Warning
	}
	return e.Failure()
}

// Shown reports whether an entry draws anything at all.
func Shown(e *timeline.Entry, o Options) bool {
	return shownAs(e, o.Fold) != Hidden && !blank(e)
}
