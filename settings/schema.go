package settings

import (
	"bytes"
	"encoding/json"
)

// Schema is the JSON Schema (2020-12) of a file of settings, for editors that
// complete and check TOML by one.
func Schema() []byte {
	tables := map[string]object{"": {}}
	for _, s := range Table() {
		table, key := s.split()
		if tables[table] == nil {
			tables[table] = object{}
			tables[""][table] = closed(tables[table])
		}
		tables[table][key] = s.schema()
	}
	tables[""][agentsTable] = agentsSchema()
	all := closed(tables[""])
	all["$schema"] = "https://json-schema.org/draft/2020-12/schema"
	all["title"] = "The settings of Parley"
	var out bytes.Buffer
	e := json.NewEncoder(&out)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	if err := e.Encode(all); err != nil {
		panic(err) // it holds nothing that JSON has not
	}
	return out.Bytes()
}

type object map[string]any

// closed is an object that has these properties and no others.
func closed(properties object) object {
	return object{"type": "object", "additionalProperties": false, "properties": properties}
}

// schema is that of the setting's value.
func (s Setting) schema() object {
	o := object{"title": s.Title, "description": s.Long + "\n\nIt takes effect " + string(s.When) + "."}
	if s.Default != nil {
		o["default"] = s.Default
	}
	switch s.Kind {
	case Switch:
		o["type"] = "boolean"
	case Word:
		o["type"], o["enum"] = "string", s.Words
	case Text:
		o["type"], o["minLength"] = "string", 1
	case Words:
		o["type"], o["items"], o["uniqueItems"] = "array", object{"type": "string", "enum": s.Words}, true
	case List:
		o["type"], o["items"] = "array", object{"type": "string"}
	case Pairs:
		o["type"], o["additionalProperties"] = "object", object{"type": "string"}
	case Variables:
		o["type"], o["additionalProperties"], o["propertyNames"] = "object", object{"type": "string"}, object{"pattern": "^[^=]+$"}
	case Values:
		o["type"], o["propertyNames"] = "object", object{"not": object{"enum": ReservedOptions()}}
	case Number:
		o["type"], o["minimum"], o["maximum"] = "integer", s.Min, s.Max
	}
	return o
}
