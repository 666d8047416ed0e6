package mcpfile

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"parley/history/secrets"
	"parley/settings"
	"parley/settings/environ"
)

// The scopes of a server: of the user in all folders, or of the folder's project.
const (
	User    = "user"
	Project = "project"
)

// Scopes are all of them.
var Scopes = []string{User, Project}

// Places are where the files are found.
type Places struct {
	Env  []string // of the agent
	Home string   // of the user; "" is none
	Dir  string   // of the session
}

// File is a file of servers as it was read; one that does not exist is empty.
type File struct {
	Scope, Path string
	Text        []byte
	Servers     []Server
	Err         error // why it cannot be read; it names the file
}

// open reads a file.
func open(scope, path string) File {
	f := File{Scope: scope, Path: path}
	if f.Text, f.Err = settings.ReadText(path); f.Err == nil {
		f.Servers, f.Err = Parse(f.Text)
		f.Err = f.At(f.Err)
	}
	return f
}

// At is an error about the file, with its path and the line.
func (f File) At(err error) error {
	if wrong := (*SyntaxError)(nil); errors.As(err, &wrong) {
		return &settings.MistakeError{Path: f.Path, Line: wrong.Line, What: wrong.What}
	}
	return err
}

// Server is the server of a name; not ok means that the file has none.
func (f File) Server(name string) (s Server, ok bool) {
	i := slices.IndexFunc(f.Servers, func(s Server) bool { return s.Name == name })
	if i < 0 {
		return Server{}, false
	}
	return f.Servers[i], true
}

// user is the path of the user's file.
func (p Places) user() (string, error) {
	if path := UserPath(p.Env, p.Home); path != "" {
		return path, nil
	}
	return "", errors.New("there is no folder for the agent's files; set " + environ.HomeVariable + " or COPILOT_HOME")
}

// Exists reports whether there is a file, a folder or a link.
func Exists(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}

// project are the paths of the files of the project.
func (p Places) project() (found []string, add string) {
	return ProjectPaths(p.Dir, Exists)
}

// Files reads the files of a scope, or of all if it is "", those that win over others first.
func (p Places) Files(scope string) ([]File, error) {
	var all []File
	if scope != User {
		found, _ := p.project()
		for _, path := range found {
			all = append(all, open(Project, path))
		}
	}
	if scope != Project {
		path, err := p.user()
		if err != nil {
			return nil, err
		}
		all = append(all, open(User, path))
	}
	return all, nil
}

// Target reads the file that a server of a scope is added to; "" is that of the user.
func (p Places) Target(scope string) (File, error) {
	if scope == Project {
		_, path := p.project()
		f := open(Project, path)
		return f, f.Err
	}
	path, err := p.user()
	if err != nil {
		return File{}, err
	}
	f := open(User, path)
	return f, f.Err
}

// Paths are those of the files that a server is added to; user is "" without a home.
func (p Places) Paths() (user, project string) {
	user, _ = p.user()
	_, project = p.project()
	return user, project
}

// ErrSeveral is why it is not known which server is meant: the user and the project have one
// of that name.
var ErrSeveral = errors.New("you have a server of that name, and so has the project")

// Find reads the file that has a server of a scope, "" being any, and returns both. The
// error is ErrNoServer, ErrSeveral, or why a file cannot be read that may have it.
func (p Places) Find(name, scope string) (File, Server, error) {
	files, err := p.Files(scope)
	if err != nil {
		return File{}, Server{}, err
	}
	var in []File
	var broken []error
	for _, f := range files {
		broken = append(broken, f.Err)
		if _, ok := f.Server(name); ok {
			in = append(in, f)
		}
	}
	switch err := errors.Join(broken...); {
	case len(in) == 0 && err != nil:
		return File{}, Server{}, err
	case len(in) == 0:
		return File{}, Server{}, ErrNoServer
	case in[0].Scope != in[len(in)-1].Scope:
		return File{}, Server{}, ErrSeveral
	}
	s, _ := in[0].Server(name)
	return in[0], s, nil
}

// Change is what becomes of a file.
type Change struct {
	File
	After []byte
}

// Add is the file with another server. The error is ErrServerExists if it has one of that
// name.
func (f File) Add(s Server) (Change, error) { return f.change(Add(f.Text, s)) }

// Remove is the file without a server.
func (f File) Remove(name string) (Change, error) { return f.change(Remove(f.Text, name)) }

// Removed says that a server was removed, and what of the file stays if it was the only one.
func (f File) Removed(name string) string {
	said := "Removed " + name + "."
	if len(f.Servers) == 1 {
		said += " The file stays, without servers."
	}
	return said
}

// Replace is the file with another value, a JSON object as Raw returns it, of a server. The
// line of an error is one of the value.
func (f File) Replace(name string, value []byte) (Change, error) {
	after, err := Replace(f.Text, name, value)
	return Change{f, after}, err
}

func (f File) change(after []byte, err error) (Change, error) { return Change{f, after}, f.At(err) }

// Empty reports whether nothing changes.
func (c Change) Empty() bool { return bytes.Equal(c.Text, c.After) }

// Shown is the file before and after the change, without secrets.
func (c Change) Shown() (before, after string, err error) {
	if before, err = Shown(c.Text, nil); err != nil {
		return "", "", err
	}
	after, err = Shown(c.After, c.Text)
	return before, after, err
}

// Write writes the change, unless the file was changed meanwhile.
func (c Change) Write(ctx context.Context) error {
	return settings.Rewrite(ctx, c.Path, func(now []byte) ([]byte, error) {
		if !bytes.Equal(now, c.Text) {
			return nil, fmt.Errorf("%s was changed meanwhile, so nothing was written", c.Path)
		}
		return c.After, nil
	})
}

// Shown is the text of a file to be shown, without secrets. before is that before a change,
// or nil.
func Shown(text, before []byte) (string, error) {
	shown, err := HideSecrets(text, before)
	return Redacted(string(shown)), err
}

// Redacted is a text without what looks like a secret.
func Redacted(s string) string {
	shown, err := secrets.Replace(s, func(string) string { return Hidden })
	if err != nil {
		return Hidden
	}
	return shown
}

// About is the command line of the server or its URL, without secrets.
func (s Server) About() string {
	if s.Remote() {
		return Redacted(s.URL)
	}
	return Redacted(strings.Join(append([]string{s.Command}, s.Args...), " "))
}
