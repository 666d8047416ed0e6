package secrets

import (
	"cmp"
	"context"
	"fmt"
	"hash/maphash"
	"html"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"sync"
	"unicode"
)

// Bounds of a search for secrets.
const (
	// MostSearched is how much text is looked through, in bytes: beyond it the rest
	// is counted. A megabyte takes about half a second of one core.
	MostSearched = 64 << 20
	piece        = 64 << 10 // what is looked at in one go: the rules take longer for each byte of more
	overlap      = 8 << 10  // of one piece with the next, so that none is cut: a private key of OpenPGP has 7 KB
	dataBytes    = 4 << 10  // letters and digits without a blank beyond it are an image or its like
)

// Redactor finds the secrets of many texts and takes them out of those, or out of
// others that repeat them. The zero Redactor is ready. Scan comes first; then
// Redact is safe for concurrent use.
type Redactor struct {
	mu       sync.Mutex
	seed     maphash.Seed
	seen     map[uint64]struct{}
	leaks    map[string]*Leak // by value
	searched int
	rest     int
	err      error

	compile sync.Once
	values  []hidden
}

// Leak is a secret that would leave with a text.
type Leak struct {
	Kind   string // "github pat", "password"
	Masked string // its first characters
	Turn   int    // the first that it is in; 0 for before all
}

// Scan looks through texts, as each is given them with the number of a turn in
// rising order, on all cores. It stops with the context.
func (r *Redactor) Scan(ctx context.Context, texts func(each func(turn int, text string)) error) error {
	if r.leaks == nil {
		r.seed, r.seen, r.leaks = maphash.MakeSeed(), map[uint64]struct{}{}, map[string]*Leak{}
	}
	type job struct {
		turn int
		text string
	}
	jobs := make(chan job, 64)
	var workers sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		workers.Go(func() {
			for j := range jobs {
				if ctx.Err() == nil {
					r.search(j.turn, j.text)
				}
			}
		})
	}
	err := texts(func(turn int, text string) {
		for ctx.Err() == nil && text != "" {
			part := text[:min(len(text), piece)]
			if r.fresh(part) {
				jobs <- job{turn, part}
			}
			if len(part) == len(text) {
				return
			}
			text = text[piece-overlap:]
		}
	})
	close(jobs)
	workers.Wait()
	return cmp.Or(err, ctx.Err(), r.err)
}

// fresh reports whether a text is to be searched: once, as far as the bound goes,
// and no data.
func (r *Redactor) fresh(text string) bool {
	if len(text) > dataBytes && strings.IndexFunc(text, func(c rune) bool { return !base64Rune(c) }) < 0 {
		return false
	}
	sum := maphash.String(r.seed, text)
	if _, seen := r.seen[sum]; seen {
		return false
	}
	r.seen[sum] = struct{}{}
	if r.searched+len(text) > MostSearched {
		r.rest += len(text)
		return false
	}
	r.searched += len(text)
	return true
}

func base64Rune(c rune) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || strings.ContainsRune("+/=_-", c)
}

func (r *Redactor) search(turn int, text string) {
	found, err := Find(text)
	r.mu.Lock()
	defer r.mu.Unlock()
	if err != nil {
		r.err = fmt.Errorf("look for secrets: %w", err)
	}
	for _, s := range found {
		value := text[s.Span[0]:s.Span[1]]
		l := r.leaks[value]
		if l == nil {
			l = &Leak{s.Kind, masked(value), turn}
			r.leaks[value] = l
		}
		l.Turn = min(l.Turn, turn)
		if compareKinds(s.Kind, l.Kind) < 0 {
			l.Kind = s.Kind
		}
	}
}

// masked is the part of a secret that shows which one it is.
func masked(value string) string {
	runes := []rune(value)
	for i, c := range runes {
		if unicode.IsControl(c) {
			runes[i] = ' '
		}
	}
	return string(runes[:min(4, len(runes)/3)]) + "…"
}

// Found are the secrets, in order of their turns. One that is part of another is
// not listed.
func (r *Redactor) Found() []Leak {
	all := make([]string, 0, len(r.leaks))
	for value := range r.leaks {
		all = append(all, value)
	}
	slices.SortFunc(all, func(a, b string) int {
		x, y := r.leaks[a], r.leaks[b]
		return cmp.Or(x.Turn-y.Turn, cmp.Compare(x.Kind, y.Kind), cmp.Compare(a, b))
	})
	var found []Leak
	for _, value := range all {
		if !slices.ContainsFunc(all, func(o string) bool { return o != value && strings.Contains(o, value) }) {
			found = append(found, *r.leaks[value])
		}
	}
	return found
}

// Unsearched is how much was not looked through, in bytes.
func (r *Redactor) Unsearched() int { return r.rest }

// hidden is a secret to take out.
type hidden struct {
	sign  string // the longest part of it without signs, which has no other form
	form  *regexp.Regexp
	reach int // how far from its sign a form of it may begin or end
	kind  string
}

// Redact returns a text in which every secret that was found in any text is
// "[redacted: kind]", also where JSON, HTML, markdown or an address escapes its
// signs. One that is a plain word is only taken out where it stands as a secret.
func (r *Redactor) Redact(text string) string {
	r.compile.Do(r.prepare)
	for _, h := range r.values {
		text = h.out(text)
	}
	return text
}

