package render

import (
	"bytes"
	"strings"
	"unicode/utf8"

	gansi "charm.land/glamour/v2/ansi"
	"github.com/yuin/goldmark/util"

	"parley/render/text"
	"parley/theme"
)

// longestAddress is how much of an address is shown, in cells. Longer ones hold
// data, not a place.
const longestAddress = 240

// link draws a link or an image: its label, and behind it where it leads if the
// label does not say so. A terminal may follow it only if safeURL agrees and
// nothing in the address is hidden.
type link struct {
	shown       string // the address, "" if the label is it
	open        string // OSC 8, "" if it may not be followed
	text, place gansi.StylePrimitive

	letters, ascii string // the host in both its forms; "" if it has only one
	odd            gansi.StylePrimitive
}

// link returns what draws the link of a label, which is text when plain, and an
// address.
func (d *drawer) link(plain, target string) *link {
	l := &link{text: d.look.LinkText, place: d.look.Link}
	address := unescape(target)
	shown := strings.ReplaceAll(text.SanitizeShowHidden(address), "\n", " ")
	if bareURL(plain) != bareURL(shown) {
		l.shown = text.Truncate(shown, longestAddress, d.th.Glyph(theme.MarkEllipsis))
	}
	if escaped := string(util.URLEscape([]byte(target), true)); d.th.Links && text.SafeURL(escaped) && shown == address {
		l.open = "\x1b]8;;" + escaped + "\x1b\\"
	}
	if letters, ascii, ok := text.OddHost(address); ok {
		l.letters, l.ascii, l.odd = letters, ascii, d.th.Primitive(theme.Hidden)
	}
	return l
}

// draw draws the link; label draws what it is on.
func (l *link) draw(b *bytes.Buffer, outer gansi.StylePrimitive, label func(gansi.StylePrimitive)) {
	l.linked(b, func() { around(b, outer, l.text, label) })
	if l.shown != "" {
		b.WriteByte(' ')
		l.linked(b, func() {
			around(b, outer, l.place, func(gansi.StylePrimitive) { put(b, unmarked(l.place), l.shown) })
		})
	}
	if l.ascii != "" {
		put(b, outer, " (")
		for _, r := range l.letters {
			if r >= utf8.RuneSelf {
				put(b, theme.Overlay(outer, l.odd), string(r))
			} else {
				put(b, outer, string(r))
			}
		}
		put(b, outer, " = "+l.ascii+")")
	}
}

// linked draws something as (part of) the link.
func (l *link) linked(b *bytes.Buffer, draw func()) {
	if l.open == "" {
		draw()
		return
	}
	b.WriteString(l.open)
	draw()
	b.WriteString(text.CloseLink)
}

// bareURL is an address as people write it.
func bareURL(s string) string {
	s = strings.TrimSpace(s)
	for _, scheme := range []string{"https://", "http://", "mailto:"} {
		s = strings.TrimPrefix(s, scheme)
	}
	return strings.TrimSuffix(s, "/")
}
