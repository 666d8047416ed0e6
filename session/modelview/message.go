package modelview

import (
	"strings"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"parley/session"
)

// Role says in whose name a message reaches the model.
type Role string

// The roles of chat messages.
const (
	System    Role = "system"
	Developer Role = "developer"
	User      Role = "user"
	Assistant Role = "assistant"
	Tool      Role = "tool" // what a call gave back
)

// ID names a message of one agent for as long as it stands in the
// conversation, also while others come and go, and no other ever: what has the
// same id says the same. A text that is repeated unchanged keeps it. It is the
// event that said it, counted, and which of the messages that the event made.
type ID struct {
	Event uint64
	N     int
}

// Message is one message as the model gets it. Its slices belong to the View:
// callers read them.
type Message struct {
	ID   ID
	Role Role
	// Name distinguishes several system or developer messages; "" for the rest.
	Name string
	// Source says who put a message there in the user's name. It is empty for
	// what a user wrote and for every other role.
	Source  Source
	Content []Part
	// Reasoning is the thinking that led to an assistant's message.
	Reasoning string
	Calls     []Call // what an assistant's message asks for
	// CallID is the call that a message of role Tool answers, and ToolName its
	// tool.
	CallID   session.CallID
	ToolName string
	// ExtraFields are what else the message holds, for agents that know it.
	ExtraFields []ExtraField
	// Interrupted marks the answer to a call that never got a result.
	Interrupted bool

	At     time.Time         // when it came to be
	Origin []session.EventID // the events it was made from
}

// Part is a piece of a message: a text, or an image or document with a text
// that names it.
type Part struct {
	Text string
	Blob *Blob // the image or document; nil for a text
	// File is the text file that Text holds, which came along with a prompt; nil
	// for any other part.
	File *session.Attachment
}

// equal compares two parts by what they hold.
func (p Part) equal(other Part) bool {
	if p.Text != other.Text || p.File != other.File || (p.Blob == nil) != (other.Blob == nil) {
		return false
	}
	return p.Blob == nil || *p.Blob == *other.Blob
}

// Blob is the content of an image or a document.
type Blob struct {
	Data     string // base64; "" for bytes that the log does not hold
	MIMEType string
}

// Call is one tool call that an assistant's message asks for.
type Call struct {
	ID        session.CallID
	Name      string
	Arguments jsontext.Value // an object, or a string for a custom tool
}

// Source is who put a message into the conversation in the user's name. Name
// says which one: the kind of a notification, the name of a skill.
type Source struct {
	Kind SourceKind
	Name string
}

// SourceKind is the kind of a Source.
type SourceKind string

// The sources of messages in the user's name that no user wrote.
const (
	FromUser         SourceKind = ""              // a user did
	FromSender       SourceKind = "sender"        // a user.message with a source: autopilot, agent-…, command-…, schedule-…
	FromNotification SourceKind = "notification"  // of the runtime; Name is its kind
	FromSkill        SourceKind = "skill"         // the text of a skill
	FromMode         SourceKind = "mode"          // what a mode demands
	FromShell        SourceKind = "shell"         // a command that the user ran
	FromCall         SourceKind = "tool call"     // another tool that the user ran; Name is the tool
	FromTool         SourceKind = "tool"          // images that a tool gave back
	FromSummary      SourceKind = "summary"       // of what was compacted away
	FromClear        SourceKind = "new beginning" // of a conversation that was cleared
)

// Text is the text of the message, its parts apart by a line break.
func (m Message) Text() string {
	if len(m.Content) == 1 {
		return m.Content[0].Text
	}
	texts := make([]string, 0, len(m.Content))
	for _, p := range m.Content {
		if p.Text != "" {
			texts = append(texts, p.Text)
		}
	}
	return strings.Join(texts, "\n")
}

// Size is the number of bytes the message takes: its texts, the names and
// arguments of its calls, and its images as they are sent.
func (m Message) Size() int {
	n := len(m.Name) + len(m.Reasoning)
	for _, p := range m.Content {
		n += len(p.Text)
		if p.Blob != nil {
			n += len(p.Blob.Data)
		}
	}
	for _, c := range m.Calls {
		n += len(c.Name) + len(c.Arguments)
	}
	for _, b := range m.ExtraFields {
		n += len(b.Key) + len(b.Value)
	}
	return n
}

// text is the content of a message that has one text.
func text(s string) []Part { return []Part{{Text: s}} }
