package theme

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"unicode"

	gansi "charm.land/glamour/v2/ansi"
	glamour "charm.land/glamour/v2/styles"
	"github.com/alecthomas/chroma/v2"
	chromastyles "github.com/alecthomas/chroma/v2/styles"
	"github.com/charmbracelet/x/ansi"
)

// MarkdownStyle is a style of Glamour's for markdown: a standard one, or one from
// a JSON file. It never changes, so its pointer is its identity.
type MarkdownStyle struct {
	// Name is the name of the standard style, or the path of the file.
	Name string

	config gansi.StyleConfig
	syntax map[Token]gansi.StylePrimitive // of blocks of code
}

// Equal reports whether two styles draw alike; nil is the theme's own.
func (s *MarkdownStyle) Equal(other *MarkdownStyle) bool { return reflect.DeepEqual(s, other) }

// The names of the look of markdown that is the theme's own.
const (
	// MarkdownAuto is the theme's own unless the environment names another.
	MarkdownAuto = "auto"
	// MarkdownOwn is the theme's own in any case.
	MarkdownOwn = "theme"
)

// MarkdownEnv is the variable of the environment that names a style in every
// program that uses Glamour.
const MarkdownEnv = "GLAMOUR_STYLE"

// MarkdownNames returns the names of the standard styles of Glamour's.
func MarkdownNames() []string { return slices.Sorted(maps.Keys(glamour.DefaultStyles)) }

// MarkdownChoice is what a user says about the look of markdown.
type MarkdownChoice struct {
	Setting     string // the setting markdown_style
	Environment string // the value of GLAMOUR_STYLE
	Themes      string // the folder in which a file of the setting is looked for
	Home        string // what ~ stands for
}

