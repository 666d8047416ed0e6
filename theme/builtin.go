package theme

import "charm.land/lipgloss/v2"

// Default returns the theme for when nothing is known of the terminal: Dark.
func Default(opts ...Option) *Theme { return Dark(opts...) }

// Dark returns the theme for dark backgrounds. Normal text keeps the
// terminal's own colours.
func Dark(opts ...Option) *Theme { return build("dark", true, darkPalette.styles(), opts) }

// Light returns the theme for light backgrounds. Normal text keeps the
// terminal's own colours.
func Light(opts ...Option) *Theme { return build("light", false, lightPalette.styles(), opts) }

// Mono returns a theme without colour that keeps bold, italic, underline and
// reverse where they carry meaning: for NO_COLOR and terminals without colour.
func Mono(opts ...Option) *Theme {
	var s [Tokens]lipgloss.Style
	for i := range s {
		s[i] = lipgloss.NewStyle()
	}
	for _, tok := range []Token{
		Strong, Accent, Error, PromptMark, Heading, StrongText, BorderArmed, Key, StatusStrong, Chip, Mention,
	} {
		s[tok] = s[tok].Bold(true)
	}
	s[Emphasis] = s[Emphasis].Italic(true)
	for _, tok := range []Token{Link, AddedWord, RemovedWord} {
		s[tok] = s[tok].Underline(true).UnderlineSpaces(true)
	}
	s[Selected] = s[Selected].Reverse(true)
	s[Hidden] = s[Hidden].Reverse(true)
	s[Match] = s[Match].Underline(true).UnderlineSpaces(true)
	s[MatchNow] = s[MatchNow].Reverse(true)
	return build("mono", true, s, opts)
}

// Plain returns a theme that writes no escape sequence at all, not even for
// links: for pipes, files and goldens.
func Plain(opts ...Option) *Theme {
	var s [Tokens]lipgloss.Style
	for i := range s {
		s[i] = lipgloss.NewStyle()
	}
	t := build("plain", true, s, opts)
	t.Links = false
	return t
}

var darkPalette = palette{
	ground: "#0d1117", text: "#e6edf3", dim: "#8b949e", soft: "#b1bac4", line: "#5d6672",
	accent: "#79b8ff", success: "#7cc98f", warning: "#e3b35c", failure: "#ff8a80",
	prompt: "#182230", promptDim: "#9aa5b1", selected: "#22344c",
	added: "#82d596", removed: "#ff9c93", code: "#dcbf95",
	addedLine: "#10261a", removedLine: "#2d1518", addedWord: "#1c5226", removedWord: "#6b2229", word: "#ffffff",
	match: "#5a4a14", matchNow: "#e3b35c", ink: "#0d1117",
	keyword: "#b9a7f0", str: "#9fd3a6", number: "#e8b27a", comment: "#8b949e", name: "#8cc4ff", typ: "#7fd1cc",
	operator: "#b1bac4",
}

var lightPalette = palette{
	ground: "#ffffff", text: "#1f2328", dim: "#616a74", soft: "#454c54", line: "#8b949e",
	accent: "#0a5cc2", success: "#1a7032", warning: "#8a5600", failure: "#c0252c",
	prompt: "#eef3fa", promptDim: "#57606a", selected: "#d8e7fb",
	added: "#17692d", removed: "#b3242b", code: "#7d4708",
	addedLine: "#ebf8ed", removedLine: "#fdeeee", addedWord: "#b3e5c1", removedWord: "#fbcaca", word: "#1f2328",
	match: "#fbe9b0", matchNow: "#f2b33d", ink: "#1f2328",
	keyword: "#6b3fc4", str: "#1b6b34", number: "#97480a", comment: "#616a74", name: "#0a56b0", typ: "#0b6a69",
	operator: "#454c54",
}
