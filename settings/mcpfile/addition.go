package mcpfile

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"parley/settings/environ"
)

// Transports are what the transport of an Addition can be.
var Transports = []string{"stdio", "http", "sse"}

// Addition is a server that is to be added, as a user writes it.
type Addition struct {
	Name      string
	Words     []string // a command with its arguments, or a URL
	URL       string   // in place of the words
	Transport string   // one of Transports; "" follows from the rest
	Env       []string // of a command: a name and a value with = between
	Headers   []string // of a URL: a name and a value with : between
	Tools     []string // that the agent may use; "*" is all
}

// ErrNoCommand is that it is not said what the server is.
var ErrNoCommand = errors.New("a server has a command or a URL")

// Words are those of a command line, as a shell splits it; nothing is expanded.
func Words(line string) ([]string, error) { return environ.ShellWords(line) }

// Remote reports whether the addition is a URL.
func (a Addition) Remote() bool { return a.URL != "" || len(a.Words) == 1 && isURL(a.Words[0]) }

// isURL reports whether a word of an addition is meant as a URL.
func isURL(word string) bool {
	return strings.HasPrefix(word, "https://") || strings.HasPrefix(word, "http://")
}

// Server is the server. An error has nothing of what may be secret.
func (a Addition) Server() (Server, error) {
	s, words := Server{Name: a.Name, Type: a.Transport, URL: a.URL, Tools: a.Tools}, a.Words
	if len(words) == 1 && s.URL == "" && isURL(words[0]) {
		s.URL, words = words[0], nil
	}
	if len(words) > 0 {
		s.Command, s.Args = words[0], words[1:]
	}
	switch {
	case s.Type != "" && !slices.Contains(Transports, s.Type):
		return s, fmt.Errorf("the transport is one of %s, not %q", strings.Join(Transports, ", "), s.Type)
	case s.Command == "" && s.URL == "":
		return s, ErrNoCommand
	case s.Command != "" && s.URL != "":
		return s, errors.New("a server has a command or a URL, not both")
	case s.Command != "" && len(a.Headers) > 0:
		return s, errors.New("headers are for a URL; a command takes environment variables")
	case s.URL != "" && len(a.Env) > 0:
		return s, errors.New("environment variables are for a command; a URL takes headers")
	}
	if s.Type == "" || s.Type == "stdio" {
		s.Type = Server{Command: s.Command, URL: s.URL}.Kind()
	}
	var err error
	if s.Env, err = pairs("an environment variable", a.Env, "="); err != nil {
		return s, err
	}
	if s.Headers, err = pairs("a header", a.Headers, ":"); err != nil {
		return s, err
	}
	return s, s.Check()
}

// pairs are names and values with a sign between. An error does not repeat them, as they
// may be secrets.
func pairs(what string, given []string, sign string) (map[string]string, error) {
	if len(given) == 0 {
		return nil, nil
	}
	all := map[string]string{}
	for _, pair := range given {
		name, value, ok := strings.Cut(pair, sign)
		if name = strings.TrimSpace(name); !ok || name == "" {
			return nil, fmt.Errorf("%s is a name and a value with %q between", what, sign)
		}
		if sign == ":" {
			value = strings.TrimSpace(value)
		}
		all[name] = value
	}
	return all, nil
}
