package tui

import (
	"cmp"
	"fmt"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"
	uv "github.com/charmbracelet/ultraviolet"

	"parley/theme"
	"parley/tui/picker"
	"parley/tui/widget"
)

// look is which theme the window has, and what that follows from.
type look struct {
	chosen  choice         // what the user chose
	tried   choice         // what the list of themes stands at while it is open
	list    *picker.Picker // that list
	dark    bool           // the terminal's background is, or is taken to be
	heard   bool           // the terminal told it
	said    bool           // COLORFGBG says it
	silent  bool           // it had the time to
	apart   bool           // the terminal says that it does not count by grapheme clusters
	profile colorprofile.Profile
	made    made

	markdown markdownStyle
	load     string // the name of the user's own theme that is to be read
}

// choice is a theme by name, and if it is the user's own, what its file says.
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

// quietTime is how long the terminal may take to tell its background. Until then
// it is taken to be dark, unless the environment says something else: what comes
// soon changes nothing on most screens.
const quietTime = time.Second

// quietMsg is the end of that time.
type quietMsg struct{}

// newLook is the look of a window that has not asked the terminal yet.
func newLook(c Config) look {
	dark, said := theme.Background(c.env("COLORFGBG"))
	return look{
		chosen:  choice{name: cmp.Or(c.Settings.Theme, theme.Auto), own: c.theme},
		dark:    dark || !said,
		said:    said,
		profile: colorprofile.Env(c.Env),

		markdown: markdownStyle{MarkdownStyle: c.markdown.MarkdownStyle},
	}
}

// makeTheme makes a theme. NO_COLOR wins over all. Where a terminal has sixteen
// colours, the theme of its own colours stands in for those that need more, and
// where it does not say its background, those that follow it have colours for
// both.
func (c Config) makeTheme(from made) *theme.Theme {
	options := []theme.Option{theme.WithMarkdown(from.markdown)}
	if !c.Environment().Unicode() {
		options = append(options, theme.ASCII())
	}
	if !from.links {
		options = append(options, theme.WithoutLinks())
	}
	if from.apart {
		options = append(options, theme.Apart())
	}
	switch {
	case c.env("NO_COLOR") != "" || from.profile < colorprofile.ANSI:
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
	either, follows := theme.Either(from.name, options...)
	switch sixteen := from.profile == colorprofile.ANSI && !th.Own; {
	case from.silent && sixteen:
		return theme.Terminal(options...)
	case from.silent && from.own == nil && follows:
		return either
	case sixteen:
		th, _ = theme.Named(theme.Own, from.dark, options...)
	}
	return th
}

// dress gives the window the theme that it is to have now.
func (m *Model) dress() {
	l := &m.win.look
	now := made{
		l.chosen, l.dark, l.silent && !l.heard && !l.said, l.profile, m.win.config.Settings.Terminal.Links, l.apart,
		l.markdown.MarkdownStyle,
	}
	if l.list != nil {
		now.choice = l.tried
	}
	if now == l.made && m.win.theme != nil {
		return
	}
	l.made, m.win.theme = now, m.win.config.makeTheme(now)
	for _, c := range m.all {
		c.pane.Opts.Theme = m.win.theme
	}
}

// askBackground asks the terminal for its background. A theme of the user's
// that could not be read before the first frame is read again, to tell why.
func (m *Model) askBackground() tea.Cmd {
	if _, builtIn := theme.Named(m.win.look.chosen.name, true); !builtIn && m.win.look.chosen.own == nil {
		m.win.look.load = m.win.look.chosen.name
	}
	m.markdownStyled(markdownStyleMsg{m.win.look.markdown.MarkdownStyle, m.win.config.markdown.wrong})
	quiet := m.win.after(quietTime, func(time.Time) tea.Msg { return quietMsg{} })
	return tea.Batch(tea.RequestBackgroundColor, quiet, m.restyle())
}

// styled takes what decides over the theme.
func (m *Model) styled(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case tea.BackgroundColorMsg:
		m.lit(msg)
	case uv.DarkColorSchemeEvent:
		return m.scheme(true)
	case uv.LightColorSchemeEvent:
		return m.scheme(false)
	case tea.ColorProfileMsg:
		m.win.look.profile = msg.Profile
		m.dress()
	case quietMsg:
		m.win.look.silent = true
		m.dress()
	case themeMsg:
		m.themeRead(msg)
	case markdownStyleMsg:
		m.markdownStyled(msg)
	case themesMsg:
		return m.themesRead(msg)
	case themeKeptMsg:
		m.front.themeKept(msg)
	}
	return nil
}

