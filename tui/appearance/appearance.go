// Package appearance decides how a window looks: which theme it has, whether that is for
// a dark or a light background, and which style markdown has. It takes what the settings,
// the environment and the terminal say, and answers with the theme and with what the
// user is to know. It knows nothing of what the window shows.
package appearance

import (
	"cmp"
	"slices"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"
	uv "github.com/charmbracelet/ultraviolet"
	"github.com/charmbracelet/x/ansi"

	"parley/terminal"
	"parley/theme"
	"parley/tui/picker"
	"parley/tui/widget"
)

// Preferences are what the user prefers.
type Preferences struct {
	Terminal terminal.Environment // variables, and what of the terminal is used
	Theme    string               // "" is auto
	Markdown string               // the setting markdown_style
	Themes   string               // the folder of the user's own themes and styles; "" is none
	Home     string               // shown as ~
}

// Files are what the files of a user's own theme and markdown style say.
type Files struct {
	theme    *theme.File          // nil if the theme is built in, or cannot be read
	markdown *theme.MarkdownStyle // nil is the theme's own
	wrong    string               // what is wrong with the markdown style that was chosen
}

// Load reads the files that the preferences name.
func (p Preferences) Load() Files {
	f := Files(p.loadMarkdown())
	if !builtIn(p.Theme) {
		f.theme, _ = theme.LoadNamed(p.Themes, p.Theme) // Start reports why not
	}
	return f
}

// Mistake is what is wrong with the markdown style that the preferences name; "" is
// nothing. It reads files.
func (p Preferences) Mistake() string { return p.loadMarkdown().wrong }

// builtIn reports whether a theme of that name is built in.
func builtIn(name string) bool { return slices.Contains(theme.Names(), name) }

// Appearance is the theme of a window, and what it follows from.
type Appearance struct {
	preferences Preferences
	chosen      choice         // what the user chose
	tried       choice         // the theme that the list of themes is at, while it is open
	list        *picker.Picker // that list
	dark        bool           // the terminal's background is, or is taken to be
	heard       bool           // the terminal reported it
	known       bool           // the environment has it
	silent      bool           // the terminal had the time to report it, or never does
	apart       bool           // the terminal has not reported that it counts by grapheme clusters
	profile     colorprofile.Profile

	markdown *theme.MarkdownStyle // nil is the theme's own
	wrong    string               // what is wrong with the style that was chosen last

	theme *theme.Theme
	made  made
}

// choice is a theme by name, and if it is the user's own, what is in its file.
type choice struct {
	name string
	own  *theme.File
}

// made is what a theme was made from.
type made struct {
	choice
	dark, silent bool
	profile      colorprofile.Profile
	links, apart bool
	markdown     *theme.MarkdownStyle
}

// AnswerTime is how long the terminal may take to report its background. Until then
// it is taken to be dark, unless the environment says something else: what comes
// soon changes nothing on most screens.
const AnswerTime = time.Second

// NoAnswer is the message at the end of that time.
type NoAnswer struct{}

// Action is what the window is to do for a change of the appearance. The set is closed.
type Action interface{ action() }

type (
	// Warn shows what is wrong with a theme or a style: a line for each mistake, and
	// what that means.
	Warn string
	// Hint shows a hint.
	Hint string
	// Save writes the name of a theme, which the window has now, into the settings.
	Save string
	// Open shows the list of themes, with one chosen, if that was asked for when so many
	// keys had been pressed and the user has not turned to something else.
	Open struct {
		List    *picker.Picker
		Chosen  string
		Pressed uint64
	}
)

func (Warn) action() {}
func (Hint) action() {}
func (Save) action() {}
func (Open) action() {}

// New returns the appearance of a window that has not asked the terminal yet.
func New(p Preferences, f Files) *Appearance {
	dark, known := p.Terminal.Background()
	return &Appearance{
		preferences: p,
		chosen:      choice{name: cmp.Or(p.Theme, theme.Auto), own: f.theme},
		dark:        dark || !known,
		known:       known,
		silent:      p.Terminal.HidesBackground(),
		apart:       true,
		profile:     p.Terminal.Colours(),
		markdown:    f.markdown,
		wrong:       f.wrong,
	}
}

