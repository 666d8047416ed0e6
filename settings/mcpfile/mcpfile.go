// Package mcpfile reads and edits the files in which MCP servers are configured for
// the Copilot CLI: mcp-config.json of the user, .mcp.json and .github/mcp.json of a
// folder. An edit changes one server and keeps every other byte.
package mcpfile

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"path/filepath"
	"slices"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"parley/settings/environ"
)

// ProjectNames are the files of a folder, relative to it. If there are both, the agent
// reads the first only.
var ProjectNames = [...]string{".mcp.json", ".github/mcp.json"}

// UserPath is the file of the user; "" if neither COPILOT_HOME nor home is set.
func UserPath(env []string, home string) string {
	dir := environ.Get(env, "COPILOT_HOME")
	if dir == "" && home != "" {
		dir = filepath.Join(home, ".copilot")
	}
	if dir == "" {
		return ""
	}
	return filepath.Join(dir, "mcp-config.json")
}

// Folders lists dir and the folders above it, as far as the root of its Git repository.
// Outside of one it is dir alone. exists reports whether there is a file or a folder.
func Folders(dir string, exists func(path string) bool) []string {
	var folders []string
	for at := dir; ; at = filepath.Dir(at) {
		folders = append(folders, at)
		if exists(filepath.Join(at, ".git")) {
			return folders
		}
		if filepath.Dir(at) == at {
			return []string{dir}
		}
	}
}

// ProjectPaths returns the files that the agent reads in a folder, the nearest first, and
// the one that a server is added to. It looks in the Folders of dir.
func ProjectPaths(dir string, exists func(path string) bool) (found []string, add string) {
	folders := Folders(dir, exists)
	for _, folder := range folders {
		for _, name := range ProjectNames {
			if path := filepath.Join(folder, name); exists(path) {
				found = append(found, path)
				break
			}
		}
	}
	if len(found) > 0 {
		return found, found[0]
	}
	return nil, filepath.Join(folders[len(folders)-1], ProjectNames[0])
}

// Server is an MCP server: a program that the agent starts, or a URL.
type Server struct {
	Name    string            `json:"-"`
	Type    string            `json:"type,omitzero"` // local or stdio, http or sse; "" follows from the rest
	Command string            `json:"command,omitzero"`
	Args    []string          `json:"args,omitzero"`
	Dir     string            `json:"cwd,omitzero"`
	Env     map[string]string `json:"env,omitzero"`
	URL     string            `json:"url,omitzero"`
	Headers map[string]string `json:"headers,omitzero"`
	Tools   []string          `json:"tools,omitzero"`   // "*" is all; nil too
	Timeout float64           `json:"timeout,omitzero"` // milliseconds; 0 is the agent's own
	Err     error             `json:"-"`                // why the agent cannot use it; the rest may be missing then
}

// Remote reports whether the server is a URL.
func (s Server) Remote() bool { return s.Command == "" && s.URL != "" }

// Kind is the type of the server: as written, or what it is without.
func (s Server) Kind() string {
	if s.Remote() {
		return cmp.Or(s.Type, "http")
	}
	return cmp.Or(s.Type, "local")
}

// SyntaxError is a mistake in a file that makes all of it unreadable.
type SyntaxError struct {
	Line int // from 1
	What string
}

// Error implements error.
func (e *SyntaxError) Error() string { return fmt.Sprintf("line %d: %s", e.Line, e.What) }

// ErrNoServer is why a server is neither changed nor removed.
var ErrNoServer = errors.New("there is no such server")

// ErrServerExists is why a server is not added.
var ErrServerExists = errors.New("there is a server of that name already")

// Parse returns the servers of a file in its order; none of an empty one. The error is a
// *SyntaxError.
func Parse(text []byte) ([]Server, error) {
	d, err := locate(text)
	if err != nil {
		return nil, err
	}
	var all []Server
	line, from := 1, 0
	for _, m := range d.servers.members {
		line, from = line+bytes.Count(text[from:m.value], []byte("\n")), m.value
		all = append(all, parseServer(m.name, d.plain[m.value:m.end], line))
	}
	return all, nil
}

