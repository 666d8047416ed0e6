package composer

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"net/url"
	"path/filepath"
	"slices"
	"strings"

	"parley/history/drafts"
	"parley/history/mentions"
	"parley/render/text"
	"parley/session"
	"parley/settings/environ"
	"parley/tui/files"
)

const (
	// maxAttachments is how many things go with a prompt.
	maxAttachments = 100
	// maxLooked is how many mentions of a prompt are looked up on the disk.
	maxLooked = 1000
)

// attachments is everything that goes with a draft: its chips, and then what else
// its text mentions and what is there: files and folders, absolute, each once. What is
// not there is only text. dir is the working folder, home the user's own ("" if it
// is not known), and stat says whether something is there and whether it is a folder. It may
// block, so this is for a job.
func attachments(d drafts.Draft, dir, home string, stat func(path string) (folder, ok bool)) []session.Attachment {
	out, all := d.Attachments(), mentions.Find(d.Text)
	seen := map[string]bool{}
	for _, a := range out {
		seen[attachmentKey(a)] = true
	}
	for _, m := range all[:min(len(all), maxLooked)] {
		path, ok := files.Absolute(m.Path, dir, home)
		if !ok || len(out) >= maxAttachments {
			continue
		}
		folder, ok := stat(path)
		if !ok || !folder && strings.HasSuffix(m.Path, "/") {
			continue
		}
		a := session.Attachment{Type: "file", Path: path, DisplayName: m.Path, LineRange: m.Lines}
		if folder {
			a.Type, a.LineRange = "directory", nil
		}
		if key := attachmentKey(a); !seen[key] {
			seen[key] = true
			out = append(out, a)
		}
	}
	return out
}

// attachmentKey is the same for two attachments of the same lines of a file.
func attachmentKey(a session.Attachment) string {
	if a.LineRange == nil {
		return a.Path
	}
	return fmt.Sprintf("%s:%d-%d", a.Path, a.LineRange.Start, a.LineRange.End)
}

// maxPastedPaths is how long a paste of paths may be, in bytes.
const maxPastedPaths = 64 << 10

// pastedPaths returns the paths that a paste consists of, as when files are
// dropped on the terminal; nil if any of it is something else. Paths are
// absolute, of a drive or not, or start with "~/"; they may be quoted as for a shell, file
// addresses, or plain lines. Whether they are there is not known yet.
func pastedPaths(text string) []string {
	if len(text) > maxPastedPaths {
		return nil
	}
	if words, err := environ.ShellWords(text); err == nil {
		if paths := pathsOf(words); paths != nil {
			return paths
		}
	}
	return pathsOf(strings.FieldsFunc(strings.TrimSpace(text), func(r rune) bool { return r == '\n' || r == '\r' }))
}

// pathsOf makes paths of words; nil unless all of them are.
func pathsOf(words []string) []string {
	if len(words) == 0 || len(words) > maxAttachments {
		return nil
	}
	paths := make([]string, len(words))
	for i, word := range words {
		path, ok := pathOf(word)
		if !ok {
			return nil
		}
		paths[i] = path
	}
	return paths
}

// pathOf is the path that a word is, or that it is a file address of.
func pathOf(word string) (string, bool) {
	const scheme = "file://"
	path := word
	if n := len(scheme); len(word) >= n && strings.EqualFold(word[:n], scheme) {
		host, slash, ok := strings.Cut(word[n:], "/")
		if !ok || host != "" && host != "localhost" {
			return "", false
		}
		decoded, err := url.PathUnescape("/" + slash)
		if err != nil {
			return "", false
		}
		path = decoded
		if filepath.VolumeName(path[1:]) != "" { // before a drive the slash is the address's
			path = path[1:]
		}
	}
	slashed := filepath.ToSlash(path)
	if strings.ContainsRune(path, 0) || len(strings.Trim(strings.TrimPrefix(slashed, filepath.VolumeName(path)), "~/.")) == 0 {
		return "", false
	}
	return path, strings.HasPrefix(slashed, "/") || strings.HasPrefix(slashed, "~/") || filepath.IsAbs(path)
}

// chipFor is the chip of a file, folder or image that was pasted.
func chipFor(d files.Description) drafts.Chip {
	name := filepath.Base(d.Path)
	a := session.Attachment{Type: "file", Path: d.Path, DisplayName: name}
	if d.Kind == files.Folder {
		a.Type, a.DisplayName = "directory", strings.TrimSuffix(filepath.ToSlash(name), "/")+"/"
	}
	return drafts.Chip{Attachment: &a, Detail: chipDetail(d), Width: d.Width, Height: d.Height}
}

// chipDetail returns what is known of a file apart from its name: "800x600, 120 kB"
// of an image, the size of another; "" of a folder.
func chipDetail(d files.Description) string {
	switch d.Kind {
	case files.Folder:
		return ""
	case files.Image:
		return fmt.Sprintf("%dx%d, %s", d.Width, d.Height, text.Size(int(d.Size)))
	case files.File:
	}
	return text.Size(int(d.Size))
}

// Images returns the chips of images in the draft, in their order.
func (c *Composer) Images() []drafts.Chip {
	if v := c.Version(); c.imagesOf != v {
		c.imagesOf = v
		c.images = slices.DeleteFunc(c.Draft().Chips, func(chip drafts.Chip) bool { return chip.Attachment == nil || chip.Width == 0 })
	}
	return c.images
}

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
	return drafts.Chip{Detail: detail, Width: width, Height: height, Attachment: &session.Attachment{
		Type: "blob", DisplayName: fmt.Sprintf("image-%d.%s", n, strings.TrimPrefix(mime, "image/")),
		Data: base64.StdEncoding.EncodeToString(data), MIMEType: mime,
	}}, nil
}
