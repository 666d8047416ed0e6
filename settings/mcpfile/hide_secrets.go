package mcpfile

import "github.com/go-json-experiment/json/jsontext"

// Hidden stands for a value that is not shown.
const Hidden = "***"

// Changed stands for a value that is not shown, and that differs from the one before.
const Changed = "*** (changed)"

// HideSecrets returns a text to be shown, with Hidden or Changed for what the servers
// have in env and headers. before is the text before a change, or nil. A text that cannot
// be read is an error, so that nothing of it is shown.
func HideSecrets(text, before []byte) ([]byte, error) {
	old, err := secretsOf(before)
	if err != nil {
		return nil, err
	}
	known := map[[3]string]string{}
	for _, s := range old {
		known[s.path] = string(before[s.value:s.end])
	}
	found, err := secretsOf(text)
	if err != nil {
		return nil, err
	}
	var out []byte
	from := 0
	for _, s := range found {
		shown := Hidden
		if was, ok := known[s.path]; ok && was != string(text[s.value:s.end]) {
			shown = Changed
		}
		out = append(append(out, text[from:s.value]...), `"`+shown+`"`...)
		from = s.end
	}
	return append(out, text[from:]...), nil
}

// secret is where a value stands that is not shown, and of what it is one: the server, env
// or headers, the name.
type secret struct {
	path       [3]string
	value, end int
}

// secretsOf are those of a text, in its order.
func secretsOf(text []byte) ([]secret, error) {
	_, servers, err := locate(text)
	if err != nil {
		return nil, err
	}
	var found []secret
	for _, s := range servers.members {
		server, err := members(text[:s.end], s.value)
		if err != nil {
			continue // it is no object, so that it has none
		}
		for _, part := range server.members {
			if part.name != "env" && part.name != "headers" {
				continue
			}
			all, err := members(text[:part.end], part.value)
			if err != nil { // a list or a text
				if jsontext.Value(text[part.value:part.end]).Kind() != jsontext.KindNull {
					found = append(found, secret{[3]string{s.name, part.name}, part.value, part.end})
				}
				continue
			}
			for _, v := range all.members {
				found = append(found, secret{[3]string{s.name, part.name, v.name}, v.value, v.end})
			}
		}
	}
	return found, nil
}