// out takes a secret out of a text. Its expression, which is slow, is only tried
// around its sign.
func (h *hidden) out(text string) string {
	instead := "[redacted: " + h.kind + "]"
	if h.sign == "" {
		return h.form.ReplaceAllLiteralString(text, instead)
	}
	var b strings.Builder
	done, at := 0, 0 // what is written, or left out; and where the sign is looked for
	for i := strings.Index(text, h.sign); i >= at; i = at + strings.Index(text[at:], h.sign) {
		from := max(done, i-h.reach)
		for _, m := range h.form.FindAllStringSubmatchIndex(text[from:min(len(text), i+h.reach)], -1) {
			if m[len(m)-1] < 0 { // the other group
				m = m[:len(m)-2]
			}
			b.WriteString(text[done:from+m[len(m)-2]] + instead)
			done = from + m[len(m)-1]
		}
		at = max(done, i+len(h.sign))
	}
	return b.String() + text[done:]
}

// prepare makes expressions of the values, those first that may hold others. The
// lines of a block, such as a private key, are secrets too: they may stand behind
// signs of a diff or numbers.
func (r *Redactor) prepare() {
	kinds := map[string]string{}
	for value, l := range r.leaks {
		kinds[value] = l.Kind
		lines := strings.FieldsFunc(strings.ReplaceAll(value, `\n`, "\n"), func(c rune) bool { return c == '\n' || c == '\r' })
		if len(lines) < 2 {
			continue
		}
		for _, line := range lines {
			line = longest(line, base64Rune)
			if line = strings.TrimLeft(line, "+-"); len(line) >= 12 && kinds[line] == "" {
				kinds[line] = l.Kind
			}
		}
	}
	for value, kind := range kinds {
		h := hidden{longest(value, wordRune), nil, 16*len(value) + 64, kind}
		if plainWord(value) && slices.Contains(labelled, kind) {
			h.form = asSecret(value)
		} else {
			h.form = regexp.MustCompile("(" + escapedForms(value) + ")")
		}
		r.values = append(r.values, h)
	}
	slices.SortFunc(r.values, func(a, b hidden) int {
		return cmp.Or(len(b.form.String())-len(a.form.String()), cmp.Compare(a.form.String(), b.form.String()))
	})
}

// labelled are the kinds of secrets that are known by the label before them alone.
var labelled = []string{"environment variable", "password", "password in an address", "authorization header"}

// plainWord reports whether a value may as well be a common word or a number:
// "test", "postgres", "my-app", "1234".
func plainWord(value string) bool {
	return len(value) < 12 && (strings.Trim(value, letters+"-_. ") == "" || strings.Trim(value, "0123456789") == "")
}

const letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"

// asSecret is an expression for a plain word where it stands as a secret, as the
// patterns of labelled kinds want it to, or alone.
func asSecret(value string) *regexp.Regexp {
	const quotes = "[\"'`\\\\]*"
	value = regexp.QuoteMeta(value)
	return regexp.MustCompile(`(?:(?i:(?:passw(?:or)?d|passphrase|pass|pwd|pin|secret|token|key|credentials?)` + quotes +
		`\s*(?:[:=]|:=|=>|\b(?:is|to|as)\b)|(?:password|passphrase|identified by|basic|bearer|token)\s)\s*` + quotes +
		`|://[^\s/:@]*:)(` + value + `)(?:\W|\z)|\A[\s"'\x60]*(` + value + `)[\s"'\x60.,;]*\z`)
}

// longest is the longest part of a text that is of some letters alone.
func longest(text string, of func(rune) bool) string {
	longest := ""
	for _, part := range strings.FieldsFunc(text, func(c rune) bool { return !of(c) }) {
		if len(part) > len(longest) {
			longest = part
		}
	}
	return longest
}

func wordRune(c rune) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9'
}

// escapedForms is an expression for a value with its signs as they are, or
// escaped as in JSON inside JSON, markdown, HTML or an address. What is short is
// only meant as a word.
func escapedForms(value string) string {
	var b strings.Builder
	edge := func(c byte) {
		if len(value) < 8 && wordRune(rune(c)) {
			b.WriteString(`\b`)
		}
	}
	edge(value[0])
	for _, c := range value {
		switch {
		case wordRune(c):
			b.WriteRune(c)
		case c == '\n' || c == '\r':
			b.WriteString(`(?:\\{0,8}[nr]|\s)`)
		default:
			fmt.Fprintf(&b, `(?:\\{0,8}%s|(?i:\\{1,8}u%04x|&#0*%d;|&#x0*%x;)`, regexp.QuoteMeta(string(c)), c, c, c)
			if named := html.EscapeString(string(c)); named != string(c) {
				b.WriteString("|" + named)
			}
			if named, ok := names[c]; ok {
				b.WriteString("|" + named)
			}
			b.WriteString("|(?i:")
			for _, octet := range []byte(string(c)) {
				fmt.Fprintf(&b, "%%%02x", octet)
			}
			b.WriteString("))")
		}
	}
	edge(value[len(value)-1])
	return b.String()
}

// names are those of signs in HTML that a package of the standard library writes
// as numbers.
var names = map[rune]string{'"': "&quot;", '\'': "&apos;"}
