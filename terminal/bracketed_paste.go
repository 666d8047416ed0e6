package terminal

import (
	"bytes"
	"regexp"
	"strconv"
	"sync"

	tea "charm.land/bubbletea/v2"
)

// The marks that a terminal puts around pasted text (bracketed paste).
const (
	pasteStart = "\x1b[200~"
	pasteEnd   = "\x1b[201~"
)

// pastes takes pasted text out of the terminal's input before it is decoded as
// keys, which would lose bytes that are not text. What was pasted is kept, and
// a number takes its place between the marks, so that the order of keys and
// pastes stays. Bubble Tea makes a paste of the number, and resolve gives the
// text back: byte for byte what the terminal sent.
//
// A pasted text may have the mark of its end in it, and a line behind that would be sent.
// So an end that was found is not known to be one before settle is called; until then
// another end makes text of it.
type pastes struct {
	inside bool
	ended  bool
	end    int    // where in text the last end was found
	long   bool   // the last end became text for what followed it, so there may be no other
	mark   []byte // the start of a mark that the last read ended with
	text   []byte // pasted so far, with what is behind end

	mu   sync.Mutex // kept is written while reading and read on the loop
	kept map[string]string
	next int
}

// filter returns input with numbers for pasted texts. Outside a paste, every
// byte goes through at once: what looks like the start of a mark may be a key.
// No more than room bytes come of what followed an end before.
func (p *pastes) filter(input []byte, room int) []byte {
	var out []byte
	for {
		seen := len(p.mark)
		text := append(p.mark, input...)
		at, mark := p.nextMark(text)
		if at < 0 {
			n := partial(text, pasteStart)
			if p.inside {
				n = max(n, partial(text, pasteEnd))
			}
			p.mark = bytes.Clone(text[len(text)-n:])
			if p.inside {
				p.text = append(p.text, text[:len(text)-n]...)
				return out
			}
			return append(out, text[seen:]...)
		}
		p.mark = nil
		input = text[at+len(mark):]
		switch {
		case !p.inside:
			out = append(out, text[seen:at+len(mark)]...)
			p.inside = true
		case mark == pasteEnd:
			p.text = append(p.text, text[:at]...)
			p.ended, p.end, p.long = true, len(p.text), false
			p.text = append(p.text, mark...)
		default:
			p.text = append(p.text, text[:at]...)
			if before, ok := p.settle(room); ok {
				out, input = append(out, before...), text[at:]
			} else {
				p.text = append(p.text, mark...)
			}
		}
	}
}

// nextMark finds the first mark in text that means something where it stands: the end of a
// paste inside of one, a start where there is none or its end was found.
func (p *pastes) nextMark(text []byte) (at int, mark string) {
	at, mark = -1, pasteStart
	if !p.inside || p.ended {
		at = bytes.Index(text, []byte(pasteStart))
	}
	if end := bytes.Index(text, []byte(pasteEnd)); p.inside && end >= 0 && (at < 0 || end < at) {
		return end, pasteEnd
	}
	return at, mark
}

// mouseReport is what a terminal sends when the mouse does something (xterm, SGR).
var mouseReport = regexp.MustCompile(`\x1b\[<\d+;\d+;\d+[Mm]`)

// overrun reports whether more has followed the end of a paste than keys do, which are no more
// than room bytes. Reports of the mouse do not count: they come at any time and are never pasted.
func (p *pastes) overrun(room int) bool {
	after := p.text[p.end+len(pasteEnd):]
	const reports = 4 // so many times the room at most are looked at, since it is done for each read
	return len(mouseReport.ReplaceAll(after[:min(len(after), reports*room)], nil)) > room
}

// settle ends the paste whose end was found, and returns its number with the keys behind it.
// More than room bytes are no keys but text: what is pasted has an end that was not read yet.
// Reports of the mouse that there is no room for are dropped.
func (p *pastes) settle(room int) ([]byte, bool) {
	if !p.ended {
		return nil, false
	}
	after := append(bytes.Clone(p.text[p.end+len(pasteEnd):]), p.mark...)
	keys := mouseReport.ReplaceAll(after, nil)
	p.ended, p.long = false, len(keys) > room
	if p.long {
		return nil, false
	}
	if len(after) > room {
		after = keys
	}
	p.text, p.mark, p.inside = p.text[:p.end], nil, false
	out := append([]byte(p.keep()), pasteEnd...)
	return append(out, p.filter(after, room)...), true
}

// giveUp ends a paste whose last end became text. It returns its number.
func (p *pastes) giveUp() []byte {
	if !p.long {
		return nil
	}
	p.text = append(p.text, p.mark...)
	p.inside, p.long, p.mark = false, false, nil
	return append([]byte(p.keep()), pasteEnd...)
}

// partial is the length of the longest end of b that is a start of mark.
func partial(b []byte, mark string) int {
	for n := min(len(b), len(mark)-1); n > 0; n-- {
		if string(b[len(b)-n:]) == mark[:n] {
			return n
		}
	}
	return 0
}

// keep puts the finished paste away and returns its number.
func (p *pastes) keep() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.kept == nil {
		p.kept = map[string]string{}
	}
	p.next++
	number := strconv.Itoa(p.next)
	p.kept[number] = string(p.text)
	p.text = nil
	return number
}

// Resolve returns the paste that a number stands for. A paste that is no
// number of ours is left as it is.
func (p *pastes) Resolve(msg tea.PasteMsg) tea.PasteMsg {
	p.mu.Lock()
	defer p.mu.Unlock()
	if text, ok := p.kept[msg.Content]; ok {
		delete(p.kept, msg.Content)
		msg.Content = text
	}
	return msg
}
