package render

import (
	"fmt"
	"strconv"
	"strings"

	"parley/render/text"
)

// Range is a part of a conversation: what was said from one prompt to before
// the one after another, counted from 1. The zero Range is all of it, with what
// came before the first prompt.
type Range struct {
	From, To int  // 0 is open
	Last     bool // the last prompt, in place of both
}

// ParseRange reads a range as people write it: "3" is one turn, "3-5" are three,
// "3-" those from the third, "-2" the first two, "last" is the last, and "" or
// "all" is everything. The error is a sentence that says what to write.
func ParseRange(s string) (Range, error) {
	switch s = strings.ToLower(strings.TrimSpace(s)); s {
	case "", "all":
		return Range{}, nil
	case "last":
		return Range{Last: true}, nil
	}
	wrong := fmt.Errorf("%q are no turns: write 3, 3-5, 3-, -2, last or all", text.SanitizeCompact(brief(s)))
	first, last, several := strings.Cut(s, "-")
	from, err := promptNumber(first)
	if err != nil || !several && from == 0 {
		return Range{}, wrong
	}
	to, err := promptNumber(last)
	switch {
	case err != nil, from == 0 && to == 0:
		return Range{}, wrong
	case !several:
		return Range{From: from, To: from}, nil
	case to > 0 && to < from:
		return Range{}, fmt.Errorf("turns %d to %d are none: write %d-%d", from, to, to, from)
	}
	return Range{From: from, To: to}, nil
}

// promptNumber reads a number from 1; 0 if the text is empty.
func promptNumber(text string) (int, error) {
	if text = strings.TrimSpace(text); text == "" {
		return 0, nil
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < 1 {
		return 0, fmt.Errorf("%q is no number from 1", text)
	}
	return n, nil
}

// String is the range as ParseRange reads it.
func (r Range) String() string {
	switch {
	case r.Last:
		return "last"
	case r.From == 0 && r.To == 0:
		return "all"
	case r.From == r.To:
		return strconv.Itoa(r.From)
	}
	number := func(n int) string {
		if n == 0 {
			return ""
		}
		return strconv.Itoa(n)
	}
	return number(r.From) + "-" + number(r.To)
}

// Whole reports whether nothing is left out.
func (r Range) Whole() bool { return r == Range{} }

// in is the range in a conversation of so many prompts.
func (r Range) in(prompts int) (Range, error) {
	switch {
	case r.Last:
		r = Range{From: max(prompts, 1), To: max(prompts, 1)}
	case r.From > max(prompts, 1):
		return r, fmt.Errorf("there is no turn %d: the session has %s", r.From, text.Count(prompts, "turn"))
	}
	return r, nil
}

// has reports whether what was said after so many prompts is in the range.
func (r Range) has(prompts int) bool {
	return (prompts >= r.From || prompts == 0 && r.From == 1) && (r.To == 0 || prompts <= r.To)
}
