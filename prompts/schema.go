package prompts

import (
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/jsonschema-go/jsonschema"

	"parley/render/text"
)

// fieldKind is how a property is answered.
type fieldKind uint8

const (
	fieldText    fieldKind = iota // a string
	fieldNumber                   // a number
	fieldInteger                  // a whole number
	fieldOne                      // one of the options
	fieldMany                     // any of the options
	fieldAny                      // text that is taken as JSON where it is JSON
)

// property is one question of a form. Its texts are safe to show.
type property struct {
	name     string // as the schema has it
	label    string
	about    string   // the description
	needs    string   // what an answer is like
	notes    []string // what is not checked
	source   string   // the schema, where it says more than the words do
	kind     fieldKind
	required bool
	null     bool // null is an answer
	lines    bool // Enter is a line end
	rest     bool // the members of its answer are answers of the form
	options  []option
	preset   reply // what the schema proposes
	rules    rules
}

// option is something to choose.
type option struct {
	label string // safe to show
	value any
}

// reply is what was written or chosen. The zero reply is none.
type reply struct {
	text   string
	picked []bool // by option; nil: none
}

// Schemas beyond these limits are answered with one text.
const (
	mostProperties = 256
	mostChoices    = 1000
	mostSchema     = 256 << 10 // bytes
)

// schema is what a form asks for: the properties in the order in which they
// were written, and the rules for all of them together.
type schema struct {
	properties []property
	rules      rules
	notes      []string
}

// readSchema makes questions of a requestedSchema: the JSON Schema of an object
// whose properties are simple (docs/protocol.md, section 7.3). It is total: what it
// does not understand becomes a text that is taken as JSON, with the schema
// shown.
func readSchema(raw jsontext.Value) schema {
	root, ok := members(raw)
	list, given := root.find("properties")
	props, listed := members(list)
	switch {
	case !ok, len(raw) > mostSchema, len(props) > mostProperties, given && !listed:
		return opaque(raw, root)
	case !given && (root.text("type") != "object" || root.has(applicators)):
		return opaque(raw, root)
	}
	var s schema
	required := root.texts("required")
	for _, m := range props {
		s.properties = append(s.properties, readProperty(m.name, m.value, slices.Contains(required, m.name)))
	}
	for _, name := range required[:min(len(required), mostProperties)] {
		if !slices.ContainsFunc(s.properties, func(p property) bool { return p.name == name }) {
			s.properties = append(s.properties, readProperty(name, jsontext.Value("true"), true))
		}
	}
	if root.has(applicators) {
		s.properties = append(s.properties, property{
			label: "More answers", needs: "a JSON object", kind: fieldAny, lines: true, rest: true,
			source: schemaLines(root.without("properties").raw()),
		})
	}
	s.rules, s.notes = readRules(append(root.without("properties", "type"), member{"properties", names(s.properties)}))
	return s
}

// opaque is the form of a schema that is no list of properties.
func opaque(raw jsontext.Value, root object) schema {
	p := property{label: "Answer", needs: "text, or JSON", kind: fieldAny, lines: true, rest: true, source: schemaLines(raw)}
	if len(raw) <= mostSchema {
		p.rules, p.notes = readRules(root)
	}
	return schema{properties: []property{p}}
}

// names is a schema that knows the properties and nothing about them: their
// values are checked one by one.
func names(properties []property) jsontext.Value {
	var o object
	for _, p := range properties {
		if !p.rest {
			o = append(o, member{p.name, jsontext.Value("true")})
		}
	}
	return o.raw()
}

// applicators are the keywords that apply other schemas, beyond what a form
// has.
var applicators = []string{
	"$ref", "$dynamicRef", "allOf", "anyOf", "oneOf", "not", "if", "then", "else", "dependentSchemas", "dependencies",
	"patternProperties", "prefixItems", "contains", "propertyNames", "unevaluatedProperties", "unevaluatedItems",
}

