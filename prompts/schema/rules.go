package schema

import (
	"bytes"
	"math/big"
	"net/mail"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/jsonschema-go/jsonschema"

	"parley/render/text"
)

// rules are what a schema says about a value, checked by the library wherever
// it can read them.
type rules struct {
	checked *jsonschema.Resolved // nil: nothing to check
	words   map[string]string    // what is wrong when a keyword does not hold
	format  string
	step    *big.Rat // multipleOf; the library checks it in binary fractions
	free    bool     // strings may be long and are of no form
}

// shortText is the longest text that is asked for on one line.
const shortText = 120

// silent are the keywords that say nothing about values, or that are checked
// here.
var silent = []string{
	"title", "description", "default", "enumNames", "examples", "format", "multipleOf", "deprecated", "readOnly", "writeOnly",
	"$schema", "$id", "$comment", "$anchor", "$defs", "definitions", "$vocabulary",
}

// readRules reads the keywords one by one, so that one the library cannot read,
// such as a pattern of another dialect, does not take the others along. Those
// are named in the notes.
func readRules(o Object) (r rules, notes []string) {
	var kept Object
	for _, m := range o {
		if slices.Contains(silent, m.Name) {
			continue
		}
		if !checkable(m) {
			notes = append(notes, unchecked(m))
			continue
		}
		kept = append(kept, m)
	}
	if r.checked = resolve(kept); r.checked == nil {
		one := kept
		kept = nil
		for i, m := range one {
			if i >= mostKeywords || resolve(Object{m}) == nil {
				notes = append(notes, unchecked(m))
				continue
			}
			kept = append(kept, m)
		}
		r.checked = resolve(kept)
	}
	notes = notes[:min(len(notes), mostKeywords)]
	r.format = o.text("format")
	if r.format != "" && formats[r.format] == "" {
		notes = append(notes, "Not checked here: format "+oneLine(r.format))
	}
	if step, ok := rational(o.literal("multipleOf")); ok && step.Sign() > 0 {
		r.step = step
	}
	longest, err := strconv.Atoi(o.literal("maxLength"))
	r.free = r.format == "" && o.text("pattern") == "" && (err != nil || longest > shortText)
	r.words = words(o)
	return r, notes
}

// mostKeywords bounds how many keywords of one schema are looked at one by one.
const mostKeywords = 32

func unchecked(m Member) string { return "Not checked here: " + brief(m.Name+" "+string(m.Value)) }

// resolve makes the library's schema of keywords; nil when it cannot read them.
func resolve(o Object) *jsonschema.Resolved {
	var s jsonschema.Schema
	if s.UnmarshalJSON(o.Raw()) != nil {
		return nil
	}
	r, err := s.Resolve(nil)
	if err != nil {
		return nil
	}
	return r
}

// mostDepth bounds how deep the schemas go that are checked.
const mostDepth = 16

// checkable reports whether a keyword may be given to the library: one that refers
// to others may do so in circles, without end.
func checkable(m Member) bool {
	refers := func(name string) bool {
		return strings.HasPrefix(name, "$") && strings.HasSuffix(strings.ToLower(name), "ref")
	}
	return !refers(m.Name) && shallow(m.Value, refers)
}

// shallow reports whether a value is whole, goes no deeper than is checked, and has no
// string that is refused.
func shallow(raw jsontext.Value, refused func(string) bool) bool {
	d := jsontext.NewDecoder(bytes.NewReader(raw), AnyJSON(), jsontext.AllowInvalidUTF8(true))
	for {
		t, err := d.ReadToken()
		switch {
		case err != nil:
			return d.StackDepth() == 0
		case d.StackDepth() > mostDepth, t.Kind() == '"' && refused(t.String()):
			return false
		}
	}
}

// problem returns what is wrong with a value; "" when nothing is. The literal is
// how a number was written.
func (r rules) problem(v any, literal string) string {
	if r.step != nil && literal != "" {
		if n, ok := rational(literal); ok && !new(big.Rat).Quo(n, r.step).IsInt() {
			return r.words["multipleOf"]
		}
	}
	if s, ok := v.(string); ok && !formatted(r.format, s) {
		return "Not " + formats[r.format]
	}
	broken := r.broken(v)
	keyword, _, _ := strings.Cut(broken, ":")
	if said := r.words[keyword]; said != "" || broken == "" {
		return said
	}
	return "Does not fit: " + brief(broken)
}

// broken is what the library finds wrong with a value, from the keyword on.
func (r rules) broken(v any) (broken string) {
	if r.checked == nil {
		return ""
	}
	// The library asserts what it believes about a schema. One that proves it
	// wrong is not checked, and takes nothing down.
	defer func() {
		if recover() != nil {
			broken = ""
		}
	}()
	err := r.checked.Validate(v)
	if err == nil {
		return ""
	}
	broken = err.Error()
	for strings.HasPrefix(broken, "validating ") {
		_, broken, _ = strings.Cut(broken, ": ")
	}
	return broken
}

