package history

import (
	"regexp"
	"strings"
	"sync"

	"github.com/rs/zerolog"
	"github.com/zricethezav/gitleaks/v8/detect"
)

// Private reports whether a prompt is kept out of the history, and why, as the
// end of a sentence about it: because it begins with a space, as in a shell with
// HISTCONTROL=ignorespace, or because it looks like it holds a secret.
//
// Secrets are what the rules of Gitleaks find and what the patterns of this
// file add. The first call takes tens of milliseconds, and one of a long text
// too. It is safe for concurrent use.
func Private(text string) (why string, private bool) {
	if strings.HasPrefix(text, " ") {
		return "it begins with a space", true
	}
	for _, part := range parts(text) {
		if kind := secretKind(part); kind != "" {
			return "it looks like it holds a secret (" + kind + ")", true
		}
	}
	return "", false
}

// scanned is how much of a text is searched for secrets, in bytes: half of it
// from the start, half to the end. What is longer is data that was pasted.
const scanned = 512 << 10

func parts(text string) []string {
	if len(text) <= scanned {
		return []string{text}
	}
	return []string{text[:scanned/2], text[len(text)-scanned/2:]}
}

// secretKind names the secret in a text; "" if none was found.
func secretKind(text string) string {
	for _, p := range patterns {
		for _, m := range p.text().FindAllStringSubmatch(text, -1) {
			if !placeholder(m[len(m)-1]) {
				return p.kind
			}
		}
	}
	if mostlyCredentials(text) {
		return "a password"
	}
	detector, err := detector()
	if err != nil {
		return "nothing can tell: " + err.Error() // what nobody checked is not kept
	}
	for _, f := range detector.DetectString(text) {
		return strings.ReplaceAll(f.RuleID, "-", " ")
	}
	return ""
}

// detector is Gitleaks with its own rules. It logs to the standard error, which
// would tear the screen, through the global level of zerolog, which nothing else
// here uses.
var detector = sync.OnceValues(func() (*detect.Detector, error) {
	zerolog.SetGlobalLevel(zerolog.Disabled)
	d, err := detect.NewDetectorDefaultConfig()
	if err != nil {
		return nil, err
	}
	d.IgnoreGitleaksAllow = true // a comment for a linter says nothing about a history
	return d, nil
})

// compiled is an expression that is compiled when it is needed first: all of them
// together would take a millisecond of every start.
func compiled(text string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(text) })
}

// pattern finds a secret. Its last group is the secret itself.
type pattern struct {
	kind string
	text func() *regexp.Regexp
}

// patterns are secrets that Gitleaks does not find anywhere in a text, since
// its rules ask for a length, for randomness or for a whole block.
var patterns = []pattern{
	// A variable of the environment with a short or simple value. The name must
	// end in the word, so that TOKEN_LIMIT=4096 is none.
	{"an environment variable", compiled(
		`\b(?:[A-Z][A-Z0-9]*_)*(?:SECRET|TOKEN|PASSWORD|PASSWD|PASS|PASSPHRASE|CREDENTIALS?|` +
			`(?:API|ACCESS|SECRET|PRIVATE|SIGNING|ENCRYPTION|AUTH)_?KEY)=["']?([^\s"']{6,})`,
	)},
	// A password in an address of a service: postgres://user:password@host.
	{"a password in an address", compiled(`\b[a-z][a-z0-9+.-]*://[^\s/:@"']+:([^\s/@"']{3,})@[\w.\[-]`)},
	// A header with a token, without the command line of curl around it.
	{"an authorization header", compiled(`(?i)\bauthorization["']?\s*[:=]\s*["']?(?:basic|bearer|token)\s+([\w.~+/=-]{8,})`)},
	// A private key of which only the start was pasted.
	{"a private key", compiled(
		`-----BEGIN (?:[A-Z0-9]+ )*PRIVATE KEY(?: BLOCK)?-----\s+(?:[A-Z][\w-]*:.*\s+)*([A-Za-z0-9+/=]{16,})`,
	)},
	// Keys of services for models, whose forms are newer than the rules.
	{"an API key", compiled(`\b(?:sk|rk|pk)-((?:[a-z]+\d*-)*[A-Za-z0-9_-]{20,})`)},
}

// credential is a line that says a password and nothing else, however simple:
// "password: hunter2", "my API key is abc123", "user=ada".
var credential = compiled(
	`(?i)^\W*(?:(?:my|the|our|your|its|use|here is|set|export)\s+)*` +
		`(?:[\w.-]+[ _.-])?(password|passwd|passphrase|pass|pwd|pin|secret|token|(?:api|access|private|secret)[ _-]?key|credentials?)` +
		`["']?\s*(?:[:=]|:=|=>|\bis\b)\s*(\S{4,}?)[.,;"']*\s*$`,
)

// beside is a line that commonly stands beside a password and says nothing.
var beside = compiled(`(?i)^\W*(?:user(?:name)?|login|e-?mail|host|account|url)["']?\s*[:=]`)

// mostlyCredentials reports whether at least half of the lines that say
// something are credentials. Among more text a short word after "password:" is
// more often about the code.
func mostlyCredentials(text string) bool {
	const most = 4 << 10 // nobody writes so many
	if len(text) > most {
		return false
	}
	found, others := 0, 0
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		m := credential().FindStringSubmatch(line)
		switch {
		case m != nil && !placeholder(m[2]):
			found++
		case line != "" && !beside().MatchString(line):
			others++
		}
	}
	return found > 0 && found >= others
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