// readProperty makes a question of one property.
func readProperty(name string, raw jsontext.Value, required bool) property {
	p := property{name: name, label: brief(name), required: required}
	o, _ := members(raw)
	o, p.null = o.nullable()
	if title := o.text("title"); strings.TrimSpace(title) != "" {
		p.label = brief(title)
	}
	p.about = strings.TrimSpace(text.SanitizeShowHidden(o.text("description")))
	p.kind, p.options = o.question()
	odd := p.kind < fieldOne && o.has(applicators)
	if p.kind == fieldAny || odd {
		p.source = schemaLines(raw)
	}
	p.rules, p.notes = readRules(o)
	p.lines = p.kind == fieldAny || p.kind == fieldText && p.rules.free
	p.needs = p.rules.needs(p.kind)
	p.preset = p.propose(o)
	return p
}

// question is how a property is answered, and with which options.
func (o object) question() (fieldKind, []option) {
	if options := o.options(); options != nil {
		return fieldOne, options
	}
	switch o.text("type") {
	case "string":
		return fieldText, nil
	case "number":
		return fieldNumber, nil
	case "integer":
		return fieldInteger, nil
	case "boolean":
		return fieldOne, []option{{"Yes", true}, {"No", false}}
	case "array":
		items, _ := o.find("items")
		inner, _ := members(items)
		if options := inner.options(); options != nil {
			return fieldMany, options
		}
	}
	return fieldAny, nil
}

// nullable takes null out of what a property may be: from a list of types, or
// from a choice between null and one other schema.
func (o object) nullable() (object, bool) {
	if types := o.texts("type"); len(types) > 0 && slices.Contains(types, "null") || len(types) == 1 {
		null := slices.Contains(types, "null")
		types = slices.DeleteFunc(types, func(t string) bool { return t == "null" })
		if len(types) == 1 {
			return append(o.without("type"), member{"type", quoted(types[0])}), null
		}
	}
	for _, name := range []string{"anyOf", "oneOf"} {
		v, _ := o.find(name)
		branches := elements(v)
		if len(branches) != 2 {
			continue
		}
		for i, b := range branches {
			inner, _ := members(b)
			other, ok := members(branches[1-i])
			if ok && len(inner) == 1 && inner.text("type") == "null" {
				for _, m := range o.without(name) {
					other = append(other.without(m.name), m)
				}
				return other, true
			}
		}
	}
	return o, false
}

func quoted(s string) jsontext.Value {
	b, err := jsontext.AppendQuote(nil, s)
	if err != nil {
		return jsontext.Value(`""`)
	}
	return b
}

// options are the values of an enum, with their names, or the constants of a
// choice, with their titles; nil when there are none.
func (o object) options() []option {
	if v, ok := o.find("const"); ok {
		return []option{{labelled(o.text("title"), v), decode(v)}}
	}
	var options []option
	v, _ := o.find("enum")
	values, labels := elements(v), o.texts("enumNames")
	if len(values) > mostChoices {
		return nil
	}
	for i, e := range values {
		label := ""
		if i < len(labels) {
			label = labels[i]
		}
		options = append(options, option{labelled(label, e), decode(e)})
	}
	for _, name := range []string{"oneOf", "anyOf"} {
		if options != nil {
			break
		}
		v, _ := o.find(name)
		for i, e := range elements(v) {
			inner, _ := members(e)
			c, ok := inner.find("const")
			if !ok || i == mostChoices {
				options = nil
				break
			}
			options = append(options, option{labelled(inner.text("title"), c), decode(c)})
		}
	}
	return options
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
func (p *property) propose(o object) reply {
	raw, given := o.find("default")
	if !given || raw.Kind() == 'n' {
		return reply{}
	}
	v := decode(raw)
	switch p.kind {
	case fieldText:
		s, _ := v.(string)
		return reply{text: s}
	case fieldNumber, fieldInteger:
		return reply{text: o.literal("default")}
	case fieldOne:
		return reply{picked: p.pick(v)}
	case fieldMany:
		list, _ := v.([]any)
		return reply{picked: p.pick(list...)}
	case fieldAny:
		if s, ok := v.(string); ok {
			return reply{text: s}
		}
		return reply{text: indented(raw)}
	}
	return reply{}
}

// pick returns which options the values are; nil when there are none.
func (p *property) pick(values ...any) []bool {
	var picked []bool
	for i, o := range p.options {
		if slices.ContainsFunc(values, func(v any) bool { return jsonschema.Equal(v, o.value) }) {
			if picked == nil {
				picked = make([]bool, len(p.options))
			}
			picked[i] = true
		}
	}
	return picked
}