// Start asks the terminal for its background. A theme of the user's that could not be
// read is read again, to report why.
func (a *Appearance) Start() (Action, tea.Cmd) {
	cmd := tea.RequestBackgroundColor
	if !builtIn(a.chosen.name) && a.chosen.own == nil {
		cmd = tea.Batch(cmd, a.load(a.chosen.name, false))
	}
	if a.wrong != "" {
		return a.warning(a.wrong, "Answers have the look of the theme."), cmd
	}
	return nil, cmd
}

// Theme returns the theme, and whether it has changed since it was asked for last. It
// stays the same value until something changes that it is made from.
func (a *Appearance) Theme() (th *theme.Theme, changed bool) {
	now := made{
		a.chosen, a.dark, a.silent && !a.heard && !a.known, a.profile, a.preferences.Terminal.Prefer.Links, a.apart, a.markdown,
	}
	if a.list != nil {
		now.choice = a.tried
	}
	if now == a.made && a.theme != nil {
		return a.theme, false
	}
	a.made, a.theme = now, a.preferences.makeTheme(now)
	return a.theme, true
}

// Profile is which colours the terminal has.
func (a *Appearance) Profile() colorprofile.Profile { return a.profile }

// Limited is a styled text with the colours that the terminal has, as Bubble Tea writes what it draws.
func (a *Appearance) Limited(s string) string {
	var out strings.Builder
	few := colorprofile.Writer{Forward: &out, Profile: a.profile}
	_, _ = few.WriteString(s) // a builder takes all
	return out.String()
}

// makeTheme makes a theme. NO_COLOR wins over all. If a terminal has sixteen
// colours, the theme of its own colours stands in for those that need more, and
// if it does not report its background, those that follow it have colours for
// both.
func (p Preferences) makeTheme(from made) *theme.Theme {
	options := append(p.Terminal.Glyphs(), theme.WithMarkdown(from.markdown))
	if !from.links {
		options = append(options, theme.WithoutLinks())
	}
	if from.apart {
		options = append(options, theme.Apart())
	}
	if strings.HasPrefix(from.name, "high-contrast") {
		options = append(options, theme.Even())
	}
	switch {
	case p.colourless(from.profile):
		return theme.Mono(options...)
	case from.profile == colorprofile.ANSI256:
		options = append(options, theme.Few())
	}
	var th *theme.Theme
	if from.own != nil {
		th = from.own.Theme(from.dark, options...)
	} else if th, _ = theme.Named(from.name, from.dark, options...); th == nil {
		th, _ = theme.Named(theme.Auto, from.dark, options...)
	}
	switch sixteen := from.profile == colorprofile.ANSI && !th.Own; {
	case from.silent && sixteen:
		return theme.Terminal(options...)
	case from.silent && from.own == nil:
		if either, follows := theme.Either(from.name, options...); follows {
			return either
		}
	case sixteen:
		th, _ = theme.Named(theme.Own, from.dark, options...)
	}
	return th
}

// colourless reports whether there are no colours.
func (p Preferences) colourless(profile colorprofile.Profile) bool {
	return p.Terminal.Get("NO_COLOR") != "" || profile < colorprofile.ANSI
}

// Update takes what the terminal reports, and what was read from files.
func (a *Appearance) Update(msg tea.Msg) (Action, tea.Cmd) {
	switch msg := msg.(type) {
	case tea.BackgroundColorMsg:
		if msg.Color != nil {
			a.dark, a.heard = msg.IsDark(), true
		}
	case uv.DarkColorSchemeEvent:
		return nil, a.scheme(true)
	case uv.LightColorSchemeEvent:
		return nil, a.scheme(false)
	case tea.ColorProfileMsg:
		a.profile = msg.Profile
	case tea.ModeReportMsg:
		if msg.Mode == ansi.ModeUnicodeCore {
			a.apart = msg.Value == ansi.ModeNotRecognized
		}
	case NoAnswer:
		a.silent = true
	case themeMsg:
		return a.themeRead(msg), nil
	case markdownMsg:
		return a.markdownRead(msg), nil
	case themesMsg:
		return Open{a.themeList(msg.files, msg.err), a.chosen.name, msg.pressed}, nil
	}
	return nil, nil
}