// lit takes what the terminal says of its background.
func (m *Model) lit(msg tea.BackgroundColorMsg) {
	if msg.Color == nil {
		return
	}
	m.win.look.dark, m.win.look.heard = msg.IsDark(), true
	m.dress()
}

// scheme takes the report that the terminal is dark or light now. What that does
// to its background it must be asked.
func (m *Model) scheme(dark bool) tea.Cmd {
	if !m.win.look.heard {
		m.win.look.dark, m.win.look.silent = dark, false
		m.dress()
	}
	return tea.RequestBackgroundColor
}

// restyle is called after everything that happens: it ends a trial when its list
// is gone, however that came, and reads the theme that is to be read.
func (m *Model) restyle() tea.Cmd {
	l := &m.win.look
	if l.list != nil && over[*picker.Picker](m.win) != l.list {
		l.list, l.tried = nil, choice{}
		m.dress()
	}
	if l.load == "" {
		return nil
	}
	name, dir := l.load, m.win.config.Themes
	l.load = ""
	return func() tea.Msg {
		own, err := theme.LoadNamed(dir, name)
		return themeMsg{name, own, err}
	}
}

// themeMsg is a user's own theme as it was read, or why it could not be.
type themeMsg struct {
	name string
	own  *theme.File
	err  error
}

// themeRead takes it.
func (m *Model) themeRead(msg themeMsg) {
	switch l := &m.win.look; {
	case msg.err == nil:
		if w := msg.own.Warnings; len(w) > 0 {
			m.front.tellTheme(strings.Join(w, "\n"), "")
		}
		l.chosen = choice{msg.name, msg.own}
		m.dress()
	case l.chosen.own == nil && l.chosen.name == msg.name:
		l.chosen = choice{name: theme.Auto}
		m.front.tellTheme(msg.err.Error(), "The theme is auto.")
	default:
		m.front.tellTheme(msg.err.Error(), "What was set before stays.")
	}
}

// tellTheme tells what is wrong with a theme, in a line for each mistake, and what
// that means; "" means nothing.
func (c *core) tellTheme(lines, so string) {
	var all []string
	for l := range strings.SplitSeq(lines, "\n") {
		if l = capitalised(strings.TrimSpace(l)); l == "" {
			continue // a name in the file may have line ends
		}
		all = append(all, widget.ShortPath(l, c.win.config.Home)+map[bool]string{false: "."}[strings.HasSuffix(l, "?")])
	}
	c.warn("theme", strings.Join(append(all, word(so)...), "\n"))
	c.toEnd()
}

// capitalised is a sentence that begins with a capital letter.
func capitalised(s string) string {
	r, n := utf8.DecodeRuneInString(s)
	return string(unicode.ToUpper(r)) + s[n:]
}

// preferTheme takes the theme of the settings, before and after they changed. A
// theme of the user's may have changed though its name has not.
func (m *Model) preferTheme(before, after string) {
	l := &m.win.look
	_, builtIn := theme.Named(after, true)
	switch {
	case before == after && l.chosen.own != nil:
		l.load = l.chosen.name
	case before == after || after == l.chosen.name:
	case builtIn:
		l.chosen = choice{name: after}
		m.dress()
	default:
		l.load = after
	}
}

