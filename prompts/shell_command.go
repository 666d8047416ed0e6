package prompts

import "strings"

// shellCommand is one simple command of a command line.
type shellCommand struct {
	words    []shellWord
	writesTo []string       // what its output is redirected into
	reads    []string       // what it is given as its input by name
	here     string         // a text that it is given as its input
	given    []shellCommand // what is run for its input
	from     int            // the first command whose output it may be given; its own index if no other is
}

// shellWord is a word as the shell makes it, without quotes. What the shell would
// put in place of a variable or a pattern is not known, so that these stay.
type shellWord struct {
	text string
	runs []shellCommand // what is run to make the word, or to read from it
}

// shellDepth is how deep commands within commands are looked at, and shellSize how
// much of a text.
const shellDepth, shellSize = 16, 1 << 20

// shellCommands finds the simple commands of a command line, those in brackets and
// bodies among them. It takes whatever text there is: what is no shell at all reads
// as unknown commands. Not whole means that a part was left out.
func shellCommands(text string, depth int) (commands []shellCommand, whole bool) {
	if depth >= shellDepth {
		return nil, false
	}
	l := shellLexer{text: text[:min(len(text), shellSize)], depth: depth, cut: len(text) > shellSize}
	for l.at < len(l.text) {
		l.list()
		l.skip(")") // closes nothing
	}
	return l.commands, !l.cut
}

// shellLexer reads a command line from its beginning to its end, each byte once for
// each command that it is nested in.
type shellLexer struct {
	text     string
	at       int
	depth    int
	cut      bool // something was left out
	commands []shellCommand
	heres    []hereDocument // whose text begins with the next line
}

type hereDocument struct {
	of   int // the command
	end  string
	tabs bool
}

// peek is the byte at some distance, 0 after the end.
func (l *shellLexer) peek(by int) byte {
	if i := l.at + by; i < len(l.text) {
		return l.text[i]
	}
	return 0
}

func (l *shellLexer) skip(prefix string) bool {
	found := strings.HasPrefix(l.text[l.at:], prefix)
	if found {
		l.at += len(prefix)
	}
	return found
}

// pipeline is the command that is being read, and where its pipeline begins.
type pipeline struct {
	command shellCommand
	start   int
}

// list reads commands up to a bracket that closes, which it leaves, or a brace.
func (l *shellLexer) list() {
	p := pipeline{start: len(l.commands)}
	p.command.from = p.start
	for l.at < len(l.text) {
		switch b := l.peek(0); {
		case b == ')':
			l.end(&p, false)
			return
		case (b == '<' || b == '>') && l.peek(1) != '(' || b == '&' && l.peek(1) == '>':
			l.redirect(&p.command)
		case l.separates(&p) || l.blank():
		case l.closes(&p):
			return
		}
	}
	l.end(&p, false)
}

// end ends a command. One that is piped gives its output to the next.
func (l *shellLexer) end(p *pipeline, piped bool) {
	if c := p.command; len(c.words)+len(c.writesTo)+len(c.reads)+len(c.here)+len(c.given) > 0 {
		l.commands = append(l.commands, c)
	}
	if !piped {
		p.start = len(l.commands)
	}
	p.command = shellCommand{from: p.start}
}

// separates reads what ends a command, if that is next.
func (l *shellLexer) separates(p *pipeline) bool {
	switch {
	case l.skip("("):
		l.end(p, true)
		l.group(p.start)
		l.skip(")")
	case l.skip("||"), l.skip(";"), l.skip("&"):
		l.end(p, false)
	case l.skip("|"):
		l.skip("&")
		l.end(p, true)
	case l.skip("\n"):
		l.end(p, false)
		l.bodies()
	default:
		return false
	}
	return true
}

// blank reads a blank or a comment, if that is next.
func (l *shellLexer) blank() bool {
	switch {
	case l.skip(" "), l.skip("\t"), l.skip("\r"):
	case l.peek(0) == '#':
		for l.at < len(l.text) && l.peek(0) != '\n' {
			l.at++
		}
	default:
		return false
	}
	return true
}

// closes reads a word and reports whether it is a brace that closes.
func (l *shellLexer) closes(p *pipeline) bool {
	first := len(p.command.words) == 0
	switch w := l.word(); {
	case first && w.text == "}":
		l.end(p, false)
		return true
	case first && w.text == "{":
		l.group(p.start)
	case number(w.text) && (l.peek(0) == '<' || l.peek(0) == '>'): // a descriptor
	default:
		p.command.words = append(p.command.words, w)
	}
	return false
}

// group reads what stands in brackets, in the place of a command of the pipeline
// that begins at start.
func (l *shellLexer) group(start int) {
	first := len(l.commands)
	if l.depth++; l.depth < shellDepth {
		l.list()
	} else { // it reads on as if there were no brackets
		l.cut = true
	}
	l.depth--
	for i := first; i < len(l.commands); i++ {
		if l.commands[i].from == i { // it has the input of all
			l.commands[i].from = start
		}
	}
}

func number(text string) bool {
	return text != "" && strings.Trim(text, "0123456789") == ""
}

