// Package secrets finds passwords, keys and tokens in texts, and redacts them.
package secrets

import (
	"cmp"
	"regexp"
	"slices"
	"strings"
	"sync"
)

// Secret is something in a text that looks like a password, a key or a token.
type Secret struct {
	Kind string // in lower case: "github pat", "password"
	Span [2]int // its bytes
}

// Find finds the secrets in a text, in order, none inside another: what the
// rules of Gitleaks find and what the patterns of this file add. A megabyte takes
// about half a second. It is safe for concurrent use.
func Find(text string) ([]Secret, error) {
	var found []Secret
	for _, p := range patterns {
		if !slices.ContainsFunc(p.signs, func(sign string) bool { return strings.Contains(text, sign) }) {
			continue
		}
		for _, m := range p.text().FindAllStringSubmatchIndex(text, -1) {
			for m[len(m)-1] < 0 { // another form of the value matched
				m = m[:len(m)-2]
			}
			if from, to := m[len(m)-2], m[len(m)-1]; !placeholder(text[from:to]) {
				found = append(found, Secret{p.kind, [2]int{from, to}})
			}
		}
	}
	found = append(found, credentials(text)...)
	detector, err := gitleaks()
	if err != nil {
		return nil, err
	}
	for _, f := range detector.detect(text) {
		kind := strings.ReplaceAll(f.rule, "-", " ")
		for at := 0; f.secret != ""; {
			i := strings.Index(text[at:], f.secret)
			if i < 0 {
				break
			}
			found = append(found, Secret{kind, [2]int{at + i, at + i + len(f.secret)}})
			at += i + len(f.secret)
		}
	}
	return disjoint(found), nil
}

// Replace returns a text with something instead of each secret that Find finds in it. If
// they cannot be looked for, the text is "".
func Replace(text string, instead func(kind string) string) (string, error) {
	found, err := Find(text)
	if err != nil {
		return "", err
	}
	for _, s := range slices.Backward(found) {
		text = text[:s.Span[0]] + instead(s.Kind) + text[s.Span[1]:]
	}
	return text, nil
}

// Hide returns a text as it is shown where its secrets were not asked for, such as in the
// title of a session: with "[github pat hidden]" instead of one. If they cannot be looked
// for, the text is "".
func Hide(text string) string {
	shown, err := Replace(text, func(kind string) string { return "[" + kind + " hidden]" })
	if err != nil {
		return ""
	}
	return shown
}

// Shown remembers what Hide leaves of the texts that are shown again and again, such as
// titles that are in each frame: each is searched once. The zero value is ready; it is not
// safe for concurrent use.
type Shown struct{ of map[string]string }

// mostShown is how many texts a Shown remembers.
const mostShown = 256

// Hide is the function Hide.
func (s *Shown) Hide(text string) string {
	if text == "" {
		return ""
	}
	shown, known := s.of[text]
	if !known {
		if s.of == nil || len(s.of) >= mostShown {
			s.of = map[string]string{}
		}
		shown = Hide(text)
		s.of[text] = shown
	}
	return shown
}

// disjoint joins secrets that overlap under the kind that says most.
func disjoint(found []Secret) []Secret {
	slices.SortFunc(found, func(a, b Secret) int {
		return cmp.Or(a.Span[0]-b.Span[0], b.Span[1]-a.Span[1], compareKinds(a.Kind, b.Kind))
	})
	var out []Secret
	for _, s := range found {
		if n := len(out); n > 0 && s.Span[0] < out[n-1].Span[1] {
			last := &out[n-1]
			last.Span[1] = max(last.Span[1], s.Span[1])
			if compareKinds(s.Kind, last.Kind) < 0 {
				last.Kind = s.Kind
			}
			continue
		}
		out = append(out, s)
	}
	return out
}

// vague are kinds that say little, the least at the end.
var vague = []string{"API key", "environment variable", "authorization header", "curl auth header", "generic api key", "password", "secret"}

// compareKinds puts what says most first.
func compareKinds(a, b string) int {
	return cmp.Or(slices.Index(vague, a)-slices.Index(vague, b), cmp.Compare(a, b))
}

// compiled is an expression that is compiled when it is needed first: all of them
// together would take a millisecond of every start.
func compiled(text string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(text) })
}

// pattern finds a secret. Its last group that matched is the secret itself. What
// it finds has one of its signs in it, which are looked for first, as that is
// cheap.
type pattern struct {
	kind  string
	signs []string
	text  func() *regexp.Regexp
}

// keyLineEnd is what may stand between two lines of a key.
const keyLineEnd = `(?:\\+[nr]|[^A-Za-z0-9+/=]){1,12}(?:\d{1,6}[^A-Za-z0-9+/=]{1,4})?`

// quotedSigns are in the names of what holds a secret.
var quotedSigns = []string{"ass", "ASS", "wd", "WD", "ecret", "ECRET", "oken", "OKEN", "ey", "EY", "redential", "REDENTIAL"}

const (
	passwordName = `(?:password|passwd|passphrase|pwd)`
	// assigned is what stands between a name and its value, with the type of it in some
	// languages. It is no comparison.
	assigned = `["'\]]*\s*(?::\s*[&*]?\w+\s*=|:=|=>|=)\s*`
	// inQuotes is some of what stands in quotes.
	inQuotes = `[^"'\\\n]*`
)

// quoted is a value in quotes, which in JSON are escaped, and of which it is a group.
func quoted(value string) string {
	return `(?:\\*"(` + value + `)\\*"|'(` + value + `)')`
}

