package timeline_test

import (
	"encoding/base64"
	"path/filepath"
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"
	"pgregory.net/rapid"

	"parley/session"
	"parley/session/sessiontest"
	"parley/timeline"
)

// drawn is an image of 3 by 2 dots, in base64.
func drawn(t *testing.T, mime string) (data string, size int) {
	t.Helper()
	data = sessiontest.Image(t, strings.TrimPrefix(mime, "image/"), 3, 2)
	raw, err := base64.StdEncoding.DecodeString(data)
	if err != nil {
		t.Fatal(err)
	}
	return data, len(raw)
}

func TestImagesOfAttachments(t *testing.T) {
	t.Parallel()
	for _, mime := range []string{"image/png", "image/jpeg", "image/gif"} {
		data, size := drawn(t, mime)
		got, ok := timeline.AttachmentImage(session.Attachment{Type: "blob", DisplayName: "a", MIMEType: mime, Data: data})
		want := timeline.Image{Name: "a", MIMEType: mime, Bytes: size, Width: 3, Height: 2, Data: data}
		if !ok || got != want {
			t.Errorf("%s: got %+v", mime, got)
		}
	}
	for name, tt := range map[string]struct {
		a    session.Attachment
		want timeline.Image
		ok   bool
	}{
		"a text":            {session.Attachment{Type: "file", Path: "a.txt"}, timeline.Image{}, false},
		"a folder":          {session.Attachment{Type: "directory", MIMEType: "image/png"}, timeline.Image{}, false},
		"of a stored log":   {session.Attachment{Type: "file", Path: filepath.FromSlash("a/b.png"), MIMEType: "image/png", Extra: jsontext.Value(`{"byteLength":7}`)}, timeline.Image{Name: "b.png", MIMEType: "image/png", Bytes: 7}, true},
		"of no known form":  {session.Attachment{Type: "blob", MIMEType: "image/webp", Data: "AAAA"}, timeline.Image{Name: "image", MIMEType: "image/webp", Bytes: 3, Data: "AAAA"}, true},
		"of one byte":       {session.Attachment{Type: "blob", MIMEType: "image/png", Data: "AA=="}, timeline.Image{Name: "image", MIMEType: "image/png", Bytes: 1, Data: "AA=="}, true},
		"that is no base64": {session.Attachment{Type: "blob", MIMEType: "image/png", Data: "!"}, timeline.Image{Name: "image", MIMEType: "image/png", Data: "!"}, true},
	} {
		if got, ok := timeline.AttachmentImage(tt.a); ok != tt.ok || got != tt.want {
			t.Errorf("%s: got %+v", name, got)
		}
	}
}

