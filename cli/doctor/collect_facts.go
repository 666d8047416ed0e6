package doctor

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"github.com/go-json-experiment/json"

	"parley/cli/agents"
	"parley/cli/config"
	"parley/cli/process"
	"parley/history/sessions"
	"parley/render/text"
	"parley/session/copilot"
	"parley/session/processgroup"
	"parley/settings"
	"parley/settings/environ"
	"parley/terminal"
	"parley/terminal/handover"
	"parley/tui"
	"parley/tui/widget"
)

// Facts are what the doctor found, before anybody judges it.
type Facts struct {
	Version, system string
	isTerminal      bool
	Terminal        terminal.Description
	Agent           AgentFacts
	chats           findings // about chat agents
	acp             findings // about agents of the Agent Client Protocol
	folders         []folderFacts
	Files           []FileFacts
	clipboard       string // the tool
	editor          string
	editorTrouble   string
	browser         string
	git             string
}

// AgentFacts are about the Copilot CLI. It is asked for its version and never
// for a session.
type AgentFacts struct {
	url      bool // one that runs already is used
	missing  bool
	trouble  string // why the one that was named cannot be used
	path     string
	Version  string
	broken   string // why it does not run
	remedy   string // what helps then, if it is known
	script   bool   // for node
	node     string // its version
	token    string // the variable that holds one; never its value
	provider string // what is wrong with the provider's variables
	ownModel bool   // they name a model
	account  string // that the CLI's own settings name
}

// folderFacts are about a folder.
type folderFacts struct {
	name, path string
	variable   string // that says where it is
	loss       string // what does not work without it
	needed     bool   // Parley does not work without it
	exists     bool
	writable   bool // or can be made
	trouble    string
	files      int
	bytes      int
	more       bool // not all of it was counted
}

// FileFacts are about a file of the user's.
type FileFacts struct {
	Name, path string
	found      bool
	Mistake    string
	needed     bool // Parley does not start with a mistake in it
}

const (
	// agentPatience is how long the Copilot CLI may take to say its version; the
	// first time it unpacks itself.
	agentPatience = 10 * time.Second
	// toolPatience is the same for node and git.
	toolPatience = 3 * time.Second
	// mostFiles bounds how many files of a folder are counted.
	mostFiles = 20000
	// mostOfALine is how much of what a program reports of itself is shown, in cells.
	mostOfALine = 200
)

// look finds out what there is to know about Parley and what is around it. It
// starts no session, and reaches no network.
func look(ctx context.Context, c tui.Config, o agents.Options, t terminal.Description, isTerminal bool) Facts {
	f := Facts{
		Version: process.Version(), system: runtime.GOOS + "/" + runtime.GOARCH, isTerminal: isTerminal, Terminal: t,
		Agent: lookAgent(ctx, o, c.Env, c.Home), chats: chatFindings(c.Settings.Agents, c.Env),
		acp:       acpFindings(ctx, c.Settings, c.Env),
		clipboard: c.ClipboardTool(), git: toolVersion(ctx, c.Env, "git"),
	}
	for _, d := range lookFolders(o, c.Env, c.Home) {
		d.look()
		d.path = widget.ShortPath(d.path, c.Home)
		f.folders = append(f.folders, d)
	}
	for _, check := range config.OwnFiles(c.Env, c.Home) {
		f.Files = append(f.Files, lookFile(check, c.Home))
	}
	if argv, err := handover.FindEditor(c.Env); err != nil {
		f.editorTrouble = err.Error()
	} else {
		f.editor = widget.ShortPath(strings.Join(argv, " "), c.Home)
	}
	if argv := c.Browser(); argv != nil {
		f.browser, _ = lookPath(c.Env, argv[0])
	}
	return f
}