// patterns are secrets that Gitleaks does not find anywhere in a text, since
// its rules ask for a length, for randomness or for a whole block.
var patterns = []pattern{
	// A variable of the environment with a short or simple value. The name must
	// end in the word, so that TOKEN_LIMIT=4096 is none.
	{"environment variable", []string{"="}, compiled(
		`\b(?:[A-Z][A-Z0-9]*_)*(?:SECRET|TOKEN|PASSWORD|PASSWD|PASS|PASSPHRASE|CREDENTIALS?|` +
			`(?:API|ACCESS|SECRET|PRIVATE|SIGNING|ENCRYPTION|AUTH)_?KEY)=` +
			`(?:\\*"([^"\n]{6,}?)\\*"|'([^'\n]{6,})'|["']?([^\s"';|<>()` + "`" + `]{5,}[^\s"';|<>()` + "`" + `,.]))`,
	)},
	// A password that a program or a file of settings has in quotes: password = "hunter2".
	// After a colon, as in translations, words without a digit are more often a label.
	{"password", quotedSigns, compiled(
		`(?i)` + passwordName + assigned + quoted(`[^\s"'\\]{4,}|[^\s"'\\]+(?:[ \t]+[^\s"'\\]+)+`),
	)},
	{"password", quotedSigns, compiled(
		`(?i)` + passwordName + `["']?\s*:\s*` +
			quoted(inQuotes+`[ \t]`+inQuotes+`\d`+inQuotes+`|`+inQuotes+`\d`+inQuotes+`[ \t]`+inQuotes),
	)},
	{"secret", quotedSigns, compiled(
		`(?i)(?:` + passwordName + `|secret|token|(?:api|access|private|secret|auth)[_-]?key|credentials?)` +
			`(?:` + assigned + `|["']?\s*:\s*)` + quoted(`[^\s"'\\]{5,}\d[^\s"'\\]*|\d[^\s"'\\]{5,}|[^\s"'\\]+\d[^\s"'\\]{4,}`),
	)},
	// A password in an address of a service: postgres://user:password@host.
	{"password in an address", []string{"://"}, compiled(`\b[a-z][a-z0-9+.-]*://[^\s/:@"']+:([^\s/@"']{3,})@[\w.\[-]`)},
	// A header with a token, without the command line of curl around it.
	{"authorization header", []string{"uthorization", "UTHORIZATION"}, compiled(
		`(?i)\bauthorization["']?\s*[:=]\s*["']?(?:basic|bearer|token)\s+([\w.~+/=-]{8,})`,
	)},
	// A private key of which only the start was pasted, with signs of a diff or
	// numbers before its lines.
	{"private key", []string{"PRIVATE KEY"}, compiled(
		`-----BEGIN (?:[A-Z0-9]+ )*PRIVATE KEY(?: BLOCK)?-----(?:\s+[A-Z][\w-]*:.*)*` + keyLineEnd +
			`([A-Za-z0-9+/=]{16,}(?:` + keyLineEnd + `[A-Za-z0-9+/=]{16,})*)`,
	)},
	// Keys of services for models, whose forms are newer than the rules.
	{"API key", []string{"sk-", "rk-", "pk-"}, compiled(`\b(?:sk|rk|pk)-((?:[a-z]+\d*-)*[A-Za-z0-9_-]{20,})`)},
}

// credential is a line that says a password and nothing else, however simple:
// "password: hunter2", "my API key is abc123", "user=ada".
var credential = compiled(
	`(?i)^\W*(?:(?:my|the|our|your|its|use|here is|set|export)\s+)*` +
		`(?:[\w.-]+[ _.-])?(password|passwd|passphrase|pass|pwd|pin|secret|token|(?:api|access|private|secret)[ _-]?key|credentials?)` +
		`["']?\s*(?:[:=]|:=|=>|\bis\b)\s*` +
		`(?:["']([^\s"']+(?:[ \t]+[^\s"']+)+)["']|["'` + "`" + `]?(\S{4,}?))[.,;"'` + "`" + `]*\s*$`,
)

// beside is a line that commonly stands beside a password and says nothing.
var beside = compiled(`(?i)^\W*(?:user(?:name)?|login|e-?mail|host|account|url)["']?\s*[:=]`)

// credentials are the secrets of a text of which at least half of the lines that
// say something are credentials. Among more text a short word after "password:"
// is more often about the code.
func credentials(text string) []Secret {
	const most = 4 << 10 // more than a user writes
	if len(text) > most {
		return nil
	}
	var found []Secret
	others, at := 0, 0
	for line := range strings.Lines(text) {
		m := credential().FindStringSubmatchIndex(line)
		if m != nil && m[4] < 0 { // it is one word
			m = m[2:]
		}
		switch {
		case m != nil && !placeholder(line[m[4]:m[5]]):
			found = append(found, Secret{"password", [2]int{at + m[4], at + m[5]}})
		case strings.TrimSpace(line) != "" && !beside().MatchString(line):
			others++
		}
		at += len(line)
	}
	if len(found) < others {
		return nil
	}
	return found
}

// noSecret is a word that stands for a secret, or for its type in a program.
var noSecret = compiled(
	`(?i)^(?:` +
		`[<\[{(%$].*|.*[>\])}]|` + // <password>, ${TOKEN}, process.env[X], getToken()
		`x{3,}.*|` +
		`(?:your|my|the|a|an|some|example|dummy|fake|test)[-_.].*|` +
		`change[-_]?me|example|dummy|redacted|hidden|secret|password|passwd|token|` +
		`string|str|bytes?|number|int|bool(?:ean)?|any|char|text|varchar|object|` +
		`true|false|null|nil|none|undefined|empty|missing|required|optional|wrong|invalid|incorrect|expired|valid|set|unset|` +
		`process\.env\..*|os\.(?:environ|getenv).*|env\..*` +
		`)[.,;:!?]*$`,
)

func placeholder(secret string) bool { return noSecret().MatchString(secret) }
