package settings

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/pelletier/go-toml/v2/unstable"
)

// value is what a file gives a setting; not ok where that is a mistake, which is
// noted.
func (r *reader) value(s Setting, n *unstable.Node, line int) (v any, ok bool) {
	before := len(r.found)
	v = r.decode(s, n)
	if list, ok := v.([]string); ok && n.Kind == unstable.Array {
		r.items(s, n, list)
	} else if why := s.Check(v); why != "" {
		r.wrong(line, "%s", why)
	}
	return v, len(r.found) == before
}

// decode is the value of a node, of the type of the setting's kind where it has
// that; else the node's text, as notValue.
func (r *reader) decode(s Setting, n *unstable.Node) any {
	switch n.Kind {
	case unstable.String:
		return string(n.Data)
	case unstable.Bool:
		return string(n.Data) == "true"
	case unstable.Integer:
		// A number that is too large is out of range, whatever the range.
		v, _ := strconv.ParseInt(strings.ReplaceAll(string(n.Data), "_", ""), 0, 0)
		return int(v)
	case unstable.Array:
		if s.Kind != Words && s.Kind != List {
			return notValue("a list")
		}
		list := []string{}
		for it := n.Children(); it.Next(); {
			if it.Node().Kind == unstable.String {
				list = append(list, string(it.Node().Data))
			}
		}
		return list
	case unstable.InlineTable:
		return notValue("a table")
	case unstable.Float, unstable.LocalDate, unstable.LocalTime, unstable.LocalDateTime, unstable.DateTime:
		return notValue(n.Data)
	case unstable.Invalid, unstable.Comment, unstable.Key, unstable.Table, unstable.ArrayTable, unstable.KeyValue:
	}
	return notValue("") // no value is one of these
}

// notValue is a value that no setting has.
type notValue string

// items looks at the items of a list, each in its own line.
func (r *reader) items(s Setting, n *unstable.Node, list []string) {
	seen := 0
	for it := n.Children(); it.Next(); {
		item := it.Node()
		line := r.p.Shape(item.Raw).Start.Line
		switch item.Kind {
		case unstable.Comment:
		case unstable.String:
			if why := s.checkItem(list[seen], list[:seen]); why != "" {
				r.wrong(line, "%s", why)
			}
			seen++
		default:
			if item.Raw.Length == 0 {
				line = r.p.Shape(n.Next().Raw).Start.Line
			}
			r.wrong(line, "%s must have texts in quotes only, not %s", s.Name, valueText(r.decode(s, item)))
		}
	}
}

// Check says why a value is none of the setting's; "" if it is one.
func (s Setting) Check(value any) string {
	switch s.Kind {
	case Switch:
		if _, ok := value.(bool); !ok {
			return fmt.Sprintf("%s must be true or false, without quotes, not %s", s.Name, valueText(value))
		}
	case Word:
		switch v, ok := value.(string); {
		case !ok:
			return fmt.Sprintf("%s must be one of %s, in quotes, not %s", s.Name, words(s.Words), valueText(value))
		case !slices.Contains(s.Words, v):
			return fmt.Sprintf("%s is %q, but must be one of %s%s", s.Name, clip(v), words(s.Words), meant(v, s.Words))
		}
	case Text:
		switch v, ok := value.(string); {
		case !ok:
			return fmt.Sprintf("%s must be a text in quotes, not %s", s.Name, valueText(value))
		case v == "":
			return s.Name + " must not be empty"
		}
	case Number:
		switch v, ok := value.(int); {
		case !ok:
			return fmt.Sprintf("%s must be a whole number from %d to %d, not %s", s.Name, s.Min, s.Max, valueText(value))
		case v < s.Min || v > s.Max:
			return fmt.Sprintf("%s is %d, but must be from %d to %d", s.Name, v, s.Min, s.Max)
		}
	case Pairs, Values:
		return s.checkTable(value)
	case Words, List:
		list, ok := value.([]string)
		if !ok {
			return fmt.Sprintf("%s must be a list in brackets, such as [\"...\", \"...\"], not %s", s.Name, valueText(value))
		}
		for i, item := range list {
			if why := s.checkItem(item, list[:i]); why != "" {
				return why
			}
		}
	}
	return ""
}

// checkItem says why an item may not stand in the list of a setting after those
// before it; "" if it may.
func (s Setting) checkItem(item string, before []string) string {
	switch {
	case s.Kind == List:
		return ""
	case !slices.Contains(s.Words, item):
		return fmt.Sprintf("%s cannot have %q%s (it may have %s)", s.Name, clip(item), meant(item, s.Words), words(s.Words))
	case slices.Contains(before, item):
		return fmt.Sprintf("%s has %q twice", s.Name, item)
	}
	return ""
}

// valueText is a value in a sentence about it.
func valueText(value any) string {
	switch v := value.(type) {
	case notValue:
		return clip(string(v))
	case string:
		return strconv.Quote(clip(v))
	}
	return clip(TOML(value))
}

// Parse reads a value as a user types it in a line: a list is items with
// blanks between, or as TOML has it. The error is in one sentence.
func (s Setting) Parse(typed string) (any, error) {
	typed = strings.TrimSpace(typed)
	var value any = typed
	switch s.Kind {
	case Word, Text, Pairs, Values: // a table is no line that a user types
	case Switch:
		if v, err := strconv.ParseBool(typed); err == nil {
			value = v
		}
	case Number:
		if v, err := strconv.Atoi(typed); err == nil {
			value = v
		}
	case Words, List:
		if strings.HasPrefix(typed, "[") {
			return s.parseList(typed)
		}
		list := strings.Fields(typed)
		if s.Kind == Words {
			list = strings.FieldsFunc(typed, func(r rune) bool { return r == ' ' || r == ',' })
		}
		value = list
	}
	if why := s.Check(value); why != "" {
		return nil, errors.New(why)
	}
	return value, nil
}

// parseList reads a list as TOML has it.
func (s Setting) parseList(typed string) (any, error) {
	r := parse("", []byte(s.Name+" = "+typed))
	if len(r.found) > 0 {
		return nil, errors.New(r.found[0].What)
	}
	return s.Value(r.settings), nil
}
