package mcpfile

import (
	"cmp"
	"regexp"
	"slices"

	"github.com/go-json-experiment/json/jsontext"
)

// Hidden stands for a value that is not shown.
const Hidden = "***"

// Changed stands for a value that is not shown, and that differs from the one before.
const Changed = "*** (changed)"

// HideSecrets returns a text to be shown, with Hidden or Changed for what the servers
// have in env and headers, also where that is in a comment. before is the text before a
// change, or nil. A text that cannot be read is an error, so that nothing of it is shown.
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
		shown := s.shown
		if was, ok := known[s.path]; shown == "" {
			shown = `"` + Hidden + `"`
			if ok && was != string(text[s.value:s.end]) {
				shown = `"` + Changed + `"`
			}
		}
		out = append(append(out, text[from:s.value]...), shown...)
		from = s.end
	}
	return append(out, text[from:]...), nil
}

// secret is where a value stands that is not shown, and of what it is one: the server, env
// or headers, the name. A comment has what is shown in its place instead.
type secret struct {
	path       [3]string
	value, end int
	shown      string
}

// secretsOf are those of a text, in its order.
func secretsOf(text []byte) ([]secret, error) {
	d, err := locate(text)
	if err != nil {
		return nil, err
	}
	var found []secret
	var parts []member
	for _, s := range d.servers.members {
		server, err := members(d.plain[:s.end], s.value)
		if err != nil {
			continue // it is no object, so that it has none
		}
		for _, part := range server.members {
			if part.name != "env" && part.name != "headers" {
				continue
			}
			all, err := members(d.plain[:part.end], part.value)
			if err != nil { // a list or a text
				if jsontext.Value(d.plain[part.value:part.end]).Kind() != jsontext.KindNull {
					found = append(found, secret{path: [3]string{s.name, part.name}, value: part.value, end: part.end})
				}
				continue
			}
			parts = append(parts, part)
			for _, v := range all.members {
				found = append(found, secret{path: [3]string{s.name, part.name, v.name}, value: v.value, end: v.end})
			}
		}
	}
	for _, c := range d.comments(0, len(d.plain)) {
		within := func(from, end int) bool { return from < c[0] && c[1] <= end }
		if slices.ContainsFunc(found, func(s secret) bool { return within(s.value, s.end) }) {
			continue // hidden with what it is in
		}
		comment := string(text[c[0]:c[1]])
		shown := quotedValue.ReplaceAllString(comment, `${1}"`+Hidden+`"`)
		if slices.ContainsFunc(parts, func(p member) bool { return within(p.value, p.end) }) {
			shown = comment[:2] + " " + Hidden
			if comment[1] == '*' {
				shown += " */"
			}
		}
		found = append(found, secret{value: c[0], end: c[1], shown: shown})
	}
	slices.SortFunc(found, func(a, b secret) int { return cmp.Compare(a.value, b.value) })
	return found, nil
}

// quotedValue is a value of JSON in a comment, such as of a server that is not used now.
var quotedValue = regexp.MustCompile(`(:\s*)"(?:[^"\\]|\\.)*"`)
