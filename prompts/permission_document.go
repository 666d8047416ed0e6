package prompts

import (
	"path"

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
func (w *permissionRequest) changed(head []span, p places) document {
	raw, name := w.diff, w.file+".diff"
	if raw == "" {
		raw, name = w.contents, w.file
	}
	switch {
	case w.change != nil:
		d := newDiffDocument(head, w.change, raw, name)
		if f := w.change.Files; len(f) == 1 && f[0].Fate == "" && !w.creates {
			d.path = absolute(w.file, p)
		}
		return d
	case raw == "":
		return plainDocument(head, w.file)
	}
	return plainDocument(append(head, code(raw, theme.Text)...), raw)
}

// absolute is a path with the working folder before it; "" if that is not known.
func absolute(file string, p places) string {
	if file != "" && !path.IsAbs(file) {
		file = path.Join(p.dir, file)
	}
	if !path.IsAbs(file) {
		return ""
	}
	return file
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
