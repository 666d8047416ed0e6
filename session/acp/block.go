package acp

import (
	"cmp"
	"path"

	"github.com/go-json-experiment/json/jsontext"

	"parley/session"
)

// readChunk is the block of a chunk, and its text: of what is no text, a Markdown reference.
func readChunk(raw jsontext.Value) (b contentBlock, text string) {
	if session.Unmarshal(raw, &b) != nil {
		return b, ""
	}
	return b, b.markdown()
}

// markdown is a block as Markdown.
func (b contentBlock) markdown() string {
	link := func(uri, name string) string {
		if uri == "" {
			return ""
		}
		return "[" + cmp.Or(name, uri) + "](" + uri + ")"
	}
	switch b.Type {
	case "text":
		return b.Text
	case "resource_link":
		return link(b.URI, b.Name)
	case "resource":
		if b.Resource == nil {
			return ""
		}
		return cmp.Or(b.Resource.Text, link(b.Resource.URI, ""), "(document, "+cmp.Or(b.Resource.MIMEType, "of no type")+")")
	case "image", "audio":
		return cmp.Or(link(b.URI, b.Name), "("+b.Type+", "+cmp.Or(b.MIMEType, "of no type")+")")
	}
	return ""
}

// attachments are the bytes of a block, as a message has them; none of one without.
func (b contentBlock) attachments() []session.Attachment {
	a := session.Attachment{Type: "blob", MIMEType: b.MIMEType, Data: b.Data, DisplayName: cmp.Or(b.Name, baseName(b.URI))}
	if r := b.Resource; r != nil {
		a.MIMEType, a.Data, a.DisplayName = r.MIMEType, r.Blob, baseName(r.URI)
	}
	if a.Data == "" {
		return nil
	}
	return []session.Attachment{a}
}

func baseName(uri string) string {
	if uri == "" {
		return ""
	}
	return path.Base(uri)
}
