package sessions

import (
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"go.yaml.in/yaml/v3"
)

const (
	workspaceFile = "workspace.yaml"
	maxWorkspace  = 64 << 10
)

// workspace is workspace.yaml (docs/protocol.md, section 9), also as a Store writes
// it.
type workspace struct {
	ID         string `yaml:"id,omitempty"`
	Dir        string `yaml:"cwd,omitempty"`
	Root       string `yaml:"git_root,omitempty"`
	Repository string `yaml:"repository,omitempty"`
	Branch     string `yaml:"branch,omitempty"`
	Client     string `yaml:"client_name,omitempty"`
	Agent      string `yaml:"agent,omitempty"` // of a Store
	Name       string `yaml:"name,omitempty"`
	Named      bool   `yaml:"user_named"`
	Created    string `yaml:"created_at,omitempty"`
	Updated    string `yaml:"updated_at,omitempty"`
}

// settled is how long a file must be as it is, before its stamp shows that: it may
// be written again before the clock of the file system advances.
const settled = 2 * time.Second

// recall implements recaller.
func (f *Folder) recall(logs []Log) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, l := range logs {
		if _, read := f.known[string(l.ID)]; l.noted != (stamp{}) && l.Keeper == f.keeper && !read {
			f.known[string(l.ID)] = l
		}
	}
}

// workspace is what workspace.yaml says of a session. It is read when it has changed
// since it was read last. What is damaged in it is empty.
func (f *Folder) workspace(id string, file fs.DirEntry) Log {
	info, err := file.Info()
	if err != nil || info.Size() > maxWorkspace {
		return Log{}
	}
	now := stamp{info.ModTime().UnixNano(), info.Size()}
	f.mu.Lock()
	was, ok := f.known[id]
	f.mu.Unlock()
	if ok && was.noted == now {
		return was
	}
	raw, err := os.ReadFile(filepath.Join(f.dir, id, file.Name()))
	if err != nil {
		return Log{}
	}
	var w workspace
	_ = yaml.Unmarshal(raw, &w) // as far as it goes
	l := Log{
		Dir: w.Dir, Root: w.Root, Repository: w.Repository, Branch: w.Branch, Client: w.Client, Agent: w.Agent,
		Name: w.Name, Named: w.Named, Created: parseTime(w.Created),
	}
	if time.Since(info.ModTime()) > settled {
		l.noted = now
	}
	f.mu.Lock()
	f.known[id] = l
	f.mu.Unlock()
	return l
}
