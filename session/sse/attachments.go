package sse

import (
	"bytes"
	"cmp"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"

	"parley/session"
)

// mostAttached is how large a file may be that is sent along.
const mostAttached = 5 << 20

// attach puts the files of a prompt into it: the agent cannot read them where
// they are, and what it was sent once it is sent again. Folders are only named.
func (s *Session) attach(in session.Input) (session.Input, error) {
	in.Attachments = slices.Clone(in.Attachments)
	for i, a := range in.Attachments {
		if a.Type != "file" || a.Data != "" {
			continue
		}
		path := a.Path
		if !filepath.IsAbs(path) {
			path = filepath.Join(s.About.Dir, path)
		}
		content, err := readFile(path)
		if err != nil {
			return in, fmt.Errorf("attach %s: %w", a.Path, err)
		}
		if a.LineRange != nil {
			content = lines(content, *a.LineRange)
		}
		a.DisplayName = cmp.Or(a.DisplayName, a.Path)
		a.MIMEType, a.Data = kindOfFile(path, content), base64.StdEncoding.EncodeToString(content)
		in.Attachments[i] = a
	}
	return in, nil
}

// readFile reads a regular file that is not too large.
func readFile(path string) (content []byte, err error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, why(err)
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	info, err := f.Stat()
	switch {
	case err != nil:
		return nil, why(err)
	case !info.Mode().IsRegular():
		return nil, errors.New("it is no regular file")
	}
	content, err = io.ReadAll(io.LimitReader(f, mostAttached+1))
	if err == nil && len(content) > mostAttached {
		err = fmt.Errorf("it is larger than %d MB", mostAttached>>20)
	}
	return content, err
}

// why is an error of a file without its name, which stands before it.
func why(err error) error {
	if file, ok := errors.AsType[*os.PathError](err); ok {
		return file.Err
	}
	return err
}

// kindOfFile is the type of a file's content. All text is text/plain or another
// text, so that it is sent as one.
func kindOfFile(path string, content []byte) string {
	kind := http.DetectContentType(content)
	switch {
	case strings.HasPrefix(kind, "image/"):
		return kind
	case utf8.Valid(content) && bytes.IndexByte(content, 0) < 0:
		return "text/plain"
	}
	if named, _, err := mime.ParseMediaType(mime.TypeByExtension(filepath.Ext(path))); err == nil && !strings.HasPrefix(named, "text/") {
		return named
	}
	return "application/octet-stream"
}

// lines are some lines of a text.
func lines(content []byte, r session.LineRange) []byte {
	all := bytes.SplitAfter(content, []byte("\n"))
	from, to := min(max(r.Start-1, 0), len(all)), min(max(r.End, 0), len(all))
	return bytes.Join(all[from:max(from, to)], nil)
}
