// Package theme gives every role on the screen its style. Code names a token,
// never a colour; palettes may change, roles may not.
package theme

// Token is a role of text on the screen.
type Token uint8

// The tokens, each with what it is for.
const (
	Text         Token = iota // normal text
	Dim                       // done, secondary: times, hints, folded parts
	Strong                    // bold: running or important
	Accent                    // focus, and "you are needed"
	Success                   // success marks
	Warning                   // warnings and danger
	Error                     // failures
	Prompt                    // the user's words: subtle background
	PromptMark                // the bar before them
	Thinking                  // reasoning
	ToolName                  // the verb of a tool line
	ToolSubject               // what a tool works on
	Output                    // tool output
	Added                     // added lines of a diff
	Removed                   // removed lines of a diff
	Hunk                      // hunk headers, line numbers
	Heading                   // markdown headings
	Emphasis                  // italic
	StrongText                // bold in markdown
	Code                      // inline code
	Link                      // links
	Quote                     // block quotes
	Rule                      // rules and separators
	Border                    // frame of a dialog that is not armed
	BorderArmed               // frame of an armed dialog
	Selected                  // the chosen row
	Key                       // a key name in hints
	Status                    // the status line
	StatusStrong              // what the agent does now, and its mode
	StatusLoud                // that the agent works without asking
	Hidden                    // visible tokens for hidden characters
	SyntaxKeyword
	SyntaxString
	SyntaxNumber
	SyntaxComment
	SyntaxName
	SyntaxType
	SyntaxOperator
	PromptDim   // times and attachments on the background of a prompt
	AddedLine   // the ground of an added line of a diff, and its text
	RemovedLine // the ground of a removed line, and its text
	AddedWord   // what is new inside an added line
	RemovedWord // what goes inside a removed line
	Chip        // a paste or an attachment in a draft
	Mention     // a file, an issue or a command that a draft names
	Match       // what was searched for
	MatchNow    // the match that one is at

	// Tokens is the number of tokens.
	Tokens = int(MatchNow) + 1
)

// String returns the name of the role in lower case, such as "prompt-mark".
// Goldens show it and theme files use it.
func (t Token) String() string {
	if int(t) >= Tokens {
		return "unknown"
	}
	return tokenNames[t]
}

var tokenNames = [Tokens]string{
	Text: "text", Dim: "dim", Strong: "strong", Accent: "accent", Success: "success", Warning: "warning",
	Error: "error", Prompt: "prompt", PromptMark: "prompt-mark", Thinking: "thinking", ToolName: "tool-name",
	ToolSubject: "tool-subject", Output: "output", Added: "added", Removed: "removed", Hunk: "hunk",
	Heading: "heading", Emphasis: "emphasis", StrongText: "strong-text", Code: "code", Link: "link",
	Quote: "quote", Rule: "rule", Border: "border", BorderArmed: "border-armed", Selected: "selected",
	Key: "key", Status: "status", StatusStrong: "status-strong", StatusLoud: "status-loud", Hidden: "hidden",
	SyntaxKeyword: "syntax-keyword", SyntaxString: "syntax-string", SyntaxNumber: "syntax-number",
	SyntaxComment: "syntax-comment", SyntaxName: "syntax-name", SyntaxType: "syntax-type",
	SyntaxOperator: "syntax-operator", PromptDim: "prompt-dim",
	AddedLine: "added-line", RemovedLine: "removed-line", AddedWord: "added-word", RemovedWord: "removed-word",
	Chip: "chip", Mention: "mention", Match: "match", MatchNow: "match-now",
}
