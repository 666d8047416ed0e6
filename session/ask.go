package session

import (
	"errors"
	"fmt"
	"maps"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// ErrResolved is returned by Respond for a question that was answered before,
// here or elsewhere, or that the agent withdrew.
var ErrResolved = errors.New("the question was already resolved")

// Ask is an event that blocks the agent until it is answered.
type Ask interface {
	Body
	Request() RequestID
	// Withdrawn returns the event that ends the question without an answer, with a
	// reason where it has a place for one; nil if the user never sees the question.
	Withdrawn(why string) Body
}

// Resolved is an event that ends a question, whoever answered it.
type Resolved interface {
	Body
	Resolves() RequestID
}

// Answer is what a user, or a rule that refuses for them, says to an Ask.
type Answer interface {
	Request() RequestID
	// Summary returns what was decided in one of a few words, for logs: nothing that
	// the user or the agent wrote.
	Summary() string
	answer()
}

// Decision is an answer to permission.requested.
type Decision string

// The decisions the runtime accepts (docs/protocol.md, section 7.1).
const (
	ApproveOnce               Decision = "approve-once"
	ApproveForSession         Decision = "approve-for-session"
	ApproveForLocation        Decision = "approve-for-location"
	ApprovePermanently        Decision = "approve-permanently"
	ApproveReadOnlyForSession Decision = "approve-read-only-for-session"
	Reject                    Decision = "reject"
)

// Approves reports whether d lets the agent do what it asked for.
func (d Decision) Approves() bool {
	switch d {
	case ApproveOnce, ApproveForSession, ApproveForLocation, ApprovePermanently, ApproveReadOnlyForSession:
		return true
	case Reject:
	}
	return false
}

// PermissionAnswer answers PermissionRequested.
type PermissionAnswer struct {
	RequestID RequestID
	Decision  Decision
	// OptionID is the option that was chosen, of a request that has Options.
	OptionID string
	// Feedback goes with Reject: with it the turn continues, without it the
	// agent stops the turn.
	Feedback string
	// Approval says what a session or location approval covers. The agent
	// treats a nil one as ApproveOnce.
	Approval *Approval
	// Domain takes Approval's place for addresses ("https://host:port").
	Domain string
	// Directories are covered by ApproveReadOnlyForSession.
	Directories []string
	// Note is sent as an immediate message after the approved call has
	// completed (docs/decisions.md 5). It is carried by the user interface; agents
	// ignore it.
	Note string
}

// Approval is the exact thing that a session or location approval remembers.
type Approval struct {
	Kind               string   `json:"kind"` // commands, read, write, mcp, custom-tool, memory
	CommandIdentifiers []string `json:"commandIdentifiers,omitzero"`
	ServerName         string   `json:"serverName,omitzero"`
	ToolName           *string  `json:"toolName,omitzero"` // nil on kind mcp covers every tool of the server

	Extra jsontext.Value `json:",embed"`
}

// UserInputAnswer answers UserInputRequested.
type UserInputAnswer struct {
	RequestID RequestID
	Text      string
	Freeform  bool // typed, not one of the choices
}

// ElicitationAction is how a form ends.
type ElicitationAction string

// The actions of an elicitation.
const (
	Accept  ElicitationAction = "accept"
	Decline ElicitationAction = "decline"
	Cancel  ElicitationAction = "cancel"
)

// ElicitationAnswer answers ElicitationRequested.
type ElicitationAnswer struct {
	RequestID RequestID
	Action    ElicitationAction
	Content   map[string]any // field to value; only with Accept
	// Secret are the fields of Content whose values are for the agent alone: they are neither
	// shown nor stored.
	Secret []string
}

// hiddenValue stands for the value of a field that is secret.
const hiddenValue = "(not shown)"

// Shown returns the content as it may be shown and stored.
func (a ElicitationAnswer) Shown() map[string]any {
	shown := maps.Clone(a.Content)
	for _, name := range a.Secret {
		if _, given := shown[name]; given {
			shown[name] = hiddenValue
		}
	}
	return shown
}

// ExitPlanModeAnswer answers ExitPlanModeRequested.
type ExitPlanModeAnswer struct {
	RequestID        RequestID
	Approved         bool
	Action           string // one of the request's actions; also one that does not approve
	AutoApproveEdits bool
	Feedback         string
}

// FolderTrustAnswer answers FolderTrustRequested.
type FolderTrustAnswer struct {
	RequestID RequestID
	Trusted   bool
	Remember  bool // for later sessions too, not for this one alone
}

// Refusal declines any Ask, whatever its kind, and says why: what has no
// dialog, or what comes while no user can answer. It never approves, and with
// feedback the turn continues (docs/decisions.md 6).
type Refusal struct {
	RequestID RequestID
	Kind      Kind // of the Ask
	Feedback  string
}

// DefaultRefusal is what an agent gets to read with a refusal that has no feedback. A
// plain reject would end the turn (docs/decisions.md 6).
const DefaultRefusal = "No user could answer this question, so it was refused."

// Refuse returns the refusal of a question, with what the agent gets to read; "" for
// words of its own.
func Refuse(ask Ask, feedback string) Refusal {
	return Refusal{RequestID: ask.Request(), Kind: KindOf(ask), Feedback: feedback}
}

// Request implements Answer.
func (a PermissionAnswer) Request() RequestID { return a.RequestID }

// Summary implements Answer.
func (a PermissionAnswer) Summary() string {
	if a.Decision.Approves() || a.Decision == Reject {
		return "permission " + string(a.Decision)
	}
	return "permission"
}

// Request implements Answer.
func (a UserInputAnswer) Request() RequestID { return a.RequestID }

// Summary implements Answer.
func (UserInputAnswer) Summary() string { return "text" }

// Request implements Answer.
func (a ElicitationAnswer) Request() RequestID { return a.RequestID }

// Summary implements Answer.
func (a ElicitationAnswer) Summary() string {
	switch a.Action {
	case Accept, Decline, Cancel:
		return "form " + string(a.Action)
	}
	return "form"
}

// Request implements Answer.
func (a ExitPlanModeAnswer) Request() RequestID { return a.RequestID }

// Summary implements Answer.
func (a ExitPlanModeAnswer) Summary() string { return fmt.Sprintf("plan approved %t", a.Approved) }

// Request implements Answer.
func (a FolderTrustAnswer) Request() RequestID { return a.RequestID }

// Summary implements Answer.
func (a FolderTrustAnswer) Summary() string { return fmt.Sprintf("folder trusted %t", a.Trusted) }

// Request implements Answer.
func (a Refusal) Request() RequestID { return a.RequestID }

// Summary implements Answer.
func (Refusal) Summary() string { return "refusal" }

func (PermissionAnswer) answer()   {}
func (UserInputAnswer) answer()    {}
func (ElicitationAnswer) answer()  {}
func (ExitPlanModeAnswer) answer() {}
func (FolderTrustAnswer) answer()  {}
func (Refusal) answer()            {}

// FolderTrustRequested asks whether the agent may load what the working
// folder brings along: instructions, skills, servers it would start
// (docs/decisions.md 11). Backends emit it themselves; the runtime has no such event.
type FolderTrustRequested struct {
	body
	RequestID RequestID        `json:"requestId"`
	Folder    string           `json:"folder"`
	Loads     []FolderContents `json:"loads"`
}

// FolderContents is one thing a trusted folder would load or start.
type FolderContents struct {
	Path string `json:"path"` // relative to the folder; absolute if it is none of the folder's
	What string `json:"what"` // in words: "instructions", "an MCP server: npx files"
}

// Request implements Ask.
func (r FolderTrustRequested) Request() RequestID { return r.RequestID }

// Withdrawn implements Ask.
func (r FolderTrustRequested) Withdrawn(string) Body {
	return FolderTrustCompleted{RequestID: r.RequestID}
}

// FolderTrustCompleted resolves FolderTrustRequested.
type FolderTrustCompleted struct {
	body
	RequestID  RequestID `json:"requestId"`
	Trusted    bool      `json:"trusted"`
	Remembered bool      `json:"remembered,omitzero"` // in every session from now on
}

// Resolves implements Resolved.
func (c FolderTrustCompleted) Resolves() RequestID { return c.RequestID }

// Attachment is a file, folder, selection or blob sent with a prompt
// (user.message attachments).
type Attachment struct {
	Type        string         `json:"type"` // file, directory, selection, blob, github_*
	Path        string         `json:"path,omitzero"`
	FilePath    string         `json:"filePath,omitzero"` // of a selection
	DisplayName string         `json:"displayName,omitzero"`
	LineRange   *LineRange     `json:"lineRange,omitzero"`
	Text        string         `json:"text,omitzero"`
	Selection   jsontext.Value `json:"selection,omitzero"`
	Data        string         `json:"data,omitzero"` // base64
	MIMEType    string         `json:"mimeType,omitzero"`
	// Number, Title, ReferenceType, State and URL are of what is on GitHub: an
	// issue, a pull request or a discussion. Other things there have some of them.
	Number        int    `json:"number,omitzero"`
	Title         string `json:"title,omitzero"`
	ReferenceType string `json:"referenceType,omitzero"` // issue, pr or discussion
	State         string `json:"state,omitzero"`         // such as open, closed, merged
	URL           string `json:"url,omitzero"`
	// TaggedFilesEntry is the line by which the model learns of a file or folder;
	// undocumented, seen in practice.
	TaggedFilesEntry string         `json:"taggedFilesEntry,omitzero"`
	Extra            jsontext.Value `json:",embed"`
}

// Reference names what an attachment refers to, such as an issue on GitHub: its
// number and its title; "" if it has neither.
func (a Attachment) Reference() string {
	if a.Number > 0 {
		return strings.TrimSpace("#" + strconv.Itoa(a.Number) + " " + a.Title)
	}
	return a.Title
}

// Lines returns the lines of a file that an attachment is about, counted from 1;
// those of a selection are counted from 0 on the wire. It reports false for a
// whole file, and for lines that no file has.
func (a Attachment) Lines() (LineRange, bool) {
	r := LineRange{}
	if a.LineRange != nil {
		r = *a.LineRange
	} else {
		type position struct {
			Line *int `json:"line"`
		}
		var s struct {
			Start position `json:"start"`
			End   position `json:"end"`
		}
		if json.Unmarshal(a.Selection, &s, lenient()) != nil || s.Start.Line == nil {
			return r, false
		}
		r.Start = *s.Start.Line + 1
		if s.End.Line != nil {
			r.End = *s.End.Line + 1
		}
	}
	r.End = max(r.Start, r.End)
	return r, r.Start > 0
}

// LineRange is a span of lines, counted from 1, both ends included.
type LineRange struct {
	Start int            `json:"start"`
	End   int            `json:"end"`
	Extra jsontext.Value `json:",embed"`
}

// The kinds of questions about folders. The names are Parley's own.
const (
	KindFolderTrustRequested Kind = "parley.folder_trust.requested"
)

var askCodecs = []codec{
	of[FolderTrustRequested](KindFolderTrustRequested),
	of[FolderTrustCompleted]("parley.folder_trust.completed"),
}
