package sessions

import (
	"slices"
	"strings"
)

// Accepts reports whether all filters of the query hold for a session. The words
// are looked for in its texts, which a Session does not have.
func (q Query) Accepts(s Session) bool {
	return !slices.ContainsFunc(q.Filters, func(f Filter) bool { return f.holds(&s) == f.Not })
}

func (f Filter) holds(s *Session) bool {
	field, _ := fieldNamed(f.Field)
	switch field.Kind {
	case Moment:
		return s.Used.Before(f.Time) == (f.Op == Less)
	case Choices:
		v, ok := field.value(f.Value)
		return ok && v.holds(s)
	case Number, Duration:
		n := field.number(s)
		switch f.Op {
		case Less:
			return n < f.Number
		case AtMost:
			return n <= f.Number
		case More:
			return n > f.Number
		case AtLeast:
			return n >= f.Number
		default:
			return n == f.Number
		}
	default:
		if field.texts == nil {
			return false
		}
		part := folded(f.Value)
		return slices.ContainsFunc(field.texts(s), func(text string) bool { return strings.Contains(folded(text), part) })
	}
}