func TestImagesOfCalls(t *testing.T) {
	t.Parallel()
	data, size := drawn(t, "image/png")
	shown := timeline.Image{Name: "a chart", MIMEType: "image/png", Bytes: size, Width: 3, Height: 2, Data: data}
	bare := shown
	bare.Name = ""
	resource := shown
	resource.Name = "mem://x"
	saw := func(b session.BinaryResult) session.ToolResult {
		return session.ToolResult{BinaryResultsForLLM: []session.BinaryResult{b}}
	}
	asset := session.SessionBinaryAsset{AssetID: "sha256:1", Type: "image", MIMEType: "image/png", ByteLength: size, Data: data}
	stored := session.BinaryResult{Type: "image", MIMEType: "image/png", AssetID: "sha256:1", ByteLength: size, Description: "a chart"}
	for name, tt := range map[string]struct {
		before []session.Body
		result session.ToolResult
		want   []timeline.Image
	}{
		"live": {nil, saw(session.BinaryResult{Type: "image", MIMEType: "image/png", Data: data, Description: "a chart"}), []timeline.Image{shown}},
		"live, sent twice": {nil, session.ToolResult{
			Contents:            []session.ContentBlock{{Type: "text", Text: "x"}, {Type: "image", MIMEType: "image/png", Data: data}},
			BinaryResultsForLLM: []session.BinaryResult{{Type: "image", MIMEType: "image/png", Data: data}},
		}, []timeline.Image{bare}},
		"for display only": {nil, session.ToolResult{Contents: []session.ContentBlock{
			{Type: "image", MIMEType: "image/png", Data: data}, {Type: "image", MIMEType: "image/png", Data: data},
		}}, []timeline.Image{bare}},
		"in a document": {nil, session.ToolResult{Contents: []session.ContentBlock{
			{Type: "resource", Resource: &session.EmbeddedResource{URI: "mem://x", MIMEType: "image/png", Blob: data}},
			{Type: "resource", Resource: &session.EmbeddedResource{URI: "mem://y", MIMEType: "text/plain", Text: "y"}},
			{Type: "resource_link", URI: "https://example.com/a.png", MIMEType: "image/png"},
		}}, []timeline.Image{resource}},
		"stored":            {[]session.Body{asset}, saw(stored), []timeline.Image{shown}},
		"stored, but gone":  {nil, saw(stored), []timeline.Image{{Name: "a chart", MIMEType: "image/png", Bytes: size}}},
		"left out as large": {nil, saw(session.BinaryResult{Type: "image", MIMEType: "image/png", ByteLength: 9}), []timeline.Image{{MIMEType: "image/png", Bytes: 9}}},
		"no image":          {nil, saw(session.BinaryResult{Type: "resource", MIMEType: "audio/wav", Data: data}), nil},
		"without its bytes": {nil, session.ToolResult{Contents: []session.ContentBlock{{Type: "image", MIMEType: "image/png"}}}, []timeline.Image{{MIMEType: "image/png"}}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := newFeed().stored(tt.before...).stored(startOf("view", "{}"), session.ToolExecutionComplete{ToolCallID: "c", Success: true, Result: &tt.result})
			_, c := f.call(t)
			if len(c.Images) != len(tt.want) {
				t.Fatalf("got %+v", c.Images)
			}
			for i, want := range tt.want {
				if c.Images[i] != want {
					t.Errorf("got %+v\nwant %+v", c.Images[i], want)
				}
			}
		})
	}
}

// TestStoredAttachmentsGetTheirBytes: the log has them once, before the prompts
// that they came with; the event itself stays as it is.
func TestStoredAttachmentsGetTheirBytes(t *testing.T) {
	t.Parallel()
	data, _ := drawn(t, "image/png")
	list := []session.Attachment{
		{Type: "file", Path: "a.txt"},
		{Type: "blob", MIMEType: "image/png", Extra: jsontext.Value(`{"assetId":"sha256:1","byteLength":3}`)},
	}
	f := newFeed().stored(
		session.SessionBinaryAsset{AssetID: "sha256:1", Type: "image", MIMEType: "image/png", Data: data},
		session.UserMessage{Content: "look", Attachments: list})
	p, ok := f.At(0).Body.(*timeline.Prompt)
	if !ok || len(p.Attachments) != 2 || p.Attachments[1].Data != data || p.Attachments[0].Data != "" {
		t.Fatalf("got %+v", f.At(0).Body)
	}
	if i, ok := timeline.AttachmentImage(p.Attachments[1]); !ok || i.Width != 3 {
		t.Errorf("got %+v", i)
	}
	if list[1].Data != "" {
		t.Error("the event was changed")
	}
}

// TestAnyBytesMayBeCalledAnImage: whatever a server sends, it has a size or
// none.
func TestAnyBytesMayBeCalledAnImage(t *testing.T) {
	t.Parallel()
	heads := []string{"", "\x89PNG\r\n\x1a\n", "\xff\xd8\xff\xe0", "GIF89a"}
	rapid.Check(t, func(rt *rapid.T) {
		raw := append([]byte(rapid.SampledFrom(heads).Draw(rt, "head")), rapid.SliceOf(rapid.Byte()).Draw(rt, "rest")...)
		data := base64.StdEncoding.EncodeToString(raw)
		i, ok := timeline.AttachmentImage(session.Attachment{Type: "blob", MIMEType: "image/png", Data: data})
		if !ok || i.Bytes != len(raw) || i.Width < 0 || i.Height < 0 {
			rt.Fatalf("got %+v of %d bytes", i, len(raw))
		}
		text := rapid.String().Draw(rt, "text")
		if i, ok := timeline.AttachmentImage(session.Attachment{Type: "blob", MIMEType: "image/png", Data: text}); !ok || i.Bytes < 0 {
			rt.Fatalf("got %+v", i)
		}
	})
}
