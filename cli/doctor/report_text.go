package doctor

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"parley/render/text"
	"parley/theme"
)

// level says how well something is.
type level string

// The levels.
const (
	levelOK      level = "ok"
	levelNote    level = "note"    // it could be better, or is not known
	levelProblem level = "problem" // it does not work
)

// finding is one line of the doctor's: what was looked at, what it is, and what
// to do about it.
type finding struct {
	Name  string `json:"name"`
	Level level  `json:"level"`
	Value string `json:"value"`
	Do    string `json:"do,omitempty"`
	// Stops is true when Parley cannot work like this.
	Stops bool `json:"stops,omitempty"`
}

// section is what was found out about one thing.
type section struct {
	Title    string    `json:"title"`
	Findings []finding `json:"findings"`
}

// diagnosis is all of it.
type diagnosis struct {
	Parley   string    `json:"parley"`
	System   string    `json:"system"`
	Works    bool      `json:"works"`
	Sections []section `json:"sections"`
}

// diagnose makes findings of facts.
func diagnose(f Facts) diagnosis {
	d := diagnosis{Parley: f.Version, System: f.system, Works: true, Sections: []section{
		{"Terminal", terminalFindings(f)},
		{"Agent", agentFindings(f.Agent)},
		{"Folders", folderFindings(f.folders)},
		{"Files", fileFindings(f.Files)},
		{"Programs", programFindings(f)},
	}}
	if all := systemFindings(f.system); len(all) > 0 {
		d.Sections = append(d.Sections, section{"System", all})
	}
	if len(f.acp) > 0 {
		d.Sections = slices.Insert(d.Sections, 2, section{"Other agents", f.acp})
	}
	if len(f.chats) > 0 {
		d.Sections = slices.Insert(d.Sections, 2, section{"Chat agents", f.chats})
	}
	for _, s := range d.Sections {
		d.Works = d.Works && !slices.ContainsFunc(s.Findings, func(f finding) bool { return f.Stops })
	}
	return d
}

// verdict is the diagnosis in one sentence.
func (d diagnosis) verdict() string {
	count := map[level]int{}
	for _, s := range d.Sections {
		for _, f := range s.Findings {
			count[f.Level]++
		}
	}
	s := "No problems found."
	problems, notes := count[levelProblem], count[levelNote]
	switch {
	case !d.Works:
		s = "Parley cannot work like this."
	case problems > 0:
		s = "Parley works, but not all of it."
	case notes > 0:
		s = "Parley works."
	}
	if problems > 0 {
		s += " " + text.Count(problems, "problem") + "."
	}
	if notes > 0 {
		s += " " + text.Count(notes, "note") + "."
	}
	return s
}

// JSON is the diagnosis for programs.
func (d diagnosis) JSON() ([]byte, error) {
	text, err := json.MarshalIndent(d, "", "  ")
	if err != nil {
		return nil, fmt.Errorf("write the diagnosis as JSON: %w", err)
	}
	return append(text, '\n'), nil
}

const (
	// nameColumn is the widest of what a finding is about.
	nameColumn = 14
	// doctorWidth is the widest that findings are drawn.
	doctorWidth = 100
)

// lines draws the diagnosis in lines of a width.
func (d diagnosis) lines(width int, th *theme.Theme) []string {
	width = min(width, doctorWidth)
	out := []string{th.Render(theme.Dim, text.Truncate("Parley "+d.Parley+" on "+d.System, width, "..."))}
	for _, s := range d.Sections {
		out = append(out, "", th.Render(theme.Heading, s.Title))
		for _, f := range s.Findings {
			out = append(out, f.lines(width, th)...)
		}
	}
	out = append(out, "")
	for _, l := range text.Wrap(d.verdict(), width) {
		out = append(out, th.Render(theme.Strong, l))
	}
	return out
}

// lines draws a finding: its mark, its name, what it is, and below that what to
// do.
func (f finding) lines(width int, th *theme.Theme) []string {
	mark, token := theme.MarkDone, theme.Success
	switch f.Level {
	case levelNote:
		mark, token = theme.MarkWarning, theme.Warning
	case levelProblem:
		mark, token = theme.MarkFailed, theme.Error
	case levelOK:
	}
	name := min(nameColumn, max(4, width/3))
	left := name + 3
	room := max(8, width-left)
	label := text.Truncate(f.Name, name, "...")
	before := th.Render(token, th.Glyph(mark)) + " " + th.Render(theme.Dim, label) + strings.Repeat(" ", name-text.Width(label)+1)
	var out []string
	for _, l := range text.Wrap(text.SanitizeLine(f.Value), room) {
		out = append(out, strings.TrimRight(before+th.Render(theme.Text, l), " "))
		before = strings.Repeat(" ", left)
	}
	if f.Do != "" {
		arrow := th.Glyph(theme.MarkArrow) + " "
		before = strings.Repeat(" ", left) + th.Render(token, arrow)
		for _, l := range text.Wrap(text.SanitizeLine(f.Do), room-text.Width(arrow)) {
			out = append(out, before+th.Render(theme.Text, l))
			before = strings.Repeat(" ", left+text.Width(arrow))
		}
	}
	return out
}
