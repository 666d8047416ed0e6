package prompts

import (
	"parley/render/text"
	"parley/theme"
)

// payload is the whole of what is asked about.
func (w *permissionRequest) payload(p places) document {
	switch w.kind {
	case kindShell:
		return plainDocument(code(w.command, theme.Code), w.command)
	case kindWrite:
		if w.change != nil && w.change.Titled() && w.change.Names()[0] == w.file { // which names it as well
			return w.changed(nil, p)
		}
		return w.changed(code(p.short(w.file), theme.Strong), p)
	case kindRead:
		return plainDocument(code(p.short(w.path), theme.Code), w.path)
	case kindPath:
		var spans []span
		for _, path := range w.paths {
			spans = append(spans, code(p.short(path), theme.Code)...)
		}
		if w.command != "" {
			spans = append(append(spans, span{}), code(w.command, theme.Text)...)
		}
		if w.diff != "" || w.contents != "" {
			return w.changed(spans, p)
		}
		return plainDocument(spans, w.command)
	case kindURL:
		spans := code(w.url, theme.Code)
		if w.command != "" {
			spans = append(append(spans, span{}), code(w.command, theme.Text)...)
		}
		return plainDocument(spans, w.url)
	case kindMCP, kindCustomTool, kindHook:
		return &textDocument{spans: w.toolPayload(), raw: w.args, copy: true, name: inLine(w.toolName())}
	case kindMemory:
		spans := prose(w.subject, theme.Strong)
		spans = append(spans, prose(w.fact, theme.Text)...)
		return plainDocument(append(spans, prose(w.citations, theme.Dim)...), w.fact)
	}
	return plainDocument(append(code(w.kind, theme.Strong), code(w.rest, theme.Text)...), w.rest)
}

func plainDocument(spans []span, raw string) document {
	return &textDocument{spans: spans, raw: raw, copy: true}
}

// changed is a change of a file below what heads it. One that does not read as
// a diff is shown as it came.
func (w *permissionRequest) changed(head []span, p places) document {
	raw, name := w.diff, w.file+".diff"
	if raw == "" {
		raw, name = w.contents, w.file
	}
	switch {
	case w.change != nil:
		d := newDiffDocument(head, w.change, raw, name)
		d.folder = p.dir
		if len(w.change.Files) == 1 {
			d.named = inLine(p.short(w.file))
		}
		if f := w.change.Files; len(f) == 1 && f[0].Fate == "" && !w.creates {
			d.path = absolute(w.file, p)
		}
		return d
	case raw == "":
		return plainDocument(head, w.file)
	}
	return &textDocument{spans: append(head, code(raw, theme.Text)...), raw: raw, copy: true, name: inLine(p.short(w.file))}
}

// inLine is untrusted text as one line in which nothing is hidden.
func inLine(s string) string { return text.SanitizeLine(text.SanitizeShowHidden(s)) }

// absolute is a path with the working folder before it; "" if that is not known.
func absolute(file string, p places) string {
	if file != "" {
		file = text.JoinPath(p.dir, file)
	}
	if !text.WholePath(file) {
		return ""
	}
	return file
}

// toolName is the tool, and the server that it is of.
func (w *permissionRequest) toolName() string {
	if w.server == "" {
		return w.tool
	}
	return w.tool + " (" + w.server + ")"
}

func (w *permissionRequest) toolPayload() []span {
	spans := code(w.toolName(), theme.Strong)
	if w.toolTitle != "" && w.toolTitle != w.tool {
		spans = append(spans, prose(w.toolTitle, theme.Text)...)
	}
	spans = append(spans, prose(w.description, theme.Dim)...)
	return append(spans, code(w.args, theme.Code)...)
}

// code makes untrusted text ready to be shown as it is, prose as sentences.
func code(s string, tok theme.Token) []span  { return spansOf(s, tok, false) }
func prose(s string, tok theme.Token) []span { return spansOf(s, tok, true) }

func spansOf(s string, tok theme.Token, prose bool) []span {
	if s == "" {
		return nil
	}
	return []span{{text.SanitizeShowHidden(s), tok, prose}}
}