// setTheme takes a theme by name, or shows what there are.
func (m *Model) setTheme(args string) tea.Cmd {
	if m.win.look.profile < colorprofile.ANSI || m.win.config.env("NO_COLOR") != "" {
		m.front.tell("There is no colour here: NO_COLOR is set, or the terminal has none.")
		if args == "" {
			return nil
		}
	}
	if _, builtIn := theme.Named(args, true); builtIn {
		return m.keepTheme(choice{name: args})
	}
	dir, pressed := m.win.config.Themes, m.win.pressed
	return func() tea.Msg {
		if args != "" {
			own, err := theme.LoadNamed(dir, args)
			return themesMsg{chosen: args, files: []*theme.File{own}, err: err}
		}
		files, err := theme.LoadDir(dir)
		return themesMsg{pressed: pressed, files: files, err: err}
	}
}

// themesMsg are the user's own themes, or the one that they chose by name.
type themesMsg struct {
	chosen  string
	files   []*theme.File
	err     error
	pressed uint64
}

// themesRead takes them.
func (m *Model) themesRead(msg themesMsg) tea.Cmd {
	switch {
	case msg.chosen == "":
		m.win.asking = msg.pressed
		if m.front.opens(true, "", "The themes are here: /theme shows them.") {
			m.pickTheme(msg.files, msg.err)
		}
	case msg.err != nil:
		m.front.tellTheme(msg.err.Error(), "The theme stays.")
	default:
		return m.keepTheme(choice{msg.chosen, msg.files[0]})
	}
	return nil
}

// pickTheme opens the list of themes. The window has the one that it stands at.
func (m *Model) pickTheme(files []*theme.File, err error) {
	var rows []widget.Row
	own := map[string]*theme.File{}
	for _, name := range theme.Names() {
		rows = append(rows, widget.Row{Value: name, Label: name, Detail: theme.About(name)})
	}
	for _, f := range files {
		own[f.Name] = f
		rows = append(rows, widget.Row{Value: f.Name, Label: f.Name, Detail: "your own, " + f.Name + ".toml"})
	}
	p := &picker.Picker{List: widget.List{Rows: rows}, Title: "Theme", PreviewRows: sampleRows}
	if err != nil {
		first, _, _ := strings.Cut(err.Error(), "\n")
		p.Note = first
	}
	try := func(r widget.Row) tea.Cmd {
		m.win.look.tried = choice{r.Value, own[r.Value]}
		m.dress()
		return nil
	}
	p.Preview = func(_ widget.Row, width, height int) []string { return m.win.sample(width, height) }
	p.OnMove = doing(try)
	p.Pick = doing(func(r widget.Row) tea.Cmd { return m.keepTheme(choice{r.Value, own[r.Value]}) })
	m.front.pick(p.Filter(""), m.win.look.chosen.name)
	m.win.look.list, m.win.look.tried = p, m.win.look.chosen
}

// keepTheme takes a theme, and writes it into the settings.
func (m *Model) keepTheme(c choice) tea.Cmd {
	m.win.look.chosen = c
	m.dress()
	put, ctx := m.win.config.Prefer, m.win.ctx
	if put == nil {
		m.front.tell("The theme is %s, in this window.", c.name)
		return nil
	}
	return func() tea.Msg {
		_, err := put(ctx, "theme", c.name)
		return themeKeptMsg{c.name, err}
	}
}

// themeKeptMsg says that the settings name a theme, or why they do not.
type themeKeptMsg struct {
	name string
	err  error
}

// themeKept takes it.
func (c *core) themeKept(msg themeKeptMsg) {
	if msg.err != nil {
		c.fail("write the theme into the settings", msg.err, fmt.Sprintf("It is %s in this window.", msg.name))
		c.toEnd()
		return
	}
	c.win.config.Settings.Theme = msg.name
	c.tell("The theme is %s now.", msg.name)
}
