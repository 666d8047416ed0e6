// Package schema reads the JSON Schema of a form as the questions that it asks, and
// validates the answers. It draws nothing. What it does not understand is asked for
// as text and said so in a note; what it returns is safe to show.
package schema

import (
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/jsonschema-go/jsonschema"

	"parley/render/text"
)

// Kind is how a property is answered.
type Kind uint8

// The kinds of properties that dialogs draw in their own way.
const (
	fieldText    Kind = iota // a string
	fieldNumber              // a number
	fieldInteger             // a whole number
	One                      // one of the options
	Many                     // any of the options
	fieldAny                 // text that is taken as JSON where it is JSON
)

// Property is one question of a form. Its texts are safe to show.
type Property struct {
	name      string // as the schema has it
	Label     string
	About     string   // the description
	Needs     string   // what an answer is like
	Notes     []string // what is not checked
	Source    string   // the schema, where it says more than the words do
	Kind      Kind
	Required  bool
	null      bool // null is an answer
	Multiline bool // Enter is a line end
	rest      bool // the members of its answer are answers of the form
	Secret    bool // its answer is neither shown nor stored
	Options   []option
	Preset    Reply // what the schema proposes
	rules     rules
}

type option struct {
	Label string // safe to show
	About string // the description; safe to show
	value any
}

// Reply is what was written or chosen. The zero reply is none.
type Reply struct {
	Text   string
	Picked []int // options, counted as they are listed, rising
}

// Schemas beyond these limits are answered with one text.
const (
	mostProperties = 256
	mostChoices    = 1000
	mostSchema     = 256 << 10 // bytes
)

// Schema is what a form asks for: the properties in the order in which they
// were written, and the rules for all of them together.
type Schema struct {
	Properties []Property
	rules      rules
	Notes      []string
}

// Read makes questions of a requestedSchema: the JSON Schema of an object
// whose properties are simple (docs/protocol.md, section 7.3). It is total: what it
// does not understand becomes a text that is taken as JSON, with the schema
// shown.
func Read(raw jsontext.Value) Schema {
	root, ok := Members(raw)
	list, given := root.Find("properties")
	props, listed := Members(list)
	switch {
	case !ok, len(raw) > mostSchema, len(props) > mostProperties, given && !listed:
		return opaque(raw, root)
	case !given && (root.text("type") != "object" || root.has(applicators)):
		return opaque(raw, root)
	}
	var s Schema
	required := root.texts("required")
	for _, m := range props {
		s.Properties = append(s.Properties, readProperty(m.Name, m.Value, slices.Contains(required, m.Name)))
	}
	for _, name := range required[:min(len(required), mostProperties)] {
		if !slices.ContainsFunc(s.Properties, func(p Property) bool { return p.name == name }) {
			s.Properties = append(s.Properties, readProperty(name, jsontext.Value("true"), true))
		}
	}
	if root.has(applicators) {
		s.Properties = append(s.Properties, Property{
			Label: "More answers", Needs: "a JSON object", Kind: fieldAny, Multiline: true, rest: true,
			Source: schemaLines(root.Without("properties").Raw()),
		})
	}
	s.rules, s.Notes = readRules(append(root.Without("properties", "type"), Member{Name: "properties", Value: names(s.Properties)}))
	return s
}

// opaque is the form of a schema that is no list of properties.
func opaque(raw jsontext.Value, root Object) Schema {
	p := Property{Label: "Answer", Needs: "text, or JSON", Kind: fieldAny, Multiline: true, rest: true, Source: schemaLines(raw)}
	if len(raw) <= mostSchema {
		p.rules, p.Notes = readRules(root)
	}
	return Schema{Properties: []Property{p}}
}

// names is a schema that knows the properties and nothing about them: their
// values are checked one by one.
func names(properties []Property) jsontext.Value {
	var o Object
	for _, p := range properties {
		if !p.rest {
			o = append(o, Member{Name: p.name, Value: jsontext.Value("true")})
		}
	}
	return o.Raw()
}

// applicators are the keywords that apply other schemas, beyond what a form
// has.
var applicators = []string{
	"$ref", "$dynamicRef", "allOf", "anyOf", "oneOf", "not", "if", "then", "else", "dependentSchemas", "dependencies",
	"patternProperties", "prefixItems", "contains", "propertyNames", "unevaluatedProperties", "unevaluatedItems",
}

func readProperty(name string, raw jsontext.Value, required bool) Property {
	p := Property{name: name, Label: brief(name), Required: required}
	o, _ := Members(raw)
	o, p.null = o.nullable()
	if title := o.text("title"); strings.TrimSpace(title) != "" {
		p.Label = brief(title)
	}
	p.About = strings.TrimSpace(text.SanitizeShowHidden(o.text("description")))
	p.Kind, p.Options = o.question()
	p.Secret = o.secret()
	odd := p.Kind < One && o.has(applicators)
	if p.Kind == fieldAny || odd {
		p.Source = schemaLines(raw)
	}
	p.rules, p.Notes = readRules(o)
	p.Multiline = !p.Secret && (p.Kind == fieldAny || p.Kind == fieldText && p.rules.free)
	p.Needs = p.rules.needs(p.Kind)
	p.Preset = p.propose(o)
	return p
}

