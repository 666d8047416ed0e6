package acp

import (
	"cmp"
	"fmt"
	"path/filepath"
	"strings"

	"parley/session"
)

// sendable reports why an agent cannot take a prompt; nil if it can, as far as that is known.
func (s *Session) sendable(in session.Input) error {
	s.Mu.Lock()
	l := s.link
	s.Mu.Unlock()
	if l == nil || l.info.Capabilities.Prompt.Image {
		return nil
	}
	for _, a := range in.Attachments {
		if strings.HasPrefix(a.MIMEType, "image/") {
			return fmt.Errorf("%s takes no images", l.name())
		}
	}
	return nil
}

// blocks are a prompt as the agent takes it: files by their address, which it reads itself, images
// as they are, and all else as text, since some agents leave out what is embedded.
func (s *Session) blocks(in session.Input) []contentBlock {
	var out []contentBlock
	if in.Prompt != "" || len(in.Attachments) == 0 {
		out = append(out, contentBlock{Type: "text", Text: in.Prompt})
	}
	for _, a := range in.Attachments {
		out = append(out, s.block(a))
	}
	return out
}

func (s *Session) block(a session.Attachment) contentBlock {
	path := cmp.Or(a.Path, a.FilePath)
	if path != "" && !filepath.IsAbs(path) {
		path = filepath.Join(s.About.Dir, path)
	}
	uri := session.FileURL(path)
	switch {
	case strings.HasPrefix(a.MIMEType, "image/") && a.Data != "":
		return contentBlock{Type: "image", MIMEType: a.MIMEType, Data: a.Data}
	case a.Text != "":
		where := path
		if r, ok := a.Lines(); ok {
			where += fmt.Sprintf(", lines %d to %d", r.Start, r.End)
		}
		return contentBlock{Type: "text", Text: "From " + where + ":\n\n" + a.Text}
	case path != "":
		return contentBlock{Type: "resource_link", URI: uri.String(), Name: filepath.Base(path)}
	}
	return contentBlock{Type: "text", Text: strings.TrimSpace(a.Reference() + " " + a.URL)}
}

// kind is what an error is about, as session.error has it.
func (e *callError) kind() string {
	if e.code == codeAuthRequired {
		return "authentication"
	}
	return "query"
}
