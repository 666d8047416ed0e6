package copilot

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strings"

	"parley/session"
)

// grants are what is allowed for longer than once.
type grants struct {
	*link
	ledger ledger
}

// held is a grant and how to take it back.
type held struct {
	session.Grant
	revoke func(ctx context.Context) error // nil: it cannot be
}

// Grants implements session.GrantManager. What the runtime cannot be asked about
// (the approvals of a session, which it does not list) is known from the events
// and from the answers that were given here.
func (gs *grants) Grants(ctx context.Context) ([]session.Grant, error) {
	all, err := gs.held(ctx)
	grants := make([]session.Grant, len(all))
	for i, h := range all {
		grants[i] = h.Grant
		grants[i].Revocable = h.revoke != nil
	}
	return grants, err
}

// Revoke implements session.GrantManager.
func (gs *grants) Revoke(ctx context.Context, g session.Grant) error {
	all, err := gs.held(ctx)
	i := slices.IndexFunc(all, func(h held) bool { return h.ID == g.ID })
	switch {
	case i < 0 && err == nil:
		return nil // it was revoked before
	case i < 0:
	case all[i].revoke == nil:
		err = errors.New(all[i].Reason)
	default:
		err = all[i].revoke(ctx)
	}
	return attempt(err, "take back %s", g.What)
}

// SetAllowAll implements session.AllowAllSetter. A question that is open stays
// open; it holds for those to come. A later Resume asks again.
func (gs *grants) SetAllowAll(ctx context.Context, on bool) error {
	mode, what := session.Manual, "ask for permissions again"
	if on {
		mode, what = session.AllowAll, "allow everything without asking"
	}
	return attempt(gs.change(ctx, "setMode", object{"mode": mode}), "%s", what)
}

// askAgain takes back that everything is allowed, which the runtime keeps from
// an earlier run.
func (gs *grants) askAgain(ctx context.Context) error {
	mode, err := gs.permissionMode(ctx)
	if err != nil || mode == session.Manual {
		return err
	}
	return gs.SetAllowAll(ctx, false)
}

// permissionMode is manual, or allow-all where nothing is asked.
func (gs *grants) permissionMode(ctx context.Context) (session.PermissionMode, error) {
	mode, err := ask[session.PermissionMode](ctx, gs, "session.permissions.getMode", nil, "mode")
	return mode, attempt(err, "read the permission mode")
}

// held finds out what is granted. Where one part of it cannot be found out,
// the others are returned all the same.
func (gs *grants) held(ctx context.Context) ([]held, error) {
	var all []held
	var errs error
	for _, list := range []func(context.Context) ([]held, error){
		gs.heldMode, gs.heldReads, gs.heldRules, gs.heldPaths, gs.heldLocation, gs.heldAddresses,
	} {
		part, err := list(ctx)
		all, errs = append(all, part...), errors.Join(errs, err)
	}
	return all, attempt(errs, "list what is allowed")
}

// heldMode is the mode in which nothing is asked.
func (gs *grants) heldMode(ctx context.Context) ([]held, error) {
	mode, err := gs.permissionMode(ctx)
	if err != nil || mode != session.AllowAll {
		return nil, err
	}
	return []held{{
		Grant:  session.Grant{ID: "session/allow-all", Scope: session.GrantSession, What: "everything, without asking"},
		revoke: gs.askAgain,
	}}, nil
}

// heldRules are the approvals for this session.
func (gs *grants) heldRules(context.Context) ([]held, error) {
	var all []held
	for _, given := range gs.ledger.list() {
		h := held{Grant: session.Grant{
			ID: given.id(session.GrantSession), Scope: session.GrantSession, What: given.what(),
		}}
		if given.before {
			h.Reason = "allowed before this window joined the session; it may not hold any more"
		}
		h.revoke = func(ctx context.Context) error {
			// The runtime removes one approval for each rule that is named.
			if err := gs.modifyRules(ctx, "remove", slices.Repeat([]rule{given.rule}, given.times)...); err != nil {
				return err
			}
			gs.ledger.drop(given.rule)
			return nil
		}
		all = append(all, h)
	}
	return all, nil
}

// modifyRules adds rules to those of this session, or removes some.
func (gs *grants) modifyRules(ctx context.Context, how string, rules ...rule) error {
	return gs.change(ctx, "modifyRules", object{"scope": "session", how: rules})
}

// change calls one of the methods that change what is allowed.
func (gs *grants) change(ctx context.Context, method string, params object) error {
	return confirm(ctx, gs, "session.permissions."+method, params, "success", "the runtime did not change what is allowed")
}

// pathsList are the folders and files whose place is not asked about.
type pathsList struct {
	Directories          []string `json:"directories"`
	SessionApprovedPaths []string `json:"sessionApprovedPaths"`
	Primary              string   `json:"primary"`
}

func (gs *grants) paths(ctx context.Context) (p pathsList, err error) {
	return p, gs.call(ctx, "session.permissions.paths.list", nil, &p)
}

// heldPaths are the folders beside the working folder, and single paths.
func (gs *grants) heldPaths(ctx context.Context) ([]held, error) {
	p, err := gs.paths(ctx)
	if err != nil {
		return nil, err
	}
	var all []held
	if n := len(p.SessionApprovedPaths); n > 0 {
		h := held{Grant: session.Grant{
			ID: "session/paths", Scope: session.GrantSession, What: "the path " + quoted(p.SessionApprovedPaths),
		}}
		if n > 1 {
			h.What = "the paths " + quoted(p.SessionApprovedPaths)
			h.Reason = "the runtime can only take all of these paths back at once"
		}
		h.revoke = gs.forgetPaths
		all = append(all, h)
	}
	for _, dir := range slices.Sorted(slices.Values(p.Directories)) {
		if dir != p.Primary {
			all = append(all, held{Grant: session.Grant{
				ID: "session/dir/" + dir, Scope: session.GrantSession, What: "paths under " + quote(dir),
				Reason: "the agent's own folder or an added one, until this session ends; changes there are asked about",
			}})
		}
	}
	return all, nil
}