// scheme takes the report that the terminal is dark or light now. What that does
// to its background it must be asked.
func (a *Appearance) scheme(dark bool) tea.Cmd {
	if !a.heard {
		a.dark, a.silent = dark, false
	}
	return tea.RequestBackgroundColor
}

// SetPreferences takes what the user prefers now. Files that it names are read again: a
// theme of the user's, or a style, may have changed though its name has not.
func (a *Appearance) SetPreferences(p Preferences) tea.Cmd {
	before := a.preferences.Theme
	a.preferences = p
	markdown := func() tea.Msg { return p.loadMarkdown() }
	switch {
	case before == p.Theme && a.chosen.own != nil:
		return tea.Batch(markdown, a.load(a.chosen.name, false))
	case before == p.Theme || p.Theme == a.chosen.name:
	case builtIn(p.Theme):
		a.chosen = choice{name: p.Theme}
	default:
		return tea.Batch(markdown, a.load(p.Theme, false))
	}
	return markdown
}

// themeMsg is a user's own theme as it was read, or why it could not be.
type themeMsg struct {
	choice
	byName bool // the user chose it by name, and the settings do not have it yet
	err    error
}

// load reads a theme of the user's own.
func (a *Appearance) load(name string, byName bool) tea.Cmd {
	dir := a.preferences.Themes
	return func() tea.Msg {
		own, err := theme.LoadNamed(dir, name)
		return themeMsg{choice{name, own}, byName, err}
	}
}

func (a *Appearance) themeRead(msg themeMsg) Action {
	switch {
	case msg.err == nil && msg.byName:
		return a.Keep(Chosen{msg.choice})
	case msg.err == nil:
		a.chosen = msg.choice
		if w := msg.own.Warnings; len(w) > 0 {
			return a.warning(strings.Join(w, "\n"), "")
		}
		return nil
	case msg.byName:
		return a.warning(msg.err.Error(), "The theme stays.")
	case a.chosen.own == nil && a.chosen.name == msg.name:
		a.chosen = choice{name: theme.Auto}
		return a.warning(msg.err.Error(), "The theme is auto.")
	}
	return a.warning(msg.err.Error(), "What was set before stays.")
}

// markdownMsg is a markdown style as it was read, or what is wrong with it. It has
// the fields of Files.
type markdownMsg Files

// loadMarkdown reads the markdown style that the settings and the environment name.
func (p Preferences) loadMarkdown() markdownMsg {
	style, err := theme.MarkdownChoice{
		Setting: p.Markdown, Environment: p.Terminal.Get(theme.MarkdownEnv), Themes: p.Themes, Home: p.Home,
	}.Load()
	if err != nil {
		return markdownMsg{wrong: err.Error()}
	}
	return markdownMsg{markdown: style}
}

// markdownRead takes the style. One with mistakes costs a warning, once, and changes
// nothing.
func (a *Appearance) markdownRead(msg markdownMsg) Action {
	known := a.wrong == msg.wrong
	a.wrong = msg.wrong
	switch {
	case msg.wrong != "" && known:
	case msg.wrong != "" && a.markdown == nil:
		return a.warning(msg.wrong, "Answers have the look of the theme.")
	case msg.wrong != "":
		return a.warning(msg.wrong, "Answers look as before.")
	case !a.markdown.Equal(msg.markdown):
		a.markdown = msg.markdown
	}
	return nil
}

// warning is what is wrong, in a line for each mistake, and what that means; "" means
// nothing.
func (a *Appearance) warning(lines, so string) Action {
	var all []string
	for l := range strings.SplitSeq(lines, "\n") {
		if l = widget.Capitalised(strings.TrimSpace(l)); l == "" {
			continue // a name in the file may have line ends
		}
		all = append(all, widget.ShortPath(l, a.preferences.Home)+map[bool]string{false: "."}[strings.HasSuffix(l, "?")])
	}
	if so != "" {
		all = append(all, so)
	}
	return Warn(strings.Join(all, "\n"))
}
