package export

import (
	"cmp"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"parley/session"
	"parley/timeline"
	"parley/tui/files"
)

// Saved is what SaveFiles wrote.
type Saved struct {
	Names []string
	Err   error // about those that could not be written
}

// SaveFiles writes each of some parts to a file of its own in a folder. It blocks.
func SaveFiles(dir string, parts []timeline.Block) Saved {
	var s Saved
	for _, p := range parts {
		name, err := save(dir, fileName(p), p.Data)
		if err != nil {
			s.Err = errors.Join(s.Err, err)
			continue
		}
		s.Names = append(s.Names, name)
	}
	return s
}

// mostNames bounds how many names are tried for a file.
const mostNames = 1000

// save writes bytes, given in base64, to a file of a folder, and returns its name:
// the one asked for, or one with a number if there is such a file.
func save(dir, name, data string) (string, error) {
	file, err := makeFree(filepath.Join(dir, name), func(w io.Writer) error {
		_, err := io.Copy(w, base64.NewDecoder(base64.StdEncoding, strings.NewReader(data)))
		return err
	})
	return filepath.Base(file), err
}

// makeFree writes a new file, and returns its path: the one asked for, or one with a
// number if there is such a file.
func makeFree(file string, write func(io.Writer) error) (string, error) {
	ext := filepath.Ext(file)
	free := file
	for n := 2; ; n++ {
		err := files.Make(free, write)
		if !errors.Is(err, fs.ErrExist) || n > mostNames {
			return free, err //nolint:wrapcheck // it says what was attempted
		}
		free = fmt.Sprintf("%s-%d%s", strings.TrimSuffix(file, ext), n, ext)
	}
}

// extensions are those of the types that results come with. What else comes is
// saved as .bin: a file must not do more than its type says.
var extensions = map[string]string{
	"image/png": ".png", "image/jpeg": ".jpg", "image/gif": ".gif", "image/webp": ".webp", "image/bmp": ".bmp", "image/svg+xml": ".svg",
	"audio/wav": ".wav", "audio/x-wav": ".wav", "audio/wave": ".wav", "audio/mpeg": ".mp3", "audio/mp3": ".mp3", "audio/ogg": ".ogg",
	"audio/flac": ".flac", "audio/aac": ".aac", "audio/mp4": ".m4a", "audio/webm": ".weba", "video/mp4": ".mp4", "video/webm": ".webm",
	"application/pdf": ".pdf", "application/json": ".json", "application/zip": ".zip", "text/plain": ".txt", "text/csv": ".csv",
}

// fileName names a file after what a part is called, else after what it is: no
// name leads elsewhere, hides the file or gives it another type.
func fileName(p timeline.Block) string {
	mime, _, _ := strings.Cut(p.MIMEType, ";")
	mime = strings.ToLower(strings.TrimSpace(mime))
	ext := cmp.Or(extensions[mime], ".bin")
	name := path.Base(strings.ReplaceAll(cmp.Or(p.Name, p.URI), `\`, "/"))
	name = strings.TrimSuffix(name, path.Ext(name))
	name = strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '_' {
			return r
		}
		return '-'
	}, name)
	name = strings.Trim(name, "-")
	kind, _, _ := strings.Cut(mime, "/")
	if !slices.Contains([]string{"image", "audio", "video"}, kind) {
		kind = "document"
	}
	const most = 60
	name = cmp.Or(name[:min(len(name), most)], kind) + ext
	if !filepath.IsLocal(name) { // a device of Windows, whatever its ending
		name = kind + "-" + name
	}
	return name
}

// HasFiles reports whether a block holds something for SaveFiles. It looks at no
// image.
func HasFiles(e *timeline.Entry) bool {
	if m, ok := e.Body.(*timeline.Message); ok {
		return slices.ContainsFunc(m.Attachments, func(a session.Attachment) bool { return a.Data != "" })
	}
	c, ok := e.Body.(*timeline.ToolCall)
	return ok && (slices.ContainsFunc(c.Images, func(i timeline.Image) bool { return i.Data != "" }) ||
		slices.ContainsFunc(c.Blocks, func(b timeline.Block) bool { return b.Data != "" }))
}
