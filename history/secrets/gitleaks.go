package secrets

import (
	"cmp"
	_ "embed"
	"math"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/pelletier/go-toml/v2"
)

// gitleaksRules are the default rules of Gitleaks, unchanged. See the README
// beside them.
//
//go:embed gitleaks/gitleaks.toml
var gitleaksRules []byte

// lazyRegexp is an expression that is compiled when it is needed first.
type lazyRegexp func() *regexp.Regexp

// UnmarshalText implements encoding.TextUnmarshaler.
func (l *lazyRegexp) UnmarshalText(text []byte) error {
	*l = compiled(string(text))
	return nil
}

// rule is a rule of Gitleaks, of which only what applies to a text without a file
// is read.
type rule struct {
	ID        string
	Regex     lazyRegexp
	Path      string // of files that the rule is for, which a text is not
	Keywords  []string
	Entropy   float64 // a secret has more, in bits a character
	Allowlist allowlist
}

// allowlist is what is no secret although a rule matches it.
type allowlist struct {
	Regexes     []lazyRegexp
	RegexTarget string // "match": Regexes are tried on the whole match, not on the secret
	StopWords   []string
}

// finding is a secret that a rule found.
type finding struct {
	rule   string
	secret string
	line   int
}

// detector finds secrets by the rules of Gitleaks.
type detector struct {
	rules    []rule
	allowed  allowlist
	keywords map[uint16][]keyword // by their first two bytes
	begins   [1 << 16]bool        // whether there are any, as few places of a text begin one
}

// keyword is a word, in lower case, of which a text must contain one before a rule
// is tried on it.
type keyword struct {
	word string
	rule int
}

// gitleaks is the detector with the rules of this package. Making it takes some
// milliseconds.
var gitleaks = sync.OnceValues(newDetector)

// missingKeywords are keywords for the rules that come without, by their ids: every
// text that the rule matches contains one. Without them, the rule would be tried
// on every text, which takes as long as all others together.
var missingKeywords = map[string]string{
	"facebook-access-token": "0| 1| 2| 3| 4| 5| 6| 7| 8| 9| 0% 1% 2% 3% 4% 5% 6% 7% 8% 9%",
}

func newDetector() (*detector, error) {
	var config struct {
		Rules     []rule
		Allowlist allowlist
	}
	if err := toml.Unmarshal(gitleaksRules, &config); err != nil {
		return nil, err
	}
	d := &detector{allowed: config.Allowlist, keywords: map[uint16][]keyword{}}
	for _, r := range config.Rules {
		if r.Path != "" {
			continue
		}
		r.Keywords = append(r.Keywords, strings.Fields(missingKeywords[r.ID])...)
		for _, k := range r.Keywords {
			k = strings.ToLower(k)
			d.keywords[head(k)], d.begins[head(k)] = append(d.keywords[head(k)], keyword{k, len(d.rules)}), true
		}
		d.rules = append(d.rules, r)
	}
	return d, nil
}

func head(text string) uint16 { return uint16(text[0])<<8 | uint16(text[1]) }

// detect returns the secrets of a text, in the order of the rules. Of a secret
// that a generic rule found and another found on the same line it returns the
// other's.
func (d *detector) detect(text string) []finding {
	var all []finding
	for i, applies := range d.applicable(text) {
		if applies {
			all = d.try(all, &d.rules[i], text)
		}
	}
	named := slices.DeleteFunc(slices.Clone(all), finding.generic)
	return slices.DeleteFunc(all, func(f finding) bool {
		return f.generic() && slices.ContainsFunc(named, func(n finding) bool {
			return n.line == f.line && strings.Contains(n.secret, f.secret)
		})
	})
}

func (f finding) generic() bool { return strings.Contains(f.rule, "generic") }

// applicable reports which rules have a keyword in a text.
func (d *detector) applicable(text string) []bool {
	rules := make([]bool, len(d.rules))
	text = strings.ToLower(text)
	for ; len(text) > 1; text = text[1:] {
		if !d.begins[head(text)] {
			continue
		}
		for _, k := range d.keywords[head(text)] {
			if !rules[k.rule] && strings.HasPrefix(text, k.word) {
				rules[k.rule] = true
			}
		}
	}
	return rules
}

// try adds what one rule finds.
func (d *detector) try(all []finding, r *rule, text string) []finding {
	for _, at := range r.Regex().FindAllStringIndex(text, -1) {
		match := strings.Trim(text[at[0]:at[1]], "\n")
		secret := match
		if groups := r.Regex().FindStringSubmatch(match); len(groups) == 2 {
			secret = groups[1]
		} else if len(groups) > 2 {
			secret = cmp.Or(cmp.Or(groups[1:]...), match)
		}
		if d.allowed.allows(match, secret) || r.Allowlist.allows(match, secret) ||
			r.Entropy > 0 && entropy(secret) <= r.Entropy ||
			strings.HasPrefix(r.ID, "generic") && !strings.ContainsAny(secret, "123456789") {
			continue
		}
		line := strings.Count(text[:min(at[0]+1, len(text))], "\n")
		all = append(all, finding{r.ID, cmp.Or(secret, match), line})
	}
	return all
}

func (a *allowlist) allows(match, secret string) bool {
	target := secret
	if a.RegexTarget == "match" {
		target = match
	}
	secret = strings.ToLower(secret)
	return slices.ContainsFunc(a.Regexes, func(r lazyRegexp) bool { return r().FindString(target) != "" }) ||
		slices.ContainsFunc(a.StopWords, func(w string) bool { return strings.Contains(secret, strings.ToLower(w)) })
}

// entropy is the Shannon entropy of a text, in bits. As in Gitleaks, the thresholds
// of which rely on it, characters are counted against the length in bytes.
func entropy(text string) float64 {
	counts := map[rune]int{}
	for _, c := range text {
		counts[c]++
	}
	sum := 0.0
	for _, n := range counts {
		share := float64(n) / float64(len(text))
		sum -= share * math.Log2(share)
	}
	return sum
}
