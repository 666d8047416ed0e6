package tui

import (
	"cmp"
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"path/filepath"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"parley/render/text"
	"parley/session"
	"parley/timeline"
	"parley/tui/files"
	"parley/tui/widget"
)

// saveBlock writes the pictures, sounds and documents of a block to files in the
// folder of the session. No file that is there is changed.
func (c *navigator) saveBlock(e *timeline.Entry) tea.Cmd {
	parts := timeline.Files(e)
	if len(parts) == 0 {
		c.tell("There is no picture, sound or document in it to save.")
		return nil
	}
	dir := c.absolute(".")
	return ask(c.core, "save "+text.Count(len(parts), "file"), func(context.Context) (savedFiles, error) {
		return saveAll(dir, parts), nil
	}, func(s savedFiles) tea.Cmd {
		if len(s.names) > 0 {
			where := widget.ShortPath(dir, c.config.Home)
			c.say(session.SessionInfo{Message: fmt.Sprintf("Saved to %s: %s", where, strings.Join(s.names, ", "))})
		}
		if s.err != nil {
			c.fail("save "+text.Count(len(parts)-len(s.names), "file"), s.err, "")
		}
		c.toEnd()
		return nil
	})
}

// savedFiles is what saveAll wrote.
type savedFiles struct {
	names []string
	err   error // about those that could not be written
}

// saveAll writes each of some parts to a file of its own in a folder. It blocks.
func saveAll(dir string, parts []timeline.Block) savedFiles {
	var s savedFiles
	for _, p := range parts {
		name, err := save(dir, partName(p), p.Data)
		if err != nil {
			s.err = errors.Join(s.err, err)
			continue
		}
		s.names = append(s.names, name)
	}
	return s
}

// mostNames bounds how many names are tried for a file.
const mostNames = 1000

// save writes bytes, given in base64, to a file of a folder, and returns its name:
// the one asked for, or one with a number where there is such a file.
func save(dir, name, data string) (string, error) {
	ext := path.Ext(name)
	free := name
	for n := 2; ; n++ {
		err := files.Make(filepath.Join(dir, free), func(w io.Writer) error {
			_, err := io.Copy(w, base64.NewDecoder(base64.StdEncoding, strings.NewReader(data)))
			return err
		})
		if !errors.Is(err, fs.ErrExist) || n > mostNames {
			return free, err
		}
		free = fmt.Sprintf("%s-%d%s", strings.TrimSuffix(name, ext), n, ext)
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

// partName names a file after what a part is called, else after what it is: no
// name leads elsewhere, hides the file or gives it another type.
func partName(p timeline.Block) string {
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
	return cmp.Or(name[:min(len(name), most)], kind) + ext
}

// savable reports whether a block holds something for saveBlock. It looks at no
// picture.
func savable(e *timeline.Entry) bool {
	c, ok := e.Body.(*timeline.ToolCall)
	return ok && (slices.ContainsFunc(c.Images, func(i timeline.Image) bool { return i.Data != "" }) ||
		slices.ContainsFunc(c.Blocks, func(b timeline.Block) bool { return b.Data != "" }))
}