// parseServer reads the value of a server that begins on a line.
func parseServer(name string, raw []byte, line int) Server {
	s := Server{Name: name}
	err := json.Unmarshal(raw, &s)
	var wrong *json.SemanticError
	if errors.As(err, &wrong) {
		line += bytes.Count(raw[:min(len(raw), int(wrong.ByteOffset))], []byte("\n"))
		what := "the server"
		if wrong.JSONPointer != "" {
			what = string(wrong.JSONPointer[1:])
		}
		s.Err = &SyntaxError{line, what + " does not have the documented type"}
		return s
	}
	if err == nil {
		err = s.complete()
	}
	if err != nil {
		s.Err = &SyntaxError{line, err.Error()}
	}
	return s
}

// Raw returns the value of a server as the file has it, not indented further than its first
// line.
func Raw(text []byte, name string) ([]byte, error) {
	d, err := locate(text)
	if err != nil {
		return nil, err
	}
	i := d.servers.index(name)
	if i < 0 {
		return nil, ErrNoServer
	}
	value := text[d.servers.members[i].value:d.servers.members[i].end]
	return bytes.ReplaceAll(value, []byte("\n"+margin(value)), []byte("\n")), nil
}

// Add returns a text with another server behind those that it has.
func Add(text []byte, s Server) ([]byte, error) {
	if err := s.Check(); err != nil {
		return nil, err
	}
	d, err := locate(text)
	switch {
	case err != nil:
		return nil, err
	case d.servers.index(s.Name) >= 0:
		return nil, ErrServerExists
	}
	value, err := json.Marshal(s, json.Deterministic(true))
	if err != nil {
		return nil, err
	}
	name, err := jsontext.AppendQuote(nil, s.Name)
	if err != nil {
		return nil, err
	}
	unit := d.root.indentUnit(text)
	switch {
	case d.root.close == 0:
		return insert(nil, 0, "{\n  \"mcpServers\": {\n    "+string(name)+": "+indented(value, "    ", "  ")+"\n  }\n}\n"), nil
	case d.servers.close == 0: // no server yet
		inside := "\n" + unit + unit + string(name) + ": " + indented(value, unit+unit, unit) + "\n" + unit
		return d.add(d.root, `"mcpServers": {`+inside+"}", "", unit), nil
	}
	before := d.servers.indent(text, unit)
	return d.add(d.servers, string(name)+": "+indented(value, before+unit, unit), before, unit), nil
}

// Replace returns a text with another value, a JSON object as Raw returns it, of a server.
func Replace(text []byte, name string, value []byte) ([]byte, error) {
	d, err := locate(text)
	if err != nil {
		return nil, err
	}
	i := d.servers.index(name)
	if i < 0 {
		return nil, ErrNoServer
	}
	value = bytes.TrimSpace(value)
	plain, err := standardize(value)
	if err != nil {
		return nil, err
	}
	switch o, err := members(plain, 0); {
	case err != nil:
		return nil, err
	case o.close != len(value)-1:
		return nil, &SyntaxError{lineOf(value, o.close), "there is more after the object"}
	}
	s := parseServer(name, plain, 1)
	if s.Err == nil {
		s.Err = s.checkValues()
	}
	if s.Err != nil {
		return nil, s.Err
	}
	at := d.servers.members[i]
	value = bytes.ReplaceAll(value, []byte("\n"), []byte("\n"+margin(text[at.value:at.end])))
	return slices.Concat(text[:at.value], value, text[at.end:]), nil
}

// Remove returns a text without a server.
func Remove(text []byte, name string) ([]byte, error) {
	d, err := locate(text)
	if err != nil {
		return nil, err
	}
	i := d.servers.index(name)
	if i < 0 {
		return nil, ErrNoServer
	}
	return d.remove(d.servers, i), nil
}