// lookAgent finds the Copilot CLI and asks it for its version.
func lookAgent(ctx context.Context, o agents.Options, env []string, home string) AgentFacts {
	getenv := func(name string) string { return environ.Get(env, name) }
	a := AgentFacts{url: o.CopilotURL != ""}
	for _, name := range []string{"COPILOT_GITHUB_TOKEN", "GH_TOKEN", "GITHUB_TOKEN"} {
		if getenv(name) != "" && a.token == "" {
			a.token = name
		}
	}
	provider, err := copilot.ProviderFromEnv(getenv)
	if err != nil {
		a.provider = err.Error()
	}
	a.ownModel = provider != nil
	a.account = signedInAs(filepath.Join(sessions.Home(env, home), "config.json"))
	path, err := copilot.Find(o.CopilotPath, getenv, func(file string) (string, error) { return lookPath(env, file) })
	switch {
	case a.url:
		return a
	case errors.Is(err, copilot.ErrNotFound):
		a.missing = true
		return a
	case err != nil:
		a.trouble = strings.TrimSuffix(err.Error(), "; correct it or leave it out") // which the finding says
		return a
	}
	a.path = widget.ShortPath(path, home)
	if a.script = nodeScript(path); a.script {
		a.node = toolVersion(ctx, env, "node")
	}
	a.Version, a.broken = firstLine(ctx, agentPatience, append(env, "COPILOT_AUTO_UPDATE=false"), path, "--version")
	if trouble, remedy := copilot.Unwritable(env, a.broken == ""); trouble != "" {
		a.broken, a.remedy = trouble, remedy
	}
	return a
}

// signedInAs is the account that the CLI's own settings name, "" if none. The
// token of it is elsewhere and is not looked for.
func signedInAs(file string) string {
	raw, err := os.ReadFile(file)
	if err != nil {
		return ""
	}
	for bytes.HasPrefix(raw, []byte("//")) { // the CLI writes comments above the object
		_, raw, _ = bytes.Cut(raw, []byte("\n"))
	}
	type user struct {
		Host  string `json:"host"`
		Login string `json:"login"`
	}
	var config struct {
		Last   user   `json:"lastLoggedInUser"`
		Older  user   `json:"last_logged_in_user"` // of earlier versions
		Logins []user `json:"loggedInUsers"`
	}
	if json.Unmarshal(raw, &config) != nil {
		return ""
	}
	for _, u := range append([]user{config.Last, config.Older}, config.Logins...) {
		if u.Login == "" {
			continue
		}
		who := u.Login
		if _, host, _ := strings.Cut(u.Host, "://"); host != "" {
			who += " on " + host
		}
		return text.SanitizeLine(who)
	}
	return ""
}

// nodeScript reports whether a program is a script that node runs.
func nodeScript(path string) bool {
	f, err := os.Open(path)
	if err != nil {
		return false
	}
	defer f.Close()
	first, _ := bufio.NewReaderSize(f, 256).ReadString('\n')
	return strings.HasPrefix(first, "#!") && strings.Contains(first, "node")
}

// toolVersion is where a tool is and what it calls its version; "" if it is not
// there or does not run.
func toolVersion(ctx context.Context, env []string, name string) string {
	path, err := lookPath(env, name)
	if err != nil {
		return ""
	}
	said, trouble := firstLine(ctx, toolPatience, env, path, "--version")
	if trouble != "" {
		return ""
	}
	return path + ", " + strings.TrimPrefix(said, name+" version ")
}

// firstLine runs a program and returns the first line it prints, or why it prints
// no line.
func firstLine(ctx context.Context, patience time.Duration, env []string, argv ...string) (line, trouble string) {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	cmd := exec.CommandContext(ctx, argv[0], argv[1:]...)
	cmd.Env, cmd.WaitDelay = env, time.Second
	if _, err := os.Getwd(); err != nil { // the folder was deleted, and some programs need one
		cmd.Dir = "/"
	}
	group := processgroup.New(cmd)
	var said, complained clipped
	cmd.Stdout, cmd.Stderr = &said, &complained
	err := group.Run()
	if errors.Is(err, exec.ErrWaitDelay) {
		err = nil // something that it left behind has its output open
	}
	switch {
	case ctx.Err() != nil:
		return "", "no answer in " + patience.String()
	case err != nil && complained.first() != "":
		return "", complained.first()
	case err != nil:
		return "", err.Error()
	case said.first() == "":
		return "", "it says nothing"
	}
	return said.first(), ""
}

