package timeline

import (
	"cmp"
	"encoding/base64"
	"image"
	"image/gif"
	"image/jpeg"
	"image/png"
	"io"
	"path"
	"slices"
	"strings"

	"github.com/go-json-experiment/json"

	"parley/session"
)

// maxImageHeader is how far into a picture its size is looked for, in bytes: a
// JPEG may have large notes before it.
const maxImageHeader = 1 << 20

func isImage(kind, mime string) bool { return kind == "image" || strings.HasPrefix(mime, "image/") }

// newImage describes a picture. Its size is read from its head alone: nothing
// of it is decoded.
func newImage(name, mime, data string, bytes int) Image {
	i := Image{Name: name, MIMEType: mime, Bytes: bytes, Data: data}
	if data == "" {
		return i
	}
	i.Bytes = max(0, base64.StdEncoding.DecodedLen(len(data))-strings.Count(data[max(0, len(data)-2):], "="))
	for _, read := range [...]func(io.Reader) (image.Config, error){png.DecodeConfig, jpeg.DecodeConfig, gif.DecodeConfig} {
		head := base64.NewDecoder(base64.StdEncoding, strings.NewReader(data))
		if c, err := read(io.LimitReader(head, maxImageHeader)); err == nil {
			i.Width, i.Height = c.Width, c.Height
			break
		}
	}
	return i
}

// AttachmentImage describes an attachment that is a picture. What a stored log
// does not say of it, such as the size of a file, is zero.
func AttachmentImage(a session.Attachment) (Image, bool) {
	if a.Type != "blob" && a.Type != "file" && a.Type != "image" || !isImage(a.Type, a.MIMEType) {
		return Image{}, false
	}
	var stored struct {
		ByteLength int `json:"byteLength"`
	}
	_ = json.Unmarshal(a.Extra, &stored) // an attachment from elsewhere may say nothing
	name := cmp.Or(a.DisplayName, path.Base(cmp.Or(a.Path, a.FilePath, "image")))
	return newImage(name, a.MIMEType, a.Data, stored.ByteLength), true
}

// images returns the pictures in the result of a call: those that the model
// saw, and those that only the structured contents hold, which stored logs do
// not have.
func (t *Timeline) images(r *session.ToolResult) []Image {
	var list []Image
	seen := map[string]bool{"": true}
	for _, b := range r.BinaryResultsForLLM {
		if !isImage(b.Type, b.MIMEType) {
			continue
		}
		if b.Data == "" {
			b.Data = t.noted.assets[b.AssetID]
		}
		seen[b.Data] = true
		list = append(list, newImage(b.Description, b.MIMEType, b.Data, b.ByteLength))
	}
	for _, c := range r.Contents {
		name, mime, data := c.Name, c.MIMEType, c.Data
		if c.Resource != nil {
			name, mime, data = c.Resource.URI, c.Resource.MIMEType, c.Resource.Blob
		}
		if seen[data] || !isImage(c.Type, mime) {
			continue
		}
		seen[data] = true
		list = append(list, newImage(name, mime, data, 0))
	}
	return list
}

// binaryAsset keeps the bytes of a picture for the events that refer to it. A
// stored log has them before these (protocol note, section 9).
func (t *Timeline) binaryAsset(b session.SessionBinaryAsset) Outcome {
	if b.AssetID == "" || b.Data == "" || !isImage(b.Type, b.MIMEType) {
		return Ignored
	}
	t.noted.assets[b.AssetID] = b.Data
	return Applied
}

// attached gives the attachments of a stored log their bytes back.
func (t *Timeline) attached(list []session.Attachment) []session.Attachment {
	if len(t.noted.assets) == 0 {
		return list
	}
	list = slices.Clone(list)
	for i, a := range list {
		var stored struct {
			AssetID string `json:"assetId"`
		}
		if a.Data == "" && json.Unmarshal(a.Extra, &stored) == nil {
			list[i].Data = t.noted.assets[stored.AssetID]
		}
	}
	return list
}
