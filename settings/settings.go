// Package settings reads the files a user owns: what they prefer.
package settings

import (
	"path/filepath"

	"parley/settings/environ"
)

// Settings are what a user prefers. What each may be is in Table.
type Settings struct {
	// Vim edits drafts as in vim.
	Vim bool `toml:"vim"`
	// Screen is full, Inline or Reader.
	Screen string `toml:"screen"`
	// Motion is full, or none: then nothing on the screen changes by itself.
	Motion string `toml:"motion"`
	// Times says how the time of an entry is shown: clock, ago, full or off.
	Times string `toml:"times"`
	// Density is how much of the conversation is shown at first: compact,
	// normal or verbose.
	Density string `toml:"density"`
	// Theme is auto, which follows the terminal's background, or a theme by name.
	Theme string `toml:"theme"`
	// MarkdownStyle is the style of Glamour's that markdown is drawn in, by name or
	// file: auto is that of GLAMOUR_STYLE or the theme's own, theme the theme's own.
	MarkdownStyle string `toml:"markdown_style"`
	// Follow is what the view stays at while an answer comes: its end (bottom),
	// its first line (response-top), or where it is (off).
	Follow string `toml:"follow"`
	// BusyEnter is what enter does with a prompt while a turn runs: steer or
	// queue.
	BusyEnter string `toml:"busy_enter"`
	// Interrupt says how often esc is pressed to interrupt a turn: double or
	// single.
	Interrupt string `toml:"interrupt"`
	// Reads says which reads the Copilot CLI asks for: those outside of trusted
	// folders (trusted), or all (ask).
	Reads     string    `toml:"reads"`
	Reader    Lines     `toml:"reader"`
	Status    Status    `toml:"status"`
	Mouse     Mouse     `toml:"mouse"`
	Notify    Notify    `toml:"notify"`
	Terminal  Terminal  `toml:"terminal"`
	Telemetry Telemetry `toml:"telemetry"`
	// Agents are those that the user has named, for --agent.
	Agents map[string]Agent `toml:"agents"`
}

// Lines says how a window that writes and reads lines says what happens.
type Lines struct {
	// Answers says when an answer is said: Complete, or Sentences.
	Answers string `toml:"answers"`
	// Progress is after how many seconds it is said again that the agent works; 0: only when
	// the user asks.
	Progress int `toml:"progress"`
}

// The values of reader.answers: once it is complete, or sentence by sentence as it comes.
const (
	Complete  = "complete"
	Sentences = "sentences"
)

// Status is what the status line shows, in this order: names of StatusItems.
type Status struct {
	Left  []string `toml:"left"`
	Right []string `toml:"right"`
	// Script is a program with its arguments whose first line of output is the
	// item "script". It gets JSON on its standard input.
	Script []string `toml:"script"`
	// ScriptTimeout is how many milliseconds it may take.
	ScriptTimeout int `toml:"script_timeout"`
}

// Mouse says what of the mouse is the window's. All of it off leaves the mouse
// to the terminal.
type Mouse struct {
	Wheel  bool `toml:"wheel"`  // scrolls
	Click  bool `toml:"click"`  // gives the focus, folds and unfolds
	Select bool `toml:"select"` // dragging selects text, for copying
}

// Notify says how the terminal notifies the user, while its window has not the
// focus: auto is whatever it is known to have; off, bell, osc9, osc777, osc99.
type Notify struct {
	Approval string `toml:"approval"` // something waits that the user may allow
	Question string `toml:"question"` // a question or a form waits
	Done     string `toml:"done"`     // a turn has ended
	Error    string `toml:"error"`    // the agent cannot continue
	// After is how many seconds a turn must have taken for its end to be news.
	After int `toml:"after"`
}

// Terminal says what the window may change about the terminal around it, and ask
// of it.
type Terminal struct {
	Title    bool `toml:"title"`    // the window's title
	Progress bool `toml:"progress"` // the progress in the tab or task bar
	Pictures bool `toml:"pictures"` // images themselves, where it can show them
	Links    bool `toml:"links"`    // links that it can follow (OSC 8)
	// LowBandwidth says whether little is written to it: on, off, or auto, by how long its
	// answers take.
	LowBandwidth string `toml:"low_bandwidth"`
}

// Telemetry says who exports what happens in a session.
type Telemetry struct {
	// Agent passes the OpenTelemetry variables on to the agent's own process, so
	// that it exports what it does, too (docs/decisions.md 13).
	Agent bool `toml:"agent"`
}

// The values of screen for a window that is below what the terminal has, and for one that
// writes and reads lines.
const (
	Inline = "inline"
	Reader = "reader"
)

// Defaults are the settings of a user who has none.
func Defaults() Settings {
	return Settings{
		Screen: "full", Motion: "full", Times: "clock", Density: "normal",
		Theme: "auto", MarkdownStyle: "auto", Follow: "bottom", BusyEnter: "steer", Interrupt: "double",
		Reads:    "trusted",
		Reader:   Lines{Answers: Complete, Progress: 30},
		Status:   defaultStatus(),
		Mouse:    Mouse{Wheel: true, Click: true, Select: true},
		Notify:   Notify{Approval: "auto", Question: "auto", Done: "auto", Error: "auto", After: 5},
		Terminal: Terminal{Title: true, Progress: true, Pictures: true, Links: true, LowBandwidth: "auto"},
	}
}

// Path is where the settings of a user are, or would be:
// $XDG_CONFIG_HOME/parley/settings.toml (XDG Base Directory Specification), or
// below ~/.config; "" if there is no home either.
func Path(env []string, home string) string {
	dir := environ.ConfigDir(env, home)
	if dir == "" {
		return ""
	}
	return filepath.Join(dir, "settings.toml")
}

// LowBandwidths are the values of terminal.low_bandwidth.
func LowBandwidths() []string { return []string{"auto", "on", "off"} }
