package copilot

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"maps"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"parley/session"
	"parley/settings/mcpfile"
	"parley/settings/promptfile"
)

// folder is what is known of a working folder when a session opens in it.
type folder struct {
	dir     string
	trusted bool
	briefly bool                      // trusted for this session only
	reads   bool                      // reads in it are not asked
	loads   []session.FolderContents  // what the runtime would load or start, if not trusted
	servers map[string]jsontext.Value // the MCP servers among it, in the form of session.create
	own     []session.FolderContents  // what the runtime would start of the user's, if not trusted
	off     []string                  // the MCP servers among that, by name
	shown   string                    // identifies what a question shows of it; "": that is not known for sure
}

// options are the parameters of session.create and session.resume that say what
// the runtime may take from the folder (docs/decisions.md 11).
//
// Without them the runtime reads instructions and runs the folder's hooks
// whether the folder is trusted or not, and starts the user's own MCP servers in
// it; only the folder's wait for trust. The user's own instructions are read in
// any folder that brings none.
func (f folder) options() object {
	off := []string{}
	if !f.trusted {
		off = append(off, f.off...)
	}
	return object{
		"disabledMcpServers":                 off,
		"enableConfigDiscovery":              f.trusted,
		"enableFileHooks":                    f.trusted,
		"enableOnDemandInstructionDiscovery": f.trusted,
		"skipCustomInstructions":             !f.trusted && len(f.loads) > 0,
		"enableSkills":                       true, // the built-in ones, without discovery
	}
}

// inspect asks the runtime whether a folder is trusted and, if not, finds out
// what it holds. What cannot be found out is neither trusted nor loaded.
func (a *Agent) inspect(ctx context.Context, dir string) folder {
	f := folder{dir: dir}
	if f.trusted = a.trusts(ctx, dir); f.trusted {
		return f
	}
	places := mcpfile.Folders(dir, mcpfile.Exists)
	f.loads = a.discover(ctx, dir, places[len(places)-1])
	var contents []session.FolderContents
	contents, f.servers = folderServers(dir)
	f.loads = append(f.loads, contents...)
	for _, place := range places {
		f.loads = append(f.loads, hooks(dir, place)...)
	}
	f.own, f.off = a.ownServers(ctx, dir)
	for _, file := range promptfile.OfFolder(dir) { // Parley reads them, those that are no skill for the runtime
		path := relative(dir, file.Path)
		if !slices.ContainsFunc(f.loads, func(c session.FolderContents) bool { return c.Path == path }) {
			f.loads = append(f.loads, session.FolderContents{Path: path, What: "a prompt file: /" + file.Name})
		}
	}
	f.shown = f.digest()
	return f
}

// mostShown is how many bytes of a file are compared to know that it is the same.
const mostShown = 16 << 20

// digest identifies what a question about the folder shows, with all that is in the files
// it names. It is "" if one of them cannot be read whole.
func (f folder) digest() string {
	h := sha256.New()
	for _, l := range f.loads {
		path := l.Path
		if !filepath.IsAbs(path) {
			path = filepath.Join(f.dir, path)
		}
		at, err := os.Stat(path)
		if err != nil || !at.Mode().IsRegular() || at.Size() > mostShown {
			return ""
		}
		content, err := os.ReadFile(path)
		if err != nil {
			return ""
		}
		_, _ = fmt.Fprintf(h, "%q %q %q\n", l.Path, l.What, content)
	}
	for _, o := range f.own {
		_, _ = fmt.Fprintf(h, "own %q %q\n", o.Path, o.What)
	}
	for _, name := range slices.Sorted(maps.Keys(f.servers)) {
		_, _ = fmt.Fprintf(h, "server %q %q\n", name, f.servers[name])
	}
	return hex.EncodeToString(h.Sum(nil))
}

// keepTrust notes whether the user trusted a folder for a session, and what was shown of
// it then. Of a runtime elsewhere nothing is known of the files.
func (a *Agent) keepTrust(f folder, trusted bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	delete(a.trusted, f.dir)
	if trusted && f.shown != "" && !a.remote() {
		a.trusted[f.dir] = f.shown
	}
}

// trustKept is a folder as a session is resumed in it: trusted if the user trusted it for
// a session of this process, and all that was shown of it then is the same. Undoing,
// redoing and copying a session resume one.
func (a *Agent) trustKept(f folder) folder {
	a.mu.Lock()
	defer a.mu.Unlock()
	if before, ok := a.trusted[f.dir]; ok && !f.trusted && before == f.shown {
		f.trusted, f.briefly = true, true
	}
	return f
}

