package sessions

import (
	"bytes"
	"os"
	"strings"
	"time"

	"github.com/go-json-experiment/json"
	"go.yaml.in/yaml/v3"
)

const (
	workspaceFile = "workspace.yaml"
	maxWorkspace  = 64 << 10
)

// workspace is workspace.yaml (protocol note, section 9), also as a Keeper writes
// it.
type workspace struct {
	Dir        string `yaml:"cwd"`
	Root       string `yaml:"git_root"`
	Repository string `yaml:"repository"`
	Branch     string `yaml:"branch"`
	Client     string `yaml:"client_name"`
	Agent      string `yaml:"agent"` // of a Keeper
	Name       string `yaml:"name"`
	Named      bool   `yaml:"user_named"`
	Created    string `yaml:"created_at"`

	modified time.Time
	size     int64
}

// workspace reads workspace.yaml when it has changed since. What is damaged in it
// is empty.
func (f *Folder) workspace(id, path string) workspace {
	info, err := os.Lstat(path)
	if err != nil || info.Size() > maxWorkspace {
		return workspace{}
	}
	f.mu.Lock()
	was, ok := f.known[id]
	f.mu.Unlock()
	if ok && was.modified.Equal(info.ModTime()) && was.size == info.Size() {
		return was
	}
	w := workspace{modified: info.ModTime(), size: info.Size()}
	raw, err := os.ReadFile(path)
	if err != nil {
		return workspace{}
	}
	w.read(raw)
	f.mu.Lock()
	f.known[id] = w
	f.mu.Unlock()
	return w
}

// fill sets what the file says of a session.
func (w workspace) fill(l *Log) {
	l.Dir, l.Root, l.Repository, l.Branch, l.Client = w.Dir, w.Root, w.Repository, w.Branch, w.Client
	l.Name, l.Named = w.Name, w.Named
	if l.Keeper == KeptByParley {
		l.Agent = w.Agent
	}
	l.Created, _ = time.Parse(time.RFC3339, w.Created)
}

// read takes what a file says; what is damaged in it stays empty.
func (w *workspace) read(raw []byte) {
	if !w.readFlat(raw) {
		w.readYAML(raw)
	}
}

func (w *workspace) readYAML(raw []byte) {
	_ = yaml.Unmarshal(raw, w) // as far as it goes
}

// readFlat reads what most files are: a line for each value, which means itself or
// is a string as JSON has it, and nothing that needs more of YAML than that. Of thousands of files the library would take most
// of the time that a listing may take. It reports whether that was all.
func (w *workspace) readFlat(raw []byte) bool {
	read := *w
	fields := map[string]*string{
		"cwd": &read.Dir, "git_root": &read.Root, "repository": &read.Repository, "branch": &read.Branch,
		"client_name": &read.Client, "name": &read.Name, "agent": &read.Agent, "created_at": &read.Created,
	}
	for line := range bytes.Lines(raw) {
		key, value, ok := strings.Cut(strings.TrimSuffix(string(line), "\n"), ": ")
		if !ok || !flat(key) {
			return false
		}
		if quoted := strings.HasPrefix(value, `"`); quoted && json.Unmarshal([]byte(value), &value) != nil || !quoted && !flat(value) {
			return false
		}
		if key == "user_named" {
			if read.Named = value == "true"; !read.Named && value != "false" {
				return false
			}
		}
		if field := fields[key]; field != nil {
			*field = value
		}
	}
	*w = read
	return true
}

// flat reports whether a text is a scalar of YAML that means itself.
func flat(s string) bool {
	switch s {
	case "", "~", "null", "Null", "NULL":
		return false
	}
	if first := s[0]; first != '/' && (first < '0' || first > '9') && (first < 'a' || first > 'z') && (first < 'A' || first > 'Z') {
		return false
	}
	for i := range len(s) {
		if s[i] < ' ' || s[i] > '~' || s[i] == ':' && (i+1 == len(s) || s[i+1] == ' ') || s[i] == '#' && s[i-1] == ' ' {
			return false
		}
	}
	return s[len(s)-1] != ' '
}
