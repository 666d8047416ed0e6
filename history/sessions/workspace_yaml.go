package sessions

import (
	"bytes"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/go-json-experiment/json"
	"go.yaml.in/yaml/v3"
)

const (
	workspaceFile = "workspace.yaml"
	maxWorkspace  = 64 << 10
)

// workspace is workspace.yaml (docs/protocol.md, section 9), also as a Keeper writes
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

	created time.Time
	stamp   stamp // of the file, if it shows whether the file is still the same
}

// settled is how long a file must be as it is, before its stamp shows that: it may
// be written again before the clock of the file system goes on.
const settled = 2 * time.Second

// recall implements recaller.
func (f *Folder) recall(logs []Log) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, l := range logs {
		if _, read := f.known[string(l.ID)]; l.noted != (stamp{}) && l.Keeper == f.keeper && !read {
			f.known[string(l.ID)] = workspace{
				Dir: l.Dir, Root: l.Root, Repository: l.Repository, Branch: l.Branch, Client: l.Client, Agent: l.Agent,
				Name: l.Name, Named: l.Named, created: l.Created, stamp: l.noted,
			}
		}
	}
}

// workspace reads workspace.yaml when it has changed since. What is damaged in it
// is empty.
func (f *Folder) workspace(id string, file fs.DirEntry) workspace {
	info, err := file.Info()
	if err != nil || info.Size() > maxWorkspace {
		return workspace{}
	}
	now := stamp{info.ModTime().UnixNano(), info.Size()}
	f.mu.Lock()
	was, ok := f.known[id]
	f.mu.Unlock()
	if ok && was.stamp == now {
		return was
	}
	w := workspace{}
	if time.Since(info.ModTime()) > settled {
		w.stamp = now
	}
	raw, err := os.ReadFile(filepath.Join(f.dir, id, file.Name()))
	if err != nil {
		return workspace{}
	}
	w.read(raw)
	w.created = parseTime(w.Created)
	f.mu.Lock()
	f.known[id] = w
	f.mu.Unlock()
	return w
}

// fill sets what the file says of a session.
func (w workspace) fill(l *Log) {
	l.Dir, l.Root, l.Repository, l.Branch, l.Client = w.Dir, w.Root, w.Repository, w.Branch, w.Client
	l.Name, l.Named = w.Name, w.Named
	if l.Keeper == ParleyKeeper {
		l.Agent = w.Agent
	}
	l.Created, l.noted = w.created, w.stamp
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
		if key == "user_named" {
			if read.Named = value == "true"; !read.Named && value != "false" {
				return false
			}
		}
		if value, ok = scalar(value); !ok {
			return false
		}
		if field := fields[key]; field != nil {
			*field = value
		}
	}
	*w = read
	return true
}

// scalar is the text of a scalar of YAML that means itself, or stands in single
// quotes, or is a string of JSON, as Parley writes them.
func scalar(s string) (string, bool) {
	if strings.HasPrefix(s, `"`) {
		var text string
		err := json.Unmarshal([]byte(s), &text)
		return text, err == nil
	}
	inner, ok := strings.CutPrefix(s, "'")
	if !ok {
		return s, flat(s)
	}
	inner, ok = strings.CutSuffix(inner, "'")
	if !ok || strings.ContainsFunc(inner, func(r rune) bool { return r < ' ' || r > '~' || r == '\'' }) {
		return "", false // a quote in it is written twice
	}
	return inner, true
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