// clipped keeps the start of what a program says, which may be without end.
type clipped struct{ kept []byte }

// Write implements io.Writer.
func (c *clipped) Write(p []byte) (int, error) {
	c.kept = append(c.kept, p[:min(len(p), 4<<10-len(c.kept))]...)
	return len(p), nil
}

// first is the first line, as much of it as fits.
func (c *clipped) first() string {
	line, _, _ := strings.Cut(strings.TrimSpace(string(c.kept)), "\n")
	return text.Truncate(strings.TrimSuffix(text.SanitizeLine(strings.TrimSpace(line)), "."), mostOfALine, "...")
}

// lookPath finds a program on the PATH of an environment.
func lookPath(env []string, file string) (string, error) {
	if filepath.Base(file) != file {
		return exec.LookPath(file)
	}
	for _, dir := range filepath.SplitList(environ.Get(env, "PATH")) {
		if path, err := exec.LookPath(filepath.Join(dir, file)); err == nil && filepath.IsAbs(path) {
			return path, nil
		}
	}
	return "", &exec.Error{Name: file, Err: exec.ErrNotFound}
}

// workFolder is the name of the folder that the agent works in.
const workFolder = "work"

// lookFolders are the folders that matter, not yet looked at.
func lookFolders(o agents.Options, env []string, home string) []folderFacts {
	config := settings.Path(env, home)
	if config != "" {
		config = filepath.Dir(config)
	}
	its := cmp.Or(home, copilot.HomeDir(env)) // of the Copilot CLI
	cache, moves := copilot.CacheDir(env, its)
	return []folderFacts{
		{name: workFolder, path: o.Dir, loss: "the agent can change nothing here"},
		{name: "settings", path: config, variable: environ.ConfigVariable, loss: "settings cannot be changed"},
		{name: "state", path: environ.StateDir(env, home), variable: environ.StateVariable, loss: "drafts and prompts are not kept"},
		{
			name: "Copilot", path: sessions.Home(env, its), variable: environ.HomeVariable,
			loss: "the Copilot CLI cannot keep its sessions", needed: true,
		},
		{name: "cache", path: cache, variable: moves, loss: "the Copilot CLI cannot unpack itself"},
	}
}

const notLookedAt = "it cannot be looked at"

// look finds out about a folder.
func (d *folderFacts) look() {
	if d.path == "" {
		return
	}
	info, err := os.Stat(d.path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		parent := filepath.Dir(d.path)
		for info, err = os.Stat(parent); errors.Is(err, fs.ErrNotExist) && parent != filepath.Dir(parent); info, err = os.Stat(parent) {
			parent = filepath.Dir(parent)
		}
		if err == nil && !info.IsDir() { // Windows says that nothing is below it
			d.trouble = notLookedAt
			return
		}
		d.writable = environ.Writable(parent) == nil
		return
	case err != nil:
		d.trouble = notLookedAt
		return
	case !info.IsDir():
		d.trouble = "it is no folder"
		return
	}
	d.exists, d.writable = true, environ.Writable(d.path) == nil
	if d.name == workFolder || d.name == "cache" {
		return // not ours to count
	}
	_ = filepath.WalkDir(d.path, func(_ string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil || entry.IsDir():
			return nil //nolint:nilerr // what cannot be read is not counted
		case d.files == mostFiles:
			d.more = true
			return fs.SkipAll
		}
		d.files++
		if info, err := entry.Info(); err == nil {
			d.bytes += int(info.Size())
		}
		return nil
	})
}

// lookFile reads a file.
func lookFile(c config.OwnFile, home string) FileFacts {
	f := FileFacts{Name: c.Name, path: widget.ShortPath(c.Path, home), needed: c.Needed}
	if _, err := os.Stat(c.Path); c.Path == "" || errors.Is(err, fs.ErrNotExist) {
		return f
	}
	f.found = true
	if _, err := c.Read(); err != nil {
		f.Mistake = strings.ReplaceAll(err.Error(), c.Path, f.path)
	}
	return f
}