// Load returns the style that was chosen: the one of the setting, and if that is
// auto the one of the environment; nil is the theme's own. The error says what is
// wrong and what may be chosen, in a line for each mistake.
func (c MarkdownChoice) Load() (*MarkdownStyle, error) {
	name, where := c.Setting, "the setting markdown_style"
	switch name {
	case "", MarkdownAuto:
		if name, where = c.Environment, MarkdownEnv; name == "" || name == MarkdownAuto {
			return nil, nil
		}
	case MarkdownOwn:
		return nil, nil
	}
	if config, ok := glamour.DefaultStyles[name]; ok {
		s := &MarkdownStyle{Name: name, config: copied(*config)}
		return s, errors.Join(s.normalise()...)
	}
	if !strings.ContainsAny(name, `/\`) && filepath.Ext(name) != ".json" {
		return nil, fmt.Errorf("%s: there is no markdown style %q; %s, or give the path of a JSON file",
			where, name, choices(name, MarkdownNames()))
	}
	path := name
	if rest, ok := strings.CutPrefix(filepath.ToSlash(path), "~/"); ok && c.Home != "" {
		path = filepath.Join(c.Home, rest)
	}
	if where != MarkdownEnv && !filepath.IsAbs(path) {
		path = filepath.Join(c.Themes, path)
	}
	s, err := loadMarkdown(path)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", where, err)
	}
	return s, nil
}

// loadMarkdown reads a style from a JSON file, as Glamour reads it: what it does
// not know is left out.
func loadMarkdown(path string) (*MarkdownStyle, error) {
	source, err := readSmall(path, "markdown style", "")
	if err != nil {
		return nil, err
	}
	s := &MarkdownStyle{Name: path}
	if err := json.Unmarshal(source, &s.config); err != nil {
		line, what := jsonProblem(source, err)
		return nil, fmt.Errorf("%s, line %d: %s", path, line, what)
	}
	var errs []error
	for _, err := range s.normalise() {
		errs = append(errs, fmt.Errorf("%s: %w", path, err))
	}
	return s, errors.Join(errs...)
}

// jsonProblem is in which line of a file the JSON is wrong, and why, in words for
// the user: the errors of the decoder name types of Go.
func jsonProblem(source []byte, err error) (line int, what string) {
	at, what := int64(0), "this is not valid JSON"
	var syntax *json.SyntaxError
	var kind *json.UnmarshalTypeError
	switch {
	case errors.As(err, &syntax):
		if at = syntax.Offset; at >= int64(len(source)) {
			what = "the JSON ends in the middle"
		}
	case errors.As(err, &kind) && kind.Field == "":
		at, what = kind.Offset, "a markdown style is an object of JSON"
	case kind != nil:
		name := strings.ReplaceAll(kind.Field, ".StylePrimitive", "") // what Go embeds
		at, what = kind.Offset, fmt.Sprintf("%s cannot be of the type %s", name, kind.Value)
	}
	return 1 + bytes.Count(source[:min(max(at, 0), int64(len(source)))], []byte("\n")), what
}

// Bounds of a style: no mark is longer than this, no indentation deeper.
const (
	longestMark   = 24 // characters
	deepestIndent = 8
)

// normalise makes a style safe to draw with. Marks are printable text of a line,
// within bounds; a format is the marks around its text, so that no template of a
// file is run; colours are colours. It returns what is wrong.
func (s *MarkdownStyle) normalise() []error {
	var errs []error
	each(&s.config, func(path string, p *gansi.StylePrimitive) {
		for _, c := range []**string{&p.Color, &p.BackgroundColor} {
			if *c == nil {
				continue
			}
			if n, err := strconv.Atoi(**c); (err != nil || n < 0 || n > 255) && !hex.MatchString(strings.ToLower(**c)) {
				errs = append(errs, fmt.Errorf("%s has the colour %q, which is none; write \"#rrggbb\" or a number from 0 to 255",
					path, **c))
				*c = nil
			}
		}
		if path == "hr" {
			p.Format = firstLine(p.Format)
			return
		}
		before, after, ok := cutFormat(p.Format)
		if !ok {
			errs = append(errs, fmt.Errorf("%s has the format %q; only {{.text}} is understood in one, once", path, p.Format))
		}
		p.Format, p.Prefix, p.Suffix = "", p.Prefix+before, after+p.Suffix
	})
	texts(&s.config, func(_, text string) string { return mark(text) })
	for _, n := range []*uint{s.config.BlockQuote.Indent, s.config.CodeBlock.Indent, s.config.CodeBlock.Margin} {
		if n != nil {
			*n = min(*n, deepestIndent)
		}
	}
	err := s.highlight()
	if err != nil {
		errs = append(errs, err)
	}
	return errs
}

var formatText = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\{\{-?\s*\.text\s*-?\}\}`) })

// cutFormat cuts a format at its text. An empty one has nothing around it.
func cutFormat(format string) (before, after string, ok bool) {
	if format == "" {
		return "", "", true
	}
	parts := formatText().Split(format, 3)
	if len(parts) != 2 || strings.Contains(parts[0]+parts[1], "{{") {
		return "", "", false
	}
	return parts[0], parts[1], true
}

// firstLine is the first line of a text that is not empty.
func firstLine(s string) string {
	line, _, _ := strings.Cut(strings.TrimSpace(s), "\n")
	return strings.TrimSpace(line)
}

// mark is a text of a style as it may stand on the screen: without sequences,
// controls, line ends and characters that are not seen, and not too long.
func mark(s string) string {
	if len(s) > 16*longestMark {
		s = s[:16*longestMark]
	}
	var b strings.Builder
	n := 0
	for _, r := range ansi.Strip(s) {
		if r == unicode.ReplacementChar || !unicode.IsGraphic(r) {
			continue
		}
		if n++; n > longestMark {
			break
		}
		b.WriteRune(r)
	}
	return b.String()
}

