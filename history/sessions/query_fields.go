package sessions

import (
	"slices"
	"strings"
)

// Field is a filter of the query language, as the parser, completion, help and
// documents have it.
type Field struct {
	Name  string
	Also  []string // other names that are understood
	Kind  Kind
	Title string // what it asks for, in a few words
	// Values are all that a Choices field has; of other fields they are examples.
	Values []Value

	texts  func(*Session) []string
	number func(*Session) float64
	known  func(Known) []string
}

// Value is a value of a field and what it means.
type Value struct {
	Name, Title string

	holds func(*Session) bool
}

// Kind is what a field compares.
type Kind uint8

// The kinds of fields.
const (
	Part     Kind = iota // part of it, in capitals or not
	Number               // with k for a thousand and M for a million
	Duration             // with s, m, h
	Moment               // a date, or how long ago
	Choices              // one of the Values
)

// Fields are the filters of the query language, in the order of the documents.
func Fields() []Field { return slices.Clone(fields) }

// fields is the one table of them.
var fields = []Field{
	{
		Name: "repo", Also: []string{"repository", "project"}, Title: "part of the repository's name, or of its folder",
		texts: func(s *Session) []string { return []string{s.Repository, s.Root} },
		known: func(k Known) []string { return k.Repositories },
	},
	{
		Name: "branch", Title: "part of the branch's name",
		texts: func(s *Session) []string { return []string{s.Branch} },
		known: func(k Known) []string { return k.Branches },
	},
	{
		Name: "dir", Also: []string{"folder", "cwd"}, Title: "part of the working directory",
		texts: func(s *Session) []string { return []string{s.Dir} },
		known: func(k Known) []string { return k.Dirs },
	},
	{
		Name: "file", Also: []string{"path"}, Title: "part of the path of a file that was read or changed",
		texts: func(s *Session) []string { return s.Files },
	},
	{
		Name: "tool", Title: "part of the name of a tool that was called",
		texts: func(s *Session) []string {
			names := make([]string, 0, len(s.Tools))
			for name, calls := range s.Tools {
				if calls > 0 {
					names = append(names, name)
				}
			}
			return names
		},
		known: func(k Known) []string { return k.Tools },
	},
	{
		Name: "model", Title: "part of the name of the model that was used last",
		texts: func(s *Session) []string { return []string{s.Model} },
		known: func(k Known) []string { return k.Models },
	},
	{
		Name: "agent", Title: "the agent that held it",
		texts: func(s *Session) []string { return []string{s.Agent} },
		known: func(k Known) []string { return k.Agents },
	},
	{
		Name: "tag", Also: []string{"label"}, Title: "part of a tag that you gave it",
		texts: func(s *Session) []string { return s.Tags },
		known: func(k Known) []string { return k.Tags },
	},
	{
		Name: "title", Also: []string{"name"}, Title: "part of the title, or of a name",
		texts: func(s *Session) []string { return []string{s.Title, s.Mark.Name, s.Log.Name} },
	},
	{
		Name: "id", Also: []string{"session"}, Title: "part of the id",
		texts: func(s *Session) []string { return []string{string(s.ID)} },
	},
	{Name: "after", Also: []string{"since"}, Kind: Moment, Title: "used last at that time or later", Values: times},
	{Name: "before", Also: []string{"until"}, Kind: Moment, Title: "used last before that time", Values: times},
	{
		Name: "cost", Kind: Number, Title: "premium requests", Values: []Value{
			{Name: ">1", Title: "more than 1"}, {Name: ">10", Title: "more than 10"}, {Name: "<1", Title: "less than 1"},
		},
		number: func(s *Session) float64 { return s.Cost },
	},
	{
		Name: "tokens", Kind: Number, Title: "tokens that went in and came out", Values: []Value{
			{Name: ">10k", Title: "more than ten thousand"},
			{Name: ">100k", Title: "more than a hundred thousand"},
			{Name: ">1M", Title: "more than a million"},
		},
		number: func(s *Session) float64 { return float64(s.Tokens.Total()) },
	},
	{
		Name: "turns", Kind: Number, Title: "model calls of the agent", Values: []Value{
			{Name: ">10", Title: "more than 10"}, {Name: "<3", Title: "less than 3"},
		},
		number: func(s *Session) float64 { return float64(s.Turns) },
	},
	{
		Name: "prompts", Kind: Number, Title: "prompts that you sent", Values: []Value{
			{Name: ">10", Title: "more than 10"}, {Name: "<3", Title: "less than 3"},
		},
		number: func(s *Session) float64 { return float64(s.Prompts) },
	},
	{
		Name: "lines", Kind: Number, Title: "lines that were added and removed", Values: []Value{
			{Name: ">100", Title: "more than 100"}, {Name: ">1k", Title: "more than a thousand"}, {Name: "0", Title: "none"},
		},
		number: func(s *Session) float64 { return float64(s.Added + s.Removed) },
	},
	{
		Name: "duration", Kind: Duration, Title: "how long its turns ran", Values: []Value{
			{Name: ">10m", Title: "more than ten minutes"},
			{Name: ">1h", Title: "more than an hour"},
			{Name: "<30s", Title: "less than half a minute"},
		},
		number: func(s *Session) float64 { return s.Busy.Seconds() },
	},
	{Name: "is", Kind: Choices, Title: "how it stands", Values: states},
	{Name: "has", Kind: Choices, Title: "what is in it", Values: contents},
}

