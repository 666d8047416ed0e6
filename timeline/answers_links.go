package timeline

import (
	"iter"
	"net/url"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"parley/render/text"
)

// Answers yields what the root agent said, in markdown as it wrote it, the
// newest first. Text that is still being written, or was cut off, is among it.
func (t *Timeline) Answers() iter.Seq[string] {
	return func(yield func(string) bool) {
		for _, e := range slices.Backward(t.entries) {
			if m, ok := answer(e); ok && !yield(m.Text.String()) {
				return
			}
		}
	}
}

// LastAnswer returns the last answer of the root agent, as it wrote it: what is there of
// one that still comes, or else the last complete one. While there is neither, it is the
// last one that was cut off.
func (t *Timeline) LastAnswer() (text string, running, ok bool) {
	for _, e := range slices.Backward(t.entries) {
		m, is := answer(e)
		switch {
		case !is:
		case e.State == Done || e.State == Live && !ok:
			return m.Text.String(), e.State == Live, true
		case !ok:
			text, ok = m.Text.String(), true
		}
	}
	return text, false, ok
}

// answer returns the body of an entry that is something the root agent said.
func answer(e *Entry) (m *Message, ok bool) {
	m, ok = e.Body.(*Message)
	return m, ok && e.Agent == "" && m.MessageID != "" && !blank(e)
}

// Bounds of Links.
const (
	maxLinks      = 200
	maxLinkBytes  = 4 << 20 // how much text is looked through
	maxLinkLength = 2048    // longer ones hold data, not a place
	linkTrailing  = `.,;:!?'"*_~([`
)

// Link is something in a text that can be opened.
type Link struct {
	Text         string // the address, or the place in a file as it was written
	Path         string // of the file, as it was written; "" for an address of the web
	Line, Column int    // in the file, from 1; Column is 0 if it was not written
}

// Links returns the http and https addresses and the places in files, as in main.go:12,
// in answers, results of tools, notices and what came with prompts, each once, the newest
// first. Punctuation after an address is no part
// of it. Addresses that do not parse, that name no plain host, or that have
// user data before it, which only serves to hide it, are left out. At most 200 addresses
// and 200 places are returned, of the newest 4 MiB of text.
func (t *Timeline) Links() []Link { return linksOf(slices.Backward(t.entries)) }

// LinksOf returns the links in one entry, as Links does.
func LinksOf(e *Entry) []Link { return linksOf(slices.All([]*Entry{e})) }

func linksOf(entries iter.Seq2[int, *Entry]) []Link {
	var out []Link
	seen, budget, addresses := map[string]bool{}, maxLinkBytes, 0
	for _, e := range entries {
		for _, text := range slices.Backward(linkTexts(e.Body)) {
			text = text[max(0, len(text)-budget):]
			budget -= len(text)
			for _, link := range slices.Backward(linksIn(text)) {
				if seen[link.Text] || link.Path != "" && len(out)-addresses == maxLinks {
					continue
				}
				if link.Path == "" {
					addresses++
				}
				link.Text, link.Path = strings.Clone(link.Text), strings.Clone(link.Path)
				seen[link.Text] = true
				if out = append(out, link); addresses == maxLinks {
					return out
				}
			}
		}
		if budget <= 0 {
			break
		}
	}
	return out
}

// linkTexts are the texts of an entry in which links are looked for.
func linkTexts(b Body) []string {
	switch b := b.(type) {
	case *Message:
		return []string{b.Text.String()}
	case *ToolCall:
		texts := []string{b.Shown(), b.Error}
		for _, block := range b.Blocks {
			texts = append(texts, block.URI, block.Name)
		}
		return texts
	case *Notice:
		return append([]string{b.Text, b.URL, b.Next}, b.links...)
	case *Prompt:
		var links []string
		for _, a := range b.Attachments {
			links = append(links, a.URL)
		}
		return links
	case *Reasoning, *AnsweredQuestion, *Divider, *Unrecognised:
	}
	return nil
}

// linksIn returns the links in a text, in order. It is linear: what one
// address took is not looked at again.
func linksIn(s string) []Link {
	if strings.Contains(s, "\x1b[") {
		s = colours().ReplaceAllString(s, "") // a search colours the parts of a place
	}
	var out []Link
	for at, looked := 0, 0; ; { // places in files are between the addresses
		i := strings.Index(s[at:], "://")
		if i < 0 {
			return filePlaces(out, s[looked:])
		}
		scheme := schemeLen(s[at : at+i])
		start := at + i - scheme
		if at += i + len("://"); scheme == 0 {
			continue
		}
		at += addressEnd(s[at:])
		out = filePlaces(out, s[looked:start])
		if link := strings.TrimRight(s[start:at], linkTrailing); webAddress(link) {
			out = append(out, Link{Text: link})
		}
		looked = at
	}
}

// colours are the sequences that colour what a program prints.
var colours = text.Regexp(`\x1b\[[0-9;:]*[mK]`)

// schemeLen is the length of the web scheme at the end of s, 0 if s does not end with one.
func schemeLen(s string) int {
	for _, scheme := range [...]string{"https", "http"} {
		n := len(s) - len(scheme)
		if n < 0 || !strings.EqualFold(s[n:], scheme) {
			continue
		}
		if before, _ := utf8.DecodeLastRuneInString(s[:n]); n == 0 || !inScheme(before) {
			return len(scheme)
		}
	}
	return 0
}

// inScheme reports whether r can stand in a scheme (RFC 3986, 3.1), so that what
// follows it is only the end of one.
func inScheme(r rune) bool {
	return r < utf8.RuneSelf && (unicode.IsLetter(r) || unicode.IsDigit(r) || strings.ContainsRune("+-.", r))
}

// addressEnd is the length of what can belong to an address at the start of s:
// a bracket that closes what it did not open does not.
func addressEnd(s string) int {
	round, square := 0, 0
	for i, r := range s {
		switch r {
		case '(':
			round++
		case ')':
			round--
		case '[':
			square++
		case ']':
			square--
		}
		if round < 0 || square < 0 || !inAddress(r) {
			return i
		}
	}
	return len(s)
}

// inAddress reports whether r can stand in an address: the characters of RFC
// 3986, and the letters and digits of any script as people write them, without
// those that have no shape.
func inAddress(r rune) bool {
	if r < utf8.RuneSelf {
		return unicode.IsLetter(r) || unicode.IsDigit(r) || strings.ContainsRune("-._~:/?#[]@!$&'()*+,;=%", r)
	}
	return unicode.In(r, unicode.L, unicode.M, unicode.N) &&
		!unicode.In(r, unicode.Other_Default_Ignorable_Code_Point, unicode.Variation_Selector)
}

// webAddress reports whether s is an address of the web with a plain host.
func webAddress(s string) bool {
	if len(s) > maxLinkLength {
		return false
	}
	u, err := url.Parse(s)
	if err != nil || u.User != nil || u.Hostname() == "" {
		return false
	}
	return !strings.ContainsFunc(u.Hostname(), func(r rune) bool {
		return !unicode.In(r, unicode.L, unicode.M, unicode.N) && !strings.ContainsRune(".-_:", r)
	})
}
