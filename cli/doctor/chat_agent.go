package doctor

import (
	"cmp"
	"fmt"
	"maps"
	"slices"

	"parley/cli/agents"
	"parley/settings"
	"parley/settings/environ"
)

// chatFindings judge the chat agents that the settings name. They are not asked: that
// would reach the network. The programs that print their tokens are looked for and not
// run.
func chatFindings(named map[string]settings.Agent, env []string) (all findings) {
	for _, name := range slices.Sorted(maps.Keys(named)) {
		a := named[name]
		if len(a.Command) > 0 {
			continue
		}
		config, err := agents.ChatConfig(a, env)
		shown, wrong := config.Check()
		address, token, noToken := a.Kind+":"+shown, a.TokenEnv, ""
		switch {
		case token != "":
			if environ.Get(env, token) == "" {
				noToken = "the variable " + token + " is not set"
			}
		case len(a.TokenCommand) > 0:
			token = a.TokenCommand[0]
			if _, err := lookPath(env, token); err != nil {
				noToken = token + " was not found"
			}
		}
		switch err = cmp.Or(err, wrong); {
		case err != nil:
			all.problem(name, err.Error(), fmt.Sprintf("Correct [agents.%s] in settings.toml.", name), false)
		case noToken != "":
			all.note(name, address+", but "+noToken, "Provide its token, or name another variable with --token-env.")
		case token != "":
			all.ok(name, address+", with a token from "+token)
		default:
			all.ok(name, address)
		}
	}
	return all
}