// times are examples.
var times = []Value{
	{Name: "today", Title: "the begin of today"},
	{Name: "yesterday", Title: "the begin of yesterday"},
	{Name: "monday", Title: "the last Monday, or today"},
	{Name: "7d", Title: "seven days ago"},
	{Name: "2w", Title: "two weeks ago"},
	{Name: "3mo", Title: "three months ago"},
	{Name: "2h", Title: "two hours ago"},
	{Name: "2026-11-01", Title: "the begin of a day"},
	{Name: "2026-11", Title: "the begin of a month"},
}

var states = []Value{
	{"failed", "its last turn failed", func(s *Session) bool { return s.State == Failed }},
	{"interrupted", "its last turn was interrupted", func(s *Session) bool { return s.State == Interrupted }},
	{"done", "its last turn ended by itself", func(s *Session) bool { return s.State == Done }},
	{"open", "a living process has it open", func(s *Session) bool { return s.InUse }},
	{"pinned", "you pinned it", func(s *Session) bool { return s.Pinned }},
	{"archived", "you archived it", func(s *Session) bool { return s.Archived }},
	{"deleted", "you deleted it, and it is not removed yet", func(s *Session) bool { return !s.Deleted.IsZero() }},
	{"named", "the user gave it a name", func(s *Session) bool { return s.Named || s.Mark.Name != "" }},
	{"fork", "it is a copy of another", func(s *Session) bool { return s.Parent != "" }},
	{"damaged", "its events could not be read, or not all", func(s *Session) bool { return s.ReadProblem != "" }},
}

var contents = []Value{
	{"edits", "files that it changed", func(s *Session) bool { return s.Edits > 0 }},
	{"errors", "tool calls or turns that failed", func(s *Session) bool { return s.Failures > 0 }},
	{"images", "images for the model", func(s *Session) bool { return s.Images }},
	{"plan", "a plan", func(s *Session) bool { return s.Plan }},
	{"agents", "subagents", func(s *Session) bool { return s.Agents }},
	{"tags", "tags that you gave it", func(s *Session) bool { return len(s.Tags) > 0 }},
}

// fieldNamed finds a field by its name, or another that is understood.
func fieldNamed(name string) (*Field, bool) {
	name = strings.ToLower(name)
	for i := range fields {
		if f := &fields[i]; f.Name == name || slices.Contains(f.Also, name) {
			return f, true
		}
	}
	return &Field{}, false
}

// value finds one of the values.
func (f *Field) value(name string) (Value, bool) {
	i := slices.IndexFunc(f.Values, func(v Value) bool { return strings.EqualFold(v.Name, name) })
	if i < 0 {
		return Value{}, false
	}
	return f.Values[i], true
}

// example is a value such as one may write.
func (f *Field) example() string {
	if len(f.Values) > 0 {
		return f.Name + ":" + f.Values[0].Name
	}
	return f.Name + ":tide"
}
