package modelview

import (
	"cmp"
	"encoding/base64"
	"fmt"
	"slices"
	"strings"

	"github.com/go-json-experiment/json"

	"parley/session"
)

// prompt is a prompt with what came along with it, as the model gets it. The
// runtime reports how it was put to the model; if an agent does not, what the
// user wrote is put so.
func (s *storedContent) prompt(b session.UserMessage) []Part {
	content := cmp.Or(b.TransformedContent, selections(b.Attachments)+b.Content)
	var tagged, referred, blocks []string
	var parts []Part
	for _, a := range b.Attachments {
		a.Data = s.bytes(a)
		switch {
		case a.Data != "" && isText(a.MIMEType):
			file := a
			parts = append(parts, Part{Text: embeddedText(a), File: &file})
		case a.Data != "" && (isImage(a.MIMEType) || slices.Contains(b.SupportedNativeDocumentMIMETypes, a.MIMEType)):
			parts = append(parts, Part{Text: imageLabel(a), Blob: &Blob{a.Data, a.MIMEType}})
		case a.Data != "":
			parts = append(parts, Part{Text: a.DisplayName}) // the model cannot read such documents
		case a.Type == "file" || a.Type == "directory":
			tagged = append(tagged, taggedFile(a))
		case a.Type == "github_reference" && reference(a) != "":
			referred = append(referred, reference(a))
		}
	}
	if len(tagged) > 0 {
		blocks = append(blocks, "<tagged_files>\n"+strings.Join(tagged, "\n")+"\n</tagged_files>")
	}
	if len(referred) > 0 {
		blocks = append(blocks, "<github_references>\n"+strings.Join(referred, "\n")+"\n</github_references>")
	}
	if len(blocks) > 0 {
		content += "\n\n\n\n" + strings.Join(blocks, "\n\n")
	}
	return append(text(content), parts...)
}

// reference is the line by which the model learns of an issue, a pull request or a
// discussion, without what is not known of it.
func reference(a session.Attachment) string {
	line := a.Title
	if a.Number > 0 {
		line = fmt.Sprintf("#%d - %s", a.Number, a.Title)
	}
	for _, fact := range []struct{ open, text, end string }{{" [", a.ReferenceType, "]"}, {" [", a.State, "]"}, {" (", a.URL, ")"}} {
		if fact.text != "" {
			line += fact.open + fact.text + fact.end
		}
	}
	return strings.TrimSpace(line)
}

// bytes is what an attachment brought along, base64. Stored logs say it apart.
func (s *storedContent) bytes(a session.Attachment) string {
	var elsewhere struct {
		AssetID string `json:"assetId"`
	}
	if a.Data != "" || json.Unmarshal(a.Extra, &elsewhere) != nil {
		return a.Data
	}
	return s.assets[elsewhere.AssetID]
}

// taggedFile is the line by which the model learns of a file or folder.
func taggedFile(a session.Attachment) string {
	switch {
	case a.TaggedFilesEntry != "":
		return a.TaggedFilesEntry
	case a.LineRange != nil:
		return fmt.Sprintf("* %s (lines %d-%d)", a.Path, a.LineRange.Start, a.LineRange.End)
	}
	return "* " + a.Path
}

// imageLabel is the text before an image.
func imageLabel(a session.Attachment) string {
	if a.Type == "file" {
		return "Image file at path " + a.Path
	}
	return cmp.Or(a.DisplayName, "Attached image")
}

func isText(mimeType string) bool  { return strings.HasPrefix(mimeType, "text/") }
func isImage(mimeType string) bool { return strings.HasPrefix(mimeType, "image/") }

// embeddedText is a text that came along, written into the prompt.
func embeddedText(a session.Attachment) string {
	content, err := base64.StdEncoding.DecodeString(a.Data)
	if err != nil {
		content = []byte(a.Data)
	}
	return fmt.Sprintf("<attachment mimeType=%q name=%q>\n%s\n</attachment>", a.MIMEType, a.DisplayName, content)
}

// selections is what the user has selected, before what they wrote.
func selections(all []session.Attachment) string {
	var b strings.Builder
	for _, a := range all {
		if a.Type == "selection" {
			fmt.Fprintf(&b, "<ide_selection>\nThe user has the following text selected in their IDE. "+
				"This may or may not be related to their request.\nFile: %s%s\n```\n%s\n```\n</ide_selection>\n\n",
				cmp.Or(a.DisplayName, a.FilePath), selectedLines(a), a.Text)
		}
	}
	return b.String()
}

// selectedLines says which lines of a file a selection is.
func selectedLines(a session.Attachment) string {
	switch r, ok := a.Lines(); {
	case !ok:
		return ""
	case r.End > r.Start:
		return fmt.Sprintf(" (lines %d-%d)", r.Start, r.End)
	default:
		return fmt.Sprintf(" (line %d)", r.Start)
	}
}