// redirect reads a redirection of the command that is being read.
func (l *shellLexer) redirect(c *shellCommand) {
	reads := l.peek(0) == '<'
	text := strings.HasPrefix(l.text[l.at:], "<<<")
	here := strings.HasPrefix(l.text[l.at:], "<<")
	for l.at < len(l.text) && strings.IndexByte("<>&|", l.peek(0)) >= 0 {
		l.at++
		if l.peek(0) == '(' {
			break // into a command
		}
	}
	tabs := here && l.skip("-")
	for l.peek(0) == ' ' || l.peek(0) == '\t' {
		l.at++
	}
	w := l.word()
	switch {
	case w.text == "-" || number(w.text) || w.text == "" && len(w.runs) == 0: // a descriptor, or nothing
	case text:
		c.here = w.text
	case here:
		l.heres = append(l.heres, hereDocument{of: len(l.commands), end: w.text, tabs: tabs})
		c.here = "\n"
	case reads:
		c.reads = append(c.reads, w.text)
	default:
		c.writesTo = append(c.writesTo, w.text)
	}
	c.given = append(c.given, w.runs...)
}

// bodies reads the texts of here documents.
func (l *shellLexer) bodies() {
	for _, h := range l.heres {
		var body strings.Builder
		for l.at < len(l.text) {
			line, _, _ := strings.Cut(l.text[l.at:], "\n")
			l.at = min(l.at+len(line)+1, len(l.text))
			if h.tabs {
				line = strings.TrimLeft(line, "\t")
			}
			if line == h.end {
				break
			}
			body.WriteString(line + "\n")
		}
		if h.of < len(l.commands) {
			l.commands[h.of].here = body.String()
		}
	}
	l.heres = nil
}

func (l *shellLexer) word() shellWord {
	var w shellWord
	var text strings.Builder
	for l.at < len(l.text) {
		b := l.peek(0)
		redirects := b == '<' || b == '>'
		if strings.IndexByte(" \t\r\n;&|()", b) >= 0 || redirects && (l.peek(1) != '(' || text.Len() > 0) {
			break
		}
		switch {
		case redirects: // it is the name of what a command reads or writes
			l.at += 2
			l.inner(&w, &text)
		case b == '\\':
			l.escape(&text)
		case b == '\'':
			l.quoted(&text, false)
		case b == '$' && l.peek(1) == '\'':
			l.at++
			l.quoted(&text, true)
		case b == '"':
			l.at++
			l.doubled(&w, &text)
		default:
			l.plain(&w, &text)
		}
	}
	w.text = text.String()
	return w
}

// plain reads a byte, or what the shell would put a text in the place of.
func (l *shellLexer) plain(w *shellWord, text *strings.Builder) {
	switch {
	case l.skip("$("):
		l.inner(w, text)
	case l.skip("`"):
		var code strings.Builder
		for l.at < len(l.text) && !l.skip("`") {
			if l.peek(0) == '\\' {
				l.at++
			}
			code.WriteByte(l.peek(0))
			l.at = min(l.at+1, len(l.text))
		}
		text.WriteString("`…`")
		runs, whole := shellCommands(code.String(), l.depth+1)
		w.runs, l.cut = append(w.runs, runs...), l.cut || !whole
	default:
		text.WriteByte(l.peek(0))
		l.at++
	}
}

// inner reads the commands whose output becomes part of a word, or is read by its
// name.
func (l *shellLexer) inner(w *shellWord, text *strings.Builder) {
	text.WriteString("$(…)")
	in := shellLexer{text: l.text, at: l.at, depth: l.depth + 1}
	if in.depth >= shellDepth {
		l.at, l.cut = len(l.text), true
		return
	}
	for in.list(); in.at < len(in.text) && in.peek(0) != ')'; {
		in.list() // it ended with a brace
	}
	l.at = min(in.at+1, len(l.text))
	w.runs, l.cut = append(w.runs, in.commands...), l.cut || in.cut
}

// escape reads what comes after a backslash.
func (l *shellLexer) escape(text *strings.Builder) {
	l.at++
	if l.skip("\n") || l.skip("\r\n") || l.at >= len(l.text) {
		return
	}
	text.WriteByte(l.peek(0))
	l.at++
}

// quoted reads to the next single quote.
func (l *shellLexer) quoted(text *strings.Builder, escapes bool) {
	for l.at++; l.at < len(l.text) && l.peek(0) != '\''; {
		if escapes && l.peek(0) == '\\' {
			l.escape(text)
			continue
		}
		text.WriteByte(l.peek(0))
		l.at++
	}
	l.at = min(l.at+1, len(l.text))
}

// doubled reads to the next double quote.
func (l *shellLexer) doubled(w *shellWord, text *strings.Builder) {
	for l.at < len(l.text) && !l.skip(`"`) {
		if l.peek(0) == '\\' {
			if strings.IndexByte("$`\"\\\n", l.peek(1)) < 0 {
				text.WriteByte('\\')
			}
			l.escape(text)
			continue
		}
		l.plain(w, text)
	}
}