// secret reports whether an answer is not to be shown: schemas have writeOnly or the format password
// for it, and Codex a member of its own.
func (o Object) secret() bool {
	meta, _ := o.Find("_meta")
	codex, _ := member(meta, "codex").Find("isSecret")
	writeOnly, _ := o.Find("writeOnly")
	return string(writeOnly) == "true" || string(codex) == "true" || o.text("format") == "password"
}

// member is a member of an object that is an object too.
func member(raw jsontext.Value, name string) Object {
	o, _ := Members(raw)
	v, _ := o.Find(name)
	inner, _ := Members(v)
	return inner
}

// question is how a property is answered, and with which options.
func (o Object) question() (Kind, []option) {
	if options := o.options(); options != nil {
		return One, options
	}
	written := map[string]Kind{"string": fieldText, "number": fieldNumber, "integer": fieldInteger}
	kind, ok := written[o.text("type")]
	switch items, _ := o.Find("items"); {
	case ok:
		return kind, nil
	case o.text("type") == "boolean":
		return One, []option{{Label: "Yes", value: true}, {Label: "No", value: false}}
	case o.text("type") == "array":
		inner, _ := Members(items)
		if options := inner.options(); options != nil {
			return Many, options
		}
	}
	return fieldAny, nil
}

// nullable takes null out of what a property may be: from a list of types, or
// from a choice between null and one other schema.
func (o Object) nullable() (Object, bool) {
	if types := o.texts("type"); len(types) > 0 && slices.Contains(types, "null") || len(types) == 1 {
		null := slices.Contains(types, "null")
		types = slices.DeleteFunc(types, func(t string) bool { return t == "null" })
		if len(types) == 1 {
			return append(o.Without("type"), Member{Name: "type", Value: Quoted(types[0])}), null
		}
	}
	for _, name := range []string{"anyOf", "oneOf"} {
		v, _ := o.Find(name)
		branches := Elements(v)
		if len(branches) != 2 {
			continue
		}
		for i, b := range branches {
			inner, _ := Members(b)
			other, ok := Members(branches[1-i])
			if ok && len(inner) == 1 && inner.text("type") == "null" {
				for _, m := range o.Without(name) {
					other = append(other.Without(m.Name), m)
				}
				return other, true
			}
		}
	}
	return o, false
}

// Quoted is a string as JSON.
func Quoted(s string) jsontext.Value {
	b, err := jsontext.AppendQuote(nil, s)
	if err != nil {
		return jsontext.Value(`""`)
	}
	return b
}

// Options are the values of an enum, with their names, or the constants of a
// choice, with their titles; nil if it is neither.
func (o Object) options() []option {
	if v, ok := o.Find("const"); ok {
		return []option{o.option(v)}
	}
	var options []option
	v, _ := o.Find("enum")
	values, labels := Elements(v), o.texts("enumNames")
	if len(values) > mostChoices {
		return nil
	}
	for i, e := range values {
		label := ""
		if i < len(labels) {
			label = labels[i]
		}
		options = append(options, option{Label: labelled(label, e), value: decode(e)})
	}
	for _, name := range []string{"oneOf", "anyOf"} {
		if options != nil {
			break
		}
		v, _ := o.Find(name)
		for i, e := range Elements(v) {
			inner, _ := Members(e)
			c, ok := inner.Find("const")
			if !ok || i == mostChoices {
				options = nil
				break
			}
			options = append(options, inner.option(c))
		}
	}
	return options
}

// option is a constant with the words about it.
func (o Object) option(v jsontext.Value) option {
	about := strings.TrimSpace(text.SanitizeShowHidden(o.text("description")))
	return option{labelled(o.text("title"), v), about, decode(v)}
}

// labelled is the label of a value: its title, or the value itself.
func labelled(title string, v jsontext.Value) string {
	if strings.TrimSpace(title) != "" {
		return oneLine(title)
	}
	if s, ok := decode(v).(string); ok && s != "" {
		return oneLine(s)
	}
	return oneLine(string(v))
}

// propose reads the default; one that is no answer is none.
func (p *Property) propose(o Object) Reply {
	raw, given := o.Find("default")
	if !given || raw.Kind() == 'n' {
		return Reply{}
	}
	v := decode(raw)
	switch p.Kind {
	case fieldText:
		s, _ := v.(string)
		return Reply{Text: s}
	case fieldNumber, fieldInteger:
		return Reply{Text: o.literal("default")}
	case One:
		return Reply{Picked: p.pick(v)}
	case Many:
		list, _ := v.([]any)
		return Reply{Picked: p.pick(list...)}
	case fieldAny:
		if s, ok := v.(string); ok {
			return Reply{Text: s}
		}
		return Reply{Text: indented(raw)}
	}
	return Reply{}
}

// pick returns which options the values are.
func (p *Property) pick(values ...any) (picked []int) {
	for i, o := range p.Options {
		if slices.ContainsFunc(values, func(v any) bool { return jsonschema.Equal(v, o.value) }) {
			picked = append(picked, i)
		}
	}
	return picked
}
