package text

import (
	"strings"
)

// closed makes every line stand by itself: styles and links that are open at
// its start are opened there, those open at its end are closed there. Only SGR
// and links that safeURL accepts survive; whatever else a library may have put
// out is dropped. With trim, blanks at the end of a line go.
func closed(lines []string, trim bool) []string {
	var p penState
	for i, line := range lines {
		if !p.open() && strings.IndexByte(line, 0x1b) < 0 {
			if trim {
				lines[i] = strings.TrimRight(line, " ")
			}
			continue
		}
		lines[i] = p.line(line, trim)
	}
	return lines
}

// penState is what a terminal would carry from one line to the next.
type penState struct {
	sgr  string // the sequences since the last reset
	link string // the OSC 8 sequence that opened the current link
	buf  []byte // where line writes
}

const (
	resetSGR = "\x1b[m"
	// CloseLink is the OSC 8 sequence that ends a link.
	CloseLink = "\x1b]8;;\x1b\\"
)

func (p *penState) open() bool { return p.sgr != "" || p.link != "" }

// line rewrites one line so that it opens and closes its own styles.
func (p *penState) line(s string, trim bool) string {
	b := append(append(p.buf[:0], p.link...), p.sgr...)
	ink := 0             // length of b after the last thing to keep
	inkPen := penState{} // what was open there
	for i := 0; i < len(s); {
		j := strings.IndexByte(s[i:], 0x1b)
		if j < 0 {
			j = len(s) - i
		}
		if text := s[i : i+j]; text != "" {
			kept := text
			if trim {
				kept = strings.TrimRight(text, " ")
			}
			if kept != "" {
				ink, inkPen = len(b)+len(kept), *p
			}
			b = append(b, text...)
		}
		i += j
		if i == len(s) {
			break
		}
		end := escapeEnd(s, i)
		b = append(b, p.take(s[i:end])...)
		i = end
	}
	p.buf = append(b[:ink], unpenned(inkPen)...)
	return string(p.buf)
}

// take applies one escape sequence and returns what of it may be written.
func (p *penState) take(seq string) string {
	switch {
	case isSGR(seq):
		if seq == resetSGR || seq == "\x1b[0m" {
			p.sgr = ""
			return resetSGR
		}
		p.sgr += seq
		return seq
	case strings.HasPrefix(seq, "\x1b]8;"):
		body := strings.TrimSuffix(strings.TrimSuffix(seq[len("\x1b]8;"):], "\x1b\\"), "\x07")
		_, url, _ := strings.Cut(body, ";")
		switch {
		case url == "" && p.link != "":
			p.link = ""
			return CloseLink
		case !SafeURL(url):
			return ""
		}
		p.link = "\x1b]8;;" + url + "\x1b\\"
		return p.link
	}
	return ""
}

func isSGR(seq string) bool {
	return strings.HasPrefix(seq, "\x1b[") && strings.HasSuffix(seq, "m") &&
		strings.Trim(seq[2:len(seq)-1], "0123456789;:") == ""
}
