package terminal

import (
	"bytes"
	"strconv"
	"strings"

	"github.com/charmbracelet/x/ansi"
)

// rowLength is the length of the row that p begins with: the sequence that clears it, and
// the characters, colours and links after it.
func rowLength(p []byte) int {
	n := len(ansi.EraseLineRight)
	for n < len(p) {
		rest := p[n:]
		length := tokenLength(rest)
		text := rest[0] >= ' ' && rest[0] != ansi.DEL
		colours := length > 2 && rest[1] == '[' && rest[length-1] == 'm' && !bytes.ContainsAny(rest[2:length-1], marks)
		link := bytes.HasPrefix(rest, []byte(hyperlink))
		if length == 0 || !text && !colours && !link {
			break
		}
		n += length
	}
	return n
}

// tokenLength is the length of the characters or of the one control or sequence that p
// begins with; 0 if that does not end in p. It is not ansi.DecodeSequence, for which a
// title ends at the byte 0x9c, which is part of letters such as Ü in UTF-8; and not
// sequence, for which only a string that a terminal answers with is one.
func tokenLength(p []byte) int {
	if len(p) == 0 {
		return 0
	}
	if p[0] != ansi.ESC {
		if p[0] < ' ' || p[0] == ansi.DEL {
			return 1
		}
		if end := bytes.IndexFunc(p, func(r rune) bool { return r < ' ' || r == ansi.DEL }); end > 0 {
			return end
		}
		return len(p)
	}
	if len(p) < 2 {
		return 0
	}
	switch p[1] {
	case '[':
		for i := 2; i < len(p); i++ {
			if p[i] >= '@' {
				return i + 1
			}
		}
		return 0
	case ']', 'P', '_', '^', 'X':
		for i := 2; i < len(p); i++ {
			switch {
			case p[i] == ansi.BEL && p[1] == ']':
				return i + 1
			case p[i] == ansi.ESC && i+1 < len(p):
				return i + 2
			}
		}
		return 0
	}
	for i := 1; i < len(p); i++ {
		if p[i] >= '0' {
			return i + 1
		}
	}
	return 0
}

// numbers are the first two numbers of a sequence; 0 if they are not given.
func numbers(params string) (a, b int) {
	first, second, _ := strings.Cut(params, ";")
	a, _ = strconv.Atoi(first)
	b, _ = strconv.Atoi(second)
	return a, b
}
