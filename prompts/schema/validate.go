package schema

import (
	"math/big"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"
)

// rational reads a decimal number exactly. One whose exponent is absurd is
// none: it would take all memory.
func rational(s string) (*big.Rat, bool) {
	mantissa, exponent, _ := strings.Cut(strings.ToLower(s), "e")
	digits := strings.TrimLeft(mantissa, "+-")
	if strings.Trim(digits, "0123456789.") != "" || strings.Trim(digits, ".") == "" || len(s) > 400 {
		return nil, false
	}
	if e, err := strconv.Atoi(exponent); exponent != "" && (err != nil || e > 400 || e < -400) {
		return nil, false
	}
	return new(big.Rat).SetString(s)
}

// missing is said where an answer is required and was not given.
const missing = "An answer is required"

// Value makes a value of an answer. It is not given when the answer is empty
// and may be.
func (p *Property) Value(r Reply) (v any, given bool, problem string) {
	switch p.Kind {
	case One:
		if len(r.Picked) > 0 {
			v = p.Options[r.Picked[0]].value
			return v, true, p.rules.problem(v, "")
		}
	case Many:
		if p.Required || len(r.Picked) > 0 {
			return p.several(r.Picked)
		}
	case fieldText:
		if r.Text != "" {
			return r.Text, true, p.rules.problem(r.Text, "")
		}
	case fieldNumber, fieldInteger:
		if literal := strings.TrimSpace(r.Text); literal != "" {
			v, problem = p.numeral(literal)
			return v, true, problem
		}
	case fieldAny:
		if strings.TrimSpace(r.Text) != "" {
			v, problem = p.guess(r.Text)
			return v, true, problem
		}
	}
	switch {
	case p.Required && p.null:
		return nil, true, ""
	case p.Required:
		return nil, false, missing
	}
	return nil, false, ""
}

// several is the value of many options: strings, where all of them are.
func (p *Property) several(picked []int) (v any, given bool, problem string) {
	values, texts := []any{}, []string{}
	for _, i := range picked {
		v := p.Options[i].value
		values = append(values, v)
		if s, ok := v.(string); ok {
			texts = append(texts, s)
		}
	}
	problem = p.rules.problem(values, "")
	if len(texts) == len(values) {
		return texts, true, problem
	}
	return values, true, problem
}

// numeral is the value of a number that was written.
func (p *Property) numeral(literal string) (v any, problem string) {
	n, ok := rational(literal)
	if p.Kind == fieldNumber {
		f, err := strconv.ParseFloat(literal, 64)
		if !ok || err != nil {
			return nil, "Not a number"
		}
		return f, p.rules.problem(f, literal)
	}
	switch {
	case !ok || !n.IsInt():
		return nil, "Not a whole number"
	case !n.Num().IsInt64():
		return nil, "Too large a number"
	}
	i := n.Num().Int64()
	return i, p.rules.problem(i, literal)
}

// guess is the value of a text that may be JSON: what it reads as if that fits,
// else the text itself.
func (p *Property) guess(written string) (v any, problem string) {
	raw := jsontext.Value(strings.TrimSpace(written))
	asText := p.rules.problem(written, "")
	if !raw.IsValid(AnyJSON()) || !utf8.ValidString(written) {
		if asText != "" {
			asText = "Write this as JSON"
		}
		return written, asText
	}
	v = decode(raw)
	problem = p.rules.problem(v, "")
	if problem != "" && asText == "" {
		return written, ""
	}
	return v, problem
}

// Content makes the answer of the form, and says by property what is wrong with
// it, and with all of them together.
func (s *Schema) Content(replies []Reply) (content map[string]any, problems []string, whole string) {
	content, problems = map[string]any{}, make([]string, len(s.Properties))
	for i := range s.Properties {
		p := &s.Properties[i]
		v, given, problem := p.Value(replies[i])
		problems[i] = problem
		more, isObject := v.(map[string]any)
		switch {
		case !given || problem != "":
		case !p.rest:
			content[p.name] = v
		case isObject:
			for name, v := range more {
				if _, taken := content[name]; !taken {
					content[name] = v
				}
			}
		case len(s.Properties) == 1:
			content["answer"] = v
		default:
			problems[i] = "Write a JSON object"
		}
	}
	if slices.ContainsFunc(problems, func(p string) bool { return p != "" }) {
		return content, problems, ""
	}
	if broken := s.rules.broken(content); broken != "" {
		whole = "The answers do not fit together: " + brief(broken)
	}
	return content, problems, whole
}

// Written reports whether a field is written in rather than chosen from.
func (p *Property) Written() bool { return p.Kind != One && p.Kind != Many }

// Secrets are the names of the fields of an answer that are not to be shown.
func (s *Schema) Secrets() (names []string) {
	for i := range s.Properties {
		if s.Properties[i].Secret {
			names = append(names, s.Properties[i].name)
		}
	}
	return names
}

// Words is an answer in words: as it was written, or the labels of what was
// chosen.
func (p *Property) Words(r Reply) string {
	if p.Written() {
		return r.Text
	}
	var labels []string
	for _, i := range r.Picked {
		labels = append(labels, p.Options[i].Label)
	}
	return strings.Join(labels, ", ")
}

// HasHidden reports whether a text of a property, which is safe already, stands for
// one that does not show what it is.
func (p Property) HasHidden() bool {
	texts := []string{p.Label, p.About, p.Source}
	for _, o := range p.Options {
		texts = append(texts, o.Label, o.About)
	}
	return slices.ContainsFunc(texts, func(s string) bool { return strings.Contains(s, "⟦") })
}