// forgetPaths takes single paths back and keeps the folders. The runtime makes
// the whole list anew for that, with its own folders in it, of which we do not
// know which they are.
func (gs *grants) forgetPaths(ctx context.Context) error {
	before, err := gs.paths(ctx)
	if err != nil {
		return err
	}
	config := object{"additionalDirectories": []string{}}
	if err := gs.change(ctx, "configure", object{"paths": config}); err != nil {
		return err
	}
	after, err := gs.paths(ctx)
	if err != nil {
		return err
	}
	lacks := func(in pathsList) func(string) bool {
		return func(dir string) bool { return !slices.Contains(in.Directories, dir) }
	}
	added := slices.DeleteFunc(slices.Clone(before.Directories), func(dir string) bool { return !lacks(after)(dir) })
	foreign := slices.ContainsFunc(after.Directories, lacks(before)) // the one for temporary files, where it is not allowed
	if len(added) == 0 && !foreign {
		return nil
	}
	config["additionalDirectories"], config["includeTempDirectory"] = added, !foreign
	return gs.change(ctx, "configure", object{"paths": config})
}

// heldLocation are the approvals that hold for the working folder in every
// session.
func (gs *grants) heldLocation(ctx context.Context) ([]held, error) {
	key, err := gs.locationKey(ctx)
	if err != nil {
		return nil, err
	}
	if gs.agent.remote() {
		return gs.heldElsewhere(ctx)
	}
	file := permissionsFile(gs.agent.cfg.Env)
	at, err := readLocation(file, key)
	if err != nil {
		return nil, err
	}
	var all []held
	for _, r := range at.rules() {
		all = append(all, held{
			Grant: session.Grant{ID: r.id(session.GrantLocation), Scope: session.GrantLocation, What: r.what(), Where: key},
			revoke: func(ctx context.Context) error {
				if err := removeApproval(file, key, r); err != nil {
					return err
				}
				return gs.readLocationAgain(ctx)
			},
		})
	}
	for _, dir := range at.directories() {
		all = append(all, held{Grant: session.Grant{
			ID: "location/dir/" + dir, Scope: session.GrantLocation, What: "paths under " + quote(dir), Where: key,
			Reason: "the Copilot CLI has added this folder and cannot take it back; it is kept in " + quote(file),
		}})
	}
	return all, nil
}

// readLocationAgain makes the session go by what is stored for its folder. The
// runtime cannot remove a single approval of a location.
func (gs *grants) readLocationAgain(ctx context.Context) error {
	if err := gs.change(ctx, "modifyRules", object{"scope": "location", "removeAll": true}); err != nil {
		return err
	}
	return gs.call(ctx, "session.permissions.locations.apply", object{"workingDirectory": gs.where().dir}, nil)
}

// heldElsewhere asks a runtime whose files are not ours what it has stored for
// the working folder. To apply it once more changes nothing: the session began
// with it.
func (gs *grants) heldElsewhere(ctx context.Context) ([]held, error) {
	var stored struct {
		LocationKey  string `json:"locationKey"`
		AppliedRules []rule `json:"appliedRules"`
	}
	if err := gs.call(ctx, "session.permissions.locations.apply", object{"workingDirectory": gs.where().dir}, &stored); err != nil {
		return nil, err
	}
	var all []held
	for _, r := range stored.AppliedRules {
		all = append(all, held{Grant: session.Grant{
			ID: r.id(session.GrantLocation), Scope: session.GrantLocation, What: r.what(), Where: stored.LocationKey,
			Reason: "it is kept in permissions-config.json of a runtime that was not started here, and can only be taken out of that file",
		}})
	}
	return all, nil
}

func (gs *grants) locationKey(ctx context.Context) (string, error) {
	where := object{"workingDirectory": gs.where().dir}
	key, err := ask[string](ctx, gs, "session.permissions.locations.resolve", where, "locationKey")
	return key, attempt(err, "find the location of %s", gs.where().dir)
}

// heldAddresses are the addresses that are allowed in every session.
func (gs *grants) heldAddresses(ctx context.Context) ([]held, error) {
	allowed, _, err := gs.agent.addresses(ctx)
	if err != nil {
		return nil, err
	}
	var all []held
	for _, address := range allowed {
		r := addressRule(address)
		all = append(all, held{
			Grant: session.Grant{ID: r.id(session.GrantEverywhere), Scope: session.GrantEverywhere, What: r.what()},
			revoke: func(ctx context.Context) error {
				if err := gs.agent.editAddresses(ctx, "remove-item", address); err != nil {
					return err
				}
				return gs.modifyRules(ctx, "remove", r)
			},
		})
	}
	return all, nil
}

// quoted joins names for a sentence.
func quoted(names []string) string {
	last := len(names) - 1
	if last < 1 {
		return quote(names[0])
	}
	return "`" + strings.Join(names[:last], "`, `") + "` and " + quote(names[last])
}

func quote(name string) string { return "`" + name + "`" }

// compareRules orders rules for a list.
func compareRules(a, b rule) int {
	return cmp.Or(cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.argument(), b.argument()))
}
