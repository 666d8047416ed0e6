package composer

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"strings"

	"parley/history/drafts"
	"parley/session"
	"parley/tui/files"
)

// imageChip makes a chip of an image that was read from the clipboard. Its name
// is the first of image-1.png, image-2.png, ... that no chip of the draft has.
func imageChip(data []byte, d drafts.Draft) (drafts.Chip, error) {
	if len(data) > files.MaxImage {
		return drafts.Chip{}, files.ErrImageTooLarge
	}
	mime, width, height, err := files.ImageSize(bytes.NewReader(data))
	if err != nil {
		return drafts.Chip{}, fmt.Errorf("attach the image: %w", err)
	}
	taken := map[string]bool{}
	for _, a := range d.Attachments() {
		name, _, _ := strings.Cut(a.DisplayName, ".")
		taken[name] = true
	}
	n := 1
	for taken[fmt.Sprintf("image-%d", n)] {
		n++
	}
	detail := chipDetail(files.Description{Kind: files.Image, Size: int64(len(data)), Width: width, Height: height})
	return drafts.Chip{Detail: detail, Attachment: &session.Attachment{
		Type: "blob", DisplayName: fmt.Sprintf("image-%d.%s", n, strings.TrimPrefix(mime, "image/")),
		Data: base64.StdEncoding.EncodeToString(data), MIMEType: mime,
	}}, nil
}
