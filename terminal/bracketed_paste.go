package terminal

import (
	"bytes"
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
type pastes struct {
	inside bool
	mark   []byte // the start of a mark that the last read ended with
	text   []byte // pasted so far

	mu   sync.Mutex // kept is written while reading and read on the loop
	kept map[string]string
	next int
}

// filter returns input with numbers for pasted texts. Outside a paste, every
// byte goes through at once: what looks like the start of a mark may be a key.
func (p *pastes) filter(input []byte) []byte {
	var out []byte
	for {
		mark := pasteStart
		if p.inside {
			mark = pasteEnd
		}
		seen := len(p.mark)
		text := append(p.mark, input...)
		at := bytes.Index(text, []byte(mark))
		if at < 0 {
			n := partial(text, mark)
			p.mark = bytes.Clone(text[len(text)-n:])
			if p.inside {
				p.text = append(p.text, text[:len(text)-n]...)
				return out
			}
			return append(out, text[seen:]...)
		}
		p.mark = nil
		if p.inside {
			at += furtherEnd(text[at+len(mark):])
		}
		if input = text[at+len(mark):]; p.inside {
			p.text = append(p.text, text[:at]...)
			out = append(out, p.keep()+pasteEnd...)
		} else {
			out = append(out, text[seen:at+len(mark)]...)
		}
		p.inside = !p.inside
	}
}

// furtherEnd is how much further the paste goes that an end was found of, before text: as
// far as another end without a start between them. Then it is the pasted text that has the
// mark in it, and what follows is no key.
func furtherEnd(text []byte) int {
	if start := bytes.Index(text, []byte(pasteStart)); start >= 0 {
		text = text[:start]
	}
	if end := bytes.LastIndex(text, []byte(pasteEnd)); end >= 0 {
		return end + len(pasteEnd)
	}
	return 0
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
