package timeline

import (
	"cmp"
	"encoding/base64"
	"image"
	"image/gif"
	"image/jpeg"
	"image/png"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"github.com/go-json-experiment/json"

	"parley/session"
)

// maxImageHeader is how far into an image its size is looked for, in bytes: a
// JPEG may have large notes before it.
const maxImageHeader = 1 << 20

func isImage(kind, mime string) bool { return kind == "image" || strings.HasPrefix(mime, "image/") }

// newImage describes an image. Its size is read from its head alone: nothing
// of it is decoded.
func newImage(name, mime, data string, bytes int) Image {
	i := Image{Name: name, MIMEType: mime, Bytes: bytes, Data: data}
	if data == "" {
		return i
	}
	i.Bytes = decodedLen(data)
	for _, read := range [...]func(io.Reader) (image.Config, error){png.DecodeConfig, jpeg.DecodeConfig, gif.DecodeConfig} {
		head := base64.NewDecoder(base64.StdEncoding, strings.NewReader(data))
		if c, err := read(io.LimitReader(head, maxImageHeader)); err == nil {
			i.Width, i.Height = c.Width, c.Height
			break
		}
	}
	return i
}

// decodedLen is the number of bytes that a text in base64 stands for.
func decodedLen(data string) int {
	return max(0, base64.StdEncoding.DecodedLen(len(data))-strings.Count(data[max(0, len(data)-2):], "="))
}

// AttachmentImage describes an attachment that is an image. What a stored log
// does not say of it, such as the size of a file, is zero.
func AttachmentImage(a session.Attachment) (Image, bool) {
	if a.Type != "blob" && a.Type != "file" && a.Type != "image" || !isImage(a.Type, a.MIMEType) {
		return Image{}, false
	}
	var stored struct {
		ByteLength int `json:"byteLength"`
	}
	_ = json.Unmarshal(a.Extra, &stored) // an attachment from elsewhere may say nothing
	name := cmp.Or(a.DisplayName, filepath.Base(cmp.Or(a.Path, a.FilePath, "image")))
	return newImage(name, a.MIMEType, a.Data, stored.ByteLength), true
}

// Images returns the images of an entry: those attached to a prompt, in an answer, or in
// the result of a call.
func Images(e *Entry) []Image {
	switch b := e.Body.(type) {
	case *Prompt:
		return attachedImages(b.Attachments)
	case *Message:
		return attachedImages(b.Attachments)
	case *ToolCall:
		return b.Images
	}
	return nil
}

func attachedImages(attachments []session.Attachment) (list []Image) {
	for _, a := range attachments {
		if i, ok := AttachmentImage(a); ok {
			list = append(list, i)
		}
	}
	return list
}

// Files returns what of an entry can be written to files: its images, sounds and
// documents, as far as their bytes came.
func Files(e *Entry) []Block {
	var all []Block
	for _, i := range Images(e) {
		all = append(all, Block{Kind: "image", Name: i.Name, MIMEType: i.MIMEType, Bytes: i.Bytes, Data: i.Data})
	}
	switch b := e.Body.(type) {
	case *ToolCall:
		all = append(all, b.Blocks...)
	case *Message:
		for _, a := range b.Attachments {
			if _, shown := AttachmentImage(a); !shown {
				all = append(all, Block{Kind: a.Type, Name: a.DisplayName, MIMEType: a.MIMEType, Bytes: decodedLen(a.Data), Data: a.Data})
			}
		}
	}
	return slices.DeleteFunc(all, func(b Block) bool { return b.Data == "" })
}

// assets are the binary data of a stored log by asset, in base64. Sub-agents share
// those of their parent.
type assets map[string]string

// blocks returns the images in the result of a call, and what else is in it
// but texts: what the model got, and what only the structured contents hold,
// which stored logs do not have. Nothing comes twice.
func (as assets) blocks(r *session.ToolResult) (images []Image, others []Block) {
	take := func(b Block) {
		if b.Kind == "image" || isImage(b.Kind, b.MIMEType) && b.Kind != "resource_link" && b.Data != "" {
			images = append(images, newImage(cmp.Or(b.Name, b.URI), b.MIMEType, b.Data, b.Bytes))
			return
		}
		b.Bytes = cmp.Or(decodedLen(b.Data), b.Bytes)
		others = append(others, b)
	}
	type bytes struct{ data, uri, mime string }
	got, seen := map[string]bool{}, map[bytes]bool{} // by the model, in the contents
	for _, b := range r.BinaryResultsForLLM {
		data := cmp.Or(b.Data, as[b.AssetID])
		got[data] = true
		take(Block{Kind: b.Type, Name: b.Description, MIMEType: b.MIMEType, Data: data, Bytes: b.ByteLength})
	}
	for _, c := range r.Contents {
		b, ok := blockOf(c)
		key := bytes{b.Data, b.URI, b.MIMEType}
		if !ok || b.Data != "" && (got[b.Data] || seen[key]) {
			continue
		}
		seen[key] = true
		take(b)
	}
	return images, others
}

// blockOf is what a part of structured contents has in addition to its text; ok
// is false if that is nothing.
func blockOf(c session.ContentBlock) (b Block, ok bool) {
	b = Block{Kind: c.Type, Name: cmp.Or(c.Title, c.Name), URI: c.URI, Description: c.Description, MIMEType: c.MIMEType, Data: c.Data}
	if c.Size != nil {
		b.Bytes = max(0, *c.Size)
	}
	if r := c.Resource; r != nil {
		b.URI, b.MIMEType, b.Data = r.URI, cmp.Or(r.MIMEType, b.MIMEType), cmp.Or(r.Blob, b.Data)
	}
	switch c.Type {
	case "text", "terminal", "shell_exit":
		return b, false
	case "image", "audio", "resource", "resource_link":
		return b, true
	}
	return b, c.Text == "" || b.URI != "" || b.Data != "" // of an unknown kind
}

// add keeps bytes for the events that refer to them. A stored log has
// them before these (docs/protocol.md, section 9).
func (as assets) add(b session.SessionBinaryAsset) ApplyResult {
	if b.AssetID == "" || b.Data == "" {
		return Ignored
	}
	as[b.AssetID] = b.Data
	return Applied
}

// attached gives the attachments of a stored log their bytes back.
func (as assets) attached(list []session.Attachment) []session.Attachment {
	if len(as) == 0 {
		return list
	}
	list = slices.Clone(list)
	for i, a := range list {
		var stored struct {
			AssetID string `json:"assetId"`
		}
		if a.Data == "" && json.Unmarshal(a.Extra, &stored) == nil {
			list[i].Data = as[stored.AssetID]
		}
	}
	return list
}
