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
		return w.changed(code(p.short(w.file), theme.Strong))
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
			return w.changed(spans)
		}
		return plainDocument(spans, w.command)
	case kindURL:
		spans := code(w.url, theme.Code)
		if w.command != "" {
			spans = append(append(spans, span{}), code(w.command, theme.Text)...)
		}
		return plainDocument(spans, w.url)
	case kindMCP, kindCustomTool, kindHook:
		return plainDocument(w.toolPayload(), w.args)
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
func (w *permissionRequest) changed(head []span) document {
	raw, name := w.diff, w.file+".diff"
	if raw == "" {
		raw, name = w.contents, w.file
	}
	switch {
	case w.change != nil:
		return newDiffDocument(head, w.change, raw, name)
	case raw == "":
		return plainDocument(head, w.file)
	}
	return plainDocument(append(head, code(raw, theme.Text)...), raw)
}

func (w *permissionRequest) toolPayload() []span {
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

// code makes untrusted text ready to be shown as it is, prose as sentences.
func code(s string, tok theme.Token) []span  { return spansOf(s, tok, false) }
func prose(s string, tok theme.Token) []span { return spansOf(s, tok, true) }

func spansOf(s string, tok theme.Token, prose bool) []span {
	if s == "" {
		return nil
	}
	return []span{{text.SanitizeShowHidden(s), tok, prose}}
}
