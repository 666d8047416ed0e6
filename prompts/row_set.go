package prompts

// rowSet is a set of rows: stretches in order, of which no two touch. Nothing changes one
// that was made, so that a copy of what holds it is one of the set.
type rowSet []rowRange

// rowRange are the rows from one to before another.
type rowRange struct{ from, to int }

// with is the set with the rows from one to before another.
func (s rowSet) with(from, to int) rowSet {
	if from >= to {
		return s
	}
	var before, after rowSet
	for _, r := range s {
		switch {
		case r.to < from:
			before = append(before, r)
		case r.from > to:
			after = append(after, r)
		default:
			from, to = min(from, r.from), max(to, r.to)
		}
	}
	return append(append(before, rowRange{from, to}), after...)
}

// before is the set without the rows from one on.
func (s rowSet) before(row int) rowSet {
	var out rowSet
	for _, r := range s {
		out = out.with(r.from, min(r.to, row))
	}
	return out
}

func (s rowSet) count() int {
	n := 0
	for _, r := range s {
		n += r.to - r.from
	}
	return n
}

func (s rowSet) has(row int) bool {
	for _, r := range s {
		if r.from <= row && row < r.to {
			return true
		}
	}
	return false
}

// gap is the first row that is not in the set.
func (s rowSet) gap() int {
	if len(s) == 0 || s[0].from > 0 {
		return 0
	}
	return s[0].to
}
