package mcpfile

import (
	"errors"
	"fmt"
	"maps"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// validName is what a server may be called that is added: its name becomes part of
// those of its tools.
var validName = regexp.MustCompile(`^[A-Za-z0-9_][A-Za-z0-9_.-]{0,63}$`)

// Check reports why a server cannot be added; nil if it can.
func (s Server) Check() error {
	if !validName.MatchString(s.Name) {
		return fmt.Errorf("%q is no name for a server: up to 64 letters, digits, dots, - and _, not first a dot or -", s.Name)
	}
	if err := s.complete(); err != nil {
		return err
	}
	return s.checkValues()
}

// complete reports what is missing or contradicts itself.
func (s Server) complete() error {
	local := s.Type == "local" || s.Type == "stdio"
	switch {
	case s.Type != "" && !local && s.Type != "http" && s.Type != "sse":
		return fmt.Errorf("the type is local, stdio, http or sse, not %q", s.Type)
	case s.Command == "" && s.URL == "":
		return errors.New("it has neither a command nor a url")
	case s.Command != "" && s.URL != "":
		return errors.New("it has both a command and a url")
	case local && s.Command == "", !local && s.Type != "" && s.URL == "":
		return fmt.Errorf("a server of type %s needs a %s", s.Type, map[bool]string{true: "command", false: "url"}[local])
	}
	return nil
}

// checkValues reports a value that no server can have.
func (s Server) checkValues() error {
	for _, text := range slices.Concat([]string{s.Command, s.Dir, s.URL}, s.Args, s.Tools) {
		if strings.ContainsRune(text, 0) || !utf8.ValidString(text) {
			return fmt.Errorf("%q is no text", text)
		}
	}
	for name, value := range maps.All(s.Env) {
		if name == "" || strings.ContainsAny(name, "=\x00") || strings.ContainsRune(value, 0) || !utf8.ValidString(name+value) {
			return fmt.Errorf("%q is no environment variable", name)
		}
	}
	for name, value := range maps.All(s.Headers) {
		if !validHeader.MatchString(name) || strings.ContainsFunc(value, unicode.IsControl) || !utf8.ValidString(value) {
			return fmt.Errorf("%q is no header", name)
		}
	}
	if s.URL == "" {
		return nil
	}
	u, err := url.Parse(s.URL)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" {
		return fmt.Errorf("%q is no URL that begins with https:// or http://", s.URL)
	}
	return nil
}

// validHeader is the name of a header (RFC 9110).
var validHeader = regexp.MustCompile("^[!#$%&'*+.^_`|~0-9A-Za-z-]+$")
