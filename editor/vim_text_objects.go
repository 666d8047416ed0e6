package editor

import "strings"

// operand returns what the operator of a command works on, from the caret: a
// part of the text, or lines without the break after the last.
func (v *vim) operand(c vimCommand) (from, to textPos, lines, ok bool) {
	p := v.ed.caret
	switch {
	case c.graphemes > 0:
		for to = p; c.graphemes > 0; c.graphemes-- {
			to = v.ed.next(to)
		}
		return p, to, false, true
	case c.lines > 0 || c.key == c.op:
		from, to = v.wholeLines(p.line, p.line+max(c.lines, c.times())-1)
		return from, to, true, true
	case len(c.key) > 1 && strings.Contains("ia", c.key[:1]):
		from, to, lines, ok = v.object(c, p)
		return v.ed.before(from), v.ed.after(to), lines, ok
	}
	if class := v.classAt(p, c.key == "W"); c.op == "c" && strings.Contains("wW", c.key) && class > vimEmpty {
		return p, v.ed.next(v.wordEnd(c, p, true)), false, true
	}
	m, ok := v.motion(c, p)
	if from, to = p, m.to; to.before(from) {
		from, to = to, from
	}
	switch m.take {
	case vimThrough:
		to = v.ed.next(to)
	case vimWhole:
		from, to = v.wholeLines(from.line, to.line)
	case vimBetween:
	}
	return from, to, m.take == vimWhole, ok
}

// wholeLines returns where the lines from one to another begin and end.
func (v *vim) wholeLines(first, last int) (from, to textPos) {
	last = min(last, len(v.ed.lines)-1)
	return textPos{first, 0}, textPos{last, len(v.ed.content(last))}
}

// object returns the object of a command that p is in or, of quotes, that
// follows it.
func (v *vim) object(c vimCommand, p textPos) (from, to textPos, lines, ok bool) {
	around, n := c.key[0] == 'a', c.times()
	switch kind := c.key[1:]; kind {
	case "w", "W":
		from, to = v.wordObject(p, n, around, kind == "W")
		return from, to, false, true
	case `"`, "'", "`":
		from, to, ok = v.quoteObject(p, kind[0], around)
		return from, to, false, ok
	case "(", ")", "b":
		return v.bracketObject(p, '(', ')', n, around)
	case "[", "]":
		return v.bracketObject(p, '[', ']', n, around)
	case "{", "}", "B":
		return v.bracketObject(p, '{', '}', n, around)
	case "<", ">":
		return v.bracketObject(p, '<', '>', n, around)
	case "p":
		from, to = v.paragraphObject(p, n, around)
		return from, to, true, true
	}
	return p, p, false, false
}

// wordObject is n words at p, or runs of spaces between words; around, a word
// takes the spaces after it with it or, without any, those before, but
// not the indentation.
func (v *vim) wordObject(p textPos, n int, around, big bool) (from, to textPos) {
	end := len(v.ed.content(p.line))
	if end == 0 {
		return p, p
	}
	class := v.classAt(p, big)
	for from = p; from.off > 0 && class != vimChip && v.classAt(v.ed.prev(from), big) == class; {
		from = v.ed.prev(from)
	}
	to = from
	run := func() bool {
		if to.off < end {
			to = v.classEnd(to, big)
			return true
		}
		return false
	}
	spaces := false
	for ; n > 0 && run(); n-- {
		if around && (class == vimBlank || to.off < end && v.classAt(to, big) == vimBlank) {
			spaces = run()
		}
	}
	if !around || spaces || class == vimBlank {
		return from, to
	}
	before := from
	for before.off > 0 && v.classAt(v.ed.prev(before), big) == vimBlank {
		before = v.ed.prev(before)
	}
	if before.off > 0 {
		from = before
	}
	return from, to
}

// quoteObject is what is quoted in the line of p; around, with the quotes and
// the spaces after them or, without any, before.
func (v *vim) quoteObject(p textPos, quote byte, around bool) (from, to textPos, ok bool) {
	text := v.ed.content(p.line)
	find := func(i int) int {
		for ; i < len(text); i++ {
			switch text[i] {
			case '\\':
				i++
			case quote:
				return i
			}
		}
		return -1
	}
	for open := find(0); open >= 0; {
		shut := find(open + 1)
		switch {
		case shut < 0:
			return p, p, false
		case shut < p.off:
			open = find(shut + 1)
			continue
		case !around:
			return textPos{p.line, open + 1}, textPos{p.line, shut}, true
		}
		end := len(text) - len(strings.TrimLeft(text[shut+1:], " \t"))
		if end == shut+1 {
			open = len(strings.TrimRight(text[:open], " \t"))
		}
		return textPos{p.line, open}, textPos{p.line, end}, true
	}
	return p, p, false
}

// bracketObject is what is in the nth brackets around p, with them if around.
// Inside of brackets that stand on lines of their own are whole lines.
func (v *vim) bracketObject(p textPos, open, shut byte, n int, around bool) (from, to textPos, lines, ok bool) {
	text, at := v.ed.slice(textPos{}, v.ed.end()), len(v.ed.slice(textPos{}, p))
	if at == len(text) || text[at] == shut {
		at--
	}
	first := bracket(text, at, -1, shut, open, n)
	last := bracket(text, first+1, 1, open, shut, 1)
	if first < 0 || last == len(text) {
		return p, p, false, false
	}
	from, to = textPos{}.advance(text[:first]), textPos{}.advance(text[:last])
	if around {
		to.off++
		return from, to, false, true
	}
	from.off++
	if from.off == len(v.ed.content(from.line)) && v.indent(to.line) == to.off && to.line > from.line+1 {
		from, to = v.wholeLines(from.line+1, to.line-1)
		return from, to, true, true
	}
	return from, to, false, true
}

// bracket is where the nth bracket is that ends what contains byte at, in a direction:
// open begins another one inside. Without one it is beyond the text.
func bracket(text string, at, step int, open, shut byte, n int) int {
	for depth := 0; at >= 0 && at < len(text); at += step {
		switch {
		case text[at] == open:
			depth++
		case text[at] == shut && depth > 0:
			depth--
		case text[at] == shut:
			if n--; n == 0 {
				return at
			}
		}
	}
	return at
}

// paragraphObject is n runs of lines with text, or of lines without; around,
// with the lines after that are of the other kind or, without any, before.
func (v *vim) paragraphObject(p textPos, n int, around bool) (from, to textPos) {
	blank := func(line int) bool { return v.indent(line) == len(v.ed.content(line)) }
	first, last, end := p.line, p.line, len(v.ed.lines)-1
	kind := blank(p.line)
	for first > 0 && blank(first-1) == kind {
		first--
	}
	run := func() {
		for kind = blank(last); last < end && blank(last+1) == kind; {
			last++
		}
	}
	run()
	if around {
		n *= 2
	}
	runs := 1
	for ; runs < n && last < end; runs++ {
		last++
		run()
	}
	if around && runs%2 == 1 {
		for kind = !blank(first); first > 0 && blank(first-1) == kind; {
			first--
		}
	}
	return v.wholeLines(first, last)
}
