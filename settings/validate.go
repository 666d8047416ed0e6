package settings

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// notValue is a value that no setting has.
type notValue string

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
	case Pairs, Variables, Values:
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
	case []string:
		return "a list"
	case map[string]any:
		return "a table"
	}
	return clip(TOML(value))
}

// Parse reads a value as a user types it in a line: a list is items with
// blanks between, or as TOML has it. The error is in one sentence.
func (s Setting) Parse(typed string) (any, error) {
	typed = strings.TrimSpace(typed)
	var value any = typed
	switch s.Kind {
	case Word, Text, Pairs, Variables, Values: // a table is no line that a user types
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
