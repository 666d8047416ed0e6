package copilot

import (
	"cmp"
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"parley/session"
	"parley/settings/environ"
)

// stored is permissions-config.json (docs/protocol.md, section 9). What is not
// known of it is kept as it is.
type stored struct {
	Locations map[string]location `json:"locations,omitzero"`
	Extra     jsontext.Value      `json:",embed"`
}

// location is what is allowed in one repository or folder.
type location struct {
	ToolApprovals      []jsontext.Value `json:"tool_approvals,omitzero"`
	AllowedDirectories jsontext.Value   `json:"allowed_directories,omitzero"`
	Extra              jsontext.Value   `json:",embed"`
}

// permissionsFile is where the runtime keeps what is allowed in a location, by
// the environment it was started with.
func permissionsFile(env []string) string {
	return filepath.Join(stateDir(env), "permissions-config.json")
}

// stateDir is the folder in which the runtime keeps its state, by the environment it was
// started with.
func stateDir(env []string) string {
	if env == nil {
		env = os.Environ()
	}
	own, _ := os.UserHomeDir()
	home := cmp.Or(HomeDir(env), own)
	return cmp.Or(environ.Get(env, "COPILOT_HOME"), filepath.Join(home, ".copilot"))
}

func readStored(file string) (all stored, err error) {
	raw, err := os.ReadFile(file)
	if errors.Is(err, fs.ErrNotExist) {
		return all, nil
	}
	if err == nil {
		err = session.Unmarshal(raw, &all)
	}
	return all, attempt(err, "read what is allowed here")
}

func readLocation(file, key string) (location, error) {
	all, err := readStored(file)
	return all.Locations[key], err
}

// approvalOf reads one entry; what is not understood allows nothing we know.
func approvalOf(entry jsontext.Value) session.Approval {
	var a session.Approval
	if err := session.Unmarshal(entry, &a); err != nil {
		return session.Approval{}
	}
	return a
}

// rules are what a location allows, each once. An approval of a kind that is
// not known here is one rule without an argument.
func (l location) rules() []rule {
	var rules []rule
	for _, entry := range l.ToolApprovals {
		for _, r := range entryRules(approvalOf(entry)) {
			if !slices.ContainsFunc(rules, r.equal) {
				rules = append(rules, r)
			}
		}
	}
	slices.SortFunc(rules, compareRules)
	return rules
}

func entryRules(a session.Approval) []rule {
	if rules := rulesOf(a); rules != nil || a.Kind == "commands" || a.Kind == "" {
		return rules
	}
	return []rule{{Kind: a.Kind}}
}

func (l location) directories() []string {
	var dirs []string
	if len(l.AllowedDirectories) > 0 && session.Unmarshal(l.AllowedDirectories, &dirs) != nil {
		return nil
	}
	return dirs
}

// without is a location that does not allow r. An entry for several commands
// keeps the others.
func (l location) without(r rule) (location, error) {
	kept := make([]jsontext.Value, 0, len(l.ToolApprovals))
	for _, entry := range l.ToolApprovals {
		a := approvalOf(entry)
		rules := entryRules(a)
		if !slices.ContainsFunc(rules, r.equal) {
			kept = append(kept, entry)
			continue
		}
		if len(rules) == 1 {
			continue
		}
		a.CommandIdentifiers = slices.DeleteFunc(a.CommandIdentifiers, func(id string) bool { return id == r.argument() })
		if len(a.CommandIdentifiers) == 0 {
			continue
		}
		shorter, err := json.Marshal(a)
		if err != nil {
			return l, err
		}
		kept = append(kept, shorter)
	}
	l.ToolApprovals = kept
	return l, nil
}

// removeApproval takes one rule of a location out of the file. The runtime
// reads the file anew whenever it needs it.
func removeApproval(file, key string, r rule) error {
	all, err := readStored(file)
	if err != nil {
		return err
	}
	at, ok := all.Locations[key]
	if !ok {
		return nil
	}
	if all.Locations[key], err = at.without(r); err != nil {
		return err
	}
	raw, err := json.Marshal(all, json.Deterministic(true), jsontext.WithIndent("  "))
	if err == nil {
		file, err = filepath.EvalSymlinks(file)
	}
	if err == nil {
		err = replaceFile(file, append(raw, '\n'), 0o600)
	}
	return attempt(err, "write what is allowed here")
}

// addresses are the addresses that the user's settings allow and deny in
// every session.
func (a *Agent) addresses(ctx context.Context) (allowed, denied []string, err error) {
	type list struct {
		Value []string `json:"value"`
	}
	type settings struct {
		AllowedURLs list `json:"allowedUrls"`
		DeniedURLs  list `json:"deniedUrls"`
	}
	r, err := ask[settings](ctx, a, "user.settings.get", nil, "settings")
	return r.AllowedURLs.Value, r.DeniedURLs.Value, attempt(err, "read the settings")
}

// editAddresses changes the addresses that are allowed in every session.
func (a *Agent) editAddresses(ctx context.Context, operation, address string) error {
	p := object{"canonicalPath": []string{"allowedUrls"}, "operation": operation, "value": address}
	status, err := ask[string](ctx, a, "user.settings.edit", p, "status") // changed, unchanged or invalid
	if err == nil && status == "invalid" {
		err = errors.New("settings.json cannot be read: mend it")
	}
	return attempt(err, "write the settings")
}

// allowAddresses makes a session go by the user's settings: one of the server
// mode does not by itself, though the runtime's own do. Where that fails, more
// is asked. A session that is not new may be open in another window, whose rules
// are left alone.
func (gs *grants) allowAddresses(ctx context.Context, isNew bool) {
	allowed, denied, err := gs.agent.addresses(ctx)
	if err != nil || len(allowed) == 0 && len(denied) == 0 || len(denied) > 0 && !isNew {
		return
	}
	rules := func(addresses []string) []rule {
		list := make([]rule, len(addresses))
		for i, address := range addresses {
			list[i] = addressRule(address)
		}
		return list
	}
	if len(denied) > 0 {
		set := object{"approved": []rule{}, "denied": rules(denied)}
		if gs.change(ctx, "configure", object{"rules": set}) != nil {
			return // what must not be allowed could be then
		}
	}
	// Another window may have added them. Twice, they could not be removed.
	if gs.modifyRules(ctx, "remove", rules(allowed)...) == nil {
		_ = gs.modifyRules(ctx, "add", rules(allowed)...)
	}
}