// highlight finds how the roles of code look: by the chroma table of the style, by
// the name of one of chroma's own styles, or all as the block.
func (s *MarkdownStyle) highlight() error {
	block := &s.config.CodeBlock
	c, name := block.Chroma, block.Theme
	if c == nil {
		c = &gansi.Chroma{}
	}
	s.syntax = map[Token]gansi.StylePrimitive{
		Text: c.Text, SyntaxKeyword: c.Keyword, SyntaxString: c.LiteralString, SyntaxNumber: c.LiteralNumber, SyntaxComment: c.Comment,
		SyntaxName: c.NameFunction, SyntaxType: c.KeywordType, SyntaxOperator: c.Operator,
		Added: c.GenericInserted, Removed: c.GenericDeleted, Hunk: c.GenericSubheading,
	}
	if block.Chroma != nil || name == "" {
		return nil
	}
	style, ok := chromastyles.Registry[strings.ToLower(name)]
	if !ok {
		return fmt.Errorf("code_block has the theme %q; %s", name, choices(name, chromastyles.Names()))
	}
	for tok, kind := range map[Token]chroma.TokenType{
		Text: chroma.Text, SyntaxKeyword: chroma.Keyword, SyntaxString: chroma.LiteralString, SyntaxNumber: chroma.LiteralNumber,
		SyntaxComment: chroma.Comment, SyntaxName: chroma.NameFunction, SyntaxType: chroma.KeywordType, SyntaxOperator: chroma.Operator,
		Added: chroma.GenericInserted, Removed: chroma.GenericDeleted, Hunk: chroma.GenericSubheading,
	} {
		s.syntax[tok] = ofChroma(style.Get(kind))
	}
	return nil
}

// ofChroma is an entry of one of chroma's styles in Glamour's terms, without its
// background: that of the terminal stays.
func ofChroma(e chroma.StyleEntry) gansi.StylePrimitive {
	var p gansi.StylePrimitive
	if e.Colour.IsSet() {
		c := e.Colour.String()
		p.Color = &c
	}
	bold, italic, underline := e.Bold == chroma.Yes, e.Italic == chroma.Yes, e.Underline == chroma.Yes
	p.Bold, p.Italic, p.Underline = &bold, &italic, &underline
	return p
}

// each calls f for all the primitives of a style, with where each is in a file.
func each(s *gansi.StyleConfig, f func(path string, p *gansi.StylePrimitive)) {
	walk(reflect.ValueOf(s).Elem(), "", func(path string, v reflect.Value) bool {
		p, ok := v.Addr().Interface().(*gansi.StylePrimitive)
		if ok {
			f(path, p)
		}
		return ok
	})
}

// texts replaces all the marks of a style: every text but colours and the name of
// a theme.
func texts(s *gansi.StyleConfig, f func(path, text string) string) {
	walk(reflect.ValueOf(s).Elem(), "", func(path string, v reflect.Value) bool {
		switch name := path[strings.LastIndexByte(path, '.')+1:]; {
		case v.Kind() != reflect.String || name == "color" || name == "background_color" || name == "theme":
		default:
			v.SetString(f(path, v.String()))
		}
		return false
	})
}

// walk visits the fields of a style, inner ones too unless visit reports that it
// is done with a value.
func walk(v reflect.Value, path string, visit func(path string, v reflect.Value) (done bool)) {
	if v.Kind() == reflect.Pointer {
		if v.IsNil() {
			return
		}
		v = v.Elem()
	}
	if visit(path, v) || v.Kind() != reflect.Struct {
		return
	}
	for i := range v.NumField() {
		field := path
		if name, _, _ := strings.Cut(v.Type().Field(i).Tag.Get("json"), ","); name != "" {
			field = strings.TrimPrefix(path+"."+name, ".")
		}
		walk(v.Field(i), field, visit)
	}
}

// copied is a style that shares nothing with another.
func copied(s gansi.StyleConfig) (fresh gansi.StyleConfig) {
	source, err := json.Marshal(s)
	if err == nil {
		err = json.Unmarshal(source, &fresh)
	}
	if err != nil {
		panic(err) // it holds nothing that JSON does not
	}
	return fresh
}