// words are what is said when a keyword does not hold.
func words(o Object) map[string]string {
	w := map[string]string{
		"type": "Not what is asked for", "enum": "Not one of the choices", "const": "Not one of the choices",
		"uniqueItems": "Twice the same",
	}
	say := func(sentence string, keywords ...string) {
		for _, k := range keywords {
			w[k] = sentence
		}
	}
	least, most := o.literal("minLength"), o.literal("maxLength")
	say(between(least, most, "", " "+plural("character", least, most)), "minLength", "maxLength")
	say(between(o.literal("minItems"), o.literal("maxItems"), "choose ", ""), "minItems", "maxItems")
	say(bounds(o), "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum")
	if step, ok := rational(o.literal("multipleOf")); ok && step.Sign() > 0 {
		say("A multiple of "+o.literal("multipleOf"), "multipleOf")
	}
	if pattern := o.text("pattern"); pattern != "" {
		say("Must be like "+oneLine(pattern), "pattern")
	}
	return w
}

// between words a range of which either end may be missing.
func between(least, most, before, after string) string {
	var said string
	switch {
	case least == "" && most == "":
		return ""
	case least == most:
		said = "exactly " + least
	case most == "":
		said = "at least " + least
	case least == "" || least == "0":
		said = "at most " + most
	default:
		said = "between " + least + " and " + most
	}
	return upper(before + said + after)
}

// bounds words the range of a number.
func bounds(o Object) string {
	above, below := o.literal("exclusiveMinimum"), o.literal("exclusiveMaximum")
	least, most := o.literal("minimum"), o.literal("maximum")
	if above == "" && below == "" {
		if least == "0" && most != "" {
			return "Between 0 and " + most
		}
		return between(least, most, "", "")
	}
	var said []string
	for _, bound := range []struct{ word, n string }{{"at least", least}, {"more than", above}, {"at most", most}, {"less than", below}} {
		if bound.n != "" {
			said = append(said, bound.word+" "+bound.n)
		}
	}
	return upper(strings.Join(said, " and "))
}

func plural(word string, numbers ...string) string {
	if n := numbers[len(numbers)-1]; n == "1" || n == "" && numbers[0] == "1" {
		return word
	}
	return word + "s"
}

func upper(s string) string { return strings.ToUpper(s[:1]) + s[1:] }

// needs returns what an answer is like, before anything is wrong with it.
func (r rules) needs(kind Kind) string {
	var said []string
	say := func(sentence string) {
		if sentence != "" {
			said = append(said, strings.ToLower(sentence[:1])+sentence[1:])
		}
	}
	say(map[Kind]string{
		fieldNumber: "a number", fieldInteger: "a whole number", fieldAny: "text, or JSON", fieldText: formats[r.format],
	}[kind])
	keywords := map[Kind][]string{
		fieldText:    {"maxLength", "minLength", "pattern"},
		fieldNumber:  {"minimum", "maximum", "multipleOf"},
		fieldInteger: {"minimum", "maximum", "multipleOf"},
		Many:         {"minItems", "maxItems"},
	}[kind]
	for i, k := range keywords {
		if !slices.ContainsFunc(keywords[:i], func(before string) bool { return r.words[before] == r.words[k] }) {
			say(r.words[k])
		}
	}
	return strings.Join(said, ", ")
}

// formats are those that are checked, in words (JSON Schema validation, section
// 7.3). The library takes them as remarks.
var formats = map[string]string{
	"email": "an e-mail address", "uri": "a whole address, such as https://example.com", "date": "a date, such as 2026-11-21",
	"date-time": "a date and time, such as 2026-11-21T10:00:00Z",
}

func formatted(format, s string) bool {
	switch format {
	case "email":
		a, err := mail.ParseAddress(s)
		return err == nil && a.Address == s
	case "uri":
		u, err := url.Parse(s)
		return err == nil && u.IsAbs() && (u.Host != "" || u.Opaque != "" || u.Path != "") && !strings.ContainsAny(s, " \t\n")
	case "date":
		_, err := time.Parse(time.DateOnly, s)
		return err == nil
	case "date-time":
		var t time.Time
		return t.UnmarshalText([]byte(strings.ToUpper(s))) == nil
	}
	return true
}

// brief is untrusted text cut to what fits into a sentence, safe to show.
func brief(s string) string {
	const most = 200
	return text.Truncate(oneLine(strings.ToValidUTF8(s[:min(len(s), 4*most)], "")), most, "…")
}
