package theme

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"sync"

	"charm.land/lipgloss/v2"
)

// probeRed and probeGreen mark the colours of Probe; the blue is the token.
const probeRed, probeGreen = 80, 82

// Probe returns a theme in which every token has a colour of its own and
// nothing else, so that Reveal can say afterwards which role each piece of a
// drawn line plays. Widths are as with any other theme.
func Probe(opts ...Option) *Theme {
	var s [Tokens]lipgloss.Style
	for i := range s {
		s[i] = lipgloss.NewStyle().Foreground(lipgloss.Color(fmt.Sprintf("#%02x%02x%02x", probeRed, probeGreen, i)))
	}
	return build("probe", true, s, opts)
}

var (
	probeSGR  = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile("\x1b\\[([0-9;:]*)m") })
	probeFore = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(fmt.Sprintf(`38[;:]2[;:]%d[;:]%d[;:](\d+)`, probeRed, probeGreen))
	})
)

// Reveal returns text drawn with Probe in a form for goldens: a role becomes
// "[error]boom[/]", the role "text" stays bare. Sequences that are no colour
// of Probe disappear.
func Reveal(s string) string {
	var b strings.Builder
	role, want := Text, Text
	write := func(text string) {
		if text == "" {
			return
		}
		if want != role {
			if role != Text {
				b.WriteString("[/]")
			}
			if want != Text {
				b.WriteString("[" + want.String() + "]")
			}
			role = want
		}
		b.WriteString(text)
	}
	pos := 0
	for _, m := range probeSGR().FindAllStringSubmatchIndex(s, -1) {
		write(s[pos:m[0]])
		pos = m[1]
		params := s[m[2]:m[3]]
		if f := probeFore().FindStringSubmatch(params); f != nil {
			n, _ := strconv.Atoi(f[1])
			want = Token(n)
		} else if params == "" || params == "0" {
			want = Text
		}
	}
	write(s[pos:])
	if role != Text {
		b.WriteString("[/]")
	}
	return b.String()
}