// ownServers asks the runtime which MCP servers of the user, and of their plugins, it would
// start in any folder. What a server is started with, such as npx, may run programs of the
// folder that it is started in.
func (a *Agent) ownServers(ctx context.Context, dir string) (own []session.FolderContents, names []string) {
	type server struct {
		Name            string `json:"name"`
		Source          string `json:"source"`
		Enabled         bool   `json:"enabled"`
		EffectiveSource struct {
			File struct {
				URI string `json:"uri"`
			} `json:"file"`
		} `json:"effectiveSource"`
	}
	found, err := ask[[]server](ctx, a, "mcp.discover", object{"workingDirectory": dir, "includeEffectiveSource": true}, "servers")
	if err != nil {
		return []session.FolderContents{{Path: ".", What: "your MCP servers: the list of them could not be read"}}, nil
	}
	for _, s := range found {
		if s.Enabled && (s.Source == "user" || s.Source == "plugin") {
			at := session.FolderContents{Path: "your " + s.Source, What: "the MCP server " + s.Name + " of yours"}
			if u, err := url.Parse(s.EffectiveSource.File.URI); err == nil && u.Path != "" {
				at.Path = u.Path
			}
			own, names = append(own, at), append(names, s.Name)
		}
	}
	return own, names
}

// trusts asks the runtime whether a folder is trusted. It is not if that cannot be
// found out.
func (a *Agent) trusts(ctx context.Context, dir string) bool {
	trusted, err := ask[bool](ctx, a, "permissions.folderTrust.checkTrust", object{"path": dir}, "trusted")
	return err == nil && trusted
}

// How the words for a skill and for an agent of a folder begin, and those for what else
// the first screen names.
const (
	aSkill          = "a skill: "
	anAgent         = "an agent: "
	theInstructions = "instructions"
	theHooks        = "hooks"
	theSettings     = "settings, which may run hooks"
)

// discover asks the runtime what instructions, skills and agents it would load
// for the folder, whose repository has its root there.
func (a *Agent) discover(ctx context.Context, dir, root string) []session.FolderContents {
	var found []session.FolderContents
	where := object{"projectPaths": []string{dir}}
	type source struct {
		SourcePath  string `json:"sourcePath"`
		ProjectPath string `json:"projectPath"`
	}
	// What is not known may be there: it is not loaded either.
	unlisted := func(what string, err error) {
		if err != nil {
			found = append(found, session.FolderContents{Path: ".", What: what + "the list of them could not be read"})
		}
	}
	sources, err := ask[[]source](ctx, a, "instructions.discover", where, "sources")
	unlisted("instructions: ", err)
	for _, s := range sources {
		if s.ProjectPath != "" { // else the user's own
			path := relative(dir, filepath.Join(root, s.SourcePath))
			found = append(found, session.FolderContents{Path: path, What: theInstructions})
		}
	}
	type named struct {
		Name   string `json:"name"`
		Source string `json:"source"`
		Path   string `json:"path"`
	}
	for _, list := range []struct{ what, member string }{{aSkill, "skills"}, {anAgent, "agents"}} {
		items, err := ask[[]named](ctx, a, list.member+".discover", where, list.member)
		unlisted(list.what, err)
		for _, n := range items {
			if n.Source == "project" || n.Source == "inherited" {
				found = append(found, session.FolderContents{Path: relative(dir, n.Path), What: list.what + n.Name})
			}
		}
	}
	return found
}

// folderServers reads the servers that a folder would start.
func folderServers(dir string) (contents []session.FolderContents, servers map[string]jsontext.Value) {
	servers = map[string]jsontext.Value{}
	for _, place := range slices.Backward(mcpfile.Folders(dir, mcpfile.Exists)) { // the nearest place wins
		found, of := mcpServers(dir, place)
		contents = append(contents, found...)
		maps.Copy(servers, of)
	}
	return contents, servers
}

