package prompts

import (
	"strings"

	"parley/render"
	"parley/theme"
)

// payload is the whole of what is asked about.
func (w *wanted) payload() []span {
	switch w.kind {
	case kindShell:
		return code(w.command, theme.Code)
	case kindWrite:
		return append(code(w.file, theme.Strong), diffSpans(w)...)
	case kindRead:
		return code(w.path, theme.Code)
	case kindPath:
		return w.pathPayload()
	case kindURL:
		spans := code(w.url, theme.Code)
		if w.command != "" {
			spans = append(append(spans, span{}), code(w.command, theme.Text)...)
		}
		return spans
	case kindMCP, kindCustomTool, kindHook:
		return w.toolPayload()
	case kindMemory:
		spans := prose(w.subject, theme.Strong)
		spans = append(spans, prose(w.fact, theme.Text)...)
		return append(spans, prose(w.citations, theme.Dim)...)
	}
	return append(code(w.kind, theme.Strong), code(w.rest, theme.Text)...)
}

func (w *wanted) pathPayload() []span {
	var spans []span
	for _, path := range w.paths {
		spans = append(spans, code(path, theme.Code)...)
	}
	switch {
	case w.command != "":
		spans = append(append(spans, span{}), code(w.command, theme.Text)...)
	case w.diff != "" || w.contents != "":
		spans = append(append(spans, span{}), diffSpans(w)...)
	}
	return spans
}

func (w *wanted) toolPayload() []span {
	name := w.tool
	if w.server != "" {
		name += " (" + w.server + ")"
	}
	spans := code(name, theme.Strong)
	if w.toolTitle != "" && w.toolTitle != w.tool {
		spans = append(spans, prose(w.toolTitle, theme.Text)...)
	}
	spans = append(spans, prose(w.description, theme.Dim)...)
	return append(spans, code(w.args, theme.Code)...)
}

// code makes untrusted text ready to be shown as it is.
func code(text string, tok theme.Token) []span {
	if text == "" {
		return nil
	}
	return []span{{text: render.SanitizeVisible(text), token: tok}}
}

// prose makes untrusted text ready to be shown as sentences.
func prose(text string, tok theme.Token) []span {
	if text == "" {
		return nil
	}
	return []span{{text: render.SanitizeVisible(text), token: tok, prose: true}}
}

// diffSpans shows a change as its lines. Header lines that only repeat the
// file's name are left out.
func diffSpans(w *wanted) []span {
	if w.diff == "" {
		var spans []span
		for line := range strings.Lines(w.contents) {
			spans = append(spans, span{text: render.SanitizeVisible("+" + strings.TrimSuffix(line, "\n")), token: theme.Added})
		}
		return spans
	}
	var spans []span
	header := true
	for line := range strings.Lines(strings.Trim(w.diff, "\n")) {
		line = strings.TrimSuffix(line, "\n")
		tok := theme.Dim
		switch {
		case strings.HasPrefix(line, "diff "):
			header = true
		case strings.HasPrefix(line, "@@"):
			header, tok = false, theme.Hunk
		case header:
		case strings.HasPrefix(line, "+"):
			tok = theme.Added
		case strings.HasPrefix(line, "-"):
			tok = theme.Removed
		default:
			tok = theme.Text
		}
		if header && repeats(line, w.file) {
			continue
		}
		spans = append(spans, span{text: render.SanitizeVisible(line), token: tok})
	}
	return spans
}

// repeats reports whether a header line of a diff says nothing but the name of
// the file.
func repeats(line, file string) bool {
	name := strings.TrimPrefix(file, "/")
	switch line {
	case "--- a/" + name, "+++ b/" + name, "--- a" + name, "+++ b" + name, "--- a/dev/null", "+++ b/dev/null",
		"--- /dev/null", "+++ /dev/null", "diff --git a/" + name + " b/" + name, "diff --git a" + name + " b" + name,
		"create file mode 100644", "new file mode 100644", "":
		return true
	}
	hash, found := strings.CutPrefix(line, "index ")
	return found && strings.Trim(hash, "0123456789abcdef. ") == ""
}
