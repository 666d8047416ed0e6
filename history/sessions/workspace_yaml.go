package sessions

import (
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
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
	Agent      string `yaml:"agent,omitempty"`            // of a Store
	AgentID    string `yaml:"agent_session_id,omitempty"` // likewise
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
	if !w.parsePlain(string(raw)) {
		_ = yaml.Unmarshal(raw, &w) // as far as it goes
	}
	l := Log{
		Dir: w.Dir, Root: w.Root, Repository: w.Repository, Branch: w.Branch, Client: w.Client, Agent: w.Agent,
		AgentSessionID: w.AgentID, Name: w.Name, Named: w.Named, Created: parseTime(w.Created),
	}
	if time.Since(info.ModTime()) > settled {
		l.noted = now
	}
	f.mu.Lock()
	f.known[id] = l
	f.mu.Unlock()
	return l
}

// parsePlain parses what most files are: a line for each key, with a value that needs
// nothing more of YAML. In a listing of thousands of files the library would take most
// of the time. It reports whether that is all there is; else w is unchanged.
func (w *workspace) parsePlain(text string) bool {
	keys, values := make([]string, 0, 16), make([]string, 1, 17) // a map would be most of what is allocated
	of := func(key string) string { return values[slices.Index(keys, key)+1] }
	for line := range strings.Lines(text) {
		key, scalar, _ := strings.Cut(strings.TrimSuffix(line, "\n"), ": ")
		value, ok := parsePlainScalar(scalar)
		if !ok || !isPlainKey(key) || slices.Contains(keys, key) || key == "user_named" && scalar != "true" && scalar != "false" {
			return false
		}
		keys, values = append(keys, key), append(values, value)
	}
	*w = workspace{
		ID: of("id"), Dir: of("cwd"), Root: of("git_root"), Repository: of("repository"),
		Branch: of("branch"), Client: of("client_name"), Agent: of("agent"), AgentID: of("agent_session_id"), Name: of("name"),
		Named: of("user_named") == "true", Created: of("created_at"), Updated: of("updated_at"),
	}
	return true
}

func isPlainKey(s string) bool {
	return s != "" && len(s) <= 64 && strings.Trim(s, "abcdefghijklmnopqrstuvwxyz_") == ""
}

// parsePlainScalar returns the text of a scalar of printable ASCII that means itself, as
// it is or without its quotes. It reports whether it is one.
func parsePlainScalar(s string) (string, bool) {
	if strings.ContainsFunc(s, func(r rune) bool { return r < ' ' || r > '~' }) {
		return "", false
	}
	if n := len(s); n > 1 && (s[0] == '\'' || s[0] == '"') && s[n-1] == s[0] {
		return s[1 : n-1], !strings.ContainsAny(s[1:n-1], `'"\`)
	}
	switch s {
	case "", "null", "Null", "NULL":
		return "", false
	}
	c := s[0] | ' '
	return s, (s[0] == '/' || '0' <= s[0] && s[0] <= '9' || 'a' <= c && c <= 'z') && !strings.HasSuffix(s, ":") &&
		!strings.HasSuffix(s, " ") && !strings.Contains(s, ": ") && !strings.Contains(s, " #")
}