// mcpServers reads the servers a place would start: those of .mcp.json, or
// without that file those of .github/mcp.json.
func mcpServers(dir, place string) ([]session.FolderContents, map[string]jsontext.Value) {
	for _, name := range mcpfile.ProjectNames {
		path := filepath.Join(place, name)
		raw, err := os.ReadFile(path)
		if err != nil {
			continue
		}
		var file struct {
			Servers map[string]jsontext.Value `json:"mcpServers"`
		}
		if err := session.Unmarshal(raw, &file); err != nil {
			return []session.FolderContents{{Path: relative(dir, path), What: "MCP servers that cannot be read"}}, nil
		}
		var found []session.FolderContents
		servers := map[string]jsontext.Value{}
		for _, id := range slices.Sorted(maps.Keys(file.Servers)) {
			server, what := mcpServer(file.Servers[id])
			found = append(found, session.FolderContents{Path: relative(dir, path), What: what})
			if server != nil {
				servers[id] = server
			}
		}
		return found, servers
	}
	return nil, nil
}

// mcpServer puts one entry of a file into the form of session.create, and says
// what it starts. An entry of another shape is nil.
func mcpServer(raw jsontext.Value) (jsontext.Value, string) {
	var s struct {
		Type    string         `json:"type"`
		Command string         `json:"command,omitzero"`
		Args    []string       `json:"args,omitzero"`
		URL     string         `json:"url,omitzero"`
		Tools   []string       `json:"tools"`
		Extra   jsontext.Value `json:",embed"`
	}
	if session.Unmarshal(raw, &s) != nil || (s.Command == "" && s.URL == "") {
		return nil, "an MCP server that cannot be read"
	}
	what, kind := strings.Join(append([]string{s.Command}, s.Args...), " "), "local"
	if s.Command == "" {
		what, kind = s.URL, "http"
	}
	s.Type = cmp.Or(s.Type, kind)
	if s.Tools == nil {
		s.Tools = []string{"*"}
	}
	server, err := json.Marshal(s)
	if err != nil {
		return nil, "an MCP server that cannot be read"
	}
	return server, "an MCP server: " + what
}

// hooks finds the commands a place would have run by itself at certain moments,
// and the settings that can hold such commands. The runtime reports them only
// in a trusted folder.
func hooks(dir, place string) []session.FolderContents {
	var found []session.FolderContents
	files, _ := filepath.Glob(filepath.Join(place, ".github", "hooks", "*.json")) // the pattern is well-formed
	for _, f := range files {
		found = append(found, session.FolderContents{Path: relative(dir, f), What: theHooks})
	}
	for _, name := range []string{
		".github/copilot/settings.json", ".github/copilot/settings.local.json",
		".claude/settings.json", ".claude/settings.local.json", ".github/lsp.json",
	} {
		if path := filepath.Join(place, name); mcpfile.Exists(path) {
			what := theSettings
			if strings.HasSuffix(name, "lsp.json") {
				what = "language servers"
			}
			found = append(found, session.FolderContents{Path: relative(dir, path), What: what})
		}
	}
	return found
}

// relative is path as seen from dir.
func relative(dir, path string) string {
	if r, err := filepath.Rel(dir, path); err == nil {
		return r
	}
	return path
}

// trust loads what a folder brings along, for this session or, with remember,
// for all to come. It is too late for that when the session has moved on.
func (s *Session) trust(ctx context.Context, f folder, remember bool) error {
	if err := s.moving.enter(ctx); err != nil {
		return err
	}
	defer s.moving.leave()
	if s.where().dir != f.dir {
		return session.ErrResolved
	}
	f.trusted, f.briefly = true, !remember && !f.trusted
	if remember {
		err := confirm(ctx, s, "session.permissions.folderTrust.addTrusted", object{"path": f.dir}, "success",
			"the runtime did not add "+f.dir+" to its trusted folders")
		if err != nil {
			return attempt(err, "remember that %s is trusted", f.dir)
		}
	}
	if err := s.reload(ctx, f); err != nil {
		return fmt.Errorf("load what %s brings along: %w", f.dir, err)
	}
	s.setFolder(f)
	if f.briefly {
		s.agent.keepTrust(f, true)
	}
	return s.grants.letRead(ctx, f)
}

// reload makes the runtime take from a folder what it may.
func (l *link) reload(ctx context.Context, f folder) error {
	params := l.agent.params(l.id, session.Options{Dir: f.dir}, f)
	params["disableResume"] = true // nothing new for the timeline
	// An earlier look into the folder is remembered by the runtime.
	if err := l.agent.call(ctx, "instructions.clearCache", nil, nil); err != nil {
		return err
	}
	return l.call(ctx, "session.resume", params, nil)
}
